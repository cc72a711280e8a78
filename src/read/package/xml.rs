//! XML parts as small trees.
//!
//! Parses the XML of office files and e-books into an arena, by local names: prefixes differ between programs, names do
//! not clash where we look. A document type is passed over and entities of its own are never expanded, so that nothing
//! grows; references outside the five of XML give nothing. Broken markup ends the tree early, and the tree says so.

mod parse;

use crate::read::charset;

use parse::Builder;

/// Elements nested deeper are taken for their text only. Word stays below 60 with tables in tables; walks over a tree
/// may recurse this deep.
pub(in crate::read) const MAX_DEPTH: usize = 192;

/// "No node".
const NONE: u32 = u32::MAX;

/// A parsed part.
#[derive(Debug, Default)]
pub(in crate::read) struct Tree {
    nodes: Vec<Node>,
    /// Qualified names.
    names: Vec<Box<str>>,
    attributes: Vec<Attribute>,
    /// Attribute values and texts.
    strings: String,
    /// Why the tree ends early or is flat in places.
    pub(in crate::read) damage: Option<String>,
}

#[derive(Debug)]
struct Node {
    kind: Kind,
    first: u32,
    next: u32,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Element { name: u32, attributes: (u32, u32) },
    Text { start: u32, end: u32 },
}

#[derive(Clone, Copy, Debug)]
struct Attribute {
    name: u32,
    start: u32,
    end: u32,
}

/// An element of a [`Tree`].
#[derive(Clone, Copy, Debug)]
pub(in crate::read) struct Element<'a> {
    tree: &'a Tree,
    at: u32,
}

/// A child of an element.
#[derive(Clone, Copy, Debug)]
pub(in crate::read) enum Child<'a> {
    /// An element.
    Element(Element<'a>),
    /// Text between tags, references resolved.
    Text(&'a str),
}

impl Tree {
    /// Parses the bytes of a part in whatever encoding they are.
    pub(in crate::read) fn parse(bytes: &[u8]) -> Self {
        let text = decode(bytes);
        let mut builder = Builder::default();
        builder.run(&text);
        builder.tree
    }

    /// The root element; `None` when there is not a single tag.
    pub(in crate::read) fn root(&self) -> Option<Element<'_>> {
        (!self.nodes.is_empty()).then_some(Element { tree: self, at: 0 })
    }
}

/// The text of an XML file: by byte-order mark, declaration, or as UTF-8.
pub(in crate::read) fn decode(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(200)];
    let declared = head.starts_with(b"<?xml").then(|| String::from_utf8_lossy(head)).and_then(|head| {
        let head = head.split_once("?>")?.0.split_once("encoding")?.1.to_owned();
        let value = head.trim_start_matches(|c: char| c.is_whitespace() || c == '=');
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        Some(value[1..].split(quote).next().unwrap_or_default().to_owned())
    });
    let mut text = charset::decode_text(bytes, declared.as_deref()).text;
    // A stray NUL or other control is no reason to lose the part.
    if text.contains('\0') {
        text.retain(|c| c != '\0');
    }
    text
}

/// The character that a reference such as `amp` or `#x41` stands for.
pub(in crate::read) fn resolve(reference: &str) -> Option<char> {
    if let Some(number) = reference.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        return code.ok().filter(|&code| code != 0).and_then(char::from_u32);
    }
    match reference {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        // Not XML's, but what authors of e-books write.
        "nbsp" => Some('\u{A0}'),
        _ => None,
    }
}

/// Appends `value` to `to` with its references resolved.
pub(in crate::read) fn unescape(value: &str, to: &mut String) {
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        to.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        match end.and_then(|end| Some((end, resolve(&rest[..end])?))) {
            Some((end, c)) => {
                to.push(c);
                rest = &rest[end + 1..];
            }
            None => to.push('&'),
        }
    }
    to.push_str(rest);
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

