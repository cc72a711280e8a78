//! `ragctl eval run`.

use std::path::{Path, PathBuf};

use super::{Bench, Measured, Setup, write};
use crate::cli::args::{EvalRunArgs, Global, SetupArgs};
use crate::cli::error::{CliError, Exit};
use crate::cli::output::Output;
use crate::eval::to_trec;
use crate::render::{figures, html, json};

pub(super) fn run(args: &EvalRunArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let mut setups = setups(args)?;
    let mut bench = Bench::open(&args.collection, global, output)?;
    let n_wanted = bench.metrics.len();
    // What is held against a bar is measured, and not printed unless it was asked for.
    for (metric, _) in &args.fail_under {
        if !bench.metrics.contains(metric) {
            bench.metrics.push(*metric);
        }
    }
    for setup in &mut setups {
        bench.limit(args.threshold, setup)?;
    }
    let mut measured = Vec::new();
    for setup in &setups {
        measured.push(bench.measure(&args.collection, setup)?);
    }
    for note in measured.iter().flat_map(|it| &it.outcome.notes) {
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
        bench.index_out()?,
        args.collection.depth,
        shown,
        bench.notes.clone(),
        measured.iter().map(|it| it.to_json(shown)).collect(),
    );
    if let Some(path) = &args.html {
        write(path, &html::eval_page(&answer))?;
    }
    if args.json {
        output.json(&answer)?;
    } else {
        output.text(&figures::eval_table(&answer))?;
    }
    output.flush()?;
    Ok(match bars_missed(args, &bench, &measured) {
        missed if missed.is_empty() => Exit::Success,
        missed => {
            missed.iter().for_each(|it| output.error(it));
            Exit::BelowBar
        }
    })
}

/// The ways to search, each once.
fn setups(args: &EvalRunArgs) -> Result<Vec<Setup>, CliError> {
    let modes = args.mode.iter().flat_map(|it| it.modes());
    // With --setup alone only those are measured.
    let is_only_setup =
        !args.setup.is_empty() && args.stages.is_none() && args.mode == [crate::cli::args::RunMode::Hybrid];
    let mut words = Vec::new();
    for mode in modes.filter(|_| !is_only_setup) {
        let name = format!("{mode:?}").to_lowercase();
        let word = args.stages.as_ref().map_or(name.clone(), |stages| format!("{name},{stages}"));
        let wrong =
            |message| CliError::usage(message, "for example: --stages fusion=rrf,mmr=0.5,per=document:2");
        words.push(SetupArgs::of_word(&word).map_err(wrong)?);
    }
    words.extend(args.setup.iter().cloned());
    let mut setups: Vec<Setup> = Vec::new();
    for word in &words {
        let setup = Setup::new(word)?;
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
fn bars_missed(args: &EvalRunArgs, bench: &Bench, measured: &[Measured]) -> Vec<String> {
    let mut missed = Vec::new();
    for it in measured {
        for (metric, bar) in &args.fail_under {
            let Some(at) = bench.metrics.iter().position(|it| it == metric) else { continue };
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
            assert_eq!(path_of(Path::new(path), setup), Path::new(expected))
        };
        check("out/run.trec", "hybrid,mmr=0.5,per=document:2", "out/run.hybrid_mmr_0.5_per_document_2.trec");
        check("run", "text", "run.text");
    }
}
