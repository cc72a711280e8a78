//! The index, its models, its checks and the trace of its use.

use std::fmt::Write as _;

use super::{Style, bytes, plural};
use crate::content::VectorKind;
use crate::render::json::{
    DiagnosisOut, KeptThresholdOut, ListedModel, QueryUse, State, ToolUse, TraceSummaryOut,
};
use crate::store::{IndexModel, ModelInfo, StoreInfo, embedded::Check};

/// An index in figures.
pub fn info(it: &StoreInfo, calibrations: &[KeptThresholdOut], style: Style) -> String {
    let mut out = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "{}{value}", style.bold(&format!("{name:<12}")));
    };
    line("index", format!("{} (format {}, generation {})", it.path.display(), it.format, it.generation));
    line("documents", format!("{} ({})", it.n_documents, bytes(it.n_source_bytes)));
    line("sections", it.n_sections.to_string());
    line("chunks", it.n_chunks.to_string());
    if it.models.is_empty() {
        line("model", "none: the index is empty".to_owned());
    }
    for model in &it.models {
        line("model", model_line(model));
    }
    line("pipeline", it.pipeline.clone());
    for kept in calibrations {
        let rerank = if kept.rerank { " with a reranker" } else { "" };
        let void = kept.void.as_ref().map(|what| format!("; void: {what} changed since")).unwrap_or_default();
        line(
            "threshold",
            format!("{}{rerank}: {} at least {:.4}{void}", kept.mode, kept.signal, kept.threshold),
        );
    }
    line(
        "on disk",
        format!(
            "database {}, text index {}, vectors {}",
            bytes(it.database_bytes),
            bytes(it.text_bytes),
            bytes(it.vector_bytes)
        ),
    );
    line("ragctl", env!("CARGO_PKG_VERSION").to_owned());
    if !it.languages.is_empty() {
        let mut languages: Vec<_> = it.languages.iter().collect();
        languages.sort_by_key(|&(language, n)| (std::cmp::Reverse(*n), *language));
        let languages: Vec<String> =
            languages.iter().map(|(language, n)| format!("{language} {n}")).collect();
        line("languages", languages.join(", "));
    }
    if it.n_documents_with_warnings > 0 {
        line("warnings", format!("{} documents; ragctl list shows them", it.n_documents_with_warnings));
    }
    for problem in &it.degraded {
        line("degraded", problem.clone());
    }
    out
}

/// What a model's vectors are, in words.
pub fn shape(kind: VectorKind, dimension: usize) -> String {
    match kind {
        VectorKind::Dense => format!("{dimension} dimensions"),
        VectorKind::Sparse => format!("sparse over {dimension} tokens"),
    }
}

fn model_line(it: &IndexModel) -> String {
    let ModelInfo { name, kind, dimension, fingerprint, .. } = &it.info;
    let mut text = format!("{name}, {}, {fingerprint}", shape(*kind, *dimension));
    if let (false, Some((n_done, n))) = (it.is_whole, it.n_texts) {
        let _ =
            write!(text, "; {n_done} of {n} passages embedded, not searched yet (ragctl reembed goes on)");
    }
    if it.is_interim {
        text.push_str("; goes when the other is whole");
    }
    text
}

/// Models, one a line, as `ragctl models` prints them.
pub fn models(models: &[ListedModel], style: Style) -> String {
    let mut out = String::new();
    let width = models.iter().map(|it| it.name.len()).max().unwrap_or(0);
    for it in models {
        let place = match (it.built_in, it.present) {
            (true, _) => "built in",
            (false, true) => "present",
            (false, false) => "to pull",
        };
        let mut parts = vec![place.to_owned()];
        let is_sparse = it.kind.as_deref() == Some(VectorKind::Sparse.name());
        parts.extend(
            it.dimension.map(|n| shape(if is_sparse { VectorKind::Sparse } else { VectorKind::Dense }, n)),
        );
        parts.extend(it.languages.clone());
        parts.extend(it.bytes.map(bytes));
        parts.extend(it.licence.clone());
        parts.push(it.summary.clone());
        parts.extend(it.passages_per_second.map(|n| format!("{n:.1} passages/s here")));
        let _ = writeln!(out, "{}  {}", style.bold(&format!("{:<width$}", it.name)), parts.join(", "));
    }
    out
}

/// What a trace says.
pub fn trace_summary(it: &TraceSummaryOut, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} call{}", it.calls, plural(it.calls));
    for tool in &it.tools {
        let ToolUse { tool, calls, empty, median_ms, max_ms } = tool;
        let _ = writeln!(
            out,
            "  {}  {calls} call{}, {empty} empty, median {median_ms:.1} ms, longest {max_ms:.1} ms",
            style.bold(tool),
            plural(*calls)
        );
    }
    for (title, uses) in
        [("found nothing", &it.nothing_found), ("found one or two", &it.little_found), ("failed", &it.failed)]
    {
        if !uses.is_empty() {
            let _ = writeln!(out, "\n{title}:");
        }
        for QueryUse { tool, text, calls } in uses {
            let _ = writeln!(out, "  {calls:>4}  {}  {text}", style.dim(tool));
        }
    }
    if it.damaged_lines > 0 {
        let _ = writeln!(out, "\n{} line{} could not be read", it.damaged_lines, plural(it.damaged_lines));
    }
    out
}

/// What `doctor` looked at, each with what to do.
pub fn diagnoses(checks: &[DiagnosisOut], style: Style) -> String {
    let mut out = String::new();
    for it in checks {
        let mark = match it.state {
            State::Ok => style.good("ok     "),
            State::Note => style.bold("note   "),
            State::Problem => style.bad("PROBLEM"),
        };
        let _ = writeln!(out, "{mark} {}: {}", it.name, it.detail);
        if let Some(hint) = &it.hint {
            let _ = writeln!(out, "        {hint}");
        }
    }
    out
}

/// The checks of an index.
pub fn checks(checks: &[Check], style: Style) -> String {
    let mut out = String::new();
    for it in checks {
        let mark = if it.is_ok() { style.good("ok  ") } else { style.bad("FAIL") };
        let _ = writeln!(out, "{mark} {}: {}", it.name, it.detail());
        for problem in &it.problems {
            let _ = writeln!(out, "       {problem}");
        }
    }
    out
}
