//! What can be typed. The doc comments here are the manual: help, man pages and completions derive from them.

mod agents;
mod calibrate;
mod eval;
mod global;
mod ingest;
mod models;
mod search;
mod stages;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum, ValueHint};

pub(super) use agents::{CallArgs, McpArgs, ToolShape, ToolsArgs, TraceArgs, TraceOptions};
pub(super) use calibrate::CalibrateArgs;
pub(super) use eval::{
    CollectionArgs, EvalAblateArgs, EvalArgs, EvalCommand, EvalCompareArgs, EvalRunArgs, RunMode,
};
pub(super) use global::{ColorChoice, Global};
pub(super) use ingest::{IngestArgs, StageArgs};
pub(super) use models::{ModelArgs, ModelsArgs, ModelsCommand, PullArgs, ReembedArgs};
pub(super) use search::{
    FilterArgs, FilterCheckArgs, FilterCommand, OperatorChoice, QueryArgs, QueryCheckArgs, QueryCommand,
    SearchArgs, SortChoice, ThresholdChoice,
};
pub(super) use stages::{DEFAULT_RERANK_BUDGET, FusionArgs, ModeChoice, Per, SearchStageArgs, SetupArgs};

/// Turn folders of documents into a searchable, navigable knowledge base in one folder on disk
///
/// ragctl keeps the section tree of every Markdown, HTML and PDF file and the exact place of every passage. It searches
/// by meaning, by words, by regular expression and by meaning and words fused; from any hit you can widen (expand), step
/// out (zoom) and open the file at the right line, page or anchor.
///
/// Exit status: 0 found or done, 1 nothing found, 2 error or bad usage, 3 partly done, 4 below a bar (eval --fail-under).
#[derive(Debug, Parser)]
#[command(name = "ragctl", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Start with: ragctl ingest ./docs && ragctl search \"how do I ...\"")]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Everything that ragctl does.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Ingest(Box<IngestArgs>),
    Search(SearchArgs),
    Expand(ExpandArgs),
    Zoom(ZoomArgs),
    Show(ShowArgs),
    Tree(TreeArgs),
    Sections(SectionsArgs),
    List(ListArgs),
    Filter(FilterArgs),
    Query(QueryArgs),
    Info(InfoArgs),
    Remove(RemoveArgs),
    Verify(VerifyArgs),
    Doctor(DoctorArgs),
    Reindex(ReindexArgs),
    Eval(EvalArgs),
    Calibrate(CalibrateArgs),
    Reembed(ReembedArgs),
    Models(ModelsArgs),
    Mcp(McpArgs),
    Tools(ToolsArgs),
    Call(CallArgs),
    Trace(TraceArgs),
    Read(ReadArgs),
    Chunk(ChunkArgs),
    Schema(SchemaArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Command {
    /// Whether errors are written as JSON too.
    pub(super) fn wants_json(&self) -> bool {
        match self {
            Self::Ingest(args) => args.json || args.jsonl,
            Self::Search(args) => args.json || args.jsonl,
            Self::Expand(ExpandArgs { json, .. })
            | Self::Zoom(ZoomArgs { json, .. })
            | Self::Show(ShowArgs { json, .. })
            | Self::Tree(TreeArgs { json, .. })
            | Self::Sections(SectionsArgs { json, .. })
            | Self::List(ListArgs { json, .. })
            | Self::Filter(FilterArgs { command: FilterCommand::Check(FilterCheckArgs { json, .. }) })
            | Self::Query(QueryArgs { command: QueryCommand::Check(QueryCheckArgs { json, .. }) })
            | Self::Info(InfoArgs { json })
            | Self::Remove(RemoveArgs { json, .. })
            | Self::Verify(VerifyArgs { json })
            | Self::Doctor(DoctorArgs { json })
            | Self::Reindex(ReindexArgs { json, .. })
            | Self::Reembed(ReembedArgs { json, .. })
            | Self::Models(ModelsArgs { json, command: None, .. })
            | Self::Models(ModelsArgs {
                command: Some(ModelsCommand::Pull(PullArgs { json, .. })), ..
            })
            | Self::Read(ReadArgs { json, .. })
            | Self::Chunk(ChunkArgs { json, .. })
            | Self::Tools(ToolsArgs { json, .. })
            | Self::Call(CallArgs { json, .. })
            | Self::Trace(TraceArgs { json, .. }) => *json,
            Self::Eval(EvalArgs { command }) => match command {
                EvalCommand::Run(args) => args.json,
                EvalCommand::Compare(args) => args.json,
                EvalCommand::Ablate(args) => args.json,
            },
            Self::Calibrate(args) => args.json,
            Self::Mcp(_) | Self::Schema(_) | Self::Completions(_) | Self::Man(_) => false,
        }
    }
}

/// Print a chunk with its neighbours
///
/// The chunks stand in document order; the one asked for is marked. Never crosses into another document.
///
/// Example: ragctl expand c7f3a9 -n 3
#[derive(Debug, Args)]
pub(super) struct ExpandArgs {
    /// Chunk id, or the start of one
    #[arg(value_name = "ID")]
    pub(super) id: String,
    /// Take so many chunks before and after
    #[arg(short, long = "neighbours", visible_alias = "neighbors", value_name = "N", default_value_t = 2)]
    pub(super) n: usize,
    /// Stay within this
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Within::Document)]
    pub(super) within: Within,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// What `expand` stays in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Within {
    /// The document
    Document,
    /// The section
    Section,
}

