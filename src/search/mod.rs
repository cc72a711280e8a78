//! Search and moving around: from a request to hits, from a hit to what surrounds it.
//!
//! One [`SearchRequest`] serves the command line and agents alike. [`search`] asks the store's capabilities, fuses what
//! they answer ([`fuse()`], pure), and loads the chunks. [`expand`] and [`zoom`] start from an id.

mod check;
mod fuse;
mod navigate;
mod text;

use std::collections::{BTreeMap, HashSet};

use crate::embed::{EmbedError, Embedder, Role};
use crate::query::{QueryError, Syntax};
use crate::store::{
    Pattern, PatternMatch, PatternOrder, Row, RowSet, Scope, Store, StoreError, StoredChunk, StoredDocument,
    StoredSection,
};

pub use check::{CheckedFilter, CheckedKey, check_filter};
pub use fuse::{Fused, Fusion, Scored, fuse};
pub use navigate::{
    Expanded, MAX_CANDIDATES, NavigateError, Zoomed, expand, resolve, resolve_document, section, zoom,
};
pub use text::understand;

/// How many candidates of each list are fused (DESIGN 8: convex fusion over the top 100 of both).
const POOL: usize = 100;

/// `score = bm25 / (bm25 + BM25_HALF)` maps a raw score to 0..1 (SPEC 3).
const BM25_HALF: f32 = 3.0;

/// What to search by.
#[derive(Clone, Debug)]
pub enum Mode {
    /// Meaning and words, fused; `None`: convex with the model's own weight.
    Hybrid(Option<Fusion>),
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
    /// How many neighbours on either side of each hit follow behind the hits.
    pub n_neighbours: usize,
    /// Which chunks may be returned.
    pub scope: Scope,
}

/// A chunk with its surroundings in the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The chunk.
    pub chunk: StoredChunk,
    /// Its document.
    pub document: StoredDocument,
    /// Its section; `None` when it belongs to the document itself.
    pub section: Option<StoredSection>,
    /// Titles from the top-level section down to the chunk's section.
    pub path: Vec<String>,
}

/// One hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// 1-based rank; `None` for a neighbour.
    pub rank: Option<usize>,
    /// Score in the mode's own scale; a neighbour has the score of its hit.
    pub score: f32,
    /// The scores that it is made of.
    pub scores: Scores,
    /// 1-based rank in the vector list, where it stands there.
    pub vector_rank: Option<usize>,
    /// 1-based rank in the text list, where it stands there.
    pub text_rank: Option<usize>,
    /// Matches of the pattern.
    pub matches: Vec<PatternMatch>,
    /// What was found.
    pub passage: Passage,
}

/// The scores behind a hit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// Cosine similarity, -1 to 1.
    pub vector: Option<f32>,
    /// Raw BM25.
    pub bm25: Option<f32>,
    /// Fused score.
    pub fused: Option<f32>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Hits, best first, then neighbours.
    pub hits: Vec<Hit>,
    /// Notes for the user, such as how an odd query was taken.
    pub notes: Vec<String>,
    /// How hybrid scores were fused.
    pub fusion: Option<Fusion>,
}

