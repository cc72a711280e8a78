//! Which parts of a page are content.
//!
//! Rules only, no statistics: elements, roles and the class names that generators of documentation give to their furniture
//! (Sphinx, mdBook, rustdoc, javadoc, MkDocs, Docusaurus, DocBook, AsciiDoc, MediaWiki, GitHub). A class name stands here
//! only when no author would give it to content.

use super::dom::{self, NodeRef, Traits};

/// Classes of furniture, whole names.
const FURNITURE_CLASSES: &[&str] = &[
    // MediaWiki
    "mw-editsection",
    "mw-jump-link",
    "mw-cite-backlink",
    "navbox",
    "printfooter",
    "catlinks",
    // Sphinx, Read the Docs
    "sphinxsidebar",
    "viewcode-link",
    "viewcode-back",
    "rst-footer-buttons",
    "wy-breadcrumbs-aside",
    // DocBook
    "navheader",
    "navfooter",
    // rustdoc: source links and versions, links to the playground, summaries that only say "Expand description"
    "srclink",
    "rightside",
    "out-of-band",
    "sub-logo-container",
    "collapse-toggle",
    "toggle-wrapper",
    "test-arrow",
    "hideme",
    // Doxygen: the way to the page, what shows up under the mouse
    "navpath",
    "ingroups",
    "ttc",
    // Docusaurus: the list of the page's own headings
    "theme-doc-toc-desktop",
    "theme-doc-toc-mobile",
    "table-of-contents__left-border",
    // MkDocs, Docusaurus and others: edit links
    "md-content__button",
    "theme-edit-this-page",
    "edit-this-page",
    "edit-page-link",
    // Skip links
    "skip-link",
    "skip-nav",
    "skipnav",
    "skip-to-content",
    "md-skip",
    // Copy buttons that are not buttons
    "copybtn",
    "copy-btn",
    "copy-button",
    "copy-code-button",
    "btn-clipboard",
    "btn-copy",
    "zeroclipboard-container",
    // Line numbers beside code
    "linenos",
    "lineno",
    "linenodiv",
    "linenumber",
    "listing_lines",
    "line-numbers-rows",
    "hljs-ln-numbers",
    "rouge-gutter",
    // Cookie bars without a role
    "cookie-banner",
    "cookie-consent",
    "cookie-notice",
];

/// Ids of furniture: MediaWiki's lines under the title, rustdoc's toggle, Doxygen's frame, columns beside the text.
const FURNITURE_IDS: &[&str] = &[
    "siteSub",
    "jump-to-nav",
    "contentSub",
    "toggle-all-docs",
    "copy-path",
    "titlearea",
    "main-nav",
    "nav-path",
    "side-nav",
    "MSearchBox",
    "MSearchSelectWindow",
    "MSearchResultsWindow",
    "sidebar",
];

/// Classes of permalinks beside headings.
const PERMALINK_CLASSES: &[&str] = &[
    "headerlink",
    "header-anchor",
    "heading-anchor",
    "heading-link",
    "hash-link",
    "anchor",
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
    "suggest an edit",
    "suggest edits",
];

/// Longest text of a button, in bytes; chosen, real ones have a few words.
const MAX_BUTTON_BYTES: usize = 200;

/// What the fate of an element depends on besides itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context {
    /// Inside `main` or `article`.
    pub(super) is_in_main: bool,
    /// Inside a heading.
    pub(super) is_in_heading: bool,
    /// Inside `blockquote` or `figure`, whose footers name a source.
    pub(super) is_in_quote: bool,
    /// The caller wants navigation, footers and hidden parts as well.
    pub(super) is_full_page: bool,
}

fn is_hidden(traits: &Traits<'_>) -> bool {
    // Tabs that are not in front are hidden until a click; they are content.
    let is_tab = || traits.role == "tabpanel" || traits.has_class(&["tabpanel", "tab-pane", "tabcontent"]);
    let is_marked = traits.hidden.is_some_and(|it| !it.eq_ignore_ascii_case("until-found"))
        || (traits.is_aria_hidden && is_decoration(traits.name));
    let is_styled = || {
        let style: String = traits.style.chars().filter(|it| !it.is_whitespace()).collect();
        let style = style.to_ascii_lowercase();
        style.contains("display:none") || style.contains("visibility:hidden")
    };
    (is_marked || (!traits.style.is_empty() && is_styled())) && !is_tab()
}

/// Elements that are decoration when hidden from screen readers. Whole blocks are not: pages saved while a dialog was open
/// have all their content marked so.
fn is_decoration(name: &str) -> bool {
    matches!(
        name,
        "a" | "span" | "i" | "b" | "em" | "small" | "sup" | "sub" | "svg" | "img" | "label" | "use"
    )
}

