//! What is repeated above a piece, and its text.

use crate::chunk::context::{self, ContextLine};
use crate::chunk::cut;
use crate::chunk::groups::Missing;
use crate::chunk::region::{Fence, Region, RegionKind};
use crate::chunk::split::{Splitter, tail_chars};
use crate::content::Span;

/// What is repeated in the text of a piece.
#[derive(Default)]
pub(super) struct Lead<'a> {
    /// Characters that it adds at most.
    pub(super) n_chars: usize,
    /// The lines around a block of a list.
    context: Vec<ContextLine>,
    /// The head of a table.
    header: Option<Span>,
    /// The labels that its first row goes without.
    labels: Vec<Missing>,
    /// The opening line of code.
    fence: Option<&'a Fence>,
}

impl Splitter<'_> {
    /// What is repeated above a piece that starts at `start`, for the block it lies in.
    pub(super) fn lead(&self, start: usize) -> Lead<'_> {
        let at = self.region_at(start);
        match &self.regions[at].kind {
            RegionKind::Table { .. } => self.table_lead(&self.regions[at], start),
            RegionKind::Code { body, body_end, fence } => {
                let fence = fence.as_ref().filter(|_| (*body..*body_end).contains(&start));
                let n_chars = fence.map_or(0, |it| self.count(it.open.start, it.open.end));
                let context = self.context(at, start, n_chars + fence.map_or(0, tail_chars));
                let n_chars = n_chars + self.context_chars(&context);
                Lead { n_chars, context, fence, ..Lead::default() }
            }
            RegionKind::Heading | RegionKind::Prose | RegionKind::Item => {
                let context = self.context(at, start, 0);
                Lead { n_chars: self.context_chars(&context), context, ..Lead::default() }
            }
        }
    }

    /// The head of a table, and the labels of the row at `start` if all has room together with that row.
    fn table_lead(&self, region: &Region, start: usize) -> Lead<'_> {
        let RegionKind::Table { header, groups } = &region.kind else { return Lead::default() };
        if start < header.end {
            return Lead::default();
        }
        let header = self.repeated(*header);
        let n_chars = header.map_or(0, |it| self.count(it.start, it.end));
        let labels = groups.missing(self.text, start, region.span.end);
        // Blanks around each.
        let n_label_chars: usize = labels.iter().map(|it| self.count(it.label.start, it.label.end) + 2).sum();
        let most = self.advance(start, self.max).min(region.span.end);
        let n_row_chars = self.count(start, cut::line_end(self.text, start, most));
        let has_room = n_label_chars <= self.max / 4 && n_chars + n_label_chars + n_row_chars <= self.max;
        if labels.is_empty() || !has_room {
            return Lead { n_chars, header, ..Lead::default() };
        }
        Lead { n_chars: n_chars + n_label_chars, header, labels, ..Lead::default() }
    }

    /// The context of the block at `at` for a piece that starts at `start` in it: at most a quarter of the limit, and none that
    /// would break a block that fits into a piece. `n_more` characters are repeated besides.
    fn context(&self, at: usize, start: usize, n_more: usize) -> Vec<ContextLine> {
        let region = &self.regions[at];
        let own = region.label.filter(|_| start > region.span.start).and_then(|label| {
            let words = self.text[label.start..label.end.min(start)].trim_end();
            let has_words = words.contains(char::is_alphanumeric);
            has_words.then(|| Span::new(label.start, label.start + words.len()))
        });
        let n_rest = self.count(start, self.group_end(at)) + n_more;
        let room = match self.max.checked_sub(n_rest) {
            Some(room) => room,
            None => (self.max / 2).saturating_sub(n_more),
        };
        context::fitting(self.text, &region.context, own, room.min(self.max / 4))
    }

    fn context_chars(&self, lines: &[ContextLine]) -> usize {
        let chars =
            |line: &ContextLine| self.count(line.span.start, line.span.end) + line.ending().chars().count();
        lines.iter().map(chars).sum()
    }

    /// A table's header, unless it is empty, or so long that repeating it would more than double the text.
    pub(super) fn repeated(&self, header: Span) -> Option<Span> {
        (!header.is_empty() && self.count(header.start, header.end) <= self.max).then_some(header)
    }

    /// The text of the piece at `span`: its slice, what is repeated above it, and the fence that closes it.
    pub(super) fn piece_text(&self, span: Span) -> String {
        let Lead { context, header, labels, fence, .. } = self.lead(span.start);
        let mut text = String::with_capacity(span.len() + 16);
        for line in context {
            text.push_str(line.span.slice(self.text));
            text.push_str(line.ending());
        }
        text.push_str(header.map_or("", |it| it.slice(self.text)));
        text.push_str(fence.map_or("", |it| &it.lead));
        let mut at = span.start;
        for Missing { cell, label } in labels.into_iter().filter(|it| it.cell.end <= span.end) {
            text.push_str(&self.text[at..cell.start]);
            text.push(' ');
            text.push_str(label.slice(self.text));
            text.push(' ');
            at = cell.end;
        }
        text.push_str(&self.text[at..span.end]);
        if let Some(fence) = self.tail(span) {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&fence.close);
        }
        text
    }
}
