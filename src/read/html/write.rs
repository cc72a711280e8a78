//! Writes the rendered text: Markdown-like blocks with their spans, headings and anchors.
//!
//! Owns the layout (blank lines, indentation, markers), not the meaning of elements. Fences, tables and headings stand at
//! the start of the line even inside lists: their lines stay verbatim, and the chunker can repeat a fence or a head row.

use crate::content::{Block, BlockKind, Heading, SectionKind, Span};

use super::line::longest_run;
use super::table::Table;

/// Indentation stops here, in columns: 16 lists deep. Deeper ones come from broken markup, and indenting every line of
/// them would let the text grow with the square of the page.
const MAX_INDENT: usize = 32;

/// The blocks written so far.
#[derive(Debug, Default)]
pub(in crate::read) struct Writer {
    pub(in crate::read) text: String,
    pub(in crate::read) blocks: Vec<Block>,
    pub(in crate::read) headings: Vec<Heading>,
    /// `(text byte, id)` in order.
    pub(in crate::read) anchors: Vec<(usize, String)>,
    /// Ids that wait for the block to which they belong.
    ids: Vec<Id>,
    /// Width of each open list item and definition.
    widths: Vec<usize>,
    /// Markers of items whose first block is still to come.
    markers: String,
    last: Last,
}

/// What was written last, which decides on the blank line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    /// Nothing, or a block with a blank line after it.
    #[default]
    Block,
    Item,
    /// A term whose definition may follow.
    Term,
}

#[derive(Debug)]
struct Id {
    id: String,
    reach: Reach,
}

/// Which blocks an id names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Reach {
    /// The next block, whatever it is: ids of sections, terms and `a` elements.
    Block,
    /// The next block when it is a heading: ids of any element around it.
    Heading,
}

impl Writer {
    /// Notes an id that was met before the next block.
    pub(in crate::read) fn note_id(&mut self, id: &str, reach: Reach) {
        if id.is_empty() {
            return;
        }
        // Of the elements around a heading only the innermost names it.
        if reach == Reach::Heading && self.ids.last().is_some_and(|it| it.reach == Reach::Heading) {
            self.ids.pop();
        }
        self.ids.push(Id { id: id.to_owned(), reach });
    }

    /// The ids noted since the last block, for a table row.
    pub(in crate::read) fn take_ids(&mut self) -> Vec<String> {
        self.ids.drain(..).filter(|it| it.reach == Reach::Block).map(|it| it.id).collect()
    }

    /// Opens a list item or definition with its marker, such as `- `.
    pub(in crate::read) fn open_item(&mut self, marker: &str) {
        self.widths.push(marker.len());
        self.markers.push_str(marker);
    }

    /// Closes the innermost item; a marker that no block has used goes.
    pub(in crate::read) fn close_item(&mut self) {
        let width = self.widths.pop().unwrap_or_default();
        self.markers.truncate(self.markers.len().saturating_sub(width));
    }

    /// Separates what follows from the list that has ended, when it was not nested.
    pub(in crate::read) fn close_list(&mut self) {
        if self.widths.is_empty() {
            self.last = Last::Block;
        }
    }

