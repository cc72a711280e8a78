//! Writing: one session prepares the next generation beside the visible one and then makes it visible.
//!
//! Order of a session: take the lock; per document one transaction (the old version is marked to die, the new one to
//! be born, in the next generation); then, in [`Writer::commit`], vectors, text index, and last one durable
//! transaction that raises the generation and names the artefacts (`publish`). A session that ends anywhere before that leaves the
//! visible generation as it was; what it had written of the next one is found and used by the next session.

mod publish;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use crate::content::{ContentHash, Document, DocumentId, Vector, Warning};
use crate::store::embedded::artefacts::Artefacts;
use crate::store::embedded::document_rows::section_paths;
use crate::store::embedded::lock::WriterLock;
use crate::store::embedded::records::{Record, read_records};
use crate::store::embedded::schema::{self, Access};
use crate::store::embedded::text::{TextIndex, TextRow, TextWriter};
use crate::store::embedded::{DATABASE, IndexPaths, Replaced, codec, models};
use crate::store::{IndexModel, ModelInfo, StoreError};

/// Memory for the text index's in-memory segment, bytes. tantivy asks for at least 15 MB a thread.
pub(super) const TEXT_WRITER_BYTES: usize = 64 << 20;

/// What is stored of a document besides its content.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// Hash of the source's bytes.
    pub hash: ContentHash,
    /// Reader name.
    pub reader: String,
    /// Reader version.
    pub reader_version: u32,
    /// Fingerprint of chunker and transformers.
    pub pipeline: String,
    /// When.
    pub ingested_at: jiff::Timestamp,
    /// Size of the source, bytes.
    pub n_bytes: u64,
    /// Whether it was read from a file, and not handed over as standard input.
    pub is_file: bool,
}

/// A document with everything that a store needs of it.
#[derive(Clone, Debug)]
pub struct NewDocument {
    /// The document.
    pub document: Document,
    /// Its chunks, in order.
    pub chunks: Vec<crate::content::Chunk>,
    /// For each model of the session, in its order, one vector a chunk.
    pub vectors: Vec<Vec<Vector>>,
    /// Damage that the reader noticed.
    pub warnings: Vec<Warning>,
    /// Where it came from.
    pub provenance: Provenance,
}

/// What a commit did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The visible generation afterwards.
    pub generation: u64,
    /// Whether anything changed.
    pub changed: bool,
}

/// A writing session on an embedded store.
pub struct Writer {
    paths: IndexPaths,
    pub(super) connection: Connection,
    /// The generation that this session prepares.
    pub(super) next: u64,
    /// The models of the index, in the order of preference.
    pub(super) models: Vec<IndexModel>,
    /// Those of which documents bring vectors, in the order in which they do.
    pub(super) embedded_with: Vec<ModelInfo>,
    /// The models of the index from this session's generation on, where they change with it.
    pub(super) published_models: Option<Vec<IndexModel>>,
    /// Whether the session lists other models than were listed before it, so that vectors may belong to none.
    pub(super) models_changed: bool,
    text: Option<TextWriter>,
    text_name: String,
    _lock: WriterLock,
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer")
            .field("folder", &self.paths.folder)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

impl Writer {
    /// Opens the index at `folder` for writing, making it if it does not exist, and waits at most `patience` for
    /// another writer to finish.
    ///
    /// # Errors
    ///
    /// [`StoreError::Locked`] when another writer does not finish; others when the folder cannot be made, read or
    /// written.
    pub fn open(folder: &Path, patience: Duration) -> Result<Self, StoreError> {
        let paths = IndexPaths::new(folder);
        fs::create_dir_all(folder).map_err(|source| StoreError::Io {
            action: "make the folder",
            path: folder.to_owned(),
            source,
        })?;
        let lock = WriterLock::acquire(folder, patience)?;
        let connection = schema::open(&paths.database(), Access::Write)?;
        let next = paths.sql(schema::generation(&connection))? + 1;
        let models = paths.sql(models::load(&connection))?;
        Ok(Self {
            paths,
            connection,
            next,
            models,
            embedded_with: Vec::new(),
            published_models: None,
            models_changed: false,
            text: None,
            text_name: String::new(),
            _lock: lock,
        })
    }

