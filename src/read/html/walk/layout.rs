//! Tables: which hold data, which lay out blocks, and which are lines of code.

mod records;

use super::super::dom::{self, NodeRef, Traits};
use super::super::keep::{self, line_numbers};
use super::super::table::Table;
use super::{Leave, Walk};
pub(super) use records::Layout;
use records::labelled;

/// Longest head cell that labels the cells below it, in bytes; chosen, real ones are a few words.
const MAX_LABEL_BYTES: usize = 120;

/// What a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Rows of short cells, to be shown as such.
    Data,
    /// Cells are read one after the other.
    Layout,
    /// As [`Layout`](Self::Layout), under a head: code of many lines in the cells of a table of data.
    Labelled,
}

/// Most bytes and lines of code that stands in the row of a table. Chosen: a short command or setting.
const MAX_ROW_CODE_BYTES: usize = 240;
const MAX_ROW_CODE_LINES: usize = 6;

impl<'a> Walk<'a> {
    pub(super) fn open_table(&mut self, node: NodeRef<'a>, traits: &Traits<'_>) -> Leave {
        self.end_item_block();
        if !self.is_flowing() || self.table.is_some() {
            return Leave::Block;
        }
        if is_listing(node) {
            return self.open_fragment(node);
        }
        match self.use_of(node, traits) {
            Use::Data => {
                self.table = Some(Table::default());
                Leave::Table
            }
            Use::Layout => {
                self.layouts.push(None);
                Leave::Layout
            }
            Use::Labelled => {
                self.layouts.push(Some(Layout::of(node, self.is_full_page).unwrap_or_default()));
                Leave::Layout
            }
        }
    }

    /// Ends a table for layout; words of its head that stand above nothing are kept.
    pub(super) fn close_layout(&mut self) {
        self.end_block();
        let Some(layout) = self.layouts.pop().flatten() else { return };
        let mut shown: Vec<&str> =
            layout.labels.iter().filter(|(_, is_used)| *is_used).map(|(label, _)| label.as_str()).collect();
        for (label, _) in &layout.labels {
            if !label.is_empty() && !shown.contains(&label.as_str()) {
                shown.push(label);
                self.line.push(label);
                self.end_block();
            }
        }
    }

