//! Opened stores, kept between calls and opened anew when the index moves on.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::embed::{EmbedError, Embedder};
use crate::store::embedded::{Edition, EmbeddedStore, Need};
use crate::store::{Restricted, Scope, StoreError};
use crate::tools::Toolbox;

/// Opens the model that a store's vectors come from.
pub type OpenEmbedder = Arc<dyn Fn(&EmbeddedStore) -> Result<Arc<dyn Embedder>, EmbedError> + Send + Sync>;

/// Opened stores that are kept for the next call; more only take memory.
const MAX_IDLE: usize = 4;

/// One index, as the server's threads use it.
pub(super) struct Library {
    folder: PathBuf,
    base: Scope,
    open_embedder: OpenEmbedder,
    budget: usize,
    idle: Mutex<Vec<EmbeddedStore>>,
    /// By fingerprint: a model can take long to load.
    embedders: Mutex<HashMap<String, Arc<dyn Embedder>>>,
}

impl Library {
    pub(super) fn new(folder: PathBuf, base: Scope, open_embedder: OpenEmbedder, budget: usize) -> Self {
        let (idle, embedders) = (Mutex::default(), Mutex::default());
        Self { folder, base, open_embedder, budget, idle, embedders }
    }

    /// Runs `work` with the newest generation of the index, behind the base filter.
    ///
    /// # Errors
    ///
    /// When the index cannot be opened or read.
    pub(super) fn with_toolbox<T>(&self, work: impl FnOnce(&Toolbox<'_>) -> T) -> Result<T, StoreError> {
        let store = self.take()?;
        let outcome = {
            let restricted = Restricted::new(&store, &self.base)?;
            let embedder = || self.embedder(&store);
            work(&Toolbox { store: &restricted, embedder: &embedder, budget: self.budget })
        };
        self.give_back(store);
        Ok(outcome)
    }

    /// What is in the folder now; cheap.
    ///
    /// # Errors
    ///
    /// When the index cannot be opened.
    pub(super) fn edition(&self) -> Result<Edition, StoreError> {
        let store = self.take()?;
        let edition = store.edition();
        self.give_back(store);
        Ok(edition)
    }

    /// An opened store that is of the newest generation.
    fn take(&self) -> Result<EmbeddedStore, StoreError> {
        loop {
            let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            match idle {
                Some(store) if store.resume() => return Ok(store),
                // One that is behind is closed; the others will be too.
                Some(_) => {}
                None => return EmbeddedStore::open(&self.folder, Need::ALL),
            }
        }
    }

    fn give_back(&self, store: EmbeddedStore) {
        // One that had to do without an artefact may find it next time.
        if !store.degraded().is_empty() || !store.pause() {
            return;
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MAX_IDLE {
            idle.push(store);
        }
    }

    fn embedder(&self, store: &EmbeddedStore) -> Result<Arc<dyn Embedder>, EmbedError> {
        let fingerprint = store.model().fingerprint.clone();
        let known = self.embedders.lock().unwrap_or_else(PoisonError::into_inner).get(&fingerprint).cloned();
        if let Some(embedder) = known {
            return Ok(embedder);
        }
        let embedder = (self.open_embedder)(store)?;
        let mut embedders = self.embedders.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(embedders.entry(fingerprint).or_insert(embedder).clone())
    }
}
