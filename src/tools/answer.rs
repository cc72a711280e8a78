//! Answers: text for the model, JSON for programs, and what was shown for the trace.

use serde_json::Value;

use super::Tool;
use super::budget::{self, RESERVE};
use crate::search::{NavigateError, SearchError};
use crate::store::{PatternError, StoreError};

/// An answer to a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// For the model; never empty.
    pub text: String,
    /// The same as JSON of SPEC 6; `None` where a sentence alone answers, as to an id that leads nowhere.
    pub structured: Option<Value>,
    /// Whether the call itself was wrong. Finding nothing is no error.
    pub is_error: bool,
    /// What the text shows, in order.
    pub shown: Vec<Reported>,
    /// How many results were left out because the budget was used up.
    pub n_left_out: usize,
    /// Notes about how the call was taken.
    pub notes: Vec<String>,
}

/// Something that an answer shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported {
    /// Id of a chunk, section or document.
    pub id: String,
    /// Its score; `None` where it was asked for.
    pub score: Option<f32>,
    /// Its text.
    pub text: String,
}

impl Answer {
    /// A sentence in place of results.
    pub(super) fn sentence(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The call was wrong.
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::sentence(text) }
    }
}

/// Why a call cannot be answered.
#[derive(Debug, thiserror::Error)]
pub(super) enum ToolError {
    #[error("there is no tool '{name}'; there are: {}", names(offered))]
    UnknownTool { name: String, offered: Vec<Tool> },
    #[error("{tool} {problem}", tool = tool.name())]
    Arguments { tool: Tool, problem: String },
    #[error("the pattern cannot be used: {0}")]
    Pattern(#[from] PatternError),
    #[error("the search failed: {}", chain(.0))]
    Search(#[from] SearchError),
    #[error("the index cannot be read: {}", chain(.0))]
    Store(#[from] StoreError),
}

fn names(tools: &[Tool]) -> String {
    tools.iter().map(|tool| tool.name()).collect::<Vec<_>>().join(", ")
}

/// An error with its causes: the model sees one text.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text = format!("{text}: {cause}");
        next = cause.source();
    }
    text
}

/// The sentence about an id that leads nowhere.
///
/// # Errors
///
/// When the store failed.
pub(super) fn no_such_id(error: NavigateError) -> Result<Answer, ToolError> {
    Ok(Answer::sentence(match error {
        NavigateError::Unknown { id } => format!(
            "Nothing has the id '{id}'. Ids come from search results and from listSections; they begin with c (passage), s \
             (section) or d (document). Search again to get current ones."
        ),
        NavigateError::Ambiguous { id, candidates } => {
            format!("Several ids begin with '{id}': {}. Give more of it.", candidates.join(", "))
        }
        NavigateError::NotAChunk { id } => {
            format!(
                "'{id}' is no passage, and only passages have neighbours. zoomOut('{id}') shows what is around it."
            )
        }
        NavigateError::Store(error) => return Err(error.into()),
    }))
}

/// Results within a budget: whole ones, best first, until the next does not fit.
pub(super) struct Results {
    budget: usize,
    text: String,
    is_full: bool,
    pub(super) shown: Vec<Reported>,
    pub(super) n_left_out: usize,
}

impl Results {
    pub(super) fn new(budget: usize, header: &str) -> Self {
        let text = format!("{header}\n");
        Self {
            budget: budget.saturating_sub(RESERVE),
            text,
            is_full: false,
            shown: Vec::new(),
            n_left_out: 0,
        }
    }

    /// Adds a result, `head` above `body`; says whether it is shown. Even the first is cut rather than left out.
    pub(super) fn add(&mut self, head: &str, body: &str, reported: Reported) -> bool {
        let separator = if self.shown.is_empty() { "\n" } else { "\n---\n" };
        let block = format!("{separator}{head}\n{}\n", body.trim_end());
        let room = self.budget.saturating_sub(budget::tokens(&self.text));
        if !self.is_full && budget::tokens(&block) <= room {
            self.text.push_str(&block);
        } else if self.shown.is_empty() {
            let room = room.saturating_sub(budget::tokens(head) + budget::tokens(CUT) + 2);
            let cut = budget::beginning(body.trim_end(), room);
            self.text.push_str(&format!("\n{head}\n{cut}{CUT}\n"));
            self.is_full = true;
        } else {
            self.is_full = true;
            self.n_left_out += 1;
            return false;
        }
        self.shown.push(reported);
        true
    }

    pub(super) fn finish(mut self, notes: Vec<String>, structured: Option<Value>) -> Answer {
        if self.n_left_out > 0 {
            let n = self.n_left_out;
            let plural = if n == 1 { "" } else { "s" };
            self.text.push_str(&format!("\n{n} more result{plural} left out to keep the answer short.\n"));
        }
        for note in &notes {
            self.text.push_str(&format!("\nNote: {note}\n"));
        }
        let Self { text, shown, n_left_out, .. } = self;
        Answer { text, structured, is_error: false, shown, n_left_out, notes }
    }
}

/// Stands where a passage was cut to fit.
const CUT: &str = "\n[cut to fit; broadenChunk or zoomOut shows more]";
