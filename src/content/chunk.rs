//! Chunks: the unit of search.

use crate::content::{ChunkId, Span};

/// A passage of a document, the unit of search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Stable id.
    pub id: ChunkId,
    /// Arena index of the section that the chunk belongs to; `None` when it spans several top-level sections, so
    /// that it belongs to the document itself.
    pub section: Option<usize>,
    /// The urtext's place in the document's text.
    pub span: Span,
    /// How many bytes at the start of the span repeat the end of the chunk before; 0 without overlap. Spans minus
    /// overlaps tile the document's text.
    pub overlap: usize,
    /// 0-based place among the chunks of the same section, in document order.
    pub index: usize,
    /// Number of chunks of the same section.
    pub total: usize,
    /// 0-based place among all chunks of the document.
    pub sequence: usize,
    /// What is indexed and embedded: the urtext after the transformers. The chunker starts it as the urtext with
    /// table headers repeated and code fences balanced where a cut asks for it.
    pub text: String,
}
