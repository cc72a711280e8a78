//! The body of a document: paragraphs and tables to written blocks.

use std::collections::{HashMap, HashSet};

use crate::content::{SectionKind, Warning, WarningKind};
use crate::read::markers::Bullet;
use crate::read::package::{Element, Package, Tree};
use crate::read::rendered::{self, Part, Table, Writer};
use crate::read::{ReadError, graphics, page_lines, symbols};

use super::inline::{Context, Inline, Note, Reference, alternative};
use super::numbering::{Marker, Numbering};
use super::styles::{Properties, Role, Styles};
use super::{looks, tables};

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) writer: Writer,
    /// The first paragraph in the style "Title".
    pub(super) title: Option<String>,
}

/// Reads the main part with the parts beside it.
pub(super) fn read(
    package: &mut Package<'_>,
    main: &str,
    warnings: &mut Vec<Warning>,
) -> Result<Body, ReadError> {
    let tree = package.required_tree(main, warnings)?;
    let relations = package.relations(main, warnings);
    let mut beside = |kind: &str| {
        let part = relations.first(kind)?.to_owned();
        package.tree(&part, warnings)
    };
    let (styles, numbering) = (beside("styles"), beside("numbering"));
    let (footnotes, endnotes, comments) = (beside("footnotes"), beside("endnotes"), beside("comments"));
    let mut graphics = HashMap::new();
    for element in tree.root().into_iter().flat_map(|it| it.descendants()) {
        let id = match element.name() {
            "chart" => element.prefixed_attr("id"),
            "relIds" => element.attr("dm"),
            _ => None,
        };
        if let Some((id, part)) = id.and_then(|id| Some((id, relations.part(id)?))) {
            let mut writer = Writer::default();
            graphics::write(package, part, &mut writer, warnings);
            graphics.insert(id, writer);
        }
    }
    let mut walk = Walk {
        graphics,
        styles: Styles::of(styles.as_ref().and_then(Tree::root)),
        numbering: Numbering::of(numbering.as_ref().and_then(Tree::root)),
        notes: Notes::of(&footnotes, &endnotes, &comments),
        ..Walk::default()
    };
    if let Some(body) = tree.root().and_then(|it| it.child("body")) {
        walk.looks = looks::levels(body, &walk.styles);
        walk.blocks(body);
    }
    walk.end();
    symbols::warn_of_lost(walk.n_lost, warnings);
    let mut lines = Vec::new();
    for part in relations.of_kind("header").chain(relations.of_kind("footer")) {
        let tree = package.tree(part, warnings);
        lines.extend(tree.as_ref().and_then(Tree::root).into_iter().flat_map(super::page_lines::of));
    }
    page_lines::warn(lines, warnings);
    let parts: Vec<String> =
        walk.foreign.iter().filter_map(|id| relations.part(id)).map(str::to_owned).collect();
    if !parts.is_empty() {
        let message = format!("embedded documents left out: {}", parts.join(", "));
        warnings.push(Warning::new(WarningKind::LeftOut, message));
    }
    Ok(Body { writer: walk.writer, title: walk.title })
}

/// Notes and comments by reference.
#[derive(Debug, Default)]
struct Notes<'a>(HashMap<Reference, Element<'a>>);

impl<'a> Notes<'a> {
    fn of(footnotes: &'a Option<Tree>, endnotes: &'a Option<Tree>, comments: &'a Option<Tree>) -> Self {
        let kinds = [
            (Note::Footnote, footnotes, "footnote"),
            (Note::Endnote, endnotes, "endnote"),
            (Note::Comment, comments, "comment"),
        ];
        let mut notes = HashMap::new();
        for (kind, tree, name) in kinds {
            for note in tree.as_ref().and_then(Tree::root).into_iter().flat_map(|it| it.named(name)) {
                if let Some(id) = note.attr("id") {
                    notes.insert(Reference { kind, id: id.to_owned() }, note);
                }
            }
        }
        Self(notes)
    }
}

