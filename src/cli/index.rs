//! Finding and opening the index that a command is about.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::args::Global;
use crate::cli::error::CliError;
use crate::cli::output::Output;
use crate::cli::{config, models};
use crate::embed::{self, Embedder};
use crate::eval::calibration::Calibration;
use crate::filter;
use crate::hub;
use crate::ingest::uri_base;
use crate::source::UriBase;
use crate::store::embedded::{self, EmbeddedStore, Need};
use crate::store::{ModelInfo, Restricted, Scope, StoreError};

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

/// An index opened for reading, behind the base filter.
pub(super) struct Index {
    embedded: EmbeddedStore,
    base: Scope,
    is_offline: bool,
}

impl Index {
    /// What the base filter lets pass; every command that shows content reads through this.
    pub(super) fn store(&self) -> Result<Restricted<'_>, CliError> {
        Ok(Restricted::new(&self.embedded, &self.base)?)
    }

    /// Names documents as this index does.
    pub(super) fn uri_base(&self) -> UriBase {
        uri_base(self.embedded.folder())
    }

    /// The same with what the starter of tools asks for in the base filter too.
    pub(super) fn with_starter(mut self, labels: &[String], entities_only: bool) -> Self {
        self.base.labels.extend(labels.iter().cloned());
        self.base.entities_only |= entities_only;
        self
    }

    /// The folder of the index.
    pub(super) fn folder(&self) -> &Path {
        self.embedded.folder()
    }

    /// What always holds.
    pub(super) fn base(&self) -> &Scope {
        &self.base
    }

    pub(super) fn model(&self) -> &ModelInfo {
        self.embedded.model()
    }

    pub(super) fn generation(&self) -> u64 {
        self.embedded.generation()
    }

    /// What was kept under `key` with the index.
    pub(super) fn kept_setting(&self, key: &str) -> Result<Option<String>, CliError> {
        Ok(self.embedded.kept_setting(key)?)
    }

    /// Whether the model whose vectors are searched is the one that is searched unless another is named.
    pub(super) fn is_preferred_model(&self) -> bool {
        let preferred = self.embedded.models().iter().find(|it| it.is_whole);
        preferred.is_none_or(|it| it.info.fingerprint == self.model().fingerprint)
    }

    /// Where the calibrated threshold of a mode is kept: each model beside the preferred one has its own.
    pub(super) fn threshold_key(&self, mode: &str, is_reranked: bool) -> String {
        let key = Calibration::key(mode, is_reranked);
        if self.is_preferred_model() { key } else { format!("{key}@{}", self.model().fingerprint) }
    }

    /// A model that is preferred as soon as its vectors are filled in.
    pub(super) fn unfinished_model(&self) -> Option<&str> {
        self.embedded.models().iter().find(|it| !it.is_whole).map(|it| it.info.name.as_str())
    }

    /// The model whose vectors are searched.
    pub(super) fn embedder(&self, endpoint: Option<&str>) -> Result<Arc<dyn Embedder>, embed::EmbedError> {
        embedder_of(&self.embedded, endpoint, self.is_offline)
    }
}

/// The model whose vectors `store` searches.
pub(super) fn embedder_of(
    store: &EmbeddedStore,
    endpoint: Option<&str>,
    is_offline: bool,
) -> Result<Arc<dyn Embedder>, embed::EmbedError> {
    match store.model() {
        model if model.name.is_empty() => embed::embedder(embed::DEFAULT_MODEL),
        model => models::open_listed(model, endpoint, is_offline),
    }
}

/// Opens the index for reading and says so when answers will be slow.
pub(super) fn open(global: &Global, need: Need, output: &Output) -> Result<Index, CliError> {
    open_with_model(global, need, None, output)
}

/// The same, with the vectors of one of the index's models.
pub(super) fn open_with_model(
    global: &Global,
    need: Need,
    model: Option<&str>,
    output: &Output,
) -> Result<Index, CliError> {
    let index = open_index(global, need, model)?;
    for problem in index.embedded.degraded() {
        output.note(&format!("warning: {problem}; searching the database instead, which is slow"));
        output.note("hint: run ragctl reindex");
    }
    Ok(index)
}

/// Opens the index in this very folder for reading.
pub(super) fn open_at(folder: &Path, global: &Global, need: Need) -> Result<Index, CliError> {
    let embedded = EmbeddedStore::open(folder, need)?;
    Ok(Index { base: base_filter(global, embedded.folder())?, embedded, is_offline: global.offline })
}

/// Opens the index for reading, for a command that tells itself what is wrong with it.
pub(super) fn open_quietly(global: &Global, need: Need) -> Result<Index, CliError> {
    open_index(global, need, None)
}

fn open_index(global: &Global, need: Need, model: Option<&str>) -> Result<Index, CliError> {
    let model = model.map(hub::canonical_name);
    let embedded = EmbeddedStore::open_with_model(&existing(global)?, need, model.as_deref())?;
    Ok(Index { base: base_filter(global, embedded.folder())?, embedded, is_offline: global.offline })
}

/// The filters of the command line, the environment and the index's own configuration: all of them hold.
fn base_filter(global: &Global, folder: &Path) -> Result<Scope, CliError> {
    let mut texts = global.base_filter.clone();
    texts.extend(std::env::var("RAGCTL_BASE_FILTER").ok().filter(|it| !it.trim().is_empty()));
    texts.extend(config::load(folder)?.base_filter);
    let filters = texts.iter().map(|text| filter::parse(text, &BTreeMap::new()));
    Ok(Scope { filters: filters.collect::<Result<_, _>>()?, ..Scope::default() })
}
