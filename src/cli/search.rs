//! `ragctl search`.

use std::path::Path;
use std::time::Instant;

use crate::cli::agents::trace_log;
use crate::cli::args::{Global, OperatorChoice, SearchArgs, SortChoice, ThresholdChoice};
use crate::cli::error::{CliError, Exit};
use crate::cli::index;
use crate::cli::ingest::key_values;
use crate::cli::output::Output;
use crate::cli::{calibrate, stages};
use crate::content::VectorKind;
use crate::filter;
use crate::query::{Operator, Query, Syntax, parse, parse_as_words};
use crate::render::snippet::SnippetOptions;
use crate::render::{explain, human, json};
use crate::search::{Found, Mode, SearchRequest, count, search};
use crate::source::UriBase;
use crate::store::embedded::Need;
use crate::store::{Pattern, PatternOptions, PatternOrder, Scope, StoredDocument};
use crate::tools::{Answer, Entry, Reported, Tool, TraceLog};

/// Snippets are about three lines of a terminal.
const SNIPPET_CHARS: usize = 240;

pub(super) fn run(args: &SearchArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let mut request = request(args, global.offline)?;
    if matches!(args.threshold, Some(ThresholdChoice::Score(_))) && !args.vector && !args.text {
        output.note("note: --threshold has no effect here; it applies to --vector and --text");
    }
    let need = match request.mode {
        Mode::Hybrid(_) => Need::ALL,
        Mode::Vector => Need { vectors: true, text: false },
        Mode::Text => Need { vectors: args.stages.mmr.is_some(), text: true },
        Mode::Regex { .. } => Need::DATABASE,
    };
    let index = index::open_with_model(global, need, args.model.as_deref(), output)?;
    if let (true, Some(unfinished)) = (need.vectors && args.model.is_none(), index.unfinished_model()) {
        output.note(&format!(
            "note: vectors of '{unfinished}' are still being filled in; searching with '{}' (ragctl reembed goes on)",
            index.model().name
        ));
    }
    let store = index.store()?;
    if args.threshold == Some(ThresholdChoice::Calibrated) {
        calibrate::apply(&index, &store, &mut request)?;
    }
    request.scope.path_prefixes = prefixes(&index.uri_base(), &args.path_prefix);
    if let (Mode::Regex { pattern, .. }, true) = (&request.mode, args.count || args.files_with_matches) {
        return print_counts(args, &request, &count(&store, pattern, &request.scope)?, output);
    }
    let started = Instant::now();
    let found = search(&store, &mut || index.embedder(args.endpoint.as_deref()), &request)?;
    if let Some(log) = trace_log(&args.trace)? {
        trace(&log, &request, &found, started);
    }
    for note in &found.notes {
        output.note(&format!("note: {note}"));
    }
    let vectors = index.model().kind;
    if args.jsonl {
        for hit in &found.hits {
            let explanation = args.explain.then(|| explain::hit(hit, found.blend, vectors));
            output.json_line(&json::HitOut::new(hit, !args.no_text, explanation).at_top_level())?;
        }
    } else if args.json {
        let hits = found.hits.iter().map(|hit| {
            let explanation = args.explain.then(|| explain::hit(hit, found.blend, vectors));
            json::HitOut::new(hit, !args.no_text, explanation)
        });
        let hits = hits.collect();
        let (model, generation) = (index.model(), index.generation());
        output.json(&json::SearchOut::new(&request, &found, model, generation, hits))?;
    } else {
        print(args, &request, &found, vectors, output)?;
    }
    Ok(if found.hits.is_empty() { Exit::NothingFound } else { Exit::Success })
}

/// Adds the search to a trace, as the tool that answers the same.
fn trace(log: &TraceLog, request: &SearchRequest, found: &Found, started: Instant) {
    let tool = match request.mode {
        Mode::Hybrid(_) => Tool::HybridSearch,
        Mode::Vector => Tool::VectorSearch,
        Mode::Text => Tool::TextSearch,
        Mode::Regex { .. } => Tool::RegexSearch,
    };
    let key = if tool == Tool::RegexSearch { "regex" } else { "query" };
    let mut arguments = serde_json::Map::new();
    arguments.insert(key.to_owned(), request.query.as_str().into());
    arguments.insert("topK".to_owned(), request.top_k.into());
    arguments.extend(request.threshold.map(|it| ("threshold".to_owned(), it.into())));
    let shown = found.hits.iter().map(|hit| Reported {
        id: hit.passage.chunk.chunk.id.to_string(),
        score: Some(hit.score),
        text: hit.passage.chunk.urtext.clone(),
    });
    let answer = Answer { shown: shown.collect(), notes: found.notes.clone(), ..Answer::default() };
    log.write(&Entry {
        tool: tool.name(),
        arguments: &arguments,
        answer: &answer,
        at: jiff::Timestamp::now(),
        took: started.elapsed(),
        with_texts: log.with_texts,
    });
}

