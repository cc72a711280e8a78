//! A scan over the tags of a page, without building anything.
//!
//! Follows the HTML standard's tokenizer closely enough to know where tags, comments and raw text begin and end; that is
//! all that the guard and the search for a declared charset need.

use std::ops::Range;

/// A start or end tag.
#[derive(Debug)]
pub(super) struct Tag<'a> {
    /// Name in lower case; longer names than any known element's are cut.
    pub(super) name: &'a [u8],
    /// Hash of the whole name in lower case.
    pub(super) key: u64,
    /// Where the tag stands in the markup, brackets included.
    pub(super) span: Range<usize>,
    pub(super) is_end: bool,
    /// The element has ended already: raw text, or self-closing inside SVG or MathML.
    pub(super) is_whole: bool,
    /// Raw text without an end tag, which would swallow the rest of the page.
    pub(super) is_unended: bool,
    pub(super) n_attributes: usize,
    /// Where the 513th attribute starts.
    pub(super) extra_attributes: Option<usize>,
}

/// Iterates over the tags of `markup`.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    markup: &'a str,
    at: usize,
    is_xml: bool,
    /// Open `svg` and `math` elements.
    n_foreign: usize,
    name: [u8; 16],
    /// Keys of raw text elements that have no end tag from here on, so that it is searched for once.
    unended: Vec<u64>,
}

/// Attributes after which [`Tag::extra_attributes`] points.
const N_PLENTY: usize = 512;

impl<'a> Scanner<'a> {
    pub(super) fn new(markup: &'a str, is_xml: bool) -> Self {
        Self { markup, at: 0, is_xml, n_foreign: 0, name: [0; 16], unended: Vec::new() }
    }

    /// The next tag; comments, declarations and raw text are passed over.
    pub(super) fn next_tag(&mut self) -> Option<Tag<'_>> {
        let bytes = self.markup.as_bytes();
        loop {
            let start = self.at + self.markup.get(self.at..)?.find('<')?;
            let is_end = bytes.get(start + 1) == Some(&b'/');
            let name_start = start + 1 + usize::from(is_end);
            match bytes.get(name_start) {
                Some(byte) if byte.is_ascii_alphabetic() => {
                    let tag = self.tag(start, name_start, is_end);
                    let Tagged { len, key, span, is_whole, is_unended, n_attributes, extra_attributes } =
                        tag?;
                    let name = &self.name[..len];
                    return Some(Tag {
                        name,
                        key,
                        span,
                        is_end,
                        is_whole,
                        is_unended,
                        n_attributes,
                        extra_attributes,
                    });
                }
                Some(b'!') if !is_end => self.at = self.end_of_declaration(start),
                // A stray end bracket, a processing instruction, or a "</" that is read as a comment.
                Some(b'?') => self.at = self.after(name_start, ">"),
                Some(_) if is_end => self.at = self.after(name_start, ">"),
                _ => self.at = start + 1,
            }
        }
    }

    /// Reads one tag and moves behind it, or behind its raw text; `None` when the input ends inside.
    fn tag(&mut self, start: usize, name_start: usize, is_end: bool) -> Option<Tagged> {
        let bytes = self.markup.as_bytes();
        let name_len = bytes[name_start..]
            .iter()
            .position(|it| it.is_ascii_whitespace() || matches!(it, b'/' | b'>'))?;
        let whole_name = &bytes[name_start..name_start + name_len];
        let len = name_len.min(self.name.len());
        self.name[..len].copy_from_slice(&whole_name[..len]);
        self.name[..len].make_ascii_lowercase();
        // FNV-1a.
        let key = whole_name.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x100_0000_01b3)
        });
        let mut attributes = Attributes { markup: self.markup, at: name_start + name_len };
        let (mut n_attributes, mut extra_attributes) = (0, None);
        for (name, _) in attributes.by_ref() {
            if n_attributes == N_PLENTY {
                extra_attributes = Some(name.start);
            }
            n_attributes += 1;
        }
        let end = attributes.at;
        if bytes.get(end) != Some(&b'>') {
            self.at = self.markup.len();
            return None;
        }
        self.at = end + 1;
        let is_self_closing = bytes[end - 1] == b'/';
        let name = &self.name[..len];
        if matches!(name, b"svg" | b"math") {
            self.n_foreign = if is_end {
                self.n_foreign.saturating_sub(1)
            } else {
                self.n_foreign + usize::from(!is_self_closing)
            };
        }
        let mut tag = Tagged {
            len,
            key,
            span: start..end + 1,
            is_whole: is_self_closing && self.n_foreign > 0,
            is_unended: false,
            n_attributes,
            extra_attributes,
        };
        if !is_end && self.n_foreign == 0 && is_raw_text(name) {
            tag.is_whole = true;
            if (is_self_closing && self.is_xml) || self.unended.contains(&key) {
                tag.is_unended = true;
            } else {
                match self.end_of_raw_text(whole_name) {
                    Some(after) => self.at = after,
                    None if matches!(name, b"script" | b"style" | b"plaintext") => {
                        self.at = self.markup.len();
                    }
                    None => {
                        tag.is_unended = true;
                        self.unended.push(key);
                    }
                }
            }
        }
        Some(tag)
    }

    /// Byte behind the end tag `</name` from here on.
    fn end_of_raw_text(&self, name: &[u8]) -> Option<usize> {
        let bytes = self.markup.as_bytes();
        let mut at = self.at;
        loop {
            let start = at + self.markup.get(at..)?.find("</")?;
            let after = start + 2 + name.len();
            let is_match = bytes.get(start + 2..after).is_some_and(|it| it.eq_ignore_ascii_case(name))
                && bytes.get(after).is_none_or(|it| it.is_ascii_whitespace() || matches!(it, b'/' | b'>'));
            if is_match {
                return Some(self.after(after, ">"));
            }
            at = start + 2;
        }
    }

    fn end_of_declaration(&self, start: usize) -> usize {
        let rest = &self.markup[start..];
        if rest.starts_with("<!-->") || rest.starts_with("<!--->") {
            return self.after(start, ">");
        }
        if rest.starts_with("<![CDATA[") && self.n_foreign > 0 {
            return self.after(start, "]]>");
        }
        if !rest.starts_with("<!--") {
            return self.after(start, ">");
        }
        let mut at = start + 4;
        while let Some(dashes) = self.markup[at..].find("--") {
            let rest = &self.markup[at + dashes + 2..];
            if rest.starts_with('>') || rest.starts_with("!>") {
                return self.after(at + dashes, ">");
            }
            at += dashes + 1;
        }
        self.markup.len()
    }

    fn after(&self, from: usize, end: &str) -> usize {
        self.markup[from..].find(end).map_or(self.markup.len(), |at| from + at + end.len())
    }
}

