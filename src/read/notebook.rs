//! The reader of Jupyter notebooks (nbformat 2 to 4).
//!
//! A notebook becomes one Markdown-like text: Markdown cells as they are, code cells as fences in the kernel's
//! language, their text outputs as fences without one, each cell apart by a blank line and found again by its number.
//! An output that is HTML alone gives its text; images and widgets are left out and counted.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::content::{
    Block, BlockKind, Document, DocumentId, Heading, Metadata, Origin, Span, Warning, WarningKind,
    build_sections,
};
use crate::read::html::Html;
use crate::read::markdown::{self, FrontMatter, Structure};
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta, charset};

/// Reads Jupyter notebooks.
#[derive(Debug)]
pub(crate) struct Notebook;

impl Reader for Notebook {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "notebook",
            version: 2,
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

        let Builder { text, headings, blocks, cells, mut warnings, n_mute, .. } = builder;
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
            origin: Origin::Cells(cells),
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
                for output in cell.get("outputs").and_then(Value::as_array).into_iter().flatten() {
                    let text = output_text(output);
                    self.n_mute += usize::from(text.trim().is_empty() && has_other_data(output));
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
        let Structure { headings, blocks } = markdown::structure(source, 0);
        let start = self.start();
        self.text.push_str(source);
        let moved = |span: Span| Span::new(span.start + start, span.end + start);
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

/// What an output shows as text, without terminal escapes: streams, results, error traces.
fn output_text(output: &Value) -> String {
    let text = match output.get("output_type").and_then(Value::as_str) {
        Some("error" | "pyerr") => {
            let lines = output.get("traceback").and_then(Value::as_array);
            let trace: Vec<&str> = lines.into_iter().flatten().filter_map(Value::as_str).collect();
            if trace.is_empty() {
                let field = |name: &str| output.get(name).and_then(Value::as_str).unwrap_or_default();
                format!("{}: {}", field("ename"), field("evalue"))
            } else {
                trace.join("\n")
            }
        }
        _ => {
            let data = ["text/plain", "text/markdown", "text/latex"]
                .iter()
                .find_map(|media_type| output.get("data")?.get(media_type));
            match (data.or_else(|| output.get("text")), output.pointer("/data/text~1html")) {
                (None, Some(page)) => html_text(joined(Some(page))),
                (text, _) => joined(text),
            }
        }
    };
    without_escapes(&text)
}

/// Whether an output has data of some kind.
fn has_other_data(output: &Value) -> bool {
    let data = output.get("data").and_then(Value::as_object);
    data.is_some_and(|it| !it.is_empty()) || output.get("png").is_some() || output.get("svg").is_some()
}

/// The text of an output that is HTML and nothing else.
fn html_text(page: String) -> String {
    let blob = Blob { uri: "output.html".to_owned(), bytes: page.into_bytes() };
    let parsed = Html.read(&blob, &ReadOptions { full_page: true, ..ReadOptions::default() });
    parsed.map(|it| it.document.text).unwrap_or_default()
}

/// `text` without ANSI escape sequences (ECMA-48: CSI and OSC sequences, and two-character escapes).
fn without_escapes(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            clean.push(c);
            continue;
        }
        match chars.next() {
            Some('[') => {
                chars.by_ref().find(|c| ('\u{40}'..='\u{7e}').contains(c));
            }
            Some(']') => {
                let mut last = ' ';
                chars.by_ref().find(|&c| {
                    let is_end = c == '\u{7}' || (last == '\u{1b}' && c == '\\');
                    last = c;
                    is_end
                });
            }
            _ => {}
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::SectionKind;
    use serde_json::json;

    fn read(notebook: &Value) -> Result<Parsed, ReadError> {
        read_bytes(notebook.to_string().into_bytes())
    }

    fn read_bytes(bytes: Vec<u8>) -> Result<Parsed, ReadError> {
        Notebook.read(&Blob { uri: "a/nb.ipynb".into(), bytes }, &ReadOptions::default())
    }

    fn markdown(source: &str) -> Value {
        json!({"cell_type": "markdown", "source": source})
    }

    #[test]
    fn cells_come_in_order_with_their_numbers() {
        let document = read(&json!({
            "nbformat": 4,
            "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
            "cells": [
                markdown("intro\n"),
                {"cell_type": "markdown", "source": ["# A\n", "\n", "text"]},
                {"cell_type": "code", "source": "print('```')", "outputs": [
                    {"output_type": "stream", "name": "stdout", "text": ["a\n", "b\n"]},
                    {"output_type": "execute_result", "data": {"text/plain": "42", "image/png": "iVBOR"}},
                    {"output_type": "display_data", "data": {"image/png": "iVBOR"}},
                    {"output_type": "error", "ename": "E", "evalue": "v",
                     "traceback": ["\u{1b}[0;31mE\u{1b}[0m: v", "\u{1b}]8;;x\u{7}line\u{1b}]8;;\u{1b}\\ 2"]},
                ]},
                markdown(" \n"),
                {"cell_type": "raw", "source": "# no heading"},
                markdown("## B"),
            ],
        }))
        .unwrap()
        .document;
        assert_eq!(
            document.text,
            "intro\n\n# A\n\ntext\n\n````python\nprint('```')\n````\n\n```\na\nb\n```\n\n```\n42\n```\n\n\
             ```\nE: v\nline 2\n```\n\n# no heading\n\n## B"
        );
        let titles: Vec<_> = document.sections.iter().map(|it| (it.level, it.title.as_str())).collect();
        assert_eq!(titles, [(0, ""), (1, "A"), (2, "B")]);
        assert_eq!(document.title, "A");
        assert_eq!(
            json!(document.metadata),
            json!({"kernel": "Python 3", "language": "python", "nbformat": 4})
        );
        let cell = |text: &str| {
            let start = document.text.find(text).unwrap();
            document.location(Span::new(start, start + text.len())).cells
        };
        assert_eq!(cell("intro"), Some((1, 1)));
        assert_eq!(cell("# A"), Some((2, 2)));
        assert_eq!(cell("line 2"), Some((3, 3)));
        assert_eq!(cell("## B"), Some((6, 6)));
        assert_eq!(cell("text\n\n````python"), Some((2, 3)));
        for block in &document.blocks {
            if let BlockKind::Code { fence: Some(fence) } = block.kind {
                assert!(fence.slice(&document.text).starts_with("```"));
            }
        }
    }

    #[test]
    fn an_unclosed_fence_ends_with_its_cell() {
        let document = read(&json!({"cells": [markdown("```\n# no"), markdown("# Yes")]})).unwrap().document;
        assert_eq!(document.sections.iter().map(|it| it.title.as_str()).collect::<Vec<_>>(), ["", "Yes"]);
    }

    #[test]
    fn notebooks_of_version_3_are_read() {
        let document = read(&json!({"nbformat": 3, "worksheets": [{"cells": [
            {"cell_type": "heading", "level": 2, "source": ["Old"]},
            {"cell_type": "code", "language": "julia", "input": ["x\n", "y"], "outputs": [
                {"output_type": "pyout", "text": ["1"]},
                {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": []},
            ]},
        ]}]}))
        .unwrap()
        .document;
        assert_eq!(document.text, "## Old\n\n```julia\nx\ny\n```\n\n```\n1\n```\n\n```\nE: v\n```\n");
        assert_eq!((document.sections.len(), document.sections[0].kind), (1, SectionKind::Heading));
    }

    #[test]
    fn front_matter_of_the_first_cell_is_metadata() {
        let raw = json!({"cell_type": "raw", "source": "---\ntitle: Deep\ntags: [a]\n---"});
        let document = read(&json!({"cells": [raw, markdown("# A")]})).unwrap().document;
        assert_eq!((document.title.as_str(), document.text.as_str()), ("Deep", "# A"));
        assert_eq!(json!(document.metadata), json!({"title": "Deep", "tags": ["a"]}));
    }

    #[test]
    fn outputs_of_markup_give_text_and_images_are_counted() {
        let outputs = json!([
            {"output_type": "display_data", "data": {"text/html": ["<table><tr><th>a</th></tr>", "<tr><td>1</td></tr></table>"]}},
            {"output_type": "display_data", "data": {"image/png": "iVBORw0"}},
            {"output_type": "stream", "text": ""},
        ]);
        let parsed =
            read(&json!({"cells": [{"cell_type": "code", "source": "x", "outputs": outputs}]})).unwrap();
        assert_eq!(parsed.document.text, "```\nx\n```\n\n```\n| a |\n| --- |\n| 1 |\n```\n");
        let expected = "left out: 1 outputs without text, such as images";
        assert_eq!(parsed.warnings, [Warning::new(WarningKind::Dropped, expected)]);
    }

    #[test]
    fn empty_notebooks_have_no_text() {
        for cells in [json!([]), json!([markdown("")]), json!([{"cell_type": "code"}])] {
            let document = read(&json!({ "cells": cells })).unwrap().document;
            assert_eq!((document.text.as_str(), document.sections.len()), ("", 0));
            assert_eq!(document.title, "nb.ipynb");
        }
    }

    #[test]
    fn damage_is_an_error_or_a_warning() {
        for bytes in ["", "{", "[]", "{}", "{\"cells\": 1}", "{\"cells\": [", &"[".repeat(100_000)] {
            let error = read_bytes(bytes.into()).unwrap_err();
            assert!(matches!(error, ReadError::Damaged { format: "notebook", .. }), "{bytes:.20}");
        }
        let parsed = read(&json!({"cells": [3, markdown("x")]})).unwrap();
        assert_eq!(parsed.document.text, "x");
        assert_eq!(parsed.document.origin, Origin::Cells(vec![(0, 2)]));
        assert_eq!(parsed.warnings[0].kind, WarningKind::Damaged);
    }
}
