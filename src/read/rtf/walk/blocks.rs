//! What is written where a paragraph, a list, a cell, a row or a table ends.

use super::Walk;
use crate::read::markers::Bullet;
use crate::read::rendered::{PARAGRAPH_END, Part, Table, one_line};
use crate::read::rtf::state::Target;
use crate::read::word::folded;

impl Walk {
    pub(super) fn break_paragraph(&mut self) {
        self.decode();
        match self.state.target {
            Target::Body if self.paragraph.is_in_table => self.text.push(PARAGRAPH_END),
            Target::Body => self.end_paragraph(),
            Target::Note | Target::Comment => self.aside.push(' '),
            Target::PageLines => self.page_lines.push('\n'),
            _ => {}
        }
    }

    pub(super) fn end_paragraph(&mut self) {
        self.decode();
        let text = folded(&std::mem::take(&mut self.text));
        let marker = folded(&std::mem::take(&mut self.marker));
        if text.is_empty() {
            return;
        }
        self.end_table();
        let outline = self.paragraph.outline.and_then(|it| u8::try_from(it).ok()).filter(|it| *it < 9);
        let level = outline.map(|it| it + 1).or_else(|| self.headings.get(&self.paragraph.style).copied());
        if let Some(level) = level {
            self.end_list();
            self.write_notes();
            self.writer.heading(level, &text.replace('\n', " "), "");
        } else if marker.is_empty() {
            self.end_list();
            self.writer.paragraph(&text);
        } else {
            let task = Bullet::of(&marker).task();
            let is_number = marker.chars().any(char::is_alphanumeric);
            let marker = if is_number && marker.chars().count() <= 12 { marker } else { "-".to_owned() };
            let level = self.paragraph.list_level;
            while self.open_items.pop_if(|it| *it >= level).is_some() {
                self.writer.close_item();
            }
            self.writer.open_item(&format!("{marker} "));
            self.open_items.push(level);
            self.writer.paragraph(&format!("{task}{text}"));
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
