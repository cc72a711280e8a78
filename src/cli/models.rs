//! Which embedding models a command works with.

use std::path::Path;
use std::sync::Arc;

use crate::cli::args::{Global, ModelArgs};
use crate::cli::error::CliError;
use crate::embed::{self, EmbedError, Embedder, OpenOptions};
use crate::hub;
use crate::store::embedded;
use crate::store::{IndexModel, ModelInfo, StoreError};

/// The models of an ingest.
pub(super) struct Models {
    /// Documents are stored with vectors of these.
    pub(super) now: Vec<Arc<dyn Embedder>>,
    /// The vectors of this one are filled in afterwards.
    pub(super) later: Option<Arc<dyn Embedder>>,
    /// A model whose vectors an earlier run did not finish, and this one does not either.
    pub(super) unfinished: Option<String>,
}

impl Models {
    /// One model.
    pub(super) fn only(name: &str) -> Result<Self, EmbedError> {
        Ok(Self { now: vec![embed::embedder(name)?], later: None, unfinished: None })
    }

    /// Those of an ingest into the index at `folder`, where the user may have asked for one. A new index gets that one, a slow
    /// one after the default model; an index that exists keeps those that it has.
    pub(super) fn for_ingest(folder: &Path, args: &ModelArgs, global: &Global) -> Result<Self, CliError> {
        let asked = args.model.as_deref().map(hub::canonical_name);
        let asked = asked.as_deref();
        let endpoint = args.endpoint.as_deref();
        let listed = embedded::models_of(folder)?;
        if listed.is_empty() {
            let model = embed::open(asked.unwrap_or(embed::DEFAULT_MODEL), &options(args, global))?;
            if !model.is_slow() {
                return Ok(Self { now: vec![model], later: None, unfinished: None });
            }
            return Ok(Self { later: Some(model), ..Self::only(embed::DEFAULT_MODEL)? });
        }
        let (whole, unfinished): (Vec<&IndexModel>, Vec<_>) = listed.iter().partition(|it| it.is_whole);
        let is_asked = |it: &&IndexModel| asked == Some(&it.info.name);
        if let (Some(asked), false) = (asked, listed.iter().any(|it| is_asked(&it))) {
            let indexed = whole.iter().map(|it| it.info.name.clone()).collect();
            return Err(StoreError::Model { indexed, asked: asked.to_owned() }.into());
        }
        let now = whole
            .iter()
            .map(|it| open_listed(&it.info, endpoint, global.offline))
            .collect::<Result<_, _>>()?;
        let mut models = Self { now, later: None, unfinished: None };
        if let Some(it) = unfinished.first() {
            if is_asked(it) {
                models.later =
                    Some(embed::open(&it.info.name, &stored_options(&it.info, endpoint, global.offline))?);
            } else {
                models.unfinished = Some(it.info.name.clone());
            }
        }
        Ok(models)
    }
}

/// Opens the model that the user names.
pub(super) fn open_named(
    name: &str,
    args: &ModelArgs,
    global: &Global,
) -> Result<Arc<dyn Embedder>, EmbedError> {
    embed::open(name, &options(args, global))
}

fn options(args: &ModelArgs, global: &Global) -> OpenOptions {
    let prefixes = [("query_prefix", &args.query_prefix), ("passage_prefix", &args.passage_prefix)];
    let set = prefixes.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value.clone()?)));
    OpenOptions { settings: set.collect(), endpoint: args.endpoint.clone(), is_offline: global.offline }
}

/// Opens a model that an index lists; one behind an address at `endpoint`, where the user names one.
///
/// # Errors
///
/// When there is no such model, or it is not the one that the index was made with.
pub(super) fn open_listed(
    info: &ModelInfo,
    endpoint: Option<&str>,
    is_offline: bool,
) -> Result<Arc<dyn Embedder>, EmbedError> {
    let model = embed::open(&info.name, &stored_options(info, endpoint, is_offline))?;
    if model.fingerprint() == info.fingerprint {
        Ok(model)
    } else {
        Err(EmbedError::Changed { name: info.name.clone() })
    }
}

fn stored_options(info: &ModelInfo, endpoint: Option<&str>, is_offline: bool) -> OpenOptions {
    OpenOptions { settings: info.settings.clone(), endpoint: endpoint.map(str::to_owned), is_offline }
}
