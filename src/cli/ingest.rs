//! `ragctl ingest`.

use std::collections::BTreeSet;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::builder::PossibleValuesParser;
use serde_json::Value;

use crate::chunk::{CHUNKERS, ChunkConfig, Chunking, chunker_named};
use crate::cli::args::{Global, IngestArgs, StageArgs};
use crate::cli::error::{CliError, Exit};
use crate::cli::models::Models;
use crate::cli::output::Output;
use crate::cli::progress::{PerSource, Progress};
use crate::cli::{index, reembed};
use crate::content::{ContainerKind, Metadata, split_member};
use crate::embed::Embedder;
use crate::ingest::{
    FillOptions, IngestOptions, IngestReport, Isolation, Pipeline, RefreshRules, Sources, ingest, uri_base,
};
use crate::read::worker::Limits;
use crate::read::{Blob, READERS, ReadOptions, reader_named};
use crate::render::{human, json};
use crate::source::{Container, UriBase, WalkOptions, walk};
use crate::store::embedded::Replaced;
use crate::transform;

/// Largest archive on standard input, bytes (chosen: what a small machine has to spare).
const MAX_STDIN_ARCHIVE_BYTES: u64 = 256 << 20;

/// The names of all formats, for `--format` and `--type`.
pub(super) fn format_names() -> PossibleValuesParser {
    PossibleValuesParser::new(
        READERS
            .iter()
            .map(|reader| clap::builder::PossibleValue::new(reader.meta().name).help(reader.meta().summary)),
    )
}

/// The names of all chunkers, for `--chunker`.
pub(super) fn chunker_names() -> PossibleValuesParser {
    PossibleValuesParser::new(
        CHUNKERS.iter().map(|chunker| {
            clap::builder::PossibleValue::new(chunker.meta().name).help(chunker.meta().summary)
        }),
    )
}

pub(super) fn run(args: &IngestArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let folder = index::for_writing(global)?;
    let models = Models::for_ingest(&folder, &args.model, global)?;
    let mut pipeline = pipeline(&args.stages, args.format.as_deref(), &models)?;
    pipeline.metadata = key_values(&args.meta, "--meta")?;
    pipeline.labels = args.label.iter().cloned().collect::<BTreeSet<_>>();
    let mut refresh = RefreshRules::default();
    for text in &args.refresh {
        refresh.add(text).map_err(|message| CliError::usage(message, "for example: --refresh changed"))?;
    }
    let sources = sources(args, &folder, global.offline)?;
    let cancel = cancel_flag();
    let options = IngestOptions {
        folder: folder.clone(),
        refresh,
        prune: args.prune,
        dry_run: args.dry_run,
        n_threads: usize::from(args.threads),
        patience: args.lock_timeout,
        now: jiff::Timestamp::now(),
        cancel: &cancel,
    };
    let per_source = match (args.jsonl, args.dry_run && !args.json) {
        (true, _) => PerSource::JsonLine,
        (false, true) => PerSource::Plan,
        (false, false) => PerSource::Silent,
    };
    let progress = Progress::new(output, per_source);
    let report = ingest(sources, &pipeline, &options, &progress);
    progress.finish()?;
    let report = report?;
    if !args.json && !args.jsonl {
        output.flush()?;
        for (path, reason) in &report.notable {
            output.note(&format!("skipped '{path}': {}", reason.name()));
        }
        output.note(&human::report(&report, output.error_style()));
    }
    let filled = match &models.later {
        Some(later) if !args.dry_run && !report.is_interrupted => {
            let options = FillOptions {
                folder,
                replaced: Replaced::Removed,
                n_threads: usize::from(args.threads),
                patience: args.lock_timeout,
                cancel: &cancel,
            };
            Some(reembed::fill_with(later.as_ref(), &options, output)?)
        }
        _ => None,
    };
    if args.json {
        output.json(&json::IngestOut::new(&report, filled.as_ref()))?;
    } else if args.jsonl {
        output.json_line(&json::IngestOut::new(&report, filled.as_ref()))?;
    } else if let Some(filled) = &filled {
        output.note(&human::filled(filled, output.error_style()));
    } else if let Some(unfinished) = &models.unfinished {
        output.note(&format!(
            "note: vectors of '{unfinished}' are not all there yet; ragctl reembed --model {unfinished} goes on with them"
        ));
    }
    Ok(match filled.as_ref().map(reembed::exit_of) {
        Some(exit) if exit != Exit::Success && exit_of(&report) == Exit::Success => exit,
        _ => exit_of(&report),
    })
}

