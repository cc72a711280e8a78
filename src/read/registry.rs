//! The list of readers, and which of them reads what.

use crate::content::is_entity_uri;
use crate::read::package::{self, OpenDocumentKind, PackageKind};
use crate::read::{
    Blob, Reader, charset, entity, epub, html, mail, markdown, notebook, opendocument, pdf, plain, rtf,
    sheet, slides, word,
};

/// Every reader, in the order in which they are asked.
pub const READERS: &[&dyn Reader] = &[
    &markdown::Markdown,
    &html::Html,
    &pdf::Pdf,
    &notebook::Notebook,
    &word::Word,
    &slides::Slides,
    &sheet::Workbook,
    &sheet::Delimited,
    &epub::Epub,
    &mail::Mail,
    &rtf::Rtf,
    &opendocument::Text,
    &opendocument::Presentation,
    &sheet::Calc,
    &entity::Entity,
    &plain::Code,
    &plain::Plain,
];

/// The reader with this name.
pub fn reader_named(name: &str) -> Option<&'static dyn Reader> {
    READERS.iter().copied().find(|reader| reader.meta().name == name)
}

/// Extensions of the binary office formats, under which other things are found too.
const OLD_OFFICE: [&str; 3] = ["doc", "xls", "ppt"];

/// The reader for `blob`: by signature (PDF, office files, HTML), then by extension, then plain text where the bytes are text.
///
/// Returns `None` for binary content of no known format.
pub fn detect(blob: &Blob) -> Option<&'static dyn Reader> {
    if is_entity_uri(&blob.uri) {
        return Some(&entity::Entity);
    }
    if blob.bytes.starts_with(b"%PDF-") {
        return Some(&pdf::Pdf);
    }
    if blob.bytes.starts_with(b"{\\rtf") {
        return Some(&rtf::Rtf);
    }
    if package::is_compound_file(&blob.bytes) {
        // Whichever of them it is, the reader says so.
        return Some(&word::Word);
    }
    match package::package_kind(&blob.bytes) {
        Some(PackageKind::Word) => return Some(&word::Word),
        Some(PackageKind::Sheet) => return Some(&sheet::Workbook),
        Some(PackageKind::OpenDocument(kind)) => {
            return match kind {
                OpenDocumentKind::Text => Some(&opendocument::Text),
                OpenDocumentKind::Sheet => Some(&sheet::Calc),
                OpenDocumentKind::Slides => Some(&opendocument::Presentation),
            };
        }
        Some(PackageKind::Slides) => return Some(&slides::Slides),
        Some(PackageKind::Book) => return Some(&epub::Epub),
        None => {}
    }
    // What the end of an address says is the server's business: `…/README.md` may be a page about that file.
    if is_web(&blob.uri) && html::looks_like_html(&blob.bytes) {
        return Some(&html::Html);
    }
    let extension = blob.extension();
    if OLD_OFFICE.contains(&extension.as_str()) && !charset::is_binary(&blob.bytes) {
        // Web pages and text under the name of an office file, as many programs export them.
        let is_page = html::looks_like_html(&blob.bytes);
        return if is_page { Some(&html::Html) } else { Some(&plain::Plain) };
    }
    if let Some(reader) =
        READERS.iter().copied().find(|reader| reader.meta().extensions.contains(&extension.as_str()))
    {
        return Some(reader);
    }
    if charset::is_binary(&blob.bytes) {
        return None;
    }
    if extension.is_empty() && html::looks_like_html(&blob.bytes) {
        return Some(&html::Html);
    }
    Some(&plain::Plain)
}

fn is_web(uri: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| uri.starts_with(scheme))
}
