//! Rows of a table that belong to a label further up.
//!
//! A cell that spans several rows ("Team 1" beside thirty members) is written once; the rows below it start with an empty cell,
//! and a piece that begins among them does not say whose they are. The text does not say either whether a cell is empty
//! because of a span, so a leading column counts as one of labels only when it looks like one all the way down:
//!
//! - its first row has a label, and no label comes twice (a column of titles or grades repeats its values);
//! - at least two labels have rows without one below them, and these labels are half of all at least, or there are as many rows
//!   without a label as labels; or there is one label, above all other rows;
//! - for a further column the same, each group of the column before it on its own.
//!
//! The last row of a table gets no label: without one it may be the sum of all.

use std::collections::HashSet;

use crate::content::Span;

/// Most columns of labels. Chosen: tables for people seldom have more than two.
const MAX_COLUMNS: usize = 3;

/// The labels of a table, by column.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// For each leading column with labels: where the rows start that have one, and the label.
    columns: Vec<Vec<(usize, Span)>>,
    /// Where the last row starts.
    last_row: usize,
}

/// A label that an empty cell goes without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Missing {
    /// The blanks of the cell.
    pub(super) cell: Span,
    /// The label.
    pub(super) label: Span,
}

impl Groups {
    /// Finds the labels of the rows at `body`, which starts at a row. Linear in the text.
    pub(super) fn find(text: &str, body: Span) -> Self {
        let mut rows = Vec::new();
        let mut start = body.start;
        for line in body.slice(text).split_inclusive('\n') {
            let row_start = start;
            start += line.len();
            if line.trim().is_empty() {
                continue;
            }
            match Row::read(text, Span::new(row_start, start)) {
                Some(row) => rows.push((row_start, row)),
                None => return Self::default(),
            }
        }
        let columns = (0..MAX_COLUMNS).map_while(|column| labels(text, &rows, column)).collect();
        Self { columns, last_row: rows.last().map_or(body.start, |last| last.0) }
    }

    /// The labels that the row at `start` goes without; none when a row does not start there.
    pub(super) fn missing(&self, text: &str, start: usize, end: usize) -> Vec<Missing> {
        if self.columns.is_empty() || start >= self.last_row {
            return Vec::new();
        }
        let line = text[start..end].split_inclusive('\n').next().unwrap_or_default();
        let Some(row) = Row::read(text, Span::new(start, start + line.len())) else { return Vec::new() };
        let mut group = 0;
        let cells = row.cells.iter().take(row.n_empty(text)).zip(&self.columns);
        let missing = cells.map_while(|(&cell, column)| {
            let above = column.partition_point(|label| label.0 < start).checked_sub(1)?;
            let (row_start, label) = column[above];
            // A label of the group before says nothing.
            if row_start < group {
                return None;
            }
            group = row_start;
            Some(Missing { cell, label })
        });
        missing.collect()
    }
}

/// The first cells of a row.
struct Row {
    cells: Vec<Span>,
    /// Whether something stands in the cells after them.
    has_more: bool,
}

impl Row {
    /// Reads a row that starts with a bar.
    fn read(text: &str, line: Span) -> Option<Self> {
        let content = line.slice(text);
        let bar = content.find(|ch| !matches!(ch, ' ' | '\t' | '>'))?;
        if !content[bar..].starts_with('|') {
            return None;
        }
        let mut cells = Vec::new();
        let (mut start, mut is_escaped) = (bar + 1, false);
        for (at, byte) in content.bytes().enumerate().skip(bar + 1) {
            if byte == b'|' && !is_escaped {
                cells.push(Span::new(line.start + start, line.start + at));
                start = at + 1;
                if cells.len() == MAX_COLUMNS {
                    break;
                }
            }
            is_escaped = byte == b'\\' && !is_escaped;
        }
        let has_more = content[start..].contains(|ch: char| ch != '|' && !ch.is_whitespace());
        Some(Self { cells, has_more })
    }

    /// How many cells at the start are empty; 0 when all of the row is.
    fn n_empty(&self, text: &str) -> usize {
        let n_empty = self.cells.iter().take_while(|cell| is_blank(text, **cell)).count();
        if n_empty < self.cells.len() || self.has_more { n_empty } else { 0 }
    }
}

