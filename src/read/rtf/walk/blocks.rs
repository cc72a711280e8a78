//! What is written where a paragraph, a list, a cell, a row or a table ends.

use super::Walk;
use super::items::typed_marker;
use crate::content::SectionKind;
use crate::read::looks::Place;
use crate::read::markers::Bullet;
use crate::read::rendered::{PARAGRAPH_END, Part, Table, one_line};
use crate::read::rtf::state::Target;
use crate::read::word::folded;

impl Walk {
    pub(super) fn break_paragraph(&mut self) {
        self.decode();
        match self.state.target {
            Target::Body if self.paragraph.is_in_table => {
                self.looks.end(0, "", Place::Other);
                self.text.push(PARAGRAPH_END);
            }
            Target::Body => self.end_paragraph(),
            Target::Note | Target::Comment => self.aside.push(' '),
            Target::PageLines => self.page_lines.push('\n'),
            _ => {}
        }
    }

    pub(super) fn end_paragraph(&mut self) {
        self.decode();
        let raw = std::mem::take(&mut self.text);
        let text = folded(&raw);
        let (has_marker, is_fixed) = (std::mem::take(&mut self.has_marker), self.end_looks());
        let marker = folded(&std::mem::take(&mut self.marker));
        if text.is_empty() {
            // Blank lines inside code; those at its end go.
            if !self.code.is_empty() {
                self.code.push(String::new());
            }
            return;
        }
        self.end_table();
        let id = self.n_paragraphs;
        self.n_paragraphs += 1;
        if let Some(level) = self.level() {
            self.looks.end(id, &text, Place::Heading(level));
            self.heading(level, &text, SectionKind::Heading);
        } else if let Some((marker, text)) = self.item_of(&raw, &text, marker, has_marker) {
            self.looks.end(id, &text, Place::Other);
            self.item(&marker, &text);
        } else {
            self.looks.end(id, &text, Place::Body);
            self.n_fixed_paragraphs += usize::from(is_fixed);
            if let Some(&level) = self.told.headings.get(&id) {
                self.heading(level, &text, SectionKind::Font);
            } else if is_fixed && self.told.has_code {
                self.end_list();
                self.code.extend(raw.split('\n').map(|it| it.replace('\t', "    ").trim_end().to_owned()));
            } else {
                self.end_code();
                self.end_list();
                self.writer.paragraph(&text);
            }
        }
    }

    /// Ends the counts of the open paragraph; says whether all of it is in fonts of fixed pitch.
    fn end_looks(&mut self) -> bool {
        let (n_chars, n_fixed) =
            (std::mem::take(&mut self.n_open_chars), std::mem::take(&mut self.n_open_fixed_chars));
        self.n_chars += n_chars;
        self.n_fixed_chars += n_fixed;
        n_chars > 0 && n_chars == n_fixed
    }

    /// The level of the paragraph by its outline level or its style.
    fn level(&self) -> Option<u8> {
        let outline = self.paragraph.outline.and_then(|it| u8::try_from(it).ok()).filter(|it| *it < 9);
        outline.map(|it| it + 1).or_else(|| self.headings.get(&self.paragraph.style).copied())
    }

    fn heading(&mut self, level: u8, text: &str, kind: SectionKind) {
        self.end_code();
        self.end_list();
        self.write_notes();
        self.writer.heading(level, &text.replace('\n', " "), "");
        if let Some(heading) = self.writer.headings.last_mut() {
            heading.kind = kind;
        }
    }

    /// The marker and the text of a paragraph that is an item: its marker is written out, typed, or left to the program.
    fn item_of(&self, raw: &str, text: &str, marker: String, has_marker: bool) -> Option<(String, String)> {
        if !marker.is_empty() {
            return Some((marker, text.to_owned()));
        }
        if self.paragraph.is_listed && !has_marker {
            return Some(("-".to_owned(), text.to_owned()));
        }
        let (marker, rest) = typed_marker(raw).filter(|_| self.paragraph.first_indent < 0)?;
        Some((marker.to_owned(), folded(rest)))
    }

    fn item(&mut self, marker: &str, text: &str) {
        self.end_code();
        let task = Bullet::of(marker).task();
        // The letter that Courier has for a bullet.
        let is_number = marker != "o" && marker.chars().any(char::is_alphanumeric);
        let marker = if is_number && marker.chars().count() <= 12 { marker } else { "-" };
        // Word leaves out the level 0; older files tell levels by the indentation alone.
        let is_leveled = self.paragraph.is_listed || self.paragraph.list_level.is_some();
        let level = if is_leveled {
            self.paragraph.list_level.unwrap_or(0)
        } else {
            usize::try_from(self.paragraph.indent).unwrap_or(0)
        };
        if is_leveled != self.is_list_leveled {
            self.end_list();
            self.is_list_leveled = is_leveled;
        }
        while self.open_items.pop_if(|it| *it >= level).is_some() {
            self.writer.close_item();
        }
        self.writer.open_item(&format!("{marker} "));
        self.open_items.push(level);
        self.writer.paragraph(&format!("{task}{text}"));
    }

    pub(super) fn end_code(&mut self) {
        if !self.code.is_empty() {
            let code = std::mem::take(&mut self.code).join("\n");
            self.writer.code(code.trim_start_matches('\n'), None);
        }
    }

    pub(super) fn end_list(&mut self) {
        while self.open_items.pop().is_some() {
            self.writer.close_item();
        }
        self.writer.close_list();
    }

    pub(super) fn end_cell(&mut self) {
        self.decode();
        if self.state.target == Target::Body {
            let text = one_line(&std::mem::take(&mut self.text));
            self.marker.clear();
            self.has_marker = false;
            self.end_looks();
            self.looks.end(0, "", Place::Other);
            self.cells.push(text);
        } else if self.state.target == Target::PageLines {
            self.page_lines.push('\n');
        }
    }

    pub(super) fn end_row(&mut self) {
        if self.state.target == Target::Body && !self.cells.is_empty() {
            self.rows.push(std::mem::take(&mut self.cells));
        }
    }

    pub(super) fn end_table(&mut self) {
        self.end_row();
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return;
        }
        self.end_code();
        self.end_list();
        let mut table = Table::default();
        let n_rows = rows.len();
        for (at, row) in rows.into_iter().enumerate() {
            table.set_part(if at == 0 && n_rows > 1 { Part::Head } else { Part::Body });
            table.push_row();
            row.into_iter().for_each(|text| table.push_cell(text, 1, 1, false));
        }
        self.writer.table(table);
    }

    pub(super) fn write_notes(&mut self) {
        for note in std::mem::take(&mut self.notes) {
            self.writer.paragraph(&note);
        }
    }
}
