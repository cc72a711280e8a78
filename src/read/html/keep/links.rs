//! Links that are no content: marks beside headings, ways back from notes, to editors and to the pages before and after.

use super::super::dom::{self, NodeRef, Traits};
use super::Context;

/// Classes of permalinks beside headings.
const PERMALINK_CLASSES: &[&str] = &[
    "headerlink",
    "header-anchor",
    "heading-anchor",
    "heading-link",
    "hash-link",
    "anchor",
    "sl-anchor-link",
    "hover-link",
    "detail-link",
    "tsd-anchor-icon",
    "anchor-link",
    "anchorjs-link",
    "permalink",
    "direct-link",
    "doc-anchor",
    "toc-anchor",
    "id_link",
    "octicon-link",
];

/// Texts of links that lead to an editor.
const EDIT_TEXTS: &[&str] = &[
    "edit",
    "[edit]",
    "edit this page",
    "edit page",
    "edit source",
    "edit on github",
    "edit on gitlab",
    "edit this page on github",
    "edit this file",
    "view source",
    "suggest an edit",
    "suggest edits",
];

/// What links beside headings say of themselves.
const PERMALINK_TEXTS: &[&str] = &[
    "permalink",
    "permanent link",
    "direct link",
    "anchor link",
    "copy link",
    "copy link to clipboard",
    "link copied",
    "link copied to clipboard",
];

/// How such texts begin that name the heading or "this section".
const PERMALINK_STARTS: &[&str] = &[
    "link to ",
    "permalink to ",
    "permalink for ",
    "permalink ",
    "permanent link to ",
    "direct link to ",
    "anchor link to ",
    "anchor link for ",
    "anchor for ",
    "copy link to ",
    "section titled ",
    "jump to ",
    "navigate to ",
];

/// Classes whose words are there for screen readers only.
const UNSEEN_CLASSES: &[&str] = &[
    "sr-only",
    "sr_only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "screen-reader-only",
    "screenreader",
    "assistive-text",
];

/// Classes of links from a note back to its reference.
const BACK_LINK_CLASSES: &[&str] = &[
    "footnote-back",
    "footnote-backref",
    "footnote-backlink",
    "footnote-return",
    "footnoteBackLink",
    "data-footnote-backref",
    "reversefootnote",
    "fn-backref",
    "fn-backlink",
    "backlink",
    "back-link",
];

/// What such links say in words.
const BACK_LINK_TEXTS: &[&str] = &[
    "back",
    "back to text",
    "back to content",
    "back to article",
    "return",
    "return to text",
    "return to article",
    "jump up",
];

/// Longest text of a permalink that is looked at, in bytes; it can hold the heading's words.
const MAX_PERMALINK_BYTES: usize = 300;

/// Whether a link is a mark that leads to the place where it stands, or back to where its note is referred to.
pub(super) fn is_mark(node: NodeRef<'_>, traits: &Traits<'_>, context: Context) -> bool {
    let leads_here = traits.attr("href").is_some_and(|it| it.contains('#'));
    let has_class = traits.has_class(PERMALINK_CLASSES);
    if !leads_here && !has_class {
        return false;
    }
    let text = dom::short_text(node, 64);
    (leads_here && is_back_link(&text, traits))
        || is_permalink(node, &text, context, if has_class { Looks::Named } else { Looks::Plain })
}

/// Whether a link has the class of a permalink.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Looks {
    Named,
    Plain,
}

