//! The HTML reader: from a page to Markdown-like text with its section tree.
//!
//! Bytes are decoded, guarded against markup that the parser cannot take, parsed by html5ever through `scraper`, and walked
//! once. The main content is found and furniture dropped by rules ([`keep`]); text keeps its shape: headings as `#` lines,
//! lists, pipe tables, code in fences. Links become their text, images their alternative text. Places in the source are
//! anchors, since rendered text has no bytes there.

mod dom;
mod formulas;
mod guard;
mod head;
mod keep;
mod language;
mod line;
mod main_part;
mod mathml;
pub(in crate::read) mod part;
mod raised;
mod scan;
pub(in crate::read) mod table;
mod walk;
pub(in crate::read) mod write;

use std::collections::BTreeMap;

use scraper::Html as Page;

use crate::content::{Document, DocumentId, Origin, Warning, WarningKind, build_sections};
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta, charset};

use dom::NodeRef;
use head::Head;

pub(crate) use head::looks_like_html;

/// Bytes of a page that are read. The parser needs about 15 times as many in memory.
const MAX_BYTES: usize = 32 << 20;

/// Reads web pages.
#[derive(Debug)]
pub(crate) struct Html;

impl Reader for Html {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "html",
            version: 8,
            summary: "Web pages: main content, with navigation and other furniture dropped",
            media_type: "text/html",
            extensions: &["html", "htm", "xhtml"],
            is_risky: false,
        }
    }

    fn read(&self, blob: &Blob, options: &ReadOptions) -> Result<Parsed, ReadError> {
        // A stray NUL in what is plainly a page does no harm.
        if charset::is_binary(&blob.bytes) && !looks_like_html(&blob.bytes) {
            return Err(ReadError::Binary);
        }
        let mut bytes = blob.bytes.as_slice();
        let mut warnings = Vec::new();
        if bytes.len() > MAX_BYTES {
            let message =
                format!("{} MB; only the first {} MB were read", bytes.len() >> 20, MAX_BYTES >> 20);
            warnings.push(Warning::new(WarningKind::Limit, message));
            bytes = cut(bytes);
        }
        let decoded = charset::decode_text(bytes, head::declared_charset(bytes).as_deref());
        warnings.extend(decoded.warnings);
        let is_xml = decoded.text.trim_start().starts_with("<?xml");
        let guarded = guard::guard(&decoded.text, is_xml);
        warnings.extend(guarded.warnings);
        let page = Page::parse_document(&guarded.markup);
        let document = read_page(&page, blob, options, &mut warnings);
        if document.text.is_empty() && !blob.bytes.trim_ascii().is_empty() {
            let message = "no text outside scripts, navigation and hidden parts";
            warnings.push(Warning::new(WarningKind::NoText, message));
        }
        Ok(Parsed { document, warnings })
    }
}

/// The first [`MAX_BYTES`] without a piece of a tag or character at the end.
fn cut(bytes: &[u8]) -> &[u8] {
    let head = &bytes[..MAX_BYTES];
    let end = head.iter().rposition(|&it| it == b'<').filter(|&at| at > MAX_BYTES / 2);
    &head[..end.unwrap_or(MAX_BYTES)]
}

fn read_page(page: &Page, blob: &Blob, options: &ReadOptions, warnings: &mut Vec<Warning>) -> Document {
    let survey = survey(page.tree.root());
    let render = |is_full_page| {
        let roots = main_part::content_roots(&survey.mains, &survey.articles, survey.body, is_full_page);
        let rendered = walk::render(&roots, is_full_page, options.links);
        // What stands beside the main part is left out unseen.
        let n_seen: usize = roots.iter().map(|it| keep::n_text_bytes(*it)).sum();
        let n_beside = survey.body.map_or(0, keep::n_text_bytes).saturating_sub(n_seen);
        (rendered, if is_full_page { 0 } else { n_beside })
    };
    let (mut rendered, mut n_beside) = render(options.full_page);
    if rendered.writer.text.is_empty() && !options.full_page {
        // A page of nothing but links, or an element of furniture that was never closed.
        (rendered, n_beside) = render(true);
    }
    warnings.extend(dropped(&rendered.dropped, n_beside));
    if !rendered.writer.text.is_empty() {
        rendered.writer.text.push('\n');
    }
    let id = DocumentId::of_uri(&blob.uri);
    let first_heading = || {
        let first =
            rendered.writer.headings.iter().find(|it| it.level == 1).or(rendered.writer.headings.first());
        first.map(|it| it.title.clone())
    };
    let title = survey.head.title().or_else(first_heading).unwrap_or_else(|| blob.file_name().to_owned());
    let sections =
        build_sections(id, &rendered.writer.text, &rendered.writer.headings, |text| text.trim().is_empty());
    Document {
        id,
        uri: blob.uri.clone(),
        title,
        media_type: Html.meta().media_type.to_owned(),
        text: rendered.writer.text,
        sections,
        blocks: rendered.writer.blocks,
        metadata: survey.head.metadata,
        language: None,
        labels: Default::default(),
        origin: Origin::Anchors(rendered.writer.anchors),
    }
}

/// Says what was left out, by kind, with the bytes of its text.
fn dropped(by_kind: &BTreeMap<&'static str, walk::Dropped>, n_beside: usize) -> Option<Warning> {
    let mut parts: Vec<String> = Vec::new();
    if n_beside > 0 {
        parts.push(format!("what is beside the main part ({n_beside} bytes)"));
    }
    for (kind, it) in by_kind {
        parts.push(format!("{} {kind} ({} bytes)", it.n_elements, it.n_bytes));
    }
    let message = format!("left out: {}; --full-page keeps them", parts.join(", "));
    (!parts.is_empty()).then(|| Warning::new(WarningKind::Dropped, message))
}

/// What one pass over the whole page finds.
#[derive(Default)]
struct Survey<'a> {
    head: Head,
    body: Option<NodeRef<'a>>,
    /// Visible `main` elements that are not inside each other.
    mains: Vec<NodeRef<'a>>,
    /// Visible `article` elements that are not inside each other.
    articles: Vec<NodeRef<'a>>,
}

fn survey(root: NodeRef<'_>) -> Survey<'_> {
    let mut survey = Survey::default();
    let context = keep::Context::default();
    // The last outermost element found; what lies inside it is passed over.
    let is_inside = |found: &[NodeRef<'_>], node: NodeRef<'_>| {
        found.last().is_some_and(|last| node.ancestors().any(|it| it == *last))
    };
    for node in dom::descend(root, |_| true) {
        let Some(traits) = dom::traits(&node) else { continue };
        survey.head.take(node, traits.element);
        if traits.name == "body" && survey.body.is_none() {
            survey.body = Some(node);
        } else if traits.is_main() {
            let found = if traits.name == "article" { &mut survey.articles } else { &mut survey.mains };
            if is_inside(found, node) {
                continue;
            }
            let is_hidden = std::iter::once(node)
                .chain(node.ancestors())
                .any(|it| dom::traits(&it).is_some_and(|traits| keep::is_dropped(it, &traits, context)));
            if !is_hidden {
                found.push(node);
            }
        }
    }
    survey
}

#[cfg(test)]
mod tests;
