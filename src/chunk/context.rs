//! What lists and tables need from the lines above them.
//!
//! An item in the middle of a list means little without the line that introduces the list ("Never do this:") and the items
//! that it is nested in, and the second paragraph of an item, or of a definition, means little without the item's first
//! line, or the term. Such lines are found here, to be repeated above later pieces, and lines that introduce something
//! are tied to what follows, as a caption is to its table.

use crate::chunk::cut;
use crate::chunk::region::{Region, RegionKind};
use crate::chunk::sentence::{self, Lines};
use crate::content::Span;

/// Columns that a tab counts for in front of an item. Only the order of indentations matters.
const TAB: usize = 4;

/// Most terms that one definition is looked for below. Chosen.
const MAX_TERMS: usize = 4;

/// What stands above a block of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Context {
    /// The line that introduces the list.
    pub(super) lead_in: Option<Span>,
    /// The first lines of the items and the terms around the block, outermost first.
    pub(super) items: Vec<Span>,
}

/// A line to repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ContextLine {
    /// What is repeated; terms may be several lines.
    pub(super) span: Span,
    /// Whether it goes on in the source.
    pub(super) is_cut: bool,
}

impl ContextLine {
    /// What stands after it in the text of a piece.
    pub(super) fn ending(self) -> &'static str {
        if self.is_cut { " …\n" } else { "\n" }
    }
}

/// Finds the context of every block, and which lines stay with what follows. No tied line is longer than `max_chars`.
pub(super) fn find(text: &str, regions: &mut [Region], max_chars: usize) {
    tie(text, regions, max_chars);
    let mut around = Around::default();
    for region in regions {
        let span = region.span;
        let line = first_line(text, span);
        let indentation = indentation(line.slice(text));
        match &region.kind {
            RegionKind::Heading => around = Around::default(),
            RegionKind::Item if has_marker(line.slice(text)) => {
                region.context = around.open(indentation, line);
                region.label = Some(line);
            }
            RegionKind::Item if is_definition(line.slice(text)) => {
                region.context = around.enclosing(indentation + 1);
            }
            RegionKind::Item | RegionKind::Prose => {
                let term = terms(text, span);
                let is_inside = indentation > 0 && around.is_enclosing(indentation);
                if let Some(term) = term {
                    region.context = around.open(indentation, term);
                    region.label = Some(term);
                } else if is_inside {
                    region.context = around.enclosing(indentation);
                } else if matches!(region.kind, RegionKind::Item) {
                    // A term without words of its own.
                    region.context = around.open(indentation, line);
                    region.label = Some(line);
                } else {
                    around = Around { lead_in: lead_in_of(text, span, max_chars), items: Vec::new() };
                }
            }
            RegionKind::Table { .. } | RegionKind::Code { .. } if indentation > 0 => {
                region.context = around.enclosing(indentation);
            }
            // Readers that render lists write the code in an item at the start of the line, so the list may go on.
            RegionKind::Table { .. } | RegionKind::Code { .. } => {
                around.lead_in.take_if(|_| around.items.is_empty());
            }
        }
    }
}

/// The items and terms around the place.
#[derive(Default)]
struct Around {
    lead_in: Option<Span>,
    /// Outermost first, with their indentations.
    items: Vec<(usize, Span)>,
}

impl Around {
    /// Opens an item; gives what stands around it.
    fn open(&mut self, indentation: usize, label: Span) -> Context {
        let context = self.closed_from(indentation);
        self.items.push((indentation, label));
        context
    }

    /// What stands around something at `indentation` that belongs to an item, if there is such an item.
    fn enclosing(&mut self, indentation: usize) -> Context {
        let context = self.closed_from(indentation);
        if context.items.is_empty() { Context::default() } else { context }
    }

    fn is_enclosing(&self, indentation: usize) -> bool {
        self.items.first().is_some_and(|item| item.0 < indentation)
    }

    /// Closes the items at `indentation` and deeper; gives what stays open.
    fn closed_from(&mut self, indentation: usize) -> Context {
        while self.items.last().is_some_and(|item| item.0 >= indentation) {
            self.items.pop();
        }
        Context { lead_in: self.lead_in, items: self.items.iter().map(|item| item.1).collect() }
    }
}

/// The lines of `context`, and `own` below them, that have room for `max_chars` characters, line endings counted: the
/// innermost first, and no outer one without those inside. Items that take more than half of the room are cut short
/// when there is not enough of it, as `own` always is.
pub(super) fn fitting(
    text: &str,
    context: &Context,
    own: Option<Span>,
    max_chars: usize,
) -> Vec<ContextLine> {
    let chars = |span: Span| span.slice(text).chars().take(max_chars + 1).count() + 1;
    let items = || own.into_iter().chain(context.items.iter().rev().copied());
    let mut needed = 0_usize;
    let is_roomy = items().chain(context.lead_in).all(|span| {
        needed += chars(span);
        needed <= max_chars
    });
    let mut room = max_chars;
    let mut lines = Vec::new();
    for (at, span) in items().enumerate() {
        let is_whole = chars(span) <= max_chars / 2 || (is_roomy && !(at == 0 && own.is_some()));
        let line = match is_whole {
            true => Some(ContextLine { span, is_cut: false }),
            false => shortened(text, span, max_chars / 2),
        };
        let left = line.and_then(|line| room.checked_sub(chars(line.span) + 2 * usize::from(line.is_cut)));
        let (Some(line), Some(left)) = (line, left) else {
            lines.reverse();
            return lines;
        };
        room = left;
        lines.push(line);
    }
    let lead_in = context.lead_in.filter(|&span| chars(span) <= room);
    lines.extend(lead_in.map(|span| ContextLine { span, is_cut: false }));
    lines.reverse();
    lines
}

