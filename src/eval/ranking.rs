//! Rankings as `trec_eval` sees them. Pure.

use std::collections::{BTreeMap, HashSet};

/// The ranking of one query: document ids with scores, each id once, best first.
///
/// `trec_eval` takes the order from the scores alone, as 32-bit floats, and orders equal scores by descending id (byte by
/// byte); ranks that a file names do not count. A ranking here stands in that order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    documents: Vec<(String, f32)>,
}

/// Rankings by query id.
pub type Run = BTreeMap<String, Ranking>;

impl Ranking {
    /// The ranking that these scores make; an id that comes again counts once, with its best score.
    pub fn of_scores(mut documents: Vec<(String, f32)>) -> Self {
        documents.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
        let mut seen = HashSet::new();
        documents.retain(|(id, _)| seen.insert(id.clone()));
        Self { documents }
    }

    /// A ranking in the order given, best first; an id that comes again counts once, at its best place.
    ///
    /// Where a score is not below the one before, it becomes the next lower float, so that a file written from it gives
    /// the same ranking again, whatever its ids are.
    pub fn of_order(documents: impl IntoIterator<Item = (String, f32)>) -> Self {
        let mut seen = HashSet::new();
        let mut ordered: Vec<(String, f32)> = Vec::new();
        for (id, score) in documents {
            if !seen.insert(id.clone()) {
                continue;
            }
            let score = match ordered.last() {
                Some(&(_, before)) if score >= before => before.next_down(),
                _ => score,
            };
            ordered.push((id, score));
        }
        Self { documents: ordered }
    }

    /// Its first `n`.
    pub fn cut(mut self, n: usize) -> Self {
        self.documents.truncate(n);
        self
    }

    /// Ids with scores, best first.
    pub fn documents(&self) -> &[(String, f32)] {
        &self.documents
    }

    /// Ids, best first.
    pub fn ids(&self) -> Vec<&str> {
        self.documents.iter().map(|(id, _)| id.as_str()).collect()
    }
}

/// `run` in TREC's form: `query Q0 document rank score tag` a line.
pub fn to_trec(run: &Run, tag: &str) -> String {
    use std::fmt::Write as _;
    let tag = one_word(tag);
    let mut text = String::new();
    for (query, ranking) in run {
        for (at, (id, score)) in ranking.documents.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{} Q0 {} {} {score:?} {tag}", one_word(query), one_word(id), at + 1);
        }
    }
    text
}

/// Blanks would end a column.
fn one_word(text: &str) -> String {
    let word: String = text.chars().map(|it| if it.is_whitespace() { '_' } else { it }).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::eval::formats::parse_run;

    fn scored(pairs: &[(&str, f32)]) -> Vec<(String, f32)> {
        pairs.iter().map(|&(id, score)| (id.to_owned(), score)).collect()
    }

    #[test]
    fn equal_scores_stand_in_descending_order_of_ids() {
        let ranking =
            Ranking::of_scores(scored(&[("a", 1.0), ("b", 1.0), ("c", 2.0), ("b", 0.5), ("B", 1.0)]));
        assert_eq!(ranking.ids(), ["c", "b", "a", "B"]);
    }

    #[test]
    fn an_order_is_kept_by_scores_that_descend() {
        let ranking =
            Ranking::of_order(scored(&[("a", 1.0), ("b", 1.0), ("a", 3.0), ("c", 2.0), ("d", 0.5)]));
        assert_eq!(ranking.ids(), ["a", "b", "c", "d"]);
        assert!(ranking.documents().windows(2).all(|it| it[0].1 > it[1].1), "{ranking:?}");
        assert_eq!(ranking.documents()[3].1, 0.5);
    }

    proptest! {
        #[test]
        fn a_run_that_is_written_and_read_is_the_same(
            rankings in prop::collection::btree_map("[a-z0-9#/]{1,4}", prop::collection::vec(("[A-Za-z0-9/#.]{1,5}", -2i8..3), 1..9), 0..4),
        ) {
            let run: Run = rankings.into_iter().map(|(query, documents)| {
                (query, Ranking::of_order(documents.into_iter().map(|(id, score)| (id, f32::from(score) / 3.0))))
            }).collect();
            prop_assert_eq!(parse_run(&to_trec(&run, "my run")).unwrap(), run);
        }
    }
}
