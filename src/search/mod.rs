//! Search and moving around: from a request to hits, from a hit to what surrounds it.
//!
//! One [`SearchRequest`] serves the command line and agents alike. [`search`] asks the store's capabilities, fuses what
//! they answer ([`fuse()`], pure), takes the candidates through the stages that are asked for ([`Stages`]; [`post`], pure),
//! and loads the chunks. [`expand`] and [`zoom`] start from an id.

mod check;
mod entity;
mod fuse;
mod hit;
mod lists;
mod navigate;
mod passages;
pub mod post;
mod request;
mod stages;
mod text;

use std::collections::HashSet;

use crate::embed::{EmbedError, Embedder};
use crate::query::QueryError;
use crate::rerank::RerankError;
use crate::store::{Pattern, Row, RowSet, Scope, Store, StoreError, StoredDocument};

pub use check::{CheckedFilter, CheckedKey, check_filter};
pub use entity::{FoundEntity, MAX_MENTIONS, entity_at, entity_of, is_entity};
pub use fuse::{Blend, Fused, Fusion, FusionKind, RRF_K, Scale, Scored, fuse};
pub use hit::{Found, Hit, Merged, Passage, Scores, StageCount};
pub use navigate::{
    Expanded, MAX_CANDIDATES, NavigateError, Zoomed, expand, resolve, resolve_document, section, zoom,
};
pub use passages::{Passages, section_path};
pub use request::{DEFAULT_POOL, FusionRequest, Gate, Mode, Rerank, SearchRequest, Signal, Stages};
pub use stages::DEFAULT_RERANK_BUDGET;
pub use text::understand;

use lists::{Candidates, Lists, POOL, Ranked};
use stages::{Stage, Unit};

/// `score = bm25 / (bm25 + BM25_HALF)` maps a raw score to 0..1 (SPEC 3).
const BM25_HALF: f32 = 3.0;

/// Candidates are asked for again, so many times more, while the stages leave too few.
const WIDEN: usize = 4;

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
    /// The candidates cannot be reranked.
    #[error("the hits cannot be reranked")]
    Rerank(#[from] RerankError),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Searches `store`; `embedder` is asked for only where the mode needs it.
///
/// Filters apply before top-k: a scope that lets `n` chunks pass gives the best `min(k, n)` of them that match. What the
/// stages leave out makes room for further candidates, as long as there are any.
///
/// # Errors
///
/// When the query is empty, the store lacks the capability, or the store or a model fails.
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
    let lists = Lists::new(store, embedder, request, rows)?;
    let mut stage = Stage::new(store, request, rows);
    let mut found = Found::default();
    let k = request.stages.cap.map_or(request.top_k, |cap| cap.min(request.top_k));
    let mut n_candidates = match request.stages.is_cut_only() {
        true => k,
        false => POOL.max(request.top_k).max(request.stages.rerank.as_ref().map_or(0, |it| it.pool)),
    };
    let units = loop {
        let Candidates { mut ranked, is_all, blend, notes } = lists.best(n_candidates)?;
        (found.blend, found.notes) = (blend, notes);
        found.best = best_of(&ranked);
        let n_found = ranked.len();
        if let (Some(threshold), Mode::Vector | Mode::Text) = (request.threshold, &request.mode) {
            ranked.retain(|it| it.score >= threshold);
        }
        // Below the threshold there is nothing to be found further on either.
        let is_all = is_all || ranked.len() < n_found || request.stages.is_cut_only();
        if request.stages.is_cut_only() {
            ranked.truncate(k);
        }
        let units = stage.apply(ranked)?;
        if units.len() >= k || is_all {
            break units;
        }
        n_candidates = n_candidates.saturating_mul(WIDEN);
    };
    found.best.rerank = units.iter().filter_map(|it| it.ranked.scores.rerank).reduce(f32::max);
    found.notes.extend(stage.note());
    found.is_rerank_late = stage.is_out_of_time;
    found.stages = std::mem::take(&mut stage.counts);
    // Time that ran out is no reason to refuse.
    let gate = request.gate.filter(|it| it.signal != Signal::Rerank || stage.note().is_none());
    match gate {
        Some(gate) if found.best.signal(gate.signal).is_none_or(|it| it < gate.least) => {
            found.notes.push(refusal(gate, found.best.signal(gate.signal)));
        }
        _ => load(store, units, request.n_neighbours, rows, &mut found)?,
    }
    Ok(found)
}

