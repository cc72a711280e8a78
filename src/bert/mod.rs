//! BERT models (Devlin et al. 2018) on the processor.
//!
//! Owns the tokenizer ([`wordpiece`]), tables of token vectors ([`table`]), the layers ([`encoder`]) with their arithmetic
//! and what stands on top of them ([`masked`]), the format of the built-in models, and folders as transformers write them ([`folder`]). What a model's outputs mean is the business of [`crate::embed`].

mod cpu;
pub(crate) mod encoder;
#[cfg(feature = "minilm")]
pub(crate) mod file;
pub(crate) mod folder;
mod masked;
pub(crate) mod math;
mod matrix;
pub(crate) mod safetensors;
pub(crate) mod table;
pub(crate) mod wordpiece;

/// Why the bytes of a model cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Damaged(pub &'static str);
