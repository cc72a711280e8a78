//! Places in the source: lines and bytes, anchors, pages.

use crate::content::{Document, Span};

/// How a document's text maps back to its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The text is `source[byte..byte + text.len()]`, starting on 1-based line `line`.
    Verbatim {
        /// Byte of the source file where the text starts.
        byte: usize,
        /// 1-based line of the source file where the text starts.
        line: usize,
    },
    /// The text was decoded from another encoding. `points` are `(text byte, source byte)` pairs in order, one for
    /// every character and one for the end; `line` is the 1-based line where the text starts.
    Decoded {
        /// Pairs for every character boundary of the text.
        points: Vec<(usize, usize)>,
        /// 1-based line of the source file where the text starts.
        line: usize,
    },
    /// Rendered HTML: `(text byte, anchor id)` in order.
    Anchors(Vec<(usize, String)>),
    /// Extracted pages: `(text byte, 1-based page)` in order; a page runs to the next entry.
    Pages(Vec<(usize, u32)>),
    /// Cells of a notebook: `(text byte, 1-based cell)` in order.
    Cells(Vec<(usize, u32)>),
    /// Slides of a presentation: `(text byte, 1-based slide)` in order.
    Slides(Vec<(usize, u32)>),
    /// Rows of sheets: `(text byte, sheet name)` and `(text byte, 1-based row)`, each in order.
    Rows {
        /// Where each sheet starts.
        sheets: Vec<(usize, String)>,
        /// Where each row starts.
        rows: Vec<(usize, u32)>,
    },
    /// Text rendered line by line: `(text byte, 1-based line)` in order.
    Lines(Vec<(usize, usize)>),
    /// Places as `source` has them, and `(text byte, anchor id)` in order.
    Anchored {
        /// How spans map back to the source, anchors aside.
        source: Box<Self>,
        /// Where each anchor stands, and its id.
        anchors: Vec<(usize, String)>,
    },
    /// Nothing is known.
    Unknown,
}

impl Origin {
    /// The same places with `anchors` (`(text byte, anchor id)` in order) beside them.
    #[must_use]
    pub fn with_anchors(self, anchors: Vec<(usize, String)>) -> Self {
        if anchors.is_empty() {
            return self;
        }
        Self::Anchored { source: Box::new(self), anchors }
    }
}

/// Where a span of a document lies in its source.
///
/// # Stability: stored in format 1 and printed in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// First and last line, 1-based, inclusive, as an editor counts them.
    pub lines: Option<(usize, usize)>,
    /// Half-open byte range of the source file.
    pub bytes: Option<Span>,
    /// Nearest anchor at or before the span.
    pub anchor: Option<String>,
    /// First and last page, 1-based, inclusive.
    pub pages: Option<(u32, u32)>,
    /// First and last notebook cell, 1-based, inclusive.
    pub cells: Option<(u32, u32)>,
    /// First and last slide, 1-based, inclusive.
    pub slides: Option<(u32, u32)>,
    /// Sheet of a workbook in which the span starts.
    pub sheet: Option<String>,
    /// First and last row as the program that made the sheet numbers them, 1-based, inclusive; only within one sheet.
    pub rows: Option<(u32, u32)>,
}

/// Where the lines of a text start; a line ends at LF, CRLF or a lone CR, as editors and CommonMark count.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Indexes `text`.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        starts.extend(bytes.iter().enumerate().filter_map(|(at, &byte)| {
            let ends_line = byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            ends_line.then_some(at + 1)
        }));
        Self { starts }
    }

    /// 0-based line of byte `at`.
    pub fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start <= at) - 1
    }

    /// Byte where the 0-based `line` starts.
    pub fn start_of(&self, line: usize) -> Option<usize> {
        self.starts.get(line).copied()
    }
}

/// Maps spans of one document to places in its source.
#[derive(Debug)]
pub struct Locator<'a> {
    document: &'a Document,
    lines: LineIndex,
}

impl<'a> Locator<'a> {
    pub(super) fn new(document: &'a Document, lines: LineIndex) -> Self {
        Self { document, lines }
    }

