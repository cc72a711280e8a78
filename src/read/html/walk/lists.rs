//! Lists: numbers, letters and bullets, and the boxes of lists of tasks.

use super::super::dom::{self, NodeRef, Traits};
use super::{Leave, Walk};
use crate::read::markers::Ordinal;

/// How the items of an open list are marked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Marking {
    Bullet,
    Count { next: i64, step: i64, ordinal: Ordinal },
}

/// The numbers of an `ol` element, from its type, the class that docutils and Asciidoctor give it, or its style.
fn ordinal(traits: &Traits<'_>) -> Ordinal {
    let letter = |is_upper| Ordinal::Alphabet { is_upper };
    let roman = |is_upper| Ordinal::Roman { is_upper };
    match traits.attr("type").map(str::trim) {
        Some("a") => return letter(false),
        Some("A") => return letter(true),
        Some("i") => return roman(false),
        Some("I") => return roman(true),
        _ => {}
    }
    let names = [
        (letter(false), ["loweralpha", "lower-alpha", "lower-latin"]),
        (letter(true), ["upperalpha", "upper-alpha", "upper-latin"]),
        (roman(false), ["lowerroman", "lower-roman", "lower-roman"]),
        (roman(true), ["upperroman", "upper-roman", "upper-roman"]),
    ];
    let is_styled = |it: &str| traits.style.contains("list-style") && traits.style.contains(it);
    let found =
        names.iter().find(|(_, names)| traits.has_class(&names[..1]) || names.iter().any(|it| is_styled(it)));
    found.map_or(Ordinal::Decimal, |(ordinal, _)| *ordinal)
}

impl Walk<'_> {
    pub(super) fn open_list(&mut self, node: NodeRef<'_>, traits: &Traits<'_>) -> Leave {
        self.end_item_block();
        self.lists.push(if traits.name == "ol" { counted(node, traits) } else { Marking::Bullet });
        Leave::List
    }

    pub(super) fn open_item(&mut self, node: NodeRef<'_>, traits: &Traits<'_>) -> Leave {
        self.end_item_block();
        let value = traits.number("value");
        let marker = match self.lists.last_mut() {
            Some(Marking::Count { next, step, ordinal }) => {
                let number: i64 = value.unwrap_or(*next);
                *next = number.saturating_add(*step);
                format!("{}. ", ordinal.write(number))
            }
            _ => "- ".to_owned(),
        };
        if !self.is_flowing() {
            return Leave::Block;
        }
        self.writer.open_item(&marker);
        self.is_term.push(false);
        if let Some(is_done) = task_of_item(node, traits) {
            self.push_box(is_done);
        }
        Leave::Item
    }

    /// Shows the box of a task.
    pub(super) fn checkbox(&mut self, traits: &Traits<'_>) {
        let is_checkbox = traits.attr("type").is_some_and(|it| it.eq_ignore_ascii_case("checkbox"));
        if is_checkbox && self.is_flowing() && !self.lists.is_empty() {
            self.push_box(traits.attr("checked").is_some());
        }
    }

    /// Shows the box of a task that is no form's: Notion's, a drawn one, one for screen readers; `true` where it did.
    pub(super) fn drawn_checkbox(&mut self, traits: &Traits<'_>) -> bool {
        let is_in_cell = self.n_inline > 0 && self.heading.is_none();
        let is_task = (self.is_flowing() && !self.lists.is_empty()) || is_in_cell;
        if !is_task || !self.line.is_empty() {
            return false;
        }
        let Some(is_done) = task_of_box(traits) else { return false };
        self.push_box(is_done);
        true
    }

    fn push_box(&mut self, is_done: bool) {
        if self.line.is_empty() && self.pre.is_none() {
            self.has_box = self.is_flowing();
            self.line.push(if is_done { "[x] " } else { "[ ] " });
        }
    }
}

/// How the items of an `ol` element are marked.
fn counted(node: NodeRef<'_>, traits: &Traits<'_>) -> Marking {
    let is_reversed = traits.attr("reversed").is_some();
    let n_items =
        || node.children().filter(|it| dom::element(it).is_some_and(|it| it.name() == "li")).count();
    let first = || if is_reversed { i64::try_from(n_items()).unwrap_or(1) } else { 1 };
    let next = traits.number("start").unwrap_or_else(first);
    Marking::Count { next, step: if is_reversed { -1 } else { 1 }, ordinal: ordinal(traits) }
}

/// Whether an item without a box of a form is a task, and done: Confluence tells it by the class, editors by an attribute.
fn task_of_item(node: NodeRef<'_>, traits: &Traits<'_>) -> Option<bool> {
    let list = node.parent()?;
    let list = dom::traits(&list)?;
    if list.has_class(&["inline-task-list"]) {
        return Some(traits.has_class(&["checked"]));
    }
    let is_tasks = || ["check", "task", "todo", "to-do"].iter().any(|it| list.class.contains(it));
    let is_done = match traits.attr("data-checked") {
        Some("true") => true,
        Some("false") => false,
        _ if traits.has_class(&["checked"]) && is_tasks() => true,
        _ if traits.has_class(&["unchecked"]) && is_tasks() => false,
        _ => return None,
    };
    let has_box = dom::descend(node, |_| true)
        .take(6)
        .any(|it| dom::traits(&it).is_some_and(|it| it.name == "input" || task_of_box(&it).is_some()));
    (!has_box).then_some(is_done)
}

/// Whether an element is a box, and ticked.
pub(super) fn task_of_box(traits: &Traits<'_>) -> Option<bool> {
    if traits.role == "checkbox" {
        return traits.attr("aria-checked").map(|it| it == "true");
    }
    if traits.class.is_empty() {
        None
    } else if traits.has_class(&["checkbox-on", "fa-check-square", "fa-check-square-o", "fa-square-check"]) {
        Some(true)
    } else if traits.has_class(&["checkbox-off", "fa-square-o"]) {
        Some(false)
    } else {
        None
    }
}
