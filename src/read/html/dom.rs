//! Small questions to the parsed tree.

use std::str::FromStr;

use scraper::Node;
use scraper::node::Element;

/// A node of the parsed page.
pub(super) type NodeRef<'a> = ego_tree_node::NodeRef<'a>;

/// `scraper` does not re-export `ego_tree`, whose node type is reached through `ElementRef`.
mod ego_tree_node {
    use std::ops::Deref;

    use scraper::ElementRef;

    /// `ego_tree::NodeRef<'a, scraper::Node>`.
    pub(in super::super) type NodeRef<'a> = <ElementRef<'a> as Deref>::Target;
}

/// An element with the attributes that the rules look at, read in one pass; absent ones are empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits<'a> {
    pub(super) element: &'a Element,
    pub(super) name: &'a str,
    pub(super) id: &'a str,
    pub(super) class: &'a str,
    pub(super) role: &'a str,
    pub(super) style: &'a str,
    pub(super) hidden: Option<&'a str>,
    pub(super) is_aria_hidden: bool,
    pub(super) is_aria_modal: bool,
}

impl<'a> Traits<'a> {
    pub(super) fn of(element: &'a Element) -> Self {
        let mut traits = Self {
            element,
            name: element.name(),
            id: "",
            class: "",
            role: "",
            style: "",
            hidden: None,
            is_aria_hidden: false,
            is_aria_modal: false,
        };
        for (name, value) in &element.attrs {
            let value: &str = value;
            match &*name.local {
                "id" => traits.id = value.trim(),
                "class" => traits.class = value,
                "role" => traits.role = value.trim(),
                "style" => traits.style = value,
                "hidden" => traits.hidden = Some(value),
                "aria-hidden" => traits.is_aria_hidden = value.eq_ignore_ascii_case("true"),
                "aria-modal" => traits.is_aria_modal = value.eq_ignore_ascii_case("true"),
                _ => {}
            }
        }
        traits
    }

    pub(super) fn has_class(&self, names: &[&str]) -> bool {
        self.class.split_ascii_whitespace().any(|it| names.contains(&it))
    }

    pub(super) fn attr(&self, name: &str) -> Option<&'a str> {
        attr(self.element, name)
    }

    /// The number in an attribute.
    pub(super) fn number<T: FromStr>(&self, name: &str) -> Option<T> {
        self.attr(name)?.trim().parse().ok()
    }

    /// The level of a heading, 1 to 6.
    pub(super) fn heading_level(&self) -> Option<u8> {
        match self.name.as_bytes() {
            // Doxygen gives the members below a heading the same level.
            b"h2" if self.has_class(&["memtitle"]) => Some(3),
            &[b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
            // Doxygen's title of a page.
            b"div" if self.class == "headertitle" => Some(1),
            // Word's.
            b"p" if self.class == "MsoTitle" => Some(1),
            b"div" | b"p" | b"span" if self.role == "heading" => {
                Some(self.number("aria-level").unwrap_or(2_u8).clamp(1, 6))
            }
            _ => None,
        }
    }

    /// Whether the element is a main part of a page, in which headers belong to the content.
    pub(super) fn is_main(&self) -> bool {
        matches!(self.name, "main" | "article") || self.role == "main"
    }
}

/// The value of an attribute.
pub(super) fn attr<'a>(element: &'a Element, name: &str) -> Option<&'a str> {
    // Not `Element::attr`, which interns the wanted name on each call.
    element.attrs.iter().find(|(key, _)| &*key.local == name).map(|(_, value)| &**value)
}

/// Whether the element is HTML rather than SVG or MathML.
pub(super) fn is_html(element: &Element) -> bool {
    &*element.name.ns == "http://www.w3.org/1999/xhtml"
}

/// `text` with every run of white space as one space, and none at the ends.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// The text of a subtree, cut after about `max_bytes`.
pub(super) fn short_text(node: NodeRef<'_>, max_bytes: usize) -> String {
    let mut text = String::new();
    for node in descend(node, |_| true).take(400) {
        if let Some(piece) = node.value().as_text() {
            text.push_str(piece);
        }
        if text.len() > max_bytes {
            break;
        }
    }
    text
}

/// The nodes of the subtree of `root` in document order, without recursion; `is_entered` says which elements to go into.
pub(super) fn descend<'a>(
    root: NodeRef<'a>,
    is_entered: impl Fn(NodeRef<'a>) -> bool,
) -> impl Iterator<Item = NodeRef<'a>> {
    let mut next = root.first_child();
    std::iter::from_fn(move || {
        let node = next?;
        next = node.first_child().filter(|_| is_entered(node)).or_else(|| following(node, root));
        Some(node)
    })
}

/// The first node after the subtree of `node`, within the subtree of `root`.
pub(super) fn following<'a>(mut node: NodeRef<'a>, root: NodeRef<'a>) -> Option<NodeRef<'a>> {
    loop {
        if node.id() == root.id() {
            return None;
        }
        if let Some(next) = node.next_sibling() {
            return Some(next);
        }
        node = node.parent()?;
    }
}

/// The element of a node, with its attributes.
pub(super) fn traits<'a>(node: &NodeRef<'a>) -> Option<Traits<'a>> {
    element(node).map(Traits::of)
}

/// The element of a node.
pub(super) fn element<'a>(node: &NodeRef<'a>) -> Option<&'a Element> {
    match node.value() {
        Node::Element(element) => Some(element),
        _ => None,
    }
}
