//! `ragctl calibrate`, and what it kept for `ragctl search --threshold calibrated`.

use std::path::Path;
use std::sync::Arc;

use crate::cli::args::{CalibrateArgs, Global, ModeChoice};
use crate::cli::error::{CliError, Exit};
use crate::cli::index::{self, Index};
use crate::cli::output::Output;
use crate::embed::EmbedError;
use crate::eval::answerable::Rule;
use crate::eval::calibration::{Basis, Calibration, choose};
use crate::eval::collection::read_text;
use crate::render::json::KeptThresholdOut;
use crate::render::{figures, json};
use crate::rerank;
use crate::search::{
    FusionRequest, Gate, Mode, Rerank, Scores, SearchError, SearchRequest, Signal, Stages, search,
};
use crate::store::embedded::{Need, keep_setting};
use crate::store::{Scope, Store};

/// Below this an area under the ROC curve is poor. Chosen: an unanswered question in five then scores above an answered one.
const POOR_AUROC: f64 = 0.8;

/// Fewer questions of a kind say little: the share of one mistake is then more than a twentieth.
const FEW_QUESTIONS: usize = 20;

pub(super) fn run(args: &CalibrateArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let (inside, outside) = (questions(&args.inside)?, questions(&args.outside)?);
    let reranker = args.rerank.as_deref().map(|it| rerank::reranker(it, global.offline)).transpose()?;
    let index = index::open_with_model(global, Need::ALL, args.model.as_deref(), output)?;
    let store = index.store()?;
    let stages = Stages {
        rerank: reranker.clone().map(|reranker| Rerank { reranker, pool: args.pool, budget: None }),
        ..Stages::default()
    };
    let mode = match args.mode {
        ModeChoice::Text => Mode::Text,
        ModeChoice::Vector => Mode::Vector,
        ModeChoice::Hybrid => Mode::Hybrid(FusionRequest::default()),
    };
    let signals: &[Signal] = match (&reranker, args.mode) {
        (Some(_), _) => &[Signal::Rerank],
        (None, ModeChoice::Text) => &[Signal::Text],
        (None, ModeChoice::Vector) => &[Signal::Vector],
        (None, ModeChoice::Hybrid) => &[Signal::Vector, Signal::Text],
    };
    let key = index.threshold_key(mode.name(), reranker.is_some());
    let request = SearchRequest {
        query: String::new(),
        syntax: Default::default(),
        mode,
        top_k: 1,
        threshold: None,
        gate: None,
        stages,
        n_neighbours: 0,
        scope: Scope::default(),
    };
    let embedder = index.embedder(None)?;
    let best = |texts: &[String]| -> Result<Vec<Scores>, CliError> {
        let mut open = || Ok::<_, EmbedError>(Arc::clone(&embedder));
        let of = |text: &String| match search(
            &store,
            &mut open,
            &SearchRequest { query: text.clone(), ..request.clone() },
        ) {
            Ok(found) => Ok(found.best),
            Err(SearchError::EmptyQuery) => Ok(Scores::default()),
            Err(error) => Err(error.into()),
        };
        texts.iter().map(of).collect()
    };
    let rule = args.max_false_answers.map_or(Rule::BalancedAccuracy, Rule::MaxFalseAnswers);
    let Some(chosen) = choose(&best(&inside)?, &best(&outside)?, signals, rule) else {
        return Err(CliError::usage(
            "no threshold can be chosen: no question finds anything",
            "ragctl info says what the index holds",
        ));
    };
    let info = store.info()?;
    let calibration = Calibration {
        signal: chosen.signal,
        threshold: chosen.threshold,
        basis: basis(&index, &store, reranker.as_ref().map(|it| it.fingerprint().to_owned()))?,
        n_chunks: info.n_chunks,
    };
    let kept = match args.dry_run {
        true => Ok(false),
        false => keep_setting(&index::existing(global)?, &key, &calibration.to_text(), args.lock_timeout)
            .map(|()| true),
    };
    // What was found out is worth minutes: it is told even where it cannot be kept.
    let is_kept = kept.as_ref().is_ok_and(|it| *it);
    let answer = json::CalibrationOut::new(&request, rule, &chosen, &calibration, is_kept);
    if args.json {
        output.json(&answer)?;
    } else {
        output.text(&figures::calibration(&answer))?;
    }
    output.flush()?;
    let auroc = chosen.auroc.iter().find(|it| it.0 == chosen.signal).map_or(0.0, |it| it.1.value);
    if auroc < POOR_AUROC {
        output.note(&format!("warning: the scores hardly tell the two kinds apart (AUROC {auroc:.2}): expect wrong answers and refusals"));
    }
    if inside.len() < FEW_QUESTIONS || outside.len() < FEW_QUESTIONS {
        output.note(&format!("warning: fewer than {FEW_QUESTIONS} questions of a kind say little"));
    }
    kept?;
    Ok(Exit::Success)
}

