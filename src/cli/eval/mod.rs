//! `ragctl eval`: what is measured of what, and how the figures are printed.

mod ablate;
mod compare;
mod files;
mod run;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::cli::args::{
    CollectionArgs, EvalArgs, EvalCommand, Global, SetupArgs, StageArgs, ThresholdChoice,
};
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
use crate::search::{Mode, SearchRequest, Stages};
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

/// Documents that are looked at for each query, where neither the user nor a metric says otherwise.
const DEPTH: usize = 100;

/// No metric makes a search go deeper than this. Chosen: as far as `-k` goes.
const MAX_DEPTH: usize = 100_000;

/// Questions, judgements, and the index that they are asked of.
struct Bench {
    index: Index,
    embedder: Arc<dyn Embedder>,
    queries: Vec<TestQuery>,
    qrels: Qrels,
    metrics: Vec<Metric>,
    /// Documents that are looked at for each query.
    depth: usize,
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
        let n_late = self.outcome.n_not_reranked;
        json::EvalRunOut::new(&self.setup, &self.evaluated, metrics, self.seconds, n_late)
    }

    /// What is to be said of it.
    fn note(&self) -> Option<String> {
        let n = self.outcome.n_not_reranked;
        (n > 0).then(|| late_note(&self.setup, &format!("{n} of {}", self.outcome.run.len())))
    }
}

/// That reranking ran out of time in so many queries.
fn late_note(setup: &str, how_many: &str) -> String {
    format!(
        "{setup}: reranking ran out of its time in {how_many} queries; their documents stand in the order that they had before"
    )
}

impl Bench {
    /// Reads the collection, and ingests its corpus where it has one. `more` is measured beside the metrics that were asked for.
    fn open(
        args: &CollectionArgs,
        more: &[Metric],
        global: &Global,
        output: &mut Output,
    ) -> Result<Self, CliError> {
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
            None => {
                refuse_without_corpus(args)?;
                (index::open_with_model(global, Need::ALL, args.model.as_deref(), output)?, None)
            }
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
        let mut metrics = metrics(args);
        for metric in more {
            if !metrics.contains(metric) {
                metrics.push(*metric);
            }
        }
        let (depth, note) = depth(args.depth, &metrics);
        let mut bench = Self {
            index,
            embedder,
            queries,
            qrels,
            metrics,
            depth,
            name,
            notes: note.into_iter().collect(),
            _temporary: temporary,
        };
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
        if n_unasked > 0 {
            self.notes.push(format!("{n_unasked} judged queries are not among the queries and do not count"));
        }
        let relevant: std::collections::BTreeSet<&str> = judged
            .iter()
            .filter(|id| ids.contains(*id))
            .flat_map(|id| self.qrels[*id].iter().filter(|it| *it.1 > 0).map(|it| it.0.as_str()))
            .collect();
        let n_missing = args.id_from.missing(&self.index.store()?, relevant.iter().copied())?.len();
        let what = args.id_from.plural();
        if n_missing == relevant.len() {
            let example = relevant.first().copied().unwrap_or_default();
            return Err(CliError::usage(
                format!("none of the {n_missing} relevant {what} is in the index, such as '{example}'"),
                "say with --id-from what of a document is its id (uri, stem, meta:KEY, section, chunk), or bring the corpus with --corpus",
            ));
        }
        if n_missing > 0 {
            let note = format!("{n_missing} of {} relevant {what} are not in the index", relevant.len());
            self.notes.push(note);
        }
        Ok(())
    }

    /// Puts a threshold into a way to search. Gives what is to be said of that.
    fn limit(
        &self,
        threshold: Option<ThresholdChoice>,
        setup: &mut Setup,
    ) -> Result<Option<String>, CliError> {
        match threshold {
            None => Ok(None),
            Some(ThresholdChoice::Score(_)) if matches!(setup.request.mode, Mode::Hybrid(_)) => Ok(Some(
                format!("--threshold has no effect on {}; it applies to vector and text", setup.name),
            )),
            Some(ThresholdChoice::Score(score)) => {
                setup.request.threshold = Some(score);
                Ok(None)
            }
            Some(ThresholdChoice::Calibrated) => {
                calibrate::apply(&self.index, &self.index.store()?, &mut setup.request)?;
                Ok(None)
            }
        }
    }

