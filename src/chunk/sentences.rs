//! `sentence`: whole sentences.

use crate::chunk::split::Grain;
use crate::chunk::{Chunker, ChunkerMeta, Limits, pack};
use crate::content::{Chunk, Document};

/// Fills each chunk of a section with as many whole sentences as fit, whichever paragraph they are in. Line endings inside a
/// paragraph end none. Tables and code that fit into a chunk are kept whole.
#[derive(Clone, Copy, Debug)]
pub struct Sentence;

impl Chunker for Sentence {
    fn meta(&self) -> &'static ChunkerMeta {
        &ChunkerMeta {
            name: "sentence",
            version: 2,
            summary: "Fills chunks with whole sentences, across paragraphs",
        }
    }

    fn chunk(&self, document: &Document, limits: &Limits<'_>) -> Vec<Chunk> {
        pack::pack(document, limits, Grain::Sentence)
    }
}
