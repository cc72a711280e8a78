//! `ragctl info`, `remove`, `verify`, `reindex`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use crate::cli::args::{Global, InfoArgs, ReindexArgs, RemoveArgs, VerifyArgs};
use crate::cli::error::{CliError, Exit};
use crate::cli::output::Output;
use crate::cli::search::prefixes;
use crate::cli::{calibrate, index, navigate};
use crate::content::{ContainerKind, split_member};
use crate::render::{human, json};
use crate::search::resolve;
use crate::source::{Container, ExpandOptions, Found, UriBase, WalkOptions, expand, location_of_uri};
use crate::store::embedded::{self, EmbeddedStore, Need, Writer};
use crate::store::{Scope, Store, StoredDocument, Target};

pub(super) fn info(args: &InfoArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let index = index::open_quietly(global, Need::ALL)?;
    let store = index.store()?;
    let (info, calibrations) = (store.info()?, calibrate::kept(&index, &store)?);
    if args.json {
        output.json(&json::InfoOut::new(&info, calibrations))?;
    } else {
        output.text(&human::info(&info, &calibrations, output.style()))?;
    }
    Ok(Exit::Success)
}

pub(super) fn remove(args: &RemoveArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let folder = index::existing(global)?;
    let documents = {
        let index = index::open(global, Need::DATABASE, output)?;
        wanted(args, &index.store()?, &index.uri_base())?
    };
    if !args.dry_run {
        let mut writer = Writer::open(&folder, args.lock_timeout)?;
        for document in &documents {
            writer.remove(document.id)?;
        }
        writer.commit()?;
    }
    if args.json {
        output.json(&json::RemoveOut::new(&documents, args.dry_run))?;
    } else {
        let verb = if args.dry_run { "would remove" } else { "removed" };
        for document in &documents {
            output.text(&format!("{verb} {}\n", document.uri))?;
        }
    }
    Ok(Exit::Success)
}

/// The documents that the arguments name, each once; an argument that names none ends the command before anything is
/// removed.
fn wanted(args: &RemoveArgs, store: &dyn Store, base: &UriBase) -> Result<Vec<StoredDocument>, CliError> {
    let mut documents = Vec::new();
    for text in &args.documents {
        if text.trim().is_empty() {
            return Err(CliError::usage("a document's name is empty", "ragctl list prints the documents"));
        }
        if args.recursive {
            let path_prefixes = prefixes(base, std::slice::from_ref(text));
            let scope = Scope { path_prefixes, ..Scope::default() };
            let below: Vec<_> =
                store.documents()?.into_iter().filter(|it| scope.holds_uri(&it.uri)).collect();
            if !below.is_empty() {
                documents.extend(below);
                continue;
            }
        }
        let document = navigate::document(store, base, text)?;
        if let Ok(target @ (Target::Section(_) | Target::Chunk(_))) = resolve(store, text) {
            let message = format!("'{text}' is {target}, a part of '{}'", document.uri);
            return Err(CliError::usage(
                message,
                "only whole documents can be removed: name one by URI, path or id",
            ));
        }
        documents.push(document);
    }
    documents.sort_by(|a, b| a.uri.cmp(&b.uri));
    documents.dedup_by(|a, b| a.id == b.id);
    Ok(documents)
}

pub(super) fn verify(args: &VerifyArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let store = EmbeddedStore::open(&index::existing(global)?, Need::ALL)?;
    let root = store.root();
    let members = RefCell::new((String::new(), HashMap::new()));
    let read_source = |uri: &str| match split_member(uri) {
        None => std::fs::read(location_of_uri(&root, uri)?).ok(),
        Some((archive, _)) => {
            let mut members = members.borrow_mut();
            if members.0 != archive {
                *members = (archive.to_owned(), members_of(&location_of_uri(&root, archive)?, archive));
            }
            members.1.remove(uri)
        }
    };
    let checks = embedded::verify(&store, &read_source)?;
    if args.json {
        output.json(&json::VerifyOut::new(&checks))?;
    } else {
        output.text(&human::checks(&checks, output.style()))?;
    }
    if checks.iter().all(embedded::Check::is_ok) {
        return Ok(Exit::Success);
    }
    output.flush()?;
    output.note(
        "hint: ragctl reindex mends vectors and text; for anything else ingest again with --refresh always",
    );
    Ok(Exit::Failure)
}

/// Bytes of members of one archive that are held at once: an archive is gone through once, not once for each of them.
const MAX_MEMBER_BYTES: usize = 128 << 20;

/// The members of an archive by their URIs, as many as are held.
fn members_of(path: &Path, uri: &str) -> HashMap<String, Vec<u8>> {
    let mut members = HashMap::new();
    let Some(kind) = ContainerKind::of_name(uri) else { return members };
    let container = Container::of_file(uri.to_owned(), kind, path);
    let rules = WalkOptions { hidden: true, ignore_files: false, ..WalkOptions::default() };
    let mut n_left = MAX_MEMBER_BYTES;
    let options = ExpandOptions { walk: &rules, password: None };
    expand(&container, &options, &|_| true, &mut |found| {
        if let Found::Member { uri, bytes } = found {
            match n_left.checked_sub(bytes.len()) {
                None => return ControlFlow::Break(()),
                Some(left) => n_left = left,
            }
            members.insert(uri, bytes);
        }
        ControlFlow::Continue(())
    });
    members
}

pub(super) fn reindex(args: &ReindexArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let folder = index::existing(global)?;
    let committed = Writer::open(&folder, args.lock_timeout)?.rebuild()?;
    let n_chunks = EmbeddedStore::open(&folder, Need::ALL)?.info()?.n_chunks;
    if args.json {
        output.json(&json::ReindexOut::new(committed.generation, n_chunks))?;
    } else {
        output.note(&format!(
            "rebuilt text index and vectors over {n_chunks} chunks (generation {})",
            committed.generation
        ));
    }
    Ok(Exit::Success)
}