    fn layout(&mut self) -> Option<&mut Layout<'a>> {
        let is_here = self.is_flowing() && self.table.is_none();
        self.layouts.last_mut().filter(|_| is_here)?.as_mut()
    }

    /// Starts a row of a table for layout; `true` for the head, which stands beside the cells.
    pub(super) fn is_labelling_row(&mut self, node: NodeRef<'a>) -> bool {
        let Some(layout) = self.layout() else { return false };
        if layout.heads.contains(&node) {
            return true;
        }
        layout.start_row();
        false
    }

    /// Whether a cell is the label of its row, which is written before the next cell.
    pub(super) fn is_row_label(&mut self, node: NodeRef<'a>) -> bool {
        let is_full_page = self.is_full_page;
        let Some(layout) = self.layout().filter(|it| it.heads.is_empty() && it.row_label.is_empty()) else {
            return false;
        };
        let is_cell = |it: &NodeRef<'_>| is_named(*it, |name| matches!(name, "td" | "th"));
        let next = std::iter::successors(node.next_sibling(), NodeRef::next_sibling).find(is_cell);
        if !next.is_some_and(|it| is_named(it, |name| name == "td") && is_shown(it)) {
            return false;
        }
        let label = keep::kept_text(node, is_full_page, MAX_LABEL_BYTES + 1);
        if label.is_empty() || label.len() > MAX_LABEL_BYTES {
            return false;
        }
        layout.row_label = label;
        true
    }

    /// Ends a paragraph in a cell of a record, which is a line of it; `false` where no such cell is open. What follows a label
    /// stands in its line.
    pub(super) fn end_record_line(&mut self) -> bool {
        let n_bytes = self.line.as_str().len();
        let Some(layout) = self.layout().filter(|it| it.is_in_cell) else { return false };
        if layout.label_end == Some(n_bytes) {
            self.line.space();
        } else {
            layout.label_end = None;
            self.line.push_break();
        }
        true
    }

    /// Says whether a cell of a record is open where a table for layout is; gives whether it was.
    pub(super) fn set_in_record_cell(&mut self, is_in_cell: bool) -> bool {
        let Some(layout) = self.layout() else { return false };
        layout.label_end = None;
        std::mem::replace(&mut layout.is_in_cell, is_in_cell)
    }

    /// Ends a cell of a table for layout; in a record it ends a line.
    pub(super) fn end_layout_cell(&mut self) {
        self.end_block();
        self.set_in_record_cell(false);
    }

    /// Whether the next cell is one more line of a record.
    pub(super) fn is_in_record(&mut self) -> bool {
        self.layout().is_some_and(|it| !it.heads.is_empty() && !it.is_row_start)
    }

    /// Writes the head of its column before a cell of a table for layout, and before the first cell of a row what goes on in it
    /// from above.
    pub(super) fn label_cell(&mut self, node: NodeRef<'_>, traits: &Traits<'_>) {
        let is_full_page = self.is_full_page;
        let Some(layout) = self.layout() else { return };
        let mut label = std::mem::take(&mut layout.row_label);
        let is_start = std::mem::take(&mut layout.is_row_start);
        let carried = if is_start { layout.carried_lines() } else { Vec::new() };
        if let Some(column) = layout.take_cell(traits)
            && is_shown(node)
        {
            let (head, is_used) = &mut layout.labels[column];
            if !head.is_empty() {
                *is_used = true;
                label.clone_from(head);
            }
            if layout.covered[column] > 0
                && !dom::descend(node, |_| true).take(200).any(|it| is_named(it, |name| name == "pre"))
            {
                let words = keep::kept_text(node, is_full_page, MAX_LABEL_BYTES + 1);
                if words.len() <= MAX_LABEL_BYTES {
                    layout.carried[column] = words;
                }
            }
        }
        for line in carried {
            self.line.push(&line);
            self.line.push_break();
        }
        if !label.is_empty() {
            self.line.push(&labelled(&label, ""));
        }
        let n_bytes = self.line.as_str().len();
        if let Some(layout) = self.layout().filter(|it| !it.heads.is_empty()) {
            layout.is_in_cell = true;
            layout.label_end = Some(n_bytes).filter(|_| !label.is_empty());
        }
    }

    /// What a table is for.
    ///
    /// Tables with headings in them lay out a page. So do tables without head cells that hold other tables or code (line
    /// numbers beside code), and those of a single row (AsciiDoc's notes) or column. Code of several lines has no place in
    /// a row of pipes, unless it is short and goes without indentation.
    fn use_of(&mut self, table: NodeRef<'_>, traits: &Traits<'_>) -> Use {
        if matches!(traits.role, "presentation" | "none") {
            return Use::Layout;
        }
        let (mut has_head, mut has_blocks, mut has_columns, mut has_code, mut n_rows) =
            (false, false, false, false, 0);
        for node in dom::descend(table, |it| is_named(it, |name| name != "table")) {
            if self.look_budget == 0 {
                return Use::Layout;
            }
            self.look_budget -= 1;
            let Some(traits) = dom::traits(&node) else { continue };
            if traits.heading_level().is_some() {
                return Use::Layout;
            }
            match traits.name {
                "th" => has_head = true,
                "tr" => n_rows += 1,
                "table" => {
                    has_blocks = true;
                    has_code = has_code || dom::descend(node, |_| true).take(100).any(has_lines);
                }
                "pre" => {
                    has_blocks = true;
                    has_code = has_code || (has_lines(node) && !has_row_room(node));
                }
                _ => {}
            }
            if !has_columns
                && matches!(traits.name, "td" | "th")
                && !line_numbers::is_line_numbers(node, &traits)
            {
                let is_cell = |it: NodeRef<'_>| is_named(it, |name| matches!(name, "td" | "th"));
                has_columns = std::iter::successors(node.next_sibling(), NodeRef::next_sibling).any(is_cell);
            }
        }
        if has_head && has_code {
            return Use::Labelled;
        }
        if has_head || (has_columns && n_rows > 1 && !has_blocks) { Use::Data } else { Use::Layout }
    }
}