/// Whether a link is the mark beside a heading that leads to the heading itself; `text` is the start of its words.
///
/// Some generators use the same classes for a link around the heading's text, or around the first words of it; those stay.
fn is_permalink(node: NodeRef<'_>, text: &str, context: Context, looks: Looks) -> bool {
    if !text.chars().any(char::is_alphanumeric) {
        // A link of only punctuation that is no permalink, such as an operator in an index, has no '#name' target of
        // these looks.
        let looks_so = text.chars().all(|it| {
            matches!(
                it,
                '¶' | '#' | '§' | '◆' | '🔗' | '∞' | '⚓' | '\u{200B}' | '\u{FE0F}' | '\u{E000}'..='\u{F8FF}'
            ) || it.is_whitespace()
        });
        return (looks == Looks::Named || looks_so) && !(text.is_empty() && has_image(node));
    }
    if !context.is_in_heading && looks == Looks::Plain {
        let start = text.trim_start().get(..13);
        return start.is_some_and(|it| it.eq_ignore_ascii_case("link to this "));
    }
    // Words such as "Link to this heading".
    let words = dom::fold(&dom::short_text(node, MAX_PERMALINK_BYTES)).to_lowercase();
    let words = words.trim_matches(|c: char| !c.is_alphanumeric());
    let says_so = || {
        PERMALINK_TEXTS.contains(&words)
            || PERMALINK_STARTS
                .iter()
                .any(|it| words.strip_prefix(it).is_some_and(|rest| is_here(node, rest)))
            || (looks == Looks::Named && words == "link" && is_last(node))
    };
    (says_so() || (looks == Looks::Named && is_unseen(node))) && !is_whole_heading(node)
}

/// Whether `name` (in lower case) is what a permalink calls the place where it stands: "this section", or the heading.
fn is_here(node: NodeRef<'_>, name: &str) -> bool {
    let name = name.trim_matches(|c: char| !c.is_alphanumeric());
    if name.is_empty() {
        return false;
    }
    if ["this", "heading", "section", "the heading", "the section"].iter().any(|it| name.starts_with(it)) {
        return true;
    }
    let is_heading = |it: &NodeRef<'_>| dom::traits(it).is_some_and(|it| it.heading_level().is_some());
    let around = node.ancestors().find(is_heading);
    let beside = || node.parent().and_then(|it| it.children().take(10).find(is_heading));
    let n_own = usize::from(around.is_some());
    around.or_else(beside).is_some_and(|heading| {
        let text = dom::fold(&dom::short_text(heading, 2 * MAX_PERMALINK_BYTES)).to_lowercase();
        text.matches(name).count() > n_own
    })
}

/// Whether no words follow beside a node.
fn is_last(node: NodeRef<'_>) -> bool {
    std::iter::successors(node.next_sibling(), NodeRef::next_sibling).take(20).all(|it| {
        let text = it.value().as_text().map(|it| it.to_string());
        !text.unwrap_or_else(|| dom::short_text(it, 40)).contains(char::is_alphanumeric)
    })
}

/// Whether an element is seen by nobody, but heard.
pub(in super::super) fn is_unseen_class(traits: &Traits<'_>) -> bool {
    traits.has_class(UNSEEN_CLASSES)
}

/// Whether an element in a heading that only screen readers have says that there is a link to the heading.
pub(super) fn is_unseen_mark(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    if traits.class.is_empty() || !is_unseen_class(traits) {
        return false;
    }
    let words = dom::fold(&dom::short_text(node, MAX_PERMALINK_BYTES)).to_lowercase();
    let words = words.trim_matches(|c: char| !c.is_alphanumeric());
    (PERMALINK_TEXTS.contains(&words) || PERMALINK_STARTS.iter().any(|it| words.starts_with(it)))
        && !is_whole_heading(node)
}

/// Whether all words of a link are there for screen readers only.
fn is_unseen(link: NodeRef<'_>) -> bool {
    let is_seen = |it: NodeRef<'_>| dom::traits(&it).is_none_or(|it| !is_unseen_class(&it));
    let has_words =
        |it: NodeRef<'_>| it.value().as_text().is_some_and(|it| it.contains(char::is_alphanumeric));
    is_seen(link) && !dom::descend(link, is_seen).take(100).any(has_words)
}

/// Whether a link leads from a note back to its reference; `text` is the start of its words. A number in a link of docutils is
/// the note's own, and stays.
fn is_back_link(text: &str, traits: &Traits<'_>) -> bool {
    // The last two choose between the looks of text and of emoji.
    let is_arrow = |c: char| "↩↑↥↲↵⏎⤴⮐⬑^←🔙\u{FE0E}\u{FE0F}".contains(c);
    let text = text.trim();
    let rest = text.trim_start_matches(|c: char| is_arrow(c) || c.is_whitespace());
    let is_arrow_only = rest.len() < text.len() && rest.chars().all(|c| c.is_ascii_digit());
    if is_arrow_only && text.starts_with('↩') {
        return true;
    }
    let is_marked = traits.role == "doc-backlink"
        || traits.has_class(BACK_LINK_CLASSES)
        || traits.attr("epub:type").is_some_and(|it| it.contains("backlink"))
        || traits.attr("data-footnote-backref").is_some();
    let says_so = || {
        let words = dom::fold(text).to_lowercase();
        BACK_LINK_TEXTS.contains(&words.as_str()) || words.starts_with("back to reference")
    };
    is_marked && (is_arrow_only || says_so())
}

