//! `ragctl eval compare`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::{Bench, Setup, metrics, write};
use crate::cli::args::{CollectionArgs, EvalCompareArgs, Global, SetupArgs};
use crate::cli::error::{CliError, Exit};
use crate::cli::output::Output;
use crate::eval::collection::{read_text, read_with};
use crate::eval::formats::{parse_qrels, parse_run};
use crate::eval::{Evaluated, Metric, evaluate, mean, paired};
use crate::render::{figures, html, json};

/// Values of one side: by metric, by query.
type Side = BTreeMap<String, BTreeMap<String, f64>>;

pub(super) fn run(args: &EvalCompareArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let mut bench = None;
    let mut side = |text: &str, output: &mut Output| side(text, args, global, &mut bench, output);
    let (first, second) = (side(&args.first, output)?, side(&args.second, output)?);
    let wanted = metrics(&args.collection).into_iter().map(|it| it.to_string());
    let shared: Vec<String> = wanted.filter(|it| first.contains_key(it) && second.contains_key(it)).collect();
    let queries: Vec<&String> = match shared.first() {
        Some(metric) => first[metric].keys().filter(|id| second[metric].contains_key(*id)).collect(),
        None => Vec::new(),
    };
    if queries.is_empty() {
        return Err(CliError::usage(
            "the two have no metric and no query in common",
            "compare runs of one collection, measured by the same metrics",
        ));
    }
    let n_of_first = first.values().next().map_or(0, BTreeMap::len);
    let n_of_second = second.values().next().map_or(0, BTreeMap::len);
    if n_of_first != queries.len() || n_of_second != queries.len() {
        output.note(&format!("note: {} queries are in both and count", queries.len()));
    }
    let compared = shared.iter().map(|metric| {
        let value = |side: &Side, id: &String| side[metric].get(id).copied().unwrap_or(0.0);
        let values: Vec<(f64, f64)> =
            queries.iter().map(|&id| (value(&first, id), value(&second, id))).collect();
        compared(metric, &values)
    });
    let values_of = |side: &Side, id: &String| {
        shared.iter().filter_map(|metric| Some((metric.clone(), *side[metric].get(id)?))).collect()
    };
    let of_queries = queries.iter().map(|&id| json::ComparedQueryOut {
        id: id.clone(),
        first: values_of(&first, id),
        second: values_of(&second, id),
    });
    let answer =
        json::EvalCompareOut::new(&args.first, &args.second, compared.collect(), of_queries.collect());
    if let Some(path) = &args.html {
        write(path, &html::compare_page(&answer))?;
    }
    match args.json {
        true => output.json(&answer)?,
        false => output.text(&figures::compare_table(&answer))?,
    }
    Ok(Exit::Success)
}

/// The comparison of `(first, second)` values by one metric.
pub(super) fn compared(metric: &str, values: &[(f64, f64)]) -> json::ComparedOut {
    let of = |pick: fn(&(f64, f64)) -> f64| mean(&values.iter().map(pick).collect::<Vec<_>>());
    json::ComparedOut::new(metric, of(|it| it.0), of(|it| it.1), &paired(values))
}

/// What `text` names: a report, a run file, or a way to search.
fn side(
    text: &str,
    args: &EvalCompareArgs,
    global: &Global,
    bench: &mut Option<Bench>,
    output: &mut Output,
) -> Result<Side, CliError> {
    let (path, setup) = match text.rsplit_once('#') {
        Some((path, setup)) if !Path::new(text).is_file() => (path, Some(setup)),
        _ => (text, None),
    };
    if Path::new(path).is_file() {
        return of_file(Path::new(path), setup, &args.collection);
    }
    let setup = SetupArgs::of_word(text).map_err(|message| {
        CliError::usage(
            format!("'{text}' is neither a file nor a way to search"),
            format!("{message}; name a run file, a report of eval run --json, or a setup such as hybrid,fusion=rrf"),
        )
    })?;
    let bench = match bench {
        Some(bench) => bench,
        None => bench.insert(Bench::open(&args.collection, global, output)?),
    };
    let measured = bench.measure(&args.collection, &Setup::new(&setup, global)?)?;
    Ok(of_evaluated(&measured.evaluated, &bench.metrics))
}

fn of_evaluated(evaluated: &Evaluated, metrics: &[Metric]) -> Side {
    let of_metric = |at: usize| evaluated.queries.iter().map(|it| (it.id.clone(), it.values[at])).collect();
    metrics.iter().enumerate().map(|(at, metric)| (metric.to_string(), of_metric(at))).collect()
}

fn of_file(path: &Path, setup: Option<&str>, args: &CollectionArgs) -> Result<Side, CliError> {
    let text = read_text(path)?;
    if text.trim_start().starts_with('{') {
        return of_report(path, &text, setup);
    }
    let Some(qrels) = &args.qrels else {
        return Err(CliError::usage(
            format!("'{}' is a run file, which has no values without judgements", path.display()),
            "give them with --qrels FILE",
        ));
    };
    let (qrels, run) = (read_with(qrels, parse_qrels)?, read_with(path, parse_run)?);
    let metrics = metrics(args);
    Ok(of_evaluated(&evaluate(&run, &qrels, None, None, &metrics), &metrics))
}

/// The values of one way to search in a report of `eval run --json`.
fn of_report(path: &Path, text: &str, setup: Option<&str>) -> Result<Side, CliError> {
    let wrong = |message: String| {
        CliError::usage(message, "ragctl eval run --json prints reports; name one of its setups behind a #")
    };
    let path = path.display();
    let report: Value =
        serde_json::from_str(text).map_err(|error| wrong(format!("'{path}' is not JSON: {error}")))?;
    let runs = report["runs"].as_array().filter(|_| report["schema"] == "ragctl.eval/1");
    let runs = runs.ok_or_else(|| wrong(format!("'{path}' is no report of eval run")))?;
    let name = |run: &Value| run["setup"].as_str().unwrap_or_default().to_owned();
    let run = match setup {
        None if runs.len() == 1 => runs.first(),
        None => None,
        Some(setup) => runs.iter().find(|it| name(it) == setup),
    };
    let run = run.ok_or_else(|| {
        let names: Vec<String> = runs.iter().map(name).collect();
        wrong(format!("'{path}' has these setups: {}", names.join(" and ")))
    })?;
    let mut side = Side::new();
    for query in run["queries"].as_array().into_iter().flatten() {
        let id = query["id"].as_str().unwrap_or_default();
        for (metric, value) in query["values"].as_object().into_iter().flatten() {
            let value = value.as_f64().unwrap_or_default();
            side.entry(metric.clone()).or_default().insert(id.to_owned(), value);
        }
    }
    Ok(side)
}
