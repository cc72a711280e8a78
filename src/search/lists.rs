//! Ranked candidates: what each mode finds, before anything is loaded.

use std::borrow::Cow;

use crate::content::Vector;
use crate::embed::{EmbedError, Embedder, Role};
use crate::query::Query;
use crate::search::text::{self, TextList};
use crate::search::{
    BM25_HALF, Blend, Fused, Fusion, Mode, Scored, Scores, SearchError, SearchRequest, fuse,
};
use crate::store::{PatternMatch, Row, RowSet, Store};

/// How many candidates of each list are fused (DESIGN 8: convex fusion over the top 100 of both).
pub(super) const POOL: usize = 100;

/// What is left of the model's weight for a query of nothing but names, which are looked up rather than asked about: enough
/// to tell equals apart. Of 127 needles 2 more have their passage first (126).
const LOOKUP_SHARE: f32 = 0.1;

/// A row with what is known of it before its chunk is loaded.
#[derive(Clone, Debug)]
pub(super) struct Ranked {
    pub(super) row: Row,
    pub(super) score: f32,
    pub(super) scores: Scores,
    pub(super) vector_rank: Option<usize>,
    pub(super) text_rank: Option<usize>,
    pub(super) matches: Vec<PatternMatch>,
}

impl Ranked {
    fn new(row: Row, score: f32) -> Self {
        Self {
            row,
            score,
            scores: Scores::default(),
            vector_rank: None,
            text_rank: None,
            matches: Vec::new(),
        }
    }
}

/// The candidates of one mode, best first.
pub(super) struct Candidates {
    pub(super) ranked: Vec<Ranked>,
    /// Whether there are no more than these.
    pub(super) is_all: bool,
    pub(super) blend: Option<Blend>,
    pub(super) notes: Vec<String>,
}

/// Asks the store for candidates, more and more of them.
pub(super) struct Lists<'a> {
    store: &'a dyn Store,
    request: &'a SearchRequest,
    rows: Option<&'a RowSet>,
    embedder: Option<std::sync::Arc<dyn Embedder>>,
    /// The query's vector, where the mode needs one and the query says something.
    query: Option<Vector>,
    /// The query as it is understood, where words are searched for.
    words: Option<Query>,
    /// The rows that hold what the query requires, where it requires or excludes anything and both lists are asked.
    allowed: Option<RowSet>,
}

impl<'a> Lists<'a> {
    /// For one request; `embedder` is asked for only where the mode needs it.
    pub(super) fn new(
        store: &'a dyn Store,
        embedder: &mut dyn FnMut() -> Result<std::sync::Arc<dyn Embedder>, EmbedError>,
        request: &'a SearchRequest,
        rows: Option<&'a RowSet>,
    ) -> Result<Self, SearchError> {
        let embedder = match request.mode {
            Mode::Vector | Mode::Hybrid(_) => Some(embedder()?),
            Mode::Text | Mode::Regex { .. } => None,
        };
        let words = match request.mode {
            Mode::Text | Mode::Hybrid(_) => {
                Some(text::understand(store.text(), &request.query, request.syntax, rows)?)
            }
            Mode::Vector | Mode::Regex { .. } => None,
        };
        let allowed = match &words {
            // Both lists find what the query says, and nothing that it excludes.
            Some(words) if embedder.is_some() => text::matching(store, words, rows)?,
            _ => None,
        };
        let query = match &embedder {
            Some(embedder) => {
                let meaning = words.as_ref().map_or(Cow::Borrowed(request.query.as_str()), Query::meaning);
                let embedded = embedder.embed(&[&meaning], Role::Query)?.into_rows().pop();
                embedded.filter(|it| !it.as_ref().is_zero())
            }
            None => None,
        };
        Ok(Self { store, request, rows, embedder, query, words, allowed })
    }

