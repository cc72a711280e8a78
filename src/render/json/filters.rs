//! Answers to `filter check`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{schema_name, wire};
use crate::filter::{Filter, Key, Scalar};
use crate::search::{CheckedFilter, CheckedKey};

/// A node of a filter's tree.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FilterNode {
    /// `AND`, `OR`, `NOT`, `IS NULL`, `IN`, `LABEL`, or the comparison's own sign or word.
    pub operator: String,
    /// The key that is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What it is compared with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<serde_json::Value>,
    /// What `AND`, `OR` and `NOT` join.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Self>,
}

impl FilterNode {
    fn new(filter: &Filter) -> Self {
        let node = |operator: &str, key: Option<&Key>, values, parts| Self {
            operator: operator.to_owned(),
            key: key.map(|key| key.name().to_owned()),
            values,
            parts,
        };
        let parts = |filters: &[Filter]| filters.iter().map(Self::new).collect();
        match filter {
            Filter::And(filters) => node("AND", None, Vec::new(), parts(filters)),
            Filter::Or(filters) => node("OR", None, Vec::new(), parts(filters)),
            Filter::Not(inner) => node("NOT", None, Vec::new(), vec![Self::new(inner)]),
            Filter::Compare { key, operator, value } => {
                node(operator.symbol(), Some(key), vec![json_of(value)], Vec::new())
            }
            Filter::In { key, values } => {
                node("IN", Some(key), values.iter().map(json_of).collect(), Vec::new())
            }
            Filter::IsNull { key } => node("IS NULL", Some(key), Vec::new(), Vec::new()),
            Filter::Label(labels) => {
                node("LABEL", None, labels.iter().map(|it| it.as_str().into()).collect(), Vec::new())
            }
        }
    }
}

fn json_of(value: &Scalar) -> serde_json::Value {
    match value {
        Scalar::String(text) => text.as_str().into(),
        Scalar::Integer(number) => (*number).into(),
        Scalar::Decimal(number) => (*number).into(),
        Scalar::Boolean(value) => (*value).into(),
    }
}

/// A key that a filter reads.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FilterKey {
    /// Its name.
    pub name: String,
    /// `builtin` or `metadata`.
    pub kind: String,
    /// Documents that have it.
    pub documents: usize,
    /// A known key of nearly the same name, where no document has this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similar: Option<String>,
}

impl FilterKey {
    fn new(it: &CheckedKey) -> Self {
        let kind = match it.key {
            Key::Builtin(_) => "builtin",
            Key::Metadata(_) => "metadata",
        };
        Self {
            name: it.key.name().to_owned(),
            kind: kind.to_owned(),
            documents: it.n_documents,
            similar: it.similar.clone(),
        }
    }
}

/// The answer to `filter check`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FilterOut {
    /// `ragctl.filter/1`.
    pub schema: String,
    /// The filter, written out with its bindings.
    pub filter: String,
    /// Its tree.
    pub tree: FilterNode,
    /// The keys that it reads.
    pub keys: Vec<FilterKey>,
    /// Documents of which at least one chunk passes.
    pub documents: usize,
    /// Chunks that pass.
    pub chunks: usize,
    /// All documents of the index.
    pub all_documents: usize,
    /// All chunks of the index.
    pub all_chunks: usize,
}
wire!(FilterOut, "filter");

impl FilterOut {
    /// The answer.
    pub fn new(it: &CheckedFilter) -> Self {
        Self {
            schema: schema_name::<Self>(),
            filter: it.filter.to_string(),
            tree: FilterNode::new(&it.filter),
            keys: it.keys.iter().map(FilterKey::new).collect(),
            documents: it.n_documents,
            chunks: it.n_chunks,
            all_documents: it.n_all_documents,
            all_chunks: it.n_all_chunks,
        }
    }
}
