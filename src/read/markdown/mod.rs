//! The Markdown reader: CommonMark with GFM's tables, footnotes, strikethrough and task lists.
//!
//! The document's text is the decoded source from the first line with anything on it (after a byte-order mark and
//! front matter) to the end of the file, untouched. [`front_matter()`] cuts the metadata off, [`structure()`] finds
//! headings and blocks, [`html_heading`] the headings written as HTML, [`attributes`] the ids that headings give themselves.
//! MDX, MyST and Quarto are read as the Markdown that they extend: imports, JSX, directives and chunk options stay text;
//! [`mdx`] keeps tags of components from hiding the Markdown between them.

mod attributes;
mod blocks;
mod front_matter;
mod html_heading;
mod inline;
mod mdx;
mod structure;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::content::{Document, DocumentId, Heading, Metadata, build_sections};
use crate::read::plain::body;
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta, charset};

pub(in crate::read) use front_matter::{FrontMatter, front_matter};
pub(in crate::read) use structure::{Dialect, Structure, structure};

/// Reads Markdown.
#[derive(Debug)]
pub(crate) struct Markdown;

impl Reader for Markdown {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "markdown",
            version: 3,
            summary: "CommonMark and GFM with YAML or TOML front matter, MDX, Quarto",
            media_type: "text/markdown",
            extensions: &["md", "markdown", "mdown", "mkd", "mdx", "qmd", "rmd"],
            is_risky: false,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        if charset::is_binary(&blob.bytes) {
            return Err(ReadError::Binary);
        }
        let mut decoded = charset::decode(&blob.bytes, None);
        let mut warnings = std::mem::take(&mut decoded.warnings);
        let FrontMatter { body: from, markup, metadata, warning } = front_matter(&decoded.text);
        warnings.extend(warning);
        // Only text without front matter can have a malformed block, which then starts the text.
        let (text, origin) = body(decoded, from);
        let dialect = if blob.extension() == "mdx" { Dialect::Mdx } else { Dialect::CommonMark };
        let Structure { headings, blocks, anchors } = structure(&text, markup - from, dialect);
        let id = DocumentId::of_uri(&blob.uri);
        let sections = build_sections(id, &text, &headings, is_blank);
        let title = title(&metadata, &headings).unwrap_or_else(|| blob.file_name().to_owned());
        let document = Document {
            id,
            uri: blob.uri.clone(),
            title,
            media_type: self.meta().media_type.to_owned(),
            text,
            sections,
            blocks,
            metadata,
            language: None,
            labels: BTreeSet::new(),
            origin: origin.with_anchors(anchors),
        };
        Ok(Parsed { document, warnings })
    }
}

/// The title that the document gives itself: metadata, else its first level-1 heading, else its first heading.
pub(in crate::read) fn title(metadata: &Metadata, headings: &[Heading]) -> Option<String> {
    let from_metadata = match metadata.get("title") {
        Some(Value::String(text)) => Some(inline::fold(text)),
        Some(value @ (Value::Number(_) | Value::Bool(_))) => Some(value.to_string()),
        _ => None,
    };
    let titled = || headings.iter().filter(|heading| !heading.title.is_empty());
    from_metadata.filter(|title| !title.is_empty()).or_else(|| {
        titled()
            .find(|heading| heading.level == 1)
            .or_else(|| titled().next())
            .map(|heading| heading.title.clone())
    })
}

/// Whether `text` holds only blanks, HTML comments and anchors without content (`<a id="x"></a>`).
pub(in crate::read) fn is_blank(text: &str) -> bool {
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let after = if let Some(comment) = rest.strip_prefix("<!--") {
            comment.find("-->").map(|end| &comment[end + 3..])
        } else {
            after_anchor(rest)
        };
        let Some(after) = after else { return false };
        rest = after.trim_start();
    }
    true
}

/// What follows an anchor without content at the start of `text`; `None` when there is none.
fn after_anchor(text: &str) -> Option<&str> {
    let attributes =
        text.strip_prefix("<a").filter(|it| it.starts_with(|c: char| c.is_ascii_whitespace()))?;
    let end = attributes.find(['<', '>']).filter(|&end| attributes.as_bytes()[end] == b'>')?;
    let after = &attributes[end + 1..];
    if attributes[..end].ends_with('/') {
        return Some(after);
    }
    after.trim_start().strip_prefix("</a>")
}

#[cfg(test)]
mod tests;
