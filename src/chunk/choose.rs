//! Where a piece ends.

use crate::chunk::cut;
use crate::chunk::region::{Region, RegionKind};
use crate::chunk::sentence::Lines;
use crate::chunk::split::{Grain, Open, Splitter, tail_chars};

/// Characters before a limit in which a sentence start is looked for first. Chosen: longer than most sentences, so
/// that the whole window is seldom segmented.
const SENTENCE_WINDOW: usize = 256;

/// Bytes before a limit in which a word start is looked for in text without blanks. Chosen: longer than any word.
const WORD_WINDOW: usize = 256;

/// Bytes of blanks at the end of a text that are not left to a piece of their own. Chosen.
const BLANK_REST: usize = 64;

impl Splitter<'_> {
    /// The best cut in `open.fresh + 1..=open.limit`; beyond the limit only for a table row that is longer.
    pub(super) fn cut(&self, open: Open) -> Option<usize> {
        let at = self.region_at(open.limit);
        let region = &self.regions[at];
        let mut first = at;
        while first > 0 && self.regions[first].span.start > open.fresh && self.regions[first - 1].is_tied {
            first -= 1;
        }
        let block = Some(self.regions[first].span.start).filter(|&start| start > open.fresh);
        if let Some(block) = block {
            let is_kept = self.is_kept(region) && (block >= open.half || self.group_chars(first) <= self.max);
            if region.is_tied || is_kept {
                return Some(block);
            }
        }
        // Where the region starts, even right after a heading: better than a broken row, fence or grapheme.
        let region_start = Some(region.span.start).filter(|&start| start > open.fresh);
        let lo = open.fresh.max(region.span.start);
        match &region.kind {
            RegionKind::Table { header, .. } => self
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
                    // Through a fence only when dropping the overlap does not help.
                    .or_else(|| (open.start == open.fresh).then(|| self.cut_grapheme(lo, limit)).flatten())
            }
            RegionKind::Heading | RegionKind::Prose | RegionKind::Item => match self.grain {
                Grain::Block => self.cut_prose(open, lo),
                Grain::Sentence => self.cut_sentences(open, lo, block),
                Grain::Word => self.cut_words(open, lo, region_start),
            }
            .or(region_start),
        }
    }

    /// Whether a region that fits into a piece is kept whole.
    pub(super) fn is_kept(&self, region: &Region) -> bool {
        match self.grain {
            Grain::Block => true,
            Grain::Sentence => !region.is_wordy(),
            Grain::Word => false,
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
        let is_half = |at: &usize| *at >= half;
        let line = cut::last_line_start(self.text, lo, limit);
        if line.is_some_and(|at| at >= half) {
            return line;
        }
        let sentence = self.last_sentence_start(open, lo, Lines::Separate);
        if sentence.is_some_and(|at| at >= half) {
            return sentence;
        }
        let spaced = cut::last_spaced_word_start(self.text, lo, limit);
        spaced
            .filter(is_half)
            .or_else(|| self.last_word_start(lo, limit).filter(is_half))
            .or(line)
            .or(sentence)
            .or(spaced)
            .or_else(|| self.cut_grapheme(lo, limit))
    }

    /// The last cut between sentences (`block` starts one too), if the sentence after it fits into a piece; else
    /// that of [`cut_prose`](Self::cut_prose).
    fn cut_sentences(&self, open: Open, lo: usize, block: Option<usize>) -> Option<usize> {
        let sentence = self.last_sentence_start(open, lo, Lines::Joined).or(block);
        let is_good = |&at: &usize| at >= open.half || self.sentence_chars(at).is_some();
        sentence.filter(is_good).or_else(|| self.cut_prose(open, lo))
    }

    /// Characters of the sentence at `at`; `None` when it does not fit into a piece.
    pub(super) fn sentence_chars(&self, at: usize) -> Option<usize> {
        let region = self.regions[self.region_at(at)].span;
        let most = self.advance(at, self.max).min(region.end);
        let next = cut::first_sentence_start(self.text, at, at + 1, most);
        let end = next.or_else(|| (most == region.end).then_some(most))?;
        Some(self.count(at, end))
    }

    /// The last cut between words or graphemes that half fills the piece.
    fn cut_words(&self, open: Open, lo: usize, region_start: Option<usize>) -> Option<usize> {
        let is_half = |at: &usize| *at >= open.half;
        let spaced = cut::last_spaced_word_start(self.text, lo, open.limit);
        spaced
            .filter(is_half)
            .or_else(|| self.last_word_start(lo, open.limit).filter(is_half))
            .or_else(|| region_start.filter(is_half))
            .or(spaced)
            .or_else(|| self.cut_grapheme(lo, open.limit))
    }

    /// The last start of a sentence, one that half fills the piece if there is any; sentences with capitals are looked for
    /// before those without.
    fn last_sentence_start(&self, open: Open, lo: usize, lines: Lines) -> Option<usize> {
        let near = self.retreat(open.limit, SENTENCE_WINDOW).max(lo);
        let far = (near > lo).then_some(lo);
        let is_half = |at: &usize| *at >= open.half;
        let mut best = None;
        for find in [cut::last_sentence_start, cut::last_small_sentence_start] {
            for from in [Some(near), far].into_iter().flatten() {
                let found = find(self.text, from, open.limit, lines);
                if found.is_some_and(|at| is_half(&at)) {
                    return found;
                }
                best = best.max(found);
            }
        }
        best
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
}
