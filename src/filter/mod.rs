//! Filters: one small language over metadata, with one meaning in every store.
//!
//! Owns the syntax tree [`Filter`], its parser ([`parse`]), its printer (`Display`) and [`Filter::matches`], the
//! reference meaning that stores are held to. Text and bound values come in; stores compile the tree to parameters of
//! their own. Does no I/O and knows no store.
//!
//! ```text
//! owner = "alice" AND (year >= 2024 OR status IN ("draft", "final")) AND NOT archived
//! ```
//!
//! # Meaning
//!
//! Logic has three values (SQL's). A comparison with a missing or null key, or between types that do not fit, is
//! unknown; NOT unknown is unknown, and only true is a match. `IS NULL`, `IS NOT NULL` and `LABEL` are never unknown.
//!
//! - `= !=` compare numbers (across integer and decimal, exactly), strings and booleans with their like;
//!   `< <= > >=` numbers and strings.
//! - Two strings that both are ISO 8601 dates or date-times compare as instants; without a time it is midnight,
//!   without an offset it is UTC. Other strings compare by Unicode scalar values.
//! - `CONTAINS`, `STARTS WITH`, `ENDS WITH`, `LIKE` (`%` any text, `_` one character, `\` escapes, over the whole
//!   value), `IEQUALS` and `ICONTAINS` (Unicode case folding) take strings.
//! - `HAS` asks whether a list has an element equal to the value; a list without one is false.
//! - `IN` is the OR of `=` over its list, `NOT IN` its NOT.
//! - A key alone stands for `key = true`.

mod compare;
mod error;
mod eval;
mod lexer;
mod parser;
mod print;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

pub use error::{FilterError, FilterErrorKind};
pub use eval::{Record, Truth};
pub use parser::{Bindings, MAX_DEPTH, parse};

/// A condition on a document, chunk or entity.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// All hold; true when empty.
    And(Vec<Self>),
    /// At least one holds; false when empty.
    Or(Vec<Self>),
    /// It does not hold.
    Not(Box<Self>),
    /// The key's value stands in this relation to the given one.
    Compare {
        /// What is compared.
        key: Key,
        /// How.
        operator: Operator,
        /// With what.
        value: Scalar,
    },
    /// The key's value equals one of these.
    In {
        /// What is compared.
        key: Key,
        /// With what; false for any value when empty.
        values: Vec<Scalar>,
    },
    /// The key is absent or null.
    IsNull {
        /// Which key.
        key: Key,
    },
    /// The record has at least one of these labels, case and all; false when empty.
    Label(Vec<String>),
}

impl Filter {
    /// The filter that holds where all of `filters` do; `None` without any.
    pub fn all(filters: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut filters: Vec<Self> = filters.into_iter().collect();
        match filters.len() {
            0 | 1 => filters.pop(),
            _ => Some(Self::And(filters)),
        }
    }

    /// The keys that the filter reads, each once, in order of their names.
    pub fn keys(&self) -> BTreeSet<Key> {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().flat_map(Self::keys).collect(),
            Self::Not(inner) => inner.keys(),
            Self::Compare { key, .. } | Self::In { key, .. } | Self::IsNull { key } => {
                BTreeSet::from([key.clone()])
            }
            Self::Label(_) => BTreeSet::from([Key::Builtin(Builtin::Labels)]),
        }
    }

    /// Whether the filter reads `key` anywhere.
    pub fn mentions(&self, key: &Key) -> bool {
        self.keys().contains(key)
    }
}

/// What a comparison reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A field that every document has.
    Builtin(Builtin),
    /// A top-level key of the metadata; a dot in it has no meaning.
    Metadata(String),
}

impl Key {
    /// The key called `name`: a built-in one where there is one.
    pub fn of_name(name: &str) -> Self {
        match Builtin::ALL.into_iter().find(|it| it.name() == name) {
            Some(builtin) => Self::Builtin(builtin),
            None => Self::Metadata(name.to_owned()),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Builtin(builtin) => builtin.name(),
            Self::Metadata(name) => name,
        }
    }
}

/// Fields that every document has; they shadow metadata of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Builtin {
    /// The document's URI.
    Uri,
    /// The document's title.
    Title,
    /// The title of the chunk's section.
    Section,
    /// The document's media type.
    MediaType,
    /// When the document was ingested, RFC 3339.
    IngestedAt,
    /// The labels, a list.
    Labels,
}

impl Builtin {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Uri, Self::Title, Self::Section, Self::MediaType, Self::IngestedAt, Self::Labels];

    /// The name in filters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uri => "uri",
            Self::Title => "title",
            Self::Section => "section",
            Self::MediaType => "media_type",
            Self::IngestedAt => "ingested_at",
            Self::Labels => "labels",
        }
    }
}

/// A value written in a filter or bound to a `$name`.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A string.
    String(String),
    /// An integer of 64 bits.
    Integer(i64),
    /// A finite decimal.
    Decimal(f64),
    /// A boolean.
    Boolean(bool),
}

/// How a key's value is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `CONTAINS`: the string has this part.
    Contains,
    /// `STARTS WITH`
    StartsWith,
    /// `ENDS WITH`
    EndsWith,
    /// `LIKE`: the whole string fits the pattern.
    Like,
    /// `HAS`: the list has this element.
    Has,
    /// `IEQUALS`: equal but for case.
    IEquals,
    /// `ICONTAINS`: has this part but for case.
    IContains,
}

impl Operator {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::LessOrEqual,
        Self::Greater,
        Self::GreaterOrEqual,
        Self::Contains,
        Self::StartsWith,
        Self::EndsWith,
        Self::Like,
        Self::Has,
        Self::IEquals,
        Self::IContains,
    ];

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Contains => "CONTAINS",
            Self::StartsWith => "STARTS WITH",
            Self::EndsWith => "ENDS WITH",
            Self::Like => "LIKE",
            Self::Has => "HAS",
            Self::IEquals => "IEQUALS",
            Self::IContains => "ICONTAINS",
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}
