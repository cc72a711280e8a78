//! BERT models (Devlin et al. 2018) on the processor.
//!
//! Owns the tokenizer ([`wordpiece`]), tables of token vectors ([`table`]), the layers ([`encoder`]) with their arithmetic, and
//! the format of the built-in models. What a model's outputs mean is the business of [`crate::embed`].

#[cfg(feature = "minilm")]
mod cpu;
#[cfg(feature = "minilm")]
pub(crate) mod encoder;
#[cfg(feature = "minilm")]
pub(crate) mod file;
#[cfg(feature = "minilm")]
mod math;
#[cfg(feature = "minilm")]
mod matrix;
pub(crate) mod table;
pub(crate) mod wordpiece;

/// Why the bytes of a model cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Damaged(pub &'static str);
