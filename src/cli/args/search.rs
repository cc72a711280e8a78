//! What can be typed to search, and to look at filters and queries.

use clap::{Args, Subcommand, ValueEnum};

use crate::cli::args::TraceOptions;
use crate::cli::args::stages::{FusionArgs, SearchStageArgs, parse_count};
use crate::cli::help;

/// Search by meaning, words or pattern
///
/// The default is hybrid: meaning and words fused. Text queries understand Lucene's syntax (ragctl help query): words,
/// "phrases", +required and -excluded words, AND, OR, NOT, groups, fields, wildcards, ranges; a query that starts with a
/// dash goes behind --. Hits come best first, those of --regex in document order.
///
/// Example: ragctl search --text '+cache -redis "write through"' -k 5 --json | jq '.hits[].location'
#[derive(Debug, Args)]
pub(in crate::cli) struct SearchArgs {
    /// What to look for
    #[arg(value_name = "QUERY", required = true)]
    pub(in crate::cli) query: Vec<String>,
    /// Search by meaning and words (default)
    #[arg(long, group = "mode", help_heading = "Mode")]
    pub(in crate::cli) hybrid: bool,
    /// Search by meaning; the score is the cosine similarity (of a sparse model see ragctl help models)
    #[arg(long, group = "mode", help_heading = "Mode")]
    pub(in crate::cli) vector: bool,
    /// Search by words; the score is bm25/(bm25+3)
    #[arg(long, group = "mode", help_heading = "Mode")]
    pub(in crate::cli) text: bool,
    /// Search by regular expression (Rust syntax)
    #[arg(long, group = "mode", help_heading = "Mode")]
    pub(in crate::cli) regex: bool,
    /// Ignore case in --regex
    #[arg(short, long, requires = "regex", help_heading = "Mode")]
    pub(in crate::cli) ignore_case: bool,
    /// Match whole words in --regex
    #[arg(short, long, requires = "regex", help_heading = "Mode")]
    pub(in crate::cli) word_regexp: bool,
    /// Take the pattern of --regex literally
    #[arg(short = 'F', long, requires = "regex", help_heading = "Mode")]
    pub(in crate::cli) fixed_strings: bool,
    /// Let `.` in --regex match line ends too
    ///
    /// A pattern that names line ends (\n, \s, (?s)) matches across lines without it.
    #[arg(short = 'U', long, requires = "regex", help_heading = "Mode")]
    pub(in crate::cli) multiline: bool,
    /// Order the hits of --regex so
    #[arg(long, value_enum, value_name = "ORDER", requires = "regex", help_heading = "Mode")]
    pub(in crate::cli) sort: Option<SortChoice>,
    #[command(flatten)]
    pub(in crate::cli) fusion: FusionArgs,
    /// Search the vectors of this model of the index (default: the one that ragctl info lists first)
    #[arg(long, value_name = "NAME", conflicts_with_all = ["text", "regex"], help_heading = "Mode")]
    pub(in crate::cli) model: Option<String>,
    /// Ask the model behind this address, and not the one that the index names
    #[arg(long, value_name = "URL", conflicts_with_all = ["text", "regex"], help_heading = "Mode")]
    pub(in crate::cli) endpoint: Option<String>,
    /// Take words without a sign of a text query as optional (or) or required (and)
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = OperatorChoice::Or, help_heading = "Mode")]
    pub(in crate::cli) operator: OperatorChoice,
    /// Take what does not parse in a text query as an error instead of text (see ragctl help query)
    #[arg(long, help_heading = "Mode")]
    pub(in crate::cli) strict: bool,
    /// Return at most so many hits
    #[arg(short = 'k', long, value_name = "N", default_value = "10", value_parser = parse_count)]
    pub(in crate::cli) top_k: usize,
    /// Drop hits of --vector and --text below this score, or below what ragctl calibrate chose
    ///
    /// A number applies to --vector and --text; fused scores and patterns have no threshold. `calibrated` takes what
    /// ragctl calibrate stored for the mode: in a hybrid search nothing is found when the best score of the kind that was
    /// calibrated is below it.
    #[arg(long, value_name = "SCORE|calibrated", allow_negative_numbers = true, value_parser = parse_threshold)]
    pub(in crate::cli) threshold: Option<ThresholdChoice>,
    #[command(flatten)]
    pub(in crate::cli) stages: SearchStageArgs,
    #[command(flatten)]
    pub(in crate::cli) trace: TraceOptions,
    /// Search only where this expression holds (repeatable, all must hold)
    ///
    /// For example: year >= 2024 AND status IN ("draft", "final") AND NOT archived = true
    #[arg(short, long, value_name = "EXPR", help_heading = "Where to search")]
    pub(in crate::cli) filter: Vec<String>,
    /// Bind $name in filters: name=text or name:=json (repeatable)
    #[arg(long = "var", value_name = "NAME=VALUE", help_heading = "Where to search")]
    pub(in crate::cli) vars: Vec<String>,
    /// Search only documents at or below this path (repeatable)
    #[arg(long, value_name = "PATH", help_heading = "Where to search")]
    pub(in crate::cli) path_prefix: Vec<String>,
    /// Search only documents with this label (repeatable, all must be there)
    #[arg(long, value_name = "LABEL", help_heading = "Where to search")]
    pub(in crate::cli) label: Vec<String>,
    /// Search only named entities
    #[arg(long, help_heading = "Where to search")]
    pub(in crate::cli) entities_only: bool,
    /// Add so many neighbours of each hit, after all hits
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "What to print")]
    pub(in crate::cli) expand: usize,
    /// Print the part of each passage around the match (default)
    #[arg(long, conflicts_with = "full", help_heading = "What to print")]
    pub(in crate::cli) snippet: bool,
    /// Print whole passages
    #[arg(long, help_heading = "What to print")]
    pub(in crate::cli) full: bool,
    /// Print how often --regex matches in each document instead of passages, all documents
    #[arg(short, long, requires = "regex", help_heading = "What to print")]
    pub(in crate::cli) count: bool,
    /// Print only the documents in which --regex matches, all of them
    #[arg(short = 'l', long, requires = "regex", conflicts_with = "count", help_heading = "What to print")]
    pub(in crate::cli) files_with_matches: bool,
    /// Say how each score came about
    #[arg(long, help_heading = "What to print")]
    pub(in crate::cli) explain: bool,
    /// Print one JSON object
    #[arg(long, conflicts_with = "jsonl", help_heading = "What to print")]
    pub(in crate::cli) json: bool,
    /// Print one JSON object a hit, a line each
    #[arg(long, help_heading = "What to print")]
    pub(in crate::cli) jsonl: bool,
    /// Leave the texts out
    #[arg(long, help_heading = "What to print")]
    pub(in crate::cli) no_text: bool,
}

