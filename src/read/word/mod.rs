//! Word documents (DOCX, ECMA-376 part 1, WordprocessingML).
//!
//! The body becomes headings (by style, or where authors set them by size and weight alone, by their looks), paragraphs, lists with the numbers that Word shows, pipe tables and fences. Tracked insertions
//! are read as accepted, deletions as gone. Notes follow at the end of the section that refers to them, comments too.
//! Headers and footers of pages are left out with a warning; text boxes follow the paragraph to which they are anchored. No pages: Word
//! makes them anew on each machine.

mod body;
mod formula;
mod inline;
mod looks;
mod numbering;
mod page_lines;
mod styles;
mod tables;

#[cfg(test)]
mod tests;

use crate::content::{Origin, Warning, WarningKind};
use crate::read::package::{Package, core_properties, sensible_title};
use crate::read::rendered;
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

pub(in crate::read) use body::folded;
pub(in crate::read) use formula::formula;
pub(in crate::read) use inline::{alternative, is_description};
pub(in crate::read) use styles::heading_level;

/// Name of the format in errors and of the reader.
const NAME: &str = "docx";

/// Reads Word documents.
#[derive(Debug)]
pub(crate) struct Word;

impl Reader for Word {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: NAME,
            version: 4,
            summary: "Word documents: headings, lists, tables, notes and comments",
            media_type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            extensions: &["docx", "docm", "dotx", "dotm", "doc"],
            is_risky: true,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let mut package = Package::open(&blob.bytes, NAME)?;
        let mut warnings = Vec::new();
        let metadata = core_properties(&mut package, &mut warnings);
        let main = package.relations("", &mut warnings).first("officeDocument").map(str::to_owned);
        let main = main.filter(|it| package.has(it)).unwrap_or_else(|| "word/document.xml".to_owned());
        let body = body::read(&mut package, &main, &mut warnings)?;
        let title = sensible_title(&metadata).or(body.title);
        let document = rendered::document(blob, self.meta(), title, body.writer, metadata, Origin::Unknown);
        if document.text.is_empty() {
            warnings.push(Warning::new(WarningKind::NoText, "the document has no text"));
        }
        Ok(Parsed { document, warnings })
    }
}
