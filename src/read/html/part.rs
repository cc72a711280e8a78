//! Pages inside other documents: chapters of e-books, bodies of messages.
//!
//! All of such a page is content, so that nothing counts as furniture. Chapters are XML: elements that are closed in their
//! start tag (`<a id="x"/>`) are empty, while an HTML parser would leave them open.

use std::borrow::Cow;
use std::collections::HashSet;

use scraper::Html as Page;

use super::dom;
use super::guard;
use super::head;
use super::main_part;
use super::scan::{Scanner, is_raw_text};
use super::walk;
use super::write::Writer;
use crate::content::Warning;
use crate::read::charset;

/// A page, rendered with everything on it.
#[derive(Debug)]
pub(in crate::read) struct RenderedPart {
    pub(in crate::read) writer: Writer,
    pub(in crate::read) warnings: Vec<Warning>,
}

/// Renders a page; `charset` is what is declared outside of it, `is_xml` says that it is XHTML.
pub(in crate::read) fn render_part(bytes: &[u8], charset: Option<&str>, is_xml: bool) -> RenderedPart {
    render_chapter(bytes, charset, is_xml, HashSet::new())
}

/// As [`render_part`]; the ids in `places`, in lower case, are named from outside, by a table of contents.
pub(in crate::read) fn render_chapter(
    bytes: &[u8],
    charset: Option<&str>,
    is_xml: bool,
    places: HashSet<String>,
) -> RenderedPart {
    let bytes = if bytes.len() > super::MAX_BYTES { super::cut(bytes) } else { bytes };
    let declared = charset.map(str::to_owned).or_else(|| head::declared_charset(bytes));
    // UTF-8 is what XML is in without a declaration.
    let declared = declared.or_else(|| is_xml.then(|| "utf-8".to_owned()));
    let decoded = charset::decode_text(bytes, declared.as_deref());
    let markup = if is_xml { expanded(&decoded.text) } else { Cow::Borrowed(decoded.text.as_str()) };
    let guarded = guard::guard(&markup, is_xml);
    let page = Page::parse_document(&guarded.markup);
    let is_body = |it: &dom::NodeRef<'_>| dom::traits(it).is_some_and(|it| it.name == "body");
    let body = dom::descend(page.tree.root(), |_| true).find(is_body);
    let roots = main_part::content_roots(&[], &[], body, true);
    let writer = walk::render_part(&roots, places).writer;
    let mut warnings = decoded.warnings;
    warnings.extend(guarded.warnings);
    RenderedPart { writer, warnings }
}

/// `markup` with an end tag after every start tag that closes itself, where HTML has no such thing.
fn expanded(markup: &str) -> Cow<'_, str> {
    let mut text = String::new();
    let mut from = 0;
    let mut scanner = Scanner::new(markup, true);
    while let Some(tag) = scanner.next_tag() {
        let is_known = tag.is_whole || tag.is_end || is_raw_text(tag.name) || is_void(tag.name);
        if is_known || !markup[..tag.span.end].ends_with("/>") {
            continue;
        }
        let name = &markup[tag.span.start + 1..tag.span.end];
        let name =
            name.split(|c: char| c.is_whitespace() || matches!(c, '/' | '>')).next().unwrap_or_default();
        text.push_str(&markup[from..tag.span.end - 2]);
        text.push_str("></");
        text.push_str(name);
        text.push('>');
        from = tag.span.end;
    }
    if from == 0 {
        return Cow::Borrowed(markup);
    }
    text.push_str(&markup[from..]);
    Cow::Owned(text)
}

fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"br"
            | b"col"
            | b"embed"
            | b"hr"
            | b"img"
            | b"image"
            | b"input"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
            | b"svg"
            | b"math"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_elements_of_xml_stay_empty() {
        let check = |markup: &str, expected: &str| assert_eq!(expanded(markup), expected);
        check("<p>a<a id='x'/>b<br/>c</p>", "<p>a<a id='x'></a>b<br/>c</p>");
        check("<h2 />x<svg><path/></svg>", "<h2 ></h2>x<svg><path/></svg>");
        check("<p>none</p>", "<p>none</p>");
        let part =
            render_part(b"<html><head><title/></head><body><p/><b/>text<i/></body></html>", None, true);
        assert_eq!(part.writer.text, "text");
    }

    #[test]
    fn nothing_on_a_part_is_furniture() {
        let page = "<body><header><h1>A</h1></header><aside>note</aside><footer>end</footer></body>";
        let part = render_part(page.as_bytes(), None, true);
        assert_eq!(part.writer.text, "# A\n\nnote\n\nend");
    }
}
