//! Tools for language models: the store, asked by a tool's name and JSON arguments, answered in compact text and JSON.
//!
//! Owns which tools there are ([`Tool`]), their definitions made from what the index holds ([`definitions()`]), their
//! arguments, and their answers within a token budget. Knows no protocol: [`crate::mcp`] and the commands `tools` and `call`
//! carry the answers. Filters are the caller's business: whatever [`Toolbox::store`] hides does not exist here, and no
//! argument can bring it back.
//!
//! Arguments come from models, so that what they get wrong is answered with a sentence that says how it is meant, and what
//! is not found with a suggestion, never with nothing.

mod answer;
mod arguments;
mod budget;
mod definitions;
mod lookup;
mod search;
mod sections;
mod trace;

use std::sync::Arc;

use serde_json::{Map, Value};

pub use answer::{Answer, Reported};
pub use budget::{DEFAULT_BUDGET, MIN_BUDGET, tokens};
pub use definitions::{Definition, Holdings, PROMPT_NAME, definitions, instructions, strategy};
pub use trace::{Entry, Summary, TraceLog};

use crate::embed::{EmbedError, Embedder};
use crate::store::Store;

use answer::ToolError;
use arguments::Arguments;

/// Most characters of a section that one answer shows (SPEC 4).
pub const MAX_CHARS: usize = 25_000;

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tool {
    /// Passages by meaning and words.
    HybridSearch,
    /// Passages by meaning.
    VectorSearch,
    /// Passages by words.
    TextSearch,
    /// Passages by a regular expression.
    RegexSearch,
    /// A passage with its neighbours.
    BroadenChunk,
    /// The section around something.
    ZoomOut,
    /// Documents and their sections.
    ListSections,
    /// A section by its title.
    ReadSection,
    /// Whatever has an id.
    FindById,
}

impl Tool {
    /// Every tool, in the order in which they are listed.
    pub const ALL: [Self; 9] = [
        Self::HybridSearch,
        Self::VectorSearch,
        Self::TextSearch,
        Self::RegexSearch,
        Self::BroadenChunk,
        Self::ZoomOut,
        Self::ListSections,
        Self::ReadSection,
        Self::FindById,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::HybridSearch => "hybridSearch",
            Self::VectorSearch => "vectorSearch",
            Self::TextSearch => "textSearch",
            Self::RegexSearch => "regexSearch",
            Self::BroadenChunk => "broadenChunk",
            Self::ZoomOut => "zoomOut",
            Self::ListSections => "listSections",
            Self::ReadSection => "readSection",
            Self::FindById => "findById",
        }
    }

    /// The tool of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Whether `store` can answer it.
    pub fn is_offered_by(self, store: &dyn Store) -> bool {
        match self {
            Self::HybridSearch => store.vector().is_some() && store.text().is_some(),
            Self::VectorSearch => store.vector().is_some(),
            Self::TextSearch => store.text().is_some(),
            Self::RegexSearch => store.regex().is_some(),
            Self::BroadenChunk | Self::ZoomOut | Self::ListSections | Self::ReadSection | Self::FindById => {
                true
            }
        }
    }
}

/// What tools are asked of.
#[derive(Clone, Copy)]
pub struct Toolbox<'a> {
    /// The store, behind every filter that holds.
    pub store: &'a dyn Store,
    /// The model of the store's vectors; asked for only by searches that need it.
    pub embedder: &'a dyn Fn() -> Result<Arc<dyn Embedder>, EmbedError>,
    /// Most tokens of an answer, by [`tokens`]; at least [`MIN_BUDGET`].
    pub budget: usize,
}

impl std::fmt::Debug for Toolbox<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Toolbox").field("budget", &self.budget).finish_non_exhaustive()
    }
}

impl Toolbox<'_> {
    /// The tools that can be called.
    pub fn offered(&self) -> Vec<Tool> {
        Tool::ALL.into_iter().filter(|tool| tool.is_offered_by(self.store)).collect()
    }

    /// Answers a call. What goes wrong is an answer too.
    pub fn call(&self, name: &str, arguments: &Map<String, Value>) -> Answer {
        match self.try_call(name, arguments) {
            Ok(answer) => answer,
            Err(error) => Answer::error(error.to_string()),
        }
    }

    fn try_call(&self, name: &str, arguments: &Map<String, Value>) -> Result<Answer, ToolError> {
        let tool = Tool::of_name(name)
            .filter(|tool| tool.is_offered_by(self.store))
            .ok_or_else(|| ToolError::UnknownTool { name: name.to_owned(), offered: self.offered() })?;
        let arguments = Arguments::parse(tool, arguments)?;
        match tool {
            Tool::HybridSearch | Tool::VectorSearch | Tool::TextSearch | Tool::RegexSearch => {
                search::search(self, tool, &arguments)
            }
            Tool::BroadenChunk => lookup::broaden_chunk(self, &arguments),
            Tool::ZoomOut => lookup::zoom_out(self, &arguments),
            Tool::ListSections => sections::list_sections(self, &arguments),
            Tool::ReadSection => sections::read_section(self, &arguments),
            Tool::FindById => lookup::find_by_id(self, &arguments),
        }
    }

    /// Most characters of one section's text in an answer.
    fn max_chars(&self) -> usize {
        MAX_CHARS.min(budget::chars_within(self.budget))
    }
}
