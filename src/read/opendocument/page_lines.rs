//! The words of headers and footers in the master pages, without the numbers of pages.

use crate::read::package::{Child, Element};

/// The lines of the headers and footers that are shown, from the root of the styles.
pub(super) fn of(root: Element<'_>) -> Vec<String> {
    let masters = root.named("master-styles").flat_map(|it| it.named("master-page"));
    let parts = masters.flat_map(|it| it.elements()).filter(|it| {
        let name = it.name();
        (name.starts_with("header") || name.starts_with("footer")) && it.attr("display") != Some("false")
    });
    let mut lines = Vec::new();
    parts.for_each(|it| collect(it, &mut lines));
    lines
}

fn collect(parent: Element<'_>, lines: &mut Vec<String>) {
    for element in parent.elements() {
        match element.name() {
            "p" | "h" => {
                let mut line = String::new();
                push(element, &mut line);
                lines.push(line);
            }
            "tracked-changes" => {}
            _ => collect(element, lines),
        }
    }
}

fn push(parent: Element<'_>, line: &mut String) {
    for child in parent.children() {
        match child {
            Child::Text(text) => line.push_str(text),
            Child::Element(element) => match element.name() {
                "page-number" | "page-count" | "note" | "annotation" | "desc" | "title" => {}
                "s" | "tab" | "line-break" => line.push(' '),
                _ => push(element, line),
            },
        }
    }
}
