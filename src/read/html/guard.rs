//! Guards the parser against markup that costs it time or memory out of proportion.
//!
//! html5ever walks its stack of open elements for many tags, so time grows with nesting depth times tags (html5ever#245:
//! 50,000 nested `div` take minutes); it copies every unclosed formatting element (`b`, `font`) into each new paragraph,
//! so memory can grow with the square of the input; and it compares each attribute with all before it. One scan over the
//! tags, much cheaper than parsing, follows what the parser's stack would do closely enough to see such pages, and cuts
//! tags (never text) from them. All other pages, practically all there are, pass untouched.

use std::borrow::Cow;
use std::ops::Range;

use crate::content::{Warning, WarningKind};

use super::scan::{Scanner, Tag, is_raw_text};

/// Start tags nested deeper than this are cut. Real pages stay below 100; 512 is also where browsers stop.
const MAX_DEPTH: usize = 512;

/// Sum of the depths at all tags after which only [`SAFE_DEPTH`] is allowed. The parser takes about 7 ns a step, so that
/// this bounds what depth can cost to about a second; pages of 10 MB have about 10 million.
const MAX_STEPS: usize = 100_000_000;

/// Depth that costs little however many tags follow.
const SAFE_DEPTH: usize = 64;

/// Start tags that are parsed; a page of 10 MB has about 300,000. An element takes about 300 bytes with its text.
const MAX_ELEMENTS: usize = 1_000_000;

/// Attributes kept of one tag; real tags have fewer than 50.
const MAX_ATTRIBUTES: usize = 512;

/// Copies of formatting elements that the parser may make, by our count; a copy takes about 200 bytes.
const MAX_COPIES: usize = 400_000;

/// What the guard did.
#[derive(Debug)]
pub(super) struct Guarded<'a> {
    /// The markup to parse.
    pub(super) markup: Cow<'a, str>,
    /// What to tell the user.
    pub(super) warnings: Vec<Warning>,
}

/// Cuts what the parser cannot take from `markup`. `is_xml` says that `<script/>` is a whole element.
pub(super) fn guard(markup: &str, is_xml: bool) -> Guarded<'_> {
    let mut warnings = Vec::new();
    let mut warn = |message: String| warnings.push(Warning::new(WarningKind::Limit, message));
    let (markup, model) = pass(markup, is_xml, Formatting::Kept).unwrap_or_else(|| {
        warn("too many unclosed formatting elements: formatting ignored, all text kept".to_owned());
        pass(markup, is_xml, Formatting::Cut).unwrap_or((Cow::Borrowed(""), Model::default()))
    });
    if model.n_too_deep > 0 {
        let n = model.n_too_deep;
        warn(format!(
            "elements nested too deep (more than {MAX_DEPTH} levels): {n} tags ignored, their text kept"
        ));
    }
    if model.n_elements > MAX_ELEMENTS {
        warn(format!("more than {MAX_ELEMENTS} elements: the tags of the rest ignored, all text kept"));
    }
    Guarded { markup, warnings }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Formatting {
    Kept,
    Cut,
}

/// Goes over all tags once; `None` when formatting would be copied too often (never with [`Formatting::Cut`]).
fn pass(markup: &str, is_xml: bool, formatting: Formatting) -> Option<(Cow<'_, str>, Model)> {
    let mut model = Model::default();
    let mut cutter = Cutter { markup, kept: String::new(), from: 0 };
    let mut scanner = Scanner::new(markup, is_xml);
    while let Some(tag) = scanner.next_tag() {
        let kind = Kind::of(tag.name);
        let is_inline = matches!(kind, Kind::Formatting | Kind::Anchor);
        if tag.is_unended {
            // Better its text on the page than the rest of the page in it.
            cutter.cut(tag.span, " ");
        } else if formatting == Formatting::Cut && is_inline {
            cutter.cut(tag.span, "");
        } else if !(if tag.is_end { model.end(&tag, kind) } else { model.start(&tag, kind) }) {
            cutter.cut(tag.span, if is_inline || kind == Kind::Other { "" } else { " " });
        } else if tag.n_attributes > MAX_ATTRIBUTES
            && let Some(from) = tag.extra_attributes
        {
            cutter.cut(from..tag.span.end - 1, "");
        }
        if model.n_copies > MAX_COPIES && formatting == Formatting::Kept {
            return None;
        }
    }
    Some((cutter.finish(), model))
}

