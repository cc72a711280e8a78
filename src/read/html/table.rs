//! Tables: from cells with spans to pipe rows.

/// Most columns that one cell may span. The standard allows 1,000, which lets a small page ask for a huge grid.
const MAX_COLSPAN: usize = 100;

/// Most cells of a table that is filled up to a full grid; larger ones keep short rows short.
const MAX_GRID_CELLS: usize = 200_000;

/// A table in the making.
#[derive(Debug, Default)]
pub(in crate::read) struct Table {
    head: Vec<Row>,
    body: Vec<Row>,
    foot: Vec<Row>,
    part: Part,
}

/// The part of a table that rows go to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::read) enum Part {
    Head,
    #[default]
    Body,
    Foot,
}

#[derive(Debug, Default)]
struct Row {
    cells: Vec<Cell>,
    ids: Vec<String>,
}

#[derive(Debug)]
struct Cell {
    text: String,
    n_cols: usize,
    n_rows: usize,
    is_head: bool,
}

/// A table as lines of text.
#[derive(Debug)]
pub(in crate::read) struct Lines {
    pub(in crate::read) rows: Vec<Line>,
    /// How many lines at the start are head rows and their delimiter row; 0 without a head.
    pub(in crate::read) n_head: usize,
}

/// One line of a table, and the ids met in it.
#[derive(Debug)]
pub(in crate::read) struct Line {
    pub(in crate::read) line: String,
    pub(in crate::read) ids: Vec<String>,
}

impl Table {
    /// Says which part the next rows belong to.
    pub(in crate::read) fn set_part(&mut self, part: Part) {
        self.part = part;
    }

    /// Starts a row.
    pub(in crate::read) fn push_row(&mut self) {
        self.rows().push(Row::default());
    }

    /// Adds a cell to the last row; a text is shown once however many rows and columns it spans.
    pub(in crate::read) fn push_cell(&mut self, text: String, n_cols: usize, n_rows: usize, is_head: bool) {
        let rows = self.rows();
        if rows.is_empty() {
            rows.push(Row::default());
        }
        if let Some(row) = rows.last_mut() {
            let n_cols = n_cols.clamp(1, MAX_COLSPAN);
            row.cells.push(Cell { text: text.replace('\n', " "), n_cols, n_rows, is_head });
        }
    }

    /// Gives the last row the ids that were met in it.
    pub(in crate::read) fn push_ids(&mut self, ids: Vec<String>) {
        if let Some(row) = self.rows().last_mut() {
            row.ids.extend(ids);
        }
    }

    fn rows(&mut self) -> &mut Vec<Row> {
        match self.part {
            Part::Head => &mut self.head,
            Part::Body => &mut self.body,
            Part::Foot => &mut self.foot,
        }
    }

    /// Lays the cells out as pipe rows: head, delimiter row, body, foot. Rows without text are left out.
    pub(in crate::read) fn into_lines(mut self) -> Lines {
        let is_empty = |row: &Row| row.cells.iter().all(|it| it.text.is_empty());
        // Without `thead`, a first row of `th` cells is the head.
        if self.head.iter().all(is_empty) && self.body.len() + self.foot.len() > 1 {
            let is_head = self.body.first().is_some_and(|row| {
                !is_empty(row) && row.cells.iter().all(|it| it.is_head || it.text.is_empty())
            });
            if is_head {
                self.head = vec![self.body.remove(0)];
            }
        }
        let n_head_rows = self.head.iter().filter(|row| !is_empty(row)).count();
        let grid = Grid::of([self.head, self.body, self.foot]);
        let mut rows = Vec::with_capacity(grid.rows.len() + 1);
        for (cells, ids) in grid.rows {
            if cells.iter().all(String::is_empty) {
                continue;
            }
            let n_missing = if grid.is_filled { grid.n_cols.saturating_sub(cells.len()) } else { 0 };
            let line = pipe_row(cells.iter().map(String::as_str).chain(std::iter::repeat_n("", n_missing)));
            rows.push(Line { line, ids });
            if rows.len() == n_head_rows {
                let line = pipe_row(std::iter::repeat_n("---", grid.n_cols));
                rows.push(Line { line, ids: Vec::new() });
            }
        }
        let n_head = if n_head_rows > 0 { n_head_rows + 1 } else { 0 };
        Lines { rows, n_head }
    }
}

/// Ends a paragraph in the text of a cell; a line feed only breaks a line.
pub(in crate::read) const PARAGRAPH_END: char = '\u{2029}';

