//! Figures of `eval` and `calibrate` as text for people.

use std::fmt::Write as _;

use crate::render::json::{CalibrationOut, ComparedOut, EvalAblateOut, EvalCompareOut, EvalOut, RateOut};

/// Columns, the first to the left and the others to the right.
fn table(rows: &[Vec<String>]) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |at: usize| rows.iter().filter_map(|it| it.get(at)).map(|it| it.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            let width = widths[at];
            let _ = if at == 0 { write!(line, "{cell:<width$}") } else { write!(line, "  {cell:>width$}") };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// A row a way to search.
pub fn eval_table(answer: &EvalOut) -> String {
    let mut head = vec!["setup".to_owned()];
    head.extend(answer.metrics.iter().cloned());
    head.extend(["queries".to_owned(), "seconds".to_owned()]);
    let mut rows = vec![head];
    for run in &answer.runs {
        let mut row = vec![run.setup.clone()];
        row.extend(
            answer.metrics.iter().map(|it| format!("{:.4}", run.means.get(it).copied().unwrap_or_default())),
        );
        row.extend([run.queries.len().to_string(), format!("{:.1}", run.seconds)]);
        rows.push(row);
    }
    let mut text = table(&rows);
    if answer.runs.iter().any(|it| it.answerability.is_some()) {
        let mut rows = vec![["", "false answers", "false refusals", "AUROC"].map(str::to_owned).to_vec()];
        for run in &answer.runs {
            let Some(it) = &run.answerability else { continue };
            let auroc = it.auroc.iter().map(|it| {
                format!("{} {:.3} ({:.3} to {:.3})", it.signal, it.auroc, it.interval[0], it.interval[1])
            });
            let auroc = auroc.collect::<Vec<_>>().join(", ");
            rows.push(vec![run.setup.clone(), rate(&it.false_answers), rate(&it.false_refusals), auroc]);
        }
        let _ = write!(text, "\nquestions that nothing answers\n{}", table(&rows));
    }
    text
}

/// `3 of 20 (0.15)`.
pub fn rate(rate: &RateOut) -> String {
    format!("{} of {} ({:.2})", rate.n, rate.of, rate.share)
}

const COMPARED_HEAD: [&str; 6] = ["difference", "95 % interval", "p", "better", "worse", "alike"];

fn compared_cells(it: &ComparedOut) -> Vec<String> {
    vec![
        format!("{:+.4}", it.difference),
        format!("{:+.4} to {:+.4}", it.interval[0], it.interval[1]),
        format!("{:.4}", it.p),
        it.wins.to_string(),
        it.losses.to_string(),
        it.ties.to_string(),
    ]
}

/// A row a metric, then the queries that differ most by the first metric.
pub fn compare_table(answer: &EvalCompareOut) -> String {
    let mut head = vec!["metric".to_owned(), "first".to_owned(), "second".to_owned()];
    head.extend(COMPARED_HEAD.map(str::to_owned));
    let mut rows = vec![head];
    for it in &answer.metrics {
        let mut row = vec![it.metric.clone(), format!("{:.4}", it.first), format!("{:.4}", it.second)];
        row.extend(compared_cells(it));
        rows.push(row);
    }
    let mut text = format!("first {}, second {}, {} queries\n", answer.first, answer.second, answer.n);
    text.push_str(&table(&rows));
    let Some(metric) = answer.metrics.first().map(|it| &it.metric) else { return text };
    let differences = differences(answer, metric);
    let differing = differences.iter().filter(|it| it.1 != 0.0);
    let (mut best, mut worst): (Vec<_>, Vec<_>) = differing.partition(|it| it.1 > 0.0);
    best.truncate(N_EXTREMES);
    worst.reverse();
    worst.truncate(N_EXTREMES);
    for (name, list) in [("most won", best), ("most lost", worst)] {
        let of_query = |(id, difference): &&(&str, f64)| format!("{id} {difference:+.3}");
        if !list.is_empty() {
            let _ = writeln!(
                text,
                "{name} by {metric}: {}",
                list.iter().map(of_query).collect::<Vec<_>>().join(", ")
            );
        }
    }
    text
}

/// How many queries of either end are named.
const N_EXTREMES: usize = 5;

/// Second minus first of every query, highest first, ties by id.
pub(super) fn differences<'a>(answer: &'a EvalCompareOut, metric: &str) -> Vec<(&'a str, f64)> {
    let value = |it: &std::collections::BTreeMap<String, f64>| it.get(metric).copied().unwrap_or_default();
    let mut all: Vec<(&str, f64)> =
        answer.queries.iter().map(|it| (it.id.as_str(), value(&it.second) - value(&it.first))).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    all
}

/// For each metric a table with a row a stage.
pub fn ablate_table(answer: &EvalAblateOut) -> String {
    let mut text = format!(
        "{}, {} queries; what each part is worth: the whole minus the rest without it\n",
        answer.setup, answer.n
    );
    let metrics =
        answer.stages.first().map(|it| it.metrics.iter().map(|it| it.metric.clone()).collect::<Vec<_>>());
    for (at, metric) in metrics.unwrap_or_default().iter().enumerate() {
        let mut rows = vec![vec![format!("{metric}: without"), "rest".to_owned()]];
        rows[0].extend(COMPARED_HEAD.map(str::to_owned));
        for stage in &answer.stages {
            let it = &stage.metrics[at];
            let mut row = vec![stage.without.clone(), format!("{:.4}", it.first)];
            row.extend(compared_cells(it));
            rows.push(row);
        }
        rows.push(vec![
            "(the whole)".to_owned(),
            format!("{:.4}", answer.means.get(metric).copied().unwrap_or_default()),
        ]);
        let _ = write!(text, "\n{}", table(&rows));
    }
    text
}

/// The threshold, and what speaks for it.
pub fn calibration(answer: &CalibrationOut) -> String {
    let mut text = format!(
        "{} searches, by the best {} score of {} answered and {} unanswered questions\n",
        answer.mode, answer.signal, answer.false_refusals.of, answer.false_answers.of
    );
    for it in &answer.auroc {
        let _ = writeln!(
            text,
            "AUROC of {} scores {:.3} ({:.3} to {:.3})",
            it.signal, it.auroc, it.interval[0], it.interval[1]
        );
    }
    let _ = writeln!(text, "threshold {:.4}, chosen for {}", answer.threshold, answer.rule);
    let (answers, refusals) = (&answer.false_answers, &answer.false_refusals);
    let held = &answer.held_out;
    let rows = [
        vec![String::new(), "false answers".to_owned(), "false refusals".to_owned()],
        vec!["on these questions".to_owned(), rate(answers), rate(refusals)],
        vec!["each held out".to_owned(), rate(&held.false_answers), rate(&held.false_refusals)],
    ];
    text.push_str(&table(&rows));
    text.push_str(if answer.is_kept {
        "kept with the index, for ragctl search --threshold calibrated\n"
    } else {
        "not kept\n"
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows =
            [vec!["ä".to_owned(), "1".to_owned()], vec!["name".to_owned(), "10".to_owned(), "x".to_owned()]];
        assert_eq!(table(&rows), "ä      1\nname  10  x\n");
    }
}
