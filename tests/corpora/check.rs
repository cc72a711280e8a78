//! One file against its expectations.

use std::fs;
use std::path::Path;

use ragctl::content::{Document, Section, WarningKind};
use ragctl::read::{Blob, Parsed, ReadError, ReadOptions, detect};

use crate::case::{Case, Heading};
use crate::score::{self, Found, letters};

/// What was found wrong with a file, and its figures.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) case: Case,
    pub(crate) faults: Vec<String>,
    /// F1 of words against the reference text.
    pub(crate) f1: Option<f64>,
    /// Titles of the outline among the sections.
    pub(crate) outline: Option<Found>,
    /// The same when the file's outline and tags are taken away, and only the type is left.
    pub(crate) by_type: Option<Found>,
}

/// Reads the case's file below `folder` and checks it.
pub(crate) fn check(folder: &Path, case: Case) -> Outcome {
    let bytes = fs::read(folder.join("files").join(&case.file)).unwrap();
    let mut outcome = Outcome { case, faults: Vec::new(), f1: None, outline: None, by_type: None };
    let case = outcome.case.clone();
    let blob = Blob { uri: case.file.clone(), bytes };
    let read = read(&blob, &case);
    let parsed = match (read, case.opens.unwrap_or(true)) {
        (Ok(parsed), true) => parsed,
        (Err(_), false) => return outcome,
        (Ok(parsed), false) => {
            // More was saved than other readers can, which must be said.
            if !is_damaged(&parsed) {
                outcome.faults.push("a broken file was read without a warning".to_owned());
            }
            return outcome;
        }
        (Err(error), true) => {
            outcome.faults.push(format!("cannot be read: {error}"));
            return outcome;
        }
    };
    let mut faults = Vec::new();
    check_text(&mut faults, folder, &case, &parsed);
    check_sections(&mut faults, &case, &parsed.document);
    check_warnings(&mut faults, &case, &parsed);
    if case.encoding.as_deref().is_some_and(|it| it != "utf-8") {
        check_encoding(&mut faults, &case, &blob, &parsed.document);
    }
    if let Some(reference) = &case.reference_text {
        let wanted = fs::read_to_string(folder.join(reference)).unwrap();
        let f1 = score::f1(&parsed.document.text, &wanted);
        let least = case.least_f1.unwrap_or(0.9);
        if f1 < least && !is_damaged(&parsed) {
            faults.push(format!("F1 of words {f1:.3} and no warning"));
        }
        outcome.f1 = Some(f1);
    }
    check_pdf(&mut faults, &case, &blob, &parsed.document, &mut outcome);
    outcome.faults = faults;
    outcome
}

/// Whether a warning says that something is wrong, and not only that furniture was left out.
fn is_damaged(parsed: &Parsed) -> bool {
    parsed.warnings.iter().any(|it| it.kind != WarningKind::Dropped)
}

fn read(blob: &Blob, case: &Case) -> Result<Parsed, ReadError> {
    let options =
        ReadOptions { full_page: case.full_page, links: case.links, password: case.password.clone() };
    detect(blob).ok_or(ReadError::Binary)?.read(blob, &options)
}

