//! Groups of clauses: which rows match, and their scores.
//!
//! A group is evaluated segment by segment into a bit and a score for every document of the segment. Adding to the scores
//! in the order of the query is what makes sums, and so ties, independent of segments, and it is faster than merging
//! postings by document.

use tantivy::{DocId, SegmentReader, columnar::Column};

use super::{
    expand::MAX_TOKENS,
    leaf::{Context, PreparedLeaf},
    plan::{Leaf, Lookup, Part, Plan},
    schema::{Fields, TextField},
    score::{Eligible, K1, RowBits},
};
use crate::query::Occur;

/// A segment with what evaluation needs of it.
pub(super) struct SegmentScope<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) fields: &'a Fields,
    pub(super) segment: &'a SegmentReader,
    /// Its place among the segments.
    pub(super) number: usize,
    pub(super) eligible: &'a Eligible,
    /// The documents' rows.
    pub(super) rows: &'a Column<u64>,
}

/// A bit for every document of a segment.
#[derive(Clone)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    fn new(n_docs: u32, value: bool) -> Self {
        Self(vec![if value { u64::MAX } else { 0 }; (n_docs as usize).div_ceil(64)])
    }

    pub(super) fn contains(&self, doc: DocId) -> bool {
        self.0[doc as usize / 64] >> (doc % 64) & 1 == 1
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn insert(&mut self, doc: DocId) {
        self.0[doc as usize / 64] |= 1 << (doc % 64);
    }

    fn each(&mut self, other: &Self, combine: impl Fn(u64, u64) -> u64) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own = combine(*own, *other));
    }
}

/// A plan with its lookups in the index.
pub(super) struct Group<'a> {
    /// With the factor of each score.
    scored: Vec<(PreparedLeaf, f32)>,
    must: Vec<PreparedLeaf>,
    must_not: Vec<PreparedLeaf>,
    parts: Vec<(Occur, PreparedPart<'a>)>,
    boost: f32,
}

