//! Fusing two rankings into one. Pure.

use std::collections::BTreeMap;

use crate::store::Row;

/// How two rankings become one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fusion {
    /// `weight * scaled(vector) + (1 - weight) * scaled(text)`, each score divided by its list's best, so that the best is
    /// 1; a negative cosine, and a chunk that the list lacks, count 0 (the theoretical minimum of Bruch et al., "An
    /// Analysis of Fusion Functions for Hybrid Retrieval", 2023). One weak list does little harm. Scaling from the
    /// list's own worst score instead puts hybrid below text on SciFact (nDCG@10 .688 to .690; this way .696).
    Convex {
        /// Weight of the vector list, 0 to 1.
        weight: f32,
    },
    /// Reciprocal rank fusion: the sum of `1 / (60 + rank)` (Cormack et al., 2009). Deaf to scores; ruined by one weak
    /// list.
    Rrf,
}

/// The constant of reciprocal rank fusion, from the paper.
const RRF_K: f32 = 60.0;

/// One chunk in the fused list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fused {
    /// The chunk.
    pub row: Row,
    /// Fused score; its scale depends on the fusion.
    pub score: f32,
    /// 1-based rank and raw score in the vector list.
    pub vector: Option<(usize, f32)>,
    /// 1-based rank and raw score in the text list.
    pub text: Option<(usize, f32)>,
}

/// Fuses two lists, each best first, into one: best first, ties by row.
///
/// ```
/// use ragctl::search::{fuse, Fusion};
///
/// let fused = fuse(&[(1, 0.9), (2, 0.5)], &[(2, 8.0), (3, 2.0)], Fusion::Convex { weight: 0.5 });
/// assert_eq!(fused.iter().map(|it| it.row).collect::<Vec<_>>(), [2, 1, 3]);
/// assert_eq!((fused[1].score, fused[2].score), (0.5, 0.125));
/// ```
pub fn fuse(vector: &[(Row, f32)], text: &[(Row, f32)], fusion: Fusion) -> Vec<Fused> {
    let mut fused: BTreeMap<Row, Fused> = BTreeMap::new();
    let (vector_scale, text_scale) = (Scale::of(vector), Scale::of(text));
    let empty = |row| Fused { row, score: 0.0, vector: None, text: None };
    for (at, &(row, score)) in vector.iter().enumerate() {
        let it = fused.entry(row).or_insert_with(|| empty(row));
        it.vector = Some((at + 1, score));
        it.score += match fusion {
            Fusion::Convex { weight } => weight * vector_scale.scale(score),
            Fusion::Rrf => 1.0 / (RRF_K + (at + 1) as f32),
        };
    }
    for (at, &(row, score)) in text.iter().enumerate() {
        let it = fused.entry(row).or_insert_with(|| empty(row));
        it.text = Some((at + 1, score));
        it.score += match fusion {
            Fusion::Convex { weight } => (1.0 - weight) * text_scale.scale(score),
            Fusion::Rrf => 1.0 / (RRF_K + (at + 1) as f32),
        };
    }
    let mut fused: Vec<Fused> = fused.into_values().collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.row.cmp(&b.row)));
    fused
}

/// The best score of a list.
#[derive(Clone, Copy)]
struct Scale {
    best: f32,
}

impl Scale {
    fn of(list: &[(Row, f32)]) -> Self {
        Self { best: list.iter().map(|&(_, score)| score).fold(0.0, f32::max) }
    }

    /// `score` in 0 to 1.
    fn scale(self, score: f32) -> f32 {
        if self.best > 0.0 { (score / self.best).max(0.0) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(fused: &[Fused]) -> Vec<Row> {
        fused.iter().map(|it| it.row).collect()
    }

    #[test]
    fn one_list_alone_keeps_its_order() {
        let list = [(4, 3.0), (2, 2.0), (9, 1.0)];
        for fusion in [Fusion::Convex { weight: 0.1 }, Fusion::Rrf] {
            assert_eq!(rows(&fuse(&list, &[], fusion)), [4, 2, 9]);
            assert_eq!(rows(&fuse(&[], &list, fusion)), [4, 2, 9]);
        }
        assert_eq!(fuse(&[], &[], Fusion::Rrf), []);
    }

    #[test]
    fn a_small_weight_only_breaks_near_ties() {
        let text = [(1, 10.0), (2, 9.9), (3, 1.0)];
        // Row 2 makes good its tenth of a point in the text list; row 3 does not.
        let vector = [(3, 0.9), (2, 0.8), (1, 0.1)];
        assert_eq!(rows(&fuse(&vector, &text, Fusion::Convex { weight: 0.1 })), [2, 1, 3]);
    }

    #[test]
    fn ranks_and_raw_scores_are_kept() {
        let fused = fuse(&[(1, 0.5)], &[(1, 7.0)], Fusion::Convex { weight: 0.4 });
        assert_eq!((fused[0].vector, fused[0].text, fused[0].score), (Some((1, 0.5)), Some((1, 7.0)), 1.0));
    }
}
