//! What leaving an element does.

use super::super::table::Part;
use super::{Leave, Walk};

impl Walk<'_> {
    pub(super) fn leave(&mut self, leave: Leave) {
        match leave {
            Leave::Nothing => {}
            Leave::Block => self.end_block(),
            Leave::Main => {
                self.end_block();
                self.n_main -= 1;
            }
            Leave::Quote => {
                self.end_block();
                self.n_quote -= 1;
            }
            Leave::Heading => {
                self.end_heading();
                self.heading = self.outer_heading.take();
                self.end_block();
            }
            Leave::Code => self.line.close_code(),
            Leave::Link => {
                if let Some((start, target)) = self.links.pop() {
                    self.line.close_link(start, &target);
                }
            }
            Leave::NoteReference => self.line.push("]"),
            Leave::Pre => self.close_pre(),
            Leave::CellPre => {
                self.n_cell_pre -= 1;
                self.line.close_code();
            }
            Leave::List => {
                self.end_item_block();
                self.lists.pop();
                if self.is_flowing() {
                    self.writer.close_list();
                }
            }
            Leave::Item | Leave::Definition => {
                self.end_item_block();
                self.writer.close_item();
                self.is_term.pop();
            }
            Leave::Term => {
                self.end_block();
                self.is_term.pop();
            }
            Leave::LayoutCell => {
                self.end_layout_cell();
                self.is_term.pop();
            }
            Leave::Table => {
                if let Some(table) = self.table.take() {
                    self.writer.table(table);
                }
            }
            Leave::Part => {
                if let Some(table) = &mut self.table {
                    table.set_part(Part::Body);
                }
            }
            Leave::Row => {
                let ids = self.writer.take_ids();
                if let Some(table) = &mut self.table {
                    table.push_ids(ids);
                }
            }
            Leave::Cell { n_cols, n_rows, is_head } => {
                self.n_inline -= 1;
                let text = self.line.take();
                if let Some(table) = &mut self.table {
                    table.push_cell(text, n_cols, n_rows, is_head);
                }
            }
            Leave::Caption => {
                self.n_inline -= 1;
                self.end_block();
            }
            Leave::Ruby => self.close_ruby(),
            Leave::Layout => self.close_layout(),
            Leave::CodeLine { start } => {
                if let Some(pre) =
                    self.pre.as_mut().filter(|it| it.text.len() == start || !it.text.ends_with('\n'))
                {
                    pre.text.push('\n');
                }
            }
            Leave::Svg => {
                self.n_svg -= 1;
                self.line.space();
            }
            Leave::SvgText => self.line.space(),
            Leave::Label => self.line.part_words(),
            Leave::Struck => {
                if let Some(start) = self.struck.pop() {
                    self.line.close_struck(start);
                }
            }
            Leave::OfficeItem { level } => {
                self.end_item_block();
                self.gap = None;
                for _ in 0..level {
                    self.writer.close_item();
                }
            }
        }
    }
}
