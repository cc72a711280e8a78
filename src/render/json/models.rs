//! `models` and `models pull`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{schema_name, wire};
use crate::content::VectorKind;
use crate::embed::registry::Model;
use crate::hub::Pulled;

/// An embedding model.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ListedModel {
    /// Name, as in `--model NAME`.
    pub name: String,
    /// What it is.
    pub summary: String,
    /// Whether it is part of the program.
    pub built_in: bool,
    /// Whether it is on this machine.
    pub present: bool,
    /// What its vectors are made of, `dense` or `sparse`; left out where it is not known before the model is opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Length of its vectors, the size of the vocabulary of a sparse model; left out where it is not known before the model is opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimension: Option<usize>,
    /// Languages that it was made for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub languages: Option<String>,
    /// Size, bytes: inside the program, or of the download.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Licence of the weights (SPDX).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Passages of about 250 tokens embedded a second on all cores of this machine, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passages_per_second: Option<f64>,
}

impl ListedModel {
    /// One of the list.
    pub fn new(model: &Model, is_present: bool) -> Self {
        Self {
            name: model.name.to_owned(),
            summary: model.summary.to_owned(),
            built_in: model.is_built_in(),
            present: is_present,
            kind: Some(model.kind.name().to_owned()),
            dimension: Some(model.dimension),
            languages: Some(model.languages.to_owned()),
            bytes: Some(model.n_bytes),
            licence: Some(model.licence.to_owned()),
            passages_per_second: None,
        }
    }

    /// One that was opened by its name and is not in the list: in a folder, or behind an address.
    pub fn opened(name: &str, kind: VectorKind, dimension: usize) -> Self {
        Self {
            summary: "measured by its name".to_owned(),
            kind: Some(kind.name().to_owned()),
            dimension: Some(dimension),
            ..Self::unlisted(name)
        }
    }

    /// One that was downloaded and is not in the list.
    pub fn unlisted(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            summary: "downloaded".to_owned(),
            built_in: false,
            present: true,
            kind: None,
            dimension: None,
            languages: None,
            bytes: None,
            licence: None,
            passages_per_second: None,
        }
    }
}

/// The embedding models.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModelsOut {
    /// `ragctl.models/1`.
    pub schema: String,
    /// The models, built-in ones first.
    pub models: Vec<ListedModel>,
}
wire!(ModelsOut, "models");

impl ModelsOut {
    /// The answer to `models`.
    pub fn new(models: Vec<ListedModel>) -> Self {
        Self { schema: schema_name::<Self>(), models }
    }
}

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelUse {
    /// `--model`.
    Embed {
        /// What its vectors are made of.
        kind: VectorKind,
        /// Length of its vectors; the size of the vocabulary of a sparse model.
        dimension: usize,
    },
    /// `--rerank`.
    Rerank,
}

/// What a download brought.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PullOut {
    /// `ragctl.pull/1`.
    pub schema: String,
    /// The model.
    pub model: String,
    /// What it is for: `embed` (`--model`) or `rerank` (`--rerank`).
    pub r#use: String,
    /// What the vectors of a model that embeds are made of: `dense` or `sparse`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Length of its vectors, of a model that embeds; the size of the vocabulary of a sparse one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimension: Option<usize>,
    /// The folder that it lies in.
    pub folder: String,
    /// Files that were downloaded now.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Files whose SHA-256 was checked; of the others the length was.
    pub checked: usize,
}
wire!(PullOut, "pull");

impl PullOut {
    /// The answer to `models pull`.
    pub fn new(model: &str, use_of: ModelUse, pulled: &Pulled) -> Self {
        let (name, shape) = match use_of {
            ModelUse::Embed { kind, dimension } => ("embed", Some((kind, dimension))),
            ModelUse::Rerank => ("rerank", None),
        };
        Self {
            schema: schema_name::<Self>(),
            model: model.to_owned(),
            r#use: name.to_owned(),
            kind: shape.map(|(kind, _)| kind.name().to_owned()),
            dimension: shape.map(|(_, dimension)| dimension),
            folder: pulled.folder.display().to_string(),
            files: pulled.n_files,
            bytes: pulled.n_bytes,
            checked: pulled.n_checked,
        }
    }
}