/// Whether an element in a heading holds all of the heading's words.
pub(super) fn is_whole_heading(node: NodeRef<'_>) -> bool {
    let is_heading = |it: &NodeRef<'_>| dom::traits(it).is_some_and(|it| it.heading_level().is_some());
    let Some(heading) = std::iter::successors(node.parent(), NodeRef::parent).find(is_heading) else {
        return false;
    };
    let n_alphanumeric = |node| dom::short_text(node, 512).chars().filter(|it| it.is_alphanumeric()).count();
    n_alphanumeric(node) > 0 && n_alphanumeric(heading) <= n_alphanumeric(node)
}

/// Whether a link edits the page or skips to its content.
pub(super) fn is_tool_link(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    let Some(href) = traits.attr("href") else { return false };
    // Reading the text of every link would cost time; these texts are short.
    let text = dom::short_text(node, 40);
    let text = text.trim();
    if text == "ⓘ" {
        // rustdoc: a box with the traits of the type before it, or with what is special about an example.
        return true;
    }
    if !text.is_ascii() || text.len() > 36 {
        return false;
    }
    let text = dom::fold(text).to_ascii_lowercase();
    EDIT_TEXTS.contains(&text.as_str())
        || (text == "more..." && href.contains('#'))
        || (href.starts_with('#') && (text.starts_with("skip to ") || text.starts_with("skip nav")))
}

/// Whether an element holds the links to the pages before and after (texinfo's header and footer of each node, LaTeX2HTML's panels).
pub(super) fn is_pager(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    if !traits.has_class(&[
        "header",
        "footer",
        "nav",
        "nav-panel",
        "navigation",
        "spirit-nav",
        "node",
        "pager",
        "pagination",
        "prev-next",
        "prevnext",
    ]) {
        return false;
    }
    if ["Next:", "Previous:", "Prev:", "Up:"]
        .iter()
        .any(|it| dom::short_text(node, 96).trim_start().starts_with(it))
    {
        // Texinfo before version 7, whose lower bars lack `rel`, and LaTeX2HTML, after four pictures.
        return true;
    }
    if has_only_pager_links(node) {
        return true;
    }
    let mut has_link = false;
    for traits in dom::descend(node, |_| true).take(200).filter_map(|it| dom::traits(&it)) {
        if traits.heading_level().is_some() {
            return false;
        }
        has_link |= traits.name == "a"
            && (traits.attr("rel").is_some_and(|rel| {
                rel.split_ascii_whitespace()
                    .any(|it| matches!(it, "next" | "prev" | "previous" | "up" | "contents"))
            }) || traits.attr("accesskey").is_some_and(|key| matches!(key, "n" | "p" | "u" | "h")));
    }
    has_link
}

/// Whether all links of an element say that they lead to the page before, after or above.
fn has_only_pager_links(node: NodeRef<'_>) -> bool {
    let mut n_links = 0;
    for link in dom::descend(node, |_| true).take(60) {
        if dom::element(&link).is_none_or(|it| it.name() != "a") {
            continue;
        }
        let text = dom::fold(&dom::short_text(link, 20)).to_lowercase();
        let text = text.trim_matches(|c: char| !c.is_alphanumeric());
        if !["previous", "prev", "next", "up", "home", "top", "index", "contents"].contains(&text) {
            return false;
        }
        n_links += 1;
    }
    n_links > 1
}

/// Whether an element holds a picture that says something.
fn has_image(node: NodeRef<'_>) -> bool {
    dom::descend(node, |_| true).take(50).any(|it| {
        dom::element(&it).is_some_and(|it| {
            it.name() == "img" && dom::attr(it, "alt").is_some_and(|alt| alt.contains(char::is_alphanumeric))
        })
    })
}
