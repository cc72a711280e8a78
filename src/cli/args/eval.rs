//! What can be typed to `eval`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use crate::cli::args::StageArgs;
use crate::cli::args::search::{ThresholdChoice, parse_threshold};
use crate::cli::args::stages::{ModeChoice, SetupArgs, parse_count};
use crate::eval::{IdFrom, Metric};

/// Measure how good the answers are, with questions whose answers are known
///
/// A test collection has queries and judgements (qrels), in the forms of TREC or BEIR. It is about the index, whose
/// documents are named by --id-from; or it brings its own corpus (--beir, --corpus), of which a temporary index is made.
#[derive(Debug, Args)]
pub(in crate::cli) struct EvalArgs {
    #[command(subcommand)]
    pub(in crate::cli) command: EvalCommand,
}

/// What can be measured.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum EvalCommand {
    Run(Box<EvalRunArgs>),
    Compare(Box<EvalCompareArgs>),
    Ablate(Box<EvalAblateArgs>),
}

/// The questions, and what they are asked of.
#[derive(Debug, Args)]
pub(in crate::cli) struct CollectionArgs {
    /// Use the corpus, queries and judgements in this folder, in the form of BEIR
    ///
    /// corpus.jsonl, queries.jsonl (or .tsv) and qrels/SPLIT.tsv (or qrels.tsv), each perhaps with .gz.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with_all = ["corpus", "queries", "qrels"],
          help_heading = "Test collection")]
    pub(in crate::cli) beir: Option<PathBuf>,
    /// Use these judgements of --beir
    #[arg(
        long,
        value_name = "NAME",
        default_value = "test",
        requires = "beir",
        help_heading = "Test collection"
    )]
    pub(in crate::cli) split: String,
    /// Read queries from this file: JSON lines, TREC topics, or lines of id, tab, text
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Test collection")]
    pub(in crate::cli) queries: Option<PathBuf>,
    /// Read judgements from this file: TREC's four columns, or BEIR's three
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Test collection")]
    pub(in crate::cli) qrels: Option<PathBuf>,
    /// Ask a temporary index of this corpus, JSON lines with _id, title and text
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Test collection")]
    pub(in crate::cli) corpus: Option<PathBuf>,
    /// Keep the index of the corpus in this folder, and use it again
    ///
    /// What has changed in the corpus is ingested anew, and documents that are no longer in it are removed.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Test collection")]
    pub(in crate::cli) corpus_index: Option<PathBuf>,
    /// Search for this field of TREC topics, such as title, desc or narr (default: title, else query)
    #[arg(long, value_name = "NAME", help_heading = "Test collection")]
    pub(in crate::cli) topic_field: Option<String>,
    /// Take this for the document id of the judgements: uri, stem (the file name without its extension), meta:KEY,
    /// section or chunk
    #[arg(long, value_name = "WHAT", default_value = "uri", help_heading = "Test collection")]
    pub(in crate::cli) id_from: IdFrom,
    /// Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does
    #[arg(short = 'k', long, value_name = "N", value_parser = parse_count)]
    pub(in crate::cli) depth: Option<usize>,
    /// Measure this: nDCG@K, MRR@K, MAP, recall@K, P@K, success@K (repeatable, or separated by commas)
    #[arg(long = "metric", value_name = "METRIC", value_delimiter = ',')]
    pub(in crate::cli) metrics: Vec<Metric>,
    /// Embed the corpus with this model; without a corpus, search with this one of the index's models
    #[arg(long, value_name = "NAME", help_heading = "How to read and chunk")]
    pub(in crate::cli) model: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) stages: StageArgs,
}

