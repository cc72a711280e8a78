//! The tools that start from titles.

use std::fmt::Write as _;

use super::Toolbox;
use super::answer::{Answer, Reported, Results, ToolError};
use super::arguments::Arguments;
use super::budget::{self, RESERVE};
use super::lookup::{zoomed_answer, zoomed_parts, zoomed_reported, zoomed_title};
use crate::render::{human, json};
use crate::search::{self, NavigateError, Zoomed, section_path};
use crate::store::{Store, StoredDocument, StoredSection};

/// Choices and suggestions that are listed.
const MAX_CHOICES: usize = 20;

pub(super) fn list_sections(toolbox: &Toolbox<'_>, arguments: &Arguments) -> Result<Answer, ToolError> {
    let wanted = arguments.text("documentTitle");
    let documents = documents_named(toolbox.store, wanted)?;
    if documents.is_empty() {
        return Ok(no_such_document(wanted));
    }
    let mut lines = Lines::new(toolbox.budget);
    let shows_sections = !wanted.is_empty() || documents.len() == 1;
    let n = documents.len();
    let mut listed = Vec::new();
    let header = match (shows_sections, n) {
        (false, _) => {
            format!("{n} documents (id, title, path, sections); documentTitle lists the sections of one:")
        }
        (true, 1) => "Sections (id, title):".to_owned(),
        (true, _) => format!("Sections of {n} documents (id, title):"),
    };
    lines.push(&header, None);
    for document in documents {
        let id = human::short_id(document.id);
        let line =
            format!("{id}  {}  {}  {}", document.title, human::path_of(&document.uri), document.n_sections);
        let is_shown = lines.push(&line, Some((document.id.to_string(), &document.title)));
        let mut sections = Vec::new();
        if shows_sections && !is_shown {
            lines.n_left_out += document.n_sections;
        } else if shows_sections {
            sections = toolbox.store.sections(document.number)?;
            let n_shown = sections.iter().take_while(|it| {
                let section = &it.section;
                let title = if section.title.is_empty() { "(beginning)" } else { &section.title };
                let line =
                    format!("{}{}  {title}", "  ".repeat(section.depth + 1), human::short_id(section.id));
                lines.push(&line, Some((section.id.to_string(), title)))
            });
            let n_shown = n_shown.count();
            lines.n_left_out += sections.len().saturating_sub(n_shown + 1);
            sections.truncate(n_shown);
        }
        if is_shown {
            listed.push((document, sections));
        }
    }
    let structured = match shows_sections {
        true => json::value(&json::TreeOut::of_documents(&listed)),
        false => {
            let documents: Vec<StoredDocument> = listed.into_iter().map(|(document, _)| document).collect();
            json::value(&json::DocumentsOut::new(&documents))
        }
    };
    Ok(lines.finish(structured))
}

pub(super) fn read_section(toolbox: &Toolbox<'_>, arguments: &Arguments) -> Result<Answer, ToolError> {
    let store = toolbox.store;
    let (title, document_title) = (arguments.text("sectionTitle"), arguments.text("documentTitle"));
    let documents = documents_named(store, document_title)?;
    if documents.is_empty() {
        return Ok(no_such_document(document_title));
    }
    let wanted = folded(title);
    let (mut matching, mut near) = (Vec::new(), Near::default());
    for document in documents {
        let (mut own, mut similar) = (Vec::new(), Vec::new());
        for (at, title) in store.section_titles(document.number)?.iter().enumerate() {
            let title = folded(title);
            if title == wanted {
                own.push(at);
            } else if title.contains(&wanted) || (title.len() > 3 && wanted.contains(&title)) {
                similar.push(at);
            }
        }
        near.n += similar.len();
        similar.truncate(MAX_CHOICES - near.shown.len());
        if own.is_empty() && similar.is_empty() {
            continue;
        }
        let sections = store.sections(document.number)?;
        let choice = |at: usize| Choice::new(&document, &sections, at);
        near.shown.extend(similar.into_iter().map(choice));
        if !own.is_empty() {
            matching.push(own.into_iter().map(choice).collect::<Vec<_>>());
        }
    }
    match matching.as_slice() {
        [] => Ok(Answer::sentence(suggestions(title, &near))),
        [choices] => whole_sections(toolbox, choices),
        several => Ok(Answer::sentence(refusal(title, several))),
    }
}