/// What [`Scanner::tag`] found, before it is joined with the name.
struct Tagged {
    len: usize,
    key: u64,
    span: Range<usize>,
    is_whole: bool,
    is_unended: bool,
    n_attributes: usize,
    extra_attributes: Option<usize>,
}

/// Elements whose content the tokenizer takes as text (with scripting on, as the parser is told).
pub(super) fn is_raw_text(name: &[u8]) -> bool {
    matches!(
        name,
        b"script"
            | b"style"
            | b"xmp"
            | b"iframe"
            | b"noembed"
            | b"noframes"
            | b"noscript"
            | b"textarea"
            | b"title"
            | b"plaintext"
    )
}

/// The attributes of one tag: ranges of name and value in the markup. Ends at the tag's closing bracket, where `at` then
/// points.
#[derive(Debug)]
pub(super) struct Attributes<'a> {
    pub(super) markup: &'a str,
    /// Byte behind the tag's name.
    pub(super) at: usize,
}

impl<'a> Attributes<'a> {
    /// Name and value of every attribute of the tag at `span`.
    pub(super) fn of_tag(markup: &'a str, tag: &Tag<'_>) -> impl Iterator<Item = (&'a str, &'a str)> {
        let at = tag.span.start + 1 + tag.name.len();
        Self { markup, at }.map(move |(name, value)| (&markup[name], &markup[value]))
    }

    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        let rest = &self.markup.as_bytes()[self.at.min(self.markup.len())..];
        self.at += rest.iter().position(|&byte| !is_skipped(byte)).unwrap_or(rest.len());
    }
}

impl Iterator for Attributes<'_> {
    type Item = (Range<usize>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.markup.as_bytes();
        self.skip(|byte| byte.is_ascii_whitespace() || byte == b'/');
        if matches!(bytes.get(self.at), None | Some(b'>')) {
            return None;
        }
        let start = self.at;
        // An equals sign at the start is part of the name.
        self.at += 1;
        self.skip(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'>' | b'='));
        let name = start..self.at;
        self.skip(|byte| byte.is_ascii_whitespace());
        if bytes.get(self.at) != Some(&b'=') {
            return Some((name, self.at..self.at));
        }
        self.at += 1;
        self.skip(|byte| byte.is_ascii_whitespace());
        let value = match bytes.get(self.at) {
            Some(&quote @ (b'"' | b'\'')) => {
                let start = self.at + 1;
                let end = self.markup[start..].find(char::from(quote)).map_or(bytes.len(), |at| start + at);
                self.at = (end + 1).min(bytes.len());
                start..end
            }
            _ => {
                let start = self.at;
                self.skip(|byte| !byte.is_ascii_whitespace() && byte != b'>');
                start..self.at
            }
        };
        Some((name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(markup: &str, expected: &[&str]) {
        let mut scanner = Scanner::new(markup, false);
        let mut found = Vec::new();
        while let Some(tag) = scanner.next_tag() {
            let slash = if tag.is_end { "/" } else { "" };
            found.push(format!("{slash}{}", String::from_utf8_lossy(tag.name)));
        }
        assert_eq!(found, expected, "{markup}");
    }

    #[test]
    fn tags_are_told_from_everything_that_looks_like_them() {
        check("<p>a<B>c</b ></P>", &["p", "b", "/b", "/p"]);
        check("a < b <1> </> </ x> <? <i> ?> <u>", &["u"]);
        check("<a title='<b>' x=\"<i>\" y=>c", &["a"]);
        check("<a b=c\"d><i>", &["a", "i"]);
        check("<!-- <b> --><i><!--><u><!-- a --!><s><!---></a>", &["i", "u", "s", "/a"]);
        check("<script>'<b></scripty>'</SCRIPT ><i>", &["script", "i"]);
        check("<title>a<b></title><i>", &["title", "i"]);
        check("<svg><title><b></title><path/></svg>", &["svg", "title", "b", "/title", "path", "/svg"]);
        check("<i <b>x", &["i"]);
        check("<i", &[]);
        check("<i a='", &[]);
    }

    #[test]
    fn attributes_have_names_and_values() {
        let markup = "<meta a B = 'c d' e=f/ =g=i h=\"\">";
        let mut scanner = Scanner::new(markup, false);
        let tag = scanner.next_tag().unwrap();
        let found: Vec<_> = Attributes::of_tag(markup, &tag).collect();
        assert_eq!(found, [("a", ""), ("B", "c d"), ("e", "f/"), ("=g", "i"), ("h", "")]);
    }
}
