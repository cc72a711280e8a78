//! Sheets: Excel and OpenDocument workbooks, delimited text.
//!
//! Each sheet of a workbook is a section with tables in it; a delimited file is one table. The place of a passage is its
//! sheet and rows, or its lines.

pub(in crate::read) mod dates;
mod delimited;
mod drawings;
mod events;
mod formulas;
mod ods;
mod page_lines;
mod patterns;
mod quotes;
mod rows;
mod xlsx;

#[cfg(test)]
mod tests;

use crate::content::{Metadata, Origin, Warning, WarningKind};
use crate::read::package::{Package, core_properties, sensible_title};
use crate::read::rendered::{self, Writer};
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta, charset, opendocument};

use drawings::Beside;
use rows::BlankRows;
use xlsx::Sheet;

/// Reads Excel workbooks.
#[derive(Debug)]
pub(crate) struct Workbook;

impl Reader for Workbook {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "xlsx",
            version: 3,
            summary: "Excel workbooks: a section for each sheet, tables with their head rows",
            media_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            extensions: &["xlsx", "xlsm", "xltx", "xltm", "xlsb", "xls"],
            is_risky: true,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let mut package = Package::open(&blob.bytes, self.meta().name)?;
        if package.has("xl/workbook.bin") {
            return Err(ReadError::Unsupported {
                detail: "Excel binary workbook; convert it to xlsx".to_owned(),
            });
        }
        let mut warnings = Vec::new();
        let metadata = core_properties(&mut package, &mut warnings);
        let sheets = xlsx::read(&mut package, &mut warnings)?;
        Ok(workbook(blob, self.meta(), metadata, sheets, warnings))
    }
}

/// Reads OpenDocument spreadsheets.
#[derive(Debug)]
pub(crate) struct Calc;

impl Reader for Calc {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "ods",
            version: 3,
            summary: "OpenDocument spreadsheets: a section for each sheet",
            media_type: "application/vnd.oasis.opendocument.spreadsheet",
            extensions: &["ods", "ots"],
            is_risky: true,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let mut package = Package::open(&blob.bytes, self.meta().name)?;
        let mut warnings = Vec::new();
        let metadata = opendocument::properties(&mut package, &mut warnings)?;
        let sheets = ods::read(&mut package, &mut warnings)?;
        Ok(workbook(blob, self.meta(), metadata, sheets, warnings))
    }
}

fn workbook(
    blob: &Blob,
    meta: &ReaderMeta,
    metadata: Metadata,
    sheets: Vec<Sheet>,
    mut warnings: Vec<Warning>,
) -> Parsed {
    let mut writer = Writer::default();
    let mut names: Vec<(usize, String)> = Vec::new();
    let hidden: Vec<String> =
        sheets.iter().filter(|it| it.is_hidden).map(|it| format!("'{}'", it.name)).collect();
    if !hidden.is_empty() {
        let message = format!("hidden sheets, read all the same: {}", hidden.join(", "));
        warnings.push(Warning::new(WarningKind::Hidden, message));
    }
    for sheet in sheets {
        let Beside { notes, graphics } = sheet.beside;
        if sheet.rows.is_empty() && notes.is_empty() && graphics.text.is_empty() {
            continue;
        }
        let name = sheet.name.split_whitespace().collect::<Vec<_>>().join(" ");
        writer.heading(1, if name.is_empty() { "Sheet" } else { &name }, "");
        let start = writer.headings.last().map_or(0, |it| it.start);
        names.push((start, sheet.name));
        rows::write(&mut writer, sheet.rows, BlankRows::Separate);
        rendered::append(&mut writer, graphics);
        notes.iter().for_each(|note| writer.paragraph(note));
    }
    if writer.text.is_empty() {
        warnings.push(Warning::new(WarningKind::NoText, "no sheet has any text"));
    }
    let rows = rows::numbers(&writer).map(|(at, row)| (at, u32::try_from(row).unwrap_or(u32::MAX))).collect();
    let title = sensible_title(&metadata).unwrap_or_else(|| blob.file_name().to_owned());
    let origin = Origin::Rows { sheets: names, rows };
    Parsed { document: rendered::document(blob, meta, Some(title), writer, metadata, origin), warnings }
}

/// Reads comma- and tab-separated values.
#[derive(Debug)]
pub(crate) struct Delimited;

impl Reader for Delimited {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "csv",
            version: 2,
            summary: "comma-, semicolon-, tab- and bar-separated values as one table",
            media_type: "text/csv",
            extensions: &["csv", "tsv", "tab"],
            is_risky: false,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        if charset::is_binary(&blob.bytes) {
            return Err(ReadError::Binary);
        }
        let decoded = charset::decode_text(&blob.bytes, None);
        let mut warnings = decoded.warnings;
        let is_tsv = blob.extension() != "csv";
        let mut writer = Writer::default();
        let rows = delimited::read(&decoded.text, is_tsv, &mut warnings);
        rows::write(&mut writer, rows, BlankRows::Skipped);
        let lines = rows::numbers(&writer).collect();
        let title = Some(blob.file_name().to_owned());
        let document =
            rendered::document(blob, self.meta(), title, writer, Metadata::new(), Origin::Lines(lines));
        Ok(Parsed { document, warnings })
    }
}