/// The lines of a file that are neither blank nor comments.
fn questions(path: &Path) -> Result<Vec<String>, CliError> {
    let text = read_text(path)?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let questions: Vec<String> =
        lines.filter(|it| !it.is_empty() && !it.starts_with("# ")).map(str::to_owned).collect();
    match questions.is_empty() {
        true => Err(CliError::usage(
            format!("'{}' has no question", path.display()),
            "write one question a line; lines that start with '# ' are comments",
        )),
        false => Ok(questions),
    }
}

fn basis(index: &Index, store: &dyn Store, reranker: Option<String>) -> Result<Basis, CliError> {
    let info = store.info()?;
    Ok(Basis {
        model: index.model().fingerprint.clone(),
        pipeline: info.pipeline,
        format: info.format,
        reranker,
    })
}

/// The thresholds that are kept with the index. Whether one for reranked searches holds, also depends on the reranker, which is
/// not known here.
pub(super) fn kept(index: &Index, store: &dyn Store) -> Result<Vec<KeptThresholdOut>, CliError> {
    let mut all = Vec::new();
    for (mode, is_reranked) in
        ["hybrid", "vector", "text"].into_iter().flat_map(|mode| [(mode, false), (mode, true)])
    {
        let kept = index.kept_setting(&index.threshold_key(mode, is_reranked))?;
        let Some(it) = kept.as_deref().and_then(Calibration::from_text) else { continue };
        let void = it.basis.difference(&basis(index, store, it.basis.reranker.clone())?);
        all.push(KeptThresholdOut::new(mode, is_reranked, &it, void));
    }
    Ok(all)
}

/// Puts the calibrated threshold for the request's mode into the request.
pub(super) fn apply(index: &Index, store: &dyn Store, request: &mut SearchRequest) -> Result<(), CliError> {
    let mode = request.mode.name();
    let reranker = request.stages.rerank.as_ref();
    let mut again = format!("ragctl calibrate --in FILE --out FILE --mode {mode}");
    if let Some(rerank) = reranker {
        again.push_str(&format!(" --rerank {}", rerank.reranker.name()));
    }
    if !index.is_preferred_model() {
        again.push_str(&format!(" --model {}", index.model().name));
    }
    if matches!(request.mode, Mode::Regex { .. }) {
        return Err(CliError::usage("patterns have no threshold", "leave --threshold out"));
    }
    let kept = index.kept_setting(&index.threshold_key(mode, reranker.is_some()))?;
    let Some(it) = kept.as_deref().and_then(Calibration::from_text) else {
        let what = if reranker.is_some() {
            format!("{mode} searches with a reranker")
        } else {
            format!("{mode} searches")
        };
        return Err(CliError::usage(
            format!("no threshold is calibrated for {what}"),
            format!("choose one: {again}"),
        ));
    };
    let now = basis(index, store, reranker.map(|it| it.reranker.fingerprint().to_owned()))?;
    if let Some(what) = it.basis.difference(&now) {
        return Err(CliError::usage(
            format!("the calibrated threshold is void: {what} changed since"),
            format!("calibrate again: {again}"),
        ));
    }
    match it.signal {
        // The mode's own score: what is below it is left out, hit by hit.
        Signal::Vector | Signal::Text if !matches!(request.mode, Mode::Hybrid(_)) => {
            request.threshold = Some(it.threshold);
        }
        signal => request.gate = Some(Gate { signal, least: it.threshold }),
    }
    Ok(())
}