/// The whole text of sections of one document.
fn whole_sections(toolbox: &Toolbox<'_>, choices: &[Choice]) -> Result<Answer, ToolError> {
    let mut read: Vec<Zoomed> = Vec::new();
    for choice in choices {
        match search::section(toolbox.store, choice.id, toolbox.max_chars()) {
            Ok(zoomed) => read.push(zoomed),
            Err(NavigateError::Store(error)) => return Err(error.into()),
            Err(_) => {}
        }
    }
    if let [zoomed] = read.as_slice() {
        return Ok(zoomed_answer(toolbox, zoomed));
    }
    let n = read.len();
    let mut results = Results::new(toolbox.budget, &format!("{n} sections of this title in one document:"));
    for zoomed in &read {
        let (head, body) = zoomed_parts(zoomed);
        results.add(&format!("{}\n{head}", zoomed_title(zoomed)), &body, zoomed_reported(zoomed));
    }
    read.truncate(results.shown.len());
    Ok(results.finish(Vec::new(), Some(json::value(&json::ReadingsOut::new(&read)))))
}

/// A section that may be meant.
struct Choice {
    id: crate::content::SectionId,
    document: String,
    path: String,
    uri: String,
}

impl Choice {
    fn new(document: &StoredDocument, sections: &[StoredSection], at: usize) -> Self {
        Self {
            id: sections[at].section.id,
            document: document.title.clone(),
            path: section_path(sections, Some(at)).join(" > "),
            uri: human::path_of(&document.uri),
        }
    }

    fn line(&self) -> String {
        format!("- {}: {} ({}, id {})", self.document, self.path, self.uri, human::short_id(self.id))
    }
}

/// Sections with a similar title.
#[derive(Default)]
struct Near {
    /// How many there are.
    n: usize,
    /// The first of them, at most [`MAX_CHOICES`].
    shown: Vec<Choice>,
}

/// The first choices of `n`, a line each.
fn list<'a>(choices: impl Iterator<Item = &'a Choice>, n: usize) -> String {
    let mut text: String = choices.take(MAX_CHOICES).map(|it| format!("\n{}", it.line())).collect();
    if n > MAX_CHOICES {
        let _ = write!(text, "\nand {} more", n - MAX_CHOICES);
    }
    text
}

/// Texts of different documents are never put together under one title: the model could not tell them apart.
fn refusal(title: &str, documents: &[Vec<Choice>]) -> String {
    format!(
        "{} documents have a section \"{}\". Give documentTitle, or use findById with an id:{}",
        documents.len(),
        title.trim(),
        list(documents.iter().flatten(), documents.iter().map(Vec::len).sum())
    )
}

fn suggestions(title: &str, near: &Near) -> String {
    let title = title.trim();
    if near.n == 0 {
        return format!(
            "No section is called \"{title}\". listSections shows titles; a search finds passages by what they say."
        );
    }
    format!("No section is called \"{title}\". Similar titles:{}", list(near.shown.iter(), near.n))
}

fn no_such_document(wanted: &str) -> Answer {
    Answer::sentence(match wanted.trim() {
        "" => "The index holds no documents.".to_owned(),
        wanted => format!(
            "No document has \"{wanted}\" in its title or path. listSections without documentTitle lists the documents."
        ),
    })
}

/// The documents whose title or path holds `wanted`; all for an empty one.
fn documents_named(store: &dyn Store, wanted: &str) -> Result<Vec<StoredDocument>, ToolError> {
    let wanted = folded(wanted);
    let mut documents = store.documents()?;
    documents.retain(|it| folded(&it.title).contains(&wanted) || folded(&it.uri).contains(&wanted));
    // Who gives the whole title means that document, and not those that hold it as a part.
    if documents.iter().any(|it| folded(&it.title) == wanted || folded(&it.uri) == wanted) {
        documents.retain(|it| folded(&it.title) == wanted || folded(&it.uri) == wanted);
    }
    Ok(documents)
}

fn folded(text: &str) -> String {
    text.trim().to_lowercase()
}

/// Lines within a budget.
struct Lines {
    budget: usize,
    text: String,
    shown: Vec<Reported>,
    n_left_out: usize,
}

impl Lines {
    fn new(budget: usize) -> Self {
        Self { budget: budget.saturating_sub(RESERVE), text: String::new(), shown: Vec::new(), n_left_out: 0 }
    }

    /// Adds a line about something; says whether it fits. After the first that does not, none does.
    fn push(&mut self, line: &str, about: Option<(String, &str)>) -> bool {
        let n_tokens = budget::tokens(line) + 1;
        if self.n_left_out > 0 || n_tokens > self.budget {
            self.n_left_out += 1;
            return false;
        }
        self.budget -= n_tokens;
        self.text.push_str(line);
        self.text.push('\n');
        self.shown.extend(about.map(|(id, title)| Reported { id, score: None, text: title.to_owned() }));
        true
    }

    fn finish(mut self, structured: serde_json::Value) -> Answer {
        if self.n_left_out > 0 {
            let _ = write!(
                self.text,
                "\n{} more left out to keep the answer short; give a longer part of a documentTitle.\n",
                self.n_left_out
            );
        }
        let Self { text, shown, n_left_out, .. } = self;
        Answer { text, structured: Some(structured), shown, n_left_out, ..Answer::default() }
    }
}
