//! Byte ranges.

use std::ops::Range;

/// A half-open byte range, 0-based, into a document's text (or into a source file where said so).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte; never less than `start`.
    pub end: usize,
}

impl Span {
    /// Makes the span `start..end`.
    ///
    /// # Panics
    ///
    /// In debug builds, when `end < start`.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "span {start}..{end} ends before it starts");
        Self { start, end }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `other` lies wholly inside.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The slice of `text` at this span.
    ///
    /// # Panics
    ///
    /// When the span is out of range or not on character boundaries; spans of a document never are for its own text.
    pub fn slice(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}
