//! Stub.

use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

/// Stub.
#[derive(Debug)]
pub(crate) struct Notebook;

impl Reader for Notebook {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta { name: "notebook", version: 1, summary: "", media_type: "application/x-ipynb+json", extensions: &["ipynb"], is_risky: false }
    }
    fn read(&self, _blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        Err(ReadError::Binary)
    }
}
