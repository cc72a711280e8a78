//! Ingestion: from sources to a new generation of a store.
//!
//! The only module that knows sources, readers, chunker, transformers, embedder and store together. [`ingest`] decides
//! what to read ([`RefreshPolicy`], pure), takes sources through the stages ([`Pipeline`]) on all cores, and writes them
//! in order of their URIs, so that the result does not depend on the number of threads. A source that fails is counted
//! and named; the run goes on.

mod fill;
mod gate;
mod pipeline;
mod refresh;
mod report;
mod stages;
mod vectors;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::content::{Warning, split_member};
use crate::embed::Embedder;
use crate::ingest::stages::{Prepared, Source, Stages, run_stages};
use crate::read::Blob;
use crate::source::{Container, UriBase, WalkOptions, Walked, location_of_uri};
use crate::store::embedded::{KnownVectors, Record, Writer};
use crate::store::{ModelInfo, StoreError, is_below};

pub use fill::{FillOptions, FillReport, fill};
pub use pipeline::{Isolation, Pipeline};
pub use refresh::{Decision, RefreshPolicy, RefreshRules};
pub use report::{Event, Failure, FailureCause, IngestReport, Outcome, Reporter, Silent, Sizes};

/// What to ingest.
#[derive(Debug)]
pub struct Sources {
    /// Files found by walking.
    pub walked: Walked,
    /// Content handed over directly, such as standard input.
    pub blobs: Vec<Blob>,
    /// Addresses of pages on the web, each once.
    pub pages: Vec<String>,
    /// Archives handed over directly.
    pub containers: Vec<Container>,
    /// The paths that were asked for, as URIs; pruning stays below them.
    pub roots: Vec<String>,
    /// The rules of the walk, which hold for members of archives too.
    pub rules: WalkOptions,
}

/// How to ingest.
#[derive(Debug)]
pub struct IngestOptions<'a> {
    /// Folder of the index.
    pub folder: PathBuf,
    /// When to read again.
    pub refresh: RefreshRules,
    /// Remove documents whose files are gone.
    pub prune: bool,
    /// Only say what would happen.
    pub dry_run: bool,
    /// Worker threads; 0: one a core.
    pub n_threads: usize,
    /// How long to wait for another writer.
    pub patience: Duration,
    /// The time of the run.
    pub now: jiff::Timestamp,
    /// Set by the caller to end the run early; what is done by then is committed.
    pub cancel: &'a AtomicBool,
}

