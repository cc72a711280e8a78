//! What an `ingest` did.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{WarningOut, schema_name, warnings_out, wire};
use crate::content::Warning;
use crate::ingest::{self, FailureCause, FillReport, IngestReport};
use crate::render::hints;

/// A source that could not be ingested.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FailureOut {
    /// The file.
    pub path: String,
    /// Why.
    pub reason: String,
    /// What to do.
    pub hint: String,
}

impl FailureOut {
    fn new(path: &str, cause: &FailureCause) -> Self {
        Self { path: path.to_owned(), reason: cause.to_string(), hint: hints::for_failure(cause).to_owned() }
    }
}

/// Damage in one of the sources.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SourceWarningOut {
    /// The document's URI.
    pub path: String,
    /// Kind of damage.
    pub kind: String,
    /// What, where, and what became of it.
    pub message: String,
}

/// What an ingest did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IngestOut {
    /// `ragctl.ingest/1`.
    pub schema: String,
    /// Documents that were not stored before.
    pub added: usize,
    /// Documents that were left alone.
    pub unchanged: usize,
    /// Those among them whose chunks were made with other settings, or by another version of the program.
    pub outdated: usize,
    /// Documents that replaced an older version.
    pub refreshed: usize,
    /// Documents whose sources are gone.
    pub removed: usize,
    /// Files and folders left out.
    pub skipped: usize,
    /// The same by reason.
    pub skipped_by_reason: BTreeMap<String, usize>,
    /// What could not be ingested.
    pub failed: Vec<FailureOut>,
    /// Damage that readers noticed.
    pub warnings: Vec<SourceWarningOut>,
    /// Sections of the documents added and refreshed.
    pub sections: usize,
    /// Chunks of the documents added and refreshed.
    pub chunks: usize,
    /// Bytes of the sources added and refreshed.
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
    /// Whether nothing was written because only the plan was asked for.
    pub dry_run: bool,
    /// Whether the run was told to stop before its end.
    pub interrupted: bool,
    /// Generation afterwards; null in a dry run.
    pub generation: Option<u64>,
    /// Vectors that were filled in afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filled: Option<FilledOut>,
}
wire!(IngestOut, "ingest");

impl IngestOut {
    /// The answer to `ingest`.
    pub fn new(report: &IngestReport, filled: Option<&FillReport>) -> Self {
        Self {
            schema: schema_name::<Self>(),
            added: report.n_added,
            unchanged: report.n_unchanged,
            outdated: report.n_outdated,
            refreshed: report.n_refreshed,
            removed: report.n_removed,
            skipped: report.n_skipped(),
            skipped_by_reason: report.skipped.iter().map(|(it, n)| (it.name().to_owned(), *n)).collect(),
            failed: report.failed.iter().map(|it| FailureOut::new(&it.path, &it.cause)).collect(),
            warnings: report
                .warnings
                .iter()
                .map(|(uri, it)| SourceWarningOut {
                    path: uri.clone(),
                    kind: it.kind.name().to_owned(),
                    message: it.message.clone(),
                })
                .collect(),
            sections: report.sizes.n_sections,
            chunks: report.sizes.n_chunks,
            bytes: report.sizes.n_bytes,
            seconds: (report.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
            dry_run: report.is_dry_run,
            interrupted: report.is_interrupted,
            generation: filled.map(|it| it.generation).or(report.generation),
            filled: filled.map(FilledOut::new),
        }
    }
}

/// Vectors that were filled in from the stored passages.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FilledOut {
    /// Passages embedded.
    pub embedded: usize,
    /// Passages that had their vectors already.
    pub kept: usize,
    /// Documents with passages that the model fails on.
    pub failed: Vec<FailureOut>,
    /// Passages that the model does not read to their ends.
    pub long: usize,
    /// Whether every passage has its vector now, so that searches use the model.
    pub whole: bool,
    /// Whether the run was told to stop before its end.
    pub interrupted: bool,
    /// How long it took.
    pub seconds: f64,
}

impl FilledOut {
    /// What a run did.
    pub fn new(report: &FillReport) -> Self {
        Self {
            embedded: report.n_embedded,
            kept: report.n_kept,
            failed: report.failed.iter().map(|it| FailureOut::new(&it.path, &it.cause)).collect(),
            long: report.n_long,
            whole: report.is_whole,
            interrupted: report.is_interrupted,
            seconds: (report.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        }
    }
}

/// What became of one source, as a line of `ingest --jsonl`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IngestFileOut {
    /// `ragctl.ingest-file/1`.
    pub schema: String,
    /// The document's URI.
    pub uri: String,
    /// `added`, `refreshed`, `unchanged`, `removed`, `skipped` or `failed`.
    pub outcome: String,
    /// Why it was skipped or failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What to do about a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Number of sections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<usize>,
    /// Number of chunks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunks: Option<usize>,
    /// Damage that the reader noticed.
    pub warnings: Vec<WarningOut>,
}
wire!(IngestFileOut, "ingest-file");

impl IngestFileOut {
    /// One source's outcome.
    pub fn new(uri: &str, outcome: &ingest::Outcome, warnings: &[Warning]) -> Self {
        let mut out = Self {
            schema: schema_name::<Self>(),
            uri: uri.to_owned(),
            outcome: String::new(),
            reason: None,
            hint: None,
            sections: None,
            chunks: None,
            warnings: warnings_out(warnings),
        };
        let name = match outcome {
            ingest::Outcome::Added(sizes) | ingest::Outcome::Refreshed(sizes) => {
                (out.sections, out.chunks) = (Some(sizes.n_sections), Some(sizes.n_chunks));
                if matches!(outcome, ingest::Outcome::Added(_)) { "added" } else { "refreshed" }
            }
            ingest::Outcome::Unchanged => "unchanged",
            ingest::Outcome::Removed => "removed",
            ingest::Outcome::Skipped(reason) => {
                out.reason = Some(reason.name().to_owned());
                "skipped"
            }
            ingest::Outcome::Failed(cause) => {
                out.reason = Some(cause.to_string());
                out.hint = Some(hints::for_failure(cause).to_owned());
                "failed"
            }
        };
        Self { outcome: name.to_owned(), ..out }
    }
}
