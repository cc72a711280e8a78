//! Excel workbooks (XLSX, ECMA-376 part 1, SpreadsheetML).
//!
//! Sheets are read event by event, since a sheet of a million cells is common. Cells show their cached values: shared and
//! inline strings, numbers with the leading zeros and words of their formats (`P-0042`, `5 days`) but without groups of thousands,
//! rounding and signs of currencies, dates in ISO 8601, truth values; formulas whose values were never stored show themselves.

use std::collections::HashMap;

use super::dates::{Epoch, Shape};
use super::drawings::{self, Beside};
use super::events::{Piece, attribute, each_event};
use super::formulas;
use super::page_lines::of_codes;
use super::rows::Row;
use crate::content::{Warning, WarningKind};
use crate::read::ReadError;
use crate::read::package::{Package, Relations, Tree, decode_xml};
use crate::read::page_lines;

/// Cells with text that are read of one workbook; a full sheet of Excel has 2^34.
const MAX_CELLS: usize = 2_000_000;

/// A sheet as read.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) name: String,
    pub(super) is_hidden: bool,
    pub(super) rows: Vec<Row>,
    /// Comments, text boxes, charts.
    pub(super) beside: Beside,
}

/// Reads all sheets of a workbook.
pub(super) fn read(package: &mut Package<'_>, warnings: &mut Vec<Warning>) -> Result<Vec<Sheet>, ReadError> {
    let main = package.relations("", warnings).first("officeDocument").map(str::to_owned);
    let main = main.filter(|it| package.has(it)).unwrap_or_else(|| "xl/workbook.xml".to_owned());
    let tree = package.required_tree(&main, warnings)?;
    let relations = package.relations(&main, warnings);
    let root = tree.root();
    let is_on = |value: &str| matches!(value, "1" | "true" | "on");
    let date_1904 = root.and_then(|it| it.child("workbookPr")).and_then(|it| it.attr("date1904"));
    let epoch = if date_1904.is_some_and(is_on) { Epoch::Of1904 } else { Epoch::Of1900 };
    let shapes = shapes(package, &relations, warnings);
    let strings = shared_strings(package, &relations, warnings)?;
    let n_shared_bytes_left = formulas::MAX_SHARED_BYTES;
    let page_lines = Vec::new();
    let mut context =
        Context { epoch, shapes, strings, n_cells_left: MAX_CELLS, n_shared_bytes_left, page_lines };
    let mut sheets = Vec::new();
    for sheet in root.and_then(|it| it.child("sheets")).into_iter().flat_map(|it| it.named("sheet")) {
        let name = sheet.attr("name").unwrap_or_default().to_owned();
        let is_hidden = matches!(sheet.attr("state"), Some("hidden" | "veryHidden"));
        let Some(part) = sheet.prefixed_attr("id").and_then(|id| relations.part(id)) else { continue };
        let rows = match package.part(part, warnings) {
            Ok(Some(bytes)) => context.rows(&bytes, &name, warnings),
            Ok(None) => {
                let message = format!("sheet '{name}' is missing from the archive");
                warnings.push(Warning::new(WarningKind::Damaged, message));
                continue;
            }
            Err(error) => {
                let message = format!("sheet '{name}' left out: {error}");
                warnings.push(Warning::new(WarningKind::Limit, message));
                continue;
            }
        };
        let beside = drawings::read(package, part, warnings);
        sheets.push(Sheet { name, is_hidden, rows, beside });
    }
    page_lines::warn(context.page_lines, warnings);
    Ok(sheets)
}

/// How each cell format shows numbers.
fn shapes(package: &mut Package<'_>, relations: &Relations, warnings: &mut Vec<Warning>) -> Vec<Shape> {
    let Some(part) = relations.first("styles") else { return Vec::new() };
    let tree = package.tree(part, warnings);
    let Some(root) = tree.as_ref().and_then(Tree::root) else { return Vec::new() };
    let codes: HashMap<&str, Shape> = root
        .child("numFmts")
        .into_iter()
        .flat_map(|it| it.named("numFmt"))
        .filter_map(|it| Some((it.attr("numFmtId")?, Shape::of_code(it.attr("formatCode")?))))
        .collect();
    let shape =
        |id: &str| codes.get(id).cloned().unwrap_or_else(|| Shape::of_builtin(id.parse().unwrap_or(0)));
    let formats = root.child("cellXfs").into_iter().flat_map(|it| it.named("xf"));
    formats.map(|it| it.attr("numFmtId").map_or(Shape::Number, shape)).collect()
}