/// Whether the element and everything in it is left out.
pub(super) fn is_dropped(node: NodeRef<'_>, traits: &Traits<'_>, context: Context) -> bool {
    let name = traits.name;
    if matches!(name, "script" | "style" | "head" | "noscript" | "iframe" | "noembed" | "noframes") {
        // With scripting on, the parser gives the raw text of the last four: markup, and a twin of what scripts show.
        return true;
    }
    if name == "title" {
        // That of a drawing; in full pages it is kept, as a drawing's description is.
        return dom::is_html(traits.element) || !context.is_full_page;
    }
    if name == "template" {
        return traits.attr("shadowrootmode").is_none();
    }
    if matches!(name, "audio" | "video" | "canvas" | "datalist") {
        // What they hold is for browsers that do not know them.
        return true;
    }
    if name == "a" && is_permalink(node, traits, context) {
        return true;
    }
    if context.is_full_page {
        return false;
    }
    is_hidden(traits)
        || is_furniture_by_name(node, traits, context)
        || is_furniture_by_role(traits, context)
        || (!traits.class.is_empty() && traits.has_class(FURNITURE_CLASSES))
        || FURNITURE_IDS.contains(&traits.id)
        || (name == "a" && is_tool_link(node, traits))
        || is_pager(node, traits)
        || is_source_line(node, traits)
}

/// Whether this is the line below a title in rustdoc that says since when and leads to the source.
fn is_source_line(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    traits.has_class(&["sub-heading"])
        && dom::descend(node, |_| true)
            .filter_map(|it| dom::traits(&it))
            .any(|it| it.name == "a" && it.has_class(&["src"]))
}

fn is_furniture_by_name(node: NodeRef<'_>, traits: &Traits<'_>, context: Context) -> bool {
    match traits.name {
        "nav" | "dialog" | "select" => true,
        // Headings that fold their section are buttons inside.
        "button" if context.is_in_heading => !is_whole_heading(node),
        // One with more text has never been closed.
        "button" => short_text(node, MAX_BUTTON_BYTES).len() <= MAX_BUTTON_BYTES,
        "footer" => !context.is_in_quote,
        // Doxygen says here who it is, and which lists the page has.
        "address" => traits.has_class(&["footer"]),
        "div" if traits.class == "summary" => {
            node.parent().as_ref().and_then(dom::traits).is_some_and(|it| it.class == "header")
        }
        // docutils and pandoc put footnotes and admonitions into asides.
        "aside" => {
            !(traits.role.starts_with("doc-")
                || traits.role == "note"
                || ["footnote", "admonition", "topic", "callout"].iter().any(|it| traits.class.contains(it)))
        }
        "header" => !context.is_in_main && !is_title_header(node),
        "table" => !context.is_in_main && is_link_bar(node),
        "div" => !context.is_in_main && matches!(traits.id, "footer" | "page-footer" | "site-footer"),
        _ => false,
    }
}

fn is_furniture_by_role(traits: &Traits<'_>, context: Context) -> bool {
    match traits.role {
        "navigation" | "contentinfo" | "complementary" | "search" | "dialog" | "alertdialog" | "menu"
        | "menubar" | "toolbar" => true,
        "banner" => !context.is_in_main,
        _ => traits.is_aria_modal,
    }
}

/// Whether a page's own header holds the article's title (pandoc) rather than the site's name with its menus.
fn is_title_header(node: NodeRef<'_>) -> bool {
    let mut has_h1 = false;
    for element in dom::descend(node, |_| true).take(200).filter_map(|it| dom::element(&it)) {
        match element.name() {
            "h1" => has_h1 = true,
            "nav" | "form" | "ul" | "button" => return false,
            _ if dom::attr(element, "role") == Some("navigation") => return false,
            _ => {}
        }
    }
    has_h1
}

/// Whether a link is the mark beside a heading that leads to the heading itself.
///
/// Some generators use the same classes for a link around the heading's text; that one stays.
fn is_permalink(node: NodeRef<'_>, traits: &Traits<'_>, context: Context) -> bool {
    let leads_here = traits.attr("href").is_some_and(|it| it.contains('#'));
    let has_class = traits.has_class(PERMALINK_CLASSES);
    if !leads_here && !has_class {
        return false;
    }
    let text = short_text(node, 64);
    let is_mark = !text.chars().any(char::is_alphanumeric);
    if is_mark {
        // A link of only punctuation that is no permalink, such as an operator in an index, has no '#name' target of
        // these looks.
        let looks_so = text.chars().all(|it| {
            matches!(
                it,
                '¶' | '#' | '§' | '◆' | '🔗' | '∞' | '⚓' | '\u{200B}' | '\u{FE0F}' | '\u{E000}'..='\u{F8FF}'
            ) || it.is_whitespace()
        });
        return (has_class || looks_so) && !(text.is_empty() && has_image(node));
    }
    // Words such as "Link to this heading".
    has_class && context.is_in_heading && !is_whole_heading(node)
}