    /// Says of which models the documents of this session bring vectors: all that are whole. An index without documents
    /// takes them, in this order, as its models; `wanted` is preferred to them as soon as it is filled in.
    ///
    /// # Errors
    ///
    /// [`StoreError::Model`] when the index has other models.
    pub fn embed_with(&mut self, models: &[ModelInfo], wanted: Option<&ModelInfo>) -> Result<(), StoreError> {
        let n_documents: i64 =
            self.sql(self.connection.query_row("SELECT count(*) FROM document", [], |row| row.get(0)))?;
        if n_documents == 0 {
            let whole = |info: &ModelInfo| IndexModel {
                info: info.clone(),
                is_whole: true,
                is_interim: false,
                n_texts: None,
            };
            self.models = models.iter().map(whole).collect();
            self.sql(models::save(&self.connection, &self.models))?;
            self.models_changed = true;
        }
        let is_listed = |model: &&ModelInfo| {
            self.models.iter().any(|it| it.is_whole && it.info.fingerprint == model.fingerprint)
        };
        let n_whole = self.models.iter().filter(|it| it.is_whole).count();
        if let Some(other) = models.iter().find(|it| !is_listed(it)) {
            return Err(self.other_model(&other.name));
        }
        if n_whole != models.len() {
            return Err(self.other_model(models.first().map_or("", |it| &it.name)));
        }
        self.embedded_with = models.to_vec();
        match wanted {
            Some(wanted) => self.want(wanted, Replaced::Removed),
            None => Ok(()),
        }
    }

    fn other_model(&self, asked: &str) -> StoreError {
        StoreError::Model {
            indexed: self.models.iter().map(|it| it.info.name.clone()).collect(),
            asked: asked.to_owned(),
        }
    }

    /// The models of the index, in the order of preference.
    pub fn models(&self) -> &[IndexModel] {
        &self.models
    }

    pub(super) fn sql<T>(&self, result: rusqlite::Result<T>) -> Result<T, StoreError> {
        self.paths.sql(result)
    }

    /// Remembers the pipeline of this session for `info`.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn set_pipeline(&self, pipeline: &str) -> Result<(), StoreError> {
        self.sql(schema::set_setting(&self.connection, "pipeline", pipeline))
    }

