//! Short texts that stand apart from the words around them, and text that is struck out.

use super::super::dom::{self, NodeRef, Traits};
use super::super::keep;
use super::{Leave, Walk};

/// Words in the classes of short labels.
const LABELS: &[&str] = &["tag", "badge", "label", "chip", "pill", "selected"];

impl Walk<'_> {
    /// Opens a piece of a line with a class: labels and what only screen readers say would become one word with what
    /// stands before and after them.
    pub(super) fn open_label(&mut self, node: NodeRef<'_>, traits: &Traits<'_>) -> Leave {
        if self.pre.is_some() || self.line.is_in_code() {
            return Leave::Nothing;
        }
        if keep::is_unseen(traits) {
            self.line.space();
            return Leave::Label;
        }
        let mut words = traits.class.split(|c: char| !c.is_ascii_alphanumeric());
        if !words.any(|it| LABELS.contains(&it)) {
            return Leave::Nothing;
        }
        let before = node.prev_sibling();
        let is_twin = before
            .as_ref()
            .and_then(dom::element)
            .is_some_and(|it| dom::attr(it, "class") == Some(traits.class));
        if is_twin && before.is_some_and(|it| !dom::short_text(it, 40).trim().is_empty()) {
            // `alpha, beta`.
            self.line.push(",");
            self.line.space();
        }
        self.line.part_words();
        Leave::Label
    }

    /// Opens text that is no longer valid.
    pub(super) fn open_struck(&mut self) -> Leave {
        if self.pre.is_some() || self.line.is_in_code() {
            return Leave::Nothing;
        }
        if self.heading.is_some() {
            // A title is words only.
            self.line.part_words();
            return Leave::Label;
        }
        self.struck.push(self.line.open_piece());
        Leave::Struck
    }
}