/// The strings that cells refer to by number.
fn shared_strings(
    package: &mut Package<'_>,
    relations: &Relations,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<String>, ReadError> {
    let part = relations.first("sharedStrings").unwrap_or("xl/sharedStrings.xml").to_owned();
    let Some(bytes) = package.part(&part, warnings)? else { return Ok(Vec::new()) };
    let text = decode_xml(&bytes);
    let mut strings: Vec<String> = Vec::new();
    let mut state = Text::default();
    let outcome = each_event(&text, |event| match event {
        Piece::Start(name, _) => {
            if name == "si" {
                strings.push(String::new());
            }
            state.start(name);
        }
        Piece::End(name) => state.end(name),
        Piece::Text(text) => {
            if let Some(string) = strings.last_mut().filter(|_| state.is_shown()) {
                string.push_str(text);
            }
        }
    });
    warn_of(outcome, "shared strings", warnings);
    Ok(strings)
}

/// Where in a string item the reader is: only `t` outside phonetic runs is shown.
#[derive(Debug, Default)]
struct Text {
    is_in_t: bool,
    is_phonetic: bool,
}

impl Text {
    fn start(&mut self, name: &str) {
        match name {
            "t" => self.is_in_t = true,
            "rPh" => self.is_phonetic = true,
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.is_in_t = false,
            "rPh" => self.is_phonetic = false,
            _ => {}
        }
    }

    fn is_shown(&self) -> bool {
        self.is_in_t && !self.is_phonetic
    }
}

#[derive(Debug)]
struct Context {
    epoch: Epoch,
    shapes: Vec<Shape>,
    strings: Vec<String>,
    n_cells_left: usize,
    n_shared_bytes_left: usize,
    /// What the headers and footers of the sheets print.
    page_lines: Vec<String>,
}

/// A cell in the making.
#[derive(Debug, Default)]
struct Cell {
    column: u32,
    kind: String,
    style: usize,
    has_value: bool,
    value: String,
    inline: String,
    has_formula: bool,
    formula: String,
    /// The number of a formula that cells share.
    shared: Option<String>,
}

impl Cell {
    /// Whether the cell is a formula whose value was never stored; an empty text is a value.
    fn is_without_value(&self) -> bool {
        let is_text = matches!(self.kind.as_str(), "str" | "s" | "inlineStr");
        self.has_formula
            && self.inline.is_empty()
            && (!self.has_value || (!is_text && self.value.trim().is_empty()))
    }
}

/// A formula that other cells share, and where it stands.
#[derive(Debug)]
struct Shared {
    formula: String,
    row: usize,
    column: u32,
}

impl Context {
    fn rows(&mut self, bytes: &[u8], name: &str, warnings: &mut Vec<Warning>) -> Vec<Row> {
        let text = decode_xml(bytes);
        let mut rows: Vec<Row> = Vec::new();
        let mut row = Row::default();
        let mut cell = Cell::default();
        let (mut next_row, mut next_column) = (1, 0);
        let (mut is_value, mut is_cell, mut is_cut, mut is_formula) = (false, false, false, false);
        let mut shared: HashMap<String, Shared> = HashMap::new();
        let mut n_without_value = 0_usize;
        let mut state = Text::default();
        let mut codes: Option<String> = None;
        let outcome = each_event(&text, |event| match event {
            Piece::Start("row", start) => {
                let number = attribute(start, "r").and_then(|it| it.parse().ok()).unwrap_or(next_row);
                row = Row { number, cells: Vec::new() };
                next_row = number.saturating_add(1);
                next_column = 0;
            }
            Piece::Start("c", start) => {
                let place = attribute(start, "r").and_then(|it| column_of(&it));
                cell = Cell {
                    column: place.unwrap_or(next_column),
                    kind: attribute(start, "t").unwrap_or_default(),
                    style: attribute(start, "s").and_then(|it| it.parse().ok()).unwrap_or(0),
                    ..Cell::default()
                };
                next_column = cell.column.saturating_add(1);
                is_cell = true;
            }
            Piece::Start("v", _) => {
                is_value = true;
                cell.has_value = true;
            }
            Piece::Start("f", start) => {
                is_formula = true;
                cell.has_formula = true;
                let is_shared = attribute(start, "t").as_deref() == Some("shared");
                cell.shared = if is_shared { attribute(start, "si") } else { None };
            }
            Piece::End("f") => {
                is_formula = false;
                if let Some(id) = cell.shared.clone().filter(|_| !cell.formula.is_empty()) {
                    let formula = cell.formula.chars().take(formulas::MAX_CHARS).collect();
                    shared.insert(id, Shared { formula, row: row.number, column: cell.column });
                }
            }
            Piece::Start(name, _) if is_page_line(name) => codes = Some(String::new()),
            Piece::End(name) if is_page_line(name) => {
                self.page_lines.extend(codes.take().map(|it| of_codes(&it)).unwrap_or_default());
            }
            Piece::Start(name, _) => state.start(name),
            Piece::End("v") => is_value = false,
            Piece::End("c") => {
                is_cell = false;
                let mut text = self.show(&cell);
                if text.is_empty() && cell.is_without_value() {
                    n_without_value += 1;
                    text = self.formula(&cell, row.number, &shared);
                }
                if !text.is_empty() && self.n_cells_left == 0 {
                    is_cut = true;
                } else if !text.is_empty() {
                    self.n_cells_left -= 1;
                    row.cells.push((cell.column, text));
                }
            }
            Piece::End("row") => {
                if !row.cells.is_empty() {
                    row.cells.sort_by_key(|it| it.0);
                    rows.push(std::mem::take(&mut row));
                }
            }
            Piece::End(name) => state.end(name),
            Piece::Text(text) if is_cell && is_formula => cell.formula.push_str(text),
            Piece::Text(text) if is_cell && is_value => cell.value.push_str(text),
            Piece::Text(text) if is_cell && state.is_shown() => cell.inline.push_str(text),
            Piece::Text(text) => {
                if let Some(codes) = &mut codes {
                    codes.push_str(text);
                }
            }
        });
        // A sheet that ends early ends in a row.
        if !row.cells.is_empty() {
            rows.push(row);
        }
        rows.sort_by_key(|it| it.number);
        warn_of(outcome, &format!("sheet '{name}'"), warnings);
        if n_without_value > 0 {
            warnings.push(without_values(name, n_without_value));
        }
        if is_cut {
            let message =
                format!("sheet '{name}': more than {MAX_CELLS} cells in the workbook, the rest is left out");
            warnings.push(Warning::new(WarningKind::Limit, message));
        }
        rows
    }

    /// The formula of a cell in `row`; empty when it is shared and lost, or there are too many of them.
    fn formula(&mut self, cell: &Cell, row: usize, shared: &HashMap<String, Shared>) -> String {
        if !cell.formula.is_empty() {
            return formulas::shown(&cell.formula);
        }
        let Some(shared) = cell.shared.as_ref().and_then(|id| shared.get(id)) else { return String::new() };
        if shared.formula.len() > self.n_shared_bytes_left {
            self.n_shared_bytes_left = 0;
            return String::new();
        }
        self.n_shared_bytes_left -= shared.formula.len();
        let place = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
        let rows = place(row).saturating_sub(place(shared.row));
        let columns = i64::from(cell.column) - i64::from(shared.column);
        formulas::shown(&formulas::moved(&shared.formula, rows, columns))
    }

    fn show(&self, cell: &Cell) -> String {
        let value = cell.value.trim();
        let text = match cell.kind.as_str() {
            "s" => value.parse::<usize>().ok().and_then(|at| self.strings.get(at)).map_or("", String::as_str),
            "inlineStr" => &cell.inline,
            "b" if value == "1" => "TRUE",
            "b" if value == "0" => "FALSE",
            "" | "n" => {
                let shape = self.shapes.get(cell.style).unwrap_or(&Shape::Number);
                return value
                    .parse()
                    .map_or_else(|_| one_line(&cell.value), |number| shape.show(number, self.epoch));
            }
            _ if value.is_empty() => &cell.inline,
            _ => &cell.value,
        };
        one_line(text)
    }
}

/// Whether an element is the header or footer of some pages.
fn is_page_line(name: &str) -> bool {
    matches!(name, "oddHeader" | "evenHeader" | "firstHeader" | "oddFooter" | "evenFooter" | "firstFooter")
}

/// Says that formulas stand for their values.
pub(super) fn without_values(sheet: &str, n_formulas: usize) -> Warning {
    let (formulas, have) = if n_formulas == 1 { ("formula", "has") } else { ("formulas", "have") };
    let message = format!(
        "sheet '{sheet}': {n_formulas} {formulas} {have} no stored value, the formula is shown instead; a spreadsheet program \
         stores the values when it saves the file"
    );
    Warning::new(WarningKind::LeftOut, message)
}

pub(super) fn one_line(text: &str) -> String {
    // `_x000D_` is how strings spell a carriage return (ECMA-376, 22.9.2.19).
    let text = text.replace("_x000D_", "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// 0-based column of a reference such as `AB12`.
fn column_of(reference: &str) -> Option<u32> {
    let letters = reference.bytes().filter(|it| *it != b'$').take_while(u8::is_ascii_alphabetic);
    let column =
        letters.take(4).fold(0_u32, |n, letter| n * 26 + u32::from(letter.to_ascii_uppercase() - b'A') + 1);
    column.checked_sub(1)
}

fn warn_of(outcome: Result<(), String>, what: &str, warnings: &mut Vec<Warning>) {
    if let Err(detail) = outcome {
        let message = format!("{what}: {detail}; read as far as it goes");
        warnings.push(Warning::new(WarningKind::Damaged, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_letters() {
        let check = |reference: &str, expected| assert_eq!(column_of(reference), expected, "{reference}");
        check("A1", Some(0));
        check("Z9", Some(25));
        check("AA1", Some(26));
        check("$XFD$7", Some(16_383));
        check("7", None);
    }
}