    /// What is stored, by URI: the newest version of each document, also one that an interrupted session left behind.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn records(&self) -> Result<HashMap<String, Record>, StoreError> {
        self.sql(read_records(&self.connection))
    }

    /// Puts a document, replacing the one with the same id, in one transaction. The old version stays visible until
    /// [`commit`](Self::commit).
    ///
    /// # Errors
    ///
    /// When the database or the text index refuses; then nothing of the document is kept.
    pub fn put(&mut self, new: &NewDocument) -> Result<(), StoreError> {
        assert!(
            new.vectors.len() == self.embedded_with.len()
                && new.vectors.iter().all(|it| it.len() == new.chunks.len()),
            "one vector a chunk and model: a chunk is never stored without its vectors"
        );
        self.begin_text()?;
        self.sql(self.connection.execute_batch("BEGIN IMMEDIATE"))?;
        let written = self.sql(self.retire(&new.document.id)).and_then(|retired| {
            let number = self.sql(self.insert_document(new))?;
            let rows = self.sql(self.insert_chunks(number, new))?;
            self.sql(self.connection.execute_batch("COMMIT"))?;
            Ok((retired, number, rows))
        });
        let (retired, number, rows) = match written {
            Ok(written) => written,
            Err(error) => {
                // The transaction is void either way; SQLite rolls back by itself after some errors.
                let _ = self.connection.execute_batch("ROLLBACK");
                return Err(error);
            }
        };
        let Some(text) = &self.text else { return Ok(()) };
        for old in retired {
            text.delete_doc(doc_key(old)?);
        }
        for (row, chunk) in rows.iter().zip(&new.chunks) {
            let path = new.document.section_path(chunk.section).join(" > ");
            text.add(&TextRow {
                row: *row,
                doc: doc_key(number)?,
                title: &new.document.title,
                section: &path,
                uri: &new.document.uri,
                text: &chunk.text,
                language: new.document.language,
            })?;
        }
        Ok(())
    }

    /// Removes the newest version of the document with this id; it stays visible until [`commit`](Self::commit).
    /// Returns whether there was one.
    ///
    /// # Errors
    ///
    /// When the database or the text index refuses.
    pub fn remove(&mut self, id: DocumentId) -> Result<bool, StoreError> {
        self.begin_text()?;
        self.sql(self.connection.execute_batch("BEGIN IMMEDIATE"))?;
        let retired = self.sql(self.retire(&id));
        let ended = self.connection.execute_batch(if retired.is_ok() { "COMMIT" } else { "ROLLBACK" });
        let retired = retired?;
        self.sql(ended)?;
        if let Some(text) = &self.text {
            for old in &retired {
                text.delete_doc(doc_key(*old)?);
            }
        }
        Ok(!retired.is_empty())
    }

    /// Opens the text index for writing, at the first change of the session. An index that does not stand at the
    /// visible generation (a session died between its commit and the database's) is built anew.
    pub(super) fn begin_text(&mut self) -> Result<(), StoreError> {
        if self.text.is_some() {
            return Ok(());
        }
        let artefacts = self.sql(Artefacts::load(&self.connection))?;
        let existing = artefacts.text.and_then(|name| {
            let index = TextIndex::open(&self.paths.folder.join(&name)).ok()?;
            (index.generation() == Some(self.next - 1)).then_some((name, index))
        });
        let (name, index, is_new) = match existing {
            Some((name, index)) => (name, index, false),
            None => {
                let name = format!("text-{}", self.next);
                let folder = self.paths.folder.join(&name);
                remove_folder(&folder)?;
                (name, TextIndex::create(&folder)?, true)
            }
        };
        let writer = index.writer(TEXT_WRITER_BYTES)?;
        // A new index gets everything alive; an old one gets what an interrupted session had prepared, and loses what
        // that session had marked to die.
        let first_born = if is_new { 0 } else { self.next };
        self.add_text_rows(&writer, first_born)?;
        if !is_new {
            for number in self.sql(dying(&self.connection, self.next))? {
                writer.delete_doc(doc_key(number)?);
            }
        }
        (self.text, self.text_name) = (Some(writer), name);
        Ok(())
    }

    fn add_text_rows(&self, writer: &TextWriter, first_born: u64) -> Result<(), StoreError> {
        let mut statement = self.sql(self.connection.prepare(
            "SELECT chunk.*, document.title AS document_title, document.uri AS document_uri,
                 document.language AS document_language
             FROM document JOIN chunk ON chunk.document = document.number
             WHERE document.born >= ?1 AND document.dead IS NULL ORDER BY chunk.row",
        ))?;
        let mut rows = self.sql(statement.query([first_born]))?;
        let mut paths: (i64, Vec<String>) = (i64::MIN, Vec::new());
        while let Some(row) = self.sql(rows.next())? {
            let chunk = self.sql(codec::decode_chunk(row))?;
            if paths.0 != chunk.document {
                paths = (chunk.document, self.sql(section_paths(&self.connection, chunk.document))?);
            }
            let section = chunk.chunk.section.and_then(|at| paths.1.get(at)).map_or("", String::as_str);
            writer.add(&TextRow {
                row: chunk.row,
                doc: doc_key(chunk.document)?,
                title: &self.sql(row.get::<_, String>("document_title"))?,
                section,
                uri: &self.sql(row.get::<_, String>("document_uri"))?,
                text: &chunk.chunk.text,
                language: self.sql(codec::decode_language(row, "document_language"))?,
            })?;
        }
        Ok(())
    }

    /// Makes everything that this session (and interrupted ones before it) wrote visible, all at once.
    ///
    /// # Errors
    ///
    /// When an artefact cannot be written; then the visible generation stays as it was.
    pub fn commit(mut self) -> Result<Committed, StoreError> {
        if !self.sql(self.has_changes())? {
            return Ok(Committed { generation: self.next - 1, changed: false });
        }
        self.begin_text()?;
        self.publish(false)
    }

    /// Builds the derived artefacts anew from the database, and makes the result visible.
    ///
    /// # Errors
    ///
    /// When an artefact cannot be written; then the visible generation stays as it was.
    pub fn rebuild(mut self) -> Result<Committed, StoreError> {
        let name = format!("text-{}", self.next);
        let folder = self.paths.folder.join(&name);
        remove_folder(&folder)?;
        let writer = TextIndex::create(&folder)?.writer(TEXT_WRITER_BYTES)?;
        self.add_text_rows(&writer, 0)?;
        (self.text, self.text_name) = (Some(writer), name);
        self.publish(true)
    }

    fn has_changes(&self) -> rusqlite::Result<bool> {
        self.connection.query_row(
            "SELECT EXISTS (SELECT 1 FROM document WHERE born >= ?1) OR EXISTS (SELECT 1 FROM document WHERE dead >= ?1)",
            [self.next],
            |row| row.get(0),
        )
    }
}

/// The numbers of the document versions that `generation` no longer sees.
fn dying(connection: &Connection, generation: u64) -> rusqlite::Result<Vec<i64>> {
    connection
        .prepare("SELECT number FROM document WHERE dead <= ?1")?
        .query_map([generation], |row| row.get(0))?
        .collect()
}

/// The key under which the text index knows a document version.
fn doc_key(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| StoreError::Corrupt {
        path: PathBuf::from(DATABASE),
        detail: format!("document number {number} is negative"),
    })
}

fn remove_folder(folder: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(folder) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(StoreError::Io { action: "remove", path: folder.to_owned(), source })
        }
        _ => Ok(()),
    }
}
