//! Tagged headings: the elements `H`, `H1` to `H6` and `Title` of the structure tree (ISO 32000-1, 14.7), with the marked
//! content that they hold.

use std::collections::{HashMap, HashSet};

use pdf_oxide::object::{Object, ObjectRef};

use super::file::{Dict, File};
use super::outline::page_numbers;

/// The headings that the structure tree names, in its order.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// Level of each heading, 1 or more.
    pub(super) levels: Vec<u8>,
    /// The heading that a piece of marked content belongs to.
    places: HashMap<Place, u32>,
}

/// A piece of marked content: 0-based page, number on it, and whether a form's content stream counts and not the page's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) page: u32,
    pub(super) mcid: u32,
    pub(super) is_in_form: bool,
}

/// Most elements looked at; chosen, a book of a thousand pages has a tenth.
const MOST_ELEMENTS: usize = 500_000;

/// Deepest heading level taken.
const MOST_LEVEL: u8 = 9;

impl Tags {
    /// The number of the heading at `place`, an index into [`levels`](Self::levels).
    pub(super) fn at(&self, place: Place) -> Option<u32> {
        self.places.get(&place).copied()
    }
}

/// Reads the structure tree; no headings when there is none. Loops end where they close.
pub(super) fn read(file: &File) -> Tags {
    let mut tags = Tags::default();
    let Some(Object::Dictionary(catalog)) = file.catalog() else { return tags };
    let Some(Object::Dictionary(root)) = file.get(&catalog, "StructTreeRoot") else { return tags };
    let roles = match file.get(&root, "RoleMap") {
        Some(Object::Dictionary(roles)) => roles,
        _ => Dict::new(),
    };
    let pages = page_numbers(file, &catalog);
    let mut seen: HashSet<ObjectRef> = HashSet::new();
    // The next node is on top.
    let mut stack = vec![Node { object: root.get("K").cloned(), page: None, heading: None, n_sections: 0 }];
    let mut n_elements = 0;
    while let Some(node) = stack.pop() {
        n_elements += 1;
        if n_elements > MOST_ELEMENTS {
            break;
        }
        if let Some(Object::Reference(reference)) = node.object
            && !seen.insert(reference)
        {
            continue;
        }
        match node.object.as_ref().and_then(|it| file.follow(it)) {
            Some(Object::Array(kids)) => {
                stack.extend(
                    kids.into_iter().rev().map(|kid| Node { object: Some(kid), ..node.without_object() }),
                );
            }
            Some(Object::Integer(mcid)) => tags.place(&node, mcid, false),
            Some(Object::Dictionary(dict)) => {
                let own_page = match dict.get("Pg") {
                    Some(Object::Reference(page)) => pages.get(page).copied(),
                    _ => None,
                };
                let mut below = Node { page: own_page.or(node.page), ..node.without_object() };
                if let Some(Object::Integer(mcid)) = dict.get("MCID") {
                    tags.place(&below, *mcid, dict.contains_key("Stm"));
                    continue;
                }
                if let Some(Object::Name(name)) = file.get(&dict, "S") {
                    tags.open(&mut below, role(&roles, &name));
                }
                stack.push(Node { object: dict.get("K").cloned(), ..below });
            }
            _ => {}
        }
    }
    tags
}

/// An element to look at, with what it inherits.
#[derive(Debug)]
struct Node {
    object: Option<Object>,
    page: Option<u32>,
    /// The heading around it.
    heading: Option<u32>,
    /// Sections around it.
    n_sections: u8,
}

impl Node {
    fn without_object(&self) -> Self {
        Self { object: None, page: self.page, heading: self.heading, n_sections: self.n_sections }
    }
}

impl Tags {
    /// Takes in what an element of the standard type `role` means for what is in it.
    fn open(&mut self, node: &mut Node, role: &str) {
        if matches!(role, "Sect" | "Art") {
            node.n_sections = node.n_sections.saturating_add(1);
        }
        let level = match role.strip_prefix('H') {
            // Headings without a number are as deep as the sections around them.
            Some("") => Some(node.n_sections.max(1)),
            Some(number) => number.parse::<u8>().ok().filter(|it| *it > 0),
            None => (role == "Title").then_some(1),
        };
        if let Some(level) = level.filter(|_| node.heading.is_none()) {
            node.heading = u32::try_from(self.levels.len()).ok();
            self.levels.push(level.min(MOST_LEVEL));
        }
    }

    fn place(&mut self, node: &Node, mcid: i64, is_in_form: bool) {
        if let (Some(page), Some(heading), Ok(mcid)) = (node.page, node.heading, u32::try_from(mcid)) {
            self.places.entry(Place { page, mcid, is_in_form }).or_insert(heading);
        }
    }
}

/// The standard type behind a name; a chain of mappings ends after eight.
fn role<'a>(roles: &'a Dict, name: &'a str) -> &'a str {
    let mut name = name;
    for _ in 0..8 {
        match roles.get(name) {
            Some(Object::Name(next)) if next != name => name = next,
            _ => break,
        }
    }
    name
}

#[cfg(test)]
mod tests;
