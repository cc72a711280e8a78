//! Splits one part that is too long into pieces.

use crate::chunk::ChunkConfig;
use crate::chunk::chars::CharIndex;
use crate::chunk::cut;
use crate::chunk::region::{Fence, Region, RegionKind};
use crate::content::Span;

/// Characters before a limit in which a sentence start is looked for first. Chosen: longer than most sentences, so
/// that the whole window is seldom segmented.
const SENTENCE_WINDOW: usize = 256;

/// Bytes before a limit in which a word start is looked for in text without blanks. Chosen: longer than any word.
const WORD_WINDOW: usize = 256;

/// Bytes of blanks at the end of a text that are not left to a piece of their own. Chosen.
const BLANK_REST: usize = 64;

/// Characters read before a window so that a segmentation rule sees what comes before.
const LOOK_BEHIND: usize = 64;

/// One piece of a split part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its bytes, those shared with the piece before included.
    pub(super) span: Span,
    /// Bytes shared with the piece before.
    pub(super) overlap: usize,
    /// The slice with table header and fences as needed.
    pub(super) text: String,
}

/// Splits the part that `regions` tile (at least one) into pieces of at most `config.max_chars` characters.
///
/// Packs greedily. A block that fits into a piece is never cut; one that must be cut anyway may be cut to fill the
/// piece before it, when that would be less than half full without. Inside a block a cut prefers, in order, a line,
/// a sentence, a word and a grapheme, each if it leaves the piece at least half full, then whatever there is.
pub(super) fn split(text: &str, index: &CharIndex, regions: &[Region], config: ChunkConfig) -> Vec<Piece> {
    Splitter { text, index, regions, max: config.max_chars, overlap: config.overlap_chars }.split()
}

struct Splitter<'a> {
    text: &'a str,
    index: &'a CharIndex,
    regions: &'a [Region],
    max: usize,
    overlap: usize,
}

/// The piece being filled.
#[derive(Clone, Copy)]
struct Open {
    /// Where it stops repeating the piece before.
    fresh: usize,
    /// A cut at or after this byte leaves it at least half full.
    half: usize,
    /// Where its text must end at the latest.
    limit: usize,
}

