//! The stages behind the lists: reranking, then the post-processors, in the order that [`Stages`](crate::search::Stages) names.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use crate::content::{ChunkId, Vector};
use crate::rerank;
use crate::search::lists::Ranked;
use crate::search::post::{self, Group, Spot, Tree};
use crate::search::{Rerank, SearchError, SearchRequest, StageCount};
use crate::store::{Row, RowSet, Store, StoreError, StoredChunk, StoredSection};

/// The longest section that auto-merge returns as one, bytes. Chosen: what `zoom` prints without being asked for more.
const MAX_MERGED_BYTES: usize = 25_000;

/// A candidate with its chunk, on its way through the stages.
pub(super) struct Unit {
    pub(super) ranked: Ranked,
    pub(super) chunk: StoredChunk,
    pub(super) duplicates: Vec<ChunkId>,
    /// The section that it stands for, as document and position, with the chunks of it that were hits.
    pub(super) merged: Option<MergedUnit>,
}

/// A section that stands for its chunks.
pub(super) struct MergedUnit {
    pub(super) document: i64,
    pub(super) section: usize,
    pub(super) chunks: Vec<ChunkId>,
    pub(super) n_chunks: usize,
}

/// The stages of one request. Kept over several tries with more and more candidates, so that nothing is reranked twice.
pub(super) struct Stage<'a> {
    store: &'a dyn Store,
    request: &'a SearchRequest,
    chunks: HashMap<Row, StoredChunk>,
    /// The reranker's scores so far.
    judged: HashMap<Row, f32>,
    /// When the reranker's time ends.
    deadline: Option<Instant>,
    pub(super) is_out_of_time: bool,
    trees: Trees<'a>,
    pub(super) counts: Vec<StageCount>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(store: &'a dyn Store, request: &'a SearchRequest, rows: Option<&'a RowSet>) -> Self {
        let budget = request.stages.rerank.as_ref().and_then(|it| it.budget);
        Self {
            store,
            request,
            chunks: HashMap::new(),
            judged: HashMap::new(),
            deadline: budget.and_then(|budget| Instant::now().checked_add(budget)),
            is_out_of_time: false,
            trees: Trees { store, rows, sections: BTreeMap::new() },
            counts: Vec::new(),
        }
    }

    /// What to tell the user.
    pub(super) fn note(&self) -> Option<String> {
        let Rerank { reranker, budget, .. } =
            self.request.stages.rerank.as_ref().filter(|_| self.is_out_of_time)?;
        let seconds = budget.unwrap_or_default().as_secs_f64();
        Some(format!(
            "reranking by '{}' took more than its {seconds} s; the hits stand in the order that they had before",
            reranker.name()
        ))
    }

    /// Takes candidates, best first, through all stages: at most the hits that are asked for.
    pub(super) fn apply(&mut self, ranked: Vec<Ranked>) -> Result<Vec<Unit>, SearchError> {
        let stages = &self.request.stages;
        self.counts.clear();
        let mut units = self.load(ranked)?;
        let mut n_head = units.len();
        if let Some(rerank) = &stages.rerank {
            n_head = self.rerank(rerank, &mut units)?;
        }
        if stages.dedupe {
            n_head = self.dedupe(&mut units, n_head);
        }
        if let Some(lambda) = stages.mmr {
            self.mmr(&mut units, n_head, lambda)?;
        }
        if let Some(n) = stages.per_document {
            self.limit("per_document", &mut units, n, |it| it.chunk.document);
        }
        if let Some(n) = stages.per_section {
            self.limit("per_section", &mut units, n, |it| (it.chunk.document, it.chunk.chunk.section));
        }
        let k = stages.cap.map_or(self.request.top_k, |cap| cap.min(self.request.top_k));
        if stages.auto_merge {
            units = self.merge(units, k)?;
        }
        units.truncate(k);
        Ok(units)
    }

    fn count(&mut self, stage: &'static str, n_in: usize, n_out: usize) {
        self.counts.push(StageCount { stage, n_in, n_out });
    }

    fn load(&mut self, ranked: Vec<Ranked>) -> Result<Vec<Unit>, SearchError> {
        let mut units = Vec::with_capacity(ranked.len());
        for ranked in ranked {
            let chunk = match self.chunks.get(&ranked.row) {
                Some(chunk) => chunk.clone(),
                None => {
                    let Some(chunk) = self.store.chunk_at(ranked.row)? else { continue };
                    self.chunks.insert(ranked.row, chunk.clone());
                    chunk
                }
            };
            units.push(Unit { ranked, chunk, duplicates: Vec::new(), merged: None });
        }
        Ok(units)
    }

    /// Puts the first candidates in the reranker's order. Returns how many of them have scores of one scale.
    fn rerank(&mut self, with: &Rerank, units: &mut [Unit]) -> Result<usize, SearchError> {
        let n_head = units.len().min(with.pool);
        let head = &mut units[..n_head];
        let unknown: Vec<&Unit> =
            head.iter().filter(|it| !self.judged.contains_key(&it.ranked.row)).collect();
        let texts: Vec<&str> = unknown.iter().map(|it| it.chunk.chunk.text.as_str()).collect();
        let rows: Vec<Row> = unknown.iter().map(|it| it.ranked.row).collect();
        let deadline = self.deadline;
        let mut time_left = || deadline.map(|it| it.saturating_duration_since(Instant::now()));
        if !self.is_out_of_time {
            match rerank::score(with.reranker.as_ref(), &self.request.query, &texts, &mut time_left)? {
                Some(scores) => self.judged.extend(rows.into_iter().zip(scores)),
                None => self.is_out_of_time = true,
            }
        }
        if self.is_out_of_time {
            self.count("rerank", n_head, n_head);
            return Ok(units.len());
        }
        for it in head.iter_mut() {
            // Every row of the head was judged just now or before.
            let score = self.judged.get(&it.ranked.row).copied().unwrap_or(f32::MIN);
            it.ranked.score = score;
            it.ranked.scores.rerank = Some(score);
        }
        head.sort_by(|a, b| b.ranked.score.total_cmp(&a.ranked.score));
        self.count("rerank", n_head, n_head);
        Ok(n_head)
    }

    /// Leaves out near-duplicates. Returns how many of the first `n_head` are left.
    fn dedupe(&mut self, units: &mut Vec<Unit>, n_head: usize) -> usize {
        let texts: Vec<&str> = units.iter().map(|it| it.chunk.urtext.as_str()).collect();
        let repeated = post::dedupe(&texts);
        let ids: Vec<ChunkId> = units.iter().map(|it| it.chunk.chunk.id).collect();
        for (at, original) in repeated.iter().enumerate() {
            if let Some(original) = original {
                units[*original].duplicates.push(ids[at]);
            }
        }
        let n_in = units.len();
        let mut flags = repeated.iter().map(Option::is_none);
        units.retain(|_| flags.next().unwrap_or(true));
        self.count("dedupe", n_in, units.len());
        repeated[..n_head].iter().filter(|it| it.is_none()).count()
    }

    fn mmr(&mut self, units: &mut Vec<Unit>, n_head: usize, lambda: f32) -> Result<(), SearchError> {
        let vector = self.store.vector().ok_or(SearchError::Unsupported { capability: "vector" })?;
        let n_head = n_head.min(post::MAX_DIVERSIFIED);
        let rows: Vec<Row> = units[..n_head].iter().map(|it| it.ranked.row).collect();
        let vectors = vector.vectors_of(&rows)?.into_iter().map(|it| it.map(Vector::into_unit));
        let vectors: Vec<Option<Vector>> = vectors.collect();
        let scores: Vec<f32> = units[..n_head].iter().map(|it| it.ranked.score).collect();
        let similarity = |a: usize, b: usize| match (&vectors[a], &vectors[b]) {
            (Some(a), Some(b)) => a.as_ref().dot(b.as_ref()),
            _ => 0.0,
        };
        let order = post::mmr(&relevance(&scores), similarity, lambda);
        let tail = units.split_off(n_head);
        let mut head: Vec<Option<Unit>> = units.drain(..).map(Some).collect();
        units.extend(order.into_iter().filter_map(|at| head[at].take()));
        units.extend(tail);
        self.count("mmr", units.len(), units.len());
        Ok(())
    }

    fn limit<K: Eq + std::hash::Hash>(
        &mut self,
        stage: &'static str,
        units: &mut Vec<Unit>,
        n: usize,
        key: impl Fn(&Unit) -> K,
    ) {
        let kept = post::limit(&units.iter().map(key).collect::<Vec<_>>(), n);
        let n_in = units.len();
        let (mut at, mut next) = (0, kept.iter().peekable());
        units.retain(|_| {
            at += 1;
            next.next_if_eq(&&(at - 1)).is_some()
        });
        self.count(stage, n_in, units.len());
    }

    fn merge(&mut self, units: Vec<Unit>, k: usize) -> Result<Vec<Unit>, SearchError> {
        let spots: Vec<Spot> = units
            .iter()
            .map(|it| Spot { document: it.chunk.document, section: it.chunk.chunk.section })
            .collect();
        let groups = post::merge(&spots, k, &mut self.trees)?;
        let n_in = groups.iter().map(|it| it.members.len()).sum();
        let ids: Vec<ChunkId> = units.iter().map(|it| it.chunk.chunk.id).collect();
        let mut units: Vec<Option<Unit>> = units.into_iter().map(Some).collect();
        let mut merged = Vec::with_capacity(groups.len());
        for Group { section, members } in groups {
            // A group has members, and each unit belongs to one group.
            let Some(mut unit) = members.first().and_then(|&at| units[at].take()) else { continue };
            if let Some((document, section)) = section {
                let n_chunks = self.trees.n_chunks(document, section)?.unwrap_or(members.len());
                for &at in &members[1..] {
                    let more = units[at].take();
                    unit.duplicates.extend(more.into_iter().flat_map(|it| it.duplicates));
                }
                let chunks = members.iter().map(|&at| ids[at]).collect();
                unit.merged = Some(MergedUnit { document, section, chunks, n_chunks });
            }
            merged.push(unit);
        }
        self.count("auto_merge", n_in, merged.len());
        Ok(merged)
    }
}