/// Print the whole text around an id: a chunk's section, a section's parent
///
/// Each level steps one section further out, at last to the whole document.
///
/// Example: ragctl zoom c7f3a9 --levels 2
#[derive(Debug, Args)]
pub(super) struct ZoomArgs {
    /// Id of a chunk, section or document, or the start of one
    #[arg(value_name = "ID")]
    pub(super) id: String,
    /// Step so many levels out
    #[arg(short, long, value_name = "L", default_value_t = 1, value_parser = parse_levels)]
    pub(super) levels: usize,
    /// Cut the text at so many characters, behind a chunk if one fits
    #[arg(long, value_name = "CHARS", default_value_t = DEFAULT_MAX_CHARS)]
    pub(super) max_chars: usize,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// SPEC 4.
const DEFAULT_MAX_CHARS: usize = 25_000;

/// Print what stands at an id: a chunk, a section's text, a document's record
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// Id of a chunk, section or document, or the start of one; or a document's URI
    #[arg(value_name = "ID")]
    pub(super) id: String,
    /// Cut a section's text at so many characters, behind a chunk if one fits
    #[arg(long, value_name = "CHARS", default_value_t = DEFAULT_MAX_CHARS)]
    pub(super) max_chars: usize,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Print the section tree of a document, of a part of it, or of all
#[derive(Debug, Args)]
pub(super) struct TreeArgs {
    /// Document (URI, path or id) or section id; all documents without it
    #[arg(value_name = "DOCUMENT")]
    pub(super) target: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// List sections, one a line
#[derive(Debug, Args)]
pub(super) struct SectionsArgs {
    /// Document (URI, path or id); all documents without it
    #[arg(value_name = "DOCUMENT")]
    pub(super) document: Option<String>,
    /// Only sections whose title contains this, whatever the case
    #[arg(long, value_name = "TEXT")]
    pub(super) title: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// List documents, one a line
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Only documents at or below this path (repeatable)
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Print what the index holds: counts, model, sizes, versions
#[derive(Debug, Args)]
pub(super) struct InfoArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Remove documents from the index; files are never touched
#[derive(Debug, Args)]
pub(super) struct RemoveArgs {
    /// Documents: URI, path or id
    #[arg(value_name = "DOCUMENT", required = true)]
    pub(super) documents: Vec<String>,
    /// Take paths as folders, and remove everything at and below them
    #[arg(short, long)]
    pub(super) recursive: bool,
    /// Say what would be removed and write nothing
    #[arg(short = 'n', long)]
    pub(super) dry_run: bool,
    /// Wait so many seconds for another writer
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    pub(super) lock_timeout: Duration,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Check every invariant of the index
///
/// Sections nest and tile each document's text, chunks tile it, source files that have not changed still hold every
/// passage at its place, every chunk has its vector and its text entry, and all parts stand at one generation. Exit
/// status 2 when something is wrong.
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Look whether program, machine and index are in order
///
/// Starts a reader process, asks the built-in model, looks for what further models need and for what is broken, unfinished or out of
/// date in the index, and says what to do. Changes nothing; names which variables are set, never their values. Exit status 2
/// when something is broken.
#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Build the text index and the vector files anew from the database
///
/// Nothing is read or embedded again.
#[derive(Debug, Args)]
pub(super) struct ReindexArgs {
    /// Wait so many seconds for another writer
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    pub(super) lock_timeout: Duration,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Print the section tree and text of a file, without any index
#[derive(Debug, Args)]
pub(super) struct ReadArgs {
    /// The file; - reads standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// Read it in this format, whatever its name says
    #[arg(long, value_name = "FORMAT", value_parser = crate::cli::ingest::format_names())]
    pub(super) format: Option<String>,
    /// Keep navigation, footers and other boilerplate of HTML pages
    #[arg(long)]
    pub(super) full_page: bool,
    /// Write links of HTML pages as `[text](target)`, not as their text alone
    #[arg(long)]
    pub(super) links: bool,
    /// Open an encrypted file with this password
    #[arg(long, value_name = "PASSWORD", env = "RAGCTL_PASSWORD", hide_env_values = true)]
    pub(super) password: Option<String>,
    /// Print the text only
    #[arg(long, conflicts_with = "json")]
    pub(super) text: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Print the chunks of a file, without any index
#[derive(Debug, Args)]
pub(super) struct ChunkArgs {
    /// The file; - reads standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// Read it in this format, whatever its name says
    #[arg(long, value_name = "FORMAT", value_parser = crate::cli::ingest::format_names())]
    pub(super) format: Option<String>,
    #[command(flatten)]
    pub(super) stages: StageArgs,
    /// Make chunks that this model can read (default: static, which reads any length)
    #[arg(long, value_name = "NAME")]
    pub(super) model: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Print the JSON Schema of a kind of output, or list the kinds
#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// Kind, such as search or hit
    #[arg(value_name = "KIND")]
    pub(super) kind: Option<String>,
}

/// Print the completions for a shell
///
/// Example: ragctl completions bash > ~/.local/share/bash-completion/completions/ragctl
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// Shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(super) shell: clap_complete::Shell,
}

/// Print a man page, or write all of them into a folder
///
/// Example: ragctl man search | man -l -
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// Command whose page to print; the main page without it
    #[arg(value_name = "COMMAND")]
    pub(super) page: Option<String>,
    /// Write every page into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "page", value_hint = ValueHint::DirPath)]
    pub(super) dir: Option<PathBuf>,
}

/// The definition of everything that can be typed.
pub fn command() -> clap::Command {
    Cli::command()
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("'{text}' is not a number of seconds"))?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn parse_levels(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(n) if n >= 1 => Ok(n),
        _ => Err(format!("'{text}' is not a number of levels, 1 or more")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        command().debug_assert();
    }
}
