//! What can be typed to ingest, and the settings of its stages.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, ValueHint};

use crate::cli::args::{ModelArgs, parse_levels, parse_seconds};
use crate::content::Language;

/// Read documents into the index
///
/// Walks folders with the rules of .gitignore, .ignore and .ragctlignore, reads Markdown, HTML, PDF, office files,
/// e-books, mail, tables, plain text, source code and notebooks, and makes what it read searchable all at once at the end.
/// A zip or tar archive that is named is read as the folder that it holds, a file compressed with gzip as the file inside; -z
/// opens those in folders too.
/// Documents that are stored already are left alone, unread, unless --refresh says otherwise. A file that cannot be read
/// is reported and counted, and the run goes on; the exit status is then 3.
///
/// Example: ragctl ingest docs README.md --refresh changed --prune
#[derive(Debug, Args)]
pub(in crate::cli) struct IngestArgs {
    /// Folders, files and addresses of web pages; - reads standard input
    #[arg(value_name = "PATH|URL", value_hint = ValueHint::AnyPath, required_unless_present = "files_from")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// Read paths from this file, one a line (- for standard input)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) files_from: Option<PathBuf>,
    /// Name the document on standard input
    #[arg(long, value_name = "URI", default_value = "stdin")]
    pub(in crate::cli) uri: String,
    /// Read everything in this format, whatever the names say
    #[arg(long, value_name = "FORMAT", value_parser = crate::cli::ingest::format_names())]
    pub(in crate::cli) format: Option<String>,
    /// Take only files that match this glob (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = "What to take")]
    pub(in crate::cli) include: Vec<String>,
    /// Leave out files and folders that match this glob (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = "What to take")]
    pub(in crate::cli) exclude: Vec<String>,
    /// Take only files of this format (repeatable)
    #[arg(short = 't', long = "type", value_name = "FORMAT", help_heading = "What to take",
          value_parser = crate::cli::ingest::format_names())]
    pub(in crate::cli) types: Vec<String>,
    /// Take hidden files and folders too
    #[arg(long, help_heading = "What to take")]
    pub(in crate::cli) hidden: bool,
    /// Pay no attention to ignore files
    #[arg(long, help_heading = "What to take")]
    pub(in crate::cli) no_ignore: bool,
    /// Follow symbolic links
    #[arg(short = 'L', long, help_heading = "What to take")]
    pub(in crate::cli) follow: bool,
    /// Leave out files larger than this, such as 500k or 32M
    #[arg(long, value_name = "SIZE", default_value = "10M", value_parser = parse_size, help_heading = "What to take")]
    pub(in crate::cli) max_file_size: u64,
    /// Open archives (zip, tar, tar.gz, tgz, gz) that are found in folders; those that are named are opened in any case
    ///
    /// An archive behaves as a folder does: its members are documents, named docs/a.zip!/guide/intro.md, and all that is
    /// said here about files holds for them.
    #[arg(short = 'z', long, help_heading = "What to take")]
    pub(in crate::cli) archives: bool,
    /// Go so many folders deep; 1 takes the files of the folder itself
    #[arg(long, value_name = "N", help_heading = "What to take", value_parser = parse_levels)]
    pub(in crate::cli) max_depth: Option<usize>,
    /// Decide when stored documents are read again: never, changed, always, older-than=7d, or GLOB:POLICY (repeatable)
    ///
    /// `changed` compares the content. `older-than` takes s, m, h, d and w. A glob is matched against the whole URI; the
    /// last rule that matches wins.
    #[arg(long, value_name = "POLICY", default_value = "never", help_heading = "What to refresh")]
    pub(in crate::cli) refresh: Vec<String>,
    /// Remove documents under the given paths whose files are gone
    #[arg(long, help_heading = "What to refresh")]
    pub(in crate::cli) prune: bool,
    /// Say what would happen and write nothing
    #[arg(short = 'n', long, help_heading = "What to refresh")]
    pub(in crate::cli) dry_run: bool,
    #[command(flatten)]
    pub(in crate::cli) stages: StageArgs,
    #[command(flatten)]
    pub(in crate::cli) model: ModelArgs,
    /// Put metadata on every document: key=text or key:=json (repeatable)
    #[arg(long, value_name = "KEY=VALUE", help_heading = "How to read and chunk")]
    pub(in crate::cli) meta: Vec<String>,
    /// Put a label on every document (repeatable)
    #[arg(long, value_name = "LABEL", help_heading = "How to read and chunk")]
    pub(in crate::cli) label: Vec<String>,
    /// Use so many threads, at most 256; 0 for one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256))]
    pub(in crate::cli) threads: u16,
    /// Wait so many seconds for another writer
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    pub(in crate::cli) lock_timeout: Duration,
    /// Print the report as one JSON object
    #[arg(long, conflicts_with = "jsonl")]
    pub(in crate::cli) json: bool,
    /// Print a JSON line a file as it happens, and the report last
    #[arg(long)]
    pub(in crate::cli) jsonl: bool,
}

