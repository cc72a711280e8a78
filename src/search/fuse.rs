//! Fusing two rankings into one. Pure.

use std::collections::BTreeMap;

use crate::store::Row;

/// How two rankings become one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fusion {
    /// `weight * minmax(vector) + (1 - weight) * minmax(text)`, each list scaled so that its best is 1 and its worst 0;
    /// a chunk that a list lacks gets 0 from it (Bruch et al., "An Analysis of Fusion Functions for Hybrid Retrieval",
    /// 2023). One weak list does little harm.
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
/// assert_eq!(fused.iter().map(|it| (it.row, it.score)).collect::<Vec<_>>(), [(1, 0.5), (2, 0.5), (3, 0.0)]);
/// ```
pub fn fuse(vector: &[(Row, f32)], text: &[(Row, f32)], fusion: Fusion) -> Vec<Fused> {
    let mut fused: BTreeMap<Row, Fused> = BTreeMap::new();
    let (vector_scale, text_scale) = (MinMax::of(vector), MinMax::of(text));
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

/// The range of a list's scores.
#[derive(Clone, Copy)]
struct MinMax {
    min: f32,
    max: f32,
}

impl MinMax {
    fn of(list: &[(Row, f32)]) -> Self {
        let scores = || list.iter().map(|&(_, score)| score);
        Self { min: scores().fold(f32::INFINITY, f32::min), max: scores().fold(f32::NEG_INFINITY, f32::max) }
    }

    /// `score` in 0 to 1; a list of equal scores is all best.
    fn scale(self, score: f32) -> f32 {
        if self.max > self.min { (score - self.min) / (self.max - self.min) } else { 1.0 }
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
        let vector = [(3, 0.9), (2, 0.8), (1, 0.1)];
        assert_eq!(rows(&fuse(&vector, &text, Fusion::Convex { weight: 0.1 })), [2, 1, 3]);
    }

    #[test]
    fn ranks_and_raw_scores_are_kept() {
        let fused = fuse(&[(1, 0.5)], &[(1, 7.0)], Fusion::Convex { weight: 0.4 });
        assert_eq!((fused[0].vector, fused[0].text, fused[0].score), (Some((1, 0.5)), Some((1, 7.0)), 1.0));
    }
}
