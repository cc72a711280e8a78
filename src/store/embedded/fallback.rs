//! Artefacts made anew for one search, where those on disk are missing or stale: slow, and the same answers.

use rusqlite::params;
use tempfile::TempDir;

use crate::content::Vector;
use crate::store::embedded::document_rows::section_paths;
use crate::store::embedded::reader::{EmbeddedStore, VISIBLE};
use crate::store::embedded::text::{TextIndex, TextRow};
use crate::store::embedded::writer::TEXT_WRITER_BYTES;
use crate::store::embedded::{codec, vectors};
use crate::store::{ModelInfo, Row, Store, StoreError};

impl EmbeddedStore {
    /// A text index over the database's rows in a temporary folder: slow to make, the same answers.
    pub(super) fn rebuild_text(&self) -> Result<(TempDir, TextIndex), StoreError> {
        let folder = temporary_folder()?;
        let mut writer = TextIndex::create(folder.path())?.writer(TEXT_WRITER_BYTES)?;
        let mut documents = self.documents()?;
        documents.sort_unstable_by_key(|it| it.number);
        for document in documents {
            let paths = self.sql(section_paths(self.connection(), document.number))?;
            for it in self.chunks(document.number, 0, usize::MAX)? {
                writer.add(&TextRow {
                    row: it.row,
                    doc: document.number.unsigned_abs(),
                    title: &document.title,
                    section: it.chunk.section.and_then(|at| paths.get(at)).map_or("", String::as_str),
                    uri: &document.uri,
                    text: &it.chunk.text,
                    language: document.language,
                })?;
            }
        }
        writer.commit(self.generation())?;
        let index = TextIndex::open(folder.path())?;
        Ok((folder, index))
    }

    /// A vector segment over the stored embeddings in a temporary folder.
    pub(super) fn rebuild_vectors(&self) -> Result<(TempDir, vectors::Segment), StoreError> {
        let folder = temporary_folder()?;
        let mut stored = Vec::new();
        let read = |stored: &mut Vec<(Row, Vector)>| {
            let sql = format!(
                "SELECT chunk.row, embedding.vector FROM document JOIN chunk ON chunk.document = document.number
                 JOIN embedding ON embedding.model = ?2 AND embedding.text_hash = chunk.text_hash
                 WHERE {VISIBLE} ORDER BY chunk.row"
            );
            let mut statement = self.connection().prepare(&sql)?;
            let mut items = statement.query(params![self.generation(), self.model().fingerprint])?;
            while let Some(item) = items.next()? {
                stored.push((item.get(0)?, codec::vector_in(item, 1, self.model())?));
            }
            Ok(())
        };
        self.sql(read(&mut stored))?;
        let ModelInfo { kind, dimension, .. } = *self.model();
        vectors::write_segment(folder.path(), "vec", kind, dimension, stored)?;
        let segment = vectors::Segment::open(folder.path(), "vec", kind)?;
        Ok((folder, segment))
    }
}

fn temporary_folder() -> Result<TempDir, StoreError> {
    let failed = |source| StoreError::Io { action: "make a folder in", path: std::env::temp_dir(), source };
    tempfile::tempdir().map_err(failed)
}
