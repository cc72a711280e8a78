//! Fusing two rankings into one. Pure.

use std::collections::BTreeMap;

use crate::store::Row;

/// How two rankings become one. Each gives a chunk a part of 0 to 1 for its place in either list; the fused score is
/// `weight * vector part + (1 - weight) * text part`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FusionKind {
    /// Scores over their list's best, so that the best is 1; a negative cosine, and a chunk without any of the words, count
    /// 0 (the theoretical minimum of Bruch et al., "An Analysis of Fusion Functions for Hybrid Retrieval", 2023). One weak
    /// list does little harm.
    #[default]
    Convex,
    /// Reciprocal ranks, `1 / (60 + rank)` (Cormack et al., 2009), each counted twice, so that with a weight of one half the
    /// sum is the paper's. Deaf to scores; ruined by one weak list.
    Rrf,
    /// Relative scores: from the list's worst (0) to its best (1), as Weaviate does. What stands behind a list's end has 0.
    Rsf,
    /// Distribution-based scores: from three standard deviations below the list's mean (0) to three above (1), as Qdrant
    /// does; what stands outside has 0 or 1.
    Dbsf,
}

impl FusionKind {
    /// Every kind, the default first.
    pub const ALL: [Self; 4] = [Self::Convex, Self::Rrf, Self::Rsf, Self::Dbsf];

    /// The name used in flags.
    pub fn name(self) -> &'static str {
        match self {
            Self::Convex => "convex",
            Self::Rrf => "rrf",
            Self::Rsf => "rsf",
            Self::Dbsf => "dbsf",
        }
    }

    /// The vector list's weight where none is asked for: reciprocal ranks weigh both lists alike, the others as
    /// `of_model` (see [`Embedder::fusion_weight`](crate::embed::Embedder::fusion_weight)) says.
    pub fn default_weight(self, of_model: f32) -> f32 {
        if self == Self::Rrf { 0.5 } else { of_model }
    }
}

/// A way to fuse, with its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fusion {
    /// How.
    pub kind: FusionKind,
    /// Weight of the vector list, 0 to 1.
    pub weight: f32,
}

/// The constant of reciprocal rank fusion, from the paper.
pub const RRF_K: f32 = 60.0;

/// One chunk in the fused list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fused {
    /// The chunk.
    pub row: Row,
    /// Fused score; its scale depends on the fusion.
    pub score: f32,
    /// 1-based rank in the vector list.
    pub vector_rank: Option<usize>,
    /// Cosine, or what a sparse model has instead.
    pub vector: Option<f32>,
    /// 1-based rank in the text list.
    pub text_rank: Option<usize>,
    /// Raw BM25.
    pub text: Option<f32>,
}

impl Fused {
    fn new(row: Row) -> Self {
        Self { row, score: 0.0, vector_rank: None, vector: None, text_rank: None, text: None }
    }
}

/// A ranking, and the same kind of score for what only the other ranking found.
///
/// A chunk that one list finds would otherwise lose all of the other's score for standing just behind its end, and the
/// order would depend on how long the lists are: SciFact's nDCG@10 was .696 with lists of 100 and .688 with lists of 200.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scored {
    /// Best first.
    pub ranked: Vec<(Row, f32)>,
    /// In any order.
    pub others: Vec<(Row, f32)>,
}

/// How the scores of one list become parts of 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Over the best score.
    Best(f32),
    /// From one score (0) to another (1).
    Between {
        /// Becomes 0.
        low: f32,
        /// Becomes 1.
        high: f32,
    },
    /// By rank: `2 / (60 + rank)`.
    Rank,
}

impl Scale {
    fn of(kind: FusionKind, list: &[(Row, f32)]) -> Self {
        let scores = || list.iter().map(|&(_, score)| score);
        match kind {
            FusionKind::Convex => Self::Best(scores().fold(0.0, f32::max)),
            FusionKind::Rrf => Self::Rank,
            FusionKind::Rsf => Self::Between {
                low: scores().fold(f32::INFINITY, f32::min),
                high: scores().fold(f32::NEG_INFINITY, f32::max),
            },
            FusionKind::Dbsf => {
                let n = list.len().max(1) as f64;
                let mean = scores().map(f64::from).sum::<f64>() / n;
                let variance = scores().map(|it| (f64::from(it) - mean).powi(2)).sum::<f64>() / n;
                let reach = 3.0 * variance.sqrt();
                Self::Between { low: (mean - reach) as f32, high: (mean + reach) as f32 }
            }
        }
    }

