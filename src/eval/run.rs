//! Asking a store the questions of a test set.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use crate::content::{ChunkId, DocumentId, SectionId};
use crate::embed::{EmbedError, Embedder};
use crate::eval::{Ranking, Run, TestQuery};
use crate::search::{Hit, Scores, SearchError, SearchRequest, search};
use crate::store::{Store, StoreError};

/// Hits are asked for as if each document had as many as it has chunks on average, at most so many; then more, while they do
/// not suffice. Chosen: every hit is loaded, and most documents are found by few of their chunks.
const MAX_HITS_A_DOCUMENT: usize = 4;

/// What of a hit is the document id of the judgements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum IdFrom {
    /// The document's URI.
    #[default]
    Uri,
    /// The file name of the URI, without its extension.
    Stem,
    /// A metadata value of the document.
    Meta(String),
    /// The chunk's id.
    Chunk,
    /// The id of the section that the chunk belongs to, or that stands for its chunks.
    Section,
}

impl std::str::FromStr for IdFrom {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "uri" => Ok(Self::Uri),
            "stem" => Ok(Self::Stem),
            "chunk" => Ok(Self::Chunk),
            "section" => Ok(Self::Section),
            _ => match text.strip_prefix("meta:") {
                Some(key) if !key.is_empty() => Ok(Self::Meta(key.to_owned())),
                _ => Err(format!("'{text}' is none of: uri, stem, meta:KEY, chunk, section")),
            },
        }
    }
}

impl IdFrom {
    /// The id of a hit. A hit without one has an id that no judgement has, so that it keeps its place.
    fn of(&self, hit: &Hit) -> String {
        let passage = &hit.passage;
        let id = match self {
            Self::Uri => Some(passage.document.uri.clone()),
            Self::Stem => Some(stem(&passage.document.uri).to_owned()),
            Self::Meta(key) => passage.document.metadata.get(key).and_then(text_of),
            Self::Chunk => Some(passage.chunk.chunk.id.to_string()),
            Self::Section => {
                let section = hit.merged.as_ref().map(|it| &it.section).or(passage.section.as_ref());
                Some(section.map_or_else(|| passage.document.id.to_string(), |it| it.section.id.to_string()))
            }
        };
        id.unwrap_or_else(|| format!("(none of {})", passage.chunk.chunk.id))
    }

    /// Those of `ids` that nothing in the store has.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn missing<'a>(
        &self,
        store: &dyn Store,
        ids: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<&'a str>, StoreError> {
        let all: HashSet<String> = match self {
            Self::Uri => store.documents()?.into_iter().map(|it| it.uri).collect(),
            Self::Stem => store.documents()?.iter().map(|it| stem(&it.uri).to_owned()).collect(),
            Self::Meta(key) => {
                store.documents()?.iter().filter_map(|it| it.metadata.get(key).and_then(text_of)).collect()
            }
            Self::Chunk | Self::Section => HashSet::new(),
        };
        let is_there = |id: &str| -> Result<bool, StoreError> {
            match self {
                Self::Chunk => id.parse::<ChunkId>().map_or(Ok(false), |it| Ok(store.chunk(it)?.is_some())),
                // A passage outside of all sections has its document's id.
                Self::Section => match (id.parse::<SectionId>(), id.parse::<DocumentId>()) {
                    (Ok(it), _) => Ok(store.section_place(it)?.is_some()),
                    (_, Ok(it)) => Ok(store.document(it)?.is_some()),
                    _ => Ok(false),
                },
                Self::Uri | Self::Stem | Self::Meta(_) => Ok(all.contains(id)),
            }
        };
        let mut missing = Vec::new();
        for id in ids {
            if !is_there(id)? {
                missing.push(id);
            }
        }
        Ok(missing)
    }

    /// What the ids are of, several of them.
    pub fn plural(&self) -> &'static str {
        match self {
            Self::Uri | Self::Stem | Self::Meta(_) => "documents",
            Self::Chunk => "passages",
            Self::Section => "sections",
        }
    }
}

fn stem(uri: &str) -> &str {
    let name = uri.rsplit('/').next().unwrap_or(uri);
    name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// What was found for the questions.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Documents by question.
    pub run: Run,
    /// The best scores of each kind by question; none where nothing was found.
    pub best: BTreeMap<String, Scores>,
    /// Questions for which reranking ran out of time, so that their documents stand in the order that they had before.
    pub n_not_reranked: usize,
}

/// Why a question cannot be asked.
#[derive(Debug, thiserror::Error)]
#[error("the query '{id}' cannot be searched for")]
pub struct RunError {
    /// Its id.
    pub id: String,
    /// Why.
    pub source: SearchError,
}

/// Searches for each of `queries` as `request` says (but for its query and number of hits). A document stands where the
/// best of its chunks does; at most `depth` documents a question, and no more than there are passages.
///
/// # Errors
///
/// When a search fails. A question without words finds nothing.
pub fn run(
    store: &dyn Store,
    embedder: &Arc<dyn Embedder>,
    queries: &[TestQuery],
    request: &SearchRequest,
    depth: usize,
    id_from: &IdFrom,
) -> Result<Outcome, RunError> {
    let mut outcome = Outcome::default();
    let first = || queries.first().map_or_else(String::new, |it| it.id.clone());
    let failed = |source: StoreError| RunError { id: first(), source: source.into() };
    let info = store.info().map_err(failed)?;
    let depth = depth.min(info.n_chunks.max(1));
    let n_hits = info.n_chunks.div_ceil(info.n_documents.max(1)).clamp(1, MAX_HITS_A_DOCUMENT);
    for query in queries {
        let mut request = SearchRequest { query: query.text.clone(), ..request.clone() };
        request.top_k = depth.saturating_mul(n_hits).saturating_add(depth / 4);
        let (ranking, best, is_late) = loop {
            let mut open = || Ok::<_, EmbedError>(embedder.clone());
            let found = match search(store, &mut open, &request) {
                Ok(found) => found,
                Err(SearchError::EmptyQuery) => break (Ranking::default(), Scores::default(), false),
                Err(source) => return Err(RunError { id: query.id.clone(), source }),
            };
            let is_all = found.hits.len() < request.top_k;
            let ranking = Ranking::of_order(found.hits.iter().map(|hit| (id_from.of(hit), hit.score)));
            if is_all || ranking.documents().len() >= depth {
                // The search says so in its notes alone. What else it says of one query is of no use here.
                let is_late = found.is_rerank_late;
                let best = if found.hits.is_empty() { Scores::default() } else { found.best };
                break (ranking.cut(depth), best, is_late);
            }
            request.top_k = request.top_k.saturating_mul(4);
        };
        outcome.run.insert(query.id.clone(), ranking);
        outcome.best.insert(query.id.clone(), best);
        outcome.n_not_reranked += usize::from(is_late);
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_from_what_was_named() {
        assert_eq!("meta:doc id".parse(), Ok(IdFrom::Meta("doc id".to_owned())));
        assert_eq!("stem".parse(), Ok(IdFrom::Stem));
        assert!("meta:".parse::<IdFrom>().is_err() && "name".parse::<IdFrom>().is_err());
        let check = |uri: &str, expected: &str| assert_eq!(stem(uri), expected, "{uri}");
        check("docs/12.md", "12");
        check("a.b.html", "a.b");
        check(".profile", ".profile");
        check("x/README", "README");
    }
}
