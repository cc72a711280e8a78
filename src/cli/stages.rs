//! From the options of fusion and stages to what a search request says.

use clap::ValueEnum as _;

use crate::cli::args::{DEFAULT_RERANK_BUDGET, FusionArgs, ModeChoice, Per, SearchStageArgs, SetupArgs};
use crate::cli::error::CliError;
use crate::rerank;
use crate::search::{DEFAULT_POOL, FusionRequest, Mode, Rerank, Stages};

/// How lists are to be fused.
pub(super) fn fusion(args: &FusionArgs) -> FusionRequest {
    FusionRequest { kind: args.fusion.map(Into::into).unwrap_or_default(), weight: args.weight }
}

/// What becomes of the candidates.
pub(super) fn stages(args: &SearchStageArgs, is_offline: bool) -> Result<Stages, CliError> {
    let rerank = match &args.rerank {
        None => None,
        Some(name) => Some(Rerank {
            reranker: rerank::reranker(name, is_offline)?,
            pool: args.pool,
            budget: (!args.rerank_budget.is_zero()).then_some(args.rerank_budget),
        }),
    };
    let least = |what: Per| args.per.iter().filter(|it| it.0 == what).map(|it| it.1).min();
    Ok(Stages {
        rerank,
        dedupe: args.dedupe,
        mmr: args.mmr,
        per_document: least(Per::Document),
        per_section: least(Per::Section),
        auto_merge: args.auto_merge,
        cap: args.cap,
        plain_identifiers: false,
    })
}

/// What a setup searches by.
pub(super) fn mode(setup: &SetupArgs) -> Mode {
    match setup.mode {
        ModeChoice::Text => Mode::Text,
        ModeChoice::Vector => Mode::Vector,
        ModeChoice::Hybrid => Mode::Hybrid(fusion(&setup.fusion)),
    }
}

/// A setup as the one word that would be typed for it, without what goes without saying.
pub(super) fn name(setup: &SetupArgs) -> String {
    let SetupArgs { mode, fusion, stages } = setup;
    let of_enum = |value: Option<clap::builder::PossibleValue>| value.map(|it| it.get_name().to_owned());
    let mut parts = vec![of_enum(mode.to_possible_value()).unwrap_or_default()];
    let mut add = |name: &str, value: Option<String>| parts.extend(value.map(|it| format!("{name}={it}")));
    add("fusion", fusion.fusion.and_then(|it| of_enum(it.to_possible_value())));
    add("weight", fusion.weight.map(|it| it.to_string()));
    add("rerank", stages.rerank.clone());
    add("pool", (stages.rerank.is_some() && stages.pool != DEFAULT_POOL).then(|| stages.pool.to_string()));
    let budget =
        Some(stages.rerank_budget).filter(|it| stages.rerank.is_some() && *it != DEFAULT_RERANK_BUDGET);
    add("rerank-budget", budget.map(|it| it.as_secs_f64().to_string()));
    add("mmr", stages.mmr.map(|it| it.to_string()));
    for (what, n) in &stages.per {
        let what = if *what == Per::Document { "document" } else { "section" };
        add("per", Some(format!("{what}:{n}")));
    }
    add("cap", stages.cap.map(|it| it.to_string()));
    parts.extend(stages.dedupe.then(|| "dedupe".to_owned()));
    parts.extend(stages.auto_merge.then(|| "auto-merge".to_owned()));
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_as_the_setup_that_it_names() {
        for word in [
            "text",
            "hybrid,fusion=dbsf,weight=0.3,mmr=0.5,per=document:2,per=section:1,cap=7,dedupe,auto-merge",
            "text,rerank=x,pool=7,rerank-budget=0.25,mmr=1",
            "text,rerank=x,rerank-budget=0",
            "vector,rerank=x",
        ] {
            let setup = SetupArgs::of_word(word).unwrap();
            assert_eq!(name(&setup), word);
        }
        assert_eq!(name(&SetupArgs::of_word("vector,dedupe,mmr=1").unwrap()), "vector,mmr=1,dedupe");
        assert_eq!(name(&SetupArgs::of_word("vector,rerank=x,rerank-budget=10").unwrap()), "vector,rerank=x");
    }

    #[test]
    fn the_smallest_of_several_limits_holds() {
        let setup = SetupArgs::of_word("text,per=document:3,per=document:2").unwrap();
        let stages = stages(&setup.stages, true).unwrap();
        assert_eq!((stages.per_document, stages.per_section), (Some(2), None));
    }
}