fn exit_of(report: &IngestReport) -> Exit {
    let n_good = report.n_added + report.n_refreshed + report.n_unchanged + report.n_removed;
    if report.is_interrupted {
        Exit::Interrupted
    } else if report.failed.is_empty() {
        Exit::Success
    } else if n_good == 0 {
        Exit::Failure
    } else {
        Exit::Partial
    }
}

/// The stages with the settings of the command line.
pub(super) fn pipeline<'a>(
    stages: &StageArgs,
    format: Option<&str>,
    models: &'a Models,
) -> Result<Pipeline<'a>, CliError> {
    Ok(Pipeline {
        read: ReadOptions {
            full_page: stages.full_page,
            links: stages.links,
            password: stages.password.clone(),
        },
        format: format.and_then(reader_named),
        isolation: isolation(),
        chunk: chunking(stages)?,
        transform: transform::Pipeline::of_names(&stages.transform)?,
        embedders: models.now.iter().map(|it| it.as_ref() as &dyn Embedder).collect(),
        later: models.later.as_deref().map(|it| it as &dyn Embedder),
        language: stages.lang,
        metadata: Metadata::new(),
        labels: BTreeSet::new(),
    })
}

fn chunking(stages: &StageArgs) -> Result<Chunking, CliError> {
    let config = ChunkConfig::new(stages.max_chunk_size, stages.overlap)?.with_min(stages.min_chunk_size)?;
    Ok(Chunking { chunker: chunker_named(&stages.chunker)?, config })
}

/// Risky readers run in this very program, started anew.
pub(super) fn isolation() -> Option<Isolation> {
    let program = std::env::current_exe().ok()?;
    Some(Isolation { program, limits: Limits::default() })
}

/// Finds the files, reads standard input and names pages.
fn sources(args: &IngestArgs, folder: &Path, is_offline: bool) -> Result<Sources, CliError> {
    let base = uri_base(folder);
    let mut paths = args.paths.clone();
    if let Some(list) = &args.files_from {
        paths.extend(read_list(list)?);
    }
    let reads_stdin = paths.iter().any(|path| path == Path::new("-"));
    paths.retain(|path| path != Path::new("-"));
    let extensions = (!args.types.is_empty()).then(|| {
        let readers = args.types.iter().filter_map(|name| reader_named(name));
        readers.flat_map(|it| it.meta().extensions).map(|&it| it.to_owned()).collect()
    });
    let options = WalkOptions {
        include: args.include.clone(),
        exclude: args.exclude.clone(),
        extensions,
        hidden: args.hidden,
        ignore_files: !args.no_ignore,
        follow_links: args.follow,
        max_bytes: args.max_file_size,
        max_depth: args.max_depth,
        archives: args.archives,
    };
    let (urls, paths): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(|it| is_url(it));
    let pages = pages(&urls, is_offline)?;
    if let Some((part, file)) = paths.iter().filter(|it| !it.exists()).find_map(|it| {
        let text = it.to_str()?;
        Some((text, split_member(text)?.0))
    }) {
        let some = if ContainerKind::of_name(file).is_some_and(ContainerKind::is_archive) {
            "; --include GLOB takes some of its members"
        } else {
            ""
        };
        return Err(CliError::usage(
            format!("'{part}' is a part of '{file}', and only whole files are ingested"),
            format!("ragctl ingest {file}{some}"),
        ));
    }
    let walked = walk(&paths, &options, &base, folder)?;
    let (mut blobs, mut containers) = (Vec::new(), Vec::new());
    if reads_stdin {
        match ContainerKind::of_name(&args.uri) {
            // As with files, the limit is for the members; memory has to hold the archive.
            Some(kind) => {
                let bytes = read_stdin(args.max_file_size.max(MAX_STDIN_ARCHIVE_BYTES))?;
                containers.push(Container::of_bytes(args.uri.clone(), kind, bytes));
            }
            None => blobs.push(Blob { uri: args.uri.clone(), bytes: read_stdin(args.max_file_size)? }),
        }
    }
    // A folder that is not there (perhaps a disk that is not mounted) is no reason to remove what was read from it.
    let roots = paths.iter().filter(|path| path.exists()).map(|path| base.uri_of(path)).collect();
    Ok(Sources { walked, blobs, pages, containers, roots, rules: options })
}