/// Markup with pieces cut out, copied only when there are any.
struct Cutter<'a> {
    markup: &'a str,
    kept: String,
    from: usize,
}

impl<'a> Cutter<'a> {
    fn cut(&mut self, range: Range<usize>, replacement: &str) {
        self.kept.push_str(&self.markup[self.from..range.start]);
        self.kept.push_str(replacement);
        self.from = range.end;
    }

    fn finish(mut self) -> Cow<'a, str> {
        if self.from == 0 {
            return Cow::Borrowed(self.markup);
        }
        self.kept.push_str(&self.markup[self.from..]);
        Cow::Owned(self.kept)
    }
}

/// How the parser treats an element, as far as depth goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Has no content, or is one of the elements that cannot nest (`html`, `head`, `body`).
    Void,
    /// Special and closes an open `p`.
    Block,
    Paragraph,
    ListItem,
    /// `dt`, `dd`.
    Definition,
    Heading,
    Table,
    /// `tbody`, `thead`, `tfoot`, `caption`, `colgroup`.
    RowGroup,
    Row,
    Cell,
    /// Special, does not close a `p`, and hides what is outside from most end tags.
    Scope,
    /// `option`, `optgroup`.
    Choice,
    /// Copied into later blocks until it is closed.
    Formatting,
    /// `a`: formatting, of which only one can be open.
    Anchor,
    /// `svg`, `math`.
    Foreign,
    Other,
}

impl Kind {
    fn of(name: &[u8]) -> Self {
        // Tag names in lower case, cut to 16 bytes by the scanner.
        match name {
            b"area" | b"base" | b"basefont" | b"bgsound" | b"br" | b"col" | b"embed" | b"frame" | b"hr"
            | b"img" | b"image" | b"input" | b"keygen" | b"link" | b"meta" | b"param" | b"source"
            | b"track" | b"wbr" | b"html" | b"head" | b"body" | b"frameset" => Self::Void,
            b"p" => Self::Paragraph,
            b"li" => Self::ListItem,
            b"dt" | b"dd" => Self::Definition,
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => Self::Heading,
            b"table" => Self::Table,
            b"tbody" | b"thead" | b"tfoot" | b"caption" | b"colgroup" => Self::RowGroup,
            b"tr" => Self::Row,
            b"td" | b"th" => Self::Cell,
            b"applet" | b"marquee" | b"object" | b"template" | b"foreignobject" => Self::Scope,
            b"option" | b"optgroup" => Self::Choice,
            b"b" | b"big" | b"code" | b"em" | b"font" | b"i" | b"nobr" | b"s" | b"small" | b"strike"
            | b"strong" | b"tt" | b"u" => Self::Formatting,
            b"a" => Self::Anchor,
            b"svg" | b"math" => Self::Foreign,
            b"address" | b"article" | b"aside" | b"blockquote" | b"center" | b"details" | b"dialog"
            | b"dir" | b"div" | b"dl" | b"fieldset" | b"figcaption" | b"figure" | b"footer" | b"form"
            | b"header" | b"hgroup" | b"listing" | b"main" | b"menu" | b"nav" | b"ol" | b"pre"
            | b"search" | b"section" | b"select" | b"summary" | b"ul" | b"button" => Self::Block,
            _ => Self::Other,
        }
    }

    fn is_special(self) -> bool {
        !matches!(self, Self::Formatting | Self::Anchor | Self::Other | Self::Choice | Self::Foreign)
    }

    fn closes_paragraph(self) -> bool {
        matches!(self, Self::Block | Self::Paragraph | Self::ListItem | Self::Definition | Self::Heading)
    }

    /// Whether end tags of ordinary elements do not reach past an element of this kind.
    fn is_boundary(self) -> bool {
        matches!(self, Self::Cell | Self::Table | Self::Scope)
    }
}

/// An approximation of the parser's stack of open elements.
#[derive(Default)]
struct Model {
    open: Vec<(u64, Kind)>,
    /// Open formatting elements by the parser's other list, which outlives the blocks around them.
    n_formatting: usize,
    n_copies: usize,
    n_steps: usize,
    n_elements: usize,
    n_too_deep: usize,
}

