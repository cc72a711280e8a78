//! Scoring: BM25F over the fields and forms of a word, added up leaf by leaf.
//!
//! For a leaf found `tf` times in field `f` of length `l`,
//!
//! `t = sum over f of weight(f) * tf / (1 - b(f) + b(f) * l / mean(l))`, and
//! `score = idf * (k1 + 1) * t / (K1 + t)`, with `idf = ln(1 + (N - n + 0.5) / (n + 0.5))`
//!
//! where `n` is the number of rows with the most frequent of the leaf's forms. With one field of weight 1 this is
//! Lucene's BM25.
//!
//! The constants here and in [`super::plan`] are tuned on labelled sets that were indexed as `ingest` does it (one
//! document a file, its title as document title, section and heading, titles added to the text). nDCG@10:
//!
//! | | SciFact | Cranfield | ADI | anthropic-docs | XQuAD en |
//! | --- | --- | --- | --- | --- | --- |
//! | as it is (exact 0.3, section 2, k1 1.6) | .699 | .395 | .494 | .742 | .972 |
//! | exact 0.1 | .698 | .396 | .499 | .740 | .972 |
//! | exact 0.4 | .701 | .395 | .498 | .742 | .973 |
//! | section 1, k1 1.2 | .699 | .393 | .497 | .735 | .973 |
//! | title 0.5, k1 2.0 | .694 | .399 | .499 | .748 | .972 |
//! | no titles added to the text | .698 | .395 | .516 | .736 | .972 |
//!
//! XQuAD de .934, zh .962, ar .919, ru .953. Exact 0.1 and k1 2.0 lose identifiers of the `needles` set.

use std::{cmp::Reverse, collections::BinaryHeap};

use tantivy::{DocId, SegmentReader};

use super::{
    group::{Group, SegmentScope},
    leaf::Context,
    plan::Plan,
    schema::{Fields, N_TEXT_FIELDS, TextField, rows_of},
    statistics::Statistics,
};
use crate::store::embedded::rows::RowSet;

/// Saturation of repeated words. A word's fields and forms add up before it applies, so it is higher than Lucene's 1.2.
pub(super) const K1: f32 = 1.6;

/// How a field counts.
#[derive(Debug)]
pub(super) struct FieldWeight {
    /// The field.
    pub(super) field: TextField,
    /// Weight of the form as written.
    pub(super) exact: f32,
    /// Weight of the stem.
    pub(super) stem: f32,
    /// How much length matters, 0 to 1.
    pub(super) b: f32,
}

/// Weight of the form as written, beside the stem's.
const EXACT: f32 = 0.3;

/// Weight of a term where it is defined. Chosen: as a section's title, once; at 1 to 4 the same needles are found.
const DEFINED: f32 = 2.0;

/// The weights, tuned on the table above. A section's title says more about a chunk than its document's title, which all
/// chunks of the document share.
pub(super) const FIELD_WEIGHTS: [FieldWeight; N_TEXT_FIELDS] = [
    FieldWeight { field: TextField::Exact, exact: EXACT, stem: 0.0, b: 0.75 },
    FieldWeight { field: TextField::Stem, exact: 0.0, stem: 1.0, b: 0.75 },
    FieldWeight { field: TextField::Title, exact: EXACT, stem: 1.0, b: 0.5 },
    FieldWeight { field: TextField::Section, exact: 2.0 * EXACT, stem: 2.0, b: 0.5 },
    FieldWeight { field: TextField::Uri, exact: 0.3 * EXACT, stem: 0.3, b: 0.5 },
    FieldWeight { field: TextField::Defined, exact: DEFINED, stem: 0.0, b: 0.0 },
];

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Best {
    /// Rows with their scores, best first.
    pub(super) rows: Vec<(u32, f32)>,
    /// Patterns that stand for more tokens than were looked up.
    pub(super) cut_patterns: Vec<String>,
}

/// Finds the best `k` rows of `plan`; see [`super::TextIndex::search`].
pub(super) fn search(
    segments: &[SegmentReader],
    fields: &Fields,
    statistics: &Statistics,
    plan: &Plan,
    k: usize,
    filter: Option<&RowSet>,
) -> tantivy::Result<Best> {
    if k == 0 || plan.is_empty() {
        return Ok(Best::default());
    }
    let context = Context::new(segments, fields, statistics);
    let mut cut_patterns = Vec::new();
    let group = Group::new(&context, plan, &mut cut_patterns)?;
    let filter = filter.map(RowBits::new);
    let mut best = Top::new(k);
    for (number, segment) in segments.iter().enumerate() {
        let rows = rows_of(segment)?;
        let row_of = |doc| rows.first(doc).map_or(u32::MAX, |row| row as u32);
        let eligible = Eligible::new(segment, filter.as_ref(), row_of);
        if eligible.n_docs == 0 {
            continue;
        }
        let scope =
            SegmentScope { context: &context, fields, segment, number, eligible: &eligible, rows: &rows };
        let mut scratch = vec![0f32; segment.max_doc() as usize];
        let (matched, scores) = group.evaluate(&scope, &mut scratch)?;
        for (doc, score) in (0..).zip(scores) {
            if matched.contains(doc) && best.may_take(score) && eligible.contains(doc) {
                best.take(score, row_of(doc));
            }
        }
    }
    Ok(Best { rows: best.into_rows(), cut_patterns })
}

