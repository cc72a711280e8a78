//! Sources through the stages on all cores.
//!
//! One thread feeds: it puts files before the workers as they are and containers member by member, in order. Workers have the pool
//! prepare whatever comes next. The caller's thread writes in the same order.

use std::any::Any;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crossbeam_channel::Sender;

use crate::content::ContentHash;
use crate::ingest::gate::{Gate, MAX_AHEAD_BYTES};
use crate::ingest::pipeline::panic_text;
use crate::ingest::{Decision, FailureCause, IngestOptions, Pipeline, Sources};
use crate::read::Blob;
use crate::source::{
    self, Candidate, Container, ContainerError, ExpandOptions, Expanded, Found, SkipReason, WalkOptions,
};
use crate::store::StoreError;
use crate::store::embedded::{KnownVectors, NewDocument, Record};

/// One source of one or more documents.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    File(&'a Candidate),
    Blob(&'a Blob),
    /// By its address.
    Page(&'a str),
    Container {
        container: &'a Container,
        n_bytes: u64,
    },
}

impl Source<'_> {
    fn uri(&self) -> &str {
        match self {
            Self::File(candidate) => &candidate.uri,
            Self::Blob(blob) => &blob.uri,
            Self::Page(url) => url,
            Self::Container { container, .. } => &container.uri,
        }
    }

    pub(super) fn n_bytes(&self) -> u64 {
        match self {
            Self::File(candidate) => candidate.n_bytes,
            Self::Blob(blob) => blob.bytes.len() as u64,
            Self::Page(_) => 0,
            Self::Container { n_bytes, .. } => *n_bytes,
        }
    }
}

/// All sources in order of their URIs.
pub(super) fn queue(sources: &Sources) -> Vec<Source<'_>> {
    let candidates = sources.walked.candidates.iter().map(|candidate| match &candidate.container {
        None => Source::File(candidate),
        Some(container) => Source::Container { container, n_bytes: candidate.n_bytes },
    });
    let handed = sources.containers.iter().map(|container| {
        let n_bytes = match &container.content {
            source::Content::Bytes(bytes) => bytes.len() as u64,
            source::Content::File => 0,
        };
        Source::Container { container, n_bytes }
    });
    let pages = sources.pages.iter().map(|url| Source::Page(url));
    let mut queue: Vec<Source<'_>> =
        candidates.chain(handed).chain(pages).chain(sources.blobs.iter().map(Source::Blob)).collect();
    queue.sort_by(|a, b| a.uri().cmp(b.uri()));
    queue
}

/// One document on its way, or what is said in place of one.
pub(super) struct Item<'a> {
    pub(super) uri: String,
    pub(super) n_bytes: u64,
    /// What it counts for at the gate.
    n_reserved: u64,
    /// Whether the user named it, and not a folder or an archive above it.
    pub(super) is_named: bool,
    load: Load<'a>,
}