/// Ingests `sources` into the index at `options.folder`.
///
/// # Errors
///
/// When the index cannot be opened or written; then nothing of the run is visible. What is wrong with single sources is
/// in the report.
pub fn ingest(
    sources: Sources,
    pipeline: &Pipeline<'_>,
    options: &IngestOptions<'_>,
    reporter: &dyn Reporter,
) -> Result<IngestReport, StoreError> {
    let started = Instant::now();
    let mut report = IngestReport {
        skipped: sources.walked.skipped.clone(),
        is_dry_run: options.dry_run,
        ..IngestReport::default()
    };
    let failures = sources.walked.failed.iter();
    report.failed.extend(failures.map(|(path, cause)| Failure {
        path: path.display().to_string(),
        cause: FailureCause::Fetch(cause.clone()),
    }));
    let mut writer = match options.dry_run {
        true => None,
        false => Some(Writer::open(&options.folder, options.patience)?),
    };
    let mut known = None;
    if let Some(writer) = &mut writer {
        let models: Vec<ModelInfo> = pipeline.embedders.iter().map(|&it| model_info(it)).collect();
        writer.embed_with(&models, pipeline.later.map(model_info).as_ref())?;
        known = Some(KnownVectors::open(&options.folder)?);
    }
    let records = match &writer {
        Some(writer) => writer.records()?,
        None => crate::store::embedded::records_of(&options.folder)?,
    };

    let queue = stages::queue(&sources);
    reporter
        .event(&Event::Planned { n_sources: queue.len(), n_bytes: queue.iter().map(Source::n_bytes).sum() });

    let mut notable = Vec::new();
    let fingerprint = pipeline.fingerprint();
    let stages =
        Stages { records: &records, pipeline, options, rules: &sources.rules, known: known.as_ref() };
    let expanded = run_stages(&queue, &stages, |item, prepared| {
        let uri = item.uri.as_str();
        let is_outdated = || records.get(uri).is_some_and(|record| record.pipeline != fingerprint);
        if matches!(prepared, Prepared::Unchanged) && is_outdated() {
            report.n_outdated += 1;
        }
        let (outcome, warnings) = match prepared {
            Prepared::Document(document) => {
                if let Some(writer) = &mut writer {
                    writer.put(&document)?;
                }
                let sizes = Sizes {
                    n_sections: document.document.sections.len(),
                    n_chunks: document.chunks.len(),
                    n_bytes: document.provenance.n_bytes,
                };
                let is_new = !records.contains_key(uri);
                let outcome = if is_new { Outcome::Added(sizes) } else { Outcome::Refreshed(sizes) };
                (outcome, document.warnings)
            }
            Prepared::Unchanged => (Outcome::Unchanged, Vec::new()),
            Prepared::Listed { n_members } => {
                reporter.event(&Event::Listed { uri, n_members });
                return Ok(());
            }
            Prepared::Skipped(reason) => {
                if item.is_named {
                    notable.push((uri.to_owned(), reason));
                }
                (Outcome::Skipped(reason), Vec::new())
            }
            Prepared::Failed(cause) => (Outcome::Failed(cause), Vec::new()),
        };
        finish(&mut report, reporter, uri, &outcome, &warnings, item.n_bytes);
        Ok(())
    })?;
    let mut members = HashMap::new();
    for (uri, expanded) in expanded {
        for (reason, n) in expanded.skipped {
            *report.skipped.entry(reason).or_insert(0) += n;
        }
        notable.extend(expanded.notable);
        members.insert(uri, expanded.members);
    }
    let walked = sources.walked.notable.iter();
    report.notable = walked.map(|(path, reason)| (path.display().to_string(), *reason)).collect();
    report.notable.append(&mut notable);
    report.is_interrupted = options.cancel.load(Ordering::Relaxed);

    if options.prune && !report.is_interrupted {
        for (uri, record) in gone(&records, &sources.roots, &options.folder, &members) {
            if let Some(writer) = &mut writer {
                writer.remove(record.id)?;
            }
            finish(&mut report, reporter, uri, &Outcome::Removed, &[], 0);
        }
    }
    if let Some(writer) = writer {
        reporter.event(&Event::Committing);
        // Settings with which nothing was read are not those of the index.
        if report.n_added + report.n_refreshed > 0 {
            writer.set_pipeline(&fingerprint)?;
        }
        report.generation = Some(writer.commit()?.generation);
    }
    report.elapsed = started.elapsed();
    Ok(report)
}

fn finish(
    report: &mut IngestReport,
    reporter: &dyn Reporter,
    uri: &str,
    outcome: &Outcome,
    warnings: &[Warning],
    n_bytes: u64,
) {
    report.count(uri, outcome, warnings);
    reporter.event(&Event::Done { uri, outcome, warnings, n_bytes });
}

/// Stored documents at or below `roots` whose files do not exist any more, in order of their URIs. `members` has what the
/// archives that were opened hold, as far as that is known.
fn gone<'a>(
    records: &'a HashMap<String, Record>,
    roots: &[String],
    folder: &Path,
    members: &HashMap<String, Option<BTreeSet<String>>>,
) -> Vec<(&'a str, &'a Record)> {
    let root_folder = crate::store::embedded::root_of(folder);
    // Only a file that is certainly not there is gone; one that cannot be looked at is not.
    let is_missing = |uri: &str| {
        location_of_uri(&root_folder, uri).is_some_and(|path| matches!(path.try_exists(), Ok(false)))
    };
    // An archive that was not opened in this run, or not to its end, says nothing of its members.
    let is_gone = |uri: &str| match split_member(uri) {
        // A file that was one document before its members were.
        None => is_missing(uri) || matches!(members.get(uri), Some(Some(_))),
        Some((container, _)) => match members.get(container) {
            Some(members) => members.as_ref().is_some_and(|it| !it.contains(uri)),
            None => is_missing(container),
        },
    };
    let mut gone: Vec<(&str, &Record)> = records
        .iter()
        .map(|(uri, record)| (uri.as_str(), record))
        .filter(|(uri, record)| record.is_file && roots.iter().any(|root| is_below(uri, root)))
        .filter(|(uri, _)| is_gone(uri))
        .collect();
    gone.sort_by_key(|(uri, _)| *uri);
    gone
}

/// What the store says of a model.
pub fn model_info(model: &dyn Embedder) -> ModelInfo {
    ModelInfo {
        name: model.name().to_owned(),
        fingerprint: model.fingerprint().to_owned(),
        kind: model.kind(),
        dimension: model.dimension(),
        settings: model.settings(),
    }
}

/// Names documents for an index at `folder`.
pub fn uri_base(folder: &Path) -> UriBase {
    UriBase::new(&crate::store::embedded::root_of(folder))
}