impl Model {
    /// Takes a start tag; `false` when it has to be cut.
    fn start(&mut self, tag: &Tag<'_>, kind: Kind) -> bool {
        self.n_elements += 1;
        self.n_steps += self.open.len();
        if is_raw_text(tag.name) {
            // Its content would become text.
            return true;
        }
        if self.n_elements > MAX_ELEMENTS {
            return false;
        }
        if kind == Kind::Void || tag.is_whole {
            return true;
        }
        if self.is_costly() {
            self.n_too_deep += 1;
            return false;
        }
        if kind.closes_paragraph() {
            self.n_copies += self.n_formatting;
            self.close(|it| it == Kind::Paragraph, Kind::is_boundary);
        }
        match kind {
            // Not quite the parser's rule, which passes through div but no other block.
            Kind::ListItem | Kind::Definition => {
                self.close(|it| it == kind, |it| it.is_special() && it != Kind::Paragraph);
            }
            Kind::Heading | Kind::Choice if self.open.last().is_some_and(|&(_, top)| top == kind) => {
                self.open.pop();
            }
            Kind::Anchor => self.close_formatting(tag.key, Kind::is_boundary),
            Kind::RowGroup | Kind::Row | Kind::Cell => {
                self.n_copies += self.n_formatting;
                if !self.open.iter().any(|&(_, it)| it == Kind::Table) {
                    return true;
                }
                while let Some(&(_, top)) = self.open.last()
                    && !(matches!(top, Kind::Table | Kind::Scope)
                        || (top == Kind::Row && kind == Kind::Cell)
                        || (top == Kind::RowGroup && kind != Kind::RowGroup))
                {
                    self.open.pop();
                }
            }
            _ => {}
        }
        if self.open.len() >= MAX_DEPTH {
            self.n_too_deep += 1;
            return false;
        }
        if matches!(kind, Kind::Formatting | Kind::Anchor) {
            self.n_formatting += 1;
        }
        self.open.push((tag.key, kind));
        true
    }

    /// Takes an end tag; `false` when it has to be cut, because looking for what it closes costs the parser too much.
    fn end(&mut self, tag: &Tag<'_>, kind: Kind) -> bool {
        self.n_steps += self.open.len();
        if self.is_costly() {
            return false;
        }
        match kind {
            Kind::Void => {}
            Kind::Formatting | Kind::Anchor => self.close_formatting(tag.key, Kind::is_boundary),
            Kind::Table | Kind::RowGroup | Kind::Row | Kind::Cell => {
                self.n_copies += self.n_formatting;
                self.close_key(tag.key, |it| matches!(it, Kind::Table | Kind::Scope));
            }
            Kind::Other | Kind::Choice | Kind::Foreign => self.close_key(tag.key, Kind::is_special),
            _ => {
                self.n_copies += self.n_formatting;
                self.close_key(tag.key, Kind::is_boundary);
            }
        }
        true
    }

    fn is_costly(&self) -> bool {
        self.n_steps > MAX_STEPS && self.open.len() > SAFE_DEPTH
    }

    /// Closes the nearest element that `is_wanted`, unless one that `is_end` lies between.
    fn close(&mut self, is_wanted: impl Fn(Kind) -> bool, is_end: impl Fn(Kind) -> bool) {
        let at = self.open.iter().rposition(|&(_, kind)| is_wanted(kind) || is_end(kind));
        if let Some(at) = at.filter(|&at| is_wanted(self.open[at].1)) {
            self.open.truncate(at);
        }
    }

    /// Closes the nearest element named `key`, unless one that `is_end` lies between.
    fn close_key(&mut self, key: u64, is_end: impl Fn(Kind) -> bool) {
        let at = self.open.iter().rposition(|&(open, kind)| open == key || is_end(kind));
        if let Some(at) = at.filter(|&at| self.open[at].0 == key) {
            self.open.truncate(at);
        }
    }

    /// Closes a formatting element without closing what was opened inside.
    fn close_formatting(&mut self, key: u64, is_end: impl Fn(Kind) -> bool) {
        let at = self.open.iter().rposition(|&(open, kind)| open == key || is_end(kind));
        match at.filter(|&at| self.open[at].0 == key) {
            Some(at) => {
                self.open.remove(at);
                self.n_formatting = self.n_formatting.saturating_sub(1);
            }
            // Its block has been closed, but the parser still remembers it.
            None if self.n_formatting > self.n_open_formatting() => self.n_formatting -= 1,
            None => {}
        }
    }

    fn n_open_formatting(&self) -> usize {
        self.open.iter().filter(|(_, kind)| matches!(kind, Kind::Formatting | Kind::Anchor)).count()
    }
}
