//! Lines of a text, and the piece of a decoded source that becomes a document's text.
//!
//! A line ends at LF, CRLF or a lone CR, as [`LineIndex`] counts.

use crate::content::{LineIndex, Origin, Span};
use crate::read::charset::Decoded;

/// Answers "where does the line around this byte start and end" in logarithmic time.
#[derive(Debug)]
pub(in crate::read) struct Lines {
    index: LineIndex,
    len: usize,
}

impl Lines {
    /// Indexes `text`.
    pub(in crate::read) fn new(text: &str) -> Self {
        Self { index: LineIndex::new(text), len: text.len() }
    }

    /// First byte of the line that holds byte `at`.
    pub(in crate::read) fn start(&self, at: usize) -> usize {
        self.index.start_of(self.index.line_of(at)).unwrap_or(0)
    }

    /// One past the last byte, line ending included, of the line that holds byte `at`.
    pub(in crate::read) fn end(&self, at: usize) -> usize {
        self.index.start_of(self.index.line_of(at) + 1).unwrap_or(self.len).min(self.len)
    }

    /// All lines in order, line endings included; an empty text has none.
    pub(in crate::read) fn spans(&self) -> impl Iterator<Item = Span> {
        let starts = (0..).map_while(|line| self.index.start_of(line));
        starts.filter(|&start| start < self.len).map(|start| Span::new(start, self.end(start)))
    }
}

/// Cuts `decoded` down to a document's text: from the first line with anything on it, at byte `from` or later, to
/// the end, untouched; empty when nothing but blanks is left. `from` is a byte where a line starts.
pub(in crate::read) fn body(decoded: Decoded, from: usize) -> (String, Origin) {
    let Decoded { mut text, origin, .. } = decoded;
    let rest = &text[from..];
    let blanks = rest.len() - rest.trim_start().len();
    let cut = if blanks == rest.len() {
        text.len()
    } else {
        // Back to the start of the line, so that an indentation survives.
        from + rest[..blanks].rfind(['\n', '\r']).map_or(0, |at| at + 1)
    };
    let body = text.split_off(cut);
    let skipped_lines = LineIndex::new(&text).line_of(text.len());
    (body, shifted(origin, cut, skipped_lines))
}

/// `origin` for the text without its first `cut` bytes, which hold `skipped_lines` line endings.
fn shifted(origin: Origin, cut: usize, skipped_lines: usize) -> Origin {
    match origin {
        Origin::Verbatim { byte, line } => Origin::Verbatim { byte: byte + cut, line: line + skipped_lines },
        Origin::Decoded { mut points, line } => {
            points.retain_mut(|point| {
                let is_kept = point.0 >= cut;
                point.0 = point.0.saturating_sub(cut);
                is_kept
            });
            Origin::Decoded { points, line: line + skipped_lines }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, from: usize, expected: &str, expected_origin: (usize, usize)) {
        let decoded = Decoded {
            text: source.into(),
            origin: Origin::Verbatim { byte: 3, line: 1 },
            warnings: Vec::new(),
        };
        let (text, origin) = body(decoded, from);
        assert_eq!(text, expected, "{source:?}");
        let (byte, line) = expected_origin;
        assert_eq!(origin, Origin::Verbatim { byte: 3 + byte, line }, "{source:?}");
    }

    #[test]
    fn leading_blank_lines_go_and_indentation_stays() {
        check("a\n", 0, "a\n", (0, 1));
        check("\n\r\n  a \n\n", 0, "  a \n\n", (3, 3));
        check("\r\r\t\u{3000}\na", 0, "a", (7, 4));
        check("xx\n\na", 3, "a", (4, 3));
        check(" \n\t", 0, "", (3, 2));
        check("", 0, "", (0, 1));
    }

    #[test]
    fn points_of_other_encodings_move_along() {
        let decoded = Decoded {
            text: "\né!".into(),
            origin: Origin::Decoded { points: vec![(0, 0), (1, 1), (3, 2), (4, 3)], line: 1 },
            warnings: Vec::new(),
        };
        let (text, origin) = body(decoded, 0);
        assert_eq!(text, "é!");
        assert_eq!(origin, Origin::Decoded { points: vec![(0, 1), (2, 2), (3, 3)], line: 2 });
    }

    #[test]
    fn lines_are_found_around_any_byte() {
        let lines = Lines::new("ab\r\ncd\ref");
        assert_eq!([0, 3, 4, 6, 7, 9].map(|at| lines.start(at)), [0, 0, 4, 4, 7, 7]);
        assert_eq!([0, 3, 4, 6, 7, 9].map(|at| lines.end(at)), [4, 4, 7, 7, 9, 9]);
        assert_eq!(lines.spans().collect::<Vec<_>>(), [Span::new(0, 4), Span::new(4, 7), Span::new(7, 9)]);
        assert_eq!(Lines::new("a\n").spans().count(), 1);
        assert_eq!(Lines::new("").spans().count(), 0);
    }
}
