//! Embedding: from texts to vectors.
//!
//! Owns the [`Embedder`] trait and the built-in models, which [`registry`] lists. Models work on one thread; the caller
//! spreads batches over the cores. Storing and comparing vectors is the stores' business.

mod model_file;
pub mod registry;
pub mod static_model;
mod wordpiece;

pub use registry::{DEFAULT_MODEL, embedder};

/// What a text is embedded for; models may treat the two differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A stored passage.
    Passage,
    /// A search query.
    Query,
}

/// Turns texts into vectors of one dimension.
///
/// The same text, role and model give the same vector on every machine and in any batch.
pub trait Embedder: Send + Sync {
    /// Name, as in `--model NAME`.
    fn name(&self) -> &str;

    /// A hash over everything that decides the vectors (weights, vocabulary, pooling, prefixes). Vectors of different
    /// fingerprints are never compared.
    fn fingerprint(&self) -> &str;

    /// Length of every vector.
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

    /// Embeds `texts`: `texts.len() x dimension` values, row-major, each row L2-normalised, or all zero for a text
    /// without a known token.
    ///
    /// # Errors
    ///
    /// When the model fails; built-in models never do.
    fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<f32>, EmbedError>;
}

/// Why texts cannot be embedded.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// No model of this name.
    #[error("no embedding model is called '{name}'; there is: {}", known.join(", "))]
    UnknownModel {
        /// What was asked for.
        name: String,
        /// The names that exist.
        known: Vec<&'static str>,
    },

    /// The file of a model cannot be read.
    #[error("cannot read the embedding model '{name}': {detail}")]
    DamagedModel {
        /// Name of the model.
        name: &'static str,
        /// What does not fit.
        detail: &'static str,
    },
}
