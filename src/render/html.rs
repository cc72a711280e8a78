//! Reports of `eval` as pages: one file each, plots as inline SVG, nothing loaded, no scripts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::render::figures::differences;
use crate::render::json::{EvalCompareOut, EvalOut};

/// Width of a plot, in units of the picture.
const WIDTH: f64 = 960.0;

/// Height of one plot over all queries.
const HEIGHT: f64 = 150.0;

/// Colours of ways to search (Okabe and Ito's, told apart by everyone), again from the start where there are more.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666"];

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:2rem auto;padding:0 1rem;color:#222}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;margin:1rem 0}\
th,td{padding:.25rem .7rem;border-bottom:1px solid #ddd;text-align:right;font-variant-numeric:tabular-nums}\
th:first-child,td:first-child{text-align:left}th{color:#555}.best{font-weight:bold}.note{color:#666}\
svg{width:100%;height:auto;display:block}svg text{font:11px system-ui,sans-serif;fill:#555}";

/// Text without a meaning to HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn notes(notes: &[String]) -> String {
    notes.iter().map(|note| format!("<p class=\"note\">{}</p>\n", escape(note))).collect()
}

fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n{body}</body></html>\n"
    )
}

fn table(head: &[String], rows: &[Vec<(String, bool)>]) -> String {
    let mut text = String::from("<table><tr>");
    for it in head {
        let _ = write!(text, "<th>{}</th>", escape(it));
    }
    text.push_str("</tr>\n");
    for row in rows {
        text.push_str("<tr>");
        for (cell, is_best) in row {
            let class = if *is_best { " class=\"best\"" } else { "" };
            let _ = write!(text, "<td{class}>{}</td>", escape(cell));
        }
        text.push_str("</tr>\n");
    }
    text + "</table>\n"
}

/// The page of `eval run`: the means as a table and as bars with their spread, then for each way to search every query's
/// value of the first metric, all in the order of the first.
pub fn eval_page(answer: &EvalOut) -> String {
    let mut body = String::new();
    if let Some(index) = &answer.index {
        let _ = writeln!(
            body,
            "<p class=\"note\">{} documents in {} chunks; model {} ({}); {}; {} documents a query</p>",
            index.documents,
            index.chunks,
            escape(&index.model),
            escape(&index.fingerprint.chars().take(12).collect::<String>()),
            escape(&index.pipeline),
            answer.depth
        );
    }
    body.push_str(&notes(&answer.notes));
    body.push_str(&means_table(answer));
    if let Some(metric) = answer.metrics.first() {
        let _ = writeln!(body, "<h2>Mean {} with 95 % intervals of the mean</h2>", escape(metric));
        body.push_str(&means_plot(answer, metric));
        let _ = writeln!(
            body,
            "<h2>{} by query</h2><p class=\"note\">One bar a query, in the order of {}; point at a bar for its query.</p>",
            escape(metric),
            escape(answer.runs.first().map_or("", |it| &it.setup))
        );
        let order = order_of_queries(answer, metric);
        for (at, run) in answer.runs.iter().enumerate() {
            let values: BTreeMap<&str, f64> =
                run.queries.iter().map(|it| (it.id.as_str(), value(&it.values, metric))).collect();
            let bars: Vec<(&str, f64)> =
                order.iter().map(|&id| (id, values.get(id).copied().unwrap_or_default())).collect();
            let _ = writeln!(body, "<h3>{}</h3>", escape(&run.setup));
            body.push_str(&bars_plot(&bars, (0.0, 1.0), &|_| COLOURS[at % COLOURS.len()]));
        }
    }
    page(&format!("Evaluation: {}", answer.collection), &body)
}

fn value(values: &BTreeMap<String, f64>, metric: &str) -> f64 {
    values.get(metric).copied().unwrap_or_default()
}

fn means_table(answer: &EvalOut) -> String {
    let mut head = vec!["setup".to_owned()];
    head.extend(answer.metrics.iter().cloned());
    head.extend(["queries".to_owned(), "seconds".to_owned()]);
    let best = |metric: &String| answer.runs.iter().map(|it| value(&it.means, metric)).fold(0.0, f64::max);
    let best: Vec<f64> = answer.metrics.iter().map(best).collect();
    let rows = answer.runs.iter().map(|run| {
        let mut row = vec![(run.setup.clone(), false)];
        row.extend(answer.metrics.iter().zip(&best).map(|(metric, best)| {
            let mean = value(&run.means, metric);
            (format!("{mean:.4}"), answer.runs.len() > 1 && mean >= *best)
        }));
        row.extend([(run.queries.len().to_string(), false), (format!("{:.1}", run.seconds), false)]);
        row
    });
    table(&head, &rows.collect::<Vec<_>>())
}

/// Ids by the first run's values, highest first.
fn order_of_queries<'a>(answer: &'a EvalOut, metric: &str) -> Vec<&'a str> {
    let Some(first) = answer.runs.first() else { return Vec::new() };
    let mut order: Vec<(&str, f64)> =
        first.queries.iter().map(|it| (it.id.as_str(), value(&it.values, metric))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    order.into_iter().map(|it| it.0).collect()
}

