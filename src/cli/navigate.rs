//! `ragctl expand`, `zoom`, `show`, `tree`, `sections`, `list`.

use std::path::Path;

use crate::cli::args::{ExpandArgs, Global, ListArgs, SectionsArgs, ShowArgs, TreeArgs, Within, ZoomArgs};
use crate::cli::error::{CliError, Exit};
use crate::cli::index;
use crate::cli::output::Output;
use crate::cli::search::prefixes;
use crate::content::DocumentId;
use crate::render::{human, json};
use crate::search::{
    self, NavigateError, Passages, Zoomed, entity_at, is_entity, resolve, resolve_document, section_path,
};
use crate::source::UriBase;
use crate::store::embedded::Need;
use crate::store::{Scope, Store, StoredDocument, StoredSection, Target};

pub(super) fn expand(args: &ExpandArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let index = index::open(global, Need::DATABASE, output)?;
    let store = index.store()?;
    let expanded = search::expand(&store, &args.id, args.n, args.within == Within::Section)?;
    if args.json {
        output.json(&json::ExpandOut::new(&expanded))?;
    } else {
        output.text(&human::expanded(&expanded, output.style()))?;
    }
    Ok(Exit::Success)
}

pub(super) fn zoom(args: &ZoomArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let index = index::open(global, Need::DATABASE, output)?;
    let store = index.store()?;
    let zoomed = search::zoom(&store, &args.id, args.levels, args.max_chars)?;
    print_zoomed(&zoomed, args.json, output)
}

fn print_zoomed(zoomed: &Zoomed, as_json: bool, output: &mut Output) -> Result<Exit, CliError> {
    if as_json {
        output.json(&json::ZoomOut::new(zoomed))?;
    } else {
        output.text(&human::zoomed(zoomed, output.style()))?;
    }
    Ok(Exit::Success)
}

pub(super) fn show(args: &ShowArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let index = index::open(global, Need::DATABASE, output)?;
    let store = index.store()?;
    let unknown = || NavigateError::Unknown { id: args.id.clone() };
    let target = match resolve(&store, &args.id) {
        Err(NavigateError::Unknown { .. }) => {
            Target::Document(document(&store, &index.uri_base(), &args.id)?.id)
        }
        target => target?,
    };
    if is_entity(&store, target)? {
        // The text index finds where it is mentioned.
        let index = index::open(global, Need { vectors: false, text: true }, output)?;
        let found = entity_at(&index.store()?, target)?.ok_or_else(unknown)?;
        if args.json {
            output.json(&json::EntityOut::new(&found))?;
        } else {
            output.text(&human::entity(&found, output.style()))?;
        }
        return Ok(Exit::Success);
    }
    match target {
        Target::Chunk(id) => {
            let passage = Passages::new(&store).of(store.chunk(id)?.ok_or_else(unknown)?)?;
            if args.json {
                output.json(&json::ChunkOut::new(&passage).at_top_level())?;
            } else {
                output.text(&human::chunk(&passage, output.style()))?;
            }
            Ok(Exit::Success)
        }
        Target::Section(id) => {
            let zoomed = search::section(&store, id, args.max_chars)?;
            print_zoomed(&zoomed, args.json, output)
        }
        Target::Document(id) => show_document(&store, id, args.json, output),
    }
}

fn show_document(
    store: &dyn Store,
    id: DocumentId,
    as_json: bool,
    output: &mut Output,
) -> Result<Exit, CliError> {
    let document = store.document(id)?.ok_or_else(|| NavigateError::Unknown { id: id.to_string() })?;
    if as_json {
        let sections = store.sections(document.number)?;
        let whole = search::zoom(store, &id.to_string(), 1, usize::MAX)?;
        output.json(&json::DocumentOut::of_stored(&document, &sections, whole.text))?;
    } else {
        output.text(&human::document(&document, output.style()))?;
    }
    Ok(Exit::Success)
}

/// The document that a user names by URI, path or id.
pub(super) fn document(store: &dyn Store, base: &UriBase, text: &str) -> Result<StoredDocument, CliError> {
    Ok(resolve_document(store, text, |path| Some(base.uri_of(Path::new(path))))?)
}