fn is_blank(text: &str, cell: Span) -> bool {
    cell.slice(text).trim().is_empty()
}

/// The labels in `column`, if it is one of labels.
fn labels(text: &str, rows: &[(usize, Row)], column: usize) -> Option<Vec<(usize, Span)>> {
    let mut labels = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    let (mut n_groups, mut n_without) = (0, 0);
    // How many rows without a label have followed the last one; `None` before there is one.
    let mut n_below: Option<usize> = None;
    for (start, row) in rows {
        let n_empty = row.n_empty(text);
        if n_empty > column {
            match &mut n_below {
                Some(n_below) => {
                    n_groups += usize::from(*n_below == 0);
                    *n_below += 1;
                    n_without += 1;
                }
                None if column == 0 => return None,
                None => {}
            }
            continue;
        }
        if n_empty < column {
            // Another group of the column before.
            known.clear();
            n_below = None;
        }
        let Some(&cell) = row.cells.get(column).filter(|cell| !is_blank(text, **cell)) else { continue };
        let blanks = cell.slice(text).len() - cell.slice(text).trim_start().len();
        let label = cell.slice(text).trim();
        if !known.insert(label) {
            return None;
        }
        let label_start = cell.start + blanks;
        labels.push((*start, Span::new(label_start, label_start + label.len())));
        n_below = Some(0);
    }
    let is_usual = n_groups >= 2 && (2 * n_groups >= labels.len() || n_without >= labels.len());
    let is_single = labels.len() == 1 && n_without >= 2;
    (is_usual || is_single).then_some(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the labels of each row that goes without some, as `row number: labels`.
    #[track_caller]
    fn check(rows: &[&str], expected: &[&str]) {
        let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
        let groups = Groups::find(&text, Span::new(0, text.len()));
        let mut found = Vec::new();
        let mut start = 0;
        for (number, row) in rows.iter().enumerate() {
            let missing = groups.missing(&text, start, text.len());
            start += row.len() + 1;
            if !missing.is_empty() {
                assert!(missing.iter().all(|it| is_blank(&text, it.cell)));
                let labels: Vec<_> = missing.iter().map(|it| it.label.slice(&text)).collect();
                found.push(format!("{number}: {}", labels.join(", ")));
            }
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn rows_below_a_spanning_cell_have_its_label() {
        check(
            &["| a | 1 |", "| | 2 |", "| | 3 |", "| b\\| | 4 |", "|  | 5 |", "| | 6 |"],
            &["1: a", "2: a", "4: b\\|"],
        );
        check(&["> | a | 1 |", "> || 2 |", "> | b | 3 |", "> | | 4 |", "> | c | 5 |"], &["1: a", "3: b"]);
        check(&["| all | 1 |", "| | 2 |", "| | 3 |", "| | 4 |"], &["1: all", "2: all"]);
    }

    #[test]
    fn groups_within_groups_have_both_labels() {
        let rows = [
            "| a | x | 1 |",
            "| | | 2 |",
            "| | y | 3 |",
            "| | | 4 |",
            "| b | x | 5 |",
            "| | | 6 |",
            "| | z | 7 |",
            "| c | | 8 |",
            "| | | 9 |",
            "| | | 10 |",
        ];
        check(&rows, &["1: a, x", "2: a", "3: a, y", "5: b, x", "6: b", "8: c"]);
    }

    #[test]
    fn values_that_are_missing_are_no_groups() {
        // One hole, few holes, a column that repeats its values, a first row without one, rows without outer bars.
        check(&["| a | 1 |", "| | 2 |", "| b | 3 |", "| c | 4 |"], &[]);
        check(&["| a | 1 |", "| | 2 |", "| b | 3 |", "| | 4 |", "| c | 5 |", "| d | 6 |", "| e | 7 |"], &[]);
        check(&["| Dr. | A |", "| | B |", "| Prof. | C |", "| | D |", "| Dr. | E |", "| | F |"], &[]);
        check(&["| | 1 |", "| a | 2 |", "| | 3 |", "| b | 4 |", "| | 5 |", "| c | 6 |"], &[]);
        check(&["a | 1", " | 2", "b | 3", " | 4", "c | 5"], &[]);
        check(&["| a | 1 |", "| b | 2 |"], &[]);
    }
}