fn check_text(faults: &mut Vec<String>, folder: &Path, case: &Case, parsed: &Parsed) {
    let document = &parsed.document;
    let text = document.text.as_str();
    let file = case.text_file.as_ref().map(|it| fs::read_to_string(folder.join(it)).unwrap());
    if let Some(wanted) = case.text.as_ref().or(file.as_ref()).filter(|it| *it != text) {
        faults.push(format!("text {text:?} for {wanted:?}"));
    }
    let mut rest = text;
    for piece in &case.contains {
        match rest.find(piece.as_str()) {
            Some(at) => rest = &rest[at + piece.len()..],
            None if text.contains(piece.as_str()) => faults.push(format!("{piece:?} stands elsewhere")),
            None => faults.push(format!("{piece:?} is missing")),
        }
    }
    for piece in case.lacks.iter().filter(|piece| text.contains(piece.as_str())) {
        faults.push(format!("{piece:?} is in the text"));
    }
    // Sentence by sentence: a nested list can stand between the sentences of its item.
    let text_letters = letters(&without_targets(text));
    for sentence in case.first_text.iter().flat_map(|it| it.split_inclusive(". ")) {
        if !text_letters.contains(&letters(sentence)) {
            faults.push(format!("of the first text is missing: {sentence:?}"));
        }
    }
    for title in [&case.title, &case.front_matter_title].into_iter().flatten() {
        if document.title != *title {
            faults.push(format!("title {:?} for {title:?}", document.title));
        }
    }
    for (key, value) in &case.metadata {
        if document.metadata.get(key) != Some(value) {
            faults.push(format!("metadata {key}: {:?} for {value}", document.metadata.get(key)));
        }
    }
    if let Some(pages) = case.pages.filter(|_| document.media_type == "application/pdf") {
        let found = document.metadata.get("pages").and_then(|it| it.as_u64());
        if found != Some(pages.into()) {
            faults.push(format!("{found:?} pages for {pages}"));
        }
    }
}

/// The text without the targets of Markdown's links.
fn without_targets(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        bare.push_str(before);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    bare + rest
}

/// Sections that headings opened.
fn titled(document: &Document) -> impl Iterator<Item = &Section> {
    document.sections.iter().filter(|it| it.level > 0)
}

fn check_sections(faults: &mut Vec<String>, case: &Case, document: &Document) {
    if let Some(wanted) = &case.headings {
        let is_page = document.media_type == "text/html";
        let found = if is_page { page_headings(document, wanted) } else { source_headings(document, wanted) };
        faults.extend(found);
    }
    if let Some(wanted) = &case.sections {
        let path = |section: &Section| {
            let path = document.section_path(section.parent);
            (section.level, section.title.clone(), path.into_iter().map(str::to_owned).collect())
        };
        let found: Vec<_> = document.sections.iter().map(path).collect();
        if found != *wanted {
            faults.push(format!("sections {found:?} for {wanted:?}"));
        }
    }
    for sample in &case.boilerplate_sample {
        let is_led = |section: &&Section| {
            let own = section.own.slice(&document.text);
            let body = own.trim_start_matches('#').trim_start().strip_prefix(&section.title).unwrap_or(own);
            letters(body).starts_with(&letters(sample))
        };
        if let Some(section) = document.sections.iter().find(is_led) {
            faults.push(format!("section {:?} starts with boilerplate {sample:?}", section.title));
        }
    }
    if let Some(kind) = &case.sections_by {
        for section in titled(document).filter(|it| it.kind.name() != kind) {
            faults.push(format!("section {:?} by {}, not {kind}", section.title, section.kind.name()));
        }
    }
}

/// A title as Markdown readers differ on it: an id in braces is part of it or not.
fn title(text: &str) -> String {
    let text = text.trim();
    let bare = match text.rfind("{#") {
        Some(at) if text.ends_with('}') => &text[..at],
        _ => text,
    };
    letters(bare)
}

/// Headings of Markdown: all of them, in order, on their lines, but for those inside lists and quotations.
fn source_headings(document: &Document, wanted: &[Heading]) -> Option<String> {
    let locator = document.locator();
    let given: Vec<_> = titled(document)
        .map(|it| {
            let place = locator.locate(it.span);
            (it.level, title(&it.title), place.lines.map(|it| it.0), place.cells.map(|it| it.0))
        })
        .collect();
    let wanted: Vec<_> = wanted
        .iter()
        .filter(|it| !it.nested_in_block)
        .map(|it| {
            let cell = it.cell.map(|cell| cell + 1);
            // Lines of a notebook count from the start of their cell, which no reader of the JSON can use.
            (it.level, title(&it.text), it.line.filter(|_| cell.is_none()), cell)
        })
        .collect();
    (given != wanted).then(|| format!("headings\n  {given:?} for\n  {wanted:?}"))
}