pub(super) fn tree(args: &TreeArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let index = index::open(global, Need::DATABASE, output)?;
    let store = index.store()?;
    let Some(target) = &args.target else {
        let documents = with_sections(&store, store.documents()?)?;
        if args.json {
            output.json(&json::TreeOut::of_documents(&documents))?;
        } else {
            for (document, sections) in &documents {
                output.text(&human::tree(document, sections, 0..sections.len(), output.style()))?;
            }
        }
        return Ok(if documents.is_empty() { Exit::NothingFound } else { Exit::Success });
    };
    let (document, positions) = match resolve(&store, target) {
        Ok(Target::Section(id)) => {
            let (number, at) =
                store.section_place(id)?.ok_or_else(|| NavigateError::Unknown { id: target.clone() })?;
            let document = store.document_numbered(number)?;
            (document.ok_or_else(|| NavigateError::Unknown { id: target.clone() })?, Some(at))
        }
        _ => (document(&store, &index.uri_base(), target)?, None),
    };
    let sections = store.sections(document.number)?;
    let positions = match positions {
        Some(at) => subtree(&sections, at),
        None => 0..sections.len(),
    };
    if args.json {
        output.json(&json::TreeOut::of_document(&document, &sections, positions))?;
    } else {
        output.text(&human::tree(&document, &sections, positions, output.style()))?;
    }
    Ok(Exit::Success)
}

/// A section and everything below it: one slice, since sections stand in pre-order.
fn subtree(sections: &[StoredSection], at: usize) -> std::ops::Range<usize> {
    let depth = sections.get(at).map_or(0, |it| it.section.depth);
    let below = sections.iter().skip(at + 1).take_while(|it| it.section.depth > depth).count();
    at..at + 1 + below
}

fn with_sections(
    store: &dyn Store,
    documents: Vec<StoredDocument>,
) -> Result<Vec<(StoredDocument, Vec<StoredSection>)>, CliError> {
    documents
        .into_iter()
        .map(|document| {
            let sections = store.sections(document.number)?;
            Ok((document, sections))
        })
        .collect()
}

pub(super) fn sections(args: &SectionsArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let index = index::open(global, Need::DATABASE, output)?;
    let store = index.store()?;
    let documents = match &args.document {
        Some(text) => vec![document(&store, &index.uri_base(), text)?],
        None => store.documents()?,
    };
    let wanted = args.title.as_ref().map(|it| it.to_lowercase());
    let is_wanted = |title: &str| wanted.as_ref().is_none_or(|wanted| title.to_lowercase().contains(wanted));
    let documents = with_sections(&store, documents)?;
    let mut n_found = 0;
    if args.json {
        let mut tree = json::TreeOut::of_documents(&documents);
        tree.sections.retain(|it| is_wanted(&it.title));
        n_found = tree.sections.len();
        output.json(&tree)?;
    } else {
        let style = output.style();
        for (document, sections) in &documents {
            for (at, it) in sections.iter().enumerate().filter(|(_, it)| is_wanted(&it.section.title)) {
                n_found += 1;
                let path = section_path(sections, Some(at)).join(" > ");
                let place = human::place(&document.uri, &it.location);
                output.text(&format!(
                    "{}  {}  {path}\n",
                    human::short_id(it.section.id),
                    style.place(&place)
                ))?;
            }
        }
    }
    Ok(if n_found == 0 { Exit::NothingFound } else { Exit::Success })
}

pub(super) fn list(args: &ListArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let index = index::open(global, Need::DATABASE, output)?;
    let store = index.store()?;
    let scope = Scope { path_prefixes: prefixes(&index.uri_base(), &args.paths), ..Scope::default() };
    let mut documents = store.documents()?;
    documents.retain(|it| scope.holds_uri(&it.uri));
    if args.json {
        output.json(&json::DocumentsOut::new(&documents))?;
    } else {
        output.text(&human::documents(&documents, output.style()))?;
    }
    Ok(if documents.is_empty() { Exit::NothingFound } else { Exit::Success })
}
