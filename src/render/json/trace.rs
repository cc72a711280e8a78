//! The trace of calls: one line of JSON each, and its summary.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{schema_name, wire};

/// One call of a tool or command.
///
/// # Stability: read back from files by `ragctl trace`; fields are only added
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceEntry {
    /// `ragctl.trace/1`.
    pub schema: String,
    /// When it was answered (RFC 3339).
    pub at: String,
    /// Name of the tool; for the command line that of the tool that answers the same.
    pub tool: String,
    /// Its arguments.
    pub arguments: Value,
    /// What the answer showed, in order, neighbours included.
    pub shown: Vec<TracedResult>,
    /// Results that were found and left out because the answer's budget was used up.
    pub left_out: usize,
    /// Notes about how the call was taken.
    pub notes: Vec<String>,
    /// Why the call failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// How long it took, milliseconds.
    pub ms: f64,
}
wire!(TraceEntry, "trace");

/// A result that was shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TracedResult {
    /// Id of the passage, section or document.
    pub id: String,
    /// Its score; absent where it was asked for by id or title.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<f32>,
    /// Its text, with `--trace-text`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
}

impl TraceEntry {
    /// The name that every entry has in `schema`.
    pub fn schema_name() -> String {
        schema_name::<Self>()
    }
}

/// What a trace says as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TraceSummaryOut {
    /// `ragctl.trace_summary/1`.
    pub schema: String,
    /// Number of calls.
    pub calls: usize,
    /// Lines that are no entries of a trace.
    pub damaged_lines: usize,
    /// By tool, the most used first.
    pub tools: Vec<ToolUse>,
    /// Queries that found nothing, the most frequent first.
    pub nothing_found: Vec<QueryUse>,
    /// Queries that found one or two results, the most frequent first.
    pub little_found: Vec<QueryUse>,
    /// Calls that failed, by what they said, the most frequent first.
    pub failed: Vec<QueryUse>,
}
wire!(TraceSummaryOut, "trace_summary");

impl TraceSummaryOut {
    /// The name in `schema`.
    pub fn schema_name() -> String {
        schema_name::<Self>()
    }
}

/// How a tool was used.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ToolUse {
    /// Name.
    pub tool: String,
    /// Number of calls.
    pub calls: usize,
    /// Calls that showed nothing and did not fail.
    pub empty: usize,
    /// Median time, milliseconds.
    pub median_ms: f64,
    /// Longest time, milliseconds.
    pub max_ms: f64,
}

/// How often something came.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct QueryUse {
    /// Name of the tool.
    pub tool: String,
    /// The query, or the error.
    pub text: String,
    /// How often.
    pub calls: usize,
}
