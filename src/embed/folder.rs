//! Models in folders, as sentence-transformers writes them.
//!
//! Pooling, prompts and the longest text come from the folder's own files: a model pooled in another way than it was trained
//! for gives vectors that are silently worse.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::bert::folder::{FolderError, json};
use crate::embed::prefix::{PASSAGE_PREFIX, Prefixes, QUERY_PREFIX};
use crate::embed::static_model::normalise;
use crate::embed::{EmbedError, Embedder, Role};
use crate::local::Engine;

/// Weight of cosines in convex fusion: that of `minilm`. Not measured for other models.
const FUSION_WEIGHT: f32 = 0.5;

/// How a text's vector comes from its tokens'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pooling {
    /// That of the first token.
    First,
    /// Their mean.
    Mean,
}

/// A model in a folder.
#[derive(Debug)]
pub(crate) struct FolderModel {
    name: String,
    model: Engine,
    pooling: Pooling,
    prefixes: Prefixes,
    fingerprint: String,
}

impl FolderModel {
    /// Opens the folder `path`, as the model `name`.
    ///
    /// # Errors
    ///
    /// When it holds no model that can be run.
    pub(crate) fn open(
        name: &str,
        path: &Path,
        settings: &BTreeMap<String, String>,
    ) -> Result<Self, EmbedError> {
        let failed = |source| EmbedError::Folder { name: name.to_owned(), source };
        let pooling = pooling(path).map_err(failed)?;
        let mut known = prompts(path).map_err(failed)?;
        known.extend(settings.clone());
        let model = Engine::open(path).map_err(failed)?;
        let prefixes = Prefixes::of(name, &known);
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

/// What sentence-transformers says of pooling; the first token where it says nothing but the model is known for it.
fn pooling(folder: &Path) -> Result<Pooling, FolderError> {
    let unsupported = |detail: String| FolderError::Unsupported { path: folder.to_owned(), detail };
    let modules = json(folder, "modules.json")?.unwrap_or_default();
    let mut pooling_folder = PathBuf::from("1_Pooling");
    for module in modules.as_array().into_iter().flatten() {
        let kind = module["type"].as_str().unwrap_or_default().rsplit('.').next().unwrap_or_default();
        match kind {
            "Pooling" => pooling_folder = PathBuf::from(module["path"].as_str().unwrap_or("1_Pooling")),
            "Transformer" | "Normalize" => {}
            other => return Err(unsupported(format!("it has a layer '{other}' behind the transformer"))),
        }
    }
    let config = json(folder, &pooling_folder.join("config.json").to_string_lossy())?.unwrap_or_default();
    let is_set = |key: &str| config[key].as_bool() == Some(true);
    match (is_set("pooling_mode_cls_token"), is_set("pooling_mode_mean_tokens")) {
        (true, false) => Ok(Pooling::First),
        (false, true) => Ok(Pooling::Mean),
        _ if config.is_null() => Ok(Pooling::Mean),
        _ => Err(unsupported("its pooling is neither the first token nor the mean".to_owned())),
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

    fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<f32>, EmbedError> {
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
        Ok(vectors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bert::folder::tests::write_tiny;

    fn open(files: &[(&str, &str)]) -> Result<FolderModel, EmbedError> {
        let folder = tempfile::tempdir().unwrap();
        write_tiny(folder.path(), false);
        for (name, content) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        FolderModel::open("tiny", folder.path(), &BTreeMap::new())
    }

    const FIRST: (&str, &str) =
        ("1_Pooling/config.json", "{\"pooling_mode_cls_token\": true, \"pooling_mode_mean_tokens\": false}");

    #[test]
    fn pooling_prefixes_and_length_come_from_the_folder() {
        let mean = open(&[]).unwrap();
        let first = open(&[FIRST]).unwrap();
        assert_eq!((mean.pooling, first.pooling), (Pooling::Mean, Pooling::First));
        let (a, b) =
            (mean.embed(&["a b"], Role::Query).unwrap(), first.embed(&["a b"], Role::Query).unwrap());
        assert_ne!(a, b);
        assert_ne!(mean.fingerprint(), first.fingerprint());
        for vector in [a, b] {
            assert!((vector.iter().map(|it| it * it).sum::<f32>() - 1.0).abs() < 1e-5);
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
        assert_eq!(mean.embed(&["", "x"], Role::Query).unwrap(), [0.0; 8]);
    }

    #[test]
    fn what_would_give_wrong_vectors_is_refused() {
        let check = |name: &str, content: &str, expected: &str| {
            let error = open(&[(name, content)]).unwrap_err();
            let EmbedError::Folder { source, .. } = error else { panic!("{error}") };
            assert!(source.to_string().contains(expected), "{source}");
        };
        check(
            "1_Pooling/config.json",
            "{\"pooling_mode_max_tokens\": true}",
            "neither the first token nor the mean",
        );
        check("modules.json", "[{\"type\": \"sentence_transformers.models.Dense\"}]", "a layer 'Dense'");
    }
}
