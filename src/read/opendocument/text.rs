//! The body of a text document.

use std::collections::HashMap;

use crate::read::package::{Element, Tree};
use crate::read::rendered::{PARAGRAPH_END, Part, Table, Writer, one_line};
use crate::read::word::{folded, is_description};

use super::lists::{Counts, Lists, Place, Sign, is_continuing, start_of};
use super::spans::Spans;
use crate::read::markers::Bullet;

/// Columns and rows of a table that one repeated cell or row may fill.
const MAX_REPEATS: usize = 64;

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) writer: Writer,
    /// The first paragraph in the style "Title".
    pub(super) title: Option<String>,
}

/// Reads the content with its styles.
pub(super) fn read<'a>(content: &'a Tree, styles: Option<&'a Tree>) -> Body {
    let lists = Lists::of(content, styles);
    let mut walk = Walk { spans: Spans::of(content, styles), lists, ..Walk::default() };
    for root in [styles.and_then(Tree::root), content.root()].into_iter().flatten() {
        for style in
            root.named("styles").chain(root.named("automatic-styles")).flat_map(|it| it.named("style"))
        {
            if let Some(name) = style.attr("name") {
                walk.parents.insert(name, style.attr("parent-style-name").unwrap_or_default());
            }
        }
    }
    if let Some(text) = content.root().and_then(|it| it.at_path(&["body", "text"])) {
        walk.blocks(text);
    }
    walk.close_code();
    walk.write_notes();
    Body { writer: walk.writer, title: walk.title }
}

#[derive(Debug, Default)]
struct Walk<'a> {
    writer: Writer,
    /// Parent of each style by name.
    parents: HashMap<&'a str, &'a str>,
    lists: Lists<'a>,
    spans: Spans<'a>,
    code: Vec<String>,
    notes: Vec<String>,
    n_notes: usize,
    n_inside: usize,
    title: Option<String>,
}

impl<'a> Walk<'a> {
    /// Whether a paragraph's style is `wanted` or based on it.
    fn has_style(&self, element: Element<'a>, wanted: &[&str]) -> bool {
        let mut next = element.attr("style-name");
        for _ in 0..16 {
            match next {
                Some(name) if wanted.contains(&name) => return true,
                Some(name) => next = self.parents.get(name).copied(),
                None => return false,
            }
        }
        false
    }

    fn blocks(&mut self, parent: Element<'a>) {
        for child in parent.elements() {
            self.block(child);
        }
    }

    fn block(&mut self, element: Element<'a>) {
        match element.name() {
            "h" => {
                let level = element.attr("outline-level").and_then(|it| it.parse().ok()).unwrap_or(1_u8);
                self.heading(element, level.clamp(1, 10));
            }
            "p" => self.paragraph(element),
            "list" => {
                self.close_code();
                let mut list = self.lists.begin(element);
                self.list(element, Place { style: None, level: 1 }, &mut list.counts);
                self.lists.end(list);
                self.writer.close_list();
            }
            "table" => self.table(element),
            "tracked-changes" | "sequence-decls" | "forms" | "variable-decls" | "user-field-decls" => {}
            _ => self.blocks(element),
        }
    }

    /// The words of a paragraph, and the text boxes in it.
    fn inline(&mut self, element: Element<'a>) -> (String, Vec<Element<'a>>) {
        let mut boxes = Vec::new();
        let (mut notes, mut n_notes) = (Vec::new(), self.n_notes);
        let text = self.spans.text(element, &mut |aside, text| match aside.name() {
            "note" => {
                n_notes += 1;
                text.push_str(&format!("[^{n_notes}]"));
                notes.push((format!("[^{n_notes}]"), aside.child("note-body").unwrap_or(aside)));
            }
            "annotation" => {
                let author = aside.child("creator").map(|it| it.text()).filter(|it| !it.trim().is_empty());
                let of = author.map(|it| format!(" ({})", it.trim())).unwrap_or_default();
                notes.push((format!("Comment{of}"), aside));
            }
            _ => boxes.push(aside),
        });
        self.n_notes = n_notes;
        for (mark, note) in notes {
            let mut words = String::new();
            self.flat(note, &mut words);
            let words = folded(&words).replace('\n', " ");
            if !words.is_empty() {
                self.notes.push(format!("{mark}: {words}"));
            }
        }
        (text, boxes)
    }

    /// All paragraphs inside, one after the other.
    fn flat(&mut self, parent: Element<'a>, text: &mut String) {
        for child in parent.elements() {
            match child.name() {
                "p" | "h" => {
                    let (words, boxes) = self.inline(child);
                    text.push_str(&words);
                    text.push(PARAGRAPH_END);
                    boxes.into_iter().for_each(|it| self.flat(it, text));
                }
                "creator" | "date" | "tracked-changes" => {}
                _ => self.flat(child, text),
            }
        }
    }

    fn heading(&mut self, element: Element<'a>, level: u8) {
        // Notes in the heading belong to the section that it opens.
        let before = std::mem::take(&mut self.notes);
        let (text, boxes) = self.inline(element);
        let own = std::mem::replace(&mut self.notes, before);
        let title = folded(&text).replace('\n', " ");
        self.close_code();
        if self.n_inside == 0 && !title.is_empty() {
            self.write_notes();
            self.writer.heading(level, &title, "");
        } else {
            self.writer.paragraph(&title);
        }
        self.notes.extend(own);
        self.boxes(boxes);
    }

    fn paragraph(&mut self, element: Element<'a>) {
        if self.n_inside == 0 && self.has_style(element, &["Title"]) {
            let is_first = self.title.is_none();
            self.heading(element, 1);
            if is_first {
                self.title = self.writer.headings.last().map(|it| it.title.clone());
            }
            return;
        }
        self.plain(element, self.is_code(element), "");
    }

