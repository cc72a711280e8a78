//! The embedded store: one folder on disk, no service.
//!
//! ```text
//! .ragctl/
//!   ragctl.db                 SQLite (WAL): the truth, see `schema`
//!   text-<gen>/               tantivy, derived, see `text`
//!   vec-<gen>-<model>.{i8,f32,ids}    dense vectors, memory-mapped, derived, see `vectors`
//!   vec-<gen>-<model>.postings        sparse vectors, likewise
//!   lock                      held by the writer, see `lock`
//! ```
//!
//! A [`Writer`] prepares generation `g + 1` beside the visible generation `g` and makes it visible in one transaction. An
//! [`EmbeddedStore`] reads one generation: it holds a database snapshot and the artefacts that the snapshot names. An
//! artefact that is missing, or that stands at another generation, is replaced by a scan of the database, and
//! [`StoreInfo::degraded`](crate::store::StoreInfo) says so.

pub mod analysis;
mod artefacts;
mod codec;
mod document_rows;
mod fallback;
mod fill;
pub mod highlight;
mod lock;
mod metadata;
mod mmap;
mod models;
mod reader;
mod records;
pub mod regex;
pub mod rows;
mod scan;
mod schema;
mod scope;
mod settings;
pub mod text;
pub mod vectors;
mod verify;
mod writer;

use std::path::{Path, PathBuf};

use crate::store::StoreError;

pub use fill::{Dropped, MissingText, Replaced};
pub use reader::{Edition, EmbeddedStore, Need, root_of};
pub use records::{KnownVectors, Record, models_of, records_of};
pub use settings::keep_setting;
pub use verify::{Check, verify};
pub use writer::{Committed, NewDocument, Provenance, Writer};

/// Name of the index folder.
pub const FOLDER: &str = ".ragctl";

/// Name of the database inside it.
pub const DATABASE: &str = "ragctl.db";

/// Finds the index folder for `start`: `start` itself when it holds a database, else `.ragctl` in `start` or in the
/// nearest folder above it, as git does.
///
/// # Errors
///
/// [`StoreError::NotFound`] when there is none.
pub fn discover(start: &Path) -> Result<PathBuf, StoreError> {
    let holds_index = |folder: &Path| folder.join(DATABASE).is_file();
    if holds_index(start) {
        return Ok(start.to_owned());
    }
    start
        .ancestors()
        .map(|folder| folder.join(FOLDER))
        .find(|folder| holds_index(folder))
        .ok_or_else(|| StoreError::NotFound { from: start.to_owned() })
}

/// The files of one index.
#[derive(Clone, Debug)]
struct IndexPaths {
    folder: PathBuf,
}

impl IndexPaths {
    fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    fn database(&self) -> PathBuf {
        self.folder.join(DATABASE)
    }

    /// Puts the database's path into its errors; values that do not decode are damage.
    fn sql<T>(&self, result: rusqlite::Result<T>) -> Result<T, StoreError> {
        result.map_err(|source| match source {
            rusqlite::Error::FromSqlConversionFailure(_, _, detail) => {
                StoreError::Corrupt { path: self.database(), detail: detail.to_string() }
            }
            source => StoreError::Database { path: self.database(), source },
        })
    }
}
