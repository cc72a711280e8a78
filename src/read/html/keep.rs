//! Which parts of a page are content.
//!
//! Rules only, no statistics: elements, roles and the class names that generators of documentation give to their furniture
//! (Sphinx, mdBook, rustdoc, javadoc, MkDocs, Docusaurus, DocBook, AsciiDoc, MediaWiki, GitHub). A class name stands here
//! only when no author would give it to content.

use scraper::node::Element;

use super::dom::{self, NodeRef};

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
    // rustdoc
    "srclink",
    "collapse-toggle",
    "toggle-wrapper",
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
    "line-numbers-rows",
    "hljs-ln-numbers",
    "rouge-gutter",
    // Cookie bars without a role
    "cookie-banner",
    "cookie-consent",
    "cookie-notice",
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

/// The attributes that rules look at.
#[derive(Clone, Copy, Debug, Default)]
struct Traits<'a> {
    id: &'a str,
    class: &'a str,
    role: &'a str,
    hidden: Option<&'a str>,
    aria_hidden: &'a str,
    aria_modal: &'a str,
    style: &'a str,
    href: Option<&'a str>,
}

impl<'a> Traits<'a> {
    fn of(element: &'a Element) -> Self {
        let mut traits = Self::default();
        for (name, value) in &element.attrs {
            let value: &str = value;
            match &*name.local {
                "id" => traits.id = value,
                "class" => traits.class = value,
                "role" => traits.role = value.trim(),
                "hidden" => traits.hidden = Some(value),
                "aria-hidden" => traits.aria_hidden = value,
                "aria-modal" => traits.aria_modal = value,
                "style" => traits.style = value,
                "href" => traits.href = Some(value),
                _ => {}
            }
        }
        traits
    }

    fn has_class(&self, names: &[&str]) -> bool {
        self.class.split_ascii_whitespace().any(|it| names.contains(&it))
    }

    fn is_hidden(&self, name: &str) -> bool {
        // Tabs that are not in front are hidden until a click; they are content.
        let is_tab = self.role == "tabpanel" || self.has_class(&["tabpanel", "tab-pane", "tabcontent"]);
        if is_tab {
            return false;
        }
        if self.hidden.is_some_and(|it| !it.eq_ignore_ascii_case("until-found")) {
            return true;
        }
        if self.aria_hidden.eq_ignore_ascii_case("true") && is_decoration(name) {
            return true;
        }
        !self.style.is_empty() && {
            let style: String = self.style.chars().filter(|it| !it.is_whitespace()).collect();
            let style = style.to_ascii_lowercase();
            style.contains("display:none") || style.contains("visibility:hidden")
        }
    }
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
pub(super) fn is_dropped(node: NodeRef<'_>, element: &Element, context: Context) -> bool {
    let name = element.name();
    if matches!(name, "script" | "style" | "head" | "title" | "noscript" | "iframe" | "noembed" | "noframes")
    {
        // With scripting on, the parser gives the raw text of the last four: markup, and a twin of what scripts show.
        return true;
    }
    if name == "template" {
        return dom::attr(element, "shadowrootmode").is_none();
    }
    if matches!(name, "audio" | "video" | "canvas" | "datalist") {
        // What they hold is for browsers that do not know them.
        return true;
    }
    let traits = Traits::of(element);
    if name == "a" && is_permalink(node, &traits, context) {
        return true;
    }
    if context.is_full_page {
        return false;
    }
    traits.is_hidden(name)
        || is_furniture_by_name(node, name, &traits, context)
        || is_furniture_by_role(&traits, context)
        || traits.has_class(FURNITURE_CLASSES)
        || (name == "a" && is_tool_link(node, &traits))
}

fn is_furniture_by_name(node: NodeRef<'_>, name: &str, traits: &Traits<'_>, context: Context) -> bool {
    match name {
        "nav" | "dialog" | "select" => true,
        "button" => !context.is_in_heading,
        "footer" => !context.is_in_quote,
        // docutils and pandoc put footnotes and admonitions into asides.
        "aside" => {
            !(traits.role.starts_with("doc-")
                || traits.role == "note"
                || ["footnote", "admonition", "topic", "callout"].iter().any(|it| traits.class.contains(it)))
        }
        "header" => !context.is_in_main && !is_title_header(node),
        "div" => !context.is_in_main && matches!(traits.id, "footer" | "page-footer" | "site-footer"),
        _ => false,
    }
}

fn is_furniture_by_role(traits: &Traits<'_>, context: Context) -> bool {
    match traits.role {
        "navigation" | "contentinfo" | "complementary" | "search" | "dialog" | "alertdialog" | "menu"
        | "menubar" | "toolbar" => true,
        "banner" => !context.is_in_main,
        _ => traits.aria_modal.eq_ignore_ascii_case("true"),
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
    let leads_here = traits.href.is_some_and(|it| it.contains('#'));
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
                '¶' | '#' | '§' | '🔗' | '∞' | '⚓' | '\u{200B}' | '\u{FE0F}' | '\u{E000}'..='\u{F8FF}'
            ) || it.is_whitespace()
        });
        return (has_class || looks_so) && !(text.is_empty() && has_image(node));
    }
    if !has_class || !context.is_in_heading {
        return false;
    }
    // Words such as "Link to this heading": only when the heading has other text.
    let mut heading = node;
    while let Some(parent) = heading.parent() {
        heading = parent;
        let is_heading = dom::element(&heading).is_some_and(|it| heading_level(it).is_some());
        if is_heading {
            break;
        }
    }
    let n_alphanumeric = |text: &str| text.chars().filter(|it| it.is_alphanumeric()).count();
    n_alphanumeric(&short_text(heading, 512)) > n_alphanumeric(&short_text(node, 512))
}

