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

use super::scan::{Scanner, Tag};

/// Start tags nested deeper than this are cut. Real pages stay below 100; 512 is also where browsers stop.
const MAX_DEPTH: usize = 512;

/// Attributes kept of one tag; real tags have fewer than 50.
const MAX_ATTRIBUTES: usize = 512;

/// Copies of formatting elements that the parser may make, by our count; a copy takes about 200 bytes.
const MAX_COPIES: usize = 400_000;

/// What the guard did.
#[derive(Debug)]
pub(super) struct Guarded<'a> {
    /// The markup to parse.
    pub(super) markup: Cow<'a, str>,
    /// Number of start tags cut because of their depth.
    n_too_deep: usize,
    /// Whether formatting tags were cut because the parser would have copied them too often.
    is_unformatted: bool,
}

impl Guarded<'_> {
    /// What to tell the user.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.n_too_deep > 0 {
            let message = format!(
                "elements nested more than {MAX_DEPTH} deep: {} tags ignored, their text kept",
                self.n_too_deep
            );
            warnings.push(Warning::new(WarningKind::Limit, message));
        }
        if self.is_unformatted {
            let message = "too many unclosed formatting elements: formatting ignored, all text kept";
            warnings.push(Warning::new(WarningKind::Limit, message));
        }
        warnings
    }
}

/// Cuts what the parser cannot take from `markup`. `is_xml` says that `<script/>` is a whole element.
pub(super) fn guard(markup: &str, is_xml: bool) -> Guarded<'_> {
    let mut is_unformatted = false;
    let mut model = Model::default();
    let cuts = find_cuts(markup, is_xml, Formatting::Kept, &mut model).unwrap_or_else(|| {
        is_unformatted = true;
        model = Model::default();
        find_cuts(markup, is_xml, Formatting::Cut, &mut model).unwrap_or_default()
    });
    if cuts.is_empty() {
        return Guarded { markup: Cow::Borrowed(markup), n_too_deep: 0, is_unformatted };
    }
    let mut kept = String::with_capacity(markup.len());
    let mut from = 0;
    for cut in cuts {
        kept.push_str(&markup[from..cut.start]);
        from = cut.end;
    }
    kept.push_str(&markup[from..]);
    Guarded { markup: Cow::Owned(kept), n_too_deep: model.n_too_deep, is_unformatted }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Formatting {
    Kept,
    Cut,
}

/// The byte ranges to cut, in order; `None` when formatting would be copied too often.
fn find_cuts(
    markup: &str,
    is_xml: bool,
    formatting: Formatting,
    model: &mut Model,
) -> Option<Vec<Range<usize>>> {
    let mut cuts = Vec::new();
    let mut scanner = Scanner::new(markup, is_xml);
    while let Some(tag) = scanner.next_tag() {
        if tag.is_unended {
            // Better its text on the page than the rest of the page in it.
            cuts.push(tag.span.clone());
            continue;
        }
        let kind = Kind::of(tag.name);
        if formatting == Formatting::Cut && matches!(kind, Kind::Formatting | Kind::Anchor) {
            cuts.push(tag.span.clone());
            continue;
        }
        let is_kept = if tag.is_end { model.end(&tag, kind) } else { model.start(&tag, kind) };
        if !is_kept {
            cuts.push(tag.span.clone());
        } else if tag.n_attributes > MAX_ATTRIBUTES
            && let Some(from) = tag.extra_attributes
        {
            cuts.push(from..tag.span.end - 1);
        }
        if model.n_copies > MAX_COPIES && formatting == Formatting::Kept {
            return None;
        }
    }
    Some(cuts)
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
    n_too_deep: usize,
}

impl Model {
    /// Takes a start tag; `false` when it has to be cut.
    fn start(&mut self, tag: &Tag<'_>, kind: Kind) -> bool {
        if kind == Kind::Void || tag.is_whole {
            return true;
        }
        if kind.closes_paragraph() {
            self.n_copies += self.n_formatting;
            self.close(|it| it == Kind::Paragraph, Kind::is_boundary);
        }
        match kind {
            Kind::ListItem => self.close(
                |it| it == Kind::ListItem,
                // Not quite the parser's rule, which passes through div and p but no other block.
                |it| it.is_special() && it != Kind::Paragraph,
            ),
            Kind::Definition => {
                self.close(|it| it == Kind::Definition, |it| it.is_special() && it != Kind::Paragraph);
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

    /// Takes an end tag; always kept, since it cannot deepen anything.
    fn end(&mut self, tag: &Tag<'_>, kind: Kind) -> bool {
        let matches = |&(key, _): &(u64, Kind)| key == tag.key;
        match kind {
            Kind::Void => {}
            Kind::Formatting | Kind::Anchor => self.close_formatting(tag.key, Kind::is_boundary),
            Kind::Table | Kind::RowGroup | Kind::Row | Kind::Cell => {
                self.n_copies += self.n_formatting;
                let at =
                    self.open.iter().rposition(|it| matches(it) || matches!(it.1, Kind::Table | Kind::Scope));
                if let Some(at) = at.filter(|&at| matches(&self.open[at])) {
                    self.open.truncate(at);
                }
            }
            Kind::Other | Kind::Choice | Kind::Foreign => {
                let at = self.open.iter().rposition(|it| matches(it) || it.1.is_special());
                if let Some(at) = at.filter(|&at| matches(&self.open[at])) {
                    self.open.truncate(at);
                }
            }
            _ => {
                self.n_copies += self.n_formatting;
                let at = self.open.iter().rposition(|it| matches(it) || it.1.is_boundary());
                if let Some(at) = at.filter(|&at| matches(&self.open[at])) {
                    self.open.truncate(at);
                }
            }
        }
        true
    }

    /// Closes the nearest element that `is_wanted`, unless one that `is_end` lies between.
    fn close(&mut self, is_wanted: impl Fn(Kind) -> bool, is_end: impl Fn(Kind) -> bool) {
        let at = self.open.iter().rposition(|&(_, kind)| is_wanted(kind) || is_end(kind));
        if let Some(at) = at.filter(|&at| is_wanted(self.open[at].1)) {
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
            None if self.n_formatting > 0 && self.n_formatting > self.n_open_formatting() => {
                self.n_formatting -= 1;
            }
            None => {}
        }
    }

    fn n_open_formatting(&self) -> usize {
        self.open.iter().filter(|(_, kind)| matches!(kind, Kind::Formatting | Kind::Anchor)).count()
    }
}
