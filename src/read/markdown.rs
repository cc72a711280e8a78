//! Stub.

use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

/// Stub.
#[derive(Debug)]
pub(crate) struct Markdown;

impl Reader for Markdown {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta { name: "markdown", version: 1, summary: "", media_type: "text/markdown", extensions: &["md"], is_risky: false }
    }
    fn read(&self, _blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        Err(ReadError::Binary)
    }
}
