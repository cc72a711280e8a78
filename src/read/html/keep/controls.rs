//! Buttons: tools of the page, and labels of the text that they show.

mod heads;

use super::super::dom::{self, NodeRef, Traits};
use super::{Context, links};

/// Longest text of a button, in bytes; chosen, real ones have a few words.
const MAX_BUTTON_BYTES: usize = 200;

/// Words in the classes of buttons that label what they show: questions of an accordion, tabs.
const LABEL_WORDS: &[&str] = &[
    "accordion",
    "collapsible",
    "disclosure",
    "expander",
    "faq",
    "spoiler",
    "tab",
    "tabs",
    "tabbutton",
    "tablink",
    "tablinks",
];

/// What tools of a page are called, in the languages of many pages.
const TOOL_TEXTS: &[&str] = &[
    "menu",
    "main menu",
    "navigation",
    "search",
    "contents",
    "table of contents",
    "on this page",
    "copy",
    "copied",
    "copied!",
    "open",
    "close",
    "expand",
    "collapse",
    "more",
    "less",
    "next",
    "previous",
    "prev",
    "back",
    "share",
    "print",
    "download",
    "edit",
    "subscribe",
    "sign in",
    "sign up",
    "log in",
    "log out",
    "login",
    "logout",
    "submit",
    "cancel",
    "ok",
    "reset",
    "dark",
    "light",
    "theme",
    "auto",
    "filter",
    "filters",
    "sort",
    "settings",
    "options",
    "language",
    "languages",
    "help",
    "feedback",
    "run",
    "play",
    "pause",
    "accept",
    "accept all",
    "reject all",
    "decline",
    "dismiss",
    "skip",
    "view source",
    "read more",
    "show all sections",
    "hide all sections",
    "menü",
    "menú",
    "menu principal",
    "suche",
    "suchen",
    "rechercher",
    "buscar",
    "cerca",
    "меню",
    "поиск",
    "メニュー",
    "検索",
    "菜单",
    "搜索",
    "kopieren",
    "copier",
    "copiar",
    "复制",
    "コピー",
    "yes",
    "no",
    "add",
    "add to cart",
    "buy",
    "buy now",
    "delete",
    "remove",
    "save",
    "apply",
    "go",
    "start",
    "get started",
    "learn more",
    "try it",
    "details",
    "like",
    "reply",
    "report",
    "follow",
    "vote",
    "upload",
    "refresh",
    "continue",
];

/// How the texts of tools begin. The question of an accordion can begin so as well, and is told by its class.
const TOOL_STARTS: &[&str] = &[
    "toggle ",
    "copy ",
    "show ",
    "hide ",
    "open ",
    "close ",
    "expand ",
    "collapse ",
    "search ",
    "select ",
    "switch ",
    "change ",
    "view ",
];

/// Whether a button is left out.
pub(super) fn is_tool(node: NodeRef<'_>, traits: &Traits<'_>, context: Context) -> bool {
    if is_label(node, traits) {
        return false;
    }
    if context.is_in_heading {
        // Headings that fold their section are buttons inside.
        return !links::is_whole_heading(node);
    }
    // One with more text has never been closed.
    dom::short_text(node, MAX_BUTTON_BYTES).len() <= MAX_BUTTON_BYTES
}

/// Whether a button names what it shows: a tab, or the head of a part that folds.
pub(in super::super) fn is_label(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    let has = |name: &str| traits.attr(name).is_some();
    let is_tab = traits.role == "tab";
    let is_classed = || {
        traits
            .class
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| LABEL_WORDS.iter().any(|it| word.eq_ignore_ascii_case(it)))
    };
    let is_wired = || {
        let shows = |it: &str| matches!(it, "collapse" | "tab" | "pill");
        (has("aria-controls")
            || has("aria-expanded")
            || traits.attr("data-bs-toggle").or_else(|| traits.attr("data-toggle")).is_some_and(shows))
            && !has("aria-haspopup")
    };
    let kind = (is_tab, is_tab || is_classed());
    if traits.name != "button" || !(kind.1 || is_wired() || heads::is_head(node)) {
        return false;
    }
    let text = dom::short_text(node, MAX_BUTTON_BYTES);
    if text.len() > MAX_BUTTON_BYTES || !text.contains(char::is_alphanumeric) {
        return false;
    }
    let text = dom::fold(&text).to_lowercase();
    match kind {
        (true, _) => true,
        (_, true) => !TOOL_TEXTS.contains(&text.as_str()),
        _ => !TOOL_TEXTS.contains(&text.as_str()) && !TOOL_STARTS.iter().any(|it| text.starts_with(it)),
    }
}

/// Whether a hidden element is folded below a label, which shows it on a click.
pub(super) fn is_folded(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    if !matches!(traits.name, "div" | "section" | "dd" | "p" | "ul" | "ol") {
        return false;
    }
    let mut before = std::iter::successors(node.prev_sibling(), NodeRef::prev_sibling);
    let Some(before) = before.find(|it| dom::element(it).is_some()) else { return false };
    let is_label = |it: NodeRef<'_>| dom::traits(&it).is_some_and(|traits| is_label(it, &traits));
    let is_head = || {
        dom::traits(&before).is_some_and(|it| {
            it.heading_level().is_some() || it.name == "dt" || it.class.contains("accordion")
        })
    };
    is_label(before) || (is_head() && dom::descend(before, |_| true).take(20).any(is_label))
}
