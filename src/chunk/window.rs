//! `window`: chunks of one length.

use crate::chunk::split::Grain;
use crate::chunk::{Chunker, ChunkerMeta, Limits, pack};
use crate::content::{Chunk, Document};

/// Fills each chunk of a section to the limit, cutting between words, and repeats as much of the chunk before as is allowed:
/// a sliding window. Tables are cut between rows and code between lines all the same.
#[derive(Clone, Copy, Debug)]
pub struct Window;

impl Chunker for Window {
    fn meta(&self) -> &'static ChunkerMeta {
        &ChunkerMeta {
            name: "window",
            version: 2,
            summary: "Fills chunks to the limit, cutting between words, for chunks of one length",
        }
    }

    fn chunk(&self, document: &Document, limits: &Limits<'_>) -> Vec<Chunk> {
        pack::pack(document, limits, Grain::Word)
    }
}