enum PreparedPart<'a> {
    Group(Group<'a>),
    Rows(RowBits<'a>, f32),
    Present(TextField, f32),
    All(f32),
}

impl<'a> Group<'a> {
    /// Looks everything up; adds to `cut_patterns` what stands for too many tokens.
    pub(super) fn new(
        context: &Context<'_>,
        plan: &'a Plan,
        cut_patterns: &mut Vec<String>,
    ) -> tantivy::Result<Self> {
        let mut prepare = |lookup: &Lookup| {
            let leaf = PreparedLeaf::new(context, lookup)?;
            if let (true, Leaf::Pattern(pattern)) = (leaf.is_cut, &lookup.leaf) {
                let shown = pattern.shown();
                if !cut_patterns.contains(&shown) {
                    cut_patterns.push(shown);
                }
            }
            tantivy::Result::Ok(leaf)
        };
        let must = plan.must.iter().map(&mut prepare).collect::<tantivy::Result<_>>()?;
        let must_not = plan.must_not.iter().map(&mut prepare).collect::<tantivy::Result<_>>()?;
        let mut scored = Vec::with_capacity(plan.scored.len());
        for (lookup, weight) in &plan.scored {
            let leaf = prepare(lookup)?;
            let factor = weight * leaf.idf * (K1 + 1.0);
            scored.push((leaf, factor));
        }
        let mut parts = Vec::with_capacity(plan.parts.len());
        for (occur, part) in &plan.parts {
            let part = match part {
                Part::Group(plan) => PreparedPart::Group(Self::new(context, plan, cut_patterns)?),
                Part::Rows(rows, score) => PreparedPart::Rows(RowBits::new(rows), *score),
                Part::Present(field, score) => PreparedPart::Present(*field, *score),
                Part::All(score) => PreparedPart::All(*score),
            };
            parts.push((*occur, part));
        }
        Ok(Self { scored, must, must_not, parts, boost: plan.boost })
    }

    /// The documents that match, and a score for each document, which means something only for those. Documents that are
    /// not eligible may match or not.
    ///
    /// `scratch` holds a zero for every document and does so again afterwards.
    pub(super) fn evaluate(
        &self,
        scope: &SegmentScope<'_>,
        scratch: &mut [f32],
    ) -> tantivy::Result<(Bits, Vec<f32>)> {
        let n_docs = scope.segment.max_doc();
        let mut scores = vec![0f32; n_docs as usize];
        let mut required: Option<Bits> = None;
        let bits_of = |leaf: &PreparedLeaf, scratch: &mut [f32]| {
            let mut bits = Bits::new(n_docs, false);
            for (doc, _) in leaf.frequencies(scope.context, scope.number, scope.eligible, scratch)? {
                bits.insert(doc);
            }
            tantivy::Result::Ok(bits)
        };
        for leaf in &self.must {
            let both = intersection(required, bits_of(leaf, scratch)?);
            if both.is_empty() {
                return Ok((both, scores));
            }
            required = Some(both);
        }
        let mut found = Bits::new(n_docs, false);
        for (leaf, factor) in &self.scored {
            for (doc, t) in leaf.frequencies(scope.context, scope.number, scope.eligible, scratch)? {
                scores[doc as usize] += factor * t / (K1 + t);
                found.insert(doc);
            }
        }
        let mut excluded = Bits::new(n_docs, false);
        for leaf in &self.must_not {
            excluded.each(&bits_of(leaf, scratch)?, |own, other| own | other);
        }
        for (occur, part) in &self.parts {
            let (bits, part_scores) = part.evaluate(scope, scratch)?;
            if *occur == Occur::MustNot {
                excluded.each(&bits, |own, other| own | other);
                continue;
            }
            for (doc, score) in (0..).zip(&mut scores) {
                if bits.contains(doc) {
                    *score += part_scores.of(doc);
                }
            }
            match occur {
                Occur::Must => required = Some(intersection(required, bits)),
                _ => found.each(&bits, |own, other| own | other),
            }
        }
        let has_positive =
            !self.scored.is_empty() || self.parts.iter().any(|(occur, _)| *occur != Occur::MustNot);
        let mut matched = match required {
            Some(required) => required,
            None if has_positive => found,
            None => {
                scores.fill(self.boost);
                Bits::new(n_docs, true)
            }
        };
        matched.each(&excluded, |own, other| own & !other);
        Ok((matched, scores))
    }
}

/// The documents of `bits` that are in `others` too, where there are others.
fn intersection(others: Option<Bits>, mut bits: Bits) -> Bits {
    if let Some(others) = others {
        bits.each(&others, |own, other| own & other);
    }
    bits
}

/// The scores of a part.
enum Scores {
    Each(Vec<f32>),
    Same(f32),
}

impl Scores {
    fn of(&self, doc: DocId) -> f32 {
        match self {
            Self::Each(scores) => scores[doc as usize],
            Self::Same(score) => *score,
        }
    }
}

impl PreparedPart<'_> {
    fn evaluate(&self, scope: &SegmentScope<'_>, scratch: &mut [f32]) -> tantivy::Result<(Bits, Scores)> {
        let n_docs = scope.segment.max_doc();
        let select = |is_in: &dyn Fn(DocId) -> bool| {
            let mut bits = Bits::new(n_docs, false);
            (0..n_docs).filter(|&doc| is_in(doc)).for_each(|doc| bits.insert(doc));
            bits
        };
        Ok(match self {
            Self::Group(group) => {
                let (bits, scores) = group.evaluate(scope, scratch)?;
                (bits, Scores::Each(scores))
            }
            Self::Rows(rows, score) => {
                let is_in = |doc| scope.rows.first(doc).is_some_and(|row| rows.contains(row as u32));
                (select(&is_in), Scores::Same(*score))
            }
            Self::Present(field, score) => {
                let lengths = scope.segment.get_fieldnorms_reader(scope.fields.text[*field as usize])?;
                (select(&|doc| lengths.fieldnorm_id(doc) > 0), Scores::Same(*score))
            }
            Self::All(score) => (Bits::new(n_docs, true), Scores::Same(*score)),
        })
    }
}

/// The message about a pattern that stands for too many tokens.
pub(super) fn cut_note(pattern: &str) -> String {
    format!(
        "'{pattern}' stands for more than {MAX_TOKENS} words; only the first of them, by alphabet, are searched for"
    )
}
