//! Character encodings: from bytes to text, with the way back.

use crate::content::{Origin, Warning};

/// Whether `bytes` look like something other than text (NUL bytes outside UTF-16/32, or a high share of control bytes).
pub fn is_binary(_bytes: &[u8]) -> bool {
    false
}

/// Decoded text and how it maps back to the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without a byte-order mark.
    pub text: String,
    /// `Verbatim` for UTF-8, `Decoded` otherwise.
    pub origin: Origin,
    /// Guessed encodings and bytes without meaning.
    pub warnings: Vec<Warning>,
}
