//! Maximal marginal relevance: good hits that differ from each other.

/// Candidates that are put in a new order; those behind keep theirs. Bounds the work, which grows with the square. Chosen: far
/// more than anyone reads, and a tenth of a second with 384 components.
pub const MAX_DIVERSIFIED: usize = 1_000;

/// The order of maximal marginal relevance (Carbonell and Goldstein, 1998): again and again the candidate with the highest
/// `lambda * relevance - (1 - lambda) * (highest similarity to those already taken)`; ties by place.
///
/// `relevance` is 0 to 1, one a candidate, best first; `similarity` is symmetric, at most 1. With `lambda` 1 the order stays
/// as it is, with 0 only the differences count. Returns every place once. Candidates behind the first [`MAX_DIVERSIFIED`]
/// stay where they are.
///
/// ```
/// use ragctl::search::post::mmr;
///
/// // The second is the first once more.
/// let similarity = |a: usize, b: usize| if a.max(b) == 1 { 1.0 } else { 0.1 };
/// assert_eq!(mmr(&[1.0, 0.9, 0.5], similarity, 0.5), [0, 2, 1]);
/// assert_eq!(mmr(&[1.0, 0.9, 0.5], similarity, 1.0), [0, 1, 2]);
/// ```
pub fn mmr(relevance: &[f32], similarity: impl Fn(usize, usize) -> f32, lambda: f32) -> Vec<usize> {
    let n_head = relevance.len().min(MAX_DIVERSIFIED);
    let mut left: Vec<usize> = (0..n_head).collect();
    let mut nearest = vec![f32::NEG_INFINITY; n_head];
    let mut order = Vec::with_capacity(relevance.len());
    while !left.is_empty() {
        let value = |at: usize| {
            let penalty = if order.is_empty() { 0.0 } else { nearest[at] };
            lambda * relevance[at] - (1.0 - lambda) * penalty
        };
        let mut best = 0;
        for place in 1..left.len() {
            // Strictly: of equals the earlier one.
            if value(left[place]).total_cmp(&value(left[best])).is_gt() {
                best = place;
            }
        }
        let taken = left.remove(best);
        order.push(taken);
        for &at in &left {
            nearest[at] = nearest[at].max(similarity(at, taken));
        }
    }
    order.extend(n_head..relevance.len());
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_first_is_the_most_relevant() {
        assert_eq!(mmr(&[], |_, _| 0.0, 0.5), [0usize; 0]);
        assert_eq!(mmr(&[0.7], |_, _| 0.0, 0.0), [0]);
        // Two of one kind, then one of another: the other kind comes second.
        let kinds = [0, 0, 1];
        let same = |a: usize, b: usize| if kinds[a] == kinds[b] { 0.95 } else { 0.2 };
        assert_eq!(mmr(&[1.0, 0.98, 0.6], same, 0.5), [0, 2, 1]);
        assert_eq!(mmr(&[1.0, 0.98, 0.6], same, 0.9), [0, 1, 2]);
    }

    proptest! {
        #[test]
        fn every_place_comes_once_and_lambda_1_changes_nothing(
            mut relevance in prop::collection::vec(0.0f32..1.0, 0..20),
            points in prop::collection::vec(-1.0f32..1.0, 20),
            lambda in 0.0f32..=1.0,
        ) {
            relevance.sort_by(|a, b| b.total_cmp(a));
            let similarity = |a: usize, b: usize| 1.0 - (points[a] - points[b]).abs() / 2.0;
            let mut order = mmr(&relevance, similarity, lambda);
            prop_assert!(order.first().is_none_or(|&it| lambda == 0.0 || relevance[it] == relevance[0]));
            order.sort_unstable();
            prop_assert!(order.into_iter().eq(0..relevance.len()));
            prop_assert!(mmr(&relevance, similarity, 1.0).into_iter().eq(0..relevance.len()));
        }
    }
}
