//! What stands above or below the line, and would become part of the word or number before it: signs of notes, exponents,
//! indexes.

use super::dom::{self, NodeRef, Traits};
use crate::read::raised::is_number;

/// Whether a link is the sign of a note: a number or a star, marked as such or raised.
pub(super) fn is_note_reference(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    /// Characters of a sign, such as `123` or `***`.
    const MOST: usize = 4;
    let texts = || dom::descend(node, |_| true).filter_map(|it| it.value().as_text().map(|it| &**it));
    let n_chars = texts().flat_map(str::chars).filter(|it| !it.is_whitespace()).take(MOST + 1).count();
    let is_sign = |c: char| c.is_ascii_digit() || matches!(c, '*' | '†' | '‡' | '§' | '¶');
    if !(1..=MOST).contains(&n_chars)
        || !texts().flat_map(str::chars).all(|it| it.is_whitespace() || is_sign(it))
    {
        return false;
    }
    let is_marked = traits.role == "doc-noteref"
        || traits.attr("epub:type").is_some_and(|it| it.contains("noteref"))
        || traits.attr("data-footnote-ref").is_some()
        || traits.has_class(&["footnote-ref", "footnote-reference", "noteref"]);
    let is_sup = |it: NodeRef<'_>| dom::element(&it).is_some_and(|it| it.name() == "sup");
    let is_raised = || node.parent().is_some_and(is_sup) || node.first_child().is_some_and(is_sup);
    is_marked || (traits.attr("href").is_some_and(|it| it.contains('#')) && is_raised())
}

/// Whether what is raised or lowered is a number, and no link to a note.
pub(super) fn is_small_number(node: NodeRef<'_>) -> bool {
    let has_link =
        || dom::descend(node, |_| true).any(|it| dom::element(&it).is_some_and(|it| it.name() == "a"));
    let mut texts = dom::descend(node, |_| true).filter_map(|it| it.value().as_text().map(|it| &**it));
    texts.next().is_some_and(|it| is_number(it.trim_start())) && !has_link()
}
