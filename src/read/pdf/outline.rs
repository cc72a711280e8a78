//! The outline (bookmarks) with the page and height that each entry points to.

use std::collections::{HashMap, HashSet};

use pdf_oxide::object::{Object, ObjectRef};

use super::file::{Dict, File};
use super::info::text_string;
use crate::content::{Warning, WarningKind};

/// One entry, in reading order of the tree.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// Title as one line.
    pub(super) title: String,
    /// 1 for the top level.
    pub(super) level: u8,
    /// 0-based page.
    pub(super) page: Option<u32>,
    /// Height on the page in points, as a baseline has it.
    pub(super) y: Option<f32>,
}

/// Most entries read; a book has some thousands.
const MOST_ENTRIES: usize = 20_000;

/// Deepest level read; also the bound of the walks through page and name trees.
const MOST_DEPTH: usize = 32;

/// Reads the outline; empty when there is none. Loops end where they close.
pub(super) fn read(file: &File, warnings: &mut Vec<Warning>) -> Vec<Entry> {
    let Some(Object::Dictionary(catalog)) = file.catalog() else { return Vec::new() };
    let Some(Object::Dictionary(root)) = file.get(&catalog, "Outlines") else { return Vec::new() };
    let Some(&Object::Reference(first)) = root.get("First") else { return Vec::new() };
    let mut walk = Walk {
        file,
        pages: page_numbers(file, &catalog),
        names: None,
        catalog,
        seen: HashSet::new(),
        entries: Vec::new(),
        is_damaged: false,
    };
    walk.siblings(first, 1);
    if walk.is_damaged {
        let message = "the outline loops or breaks off; the part before was used";
        warnings.push(Warning::new(WarningKind::Damaged, message));
    }
    let mut entries = walk.entries;
    // An entry without a page of its own is a folder: it starts where its first descendant does.
    for at in (0..entries.len().saturating_sub(1)).rev() {
        if entries[at].page.is_none() && entries[at + 1].level > entries[at].level {
            (entries[at].page, entries[at].y) = (entries[at + 1].page, entries[at + 1].y);
        }
    }
    entries
}

struct Walk<'a> {
    file: &'a File,
    catalog: Dict,
    pages: HashMap<ObjectRef, u32>,
    /// Named destinations, collected when the first is asked for.
    names: Option<HashMap<Vec<u8>, Object>>,
    seen: HashSet<ObjectRef>,
    entries: Vec<Entry>,
    is_damaged: bool,
}

impl Walk<'_> {
    fn siblings(&mut self, first: ObjectRef, level: usize) {
        let mut next = Some(first);
        while let Some(reference) = next {
            if level > MOST_DEPTH || self.entries.len() >= MOST_ENTRIES || !self.seen.insert(reference) {
                self.is_damaged = true;
                return;
            }
            let Some(Object::Dictionary(item)) = self.file.load(reference) else {
                self.is_damaged = true;
                return;
            };
            if let Some(Object::String(title)) = self.file.get(&item, "Title") {
                let title = text_string(&title);
                let (page, y) = self.destination(&item);
                if !title.is_empty() {
                    self.entries.push(Entry { title, level: level as u8, page, y });
                }
            }
            if let Some(&Object::Reference(child)) = item.get("First") {
                self.siblings(child, level + 1);
            }
            next = item.get("Next").and_then(Object::as_reference);
        }
    }

    fn destination(&mut self, item: &Dict) -> (Option<u32>, Option<f32>) {
        let destination = self.file.get(item, "Dest").or_else(|| {
            let action = self.file.get(item, "A")?;
            let action = action.as_dict()?;
            (action.get("S").and_then(Object::as_name) == Some("GoTo")).then(|| self.file.get(action, "D"))?
        });
        let named = match destination {
            Some(Object::String(name)) => self.named(&name),
            Some(Object::Name(name)) => self.named(name.as_bytes()),
            other => other,
        };
        match named {
            Some(Object::Array(parts)) => self.place(&parts),
            Some(Object::Dictionary(dict)) => match self.file.get(&dict, "D") {
                Some(Object::Array(parts)) => self.place(&parts),
                _ => (None, None),
            },
            _ => (None, None),
        }
    }

    /// `[page /XYZ left top zoom]` and its relatives (ISO 32000-1, 12.3.2.2).
    fn place(&self, parts: &[Object]) -> (Option<u32>, Option<f32>) {
        let page = match parts.first() {
            Some(Object::Reference(reference)) => self.pages.get(reference).copied(),
            // Only destinations in other files are numbers, but some writers use them everywhere.
            Some(Object::Integer(number)) => u32::try_from(*number).ok(),
            _ => None,
        };
        let top = match parts.get(1).and_then(Object::as_name) {
            Some("XYZ") => parts.get(3),
            Some("FitH" | "FitBH") => parts.get(2),
            Some("FitR") => parts.get(5),
            _ => None,
        };
        let y = match top {
            Some(Object::Integer(y)) => Some(*y as f32),
            Some(Object::Real(y)) => Some(*y as f32),
            _ => None,
        };
        (page, y)
    }

    fn named(&mut self, name: &[u8]) -> Option<Object> {
        let (file, catalog) = (self.file, &self.catalog);
        self.names.get_or_insert_with(|| named_destinations(file, catalog)).get(name).cloned()
    }
}

/// The 0-based number of every page object.
pub(super) fn page_numbers(file: &File, catalog: &Dict) -> HashMap<ObjectRef, u32> {
    let mut numbers = HashMap::new();
    let mut seen = HashSet::new();
    // Depth-first with the next node on top; a node that was seen is a loop.
    let mut stack: Vec<ObjectRef> = catalog.get("Pages").and_then(Object::as_reference).into_iter().collect();
    while let Some(reference) = stack.pop() {
        if !seen.insert(reference) {
            continue;
        }
        let Some(Object::Dictionary(node)) = file.load(reference) else { continue };
        match file.get(&node, "Kids") {
            Some(Object::Array(kids)) => stack.extend(kids.iter().rev().filter_map(Object::as_reference)),
            _ => {
                numbers.insert(reference, numbers.len() as u32);
            }
        }
    }
    numbers
}

/// Named destinations of both kinds: the catalog's dictionary and the name tree.
fn named_destinations(file: &File, catalog: &Dict) -> HashMap<Vec<u8>, Object> {
    let mut names = HashMap::new();
    if let Some(Object::Dictionary(dests)) = file.get(catalog, "Dests") {
        let value = |(name, value): (String, Object)| Some((name.into_bytes(), file.follow(&value)?));
        names.extend(dests.into_iter().filter_map(value));
    }
    let tree = file.get(catalog, "Names").and_then(|it| file.get(it.as_dict()?, "Dests"));
    let mut stack: Vec<(Object, usize)> = tree.map(|root| (root, 0)).into_iter().collect();
    let mut n_nodes = 0;
    while let Some((Object::Dictionary(node), depth)) = stack.pop() {
        n_nodes += 1;
        if depth > MOST_DEPTH || n_nodes > MOST_ENTRIES {
            break;
        }
        if let Some(Object::Array(pairs)) = file.get(&node, "Names") {
            for pair in pairs.chunks_exact(2) {
                if let (Some(name), Some(value)) = (pair[0].as_string(), file.follow(&pair[1])) {
                    names.insert(name.to_vec(), value);
                }
            }
        }
        if let Some(Object::Array(kids)) = file.get(&node, "Kids") {
            let kids = kids.iter().filter_map(|kid| file.follow(kid));
            stack.extend(kids.filter(|kid| kid.as_dict().is_some()).map(|kid| (kid, depth + 1)));
        }
    }
    names
}
