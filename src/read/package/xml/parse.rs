//! From the text of a part to its tree.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{Attribute, Kind, MAX_DEPTH, NONE, Node, Tree, resolve, unescape};

/// Nodes of one part: a book of 1,000 pages has about 500,000. A node takes 32 bytes, besides its text.
const MAX_NODES: usize = 4_000_000;

/// Makes a tree of a part.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) tree: Tree,
    name_of: HashMap<Box<str>, u32>,
    /// Open elements, and the last child of each.
    open: Vec<(u32, u32)>,
    /// Open elements below [`MAX_DEPTH`], whose tags are passed over.
    n_passed: usize,
}

impl Builder {
    /// Reads `text` to its end, or to its damage.
    pub(super) fn run(&mut self, text: &str) {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        loop {
            // Offsets are 32 bits wide; parts are smaller by the package's limits.
            if self.tree.nodes.len() >= MAX_NODES || self.tree.strings.len() >= (u32::MAX / 2) as usize {
                self.tree.damage = Some(format!("more than {MAX_NODES} elements, the rest is left out"));
                break;
            }
            match reader.read_event() {
                Ok(Event::Start(start)) => self.start(&start),
                Ok(Event::Empty(start)) => {
                    self.start(&start);
                    self.end();
                }
                Ok(Event::End(_)) => self.end(),
                Ok(Event::Text(text)) => self.text(&text.xml10_content()),
                Ok(Event::CData(text)) => self.text(&text.xml10_content()),
                Ok(Event::GeneralRef(reference)) => self.reference(&reference),
                Ok(Event::Eof) => {
                    if !self.open.is_empty() || self.n_passed > 0 {
                        self.tree.damage = Some("it ends in the middle".to_owned());
                    }
                    break;
                }
                Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
                Err(error) => {
                    self.tree.damage =
                        Some(format!("broken XML at byte {}: {error}", reader.error_position()));
                    break;
                }
            }
        }
    }

    fn start(&mut self, start: &BytesStart<'_>) {
        if self.open.len() >= MAX_DEPTH {
            self.n_passed += 1;
            if self.tree.damage.is_none() {
                self.tree.damage = Some(format!("elements nested deeper than {MAX_DEPTH} levels"));
            }
            return;
        }
        // A second root is no child of anything.
        if self.open.is_empty() && !self.tree.nodes.is_empty() {
            self.n_passed += 1;
            return;
        }
        let from = offset(self.tree.attributes.len());
        for attribute in start.attributes().with_checks(false).flatten() {
            let name = self.name(attribute.key.as_ref());
            let at = self.tree.strings.len();
            unescape(&attribute.value, &mut self.tree.strings);
            let (start, end) = (offset(at), offset(self.tree.strings.len()));
            self.tree.attributes.push(Attribute { name, start, end });
        }
        let attributes = (from, offset(self.tree.attributes.len()));
        let name = self.name(start.name().as_ref());
        let at = self.push(Kind::Element { name, attributes });
        self.open.push((at, NONE));
    }

    fn end(&mut self) {
        if self.n_passed > 0 {
            self.n_passed -= 1;
        } else {
            self.open.pop();
        }
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() || self.open.is_empty() {
            return;
        }
        let start = self.tree.strings.len();
        self.tree.strings.push_str(text);
        self.push_text(start);
    }

    fn reference(&mut self, reference: &str) {
        if self.open.is_empty() {
            return;
        }
        if let Some(c) = resolve(reference) {
            let start = self.tree.strings.len();
            self.tree.strings.push(c);
            self.push_text(start);
        }
    }

    /// Adds the strings from `start` on as text, to the text before where it follows one.
    fn push_text(&mut self, start: usize) {
        let (start, end) = (offset(start), offset(self.tree.strings.len()));
        if let Some(&(_, last)) = self.open.last()
            && let Some(node) = self.tree.nodes.get_mut(last as usize)
            && let Kind::Text { end: before, .. } = &mut node.kind
            && *before == start
        {
            *before = end;
            return;
        }
        self.push(Kind::Text { start, end });
    }

    fn push(&mut self, kind: Kind) -> u32 {
        let at = offset(self.tree.nodes.len());
        self.tree.nodes.push(Node { kind, first: NONE, next: NONE });
        if let Some((parent, last)) = self.open.last_mut() {
            match self.tree.nodes.get_mut(*last as usize) {
                Some(before) => before.next = at,
                None => self.tree.nodes[*parent as usize].first = at,
            }
            *last = at;
        }
        at
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(&found) = self.name_of.get(name) {
            return found;
        }
        let at = offset(self.tree.names.len());
        self.tree.names.push(name.into());
        self.name_of.insert(name.into(), at);
        at
    }
}

/// Offsets are checked against [`u32`] before each event.
fn offset(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(NONE)
}
