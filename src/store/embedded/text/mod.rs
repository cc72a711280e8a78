//! The text index: BM25 over chunks, on tantivy's files.
//!
//! Owns the schema, the writing and opening of the index folder and the scoring of a [`Query`]. tantivy stores the
//! postings; scoring is our own, because
//!
//! - scores must not depend on how an index grew: statistics count living rows only, lengths are summed as they are
//!   stored, and every row's parts are added in the order of the query, so that segments, deletions, merges and threads
//!   change neither scores nor order;
//! - a word is found in several fields and forms (body, title, section, address; exact and stemmed), and BM25F
//!   (Robertson, Zaragoza, Taylor 2004) saturates what the fields say about one word together instead of counting it
//!   twice;
//! - filters apply before the best are chosen.
//!
//! Equal scores are ordered by ascending row. See [`plan`] for what a clause becomes and [`score`] for the formula.

mod defined;
mod expand;
mod group;
mod leaf;
mod phrase;
mod plan;
mod schema;
mod score;
mod statistics;
mod values;
mod writer;

use std::{
    io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use tantivy::{
    Directory, Index, SegmentReader, TantivyError, directory::error::OpenReadError, index::SegmentComponent,
};

pub use plan::MetadataRows;
pub(super) use values::value_fits;
pub use writer::{TextRow, TextWriter};

use super::rows::RowSet;
use crate::query::Query;
use crate::store::TextFound;
use schema::Fields;
use statistics::Statistics;

/// Times that opening is tried when a writer in another process replaces files meanwhile. A merge takes longer than
/// opening, so that the second try nearly always finds a stable set; the others are for a busy machine.
const OPEN_TRIES: usize = 20;

/// Why the text index cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// The folder cannot be opened or made.
    #[error("cannot {action} the text index '{}'", dir.display())]
    Index {
        /// What was tried: "open", "create", …
        action: &'static str,
        /// The index folder.
        dir: PathBuf,
        /// tantivy's error.
        source: Box<TantivyError>,
    },
    /// Another process writes to the index.
    #[error("another process writes to the text index '{}'", dir.display())]
    Busy {
        /// The index folder.
        dir: PathBuf,
    },
    /// The index was written with other fields, or by an incompatible tantivy; it has to be rebuilt.
    #[error("the text index '{}' has another format", dir.display())]
    Format {
        /// The index folder.
        dir: PathBuf,
    },
}

/// A text index as it was when it was opened. Later commits are seen by opening it again.
///
/// ```
/// use ragctl::query::{Syntax, parse};
/// use ragctl::store::embedded::text::{MetadataRows, TextIndex, TextRow};
///
/// let dir = tempfile::tempdir()?;
/// let mut writer = TextIndex::create(dir.path())?.writer(20_000_000)?;
/// let row = TextRow { row: 1, doc: 1, title: "Guide", section: "Caching", uri: "docs/guide.md", text: "Write-through caches", language: None };
/// writer.add(&row)?;
/// writer.commit(7)?;
/// let index = TextIndex::open(dir.path())?;
/// assert_eq!(index.generation(), Some(7));
/// let query = parse("title:guide AND cach*", Syntax::default())?;
/// assert_eq!(index.search(&query, &MetadataRows::new(), 10, None)?.hits[0].0, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TextIndex {
    dir: PathBuf,
    index: Index,
    fields: Fields,
    segments: Vec<SegmentReader>,
    generation: Option<u64>,
    statistics: OnceLock<Statistics>,
}

impl TextIndex {
    /// Makes an empty index in the folder `dir`, which is made if it is missing and must not hold an index yet.
    ///
    /// # Errors
    ///
    /// [`TextError::Index`] when the folder cannot be written or holds an index.
    pub fn create(dir: &Path) -> Result<Self, TextError> {
        std::fs::create_dir_all(dir).map_err(|source| failed("create", dir, source.into()))?;
        let index = Index::builder()
            .schema(schema::schema())
            .settings(schema::settings())
            .create_in_dir(dir)
            .map_err(|source| failed("create", dir, source))?;
        drop(index);
        Self::open(dir)
    }

    /// Opens the index in the folder `dir`. Nothing is written or locked, so that a read-only folder will do; a writer
    /// in another process may commit and merge meanwhile.
    ///
    /// # Errors
    ///
    /// [`TextError::Index`] when there is no index or a file of it is missing, [`TextError::Format`] when it was written
    /// with other fields.
    pub fn open(dir: &Path) -> Result<Self, TextError> {
        let mut tries = 1;
        loop {
            match Self::try_open(dir) {
                Err(TextError::Index { source, .. }) if tries < OPEN_TRIES && is_missing_file(&source) => {
                    tries += 1;
                }
                result => return result,
            }
        }
    }

