//! The embedding models that `--model NAME` knows, and where each name is looked up.
//!
//! A name is, in this order: that of a built-in model; `openai:NAME`, a model behind an address; a folder; a hub's repository that
//! was downloaded. Nothing is downloaded here.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::content::VectorKind;
use crate::embed::folder;
#[cfg(feature = "minilm")]
use crate::embed::minilm;
#[cfg(feature = "http")]
use crate::embed::openai;
use crate::embed::{EmbedError, Embedder, static_model::StaticModel};
use crate::hub;

/// The model that is used when none is named.
pub const DEFAULT_MODEL: &str = "static";

/// Makes a model ready for use.
type Open = fn() -> Result<Arc<dyn Embedder>, EmbedError>;

/// One entry of [`MODELS`].
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Name, as in `--model NAME`.
    pub name: &'static str,
    /// One line for `ragctl models`.
    pub summary: &'static str,
    /// What its vectors are made of.
    pub kind: VectorKind,
    /// Length of its vectors; the size of the vocabulary of a sparse model.
    pub dimension: usize,
    /// Languages that it was made for.
    pub languages: &'static str,
    /// Size, bytes: inside the program, or of the download.
    pub n_bytes: u64,
    /// Licence of the weights (SPDX).
    pub licence: &'static str,
    /// Makes the model ready for use; `None` for one that must be downloaded.
    open: Option<Open>,
}

impl Model {
    /// Whether it is part of the program.
    pub fn is_built_in(&self) -> bool {
        self.open.is_some()
    }
}

const fn hub_model(
    name: &'static str,
    dimension: usize,
    megabytes: u64,
    licence: &'static str,
    summary: &'static str,
) -> Model {
    Model {
        name,
        summary,
        kind: VectorKind::Dense,
        dimension,
        languages: "en",
        n_bytes: megabytes * 1_000_000,
        licence,
        open: None,
    }
}

/// The models that are listed, the default first. Every other repository of a hub with a model that can be run can be downloaded as well.
/// Sizes and licences of those to download are from their cards; none was measured here.
pub const MODELS: &[Model] = &[
    Model {
        name: "static",
        summary: "one vector a token, averaged: thousands of passages a second",
        kind: VectorKind::Dense,
        dimension: 256,
        languages: "en, weak in others",
        n_bytes: 11_940_524,
        licence: "Apache-2.0",
        open: Some(|| Ok(Arc::new(StaticModel::open()?))),
    },
    #[cfg(feature = "minilm")]
    Model {
        name: minilm::NAME,
        summary: "all-MiniLM-L6-v2: better, some ten passages a second and core",
        kind: VectorKind::Dense,
        dimension: 384,
        languages: "en",
        n_bytes: 23_472_509,
        licence: "Apache-2.0",
        open: Some(|| Ok(Arc::new(minilm::MiniLm::open()?))),
    },
    hub_model("BAAI/bge-small-en-v1.5", 384, 134, "MIT", "12 layers"),
    hub_model("BAAI/bge-base-en-v1.5", 768, 438, "MIT", "12 layers"),
    hub_model("intfloat/e5-small-v2", 384, 134, "MIT", "12 layers"),
    hub_model("intfloat/e5-base-v2", 768, 438, "MIT", "12 layers"),
    hub_model("sentence-transformers/all-MiniLM-L12-v2", 384, 133, "Apache-2.0", "12 layers"),
    hub_model("Snowflake/snowflake-arctic-embed-xs", 384, 90, "Apache-2.0", "6 layers"),
    hub_model("Snowflake/snowflake-arctic-embed-s", 384, 133, "Apache-2.0", "12 layers"),
    hub_model("minishlab/potion-retrieval-32M", 512, 129, "MIT", "one vector a token"),
    Model {
        languages: "101 languages",
        ..hub_model("minishlab/potion-multilingual-128M", 256, 512, "MIT", "one vector a token")
    },
    Model {
        languages: "100 languages",
        ..hub_model("intfloat/multilingual-e5-small", 384, 470, "MIT", "12 layers, by ONNX Runtime")
    },
    Model {
        kind: VectorKind::Sparse,
        ..hub_model(
            "opensearch-project/opensearch-neural-sparse-encoding-doc-v2-distill",
            30_522,
            268,
            "Apache-2.0",
            "6 layers for documents, none for queries",
        )
    },
];