/// Headings of a page: those of its main part, or of its body when it has none, in order; those of headers may stand
/// between.
fn page_headings(document: &Document, wanted: &[Heading]) -> Option<String> {
    let given: Vec<_> = titled(document).map(|it| (it.level, letters(&it.title))).collect();
    let mut rest = given.as_slice();
    let place = |it: &Heading| it.place.clone().unwrap_or_else(|| "main".to_owned());
    let content = if wanted.iter().any(|it| place(it) == "main") { "main" } else { "body" };
    let is_content = |it: &&Heading| place(it) == content || place(it) == "header";
    for heading in wanted.iter().filter(is_content) {
        let key = (heading.level, letters(&heading.text));
        if key.1.is_empty() {
            continue;
        }
        match rest.split_first() {
            Some((first, after)) if *first == key => rest = after,
            _ if place(heading) == "header" => {}
            _ => return Some(format!("heading {key:?} is missing before {rest:?}")),
        }
    }
    (!rest.is_empty()).then(|| format!("headings that are none: {rest:?}"))
}

fn check_warnings(faults: &mut Vec<String>, case: &Case, parsed: &Parsed) {
    let kinds: Vec<&str> = parsed.warnings.iter().map(|it| it.kind.name()).collect();
    if let Some(wanted) = case.warnings.as_ref().filter(|it| **it != kinds) {
        faults.push(format!("warnings {:?} for {wanted:?}", parsed.warnings));
    }
    if case.words == Some(0) && !kinds.contains(&"no-text") {
        faults.push(format!("no word of missing text in {:?}", parsed.warnings));
    }
}

/// Compares with the same page in UTF-8, which a byte-order mark says louder than any declaration.
fn check_encoding(faults: &mut Vec<String>, case: &Case, blob: &Blob, document: &Document) {
    let label = match case.encoding.as_deref().unwrap_or_default() {
        "cp932" => "shift_jis",
        other => other,
    };
    let label = label.replace("cp125", "windows-125");
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    let mut bytes = "\u{FEFF}".as_bytes().to_vec();
    bytes.extend(encoding.decode(&blob.bytes).0.bytes());
    let twin = read(&Blob { uri: blob.uri.clone(), bytes }, case).unwrap().document;
    if twin.text != document.text {
        faults.push(format!("not read as {label}: {:.200?}", document.text));
    }
}

fn check_pdf(faults: &mut Vec<String>, case: &Case, blob: &Blob, document: &Document, outcome: &mut Outcome) {
    for heading in &case.tag_headings {
        let level = heading.tag.trim_start_matches('H').parse::<u8>().unwrap_or(1);
        let is_it = |it: &&Section| it.level == level && sorted(&it.title) == sorted(&heading.text);
        if titled(document).find(is_it).is_none() {
            let given: Vec<_> = titled(document).map(|it| (it.level, &it.title)).collect();
            faults.push(format!("tagged {heading:?} is not among {given:?}"));
        }
    }
    if case.outline.is_empty() {
        return;
    }
    let wanted = || case.outline.iter().map(|it| it.title.as_str());
    outcome.outline = Some(Found::of(wanted(), titled(document).map(|it| it.title.as_str())));
    let Some(bytes) = without_outline(&blob.bytes) else { return };
    let bare = read(&Blob { uri: blob.uri.clone(), bytes }, case).unwrap().document;
    // Nothing but the outline has the titles that are printed nowhere.
    let text = letters(&bare.text);
    let wanted = wanted().filter(|title| text.contains(&score::bare(title)));
    let by_type = titled(&bare).filter(|it| it.kind.name() == "font").map(|it| it.title.as_str());
    outcome.by_type = Some(Found::of(wanted, by_type));
}

/// Letters in no order: extractors differ on the direction of Arabic.
fn sorted(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = letters(text).chars().collect();
    letters.sort_unstable();
    letters
}

/// The file without outline and structure tree; `None` when it cannot be written anew.
fn without_outline(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut file = lopdf::Document::load_mem(bytes).ok()?;
    let catalog = file.catalog_mut().ok()?;
    catalog.remove(b"Outlines");
    catalog.remove(b"StructTreeRoot");
    catalog.remove(b"MarkInfo");
    let mut written = Vec::new();
    file.save_to(&mut written).ok()?;
    Some(written)
}
