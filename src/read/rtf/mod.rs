//! Rich Text Format (RTF 1.9.1).
//!
//! Groups and control words are read without recursion; paragraphs, headings (by outline level, the style's name or their looks
//! alone), items of lists, code in fonts of fixed pitch, tables, footnotes and fields' results come out. Only documents with such looks
//! and such code are read a second time, since the whole tells what they mean. Characters are decoded by the code page of their
//! font; deleted text, pictures and whatever is marked as ignorable go, headers and footers with a warning.

mod code_page;
mod fonts;
mod lexer;
mod state;
mod walk;

#[cfg(test)]
mod tests;

use crate::content::{Origin, Warning, WarningKind};
use crate::read::package::sensible_title;
use crate::read::rendered;
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

/// Reads RTF files.
#[derive(Debug)]
pub(crate) struct Rtf;

impl Reader for Rtf {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "rtf",
            version: 4,
            summary: "Rich Text Format: headings, lists, tables, notes",
            media_type: "application/rtf",
            extensions: &["rtf"],
            is_risky: false,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let bytes = blob.bytes.trim_ascii_start();
        if !bytes.starts_with(b"{\\rtf") {
            let detail = "it does not start with '{\\rtf'".to_owned();
            return Err(ReadError::Damaged { format: self.meta().name, detail });
        }
        let walk::Read { writer, metadata, mut warnings } = walk::read(bytes);
        let title = sensible_title(&metadata);
        let document = rendered::document(blob, self.meta(), title, writer, metadata, Origin::Unknown);
        if document.text.is_empty() {
            warnings.push(Warning::new(WarningKind::NoText, "the document has no text"));
        }
        Ok(Parsed { document, warnings })
    }
}
