//! Many texts through a model: spread over the cores, longest first, what failed tried again.

use rayon::prelude::*;

use crate::content::Vector;
use crate::embed::{EmbedError, Embedder, Role};
use crate::store::embedded::KnownVectors;

/// Embeds the texts of one document: one vector each. Vectors of slow models that are `known` are taken as they are.
///
/// # Errors
///
/// What the model says of the first text that it fails on twice.
pub(super) fn embed_all(
    model: &dyn Embedder,
    texts: &[&str],
    known: Option<&KnownVectors>,
) -> Result<Vec<Vector>, String> {
    let shape = (model.kind(), model.dimension());
    let known = known.filter(|_| model.is_slow());
    // A vector that cannot be looked up is made.
    let look_up = |text: &&str| known.and_then(|it| it.get(model.fingerprint(), shape, text).ok().flatten());
    let found: Vec<Option<Vector>> = texts.iter().map(look_up).collect();
    let missing = texts.iter().zip(&found).filter(|(_, found)| found.is_none());
    let missing: Vec<&str> = missing.map(|(text, _)| *text).collect();
    let mut made = embed_each(model, &missing).into_iter();
    let mut next = || match made.next() {
        Some(made) => made.map_err(|error| error.to_string()),
        None => Err("the model gave too few vectors".to_owned()),
    };
    found.into_iter().map(|found| found.map_or_else(&mut next, Ok)).collect()
}

/// Embeds every text by itself, as far as its failing goes: each with its vector, or with what the model says of it.
pub(super) fn embed_each(model: &dyn Embedder, texts: &[&str]) -> Vec<Result<Vector, EmbedError>> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    // Longest first: a long text that begins last would keep one core busy while the others wait.
    order.sort_by_key(|&at| std::cmp::Reverse(texts[at].len()));
    let batches: Vec<&[usize]> = order.chunks(model.batch_size().max(1)).collect();
    let made: Vec<Vec<Result<Vector, EmbedError>>> = batches
        .par_iter()
        .with_max_len(1)
        .map(|batch| {
            let texts: Vec<&str> = batch.iter().map(|&at| texts[at]).collect();
            embed_batch(model, &texts)
        })
        .collect();
    let mut by_text: Vec<(usize, Result<Vector, EmbedError>)> =
        batches.iter().flat_map(|batch| batch.iter().copied()).zip(made.into_iter().flatten()).collect();
    by_text.sort_by_key(|(at, _)| *at);
    by_text.into_iter().map(|(_, made)| made).collect()
}

/// Embeds a batch; one that fails is tried again, then in halves, so that one bad text does not take the others with it.
fn embed_batch(model: &dyn Embedder, texts: &[&str]) -> Vec<Result<Vector, EmbedError>> {
    let attempt = || model.embed(texts, Role::Passage);
    let error = match attempt().or_else(|error| if error.is_lasting() { Err(error) } else { attempt() }) {
        Ok(vectors) => return vectors.into_rows().into_iter().map(Ok).collect(),
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
    use crate::content::Vectors;

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

        fn embed(&self, texts: &[&str], _role: Role) -> Result<Vectors, EmbedError> {
            let is_early = self.n_calls.fetch_add(1, Ordering::Relaxed) < self.n_faults;
            if is_early || texts.iter().any(|it| it.contains(self.bad)) {
                return Err(EmbedError::Failed {
                    name: "fickle".to_owned(),
                    detail: "fault".to_owned(),
                    is_lasting: false,
                });
            }
            Ok(Vectors::Dense { dimension: 1, values: texts.iter().map(|it| it.len() as f32).collect() })
        }
    }

    fn length(vector: Vector) -> f32 {
        match vector {
            Vector::Dense(values) => values[0],
            Vector::Sparse(_) => panic!("a sparse vector"),
        }
    }

    fn check(bad: &'static str, n_faults: usize, expected: &[Option<f32>]) {
        let model = Fickle { bad, n_faults, n_calls: AtomicUsize::new(0) };
        let texts = ["a", "bb", "", "cccc", "ddd", "xx", "e"];
        let made: Vec<Option<f32>> =
            embed_each(&model, &texts).into_iter().map(|it| it.ok().map(length)).collect();
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
