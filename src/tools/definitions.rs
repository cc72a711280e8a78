//! What models are told: the tools' definitions, made from what the index holds, and how to search.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{MAX_CHARS, Tool, arguments};
use crate::content::Language;
use crate::query::FIELDS;
use crate::store::{Store, StoreError};

/// Titles that stand for the index's contents.
const MAX_TITLES: usize = 5;
/// Longest title among them, in characters; longer ones are left out.
const MAX_TITLE_CHARS: usize = 60;
/// Languages that are named.
const MAX_LANGUAGES: usize = 5;

/// What an index holds, in a few words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Number of documents.
    pub n_documents: usize,
    /// Number of passages.
    pub n_chunks: usize,
    /// Languages, the most frequent first.
    pub languages: Vec<Language>,
    /// Titles of some documents, spread over all.
    pub titles: Vec<String>,
}

impl Holdings {
    /// What `store` holds.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn of(store: &dyn Store) -> Result<Self, StoreError> {
        let info = store.info()?;
        let mut languages: Vec<(usize, Language)> =
            info.languages.iter().map(|(&language, &n)| (n, language)).collect();
        languages.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut titles: Vec<String> = store.documents()?.into_iter().map(|it| it.title).collect();
        titles.retain(|title| !title.trim().is_empty() && title.chars().count() <= MAX_TITLE_CHARS);
        titles.dedup();
        let n_shown = titles.len().min(MAX_TITLES);
        let titles = (0..n_shown).map(|at| titles[at * titles.len() / n_shown].clone()).collect();
        Ok(Self {
            n_documents: info.n_documents,
            n_chunks: info.n_chunks,
            languages: languages.into_iter().take(MAX_LANGUAGES).map(|(_, language)| language).collect(),
            titles,
        })
    }

    /// In one sentence.
    fn sentence(&self) -> String {
        let plural = if self.n_documents == 1 { "" } else { "s" };
        let mut text = format!("The index holds {} document{plural}", self.n_documents);
        if !self.languages.is_empty() {
            let codes: Vec<String> = self.languages.iter().map(ToString::to_string).collect();
            let _ = write!(text, " (language: {})", codes.join(", "));
        }
        if !self.titles.is_empty() {
            let _ = write!(text, ", such as {}", self.titles.join("; "));
        }
        text.push('.');
        text
    }
}

/// A tool as models see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The tool.
    pub tool: Tool,
    /// A name for people.
    pub title: &'static str,
    /// What it is for and how to use it.
    pub description: String,
    /// JSON Schema of its arguments: one object.
    pub input_schema: Map<String, Value>,
}

/// The definitions of `tools`.
pub fn definitions(tools: &[Tool], holdings: &Holdings) -> Vec<Definition> {
    let define = |&tool: &Tool| Definition {
        tool,
        title: title(tool),
        description: description(tool, tools, holdings),
        input_schema: arguments::schema(tool),
    };
    tools.iter().map(define).collect()
}

fn title(tool: Tool) -> &'static str {
    match tool {
        Tool::HybridSearch => "Search",
        Tool::VectorSearch => "Search by meaning",
        Tool::TextSearch => "Search by words",
        Tool::RegexSearch => "Search by pattern",
        Tool::BroadenChunk => "Show the passages around a passage",
        Tool::ZoomOut => "Show the section around something",
        Tool::ListSections => "List documents and sections",
        Tool::ReadSection => "Read a section",
        Tool::FindById => "Show by id",
    }
}

fn description(tool: Tool, tools: &[Tool], holdings: &Holdings) -> String {
    let about = holdings.sentence();
    match tool {
        Tool::HybridSearch => {
            format!("Finds passages by meaning and by words together: the best first choice. {about}")
        }
        Tool::VectorSearch => {
            let names = if tools.contains(&Tool::TextSearch) { " Names and codes are better found by textSearch." } else { "" };
            let about = if tools.contains(&Tool::HybridSearch) { String::new() } else { format!(" {about}") };
            format!(
                "Finds passages by meaning. Describe in a sentence what the answer would say. Ranking handles relevance: \
                 leave threshold out.{names}{about}"
            )
        }
        Tool::TextSearch => {
            let fields = FIELDS.iter().filter(|&&it| it != "text").copied().collect::<Vec<_>>().join(", ");
            let about = if tools.contains(&Tool::HybridSearch) { String::new() } else { format!(" {about}") };
            format!(
                "Finds passages by their words, in any form of a word; best for names, codes and options. Syntax: word word, \
                 \"a phrase\", \"near words\"~3, +required, -excluded, AND OR NOT, (groups), begin*, wild?card, fuzzy~, \
                 /regular.expression/, field:word ({fields} or a metadata key), key:[a TO b]. Write \\ before a sign that is \
                 meant itself.{about}"
            )
        }
        Tool::RegexSearch => {
            "Finds passages in which a regular expression matches, in the order of the documents: for exact strings and shapes. \
             Rust syntax, no look-around; (?i) ignores case."
                .to_owned()
        }
        Tool::BroadenChunk => {
            "Shows a passage with those before and after it. Use it when a passage breaks off or needs its surroundings.".to_owned()
        }
        Tool::ZoomOut => format!(
            "Shows the whole section that a passage or section stands in, up to {MAX_CHARS} characters. The answer names the \
             section's id; zoom out on that to go further up, at last to the whole document."
        ),
        Tool::ListSections => {
            "Lists the documents, or with documentTitle the sections of those documents, with ids.".to_owned()
        }
        Tool::ReadSection => {
            "Reads a whole section by its title. Give documentTitle too when several documents have such a section.".to_owned()
        }
        Tool::FindById => "Shows the passage, section or document that has an id.".to_owned(),
    }
}

/// Name of the prompt with the search strategy.
pub const PROMPT_NAME: &str = "search_strategy";

/// How to search with `tools`, step by step.
pub fn strategy(tools: &[Tool]) -> String {
    let has = |tool| tools.contains(&tool);
    let first =
        [Tool::HybridSearch, Tool::VectorSearch, Tool::TextSearch].into_iter().find(|&tool| has(tool));
    let mut steps = Vec::new();
    if let Some(first) = first {
        steps.push(format!("Start broad: {} with the question in its own words.", first.name()));
    }
    steps.push(
        "Rephrase before you give up: other words, the singular, the term that a manual would use."
            .to_owned(),
    );
    if has(Tool::VectorSearch) {
        steps.push(
            "Write the answer that you expect, in about 50 words, and search for that with vectorSearch; passages that answer \
             look more like answers than like questions."
                .to_owned(),
        );
    }
    if has(Tool::TextSearch) {
        steps.push("Names, codes and options: textSearch, exactly as they are written.".to_owned());
    }
    steps.push(
        "A passage that breaks off: broadenChunk. A passage that needs its context: zoomOut, again on the section's id to go \
         further up."
            .to_owned(),
    );
    steps.push(
        "Check what matters in a second passage, found by another query. Where passages disagree, say so."
            .to_owned(),
    );
    steps.push(
        "Answer only from what you have read, and cite the ids of the passages. When nothing answers the question, say that."
            .to_owned(),
    );
    let numbered = (1..).zip(&steps).map(|(n, step)| format!("{n}. {step}\n"));
    numbered.collect()
}

/// What a client's model is told once, when it connects.
pub fn instructions(tools: &[Tool], holdings: &Holdings) -> String {
    format!(
        "Searches documents and moves around in them; nothing can be changed. {}\n\n{}",
        holdings.sentence(),
        strategy(tools)
    )
}