/// Ask all questions and measure the answers
///
/// Prints a row a way to search, with the means over all queries that are judged and answered by something. Equal scores are
/// ordered as trec_eval does, so that its figures for --run-out are the same. Exit status 4 when --fail-under says so.
///
/// Example: ragctl eval run --beir scifact --mode all --html scifact.html
#[derive(Debug, Args)]
pub(in crate::cli) struct EvalRunArgs {
    #[command(flatten)]
    pub(in crate::cli) collection: CollectionArgs,
    /// Search so: text, vector, hybrid or all (repeatable; default: hybrid, or what --setup says)
    #[arg(long, value_enum, value_name = "MODE", value_delimiter = ',')]
    pub(in crate::cli) mode: Vec<RunMode>,
    /// Fuse and take the candidates through these stages: fusion=rrf,weight=0.3,mmr=0.5,dedupe,per=document:2,rerank=NAME
    ///
    /// The names are those of the options of ragctl search.
    #[arg(long, value_name = "LIST")]
    pub(in crate::cli) stages: Option<String>,
    /// Search in this way too: a mode and stages as one word, such as hybrid,fusion=rrf (repeatable)
    #[arg(long, value_name = "SETUP", value_parser = SetupArgs::of_word)]
    pub(in crate::cli) setup: Vec<SetupArgs>,
    /// Measure the results in this file, in TREC's form, instead of searching (repeatable)
    ///
    /// Needs judgements only: --qrels, or those of --beir.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
          conflicts_with_all = ["mode", "stages", "setup", "threshold", "run_out"])]
    pub(in crate::cli) run: Vec<PathBuf>,
    /// Find nothing below this score, or below what ragctl calibrate chose, as ragctl search does
    ///
    /// Shows in how many questions that nothing answers are answered all the same, and how many others are refused.
    #[arg(long, value_name = "SCORE|calibrated", allow_negative_numbers = true, value_parser = parse_threshold)]
    pub(in crate::cli) threshold: Option<ThresholdChoice>,
    /// Write the documents found into this file, in TREC's form
    ///
    /// Where several ways to search are measured, each has a file of its own, with its name before the extension. Blanks in ids,
    /// which would end a column, are written as %20; --run finds such ids again.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) run_out: Option<PathBuf>,
    /// Write a report with plots into this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) html: Option<PathBuf>,
    /// End with exit status 4 when a mean is below this: nDCG@10=0.7 (repeatable)
    #[arg(long, value_name = "METRIC=VALUE", value_parser = parse_bar)]
    pub(in crate::cli) fail_under: Vec<(Metric, f64)>,
    /// Print one JSON object, with the values of every query
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Modes of `eval run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum RunMode {
    /// Words
    Text,
    /// Meaning
    Vector,
    /// Meaning and words, fused
    Hybrid,
    /// Each of them
    All,
}

impl RunMode {
    /// The modes that it stands for.
    pub(in crate::cli) fn modes(self) -> &'static [ModeChoice] {
        match self {
            Self::Text => &[ModeChoice::Text],
            Self::Vector => &[ModeChoice::Vector],
            Self::Hybrid => &[ModeChoice::Hybrid],
            Self::All => &[ModeChoice::Text, ModeChoice::Vector, ModeChoice::Hybrid],
        }
    }
}

/// Compare two ways to search, query by query
///
/// Each side is a run file (with --qrels), a report of eval run --json (with #SETUP where it has several), or a way to
/// search such as hybrid,weight=0.4 (with a test collection). Prints for each metric both means, their difference (second
/// minus first) with a 95 % bootstrap interval, the p of a paired randomisation test, and how many queries are
/// better, worse and alike.
///
/// Example: ragctl eval compare text hybrid --beir scifact
#[derive(Debug, Args)]
pub(in crate::cli) struct EvalCompareArgs {
    /// What is compared against
    #[arg(value_name = "A")]
    pub(in crate::cli) first: String,
    /// What is compared
    #[arg(value_name = "B")]
    pub(in crate::cli) second: String,
    #[command(flatten)]
    pub(in crate::cli) collection: CollectionArgs,
    /// Write a report with plots into this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) html: Option<PathBuf>,
    /// Print one JSON object, with the values of every query
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Measure what each stage is worth, by leaving out one at a time
///
/// Prints the way to search as it is, then without vectors, without words, with ranks in place of weighted scores, with
/// identifiers taken for words like any other, and without each stage that it has.
///
/// Example: ragctl eval ablate --beir scifact --setup hybrid,dedupe,per=document:2
#[derive(Debug, Args)]
pub(in crate::cli) struct EvalAblateArgs {
    #[command(flatten)]
    pub(in crate::cli) collection: CollectionArgs,
    /// Start from this way to search: a mode and stages as one word
    #[arg(long, value_name = "SETUP", default_value = "hybrid", value_parser = SetupArgs::of_word)]
    pub(in crate::cli) setup: SetupArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

fn parse_bar(text: &str) -> Result<(Metric, f64), String> {
    let wrong = || format!("'{text}' is not a metric and its least value, such as nDCG@10=0.7");
    let (metric, value) = text.split_once('=').ok_or_else(wrong)?;
    let value: f64 = value.trim().parse().map_err(|_| wrong())?;
    if !value.is_finite() {
        return Err(wrong());
    }
    Ok((metric.parse()?, value))
}
