//! The pages of a presentation.

use crate::read::package::{Element, Tree};
use crate::read::rendered::{PARAGRAPH_END, Part, Table, Writer, one_line};
use crate::read::word::{folded, is_description};

use super::inline_text;

/// Reads the slides; gives the text and where each slide starts.
pub(super) fn read(content: &Tree) -> (Writer, Vec<(usize, u32)>) {
    let mut writer = Writer::default();
    let mut slides = Vec::new();
    let body = content.root().and_then(|it| it.child("body"));
    let pages = body.into_iter().flat_map(|it| it.elements()).flat_map(|it| it.named("page"));
    for (at, page) in pages.enumerate() {
        let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let is_title = |it: &Element<'_>| it.attr("class") == Some("title");
        let title = page.named("frame").find(is_title);
        let words = title.map(|it| folded(&flat(it)).replace('\n', " ")).filter(|it| !it.is_empty());
        writer.heading(1, &words.unwrap_or_else(|| format!("Slide {number}")), "");
        slides.push((writer.headings.last().map_or(0, |it| it.start), number));
        for shape in page.elements().filter(|it| !is_title(it)) {
            if shape.name() == "notes" {
                let notes = folded(&shape.named("frame").map(flat).collect::<Vec<_>>().join("\n"));
                if !notes.is_empty() {
                    writer.paragraph(&format!("Notes: {notes}"));
                }
            } else {
                blocks(shape, &mut writer);
            }
        }
    }
    (writer, slides)
}

fn blocks(element: Element<'_>, writer: &mut Writer) {
    match element.name() {
        "p" | "h" => writer.paragraph(&folded(&inline_text(element))),
        "list" => {
            list(element, writer);
            writer.close_list();
        }
        "table" => table(element, writer),
        "desc" => {
            let text = element.text();
            if is_description(&text) {
                writer.paragraph(&folded(&text));
            }
        }
        "annotation" => {
            let words: Vec<String> = element.named("p").map(inline_text).collect();
            writer.paragraph(&folded(&format!("Comment: {}", words.join(" "))));
        }
        "title" | "event-listeners" => {}
        _ => element.elements().for_each(|it| blocks(it, writer)),
    }
}

fn list(list: Element<'_>, writer: &mut Writer) {
    for item in list.elements() {
        for child in item.elements() {
            if child.name() == "list" {
                self::list(child, writer);
            } else {
                writer.open_item("- ");
                writer.paragraph(&folded(&flat_of(child)));
                writer.close_item();
            }
        }
    }
}

fn table(table: Element<'_>, writer: &mut Writer) {
    let rows: Vec<Element<'_>> = table.descendants().filter(|it| it.name() == "table-row").collect();
    let mut written = Table::default();
    for (at, row) in rows.iter().enumerate() {
        written.set_part(if at == 0 && rows.len() > 1 { Part::Head } else { Part::Body });
        written.push_row();
        for cell in row.elements() {
            let paragraphs: Vec<String> = paragraphs(cell).collect();
            written.push_cell(one_line(&paragraphs.join(&PARAGRAPH_END.to_string())), 1, 1, false);
        }
    }
    writer.table(written);
}

/// The paragraphs inside, a line each.
fn flat(element: Element<'_>) -> String {
    paragraphs(element).collect::<Vec<_>>().join("\n")
}

fn paragraphs(element: Element<'_>) -> impl Iterator<Item = String> {
    element.descendants().filter(|it| matches!(it.name(), "p" | "h")).map(inline_text)
}

fn flat_of(element: Element<'_>) -> String {
    if matches!(element.name(), "p" | "h") { inline_text(element) } else { flat(element) }
}
