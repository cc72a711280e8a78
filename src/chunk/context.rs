//! What lists and tables need from the lines above them.
//!
//! An item in the middle of a list means little without the line that introduces the list ("Never do this:") and the items
//! that it is nested in. Such lines are found here, to be repeated above later pieces, and are tied to what follows, as a
//! caption is to its table.

use crate::chunk::region::{Region, RegionKind};
use crate::chunk::sentence;
use crate::content::Span;

/// Columns that a tab counts for in front of an item. Only the order of indentations matters.
const TAB: usize = 4;

/// Finds the context of every item, and which lines stay with what follows. No context and no tied line is longer than
/// `max_chars`.
pub(super) fn find(text: &str, regions: &mut [Region], max_chars: usize) {
    tie(text, regions, max_chars);
    // The items around the place, outermost first, with their indentations and first lines.
    let mut open: Vec<(usize, Span)> = Vec::new();
    let mut lead_in = None;
    for region in regions {
        let span = region.span;
        let line = first_line(text, span);
        let indentation = indentation(line.slice(text));
        match &mut region.kind {
            RegionKind::Item { context } => {
                while open.last().is_some_and(|item| item.0 >= indentation) {
                    open.pop();
                }
                let around = open.iter().rev().map(|item| item.1).chain(lead_in);
                *context = fitting(text, around, max_chars);
                if has_marker(line.slice(text)) {
                    open.push((indentation, line));
                }
            }
            // Something inside an item.
            _ if indentation > 0 && !open.is_empty() => {}
            RegionKind::Prose => {
                open.clear();
                lead_in = lead_in_of(text, span, max_chars);
            }
            _ => {
                open.clear();
                lead_in = None;
            }
        }
    }
}

/// The first of `lines` that have room together, each with a line ending; in reverse order.
fn fitting(text: &str, lines: impl Iterator<Item = Span>, max_chars: usize) -> Vec<Span> {
    let mut room = max_chars;
    let mut fitting: Vec<Span> = lines
        .map_while(|line| {
            room = room.checked_sub(line.slice(text).chars().take(room + 1).count() + 1)?;
            Some(line)
        })
        .collect();
    fitting.reverse();
    fitting
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
            RegionKind::Item { .. } | RegionKind::Code { .. } => is_lead_in(line),
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
        false => start + sentence::starts(line, sentence::Lines::Separate).last()?,
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
