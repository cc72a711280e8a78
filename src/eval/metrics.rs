//! Measures of one ranking against one query's judgements. Pure.
//!
//! Definitions and rounding are those of `trec_eval` (checked against `pytrec_eval`, see `tools/make-eval-testdata.py`):
//! gains are the judged grades themselves, grades of 0 and less gain nothing, what is not judged is not relevant.

use std::collections::BTreeMap;

/// Grades of one query's documents by id; above 0 is relevant.
pub type Grades = BTreeMap<String, i32>;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// Discounted cumulative gain over that of the best possible ranking, gains `grade / log2(rank + 1)` (Järvelin and
    /// Kekäläinen, 2002).
    Ndcg,
    /// 1 / rank of the first relevant document; 0 without one.
    Mrr,
    /// Share of the relevant documents that is found.
    Recall,
    /// Share of the cut-off that is relevant, also where fewer are found.
    Precision,
    /// Mean, over the relevant documents, of the precision at the rank of each; 0 for those not found.
    Map,
    /// 1 when something relevant is found, else 0.
    Success,
}

impl Measure {
    const ALL: [Self; 6] = [Self::Ndcg, Self::Mrr, Self::Recall, Self::Precision, Self::Map, Self::Success];

    fn name(self) -> &'static str {
        match self {
            Self::Ndcg => "nDCG",
            Self::Mrr => "MRR",
            Self::Recall => "recall",
            Self::Precision => "P",
            Self::Map => "MAP",
            Self::Success => "success",
        }
    }

    /// Other names in use, in lower case.
    fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Ndcg => &["ndcg_cut"],
            Self::Mrr => &["rr", "recip_rank"],
            Self::Recall => &["r"],
            Self::Precision => &["precision"],
            Self::Map => &["ap", "map_cut"],
            Self::Success => &["hits", "hit_rate"],
        }
    }

    /// Whether it means something over a whole ranking.
    fn needs_cut(self) -> bool {
        matches!(self, Self::Recall | Self::Precision | Self::Success)
    }
}

/// A measure, perhaps cut off at a rank: `nDCG@10`, `MAP`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Metric {
    /// What is measured.
    pub measure: Measure,
    /// The last rank that counts; `None`: all.
    pub cut: Option<usize>,
}

impl std::fmt::Display for Metric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.measure.name())?;
        self.cut.map_or(Ok(()), |cut| write!(f, "@{cut}"))
    }
}

impl std::str::FromStr for Metric {
    type Err = String;

    /// Reads `nDCG@10`, in any case, also by the names of other programs (`RR@10`, `ndcg_cut_10`, `P_5`).
    fn from_str(text: &str) -> Result<Self, String> {
        let folded = text.trim().to_lowercase();
        let (name, cut) = match folded.rsplit_once(['@', '_', '.']) {
            Some((name, cut)) if cut.bytes().all(|it| it.is_ascii_digit()) && !cut.is_empty() => {
                (name, Some(cut.parse::<usize>().ok().filter(|&it| it > 0)))
            }
            _ => (folded.as_str(), None),
        };
        let is_named = |it: &Measure| it.name().to_lowercase() == name || it.aliases().contains(&name);
        let Some(measure) = Measure::ALL.into_iter().find(is_named) else {
            let names = Measure::ALL
                .map(|it| if it.needs_cut() { format!("{}@K", it.name()) } else { it.name().to_owned() });
            return Err(format!("'{text}' is no metric; there is: {}, each with @K", names.join(", ")));
        };
        match cut {
            Some(None) => Err(format!("'{text}' has no rank of 1 or more behind its name")),
            None if measure.needs_cut() => {
                Err(format!("'{text}' needs a rank, such as {}@10", measure.name()))
            }
            cut => Ok(Self { measure, cut: cut.flatten() }),
        }
    }
}

impl Metric {
    /// With this cut-off.
    pub const fn at(measure: Measure, cut: usize) -> Self {
        Self { measure, cut: Some(cut) }
    }

    /// Measures `ranking` (ids, best first, each once); 0 when nothing is relevant.
    ///
    /// ```
    /// use ragctl::eval::{Grades, Metric};
    ///
    /// let grades: Grades = [("a".to_owned(), 1), ("b".to_owned(), 0)].into();
    /// let metric: Metric = "MRR@10".parse().unwrap();
    /// assert_eq!(metric.of(&["b", "a"], &grades), 0.5);
    /// ```
    pub fn of(self, ranking: &[&str], grades: &Grades) -> f64 {
        let n_relevant = grades.values().filter(|&&grade| grade > 0).count();
        if n_relevant == 0 {
            return 0.0;
        }
        let cut = self.cut.unwrap_or(usize::MAX);
        let gains = ranking.iter().take(cut).map(|id| grades.get(*id).copied().unwrap_or(0).max(0));
        let relevant_ranks =
            || gains.clone().enumerate().filter(|(_, gain)| *gain > 0).map(|(at, _)| (at + 1) as f64);
        match self.measure {
            Measure::Ndcg => {
                let mut ideal: Vec<i32> = grades.values().copied().filter(|&grade| grade > 0).collect();
                ideal.sort_unstable_by(|a, b| b.cmp(a));
                dcg(gains.clone()) / dcg(ideal.into_iter().take(cut))
            }
            Measure::Mrr => relevant_ranks().next().map_or(0.0, |rank| 1.0 / rank),
            Measure::Recall => relevant_ranks().count() as f64 / n_relevant as f64,
            Measure::Precision => relevant_ranks().count() as f64 / cut as f64,
            Measure::Map => {
                let precisions = relevant_ranks().zip(1..).map(|(rank, n)| f64::from(n) / rank);
                positive(precisions.sum()) / n_relevant as f64
            }
            Measure::Success => {
                if relevant_ranks().next().is_some() {
                    1.0
                } else {
                    0.0
                }
            }
        }
    }
}

