//! Records: rows of a table for layout, each a paragraph of lines that the head of the table labels.

use super::super::super::dom::{self, NodeRef, Traits};
use super::super::super::keep;
use super::{MAX_LABEL_BYTES, cells, is_named};

/// Most columns with a label.
const MAX_COLUMNS: usize = 50;

/// Most rows of a head. Chosen.
const MAX_HEAD_ROWS: usize = 4;

/// Most bytes that cells over several rows are repeated with in one table. Chosen: many times what real tables need.
const MAX_CARRIED_BYTES: usize = 100_000;

/// A table for layout whose head cells label the others. Its rows are written as records, the labelled cells as lines.
#[derive(Debug, Default)]
pub(in super::super) struct Layout<'a> {
    /// The rows of head cells, where there are some; else the head cell at the start of a row is its label.
    pub(super) heads: Vec<NodeRef<'a>>,
    /// The label of the row that waits for a cell.
    pub(super) row_label: String,
    /// For each column its head and whether a cell was labelled with it.
    pub(super) labels: Vec<(String, bool)>,
    /// For how many rows a cell from above goes on, for each column.
    pub(super) covered: Vec<usize>,
    /// The words of that cell, which stand in each of the rows, for its first column.
    pub(super) carried: Vec<String>,
    n_carried_bytes: usize,
    /// The columns of this row that are taken.
    is_taken: Vec<bool>,
    /// Whether the next cell is the first of its row.
    pub(super) is_row_start: bool,
    /// Whether a cell of a record is open, in which paragraphs are lines.
    pub(super) is_in_cell: bool,
    /// Where the label of the open cell ends in the line, as long as nothing follows it.
    pub(super) label_end: Option<usize>,
}

impl<'a> Layout<'a> {
    /// The head of `table`: rows of head cells with others below them. In `thead` they are all of it; elsewhere they are the
    /// first row, and those below it when it has cells that span rows or columns.
    pub(super) fn of(table: NodeRef<'a>, is_full_page: bool) -> Option<Self> {
        let rows = dom::descend(table, |it| is_named(it, |name| !matches!(name, "tr" | "table")))
            .take(1000)
            .filter(|it| is_named(*it, |name| name == "tr"));
        let is_in_head =
            |row: NodeRef<'_>| row.parent().is_some_and(|it| is_named(it, |name| name == "thead"));
        let (mut heads, mut labels, mut covered): (Vec<NodeRef<'_>>, Vec<String>, Vec<usize>) =
            Default::default();
        let (mut has_body, mut has_spans) = (false, false);
        for row in rows {
            let is_in_head = is_in_head(row);
            let is_next = is_in_head
                || (has_spans
                    && cells(row).next().is_some()
                    && cells(row).all(|it| is_named(it, |name| name == "th")));
            if heads.len() == MAX_HEAD_ROWS || (!heads.is_empty() && !is_next) {
                has_body = true;
                break;
            }
            let mut column = 0;
            for cell in cells(row) {
                let traits = dom::traits(&cell)?;
                let label = keep::kept_text(cell, is_full_page, MAX_LABEL_BYTES + 1);
                let is_head = traits.name == "th" || is_in_head || label.is_empty();
                if !is_head || label.len() > MAX_LABEL_BYTES {
                    return None;
                }
                while covered.get(column).is_some_and(|rows| *rows > heads.len()) {
                    column += 1;
                }
                let n_cols = traits.number("colspan").unwrap_or(1_usize).clamp(1, MAX_COLUMNS);
                let n_rows = traits.number("rowspan").unwrap_or(1_usize).clamp(1, MAX_HEAD_ROWS);
                has_spans |= heads.is_empty() && (n_cols > 1 || n_rows > 1);
                let end = column + n_cols;
                if end > MAX_COLUMNS {
                    return None;
                }
                labels.resize(labels.len().max(end), String::new());
                covered.resize(covered.len().max(end), 0);
                covered[column..end].fill(heads.len() + n_rows);
                for all in labels[column..end].iter_mut().filter(|_| !label.is_empty()) {
                    if !all.is_empty() {
                        all.push(' ');
                    }
                    all.push_str(&label);
                }
                column = end;
            }
            heads.push(row);
        }
        let n_cols = labels.len();
        let is_head = has_body && n_cols >= 2 && labels.iter().any(|it| !it.is_empty());
        is_head.then(|| Self {
            heads,
            labels: labels.into_iter().map(|label| (label, false)).collect(),
            covered: vec![0; n_cols],
            carried: vec![String::new(); n_cols],
            is_taken: vec![false; n_cols],
            ..Self::default()
        })
    }

    pub(super) fn start_row(&mut self) {
        self.is_row_start = true;
        for (covered, is_taken) in self.covered.iter_mut().zip(&mut self.is_taken) {
            *is_taken = *covered > 0;
            *covered -= usize::from(*is_taken);
        }
    }

    /// Places a cell in its row; gives its column.
    pub(super) fn take_cell(&mut self, traits: &Traits<'_>) -> Option<usize> {
        let column = self.is_taken.iter().position(|it| !it)?;
        let n_cols = traits.number("colspan").unwrap_or(1_usize).max(1);
        let n_rows = match traits.number("rowspan").unwrap_or(1) {
            0 => usize::MAX,
            n => n,
        };
        for at in (column..self.labels.len()).take(n_cols) {
            self.is_taken[at] = true;
            self.covered[at] = n_rows - 1;
            self.carried[at].clear();
        }
        Some(column)
    }

    /// The lines of cells from the rows above that go on in this one.
    pub(super) fn carried_lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for (at, words) in self.carried.iter().enumerate() {
            if !self.is_taken[at] || words.is_empty() {
                continue;
            }
            let line = labelled(&self.labels[at].0, words);
            self.n_carried_bytes += line.len();
            if self.n_carried_bytes > MAX_CARRIED_BYTES {
                break;
            }
            lines.push(line);
        }
        lines
    }
}

/// Words under a label.
pub(super) fn labelled(label: &str, words: &str) -> String {
    match label.trim_end_matches(':') {
        "" => words.to_owned(),
        label => format!("{label}: {words}"),
    }
}
