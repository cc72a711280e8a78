//! What clients may have listed, and which of it an ingest in another process has changed.

use tokio::sync::watch;

use crate::store::StoreError;
use crate::tools::{Holdings, Toolbox, definitions};

/// Hashes of what is listed; another one says that a client's list is old.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lists {
    tools: blake3::Hash,
    resources: blake3::Hash,
}

impl Lists {
    /// What `toolbox` lists.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub(super) fn of(toolbox: &Toolbox<'_>) -> Result<Self, StoreError> {
        let mut tools = blake3::Hasher::new();
        for definition in definitions(&toolbox.offered(), &Holdings::of(toolbox.store)?) {
            add(&mut tools, &[definition.tool.name(), &definition.description]);
        }
        let mut resources = blake3::Hasher::new();
        for document in toolbox.store.documents()? {
            add(&mut resources, &[&document.id.to_string(), &document.uri, &document.title]);
        }
        Ok(Self { tools: tools.finalize(), resources: resources.finalize() })
    }
}

/// Adds texts so that no other list of texts gives the same bytes.
fn add(hasher: &mut blake3::Hasher, texts: &[&str]) {
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
}

/// Which lists are others than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Changed {
    pub(super) tools: bool,
    pub(super) resources: bool,
}

/// One client's knowledge of the lists.
pub(super) struct Follower {
    lists: watch::Receiver<Lists>,
    told: Lists,
}

impl Follower {
    /// Follows from what is listed now.
    pub(super) fn new(mut lists: watch::Receiver<Lists>) -> Self {
        let told = *lists.borrow_and_update();
        Self { lists, told }
    }

    /// Waits for the next change; nothing when the server ends.
    pub(super) async fn next(&mut self) -> Option<Changed> {
        self.lists.changed().await.ok()?;
        let now = *self.lists.borrow_and_update();
        let told = std::mem::replace(&mut self.told, now);
        Some(Changed { tools: now.tools != told.tools, resources: now.resources != told.resources })
    }
}
