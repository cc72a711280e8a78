//! `ragctl eval run`.

use std::path::{Path, PathBuf};

use super::{Bench, Measured, Setup, files, metrics, write};
use crate::cli::args::{EvalRunArgs, Global, RunMode, SetupArgs};
use crate::cli::error::{CliError, Exit};
use crate::cli::output::Output;
use crate::eval::collection::read_with;
use crate::eval::formats::parse_queries;
use crate::eval::{Metric, Outcome, evaluate, to_trec};
use crate::render::{figures, html, json};

pub(super) fn run(args: &EvalRunArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    if !args.run.is_empty() {
        return of_files(args, output);
    }
    let mut setups = setups(args, global)?;
    // What is held against a bar is measured, and not printed unless it was asked for.
    let bars: Vec<Metric> = args.fail_under.iter().map(|it| it.0).collect();
    let bench = Bench::open(&args.collection, &bars, global, output)?;
    let n_wanted = metrics(&args.collection).len();
    let mut notes = Vec::new();
    for setup in &mut setups {
        notes.extend(bench.limit(args.threshold, setup)?);
    }
    let mut measured = Vec::new();
    for setup in &setups {
        measured.push(bench.measure(&args.collection, setup)?);
    }
    notes.extend(measured.iter().filter_map(Measured::note));
    for note in &notes {
        output.note(&format!("note: {note}"));
    }
    if let Some(path) = &args.run_out {
        for it in &measured {
            let path = if measured.len() == 1 { path.clone() } else { path_of(path, &it.setup) };
            write(&path, &to_trec(&it.outcome.run, &it.setup))?;
        }
    }
    let shown = &bench.metrics[..n_wanted];
    let answer = json::EvalOut::new(
        bench.name.clone(),
        Some(bench.index_out()?),
        bench.depth,
        shown,
        [bench.notes.clone(), notes].concat(),
        measured.iter().map(|it| it.to_json(shown)).collect(),
    );
    finish(args, &answer, &bars_missed(args, &bench.metrics, &measured), output)
}

/// Prints the answer, and what is below its bar.
fn finish(
    args: &EvalRunArgs,
    answer: &json::EvalOut,
    missed: &[String],
    output: &mut Output,
) -> Result<Exit, CliError> {
    if let Some(path) = &args.html {
        write(path, &html::eval_page(answer))?;
    }
    if args.json {
        output.json(answer)?;
    } else {
        output.text(&figures::eval_table(answer))?;
    }
    output.flush()?;
    missed.iter().for_each(|it| output.error(it));
    Ok(if missed.is_empty() { Exit::Success } else { Exit::BelowBar })
}

/// Measures files of results.
fn of_files(args: &EvalRunArgs, output: &mut Output) -> Result<Exit, CliError> {
    let collection = &args.collection;
    let judged = files::judgements(collection)?;
    let (qrels_path, qrels) = &judged;
    let field = collection.topic_field.as_deref();
    let queries = match &collection.queries {
        Some(path) => Some(read_with(path, |text| parse_queries(text, field))?),
        None => None,
    };
    let mut all = metrics(collection);
    let n_shown = all.len();
    all.extend(args.fail_under.iter().map(|it| it.0));
    let (mut measured, mut notes) = (Vec::new(), Vec::new());
    for path in &args.run {
        let (run, note) = files::results(path, collection, &judged)?;
        notes.extend(note);
        let evaluated = evaluate(&run, qrels, queries.as_deref(), None, &all);
        if evaluated.queries.is_empty() {
            return Err(CliError::usage(
                format!("'{}' judges no query", qrels_path.display()),
                "check that --queries and --qrels belong together",
            ));
        }
        let outcome = Outcome { run, ..Outcome::default() };
        measured.push(Measured { setup: path.display().to_string(), outcome, evaluated, seconds: 0.0 });
    }
    let shown = &all[..n_shown];
    for note in &notes {
        output.note(&format!("note: {note}"));
    }
    let name = collection.beir.as_ref().unwrap_or(qrels_path).display().to_string();
    let runs = measured.iter().map(|it| it.to_json(shown)).collect();
    let depth = measured.iter().flat_map(|it| it.outcome.run.values()).map(|it| it.documents().len()).max();
    let answer = json::EvalOut::new(name, None, depth.unwrap_or(0), shown, notes, runs);
    finish(args, &answer, &bars_missed(args, &all, &measured), output)
}

/// The ways to search, each once.
fn setups(args: &EvalRunArgs, global: &Global) -> Result<Vec<Setup>, CliError> {
    // With --setup alone only those are measured.
    let is_only_setup = !args.setup.is_empty() && args.stages.is_none();
    let asked: &[RunMode] = match args.mode.as_slice() {
        [] if is_only_setup => &[],
        [] => &[RunMode::Hybrid],
        modes => modes,
    };
    let mut words = Vec::new();
    for mode in asked.iter().flat_map(|it| it.modes()) {
        let name = format!("{mode:?}").to_lowercase();
        let word = args.stages.as_ref().map_or(name.clone(), |stages| format!("{name},{stages}"));
        let wrong =
            |message| CliError::usage(message, "for example: --stages fusion=rrf,mmr=0.5,per=document:2");
        words.push(SetupArgs::of_word(&word).map_err(wrong)?);
    }
    words.extend(args.setup.iter().cloned());
    let mut setups: Vec<Setup> = Vec::new();
    for word in &words {
        let setup = Setup::new(word, global)?;
        if !setups.iter().any(|it| it.name == setup.name) {
            setups.push(setup);
        }
    }
    Ok(setups)
}

/// `run.trec` for `hybrid,mmr=0.5` is `run.hybrid_mmr_0.5.trec`.
fn path_of(path: &Path, setup: &str) -> PathBuf {
    let name: String = setup
        .chars()
        .map(|it| if it.is_alphanumeric() || matches!(it, '.' | '-') { it } else { '_' })
        .collect();
    match path.extension() {
        Some(extension) => path.with_extension(format!("{name}.{}", extension.to_string_lossy())),
        None => path.with_extension(name),
    }
}

/// What is below its bar, in words.
fn bars_missed(args: &EvalRunArgs, metrics: &[Metric], measured: &[Measured]) -> Vec<String> {
    let mut missed = Vec::new();
    for it in measured {
        for (metric, bar) in &args.fail_under {
            let Some(at) = metrics.iter().position(|it| it == metric) else { continue };
            let mean = it.evaluated.means[at];
            if mean < *bar {
                missed.push(format!("{}: {metric} is {mean:.4}, below {bar}", it.setup));
            }
        }
    }
    missed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setup_has_a_file_of_its_own() {
        let check = |path: &str, setup: &str, expected: &str| {
            assert_eq!(path_of(Path::new(path), setup), Path::new(expected));
        };
        check("out/run.trec", "hybrid,mmr=0.5,per=document:2", "out/run.hybrid_mmr_0.5_per_document_2.trec");
        check("run", "text", "run.text");
    }
}