/// Why a search cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// There is nothing to look for.
    #[error("the query is empty")]
    EmptyQuery,
    /// The query does not parse, in strict syntax.
    #[error("query, {error}")]
    Query {
        /// Why, and where.
        error: QueryError,
        /// The query.
        text: String,
    },
    /// The store cannot do it.
    #[error("this index has no {capability} search")]
    Unsupported {
        /// `vector`, `text` or `regex`.
        capability: &'static str,
    },
    /// The query cannot be embedded.
    #[error("the query cannot be embedded")]
    Embed(#[from] EmbedError),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A row with what is known of it before its chunk is loaded.
struct Ranked {
    row: Row,
    score: f32,
    scores: Scores,
    vector_rank: Option<usize>,
    text_rank: Option<usize>,
    matches: Vec<PatternMatch>,
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

/// Searches `store`; `embedder` is asked for only where the mode needs it.
///
/// Filters apply before top-k: a scope that lets `n` chunks pass gives the best `min(k, n)` of them that match.
///
/// # Errors
///
/// When the query is empty, the store lacks the capability, or the store or the model fails.
pub fn search(
    store: &dyn Store,
    embedder: &mut dyn FnMut() -> Result<std::sync::Arc<dyn Embedder>, EmbedError>,
    request: &SearchRequest,
) -> Result<Found, SearchError> {
    if request.query.trim().is_empty() && !matches!(request.mode, Mode::Regex { .. }) {
        return Err(SearchError::EmptyQuery);
    }
    let rows = store.rows(&request.scope)?;
    let rows = rows.as_ref();
    let mut found = Found::default();
    let mut ranked = match &request.mode {
        Mode::Vector => {
            let query = embed_query(embedder()?.as_ref(), &request.query)?;
            let list = vector_list(store, &query, request.top_k, rows)?;
            list.into_iter().enumerate().map(|(at, it)| ranked_by_vector(at, it)).collect()
        }
        Mode::Text => {
            let list = text::text_list(store, request, request.top_k, rows, &mut found.notes)?;
            list.hits.into_iter().enumerate().map(|(at, it)| ranked_by_text(at, it)).collect()
        }
        Mode::Regex { pattern, order } => {
            let regex = store.regex().ok_or(SearchError::Unsupported { capability: "regex" })?;
            let hits = regex.search_regex(pattern, request.top_k, *order, rows)?;
            hits.into_iter().map(|it| Ranked { matches: it.matches, ..Ranked::new(it.row, 1.0) }).collect()
        }
        Mode::Hybrid(fusion) => {
            let embedder = embedder()?;
            let fusion = fusion.unwrap_or(Fusion::Convex { weight: embedder.fusion_weight() });
            found.fusion = Some(fusion);
            let pool = POOL.max(request.top_k);
            let query = embed_query(embedder.as_ref(), &request.query)?;
            let vector = vector_list(store, &query, pool, rows)?;
            let text = text::text_list(store, request, pool, rows, &mut found.notes)?;
            let (vector, text) = completed(store, &query, vector, text)?;
            let mut fused = fuse(&vector, &text, fusion);
            fused.truncate(request.top_k);
            fused.into_iter().map(ranked_by_both).collect::<Vec<_>>()
        }
    };
    if let (Some(threshold), Mode::Vector | Mode::Text) = (request.threshold, &request.mode) {
        ranked.retain(|it| it.score >= threshold);
    }
    load(store, ranked, request.n_neighbours, rows, &mut found)?;
    Ok(found)
}

/// How often `pattern` matches in each document that it matches in, by URI.
///
/// # Errors
///
/// When the store cannot search by pattern, or fails.
pub fn count(
    store: &dyn Store,
    pattern: &Pattern,
    scope: &Scope,
) -> Result<Vec<(StoredDocument, usize)>, SearchError> {
    let regex = store.regex().ok_or(SearchError::Unsupported { capability: "regex" })?;
    let rows = store.rows(scope)?;
    let mut counts = Vec::new();
    for it in regex.count_regex(pattern, rows.as_ref())? {
        counts.extend(store.document_numbered(it.document)?.map(|document| (document, it.n_matches)));
    }
    Ok(counts)
}

fn embed_query(embedder: &dyn Embedder, query: &str) -> Result<Vec<f32>, SearchError> {
    Ok(embedder.embed(&[query], Role::Query)?)
}

fn vector_list(
    store: &dyn Store,
    query: &[f32],
    k: usize,
    rows: Option<&RowSet>,
) -> Result<Vec<(Row, f32)>, SearchError> {
    // An index that nothing was ever written to has no vectors and no hits.
    let Some(vector) = store.vector() else { return Ok(Vec::new()) };
    if query.iter().all(|&value| value == 0.0) {
        return Ok(Vec::new());
    }
    Ok(vector.search_vector(query, k, rows)?)
}

/// Both rankings, with the scores of what only the other one found.
fn completed(
    store: &dyn Store,
    query: &[f32],
    vector: Vec<(Row, f32)>,
    text: text::TextList,
) -> Result<(Scored, Scored), SearchError> {
    let missing = |from: &[(Row, f32)], of: &[(Row, f32)]| {
        let mut rows = RowSet::new();
        from.iter().for_each(|&(row, _)| rows.insert(row));
        of.iter().for_each(|&(row, _)| rows.remove(row));
        rows
    };
    let (without_cosine, without_bm25) = (missing(&text.hits, &vector), missing(&vector, &text.hits));
    let count = |rows: &RowSet| usize::try_from(rows.len()).unwrap_or(usize::MAX);
    let cosines = match without_cosine.is_empty() {
        true => Vec::new(),
        false => vector_list(store, query, count(&without_cosine), Some(&without_cosine))?,
    };
    let bm25s = match without_bm25.is_empty() {
        true => Vec::new(),
        false => text::scores(store, &text, &without_bm25)?,
    };
    Ok((Scored { ranked: vector, others: cosines }, Scored { ranked: text.hits, others: bm25s }))
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
        scores: Scores { vector: fused.vector, bm25: fused.text, fused: Some(fused.score) },
        vector_rank: fused.vector_rank,
        text_rank: fused.text_rank,
        ..Ranked::new(fused.row, fused.score)
    }
}

/// Loads the hits, then their neighbours: behind all hits, each chunk once, with the score of the first hit that they
/// belong to, and never around the scope.
fn load(
    store: &dyn Store,
    ranked: Vec<Ranked>,
    n_neighbours: usize,
    rows: Option<&RowSet>,
    found: &mut Found,
) -> Result<(), StoreError> {
    let mut passages = Passages::new(store);
    let mut seen: HashSet<Row> = HashSet::new();
    for it in ranked {
        let Some(chunk) = store.chunk_at(it.row)? else { continue };
        seen.insert(it.row);
        found.hits.push(Hit {
            rank: Some(found.hits.len() + 1),
            score: it.score,
            scores: it.scores,
            vector_rank: it.vector_rank,
            text_rank: it.text_rank,
            matches: it.matches,
            passage: passages.of(chunk)?,
        });
    }
    if n_neighbours == 0 {
        return Ok(());
    }
    let mut neighbours = Vec::new();
    for hit in &found.hits {
        let (document, sequence) = (hit.passage.document.number, hit.passage.chunk.chunk.sequence);
        let first = sequence.saturating_sub(n_neighbours);
        for chunk in store.chunks(document, first, sequence.saturating_add(n_neighbours))? {
            if rows.is_none_or(|rows| rows.contains(chunk.row)) && seen.insert(chunk.row) {
                neighbours.push(Hit {
                    rank: None,
                    score: hit.score,
                    scores: Scores::default(),
                    vector_rank: None,
                    text_rank: None,
                    matches: Vec::new(),
                    passage: passages.of(chunk)?,
                });
            }
        }
    }
    found.hits.append(&mut neighbours);
    Ok(())
}

/// Puts chunks into their surroundings, loading each document and each section once.
pub struct Passages<'a> {
    store: &'a dyn Store,
    documents: BTreeMap<i64, StoredDocument>,
    sections: BTreeMap<(i64, usize), StoredSection>,
}

