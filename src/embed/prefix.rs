//! What models want in front of passages and queries.

use std::collections::BTreeMap;

use crate::embed::Role;

/// Keys under which an index keeps a model's prefixes.
pub const QUERY_PREFIX: &str = "query_prefix";
/// See [`QUERY_PREFIX`].
pub const PASSAGE_PREFIX: &str = "passage_prefix";

/// Texts that are put in front of passages and queries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Prefixes {
    pub(crate) query: String,
    pub(crate) passage: String,
}

/// Prefixes by a part of the model's name, from the models' own cards; the first that matches counts.
const KNOWN: &[(&str, &str, &str)] = &[
    (
        "e5-mistral",
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ",
        "",
    ),
    (
        "multilingual-e5-large-instruct",
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ",
        "",
    ),
    ("e5-", "query: ", "passage: "),
    ("bge-m3", "", ""),
    ("bge-", "Represent this sentence for searching relevant passages: ", ""),
    ("nomic-embed-text", "search_query: ", "search_document: "),
    ("mxbai-embed", "Represent this sentence for searching relevant passages: ", ""),
    ("snowflake-arctic-embed-l-v2", "query: ", ""),
    ("snowflake-arctic-embed-m-v2", "query: ", ""),
    ("snowflake-arctic-embed2", "query: ", ""),
    ("snowflake-arctic-embed", "Represent this sentence for searching relevant passages: ", ""),
    ("embeddinggemma", "task: search result | query: ", "title: none | text: "),
    (
        "qwen3-embedding",
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:",
        "",
    ),
];

impl Prefixes {
    /// Those in `settings`; where there are none, those that a model of this name is known to want.
    pub(crate) fn of(name: &str, settings: &BTreeMap<String, String>) -> Self {
        let lower = name.to_lowercase();
        let known = KNOWN.iter().find(|(part, ..)| lower.contains(part));
        let (query, passage) = known.map_or(("", ""), |&(_, query, passage)| (query, passage));
        let setting = |key: &str, known: &str| settings.get(key).cloned().unwrap_or_else(|| known.to_owned());
        Self { query: setting(QUERY_PREFIX, query), passage: setting(PASSAGE_PREFIX, passage) }
    }

    /// What an index keeps of them.
    pub(crate) fn settings(&self) -> BTreeMap<String, String> {
        [(QUERY_PREFIX, &self.query), (PASSAGE_PREFIX, &self.passage)]
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value.clone()))
            .collect()
    }

    /// `text` as the model wants it.
    pub(crate) fn apply(&self, text: &str, role: Role) -> String {
        let prefix = match role {
            Role::Query => &self.query,
            Role::Passage => &self.passage,
        };
        format!("{prefix}{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_get_their_own_prefixes_unless_others_are_set() {
        let check = |name: &str, query: &str, passage: &str| {
            let prefixes = Prefixes::of(name, &BTreeMap::new());
            assert_eq!((prefixes.query.as_str(), prefixes.passage.as_str()), (query, passage), "{name}");
            assert_eq!(Prefixes::of("other", &prefixes.settings()), prefixes);
        };
        check("openai:text-embedding-3-small", "", "");
        check("openai:nomic-embed-text", "search_query: ", "search_document: ");
        check("intfloat/multilingual-e5-small", "query: ", "passage: ");
        check("BAAI/bge-small-en-v1.5", "Represent this sentence for searching relevant passages: ", "");
        check("BAAI/bge-m3", "", "");
        let settings = BTreeMap::from([(QUERY_PREFIX.to_owned(), "q ".to_owned())]);
        assert_eq!(Prefixes::of("e5-base", &settings).apply("x", Role::Query), "q x");
        assert_eq!(Prefixes::of("e5-base", &settings).apply("x", Role::Passage), "passage: x");
    }
}
