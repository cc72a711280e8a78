//! Why a text is no query, and where.

use std::fmt;
use std::ops::Range;

/// A text that is no query in strict syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    /// 0-based byte where it went wrong.
    pub offset: usize,
    /// 1-based line of that byte.
    pub line: usize,
    /// 1-based column of that byte, in characters.
    pub column: usize,
    /// The bytes to take as text, so that the rest may parse.
    pub(super) culprit: Range<usize>,
    /// What went wrong.
    pub kind: QueryErrorKind,
}

impl QueryError {
    /// Makes the error for byte `offset` of `text`; the word around `culprit` is to blame.
    pub(super) fn new(text: &str, offset: usize, culprit: usize, kind: QueryErrorKind) -> Self {
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        Self { offset, line, column, culprit: word_around(text, culprit), kind }
    }

    /// The line of `text` (which did not parse) that has the fault, and under it a caret at the fault's column. Long
    /// lines are cut on both sides; characters count as one column.
    pub fn pointed(&self, text: &str) -> String {
        /// Characters before and behind the caret; with both a line fits a terminal.
        const AROUND: usize = 36;
        let line = text.lines().nth(self.line - 1).unwrap_or_default();
        let skipped = (self.column - 1).saturating_sub(AROUND);
        let is_cut = line.chars().count() > skipped + 2 * AROUND;
        let shown: String = line
            .chars()
            .skip(skipped)
            .take(2 * AROUND)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let (front, back) = (if skipped > 0 { "…" } else { "" }, if is_cut { "…" } else { "" });
        let indent = " ".repeat(front.chars().count() + self.column - 1 - skipped);
        format!("{front}{shown}{back}\n{indent}^")
    }
}

/// The bytes up to white space on both sides of `at`.
fn word_around(text: &str, at: usize) -> Range<usize> {
    let before = text[..at].char_indices().rev().find(|(_, c)| c.is_whitespace());
    let start = before.map_or(0, |(space, c)| space + c.len_utf8());
    let end = text[at..].find(char::is_whitespace).map_or(text.len(), |n| at + n);
    start..end
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 1 {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "column {}: {}", self.column, self.kind)
    }
}

impl std::error::Error for QueryError {}

/// What is wrong with a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryErrorKind {
    /// A bracket, quote or slash without its partner.
    #[error("no closing {mark}")]
    Unclosed {
        /// What should stand there.
        mark: char,
    },
    /// Something that cannot stand there.
    #[error("unexpected {found}")]
    Unexpected {
        /// What stands there.
        found: String,
    },
    /// An operator or a field with nothing behind it.
    #[error("nothing follows {after}")]
    Missing {
        /// The operator or field.
        after: String,
    },
    /// A group with nothing in it.
    #[error("an empty group")]
    EmptyGroup,
    /// Brackets that hold no range.
    #[error("a range is written [low TO high]")]
    Range,
    /// A wrong number behind a word and `~`.
    #[error("behind ~ stands a number of edits (0, 1, 2) or a similarity below 1")]
    Distance,
    /// A wrong number behind a phrase and `~`.
    #[error("behind a phrase and ~ stands a whole number of positions")]
    Slop,
    /// Something other than a number behind `^`.
    #[error("behind ^ stands a number")]
    Boost,
    /// A backslash that escapes nothing.
    #[error("a backslash with nothing to escape, or \\u without four hexadecimal digits")]
    Escape,
    /// A field inside a field's word.
    #[error("a field inside a field")]
    NestedField,
    /// A field that is not there.
    #[error("there is no field '{name}'")]
    UnknownField {
        /// Its name.
        name: String,
    },
    /// A regular expression that does not compile.
    #[error("the regular expression does not compile: {detail}")]
    Regex {
        /// Why.
        detail: String,
    },
    /// Groups and fields inside each other.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// More terms than are searched for.
    #[error("more than {limit} terms")]
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// More regular expressions than are searched for.
    #[error("more than {limit} regular expressions")]
    TooManyRegexes {
        /// The limit.
        limit: usize,
    },
    /// Too long a text.
    #[error("longer than {limit} bytes")]
    TooLong {
        /// The limit.
        limit: usize,
    },
}