    /// Writes a paragraph, or the first block of an item when its marker is pending.
    pub(in crate::read) fn paragraph(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let is_item = !self.markers.is_empty();
        let is_definition = is_item && self.markers.contains(": ") && self.last == Last::Term;
        let is_tight = is_definition || (is_item && self.last == Last::Item);
        let start = self.start_block(is_tight, false);
        let indent: usize = self.widths.iter().sum();
        let markers = std::mem::take(&mut self.markers);
        let first = indent.saturating_sub(markers.len()).min(MAX_INDENT);
        self.push_spaces(first);
        self.text.push_str(&markers);
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.text.push('\n');
                self.push_spaces(indent.min(MAX_INDENT));
            }
            self.text.push_str(line);
        }
        self.last = if is_item { Last::Item } else { Last::Block };
        let end = self.text.len();
        match self.blocks.last_mut().filter(|_| is_definition) {
            Some(term) => term.span.end = end,
            None => {
                let kind = if is_item { BlockKind::ListItem } else { BlockKind::Paragraph };
                self.push_block(start, end, kind);
            }
        }
    }

    /// Writes a term of a definition list; terms in a row and the first paragraph of their definition are one block.
    pub(in crate::read) fn term(&mut self, text: &str) {
        // Texinfo separates a category, which may be empty, from the name.
        let text = text.trim_start_matches(": ");
        if text.is_empty() {
            return;
        }
        let is_next = self.last == Last::Term;
        let start = self.start_block(is_next, false);
        let indent: usize = self.widths.iter().sum();
        let markers = std::mem::take(&mut self.markers);
        self.push_spaces(indent.saturating_sub(markers.len()).min(MAX_INDENT));
        self.text.push_str(&markers);
        self.text.push_str(&text.replace('\n', " "));
        self.last = Last::Term;
        let end = self.text.len();
        match self.blocks.last_mut().filter(|_| is_next) {
            Some(term) => term.span.end = end,
            None => self.push_block(start, end, BlockKind::ListItem),
        }
    }

    /// Writes a heading of `level` 1 to 6; `own_id` is the heading element's own.
    pub(in crate::read) fn heading(&mut self, level: u8, title: &str, own_id: &str) {
        // Last, so that it wins over ids around and inside the heading.
        self.note_id(own_id, Reach::Block);
        if title.is_empty() {
            return;
        }
        let title = title.replace('\n', " ");
        self.markers.clear();
        // A list that holds headings is the page's frame; what follows is not indented.
        self.widths.fill(0);
        let start = self.start_block(false, true);
        for _ in 0..level {
            self.text.push('#');
        }
        self.text.push(' ');
        self.text.push_str(&title);
        let end = self.text.len();
        self.last = Last::Block;
        self.headings.push(Heading { start, end, level, title, kind: SectionKind::Heading });
        self.push_block(start, end, BlockKind::Heading);
    }

    /// Writes a fenced code block; `code` is kept as it is, but for blank lines at its end.
    pub(in crate::read) fn code(&mut self, code: &str, language: Option<&str>) {
        let code = code.trim_end();
        if code.is_empty() {
            return;
        }
        self.markers.clear();
        let fence = "`".repeat(longest_run(code, b'`').max(2) + 1);
        let start = self.start_block(false, false);
        self.text.push_str(&fence);
        self.text.push_str(language.unwrap_or_default());
        let fence_end = self.text.len();
        self.text.push('\n');
        self.text.push_str(code);
        self.text.push('\n');
        self.text.push_str(&fence);
        self.last = Last::Block;
        let fence = Some(Span::new(start, fence_end));
        self.push_block(start, self.text.len(), BlockKind::Code { fence });
    }

    /// Writes a table; its caption has been written as a paragraph.
    pub(in crate::read) fn table(&mut self, table: Table) {
        let lines = table.into_lines();
        if lines.rows.is_empty() {
            return;
        }
        self.markers.clear();
        let start = self.start_block(false, false);
        let mut header = Span::new(start, start);
        for (at, row) in lines.rows.into_iter().enumerate() {
            if at > 0 {
                self.text.push('\n');
            }
            let row_start = self.text.len();
            self.anchors.extend(row.ids.into_iter().map(|id| (row_start, id)));
            self.text.push_str(&row.line);
            if at + 1 == lines.n_head {
                header.end = self.text.len();
            }
        }
        self.last = Last::Block;
        self.push_block(start, self.text.len(), BlockKind::Table { header });
    }

    /// Ends the last block before, and settles the waiting ids on the one that starts here.
    fn start_block(&mut self, is_tight: bool, is_heading: bool) -> usize {
        if !self.text.is_empty() {
            self.text.push_str(if is_tight { "\n" } else { "\n\n" });
        }
        let start = self.text.len();
        // The last one wins where several stand at one byte: ids made for the block go after those of things around it.
        let (own, around): (Vec<Id>, Vec<Id>) = self.ids.drain(..).partition(|it| it.reach == Reach::Block);
        let around = around.into_iter().filter(|_| is_heading);
        self.anchors.extend(around.chain(own).map(|it| (start, it.id)));
        start
    }

    fn push_block(&mut self, start: usize, end: usize, kind: BlockKind) {
        self.blocks.push(Block { span: Span::new(start, end), kind });
    }

    fn push_spaces(&mut self, n: usize) {
        self.text.extend(std::iter::repeat_n(' ', n));
    }
}
