//! Headings written as raw HTML: `<h1 align="center">…</h1>`, on one line, on many, or around Markdown paragraphs.
//!
//! A scanner for tags and text, not an HTML parser: it runs over what CommonMark calls HTML blocks, in linear time,
//! and skips comments, CDATA and elements whose content is shown or run verbatim.

/// A heading element that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HtmlHeading {
    /// Byte of its `<`.
    pub(super) start: usize,
    /// One past its closing tag, or the end of the HTML block where it is never closed.
    pub(super) end: usize,
    /// 1 to 6.
    pub(super) level: u8,
    /// Content as plain text; the texts of its images when there is nothing else.
    pub(super) title: String,
}

/// How many Markdown paragraphs an open heading may hold before it counts as unclosed. Chosen: READMEs put an image,
/// a title and a slogan there.
const MAX_PARAGRAPHS: usize = 3;

/// Elements whose content is no markup or is shown as it stands.
const VERBATIM: [&str; 6] = ["script", "style", "textarea", "pre", "template", "title"];

/// Finds heading elements in a series of HTML blocks with Markdown paragraphs between them.
#[derive(Debug, Default)]
pub(super) struct HtmlHeadings {
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    start: usize,
    level: u8,
    /// Content so far as HTML text: no tags, entities not decoded.
    text: String,
    /// Alternative texts of images, as HTML text.
    alts: String,
    /// Where the HTML block that opened the heading ends, and how much of `text` it gave.
    block: Option<(usize, usize)>,
    paragraphs: usize,
}

impl Open {
    fn finish(self, end: usize) -> HtmlHeading {
        let title = plain(&self.text);
        let title = if title.is_empty() { plain(&self.alts) } else { title };
        HtmlHeading { start: self.start, end, level: self.level, title }
    }
}

impl HtmlHeadings {
    /// Takes an HTML block that starts at byte `offset`; gives the headings that it completes.
    pub(super) fn html_block(&mut self, html: &str, offset: usize) -> Vec<HtmlHeading> {
        let mut found = Vec::new();
        let lower = html.to_ascii_lowercase();
        let mut at = 0;
        while at < html.len() {
            let tag_start = html[at..].find('<').map_or(html.len(), |found| at + found);
            self.text(&html[at..tag_start]);
            let Some(tag) = Tag::scan(&html[tag_start..]) else { break };
            at = tag_start + tag.len();
            match tag {
                Tag::Skipped(_) => {}
                Tag::Text(_) => self.text("<"),
                Tag::Open { name, raw } => {
                    let name = name.to_ascii_lowercase();
                    if let Some(level) = heading_level(&name) {
                        // A heading ends where the next one starts, as in HTML5.
                        let is_here = self.open.as_ref().is_some_and(|open| open.block.is_none());
                        let unclosed =
                            self.open.take_if(|_| is_here).map(|open| open.finish(offset + tag_start));
                        found.extend(unclosed.or_else(|| self.abandon()));
                        self.open = Some(Open {
                            start: offset + tag_start,
                            level,
                            text: String::new(),
                            alts: String::new(),
                            block: None,
                            paragraphs: 0,
                        });
                    } else if VERBATIM.contains(&name.as_str()) && !raw.ends_with("/>") {
                        let closing = format!("</{name}");
                        at = lower[at..].find(&closing).map_or(html.len(), |found| at + found);
                    } else if let Some(open) = &mut self.open {
                        if name == "img" {
                            open.alts.push(' ');
                            open.alts.push_str(attribute(raw, "alt").unwrap_or_default());
                        } else if !is_inline(&name) {
                            open.text.push(' ');
                        }
                    }
                }
                Tag::Close { name, .. } => {
                    // HTML5 lets any heading's closing tag close the open heading.
                    if heading_level(&name.to_ascii_lowercase()).is_some() {
                        found.extend(self.open.take().map(|open| open.finish(offset + at)));
                    }
                }
            }
        }
        if let Some(open) = &mut self.open {
            open.block.get_or_insert((offset + html.len(), open.text.len()));
        }
        found
    }

    /// Whether a heading waits for its closing tag.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Takes the plain text of a Markdown paragraph between HTML blocks; gives the heading that this proves unclosed.
    pub(super) fn paragraph(&mut self, text: &str) -> Option<HtmlHeading> {
        let open = self.open.as_mut()?;
        open.paragraphs += 1;
        if open.paragraphs > MAX_PARAGRAPHS {
            return self.abandon();
        }
        open.text.push(' ');
        for c in text.chars() {
            match c {
                '&' => open.text.push_str("&amp;"),
                '<' => open.text.push_str("&lt;"),
                c => open.text.push(c),
            }
        }
        None
    }