fn dcg(gains: impl Iterator<Item = i32>) -> f64 {
    positive(gains.enumerate().map(|(at, gain)| f64::from(gain) / ((at + 2) as f64).log2()).sum())
}

/// The sum of nothing is -0.
fn positive(sum: f64) -> f64 {
    sum + 0.0
}

/// What is measured where nothing else is asked for.
pub const DEFAULT_METRICS: [Metric; 7] = [
    Metric::at(Measure::Ndcg, 10),
    Metric::at(Measure::Mrr, 10),
    Metric { measure: Measure::Map, cut: None },
    Metric::at(Measure::Recall, 10),
    Metric::at(Measure::Recall, 100),
    Metric::at(Measure::Precision, 10),
    Metric::at(Measure::Success, 1),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grades(pairs: &[(&str, i32)]) -> Grades {
        pairs.iter().map(|&(id, grade)| (id.to_owned(), grade)).collect()
    }

    #[test]
    fn names_are_read_and_printed() {
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<Metric>().unwrap().to_string(), expected, "{text}");
        };
        check("nDCG@10", "nDCG@10");
        check("ndcg_cut_10", "nDCG@10");
        check("ndcg", "nDCG");
        check("RR@10", "MRR@10");
        check("recip_rank", "MRR");
        check("R@100", "recall@100");
        check("precision@5", "P@5");
        check("P_5", "P@5");
        check("map", "MAP");
        check("AP@100", "MAP@100");
        check("success@1", "success@1");
        for wrong in
            ["", "f1", "recall", "P", "nDCG@0", "nDCG@", "nDCG@x", "@10", "nDCG@99999999999999999999999"]
        {
            assert!(wrong.parse::<Metric>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_worked_by_hand() {
        let judged = grades(&[("a", 1), ("b", 2), ("c", 0), ("d", -1), ("e", 3)]);
        let check = |metric: &str, ranking: &[&str], expected: f64| {
            let actual = metric.parse::<Metric>().unwrap().of(ranking, &judged);
            assert!((actual - expected).abs() < 1e-12, "{metric} of {ranking:?}: {actual}");
        };
        let log3 = 3f64.log2();
        check("nDCG@2", &["c", "b", "a"], (2.0 / log3) / (3.0 + 2.0 / log3));
        check("nDCG@10", &["e", "b", "a"], 1.0);
        check("nDCG@10", &["d"], 0.0);
        check("MRR@10", &["c", "zzz", "a"], 1.0 / 3.0);
        check("MRR@2", &["c", "zzz", "a"], 0.0);
        check("recall@2", &["a", "b", "e"], 2.0 / 3.0);
        check("P@10", &["a", "b", "e"], 0.3);
        check("MAP", &["c", "a", "b"], (1.0 / 2.0 + 2.0 / 3.0) / 3.0);
        check("MAP@2", &["c", "a", "b"], (1.0 / 2.0) / 3.0);
        check("success@1", &["c", "a"], 0.0);
        check("success@2", &["c", "a"], 1.0);
        check("nDCG", &[], 0.0);
        assert_eq!(DEFAULT_METRICS[0].of(&["a"], &grades(&[("a", 0)])), 0.0, "nothing is relevant");
        for measure in Measure::ALL {
            for ranking in [&[][..], &["c"], &["zzz", "d"]] {
                let value = Metric::at(measure, 10).of(ranking, &judged);
                assert!(value == 0.0 && value.is_sign_positive(), "{measure:?} of {ranking:?}: {value:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn every_value_lies_between_0_and_1_and_a_perfect_ranking_has_1(
            given in prop::collection::btree_map("[a-h]", -1i32..4, 1..8),
            ranking in Just(["a", "b", "c", "d", "e", "f", "g", "h"]).prop_shuffle(),
            cut in 1usize..10,
        ) {
            let has_relevant = given.values().any(|&grade| grade > 0);
            let mut perfect: Vec<&str> = given.keys().map(String::as_str).collect();
            perfect.sort_by_key(|id| std::cmp::Reverse(given[*id]));
            for measure in Measure::ALL {
                let value = Metric::at(measure, cut).of(&ranking, &given);
                prop_assert!((0.0..=1.0 + 1e-12).contains(&value), "{:?} {}", measure, value);
                if has_relevant && matches!(measure, Measure::Ndcg | Measure::Mrr | Measure::Success) {
                    prop_assert!((Metric::at(measure, cut).of(&perfect, &given) - 1.0).abs() < 1e-12);
                }
            }
        }

        #[test]
        fn a_better_place_for_something_relevant_never_lowers_a_value(
            relevant in prop::collection::btree_set("[a-h]", 1..4),
            ranking in Just(["a", "b", "c", "d", "e", "f", "g", "h"]).prop_shuffle(),
            at in 1usize..8,
            cut in 1usize..10,
        ) {
            let given: Grades = relevant.iter().map(|id| (id.clone(), 1)).collect();
            let mut better = ranking;
            if given.contains_key(better[at]) && !given.contains_key(better[at - 1]) {
                better.swap(at, at - 1);
            }
            for measure in Measure::ALL {
                let metric = Metric::at(measure, cut);
                prop_assert!(metric.of(&better, &given) >= metric.of(&ranking, &given) - 1e-12, "{:?}", measure);
            }
        }
    }
}
