//! Cross-encoders in folders, as sentence-transformers and transformers write them; BERT models run here, without anything
//! else, others through ONNX Runtime.

use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;

use crate::bert::folder::{BertFolder, FolderError};
#[cfg(feature = "onnx")]
use crate::onnx::{self, OnnxModel};
use crate::rerank::{RerankError, Reranker};

/// What runs a model.
#[derive(Debug)]
enum Engine {
    /// This program.
    Bert(Box<BertFolder>),
    /// ONNX Runtime.
    #[cfg(feature = "onnx")]
    Onnx(Box<OnnxModel>),
}

impl Engine {
    fn open(folder: &Path) -> Result<Self, FolderError> {
        let opened = BertFolder::open(folder);
        #[cfg(feature = "onnx")]
        if let (Err(_), Some(path)) = (&opened, onnx::file_in(folder)) {
            return OnnxModel::open(folder, &path).map(|it| Self::Onnx(Box::new(it)));
        }
        opened.map(|it| Self::Bert(Box::new(it)))
    }

    /// Most tokens of a pair, and the hash of what decides about scores.
    fn identity(&self) -> (usize, blake3::Hash) {
        match self {
            Self::Bert(model) => (model.max_tokens, model.digest),
            #[cfg(feature = "onnx")]
            Self::Onnx(model) => (model.max_tokens, model.digest),
        }
    }

    fn judge(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, String> {
        match self {
            Self::Bert(model) => {
                let query = model.ids(query);
                let judge = |passage: &&str| model.judge(&query, &model.ids(passage));
                let scores: Option<Vec<f32>> = passages.par_iter().with_max_len(1).map(judge).collect();
                scores.ok_or_else(|| {
                    "its model has no layer 'classifier' with one output: it is no cross-encoder".to_owned()
                })
            }
            #[cfg(feature = "onnx")]
            Self::Onnx(model) => {
                passages.par_iter().with_max_len(1).map(|passage| model.judge(query, passage)).collect()
            }
        }
    }
}

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
        let model = Engine::open(path).map_err(|error| failed(error.to_string()))?;
        model.judge("a", &["b"]).map_err(failed)?;
        let (max_tokens, digest) = model.identity();
        let recipe = format!("cross-encoder 1, {max_tokens} tokens");
        let mut hash = blake3::Hasher::new();
        hash.update(digest.as_bytes()).update(recipe.as_bytes());
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
        self.model.judge(query, passages).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bert::folder::tests::write_tiny;

    #[test]
    fn scores_do_not_depend_on_the_batch() {
        let folder = tempfile::tempdir().unwrap();
        write_tiny(folder.path(), true);
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
        write_tiny(folder.path(), false);
        let error = CrossEncoder::open("tiny", folder.path()).unwrap_err().to_string();
        assert!(error.contains("no cross-encoder"), "{error}");
    }
}