    /// The part of a score at a rank (`None`: behind the list's end), 0 to 1.
    pub fn part(self, score: f32, rank: Option<usize>) -> f32 {
        match self {
            Self::Best(best) if best > 0.0 => (score / best).clamp(0.0, 1.0),
            Self::Best(_) => 0.0,
            Self::Between { low, high } if low < high => ((score - low) / (high - low)).clamp(0.0, 1.0),
            // All scores are equal: as good as the best where they say anything.
            Self::Between { .. } => {
                if score > 0.0 {
                    1.0
                } else {
                    0.0
                }
            }
            Self::Rank => rank.map_or(0.0, |rank| 2.0 / (RRF_K + rank as f32)),
        }
    }
}

/// A fusion with the scales of the two lists that it fused: all that it takes to work out a fused score again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// How.
    pub fusion: Fusion,
    /// Scale of the vector list.
    pub vector: Scale,
    /// Scale of the text list.
    pub text: Scale,
}

impl Blend {
    /// The scales that `fusion` gives these lists.
    pub fn of(vector: &Scored, text: &Scored, fusion: Fusion) -> Self {
        let scale = |list: &Scored| Scale::of(fusion.kind, &list.ranked);
        Self { fusion, vector: scale(vector), text: scale(text) }
    }
}

/// Fuses two rankings into one: best first, ties by row.
///
/// ```
/// use ragctl::search::{Fusion, FusionKind, Scored, fuse};
///
/// let vector = Scored { ranked: vec![(1, 0.9), (2, 0.5)], others: vec![(3, 0.3)] };
/// let text = Scored { ranked: vec![(2, 8.0), (3, 2.0)], others: vec![] };
/// let (fused, _) = fuse(&vector, &text, Fusion { kind: FusionKind::Convex, weight: 0.5 });
/// assert_eq!(fused.iter().map(|it| it.row).collect::<Vec<_>>(), [2, 1, 3]);
/// assert_eq!(fused[1].score, 0.5);
/// assert_eq!((fused[2].vector_rank, fused[2].vector, fused[2].text_rank), (None, Some(0.3), Some(2)));
/// ```
pub fn fuse(vector: &Scored, text: &Scored, fusion: Fusion) -> (Vec<Fused>, Blend) {
    let mut fused: BTreeMap<Row, Fused> = BTreeMap::new();
    let blend = Blend::of(vector, text, fusion);
    let ranks = |list: &Scored| {
        let ranked = list.ranked.iter().enumerate().map(|(at, &(row, score))| (Some(at + 1), row, score));
        let others = list.others.iter().map(|&(row, score)| (None, row, score));
        ranked.chain(others).collect::<Vec<_>>()
    };
    for (rank, row, score) in ranks(vector) {
        let it = fused.entry(row).or_insert_with(|| Fused::new(row));
        (it.vector_rank, it.vector) = (rank, Some(score));
        it.score += fusion.weight * blend.vector.part(score, rank);
    }
    for (rank, row, score) in ranks(text) {
        let it = fused.entry(row).or_insert_with(|| Fused::new(row));
        (it.text_rank, it.text) = (rank, Some(score));
        it.score += (1.0 - fusion.weight) * blend.text.part(score, rank);
    }
    let mut fused: Vec<Fused> = fused.into_values().collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.row.cmp(&b.row)));
    (fused, blend)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(fused: &[Fused]) -> Vec<Row> {
        fused.iter().map(|it| it.row).collect()
    }

    fn ranked(list: &[(Row, f32)]) -> Scored {
        Scored { ranked: list.to_vec(), others: Vec::new() }
    }

    fn convex(weight: f32) -> Fusion {
        Fusion { kind: FusionKind::Convex, weight }
    }

    #[test]
    fn one_list_alone_keeps_its_order() {
        let list = ranked(&[(4, 3.0), (2, 2.0), (9, 1.0)]);
        for kind in FusionKind::ALL {
            let fusion = Fusion { kind, weight: 0.1 };
            assert_eq!(rows(&fuse(&list, &Scored::default(), fusion).0), [4, 2, 9]);
            assert_eq!(rows(&fuse(&Scored::default(), &list, fusion).0), [4, 2, 9]);
            assert_eq!(fuse(&Scored::default(), &Scored::default(), fusion).0, []);
        }
    }

    #[test]
    fn a_small_weight_only_breaks_near_ties() {
        let text = ranked(&[(1, 10.0), (2, 9.9), (3, 1.0)]);
        // Row 2 makes good its tenth of a point in the text list; row 3 does not.
        let vector = ranked(&[(3, 0.9), (2, 0.8), (1, 0.1)]);
        assert_eq!(rows(&fuse(&vector, &text, convex(0.1)).0), [2, 1, 3]);
    }

    #[test]
    fn ranks_and_raw_scores_are_kept() {
        let it = fuse(&ranked(&[(1, 0.5)]), &ranked(&[(1, 7.0)]), convex(0.4)).0[0];
        assert_eq!(
            (it.vector_rank, it.vector, it.text_rank, it.text),
            (Some(1), Some(0.5), Some(1), Some(7.0))
        );
        assert_eq!(it.score, 1.0);
    }

    #[test]
    fn where_a_list_ends_changes_no_convex_score() {
        let (vector, text) = ([(1, 0.9), (2, 0.8), (3, 0.7)], ranked(&[(3, 4.0), (1, 2.0)]));
        let long = fuse(&ranked(&vector), &text, convex(0.3)).0;
        let short = Scored { ranked: vector[..2].to_vec(), others: vector[2..].to_vec() };
        let short = fuse(&short, &text, convex(0.3)).0;
        let scores = |fused: &[Fused]| fused.iter().map(|it| (it.row, it.score)).collect::<Vec<_>>();
        assert_eq!(scores(&long), scores(&short));
    }

    #[test]
    fn each_kind_worked_by_hand() {
        let vector = ranked(&[(1, 0.8), (2, 0.6), (3, 0.4)]);
        let text = Scored { ranked: vec![(2, 9.0), (3, 3.0)], others: vec![(1, 1.0)] };
        let check = |kind: FusionKind, expected: [f32; 3]| {
            let mut fused = fuse(&vector, &text, Fusion { kind, weight: 0.5 }).0;
            fused.sort_by_key(|it| it.row);
            for (it, expected) in fused.iter().zip(expected) {
                assert!((it.score - expected).abs() < 1e-5, "{kind:?}: {it:?}, not {expected}");
            }
        };
        check(FusionKind::Convex, [0.5 + 0.5 / 9.0, 0.375 + 0.5, 0.25 + 1.5 / 9.0]);
        // The classical sum of reciprocal ranks; behind the end of a list there is no rank.
        check(FusionKind::Rrf, [1.0 / 61.0, 1.0 / 62.0 + 1.0 / 61.0, 1.0 / 63.0 + 1.0 / 62.0]);
        check(FusionKind::Rsf, [0.5, 0.25 + 0.5, 0.0]);
        // Vector: mean 0.6, deviation sqrt(0.08 / 3); text: mean 6, deviation 3.
        let reach = 3.0 * (0.08f32 / 3.0).sqrt();
        let of_text = |score: f32| (score + 3.0) / 18.0;
        let of_vector = |score: f32| (score - 0.6 + reach) / (2.0 * reach);
        check(
            FusionKind::Dbsf,
            [
                0.5 * of_vector(0.8) + 0.5 * of_text(1.0),
                0.5 * of_vector(0.6) + 0.5 * of_text(9.0),
                0.5 * of_vector(0.4) + 0.5 * of_text(3.0),
            ],
        );
    }

    /// Two rankings over the same few rows, each with what only the other one found.
    fn lists() -> impl Strategy<Value = (Scored, Scored)> {
        let list = |low: f32, high: f32| prop::collection::btree_map(0u32..12, low..high, 0..12);
        (list(-1.0, 1.0), list(0.0, 20.0), 0usize..12, 0usize..12).prop_map(
            |(vector, text, n_vector, n_text)| {
                let split = |list: &BTreeMap<Row, f32>, n: usize| {
                    let mut all: Vec<(Row, f32)> = list.iter().map(|(&row, &score)| (row, score)).collect();
                    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
                    let others = all.split_off(n.min(all.len()));
                    Scored { ranked: all, others }
                };
                (split(&vector, n_vector), split(&text, n_text))
            },
        )
    }

    fn kinds() -> impl Strategy<Value = FusionKind> {
        prop::sample::select(FusionKind::ALL.to_vec())
    }

    proptest! {
        #[test]
        fn the_order_of_what_stands_behind_a_list_does_not_matter(
            (vector, text) in lists(), kind in kinds(), weight in 0.0f32..=1.0,
        ) {
            let turned = |list: &Scored| {
                Scored { others: list.others.iter().rev().copied().collect(), ..list.clone() }
            };
            let fusion = Fusion { kind, weight };
            prop_assert_eq!(fuse(&vector, &text, fusion), fuse(&turned(&vector), &turned(&text), fusion));
        }

        #[test]
        fn both_lists_are_treated_alike((vector, text) in lists(), kind in kinds(), weight in 0.0f32..=1.0) {
            let scores = |fused: Vec<Fused>| fused.into_iter().map(|it| (it.row, it.score)).collect::<BTreeMap<_, _>>();
            let (one, _) = fuse(&vector, &text, Fusion { kind, weight });
            let (other, _) = fuse(&text, &vector, Fusion { kind, weight: 1.0 - weight });
            let (one, other) = (scores(one), scores(other));
            prop_assert!(one.keys().eq(other.keys()));
            for (row, score) in one {
                prop_assert!((score - other[&row]).abs() < 1e-5);
            }
        }

        #[test]
        fn what_is_no_worse_in_both_lists_is_no_worse(
            (vector, text) in lists(), kind in kinds(), weight in 0.0f32..=1.0,
        ) {
            let (fused, _) = fuse(&vector, &text, Fusion { kind, weight });
            let no_worse = |a: Option<f32>, b: Option<f32>, a_rank: Option<usize>, b_rank: Option<usize>| {
                let ranks = b_rank.is_none() || a_rank.is_some_and(|it| it <= b_rank.unwrap_or(usize::MAX));
                ranks && a.is_some() && b.is_none_or(|b| a.unwrap_or(b) >= b)
            };
            for a in &fused {
                for b in &fused {
                    if no_worse(a.vector, b.vector, a.vector_rank, b.vector_rank)
                        && no_worse(a.text, b.text, a.text_rank, b.text_rank)
                    {
                        prop_assert!(a.score >= b.score - 1e-6, "{:?} {:?} {:?}", kind, a, b);
                    }
                }
            }
        }

        #[test]
        fn all_the_weight_on_one_list_gives_its_order((vector, text) in lists(), kind in kinds()) {
            for (list, weight) in [(&vector, 1.0), (&text, 0.0)] {
                let (fused, _) = fuse(&vector, &text, Fusion { kind, weight });
                let score = |row: Row| fused.iter().find(|it| it.row == row).map(|it| it.score).unwrap_or(-1.0);
                let scores: Vec<f32> = list.ranked.iter().map(|&(row, _)| score(row)).collect();
                prop_assert!(scores.is_sorted_by(|a, b| a >= b), "{:?} {:?}", kind, scores);
            }
        }

        #[test]
        fn a_fused_score_is_its_weighted_parts((vector, text) in lists(), kind in kinds(), weight in 0.0f32..=1.0) {
            let (fused, blend) = fuse(&vector, &text, Fusion { kind, weight });
            for it in fused {
                let part = |scale: Scale, score: Option<f32>, rank| score.map_or(0.0, |score| scale.part(score, rank));
                let parts = (part(blend.vector, it.vector, it.vector_rank), part(blend.text, it.text, it.text_rank));
                prop_assert!((0.0..=1.0).contains(&parts.0) && (0.0..=1.0).contains(&parts.1));
                prop_assert!((weight * parts.0 + (1.0 - weight) * parts.1 - it.score).abs() < 1e-6);
            }
        }
    }
}
