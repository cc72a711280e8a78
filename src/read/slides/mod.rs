//! PowerPoint presentations (PPTX, ECMA-376 part 1, PresentationML).
//!
//! A section for each slide by its title, in the order of the show: shapes by rows from top to bottom, code with its indentation, then
//! speaker notes and comments. Dates, page numbers and footers of the template are left out, footers with a
//! warning.

mod numbers;
mod order;
mod runs;
mod shapes;

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};

use crate::content::{Origin, Warning, WarningKind};
use crate::read::package::{Element, Package, Tree, core_properties, sensible_title};
use crate::read::rendered::{self, Writer};
use crate::read::word::folded;
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta, graphics, page_lines};

use shapes::Shapes;

/// Reads PowerPoint presentations.
#[derive(Debug)]
pub(crate) struct Slides;

impl Reader for Slides {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "pptx",
            version: 4,
            summary: "PowerPoint presentations: a section for each slide, speaker notes and comments",
            media_type: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            extensions: &["pptx", "pptm", "ppsx", "ppsm", "potx", "potm", "ppt"],
            is_risky: true,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let mut package = Package::open(&blob.bytes, self.meta().name)?;
        let mut warnings = Vec::new();
        let metadata = core_properties(&mut package, &mut warnings);
        let main = package.relations("", &mut warnings).first("officeDocument").map(str::to_owned);
        let main = main.filter(|it| package.has(it)).unwrap_or_else(|| "ppt/presentation.xml".to_owned());
        let tree = package.required_tree(&main, &mut warnings)?;
        let relations = package.relations(&main, &mut warnings);
        let authors = authors(&mut package, &relations, &mut warnings);
        let ids =
            tree.root().and_then(|it| it.child("sldIdLst")).into_iter().flat_map(|it| it.named("sldId"));
        let parts: Vec<Option<&str>> =
            ids.map(|it| it.prefixed_attr("id").and_then(|id| relations.part(id))).collect();

        let mut show = Show { authors, ..Show::default() };
        for (at, part) in parts.into_iter().enumerate() {
            let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
            match part.and_then(|part| Some((part, package.tree(part, &mut warnings)?))) {
                Some((part, tree)) => show.slide(&mut package, part, &tree, number, &mut warnings),
                None => show.missing.push(number),
            }
        }
        show.warn(&mut warnings);
        page_lines::warn(show.page_lines, &mut warnings);
        let title = sensible_title(&metadata);
        let origin = Origin::Slides(show.slides);
        let document = rendered::document(blob, self.meta(), title, show.writer, metadata, origin);
        Ok(Parsed { document, warnings })
    }
}

/// The slides read so far.
#[derive(Debug, Default)]
struct Show {
    writer: Writer,
    /// `(text byte, number)`.
    slides: Vec<(usize, u32)>,
    authors: HashMap<String, String>,
    hidden: Vec<u32>,
    missing: Vec<u32>,
    /// Slides with pictures and no words.
    wordless: Vec<u32>,
    /// Headers and footers.
    page_lines: BTreeSet<String>,
}

impl Show {
    fn slide(
        &mut self,
        package: &mut Package<'_>,
        part: &str,
        tree: &Tree,
        number: u32,
        warnings: &mut Vec<Warning>,
    ) {
        let Some(root) = tree.root() else { return };
        let relations = package.relations(part, warnings);
        let shapes = Shapes::of(root);
        let mut content = Writer::default();
        let mut graphic = |id: &str, writer: &mut Writer| {
            if let Some(part) = relations.part(id) {
                graphics::write(package, part, writer, warnings);
            }
        };
        shapes.write(&mut content, &mut graphic);
        self.page_lines.extend(shapes.page_lines());
        for notes in relations.of_kind("notesSlide") {
            let tree = package.tree(notes, warnings);
            let words = tree.as_ref().and_then(Tree::root).map(shapes::notes).unwrap_or_default();
            if !words.is_empty() {
                content.paragraph(&format!("Notes: {words}"));
            }
        }
        for comments in relations.of_kind("comments") {
            let tree = package.tree(comments, warnings);
            let all = tree.as_ref().and_then(Tree::root).into_iter().flat_map(|it| it.named("cm"));
            all.for_each(|comment| self.comment(comment, &mut content));
        }
        if shapes.title.is_empty() && content.text.is_empty() {
            if root.descendants().any(|it| matches!(it.name(), "pic" | "graphicFrame")) {
                self.wordless.push(number);
            }
            return;
        }
        if matches!(root.attr("show"), Some("0" | "false")) {
            self.hidden.push(number);
        }
        let title = if shapes.title.is_empty() { format!("Slide {number}") } else { shapes.title };
        self.writer.heading(1, &title, "");
        self.slides.push((self.writer.headings.last().map_or(0, |it| it.start), number));
        rendered::append(&mut self.writer, content);
    }

    /// A comment of either kind: words in `text`, or in a text body with replies after it.
    fn comment(&self, comment: Element<'_>, writer: &mut Writer) {
        let said = std::iter::once(comment).chain(comment.descendants().filter(|it| it.name() == "reply"));
        for it in said {
            let author = it.attr("authorId").and_then(|id| self.authors.get(id));
            let of = author.map(|it| format!(" ({it})")).unwrap_or_default();
            let words =
                it.child("text").map(|it| it.text()).or_else(|| it.child("txBody").map(shapes::words));
            let words = folded(&words.unwrap_or_default()).replace('\n', " ");
            if !words.is_empty() {
                writer.paragraph(&format!("Comment{of}: {words}"));
            }
        }
    }

    fn warn(&self, warnings: &mut Vec<Warning>) {
        let named = |numbers: &[u32]| {
            let most: Vec<String> = numbers.iter().take(20).map(u32::to_string).collect();
            let more = if numbers.len() > most.len() { " and more" } else { "" };
            format!("{} {}{more}", if numbers.len() == 1 { "slide" } else { "slides" }, most.join(", "))
        };
        let mut warn = |kind, numbers: &[u32], what: &str| {
            if !numbers.is_empty() {
                warnings.push(Warning::new(kind, format!("{} {what}", named(numbers))));
            }
        };
        warn(WarningKind::Damaged, &self.missing, "missing from the archive");
        warn(WarningKind::Hidden, &self.hidden, "hidden in the show, read all the same");
        warn(WarningKind::NoText, &self.wordless, "without text: pictures only");
        if self.writer.text.is_empty() && self.wordless.is_empty() {
            warnings.push(Warning::new(WarningKind::NoText, "no slide has any text"));
        }
    }
}

/// Names of those who comment, by id.
fn authors(
    package: &mut Package<'_>,
    relations: &crate::read::package::Relations,
    warnings: &mut Vec<Warning>,
) -> HashMap<String, String> {
    let mut authors = HashMap::new();
    for part in relations.of_kind("commentAuthors").chain(relations.of_kind("authors")) {
        let tree = package.tree(part, warnings);
        for author in tree.as_ref().and_then(Tree::root).into_iter().flat_map(|it| it.elements()) {
            if let (Some(id), Some(name)) = (author.attr("id"), author.attr("name")) {
                authors.insert(id.to_owned(), name.to_owned());
            }
        }
    }
    authors
}
