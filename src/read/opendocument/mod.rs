//! OpenDocument (ODF 1.3, ISO/IEC 26300): text documents and presentations; [`sheet`](crate::read::sheet) reads the sheets.
//!
//! Headings, lists, tables, notes and comments as in the Word reader. What tracked changes deleted is stored apart and left
//! out; headers and footers of pages are left out with a warning.

mod lists;
mod page_lines;
mod slides;
mod spans;
mod text;

#[cfg(test)]
mod tests;

use crate::content::{Metadata, Origin, Warning, WarningKind};
use crate::read::package::{Element, Package, Tree, iso_date, sensible_title};
use crate::read::rendered;
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

/// Reads text documents.
#[derive(Debug)]
pub(crate) struct Text;

impl Reader for Text {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "odt",
            version: 4,
            summary: "OpenDocument texts: headings, lists, tables, notes",
            media_type: "application/vnd.oasis.opendocument.text",
            extensions: &["odt", "ott"],
            is_risky: true,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let mut warnings = Vec::new();
        let mut package = Package::open(&blob.bytes, self.meta().name)?;
        let metadata = properties(&mut package, &mut warnings)?;
        let content = package.required_tree("content.xml", &mut warnings)?;
        let styles = package.tree("styles.xml", &mut warnings);
        let text::Body { writer, title } = text::read(&content, styles.as_ref());
        warn_of_objects(&content, &mut warnings);
        warn_of_page_lines(styles.as_ref(), &mut warnings);
        let title = sensible_title(&metadata).or(title);
        let document = rendered::document(blob, self.meta(), title, writer, metadata, Origin::Unknown);
        if document.text.is_empty() {
            warnings.push(Warning::new(WarningKind::NoText, "the document has no text"));
        }
        Ok(Parsed { document, warnings })
    }
}

/// Reads presentations.
#[derive(Debug)]
pub(crate) struct Presentation;

impl Reader for Presentation {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "odp",
            version: 4,
            summary: "OpenDocument presentations: a section for each slide, speaker notes",
            media_type: "application/vnd.oasis.opendocument.presentation",
            extensions: &["odp", "otp"],
            is_risky: true,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let mut warnings = Vec::new();
        let mut package = Package::open(&blob.bytes, self.meta().name)?;
        let metadata = properties(&mut package, &mut warnings)?;
        let content = package.required_tree("content.xml", &mut warnings)?;
        let styles = package.tree("styles.xml", &mut warnings);
        let (writer, slides) = slides::read(&content, styles.as_ref());
        warn_of_objects(&content, &mut warnings);
        let lines = content.root().map(page_lines::of_slides).unwrap_or_default();
        crate::read::page_lines::warn(lines, &mut warnings);
        let title = sensible_title(&metadata);
        let document = rendered::document(blob, self.meta(), title, writer, metadata, Origin::Slides(slides));
        if document.text.is_empty() {
            warnings.push(Warning::new(WarningKind::NoText, "no slide has any text"));
        }
        Ok(Parsed { document, warnings })
    }
}

/// Says what the headers and footers in `styles` print.
pub(in crate::read) fn warn_of_page_lines(styles: Option<&Tree>, warnings: &mut Vec<Warning>) {
    let lines = styles.and_then(Tree::root).map(page_lines::of).unwrap_or_default();
    crate::read::page_lines::warn(lines, warnings);
}

/// Says how many embedded objects `content` has, which are documents of their own in the package.
pub(in crate::read) fn warn_of_objects(content: &Tree, warnings: &mut Vec<Warning>) {
    let elements = content.root().into_iter().flat_map(|it| it.descendants());
    let n_objects = elements.filter(|it| matches!(it.name(), "object" | "object-ole")).count();
    if n_objects > 0 {
        let message = format!("{n_objects} embedded objects left out, such as formulas and charts");
        warnings.push(Warning::new(WarningKind::LeftOut, message));
    }
}

/// Reads `meta.xml` under our names.
///
/// # Errors
///
/// [`ReadError::Locked`] when the package says that its content is.
pub(in crate::read) fn properties(
    package: &mut Package<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Metadata, ReadError> {
    let manifest = package.tree("META-INF/manifest.xml", warnings);
    let mut entries = manifest.as_ref().and_then(Tree::root).into_iter().flat_map(|it| it.descendants());
    if entries.any(|it| it.name() == "encryption-data") {
        return Err(ReadError::Locked { detail: "encrypted OpenDocument file".to_owned() });
    }
    let mut metadata = Metadata::new();
    let tree = package.tree("meta.xml", warnings);
    let meta = tree.as_ref().and_then(Tree::root).and_then(|it| it.child("meta"));
    for element in meta.into_iter().flat_map(|it| it.elements()) {
        let text = element.text().split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            continue;
        }
        let name = match element.name() {
            "title" | "subject" | "description" | "language" => element.name(),
            "initial-creator" => "author",
            // The last editor, who is the only author known when no first one is.
            "creator" if !metadata.contains_key("author") => "author",
            "creator" => "modified_by",
            "keyword" => "keywords",
            "creation-date" | "date" => {
                if let Some(date) = iso_date(&text) {
                    let name = if element.name() == "date" { "modified" } else { "created" };
                    metadata.insert(name.to_owned(), date.into());
                }
                continue;
            }
            _ => continue,
        };
        let text = match metadata.get(name).and_then(|it| it.as_str()).filter(|_| name == "keywords") {
            Some(before) => format!("{before}, {text}"),
            None => text,
        };
        metadata.insert(name.to_owned(), text.into());
    }
    Ok(metadata)
}

/// The words of a paragraph: blanks and breaks are elements; notes, comments and text boxes are left out.
pub(in crate::read) fn inline_text(element: Element<'_>) -> String {
    spans::Spans::default().text(element, &mut |_, _| {})
}