    /// The place of `span`.
    pub fn locate(&self, span: Span) -> Location {
        match &self.document.origin {
            Origin::Anchored { source, anchors } => Location {
                anchor: entry_at(anchors, span.start).map(|(_, anchor)| anchor.clone()),
                ..self.locate_in(source, span)
            },
            origin => self.locate_in(origin, span),
        }
    }

    /// The place of `span` by an origin that holds no other.
    fn locate_in(&self, origin: &Origin, span: Span) -> Location {
        let last = span.end.saturating_sub(1).max(span.start);
        let lines = |first_line: usize| {
            Some((first_line + self.lines.line_of(span.start), first_line + self.lines.line_of(last)))
        };
        match origin {
            Origin::Verbatim { byte, line } => Location {
                lines: lines(*line),
                bytes: Some(Span::new(byte + span.start, byte + span.end)),
                ..Location::default()
            },
            Origin::Decoded { points, line } => {
                let source = |at: usize| {
                    let index = points.partition_point(|&(text, _)| text < at);
                    points.get(index).or(points.last()).map_or(0, |&(_, source)| source)
                };
                Location {
                    lines: lines(*line),
                    bytes: Some(Span::new(source(span.start), source(span.end))),
                    ..Location::default()
                }
            }
            Origin::Anchors(anchors) => Location {
                anchor: entry_at(anchors, span.start).map(|(_, anchor)| anchor.clone()),
                ..Location::default()
            },
            Origin::Pages(pages) => {
                Location { pages: number_range(pages, span.start, last), ..Location::default() }
            }
            Origin::Cells(cells) => {
                Location { cells: number_range(cells, span.start, last), ..Location::default() }
            }
            Origin::Slides(slides) => {
                Location { slides: number_range(slides, span.start, last), ..Location::default() }
            }
            Origin::Rows { sheets, rows } => {
                let sheet = entry_at(sheets, span.start);
                let is_one_sheet = sheet.map(|it| it.0) == entry_at(sheets, last).map(|it| it.0);
                // The line with the sheet's name comes before its first row.
                let first = rows.partition_point(|&(start, _)| start <= span.start).saturating_sub(1);
                let is_before = rows.get(first).zip(sheet).is_some_and(|(row, sheet)| row.0 < sheet.0);
                let first = first + usize::from(is_before);
                let within = rows.get(first).map(|row| row.1).zip(entry_at(rows, last).map(|row| row.1));
                Location {
                    sheet: sheet.map(|(_, name)| name.clone()),
                    rows: within.filter(|(first, last)| is_one_sheet && first <= last),
                    ..Location::default()
                }
            }
            Origin::Lines(entries) => {
                let line = |at: usize| entry_at(entries, at).or(entries.first()).map(|it| it.1);
                Location { lines: line(span.start).zip(line(last)), ..Location::default() }
            }
            Origin::Anchored { .. } | Origin::Unknown => Location::default(),
        }
    }
}

/// The last entry at or before byte `at`.
fn entry_at<T>(entries: &[(usize, T)], at: usize) -> Option<&(usize, T)> {
    entries[..entries.partition_point(|&(start, _)| start <= at)].last()
}

/// From the number at byte `first` to the one at byte `last`.
fn number_range(entries: &[(usize, u32)], first: usize, last: usize) -> Option<(u32, u32)> {
    let first = entry_at(entries, first).or(entries.first())?.1;
    let last = entry_at(entries, last).or(entries.first())?.1;
    Some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[usize]) {
        assert_eq!(LineIndex::new(text).starts, expected, "{text:?}");
    }

    #[test]
    fn lines_end_at_lf_crlf_and_lone_cr() {
        check("", &[0]);
        check("a\nb", &[0, 2]);
        check("a\r\nb\r\n", &[0, 3, 6]);
        check("a\rb\n\rc", &[0, 2, 4, 5]);
    }

    #[test]
    fn a_byte_belongs_to_the_line_that_it_ends() {
        let index = LineIndex::new("ab\ncd\n");
        assert_eq!([0, 2, 3, 5, 6].map(|at| index.line_of(at)), [0, 0, 1, 1, 2]);
    }
}
