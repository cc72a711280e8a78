//! `info`, `verify`, `remove`, `reindex`, and errors.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{DocumentRef, FilledOut, schema_name, wire};
use crate::eval::calibration::Calibration;
use crate::ingest::FillReport;
use crate::store::embedded::Check;
use crate::store::{IndexModel, StoreInfo, StoredDocument};

/// The model of an index.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModelOut {
    /// Name.
    pub name: String,
    /// Fingerprint.
    pub fingerprint: String,
    /// What its vectors are made of: `dense` or `sparse`.
    pub kind: String,
    /// Dimension; the size of the vocabulary of a sparse model.
    pub dimension: usize,
}

/// One of the models of an index.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IndexModelOut {
    /// Name.
    pub name: String,
    /// Fingerprint.
    pub fingerprint: String,
    /// What its vectors are made of: `dense` or `sparse`.
    pub kind: String,
    /// Dimension; the size of the vocabulary of a sparse model.
    pub dimension: usize,
    /// What else it takes to open it, such as an endpoint's address and the prefixes of texts.
    pub settings: BTreeMap<String, String>,
    /// Whether every passage has its vector; only then it is searched with.
    pub whole: bool,
    /// Whether it goes as soon as the one that is being filled in is whole.
    pub interim: bool,
    /// Number of different passages with a vector; left out for a whole model and behind a base filter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedded: Option<usize>,
    /// Number of different passages; left out for a whole model and behind a base filter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texts: Option<usize>,
}

impl IndexModelOut {
    fn new(it: &IndexModel) -> Self {
        Self {
            name: it.info.name.clone(),
            fingerprint: it.info.fingerprint.clone(),
            kind: it.info.kind.name().to_owned(),
            dimension: it.info.dimension,
            settings: it.info.settings.clone(),
            whole: it.is_whole,
            interim: it.is_interim,
            embedded: it.n_texts.map(|(n_done, _)| n_done),
            texts: it.n_texts.map(|(_, n)| n),
        }
    }
}

/// Sizes on disk, bytes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DiskOut {
    /// The database.
    pub database: u64,
    /// The text index.
    pub text: u64,
    /// The vectors.
    pub vectors: u64,
}

/// One registered part of the program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PartOut {
    /// Name.
    pub name: String,
    /// Version.
    pub version: u32,
    /// What it does.
    pub summary: String,
}

/// A threshold that is kept with an index.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct KeptThresholdOut {
    /// The mode that it is for.
    pub mode: String,
    /// Whether it is for searches with a reranker.
    pub rerank: bool,
    /// The score that it is held against.
    pub signal: String,
    /// The least score of a question that is answered.
    pub threshold: f32,
    /// Number of chunks in the index when it was chosen.
    pub chunks: usize,
    /// What has changed since, so that it means nothing now; null when it holds.
    pub void: Option<String>,
}

impl KeptThresholdOut {
    /// A threshold for `mode`; `void` says what has changed since.
    pub fn new(mode: &str, is_reranked: bool, it: &Calibration, void: Option<&str>) -> Self {
        Self {
            mode: mode.to_owned(),
            rerank: is_reranked,
            signal: it.signal.name().to_owned(),
            threshold: it.threshold,
            chunks: it.n_chunks,
            void: void.map(str::to_owned),
        }
    }
}

/// An index in figures.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InfoOut {
    /// `ragctl.info/1`.
    pub schema: String,
    /// Version of this program.
    pub version: String,
    /// Index folder.
    pub index: String,
    /// Format version on disk.
    pub format: u32,
    /// Generation.
    pub generation: u64,
    /// Number of documents.
    pub documents: usize,
    /// Number of sections.
    pub sections: usize,
    /// Number of chunks.
    pub chunks: usize,
    /// Sum of the sources' sizes, bytes.
    pub bytes: u64,
    /// Number of documents with warnings.
    pub documents_with_warnings: usize,
    /// Number of documents by the code of their language; those of unknown language are left out.
    pub languages: BTreeMap<String, usize>,
    /// Embedding model that is searched with unless another is named.
    pub model: ModelOut,
    /// All embedding models, in the order in which they are preferred.
    pub models: Vec<IndexModelOut>,
    /// Chunker and transformers of the latest ingest.
    pub pipeline: String,
    /// Thresholds that `calibrate` chose.
    pub calibrations: Vec<KeptThresholdOut>,
    /// Sizes on disk.
    pub disk: DiskOut,
    /// Readers of this program.
    pub readers: Vec<PartOut>,
    /// Transformers of this program.
    pub transformers: Vec<PartOut>,
    /// What is wrong with the derived files; empty when all are whole.
    pub degraded: Vec<String>,
}
wire!(InfoOut, "info");

