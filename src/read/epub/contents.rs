//! The table of contents: the navigation page of EPUB 3, or the NCX of EPUB 2.

use super::Manifest;
use crate::content::Warning;
use crate::read::package::{Element, Package, Tree, resolve};

/// An entry of the table of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// From 1.
    pub(super) level: u8,
    pub(super) title: String,
    /// Name of the page in the archive, in lower case.
    pub(super) part: String,
    /// Id in the page; empty for the whole page.
    pub(super) fragment: String,
}

/// Reads the entries in order; empty when the book has no table of contents.
pub(super) fn read(
    package: &mut Package<'_>,
    manifest: &Manifest,
    warnings: &mut Vec<Warning>,
) -> Vec<Entry> {
    let mut entries = Vec::new();
    if let Some(item) = manifest.0.iter().find(|it| it.is_nav) {
        let tree = package.tree(&item.part, warnings);
        let navs = || tree.as_ref().and_then(Tree::root).into_iter().flat_map(|it| it.descendants());
        let nav =
            navs().find(|it| it.name() == "nav" && it.attr("type").is_some_and(|it| it.contains("toc")));
        let nav = nav.or_else(|| navs().find(|it| it.name() == "nav"));
        if let Some(list) = nav.and_then(|it| it.descendants().find(|it| it.name() == "ol")) {
            from_list(list, 1, &item.part, &mut entries);
        }
    }
    if entries.is_empty()
        && let Some(item) =
            manifest.0.iter().find(|it| it.media_type.contains("dtbncx") || it.part.ends_with(".ncx"))
    {
        let tree = package.tree(&item.part, warnings);
        if let Some(map) = tree.as_ref().and_then(Tree::root).and_then(|it| it.child("navMap")) {
            from_points(map, 1, &item.part, &mut entries);
        }
    }
    entries
}

fn from_list(list: Element<'_>, level: u8, page: &str, entries: &mut Vec<Entry>) {
    for item in list.named("li") {
        // Programs put paragraphs around the link, and blocks around the list.
        let list = item.descendants().find(|it| it.name() == "ol");
        let label = item.descendants().take_while(|it| it.name() != "ol").find(|it| it.name() == "a");
        if let Some(label) = label {
            push(label.text(), label.attr("href"), level, page, entries);
        }
        if let Some(list) = list {
            from_list(list, level.saturating_add(1), page, entries);
        }
    }
}

fn from_points(parent: Element<'_>, level: u8, page: &str, entries: &mut Vec<Entry>) {
    for point in parent.named("navPoint") {
        let title = point.at_path(&["navLabel", "text"]).map(|it| it.text()).unwrap_or_default();
        push(title, point.child("content").and_then(|it| it.attr("src")), level, page, entries);
        from_points(point, level.saturating_add(1), page, entries);
    }
}

fn push(title: String, target: Option<&str>, level: u8, page: &str, entries: &mut Vec<Entry>) {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some(target) = target.filter(|_| !title.is_empty()) else { return };
    let (part, fragment) = target.split_once('#').unwrap_or((target, ""));
    let part = if part.is_empty() { page.to_owned() } else { resolve(page, part) };
    entries.push(Entry { level, title, part: part.to_lowercase(), fragment: fragment.to_owned() });
}
