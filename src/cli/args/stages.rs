//! What can be typed of fusion and of the stages behind the lists: for `search`, and as one word for `eval`.

use clap::{Args, Parser, ValueEnum};

use crate::cli::args::parse_seconds;
use crate::search::{DEFAULT_POOL, FusionKind};

/// What `--rerank-budget` is where nobody says it.
pub(in crate::cli) const DEFAULT_RERANK_BUDGET: std::time::Duration = std::time::Duration::from_secs(10);

/// Fusion of a hybrid search.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub(in crate::cli) struct FusionArgs {
    /// Fuse the lists of a hybrid search so
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Mode")]
    pub(in crate::cli) fusion: Option<FusionChoice>,
    /// Weigh the vector list so, 0 to 1 (default: the model's own, 0.5 for rrf)
    #[arg(long, value_name = "WEIGHT", value_parser = parse_share, help_heading = "Mode")]
    pub(in crate::cli) weight: Option<f32>,
}

/// How lists are fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum FusionChoice {
    /// Scores over their list's best, weighted (default)
    Convex,
    /// Reciprocal ranks
    Rrf,
    /// Relative scores: from the list's worst to its best, weighted
    Rsf,
    /// Distribution-based scores: three standard deviations around the list's mean, weighted
    Dbsf,
}

impl From<FusionChoice> for FusionKind {
    fn from(choice: FusionChoice) -> Self {
        match choice {
            FusionChoice::Convex => Self::Convex,
            FusionChoice::Rrf => Self::Rrf,
            FusionChoice::Rsf => Self::Rsf,
            FusionChoice::Dbsf => Self::Dbsf,
        }
    }
}

/// The stages behind the lists, in the order in which they run.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub(in crate::cli) struct SearchStageArgs {
    /// Judge the best candidates anew with this reranker, which reads query and passage together
    #[arg(long, value_name = "NAME", help_heading = "Stages, in this order")]
    pub(in crate::cli) rerank: Option<String>,
    /// Give so many candidates to --rerank
    #[arg(long, value_name = "N", default_value_t = DEFAULT_POOL, value_parser = parse_count, requires = "rerank",
          help_heading = "Stages, in this order")]
    pub(in crate::cli) pool: usize,
    /// Keep the order as it was, and say so, when --rerank takes longer; 0 for as long as it takes
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds, requires = "rerank",
          help_heading = "Stages, in this order")]
    pub(in crate::cli) rerank_budget: std::time::Duration,
    /// Leave out passages that say nearly the same as a better one, such as those of a file stored twice
    ///
    /// Nearly the same: at least nine tenths of their runs of three words are common to both.
    #[arg(long, help_heading = "Stages, in this order")]
    pub(in crate::cli) dedupe: bool,
    /// Prefer passages that differ from those before: 1 looks at relevance only, 0 at the differences only
    ///
    /// Maximal marginal relevance over the candidates, with the cosines of their vectors, dense or sparse.
    #[arg(long, value_name = "LAMBDA", value_parser = parse_share, help_heading = "Stages, in this order")]
    pub(in crate::cli) mmr: Option<f32>,
    /// Take at most so many passages of one document or section: document:2, section:1 (repeatable)
    #[arg(long, value_name = "WHAT:N", value_parser = parse_per, help_heading = "Stages, in this order")]
    pub(in crate::cli) per: Vec<(Per, usize)>,
    /// Return a section in place of its passages where more than half of them are among the hits
    #[arg(long, help_heading = "Stages, in this order")]
    pub(in crate::cli) auto_merge: bool,
    /// Return at most so many hits of those that --top-k lets pass
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Stages, in this order")]
    pub(in crate::cli) cap: Option<usize>,
}

/// What `--per` counts by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Per {
    /// Hits of one document.
    Document,
    /// Hits of one section.
    Section,
}

/// What is searched by, where one word says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(in crate::cli) enum ModeChoice {
    /// Words
    Text,
    /// Meaning
    Vector,
    /// Meaning and words, fused
    Hybrid,
}

/// One way to search as one word: `hybrid,fusion=rrf,mmr=0.5,dedupe`. The names are those of the options of `search`.
#[derive(Clone, Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
pub(in crate::cli) struct SetupArgs {
    #[arg(value_enum)]
    pub(in crate::cli) mode: ModeChoice,
    #[command(flatten)]
    pub(in crate::cli) fusion: FusionArgs,
    #[command(flatten)]
    pub(in crate::cli) stages: SearchStageArgs,
}

impl SetupArgs {
    /// Reads such a word.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong.
    pub(in crate::cli) fn of_word(word: &str) -> Result<Self, String> {
        let mut parts = word.split(',').map(str::trim).filter(|it| !it.is_empty());
        let mode = parts.next().unwrap_or_default().to_owned();
        let options = parts.map(|it| format!("--{it}"));
        Self::try_parse_from(std::iter::once(mode).chain(options)).map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            format!("'{word}': {}", first.trim_start_matches("error: "))
        })
    }
}

fn parse_share(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("'{text}' is not a number from 0 to 1")),
    }
}

/// A number of hits or candidates.
pub(in crate::cli) fn parse_count(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(n) if (1..=MAX_COUNT).contains(&n) => Ok(n),
        _ => Err(format!("'{text}' is not a number from 1 to {MAX_COUNT}")),
    }
}

/// Chosen: enough for any script, little enough that a mistyped number does not fill the memory.
const MAX_COUNT: usize = 100_000;

fn parse_per(text: &str) -> Result<(Per, usize), String> {
    let wrong = || format!("'{text}' is neither document:N nor section:N");
    let (what, n) = text.split_once([':', '=']).ok_or_else(wrong)?;
    let what = match what {
        "document" => Per::Document,
        "section" => Per::Section,
        _ => return Err(wrong()),
    };
    Ok((what, parse_count(n)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_says_a_whole_setup() {
        let it =
            SetupArgs::of_word("hybrid,fusion=rsf,weight=0.3,mmr=0.5,per=document:2,per=section:1,dedupe")
                .unwrap();
        assert_eq!(
            (it.mode, it.fusion.fusion, it.fusion.weight),
            (ModeChoice::Hybrid, Some(FusionChoice::Rsf), Some(0.3))
        );
        assert_eq!(it.stages.per, [(Per::Document, 2), (Per::Section, 1)]);
        assert!(it.stages.dedupe && !it.stages.auto_merge && it.stages.mmr == Some(0.5));
        let plain = SetupArgs::of_word("text").unwrap().stages;
        assert_eq!((plain.pool, plain.rerank_budget), (DEFAULT_POOL, DEFAULT_RERANK_BUDGET));
        for wrong in [
            "",
            "words",
            "hybrid,mmr=2",
            "hybrid,mmr",
            "hybrid,per=page:1",
            "hybrid,per=document:0",
            "text,what",
        ] {
            let error = SetupArgs::of_word(wrong).unwrap_err();
            assert!(error.starts_with(&format!("'{wrong}': ")) && !error.contains('\n'), "{error}");
        }
    }
}
