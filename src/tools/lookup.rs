//! The tools that start from an id.

use super::answer::{Answer, Reported, Results, ToolError, no_such_id};
use super::arguments::Arguments;
use super::{MAX_CHARS, Toolbox, budget};
use crate::render::{human, json};
use crate::search::{self, Expanded, FoundEntity, Passage, Passages, Zoomed, resolve};
use crate::store::Target;

pub(super) fn broaden_chunk(toolbox: &Toolbox<'_>, arguments: &Arguments) -> Result<Answer, ToolError> {
    let n = arguments.count("chunksToAdd");
    let expanded = match search::expand(toolbox.store, arguments.text("chunkId"), n, false) {
        Ok(expanded) => expanded,
        Err(error) => return no_such_id(error),
    };
    let (expanded, n_left_out) = nearest_within(expanded, toolbox.budget);
    let document = &expanded.passages[expanded.anchor].document;
    let header = format!(
        "{} passage{} of {}, in order:",
        expanded.passages.len(),
        human::plural(expanded.passages.len()),
        document.title
    );
    let mut results = Results::new(toolbox.budget, &header);
    for (at, passage) in expanded.passages.iter().enumerate() {
        let mark = if at == expanded.anchor { " (the passage asked for)" } else { "" };
        let head = format!("{}{mark}", head(passage));
        results.add(&head, fresh(passage, at == 0), reported(passage));
    }
    results.n_left_out += n_left_out;
    let structured = json::value(&json::ExpandOut::new(&expanded));
    Ok(results.finish(arguments.notes.clone(), Some(structured)))
}

/// The passages nearest to the anchor that fit into the budget, and how many do not.
fn nearest_within(expanded: Expanded, budget: usize) -> (Expanded, usize) {
    let Expanded { anchor, mut passages } = expanded;
    // What stands around a text: its heading lines, the separator.
    let cost =
        |passage: &Passage| budget::tokens(&passage.chunk.urtext) + budget::tokens(&head(passage)) + 20;
    let (mut first, mut last) = (anchor, anchor);
    let mut left = budget.saturating_sub(cost(&passages[anchor]) + 100);
    loop {
        let next = match (first.checked_sub(1), (last + 1 < passages.len()).then_some(last + 1)) {
            (Some(before), Some(after)) if anchor - before <= after - anchor => before,
            (_, Some(after)) => after,
            (Some(before), None) => before,
            (None, None) => break,
        };
        let Some(rest) = left.checked_sub(cost(&passages[next])) else { break };
        left = rest;
        (first, last) = (first.min(next), last.max(next));
    }
    let n_left_out = passages.len() - (last - first + 1);
    passages.truncate(last + 1);
    passages.drain(..first);
    (Expanded { anchor: anchor - first, passages }, n_left_out)
}

/// A passage's text without what it repeats of the one before it, which stands above it.
fn fresh(passage: &Passage, is_first: bool) -> &str {
    let from = if is_first { 0 } else { passage.chunk.chunk.overlap };
    passage.chunk.urtext.get(from..).unwrap_or(&passage.chunk.urtext)
}

pub(super) fn zoom_out(toolbox: &Toolbox<'_>, arguments: &Arguments) -> Result<Answer, ToolError> {
    match search::zoom(toolbox.store, arguments.text("id"), 1, toolbox.max_chars()) {
        Ok(zoomed) => Ok(zoomed_answer(toolbox, &zoomed)),
        Err(error) => no_such_id(error),
    }
}

/// A section or document with its text, and how to get at the rest where it is cut.
pub(super) fn zoomed_answer(toolbox: &Toolbox<'_>, zoomed: &Zoomed) -> Answer {
    let mut results = Results::new(toolbox.budget, &zoomed_title(zoomed));
    let (head, body) = zoomed_parts(zoomed);
    results.add(&head, &body, zoomed_reported(zoomed));
    results.finish(Vec::new(), Some(json::value(&json::ZoomOut::new(zoomed))))
}

