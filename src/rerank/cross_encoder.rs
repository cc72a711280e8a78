//! Cross-encoders in folders, as sentence-transformers and transformers write them.

use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;

use crate::local::{Engine, Output};
use crate::rerank::{RerankError, Reranker};

/// A model with one output for two texts, such as `cross-encoder/ms-marco-MiniLM-L6-v2`.
#[derive(Debug)]
pub(super) struct CrossEncoder {
    name: String,
    model: Engine,
    fingerprint: String,
}

impl CrossEncoder {
    /// Opens the folder `path` as the reranker `name`.
    ///
    /// # Errors
    ///
    /// When it holds no model that can be run, or one without a single output.
    pub(super) fn open(name: &str, path: &Path) -> Result<Self, RerankError> {
        let failed = |detail: String| RerankError::Failed { model: name.to_owned(), detail };
        let model = Engine::open(path, Output::States).map_err(|error| failed(error.to_string()))?;
        model.judge("a", "b").map_err(failed)?;
        let recipe = format!("cross-encoder 1, {} tokens", model.max_tokens());
        let mut hash = blake3::Hasher::new();
        hash.update(model.digest().as_bytes()).update(recipe.as_bytes());
        let fingerprint = hash.finalize().to_hex()[..16].to_owned();
        Ok(Self { name: name.to_owned(), model, fingerprint })
    }
}

impl Reranker for CrossEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn batch_size(&self) -> usize {
        2 * rayon::current_num_threads()
    }

    fn rerank(
        &self,
        query: &str,
        passages: &[&str],
        _time: Option<Duration>,
    ) -> Result<Vec<f32>, RerankError> {
        let failed = |detail| RerankError::Failed { model: self.name.clone(), detail };
        let judge = |passage: &&str| self.model.judge(query, passage).map_err(failed);
        passages.par_iter().with_max_len(1).map(judge).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bert::folder::tests::{Top, write_tiny};

    #[test]
    fn scores_do_not_depend_on_the_batch() {
        let folder = tempfile::tempdir().unwrap();
        write_tiny(folder.path(), Top::Classifier);
        let model = CrossEncoder::open("tiny", folder.path()).unwrap();
        let passages = ["a b c", "d", "", "e e e e e e e e e e e e"];
        let together = model.rerank("a d", &passages, None).unwrap();
        let alone: Vec<f32> =
            passages.iter().map(|it| model.rerank("a d", &[it], None).unwrap()[0]).collect();
        assert_eq!(together, alone);
        assert!(together.iter().all(|it| it.is_finite()));
    }

    #[test]
    fn an_embedding_model_is_no_cross_encoder() {
        let folder = tempfile::tempdir().unwrap();
        write_tiny(folder.path(), Top::Nothing);
        let error = CrossEncoder::open("tiny", folder.path()).unwrap_err().to_string();
        assert!(error.contains("no cross-encoder"), "{error}");
    }
}
