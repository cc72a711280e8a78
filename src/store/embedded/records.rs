//! What is known of stored documents before their sources are read again.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::content::{ContentHash, DocumentId, Vector, VectorKind};
use crate::store::embedded::schema::{self, Access};
use crate::store::embedded::{IndexPaths, codec, models};
use crate::store::{IndexModel, StoreError};

/// What is known of a stored document when deciding whether to read its source again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Number of the newest version.
    pub number: i64,
    /// Id.
    pub id: DocumentId,
    /// Hash of the source when it was read.
    pub hash: ContentHash,
    /// Reader name.
    pub reader: String,
    /// Reader version.
    pub reader_version: u32,
    /// Fingerprint of chunker and transformers.
    pub pipeline: String,
    /// When it was read.
    pub ingested_at: jiff::Timestamp,
    /// Whether it was read from a file.
    pub is_file: bool,
}

/// The database, where there is one; one that another process is just making is as good as none.
fn open_existing(paths: &IndexPaths) -> Result<Option<Connection>, StoreError> {
    if !paths.database().is_file() {
        return Ok(None);
    }
    match schema::open(&paths.database(), Access::Read) {
        Ok(connection) => Ok(Some(connection)),
        Err(StoreError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What is stored at `folder`, by URI, without a writing session; nothing where there is no index.
///
/// # Errors
///
/// When the index cannot be read.
pub fn records_of(folder: &Path) -> Result<HashMap<String, Record>, StoreError> {
    let paths = IndexPaths::new(folder);
    match open_existing(&paths)? {
        Some(connection) => paths.sql(read_records(&connection)),
        None => Ok(HashMap::new()),
    }
}

/// The embedding models of the index at `folder`, in the order of preference, without a writing session; none where there
/// is no index or no document in it.
///
/// # Errors
///
/// When the index cannot be read.
pub fn models_of(folder: &Path) -> Result<Vec<IndexModel>, StoreError> {
    let paths = IndexPaths::new(folder);
    let Some(connection) = open_existing(&paths)? else { return Ok(Vec::new()) };
    let n_documents: i64 =
        paths.sql(connection.query_row("SELECT count(*) FROM document", [], |row| row.get(0)))?;
    if n_documents == 0 { Ok(Vec::new()) } else { paths.sql(models::load(&connection)) }
}

/// Vectors that are stored already, by their texts; any number of threads may ask.
#[derive(Debug)]
pub struct KnownVectors {
    paths: IndexPaths,
    connection: Mutex<Connection>,
}

impl KnownVectors {
    /// Of the index at `folder`.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let paths = IndexPaths::new(folder);
        let connection = Mutex::new(schema::open(&paths.database(), Access::Read)?);
        Ok(Self { paths, connection })
    }

    /// The vector of `text` by a model.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    pub fn get(
        &self,
        fingerprint: &str,
        (kind, dimension): (VectorKind, usize),
        text: &str,
    ) -> Result<Option<Vector>, StoreError> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let found: Option<Option<Vector>> = self.paths.sql(
            connection
                .prepare_cached("SELECT vector FROM embedding WHERE model = ?1 AND text_hash = ?2")
                .and_then(|mut it| {
                    it.query_row(params![fingerprint, codec::text_hash(text)], |row| {
                        Ok(codec::decode_vector(row.get_ref(0)?.as_blob()?, kind, dimension))
                    })
                    .optional()
                }),
        )?;
        Ok(found.flatten())
    }
}

pub(super) fn read_records(connection: &Connection) -> rusqlite::Result<HashMap<String, Record>> {
    connection
        .prepare("SELECT * FROM document WHERE dead IS NULL")?
        .query_map([], codec::decode_document)?
        .map(|document| {
            let it = document?;
            let record = Record {
                number: it.number,
                id: it.id,
                hash: it.hash,
                reader: it.reader,
                reader_version: it.reader_version,
                pipeline: it.pipeline,
                ingested_at: it.ingested_at,
                is_file: it.is_file,
            };
            Ok((it.uri, record))
        })
        .collect()
}