#[derive(Debug, Default)]
struct Walk<'a> {
    writer: Writer,
    styles: Styles,
    /// Levels of the headings that are told by their looks alone.
    looks: HashMap<usize, u8>,
    numbering: Numbering,
    notes: Notes<'a>,
    /// Numbers of the notes in the order of their first references.
    numbers: HashMap<Reference, usize>,
    /// Notes and comments to write at the end of the section.
    waiting: Vec<Reference>,
    written: HashSet<Reference>,
    /// List levels that are open.
    open: Vec<usize>,
    /// Number of the list at the top.
    list: String,
    /// Lines of the code block that is open.
    code: Vec<String>,
    /// Text of a paragraph whose end was deleted: the next one goes on with it.
    carried: String,
    /// Text boxes, notes and cells around the block at hand, in which there are no sections.
    n_inside: usize,
    title: Option<String>,
    /// Charts and diagrams by relationship, to be written where they stand.
    graphics: HashMap<&'a str, Writer>,
    /// Relationships of documents in other formats.
    foreign: Vec<String>,
    /// Characters of symbol fonts that are left out.
    n_lost: usize,
}

impl<'a> Walk<'a> {
    fn blocks(&mut self, parent: Element<'a>) {
        for child in parent.elements() {
            match child.name() {
                "p" => self.paragraph(child),
                "tbl" => self.table(child),
                "del" | "moveFrom" | "sectPr" | "sdtPr" | "sdtEndPr" | "pPr" | "tcPr" => {}
                "AlternateContent" => {
                    if let Some(choice) = alternative(child) {
                        self.blocks(choice);
                    }
                }
                "altChunk" => self.foreign.extend(child.prefixed_attr("id").map(str::to_owned)),
                _ => self.blocks(child),
            }
        }
    }

