//! Why a text is no filter, and where.

use std::fmt;

/// A text that is no filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// 0-based byte where it went wrong.
    pub offset: usize,
    /// 1-based line of that byte.
    pub line: usize,
    /// 1-based column of that byte, in characters.
    pub column: usize,
    /// What went wrong.
    pub kind: FilterErrorKind,
}

impl FilterError {
    /// Makes the error for byte `offset` of `text`.
    pub(super) fn new(text: &str, offset: usize, kind: FilterErrorKind) -> Self {
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() + 1;
        Self { offset, line, column: before[line_start..].chars().count() + 1, kind }
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "filter, line {}, column {}: {}", self.line, self.column, self.kind)
    }
}

impl std::error::Error for FilterError {}

/// What is wrong with a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilterErrorKind {
    /// A character that has no meaning here.
    #[error("unknown character {}", shown(*character))]
    UnknownCharacter {
        /// The character.
        character: char,
    },
    /// A string or a key without its closing mark.
    #[error("no closing {mark}")]
    Unclosed {
        /// The mark.
        mark: char,
    },
    /// A backslash before a character that it does not escape.
    #[error(r#"unknown escape: write one of \" \' \\ \n \r \t \u{{41}}"#)]
    Escape,
    /// Two backticks with nothing between.
    #[error("empty key")]
    EmptyKey,
    /// Digits that are no number.
    #[error("'{text}' is not a number")]
    Number {
        /// What stands there.
        text: String,
    },
    /// A number that 64 bits cannot hold.
    #[error("'{text}' is out of range (64 bits)")]
    NumberRange {
        /// What stands there.
        text: String,
    },
    /// Something else was expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What was expected.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A word of the language where a key is expected.
    #[error("'{word}' is a word of the filter language; as a key, write it in backticks")]
    Reserved {
        /// The word.
        word: String,
    },
    /// NULL where a value is expected.
    #[error("nothing equals NULL; write IS NULL or IS NOT NULL")]
    Null,
    /// A `$name` without a value.
    #[error("no value is bound to ${name}")]
    Unbound {
        /// The name, without the dollar.
        name: String,
    },
    /// A `$name` with a value of the wrong type.
    #[error("the value bound to ${name} is not {expected}")]
    Binding {
        /// The name, without the dollar.
        name: String,
        /// What it must be.
        expected: &'static str,
    },
    /// Brackets and NOTs inside each other.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
}

/// The character in quotes, or its code where it has no shape.
fn shown(character: char) -> String {
    match character.is_control() || character.is_whitespace() {
        true => format!("U+{:04X}", character as u32),
        false => format!("'{character}'"),
    }
}
