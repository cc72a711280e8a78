//! The readers of plain text and of source code.
//!
//! Both keep the decoded source untouched from its first line with anything on it. Plain text is one section, save
//! where the extension promises a markup with headings ([`markup`]) or titles are underlined ([`underlines`]), and in manual pages ([`roff`]); source code has a section for each top-level
//! item ([`items`]). Blocks are runs of lines without a blank line between them.

mod items;
mod lines;
mod markup;
mod roff;
mod underlines;

use std::collections::BTreeSet;

use crate::content::{
    Block, BlockKind, Document, DocumentId, Heading, Metadata, Section, SectionKind, Span, build_sections,
};
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta, charset};

pub(in crate::read) use lines::{Lines, body};

/// Reads plain text, and the headings of reStructuredText, AsciiDoc and Org.
#[derive(Debug)]
pub(crate) struct Plain;

impl Reader for Plain {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "text",
            version: 3,
            summary: "plain text with underlined titles, and the headings of reStructuredText, AsciiDoc and Org",
            media_type: "text/plain",
            extensions: &[
                "txt",
                "text",
                "log",
                "rst",
                "adoc",
                "asciidoc",
                "org",
                "json",
                "jsonl",
                "yaml",
                "yml",
                "toml",
                "xml",
                "ini",
                "cfg",
                "conf",
                "properties",
                "env",
                "tex",
                "bib",
                "srt",
                "vtt",
                "diff",
                "patch",
            ],
            is_risky: false,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let extension = blob.extension();
        let mut parsed = read(blob, self.meta(), BlockKind::Paragraph, |text, lines| {
            markup::headings(blob.file_name(), &extension, text, lines)
        })?;
        if underlines::may_have_titles(blob.file_name()) && !has_own_title(&parsed.document.sections) {
            parsed.document.title = blob.file_name().to_owned();
        }
        if let Some(title) = markup::title(&extension, &parsed.document.text) {
            parsed.document.title = title;
        }
        Ok(parsed)
    }
}

/// Reads source code.
#[derive(Debug)]
pub(crate) struct Code;

impl Reader for Code {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "code",
            version: 2,
            summary: "source code, one section for each top-level item",
            media_type: "text/x-source",
            extensions: items::EXTENSIONS,
            is_risky: false,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let extension = blob.extension();
        read(blob, self.meta(), BlockKind::Code { fence: None }, |text, lines| {
            items::items(&extension, text, lines)
        })
    }
}

/// Whether the first section names the whole of a plain text: it starts there, and no other stands beside it.
fn has_own_title(sections: &[Section]) -> bool {
    sections.iter().filter(|it| it.parent.is_none()).count() == 1
}

/// Whether files with this extension hold data and not prose.
fn is_data(extension: &str) -> bool {
    let extension = extension.to_ascii_lowercase();
    !matches!(extension.as_str(), "txt" | "text") && Plain.meta().extensions.contains(&extension.as_str())
}

/// Reads `blob` as text whose headings `find` finds and whose other lines are blocks of `kind`.
fn read(
    blob: &Blob,
    meta: &ReaderMeta,
    kind: BlockKind,
    find: impl Fn(&str, &Lines) -> Vec<Heading>,
) -> Result<Parsed, ReadError> {
    if charset::is_binary(&blob.bytes) {
        return Err(ReadError::Binary);
    }
    let mut decoded = charset::decode(&blob.bytes, None);
    let warnings = std::mem::take(&mut decoded.warnings);
    let (text, origin) = body(decoded, 0);
    let lines = Lines::new(&text);
    let headings = find(&text, &lines);
    let id = DocumentId::of_uri(&blob.uri);
    let title = headings
        .iter()
        .find(|heading| heading.kind == SectionKind::Heading && !heading.title.is_empty())
        .map_or_else(|| blob.file_name().to_owned(), |heading| heading.title.clone());
    let document = Document {
        id,
        uri: blob.uri.clone(),
        title,
        media_type: meta.media_type.to_owned(),
        sections: build_sections(id, &text, &headings, |text| text.trim().is_empty()),
        blocks: blocks(&text, &lines, &headings, &kind),
        text,
        metadata: Metadata::new(),
        language: None,
        labels: BTreeSet::new(),
        origin,
    };
    Ok(Parsed { document, warnings })
}

/// Runs of lines that are not blank, cut at every section's start; the lines of headings in markup stand apart.
fn blocks(text: &str, lines: &Lines, headings: &[Heading], kind: &BlockKind) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut headings = headings.iter().peekable();
    let mut heading_end = 0;
    let mut is_open = false;
    for line in lines.spans() {
        let heading = headings.next_if(|heading| heading.start <= line.start);
        let is_cut = heading.is_some() || line.start == heading_end;
        if let Some(heading) = heading.filter(|it| it.kind == SectionKind::Heading) {
            heading_end = heading.end;
        }
        if line.slice(text).trim().is_empty() {
            is_open = false;
            continue;
        }
        match blocks.last_mut() {
            Some(last) if is_open && !is_cut => last.span.end = line.end,
            _ => {
                let kind = if line.start < heading_end { BlockKind::Heading } else { kind.clone() };
                blocks.push(Block { span: Span::new(line.start, line.end), kind });
            }
        }
        is_open = true;
    }
    blocks
}

#[cfg(test)]
mod tests;