    fn try_open(dir: &Path) -> Result<Self, TextError> {
        let error = |source: TantivyError| match source {
            TantivyError::IncompatibleIndex(_) => TextError::Format { dir: dir.to_owned() },
            source => failed("open", dir, source),
        };
        let index = Index::open_in_dir(dir).map_err(error)?;
        if index.schema() != schema::schema() {
            return Err(TextError::Format { dir: dir.to_owned() });
        }
        schema::register_tokenizers(&index);
        let metas = index.load_metas().map_err(error)?;
        let generation = metas.payload.as_deref().and_then(|payload| payload.parse().ok());
        let mut segments = Vec::with_capacity(metas.segments.len());
        for meta in metas.segments {
            let segment = index.segment(meta);
            segments.push(SegmentReader::open(&segment).map_err(error)?);
            // tantivy takes a segment without this file for one without positions. What is still there now was there when
            // it was opened.
            let positions = segment.relative_path(SegmentComponent::Positions);
            if !index.directory().exists(&positions).unwrap_or(false) {
                return Err(error(OpenReadError::FileDoesNotExist(positions).into()));
            }
        }
        let fields = Fields::of(&index.schema());
        Ok(Self { dir: dir.to_owned(), index, fields, segments, generation, statistics: OnceLock::new() })
    }

    /// The generation of the last commit; `None` before the first.
    pub fn generation(&self) -> Option<u64> {
        self.generation
    }

    /// Number of rows, without deleted ones.
    pub fn len(&self) -> u64 {
        self.segments.iter().map(|segment| u64::from(segment.num_docs())).sum()
    }

    /// Whether the index holds no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows of the index, without deleted ones.
    ///
    /// # Errors
    ///
    /// [`TextError::Index`] when the files cannot be read.
    pub fn rows(&self) -> Result<RowSet, TextError> {
        let mut rows = RowSet::new();
        for segment in &self.segments {
            let column = schema::rows_of(segment).map_err(|source| failed("read", &self.dir, source))?;
            rows.extend(segment.doc_ids_alive().filter_map(|doc| column.first(doc)).map(|row| row as u32));
        }
        Ok(rows)
    }

    /// Opens the index for writing. Rows that are added are buffered up to `memory_bytes` (at least 15 MB) and indexed on
    /// a thread of their own.
    ///
    /// # Errors
    ///
    /// [`TextError::Busy`] when another process writes.
    pub fn writer(&self, memory_bytes: usize) -> Result<TextWriter, TextError> {
        TextWriter::new(&self.dir, &self.index, self.fields.clone(), memory_bytes)
    }

    /// Finds the `k` rows that match `query` best, best first, equal scores by ascending row, among the rows of `filter`
    /// (all rows without one). Scores are raw BM25F, at least 0. Rows found by exclusion, by metadata, or by a field that
    /// holds anything score 1 for it, times the boost. `metadata` holds the rows of each node that asks for metadata; one
    /// that is missing there finds nothing.
    ///
    /// # Errors
    ///
    /// [`TextError::Index`] when the files cannot be read.
    pub fn search(
        &self,
        query: &Query,
        metadata: &MetadataRows,
        k: usize,
        filter: Option<&RowSet>,
    ) -> Result<TextFound, TextError> {
        let error = |source| failed("search", &self.dir, source);
        let statistics = match self.statistics.get() {
            Some(statistics) => statistics,
            None => {
                let computed = Statistics::new(&self.segments, &self.fields).map_err(error)?;
                self.statistics.get_or_init(|| computed)
            }
        };
        let (plan, is_cut) = plan::plan(query, metadata);
        let best =
            score::search(&self.segments, &self.fields, statistics, &plan, k, filter).map_err(error)?;
        let mut notes: Vec<String> =
            best.cut_patterns.iter().map(|pattern| group::cut_note(pattern)).collect();
        if is_cut {
            notes.push("the query is too long; only the first of its words are searched for".to_owned());
        }
        Ok(TextFound { hits: best.rows, notes })
    }
}

fn failed(action: &'static str, dir: &Path, source: TantivyError) -> TextError {
    TextError::Index { action, dir: dir.to_owned(), source: Box::new(source) }
}

/// Whether the error says that a file was not there, as when a merge has just replaced it.
fn is_missing_file(error: &TantivyError) -> bool {
    match error {
        TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(_)) => true,
        TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. })
        | TantivyError::IoError(io_error) => io_error.kind() == io::ErrorKind::NotFound,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
