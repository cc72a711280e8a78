//! Ingestion: from sources to a new generation of a store.
//!
//! The only module that knows sources, readers, chunker, transformers, embedder and store together. [`ingest`] decides
//! what to read ([`RefreshPolicy`], pure), takes sources through the stages ([`Pipeline`]) on all cores, and writes them
//! in order of their URIs, so that the result does not depend on the number of threads. A source that fails is counted
//! and named; the run goes on.

mod fill;
mod pipeline;
mod refresh;
mod report;
mod vectors;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::content::{ContentHash, Warning};
use crate::embed::Embedder;
use crate::read::Blob;
use crate::source::{self, Candidate, SkipReason, UriBase, Walked, location_of_uri};
use crate::store::embedded::{KnownVectors, NewDocument, Record, Writer};
use crate::store::{ModelInfo, StoreError, is_below};

pub use fill::{FillOptions, FillReport, fill};
pub use pipeline::{Isolation, Pipeline};
pub use refresh::{Decision, RefreshPolicy, RefreshRules};
pub use report::{Event, Failure, FailureCause, IngestReport, Outcome, Reporter, Silent, Sizes};

/// How many sources, and how many bytes of them, may be read and not yet written. Bounds memory: a text with its chunks
/// and vectors is about four times its source.
const MAX_AHEAD: usize = 256;
const MAX_AHEAD_BYTES: u64 = 48 << 20;

/// What to ingest.
#[derive(Debug)]
pub struct Sources {
    /// Files found by walking.
    pub walked: Walked,
    /// Content handed over directly, such as standard input.
    pub blobs: Vec<Blob>,
    /// The paths that were asked for, as URIs; pruning stays below them.
    pub roots: Vec<String>,
    /// Largest file, bytes.
    pub max_bytes: u64,
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

/// One source on its way.
enum Source {
    File(Candidate),
    Blob(Blob),
}

impl Source {
    fn uri(&self) -> &str {
        match self {
            Self::File(candidate) => &candidate.uri,
            Self::Blob(blob) => &blob.uri,
        }
    }

    /// Whether the user named it, and not a folder above it.
    fn is_named(&self) -> bool {
        match self {
            Self::File(candidate) => candidate.is_named,
            Self::Blob(_) => true,
        }
    }

    fn n_bytes(&self) -> u64 {
        match self {
            Self::File(candidate) => candidate.n_bytes,
            Self::Blob(blob) => blob.bytes.len() as u64,
        }
    }
}

/// A source that was taken through the stages, or not.
enum Prepared {
    Document(Box<NewDocument>),
    Unchanged,
    Skipped(SkipReason),
    Failed(FailureCause),
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

    let mut queue: Vec<Source> = sources.walked.candidates.iter().cloned().map(Source::File).collect();
    queue.extend(sources.blobs.iter().cloned().map(Source::Blob));
    queue.sort_by(|a, b| a.uri().cmp(b.uri()));
    reporter
        .event(&Event::Planned { n_sources: queue.len(), n_bytes: queue.iter().map(Source::n_bytes).sum() });

    let mut notable = Vec::new();
    let fingerprint = pipeline.fingerprint();
    let stages =
        Stages { records: &records, pipeline, options, max_bytes: sources.max_bytes, known: known.as_ref() };
    run_stages(&queue, &stages, |source, prepared| {
        let uri = source.uri();
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
            Prepared::Skipped(reason) => {
                if source.is_named() {
                    notable.push((uri.to_owned(), reason));
                }
                (Outcome::Skipped(reason), Vec::new())
            }
            Prepared::Failed(cause) => (Outcome::Failed(cause), Vec::new()),
        };
        finish(&mut report, reporter, uri, &outcome, &warnings, source.n_bytes());
        Ok(())
    })?;
    let walked = sources.walked.notable.iter();
    report.notable = walked.map(|(path, reason)| (path.display().to_string(), *reason)).collect();
    report.notable.append(&mut notable);
    report.is_interrupted = options.cancel.load(Ordering::Relaxed);

