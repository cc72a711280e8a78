//! Many texts through a model: spread over the cores, longest first, what failed tried again.

use rayon::prelude::*;

use crate::embed::{EmbedError, Embedder, Role};
use crate::store::embedded::KnownVectors;

/// Embeds the texts of one document: `texts.len() x dimension` values. Vectors of slow models that are `known` are taken as
/// they are.
///
/// # Errors
///
/// What the model says of the first text that it fails on twice.
pub(super) fn embed_all(
    model: &dyn Embedder,
    texts: &[&str],
    known: Option<&KnownVectors>,
) -> Result<Vec<f32>, String> {
    let dimension = model.dimension();
    let mut vectors = vec![0.0; texts.len() * dimension];
    let mut missing = Vec::new();
    for (at, (text, vector)) in texts.iter().zip(vectors.chunks_exact_mut(dimension)).enumerate() {
        // A vector that cannot be looked up is made.
        let found = known
            .filter(|_| model.is_slow())
            .and_then(|known| known.get(model.fingerprint(), dimension, text).ok().flatten());
        match found {
            Some(found) => vector.copy_from_slice(&found),
            None => missing.push(at),
        }
    }
    let unknown: Vec<&str> = missing.iter().map(|&at| texts[at]).collect();
    let made = embed_each(model, &unknown);
    for (at, made) in missing.into_iter().zip(made) {
        vectors[at * dimension..][..dimension].copy_from_slice(&made.map_err(|error| error.to_string())?);
    }
    Ok(vectors)
}

/// Embeds every text by itself, as far as its failing goes: each with its vector, or with what the model says of it.
pub(super) fn embed_each(model: &dyn Embedder, texts: &[&str]) -> Vec<Result<Vec<f32>, EmbedError>> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    // Longest first: a long text that begins last would keep one core busy while the others wait.
    order.sort_by_key(|&at| std::cmp::Reverse(texts[at].len()));
    let batches: Vec<&[usize]> = order.chunks(model.batch_size().max(1)).collect();
    let made: Vec<Vec<Result<Vec<f32>, EmbedError>>> = batches
        .par_iter()
        .with_max_len(1)
        .map(|batch| {
            let texts: Vec<&str> = batch.iter().map(|&at| texts[at]).collect();
            embed_batch(model, &texts)
        })
        .collect();
    let mut by_text: Vec<(usize, Result<Vec<f32>, EmbedError>)> =
        batches.iter().flat_map(|batch| batch.iter().copied()).zip(made.into_iter().flatten()).collect();
    by_text.sort_by_key(|(at, _)| *at);
    by_text.into_iter().map(|(_, made)| made).collect()
}

/// Embeds a batch; one that fails is tried again, then in halves, so that one bad text does not take the others with it.
fn embed_batch(model: &dyn Embedder, texts: &[&str]) -> Vec<Result<Vec<f32>, EmbedError>> {
    let attempt = || model.embed(texts, Role::Passage);
    let error = match attempt().or_else(|error| if error.is_lasting() { Err(error) } else { attempt() }) {
        Ok(vectors) => return vectors.chunks_exact(model.dimension()).map(|it| Ok(it.to_vec())).collect(),
        Err(error) => error,
    };
    if error.is_lasting() || texts.len() < 2 {
        let again = || Err(error.clone());
        return texts.iter().map(|_| again()).collect();
    }
    let (left, right) = texts.split_at(texts.len() / 2);
    let mut made = embed_batch(model, left);
    made.append(&mut embed_batch(model, right));
    made
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Gives each text its length; fails on batches with a text that holds `bad`, and on the first `n_faults` batches.
    struct Fickle {
        bad: &'static str,
        n_faults: usize,
        n_calls: AtomicUsize,
    }

    impl Embedder for Fickle {
        fn name(&self) -> &str {
            "fickle"
        }

        fn fingerprint(&self) -> &str {
            "fickle"
        }

        fn dimension(&self) -> usize {
            1
        }

        fn fusion_weight(&self) -> f32 {
            0.5
        }

        fn batch_size(&self) -> usize {
            4
        }

        fn embed(&self, texts: &[&str], _role: Role) -> Result<Vec<f32>, EmbedError> {
            let is_early = self.n_calls.fetch_add(1, Ordering::Relaxed) < self.n_faults;
            if is_early || texts.iter().any(|it| it.contains(self.bad)) {
                return Err(EmbedError::Failed {
                    name: "fickle".to_owned(),
                    detail: "fault".to_owned(),
                    is_lasting: false,
                });
            }
            Ok(texts.iter().map(|it| it.len() as f32).collect())
        }
    }

    fn check(bad: &'static str, n_faults: usize, expected: &[Option<f32>]) {
        let model = Fickle { bad, n_faults, n_calls: AtomicUsize::new(0) };
        let texts = ["a", "bb", "", "cccc", "ddd", "xx", "e"];
        let made: Vec<Option<f32>> =
            embed_each(&model, &texts).into_iter().map(|it| it.ok().map(|it| it[0])).collect();
        assert_eq!(made, expected);
    }

    #[test]
    fn vectors_come_in_the_order_of_the_texts() {
        check("none", 0, &[1.0, 2.0, 0.0, 4.0, 3.0, 2.0, 1.0].map(Some));
    }

    #[test]
    fn a_batch_that_fails_once_is_tried_again() {
        check("none", 1, &[1.0, 2.0, 0.0, 4.0, 3.0, 2.0, 1.0].map(Some));
    }

    #[test]
    fn one_bad_text_does_not_take_the_others_with_it() {
        check("x", 0, &[Some(1.0), Some(2.0), Some(0.0), Some(4.0), Some(3.0), None, Some(1.0)]);
    }
}
