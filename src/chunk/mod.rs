//! The chunker: from a document to chunks. Pure and infallible.

use crate::content::{Chunk, Document};

/// Limits of the chunker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkConfig {
    /// Most characters (Unicode scalar values) in a chunk's urtext.
    pub max_chars: usize,
    /// Most characters that a piece of a split section repeats of the piece before; less than `max_chars`.
    pub overlap_chars: usize,
}

impl Default for ChunkConfig {
    /// 1500 characters with an overlap of 200.
    fn default() -> Self {
        Self { max_chars: 1500, overlap_chars: 200 }
    }
}

/// Splits a document into chunks.
pub fn chunk(_document: &Document, _config: ChunkConfig) -> Vec<Chunk> {
    Vec::new()
}