    if options.prune && !report.is_interrupted {
        for (uri, record) in gone(&records, &sources.roots, &options.folder) {
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

/// Stored documents at or below `roots` whose files do not exist any more, in order of their URIs.
fn gone<'a>(
    records: &'a HashMap<String, Record>,
    roots: &[String],
    folder: &Path,
) -> Vec<(&'a str, &'a Record)> {
    let root_folder = crate::store::embedded::root_of(folder);
    let mut gone: Vec<(&str, &Record)> = records
        .iter()
        .map(|(uri, record)| (uri.as_str(), record))
        .filter(|(uri, record)| record.is_file && roots.iter().any(|root| is_below(uri, root)))
        .filter(|(uri, _)| {
            // Only a file that is certainly not there is gone; one that cannot be looked at is not.
            location_of_uri(&root_folder, uri).is_some_and(|path| matches!(path.try_exists(), Ok(false)))
        })
        .collect();
    gone.sort_by_key(|(uri, _)| *uri);
    gone
}

/// What the store says of a model.
pub fn model_info(model: &dyn Embedder) -> ModelInfo {
    ModelInfo {
        name: model.name().to_owned(),
        fingerprint: model.fingerprint().to_owned(),
        dimension: model.dimension(),
        settings: model.settings(),
    }
}

/// What it takes to prepare a source.
struct Stages<'a> {
    records: &'a HashMap<String, Record>,
    pipeline: &'a Pipeline<'a>,
    options: &'a IngestOptions<'a>,
    max_bytes: u64,
    known: Option<&'a KnownVectors>,
}

/// Takes the sources through the stages on all cores and hands the results to `write` in the order of `queue`.
fn run_stages(
    queue: &[Source],
    stages: &Stages<'_>,
    mut write: impl FnMut(&Source, Prepared) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let options = stages.options;
    let pool = thread_pool(options.n_threads, &options.folder)?;
    let gate = Gate::new(queue);
    let (sender, receiver) = crossbeam_channel::unbounded::<(usize, Prepared)>();
    pool.in_place_scope(|scope| {
        for _ in 0..pool.current_num_threads() {
            let (sender, gate) = (sender.clone(), &gate);
            scope.spawn(move |_| {
                while let Some(at) = gate.admit(options.cancel) {
                    let prepared = prepare(&queue[at], stages);
                    if sender.send((at, prepared)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut result = Ok(());
        for (at, prepared) in &receiver {
            waiting.insert(at, prepared);
            while let Some(prepared) = waiting.remove(&next) {
                if result.is_ok() {
                    result = write(&queue[next], prepared);
                    if result.is_err() {
                        gate.close();
                    }
                }
                gate.release(next);
                next += 1;
            }
        }
        result
    })
}

fn thread_pool(n_threads: usize, folder: &Path) -> Result<rayon::ThreadPool, StoreError> {
    rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().map_err(|error| {
        let source = std::io::Error::other(error);
        StoreError::Io { action: "start threads for", path: folder.to_owned(), source }
    })
}

fn prepare(source: &Source, stages: &Stages<'_>) -> Prepared {
    let &Stages { records, pipeline, options, max_bytes, known } = stages;
    let record = records.get(source.uri());
    let mut decision = options.refresh.policy_for(source.uri()).decide(record, options.now);
    if decision == Decision::Keep {
        if matches!(source, Source::File(_)) {
            return Prepared::Unchanged;
        }
        // What was handed over has been read already: only the same content is left alone.
        decision = Decision::Compare;
    }
    let fetched;
    let blob = match source {
        Source::Blob(blob) => blob,
        Source::File(candidate) => match source::fetch(candidate, max_bytes) {
            Ok(bytes) => {
                fetched = Blob { uri: candidate.uri.clone(), bytes };
                &fetched
            }
            Err(error) => return Prepared::Failed(FailureCause::Fetch(error.to_string())),
        },
    };
    let hash = ContentHash::of(&blob.bytes);
    let reader = match pipeline.reader_for(blob) {
        Ok(reader) => reader.meta(),
        Err(_) => return Prepared::Skipped(SkipReason::Binary),
    };
    if decision == Decision::Compare
        && record.is_some_and(|record| {
            record.hash == hash
                && record.reader == reader.name
                && record.reader_version == reader.version
                && record.pipeline == pipeline.fingerprint()
        })
    {
        return Prepared::Unchanged;
    }
    match pipeline.prepare(blob, hash, options.now, known) {
        Ok(mut document) => {
            document.provenance.is_file = matches!(source, Source::File(_));
            Prepared::Document(Box::new(document))
        }
        Err(FailureCause::Read(crate::read::ReadError::Binary)) => Prepared::Skipped(SkipReason::Binary),
        Err(cause) => Prepared::Failed(cause),
    }
}

/// Lets workers take sources in order, and only so many ahead of the writer.
struct Gate<'a> {
    queue: &'a [Source],
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    next: usize,
    n_ahead: usize,
    n_ahead_bytes: u64,
    is_closed: bool,
}

impl<'a> Gate<'a> {
    fn new(queue: &'a [Source]) -> Self {
        Self { queue, state: Mutex::default(), changed: Condvar::new() }
    }

    /// The next source to take, once there is room for it; `None` when all are taken or the run is to end.
    ///
    /// Sources are admitted in order, so that the one that the writer waits for is always under way: no deadlock.
    fn admit(&self, cancel: &AtomicBool) -> Option<usize> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.is_closed || cancel.load(Ordering::Relaxed) {
                return None;
            }
            let n_bytes = self.queue.get(state.next)?.n_bytes();
            let has_room = state.n_ahead < MAX_AHEAD && state.n_ahead_bytes + n_bytes <= MAX_AHEAD_BYTES;
            if has_room || state.n_ahead == 0 {
                let at = state.next;
                state.next += 1;
                state.n_ahead += 1;
                state.n_ahead_bytes += n_bytes;
                return Some(at);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn release(&self, at: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.n_ahead -= 1;
        state.n_ahead_bytes -= self.queue[at].n_bytes();
        self.changed.notify_all();
    }

    fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_closed = true;
        self.changed.notify_all();
    }
}

/// Names documents for an index at `folder`.
pub fn uri_base(folder: &Path) -> UriBase {
    UriBase::new(&crate::store::embedded::root_of(folder))
}