    /// Gives up on an open heading: with what its own HTML block holds, if that is a title.
    pub(super) fn abandon(&mut self) -> Option<HtmlHeading> {
        let mut open = self.open.take()?;
        let (end, text_len) = open.block?;
        open.text.truncate(text_len);
        Some(open.finish(end)).filter(|heading| !heading.title.is_empty())
    }

    fn text(&mut self, text: &str) {
        if let Some(open) = &mut self.open {
            open.text.push_str(text);
        }
    }
}

/// Whether `tag` opens a heading element.
pub(super) fn is_heading_tag(tag: &str) -> bool {
    matches!(Tag::scan(tag), Some(Tag::Open { name, .. }) if heading_level(&name.to_ascii_lowercase()).is_some())
}

fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => Some(level - b'0'),
        _ => None,
    }
}

/// Elements that do not part words.
fn is_inline(name: &str) -> bool {
    const NAMES: [&str; 24] = [
        "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
        "mark", "q", "s", "small", "span", "strong", "sub", "sup", "u",
    ];
    NAMES.contains(&name)
}

/// What a `<` starts.
#[derive(Debug)]
enum Tag<'a> {
    /// A comment, CDATA section, declaration or processing instruction of this many bytes.
    Skipped(usize),
    /// Nothing: it is one byte of text.
    Text(usize),
    /// An opening tag.
    Open { name: &'a str, raw: &'a str },
    /// A closing tag.
    Close { name: &'a str, raw: &'a str },
}

impl<'a> Tag<'a> {
    /// Reads what stands at the start of `html`, a `<`; `None` when it is never closed (or `html` is empty), so that
    /// no tag can follow.
    fn scan(html: &'a str) -> Option<Self> {
        let until = |opening: usize, closing: &str| {
            html.get(opening..)?.find(closing).map(|at| Self::Skipped(opening + at + closing.len()))
        };
        if html.starts_with("<!--") {
            return until(4, "-->");
        }
        if html.starts_with("<![CDATA[") {
            return until(9, "]]>");
        }
        if html.starts_with("<!") || html.starts_with("<?") {
            return until(2, ">");
        }
        let is_closing = html.starts_with("</");
        let name_start = if is_closing { 2 } else { 1 };
        let after_bracket = html.get(name_start..)?;
        let name_len = after_bracket
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '-')
            .unwrap_or(after_bracket.len());
        let name = &after_bracket[..name_len];
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Some(Self::Text(1));
        }
        let mut quote = None;
        for (at, byte) in html.bytes().enumerate().skip(name_start + name_len) {
            match (quote, byte) {
                (None, b'>') => {
                    let raw = &html[..=at];
                    return Some(if is_closing {
                        Self::Close { name, raw }
                    } else {
                        Self::Open { name, raw }
                    });
                }
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(open), byte) if open == byte => quote = None,
                _ => {}
            }
        }
        None
    }

    fn len(&self) -> usize {
        match self {
            Self::Skipped(len) | Self::Text(len) => *len,
            Self::Open { raw, .. } | Self::Close { raw, .. } => raw.len(),
        }
    }
}

/// The value of an attribute in a raw opening tag.
fn attribute<'a>(raw: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = raw;
    while let Some(at) = rest.find('=') {
        let (before, after) = (&rest[..at], rest[at + 1..].trim_start());
        let key = before.trim_end().rsplit(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
        let value = match quote {
            Some(quote) => after[1..].split(quote).next().unwrap_or_default(),
            None => after.split([' ', '\t', '\r', '\n', '>']).next().unwrap_or_default(),
        };
        if key.eq_ignore_ascii_case(name) {
            return Some(value);
        }
        // A quote that is never closed ends with the tag.
        let len = if quote.is_some() { (value.len() + 2).min(after.len()) } else { value.len() };
        rest = &after[len..];
    }
    None
}

