//! Rows of cells to written tables.
//!
//! Shared by workbooks and delimited text. A sheet falls into regions at its blank rows; each is a table whose first row is
//! the head, and lines of one cell above it are paragraphs. Columns without any text are left out.

use std::collections::BTreeSet;

use crate::read::rendered::{Part, Reach, Table, Writer};

/// Cells of a table that is filled up to a full grid; sparse ones beyond that keep their rows short.
const MAX_GRID_CELLS: usize = 4_000_000;

/// A row of a sheet with its cells that hold text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    /// 1-based, as the program numbers it.
    pub(super) number: usize,
    /// 0-based columns, rising, and texts that are not empty.
    pub(super) cells: Vec<(u32, String)>,
}

/// What a blank row means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlankRows {
    /// A new table starts after it.
    Separate,
    /// Nothing.
    Skipped,
}

/// Writes `rows` as tables and paragraphs. Row numbers are noted as ids of the writer's anchors.
pub(super) fn write(writer: &mut Writer, rows: Vec<Row>, blank_rows: BlankRows) {
    let mut region: Vec<Row> = Vec::new();
    for row in rows {
        if row.cells.is_empty() {
            continue;
        }
        let is_apart = region.last().is_some_and(|last| row.number > last.number.saturating_add(1));
        if is_apart && blank_rows == BlankRows::Separate {
            write_region(writer, std::mem::take(&mut region));
        }
        region.push(row);
    }
    write_region(writer, region);
}

fn write_region(writer: &mut Writer, rows: Vec<Row>) {
    // Lines above the table: titles, notes.
    let is_line = |row: &Row| row.cells.len() == 1;
    let widest = rows.iter().map(|it| it.cells.len()).max().unwrap_or_default();
    let n_lines = match widest {
        0 | 1 if rows.len() <= 1 => rows.len(),
        0 | 1 => 0,
        _ => rows.iter().take_while(|row| is_line(row)).count(),
    };
    let mut rows = rows.into_iter();
    for row in rows.by_ref().take(n_lines) {
        let text: Vec<String> = row.cells.into_iter().map(|(_, text)| text).collect();
        writer.note_id(&row.number.to_string(), Reach::Block);
        writer.paragraph(&text.join(" "));
    }
    let rows: Vec<Row> = rows.collect();
    let columns: BTreeSet<u32> = rows.iter().flat_map(|row| row.cells.iter().map(|cell| cell.0)).collect();
    let columns: Vec<u32> = columns.into_iter().collect();
    let n_cells: usize = rows.iter().map(|it| it.cells.len()).sum();
    let n_grid = rows.len().saturating_mul(columns.len());
    let is_filled = n_grid <= MAX_GRID_CELLS || n_grid <= n_cells.saturating_mul(4);
    let n_rows = rows.len();
    let mut table = Table::default();
    for (at, row) in rows.into_iter().enumerate() {
        table.set_part(if at == 0 && n_rows > 1 { Part::Head } else { Part::Body });
        table.push_row();
        let mut next = 0;
        for (column, text) in row.cells {
            let at = columns.partition_point(|it| *it < column);
            while is_filled && next < at {
                table.push_cell(String::new(), 1, 1, false);
                next += 1;
            }
            table.push_cell(text, 1, 1, false);
            next += 1;
        }
        while is_filled && next < columns.len() {
            table.push_cell(String::new(), 1, 1, false);
            next += 1;
        }
        table.push_ids(vec![row.number.to_string()]);
    }
    writer.table(table);
}

/// The noted row numbers with their places in the text.
pub(super) fn numbers(writer: &Writer) -> impl Iterator<Item = (usize, usize)> {
    writer.anchors.iter().filter_map(|(at, id)| Some((*at, id.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as strings of cells apart by commas; row numbers count from 1, so that an empty string is a blank row.
    fn check(rows: &[&str], blank_rows: BlankRows, expected: &str) {
        let rows = rows.iter().enumerate().map(|(at, row)| {
            let cells = row.split(',').enumerate().filter(|(_, text)| !text.is_empty());
            Row {
                number: at + 1,
                cells: cells.map(|(column, text)| (column as u32, text.to_owned())).collect(),
            }
        });
        let mut writer = Writer::default();
        write(&mut writer, rows.collect(), blank_rows);
        assert_eq!(writer.text, expected);
    }

    #[test]
    fn blank_rows_separate_tables_and_lines_above_are_paragraphs() {
        check(
            &["Report", "", ",a,b", ",1,2", "", "", "x,,y", ",,z"],
            BlankRows::Separate,
            "Report\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n| x | y |\n| --- | --- |\n| | z |",
        );
        check(
            &["Report", "a,b", "1,2"],
            BlankRows::Separate,
            "Report\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
        );
        check(&["a,b", "", "1,2"], BlankRows::Skipped, "| a | b |\n| --- | --- |\n| 1 | 2 |");
        check(&["name", "x", "y"], BlankRows::Skipped, "| name |\n| --- |\n| x |\n| y |");
        check(&["a,b"], BlankRows::Separate, "| a | b |");
        check(&[], BlankRows::Separate, "");
    }
}
