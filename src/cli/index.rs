//! Finding and opening the index that a command is about.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::cli::args::Global;
use crate::cli::error::CliError;
use crate::cli::output::Output;
use crate::embed::{self, Embedder};
use crate::store::StoreError;
use crate::store::embedded::{self, EmbeddedStore, Need, Writer};

/// The index that exists: named by `--index`, or found from the current folder upwards.
pub(super) fn existing(global: &Global) -> Result<PathBuf, CliError> {
    match &named(global) {
        Some(folder) if folder.join(embedded::DATABASE).is_file() => Ok(folder.clone()),
        Some(folder) if folder.join(embedded::FOLDER).join(embedded::DATABASE).is_file() => {
            Ok(folder.join(embedded::FOLDER))
        }
        Some(folder) => Err(StoreError::NotFound { from: folder.clone() }.into()),
        None => Ok(embedded::discover(&current_folder()?)?),
    }
}

/// The index to write to: an existing one, else the one named by `--index`, else `.ragctl` in the current folder.
pub(super) fn for_writing(global: &Global) -> Result<PathBuf, CliError> {
    match (existing(global), &named(global)) {
        (Ok(folder), _) => Ok(folder),
        (Err(CliError::Store(StoreError::NotFound { .. })), Some(folder)) => Ok(folder.clone()),
        (Err(CliError::Store(StoreError::NotFound { .. })), None) => {
            Ok(current_folder()?.join(embedded::FOLDER))
        }
        (Err(error), _) => Err(error),
    }
}

/// The folder that the user named; an empty environment variable names none.
fn named(global: &Global) -> Option<PathBuf> {
    let from_environment = || std::env::var_os("RAGCTL_INDEX").filter(|it| !it.is_empty()).map(PathBuf::from);
    global.index.clone().or_else(from_environment)
}

pub(super) fn current_folder() -> Result<PathBuf, CliError> {
    std::env::current_dir().map_err(|source| CliError::io("find", "the current folder", source))
}

/// Opens the index for reading and says so when answers will be slow.
pub(super) fn open(global: &Global, need: Need, output: &Output) -> Result<EmbeddedStore, CliError> {
    let store = EmbeddedStore::open(&existing(global)?, need)?;
    for problem in store.degraded() {
        output.note(&format!("warning: {problem}; searching the database instead, which is slow"));
        output.note("hint: run ragctl reindex");
    }
    Ok(store)
}

/// The model that an index was made with.
pub(super) fn embedder_of(store: &EmbeddedStore) -> Result<Arc<dyn Embedder>, embed::EmbedError> {
    let name = &store.model().name;
    embed::embedder(if name.is_empty() { embed::DEFAULT_MODEL } else { name })
}

/// Opens the index for writing.
pub(super) fn writer(folder: &Path, embedder: &dyn Embedder, patience: Duration) -> Result<Writer, CliError> {
    let model = crate::store::ModelInfo {
        name: embedder.name().to_owned(),
        fingerprint: embedder.fingerprint().to_owned(),
        dimension: embedder.dimension(),
    };
    Ok(Writer::open(folder, model, patience)?)
}
