//! What can be asked of a search.

use std::sync::Arc;
use std::time::Duration;

use crate::query::Syntax;
use crate::rerank::Reranker;
use crate::search::FusionKind;
use crate::store::{Pattern, PatternOrder, Scope};

/// What to search by.
#[derive(Clone, Debug)]
pub enum Mode {
    /// Meaning and words, fused.
    Hybrid(FusionRequest),
    /// Meaning.
    Vector,
    /// Words.
    Text,
    /// A pattern.
    Regex {
        /// The pattern.
        pattern: Pattern,
        /// Which hits come first.
        order: PatternOrder,
    },
}

impl Mode {
    /// The name used in flags and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hybrid(_) => "hybrid",
            Self::Vector => "vector",
            Self::Text => "text",
            Self::Regex { .. } => "regex",
        }
    }
}

/// How the lists of a hybrid search are to be fused.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FusionRequest {
    /// How.
    pub kind: FusionKind,
    /// Weight of the vector list, 0 to 1; `None`: see [`FusionKind::default_weight`].
    pub weight: Option<f32>,
}

/// A search.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// What is looked for.
    pub query: String,
    /// How the query is read where words are searched for.
    pub syntax: Syntax,
    /// By what.
    pub mode: Mode,
    /// Most hits, neighbours not counted.
    pub top_k: usize,
    /// Least score of a hit in vector and text mode; never applied to fused scores.
    pub threshold: Option<f32>,
    /// Below this the whole search finds nothing.
    pub gate: Option<Gate>,
    /// What becomes of the ranked candidates.
    pub stages: Stages,
    /// How many neighbours on either side of each hit follow behind the hits.
    pub n_neighbours: usize,
    /// Which chunks may be returned.
    pub scope: Scope,
}

/// What becomes of the ranked candidates before the best of them are returned, in this order: reranking, duplicates,
/// diversity, limits, merging, and last the cut to the number of hits. Whatever a stage leaves out makes room for further
/// candidates.
#[derive(Clone, Debug, Default)]
pub struct Stages {
    /// Judge the first candidates anew.
    pub rerank: Option<Rerank>,
    /// Leave out what an earlier candidate says in nearly the same words ([`post::dedupe`](crate::search::post::dedupe)).
    pub dedupe: bool,
    /// Lambda of maximal marginal relevance, 0 to 1 ([`post::mmr`](crate::search::post::mmr)).
    pub mmr: Option<f32>,
    /// Most candidates of one document.
    pub per_document: Option<usize>,
    /// Most candidates of one section.
    pub per_section: Option<usize>,
    /// Return a section in place of its chunks where more than half of them are hits
    /// ([`post::merge`](crate::search::post::merge)).
    pub auto_merge: bool,
    /// Most hits that are left, less than [`SearchRequest::top_k`].
    pub cap: Option<usize>,
    /// Take identifiers of a plain text query for optional words, like any other.
    pub plain_identifiers: bool,
}

impl Stages {
    /// Whether candidates are only cut to the number of hits.
    pub fn is_cut_only(&self) -> bool {
        self.rerank.is_none()
            && !self.dedupe
            && self.mmr.is_none()
            && self.per_document.is_none()
            && self.per_section.is_none()
            && !self.auto_merge
    }
}

/// Candidates that are reranked where nothing else is asked for (issue 5).
pub const DEFAULT_POOL: usize = 50;

/// Reranking.
#[derive(Clone, Debug)]
pub struct Rerank {
    /// By what.
    pub reranker: Arc<dyn Reranker>,
    /// How many of the first candidates.
    pub pool: usize,
    /// How long it may take; behind that the candidates keep their order. `None`: as long as it takes.
    pub budget: Option<Duration>,
}

/// A score of the best candidate that decides whether anything is found at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// Which score.
    pub signal: Signal,
    /// The least that it must be.
    pub least: f32,
}

/// Scores that say something about a query on their own; fused ones do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    /// Highest cosine, -1 to 1, or what a sparse model has instead.
    Vector,
    /// Highest bm25/(bm25+3), 0 to 1.
    Text,
    /// Highest score of the reranker, in its own scale.
    Rerank,
}

impl Signal {
    /// Every signal.
    pub const ALL: [Self; 3] = [Self::Vector, Self::Text, Self::Rerank];

    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Text => "text",
            Self::Rerank => "rerank",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_off_unless_asked_for() {
        assert!(Stages::default().is_cut_only());
        assert!(Stages { cap: Some(3), ..Stages::default() }.is_cut_only());
        assert!(!Stages { auto_merge: true, ..Stages::default() }.is_cut_only());
    }
}