impl std::fmt::Debug for Passages<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Passages").field("n_documents", &self.documents.len()).finish_non_exhaustive()
    }
}

impl<'a> Passages<'a> {
    /// For chunks of `store`.
    pub fn new(store: &'a dyn Store) -> Self {
        Self { store, documents: BTreeMap::new(), sections: BTreeMap::new() }
    }

    /// The chunk with its document, section and path.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn of(&mut self, chunk: StoredChunk) -> Result<Passage, StoreError> {
        let number = chunk.document;
        if !self.documents.contains_key(&number) {
            let Some(document) = self.store.document_numbered(number)? else {
                let detail = format!("chunk {} has no document", chunk.chunk.id);
                return Err(StoreError::Corrupt { path: self.store.info()?.path, detail });
            };
            self.documents.insert(number, document);
        }
        let document = self.documents[&number].clone();
        let section = match chunk.chunk.section {
            Some(at) => self.section(number, at)?,
            None => None,
        };
        let path = self.path(number, chunk.chunk.section)?;
        Ok(Passage { chunk, document, section, path })
    }

    /// The section at an arena index of a document.
    pub(super) fn section(&mut self, document: i64, at: usize) -> Result<Option<StoredSection>, StoreError> {
        if !self.sections.contains_key(&(document, at)) {
            let Some(section) = self.store.section(document, at)? else { return Ok(None) };
            self.sections.insert((document, at), section);
        }
        Ok(self.sections.get(&(document, at)).cloned())
    }

    /// Titles from the top-level section down to the one at `at`; preambles add none.
    pub(super) fn path(&mut self, document: i64, at: Option<usize>) -> Result<Vec<String>, StoreError> {
        let (mut path, mut next) = (Vec::new(), at);
        while let Some(at) = next {
            let Some(it) = self.section(document, at)? else { break };
            if it.section.level > 0 {
                path.push(it.section.title);
            }
            // A parent stands before its children; anything else would be a loop in a damaged index.
            next = it.section.parent.filter(|&parent| parent < at);
        }
        path.reverse();
        Ok(path)
    }
}

/// Titles from the top-level section down to the section at `index`; preambles add none.
pub fn section_path(sections: &[StoredSection], index: Option<usize>) -> Vec<String> {
    let (mut path, mut next) = (Vec::new(), index);
    while let Some((at, it)) = next.and_then(|at| Some((at, sections.get(at)?))) {
        if it.section.level > 0 {
            path.push(it.section.title.clone());
        }
        next = it.section.parent.filter(|&parent| parent < at);
    }
    path.reverse();
    path
}