/// Settings of readers, chunker and transformers.
#[derive(Debug, Args)]
pub(in crate::cli) struct StageArgs {
    /// Keep navigation, footers and other boilerplate of HTML pages
    #[arg(long, help_heading = "How to read and chunk")]
    pub(in crate::cli) full_page: bool,
    /// Write links of HTML pages as `[text](target)`, not as their text alone
    #[arg(long, help_heading = "How to read and chunk")]
    pub(in crate::cli) links: bool,
    /// Take all documents to be in this language, as en or de-AT; otherwise it is found out for each
    ///
    /// The language decides how words are stemmed, so that a search finds their other forms. It is found from the prose of
    /// a document, else taken from what the document declares.
    #[arg(long, value_name = "CODE", value_parser = parse_language, help_heading = "How to read and chunk")]
    pub(in crate::cli) lang: Option<Language>,
    /// Open encrypted files with this password
    #[arg(
        long,
        value_name = "PASSWORD",
        env = "RAGCTL_PASSWORD",
        hide_env_values = true,
        help_heading = "How to read and chunk"
    )]
    pub(in crate::cli) password: Option<String>,
    /// Cut sections that are too long with this chunker
    #[arg(
        long,
        value_name = "NAME",
        default_value = crate::chunk::DEFAULT_CHUNKER,
        value_parser = crate::cli::ingest::chunker_names(),
        help_heading = "How to read and chunk"
    )]
    pub(in crate::cli) chunker: String,
    /// Make chunks of at most so many characters
    #[arg(long, value_name = "CHARS", default_value_t = 1500, help_heading = "How to read and chunk")]
    pub(in crate::cli) max_chunk_size: usize,
    /// Let pieces of one section share at most so many characters
    #[arg(long, value_name = "CHARS", default_value_t = 200, help_heading = "How to read and chunk")]
    pub(in crate::cli) overlap: usize,
    /// Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none
    #[arg(long, value_name = "CHARS", default_value_t = 0, help_heading = "How to read and chunk")]
    pub(in crate::cli) min_chunk_size: usize,
    /// Transform the chunks' texts before they are indexed, in this order; none for no change
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "add-titles",
        help_heading = "How to read and chunk"
    )]
    pub(in crate::cli) transform: Vec<String>,
}

impl Default for StageArgs {
    /// What holds where nothing is typed.
    fn default() -> Self {
        #[derive(Parser)]
        struct Nothing {
            #[command(flatten)]
            stages: StageArgs,
        }
        // Every option has a default, which the parser's own test checks.
        Nothing::try_parse_from(["ragctl"]).expect("nothing is required").stages
    }
}

fn parse_language(text: &str) -> Result<Language, String> {
    Language::parse(text).ok_or_else(|| {
        format!("'{text}' is no language code; codes have two or three letters, as en, de or pt-BR")
    })
}

fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is not a size such as 500k or 32M");
    let split = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(split);
    let factor: u64 = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        _ => return Err(wrong()),
    };
    digits.parse::<u64>().ok().and_then(|it| it.checked_mul(factor)).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(
            ["7", "500k", "10M", "1GiB"].map(|it| parse_size(it).unwrap()),
            [7, 512_000, 10 << 20, 1 << 30]
        );
        for wrong in ["", "k", "1x", "-1", "99999999999G"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
