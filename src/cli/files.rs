//! `ragctl read` and `ragctl chunk`: what readers and chunker make of a file, without any index.

use std::io::IsTerminal as _;
use std::path::Path;

use console::Term;

use crate::chunk::DEFAULT_CHUNKER;
use crate::cli::args::{ChunkArgs, Global, ReadArgs, StageArgs};
use crate::cli::error::{CliError, Exit};
use crate::cli::ingest::{base_without_index, pipeline, read_stdin};
use crate::cli::models::Models;
use crate::cli::output::Output;
use crate::content::{ContainerKind, member_uri, split_member};
use crate::embed;
use crate::ingest::Pipeline;
use crate::read::{Blob, Parsed, ReadError, ReaderMeta};
use crate::render::{human, json};
use crate::source::{fetch_member, only_member};
use crate::transform;

/// A file read for looking at may be larger than one that is ingested: 1 GiB.
const MAX_BYTES: u64 = 1 << 30;

pub(super) fn read(args: &ReadArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let stages = StageArgs {
        lang: None,
        full_page: args.full_page,
        links: args.links,
        password: args.password.clone(),
        chunker: DEFAULT_CHUNKER.to_owned(),
        max_chunk_size: 1500,
        overlap: 200,
        min_chunk_size: 0,
        transform: vec![transform::NONE.to_owned()],
    };
    let models = Models::only(embed::DEFAULT_MODEL)?;
    let mut pipeline = pipeline(&stages, args.format.as_deref(), &models)?;
    let (parsed, meta) = parse(&args.file, global, &mut pipeline, output)?;
    let document = &parsed.document;
    if args.json {
        output.json(&json::DocumentOut::new(document, &parsed.warnings, meta.name))?;
    } else if args.text {
        output.text(&document.text)?;
    } else {
        output.text(&human::outline(document, output.style()))?;
        output.text("\n")?;
        output.text(&document.text)?;
        if !document.text.ends_with('\n') {
            output.text("\n")?;
        }
    }
    Ok(Exit::Success)
}

pub(super) fn chunk(args: &ChunkArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let models = Models::only(args.model.as_deref().unwrap_or(embed::DEFAULT_MODEL))?;
    let mut pipeline = pipeline(&args.stages, args.format.as_deref(), &models)?;
    let (mut parsed, _) = parse(&args.file, global, &mut pipeline, output)?;
    let chunks = pipeline.chunks(&mut parsed);
    if args.json {
        output.json(&json::ChunksOut::new(&parsed.document, &chunks, &parsed.warnings))?;
    } else {
        output.text(&human::chunks(&parsed.document, &chunks, output.style()))?;
    }
    Ok(Exit::Success)
}

/// Asks the person at the terminal for the password of `file`, unseen; `None` when nobody is there or nothing is typed.
fn ask_password(file: &Path) -> Option<String> {
    let terminal = Term::stderr();
    if file == Path::new("-") || !std::io::stdin().is_terminal() || !terminal.is_term() {
        return None;
    }
    terminal.write_str(&format!("password for '{}': ", file.display())).ok()?;
    terminal.read_secure_line().ok().filter(|it| !it.is_empty())
}

/// The file, or the member of an archive, that is named.
fn load(file: &Path, global: &Global, pipeline: &Pipeline<'_>) -> Result<Blob, CliError> {
    if file == Path::new("-") {
        return Ok(Blob { uri: "stdin".to_owned(), bytes: read_stdin(MAX_BYTES)? });
    }
    let base = base_without_index(global)?;
    let name = file.to_string_lossy();
    let fetch = |archive: &Path, uri: &str| {
        let password = pipeline.read.password.as_deref();
        fetch_member(archive, uri, MAX_BYTES, password)
            .map_err(|source| CliError::Member { path: name.clone().into_owned(), source })
    };
    if let Some((archive, member)) = split_member(&name).filter(|_| !file.exists()) {
        let kind = ContainerKind::of_name(archive);
        let archive = Path::new(archive);
        let io = |source| CliError::io("read", archive.display().to_string(), source);
        std::fs::metadata(archive).map_err(io)?;
        let container = base.uri_of(archive);
        let uri = kind.map_or_else(|| container.clone(), |kind| member_uri(&container, kind, member));
        let bytes = fetch(archive, &uri)?.ok_or_else(|| {
            CliError::usage(
                format!("'{}' has no member '{member}'", archive.display()),
                format!("ragctl ingest --dry-run '{}' lists what it holds", archive.display()),
            )
        })?;
        return Ok(Blob { uri, bytes });
    }
    let io = |source| CliError::io("read", file.display().to_string(), source);
    let metadata = std::fs::metadata(file).map_err(io)?;
    if let Some(uri) = only_member(&base.uri_of(file)).filter(|_| metadata.is_file())
        && let Some(bytes) = fetch(file, &uri)?
    {
        return Ok(Blob { uri, bytes });
    }
    if let Some(kind) =
        ContainerKind::of_name(&name).filter(|_| metadata.is_file() && pipeline.format.is_none())
    {
        let (what, example) = match kind.is_archive() {
            true => ("an archive", "docs/a.md"),
            false => ("a file of entities", "ID"),
        };
        return Err(CliError::usage(
            format!("'{name}' is {what}, whose members are documents of their own"),
            format!(
                "name a member, as '{}'; ragctl ingest --dry-run '{name}' lists them",
                member_uri(&name, kind, example)
            ),
        ));
    }
    if metadata.len() > MAX_BYTES {
        let message = format!("'{}' is larger than {MAX_BYTES} bytes", file.display());
        return Err(CliError::usage(message, "split the file"));
    }
    Ok(Blob { uri: base.uri_of(file), bytes: std::fs::read(file).map_err(io)? })
}

fn parse(
    file: &Path,
    global: &Global,
    pipeline: &mut Pipeline<'_>,
    output: &Output,
) -> Result<(Parsed, &'static ReaderMeta), CliError> {
    let blob = load(file, global, pipeline)?;
    let failed = |source| CliError::Read { path: file.display().to_string(), source };
    let reader = pipeline.reader_for(&blob).map_err(failed)?;
    let mut outcome = pipeline.read(reader, &blob);
    if outcome == Err(ReadError::Encrypted)
        && pipeline.read.password.is_none()
        && let Some(password) = ask_password(file)
    {
        pipeline.read.password = Some(password);
        outcome = pipeline.read(reader, &blob);
    }
    let parsed = outcome.map_err(failed)?;
    for warning in &parsed.warnings {
        output.note(&format!("warning: {}", warning.message));
    }
    Ok((parsed, reader.meta()))
}