impl InfoOut {
    /// The answer to `info`.
    pub fn new(info: &StoreInfo, calibrations: Vec<KeptThresholdOut>) -> Self {
        let readers = crate::read::READERS.iter().map(|it| it.meta());
        let transformers = crate::transform::TRANSFORMERS.iter().map(|it| it.meta());
        let part = |name: &str, version, summary: &str| PartOut {
            name: name.to_owned(),
            version,
            summary: summary.to_owned(),
        };
        Self {
            schema: schema_name::<Self>(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            index: info.path.display().to_string(),
            format: info.format,
            generation: info.generation,
            documents: info.n_documents,
            sections: info.n_sections,
            chunks: info.n_chunks,
            bytes: info.n_source_bytes,
            documents_with_warnings: info.n_documents_with_warnings,
            languages: info.languages.iter().map(|(language, n)| (language.to_string(), *n)).collect(),
            model: ModelOut {
                name: info.model.name.clone(),
                fingerprint: info.model.fingerprint.clone(),
                kind: info.model.kind.name().to_owned(),
                dimension: info.model.dimension,
            },
            models: info.models.iter().map(IndexModelOut::new).collect(),
            pipeline: info.pipeline.clone(),
            calibrations,
            disk: DiskOut {
                database: info.database_bytes,
                text: info.text_bytes,
                vectors: info.vector_bytes,
            },
            readers: readers.map(|it| part(it.name, it.version, it.summary)).collect(),
            transformers: transformers.map(|it| part(it.name, it.version, it.summary)).collect(),
            degraded: info.degraded.clone(),
        }
    }
}

/// One check of an index.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckOut {
    /// What was checked.
    pub name: String,
    /// Whether it holds.
    pub ok: bool,
    /// Counts, or what is wrong.
    pub detail: String,
}

/// The checks of an index.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VerifyOut {
    /// `ragctl.verify/1`.
    pub schema: String,
    /// Whether all hold.
    pub ok: bool,
    /// The checks.
    pub checks: Vec<CheckOut>,
}
wire!(VerifyOut, "verify");

impl VerifyOut {
    /// The answer to `verify`.
    pub fn new(checks: &[Check]) -> Self {
        let checks: Vec<CheckOut> = checks
            .iter()
            .map(|it| CheckOut { name: it.name.to_owned(), ok: it.is_ok(), detail: it.detail() })
            .collect();
        Self { schema: schema_name::<Self>(), ok: checks.iter().all(|it| it.ok), checks }
    }
}

/// What was removed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RemoveOut {
    /// `ragctl.remove/1`.
    pub schema: String,
    /// The documents that were removed.
    pub removed: Vec<DocumentRef>,
    /// Whether nothing was written because only the plan was asked for.
    pub dry_run: bool,
}
wire!(RemoveOut, "remove");

impl RemoveOut {
    /// The answer to `remove`.
    pub fn new(documents: &[StoredDocument], dry_run: bool) -> Self {
        Self {
            schema: schema_name::<Self>(),
            removed: documents.iter().map(DocumentRef::new).collect(),
            dry_run,
        }
    }
}

/// What a rebuild did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReindexOut {
    /// `ragctl.reindex/1`.
    pub schema: String,
    /// Generation afterwards.
    pub generation: u64,
    /// Number of chunks in the rebuilt files.
    pub chunks: usize,
}
wire!(ReindexOut, "reindex");

impl ReindexOut {
    /// The answer to `reindex`.
    pub fn new(generation: u64, chunks: usize) -> Self {
        Self { schema: schema_name::<Self>(), generation, chunks }
    }
}

/// What `reembed` did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReembedOut {
    /// `ragctl.reembed/1`.
    pub schema: String,
    /// The model.
    pub model: String,
    /// Whether its vectors were removed, and not made.
    pub dropped: bool,
    /// Generation afterwards.
    pub generation: u64,
    /// What was embedded; left out where vectors were removed.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub filled: Option<FilledOut>,
}
wire!(ReembedOut, "reembed");

impl ReembedOut {
    /// The answer to `reembed`.
    pub fn new(model: &str, report: &FillReport) -> Self {
        let filled = Some(FilledOut::new(report));
        Self { dropped: false, filled, ..Self::dropped(model, report.generation) }
    }

    /// The answer to `reembed --drop`.
    pub fn dropped(model: &str, generation: u64) -> Self {
        Self {
            schema: schema_name::<Self>(),
            model: model.to_owned(),
            dropped: true,
            generation,
            filled: None,
        }
    }
}

/// What went wrong, on stderr with `--json`; on stdout where a tool that was called answers with a sentence.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ErrorOut {
    /// `ragctl.error/1`.
    pub schema: String,
    /// What failed, on which input, and why.
    pub error: String,
    /// What to do next.
    pub hint: Option<String>,
}
wire!(ErrorOut, "error");

impl ErrorOut {
    /// An error.
    pub fn new(error: String, hint: Option<String>) -> Self {
        Self { schema: schema_name::<Self>(), error, hint }
    }
}
