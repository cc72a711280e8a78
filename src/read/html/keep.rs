//! Which parts of a page are content.
//!
//! Rules only, no statistics: elements, roles and the class names that generators of documentation give to their furniture
//! (Sphinx, mdBook, rustdoc, javadoc, MkDocs, Docusaurus, DocBook, AsciiDoc, MediaWiki, GitHub). A class name stands here
//! only when no author would give it to content.

pub(super) mod controls;
pub(super) mod line_numbers;
mod links;
mod menus;

pub(super) use links::is_unseen_class as is_unseen;

use super::dom::{self, NodeRef, Traits};
use super::formulas;

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
    "copy-popup-wrapper",
    // The way to the page: Confluence and others
    "breadcrumb",
    "breadcrumbs",
    // Confluence: the list of the page's own headings
    "toc-macro",
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
    "breadcrumbs",
    "breadcrumb-section",
];

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
    if name == "script" {
        return !formulas::is_source(traits);
    }
    if matches!(name, "style" | "head" | "noscript" | "iframe" | "noembed" | "noframes") {
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
    if name == "a" && links::is_mark(node, traits, context) {
        return true;
    }
    if line_numbers::is_line_numbers(node, traits) || formulas::is_rendering(node, traits) {
        return true;
    }
    if context.is_full_page {
        return false;
    }
    (is_hidden(traits) && !controls::is_folded(node, traits))
        || is_furniture_by_name(node, traits, context)
        || is_furniture_by_role(traits, context)
        || (!traits.class.is_empty() && traits.has_class(FURNITURE_CLASSES))
        || FURNITURE_IDS.contains(&traits.id)
        || (name == "a" && links::is_tool_link(node, traits))
        || (context.is_in_heading && links::is_unseen_mark(node, traits))
        || (!context.is_in_main && menus::is_menu(node, traits))
        || links::is_pager(node, traits)
        || line_numbers::is_language_label(node, traits)
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
        // Bootstrap sets lists of tabs into `nav`.
        "nav" => {
            !is_tab_list(traits)
                && !node.children().filter_map(|it| dom::traits(&it)).any(|it| is_tab_list(&it))
        }
        "dialog" | "select" => true,
        "button" => controls::is_tool(node, traits, context),
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

fn is_tab_list(traits: &Traits<'_>) -> bool {
    traits.role == "tablist"
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

/// The words of a subtree without what is left out, on one line, cut after about `max_bytes`.
pub(super) fn kept_text(root: NodeRef<'_>, is_full_page: bool, max_bytes: usize) -> String {
    let context = Context { is_in_main: true, is_full_page, ..Context::default() };
    let is_entered = |node: NodeRef<'_>| dom::traits(&node).is_none_or(|it| !is_dropped(node, &it, context));
    let mut text = String::new();
    for node in dom::descend(root, is_entered).take(400) {
        if let Some(piece) = node.value().as_text() {
            text.push_str(piece);
        } else if dom::element(&node).is_some_and(|it| matches!(it.name(), "br" | "div" | "li" | "p")) {
            text.push(' ');
        }
        if text.len() > max_bytes {
            break;
        }
    }
    dom::fold(&text)
}

/// What a dropped element is called when it is counted; `None` for what holds no text for readers: scripts, the marks and
/// links beside headings, numbers of lines, and what a formula looks like beside its source.
pub(super) fn kind_of_dropped(node: NodeRef<'_>, traits: &Traits<'_>) -> Option<&'static str> {
    if line_numbers::is_line_numbers(node, traits) || formulas::is_rendering(node, traits) {
        return None;
    }
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
