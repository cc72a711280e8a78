//! The reader of Jupyter notebooks (nbformat 2 to 4).
//!
//! A notebook becomes one Markdown-like text: Markdown cells as they are, code cells as fences in the kernel's
//! language, their text outputs as fences without one, each cell apart by a blank line and found again by its number.
//! An output whose plain form only names an object gives what its Markdown, LaTeX, HTML or JSON says; images and widgets are
//! left out and counted.

mod outputs;
mod terminal;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::content::{
    Block, BlockKind, Document, DocumentId, Heading, Metadata, Origin, Span, Warning, WarningKind,
    build_sections,
};
use crate::read::markdown::{self, Dialect, FrontMatter, Structure};
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta, charset};

use outputs::{has_other_data, output_text, runs};

/// Reads Jupyter notebooks.
#[derive(Debug)]
pub(crate) struct Notebook;

impl Reader for Notebook {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "notebook",
            version: 5,
            summary: "Jupyter notebooks: Markdown, code and text outputs, cell by cell",
            media_type: "application/x-ipynb+json",
            extensions: &["ipynb"],
            is_risky: false,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let damaged = |detail: String| ReadError::Damaged { format: "notebook", detail };
        let decoded = charset::decode_text(&blob.bytes, None);
        let notebook: Value =
            serde_json::from_str(&decoded.text).map_err(|error| damaged(error.to_string()))?;
        let cells = cells(&notebook).ok_or_else(|| damaged("it has no list of cells".to_owned()))?;

        let (mut metadata, language) = describe(&notebook);
        let mut builder = Builder { warnings: decoded.warnings, ..Builder::default() };
        for (index, cell) in cells.iter().enumerate() {
            builder.number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            if index == 0 {
                builder.front_matter(cell, &mut metadata);
            }
            builder.cell(cell, &language);
        }

        let Builder { text, headings, blocks, anchors, cells, mut warnings, n_mute, .. } = builder;
        if n_mute > 0 {
            let message = format!("left out: {n_mute} outputs without text, such as images");
            warnings.push(Warning::new(WarningKind::Dropped, message));
        }
        let id = DocumentId::of_uri(&blob.uri);
        let document = Document {
            id,
            uri: blob.uri.clone(),
            title: markdown::title(&metadata, &headings).unwrap_or_else(|| blob.file_name().to_owned()),
            media_type: self.meta().media_type.to_owned(),
            sections: build_sections(id, &text, &headings, markdown::is_blank),
            text,
            blocks,
            metadata,
            language: None,
            labels: BTreeSet::new(),
            origin: Origin::Cells(cells).with_anchors(anchors),
        };
        Ok(Parsed { document, warnings })
    }
}

/// All cells in order; before nbformat 4 they lie in worksheets.
fn cells(notebook: &Value) -> Option<Vec<&Value>> {
    if let Some(cells) = notebook.get("cells") {
        return Some(cells.as_array()?.iter().collect());
    }
    let sheets = notebook.get("worksheets")?.as_array()?;
    Some(sheets.iter().filter_map(|sheet| sheet.get("cells")?.as_array()).flatten().collect())
}

/// Metadata (`title`, `kernel`, `language`, `nbformat`) and the language of the code cells.
fn describe(notebook: &Value) -> (Metadata, String) {
    let text = |path: &str| notebook.pointer(path).and_then(Value::as_str).filter(|it| !it.is_empty());
    let language = text("/metadata/kernelspec/language").or_else(|| text("/metadata/language_info/name"));
    let kernel = text("/metadata/kernelspec/display_name").or_else(|| text("/metadata/kernelspec/name"));
    let mut metadata = Metadata::new();
    for (key, value) in [("title", text("/metadata/title")), ("kernel", kernel), ("language", language)] {
        if let Some(value) = value {
            metadata.insert(key.to_owned(), value.into());
        }
    }
    if let Some(version) = notebook.get("nbformat").filter(|it| it.is_number()) {
        metadata.insert("nbformat".to_owned(), version.clone());
    }
    (metadata, language.unwrap_or_default().to_owned())
}