impl<'a> Element<'a> {
    fn node(self) -> &'a Node {
        &self.tree.nodes[self.at as usize]
    }

    fn qualified(self) -> &'a str {
        match self.node().kind {
            Kind::Element { name, .. } => &self.tree.names[name as usize],
            Kind::Text { .. } => "",
        }
    }

    /// Its place in the tree, which no other element has.
    pub(in crate::read) fn id(self) -> usize {
        self.at as usize
    }

    /// Name without its prefix.
    pub(in crate::read) fn name(self) -> &'a str {
        local(self.qualified())
    }

    fn attributes(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let (from, to) = match self.node().kind {
            Kind::Element { attributes, .. } => attributes,
            Kind::Text { .. } => (0, 0),
        };
        let tree = self.tree;
        tree.attributes[from as usize..to as usize].iter().map(move |it| {
            (&*tree.names[it.name as usize], &tree.strings[it.start as usize..it.end as usize])
        })
    }

    /// The attribute with this name, whatever its prefix.
    pub(in crate::read) fn attr(self, name: &str) -> Option<&'a str> {
        self.attributes().find(|(found, _)| local(found) == name).map(|(_, value)| value)
    }

    /// The attribute with this name and a prefix, such as `r:id` beside `id`.
    pub(in crate::read) fn prefixed_attr(self, name: &str) -> Option<&'a str> {
        let is_it = |found: &str| found.split_once(':').is_some_and(|(_, local)| local == name);
        self.attributes().find(|(found, _)| is_it(found)).map(|(_, value)| value)
    }

    /// Children of both kinds.
    pub(in crate::read) fn children(self) -> impl Iterator<Item = Child<'a>> {
        let tree = self.tree;
        let mut next = self.node().first;
        std::iter::from_fn(move || {
            let node = tree.nodes.get(next as usize)?;
            let at = std::mem::replace(&mut next, node.next);
            Some(match node.kind {
                Kind::Element { .. } => Child::Element(Element { tree, at }),
                Kind::Text { start, end } => Child::Text(&tree.strings[start as usize..end as usize]),
            })
        })
    }

    /// Child elements.
    pub(in crate::read) fn elements(self) -> impl Iterator<Item = Self> {
        self.children().filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) => None,
        })
    }

    /// Child elements with this local name.
    pub(in crate::read) fn named(self, name: &'static str) -> impl Iterator<Item = Self> {
        self.elements().filter(move |it| it.name() == name)
    }

    /// The first child element with this name.
    pub(in crate::read) fn child(self, name: &str) -> Option<Self> {
        self.elements().find(|it| it.name() == name)
    }

    /// The element at the end of a path of names.
    pub(in crate::read) fn at_path(self, path: &[&str]) -> Option<Self> {
        path.iter().try_fold(self, |element, name| element.child(name))
    }

    /// The `val` attribute of the first child with this name, where office formats keep single values.
    pub(in crate::read) fn val(self, name: &str) -> Option<&'a str> {
        self.child(name)?.attr("val")
    }

    /// All elements inside, in document order.
    pub(in crate::read) fn descendants(self) -> impl Iterator<Item = Self> {
        let tree = self.tree;
        // Nodes to go on with after the one at hand; depth is bounded by `MAX_DEPTH`.
        let mut ahead = vec![self.node().first];
        std::iter::from_fn(move || {
            loop {
                let at = ahead.pop()?;
                let Some(node) = tree.nodes.get(at as usize) else { continue };
                ahead.push(node.next);
                if matches!(node.kind, Kind::Element { .. }) {
                    ahead.push(node.first);
                    return Some(Element { tree, at });
                }
            }
        })
    }

    /// All text inside.
    pub(in crate::read) fn text(self) -> String {
        let mut text = String::new();
        self.push_text(&mut text);
        text
    }

    fn push_text(self, text: &mut String) {
        for child in self.children() {
            match child {
                Child::Text(piece) => text.push_str(piece),
                // No deeper than `MAX_DEPTH`.
                Child::Element(element) => element.push_text(text),
            }
        }
    }
}

#[cfg(test)]
mod tests;