    fn inline(&mut self, paragraph: Element<'a>) -> Inline<'a> {
        let mut context = Context { styles: &self.styles, numbers: &mut self.numbers };
        let inline = Inline::of(paragraph, &mut context);
        self.n_lost += inline.n_lost;
        for reference in &inline.references {
            if self.written.insert(reference.clone()) {
                self.waiting.push(reference.clone());
            }
        }
        inline
    }

    fn paragraph(&mut self, paragraph: Element<'a>) {
        let properties = paragraph.child("pPr");
        let style = properties.and_then(|it| it.val("pStyle"));
        let own = Properties::of(properties);
        let inline = self.inline(paragraph);
        let mut text = std::mem::take(&mut self.carried);
        text.push_str(&inline.text);
        let is_end_deleted = properties
            .and_then(|it| it.child("rPr"))
            .is_some_and(|it| it.child("del").is_some() || it.child("moveFrom").is_some());
        if is_end_deleted && inline.boxes.is_empty() {
            self.carried = text;
            return;
        }
        let look = self.looks.get(&paragraph.id()).copied().filter(|_| self.n_inside == 0);
        match self.styles.role(style, &own) {
            Role::Code => self.code.extend(text.split('\n').map(|it| it.replace('\t', "    "))),
            Role::Heading { level, is_title } if self.n_inside == 0 => {
                self.heading(level, is_title, &text, style, &own);
            }
            Role::Body if look.is_some() => {
                self.heading(look.unwrap_or(1), false, &text, style, &own);
                if let Some(heading) = self.writer.headings.last_mut() {
                    heading.kind = SectionKind::Font;
                }
            }
            _ => {
                let text = folded(&text);
                let list = self.styles.list(style, &own);
                // Empty paragraphs have no number.
                let marker = list.filter(|_| !text.is_empty()).and_then(|place| {
                    let marker = self.numbering.next_marker(&place)?;
                    Some((place, marker))
                });
                match marker {
                    None if text.is_empty() => {}
                    Some((place, Marker::Bullet(Bullet::Blank))) if self.open.contains(&place.nesting) => {
                        self.go_on(place.nesting, &text);
                    }
                    None | Some((_, Marker::Bullet(Bullet::Blank))) => {
                        self.close_blocks();
                        self.writer.paragraph(&text);
                    }
                    Some((place, marker)) => {
                        // Another list stands apart from the one before; open and done tasks are lists of their own.
                        let list = match marker {
                            Marker::Bullet(Bullet::Task { .. }) => "tasks",
                            _ => &place.num_id,
                        };
                        if place.nesting == 0 && self.list != list {
                            self.close_blocks();
                            list.clone_into(&mut self.list);
                        }
                        self.item(place.nesting, &marker, &text);
                    }
                }
            }
        }
        self.inside(|walk| inline.boxes.iter().for_each(|it| walk.blocks(*it)));
        for id in inline.graphics {
            if let Some(graphic) = self.graphics.remove(id) {
                self.close_blocks();
                rendered::append(&mut self.writer, graphic);
            }
        }
    }

    fn heading(&mut self, level: u8, is_title: bool, text: &str, style: Option<&str>, own: &Properties) {
        let title = folded(text).replace('\n', " ");
        if title.is_empty() {
            return;
        }
        self.close_blocks();
        self.write_notes();
        let number = self.styles.list(style, own).and_then(|place| self.numbering.next_marker(&place));
        match number {
            Some(Marker::Number(number)) => {
                self.writer.heading(level, &format!("{number} {title}"), "");
                // The number is shown, but the heading is called by its words.
                if let Some(heading) = self.writer.headings.last_mut() {
                    heading.title.clone_from(&title);
                }
            }
            _ => self.writer.heading(level, &title, ""),
        }
        if is_title && self.title.is_none() {
            self.title = Some(title);
        }
    }

    fn item(&mut self, level: usize, marker: &Marker, text: &str) {
        self.close_code();
        while self.open.pop_if(|open| *open >= level).is_some() {
            self.writer.close_item();
        }
        let (sign, task) = match marker {
            Marker::Number(number) => (number.as_str(), ""),
            Marker::Bullet(bullet) => ("-", bullet.task()),
        };
        self.writer.open_item(&format!("{sign} "));
        self.open.push(level);
        self.writer.paragraph(&format!("{task}{text}"));
    }

    /// Writes a further paragraph of the item that is open at `level`.
    fn go_on(&mut self, level: usize, text: &str) {
        self.close_code();
        while self.open.pop_if(|open| *open > level).is_some() {
            self.writer.close_item();
        }
        self.writer.paragraph(text);
    }

    /// Reads what lies inside something that has no sections of its own.
    fn inside(&mut self, read: impl FnOnce(&mut Self)) {
        self.n_inside += 1;
        read(self);
        self.n_inside -= 1;
    }

    fn table(&mut self, table: Element<'a>) {
        self.close_blocks();
        let rows: Vec<Element<'a>> = tables::rows(table);
        let n_cells: usize = rows.iter().map(|row| tables::cells(*row).len()).sum();
        if n_cells == 1 || (self.n_inside == 0 && tables::is_layout(&rows, &self.styles)) {
            for cell in rows.into_iter().flat_map(tables::cells) {
                self.blocks(cell);
                self.close_blocks();
            }
            return;
        }
        let has_head_look = table.at_path(&["tblPr", "tblLook"]).is_none_or(is_first_row_special);
        let mut written = Table::default();
        let mut is_in_head = true;
        for (at, row) in rows.iter().enumerate() {
            let properties = row.child("trPr");
            let is_marked = properties.and_then(|it| it.child("tblHeader")).is_some_and(is_on);
            is_in_head &= is_marked || (at == 0 && rows.len() > 1 && has_head_look);
            written.set_part(if is_in_head { Part::Head } else { Part::Body });
            written.push_row();
            let skipped =
                properties.and_then(|it| it.val("gridBefore")).and_then(|it| it.parse::<usize>().ok());
            for _ in 0..skipped.unwrap_or(0).min(64) {
                written.push_cell(String::new(), 1, 1, false);
            }
            for cell in tables::cells(*row) {
                let properties = cell.child("tcPr");
                let span =
                    properties.and_then(|it| it.val("gridSpan")).and_then(|it| it.parse().ok()).unwrap_or(1);
                let is_covered = properties
                    .and_then(|it| it.child("vMerge"))
                    .is_some_and(|it| it.attr("val").is_none_or(|it| it == "continue"));
                let mut text = String::new();
                if !is_covered {
                    self.cell_text(cell, &mut text);
                }
                written.push_cell(rendered::one_line(&text), span, 1, false);
            }
        }
        self.writer.table(written);
    }

    /// All text of a cell, paragraph by paragraph.
    fn cell_text(&mut self, parent: Element<'a>, text: &mut String) {
        for child in parent.elements() {
            match child.name() {
                "p" => {
                    let inline = self.inline(child);
                    text.push_str(&inline.text);
                    text.push(rendered::PARAGRAPH_END);
                    for content in inline.boxes {
                        self.cell_text(content, text);
                    }
                }
                "del" | "moveFrom" | "tcPr" | "sdtPr" | "trPr" | "tblPr" => {}
                "AlternateContent" => {
                    if let Some(choice) = alternative(child) {
                        self.cell_text(choice, text);
                    }
                }
                _ => self.cell_text(child, text),
            }
        }
    }

    fn close_code(&mut self) {
        if !self.code.is_empty() {
            let code = std::mem::take(&mut self.code).join("\n");
            self.writer.code(code.trim_start_matches('\n'), None);
        }
    }

    fn close_blocks(&mut self) {
        self.close_code();
        while self.open.pop().is_some() {
            self.writer.close_item();
        }
        self.writer.close_list();
    }

    /// Writes the notes and comments of the section that ends here.
    fn write_notes(&mut self) {
        // Notes refer to notes in broken files only, and each is written once.
        while !self.waiting.is_empty() {
            for reference in std::mem::take(&mut self.waiting) {
                let Some(&note) = self.notes.0.get(&reference) else { continue };
                let mut text = String::new();
                self.inside(|walk| walk.cell_text(note, &mut text));
                let text = folded(&text).replace('\n', " ");
                if text.is_empty() {
                    continue;
                }
                let start = match reference.kind {
                    Note::Comment => match note.attr("author").map(str::trim).filter(|it| !it.is_empty()) {
                        Some(author) => format!("Comment ({author})"),
                        None => "Comment".to_owned(),
                    },
                    _ => format!("[^{}]", self.numbers.get(&reference).copied().unwrap_or_default()),
                };
                self.writer.paragraph(&format!("{start}: {text}"));
            }
        }
    }

    fn end(&mut self) {
        let carried = folded(&std::mem::take(&mut self.carried));
        self.close_blocks();
        self.writer.paragraph(&carried);
        self.write_notes();
    }
}

/// Whether a switch such as `tblHeader` is on.
fn is_on(element: Element<'_>) -> bool {
    !matches!(element.attr("val"), Some("0" | "false" | "off"))
}

/// Whether `tblLook` formats the first row as a head (ECMA-376, 17.4.55, and its older bit mask).
fn is_first_row_special(look: Element<'_>) -> bool {
    match (look.attr("firstRow"), look.attr("val").and_then(|it| u32::from_str_radix(it, 16).ok())) {
        (Some(first), _) => !matches!(first, "0" | "false" | "off"),
        (None, Some(bits)) => bits & 0x20 != 0,
        (None, None) => true,
    }
}

/// `text` with blanks in a row, tabs and soft hyphens folded, line by line.
pub(in crate::read) fn folded(text: &str) -> String {
    let clean = text.replace('\u{AD}', "");
    let lines = clean.split('\n').map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n")
}
