//! The list of readers, and which of them reads what.

use crate::read::package::{self, PackageKind};
use crate::read::{Blob, Reader, html, markdown, notebook, pdf, plain, word};

/// Every reader, in the order in which they are asked.
pub const READERS: &[&dyn Reader] = &[
    &markdown::Markdown,
    &html::Html,
    &pdf::Pdf,
    &notebook::Notebook,
    &word::Word,
    &plain::Code,
    &plain::Plain,
];

/// The reader with this name.
pub fn reader_named(name: &str) -> Option<&'static dyn Reader> {
    READERS.iter().copied().find(|reader| reader.meta().name == name)
}

/// The reader for `blob`: by signature (PDF, HTML), then by extension, then plain text where the bytes are text.
///
/// Returns `None` for binary content of no known format.
pub fn detect(blob: &Blob) -> Option<&'static dyn Reader> {
    if blob.bytes.starts_with(b"%PDF-") {
        return Some(&pdf::Pdf);
    }
    let extension = blob.extension();
    if let Some(reader) =
        READERS.iter().copied().find(|reader| reader.meta().extensions.contains(&extension.as_str()))
    {
        return Some(reader);
    }
    if crate::read::charset::is_binary(&blob.bytes) {
        return None;
    }
    if extension.is_empty() && html::looks_like_html(&blob.bytes) {
        return Some(&html::Html);
    }
    Some(&plain::Plain)
}
