//! Models in folders, as sentence-transformers and transformers write them: BERT models run by [`crate::bert`], without anything else,
//! others through ONNX Runtime. What outputs mean is the business of [`crate::embed`] and [`crate::rerank`].

#[cfg(feature = "onnx")]
mod onnx;
#[cfg(feature = "onnx")]
mod tokens;

use std::path::Path;

#[cfg(feature = "http")]
use crate::bert::folder;
use crate::bert::folder::{BertFolder, FolderError};
use crate::bert::safetensors::Safetensors;

pub(crate) use crate::bert::folder::Output;

#[cfg(feature = "onnx")]
use onnx::OnnxModel;
#[cfg(feature = "onnx")]
pub(crate) use onnx::{library as onnx_library, use_library as use_onnx_library};
#[cfg(feature = "onnx")]
pub(crate) use tokens::Tokens;

/// File names of weights that this program runs itself, the preferred one first.
const OWN_FILES: &[&str] = &["model.safetensors", "0_StaticEmbedding/model.safetensors"];

/// File names of ONNX models, the preferred one first.
const ONNX_FILES: &[&str] = &["model.onnx", "onnx/model.onnx"];

/// Which of the files `there` has the weights of the model in `folder`, where all but weights lie: what this program runs itself
/// comes first.
#[cfg(feature = "http")]
pub(crate) fn weights_among<'a>(folder: &Path, there: &[&'a str]) -> Option<&'a str> {
    let of = |names: &[&str]| names.iter().find_map(|name| there.iter().find(|it| *it == name).copied());
    let (own, onnx) = (of(OWN_FILES), of(ONNX_FILES));
    let is_static = json_of(folder, "config.json")["model_type"] == "model2vec"
        || json_of(folder, "modules.json").to_string().contains("StaticEmbedding");
    let runs_itself = is_static || BertFolder::is_known(folder);
    if runs_itself { own.or(onnx) } else { onnx.or(own) }
}

/// Whether one of the files that the model in `folder` cannot do without is empty: a download that did not get far left it.
pub(crate) fn has_empty_file(folder: &Path) -> bool {
    let others = ["config.json", "modules.json", "tokenizer.json", "vocab.txt"];
    let mut files = OWN_FILES.iter().chain(ONNX_FILES).chain(&others).map(|name| folder.join(name));
    files.any(|it| it.metadata().is_ok_and(|it| it.is_file() && it.len() == 0))
}

/// Whether a file may be whole as far as it says itself: safetensors say how long they are, others say nothing.
///
/// # Errors
///
/// When it cannot be read.
#[cfg(feature = "http")]
pub(crate) fn may_be_whole(path: &Path) -> std::io::Result<bool> {
    match path.extension().is_some_and(|it| it == "safetensors") {
        true => crate::bert::safetensors::is_whole(path),
        false => Ok(true),
    }
}

#[cfg(feature = "http")]
fn json_of(folder: &Path, name: &str) -> serde_json::Value {
    folder::json(folder, name).ok().flatten().unwrap_or_default()
}

/// Reads the array `name` with one dimension of a safetensors file.
///
/// # Errors
///
/// When the file cannot be read, or has no such array.
pub(crate) fn read_array(path: &Path, name: &str) -> Result<Vec<f32>, FolderError> {
    let failed = |detail: String| FolderError::File { path: path.to_owned(), detail };
    let bytes = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
    let file = Safetensors::parse(&bytes).map_err(|error| failed(error.to_string()))?;
    match file.shape(name) {
        Some(&[n]) => file.floats(name, &[n]).map_err(|error| failed(error.to_string())),
        _ => Err(failed(format!("it has no list of numbers '{name}'"))),
    }
}

/// A model with what runs it.
#[derive(Debug)]
pub(crate) enum Engine {
    /// This program.
    Bert(Box<BertFolder>),
    /// ONNX Runtime.
    #[cfg(feature = "onnx")]
    Onnx(Box<OnnxModel>),
}