/// HTML text (no tags) as plain text: entities decoded, blanks folded.
fn plain(text: &str) -> String {
    let text = if text.contains('&') {
        // html5ever knows all 2,231 named entities; without tags the fragment is a single text node.
        let fragment = scraper::Html::parse_fragment(&text.replace('<', "&lt;"));
        fragment.root_element().text().collect()
    } else {
        text.to_owned()
    };
    super::inline::fold(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[(usize, u8, &str)]) {
        let mut headings = HtmlHeadings::default();
        let mut found = headings.html_block(html, 0);
        found.extend(headings.abandon());
        let found: Vec<_> = found.iter().map(|it| (it.start, it.level, it.title.as_str())).collect();
        assert_eq!(found, expected, "{html:?}");
    }

    #[test]
    fn quotes_that_are_never_closed_end_with_their_tag() {
        // Found by the fuzz target `markdown`: the value ran past the tag's end.
        check("<h1><img id=a alt=\"x", &[]);
        assert_eq!(attribute("<img title=\"a¥>", "alt"), None);
        assert_eq!(attribute("<img title='a", "alt"), None);
        assert_eq!(attribute("<img title=\"", "alt"), None);
        assert_eq!(attribute("<img title='a' alt=\"b c\">", "alt"), Some("b c"));
    }

    #[test]
    fn headings_become_plain_text() {
        check("<h2 id=\"overview\">Overview</h2>\n", &[(0, 2, "Overview")]);
        check("<H1 align=center>\r\n  A &amp; <b>B</b>ee\r\n</H1 >", &[(0, 1, "A & Bee")]);
        check("<h1>a<br>b<br/>c<div>d</div></h1>", &[(0, 1, "a b c d")]);
        check("<h1>&lt;b&gt; &#x41;&copy;&nope;</h1>", &[(0, 1, "<b> A©&nope;")]);
        check("<div><h3 title='a > b'>x</h3></div>", &[(5, 3, "x")]);
        check("<h1>a</h1><h2>b</h2>", &[(0, 1, "a"), (10, 2, "b")]);
        check("<h1>a < b</h1>", &[(0, 1, "a < b")]);
        check("<h1></h1>", &[(0, 1, "")]);
        check("<h1><img src=x alt='The logo'></h1>", &[(0, 1, "The logo")]);
        check("<h1><img src=\"x\" alt=\"The logo\"> Name</h1>", &[(0, 1, "Name")]);
    }

    #[test]
    fn unclosed_headings_keep_their_block() {
        check("<h1>a\n<p>b", &[(0, 1, "a b")]);
        check("<h1>a<h2>b</h2>", &[(0, 1, "a"), (5, 2, "b")]);
        check("<h1>", &[]);
        check("<h1", &[]);
        check("<h1>a</h2>", &[(0, 1, "a")]);
    }

    #[test]
    fn comments_and_verbatim_elements_hold_no_headings() {
        for html in [
            "<!-- <h1>x</h1> -->",
            "<!-- <h1>x</h1>",
            "<script>'<h1>x</h1>'</script>",
            "<PRE><h1>x</h1></PRE>",
            "<pre><h1>x</h1>",
            "<![CDATA[<h1>x</h1>]]>",
            "<a title=\"<h1>x</h1>\">",
            "<a title=\"<h1>x</h1>",
            "<h7>x</h7><h>x</h><header>x</header>",
        ] {
            check(html, &[]);
        }
        check("<pre>x</pre><h1>y</h1>", &[(12, 1, "y")]);
    }

    #[test]
    fn markdown_between_the_tags_belongs_to_the_title() {
        let mut headings = HtmlHeadings::default();
        assert_eq!(headings.html_block("<h1>", 0), []);
        assert_eq!(headings.paragraph("A & <B>"), None);
        let found = headings.html_block("</h1>", 20);
        assert_eq!(found, [HtmlHeading { start: 0, end: 25, level: 1, title: "A & <B>".into() }]);
    }

    #[test]
    fn many_paragraphs_prove_a_heading_unclosed() {
        let mut headings = HtmlHeadings::default();
        headings.html_block("<h1>A", 0);
        assert_eq!((0..3).find_map(|_| headings.paragraph("x")), None);
        let found = headings.paragraph("x");
        assert_eq!(found, Some(HtmlHeading { start: 0, end: 5, level: 1, title: "A".into() }));
        assert!(!headings.is_open());
    }

    #[test]
    fn hostile_html_takes_linear_time() {
        for piece in [
            "<a ",
            "<h1>",
            "<h1 '",
            "<!--",
            "<![CDATA[",
            "&",
            "<pre>",
            "</h1>",
            "<img alt=",
            "<h1>&amp;</h1>",
        ] {
            let html = piece.repeat(200_000 / piece.len());
            let mut headings = HtmlHeadings::default();
            headings.html_block(&html, 0);
        }
    }
}