/// The documents of a segment that may be found: living ones within the filter.
pub(super) struct Eligible {
    /// A bit a document; `None` for all.
    bits: Option<Vec<u64>>,
    pub(super) n_docs: u32,
}

impl Eligible {
    fn new(segment: &SegmentReader, filter: Option<&RowBits<'_>>, row_of: impl Fn(DocId) -> u32) -> Self {
        let alive = segment.alive_bitset();
        if alive.is_none() && filter.is_none() {
            return Self { bits: None, n_docs: segment.max_doc() };
        }
        let mut bits = vec![0u64; (segment.max_doc() as usize).div_ceil(64)];
        let mut n_docs = 0;
        for doc in 0..segment.max_doc() {
            let is_alive = alive.is_none_or(|alive| alive.is_alive(doc));
            if is_alive && filter.is_none_or(|filter| filter.contains(row_of(doc))) {
                bits[doc as usize / 64] |= 1 << (doc % 64);
                n_docs += 1;
            }
        }
        Self { bits: Some(bits), n_docs }
    }

    /// Whether a document may be found.
    pub(super) fn contains(&self, doc: DocId) -> bool {
        self.bits.as_ref().is_none_or(|bits| bits[doc as usize / 64] >> (doc % 64) & 1 == 1)
    }

    /// The eligible documents, when they are fewer than `limit`.
    pub(super) fn few(&self, limit: u32) -> Option<impl Iterator<Item = DocId> + '_> {
        let bits = self.bits.as_ref().filter(|_| self.n_docs < limit)?;
        Some((0..).zip(bits).flat_map(|(word, &bits)| {
            std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
                .take_while(|&bits| bits != 0)
                .map(move |bits| word * 64 + bits.trailing_zeros())
        }))
    }
}

/// A filter as plain bits, which are several times faster to ask for every document than a compressed set.
pub(super) struct RowBits<'a> {
    rows: &'a RowSet,
    first: u32,
    bits: Vec<u64>,
}

/// Widest filter that is unpacked, in rows: 2 MB of bits.
const MAX_UNPACKED_ROWS: u32 = 1 << 24;

impl<'a> RowBits<'a> {
    pub(super) fn new(rows: &'a RowSet) -> Self {
        let (first, last) = rows.bounds().unwrap_or((1, 0));
        let mut bits = Vec::new();
        if first <= last && last - first < MAX_UNPACKED_ROWS {
            bits.resize((last - first) as usize / 64 + 1, 0);
            for row in rows.iter() {
                let at = row - first;
                bits[at as usize / 64] |= 1u64 << (at % 64);
            }
        }
        Self { rows, first, bits }
    }

    pub(super) fn contains(&self, row: u32) -> bool {
        if self.bits.is_empty() {
            return self.rows.contains(row);
        }
        let Some(at) = row.checked_sub(self.first) else { return false };
        self.bits.get(at as usize / 64).is_some_and(|bits| bits >> (at % 64) & 1 == 1)
    }
}

/// The best rows so far. Scores are not negative, so their bits order as they do.
struct Top {
    k: usize,
    /// Worst first: low scores, then high rows.
    heap: BinaryHeap<Reverse<(u32, Reverse<u32>)>>,
}

impl Top {
    fn new(k: usize) -> Self {
        Self { k, heap: BinaryHeap::new() }
    }

    fn may_take(&self, score: f32) -> bool {
        self.heap.len() < self.k
            || self.heap.peek().is_some_and(|Reverse((worst, _))| score.to_bits() >= *worst)
    }

    fn take(&mut self, score: f32, row: u32) {
        self.heap.push(Reverse((score.to_bits(), Reverse(row))));
        if self.heap.len() > self.k {
            self.heap.pop();
        }
    }

    fn into_rows(self) -> Vec<(u32, f32)> {
        let sorted = self.heap.into_sorted_vec();
        sorted.into_iter().map(|Reverse((score, Reverse(row)))| (row, f32::from_bits(score))).collect()
    }
}