/// Scores of one scale, best first, as 0 to 1: over the best where none is negative (cosines, BM25, fused scores, all of
/// which have their zero), else from the worst to the best (a reranker's).
fn relevance(scores: &[f32]) -> Vec<f32> {
    let high = scores.iter().copied().fold(f32::MIN, f32::max);
    let low = scores.iter().copied().fold(0.0, f32::min);
    let range = high - low;
    scores.iter().map(|it| if range > 0.0 { (it - low) / range } else { 1.0 }).collect()
}

/// The section trees of documents, each read once.
struct Trees<'a> {
    store: &'a dyn Store,
    /// What the request's scope lets pass.
    rows: Option<&'a RowSet>,
    sections: BTreeMap<i64, Vec<StoredSection>>,
}

impl Trees<'_> {
    fn sections(&mut self, document: i64) -> Result<&[StoredSection], StoreError> {
        if !self.sections.contains_key(&document) {
            let sections = self.store.sections(document)?;
            self.sections.insert(document, sections);
        }
        Ok(self.sections.get(&document).map_or(&[], Vec::as_slice))
    }
}

impl Tree for Trees<'_> {
    type Error = StoreError;

    fn parent(&mut self, document: i64, section: usize) -> Result<Option<usize>, StoreError> {
        Ok(self.sections(document)?.get(section).and_then(|it| it.section.parent))
    }

    fn n_chunks(&mut self, document: i64, section: usize) -> Result<Option<usize>, StoreError> {
        let sections = self.sections(document)?;
        let Some(it) = sections.get(section) else { return Ok(None) };
        if it.section.span.len() > MAX_MERGED_BYTES {
            return Ok(None);
        }
        let span = it.section.span;
        let below = sections[section + 1..].iter().take_while(|other| other.section.depth > it.section.depth);
        let n_chunks = it.n_chunks + below.map(|it| it.n_chunks).sum::<usize>();
        if let Some(rows) = self.rows
            && !self.store.chunks_at(document, span)?.iter().all(|it| rows.contains(it.row))
        {
            // A part of it must not be shown.
            return Ok(None);
        }
        Ok(Some(n_chunks))
    }
}

/// How long a reranker may take where nothing else is asked for. Chosen: longer than anyone at a terminal waits gladly.
pub const DEFAULT_RERANK_BUDGET: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relevance_lies_between_0_and_1() {
        let check = |scores: &[f32], expected: &[f32]| assert_eq!(relevance(scores), expected, "{scores:?}");
        check(&[0.8, 0.4, 0.0], &[1.0, 0.5, 0.0]);
        check(&[4.0, 0.0, -4.0], &[1.0, 0.5, 0.0]);
        check(&[1.0, 1.0], &[1.0, 1.0]);
        check(&[0.0], &[1.0]);
        check(&[], &[]);
    }
}