/// Whether an element in a heading holds all of the heading's words.
fn is_whole_heading(node: NodeRef<'_>) -> bool {
    let is_heading = |it: &NodeRef<'_>| dom::traits(it).is_some_and(|it| it.heading_level().is_some());
    let Some(heading) = std::iter::successors(node.parent(), NodeRef::parent).find(is_heading) else {
        return false;
    };
    let n_alphanumeric = |node| short_text(node, 512).chars().filter(|it| it.is_alphanumeric()).count();
    n_alphanumeric(node) > 0 && n_alphanumeric(heading) <= n_alphanumeric(node)
}

/// Whether a link edits the page or skips to its content.
fn is_tool_link(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    let Some(href) = traits.attr("href") else { return false };
    // Reading the text of every link would cost time; these texts are short.
    let text = short_text(node, 40);
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
fn is_pager(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
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
        .any(|it| short_text(node, 96).trim_start().starts_with(it))
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

/// Whether a table is a single row of links, as sites and manuals without `nav` set their menus.
fn is_link_bar(table: NodeRef<'_>) -> bool {
    /// Chosen: two links in a row may be content, and a menu has no hundred nodes.
    const FEWEST_LINKS: usize = 3;
    const MOST_NODES: usize = 120;
    let (mut n_rows, mut n_links, mut n_nodes) = (0, 0, 0);
    let is_entered = |it: NodeRef<'_>| dom::element(&it).is_none_or(|it| it.name() != "a");
    for node in dom::descend(table, is_entered) {
        n_nodes += 1;
        match dom::element(&node).map(|it| it.name()) {
            Some("tr") => n_rows += 1,
            Some("a") => n_links += 1,
            Some("th" | "caption" | "table") => return false,
            Some(_) => {}
            None if node.value().as_text().is_some_and(|it| !it.trim().is_empty()) => return false,
            None => {}
        }
        if n_rows > 1 || n_nodes > MOST_NODES {
            return false;
        }
    }
    n_rows == 1 && n_links >= FEWEST_LINKS
}

/// Whether all links of an element say that they lead to the page before, after or above.
fn has_only_pager_links(node: NodeRef<'_>) -> bool {
    let mut n_links = 0;
    for link in dom::descend(node, |_| true).take(60) {
        if dom::element(&link).is_none_or(|it| it.name() != "a") {
            continue;
        }
        let text = dom::fold(&short_text(link, 20)).to_lowercase();
        let text = text.trim_matches(|c: char| !c.is_alphanumeric());
        if !["previous", "prev", "next", "up", "home", "top", "index", "contents"].contains(&text) {
            return false;
        }
        n_links += 1;
    }
    n_links > 1
}

fn has_image(node: NodeRef<'_>) -> bool {
    dom::descend(node, |_| true).take(50).any(|it| {
        dom::element(&it).is_some_and(|it| {
            it.name() == "img" && dom::attr(it, "alt").is_some_and(|alt| !alt.trim().is_empty())
        })
    })
}

/// The text of a subtree, cut after about `max_bytes`.
fn short_text(node: NodeRef<'_>, max_bytes: usize) -> String {
    let mut text = String::new();
    for node in dom::descend(node, |_| true).take(400) {
        if let Some(piece) = node.value().as_text() {
            text.push_str(piece);
        }
        if text.len() > max_bytes {
            break;
        }
    }
    text
}

/// What a dropped element is called when it is counted; `None` for what holds no text for readers: scripts, and the marks
/// and links beside headings.
pub(super) fn kind_of_dropped(traits: &Traits<'_>) -> Option<&'static str> {
    Some(match (traits.name, traits.role) {
        (name, _) if is_no_text(name) => return None,
        ("a", _) => return None,
        ("nav", _) | (_, "navigation" | "menu" | "menubar" | "toolbar" | "search") => "navigation",
        ("footer", _) | (_, "contentinfo") => "footer",
        ("header", _) | (_, "banner") => "header",
        ("aside", _) | (_, "complementary") => "aside",
        ("button" | "select" | "dialog", _) | (_, "dialog" | "alertdialog") => "control",
        _ if is_hidden(traits) => "hidden",
        _ => "other",
    })
}

/// Elements whose text is for machines.
fn is_no_text(name: &str) -> bool {
    matches!(
        name,
        "script" | "style" | "head" | "title" | "noscript" | "template" | "iframe" | "noembed" | "noframes"
    )
}

/// Bytes of text in a subtree, kept or not, blanks at the ends of text nodes aside.
pub(super) fn n_text_bytes(root: NodeRef<'_>) -> usize {
    let is_entered = |node: NodeRef<'_>| dom::element(&node).is_none_or(|it| !is_no_text(it.name()));
    dom::descend(root, is_entered).map(|it| it.value().as_text().map_or(0, |it| it.trim().len())).sum()
}
