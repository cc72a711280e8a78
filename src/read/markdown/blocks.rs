//! From the parser's byte ranges to blocks that are whole lines, in order, without overlap or gap.

use std::ops::Range;

use crate::content::{Block, BlockKind, Heading, Span};
use crate::read::plain::Lines;

/// Collects the blocks of one text, front to back.
#[derive(Debug)]
pub(super) struct Blocks<'a> {
    text: &'a str,
    lines: &'a Lines,
    blocks: Vec<Block>,
    /// Number of the list item that the last block belongs to.
    item: Option<usize>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(text: &'a str, lines: &'a Lines) -> Self {
        Self { text, lines, blocks: Vec::new(), item: None }
    }

    fn end(&self) -> usize {
        self.blocks.last().map_or(0, |last| last.span.end)
    }

    /// The lines of `range` after the blocks so far, blank lines at its end left out.
    fn whole_lines(&self, range: Range<usize>) -> Span {
        let content = self.text.get(range.clone()).unwrap_or_default().trim_end();
        if content.trim_start().is_empty() {
            return Span::new(self.end(), self.end());
        }
        let start = self.lines.start(range.start).max(self.end());
        Span::new(start, self.lines.end(range.start + content.len() - 1).max(start))
    }

    /// Adds the lines of `range` as a block, unless they are blank or taken; returns what was added.
    pub(super) fn push(&mut self, range: Range<usize>, kind: BlockKind) -> Span {
        let span = self.whole_lines(range);
        self.push_span(span, kind);
        span
    }

    fn push_span(&mut self, span: Span, kind: BlockKind) {
        self.item = None;
        if !span.is_empty() {
            self.fill(span.start);
            self.blocks.push(Block { span, kind });
        }
    }

    /// Adds lines of a list item, to the block before if that is the same item's.
    pub(super) fn push_item(&mut self, range: Range<usize>, item: usize) {
        let span = self.whole_lines(range);
        match self.blocks.last_mut() {
            Some(last) if self.item == Some(item) => last.span.end = last.span.end.max(span.end),
            _ => {
                self.push_span(span, BlockKind::ListItem);
                self.item = (!span.is_empty()).then_some(item);
            }
        }
    }

    /// Adds a code block, whose opening fence starts at byte `fence`.
    pub(super) fn push_code(&mut self, range: Range<usize>, fence: Option<usize>) {
        let fence = fence.and_then(|start| {
            let line = self.text.get(start..self.lines.end(start))?.trim_end_matches(['\r', '\n']);
            line.starts_with(['`', '~']).then(|| Span::new(start, start + line.len()))
        });
        self.push(range, BlockKind::Code { fence });
    }

    /// Adds a table, whose head row holds byte `head`.
    pub(super) fn push_table(&mut self, mut range: Range<usize>, head: usize) {
        let mut head = self.lines.start(head);
        if self.is_delimiter_row(head) && head > self.end() {
            // The parser's range leaves out a head row without outer pipes at the start of a file (pulldown-cmark#452).
            head = self.lines.start(head - 1);
            range.start = range.start.min(head);
        }
        let span = self.whole_lines(range);
        let delimiter = self.lines.end(head);
        let header = Span::new(head, self.lines.end(delimiter));
        let is_sound = span.contains(header) && self.is_delimiter_row(delimiter);
        let header = if is_sound { header } else { Span::new(span.start, span.start) };
        self.push_span(span, BlockKind::Table { header });
    }

    fn is_delimiter_row(&self, start: usize) -> bool {
        let row = &self.text[start..self.lines.end(start)];
        row.contains('-') && row.chars().all(|c| c.is_whitespace() || "|:->".contains(c))
    }

    /// Makes paragraphs of the lines before byte `until` that no block took: link definitions and what the parser
    /// says nothing about.
    fn fill(&mut self, until: usize) {
        let mut at = self.end();
        let mut run: Option<Span> = None;
        while at < until {
            let line = Span::new(at, self.lines.end(at).clamp(at + 1, until));
            at = line.end;
            let is_blank = line.slice(self.text).chars().all(|c| c.is_whitespace() || c == '>');
            match &mut run {
                Some(run) if !is_blank => run.end = line.end,
                None if !is_blank => run = Some(line),
                _ => self.blocks.extend(run.take().map(|span| Block { span, kind: BlockKind::Paragraph })),
            }
        }
        self.blocks.extend(run.map(|span| Block { span, kind: BlockKind::Paragraph }));
    }

    /// The blocks, none of which reaches over the start of a section (of headings in one line of HTML).
    pub(super) fn finish(mut self, headings: &[Heading]) -> Vec<Block> {
        self.fill(self.text.len());
        let mut starts = headings.iter().map(|heading| heading.start).peekable();
        let mut whole = Vec::with_capacity(self.blocks.len());
        for mut block in self.blocks {
            while let Some(start) = starts.next_if(|&start| start < block.span.end) {
                if start > block.span.start {
                    whole.push(Block { span: Span::new(block.span.start, start), kind: block.kind.clone() });
                    block.span.start = start;
                }
            }
            whole.push(block);
        }
        whole
    }
}