/// Where an item's bytes are.
enum Load<'a> {
    File(&'a Candidate),
    /// Handed over by the user.
    Handed(&'a Blob),
    /// At this address.
    Page(&'a str),
    /// Unpacked, and whether from a file.
    Member {
        bytes: Vec<u8>,
        is_file: bool,
    },
    /// Nothing is to be read.
    Done(Prepared),
}

/// An item that was taken through the stages, or not.
pub(super) enum Prepared {
    Document(Box<NewDocument>),
    Unchanged,
    /// A container, whose members follow.
    Listed {
        n_members: usize,
    },
    Skipped(SkipReason),
    Failed(FailureCause),
}

/// What it takes to prepare a source.
#[derive(Clone, Copy)]
pub(super) struct Stages<'a> {
    pub(super) records: &'a HashMap<String, Record>,
    pub(super) pipeline: &'a Pipeline<'a>,
    pub(super) options: &'a IngestOptions<'a>,
    pub(super) rules: &'a WalkOptions,
    pub(super) known: Option<&'a KnownVectors>,
}

/// Takes the sources through the stages on all cores and hands the results to `write` in the order of `queue`, members of a
/// container in its own. Returns what is known of each container.
pub(super) fn run_stages(
    queue: &[Source<'_>],
    stages: &Stages<'_>,
    mut write: impl FnMut(&Item<'_>, Prepared) -> Result<(), StoreError>,
) -> Result<Vec<(String, Expanded)>, StoreError> {
    let options = stages.options;
    let pool = thread_pool(options.n_threads, &options.folder)?;
    let gate = Gate::default();
    let (to_workers, work) = crossbeam_channel::unbounded::<(usize, Item<'_>)>();
    let (to_writer, done) = crossbeam_channel::unbounded::<(usize, Item<'_>, Prepared)>();
    std::thread::scope(|threads| {
        let feed = Feed { stages, gate: &gate, to_workers, next: 0, expanded: Vec::new() };
        let feeder = threads.spawn(move || feed.run(queue));
        for _ in 0..pool.current_num_threads() {
            let (work, to_writer, pool) = (work.clone(), to_writer.clone(), &pool);
            // Not a task of the pool: a thread of the pool that waits for a part of its document may take up any other task, and
            // from this one it would not come back before the writer has that document.
            threads.spawn(move || {
                for (at, mut item) in &work {
                    let outcome =
                        catch_unwind(AssertUnwindSafe(|| pool.install(|| prepare(&mut item, stages))));
                    // One lost result would keep the writer waiting for ever.
                    let crashed = |panic: Box<dyn Any + Send>| {
                        Prepared::Failed(FailureCause::Crash(panic_text(&*panic)))
                    };
                    let prepared = outcome.unwrap_or_else(crashed);
                    if to_writer.send((at, item, prepared)).is_err() {
                        return;
                    }
                }
            });
        }
        drop((work, to_writer));
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut result = Ok(());
        for (at, item, prepared) in &done {
            waiting.insert(at, (item, prepared));
            while let Some((item, prepared)) = waiting.remove(&next) {
                if result.is_ok() {
                    result = write(&item, prepared);
                    if result.is_err() {
                        gate.close();
                    }
                }
                gate.release(item.n_reserved);
                next += 1;
            }
        }
        // The feeder catches panics of what it calls.
        let expanded = feeder.join().unwrap_or_default();
        result.map(|()| expanded)
    })
}

/// So many threads; 0: one a core.
pub(super) fn thread_pool(n_threads: usize, folder: &Path) -> Result<rayon::ThreadPool, StoreError> {
    rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().map_err(|error| {
        let source = std::io::Error::other(error);
        StoreError::Io { action: "start threads for", path: folder.to_owned(), source }
    })
}

/// Puts items before the workers.
struct Feed<'a, 'b> {
    stages: &'b Stages<'b>,
    gate: &'b Gate,
    to_workers: Sender<(usize, Item<'a>)>,
    next: usize,
    expanded: Vec<(String, Expanded)>,
}

impl<'a> Feed<'a, '_> {
    /// All of `queue`, until the run is to end.
    fn run(mut self, queue: &[Source<'a>]) -> Vec<(String, Expanded)> {
        for source in queue {
            let flow = match *source {
                Source::File(candidate) => self.put(Item {
                    uri: candidate.uri.clone(),
                    n_bytes: candidate.n_bytes,
                    n_reserved: candidate.n_bytes,
                    is_named: candidate.is_named,
                    load: Load::File(candidate),
                }),
                Source::Blob(blob) => self.put(Item {
                    uri: blob.uri.clone(),
                    n_bytes: blob.bytes.len() as u64,
                    n_reserved: 0,
                    is_named: true,
                    load: Load::Handed(blob),
                }),
                Source::Page(url) => self.put(Item {
                    uri: url.to_owned(),
                    n_bytes: 0,
                    // How large it is will be seen.
                    n_reserved: self.stages.rules.max_bytes.min(MAX_AHEAD_BYTES / 4),
                    is_named: true,
                    load: Load::Page(url),
                }),
                Source::Container { container, .. } => self.open(container),
            };
            if flow.is_break() {
                break;
            }
        }
        self.expanded
    }

    /// Waits for room. Items are admitted in order, so that the one that the writer waits for is always under way: no
    /// deadlock.
    fn put(&mut self, item: Item<'a>) -> ControlFlow<()> {
        if !self.gate.admit(item.n_reserved, self.stages.options.cancel) {
            return ControlFlow::Break(());
        }
        let at = self.next;
        self.next += 1;
        match self.to_workers.send((at, item)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Puts the members of a container.
    fn open(&mut self, container: &Container) -> ControlFlow<()> {
        let stages = self.stages;
        let options =
            ExpandOptions { walk: stages.rules, password: stages.pipeline.read.password.as_deref() };
        let is_file = container.content == source::Content::File;
        let is_wanted = |uri: &str| !is_file || decide(uri, stages) != Decision::Keep;
        let mut flow = ControlFlow::Continue(());
        let mut emit = |found: Found| {
            flow = self.put(item_of(found, &container.uri, is_file));
            flow
        };
        let outcome =
            catch_unwind(AssertUnwindSafe(|| source::expand(container, &options, &is_wanted, &mut emit)));
        let expanded = outcome.unwrap_or_else(|panic| {
            let error = ContainerError::Damaged { format: "archive", detail: panic_text(&*panic) };
            let _ = emit(Found::Failed { uri: container.uri.clone(), error });
            Expanded::default()
        });
        self.expanded.push((container.uri.clone(), expanded));
        flow
    }
}

fn item_of<'a>(found: Found, container: &str, is_file: bool) -> Item<'a> {
    let item = |uri: String, n_bytes: u64, load: Load<'a>| Item {
        uri,
        n_bytes,
        n_reserved: n_bytes,
        is_named: false,
        load,
    };
    match found {
        Found::Listed { n_members, .. } => {
            item(container.to_owned(), 0, Load::Done(Prepared::Listed { n_members }))
        }
        Found::Member { uri, bytes } => item(uri, bytes.len() as u64, Load::Member { bytes, is_file }),
        Found::Unwanted { uri } => item(uri, 0, Load::Done(Prepared::Unchanged)),
        Found::Failed { uri, error } => item(uri, 0, Load::Done(Prepared::Failed(error.into()))),
    }
}

fn decide(uri: &str, stages: &Stages<'_>) -> Decision {
    let options = stages.options;
    options.refresh.policy_for(uri).decide(stages.records.get(uri), options.now)
}

fn prepare(item: &mut Item<'_>, stages: &Stages<'_>) -> Prepared {
    let &Stages { records, pipeline, options, rules, known } = stages;
    let mut decision = decide(&item.uri, stages);
    let blob = |bytes| Cow::Owned(Blob { uri: item.uri.clone(), bytes });
    let (blob, is_file) = match std::mem::replace(&mut item.load, Load::Done(Prepared::Unchanged)) {
        Load::Done(prepared) => return prepared,
        Load::Handed(handed) => (Cow::Borrowed(handed), false),
        Load::Member { bytes, is_file } => (blob(bytes), is_file),
        Load::File(_) | Load::Page(_) if decision == Decision::Keep => return Prepared::Unchanged,
        Load::Page(url) => match source::fetch_page(url, rules.max_bytes) {
            Ok(bytes) => {
                item.n_bytes = bytes.len() as u64;
                (Cow::Owned(Blob { uri: item.uri.clone(), bytes }), false)
            }
            Err(error) => return Prepared::Failed(FailureCause::Page(error)),
        },
        Load::File(candidate) => match source::fetch(candidate, rules.max_bytes) {
            Ok(bytes) => (blob(bytes), true),
            Err(error) => return Prepared::Failed(FailureCause::Fetch(error.to_string())),
        },
    };
    if decision == Decision::Keep {
        // What was handed over has been read already: only the same content is left alone.
        decision = Decision::Compare;
    }
    let hash = ContentHash::of(&blob.bytes);
    let reader = match pipeline.reader_for(&blob) {
        Ok(reader) => reader.meta(),
        Err(_) => return Prepared::Skipped(SkipReason::Binary),
    };
    if decision == Decision::Compare
        && records.get(&item.uri).is_some_and(|record| {
            record.hash == hash
                && record.reader == reader.name
                && record.reader_version == reader.version
                && record.pipeline == pipeline.fingerprint()
        })
    {
        return Prepared::Unchanged;
    }
    match pipeline.prepare(&blob, hash, options.now, known) {
        Ok(mut document) => {
            document.provenance.is_file = is_file;
            Prepared::Document(Box::new(document))
        }
        Err(FailureCause::Read(crate::read::ReadError::Binary)) => Prepared::Skipped(SkipReason::Binary),
        Err(cause) => Prepared::Failed(cause),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;
    use crate::content::Vectors;
    use crate::embed::{EmbedError, Embedder, Role};
    use crate::ingest::gate::MAX_AHEAD;
    use crate::ingest::pipeline::tests::of_defaults;
    use crate::ingest::{IngestReport, RefreshRules, Silent, ingest};
    use crate::source::Walked;

    /// A model that lets the pool do something else in the midst of each text, as waiting for another core does, and that
    /// panics at some.
    struct Restless;

    impl Embedder for Restless {
        fn name(&self) -> &str {
            "restless"
        }

        fn fingerprint(&self) -> &str {
            "restless"
        }

        fn dimension(&self) -> usize {
            1
        }

        fn fusion_weight(&self) -> f32 {
            0.5
        }

        fn batch_size(&self) -> usize {
            1
        }

        fn embed(&self, texts: &[&str], _role: Role) -> Result<Vectors, EmbedError> {
            while rayon::yield_now() == Some(rayon::Yield::Executed) {}
            assert!(!texts.iter().any(|it| it.contains("Bang")), "a text with a bang");
            Ok(Vectors::Dense { dimension: 1, values: vec![1.0; texts.len()] })
        }
    }

    /// Ingests texts under their numbers with eight threads; fails when that takes two minutes.
    fn ingested(texts: impl Iterator<Item = String> + Send + 'static) -> IngestReport {
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let folder = tempfile::tempdir().unwrap();
            let blobs = texts
                .enumerate()
                .map(|(at, text)| Blob { uri: format!("{at:04}.md"), bytes: text.into_bytes() });
            let sources = Sources {
                walked: Walked::default(),
                blobs: blobs.collect(),
                pages: Vec::new(),
                containers: Vec::new(),
                roots: Vec::new(),
                rules: WalkOptions::default(),
            };
            let options = IngestOptions {
                folder: folder.path().join("index"),
                refresh: RefreshRules::default(),
                prune: false,
                dry_run: false,
                n_threads: 8,
                patience: Duration::ZERO,
                now: jiff::Timestamp::UNIX_EPOCH,
                cancel: &AtomicBool::new(false),
            };
            sender.send(ingest(sources, &of_defaults(&Restless), &options, &Silent).unwrap()).unwrap();
        });
        receiver.recv_timeout(Duration::from_secs(120)).expect("it hangs")
    }

    /// More documents than may be ahead of the writer, each of several texts.
    #[test]
    fn a_document_is_never_behind_those_that_wait_for_it() {
        let text = "# A\n\nOne.\n\n# B\n\nTwo.\n\n# C\n\nThree.\n".to_owned();
        let report = ingested(std::iter::repeat_n(text, 2 * MAX_AHEAD));
        assert_eq!(report.n_added, 2 * MAX_AHEAD);
    }

    #[test]
    fn a_document_that_the_program_fails_at_costs_no_other() {
        let text = |at: usize| if at % 30 == 7 { "Bang.\n".to_owned() } else { format!("Number {at}.\n") };
        let report = ingested((0..2 * MAX_AHEAD).map(text));
        let n_bad = (0..2 * MAX_AHEAD).filter(|at| at % 30 == 7).count();
        assert_eq!((report.n_added, report.failed.len()), (2 * MAX_AHEAD - n_bad, n_bad));
        let failure = &report.failed[0];
        assert_eq!(failure.path, "0007.md");
        assert_eq!(failure.cause, FailureCause::Crash("a text with a bang".to_owned()));
    }
}