impl Splitter<'_> {
    fn split(&self) -> Vec<Piece> {
        let part = Span::new(self.regions[0].span.start, self.regions[self.regions.len() - 1].span.end);
        let mut pieces = Vec::new();
        let (mut start, mut fresh) = (part.start, part.start);
        while fresh < part.end {
            let end = match self.piece_end(start, fresh, part.end) {
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
        let lead = self.lead(start).map_or(0, |lead| self.count(lead.start, lead.end));
        let tail = self.tail(Span::new(start, part_end)).map_or(0, tail_chars);
        if lead + self.count(start, part_end) + tail <= self.max {
            return Some(part_end);
        }
        let half = self.advance(start, self.max.saturating_sub(lead) / 2);
        self.cut(Open { fresh, half, limit: self.limit(start, fresh, part_end) })
    }

    /// The last byte where the piece may end, closing fence not counted.
    fn limit(&self, start: usize, fresh: usize, part_end: usize) -> usize {
        let lead = self.lead(start).map_or(0, |lead| self.count(lead.start, lead.end));
        let mut limit = self.advance(start, self.max.saturating_sub(lead));
        let region = &self.regions[self.region_at(fresh)];
        if matches!(region.kind, RegionKind::Table { .. }) {
            // A header that leaves no room for a row is repeated above it all the same.
            let most = self.advance(start, self.max).clamp(fresh, region.span.end);
            limit = limit.max(cut::line_end(self.text, fresh, most));
        }
        limit.max(self.advance(fresh, 1)).min(part_end)
    }

    /// The best cut in `open.fresh + 1..=open.limit`; beyond the limit only for a table row that is longer.
    fn cut(&self, open: Open) -> Option<usize> {
        let at = self.region_at(open.limit);
        let region = &self.regions[at];
        let mut first = at;
        while first > 0
            && self.regions[first].span.start > open.fresh
            && matches!(self.regions[first - 1].kind, RegionKind::Heading)
        {
            first -= 1;
        }
        let block = Some(self.regions[first].span.start).filter(|&start| start > open.fresh);
        if let Some(block) = block {
            let is_heading = matches!(region.kind, RegionKind::Heading);
            if is_heading || block >= open.half || self.group_chars(first) <= self.max {
                return Some(block);
            }
        }
        // Where the region starts, even right after a heading: better than a broken row, fence or grapheme.
        let region_start = Some(region.span.start).filter(|&start| start > open.fresh);
        let lo = open.fresh.max(region.span.start);
        match &region.kind {
            RegionKind::Table { header } => self
                .cut_table(open, lo, header.end)
                .or(block)
                .or_else(|| cut::last_line_start(self.text, lo, open.limit))
                .or(region_start)
                .or_else(|| Some(self.row_end(lo, region.span.end))),
            RegionKind::Code { body, body_end, fence } => {
                let tail = fence.as_ref().map_or(0, tail_chars);
                let limit = self.retreat(open.limit, tail).max(self.advance(open.fresh, 1));
                let within = match fence {
                    // Some content stays with the closing line.
                    Some(fence) if fence.is_closed => limit.min(self.floor(body_end.saturating_sub(1))),
                    _ => limit,
                };
                let content = lo.max(*body);
                self.cut_code(Open { limit: within, ..open }, content)
                    .or(block)
                    .or_else(|| self.cut_grapheme(content, within))
                    .or(region_start)
                    .or_else(|| self.cut_grapheme(lo, limit))
            }
            RegionKind::Heading | RegionKind::Prose => self.cut_prose(open, lo).or(region_start),
        }
    }

    /// The last cut between rows that leaves a row below the header in the piece.
    fn cut_table(&self, open: Open, lo: usize, body: usize) -> Option<usize> {
        let from = lo.max(body);
        (from < open.limit).then(|| cut::last_line_start(self.text, from, open.limit)).flatten()
    }

    /// The end of the row at `at` and of the blank lines after it. Blank lines beyond one limit's worth are left to
    /// the next piece.
    fn row_end(&self, at: usize, region_end: usize) -> usize {
        let end = cut::line_end(self.text, at, region_end);
        let limit = self.advance(end, self.max).min(region_end);
        cut::skip_blank_lines(self.text, end, cut::past_line_feed(self.text, limit))
    }

    /// The last cut between lines of code, or inside a line when that alone would not half fill the piece. Never
    /// right after the opening fence (`lo` is the first line after it).
    fn cut_code(&self, open: Open, lo: usize) -> Option<usize> {
        let limit = open.limit;
        if lo >= limit {
            return None;
        }
        let is_half = |at: &usize| *at >= open.half;
        let line = cut::last_line_start(self.text, lo, limit);
        line.filter(is_half)
            .or_else(|| cut::last_spaced_word_start(self.text, lo, limit).filter(is_half))
            .or_else(|| self.last_word_start(lo, limit).filter(is_half))
            .or(line)
    }

    /// The last cut between lines, sentences, words or graphemes; the first of these that half fills the piece.
    fn cut_prose(&self, open: Open, lo: usize) -> Option<usize> {
        let Open { half, limit, .. } = open;
        let line = cut::last_line_start(self.text, lo, limit);
        if line.is_some_and(|at| at >= half) {
            return line;
        }
        let near = self.retreat(limit, SENTENCE_WINDOW);
        let mut sentence = cut::last_sentence_start(self.text, near.max(lo), limit);
        if sentence.is_none() && near > lo {
            sentence = cut::last_sentence_start(self.text, lo, limit);
        }
        if sentence.is_some_and(|at| at >= half) {
            return sentence;
        }
        let spaced = cut::last_spaced_word_start(self.text, lo, limit);
        spaced
            .filter(|&at| at >= half)
            .or_else(|| self.last_word_start(lo, limit).filter(|&at| at >= half))
            .or(line)
            .or(sentence)
            .or(spaced)
            .or_else(|| self.cut_grapheme(lo, limit))
    }

    /// The last cut between graphemes that does not leave only a few blanks to the next piece.
    fn cut_grapheme(&self, lo: usize, limit: usize) -> Option<usize> {
        if lo >= limit {
            return None;
        }
        let rest = &self.text[limit..];
        let is_rest_blank = rest.len() <= BLANK_REST && rest.trim_start().is_empty();
        let limit = if is_rest_blank { self.retreat(limit, 1).max(self.advance(lo, 1)) } else { limit };
        cut::last_grapheme_start(self.text, lo, limit)
    }

    fn last_word_start(&self, lo: usize, limit: usize) -> Option<usize> {
        let from = self.floor(limit.saturating_sub(WORD_WINDOW)).max(lo);
        cut::last_word_start(self.text, lo, from, limit)
    }

    /// Where the piece after a cut at `end` starts: at most the allowed overlap before it, within the new text of the
    /// piece before (from `fresh`), and later than that piece's start.
    fn overlap_start(&self, start: usize, fresh: usize, end: usize) -> usize {
        let at = self.region_at(end - 1);
        let region = &self.regions[at];
        let lead = match &region.kind {
            RegionKind::Table { header } => {
                self.repeated(*header).map_or(0, |it| self.count(it.start, it.end))
            }
            RegionKind::Code { fence: Some(fence), .. } => self.count(fence.open.start, fence.open.end),
            _ => 0,
        };
        // A quarter of each piece is new at least, so that the text at most quadruples.
        let allowed = self.overlap.min(self.max - self.max.div_ceil(4));
        let allowed = allowed.min(self.max.saturating_sub(self.needed(end) + lead));
        let window = self.retreat(end, allowed).max(fresh).max(self.advance(start, 1));
        if window >= end {
            return end;
        }
        let start = match &region.kind {
            RegionKind::Table { header } => cut::first_line_start(self.text, window.max(header.end), end),
            RegionKind::Code { body, body_end, .. } => {
                cut::first_line_start(self.text, window.max(*body), end.min(*body_end))
            }
            RegionKind::Heading | RegionKind::Prose => self.prose_overlap_start(at, fresh, window, end),
        };
        start.unwrap_or(end)
    }

    /// The first sentence in `window..end`, else the first word. Does not reach back over a table or code.
    fn prose_overlap_start(&self, last: usize, fresh: usize, window: usize, end: usize) -> Option<usize> {
        let mut first = last;
        while first > 0
            && self.regions[first].span.start > window
            && matches!(self.regions[first - 1].kind, RegionKind::Heading | RegionKind::Prose)
        {
            first -= 1;
        }
        let run_start = self.regions[first].span.start;
        for region in &self.regions[first..=last] {
            let (start, stop) = (region.span.start, region.span.end.min(end));
            if start >= window {
                return Some(start);
            }
            let lo = self.retreat(window, LOOK_BEHIND).max(start);
            if let Some(sentence) = cut::first_sentence_start(self.text, lo, window, stop) {
                return Some(sentence);
            }
        }
        let (window, lo) = (window.max(run_start), fresh.max(run_start));
        cut::first_spaced_word_start(self.text, lo, window, end)
            .or_else(|| cut::first_word_start(self.text, lo, window, end))
    }

    /// Characters after a cut at `end` that the next piece must have room for, so that overlap breaks nothing: a
    /// block that fits whole, else the first row or line of one that is cut.
    fn needed(&self, end: usize) -> usize {
        let at = self.region_at(end);
        let region = &self.regions[at];
        let is_start = end == region.span.start;
        if is_start {
            let group = self.group_chars(at);
            if group <= self.max {
                return group;
            }
        }
        // Characters up to the end of the line at `line`; more than the limit is all the same.
        let most = self.advance(end, self.max).min(region.span.end);
        let through_line = |line: usize| self.count(end, cut::line_end(self.text, line.min(most), most));
        match &region.kind {
            RegionKind::Table { header } if is_start => through_line(header.end),
            RegionKind::Table { .. } => through_line(end),
            RegionKind::Code { body, fence, .. } => {
                through_line(end.max(*body)) + fence.as_ref().map_or(0, tail_chars)
            }
            // A heading needs room for some of what follows it.
            RegionKind::Heading => self.count(end, region.span.end) + self.max / 2,
            RegionKind::Prose => 1,
        }
    }

    /// Characters of the region at `at`, with what a heading must be followed by.
    fn group_chars(&self, at: usize) -> usize {
        let is_heading = |region: &&Region| matches!(region.kind, RegionKind::Heading);
        let n_headings = self.regions[at..].iter().take_while(is_heading).count();
        let last = (at + n_headings).min(self.regions.len() - 1);
        self.count(self.regions[at].span.start, self.regions[last].span.end)
    }

    /// What is repeated above a piece that starts at `start`: the header or opening fence of the block it lies in.
    fn lead(&self, start: usize) -> Option<Span> {
        match &self.regions[self.region_at(start)].kind {
            RegionKind::Table { header } if start >= header.end => self.repeated(*header),
            RegionKind::Code { body, body_end, fence: Some(fence) }
                if (*body..*body_end).contains(&start) =>
            {
                Some(fence.open)
            }
            _ => None,
        }
    }

    /// A table's header, unless it is empty, or so long that repeating it would more than double the text.
    fn repeated(&self, header: Span) -> Option<Span> {
        (!header.is_empty() && self.count(header.start, header.end) <= self.max).then_some(header)
    }

    /// The fence that must close the piece at `span`.
    fn tail(&self, span: Span) -> Option<&Fence> {
        let region = &self.regions[self.region_at(span.end - 1)];
        let RegionKind::Code { body, body_end, fence: Some(fence) } = &region.kind else { return None };
        let is_cut = span.end < region.span.end || span.start >= *body;
        let is_open = span.end > *body && (span.end < *body_end || (span.end == *body_end && is_cut));
        is_open.then_some(fence)
    }

    fn piece_text(&self, span: Span) -> String {
        let mut text = String::with_capacity(span.len() + 16);
        match (self.lead(span.start), &self.regions[self.region_at(span.start)].kind) {
            (Some(_), RegionKind::Code { fence: Some(fence), .. }) => text.push_str(&fence.lead),
            (Some(header), _) => text.push_str(header.slice(self.text)),
            (None, _) => {}
        }
        text.push_str(span.slice(self.text));
        if let Some(fence) = self.tail(span) {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&fence.close);
        }
        text
    }

    /// The region that byte `at` lies in; the last one for the end of the part.
    fn region_at(&self, at: usize) -> usize {
        self.regions.partition_point(|region| region.span.start <= at).saturating_sub(1)
    }

    /// The character boundary at or before `at`.
    fn floor(&self, at: usize) -> usize {
        (0..=at).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0)
    }

    fn count(&self, start: usize, end: usize) -> usize {
        self.index.count(self.text, Span::new(start, end))
    }

    fn advance(&self, at: usize, n_chars: usize) -> usize {
        self.index.byte_at(self.text, self.index.rank(self.text, at).saturating_add(n_chars))
    }

    fn retreat(&self, at: usize, n_chars: usize) -> usize {
        self.index.byte_at(self.text, self.index.rank(self.text, at).saturating_sub(n_chars))
    }
}

/// Characters that closing a fence adds: the line, and a line ending before it.
fn tail_chars(fence: &Fence) -> usize {
    fence.close.chars().count() + 1
}
