//! What is known of stored documents before their sources are read again.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::Connection;

use crate::content::{ContentHash, DocumentId};
use crate::store::StoreError;
use crate::store::embedded::schema::{self, Access};
use crate::store::embedded::{IndexPaths, codec};

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

/// What is stored at `folder`, by URI, without a writing session; nothing where there is no index.
///
/// # Errors
///
/// When the index cannot be read.
pub fn records_of(folder: &Path) -> Result<HashMap<String, Record>, StoreError> {
    let paths = IndexPaths::new(folder);
    if !paths.database().is_file() {
        return Ok(HashMap::new());
    }
    let connection = schema::open(&paths.database(), Access::Read)?;
    paths.sql(read_records(&connection))
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