/// Why nothing is shown.
fn refusal(gate: Gate, best: Option<f32>) -> String {
    let best = best.map_or("there is no such score".to_owned(), |best| format!("the best is {best:.4}"));
    format!("nothing reaches the threshold of {:.4} for {} scores; {best}", gate.least, gate.signal.name())
}

/// The highest score of each kind.
fn best_of(ranked: &[Ranked]) -> Scores {
    let best =
        |score: fn(&Scores) -> Option<f32>| ranked.iter().filter_map(|it| score(&it.scores)).reduce(f32::max);
    Scores {
        vector: best(|it| it.vector),
        bm25: best(|it| it.bm25),
        fused: best(|it| it.fused),
        rerank: None,
    }
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

/// Puts the hits into their surroundings, then their neighbours: behind all hits, each chunk once, with the score of the
/// first hit that they belong to, and never around the scope.
fn load(
    store: &dyn Store,
    units: Vec<Unit>,
    n_neighbours: usize,
    rows: Option<&RowSet>,
    found: &mut Found,
) -> Result<(), SearchError> {
    let mut passages = Passages::new(store);
    let mut seen: HashSet<Row> = HashSet::new();
    // The first and the last chunk of each hit.
    let mut extents: Vec<(usize, usize)> = Vec::new();
    for Unit { ranked: it, chunk, duplicates, merged } in units {
        seen.insert(it.row);
        let merged = match merged {
            Some(merged) => {
                let whole =
                    navigate::whole_text(store, merged.document, Some(merged.section), 0, usize::MAX)?;
                whole.and_then(|whole| {
                    let navigate::Zoomed { section, path, text, location, .. } = whole;
                    let (chunks, n_chunks) = (merged.chunks, merged.n_chunks);
                    section.map(|section| Merged { section, path, chunks, n_chunks, text, location })
                })
            }
            None => None,
        };
        let mut extent = (chunk.chunk.sequence, chunk.chunk.sequence);
        if let Some(merged) = &merged {
            for it in store.chunks_at(chunk.document, merged.section.section.span)? {
                extent = (extent.0.min(it.chunk.sequence), extent.1.max(it.chunk.sequence));
                seen.insert(it.row);
            }
        }
        extents.push(extent);
        found.hits.push(Hit {
            rank: Some(found.hits.len() + 1),
            score: it.score,
            scores: it.scores,
            vector_rank: it.vector_rank,
            text_rank: it.text_rank,
            matches: it.matches,
            passage: passages.of(chunk)?,
            merged,
            duplicates,
        });
    }
    if n_neighbours == 0 {
        return Ok(());
    }
    let mut neighbours = Vec::new();
    for (hit, (first, last)) in found.hits.iter().zip(extents) {
        let document = hit.passage.document.number;
        let first = first.saturating_sub(n_neighbours);
        for chunk in store.chunks(document, first, last.saturating_add(n_neighbours))? {
            if rows.is_none_or(|rows| rows.contains(chunk.row)) && seen.insert(chunk.row) {
                neighbours.push(Hit {
                    rank: None,
                    score: hit.score,
                    scores: Scores::default(),
                    vector_rank: None,
                    text_rank: None,
                    matches: Vec::new(),
                    passage: passages.of(chunk)?,
                    merged: None,
                    duplicates: Vec::new(),
                });
            }
        }
    }
    found.hits.append(&mut neighbours);
    Ok(())
}
