//! OpenDocument spreadsheets (ODS).

use super::formulas;
use super::rows::Row;
use super::xlsx::{Sheet, without_values};
use crate::content::{Warning, WarningKind};
use crate::read::ReadError;
use crate::read::opendocument::{warn_of_objects, warn_of_page_lines};
use crate::read::package::{Element, Package};

/// Cells with text that are read of one workbook.
const MAX_CELLS: usize = 2_000_000;

/// How often a repeated row or cell with text is written; programs repeat what is empty up to the end of the sheet.
const MAX_REPEATS: usize = 1000;

/// Reads all sheets of a workbook.
pub(super) fn read(package: &mut Package<'_>, warnings: &mut Vec<Warning>) -> Result<Vec<Sheet>, ReadError> {
    let tree = package.required_tree("content.xml", warnings)?;
    warn_of_objects(&tree, warnings);
    let page_styles = package.tree("styles.xml", warnings);
    warn_of_page_lines(page_styles.as_ref(), warnings);
    let root = tree.root();
    let styles = root.and_then(|it| it.child("automatic-styles"));
    let hidden: Vec<&str> = styles
        .into_iter()
        .flat_map(|it| it.named("style"))
        .filter(|it| it.child("table-properties").and_then(|it| it.attr("display")) == Some("false"))
        .filter_map(|it| it.attr("name"))
        .collect();
    let body = root.and_then(|it| it.at_path(&["body", "spreadsheet"]));
    let mut n_cells_left = MAX_CELLS;
    let mut sheets = Vec::new();
    for table in body.into_iter().flat_map(|it| it.named("table")) {
        let mut sheet = Sheet {
            name: table.attr("name").unwrap_or_default().to_owned(),
            is_hidden: table.attr("style-name").is_some_and(|it| hidden.contains(&it)),
            ..Sheet::default()
        };
        let mut next = 1;
        rows(table, &mut sheet, &mut next, &mut n_cells_left);
        let n_without_value = table.descendants().filter(|it| is_without_value(*it)).count();
        if n_without_value > 0 {
            warnings.push(without_values(&sheet.name, n_without_value));
        }
        if n_cells_left == 0 {
            let message = format!(
                "sheet '{}': more than {MAX_CELLS} cells in the workbook, the rest is left out",
                sheet.name
            );
            warnings.push(Warning::new(WarningKind::Limit, message));
        }
        sheets.push(sheet);
    }
    Ok(sheets)
}

fn rows(parent: Element<'_>, sheet: &mut Sheet, next: &mut usize, n_cells_left: &mut usize) {
    for element in parent.elements() {
        match element.name() {
            "table-row" => {
                let repeats = repeats(element, "number-rows-repeated");
                let cells = cells(element, *next, &mut sheet.beside.notes);
                if !cells.is_empty() {
                    for at in 0..repeats.min(MAX_REPEATS) {
                        if cells.len() > *n_cells_left {
                            *n_cells_left = 0;
                            return;
                        }
                        *n_cells_left -= cells.len();
                        sheet.rows.push(Row { number: next.saturating_add(at), cells: cells.clone() });
                    }
                }
                *next = next.saturating_add(repeats);
            }
            "table-row-group" | "table-header-rows" | "table-rows" => {
                rows(element, sheet, next, n_cells_left);
            }
            _ => {}
        }
    }
}

fn repeats(element: Element<'_>, name: &str) -> usize {
    element.attr(name).and_then(|it| it.parse().ok()).unwrap_or(1).max(1)
}

fn cells(row: Element<'_>, number: usize, notes: &mut Vec<String>) -> Vec<(u32, String)> {
    let mut cells = Vec::new();
    let mut column = 0_u32;
    for cell in row.elements() {
        let repeats = repeats(cell, "number-columns-repeated");
        // A covered cell holds what was there before it was merged, which no program shows.
        if cell.name() == "table-cell" {
            let text = show(cell);
            if !text.is_empty() {
                for at in 0..u32::try_from(repeats.min(MAX_REPEATS)).unwrap_or(1) {
                    cells.push((column.saturating_add(at), text.clone()));
                }
            }
            if let Some(note) = cell.child("annotation") {
                let author = note.child("creator").map(|it| it.text()).filter(|it| !it.trim().is_empty());
                let of = author.map(|it| format!(" ({})", it.trim())).unwrap_or_default();
                let text: Vec<String> = note.named("p").map(|it| it.text()).collect();
                notes.push(format!("Comment{of} in row {number}: {}", one_line(&text.join(" "))));
            }
        }
        column = column.saturating_add(u32::try_from(repeats).unwrap_or(u32::MAX));
    }
    cells
}

/// Dates in ISO 8601, everything else as the cell shows it; the value where the file does not say how.
fn show(cell: Element<'_>) -> String {
    let text: Vec<String> = cell.named("p").map(paragraph).collect();
    let text = one_line(&text.join(" "));
    let value = |name: &str, text: String| cell.attr(name).map_or(text, one_line);
    match cell.attr("value-type") {
        Some("date") => value("date-value", text),
        Some("float") => value("value", text),
        Some(kind) if text.is_empty() => {
            let name = match kind {
                "percentage" | "currency" => "value",
                "boolean" => "boolean-value",
                "time" => "time-value",
                _ => "string-value",
            };
            value(name, text)
        }
        _ if text.is_empty() && is_without_value(cell) => formula(cell.attr("formula").unwrap_or_default()),
        _ => text,
    }
}

/// Whether the cell is a formula whose value was never stored.
fn is_without_value(cell: Element<'_>) -> bool {
    cell.name() == "table-cell"
        && cell.attr("formula").is_some()
        && cell.attr("value-type").is_none()
        && cell.child("p").is_none()
}

/// `of:=SUM([.B2:.B3])` as programs show it: `=SUM(B2:B3)`.
fn formula(written: &str) -> String {
    let formula = written.split_once('=').map_or(written, |it| it.1);
    let mut text = String::new();
    let mut is_reference = false;
    let mut before = ' ';
    for c in formula.chars() {
        match c {
            '[' => is_reference = true,
            ']' => is_reference = false,
            // Without a sheet before it.
            '.' if is_reference && matches!(before, '[' | ':') => {}
            _ => text.push(c),
        }
        before = c;
    }
    formulas::shown(&text)
}

/// The text of a paragraph, with the blanks that OpenDocument writes as elements.
fn paragraph(element: Element<'_>) -> String {
    crate::read::opendocument::inline_text(element)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_shown_without_their_brackets() {
        let check = |written: &str, expected: &str| assert_eq!(formula(written), expected);
        check("of:=SUM([.B2:.B3];1.5)", "=SUM(B2:B3;1.5)");
        check("of:=[$Data.A1]*2", "=$Data.A1*2");
        check("=A1", "=A1");
    }
}
