//! Where a page's content is: the elements below which [`keep`](super::keep) decides part by part.

use super::dom::{self, NodeRef, Traits};
use super::keep::{Context, is_dropped};

/// Where the content of a page is: all of `main` or `[role=main]`, else `article`, else `body`; in document order.
///
/// An `article` counts only when it holds a good part of the page's text; teasers and comments are articles too.
pub(super) fn content_roots<'a>(
    mains: &[NodeRef<'a>],
    articles: &[NodeRef<'a>],
    body: Option<NodeRef<'a>>,
    is_full_page: bool,
) -> Vec<NodeRef<'a>> {
    let whole = body.into_iter().collect::<Vec<_>>();
    if is_full_page {
        return whole;
    }
    let context = Context { is_in_main: true, ..Context::default() };
    if mains.iter().any(|&it| text_len(it, context, 1) > 0) {
        return mains.to_vec();
    }
    if !articles.is_empty() {
        let in_articles: usize = articles.iter().map(|&it| text_len(it, context, usize::MAX)).sum();
        // A third is a choice: chrome outside of nav, header, footer and aside is rarely twice as long as an article.
        let enough = in_articles.saturating_mul(3);
        if in_articles > 0 && whole.iter().all(|&it| text_len(it, Context::default(), enough) < enough) {
            return titled(articles, body).map_or_else(|| articles.to_vec(), |it| vec![it]);
        }
    }
    whole
}

/// The smallest element that holds all `articles` and the title above them, where they are parts of a page (a manual's
/// functions) and have no title of their own; what stands between them is content too.
fn titled<'a>(articles: &[NodeRef<'a>], body: Option<NodeRef<'a>>) -> Option<NodeRef<'a>> {
    let level = |it: &NodeRef<'_>| dom::traits(it).and_then(|it| it.heading_level());
    let has_title = |root: NodeRef<'a>| dom::descend(root, |_| true).any(|it| level(&it) == Some(1));
    if articles.iter().any(|&it| has_title(it)) {
        return None;
    }
    let is_entered = |node: NodeRef<'_>| {
        dom::traits(&node).is_none_or(|it| {
            !is_dropped(node, &it, Context::default()) && it.name != "header" && !is_named_header(&it)
        })
    };
    let first = articles.first()?;
    let title = dom::descend(body?, is_entered)
        .take_while(|it| it.id() != first.id())
        .find(|it| level(it) == Some(1) && is_entered(*it))?;
    // A title that leads somewhere is the site's name.
    if dom::descend(title, |_| true).any(|it| dom::element(&it).is_some_and(|it| it.name() == "a")) {
        return None;
    }
    let holds = |root: &NodeRef<'_>, node: &NodeRef<'_>| node.ancestors().any(|it| it.id() == root.id());
    title.ancestors().find(|root| articles.iter().all(|it| holds(root, it)))
}

/// Whether an element is the head of a site by its names.
fn is_named_header(traits: &Traits<'_>) -> bool {
    let is_head = |it: &str| {
        let it = it.to_ascii_lowercase();
        ["header", "masthead", "banner", "logo", "brand", "site-"].iter().any(|name| it.contains(name))
    };
    is_head(traits.id) || is_head(traits.class)
}

/// Bytes of text in the kept parts of a subtree, blanks at the ends of text nodes aside; stops counting at `enough`.
fn text_len(root: NodeRef<'_>, context: Context, enough: usize) -> usize {
    let is_entered = |node: NodeRef<'_>| dom::traits(&node).is_none_or(|it| !is_dropped(node, &it, context));
    let mut n_bytes = 0;
    for node in dom::descend(root, is_entered) {
        n_bytes += node.value().as_text().map_or(0, |it| it.trim().len());
        if n_bytes >= enough {
            break;
        }
    }
    n_bytes
}
