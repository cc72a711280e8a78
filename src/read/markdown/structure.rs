//! Headings and blocks of a Markdown text: one walk over the parser's events.
//!
//! Only headings outside every container (quote, list item, footnote) open sections. Blocks are whole lines, from
//! the start of a block's first line (markers and indentation included) to the end of its last line, line ending
//! included; blank lines lie between blocks. Every line with something on it belongs to a block.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::attributes;
use super::blocks::Blocks;
use super::html_heading::{HtmlHeading, HtmlHeadings, is_heading_tag};
use super::inline::{fold, push_plain};
use super::mdx;
use crate::content::{Block, BlockKind, Heading, SectionKind, Span};
use crate::read::plain::Lines;

/// GFM. Definition lists stay out, since they would take headings and paragraphs that CommonMark sees at top level
/// into a container; so does math, which changes inline text (prices) but no block; so do heading attributes, of which
/// [`attributes`] knows more forms.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS);

/// Which Markdown a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Dialect {
    /// CommonMark with GFM.
    CommonMark,
    /// The same, where tags of components are no HTML: see [`mdx`].
    Mdx,
}

/// What a Markdown text is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::read) struct Structure {
    /// Top-level headings, starts strictly rising; each starts where its line does.
    pub(in crate::read) headings: Vec<Heading>,
    /// Blocks in order, without overlap.
    pub(in crate::read) blocks: Vec<Block>,
    /// Ids that headings give themselves: where their section starts, and the id.
    pub(in crate::read) anchors: Vec<(usize, String)>,
}

/// Finds headings and blocks of `text`; its first `markup` bytes (whole lines) are text without markup.
pub(in crate::read) fn structure(text: &str, markup: usize, dialect: Dialect) -> Structure {
    let source = without_lone_cr(&text[markup..]);
    let (source, moves) = match dialect {
        Dialect::CommonMark => (source, mdx::Moves::default()),
        Dialect::Mdx => {
            let (source, moves) = mdx::without_tags(&source);
            (Cow::Owned(source), moves)
        }
    };
    let lines = Lines::new(text);
    let mut walk = Walk {
        text,
        headings: Vec::new(),
        anchors: Vec::new(),
        html_headings: HtmlHeadings::default(),
        blocks: Blocks::new(text, &lines),
        lines: &lines,
        containers: Vec::new(),
        n_items: 0,
        pending: None,
        leaf: None,
    };
    walk.blocks.push(0..markup, BlockKind::Paragraph);
    for (event, range) in Parser::new_ext(&source, OPTIONS).into_offset_iter() {
        // One of the parser's ranges once ended before it started (pulldown-cmark#404).
        let start = (moves.start(range.start) + markup).min(text.len());
        let end = (moves.end(range.end) + markup).clamp(start, text.len());
        walk.event(event, start..end);
    }
    walk.finish()
}

/// The parser does not end every line at a lone CR, as CommonMark does; LF is as long and means the same.
fn without_lone_cr(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_lone = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    if !(0..bytes.len()).any(is_lone) {
        return Cow::Borrowed(text);
    }
    let chars = text.char_indices().map(|(at, c)| if c == '\r' && is_lone(at) { '\n' } else { c });
    Cow::Owned(chars.collect())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Quote,
    List,
    Item(usize),
    Footnote,
}

/// A block that is being read.
#[derive(Debug)]
struct Leaf {
    range: Range<usize>,
    kind: LeafKind,
    /// Plain text so far.
    text: String,
    /// What it starts with.
    start: LeafStart,
}

/// What a paragraph starts with: browsers end it where a heading element begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeafStart {
    /// HTML tags so far, or nothing.
    Tags,
    /// A heading element of HTML, after tags at most.
    Heading,
    /// Something else.
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeafKind {
    /// A paragraph, a heading in a container, a thematic break.
    Prose,
    /// A run of inline events right inside a tight list item.
    Tight,
    Heading(u8),
    Code {
        is_fenced: bool,
    },
    Html,
    Table,
}

