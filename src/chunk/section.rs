//! `section`: whole blocks.

use crate::chunk::split::Grain;
use crate::chunk::{Chunker, ChunkerMeta, Limits, pack};
use crate::content::{Chunk, Document};

/// Packs the blocks of a section: a paragraph, list item, table or code block that fits into a chunk is never cut. Others are
/// cut between lines, else sentences, else words.
#[derive(Clone, Copy, Debug)]
pub struct Section;

impl Chunker for Section {
    fn meta(&self) -> &'static ChunkerMeta {
        &ChunkerMeta {
            name: "section",
            version: 3,
            summary: "Keeps paragraphs, list items, tables and code whole where it can",
        }
    }

    fn chunk(&self, document: &Document, limits: &Limits<'_>) -> Vec<Chunk> {
        pack::pack(document, limits, Grain::Block)
    }
}
