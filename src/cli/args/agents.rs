//! Arguments of the commands for agents: `mcp`, `tools`, `call`, `trace`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use crate::tools::{DEFAULT_BUDGET, MIN_BUDGET};

/// What the one who starts the tools decides; models neither see nor change it.
#[derive(Debug, Args)]
pub(in crate::cli) struct StarterArgs {
    /// Show nothing but documents with this label (repeatable, all must be there)
    #[arg(long, value_name = "LABEL")]
    pub(in crate::cli) label: Vec<String>,
    /// Show nothing but named entities
    #[arg(long)]
    pub(in crate::cli) entities_only: bool,
    /// Answer with at most about so many tokens: whole results, best first
    #[arg(long, value_name = "TOKENS", default_value_t = DEFAULT_BUDGET, value_parser = parse_budget)]
    pub(in crate::cli) budget: usize,
    #[command(flatten)]
    pub(in crate::cli) trace: TraceOptions,
}

/// Whether calls are traced.
#[derive(Debug, Args)]
pub(in crate::cli) struct TraceOptions {
    /// Add a line of JSON to this file for every call: tool, arguments, what was shown, milliseconds
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) trace: Option<PathBuf>,
    /// Trace the texts that were shown too
    #[arg(long, requires = "trace")]
    pub(in crate::cli) trace_text: bool,
}

/// Serve the index to agents over MCP
///
/// Answers one client on standard input and output, as agents start it; with --http any number of clients at
/// http://ADDR/mcp. Tools search by meaning, words and patterns, and move around from any result; none of them writes. The
/// server follows the index: what another process ingests is found by the next call. --base-filter, RAGCTL_BASE_FILTER,
/// config.toml, --label and --entities-only hold for everything and cannot be seen or changed by a client.
///
/// Example: ragctl mcp --index ~/docs/.ragctl --label public
#[derive(Debug, Args)]
pub(in crate::cli) struct McpArgs {
    #[command(flatten)]
    pub(in crate::cli) starter: StarterArgs,
    /// Put the passages about this topic into the server's instructions, found by meaning
    #[arg(long, value_name = "TOPIC")]
    pub(in crate::cli) about: Option<String>,
    /// So many passages about the topic
    #[arg(short = 'k', long, value_name = "N", default_value_t = 5, requires = "about",
          value_parser = clap::value_parser!(u16).range(1..=50))]
    pub(in crate::cli) top_k: u16,
    /// Listen on this address, as 127.0.0.1:8123, rather than on standard input
    #[arg(long, value_name = "ADDR", help_heading = "HTTP")]
    pub(in crate::cli) http: Option<SocketAddr>,
    /// Answer only clients that send this token (Authorization: Bearer TOKEN)
    #[arg(
        long,
        value_name = "TOKEN",
        env = "RAGCTL_MCP_TOKEN",
        hide_env_values = true,
        requires = "http",
        help_heading = "HTTP"
    )]
    pub(in crate::cli) token: Option<String>,
    /// Answer under this name too, as docs.example.com (repeatable)
    #[arg(long, value_name = "HOST", requires = "http", help_heading = "HTTP")]
    pub(in crate::cli) allow_host: Vec<String>,
    /// Answer web pages of this origin, such as `https://app.example.com:443` (repeatable); others are refused
    #[arg(long, value_name = "ORIGIN", requires = "http", help_heading = "HTTP")]
    pub(in crate::cli) allow_origin: Vec<String>,
}

/// Print the tools for models
///
/// The definitions are those that `ragctl mcp` lists, made from what the index holds; with --json as the array that goes into
/// the request of an API for function calling. `ragctl call` runs what the model asks for.
///
/// Example: ragctl tools --json --shape openai
#[derive(Debug, Args)]
pub(in crate::cli) struct ToolsArgs {
    /// Show nothing but documents with this label (repeatable, all must be there)
    #[arg(long, value_name = "LABEL")]
    pub(in crate::cli) label: Vec<String>,
    /// Show nothing but named entities
    #[arg(long)]
    pub(in crate::cli) entities_only: bool,
    /// Write the array for this API
    #[arg(long, value_enum, value_name = "API", default_value_t = ToolShape::Mcp)]
    pub(in crate::cli) shape: ToolShape,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// APIs that take tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ToolShape {
    /// name, title, description, inputSchema, annotations
    Mcp,
    /// type, function: name, description, parameters (chat completions)
    Openai,
    /// name, description, input_schema (messages)
    Anthropic,
}

/// Run a tool as a model would
///
/// Prints the text that the model would see, or the JSON beside it. The exit status is 1 when nothing was found, 2 when the
/// call was wrong.
///
/// Example: ragctl call textSearch '{"query": "backup", "topK": 3}'
#[derive(Debug, Args)]
pub(in crate::cli) struct CallArgs {
    /// Name of the tool; ragctl tools lists them
    #[arg(value_name = "TOOL")]
    pub(in crate::cli) tool: String,
    /// Its arguments as a JSON object; - reads standard input
    #[arg(value_name = "JSON", default_value = "{}")]
    pub(in crate::cli) arguments: String,
    #[command(flatten)]
    pub(in crate::cli) starter: StarterArgs,
    /// Print the structured answer
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Say what a trace shows
///
/// Reads the file that --trace wrote: how often each tool was called and how long it took, and the queries that found nothing
/// or little, which say what the documents lack.
///
/// Example: ragctl trace calls.jsonl
#[derive(Debug, Args)]
pub(in crate::cli) struct TraceArgs {
    /// The trace; - reads standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

fn parse_budget(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(budget) if budget >= MIN_BUDGET => Ok(budget),
        _ => Err(format!("a budget is a number of tokens, at least {MIN_BUDGET}")),
    }
}