fn is_named(node: NodeRef<'_>, is_name: impl Fn(&str) -> bool) -> bool {
    dom::element(&node).is_some_and(|it| is_name(it.name()))
}

/// Whether a cell shows anything.
fn is_shown(cell: NodeRef<'_>) -> bool {
    let has_text = |it: NodeRef<'_>| it.value().as_text().is_some_and(|it| !it.trim().is_empty());
    dom::descend(cell, |_| true).take(200).any(|it| has_text(it) || is_named(it, |name| name == "img"))
}

fn cells(row: NodeRef<'_>) -> impl Iterator<Item = NodeRef<'_>> {
    row.children().filter(|it| is_named(*it, |name| matches!(name, "td" | "th")))
}

/// Whether a node is preformatted text of several lines.
fn has_lines(node: NodeRef<'_>) -> bool {
    if !is_named(node, |name| name == "pre") {
        return false;
    }
    let (mut has_text, mut has_break) = (false, false);
    for it in dom::descend(node, |_| true).take(2000) {
        has_break |= has_text && is_named(it, |name| matches!(name, "br" | "div" | "p" | "tr"));
        let Some(text) = it.value().as_text() else { continue };
        for piece in text.split_inclusive('\n') {
            let has_words = !piece.trim().is_empty();
            if has_words && has_break {
                return true;
            }
            has_text |= has_words;
            has_break |= has_text && piece.ends_with('\n');
        }
    }
    false
}

/// Whether preformatted text is short enough for the row of a table, and its lines mean the same side by side.
fn has_row_room(pre: NodeRef<'_>) -> bool {
    let mut text = String::new();
    for (at, node) in dom::descend(pre, |_| true).enumerate() {
        let is_line = is_named(node, |name| matches!(name, "div" | "p" | "tr" | "li" | "img" | "table"));
        if at == 200 || is_line || text.len() > MAX_ROW_CODE_BYTES {
            return false;
        }
        match node.value().as_text() {
            Some(words) => text.push_str(words),
            None if is_named(node, |name| name == "br") => text.push('\n'),
            None => {}
        }
    }
    let mut n_lines = 0;
    let is_flat = text.lines().filter(|line| !line.trim().is_empty()).all(|line| {
        n_lines += 1;
        !line.starts_with([' ', '\t']) && !line.trim_end().ends_with('\\')
    });
    is_flat && n_lines <= MAX_ROW_CODE_LINES && text.len() <= MAX_ROW_CODE_BYTES
}

/// Whether a table shows code: a row for each line (GitHub) or all of them in one (SyntaxHighlighter), with numbers beside.
fn is_listing(table: NodeRef<'_>) -> bool {
    let is_entered = |it: NodeRef<'_>| is_named(it, |name| matches!(name, "tbody" | "thead"));
    let Some(row) = dom::descend(table, is_entered).take(50).find(|it| is_named(*it, |name| name == "tr"))
    else {
        return false;
    };
    let (mut n_numbers, mut code) = (0, None);
    for cell in cells(row).take(5) {
        let Some(traits) = dom::traits(&cell) else { continue };
        if line_numbers::is_line_numbers(cell, &traits) {
            n_numbers += 1;
        } else if code.replace((cell, traits)).is_some() {
            return false;
        }
    }
    let Some((cell, traits)) = code.filter(|_| n_numbers > 0) else { return false };
    // Code in an element of its own is a block already.
    let is_whole =
        dom::descend(cell, |_| true).take(50).any(|it| is_named(it, |name| matches!(name, "pre" | "table")));
    traits.class.contains("code") && !is_whole
}
