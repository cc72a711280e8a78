//! The language of text queries: Lucene's classic syntax, read so that any text is a query.
//!
//! Owns the syntax tree [`Query`], its parser ([`parse()`]), its printer (`Display`), and what a query says about itself
//! ([`Query::field_names`], [`Query::words`], [`Query::requiring_identifiers`]). Text comes in; how a term is analysed, matched
//! and scored is the store's. Does no I/O and knows no index.
//!
//! ```text
//! +title:"write through"~2 AND (cach* OR buffer~1^0.5) -draft year:[2020 TO 2024}
//! ```
//!
//! # Meaning
//!
//! The grammar and the precedence are those of Lucene's classic query parser: `AND` makes the clauses on both its sides
//! required, `NOT`, `!` and `-` exclude, `+` requires, `OR` and juxtaposition leave optional (with
//! [`Operator::And`], juxtaposition requires). So `a AND b OR c AND d` is `+a +b +c +d`. What differs:
//!
//! - A leading wildcard is allowed, and a query or group of exclusions alone finds everything else.
//! - A `/` inside a word belongs to the word; a regular expression begins at the start of a word, in Rust's syntax.
//! - Unless [`Syntax::is_strict`], what does not parse is text: first the word with the fault, at last the whole query,
//!   which then knows only words, phrases, `+` and `-`. So are `( [ { !` inside a word (`f(x)`, `println!`), `^` and `~`
//!   that no number or end follows, `::` and `://`, words that begin with `--` or `++`, a backslash before a letter
//!   inside a word (`C:\temp`), `/` around several words, and `?` at the end of a word where several words and no operators
//!   stand (`how so?`).
//!
//! # Limits
//!
//! [`MAX_BYTES`], [`MAX_DEPTH`], [`MAX_LEAVES`]; the time is linear in the text.

mod error;
mod identifier;
mod intent;
mod leaves;
mod literal;
mod parse;
mod parser;
mod pattern;
mod print;
#[cfg(test)]
mod properties;
mod scan;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;

pub use error::{QueryError, QueryErrorKind};
pub use identifier::is_identifier;
pub use parse::{parse, parse_as_words};
pub use pattern::{Wild, term_regex};

/// Groups and fields inside each other; nobody writes a tenth of it.
pub const MAX_DEPTH: usize = 64;

/// Most terms, phrases and patterns; Lucene's `maxClauseCount` has the same value. A page of text has about 500.
pub const MAX_LEAVES: usize = 1024;

/// Longest query; a page of text has about 4 kB.
pub const MAX_BYTES: usize = 32 << 10;

/// Fields that every index has. `text` is the default field: a word without a field is looked for there, and `text`
/// holds titles and address too. `path` is another name of `uri`.
pub const FIELDS: [&str; 5] = ["text", "title", "section", "path", "uri"];

/// What juxtaposition means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Operator {
    /// Clauses without a sign are optional.
    #[default]
    Or,
    /// Clauses without a sign are required.
    And,
}

/// How a text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Syntax {
    /// What juxtaposition means.
    pub operator: Operator,
    /// Whether what does not parse is an error instead of text.
    pub is_strict: bool,
}

/// A parsed query.
///
/// ```
/// use ragctl::query::{Syntax, parse};
///
/// let query = parse(r#"a AND (b OR "c d"~2) -e*"#, Syntax::default())?;
/// assert_eq!(query.to_string(), r#"+a +(b "c d"~2) -e*"#);
/// let question = parse("what does f(x: do?", Syntax::default())?;
/// assert_eq!(question.notes.len(), 1);
/// # Ok::<(), ragctl::query::QueryError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The text.
    pub source: String,
    /// What it means; `None` when it is blank.
    pub root: Option<Node>,
    /// What was taken otherwise than it was perhaps meant.
    pub notes: Vec<Note>,
    /// Whether there are several words and no operators but perhaps fields.
    is_question: bool,
}

/// A part of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it looks for.
    pub kind: Kind,
    /// Where it stands in the source, in bytes, without a sign.
    pub span: Range<usize>,
}

