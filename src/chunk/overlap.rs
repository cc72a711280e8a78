//! How much a piece repeats of the one before.

use crate::chunk::cut;
use crate::chunk::region::RegionKind;
use crate::chunk::split::{Grain, Splitter, tail_chars};

/// Characters read before a window so that a segmentation rule sees what comes before.
const LOOK_BEHIND: usize = 64;

impl Splitter<'_> {
    /// Where the piece after a cut at `end` starts: at most the allowed overlap before it, within the new text of the
    /// piece before (from `fresh`), and later than that piece's start.
    pub(super) fn overlap_start(&self, start: usize, fresh: usize, end: usize) -> usize {
        let at = self.region_at(end - 1);
        let region = &self.regions[at];
        let lead = match &region.kind {
            RegionKind::Table { header, .. } => {
                self.repeated(*header).map_or(0, |it| self.count(it.start, it.end))
            }
            RegionKind::Code { fence: Some(fence), .. } => self.count(fence.open.start, fence.open.end),
            _ => 0,
        };
        let needed = self.needed(end);
        // A quarter of each piece is new at least, so that the text at most quadruples.
        let allowed = self.overlap.min(self.max - self.max.div_ceil(4));
        let allowed = allowed.min(self.max.saturating_sub(needed + lead));
        let window = self.retreat(end, allowed).max(fresh).max(self.advance(start, 1));
        if window >= end {
            return end;
        }
        let start = match &region.kind {
            RegionKind::Table { header, .. } => cut::first_line_start(self.text, window.max(header.end), end),
            RegionKind::Code { body, body_end, .. } => {
                cut::first_line_start(self.text, window.max(*body), end.min(*body_end))
            }
            _ => self.prose_overlap_start(at, fresh, window, end),
        };
        // What is repeated above it counts as well.
        let fits = |&start: &usize| {
            let lead = self.lead(start).n_chars;
            lead + self.count(start, end) + needed <= self.max
        };
        start.filter(fits).unwrap_or(end)
    }

    /// The first sentence in `window..end`, else the first word. Does not reach back over a table or code.
    fn prose_overlap_start(&self, last: usize, fresh: usize, window: usize, end: usize) -> Option<usize> {
        let mut first = last;
        while first > 0 && self.regions[first].span.start > window && self.regions[first - 1].is_wordy() {
            first -= 1;
        }
        let run_start = self.regions[first].span.start;
        if self.grain != Grain::Word {
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
        }
        let (window, lo) = (window.max(run_start), fresh.max(run_start));
        // The search begins behind a blank, and these may be behind one too.
        if [run_start, fresh].contains(&window) && self.text[..window].ends_with(char::is_whitespace) {
            return Some(window);
        }
        cut::first_spaced_word_start(self.text, lo, window, end)
            .or_else(|| cut::first_word_start(self.text, lo, window, end))
    }

    /// Characters after a cut at `end` that the next piece must have room for, so that overlap breaks nothing: a
    /// block that is kept whole, else the first row, line or sentence of one that is cut.
    fn needed(&self, end: usize) -> usize {
        let at = self.region_at(end);
        let region = &self.regions[at];
        let is_start = end == region.span.start;
        if is_start && self.is_kept(region) {
            let group = self.group_chars(at);
            if group <= self.max {
                return group;
            }
        }
        // Characters up to the end of the line at `line`; more than the limit is all the same.
        let most = self.advance(end, self.max).min(region.span.end);
        let through_line = |line: usize| self.count(end, cut::line_end(self.text, line.min(most), most));
        match &region.kind {
            RegionKind::Table { header, .. } if is_start => through_line(header.end),
            RegionKind::Table { .. } => through_line(end),
            RegionKind::Code { body, fence, .. } => {
                through_line(end.max(*body)) + fence.as_ref().map_or(0, tail_chars)
            }
            // A heading needs room for some of what follows it.
            _ if region.is_tied => self.count(end, region.span.end) + self.max / 2,
            _ if self.grain == Grain::Sentence => self.sentence_chars(end).unwrap_or(1),
            _ => 1,
        }
    }
}
