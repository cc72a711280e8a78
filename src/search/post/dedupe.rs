//! Near-duplicates: the same file stored twice, a page with another date in its foot.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault};

use rustc_hash::FxHasher;
use unicode_segmentation::UnicodeSegmentation as _;

/// Texts at least this similar are the same: Jaccard's index over runs of [`SHINGLE`] words. Chosen: a changed word in 60
/// (a date, a version) still makes duplicates, two answers of a list that share their frame do not.
pub const SIMILARITY: f64 = 0.9;

/// Words in a row that are compared as one.
const SHINGLE: usize = 3;

/// For each of `texts`, best first, the place of the earlier one that it repeats; `None` for those that repeat none. What is
/// repeated repeats nothing itself.
///
/// Two texts repeat each other when the sets of their runs of three words (case and everything between words left
/// out) have a Jaccard index of at least [`SIMILARITY`]; texts of fewer words when all their words are the same. Exact:
/// nothing is sampled. The work is near to linear, because only texts that share one of their rarest runs are compared.
///
/// ```
/// use ragctl::search::post::dedupe;
///
/// assert_eq!(dedupe(&["How to install", "how  to install!", "How to remove"]), [None, Some(0), None]);
/// ```
pub fn dedupe(texts: &[&str]) -> Vec<Option<usize>> {
    let mut sets: Vec<Vec<u64>> = texts.iter().map(|text| shingles(text)).collect();
    let mut counts: HashMap<u64, usize, BuildHasherDefault<FxHasher>> = HashMap::default();
    for &it in sets.iter().flatten() {
        *counts.entry(it).or_default() += 1;
    }
    // Two sets with a Jaccard index of at least t share one of the rarest n - ceil(t n) + 1 of either (Bayardo, Ma and Srikant,
    // "Scaling up all pairs similarity search", 2007).
    for set in &mut sets {
        set.sort_unstable_by_key(|it| (counts[it], *it));
    }
    let mut kept_by_shingle: HashMap<u64, Vec<usize>, BuildHasherDefault<FxHasher>> = HashMap::default();
    let mut kept_empty = None;
    let mut sorted: Vec<Vec<u64>> = sets.clone();
    sorted.iter_mut().for_each(|set| set.sort_unstable());
    let mut repeated = Vec::with_capacity(texts.len());
    for (at, set) in sets.iter().enumerate() {
        let n_rare =
            set.len() + 1 - ((SIMILARITY * set.len() as f64).ceil() as usize).max(1).min(set.len() + 1);
        let rare = &set[..n_rare.min(set.len())];
        let mut likely: Vec<usize> =
            rare.iter().filter_map(|it| kept_by_shingle.get(it)).flatten().copied().collect();
        likely.sort_unstable();
        likely.dedup();
        let original = match set.is_empty() {
            true => kept_empty,
            false => likely.into_iter().find(|&other| jaccard(&sorted[at], &sorted[other]) >= SIMILARITY),
        };
        if original.is_none() {
            rare.iter().for_each(|&it| kept_by_shingle.entry(it).or_default().push(at));
            kept_empty = kept_empty.or(set.is_empty().then_some(at));
        }
        repeated.push(original);
    }
    repeated
}

/// Hashes of the runs of words of a text, each once.
fn shingles(text: &str) -> Vec<u64> {
    let words: Vec<String> = text.unicode_words().map(str::to_lowercase).collect();
    let hasher = BuildHasherDefault::<FxHasher>::default();
    let mut hashes: Vec<u64> = if words.len() < SHINGLE {
        (!words.is_empty()).then(|| hasher.hash_one(&words)).into_iter().collect()
    } else {
        words.windows(SHINGLE).map(|run| hasher.hash_one(run)).collect()
    };
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// Jaccard's index of two ascending lists.
fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut n_shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, n_shared) = (i + 1, j + 1, n_shared + 1),
        }
    }
    f64::from(n_shared) / (a.len() + b.len() - n_shared as usize).max(1) as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbered(n: usize) -> String {
        (0..n).map(|it| format!("word{it} ")).collect()
    }

    #[test]
    fn a_text_that_is_there_twice_counts_once() {
        let long = numbered(200);
        let with_date = format!("{long}12 May 2026");
        let half_new = format!("{}{}", &long[..long.len() / 2], "other things are said here ".repeat(30));
        assert_eq!(
            dedupe(&[&long, &half_new, &with_date, &long, "short", "Short.", "", " \n", "短い文"]),
            [None, None, Some(0), Some(0), None, Some(4), None, Some(6), None]
        );
    }

    #[test]
    fn a_chain_of_small_changes_does_not_swallow_a_large_one() {
        // Each differs from the next by a little, the first from the last by a lot.
        let texts: Vec<String> = (0..6)
            .map(|n| (0..60).map(|it| format!("w{} ", if it < n * 2 { it + 1000 } else { it })).collect())
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let repeated = dedupe(&texts);
        assert_eq!(repeated[0], None);
        assert!(repeated.iter().flatten().all(|&it| repeated[it].is_none()), "{repeated:?}");
        assert!(repeated.iter().filter(|it| it.is_none()).count() > 1, "{repeated:?}");
    }

    proptest! {
        #[test]
        fn the_same_as_comparing_every_pair(words in prop::collection::vec(prop::collection::vec(0u8..6, 0..30), 0..8)) {
            let texts: Vec<String> =
                words.iter().map(|it| it.iter().map(|word| format!("w{word} ")).collect()).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let mut expected: Vec<Option<usize>> = Vec::new();
            for (at, text) in texts.iter().enumerate() {
                let own = shingles(text);
                let original = (0..at).find(|&other| {
                    let theirs = shingles(texts[other]);
                    let same = own == theirs || jaccard(&own, &theirs) >= SIMILARITY;
                    expected[other].is_none() && same
                });
                expected.push(original);
            }
            prop_assert_eq!(dedupe(&texts), expected);
        }
    }
}