    fn is_code(&self, element: Element<'a>) -> bool {
        element.name() == "p" && self.has_style(element, &["Preformatted_20_Text", "Source_20_Code", "Code"])
    }

    /// A paragraph that is no heading; `before` stands before its words.
    fn plain(&mut self, element: Element<'a>, is_code: bool, before: &str) {
        let (text, boxes) = self.inline(element);
        if is_code {
            self.code.extend(text.split('\n').map(|it| it.replace('\t', "    ")));
        } else {
            self.close_code();
            let text = folded(&text);
            let before = if text.is_empty() { "" } else { before };
            self.writer.paragraph(&format!("{before}{text}"));
        }
        self.boxes(boxes);
    }

    /// Text boxes and pictures that are anchored to the paragraph before.
    fn boxes(&mut self, boxes: Vec<Element<'a>>) {
        for frame in boxes {
            self.close_code();
            self.n_inside += 1;
            let n_blocks = self.writer.blocks.len();
            self.blocks(frame);
            self.close_code();
            self.n_inside -= 1;
            if self.writer.blocks.len() == n_blocks {
                let alt = ["desc", "title"].iter().find_map(|name| frame.child(name)).map(|it| it.text());
                if let Some(alt) = alt.filter(|it| is_description(it)) {
                    self.writer.paragraph(&folded(&alt));
                }
            }
        }
    }

    fn list(&mut self, list: Element<'a>, place: Place<'a>, counts: &mut Counts) {
        let place = Place { style: list.attr("style-name").or(place.style), ..place };
        let sign = self.lists.sign(place.style, place.level);
        for item in list.elements() {
            let first = item.elements().next().map(|it| it.name());
            match (item.name(), first) {
                // Headings in lists are how outline numbers are made.
                ("list-item", Some("h")) => self.blocks(item),
                // An item that has no words of its own only says how deep its list is.
                ("list-item", Some("list")) => self.item(item, place, counts, ""),
                ("list-item", _) if !matches!(sign, Sign::Bullet(Bullet::Blank)) => {
                    let marker = sign.next(counts, place.level, start_of(item));
                    self.writer.open_item(&format!("{marker} "));
                    self.item(item, place, counts, sign.task());
                    self.writer.close_item();
                }
                _ => self.item(item, place, counts, ""),
            }
        }
    }

    /// Writes what is in an item; `task` stands before its words.
    fn item(&mut self, item: Element<'a>, place: Place<'a>, counts: &mut Counts, task: &str) {
        let second = item.elements().nth(1);
        for (at, child) in item.elements().enumerate() {
            match child.name() {
                "list" => {
                    self.close_code();
                    if at > 0 && !is_continuing(child) {
                        counts.end_below(place.level);
                    }
                    self.list(child, Place { level: place.level + 1, ..place }, counts);
                }
                "p" => {
                    // A line in the style of code is the item itself (pandoc gives items the styles of code before them), more of
                    // them are code.
                    let is_code =
                        self.is_code(child) && (at > 0 || second.is_some_and(|it| self.is_code(it)));
                    self.plain(child, is_code, if at == 0 { task } else { "" });
                }
                _ => self.block(child),
            }
        }
        self.close_code();
    }

    fn table(&mut self, table: Element<'a>) {
        self.close_code();
        let mut rows = Vec::new();
        collect_rows(table, false, &mut rows);
        let cells = |row: Element<'a>| {
            row.elements().filter(|it| matches!(it.name(), "table-cell" | "covered-table-cell"))
        };
        let is_layout = |cell: Element<'a>| cell.descendants().any(|it| matches!(it.name(), "h" | "table"));
        let n_cells: usize = rows.iter().map(|(row, _)| cells(*row).count()).sum();
        if n_cells == 1 || (self.n_inside == 0 && rows.iter().any(|(row, _)| cells(*row).any(is_layout))) {
            for cell in rows.into_iter().flat_map(|(row, _)| cells(row)) {
                self.blocks(cell);
            }
            return;
        }
        let has_head = rows.iter().any(|(_, is_head)| *is_head);
        let mut written = Table::default();
        for (at, (row, is_head)) in rows.iter().enumerate() {
            let is_head = *is_head || (!has_head && at == 0 && rows.len() > 1);
            written.set_part(if is_head { Part::Head } else { Part::Body });
            written.push_row();
            for cell in cells(*row) {
                let repeats =
                    cell.attr("number-columns-repeated").and_then(|it| it.parse().ok()).unwrap_or(1);
                let mut text = String::new();
                if cell.name() == "table-cell" {
                    self.flat(cell, &mut text);
                }
                let text = one_line(&text);
                for _ in 0..repeats.clamp(1, MAX_REPEATS) {
                    written.push_cell(text.clone(), 1, 1, false);
                }
            }
        }
        self.writer.table(written);
    }

    fn close_code(&mut self) {
        if !self.code.is_empty() {
            let code = std::mem::take(&mut self.code).join("\n");
            self.writer.code(code.trim_start_matches('\n'), None);
        }
    }

    fn write_notes(&mut self) {
        for note in std::mem::take(&mut self.notes) {
            self.writer.paragraph(&note);
        }
    }
}

/// Rows of a table and whether they are head rows; groups and head rows have elements of their own.
fn collect_rows<'a>(parent: Element<'a>, is_head: bool, rows: &mut Vec<(Element<'a>, bool)>) {
    for child in parent.elements() {
        match child.name() {
            "table-row" => rows.push((child, is_head)),
            "table-header-rows" => collect_rows(child, true, rows),
            "table-row-group" | "table-rows" => collect_rows(child, is_head, rows),
            _ => {}
        }
    }
}