/// A horizontal bar a run, with the interval of its mean (normal approximation, 1.96 standard errors).
fn means_plot(answer: &EvalOut, metric: &str) -> String {
    const ROW: f64 = 26.0;
    const LABEL: f64 = 300.0;
    let height = ROW * answer.runs.len() as f64 + 20.0;
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">");
    let x = |value: f64| LABEL + (WIDTH - LABEL - 60.0) * value.clamp(0.0, 1.0);
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let at = x(tick);
        let _ = write!(
            svg,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"0\" y2=\"{:.1}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
            height - 16.0,
            height - 3.0
        );
    }
    for (at, run) in answer.runs.iter().enumerate() {
        let values: Vec<f64> = run.queries.iter().map(|it| value(&it.values, metric)).collect();
        let (mean, n) = (value(&run.means, metric), values.len().max(2) as f64);
        let variance = values.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let reach = 1.96 * (variance / n).sqrt();
        let y = ROW * at as f64;
        let label: String = run.setup.chars().rev().take(46).collect::<Vec<_>>().into_iter().rev().collect();
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{LABEL}\" y=\"{:.1}\" width=\"{:.1}\" height=\"16\" fill=\"{}\"/>\
             <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#222\" stroke-width=\"1.5\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{mean:.4}</text>",
            LABEL - 8.0,
            y + 15.0,
            escape(&label),
            y + 3.0,
            x(mean) - LABEL,
            COLOURS[at % COLOURS.len()],
            x(mean - reach),
            x(mean + reach),
            y + 11.0,
            y + 11.0,
            x((mean + reach).min(1.0)) + 6.0,
            y + 15.0,
        );
    }
    svg + "</svg>\n"
}

/// A vertical bar a query from 0 to its value, within `range`.
fn bars_plot(bars: &[(&str, f64)], range: (f64, f64), colour: &dyn Fn(f64) -> &'static str) -> String {
    const LEFT: f64 = 36.0;
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">");
    let y =
        |value: f64| 8.0 + (HEIGHT - 16.0) * (range.1 - value.clamp(range.0, range.1)) / (range.1 - range.0);
    for tick in [range.0, f64::midpoint(range.0, range.1), range.1] {
        let at = y(tick);
        let _ = write!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            LEFT - 4.0,
            at + 4.0
        );
    }
    let step = (WIDTH - LEFT) / bars.len().max(1) as f64;
    let width = (step * 0.85).min(24.0);
    for (at, (id, value)) in bars.iter().enumerate() {
        let (top, bottom) = (y(value.max(0.0)), y(value.min(0.0)));
        // A bar of no height is still something to point at.
        let (top, height) = if bottom - top < 0.8 { (bottom - 0.8, 0.8) } else { (top, bottom - top) };
        let _ = write!(
            svg,
            "<rect x=\"{:.2}\" y=\"{top:.1}\" width=\"{width:.2}\" height=\"{height:.1}\" fill=\"{}\"><title>{}: {value:.4}</title></rect>",
            LEFT + step * at as f64,
            colour(*value),
            escape(id)
        );
    }
    svg + "</svg>\n"
}

/// The page of `eval compare`: the table of differences, then for each metric every query's difference, highest first.
pub fn compare_page(answer: &EvalCompareOut) -> String {
    let head = ["metric", "first", "second", "difference", "95 % interval", "p", "better", "worse", "alike"];
    let rows = answer.metrics.iter().map(|it| {
        let is_clear = it.interval[0] > 0.0 || it.interval[1] < 0.0;
        vec![
            (it.metric.clone(), false),
            (format!("{:.4}", it.first), false),
            (format!("{:.4}", it.second), false),
            (format!("{:+.4}", it.difference), is_clear),
            (format!("{:+.4} to {:+.4}", it.interval[0], it.interval[1]), false),
            (format!("{:.4}", it.p), false),
            (it.wins.to_string(), false),
            (it.losses.to_string(), false),
            (it.ties.to_string(), false),
        ]
    });
    let mut body = format!(
        "<p class=\"note\">Second minus first over {} queries. Intervals: 95 %, bootstrap over queries. p: two-sided paired \
         randomisation test. Bold: the interval does not hold 0.</p>\n",
        answer.n
    );
    body.push_str(&notes(&answer.notes));
    body.push_str(&table(&head.map(str::to_owned), &rows.collect::<Vec<_>>()));
    for it in &answer.metrics {
        let _ = writeln!(body, "<h2>{}: difference by query</h2>", escape(&it.metric));
        let bars = differences(answer, &it.metric);
        let largest = bars.iter().map(|it| it.1.abs()).fold(0.0, f64::max);
        let reach = ((largest * 4.0).ceil() / 4.0).max(0.25);
        body.push_str(&bars_plot(&bars, (-reach, reach), &|value| {
            if value < 0.0 { COLOURS[1] } else { COLOURS[0] }
        }));
    }
    page(&format!("{} against {}", answer.second, answer.first), &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_in_a_page_is_text() {
        let notes = vec!["<a>: 3 of 4".to_owned()];
        let answer = EvalCompareOut::new("<a>", "b & \"c\"", notes, Vec::new(), Vec::new());
        let page = compare_page(&answer);
        assert!(page.contains("b &amp; &quot;c&quot; against &lt;a&gt;") && !page.contains("<a>"), "{page}");
        assert!(page.contains("<p class=\"note\">&lt;a&gt;: 3 of 4</p>"), "{page}");
        assert!(!page.contains("<script") && !page.contains("http"), "a page loads nothing");
    }

    #[test]
    fn a_bar_goes_from_0_to_its_value() {
        let plot = bars_plot(&[("up", 1.0), ("down", -0.5)], (-1.0, 1.0), &|_| "#000");
        assert!(plot.contains("y=\"8.0\" width=\"24.00\" height=\"67.0\""), "{plot}");
        assert!(plot.contains("y=\"75.0\" width=\"24.00\" height=\"33.5\""), "{plot}");
        assert!(plot.contains("<title>down: -0.5000</title>"), "{plot}");
    }
}
