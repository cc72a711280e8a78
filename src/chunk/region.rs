//! The blocks of one part with what a cut through each of them needs.

use crate::chunk::context::{self, Context};
use crate::chunk::groups::Groups;
use crate::content::{Block, BlockKind, Span};

/// A block together with the blank lines after it.
#[derive(Debug)]
pub(super) struct Region {
    /// Its bytes; the regions of a part tile it.
    pub(super) span: Span,
    /// How it may be cut.
    pub(super) kind: RegionKind,
    /// Whether it stays with what follows: a heading, a line that introduces a list, a caption above its table.
    pub(super) is_tied: bool,
    /// What each piece that starts in it gets above it: what introduces the list that it belongs to, and the first lines of the
    /// items around it.
    pub(super) context: Context,
    /// The first line of an item, or its terms: what a piece gets as well that starts further down in it.
    pub(super) label: Option<Span>,
}

/// How a region may be cut.
#[derive(Debug)]
pub(super) enum RegionKind {
    /// A heading, which stays with what follows.
    Heading,
    /// Sentences.
    Prose,
    /// An item of a list.
    Item,
    /// Lines that are rows; `header` is what each piece repeats.
    Table {
        /// The head lines with their line endings; empty without a head.
        header: Span,
        /// The labels that the rows below them go without.
        groups: Groups,
    },
    /// Verbatim lines.
    Code {
        /// First byte of the content.
        body: usize,
        /// One past the content: where the closing fence line starts, else the region's end.
        body_end: usize,
        /// What each piece gets around it.
        fence: Option<Fence>,
    },
}

/// The fence of a code block.
#[derive(Debug)]
pub(super) struct Fence {
    /// The opening line with its line ending.
    pub(super) open: Span,
    /// The opening line to repeat above later pieces: the same, with list markers as blanks.
    pub(super) lead: String,
    /// The closing line without a line ending.
    pub(super) close: String,
    /// Whether the source has a closing line.
    pub(super) is_closed: bool,
}

/// Tiles `part` with the regions of `blocks`, the document's blocks. Text before the first block is prose.
///
/// A fence that would take more than half of `max_chars` in each piece is not repeated, nor is more than a quarter of it
/// from around a list.
pub(super) fn regions(text: &str, part: Span, blocks: &[Block], max_chars: usize) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    let first = blocks.partition_point(|block| block.span.start < part.start);
    for block in blocks[first..].iter().take_while(|block| block.span.start < part.end) {
        let start = block.span.start;
        match regions.last_mut() {
            Some(before) => before.span.end = start,
            None if start > part.start => {
                regions.push(Region::new(Span::new(part.start, start), RegionKind::Prose));
            }
            None => {}
        }
        let block_span = Span::new(start, block.span.end.clamp(start, part.end));
        regions.push(Region::new(Span::new(start, part.end), kind(text, block_span, &block.kind)));
    }
    if regions.is_empty() {
        regions.push(Region::new(part, RegionKind::Prose));
    }
    for region in &mut regions {
        if let RegionKind::Code { body_end, fence, .. } = &mut region.kind {
            if fence.as_ref().is_none_or(|fence| !fence.is_closed) {
                *body_end = region.span.end;
            }
            let chars =
                |fence: &Fence| fence.open.slice(text).chars().count() + fence.close.chars().count() + 1;
            fence.take_if(|fence| chars(fence) > max_chars / 2);
        }
    }
    context::find(text, &mut regions, max_chars / 4);
    regions
}

impl Region {
    fn new(span: Span, kind: RegionKind) -> Self {
        let is_tied = matches!(kind, RegionKind::Heading);
        Self { span, kind, is_tied, context: Context::default(), label: None }
    }

    /// Whether it is made of words, so that overlap may reach over its borders.
    pub(super) fn is_wordy(&self) -> bool {
        matches!(self.kind, RegionKind::Heading | RegionKind::Prose | RegionKind::Item)
    }
}

fn kind(text: &str, block: Span, kind: &BlockKind) -> RegionKind {
    match kind {
        BlockKind::Heading => RegionKind::Heading,
        BlockKind::Paragraph => RegionKind::Prose,
        BlockKind::ListItem => RegionKind::Item,
        BlockKind::Table { header } => {
            let header = match header.is_empty() || !block.contains(*header) {
                true => Span::new(block.start, block.start),
                false => Span::new(header.start, line_end(text, header.end, block.end)),
            };
            let groups = Groups::find(text, Span::new(header.end, block.end));
            RegionKind::Table { header, groups }
        }
        BlockKind::Code { fence } => {
            let open = fence.filter(|open| !open.is_empty() && block.contains(*open));
            let open = open.map(|open| Span::new(line_start(text, open.start, block.start), open.end));
            match open.and_then(|open| read_fence(text, block, open)) {
                Some((fence, body_end)) => {
                    RegionKind::Code { body: fence.open.end, body_end, fence: Some(fence) }
                }
                None => RegionKind::Code { body: block.start, body_end: block.end, fence: None },
            }
        }
    }
}

/// The fence of the code block at `block`, and where its content ends.
fn read_fence(text: &str, block: Span, open: Span) -> Option<(Fence, usize)> {
    let line = open.slice(text);
    let at = line.find(['`', '~'])?;
    let mark = line[at..].chars().next()?;
    let n_marks = line[at..].chars().take_while(|&ch| ch == mark).count();
    // A fence in a list item or a quotation closes at the same depth: markers become blanks, `>` stays.
    let indent: String =
        line[..at].chars().map(|ch| if matches!(ch, '>' | '\t') { ch } else { ' ' }).collect();
    let close = indent.chars().chain(std::iter::repeat_n(mark, n_marks)).collect();
    let open = Span::new(open.start, line_end(text, open.end, block.end));
    let content = Span::new(open.end, block.end).slice(text).trim_end();
    let last_line = content.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let marks = content[last_line..].trim_start_matches([' ', '\t', '>']);
    let is_closed = marks.len() >= n_marks && marks.chars().all(|ch| ch == mark);
    let body_end = if is_closed { open.end + last_line } else { block.end };
    let lead = indent + &open.slice(text)[at..];
    Some((Fence { open, lead, close, is_closed }, body_end))
}

/// Where the line that byte `at` lies in starts, not before `first`.
fn line_start(text: &str, at: usize, first: usize) -> usize {
    text[first..at].rfind(['\n', '\r']).map_or(first, |offset| first + offset + 1)
}

/// One past the line ending of the line that byte `at` lies in, or `at` itself right after a line ending.
fn line_end(text: &str, at: usize, end: usize) -> usize {
    if at > 0 && text.as_bytes()[at - 1] == b'\n' {
        return at;
    }
    match text[at..end].find(['\n', '\r']) {
        Some(offset) if text[at + offset..end].starts_with("\r\n") => at + offset + 2,
        Some(offset) => at + offset + 1,
        None => end,
    }
}