/// Notebook strings are strings or lists of lines.
fn joined(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

/// The document as far as it is built.
#[derive(Default)]
struct Builder {
    text: String,
    headings: Vec<Heading>,
    blocks: Vec<Block>,
    anchors: Vec<(usize, String)>,
    cells: Vec<(usize, u32)>,
    warnings: Vec<Warning>,
    /// 1-based number of the cell at hand.
    number: u32,
    /// Outputs without text.
    n_mute: usize,
    /// Bytes of the first cell that were front matter.
    skipped: usize,
}

impl Builder {
    /// Takes front matter (Quarto, nbdev) off the first cell.
    fn front_matter(&mut self, cell: &Value, metadata: &mut Metadata) {
        if kind(cell) == "code" {
            return;
        }
        let FrontMatter { body, metadata: found, warning, .. } = markdown::front_matter(&source(cell));
        self.skipped = body;
        self.warnings.extend(warning);
        metadata.extend(found);
    }

    fn cell(&mut self, cell: &Value, language: &str) {
        if !cell.is_object() {
            let message = format!("cell {} is not an object and was left out", self.number);
            self.warnings.push(Warning::new(WarningKind::Damaged, message));
            return;
        }
        let source = source(cell);
        let source = &source[std::mem::take(&mut self.skipped).min(source.len())..];
        match kind(cell) {
            "code" => {
                // nbformat 3 names the language cell by cell.
                let language = cell.get("language").and_then(Value::as_str).unwrap_or(language);
                self.fenced(source, language);
                for run in runs(cell.get("outputs").and_then(Value::as_array).map_or(&[], Vec::as_slice)) {
                    let text = output_text(run);
                    let is_mute = text.trim().is_empty() && run.iter().any(has_other_data);
                    self.n_mute += usize::from(is_mute);
                    self.fenced(&text, "");
                }
            }
            // Headings were cells of their own before nbformat 4.
            "heading" => {
                let level = cell.get("level").and_then(Value::as_u64).map_or(1, |level| level.clamp(1, 6));
                let title = source.split_whitespace().collect::<Vec<_>>().join(" ");
                self.markdown(&format!("{} {title}", "#".repeat(usize::try_from(level).unwrap_or(1))));
            }
            "raw" => self.raw(source),
            _ => self.markdown(source),
        }
    }

    /// Starts a passage of this cell after a blank line; returns its first byte.
    fn start(&mut self) -> usize {
        if !self.text.is_empty() {
            if !self.text.ends_with('\n') {
                self.text.push('\n');
            }
            self.text.push('\n');
        }
        let start = self.text.len();
        if self.cells.last().is_none_or(|&(_, number)| number != self.number) {
            self.cells.push((start, self.number));
        }
        start
    }

    fn markdown(&mut self, source: &str) {
        if source.trim().is_empty() {
            return;
        }
        let Structure { headings, blocks, anchors } = markdown::structure(source, 0, Dialect::CommonMark);
        let start = self.start();
        self.text.push_str(source);
        let moved = |span: Span| Span::new(span.start + start, span.end + start);
        self.anchors.extend(anchors.into_iter().map(|(at, id)| (at + start, id)));
        self.headings.extend(headings.into_iter().map(|heading| Heading {
            start: heading.start + start,
            end: heading.end + start,
            ..heading
        }));
        self.blocks.extend(blocks.into_iter().map(|Block { span, kind }| {
            let kind = match kind {
                BlockKind::Table { header } => BlockKind::Table { header: moved(header) },
                BlockKind::Code { fence } => BlockKind::Code { fence: fence.map(moved) },
                kind => kind,
            };
            Block { span: moved(span), kind }
        }));
    }

    fn raw(&mut self, source: &str) {
        if source.trim().is_empty() {
            return;
        }
        let start = self.start();
        self.text.push_str(source);
        self.blocks.push(Block { span: Span::new(start, self.text.len()), kind: BlockKind::Paragraph });
    }

    /// Adds a code block whose fence is longer than any run of backticks inside.
    fn fenced(&mut self, code: &str, language: &str) {
        let code = code.trim_end();
        if code.is_empty() {
            return;
        }
        let runs = code.split(|c| c != '`').map(str::len);
        let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
        let is_word = |c: char| c.is_alphanumeric() || "+-#._".contains(c);
        let language: String = language.chars().filter(|&c| is_word(c)).collect();
        let start = self.start();
        self.text.push_str(&fence);
        self.text.push_str(&language);
        let opening = Span::new(start, self.text.len());
        self.text.push('\n');
        self.text.push_str(code);
        self.text.push('\n');
        self.text.push_str(&fence);
        self.text.push('\n');
        let span = Span::new(start, self.text.len());
        self.blocks.push(Block { span, kind: BlockKind::Code { fence: Some(opening) } });
    }
}

fn kind(cell: &Value) -> &str {
    cell.get("cell_type").and_then(Value::as_str).unwrap_or("markdown")
}

/// The source of a cell; before nbformat 4 code cells called it `input`.
fn source(cell: &Value) -> String {
    joined(cell.get("source").or_else(|| cell.get("input")))
}

#[cfg(test)]
mod tests;
