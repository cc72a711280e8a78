//! The list of embedding models that `--model NAME` knows.

use std::collections::BTreeMap;
use std::sync::Arc;

#[cfg(feature = "minilm")]
use crate::embed::minilm;
#[cfg(feature = "http")]
use crate::embed::openai;
use crate::embed::{EmbedError, Embedder, static_model::StaticModel};

/// The model that is used when none is named.
pub const DEFAULT_MODEL: &str = "static";

/// One entry of [`MODELS`].
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Name, as in `--model NAME`.
    pub name: &'static str,
    /// One line for `--help` and `ragctl info`.
    pub summary: &'static str,
    /// Length of its vectors.
    pub dimension: usize,
    /// Makes the model ready for use.
    open: fn() -> Result<Arc<dyn Embedder>, EmbedError>,
}

/// Every model, the default first.
pub const MODELS: &[Model] = &[
    Model {
        name: "static",
        summary: "one vector a token, averaged: built in, thousands of chunks a second",
        dimension: 256,
        open: || Ok(Arc::new(StaticModel::open()?)),
    },
    #[cfg(feature = "minilm")]
    Model {
        name: minilm::NAME,
        summary: "all-MiniLM-L6-v2, English: built in, better, some ten chunks a second and core",
        dimension: 384,
        open: || Ok(Arc::new(minilm::MiniLm::open()?)),
    },
];

/// Opens the model called `name`.
///
/// ```
/// use ragctl::embed::{Role, registry};
///
/// let model = registry::embedder(registry::DEFAULT_MODEL)?;
/// let vectors = model.embed(&["an ocean", "the sea", "a tax form"], Role::Passage)?;
/// let vectors: Vec<&[f32]> = vectors.chunks(model.dimension()).collect();
/// let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
/// assert!(cosine(vectors[0], vectors[1]) > cosine(vectors[0], vectors[2]));
/// # Ok::<(), ragctl::embed::EmbedError>(())
/// ```
///
/// # Errors
///
/// `UnknownModel`, which lists the names that exist, or `DamagedModel`.
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
}

/// Opens the model called `name`.
///
/// # Errors
///
/// As [`embedder`]; for a model behind an address also when that is missing, not trusted, or does not answer.
pub fn open(name: &str, options: &OpenOptions) -> Result<Arc<dyn Embedder>, EmbedError> {
    #[cfg(feature = "http")]
    if name.starts_with(openai::SCHEME) {
        let environment = openai::Environment::read();
        let endpoint = options.endpoint.as_deref();
        return Ok(Arc::new(openai::OpenAi::open(name, &options.settings, endpoint, &environment)?));
    }
    let _ = options;
    let Some(model) = MODELS.iter().find(|model| model.name == name) else {
        let known = MODELS.iter().map(|model| model.name).collect();
        return Err(EmbedError::UnknownModel { name: name.to_owned(), known });
    };
    (model.open)()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_opens_the_model_that_it_describes() {
        for entry in MODELS {
            let model = embedder(entry.name).unwrap();
            assert_eq!(model.name(), entry.name);
            assert_eq!(model.dimension(), entry.dimension);
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
}