/// Whether a link edits the page or skips to its content.
fn is_tool_link(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    let Some(href) = traits.href else { return false };
    // Reading the text of every link would cost time; these texts are short.
    let text = short_text(node, 40);
    let text = text.trim();
    if !text.is_ascii() || text.len() > 36 {
        return false;
    }
    let text = dom::fold(text).to_ascii_lowercase();
    EDIT_TEXTS.contains(&text.as_str())
        || (href.starts_with('#') && (text.starts_with("skip to ") || text.starts_with("skip nav")))
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

/// The level of a heading element, 1 to 6.
pub(super) fn heading_level(element: &Element) -> Option<u8> {
    match element.name() {
        "h1" => Some(1),
        "h2" => Some(2),
        "h3" => Some(3),
        "h4" => Some(4),
        "h5" => Some(5),
        "h6" => Some(6),
        "div" | "p" | "span" if dom::attr(element, "role") == Some("heading") => {
            let level = dom::attr(element, "aria-level").and_then(|it| it.trim().parse::<u8>().ok());
            Some(level.unwrap_or(2).clamp(1, 6))
        }
        _ => None,
    }
}

/// Where the content of a page is: all of `main` or `[role=main]`, else `article`, else `body`; in document order.
///
/// An `article` counts only when it holds a good part of the page's text; teasers and comments are articles too.
pub(super) fn content_roots<'a>(
    mains: Vec<NodeRef<'a>>,
    articles: Vec<NodeRef<'a>>,
    body: Option<NodeRef<'a>>,
    is_full_page: bool,
) -> Vec<NodeRef<'a>> {
    let whole = body.into_iter().collect::<Vec<_>>();
    if is_full_page {
        return whole;
    }
    let context = Context { is_in_main: true, ..Context::default() };
    if mains.iter().any(|&it| text_len(it, context, 1) > 0) {
        return mains;
    }
    if !articles.is_empty() {
        let in_articles: usize = articles.iter().map(|&it| text_len(it, context, usize::MAX)).sum();
        // A third is a choice: chrome outside of nav, header, footer and aside is rarely twice as long as an article.
        let enough = in_articles.saturating_mul(3);
        if in_articles > 0 && whole.iter().all(|&it| text_len(it, Context::default(), enough) < enough) {
            return articles;
        }
    }
    whole
}

/// Bytes of text in the kept parts of a subtree, blanks at the ends of text nodes aside; stops counting at `enough`.
fn text_len(root: NodeRef<'_>, context: Context, enough: usize) -> usize {
    let is_entered = |node: NodeRef<'_>| dom::element(&node).is_none_or(|it| !is_dropped(node, it, context));
    let mut n_bytes = 0;
    for node in dom::descend(root, is_entered) {
        n_bytes += node.value().as_text().map_or(0, |it| it.trim().len());
        if n_bytes >= enough {
            break;
        }
    }
    n_bytes
}