/// Prints documents with matches as `grep -c` and `grep -l` do.
fn print_counts(
    args: &SearchArgs,
    request: &SearchRequest,
    counts: &[(StoredDocument, usize)],
    output: &mut Output,
) -> Result<Exit, CliError> {
    if args.json {
        output.json(&json::MatchesOut::new(request, counts))?;
    } else if args.jsonl {
        for (document, n) in counts {
            output.json_line(&json::MatchCount::new(document, *n).at_top_level())?;
        }
    } else {
        for (document, n) in counts {
            let path = human::path_of(&document.uri);
            output.text(&if args.count { format!("{path}:{n}\n") } else { format!("{path}\n") })?;
        }
    }
    Ok(if counts.is_empty() { Exit::NothingFound } else { Exit::Success })
}

/// Paths as the user sees them from the current folder, and as they are in URIs.
pub(super) fn prefixes(base: &UriBase, paths: &[String]) -> Vec<String> {
    paths.iter().flat_map(|path| [path.clone(), base.uri_of(Path::new(path))]).collect()
}

fn print(
    args: &SearchArgs,
    request: &SearchRequest,
    found: &Found,
    vectors: VectorKind,
    output: &mut Output,
) -> Result<(), CliError> {
    let options = SnippetOptions {
        max_chars: if args.no_text { Some(0) } else { (!args.full).then_some(SNIPPET_CHARS) },
        query: highlighted(request),
    };
    for (at, hit) in found.hits.iter().enumerate() {
        if at > 0 {
            output.text("\n")?;
        }
        let explanation = args.explain.then(|| explain::hit(hit, found.blend, vectors));
        let text = human::hit(hit, &options, explanation.as_deref(), output.style());
        output.text(&text)?;
    }
    if found.hits.is_empty() {
        output.note("nothing found");
    }
    Ok(())
}

/// clap drops `requires` where the required option conflicts with one that is given, as `--text -i`.
fn check_pattern_options(args: &SearchArgs) -> Result<(), CliError> {
    let given = [
        ("--ignore-case", args.ignore_case),
        ("--word-regexp", args.word_regexp),
        ("--fixed-strings", args.fixed_strings),
        ("--multiline", args.multiline),
        ("--sort", args.sort.is_some()),
        ("--count", args.count),
        ("--files-with-matches", args.files_with_matches),
    ];
    if let Some((name, _)) = given.iter().find(|(_, is_given)| *is_given && !args.regex) {
        return Err(CliError::usage(
            format!("{name} has no meaning without --regex"),
            "add --regex, or leave it out",
        ));
    }
    let of_ranks = [
        ("--fusion", args.fusion.fusion.is_some() && !args.is_hybrid()),
        ("--weight", args.fusion.weight.is_some() && !args.is_hybrid()),
        ("--rerank", args.stages.rerank.is_some() && args.regex),
        ("--mmr", args.stages.mmr.is_some() && args.regex),
    ];
    match of_ranks.iter().find(|(_, is_wrong)| *is_wrong) {
        Some((name, _)) => {
            Err(CliError::usage(format!("{name} has no meaning in this mode"), "leave it out"))
        }
        None => Ok(()),
    }
}

fn request(args: &SearchArgs, is_offline: bool) -> Result<SearchRequest, CliError> {
    check_pattern_options(args)?;
    let query = args.query.join(" ");
    let mode = if args.regex {
        let options = PatternOptions {
            ignore_case: args.ignore_case,
            whole_word: args.word_regexp,
            fixed: args.fixed_strings,
            multiline: args.multiline,
        };
        if query.is_empty() {
            return Err(CliError::usage("the pattern is empty", "give something to look for"));
        }
        let order = match args.sort {
            Some(SortChoice::Matches) => PatternOrder::Matches,
            Some(SortChoice::Document) | None => PatternOrder::Document,
        };
        Mode::Regex { pattern: Pattern::new(&query, options)?, order }
    } else if args.vector {
        Mode::Vector
    } else if args.text {
        Mode::Text
    } else {
        Mode::Hybrid(stages::fusion(&args.fusion))
    };
    let vars = key_values(&args.vars, "--var")?;
    let filters = args.filter.iter().map(|text| filter::parse(text, &vars)).collect::<Result<Vec<_>, _>>()?;
    Ok(SearchRequest {
        query,
        syntax: syntax(args.operator, args.strict),
        mode,
        top_k: args.top_k,
        threshold: match args.threshold {
            Some(ThresholdChoice::Score(score)) => Some(score),
            Some(ThresholdChoice::Calibrated) | None => None,
        },
        gate: None,
        stages: stages::stages(&args.stages, is_offline)?,
        n_neighbours: args.expand,
        scope: Scope {
            filters,
            path_prefixes: Vec::new(),
            labels: args.label.clone(),
            entities_only: args.entities_only,
        },
    })
}

/// How a query is to be read.
pub(super) fn syntax(operator: OperatorChoice, is_strict: bool) -> Syntax {
    let operator = match operator {
        OperatorChoice::Or => Operator::Or,
        OperatorChoice::And => Operator::And,
    };
    Syntax { operator, is_strict }
}

/// The query whose words are highlighted; a pattern has its own matches.
fn highlighted(request: &SearchRequest) -> Option<Query> {
    match request.mode {
        Mode::Regex { .. } => None,
        Mode::Vector => Some(parse_as_words(&request.query)),
        Mode::Text | Mode::Hybrid(_) => parse(&request.query, request.syntax).ok(),
    }
}