    /// The best `n` candidates, or more where two lists are fused.
    pub(super) fn best(&self, n: usize) -> Result<Candidates, SearchError> {
        let mut notes = Vec::new();
        let mut blend = None;
        let (ranked, is_all) = match &self.request.mode {
            Mode::Vector => {
                let list = self.vector_list(n, self.rows)?;
                let is_all = list.len() < n;
                (list.into_iter().enumerate().map(|(at, it)| ranked_by_vector(at, it)).collect(), is_all)
            }
            Mode::Text => {
                let list = self.text_list(n, &mut notes)?;
                let is_all = list.hits.len() < n;
                (list.hits.into_iter().enumerate().map(|(at, it)| ranked_by_text(at, it)).collect(), is_all)
            }
            Mode::Regex { pattern, order } => {
                let regex = self.store.regex().ok_or(SearchError::Unsupported { capability: "regex" })?;
                let hits = regex.search_regex(pattern, n, *order, self.rows)?;
                let is_all = hits.len() < n;
                let ranked =
                    hits.into_iter().map(|it| Ranked { matches: it.matches, ..Ranked::new(it.row, 1.0) });
                (ranked.collect(), is_all)
            }
            Mode::Hybrid(how) => {
                let pool = POOL.max(n);
                let vector = self.vector_list(pool, self.allowed.as_ref().or(self.rows))?;
                let text = self.text_list(pool, &mut notes)?;
                let is_all = vector.len() < pool && text.hits.len() < pool;
                let is_lookup = self.words.as_ref().is_some_and(Query::is_lookup);
                let of_model = self.embedder.as_ref().map_or(0.0, |it| it.fusion_weight());
                let of_model = if is_lookup { of_model * LOOKUP_SHARE } else { of_model };
                let weight = how.weight.unwrap_or_else(|| how.kind.default_weight(of_model));
                let (vector, text) = self.completed(vector, text)?;
                let (fused, how) = fuse(&vector, &text, Fusion { kind: how.kind, weight });
                blend = Some(how);
                (fused.into_iter().map(ranked_by_both).collect::<Vec<_>>(), is_all)
            }
        };
        Ok(Candidates { ranked, is_all, blend, notes })
    }

    fn text_list(&self, k: usize, notes: &mut Vec<String>) -> Result<TextList, SearchError> {
        let Some(words) = &self.words else { return Ok(TextList::default()) };
        text::text_list(self.store, self.request, words, k, self.rows, notes)
    }

    fn vector_list(&self, k: usize, rows: Option<&RowSet>) -> Result<Vec<(Row, f32)>, SearchError> {
        // An index that nothing was ever written to has no vectors and no hits.
        let (Some(vector), Some(query)) = (self.store.vector(), &self.query) else { return Ok(Vec::new()) };
        Ok(vector.search_vector(query.as_ref(), k, rows)?)
    }

    /// Both rankings, with the scores of what only the other one found.
    fn completed(&self, vector: Vec<(Row, f32)>, text: TextList) -> Result<(Scored, Scored), SearchError> {
        let missing = |from: &[(Row, f32)], of: &[(Row, f32)]| {
            let mut rows = RowSet::new();
            from.iter().for_each(|&(row, _)| rows.insert(row));
            of.iter().for_each(|&(row, _)| rows.remove(row));
            rows
        };
        let (without_cosine, without_bm25) = (missing(&text.hits, &vector), missing(&vector, &text.hits));
        let count = |rows: &RowSet| usize::try_from(rows.len()).unwrap_or(usize::MAX);
        let mut cosines = match without_cosine.is_empty() {
            true => Vec::new(),
            false => self.vector_list(count(&without_cosine), Some(&without_cosine))?,
        };
        if matches!(self.query, Some(Vector::Sparse(_))) {
            // What shares no token with the query is not found, and has 0.
            let unlike = missing(&text.hits, &[&vector[..], &cosines[..]].concat());
            cosines.extend(unlike.iter().map(|row| (row, 0.0)));
        }
        let bm25s = match without_bm25.is_empty() {
            true => Vec::new(),
            false => text::scores(self.store, &text, &without_bm25)?,
        };
        Ok((Scored { ranked: vector, others: cosines }, Scored { ranked: text.hits, others: bm25s }))
    }
}

fn ranked_by_vector(at: usize, (row, cosine): (Row, f32)) -> Ranked {
    Ranked {
        scores: Scores { vector: Some(cosine), ..Scores::default() },
        vector_rank: Some(at + 1),
        ..Ranked::new(row, cosine)
    }
}

fn ranked_by_text(at: usize, (row, bm25): (Row, f32)) -> Ranked {
    Ranked {
        scores: Scores { bm25: Some(bm25), ..Scores::default() },
        text_rank: Some(at + 1),
        ..Ranked::new(row, bm25 / (bm25 + BM25_HALF))
    }
}

fn ranked_by_both(fused: Fused) -> Ranked {
    Ranked {
        scores: Scores { vector: fused.vector, bm25: fused.text, fused: Some(fused.score), rerank: None },
        vector_rank: fused.vector_rank,
        text_rank: fused.text_rank,
        ..Ranked::new(fused.row, fused.score)
    }
}
