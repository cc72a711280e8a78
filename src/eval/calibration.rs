//! A threshold chosen from questions, with all that it is worth something under.

use serde_json::{Value, json};

use crate::eval::answerable::{Auroc, Errors, Groups, Rule};
use crate::search::{Scores, Signal};

/// What a threshold belongs to: with anything else, it means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    /// Fingerprint of the embedding model.
    pub model: String,
    /// Fingerprint of chunker and transformers.
    pub pipeline: String,
    /// Format of the index.
    pub format: u32,
    /// Fingerprint of the reranker, where one judges.
    pub reranker: Option<String>,
}

impl Basis {
    /// What differs from `other`, in words; `None` when nothing does.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        if self.model != other.model {
            Some("the embedding model")
        } else if self.pipeline != other.pipeline {
            Some("the chunker or the transformers")
        } else if self.format != other.format {
            Some("the format of the index")
        } else if self.reranker != other.reranker {
            Some("the reranker")
        } else {
            None
        }
    }
}

/// A threshold, as it is kept with the index.
///
/// # Stability: kept in the database as JSON
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The score that it is about.
    pub signal: Signal,
    /// The least score of a question that is answered.
    pub threshold: f32,
    /// What it belongs to.
    pub basis: Basis,
    /// Chunks of the index when it was chosen.
    pub n_chunks: usize,
}

impl Calibration {
    /// The key of the threshold for a mode, with or without a reranker.
    pub fn key(mode: &str, is_reranked: bool) -> String {
        format!("calibration.{mode}{}", if is_reranked { "+rerank" } else { "" })
    }

    /// As text.
    pub fn to_text(&self) -> String {
        json!({
            "signal": self.signal.name(),
            "threshold": self.threshold,
            "model": self.basis.model,
            "pipeline": self.basis.pipeline,
            "format": self.basis.format,
            "reranker": self.basis.reranker,
            "chunks": self.n_chunks,
        })
        .to_string()
    }

    /// From [`to_text`](Self::to_text); `None` for anything else.
    pub fn from_text(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let string = |key: &str| value.get(key)?.as_str().map(str::to_owned);
        let number = |key: &str| value.get(key)?.as_u64();
        let signal = string("signal")?;
        Some(Self {
            signal: Signal::ALL.into_iter().find(|it| it.name() == signal)?,
            threshold: value.get("threshold")?.as_f64()? as f32,
            basis: Basis {
                model: string("model")?,
                pipeline: string("pipeline")?,
                format: u32::try_from(number("format")?).ok()?,
                reranker: string("reranker"),
            },
            n_chunks: usize::try_from(number("chunks")?).ok()?,
        })
    }
}

/// A threshold with what speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The score that tells best.
    pub signal: Signal,
    /// The threshold.
    pub threshold: f32,
    /// How well each score tells questions of the inside from those of the outside.
    pub auroc: Vec<(Signal, Auroc)>,
    /// What the threshold does to the questions that it was chosen from.
    pub errors: Errors,
    /// What thresholds chosen from all other questions do to each.
    pub held_out: Errors,
}

/// Chooses among `signals` the one that tells the two groups of questions apart best (the first of equals), and its threshold
/// by `rule`, from the best scores of each question; `None` when a group is empty or nothing was found at all.
pub fn choose(inside: &[Scores], outside: &[Scores], signals: &[Signal], rule: Rule) -> Option<Chosen> {
    let groups = |signal: Signal| {
        let of = |group: &[Scores]| group.iter().map(|it| it.signal(signal)).collect();
        Groups { inside: of(inside), outside: of(outside) }
    };
    let measured: Vec<(Signal, Groups, Auroc, f32)> = signals
        .iter()
        .filter_map(|&signal| {
            let groups = groups(signal);
            let (auroc, threshold) = (groups.auroc()?, groups.threshold(rule)?);
            Some((signal, groups, auroc, threshold))
        })
        .collect();
    let auroc = measured.iter().map(|it| (it.0, it.2)).collect();
    let best = measured.into_iter().reduce(|best, it| if it.2.value > best.2.value { it } else { best })?;
    let (signal, groups, _, threshold) = best;
    let errors = groups.errors(threshold);
    Some(Chosen { signal, threshold, auroc, errors, held_out: groups.errors_held_out(rule) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basis() -> Basis {
        Basis { model: "m".to_owned(), pipeline: "p".to_owned(), format: 1, reranker: None }
    }

    #[test]
    fn what_is_kept_is_read_again() {
        for reranker in [None, Some("r".to_owned())] {
            let basis = Basis { reranker, ..basis() };
            let it = Calibration { signal: Signal::Text, threshold: 0.123_456_79, basis, n_chunks: 7 };
            assert_eq!(Calibration::from_text(&it.to_text()), Some(it));
        }
        for wrong in ["", "{}", "{\"signal\":\"fused\",\"threshold\":1}"] {
            assert_eq!(Calibration::from_text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn another_basis_is_named() {
        assert_eq!(basis().difference(&basis()), None);
        assert_eq!(
            basis().difference(&Basis { model: "n".to_owned(), ..basis() }),
            Some("the embedding model")
        );
        let other = Basis { pipeline: "q".to_owned(), ..basis() };
        assert_eq!(basis().difference(&other), Some("the chunker or the transformers"));
    }

    #[test]
    fn the_score_that_tells_best_is_chosen() {
        let scores =
            |vector: f32, bm25: f32| Scores { vector: Some(vector), bm25: Some(bm25), ..Scores::default() };
        let (inside, outside) = ([scores(0.9, 3.0), scores(0.4, 9.0)], [scores(0.5, 1.0), scores(0.3, 1.0)]);
        let both = [Signal::Vector, Signal::Text];
        let chosen = choose(&inside, &outside, &both, Rule::BalancedAccuracy).unwrap();
        assert_eq!(
            (chosen.signal, chosen.auroc.len(), chosen.errors.balanced_accuracy()),
            (Signal::Text, 2, 1.0)
        );
        // Raw BM25 of 3 is 0.5, of 1 0.25.
        assert!((chosen.threshold - 0.375).abs() < 1e-6, "{chosen:?}");
        assert_eq!(choose(&inside, &[], &both, Rule::BalancedAccuracy), None);
        assert_eq!(choose(&inside, &outside, &[Signal::Rerank], Rule::BalancedAccuracy), None);
    }
}