impl Engine {
    /// Opens the model in `folder` for `output`.
    ///
    /// # Errors
    ///
    /// When it holds none that can be run.
    pub(crate) fn open(folder: &Path, output: Output) -> Result<Self, FolderError> {
        let opened = BertFolder::open(folder, output);
        let onnx = ONNX_FILES.iter().map(|name| folder.join(name)).find(|it| it.is_file());
        match (opened, onnx) {
            (Ok(model), _) => Ok(Self::Bert(Box::new(model))),
            #[cfg(feature = "onnx")]
            (Err(_), Some(path)) => OnnxModel::open(folder, &path, output).map(|it| Self::Onnx(Box::new(it))),
            #[cfg(not(feature = "onnx"))]
            (Err(_), Some(_)) => Err(FolderError::Unsupported {
                path: folder.to_owned(),
                detail: "it needs ONNX Runtime, and this ragctl was built without it (cargo feature 'onnx')"
                    .to_owned(),
            }),
            (Err(error), None) => Err(error),
        }
    }

    /// Length of an output row.
    pub(crate) fn width(&self) -> usize {
        match self {
            Self::Bert(model) => model.encoder.width(),
            #[cfg(feature = "onnx")]
            Self::Onnx(model) => model.width,
        }
    }

    /// Size of the vocabulary that logits are given for.
    pub(crate) fn n_tokens(&self) -> usize {
        match self {
            Self::Bert(model) => model.n_tokens(),
            #[cfg(feature = "onnx")]
            Self::Onnx(model) => model.width,
        }
    }

    /// The id of a token.
    pub(crate) fn token_id(&self, token: &str) -> Option<u32> {
        match self {
            Self::Bert(model) => model.token_id(token),
            #[cfg(feature = "onnx")]
            Self::Onnx(model) => model.token_id(token),
        }
    }

    /// Ids of a text's tokens, without special ones.
    ///
    /// # Errors
    ///
    /// When the tokenizer fails.
    pub(crate) fn ids(&self, text: &str) -> Result<Vec<u32>, String> {
        match self {
            Self::Bert(model) => Ok(model.ids(text)),
            #[cfg(feature = "onnx")]
            Self::Onnx(model) => model.ids(text, false),
        }
    }

    /// Hands the logits of each token of a text, the special ones included, to `each`; for a model that was opened for them.
    ///
    /// # Errors
    ///
    /// When the model fails.
    pub(crate) fn logits(&self, text: &str, each: &mut dyn FnMut(&[f32])) -> Result<(), String> {
        match self {
            Self::Bert(model) => model.logits(&model.ids(text), each),
            #[cfg(feature = "onnx")]
            Self::Onnx(model) => model.encode(text)?.chunks_exact(model.width.max(1)).for_each(each),
        }
        Ok(())
    }

    /// Most tokens that are read, special ones included.
    pub(crate) fn max_tokens(&self) -> usize {
        match self {
            Self::Bert(model) => model.max_tokens,
            #[cfg(feature = "onnx")]
            Self::Onnx(model) => model.max_tokens,
        }
    }

    /// Hash of all that decides about outputs.
    pub(crate) fn digest(&self) -> blake3::Hash {
        match self {
            Self::Bert(model) => model.digest,
            #[cfg(feature = "onnx")]
            Self::Onnx(model) => model.digest,
        }
    }

    /// Tokens of a text, special ones included.
    pub(crate) fn count_tokens(&self, text: &str) -> usize {
        match self {
            Self::Bert(model) => model.ids(text).len() + 2,
            #[cfg(feature = "onnx")]
            Self::Onnx(model) => model.ids(text, true).map_or(text.len() + 2, |ids| ids.len()),
        }
    }

    /// Whether a text has anything that the model knows.
    pub(crate) fn says_something(&self, text: &str) -> bool {
        match self {
            Self::Bert(model) => model.says_something(&model.ids(text)),
            #[cfg(feature = "onnx")]
            Self::Onnx(_) => !text.trim().is_empty(),
        }
    }

    /// The outputs for a text: one row a token, or one for all.
    pub(crate) fn encode(&self, text: &str) -> Result<Vec<f32>, String> {
        match self {
            Self::Bert(model) => Ok(model.encode(&model.ids(text))),
            #[cfg(feature = "onnx")]
            Self::Onnx(model) => model.encode(text),
        }
    }

    /// How well a passage answers a query, for a cross-encoder.
    ///
    /// # Errors
    ///
    /// When the model is none, or fails.
    pub(crate) fn judge(&self, query: &str, passage: &str) -> Result<f32, String> {
        match self {
            Self::Bert(model) => model.judge(&model.ids(query), &model.ids(passage)).ok_or_else(|| {
                "its model has no layer 'classifier' with one output: it is no cross-encoder".to_owned()
            }),
            #[cfg(feature = "onnx")]
            Self::Onnx(model) => model.judge(query, passage),
        }
    }
}
