//! `ragctl eval`: what is measured of what, and how the figures are printed.

mod ablate;
mod compare;
mod run;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::cli::args::{CollectionArgs, EvalArgs, EvalCommand, Global, SetupArgs, ThresholdChoice};
use crate::cli::calibrate;
use crate::cli::error::{CliError, Exit};
use crate::cli::index::{self, Index};
use crate::cli::ingest::pipeline;
use crate::cli::models::Models;
use crate::cli::output::Output;
use crate::cli::progress::{PerSource, Progress};
use crate::cli::stages;
use crate::embed::{self, Embedder};
use crate::eval::collection::{Files, ingest_corpus, read_with};
use crate::eval::formats::{parse_qrels, parse_queries};
use crate::eval::{self, DEFAULT_METRICS, Evaluated, Metric, Outcome, Qrels, TestQuery, evaluate};
use crate::render::json;
use crate::search::{SearchRequest, Stages};
use crate::store::embedded::Need;
use crate::store::{Scope, Store as _};

pub(super) fn run(args: &EvalArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    match &args.command {
        EvalCommand::Run(args) => run::run(args, global, output),
        EvalCommand::Compare(args) => compare::run(args, global, output),
        EvalCommand::Ablate(args) => ablate::run(args, global, output),
    }
}

/// The metrics that were asked for, each once.
fn metrics(args: &CollectionArgs) -> Vec<Metric> {
    let mut metrics = Vec::new();
    let asked = if args.metrics.is_empty() { &DEFAULT_METRICS[..] } else { &args.metrics };
    for metric in asked {
        if !metrics.contains(metric) {
            metrics.push(*metric);
        }
    }
    metrics
}

/// Questions, judgements, and the index that they are asked of.
struct Bench {
    index: Index,
    embedder: Arc<dyn Embedder>,
    queries: Vec<TestQuery>,
    qrels: Qrels,
    metrics: Vec<Metric>,
    /// The collection, as it was named.
    name: String,
    notes: Vec<String>,
    /// Removed with the bench.
    _temporary: Option<tempfile::TempDir>,
}

/// One way to search, measured.
struct Measured {
    setup: String,
    outcome: Outcome,
    evaluated: Evaluated,
    seconds: f64,
}

impl Measured {
    fn to_json(&self, metrics: &[Metric]) -> json::EvalRunOut {
        json::EvalRunOut::new(&self.setup, &self.evaluated, metrics, self.seconds)
    }
}

impl Bench {
    /// Reads the collection, and ingests its corpus where it has one.
    fn open(args: &CollectionArgs, global: &Global, output: &mut Output) -> Result<Self, CliError> {
        let files = match (&args.beir, &args.queries, &args.qrels) {
            (Some(folder), _, _) => {
                let files = Files::of_beir(folder, &args.split)?;
                (Some(files.corpus), files.queries, files.qrels)
            }
            (None, Some(queries), Some(qrels)) => (args.corpus.clone(), queries.clone(), qrels.clone()),
            (None, _, _) => {
                return Err(CliError::usage(
                    "there is no test collection",
                    "give --queries FILE --qrels FILE, or --beir DIR",
                ));
            }
        };
        let (corpus, queries_path, qrels_path) = files;
        let qrels = read_with(&qrels_path, parse_qrels)?;
        let field = args.topic_field.as_deref();
        let queries = read_with(&queries_path, |text| parse_queries(text, field))?;
        let name = args.beir.as_ref().unwrap_or(&queries_path).display().to_string();
        let (index, temporary) = match &corpus {
            None => (index::open(global, Need::ALL, output)?, None),
            Some(corpus) => {
                let kept = args.corpus_index.as_deref();
                let temporary = if kept.is_none() { Some(temporary_folder()?) } else { None };
                let folder =
                    kept.or(temporary.as_ref().map(tempfile::TempDir::path)).unwrap_or(Path::new(""));
                ingest(args, corpus, folder, output)?;
                (index::open_at(folder, global, Need::ALL)?, temporary)
            }
        };
        let embedder = index.embedder(None)?;
        let metrics = metrics(args);
        let mut bench =
            Self { index, embedder, queries, qrels, metrics, name, notes: Vec::new(), _temporary: temporary };
        bench.look(args)?;
        for note in &bench.notes {
            output.note(&format!("note: {note}"));
        }
        Ok(bench)
    }

