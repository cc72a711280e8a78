//! Small questions to the parsed tree.

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
fn following<'a>(mut node: NodeRef<'a>, root: NodeRef<'a>) -> Option<NodeRef<'a>> {
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

/// The element of a node.
pub(super) fn element<'a>(node: &NodeRef<'a>) -> Option<&'a Element> {
    match node.value() {
        Node::Element(element) => Some(element),
        _ => None,
    }
}