/// Opens the model called `name`.
///
/// ```
/// use ragctl::embed::{Role, registry};
///
/// let model = registry::embedder(registry::DEFAULT_MODEL)?;
/// let vectors = model.embed(&["an ocean", "the sea", "a tax form"], Role::Passage)?;
/// let vectors: Vec<&[f32]> = vectors.values().chunks(model.dimension()).collect();
/// let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
/// assert!(cosine(vectors[0], vectors[1]) > cosine(vectors[0], vectors[2]));
/// # Ok::<(), ragctl::embed::EmbedError>(())
/// ```
///
/// # Errors
///
/// `UnknownModel`, which lists the names that exist, `NotDownloaded`, or what is wrong with the model.
pub fn embedder(name: &str) -> Result<Arc<dyn Embedder>, EmbedError> {
    open(name, &OpenOptions::default())
}

/// What it takes to open some models beside their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenOptions {
    /// What an index keeps of the model, or what the user sets of it.
    pub settings: BTreeMap<String, String>,
    /// The address that the user names, for a model behind one.
    pub endpoint: Option<String>,
    /// Whether the network must not be used.
    pub is_offline: bool,
}

/// Opens the model called `name`.
///
/// # Errors
///
/// As [`embedder`]; for a model behind an address also when that is missing, not trusted, or does not answer.
pub fn open(name: &str, options: &OpenOptions) -> Result<Arc<dyn Embedder>, EmbedError> {
    if let Some(open) = MODELS.iter().find(|it| it.name == name).and_then(|it| it.open) {
        return open();
    }
    #[cfg(feature = "http")]
    if name.starts_with(openai::SCHEME) {
        let environment =
            openai::Environment { is_offline: options.is_offline, ..openai::Environment::read() };
        let endpoint = options.endpoint.as_deref();
        return Ok(Arc::new(openai::OpenAi::open(name, &options.settings, endpoint, &environment)?));
    }
    if let Some(folder) = hub::folder_of(name) {
        return folder::open(&hub::canonical_name(name), &folder, &options.settings);
    }
    if hub::is_repository(name) {
        return Err(EmbedError::NotDownloaded { name: name.to_owned() });
    }
    let known = MODELS.iter().filter(|it| it.is_built_in()).map(|it| it.name).collect();
    Err(EmbedError::UnknownModel { name: name.to_owned(), known })
}

/// Whether a model is ready for use on this machine.
pub fn is_present(model: &Model) -> bool {
    model.is_built_in() || hub::folder_of(model.name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_entry_opens_the_model_that_it_describes() {
        for entry in MODELS.iter().filter(|it| it.is_built_in()) {
            let model = embedder(entry.name).unwrap();
            assert_eq!(model.name(), entry.name);
            assert_eq!((model.kind(), model.dimension()), (entry.kind, entry.dimension));
            assert!((0.0..=1.0).contains(&model.fusion_weight()));
        }
        assert_eq!(MODELS[0].name, DEFAULT_MODEL);
    }

    #[test]
    fn an_unknown_model_lists_the_known_ones() {
        let error = embedder("word2vec").err().unwrap();
        let expected = "no embedding model is called 'word2vec'; there is: static";
        assert!(error.to_string().starts_with(expected), "{error}");
    }

    #[test]
    fn a_model_of_a_hub_that_is_not_here_is_told_apart() {
        let error = embedder("nobody-has-this/model-at-all").err().unwrap();
        assert!(matches!(error, EmbedError::NotDownloaded { .. }), "{error}");
    }
}
