//! Stub.

use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

/// Stub.
#[derive(Debug)]
pub(crate) struct Pdf;

impl Reader for Pdf {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta { name: "pdf", version: 1, summary: "", media_type: "application/pdf", extensions: &["pdf"], is_risky: false }
    }
    fn read(&self, _blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        Err(ReadError::Binary)
    }
}
