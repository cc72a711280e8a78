//! From the parts of a document to its chunks, in the same way for every chunker.

use std::collections::HashMap;

use crate::chunk::chars::CharIndex;
use crate::chunk::config::{ChunkConfig, TokenLimit};
use crate::chunk::plan::{self, Part};
use crate::chunk::split::{self, Grain, Piece};
use crate::chunk::{Limits, merge, region};
use crate::content::{Chunk, ChunkId, Document, Span};

/// Chunks are not made shorter than this for the sake of a model. Chosen: two lines; what has more tokens than a model reads
/// in so few characters is no language.
const LEAST_CHARS: usize = 120;

/// Splits `document` by section, and sections that are too long by `grain`.
pub(super) fn pack(document: &Document, limits: &Limits<'_>, grain: Grain) -> Vec<Chunk> {
    let config = limits.config.in_range();
    let index = CharIndex::new(&document.text);
    let packer = Packer { document, index: &index, config, tokens: limits.tokens, grain };
    let mut naming = Naming { document, twins: HashMap::new(), chunks: Vec::new() };
    let parts = plan::plan(document, &index, config.max_chars);
    for part in merge::merge(document, &index, parts, config) {
        packer.add(part, &mut naming);
    }
    naming.finish()
}

struct Packer<'a> {
    document: &'a Document,
    index: &'a CharIndex,
    config: ChunkConfig,
    tokens: Option<TokenLimit<'a>>,
    grain: Grain,
}

impl Packer<'_> {
    /// Adds the chunks of `part`.
    fn add(&self, part: Part, naming: &mut Naming<'_>) {
        let pieces = self.pieces(part, self.config);
        let Some(tokens) = self.tokens else { return naming.add(part, pieces) };
        let most = most_tokens(&tokens, part, &pieces);
        if most <= tokens.max_tokens {
            return naming.add(part, pieces);
        }
        // Sections that were joined must not be cut as one.
        let apart = self.apart(part);
        if apart.len() > 1 {
            return apart.into_iter().for_each(|part| self.add(part, naming));
        }
        naming.add(part, self.shorter(part, pieces, &tokens, most));
    }

    fn pieces(&self, part: Part, config: ChunkConfig) -> Vec<Piece> {
        let text = &self.document.text;
        if self.index.count(text, part.span) <= config.max_chars {
            return vec![Piece { span: part.span, overlap: 0, text: part.span.slice(text).to_owned() }];
        }
        let regions = region::regions(text, part.span, &self.document.blocks, config.max_chars);
        split::split(text, self.index, &regions, config, self.grain)
    }

    /// The pieces of `part` at the largest size tried at which a model reads all of each; those of the least size when
    /// some are still too long, and `pieces` as they are when the titles alone leave no room.
    fn shorter(&self, part: Part, pieces: Vec<Piece>, tokens: &TokenLimit<'_>, most: usize) -> Vec<Piece> {
        // With titles that take most of a model's room every chunk would be a crumb.
        let room = tokens.max_tokens.saturating_sub((tokens.count)(part.section, ""));
        if room < tokens.max_tokens / 4 || self.config.max_chars <= LEAST_CHARS {
            return pieces;
        }
        let (mut pieces, mut most) = (pieces, most);
        let longest = pieces.iter().map(|piece| self.index.count(&self.document.text, piece.span)).max();
        let mut max_chars = self.config.max_chars.min(longest.unwrap_or(0));
        while most > tokens.max_tokens && max_chars > LEAST_CHARS {
            // A little less than what fits on average, since some pieces are denser; at least a tenth less each time.
            let fitting = max_chars * tokens.max_tokens / most * 19 / 20;
            max_chars = fitting.min(max_chars * 9 / 10).max(LEAST_CHARS);
            // The overlap keeps its share.
            let share = |chars: usize| chars * max_chars / self.config.max_chars;
            let config = ChunkConfig {
                max_chars,
                overlap_chars: share(self.config.overlap_chars),
                min_chars: share(self.config.min_chars),
            };
            pieces = self.pieces(part, config);
            most = most_tokens(tokens, part, &pieces);
        }
        pieces
    }

    /// The own texts of the sections that `part` covers.
    fn apart(&self, part: Part) -> Vec<Part> {
        let sections = &self.document.sections;
        let first = sections.partition_point(|section| section.own.start < part.span.start);
        let covered = sections[first..].iter().take_while(|section| section.own.start < part.span.end);
        let parts =
            covered.enumerate().map(|(at, section)| Part { section: Some(first + at), span: section.own });
        parts.filter(|part| !part.span.is_empty()).collect()
    }
}

/// Tokens of the longest of `pieces`.
fn most_tokens(tokens: &TokenLimit<'_>, part: Part, pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| (tokens.count)(part.section, &piece.text)).max().unwrap_or(0)
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
