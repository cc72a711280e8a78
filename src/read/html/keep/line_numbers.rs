//! Numbers of lines beside code, and labels of code that say its language once more.

use super::super::dom::{self, NodeRef, Traits};

/// Classes of line numbers, whole names.
const CLASSES: &[&str] = &[
    "linenos",
    "lineno",
    "linenodiv",
    "linenumber",
    "linenumbers",
    "linenr",
    "source-line-no",
    "listing_lines",
    "line-numbers-rows",
    "line-numbers-wrapper",
    "hljs-ln-numbers",
    "hljs-ln-n",
    "rouge-gutter",
    "blob-num",
    "react-syntax-highlighter-line-number",
    "crayon-nums",
    "lnt",
];

/// Most nodes of a column of numbers that are looked at: about ten a line, and files of more lines have no column.
const MAX_NODES: usize = 100_000;

/// Whether an element holds the numbers of lines of code.
pub(in super::super) fn is_line_numbers(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    // Highlighters give most of their elements a class of one letter.
    let has_class = traits.class.len() > 1;
    if has_class && traits.has_class(CLASSES) {
        return true;
    }
    if !matches!(traits.name, "td" | "th" | "div" | "span" | "a" | "i" | "b" | "em" | "small" | "p") {
        return false;
    }
    let is_cell = matches!(traits.name, "td" | "th");
    if has_class && (traits.class.split_ascii_whitespace().any(is_name) || has_number(traits)) {
        return n_numbers(node).is_some_and(|n| if is_cell { is_beside_code(node) } else { n > 0 });
    }
    is_cell && n_numbers(node).is_some_and(|n| n > 1) && is_beside_code(node)
}

/// Whether a class is a usual name of line numbers that could also be that of something else.
fn is_name(class: &str) -> bool {
    let has = |name: &[u8]| class.as_bytes().windows(name.len()).any(|it| it.eq_ignore_ascii_case(name));
    if ["ln", "lno", "gutter", "lines-num", "crayon-num"].iter().any(|it| class.eq_ignore_ascii_case(it)) {
        return true;
    }
    has(b"line") && [b"line-num".as_slice(), b"linenum", b"line-no", b"lineno"].iter().any(|it| has(it))
}

/// Whether an element carries the number of a line, and is not the line.
fn has_number(traits: &Traits<'_>) -> bool {
    !traits.class.contains("code") && traits.attr("data-line-number").is_some()
}

/// How many numbers an element holds, each one more than the last; `None` when it holds anything else.
fn n_numbers(node: NodeRef<'_>) -> Option<usize> {
    let (mut n, mut last): (usize, Option<u64>) = (0, None);
    for (at, it) in dom::descend(node, |_| true).enumerate() {
        if at >= MAX_NODES || dom::element(&it).is_some_and(|it| matches!(it.name(), "img" | "svg" | "input"))
        {
            return None;
        }
        let Some(text) = it.value().as_text() else { continue };
        for word in text.split(|c: char| c.is_whitespace() || matches!(c, ':' | '.' | '|')) {
            if word.is_empty() {
                continue;
            }
            let number: u64 = word.parse().ok()?;
            if last.is_some_and(|last| last.checked_add(1) != Some(number)) {
                return None;
            }
            (n, last) = (n + 1, Some(number));
        }
    }
    Some(n)
}

/// Whether the cell after `cell` holds code.
fn is_beside_code(cell: NodeRef<'_>) -> bool {
    let mut after = std::iter::successors(cell.next_sibling(), NodeRef::next_sibling);
    let Some(next) = after.find(|it| dom::element(it).is_some()) else { return false };
    let is_code = |it: &Traits<'_>| it.name == "pre" || (it.name == "td" && it.class.contains("code"));
    std::iter::once(next)
        .chain(dom::descend(next, |_| true).take(20))
        .any(|it| dom::traits(&it).is_some_and(|it| is_code(&it)))
}

/// Whether an element names the language of the code block around it, as VuePress and VitePress show it in a corner.
pub(super) fn is_language_label(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    traits.name == "span"
        && traits.has_class(&["lang"])
        && node.parent().as_ref().and_then(dom::traits).is_some_and(|it| {
            it.name == "div" && it.class.split_ascii_whitespace().any(|it| it.starts_with("language-"))
        })
}
