//! What can be typed to `calibrate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use crate::cli::args::parse_seconds;
use crate::cli::args::stages::{ModeChoice, parse_count};
use crate::search::DEFAULT_POOL;

/// Choose a threshold from questions that the index answers and questions that it does not
///
/// Each question is searched for, and the best score of its hits is looked at: cosines (or what a sparse model has instead), bm25/(bm25+3), or with --rerank the
/// reranker's scores; in hybrid mode the kind that tells the two groups apart better. The threshold is kept with the
/// index for ragctl search --threshold calibrated; it is void once the model, the chunker or the transformers change.
///
/// Prints the area under the ROC curve (the chance that an answered question scores higher) and how often the
/// threshold would answer or refuse wrongly: questions that it was chosen from, and held out one by one. 20 questions of
/// either kind are a start.
///
/// Example: ragctl calibrate --in answered.txt --out not-answered.txt --max-false-answers 0.05
#[derive(Debug, Args)]
pub(in crate::cli) struct CalibrateArgs {
    /// Questions that the index answers, one a line
    #[arg(long = "in", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) inside: PathBuf,
    /// Questions that it does not answer, one a line
    #[arg(long = "out", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) outside: PathBuf,
    /// Calibrate searches of this mode
    #[arg(long, value_enum, value_name = "MODE", default_value_t = ModeChoice::Hybrid)]
    pub(in crate::cli) mode: ModeChoice,
    /// Search with the vectors of this model of the index (default: the preferred one); each has its own threshold
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) model: Option<String>,
    /// Calibrate the scores of this reranker
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) rerank: Option<String>,
    /// Give so many candidates to --rerank
    #[arg(long, value_name = "N", default_value_t = DEFAULT_POOL, value_parser = parse_count, requires = "rerank")]
    pub(in crate::cli) pool: usize,
    /// Answer at most this share of the questions that are not answered, 0 to 1, and refuse as few others as that allows
    ///
    /// Without it the threshold has the best balanced accuracy: the mean of the shares that are judged rightly.
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    pub(in crate::cli) max_false_answers: Option<f64>,
    /// Keep nothing
    #[arg(short = 'n', long)]
    pub(in crate::cli) dry_run: bool,
    /// Wait so many seconds for another writer
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    pub(in crate::cli) lock_timeout: Duration,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("'{text}' is not a number from 0 to 1")),
    }
}
