//! `ragctl eval compare`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::{Bench, Setup, files, late_note, metrics, write};
use crate::cli::args::{EvalCompareArgs, Global, SetupArgs};
use crate::cli::error::{CliError, Exit};
use crate::cli::output::Output;
use crate::eval::collection::read_text;
use crate::eval::{Evaluated, Metric, evaluate, mean, paired};
use crate::render::{figures, html, json};

/// Values of one side: by metric, by query.
type Side = BTreeMap<String, BTreeMap<String, f64>>;

/// What is compared: what the sides need, and what is to be said of them.
struct Sides<'a> {
    args: &'a EvalCompareArgs,
    global: &'a Global,
    /// Opened when a side is a way to search.
    bench: Option<Bench>,
    notes: Vec<String>,
}

pub(super) fn run(args: &EvalCompareArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let mut sides = Sides { args, global, bench: None, notes: Vec::new() };
    let (first, second) = (sides.side(&args.first, output)?, sides.side(&args.second, output)?);
    for note in &sides.notes {
        output.note(&format!("note: {note}"));
    }
    // The bench has said its own already.
    let mut notes = sides.bench.map_or_else(Vec::new, |it| it.notes);
    notes.append(&mut sides.notes);
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
        notes.push(format!("{} queries are in both and count", queries.len()));
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
        json::EvalCompareOut::new(&args.first, &args.second, notes, compared.collect(), of_queries.collect());
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

impl Sides<'_> {
    /// What `text` names: a report, a run file, or a way to search.
    fn side(&mut self, text: &str, output: &mut Output) -> Result<Side, CliError> {
        let collection = &self.args.collection;
        let (path, setup) = match text.rsplit_once('#') {
            Some((path, setup)) if !Path::new(text).is_file() => (path, Some(setup)),
            _ => (text, None),
        };
        if Path::new(path).is_file() {
            return self.of_file(Path::new(path), setup);
        }
        let setup = SetupArgs::of_word(text).map_err(|message| {
            CliError::usage(
                format!("'{text}' is neither a file nor a way to search"),
                format!("{message}; name a run file, a report of eval run --json, or a setup such as hybrid,fusion=rrf"),
            )
        })?;
        let setup = Setup::new(&setup, self.global)?;
        let bench = match &mut self.bench {
            Some(bench) => bench,
            None => self.bench.insert(Bench::open(collection, &[], self.global, output)?),
        };
        let measured = bench.measure(collection, &setup)?;
        self.notes.extend(measured.note());
        Ok(of_evaluated(&measured.evaluated, &bench.metrics))
    }

    fn of_file(&mut self, path: &Path, setup: Option<&str>) -> Result<Side, CliError> {
        let text = read_text(path)?;
        if text.trim_start().starts_with('{') {
            let (side, note) = of_report(path, &text, setup)?;
            self.notes.extend(note);
            return Ok(side);
        }
        let collection = &self.args.collection;
        let judged = files::judgements(collection)?;
        let (run, note) = files::results(path, collection, &judged)?;
        self.notes.extend(note);
        let metrics = metrics(collection);
        Ok(of_evaluated(&evaluate(&run, &judged.1, None, None, &metrics), &metrics))
    }
}

fn of_evaluated(evaluated: &Evaluated, metrics: &[Metric]) -> Side {
    let of_metric = |at: usize| evaluated.queries.iter().map(|it| (it.id.clone(), it.values[at])).collect();
    metrics.iter().enumerate().map(|(at, metric)| (metric.to_string(), of_metric(at))).collect()
}

/// The values of one way to search in a report of `eval run --json`, and what is to be said of it.
fn of_report(path: &Path, text: &str, setup: Option<&str>) -> Result<(Side, Option<String>), CliError> {
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
    let n_late = run["not_reranked"].as_u64().filter(|&it| it > 0);
    Ok((side, n_late.map(|n| late_note(&format!("{path}#{}", name(run)), &n.to_string()))))
}