/// The addresses of pages, each once, without the place in the page.
fn pages(urls: &[PathBuf], is_offline: bool) -> Result<Vec<String>, CliError> {
    if let Some(url) = urls.first().filter(|_| is_offline || cfg!(not(feature = "http"))) {
        let why = if is_offline { "nothing may be fetched" } else { "this ragctl was built without 'http'" };
        return Err(CliError::usage(
            format!("'{}' is on the web, and {why}", url.display()),
            "leave --offline and RAGCTL_OFFLINE out, or: curl -s URL | ragctl ingest - --uri URL",
        ));
    }
    let pages = urls.iter().map(|url| {
        let url = url.to_string_lossy();
        let page = url.split_once('#').map_or(&*url, |(page, _)| page);
        // A host alone and its root are the same page.
        let is_host = page.split_once("//").is_some_and(|(_, rest)| !rest.contains(['/', '?']));
        if is_host { format!("{page}/") } else { page.to_owned() }
    });
    Ok(pages.collect::<BTreeSet<_>>().into_iter().collect())
}

fn is_url(path: &Path) -> bool {
    let text = path.to_string_lossy();
    ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme)) && !path.exists()
}

/// Reads all of standard input, at most `max_bytes`.
pub(super) fn read_stdin(max_bytes: u64) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let failed = |source| CliError::io("read", "standard input", source);
    io::stdin().lock().take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > max_bytes {
        let message = format!("standard input is larger than {max_bytes} bytes");
        return Err(CliError::usage(message, "raise the limit with --max-file-size"));
    }
    Ok(bytes)
}

/// Paths in a file, one a line; NUL separates them where there is one (`find -print0`).
fn read_list(list: &Path) -> Result<Vec<PathBuf>, CliError> {
    let bytes = if list == Path::new("-") {
        read_stdin(u64::MAX - 1)?
    } else {
        std::fs::read(list).map_err(|source| CliError::io("read", list.display().to_string(), source))?
    };
    let separator = if bytes.contains(&0) { 0 } else { b'\n' };
    let lines = bytes.split(|&byte| byte == separator).map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    Ok(lines.filter(|line| !line.is_empty()).map(path_of).collect())
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// `key=text` and `key:=json`.
pub(super) fn key_values(texts: &[String], flag: &str) -> Result<Metadata, CliError> {
    let mut values = Metadata::new();
    for text in texts {
        let wrong = |message: String| {
            CliError::usage(message, format!("for example: {flag} owner=alice {flag} year:=2024"))
        };
        let Some((key, value)) = text.split_once('=') else {
            return Err(wrong(format!("{flag} '{text}' has no '='")));
        };
        let (key, value) = match key.strip_suffix(':') {
            Some(key) => {
                let value = serde_json::from_str(value)
                    .map_err(|error| wrong(format!("{flag} '{text}': not JSON: {error}")))?;
                (key, value)
            }
            None => (key, Value::String(value.to_owned())),
        };
        if key.is_empty() {
            return Err(wrong(format!("{flag} '{text}' has no key")));
        }
        values.insert(key.to_owned(), value);
    }
    Ok(values)
}

/// Set by the first Ctrl-C or termination signal, so that the run ends early and whole; the second ends the process.
pub(super) fn cancel_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // The order matters: the second signal finds the flag set by the first. Without handlers the signal simply ends
        // the process, which the index survives.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, flag.clone());
        let _ = signal_hook::flag::register(signal, flag.clone());
    }
    flag
}

/// Names files as the index would, or as the current folder would where there is no index.
pub(super) fn base_without_index(global: &Global) -> Result<UriBase, CliError> {
    Ok(match index::existing(global) {
        Ok(folder) => uri_base(&folder),
        Err(_) => UriBase::new(&index::current_folder()?),
    })
}