struct Walk<'a> {
    text: &'a str,
    lines: &'a Lines,
    headings: Vec<Heading>,
    anchors: Vec<(usize, String)>,
    html_headings: HtmlHeadings,
    blocks: Blocks<'a>,
    containers: Vec<Container>,
    n_items: usize,
    /// Start of the outermost container that has no block yet: its marker belongs to the first one.
    pending: Option<usize>,
    leaf: Option<Leaf>,
}

impl Walk<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => match tag {
                Tag::BlockQuote(_) => self.enter(Container::Quote, range.start),
                Tag::List(_) => self.enter(Container::List, range.start),
                Tag::Item => {
                    self.n_items += 1;
                    self.enter(Container::Item(self.n_items), range.start);
                }
                Tag::FootnoteDefinition(_) => self.enter(Container::Footnote, range.start),
                Tag::Heading { level, .. } if self.containers.is_empty() => {
                    self.open(LeafKind::Heading(level as u8), range);
                }
                Tag::Paragraph | Tag::Heading { .. } => self.open(LeafKind::Prose, range),
                Tag::CodeBlock(kind) => {
                    self.open(LeafKind::Code { is_fenced: matches!(kind, CodeBlockKind::Fenced(_)) }, range);
                }
                Tag::HtmlBlock => self.open(LeafKind::Html, range),
                Tag::Table(_) => self.open(LeafKind::Table, range),
                _ => self.inline(None, range),
            },
            Event::End(end) => match end {
                TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::FootnoteDefinition => {
                    self.leave(range);
                }
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::CodeBlock
                | TagEnd::HtmlBlock
                | TagEnd::Table => self.close(),
                _ => {}
            },
            Event::Rule => {
                self.open(LeafKind::Prose, range);
                self.close();
            }
            event => self.inline(Some(&event), range),
        }
    }

    fn enter(&mut self, container: Container, start: usize) {
        self.close();
        self.abandon_html_heading();
        self.pending.get_or_insert(start);
        self.containers.push(container);
    }

    fn leave(&mut self, range: Range<usize>) {
        self.close();
        if let Some(start) = self.pending {
            // Nothing but a marker: `-`, `>`.
            self.open(LeafKind::Prose, start..range.end.max(start));
            self.close();
        }
        self.containers.pop();
    }

    fn open(&mut self, kind: LeafKind, range: Range<usize>) {
        self.close();
        let may_be_in_title = matches!(kind, LeafKind::Prose | LeafKind::Html);
        if !may_be_in_title {
            self.abandon_html_heading();
        }
        self.leaf = Some(Leaf { range, kind, text: String::new(), start: LeafStart::Tags });
    }

    /// Takes an inline event or the start of an inline tag.
    fn inline(&mut self, event: Option<&Event<'_>>, range: Range<usize>) {
        let leaf = self.leaf.get_or_insert_with(|| Leaf {
            range: range.clone(),
            kind: LeafKind::Tight,
            text: String::new(),
            start: LeafStart::Tags,
        });
        if leaf.kind == LeafKind::Tight {
            leaf.range.end = leaf.range.end.max(range.end);
        }
        if leaf.start == LeafStart::Tags {
            leaf.start = match event {
                Some(Event::InlineHtml(tag)) if is_heading_tag(tag) => LeafStart::Heading,
                Some(Event::InlineHtml(_) | Event::SoftBreak | Event::HardBreak) => LeafStart::Tags,
                Some(Event::Text(text)) if text.trim().is_empty() => LeafStart::Tags,
                _ => LeafStart::Text,
            };
        }
        let wants_text = matches!(leaf.kind, LeafKind::Heading(_)) || self.html_headings.is_open();
        if let Some(event) = event.filter(|_| wants_text) {
            push_plain(&mut leaf.text, event);
        }
    }

    fn close(&mut self) {
        let Some(Leaf { range, kind, text, start: begin }) = self.leaf.take() else { return };
        let item = match self.containers.last() {
            Some(Container::Item(item)) => Some(*item),
            _ => None,
        };
        let start = self.pending.take().map_or(range.start, |pending| pending.min(range.start));
        let (first, range) = (range.start, start..range.end);
        let has_heading = begin == LeafStart::Heading && !self.html_headings.is_open();
        match kind {
            LeafKind::Prose if has_heading && self.containers.is_empty() => self.html_block(range),
            LeafKind::Prose | LeafKind::Tight => {
                if let Some(heading) = self.html_headings.paragraph(&text) {
                    self.html_heading(&heading);
                }
                if let Some(item) = item {
                    self.blocks.push_item(range, item);
                } else {
                    self.blocks.push(range, BlockKind::Paragraph);
                }
            }
            LeafKind::Heading(level) => {
                let span = self.blocks.push(range, BlockKind::Heading);
                if !span.is_empty() {
                    self.heading(span, level, fold(&text));
                }
            }
            LeafKind::Code { is_fenced } => self.blocks.push_code(range, is_fenced.then_some(first)),
            LeafKind::Table => self.blocks.push_table(range, first),
            LeafKind::Html if self.containers.is_empty() => self.html_block(range),
            LeafKind::Html => {
                self.blocks.push(range, BlockKind::Paragraph);
            }
        }
    }

    /// Adds a heading on these lines, with a line of attributes below it. Those at its end stay in the title, which is what
    /// CommonMark says.
    fn heading(&mut self, span: Span, level: u8, title: String) {
        let mut id = attributes::of_heading(span.slice(self.text)).and_then(|it| it.id);
        let Span { start, mut end } = span;
        let below = self.text.get(end..self.lines.end(end)).unwrap_or_default();
        if let Some(id_below) = attributes::of_line(below) {
            end += below.len();
            id = id.or(id_below);
        }
        self.anchors.extend(id.map(|id| (start, id.to_owned())));
        self.headings.push(Heading { start, end, level, title, kind: SectionKind::Heading });
    }

    /// Takes an HTML block at top level: its headings open sections, the rest is prose.
    fn html_block(&mut self, range: Range<usize>) {
        let Some(html) = self.text.get(range.clone()) else { return };
        let mut rest = range.start;
        for found in self.html_headings.html_block(html, range.start) {
            let (start, end) = self.html_heading(&found);
            if start >= rest {
                self.blocks.push(rest..start, BlockKind::Paragraph);
                self.blocks.push(start..end, BlockKind::Heading);
                rest = end;
            }
        }
        self.blocks.push(rest..range.end, BlockKind::Paragraph);
    }

    /// Adds a heading that was found in HTML; returns where its section starts and where the heading ends.
    fn html_heading(&mut self, found: &HtmlHeading) -> (usize, usize) {
        let after_last = self.headings.last().map_or(0, |last| last.start + 1);
        // Two headings on one line: the second starts at its tag.
        let line = self.lines.start(found.start);
        let start = if line >= after_last { line } else { found.start };
        if let Some(last) = self.headings.last_mut().filter(|last| last.end > start) {
            last.end = start;
        }
        let end = self.lines.end(found.end.max(start + 1) - 1);
        let (level, title) = (found.level, found.title.clone());
        self.headings.push(Heading { start, end, level, title, kind: SectionKind::Heading });
        (start, end)
    }

    fn abandon_html_heading(&mut self) {
        if let Some(heading) = self.html_headings.abandon() {
            self.html_heading(&heading);
        }
    }

    fn finish(mut self) -> Structure {
        self.close();
        self.abandon_html_heading();
        let blocks = self.blocks.finish(&self.headings);
        Structure { headings: self.headings, blocks, anchors: self.anchors }
    }
}
