//! Formulas in scripts, as MathJax 2 takes them, and the renderings that saved pages hold beside the source.

use scraper::Html as Page;

use super::dom::{self, NodeRef, Traits};
use super::guard;
use super::mathml;
use super::scan::Scanner;

/// Classes of what MathJax 2 writes before each of its scripts.
const RENDERINGS: &[&str] = &[
    "MathJax",
    "MathJax_Preview",
    "MathJax_Display",
    "MathJax_CHTML",
    "MathJax_SVG",
    "MathJax_SVG_Display",
    "MathJax_MathML",
    "MathJax_PlainSource",
    "MJXc-display",
    "mjx-chtml",
];

/// Elements nested in each other up to which a formula is parsed: more than any has, few enough to cost nothing.
const MAX_DEPTH: usize = 64;

/// Whether a script is the source of a formula: `math/tex`, `math/asciimath`, `math/mml`, with or without `; mode=display`.
pub(super) fn is_source(traits: &Traits<'_>) -> bool {
    traits.name == "script"
        && traits.attr("type").is_some_and(|it| {
            it.trim_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("math/"))
        })
}

/// Whether the formula of a script stands on a line of its own.
pub(super) fn is_display(traits: &Traits<'_>) -> bool {
    traits.attr("type").is_some_and(|it| it.contains("mode=display"))
}

/// The formula of a script.
pub(super) fn of_script(node: NodeRef<'_>, traits: &Traits<'_>) -> String {
    let source: String =
        node.children().filter_map(|it| it.value().as_text().map(|it| it.to_string())).collect();
    if traits.attr("type").is_some_and(|it| it.contains("mml")) {
        return of_mathml(&source);
    }
    // kramdown hides formulas with signs of markup from XML parsers: `% <![CDATA[` on one line, `%]]>` behind.
    let source = source.trim();
    let start = source.trim_start_matches(|c: char| c == '%' || c.is_whitespace());
    match start.strip_prefix("<![CDATA[") {
        Some(inside) => inside.trim_end_matches("]]>").trim_end().trim_end_matches('%').trim().to_owned(),
        None => source.to_owned(),
    }
}

fn of_mathml(markup: &str) -> String {
    let words = || markup.split('<').filter_map(|it| it.split_once('>')).map(|it| it.1).collect::<String>();
    if is_deep(markup) {
        return words();
    }
    let page = Page::parse_fragment(&guard::guard(markup, true).markup);
    let is_math = |it: &NodeRef<'_>| dom::element(it).is_some_and(|it| it.name() == "math");
    let math = dom::descend(page.tree.root(), |_| true).find(is_math);
    math.and_then(mathml::source).unwrap_or_else(words)
}

fn is_deep(markup: &str) -> bool {
    let mut scanner = Scanner::new(markup, true);
    let mut depth = 0_usize;
    while let Some(tag) = scanner.next_tag() {
        if tag.is_end {
            depth = depth.saturating_sub(1);
        } else if !tag.is_whole {
            depth += 1;
        }
        if depth > MAX_DEPTH {
            return true;
        }
    }
    false
}

/// Whether an element is what a formula looks like, and stands beside its source.
pub(super) fn is_rendering(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    if traits.is_aria_hidden {
        // MathJax and KaTeX hide the picture from screen readers, which get MathML.
        let is_mathml = |it: Option<NodeRef<'_>>| {
            it.as_ref().and_then(dom::traits).is_some_and(|it| {
                it.name == "mjx-assistive-mml" || it.has_class(&["MJX_Assistive_MathML", "katex-mathml"])
            })
        };
        if is_mathml(node.next_sibling()) || is_mathml(node.prev_sibling()) {
            return true;
        }
    }
    has_class(traits)
        && std::iter::successors(node.next_sibling(), NodeRef::next_sibling)
            .take(8)
            .find_map(|it| match dom::traits(&it) {
                Some(traits) if is_source(&traits) => Some(true),
                Some(traits) if has_class(&traits) => None,
                Some(_) => Some(false),
                None => it.value().as_text().is_some_and(|it| !it.trim().is_empty()).then_some(false),
            })
            .unwrap_or(false)
}

/// Whether an element has a class of MathJax's renderings.
pub(super) fn has_class(traits: &Traits<'_>) -> bool {
    // Each of the names has one of these letters, and hardly any other class has.
    traits.class.contains(['j', 'J']) && traits.has_class(RENDERINGS)
}
