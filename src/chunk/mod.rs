//! The chunker: from a document to chunks. Pure and infallible.
//!
//! Owns where passages begin and end. `plan` decides which stretches of text stand alone, by section; `split`
//! cuts those that are too long, at the best place that `cut` finds; `region` knows what tables and code need on
//! both sides of a cut. Time is linear in the text: positions and character counts come from one index
//! (`chars`), and every search reads one window.
//!
//! # Invariants
//!
//! - Spans minus overlaps tile the document's text; blank lines belong to the chunk before them.
//! - No urtext is longer than `max_chars`, except one table row that alone is.
//! - Overlap lies within one section's own text and repeats only what was new in the chunk before.
//! - A chunk depends on its own section (and those without body that are joined with it), the path of titles and the limits only.

mod chars;
mod cut;
mod plan;
#[cfg(test)]
mod properties;
mod region;
mod split;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::content::{Chunk, ChunkId, Document, Span};

use chars::CharIndex;
use plan::Part;
use split::Piece;

/// Raised whenever the same document and limits would give other chunks; part of the stored pipeline fingerprint.
pub const VERSION: u32 = 1;

/// Limits of the chunker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkConfig {
    /// Most characters (Unicode scalar values) in a chunk's urtext.
    pub max_chars: usize,
    /// Most characters that a piece of a split section repeats of the piece before; less than `max_chars`, and never
    /// more than three quarters of it in effect.
    pub overlap_chars: usize,
}

impl ChunkConfig {
    /// Makes limits that the chunker can keep.
    ///
    /// # Errors
    ///
    /// [`ChunkConfigError::NoRoom`] when `max_chars` is 0, [`ChunkConfigError::Overlap`] when the overlap is not less
    /// than the limit.
    pub fn new(max_chars: usize, overlap_chars: usize) -> Result<Self, ChunkConfigError> {
        if max_chars == 0 {
            return Err(ChunkConfigError::NoRoom);
        }
        if overlap_chars >= max_chars {
            return Err(ChunkConfigError::Overlap { max_chars, overlap_chars });
        }
        Ok(Self { max_chars, overlap_chars })
    }
}

impl Default for ChunkConfig {
    /// 1500 characters with an overlap of 200.
    fn default() -> Self {
        Self { max_chars: 1500, overlap_chars: 200 }
    }
}

/// Limits that no chunker can keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChunkConfigError {
    /// The limit is 0.
    #[error("chunks need room for at least 1 character")]
    NoRoom,
    /// Every chunk would repeat the whole chunk before.
    #[error("the overlap ({overlap_chars}) must be less than the chunk size ({max_chars})")]
    Overlap {
        /// Most characters in a chunk.
        max_chars: usize,
        /// Characters to repeat.
        overlap_chars: usize,
    },
}

/// Splits a document into chunks, in document order; an empty text has none. Limits that
/// [`ChunkConfig::new`] would refuse are brought into range.
///
/// ```
/// use ragctl::chunk::{ChunkConfig, chunk};
/// use ragctl::content::{Document, DocumentId, Heading, Origin, SectionKind, build_sections};
///
/// let text = "# Tea\n\nGreen or black. Both need water.\n";
/// let id = DocumentId::of_uri("tea.md");
/// let heading = Heading { start: 0, end: 6, level: 1, title: "Tea".into(), kind: SectionKind::Heading };
/// let document = Document {
///     id,
///     uri: "tea.md".into(),
///     title: "Tea".into(),
///     media_type: "text/markdown".into(),
///     text: text.into(),
///     sections: build_sections(id, text, &[heading], |text| text.trim().is_empty()),
///     blocks: Vec::new(),
///     metadata: Default::default(),
///     labels: Default::default(),
///     origin: Origin::Verbatim { byte: 0, line: 1 },
/// };
/// assert_eq!(chunk(&document, ChunkConfig::default())[0].text, text);
///
/// let pieces = chunk(&document, ChunkConfig::new(25, 0)?);
/// assert_eq!(pieces[0].text, "# Tea\n\nGreen or black. ");
/// assert_eq!(pieces[1].text, "Both need water.\n");
/// assert_eq!((pieces[1].index, pieces[1].total), (1, 2));
/// # Ok::<(), ragctl::chunk::ChunkConfigError>(())
/// ```
pub fn chunk(document: &Document, config: ChunkConfig) -> Vec<Chunk> {
    let max_chars = config.max_chars.max(1);
    let config = ChunkConfig { max_chars, overlap_chars: config.overlap_chars.min(max_chars - 1) };
    let index = CharIndex::new(&document.text);
    let mut naming = Naming { document, twins: HashMap::new(), chunks: Vec::new() };
    for part in plan::plan(document, &index, max_chars) {
        if index.count(&document.text, part.span) <= max_chars {
            let text = part.span.slice(&document.text).to_owned();
            naming.add(part, vec![Piece { span: part.span, overlap: 0, text }]);
        } else {
            let regions = region::regions(&document.text, part.span, &document.blocks, max_chars);
            naming.add(part, split::split(&document.text, &index, &regions, config));
        }
    }
    naming.finish()
}

/// Gives pieces their ids and numbers.
struct Naming<'a> {
    document: &'a Document,
    /// Number of chunks so far by the id that the first of their kind has.
    twins: HashMap<ChunkId, usize>,
    chunks: Vec<Chunk>,
}

impl Naming<'_> {
    fn add(&mut self, part: Part, pieces: Vec<Piece>) {
        let path = self.document.section_path(part.section);
        for Piece { span, overlap, text } in pieces {
            let id = self.name(&path, span);
            let sequence = self.chunks.len();
            let section = part.section;
            self.chunks.push(Chunk { id, section, span, overlap, index: 0, total: 0, sequence, text });
        }
    }

    fn name(&mut self, path: &[&str], span: Span) -> ChunkId {
        let urtext = span.slice(&self.document.text);
        let first = ChunkId::of_place(self.document.id, path, urtext, 0);
        let twin = self.twins.entry(first).or_insert(0);
        *twin += 1;
        match *twin - 1 {
            0 => first,
            rank => ChunkId::of_place(self.document.id, path, urtext, rank),
        }
    }

    /// Numbers the chunks of each section.
    fn finish(mut self) -> Vec<Chunk> {
        let slot = |chunk: &Chunk| chunk.section.map_or(0, |section| section + 1);
        let mut totals = vec![0; self.document.sections.len() + 1];
        for chunk in &mut self.chunks {
            let total = &mut totals[slot(chunk)];
            chunk.index = *total;
            *total += 1;
        }
        for chunk in &mut self.chunks {
            chunk.total = totals[slot(chunk)];
        }
        self.chunks
    }
}
