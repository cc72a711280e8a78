//! Stub.

use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

/// Stub.
#[derive(Debug)]
pub(crate) struct Html;

impl Reader for Html {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta { name: "html", version: 1, summary: "", media_type: "text/html", extensions: &["html"], is_risky: false }
    }
    fn read(&self, _blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        Err(ReadError::Binary)
    }
}
pub(crate) fn looks_like_html(_bytes: &[u8]) -> bool { false }