/// What a node looks for. Texts are as typed, escapes resolved, not yet analysed.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A word or an identifier: found whole, by its parts, and in other forms of the word.
    Term(String),
    /// Words in this order, in this form.
    Phrase {
        /// The words.
        text: String,
        /// How many positions in all the words may be away from where they stand in the phrase.
        slop: u32,
    },
    /// Words that begin so.
    Prefix(String),
    /// Words of this shape.
    Wildcard(Vec<Wild>),
    /// Words within a number of edits.
    Fuzzy {
        /// The word.
        text: String,
        /// Insertions, deletions, substitutions and swaps of neighbours; 0 to 2.
        distance: u8,
    },
    /// Words that fit this regular expression as a whole.
    Regex(String),
    /// Words or values between two bounds.
    Range {
        /// Lower bound.
        low: Bound,
        /// Upper bound.
        high: Bound,
    },
    /// Anything at all in the field: `*`.
    Exists,
    /// Everything: `*:*`.
    All,
    /// The same, in this field.
    Field {
        /// Name of the field.
        name: String,
        /// What is looked for in it.
        inner: Box<Node>,
    },
    /// The same, with its score multiplied.
    Boost {
        /// Finite, at least 0.
        factor: f32,
        /// What is weighed.
        inner: Box<Node>,
    },
    /// Several clauses.
    Group(Vec<Clause>),
}

/// One end of a range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// `*`
    Open,
    /// This value belongs to the range.
    Including(String),
    /// This value does not belong to the range.
    Excluding(String),
}

/// A part of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Whether it has to match.
    pub occur: Occur,
    /// What it looks for.
    pub node: Node,
}

/// Whether a clause has to match. A group of `MustNot` clauses alone matches everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occur {
    /// Adds to the score; at least one has to match when no clause is `Must`.
    Should,
    /// Has to match.
    Must,
    /// Must not match.
    MustNot,
}

/// What a reader of the results should know about how the query was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Something does not parse and was taken as text.
    Literal(QueryError),
    /// A field that is not there was taken as text.
    UnknownField {
        /// Its name.
        name: String,
    },
    /// Only the beginning of the query is searched for.
    TooLong {
        /// Where the rest begins, in bytes.
        at: usize,
    },
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Literal(error) => write!(f, "taken as text where it does not parse ({error})"),
            Self::UnknownField { name } => write!(f, "there is no field '{name}'; taken as text"),
            Self::TooLong { at } => write!(f, "only the first {at} bytes of the query are searched for"),
        }
    }
}

impl Node {
    pub(crate) fn new(kind: Kind, span: Range<usize>) -> Self {
        Self { kind, span }
    }

    /// Calls `visit` with this node and all below it, parents first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        match &self.kind {
            Kind::Field { inner, .. } | Kind::Boost { inner, .. } => inner.walk(visit),
            Kind::Group(clauses) => clauses.iter().for_each(|clause| clause.node.walk(visit)),
            _ => {}
        }
    }
}

impl Query {
    /// The fields that are named, each once.
    pub fn field_names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        if let Some(root) = &self.root {
            root.walk(&mut |node| {
                if let Kind::Field { name, .. } = &node.kind {
                    names.insert(name.as_str());
                }
            });
        }
        names
    }

    /// Words and phrases that are looked for in the text, for highlighting: those of other fields and those that are
    /// excluded left out, patterns by what they begin with.
    pub fn words(&self) -> Vec<&str> {
        let mut words = Vec::new();
        if let Some(root) = &self.root {
            collect_words(root, &mut words);
        }
        words
    }
}

fn collect_words<'a>(node: &'a Node, words: &mut Vec<&'a str>) {
    match &node.kind {
        Kind::Term(text) | Kind::Phrase { text, .. } | Kind::Prefix(text) | Kind::Fuzzy { text, .. } => {
            words.push(text);
        }
        Kind::Field { name, inner } if FIELDS.contains(&name.as_str()) => collect_words(inner, words),
        Kind::Boost { inner, .. } => collect_words(inner, words),
        Kind::Group(clauses) => {
            for clause in clauses.iter().filter(|clause| clause.occur != Occur::MustNot) {
                collect_words(&clause.node, words);
            }
        }
        _ => {}
    }
}