/// The first sentences of `line` that have room in `max_chars` characters, else its first words.
fn shortened(text: &str, line: Span, max_chars: usize) -> Option<ContextLine> {
    // A blank, the sign that it goes on, and the line ending.
    let room = max_chars.checked_sub(3)?;
    let limit = line.slice(text).char_indices().nth(room).map_or(line.end, |(at, _)| line.start + at);
    let sentence = cut::last_sentence_start(text, line.start, limit, Lines::Separate);
    let words = || {
        cut::last_spaced_word_start(text, line.start, limit)
            .or_else(|| cut::last_word_start(text, line.start, line.start, limit))
    };
    let label = |end: usize| {
        let label = text[line.start..end].trim_end();
        let has_words = label.contains(char::is_alphabetic) || label.contains(['`', '$', '#']);
        has_words.then(|| Span::new(line.start, line.start + label.len()))
    };
    let sentence = sentence.and_then(label).map(|span| ContextLine { span, is_cut: false });
    sentence.or_else(|| words().and_then(label).map(|span| ContextLine { span, is_cut: true }))
}

/// The terms at the start of `span` that a definition follows: the lines before one such as `: what it means`.
fn terms(text: &str, span: Span) -> Option<Span> {
    let mut end = span.start;
    for (at, line) in span.slice(text).split_inclusive('\n').take(MAX_TERMS + 1).enumerate() {
        if is_definition(line) {
            return (at > 0).then(|| {
                let terms = text[span.start..end].trim_end();
                Span::new(span.start, span.start + terms.len())
            });
        }
        end += line.len();
    }
    None
}

/// Whether `line` starts a definition.
fn is_definition(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '>']);
    line.strip_prefix(':').is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// Ties lines that introduce the block after them.
fn tie(text: &str, regions: &mut [Region], max_chars: usize) {
    for at in 1..regions.len() {
        let [before, region] = &mut regions[at - 1..=at] else { continue };
        if !matches!(before.kind, RegionKind::Prose) {
            continue;
        }
        let line = before.span.slice(text).trim_end();
        let introduces = match region.kind {
            RegionKind::Item | RegionKind::Code { .. } => is_lead_in(line),
            RegionKind::Table { .. } => is_lead_in(line) || is_caption(line),
            RegionKind::Heading | RegionKind::Prose => false,
        };
        let is_short = line.chars().take(max_chars + 1).count() <= max_chars;
        before.is_tied = introduces && is_short && !line.contains(['\n', '\r']);
    }
}

/// The last line of the paragraph at `span` if it introduces what follows, or its last sentence if the line is too long.
fn lead_in_of(text: &str, span: Span, max_chars: usize) -> Option<Span> {
    let paragraph = span.slice(text).trim_end();
    if !is_lead_in(paragraph) {
        return None;
    }
    let start = paragraph.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let line = &paragraph[start..];
    let start = match line.chars().take(max_chars).count() < max_chars {
        true => start,
        false => start + sentence::starts(line, Lines::Separate).last()?,
    };
    Some(Span::new(span.start + start, span.start + paragraph.len()))
}

/// Whether `text` ends with a colon, emphasis or not.
fn is_lead_in(text: &str) -> bool {
    text.trim_end_matches(['*', '_', ' ']).ends_with([':', '：'])
}

/// Whether `line` is the caption of a table: "Table 3. Results".
fn is_caption(line: &str) -> bool {
    const WORDS: &[&str] =
        &["table", "tab.", "tabelle", "tableau", "tabla", "tabela", "tabella", "таблица", "表"];
    let line = line.trim_start_matches([' ', '\t', '*', '_', '>', ':']).to_lowercase();
    WORDS.iter().any(|word| {
        let rest = line.strip_prefix(word).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(|ch: char| ch.is_numeric()))
    })
}

/// The first line at `span`, without blanks at its end.
fn first_line(text: &str, span: Span) -> Span {
    let line = span.slice(text).split(['\n', '\r']).next().unwrap_or_default();
    Span::new(span.start, span.start + line.trim_end().len())
}

/// Columns before the text of `line`; quotation marks count as blanks.
fn indentation(line: &str) -> usize {
    let blanks = line.chars().take_while(|ch| matches!(ch, ' ' | '\t' | '>'));
    blanks.map(|ch| if ch == '\t' { TAB } else { 1 }).sum()
}

/// Whether `line` starts with the marker of an item: `-`, `1.`, `(a)`.
fn has_marker(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '>']);
    if line.starts_with(['-', '*', '+', '•', '‣', '◦', '–', '—', '▪', '·']) {
        return true;
    }
    let rest = line.trim_start_matches('(').trim_start_matches(char::is_alphanumeric);
    rest.len() < line.len() && rest.starts_with(['.', ')'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_name_a_table_and_its_number() {
        let check = |line, expected| assert_eq!(is_caption(line), expected, "{line}");
        check("Table 1: Prices", true);
        check("**Tabelle 12.** Preise", true);
        check("表1 価格", true);
        check("Table of contents", false);
        check("Tables 1 and 2 differ.", false);
    }

    #[test]
    fn markers_start_items() {
        let check = |line, expected| assert_eq!(has_marker(line), expected, "{line}");
        check("  - a", true);
        check("12. a", true);
        check("> (b) a", true);
        check("text that goes on", false);
        check("", false);
    }
}
