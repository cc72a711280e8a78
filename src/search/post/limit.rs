//! At most so many hits of one document or section.

use std::collections::HashMap;
use std::hash::Hash;

/// The places of `keys` that are left when each key comes at most `n` times; the earliest stay.
///
/// ```
/// use ragctl::search::post::limit;
///
/// let documents = ["refunds", "refunds", "refunds", "eu-terms"];
/// assert_eq!(limit(&documents, 2), [0, 1, 3]);
/// ```
pub fn limit<K: Eq + Hash>(keys: &[K], n: usize) -> Vec<usize> {
    let mut seen: HashMap<&K, usize> = HashMap::new();
    let mut kept = Vec::new();
    for (at, key) in keys.iter().enumerate() {
        let count = seen.entry(key).or_default();
        *count += 1;
        if *count <= n {
            kept.push(at);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_earliest_of_each_key_stay() {
        assert_eq!(limit(&[1, 1, 2, 1, 2, 3], 1), [0, 2, 5]);
        assert_eq!(limit(&[1, 1, 2], 0), [0usize; 0]);
        assert_eq!(limit(&[0u8; 0], 3), [0usize; 0]);
    }

    proptest! {
        #[test]
        fn order_is_kept_and_nothing_is_left_out_without_need(keys in prop::collection::vec(0u8..4, 0..20), n in 1usize..5) {
            let kept = limit(&keys, n);
            prop_assert!(kept.is_sorted());
            for key in 0u8..4 {
                let count = |it: &dyn Fn(usize) -> bool| (0..keys.len()).filter(|&at| keys[at] == key && it(at)).count();
                prop_assert_eq!(count(&|at| kept.contains(&at)), count(&|_| true).min(n));
            }
        }
    }
}