    /// Says what of the collection is not there.
    fn look(&mut self, args: &CollectionArgs) -> Result<(), CliError> {
        let ids: std::collections::BTreeSet<&str> = self.queries.iter().map(|it| it.id.as_str()).collect();
        let is_answered = |id: &str| self.qrels[id].values().any(|&grade| grade > 0);
        let judged: Vec<&str> = self.qrels.keys().map(String::as_str).filter(|id| is_answered(id)).collect();
        let n_unasked = judged.iter().filter(|id| !ids.contains(*id)).count();
        let n_asked = judged.len() - n_unasked;
        if n_asked == 0 {
            return Err(CliError::usage(
                "no query is judged: the ids of the queries and those of the judgements have nothing in common",
                "check that --queries and --qrels belong together",
            ));
        }
        let mut notes = Vec::new();
        if n_unasked > 0 {
            notes.push(format!("{n_unasked} judged queries are not among the queries and do not count"));
        }
        let store = self.index.store()?;
        let Some(documents) = args.id_from.of_documents(&store)? else {
            self.notes = notes;
            return Ok(());
        };
        let relevant: std::collections::BTreeSet<&str> = judged
            .iter()
            .filter(|id| ids.contains(*id))
            .flat_map(|id| self.qrels[*id].iter().filter(|it| *it.1 > 0).map(|it| it.0.as_str()))
            .collect();
        let n_missing = relevant.iter().filter(|id| !documents.contains(**id)).count();
        if n_missing == relevant.len() {
            let example = relevant.first().copied().unwrap_or_default();
            return Err(CliError::usage(
                format!("none of the {n_missing} relevant documents is in the index, such as '{example}'"),
                "say with --id-from what of a document is its id (uri, stem, meta:KEY, section, chunk), or bring the corpus with --corpus",
            ));
        }
        if n_missing > 0 {
            notes.push(format!("{n_missing} of {} relevant documents are not in the index", relevant.len()));
        }
        self.notes = notes;
        Ok(())
    }

    /// Puts a threshold into a way to search.
    fn limit(&self, threshold: Option<ThresholdChoice>, setup: &mut Setup) -> Result<(), CliError> {
        match threshold {
            None => Ok(()),
            Some(ThresholdChoice::Score(score)) => {
                setup.request.threshold = Some(score);
                Ok(())
            }
            Some(ThresholdChoice::Calibrated) => {
                calibrate::apply(&self.index, &self.index.store()?, &mut setup.request)
            }
        }
    }

    /// Asks the questions that can be measured, in one way.
    fn measure(&self, args: &CollectionArgs, setup: &Setup) -> Result<Measured, CliError> {
        let store = self.index.store()?;
        let queries: Vec<TestQuery> = self.queries.iter().filter(|it| self.counts(it)).cloned().collect();
        let started = Instant::now();
        let outcome =
            eval::run::run(&store, &self.embedder, &queries, &setup.request, args.depth, &args.id_from)?;
        let seconds = started.elapsed().as_secs_f64();
        let evaluated =
            evaluate(&outcome.run, &self.qrels, Some(&queries), Some(&outcome.best), &self.metrics);
        Ok(Measured { setup: setup.name.clone(), outcome, evaluated, seconds })
    }

    /// Whether a query is judged, or labelled as one that nothing answers.
    fn counts(&self, query: &TestQuery) -> bool {
        self.qrels.contains_key(&query.id) || query.is_answerable == Some(false)
    }

    fn index_out(&self) -> Result<json::EvalIndexOut, CliError> {
        let info = self.index.store()?.info()?;
        Ok(json::EvalIndexOut {
            model: info.model.name,
            fingerprint: info.model.fingerprint,
            pipeline: info.pipeline,
            documents: info.n_documents,
            chunks: info.n_chunks,
        })
    }
}

fn temporary_folder() -> Result<tempfile::TempDir, CliError> {
    let temporary = std::env::temp_dir();
    tempfile::tempdir()
        .map_err(|source| CliError::io("make a folder in", temporary.display().to_string(), source))
}

fn ingest(args: &CollectionArgs, corpus: &Path, folder: &Path, output: &mut Output) -> Result<(), CliError> {
    let models = Models::only(args.model.as_deref().unwrap_or(embed::DEFAULT_MODEL))?;
    let pipeline = pipeline(&args.stages, Some("markdown"), &models)?;
    let progress = Progress::new(output, PerSource::Silent);
    let report = ingest_corpus(corpus, &pipeline, folder, &progress);
    progress.finish()?;
    let report = report?;
    let n_documents = report.n_added + report.n_refreshed + report.n_unchanged;
    output.note(&format!(
        "{n_documents} documents of '{}', {} of them ingested now",
        corpus.display(),
        report.n_added + report.n_refreshed
    ));
    Ok(())
}

/// A way to search, with its name.
struct Setup {
    name: String,
    request: SearchRequest,
}

impl Setup {
    fn new(args: &SetupArgs, global: &Global) -> Result<Self, CliError> {
        Ok(Self::of(stages::name(args), args, stages::stages(&args.stages, global.offline)?))
    }

    fn of(name: String, args: &SetupArgs, stages: Stages) -> Self {
        let request = SearchRequest {
            query: String::new(),
            syntax: Default::default(),
            mode: stages::mode(args),
            top_k: 0,
            threshold: None,
            gate: None,
            stages,
            n_neighbours: 0,
            scope: Scope::default(),
        };
        Self { name, request }
    }
}

/// Writes a file that was asked for.
fn write(path: &Path, text: &str) -> Result<(), CliError> {
    std::fs::write(path, text).map_err(|source| CliError::io("write", path.display().to_string(), source))
}
