//! Reranking: from a query and some passages to scores that are worth more than those of the first search.
//!
//! Owns the [`Reranker`] trait, [`score`], which asks a reranker batch by batch for as long as there is time, and the
//! list of rerankers ([`registry`]). Which passages are reranked, and what becomes of the scores, is the search's business.

mod cross_encoder;
#[cfg(feature = "http")]
mod endpoint;
pub mod registry;

use std::time::Duration;

pub use registry::reranker;

/// Judges how well passages answer a query, reading both together (a cross-encoder, or an endpoint that runs one).
///
/// The same query and passage give the same score in any batch, on every machine where the model runs locally.
///
/// ```
/// use std::time::Duration;
/// use ragctl::rerank::{RerankError, Reranker, score};
///
/// /// Likes short passages.
/// #[derive(Debug)]
/// struct Brief;
///
/// impl Reranker for Brief {
///     fn name(&self) -> &str {
///         "brief"
///     }
///     fn fingerprint(&self) -> &str {
///         "brief/1"
///     }
///     fn rerank(&self, _: &str, passages: &[&str], _: Option<Duration>) -> Result<Vec<f32>, RerankError> {
///         Ok(passages.iter().map(|it| -(it.len() as f32)).collect())
///     }
/// }
///
/// assert_eq!(score(&Brief, "q", &["long", "a"], &mut || None)?, Some(vec![-4.0, -1.0]));
/// // Without any time left the caller keeps its own order.
/// assert_eq!(score(&Brief, "q", &["long", "a"], &mut || Some(Duration::ZERO))?, None);
/// # Ok::<(), RerankError>(())
/// ```
pub trait Reranker: std::fmt::Debug + Send + Sync {
    /// Name, as in `--rerank NAME`.
    fn name(&self) -> &str;

    /// A hash over everything that decides the scores. Thresholds of one fingerprint mean nothing under another.
    fn fingerprint(&self) -> &str;

    /// Passages that are best given at a time; [`score`] looks at the clock between batches.
    fn batch_size(&self) -> usize {
        8
    }

    /// One score a passage, in the model's own scale: higher is better, and every score is finite.
    ///
    /// `time` is what is left of the caller's budget (`None`: as long as it takes). A model that can stop in time, such
    /// as an endpoint with a timeout, ends with [`RerankError::OutOfTime`]; others may run over.
    ///
    /// # Errors
    ///
    /// When the model fails.
    fn rerank(&self, query: &str, passages: &[&str], time: Option<Duration>)
    -> Result<Vec<f32>, RerankError>;
}

/// Why passages cannot be reranked.
#[derive(Debug, thiserror::Error)]
pub enum RerankError {
    /// No reranker of this name.
    #[error("no reranker is called '{name}'; there is: {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names that exist.
        known: Vec<&'static str>,
    },
    /// A hub's model that was not downloaded.
    #[error("the reranker '{name}' is not on this machine; ragctl models pull {name} downloads it")]
    NotDownloaded {
        /// What was asked for.
        name: String,
    },
    /// A reranker behind an address on another machine, and the network is not to be used.
    #[error("the reranker '{name}' is on another machine, and the network is not to be used")]
    Offline {
        /// What was asked for.
        name: String,
    },
    /// The time that the caller gave is over.
    #[error("the reranker '{model}' ran out of time")]
    OutOfTime {
        /// Name of the model.
        model: String,
    },
    /// The model, or the endpoint that runs it, fails.
    #[error("the reranker '{model}' fails: {detail}")]
    Failed {
        /// Name of the model.
        model: String,
        /// What happened.
        detail: String,
    },
}

/// The scores of `passages`, asked for batch by batch; `None` when the time was over before the last of them, so that the
/// caller keeps the order that it had: half a reranking would put the two scales side by side.
///
/// `time_left` is asked before each batch; it answers `None` where there is no limit.
///
/// # Errors
///
/// When the reranker fails, or does not give one finite score a passage.
pub fn score(
    reranker: &dyn Reranker,
    query: &str,
    passages: &[&str],
    time_left: &mut dyn FnMut() -> Option<Duration>,
) -> Result<Option<Vec<f32>>, RerankError> {
    let mut scores = Vec::with_capacity(passages.len());
    for batch in passages.chunks(reranker.batch_size().max(1)) {
        let time = time_left();
        if time.is_some_and(|it| it.is_zero()) {
            return Ok(None);
        }
        let given = match reranker.rerank(query, batch, time) {
            Ok(given) => given,
            Err(RerankError::OutOfTime { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        if given.len() != batch.len() || given.iter().any(|it| !it.is_finite()) {
            let detail = format!("it gave {} usable scores for {} passages", usable(&given), batch.len());
            return Err(RerankError::Failed { model: reranker.name().to_owned(), detail });
        }
        scores.extend(given);
    }
    // The last batch may have run over.
    Ok((!time_left().is_some_and(|it| it.is_zero())).then_some(scores))
}

fn usable(scores: &[f32]) -> usize {
    scores.iter().filter(|it| it.is_finite()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives each passage its length, and what else it is told to.
    #[derive(Debug)]
    struct Length {
        n_at_once: usize,
        answer: fn(Vec<f32>) -> Result<Vec<f32>, RerankError>,
    }

    impl Reranker for Length {
        fn name(&self) -> &str {
            "length"
        }

        fn fingerprint(&self) -> &str {
            "length/1"
        }

        fn batch_size(&self) -> usize {
            self.n_at_once
        }

        fn rerank(&self, _: &str, passages: &[&str], _: Option<Duration>) -> Result<Vec<f32>, RerankError> {
            assert!(passages.len() <= self.n_at_once.max(1));
            (self.answer)(passages.iter().map(|it| it.len() as f32).collect())
        }
    }

    const PASSAGES: &[&str] = &["a", "bbb", "cc", "", "dddd"];

    #[test]
    fn scores_do_not_depend_on_the_batches() {
        for n_at_once in [0, 1, 2, 5, 9] {
            let length = Length { n_at_once, answer: Ok };
            let scores = score(&length, "q", PASSAGES, &mut || None).unwrap();
            assert_eq!(scores, Some(vec![1.0, 3.0, 2.0, 0.0, 4.0]));
            assert_eq!(score(&length, "q", &[], &mut || None).unwrap(), Some(vec![]));
        }
    }

    #[test]
    fn time_that_ends_before_the_last_score_gives_none() {
        let length = Length { n_at_once: 2, answer: Ok };
        // Asked before each of three batches, and once behind the last.
        for n_in_time in 0..4 {
            let mut n_asked = 0;
            let mut time_left = || {
                n_asked += 1;
                Some(if n_asked > n_in_time { Duration::ZERO } else { Duration::from_secs(1) })
            };
            assert_eq!(score(&length, "q", PASSAGES, &mut time_left).unwrap(), None, "{n_in_time}");
        }
        let late = Length { n_at_once: 2, answer: |_| Err(RerankError::OutOfTime { model: "l".to_owned() }) };
        assert_eq!(score(&late, "q", PASSAGES, &mut || None).unwrap(), None);
    }

    #[test]
    fn a_score_that_is_missing_or_no_number_is_an_error() {
        for answer in
            [(|_| Ok(vec![1.0])) as fn(Vec<f32>) -> _, |them| Ok(them.iter().map(|_| f32::NAN).collect())]
        {
            let error = score(&Length { n_at_once: 5, answer }, "q", PASSAGES, &mut || None).unwrap_err();
            assert!(matches!(error, RerankError::Failed { .. }), "{error}");
        }
    }
}
