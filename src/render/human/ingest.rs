//! What an ingest and a filling-in of vectors did.

use std::fmt::Write as _;
use std::time::Duration;

use super::{Style, bytes};
use crate::ingest::{Failure, FillReport, IngestReport, Outcome};
use crate::render::hints;
use crate::source::SkipReason;

/// A duration as one would say it.
pub fn duration(it: Duration) -> String {
    match it.as_secs() {
        0..=1 => "a second".to_owned(),
        seconds @ 2..=99 => format!("{seconds} s"),
        seconds @ 100..=5999 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

/// The summary of filled-in vectors, for stderr.
pub fn filled(it: &FillReport, style: Style) -> String {
    let mut out = failures(&it.failed, style);
    if it.n_long > 0 {
        let _ = writeln!(
            out,
            "note: {} passages are longer than the model reads: their ends are found by words, not by meaning; ragctl ingest \
             --refresh changed makes shorter ones",
            it.n_long
        );
    }
    let seconds = it.elapsed.as_secs_f64();
    let mut line = format!("{} passages embedded in {seconds:.2} s", it.n_embedded);
    if it.n_embedded > 0 && seconds > 0.0 {
        let _ = write!(line, " ({:.1}/s)", it.n_embedded as f64 / seconds);
    }
    if it.n_kept > 0 {
        let _ = write!(line, ", {} had vectors already", it.n_kept);
    }
    if it.is_interrupted {
        line.push_str("; interrupted: run the same command again to finish");
    } else if !it.is_whole {
        line.push_str("; not whole: searches go on with the model before");
    }
    let _ = writeln!(out, "{}", if it.is_whole { style.good(&line) } else { line });
    out
}

/// The summary of an ingest, for stderr.
pub fn report(it: &IngestReport, style: Style) -> String {
    let mut out = failures(&it.failed, style);
    for (uri, warning) in &it.warnings {
        let _ = writeln!(out, "warning: '{uri}': {}", warning.message);
    }
    if it.n_skipped() > 0 {
        let reasons: Vec<String> =
            it.skipped.iter().map(|(reason, n)| format!("{n} {}", reason.name())).collect();
        let _ = writeln!(out, "skipped {}: {}", it.n_skipped(), reasons.join(", "));
    }
    if it.skipped.contains_key(&SkipReason::Archive) {
        out.push_str(
            "note: archives in folders are not opened; --archives (-z) opens them, and so does naming them\n",
        );
    }
    if it.n_outdated > 0 {
        let _ = writeln!(
            out,
            "note: {} unchanged documents keep chunks made with other settings; --refresh changed makes them anew",
            it.n_outdated
        );
    }
    let seconds = it.elapsed.as_secs_f64();
    let n_read = it.n_added + it.n_refreshed;
    let verb = if it.is_dry_run { "would have: " } else { "" };
    let mut line = format!(
        "{verb}{} added, {} unchanged, {} refreshed, {} removed, {} failed",
        it.n_added,
        it.n_unchanged,
        it.n_refreshed,
        it.n_removed,
        it.failed.len()
    );
    if n_read > 0 {
        let _ = write!(
            line,
            "; {} sections, {} chunks, {}",
            it.sizes.n_sections,
            it.sizes.n_chunks,
            bytes(it.sizes.n_bytes)
        );
    } else if it.failed.is_empty() && it.n_removed == 0 {
        line.push_str("; nothing to do");
    }
    let _ = write!(line, " in {seconds:.2} s");
    if n_read > 0 && seconds > 0.0 {
        let _ = write!(line, " ({}/s)", bytes((it.sizes.n_bytes as f64 / seconds) as u64));
    }
    if it.is_interrupted {
        line.push_str("; interrupted: run the same command again to finish");
    }
    let _ = writeln!(out, "{}", if it.failed.is_empty() { style.good(&line) } else { line });
    out
}

/// What would become of one source, for a dry run.
pub fn planned(uri: &str, outcome: &Outcome) -> Option<String> {
    let verb = match outcome {
        Outcome::Added(_) => "add",
        Outcome::Refreshed(_) => "refresh",
        Outcome::Removed => "remove",
        Outcome::Unchanged | Outcome::Skipped(_) | Outcome::Failed(_) => return None,
    };
    Some(format!("would {verb} {uri}\n"))
}

/// What failed, with what to do.
fn failures(failed: &[Failure], style: Style) -> String {
    let mut out = String::new();
    for Failure { path, cause } in failed {
        let _ = writeln!(out, "{} '{path}': {cause}", style.bad("failed"));
        let _ = writeln!(out, "  hint: {}", hints::for_failure(cause));
    }
    out
}
