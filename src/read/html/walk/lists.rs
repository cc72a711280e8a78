//! Lists: numbers, letters and bullets, and the boxes of lists of tasks.

use super::super::dom::{self, NodeRef, Traits};
use super::{Leave, Walk};

/// How the items of an open list are marked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Marking {
    Bullet,
    Count { next: i64, step: i64, style: Style },
}

/// How the place of an item in its list is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Style {
    #[default]
    Number,
    Letter,
    CapitalLetter,
    Roman,
    CapitalRoman,
}

impl Style {
    /// The style of an `ol` element, from its type, the class that docutils and Asciidoctor give it, or its style.
    fn of(traits: &Traits<'_>) -> Self {
        match traits.attr("type").map(str::trim) {
            Some("a") => return Self::Letter,
            Some("A") => return Self::CapitalLetter,
            Some("i") => return Self::Roman,
            Some("I") => return Self::CapitalRoman,
            _ => {}
        }
        let names = [
            (Self::Letter, ["loweralpha", "lower-alpha", "lower-latin"]),
            (Self::CapitalLetter, ["upperalpha", "upper-alpha", "upper-latin"]),
            (Self::Roman, ["lowerroman", "lower-roman", "lower-roman"]),
            (Self::CapitalRoman, ["upperroman", "upper-roman", "upper-roman"]),
        ];
        let is_styled = |it: &str| traits.style.contains("list-style") && traits.style.contains(it);
        let found = names
            .iter()
            .find(|(_, names)| traits.has_class(&names[..1]) || names.iter().any(|it| is_styled(it)));
        found.map_or(Self::Number, |(style, _)| *style)
    }

    /// The marker of the item in place `number`, without the point behind it.
    fn marker(self, number: i64) -> String {
        match self {
            Self::Letter => letters(number),
            Self::CapitalLetter => letters(number).map(|it| it.to_ascii_uppercase()),
            Self::Roman => roman(number),
            Self::CapitalRoman => roman(number).map(|it| it.to_ascii_uppercase()),
            Self::Number => None,
        }
        .unwrap_or_else(|| number.to_string())
    }
}

/// `a` to `z`, then `aa`; `None` below 1.
fn letters(number: i64) -> Option<String> {
    let mut rest = u64::try_from(number).ok().filter(|it| *it > 0)?;
    let mut letters = String::new();
    while rest > 0 {
        rest -= 1;
        letters.insert(0, char::from(b'a' + u8::try_from(rest % 26).unwrap_or_default()));
        rest /= 26;
    }
    Some(letters)
}

/// The Roman number in small letters; `None` where the numerals have none (CSS: below 1, above 3999).
fn roman(number: i64) -> Option<String> {
    let mut rest = Some(number).filter(|it| (1..4000).contains(it))?;
    let numerals = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut roman = String::new();
    for (value, numeral) in numerals {
        while rest >= value {
            roman.push_str(numeral);
            rest -= value;
        }
    }
    Some(roman)
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
            Some(Marking::Count { next, step, style }) => {
                let number: i64 = value.unwrap_or(*next);
                *next = number.saturating_add(*step);
                format!("{}. ", style.marker(number))
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
    Marking::Count { next, step: if is_reversed { -1 } else { 1 }, style: Style::of(traits) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_as_the_list_says() {
        let check = |style: Style, number: i64, expected: &str| assert_eq!(style.marker(number), expected);
        check(Style::Letter, 1, "a");
        check(Style::Letter, 26, "z");
        check(Style::CapitalLetter, 27, "AA");
        check(Style::Letter, 703, "aaa");
        check(Style::Letter, 0, "0");
        check(Style::Letter, i64::MAX, "crpxnlskvljfhg");
        check(Style::Roman, 1994, "mcmxciv");
        check(Style::CapitalRoman, 4, "IV");
        check(Style::Roman, 4000, "4000");
        check(Style::Number, -3, "-3");
    }
}
