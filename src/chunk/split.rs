//! Splits one part that is too long into pieces.

use crate::chunk::chars::CharIndex;
use crate::chunk::config::ChunkConfig;
use crate::chunk::cut;
use crate::chunk::region::{Fence, Region, RegionKind};
use crate::content::Span;

/// What a chunker prefers to cut between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grain {
    /// Blocks, then lines, sentences, words, graphemes.
    Block,
    /// Sentences, whichever block they are in; only tables and code are kept whole.
    Sentence,
    /// Words, so that every piece is full.
    Word,
}

/// One piece of a split part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its bytes, those shared with the piece before included.
    pub(super) span: Span,
    /// Bytes shared with the piece before.
    pub(super) overlap: usize,
    /// The slice with table header, fences and context of a list as needed.
    pub(super) text: String,
}

/// Splits the part that `regions` tile (at least one) into pieces of at most `config.max_chars` characters.
///
/// Packs greedily. With [`Grain::Block`] a block that fits into a piece is never cut; one that must be cut anyway may be
/// cut to fill the piece before it, when that would be less than half full without. Inside a block a cut prefers, in
/// order, a line, a sentence, a word and a grapheme, each if it leaves the piece at least half full, then whatever there
/// is. The other grains do not care for blocks of words, but cut tables between rows and code between lines all the same.
pub(super) fn split(
    text: &str,
    index: &CharIndex,
    regions: &[Region],
    config: ChunkConfig,
    grain: Grain,
) -> Vec<Piece> {
    let ChunkConfig { max_chars: max, overlap_chars: overlap, min_chars: min } = config;
    Splitter { text, index, regions, max, overlap, min, grain }.split()
}

/// Its other parts are in `choose` (where a piece ends), `overlap` (where the next one starts) and `lead` (what is repeated
/// above it).
pub(super) struct Splitter<'a> {
    pub(super) text: &'a str,
    pub(super) index: &'a CharIndex,
    pub(super) regions: &'a [Region],
    pub(super) max: usize,
    pub(super) overlap: usize,
    pub(super) min: usize,
    pub(super) grain: Grain,
}

/// The piece being filled.
#[derive(Clone, Copy)]
pub(super) struct Open {
    /// Where it starts.
    pub(super) start: usize,
    /// Where it stops repeating the piece before.
    pub(super) fresh: usize,
    /// A cut at or after this byte leaves it at least half full.
    pub(super) half: usize,
    /// Where its text must end at the latest.
    pub(super) limit: usize,
}

impl Splitter<'_> {
    fn split(&self) -> Vec<Piece> {
        let part = Span::new(self.regions[0].span.start, self.regions[self.regions.len() - 1].span.end);
        let mut pieces = Vec::new();
        let (mut start, mut fresh) = (part.start, part.start);
        while fresh < part.end {
            let is_blank = |end: usize| self.text[fresh..end].trim().is_empty();
            let end = match self.piece_end(start, fresh, part.end) {
                // A piece that adds only blanks to what it repeats says nothing; without overlap there is room for more.
                Some(end) if start < fresh && end < part.end && is_blank(end) => {
                    start = fresh;
                    continue;
                }
                Some(end) => end,
                // Without overlap there is more room before a grapheme has to be cut.
                None if start < fresh => {
                    start = fresh;
                    continue;
                }
                None => cut::past_line_feed(self.text, self.limit(start, fresh, part.end)),
            };
            let span = Span::new(start, end);
            pieces.push(Piece { span, overlap: fresh - start, text: self.piece_text(span) });
            start = if end < part.end { self.overlap_start(start, fresh, end) } else { end };
            fresh = end;
        }
        pieces
    }

    /// Where the piece ends that starts at `start` with its first new byte at `fresh`; `None` when one grapheme is
    /// longer than the room for it.
    fn piece_end(&self, start: usize, fresh: usize, part_end: usize) -> Option<usize> {
        let lead = self.lead(start).n_chars;
        let tail = self.tail(Span::new(start, part_end)).map_or(0, tail_chars);
        if lead + self.count(start, part_end) + tail <= self.max {
            return Some(part_end);
        }
        let half = self.advance(start, self.max.saturating_sub(lead) / 2);
        let open = Open { start, fresh, half, limit: self.limit(start, fresh, part_end) };
        let end = self.cut(open)?;
        if self.min > 0 && end < part_end && self.count(end, part_end) < self.min {
            return Some(self.leave_min(open, part_end).unwrap_or(end));
        }
        Some(end)
    }

    /// A cut that leaves at least `min` characters to the last piece, and as many to this one.
    fn leave_min(&self, open: Open, part_end: usize) -> Option<usize> {
        let limit = self.retreat(part_end, self.min).min(open.limit);
        let least = self.advance(open.fresh, self.min);
        if limit <= least {
            return None;
        }
        self.cut(Open { half: least, limit, ..open }).filter(|end| (least..=limit).contains(end))
    }

    /// The last byte where the piece may end, closing fence not counted.
    fn limit(&self, start: usize, fresh: usize, part_end: usize) -> usize {
        let lead = self.lead(start).n_chars;
        let mut limit = self.advance(start, self.max.saturating_sub(lead));
        let region = &self.regions[self.region_at(fresh)];
        if matches!(region.kind, RegionKind::Table { .. }) {
            // A header that leaves no room for a row is repeated above it all the same.
            let most = self.advance(start, self.max).clamp(fresh, region.span.end);
            limit = limit.max(cut::line_end(self.text, fresh, most));
        }
        limit.max(self.advance(fresh, 1)).min(part_end)
    }

    /// The fence that must close the piece at `span`.
    pub(super) fn tail(&self, span: Span) -> Option<&Fence> {
        let region = &self.regions[self.region_at(span.end - 1)];
        let RegionKind::Code { body, body_end, fence: Some(fence) } = &region.kind else { return None };
        let is_cut = span.end < region.span.end || span.start >= *body;
        let is_open = span.end > *body && (span.end < *body_end || (span.end == *body_end && is_cut));
        is_open.then_some(fence)
    }

    /// The region that byte `at` lies in; the last one for the end of the part.
    pub(super) fn region_at(&self, at: usize) -> usize {
        self.regions.partition_point(|region| region.span.start <= at).saturating_sub(1)
    }

    /// Characters of the region at `at`, with what a tied one must be followed by.
    pub(super) fn group_chars(&self, at: usize) -> usize {
        self.count(self.regions[at].span.start, self.group_end(at))
    }

    /// Where the region at `at` ends, with what a tied one must be followed by.
    pub(super) fn group_end(&self, at: usize) -> usize {
        let n_tied = self.regions[at..].iter().take_while(|region| region.is_tied).count();
        self.regions[(at + n_tied).min(self.regions.len() - 1)].span.end
    }

    /// The character boundary at or before `at`.
    pub(super) fn floor(&self, at: usize) -> usize {
        (0..=at).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0)
    }

    pub(super) fn count(&self, start: usize, end: usize) -> usize {
        self.index.count(self.text, Span::new(start, end))
    }

    pub(super) fn advance(&self, at: usize, n_chars: usize) -> usize {
        self.index.byte_at(self.text, self.index.rank(self.text, at).saturating_add(n_chars))
    }

    pub(super) fn retreat(&self, at: usize, n_chars: usize) -> usize {
        self.index.byte_at(self.text, self.index.rank(self.text, at).saturating_sub(n_chars))
    }
}

/// Characters that closing a fence adds: the line, and a line ending before it.
pub(super) fn tail_chars(fence: &Fence) -> usize {
    fence.close.chars().count() + 1
}