pub(super) fn zoomed_title(zoomed: &Zoomed) -> String {
    let kind = if zoomed.section.is_some() { "Section" } else { "Document" };
    let path = std::iter::once(zoomed.document.title.as_str()).chain(zoomed.path.iter().map(String::as_str));
    let mut path: Vec<&str> = path.collect();
    path.dedup();
    format!("{kind}: {}", path.join(" > "))
}

/// The id and place, and the text.
pub(super) fn zoomed_parts(zoomed: &Zoomed) -> (String, String) {
    let place = human::place(&zoomed.document.uri, &zoomed.location);
    let head = format!("id {}, {place}", human::short_id(zoomed_id(zoomed)));
    let mut body = zoomed.text.trim_end().to_owned();
    if zoomed.is_truncated {
        let shown = zoomed.text.chars().count();
        body.push_str(&format!(
            "\n[cut: {shown} of {} characters, at most {MAX_CHARS} are shown; listSections with this document's title and \
             readSection show the parts]",
            zoomed.n_chars
        ));
    }
    (head, body)
}

pub(super) fn zoomed_reported(zoomed: &Zoomed) -> Reported {
    Reported { id: zoomed_id(zoomed), score: None, text: zoomed.text.clone() }
}

fn zoomed_id(zoomed: &Zoomed) -> String {
    match &zoomed.section {
        Some(section) => section.section.id.to_string(),
        None => zoomed.document.id.to_string(),
    }
}

pub(super) fn find_by_id(toolbox: &Toolbox<'_>, arguments: &Arguments) -> Result<Answer, ToolError> {
    let (store, id) = (toolbox.store, arguments.text("id"));
    let target = resolve(store, id);
    if let Ok(target) = &target
        && let Some(found) = search::entity_at(store, *target)?
    {
        return Ok(entity_answer(toolbox, &found));
    }
    match target {
        Ok(Target::Chunk(chunk)) => {
            let Some(chunk) = store.chunk(chunk)? else {
                return no_such_id(search::NavigateError::Unknown { id: id.to_owned() });
            };
            let passage = Passages::new(store).of(chunk)?;
            let mut results =
                Results::new(toolbox.budget, &format!("Passage of {}:", passage.document.title));
            results.add(&head(&passage), &passage.chunk.urtext, reported(&passage));
            let out = json::ChunkOut::new(&passage).at_top_level();
            Ok(results.finish(Vec::new(), Some(json::value(&out))))
        }
        Ok(Target::Section(section)) => match search::section(store, section, toolbox.max_chars()) {
            Ok(zoomed) => Ok(zoomed_answer(toolbox, &zoomed)),
            Err(error) => no_such_id(error),
        },
        Ok(Target::Document(_)) => match search::zoom(store, id, 1, toolbox.max_chars()) {
            Ok(zoomed) => Ok(zoomed_answer(toolbox, &zoomed)),
            Err(error) => no_such_id(error),
        },
        Err(error) => no_such_id(error),
    }
}

/// A named entity, and where it is mentioned.
fn entity_answer(toolbox: &Toolbox<'_>, found: &FoundEntity) -> Answer {
    let mut results = Results::new(toolbox.budget, &format!("Entity: {}", found.entity.name));
    let id = found.document.id.to_string();
    let text = human::entity(found, human::Style::default());
    let head = format!("id {}", human::short_id(&id));
    results.add(&head, &text, Reported { id, score: None, text: text.clone() });
    results.finish(Vec::new(), Some(json::value(&json::EntityOut::new(found))))
}

/// Id, titles and place of a passage.
fn head(passage: &Passage) -> String {
    format!(
        "id {}, {}\n{}",
        human::short_id(passage.chunk.chunk.id),
        human::title_path(passage),
        human::place(&passage.document.uri, &passage.chunk.location)
    )
}

fn reported(passage: &Passage) -> Reported {
    Reported { id: passage.chunk.chunk.id.to_string(), score: None, text: passage.chunk.urtext.clone() }
}
