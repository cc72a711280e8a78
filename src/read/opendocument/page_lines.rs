//! The words of headers and footers, without fields such as the number of the page.

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

/// The headers and footers of slides, from the root of the content.
pub(super) fn of_slides(root: Element<'_>) -> Vec<String> {
    let show = root.at_path(&["body", "presentation"]);
    let declared = show.into_iter().flat_map(|it| it.elements());
    declared.filter(|it| matches!(it.name(), "header-decl" | "footer-decl")).map(|it| it.text()).collect()
}

fn collect(parent: Element<'_>, lines: &mut Vec<String>) {
    for element in parent.elements() {
        match element.name() {
            "p" | "h" => {
                let mut line = String::new();
                push(element, &mut line);
                let has_number = element.descendants().any(|it| it.name() == "page-number");
                // `Page 3` is a page number too.
                if !has_number || line.split_whitespace().count() > 1 {
                    lines.push(line);
                }
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
                "page-number" | "page-count" | "sheet-name" | "note" | "annotation" | "desc" | "title" => {}
                "s" | "tab" | "line-break" => line.push(' '),
                _ => push(element, line),
            },
        }
    }
}