impl SearchArgs {
    /// Whether two lists are fused.
    pub(in crate::cli) fn is_hybrid(&self) -> bool {
        !(self.vector || self.text || self.regex)
    }
}

/// The least score of a hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::cli) enum ThresholdChoice {
    /// This.
    Score(f32),
    /// What was calibrated.
    Calibrated,
}

/// What words without a sign are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum OperatorChoice {
    /// Optional; the more of them, the better
    Or,
    /// Required
    And,
}

/// How the hits of a pattern are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SortChoice {
    /// As the passages stand: by URI, then by place (default)
    Document,
    /// Most matches first
    Matches,
}

/// Say what a filter means
#[derive(Debug, Args)]
#[command(long_about = help::FILTER)]
pub(in crate::cli) struct FilterArgs {
    #[command(subcommand)]
    pub(in crate::cli) command: FilterCommand,
}

/// What can be done with a filter.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum FilterCommand {
    Check(FilterCheckArgs),
}

/// Print a filter's tree, the keys that it reads, and how many documents and chunks pass
///
/// Example: ragctl filter check 'year >= 2024 AND NOT archived = true'
#[derive(Debug, Args)]
pub(in crate::cli) struct FilterCheckArgs {
    /// The filter
    #[arg(value_name = "EXPR")]
    pub(in crate::cli) filter: String,
    /// Bind $name: name=text or name:=json (repeatable)
    #[arg(long = "var", value_name = "NAME=VALUE")]
    pub(in crate::cli) vars: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Say what a text query means
#[derive(Debug, Args)]
#[command(long_about = help::QUERY)]
pub(in crate::cli) struct QueryArgs {
    #[command(subcommand)]
    pub(in crate::cli) command: QueryCommand,
}

/// What can be done with a query.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum QueryCommand {
    Check(QueryCheckArgs),
}

/// Print how a text query is understood
///
/// Required words have a plus, excluded ones a minus; everything that would be read otherwise has a backslash. Where there
/// is an index, its metadata keys are the fields; without one, every name is taken for a field.
///
/// Example: ragctl query check 'title:guide AND (cach* OR "write through"~2)'
#[derive(Debug, Args)]
pub(in crate::cli) struct QueryCheckArgs {
    /// The query
    #[arg(value_name = "QUERY", required = true)]
    pub(in crate::cli) query: Vec<String>,
    /// Take words without a sign as optional (or) or required (and)
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = OperatorChoice::Or)]
    pub(in crate::cli) operator: OperatorChoice,
    /// Take what does not parse as an error instead of text
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// A score, or `calibrated`.
pub(in crate::cli) fn parse_threshold(text: &str) -> Result<ThresholdChoice, String> {
    match text.parse::<f32>() {
        _ if text == "calibrated" => Ok(ThresholdChoice::Calibrated),
        Ok(score) if score.is_finite() => Ok(ThresholdChoice::Score(score)),
        _ => Err(format!("'{text}' is neither a number nor 'calibrated'")),
    }
}
