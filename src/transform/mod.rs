//! Transformers: what is put around a chunk's text before it is indexed and embedded.

use crate::content::{Chunk, Document};

/// What is known of a transformer without running it.
#[derive(Clone, Copy, Debug)]
pub struct TransformerMeta {
    /// Name, as in `--transform NAME`.
    pub name: &'static str,
    /// Raised whenever the same chunk would get another text.
    pub version: u32,
    /// One line for `--help`.
    pub summary: &'static str,
}

/// Changes a chunk's `text`, never its span, ids or structure. Pure and infallible.
pub trait ChunkTransformer: Sync {
    /// Name, version, summary.
    fn meta(&self) -> &'static TransformerMeta;

    /// The new text of `chunk`, which belongs to `document`.
    fn transform(&self, document: &Document, chunk: &Chunk) -> String;
}