    /// Asks the questions that can be measured, in one way.
    fn measure(&self, args: &CollectionArgs, setup: &Setup) -> Result<Measured, CliError> {
        let store = self.index.store()?;
        let queries: Vec<TestQuery> = self.queries.iter().filter(|it| self.counts(it)).cloned().collect();
        let started = Instant::now();
        let outcome =
            eval::run::run(&store, &self.embedder, &queries, &setup.request, self.depth, &args.id_from)?;
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

/// How many documents a query are looked at for these metrics, and what is to be said of that.
fn depth(asked: Option<usize>, metrics: &[Metric]) -> (usize, Option<String>) {
    let deepest = metrics.iter().filter_map(|it| it.cut).max().unwrap_or(0);
    let depth = asked.unwrap_or_else(|| deepest.clamp(DEPTH, MAX_DEPTH));
    let cut: Vec<String> =
        metrics.iter().filter(|it| it.cut.is_some_and(|it| it > depth)).map(ToString::to_string).collect();
    let note = (!cut.is_empty()).then(|| {
        format!("{} would look further than the {depth} documents a query that are looked at", cut.join(", "))
    });
    (depth, note)
}

/// Options of ingesting say nothing where nothing is ingested.
fn refuse_without_corpus(args: &CollectionArgs) -> Result<(), CliError> {
    // Each option is named, so that a new one is not forgotten here.
    let StageArgs {
        full_page,
        links,
        lang,
        // It comes from the environment, too.
        password: _,
        chunker,
        max_chunk_size,
        overlap,
        min_chunk_size,
        transform,
    } = &args.stages;
    let default = StageArgs::default();
    let given = [
        ("--corpus-index", args.corpus_index.is_some()),
        ("--full-page", *full_page),
        ("--links", *links),
        ("--lang", lang.is_some()),
        ("--chunker", *chunker != default.chunker),
        ("--max-chunk-size", *max_chunk_size != default.max_chunk_size),
        ("--overlap", *overlap != default.overlap),
        ("--min-chunk-size", *min_chunk_size != default.min_chunk_size),
        ("--transform", *transform != default.transform),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(CliError::usage(
            format!("{name} has no meaning without a corpus: the index is asked as it is"),
            "leave it out, or name a corpus with --corpus or --beir",
        )),
        None => Ok(()),
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
        "{n_documents} documents of '{}', {} of them ingested now{}",
        corpus.display(),
        report.n_added + report.n_refreshed,
        match report.n_removed {
            0 => String::new(),
            n => format!("; {n} removed that are no longer in it"),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_goes_as_deep_as_its_metrics() {
        let check = |asked: Option<usize>, names: &[&str], expected: usize, cut: &[&str]| {
            let metrics: Vec<Metric> = names.iter().map(|it| it.parse().unwrap()).collect();
            let (found, note) = depth(asked, &metrics);
            assert_eq!(found, expected, "{names:?}");
            let all = cut.join(", ");
            assert_eq!(note.is_some(), !cut.is_empty(), "{note:?}");
            assert!(note.unwrap_or_default().starts_with(&all));
        };
        check(None, &["nDCG@10", "MAP"], 100, &[]);
        check(None, &["recall@1000", "nDCG@10"], 1000, &[]);
        check(None, &["MAP@200000"], MAX_DEPTH, &["MAP@200000"]);
        check(Some(2), &["recall@1000", "success@1", "nDCG@10"], 2, &["recall@1000", "nDCG@10"]);
        check(Some(500), &["recall@100"], 500, &[]);
    }
}