/// The paragraphs of a cell, each ended by [`PARAGRAPH_END`], on one line without soft hyphens: `one; two`.
pub(in crate::read) fn one_line(cell: &str) -> String {
    let cell = cell.replace('\u{AD}', "");
    let mut line = String::with_capacity(cell.len());
    for paragraph in cell.split(PARAGRAPH_END) {
        for (at, word) in paragraph.split_whitespace().enumerate() {
            if at == 0 && ends_open(&line) {
                line.push(';');
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    line
}

/// Whether a sign is needed to set a paragraph apart from the text before it in its cell.
fn ends_open(text: &str) -> bool {
    const SIGNS: &str = ".,;:!?…。、，；：！？·•–—-/([{<";
    text.chars().next_back().is_some_and(|last| !SIGNS.contains(last))
}

fn pipe_row<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let mut line = String::from("|");
    for cell in cells {
        line.push(' ');
        line.push_str(&escape_bars(cell));
        if !cell.is_empty() {
            line.push(' ');
        }
        line.push('|');
    }
    line
}

/// A bar inside a cell must not end it (GFM, example 200).
fn escape_bars(cell: &str) -> std::borrow::Cow<'_, str> {
    if cell.contains('|') { cell.replace('|', "\\|").into() } else { cell.into() }
}

/// Cells at their columns.
struct Grid {
    rows: Vec<(Vec<String>, Vec<String>)>,
    n_cols: usize,
    is_filled: bool,
}

impl Grid {
    fn of(parts: [Vec<Row>; 3]) -> Self {
        let n_cells: usize = parts.iter().flatten().flat_map(|row| &row.cells).map(|it| it.n_cols).sum();
        let n_rows: usize = parts.iter().map(Vec::len).sum();
        let widest =
            parts.iter().flatten().map(|row| row.cells.iter().map(|it| it.n_cols).sum::<usize>()).max();
        let is_filled =
            n_cells <= MAX_GRID_CELLS && n_rows.saturating_mul(widest.unwrap_or_default()) <= MAX_GRID_CELLS;
        let mut grid = Self { rows: Vec::with_capacity(n_rows), n_cols: 0, is_filled };
        for rows in parts {
            // Row spans end with their part. `covered[column]` is for how many more rows a cell from above reaches down.
            let mut covered: Vec<usize> = Vec::new();
            for row in rows {
                let mut cells: Vec<String> = Vec::new();
                for cell in row.cells {
                    if is_filled {
                        skip_covered(&mut covered, &mut cells);
                    }
                    let column = cells.len();
                    cells.push(cell.text);
                    if is_filled {
                        cells.extend(std::iter::repeat_n(String::new(), cell.n_cols - 1));
                        if covered.len() < cells.len() {
                            covered.resize(cells.len(), 0);
                        }
                        for below in &mut covered[column..cells.len()] {
                            // 0 means down to the end of the part.
                            *below = if cell.n_rows == 0 { usize::MAX } else { cell.n_rows - 1 };
                        }
                    }
                }
                if is_filled {
                    skip_covered(&mut covered, &mut cells);
                    let n_cells = cells.len();
                    for below in covered.iter_mut().skip(n_cells) {
                        *below = below.saturating_sub(1);
                    }
                }
                grid.n_cols = grid.n_cols.max(cells.len());
                grid.rows.push((cells, row.ids));
            }
        }
        grid
    }
}

/// Moves past the columns that cells from the rows above cover.
fn skip_covered(covered: &mut [usize], cells: &mut Vec<String>) {
    while let Some(below) = covered.get_mut(cells.len()).filter(|it| **it > 0) {
        *below = below.saturating_sub(usize::from(*below != usize::MAX));
        cells.push(String::new());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of cells written as `text`, `text/columns` or `text/columns/rows`; `!` marks a head cell.
    fn check(rows: &[&[&str]], expected: &[&str], n_head: usize) {
        let mut table = Table::default();
        for row in rows {
            table.push_row();
            for cell in *row {
                let mut parts = cell.split('/');
                let text = parts.next().unwrap();
                let mut number = || parts.next().map_or(1, |it| it.parse().unwrap());
                let (n_cols, n_rows) = (number(), number());
                let is_head = text.starts_with('!');
                table.push_cell(text.trim_start_matches('!').to_owned(), n_cols, n_rows, is_head);
            }
        }
        let lines = table.into_lines();
        let found: Vec<_> = lines.rows.iter().map(|it| it.line.as_str()).collect();
        assert_eq!(found, expected);
        assert_eq!(lines.n_head, n_head);
    }

    #[test]
    fn a_first_row_of_head_cells_is_the_head() {
        check(&[&["!A", "!B"], &["1", "2"]], &["| A | B |", "| --- | --- |", "| 1 | 2 |"], 2);
        check(&[&["", "!B"], &["!1", "2"]], &["| | B |", "| --- | --- |", "| 1 | 2 |"], 2);
        check(&[&["!k", "v"], &["!l", "w"]], &["| k | v |", "| l | w |"], 0);
        check(&[&["!A", "!B"]], &["| A | B |"], 0);
    }

    #[test]
    fn spanning_cells_stand_once() {
        check(&[&["a/1/2", "b"], &["c"], &["d", "e"]], &["| a | b |", "| | c |", "| d | e |"], 0);
        check(&[&["a/2"], &["b", "c"]], &["| a | |", "| b | c |"], 0);
        check(&[&["a", "b/1/0"], &["c"], &["d"]], &["| a | b |", "| c | |", "| d | |"], 0);
        check(&[&["a/2/2", "b"], &["c"]], &["| a | | b |", "| | | c |"], 0);
    }

    #[test]
    fn short_and_empty_rows_are_filled_and_left_out() {
        check(&[&["a", "b"], &["c"], &["", ""]], &["| a | b |", "| c | |"], 0);
    }

    #[test]
    fn paragraphs_of_a_cell_are_kept_apart() {
        let check =
            |cell: &str, expected: &str| assert_eq!(one_line(&cell.replace('¶', "\u{2029}")), expected);
        check("one¶two¶", "one; two");
        check("¶ a \n b\u{AD}c¶¶Well.¶So: ¶x¶(y)", "a bc; Well. So: x; (y)");
        check("¶", "");
    }

    #[test]
    fn huge_spans_stay_small() {
        let row: &[&str] = &["x/100000/65534"];
        let rows = vec![row; 3000];
        let mut table = Table::default();
        for _ in rows {
            table.push_row();
            table.push_cell("x".into(), 100_000, 65_534, false);
        }
        let n_bytes: usize = table.into_lines().rows.iter().map(|it| it.line.len()).sum();
        assert!(n_bytes < 3000 * 10);
    }
}
