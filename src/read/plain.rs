//! Stub.

use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

/// Stub.
#[derive(Debug)]
pub(crate) struct Plain;

impl Reader for Plain {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta { name: "text", version: 1, summary: "", media_type: "text/plain", extensions: &["txt"], is_risky: false }
    }
    fn read(&self, _blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        Err(ReadError::Binary)
    }
}

/// Stub.
#[derive(Debug)]
pub(crate) struct Code;

impl Reader for Code {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta { name: "code", version: 1, summary: "", media_type: "text/x-source", extensions: &["rs"], is_risky: false }
    }
    fn read(&self, _blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        Err(ReadError::Binary)
    }
}
