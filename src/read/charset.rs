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

/// Stand-in until the real decoder is merged: UTF-8, with or without a byte-order mark.
pub fn decode(bytes: &[u8], _hint: Option<&str>) -> Decoded {
    let byte = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    Decoded {
        text: String::from_utf8_lossy(&bytes[byte..]).into_owned(),
        origin: Origin::Verbatim { byte, line: 1 },
        warnings: Vec::new(),
    }
}
