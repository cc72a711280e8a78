//! Answers to `query check`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{schema_name, wire};
use crate::query::{Bound, Kind, Node, Note, Occur, Operator, Query, Syntax, Wild};

/// How a text query is understood.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct QueryOut {
    /// `ragctl.query/1`.
    pub schema: String,
    /// The query.
    pub query: String,
    /// `or` or `and`: what words without a sign are.
    pub operator: String,
    /// Whether what does not parse is an error.
    pub strict: bool,
    /// The query as it is understood, printed; it means the same with operator `or`.
    pub parsed: String,
    /// The query as it is understood; null when it is blank.
    pub tree: Option<QueryNode>,
    /// What was taken otherwise than it was perhaps meant.
    pub notes: Vec<String>,
}
wire!(QueryOut, "query");

/// A part of a query.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct QueryNode {
    /// `term`, `phrase`, `prefix`, `wildcard`, `fuzzy`, `regex`, `range`, `exists`, `all` or `group`.
    pub kind: String,
    /// `should`, `must` or `must_not`, in a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occur: Option<String>,
    /// The field; absent for the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The words, the beginning or the pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How far the words of a phrase may be moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slop: Option<u32>,
    /// Most edits of a fuzzy word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u8>,
    /// Lower bound of a range; absent when open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<QueryBound>,
    /// Upper bound of a range; absent when open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<QueryBound>,
    /// Factor of the score; absent for 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boost: Option<f32>,
    /// Clauses of a group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<Self>,
    /// Place in the query: half-open byte range.
    pub span: [usize; 2],
}

/// One end of a range.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct QueryBound {
    /// The value.
    pub value: String,
    /// Whether it belongs to the range.
    pub inclusive: bool,
}

impl QueryOut {
    /// The answer for `query`, read by `syntax`.
    pub fn new(query: &Query, syntax: Syntax) -> Self {
        Self {
            schema: schema_name::<Self>(),
            query: query.source.clone(),
            operator: match syntax.operator {
                Operator::Or => "or",
                Operator::And => "and",
            }
            .to_owned(),
            strict: syntax.is_strict,
            parsed: query.to_string(),
            tree: query.root.as_ref().map(QueryNode::new),
            notes: query.notes.iter().map(Note::to_string).collect(),
        }
    }
}

impl QueryNode {
    fn new(node: &Node) -> Self {
        let text = |kind: &str, text: &str| Self {
            kind: kind.to_owned(),
            text: Some(text.to_owned()),
            ..Self::default()
        };
        let bare = |kind: &str| Self { kind: kind.to_owned(), ..Self::default() };
        let out = match &node.kind {
            // Fields and boosts are properties of what they stand before or behind.
            Kind::Field { name, inner } => {
                let inner = Self::new(inner);
                Self { field: inner.field.clone().or_else(|| Some(name.clone())), ..inner }
            }
            Kind::Boost { factor, inner } => {
                let inner = Self::new(inner);
                Self { boost: Some(inner.boost.unwrap_or(1.0) * factor), ..inner }
            }
            Kind::Term(term) => text("term", term),
            Kind::Phrase { text: words, slop } => Self { slop: Some(*slop), ..text("phrase", words) },
            Kind::Prefix(beginning) => text("prefix", beginning),
            Kind::Wildcard(parts) => text("wildcard", &pattern_text(parts)),
            Kind::Fuzzy { text: word, distance } => Self { distance: Some(*distance), ..text("fuzzy", word) },
            Kind::Regex(pattern) => text("regex", pattern),
            Kind::Range { low, high } => Self { low: bound(low), high: bound(high), ..bare("range") },
            Kind::Exists => bare("exists"),
            Kind::All => bare("all"),
            Kind::Group(clauses) => {
                let clause = |occur: Occur, node: &Node| Self {
                    occur: Some(
                        match occur {
                            Occur::Should => "should",
                            Occur::Must => "must",
                            Occur::MustNot => "must_not",
                        }
                        .to_owned(),
                    ),
                    ..Self::new(node)
                };
                let clauses = clauses.iter().map(|it| clause(it.occur, &it.node)).collect();
                Self { clauses, ..bare("group") }
            }
        };
        Self { span: [node.span.start, node.span.end], ..out }
    }
}

fn bound(bound: &Bound) -> Option<QueryBound> {
    match bound {
        Bound::Open => None,
        Bound::Including(value) => Some(QueryBound { value: value.clone(), inclusive: true }),
        Bound::Excluding(value) => Some(QueryBound { value: value.clone(), inclusive: false }),
    }
}

/// A pattern as it is typed, its own `*`, `?` and backslashes escaped.
fn pattern_text(parts: &[Wild]) -> String {
    let mut out = String::new();
    for part in parts {
        match part {
            Wild::Char(c) => {
                if matches!(c, '*' | '?' | '\\') {
                    out.push('\\');
                }
                out.push(*c);
            }
            Wild::One => out.push('?'),
            Wild::Any => out.push('*'),
        }
    }
    out
}
