//! Where paragraphs and headings end.

use super::super::dom::{self, NodeRef, Traits};
use super::super::keep;
use super::{OpenHeading, Walk};

impl Walk<'_> {
    /// Whether blocks are written as blocks here, not as words of a cell or a heading.
    pub(super) fn is_flowing(&self) -> bool {
        self.n_inline == 0 && self.heading.is_none() && self.pre.is_none()
    }

    /// Ends the paragraph in the making; inside cells and headings it ends a word, inside code a line.
    pub(super) fn end_block(&mut self) {
        if let Some(pre) = &mut self.pre {
            if !pre.text.is_empty() && !pre.text.ends_with('\n') {
                pre.text.push('\n');
            }
        } else if !self.is_flowing() {
            self.line.space();
        } else if self.has_box && matches!(self.line.as_str(), "[x]" | "[ ]") {
            // The words of the task stand in a block of their own.
            self.line.space();
        } else if !self.line.is_empty() && !self.end_record_line() {
            self.has_box = false;
            let text = self.line.take();
            if self.is_in_term() {
                self.writer.term(&text);
            } else {
                self.writer.paragraph(&text);
            }
        }
    }

    /// Ends the paragraph in the making, even where it is nothing but the box of a task.
    pub(super) fn end_item_block(&mut self) {
        self.has_box = false;
        let is_in_cell = self.set_in_record_cell(false);
        self.end_block();
        self.set_in_record_cell(is_in_cell);
    }

    pub(super) fn end_heading(&mut self) {
        if let Some(OpenHeading { level, id }) = self.heading.take() {
            let title = self.line.take();
            self.writer.heading(level, title.trim(), &id);
        }
    }

    pub(super) fn line_break(&mut self) {
        if let Some(pre) = &mut self.pre {
            pre.text.push('\n');
        } else if self.n_cell_pre > 0 {
            self.line.end_code_line();
        } else if !self.is_flowing() {
            self.line.space();
        } else if self.line.push_break() {
            // Two breaks in a row are how old pages set paragraphs.
            self.end_block();
        }
    }
}

/// Whether an element that usually is a piece of a line is a block here: by its style, or as the label of something.
pub(super) fn is_set_apart(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    match traits.name {
        "button" => keep::controls::is_label(node, traits),
        // Tabs without scripts: a radio button and its label for each.
        "label" => node.prev_sibling().is_some_and(|it| {
            let before = if it.value().as_text().is_some() { it.prev_sibling() } else { Some(it) };
            let before = before.as_ref().and_then(dom::traits);
            before.is_some_and(|it| it.name == "input" && it.attr("type") == Some("radio"))
        }),
        _ if traits.role == "tab" => true,
        _ => !traits.style.is_empty() && is_block_style(traits.style),
    }
}

fn is_block_style(style: &str) -> bool {
    style.split(';').filter_map(|it| it.split_once(':')).any(|(name, value)| {
        let value = value.trim().trim_end_matches("!important").trim_end();
        name.trim().eq_ignore_ascii_case("display")
            && ["block", "flex", "grid", "table", "list-item", "flow-root"]
                .iter()
                .any(|it| value.eq_ignore_ascii_case(it))
    })
}

/// Elements that begin and end a paragraph.
pub(super) fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "aside"
            | "body"
            | "center"
            | "dialog"
            | "div"
            | "details"
            | "fieldset"
            | "figcaption"
            | "footer"
            | "form"
            | "frameset"
            | "header"
            | "hgroup"
            | "hr"
            | "html"
            | "legend"
            | "nav"
            | "option"
            | "optgroup"
            | "p"
            | "search"
            | "section"
            | "select"
            | "summary"
            | "textarea"
    )
}
