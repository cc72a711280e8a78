//! `ragctl eval ablate`.

use super::compare::compared;
use super::{Bench, Measured, Setup};
use crate::cli::args::{EvalAblateArgs, Global, ModeChoice, SetupArgs};
use crate::cli::error::{CliError, Exit};
use crate::cli::output::Output;
use crate::cli::stages;
use crate::render::{figures, json};
use crate::search::{FusionKind, FusionRequest, Mode, Stages};

pub(super) fn run(args: &EvalAblateArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let variants = variants(&args.setup, global.offline)?;
    let whole = Setup::new(&args.setup, global)?;
    let bench = Bench::open(&args.collection, &[], global, output)?;
    let whole = bench.measure(&args.collection, &whole)?;
    let mut notes: Vec<String> = whole.note().into_iter().collect();
    let mut ablated = Vec::new();
    for variant in variants {
        let without = bench.measure(&args.collection, &variant)?;
        notes.extend(without.note().map(|it| format!("without {it}")));
        ablated.push(json::AblatedOut { without: variant.name, metrics: worth(&bench, &without, &whole) });
    }
    for note in &notes {
        output.note(&format!("note: {note}"));
    }
    let answer = json::EvalAblateOut::new(
        bench.name.clone(),
        bench.index_out()?,
        [bench.notes.clone(), notes].concat(),
        &whole.to_json(&bench.metrics),
        ablated,
    );
    match args.json {
        true => output.json(&answer)?,
        false => output.text(&figures::ablate_table(&answer))?,
    }
    Ok(Exit::Success)
}

/// The whole against what is left of it, by each metric.
fn worth(bench: &Bench, without: &Measured, whole: &Measured) -> Vec<json::ComparedOut> {
    let pairs = || without.evaluated.queries.iter().zip(&whole.evaluated.queries);
    let of_metric = |at: usize| pairs().map(|(a, b)| (a.values[at], b.values[at])).collect::<Vec<_>>();
    bench.metrics.iter().enumerate().map(|(at, it)| compared(&it.to_string(), &of_metric(at))).collect()
}

/// The setup without each thing that it has; names say what is left out.
fn variants(setup: &SetupArgs, is_offline: bool) -> Result<Vec<Setup>, CliError> {
    let all = stages::stages(&setup.stages, is_offline)?;
    let mut variants = Vec::new();
    if setup.mode == ModeChoice::Hybrid {
        for (name, mode) in [("vectors", ModeChoice::Text), ("words", ModeChoice::Vector)] {
            let only = SetupArgs { mode, ..setup.clone() };
            variants.push(Setup::of(name.to_owned(), &only, all.clone()));
        }
        if stages::fusion(&setup.fusion).kind != FusionKind::Rrf {
            let mut by_ranks = Setup::of("weighted scores".to_owned(), setup, all.clone());
            by_ranks.request.mode = Mode::Hybrid(FusionRequest { kind: FusionKind::Rrf, weight: None });
            variants.push(by_ranks);
        }
    }
    let mut add = |name: &str, without: Stages| variants.push(Setup::of(name.to_owned(), setup, without));
    if setup.mode != ModeChoice::Vector {
        add("identifiers", Stages { plain_identifiers: true, ..all.clone() });
    }
    if all.rerank.is_some() {
        add("rerank", Stages { rerank: None, ..all.clone() });
    }
    if all.dedupe {
        add("dedupe", Stages { dedupe: false, ..all.clone() });
    }
    if all.mmr.is_some() {
        add("mmr", Stages { mmr: None, ..all.clone() });
    }
    if all.per_document.is_some() {
        add("per document", Stages { per_document: None, ..all.clone() });
    }
    if all.per_section.is_some() {
        add("per section", Stages { per_section: None, ..all.clone() });
    }
    if all.auto_merge {
        add("auto-merge", Stages { auto_merge: false, ..all.clone() });
    }
    if all.cap.is_some() {
        add("cap", Stages { cap: None, ..all.clone() });
    }
    Ok(variants)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_setup_has_is_left_out() {
        let names = |word: &str| {
            let setup = SetupArgs::of_word(word).unwrap();
            variants(&setup, true).unwrap().into_iter().map(|it| it.name).collect::<Vec<_>>()
        };
        assert_eq!(names("hybrid"), ["vectors", "words", "weighted scores", "identifiers"]);
        assert_eq!(names("hybrid,fusion=rrf,dedupe"), ["vectors", "words", "identifiers", "dedupe"]);
        assert_eq!(names("vector,mmr=0.5,per=document:1,auto-merge"), ["mmr", "per document", "auto-merge"]);
        assert_eq!(names("text,per=section:2,cap=5"), ["identifiers", "per section", "cap"]);
    }
}
