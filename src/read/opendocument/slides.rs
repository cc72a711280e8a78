//! The pages of a presentation.

use crate::read::package::{Element, Tree};
use crate::read::rendered::{PARAGRAPH_END, Part, Table, Writer, one_line};
use crate::read::word::{folded, is_description};

use super::lists::{Counts, Lists, Place, is_continuing, start_of};
use super::spans::Spans;

/// Reads the slides; gives the text and where each slide starts.
pub(super) fn read<'a>(content: &'a Tree, styles: Option<&'a Tree>) -> (Writer, Vec<(usize, u32)>) {
    let mut writer = Writer::default();
    let mut show = Show { spans: Spans::of(content, styles), lists: Lists::of(content, styles) };
    let mut slides = Vec::new();
    let body = content.root().and_then(|it| it.child("body"));
    let pages = body.into_iter().flat_map(|it| it.elements()).flat_map(|it| it.named("page"));
    for (at, page) in pages.enumerate() {
        let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let is_title = |it: &Element<'_>| it.attr("class") == Some("title");
        let title = page.named("frame").find(is_title);
        let words = title.map(|it| folded(&show.flat(it)).replace('\n', " ")).filter(|it| !it.is_empty());
        writer.heading(1, &words.unwrap_or_else(|| format!("Slide {number}")), "");
        slides.push((writer.headings.last().map_or(0, |it| it.start), number));
        for shape in page.elements().filter(|it| !is_title(it)) {
            if shape.name() == "notes" {
                let notes = page_notes(&show, shape);
                if !notes.is_empty() {
                    writer.paragraph(&format!("Notes: {notes}"));
                }
            } else {
                show.blocks(shape, &mut writer);
            }
        }
    }
    (writer, slides)
}

fn page_notes(show: &Show<'_>, notes: Element<'_>) -> String {
    folded(&notes.named("frame").map(|it| show.flat(it)).collect::<Vec<_>>().join("\n"))
}

/// The styles of the presentation, and its lists so far.
#[derive(Debug)]
struct Show<'a> {
    spans: Spans<'a>,
    lists: Lists<'a>,
}

impl<'a> Show<'a> {
    fn blocks(&mut self, element: Element<'a>, writer: &mut Writer) {
        match element.name() {
            "p" | "h" => writer.paragraph(&folded(&self.line(element))),
            "list" => {
                let mut list = self.lists.begin(element);
                self.list(element, Place { style: None, level: 1 }, &mut list.counts, writer);
                self.lists.end(list);
                writer.close_list();
            }
            "table" => self.table(element, writer),
            "desc" => {
                let text = element.text();
                if is_description(&text) {
                    writer.paragraph(&folded(&text));
                }
            }
            "annotation" => {
                let words: Vec<String> = element.named("p").map(|it| self.line(it)).collect();
                writer.paragraph(&folded(&format!("Comment: {}", words.join(" "))));
            }
            "title" | "event-listeners" => {}
            _ => element.elements().for_each(|it| self.blocks(it, writer)),
        }
    }

    fn list(&self, list: Element<'a>, place: Place<'a>, counts: &mut Counts, writer: &mut Writer) {
        let place = Place { style: list.attr("style-name").or(place.style), ..place };
        let sign = self.lists.sign(place.style, place.level);
        for item in list.elements() {
            let has_words = item.elements().next().is_some_and(|it| it.name() != "list");
            if has_words && item.name() == "list-item" {
                let marker = sign.next(counts, place.level, start_of(item));
                writer.open_item(&format!("{marker} "));
            }
            for (at, child) in item.elements().enumerate() {
                if child.name() == "list" {
                    if at > 0 && !is_continuing(child) {
                        counts.end_below(place.level);
                    }
                    self.list(child, Place { level: place.level + 1, ..place }, counts, writer);
                } else {
                    let words =
                        if matches!(child.name(), "p" | "h") { self.line(child) } else { self.flat(child) };
                    writer.paragraph(&folded(&words));
                }
            }
            if has_words && item.name() == "list-item" {
                writer.close_item();
            }
        }
    }

    fn table(&self, table: Element<'_>, writer: &mut Writer) {
        let rows: Vec<Element<'_>> = table.descendants().filter(|it| it.name() == "table-row").collect();
        let mut written = Table::default();
        for (at, row) in rows.iter().enumerate() {
            written.set_part(if at == 0 && rows.len() > 1 { Part::Head } else { Part::Body });
            written.push_row();
            for cell in row.elements() {
                let paragraphs: Vec<String> = self.lines(cell).collect();
                written.push_cell(one_line(&paragraphs.join(&PARAGRAPH_END.to_string())), 1, 1, false);
            }
        }
        writer.table(written);
    }

    fn line(&self, paragraph: Element<'_>) -> String {
        self.spans.text(paragraph, &mut |_, _| {})
    }

    /// The paragraphs inside, a line each.
    fn flat(&self, element: Element<'_>) -> String {
        self.lines(element).collect::<Vec<_>>().join("\n")
    }

    fn lines(&self, element: Element<'_>) -> impl Iterator<Item = String> {
        element.descendants().filter(|it| matches!(it.name(), "p" | "h")).map(|it| self.line(it))
    }
}
