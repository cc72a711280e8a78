//! Models in folders, as sentence-transformers writes them; BERT models run here, without anything else.
//!
//! Pooling, prompts and the longest text come from the folder's own files: a model pooled in another way than it was trained
//! for gives vectors that are silently worse.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::bert::folder::{BertFolder, FolderError, json};
use crate::embed::prefix::{PASSAGE_PREFIX, Prefixes, QUERY_PREFIX};
use crate::embed::static_model::normalise;
use crate::embed::{EmbedError, Embedder, Role};

/// Weight of cosines in convex fusion: that of `minilm`. Not measured for other models.
const FUSION_WEIGHT: f32 = 0.4;

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
    model: BertFolder,
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
        let model = BertFolder::open(path).map_err(failed)?;
        let prefixes = Prefixes::of(name, &known);
        let mut hash = blake3::Hasher::new();
        hash.update(model.digest.as_bytes());
        let recipe = format!("bert 1, {} tokens, {pooling:?}, unit length", model.max_tokens);
        for part in [&recipe, &prefixes.query, &prefixes.passage] {
            hash.update(part.as_bytes()).update(&[0]);
        }
        let fingerprint = hash.finalize().to_hex()[..16].to_owned();
        Ok(Self { name: name.to_owned(), model, pooling, prefixes, fingerprint })
    }
}

/// What sentence-transformers says of pooling; the first token where it says nothing but the model is known for it.
fn pooling(folder: &Path) -> Result<Pooling, FolderError> {
    let unsupported =
        |detail: String| FolderError::Unsupported { path: folder.to_owned(), detail };
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
        self.model.encoder.width()
    }

    fn fusion_weight(&self) -> f32 {
        FUSION_WEIGHT
    }

    fn max_tokens(&self) -> Option<usize> {
        Some(self.model.max_tokens)
    }

    fn count_tokens(&self, text: &str) -> usize {
        self.model.ids(&self.prefixes.apply(text, Role::Passage)).len() + 2
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
            if !self.model.says_something(&self.model.ids(text)) {
                continue;
            }
            let outputs = self.model.encode(&self.model.ids(&self.prefixes.apply(text, role)));
            let n_pooled = if self.pooling == Pooling::First { 1 } else { usize::MAX };
            for output in outputs.chunks_exact(width).take(n_pooled) {
                vector.iter_mut().zip(output).for_each(|(sum, value)| *sum += value);
            }
            normalise(vector);
        }
        Ok(vectors)
    }
}
