//! The search tools.

use super::answer::{Answer, Reported, Results, ToolError};
use super::arguments::Arguments;
use super::{Tool, Toolbox};
use crate::query::Syntax;
use crate::render::{human, json};
use crate::search::{Found, FusionRequest, Hit, Mode, SearchRequest, Stages};
use crate::store::{Pattern, PatternOptions, PatternOrder, Scope};

pub(super) fn search(toolbox: &Toolbox<'_>, tool: Tool, arguments: &Arguments) -> Result<Answer, ToolError> {
    let request = request(tool, arguments)?;
    let mut found = crate::search::search(toolbox.store, &mut || (toolbox.embedder)(), &request)?;
    found.notes.splice(0..0, arguments.notes.iter().cloned());
    if found.hits.is_empty() {
        let structured = Some(structured(toolbox, &request, &found, 0)?);
        let text = nothing(toolbox, tool, &request);
        return Ok(Answer { structured, notes: found.notes, ..Answer::sentence(text) });
    }
    let n = found.hits.len();
    let plural = human::plural(n);
    let mut results =
        Results::new(toolbox.budget, &format!("{n} result{plural} for \"{}\":", request.query.trim()));
    for hit in &found.hits {
        let passage = &hit.passage;
        let head = format!(
            "{}. id {}, score {:.2}, {}\n{}",
            hit.rank.unwrap_or_default(),
            human::short_id(passage.chunk.chunk.id),
            hit.score,
            human::title_path(passage),
            human::place(&passage.document.uri, &passage.chunk.location)
        );
        let reported = Reported {
            id: passage.chunk.chunk.id.to_string(),
            score: Some(hit.score),
            text: passage.chunk.urtext.clone(),
        };
        results.add(&head, &passage.chunk.urtext, reported);
    }
    let structured = structured(toolbox, &request, &found, results.shown.len())?;
    Ok(results.finish(found.notes, Some(structured)))
}

fn request(tool: Tool, arguments: &Arguments) -> Result<SearchRequest, ToolError> {
    let (mode, query) = match tool {
        Tool::VectorSearch => (Mode::Vector, arguments.text("query")),
        Tool::TextSearch => (Mode::Text, arguments.text("query")),
        Tool::RegexSearch => {
            let regex = arguments.text("regex");
            let pattern = Pattern::new(regex, PatternOptions::default())?;
            (Mode::Regex { pattern, order: PatternOrder::Document }, regex)
        }
        _ => (Mode::Hybrid(FusionRequest::default()), arguments.text("query")),
    };
    Ok(SearchRequest {
        query: query.to_owned(),
        syntax: Syntax::default(),
        mode,
        top_k: arguments.count("topK"),
        threshold: arguments.threshold(),
        gate: None,
        stages: Stages::default(),
        n_neighbours: 0,
        scope: Scope::default(),
    })
}

/// The JSON of the hits that are shown.
fn structured(
    toolbox: &Toolbox<'_>,
    request: &SearchRequest,
    found: &Found,
    n_shown: usize,
) -> Result<serde_json::Value, ToolError> {
    let info = toolbox.store.info()?;
    // The urtext alone: the indexed text repeats it behind titles that stand in `section` and `document`.
    let hit = |hit: &Hit| json::HitOut { text: None, ..json::HitOut::new(hit, true, None) };
    let hits = found.hits.iter().take(n_shown).map(hit).collect();
    Ok(json::value(&json::SearchOut::new(request, found, &info.model, info.generation, hits)))
}

/// The sentence about a search that found nothing.
fn nothing(toolbox: &Toolbox<'_>, tool: Tool, request: &SearchRequest) -> String {
    let offered = toolbox.offered();
    let query = request.query.trim();
    let other =
        |tools: &[Tool]| tools.iter().find(|it| **it != tool && offered.contains(it)).map(|it| it.name());
    let advice = match tool {
        Tool::RegexSearch => match other(&[Tool::TextSearch, Tool::HybridSearch]) {
            Some(name) => format!("Make the pattern wider ((?i) ignores case), or use {name}."),
            None => "Make the pattern wider; (?i) ignores case.".to_owned(),
        },
        _ if request.threshold.is_some() => "Leave threshold out, or use other words.".to_owned(),
        _ => match other(&[Tool::HybridSearch, Tool::VectorSearch, Tool::TextSearch]) {
            Some(name) => format!("Use fewer or other words, or {name}; listSections shows what there is."),
            None => "Use fewer or other words; listSections shows what there is.".to_owned(),
        },
    };
    format!("Nothing was found for \"{query}\". {advice}")
}
