//! Menus of sites that are plain lists of links.

use super::super::dom::{self, NodeRef, Traits};

/// Classes of the link that leads to the page itself.
const CURRENT_CLASSES: &[&str] = &["active", "current", "is-active", "selected"];

/// Fewest links of a menu.
const FEWEST_LINKS: usize = 4;

/// Nodes of a menu that are looked at.
const MAX_LOOK: usize = 2000;

/// Whether an element with an id or a class is nothing but links, in lists, one of which is marked as that of the page.
pub(super) fn is_menu(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    if !matches!(traits.name, "div" | "ul") || (traits.id.is_empty() && traits.class.is_empty()) {
        return false;
    }
    let (mut n_links, mut n_items, mut has_current) = (0, 0, false);
    for it in dom::descend(node, |it| dom::element(&it).is_none_or(|it| it.name() != "a")).take(MAX_LOOK) {
        let Some(traits) = dom::traits(&it) else {
            match it.value().as_text() {
                Some(text) if !text.trim().is_empty() => return false,
                _ => continue,
            }
        };
        match traits.name {
            "a" => {
                n_links += 1;
                let is_marked =
                    traits.has_class(CURRENT_CLASSES) || traits.attr("aria-current") == Some("page");
                has_current |= is_marked && traits.attr("href").is_some_and(|it| !it.starts_with('#'));
            }
            "li" => n_items += 1,
            "p" | "table" | "pre" | "dl" | "img" => return false,
            _ if traits.heading_level().is_some() => return false,
            _ => {}
        }
    }
    has_current && n_links >= FEWEST_LINKS && n_items >= FEWEST_LINKS
}
