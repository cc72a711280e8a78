//! Embedding: from texts to vectors.
//!
//! Owns the [`Embedder`] trait, the built-in models, which [`registry`] lists, and models in folders, dense and sparse. Models
//! work on one thread; the caller spreads batches over the cores. Storing and comparing vectors is the stores' business.

mod folder;
mod layout;
#[cfg(feature = "minilm")]
pub mod minilm;
#[cfg(feature = "http")]
mod openai;
pub mod prefix;
pub mod registry;
mod splade;
pub mod static_model;
#[cfg(feature = "onnx")]
mod token_vectors;

use std::collections::BTreeMap;

use crate::bert::Damaged;
use crate::content::{VectorKind, Vectors};

pub use crate::bert::folder::FolderError;
pub use registry::{DEFAULT_MODEL, OpenOptions, embedder, open};

/// What a text is embedded for; models may treat the two differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A stored passage.
    Passage,
    /// A search query.
    Query,
}

/// Turns texts into vectors of one kind and dimension.
///
/// The same text, role and model give the same vector on every machine and in any batch.
pub trait Embedder: Send + Sync {
    /// Name, as in `--model NAME`.
    fn name(&self) -> &str;

    /// A hash over everything that decides the vectors (weights, vocabulary, pooling, prefixes). Vectors of different
    /// fingerprints are never compared.
    fn fingerprint(&self) -> &str;

    /// What its vectors are made of.
    fn kind(&self) -> VectorKind {
        VectorKind::Dense
    }

    /// Length of every dense vector; size of the vocabulary that sparse ones give weights to.
    fn dimension(&self) -> usize;

    /// Weight of the vector list in convex fusion with the text list, 0 to 1 (DESIGN 8).
    fn fusion_weight(&self) -> f32;

    /// Most tokens of a text that the model reads, those that it adds itself included; `None` when it reads texts of any
    /// length. What is longer is read up to there.
    fn max_tokens(&self) -> Option<usize> {
        None
    }

    /// Tokens of `text`, those that the model adds itself included; only asked of models with
    /// [`max_tokens`](Self::max_tokens). Without a tokenizer at hand it is the number of bytes and two, which no tokenizer
    /// exceeds.
    fn count_tokens(&self, text: &str) -> usize {
        text.len() + 2
    }

    /// How many texts [`embed`](Self::embed) works well with at a time: callers spread batches of this size over the cores.
    fn batch_size(&self) -> usize {
        128
    }

    /// Whether a few thousand texts take minutes: an index is then made with the built-in static model first and this one's
    /// vectors are filled in.
    fn is_slow(&self) -> bool {
        false
    }

    /// What it takes to open the model again beside its name, such as the address of an endpoint. Never a secret.
    fn settings(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// Embeds `texts`: one vector each, of the model's [`kind`](Self::kind), zero for a text without a known token. Dense ones are
    /// L2-normalised; of sparse ones the dot product with the query's says how well a passage fits.
    ///
    /// # Errors
    ///
    /// When the model fails; built-in models never do.
    fn embed(&self, texts: &[&str], role: Role) -> Result<Vectors, EmbedError>;
}

/// Why texts cannot be embedded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EmbedError {
    /// No model of this name.
    #[error("no embedding model is called '{name}'; there is: {}", known.join(", "))]
    UnknownModel {
        /// What was asked for.
        name: String,
        /// The names that exist.
        known: Vec<&'static str>,
    },

    /// The index was made with a model of this name that gives other vectors.
    #[error("the model '{name}' is not the one that the index was made with: its weights or settings differ")]
    Changed {
        /// Name of the model.
        name: String,
    },

    /// The file of a model cannot be read.
    #[error("cannot read the embedding model '{name}'")]
    DamagedModel {
        /// Name of the model.
        name: &'static str,
        /// What does not fit.
        source: Damaged,
    },

    /// A hub's model that was not downloaded.
    #[error("the embedding model '{name}' is not on this machine")]
    NotDownloaded {
        /// What was asked for.
        name: String,
    },

    /// A folder holds no model that can be run.
    #[error("cannot open the embedding model '{name}'")]
    Folder {
        /// Name of the model.
        name: String,
        /// Why.
        source: FolderError,
    },

    /// A model behind an address, and the network is not to be used.
    #[error("the embedding model '{name}' is behind '{endpoint}', and the network is not to be used")]
    Offline {
        /// Name of the model.
        name: String,
        /// The address.
        endpoint: String,
    },

    /// A model behind an address, and no address.
    #[error("the embedding model '{name}' is behind an address, and none is given")]
    NoEndpoint {
        /// Name of the model.
        name: String,
    },

    /// Only the index names the address of a model.
    #[error("the embedding model '{name}' is behind '{endpoint}', which only the index names")]
    Untrusted {
        /// Name of the model.
        name: String,
        /// The address.
        endpoint: String,
    },

    /// The model fails on texts.
    #[error("the embedding model '{name}' fails: {detail}")]
    Failed {
        /// Name of the model.
        name: String,
        /// Why.
        detail: String,
        /// Whether it will fail on every other text too, as an endpoint that is down.
        is_lasting: bool,
    },
}

impl EmbedError {
    /// Whether trying again, or with other texts, is of no use.
    pub fn is_lasting(&self) -> bool {
        !matches!(self, Self::Failed { is_lasting: false, .. })
    }
}
