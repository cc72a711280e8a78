//! Why a store cannot answer.

use std::path::PathBuf;

use crate::store::embedded;

/// Why a store cannot answer.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No index in this folder or above it.
    #[error("no index found in '{}' or any folder above it", from.display())]
    NotFound {
        /// Where the search began.
        from: PathBuf,
    },
    /// The folder holds an index of another format version.
    #[error("the index '{}' has format {found}; this ragctl reads format {supported}", path.display())]
    Format {
        /// The index folder.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// Ours.
        supported: u32,
    },
    /// The folder exists but holds something else.
    #[error("'{}' is not an index", path.display())]
    NotAnIndex {
        /// The folder.
        path: PathBuf,
    },
    /// Another process writes.
    #[error("the index '{}' is being written by {holder}", path.display())]
    Locked {
        /// The index folder.
        path: PathBuf,
        /// Process id and start time, as far as known.
        holder: String,
    },
    /// The index's vectors come from other models.
    #[error("the index has vectors of {}, not of '{asked}'", quoted(indexed))]
    Model {
        /// Models of the index.
        indexed: Vec<String>,
        /// Model asked for.
        asked: String,
    },
    /// The vectors of another model are being filled in.
    #[error("vectors of '{name}' are being filled in, and not all there yet")]
    Unfinished {
        /// The model.
        name: String,
    },
    /// Another model of the same name would stay beside the new one.
    #[error(
        "the index has vectors of another model called '{name}' (other settings, or another version), and the two could not be told apart"
    )]
    SameName {
        /// The name.
        name: String,
    },
    /// A file cannot be read or written.
    #[error("cannot {action} '{}'", path.display())]
    Io {
        /// What was tried, such as `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The database refuses.
    #[error("the database '{}' failed", path.display())]
    Database {
        /// The database file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// A stored value makes no sense.
    #[error("the database '{}' is damaged: {detail}", path.display())]
    Corrupt {
        /// The database file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
    /// The text index refuses.
    #[error("the text index failed")]
    Text(#[from] embedded::text::TextError),
    /// The vectors cannot be read or written.
    #[error("the vectors failed")]
    Vectors(#[from] embedded::vectors::VectorError),
    /// The pattern ran out of time.
    #[error("the pattern found too little within {} s", limit.as_secs())]
    PatternTimeout {
        /// The time that it had.
        limit: std::time::Duration,
    },
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|it| format!("'{it}'")).collect();
    names.join(" and ")
}
