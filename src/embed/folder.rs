//! Models in folders, as sentence-transformers writes them: opening them, and those that give dense vectors.
//!
//! Pooling ([`layout`](super::layout)), prompts and the longest text come from the folder's own files: a model pooled in another
//! way than it was trained for gives vectors that are silently worse.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::bert::folder::{FolderError, json};
use crate::content::Vectors;
use crate::embed::layout::{Layout, Pooling};
use crate::embed::prefix::{PASSAGE_PREFIX, Prefixes, QUERY_PREFIX};
use crate::embed::splade::Splade;
use crate::embed::static_model::normalise;
#[cfg(feature = "onnx")]
use crate::embed::token_vectors::TokenVectors;
use crate::embed::{EmbedError, Embedder, Role};
use crate::local::{Engine, Output};

/// Weight of a model in a folder in convex fusion: that of `minilm`. Not measured for other models, sparse ones among them.
pub(super) const FUSION_WEIGHT: f32 = 0.5;

/// Opens the model in the folder `path`, dense or sparse, as `name`.
///
/// # Errors
///
/// When it holds no model that can be run.
pub(crate) fn open(
    name: &str,
    path: &Path,
    settings: &BTreeMap<String, String>,
) -> Result<Arc<dyn Embedder>, EmbedError> {
    let opened = || -> Result<Arc<dyn Embedder>, FolderError> {
        let mut known = prompts(path)?;
        known.extend(settings.clone());
        Ok(match Layout::read(path)? {
            Layout::Dense(pooling) => {
                Arc::new(FolderModel::open(name, path, pooling, Prefixes::of(name, &known))?)
            }
            #[cfg(feature = "onnx")]
            Layout::Static(path) => Arc::new(TokenVectors::open(name, &path, Prefixes::of("", &known))?),
            #[cfg(not(feature = "onnx"))]
            Layout::Static(path) => {
                let detail =
                    "its tokenizer needs a library that this ragctl was built without (cargo feature 'onnx')";
                return Err(FolderError::Unsupported { path, detail: detail.to_owned() });
            }
            Layout::Sparse { transformer, pooling, query } => {
                // What a name makes known of prefixes holds for dense models.
                let prefixes = Prefixes::of("", &known);
                Arc::new(Splade::open(name, &transformer, pooling, query.as_ref(), prefixes)?)
            }
        })
    };
    opened().map_err(|source| EmbedError::Folder { name: name.to_owned(), source })
}

/// A model in a folder that gives dense vectors.
#[derive(Debug)]
struct FolderModel {
    name: String,
    model: Engine,
    pooling: Pooling,
    prefixes: Prefixes,
    fingerprint: String,
}

impl FolderModel {
    /// Opens the folder `path`, as the model `name`.
    fn open(name: &str, path: &Path, pooling: Pooling, prefixes: Prefixes) -> Result<Self, FolderError> {
        let model = Engine::open(path, Output::States)?;
        let mut hash = blake3::Hasher::new();
        hash.update(model.digest().as_bytes());
        let recipe = format!("bert 1, {} tokens, {pooling:?}, unit length", model.max_tokens());
        for part in [&recipe, &prefixes.query, &prefixes.passage] {
            hash.update(part.as_bytes()).update(&[0]);
        }
        let fingerprint = hash.finalize().to_hex()[..16].to_owned();
        Ok(Self { name: name.to_owned(), model, pooling, prefixes, fingerprint })
    }
}

/// Prefixes in `config_sentence_transformers.json`.
fn prompts(folder: &Path) -> Result<BTreeMap<String, String>, FolderError> {
    let config = json(folder, "config_sentence_transformers.json")?.unwrap_or_default();
    let prompts = &config["prompts"];
    let find = |names: [&str; 3]| names.iter().find_map(|name| prompts[name].as_str()).map(str::to_owned);
    let found = [
        (QUERY_PREFIX, find(["query", "search_query", "s2p_query"])),
        (PASSAGE_PREFIX, find(["passage", "document", "search_document"])),
    ];
    let found = found.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Ok(found.filter(|(_, value)| !value.is_empty()).collect())
}

impl Embedder for FolderModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimension(&self) -> usize {
        self.model.width()
    }

    fn fusion_weight(&self) -> f32 {
        FUSION_WEIGHT
    }

    fn max_tokens(&self) -> Option<usize> {
        Some(self.model.max_tokens())
    }

    fn count_tokens(&self, text: &str) -> usize {
        self.model.count_tokens(&self.prefixes.apply(text, Role::Passage))
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn settings(&self) -> BTreeMap<String, String> {
        self.prefixes.settings()
    }

    fn embed(&self, texts: &[&str], role: Role) -> Result<Vectors, EmbedError> {
        let width = self.dimension();
        let mut vectors = vec![0.0; texts.len() * width];
        for (text, vector) in texts.iter().zip(vectors.chunks_exact_mut(width)) {
            if !self.model.says_something(text) {
                continue;
            }
            let failed = |detail| EmbedError::Failed { name: self.name.clone(), detail, is_lasting: false };
            let outputs = self.model.encode(&self.prefixes.apply(text, role)).map_err(failed)?;
            let n_pooled = if self.pooling == Pooling::First { 1 } else { usize::MAX };
            for output in outputs.chunks_exact(width).take(n_pooled) {
                vector.iter_mut().zip(output).for_each(|(sum, value)| *sum += value);
            }
            normalise(vector);
        }
        Ok(Vectors::Dense { dimension: width, values: vectors })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bert::folder::tests::{Top, write_tiny};

    fn open(files: &[(&str, &str)]) -> Result<Arc<dyn Embedder>, EmbedError> {
        let folder = tempfile::tempdir().unwrap();
        write_tiny(folder.path(), Top::Nothing);
        for (name, content) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        super::open("tiny", folder.path(), &BTreeMap::new())
    }

    const FIRST: (&str, &str) =
        ("1_Pooling/config.json", "{\"pooling_mode_cls_token\": true, \"pooling_mode_mean_tokens\": false}");

    #[test]
    fn pooling_prefixes_and_length_come_from_the_folder() {
        let mean = open(&[]).unwrap();
        let first = open(&[FIRST]).unwrap();
        let (a, b) =
            (mean.embed(&["a b"], Role::Query).unwrap(), first.embed(&["a b"], Role::Query).unwrap());
        assert_ne!(a, b);
        assert_ne!(mean.fingerprint(), first.fingerprint());
        for vector in [a, b] {
            assert!((vector.values().iter().map(|it| it * it).sum::<f32>() - 1.0).abs() < 1e-5);
        }
        let prompts =
            ("config_sentence_transformers.json", "{\"prompts\": {\"query\": \"c \", \"document\": \"\"}}");
        let prompted = open(&[prompts, ("sentence_bert_config.json", "{\"max_seq_length\": 6}")]).unwrap();
        assert_eq!(prompted.embed(&["a"], Role::Query).unwrap(), mean.embed(&["c a"], Role::Query).unwrap());
        assert_eq!(
            prompted.embed(&["a"], Role::Passage).unwrap(),
            mean.embed(&["a"], Role::Passage).unwrap()
        );
        assert_eq!(prompted.max_tokens(), Some(6));
        assert_eq!(mean.embed(&["", "x"], Role::Query).unwrap().values(), [0.0; 8]);
    }
}
