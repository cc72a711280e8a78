//! Buttons that head a text by where they stand: the questions of a list of questions, the names of values.

use super::super::super::dom::{self, NodeRef, Traits};
use super::MAX_BUTTON_BYTES;

/// Elements around a button that may hold nothing else.
const MAX_WRAPPERS: usize = 3;

/// Elements on each side of a button, or of the item that it begins, that are looked at for another one.
const MAX_NEIGHBOURS: usize = 4;

/// Whether a button stands before a block that its click folds or that answers it, or others like it stand before theirs as
/// well, each with words of its own; or whether it is all of a term or of the first cell in a row.
pub(super) fn is_head(button: NodeRef<'_>) -> bool {
    let mut at = button;
    for _ in 0..=MAX_WRAPPERS {
        let Some(parent) = at.parent() else { return false };
        let Some(around) = dom::traits(&parent) else { return false };
        let is_first = before(at).all(is_blank);
        let next = after(at).find(|it| !is_blank(*it));
        if let Some(block) = next.filter(|it| is_block(*it)) {
            return is_folded(block)
                || is_question(button)
                || is_one_of_pairs(button, at)
                || (is_first && has_twin(button, parent));
        }
        if !is_first || next.is_some() {
            return false;
        }
        match around.name {
            "dt" => return true,
            "td" | "th" => return elements(before(parent)).is_empty() && !elements(after(parent)).is_empty(),
            "main" | "body" | "article" | "nav" | "header" | "form" | "tr" => return false,
            _ => at = parent,
        }
    }
    false
}

fn before(node: NodeRef<'_>) -> impl Iterator<Item = NodeRef<'_>> {
    std::iter::successors(node.prev_sibling(), NodeRef::prev_sibling)
}

fn after(node: NodeRef<'_>) -> impl Iterator<Item = NodeRef<'_>> {
    std::iter::successors(node.next_sibling(), NodeRef::next_sibling)
}

/// Whether a node is no element and no words.
fn is_blank(node: NodeRef<'_>) -> bool {
    match node.value().as_text() {
        Some(text) => text.trim().is_empty(),
        None => dom::element(&node).is_none(),
    }
}

fn is_block(node: NodeRef<'_>) -> bool {
    let is_named = |it: Traits<'_>| matches!(it.name, "div" | "section" | "dd" | "p" | "ul" | "ol");
    dom::traits(&node).is_some_and(is_named) && has_words(node)
}

fn has_words(node: NodeRef<'_>) -> bool {
    dom::short_text(node, 40).contains(char::is_alphanumeric)
}

fn is_folded(node: NodeRef<'_>) -> bool {
    dom::traits(&node).is_some_and(|it| {
        it.hidden.is_some() || it.is_aria_hidden || it.style.replace(' ', "").contains("display:none")
    })
}

fn text(node: NodeRef<'_>) -> String {
    dom::fold(&dom::short_text(node, MAX_BUTTON_BYTES))
}

fn is_question(button: NodeRef<'_>) -> bool {
    text(button).ends_with(['?', '？', '؟'])
}

/// Whether an element beside `item` begins with a button as well, one of other words.
fn has_twin(button: NodeRef<'_>, item: NodeRef<'_>) -> bool {
    [elements(before(item)), elements(after(item))].iter().flatten().any(|it| is_alike(*it, item, button))
}

/// Whether `at` (a button, or what is around it alone) and the block behind it are one of several such pairs in a row.
fn is_one_of_pairs(button: NodeRef<'_>, at: NodeRef<'_>) -> bool {
    let is_pair = |block: NodeRef<'_>, head: NodeRef<'_>| is_block(block) && is_alike(head, at, button);
    let (before, after) = (elements(before(at)), elements(after(at)));
    matches!(before[..], [block, head, ..] if is_pair(block, head))
        || matches!(after[..], [block, head, ..] if is_pair(block, head))
}

/// The first elements among siblings.
fn elements<'a>(siblings: impl Iterator<Item = NodeRef<'a>>) -> Vec<NodeRef<'a>> {
    siblings.filter(|it| dom::element(it).is_some()).take(MAX_NEIGHBOURS).collect()
}

/// Whether an element is of the same kind as `at` and is, or begins with, a button that has other words than `button`.
fn is_alike(other: NodeRef<'_>, at: NodeRef<'_>, button: NodeRef<'_>) -> bool {
    let name = |it: NodeRef<'_>| dom::element(&it).map(|it| it.name().to_owned());
    if name(other) != name(at) {
        return false;
    }
    let is_button = |it: &NodeRef<'_>| dom::element(it).is_some_and(|it| it.name() == "button");
    let found = std::iter::once(other).chain(dom::descend(other, |_| true).take(8)).find(is_button);
    found.is_some_and(|it| has_words(it) && text(it) != text(button))
}
