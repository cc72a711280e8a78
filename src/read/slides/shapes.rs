//! The shapes of a slide: from text bodies, tables and groups to written blocks.

use super::numbers::{N_LEVELS, Numbers};
use super::order;
use super::runs::{is_fixed_pitch, line};
use crate::read::markers::Bullet;
use crate::read::package::Element;
use crate::read::rendered::{PARAGRAPH_END, Part, Table, Writer, one_line};
use crate::read::symbols::SymbolFont;
use crate::read::word::{alternative, folded, is_description};

/// The shapes of a slide with its title set apart.
#[derive(Debug)]
pub(super) struct Shapes<'a> {
    /// On one line; empty without one.
    pub(super) title: String,
    /// All shapes but the title in the order of reading, groups and choices opened.
    shapes: Vec<Element<'a>>,
}

impl<'a> Shapes<'a> {
    /// Reads the root of a slide part.
    pub(super) fn of(root: Element<'a>) -> Self {
        let mut all = Vec::new();
        if let Some(tree) = root.at_path(&["cSld", "spTree"]) {
            flatten(tree, &mut all);
        }
        let title = |it: &Element<'_>| {
            let is_title = matches!(role(*it), Some("title" | "ctrTitle"));
            is_title.then(|| it.child("txBody").map(words).unwrap_or_default()).filter(|it| !it.is_empty())
        };
        let found = all.iter().enumerate().find_map(|(at, it)| Some((at, title(it)?)));
        let title = found.map(|(at, title)| {
            all.remove(at);
            title.replace('\n', " ")
        });
        Self { title: title.unwrap_or_default(), shapes: all }
    }

    /// The words of headers and footers, which are the same on all slides.
    pub(super) fn page_lines(&self) -> impl Iterator<Item = String> {
        let is_page_line = |it: &&Element<'_>| matches!(role(**it), Some("ftr" | "hdr"));
        self.shapes.iter().filter(is_page_line).filter_map(|it| it.child("txBody")).map(words)
    }

    /// Writes the shapes; `graphic` writes a chart or diagram by its relationship.
    pub(super) fn write(&self, writer: &mut Writer, graphic: &mut impl FnMut(&str, &mut Writer)) {
        for shape in &self.shapes {
            match shape.name() {
                "sp" => match role(*shape) {
                    Some("dt" | "ftr" | "sldNum" | "hdr") => {}
                    role => text_body(*shape, role, writer),
                },
                "graphicFrame" => self.frame(*shape, writer, graphic),
                _ => {}
            }
            let described = shape.elements().find_map(|it| it.child("cNvPr")).and_then(|it| it.attr("descr"));
            if let Some(text) = described.filter(|text| shape.name() == "pic" && is_description(text)) {
                writer.paragraph(&folded(text));
            }
        }
    }

    fn frame(&self, frame: Element<'a>, writer: &mut Writer, graphic: &mut impl FnMut(&str, &mut Writer)) {
        for element in frame.descendants() {
            match element.name() {
                "tbl" => table(element, writer),
                "chart" => element.prefixed_attr("id").into_iter().for_each(|id| graphic(id, writer)),
                "relIds" => element.attr("dm").into_iter().for_each(|id| graphic(id, writer)),
                _ => {}
            }
        }
    }
}

/// Adds the shapes inside `parent` in the order of reading; a group is one shape among its neighbours.
fn flatten<'a>(parent: Element<'a>, shapes: &mut Vec<Element<'a>>) {
    let mut own = Vec::new();
    gather(parent, &mut own);
    order::sort(&mut own);
    for shape in own {
        if shape.name() == "grpSp" { flatten(shape, shapes) } else { shapes.push(shape) }
    }
}

fn gather<'a>(parent: Element<'a>, shapes: &mut Vec<Element<'a>>) {
    for child in parent.elements() {
        match child.name() {
            "sp" | "pic" | "graphicFrame" | "grpSp" => shapes.push(child),
            "AlternateContent" => alternative(child).into_iter().for_each(|it| gather(it, shapes)),
            "nvGrpSpPr" | "grpSpPr" | "extLst" => {}
            _ => gather(child, shapes),
        }
    }
}

/// The type of a placeholder; `Some("")` for one of the usual kind, `None` for other shapes.
fn role(shape: Element<'_>) -> Option<&str> {
    let placeholder = shape.at_path(&["nvSpPr", "nvPr", "ph"])?;
    Some(placeholder.attr("type").unwrap_or_default())
}

fn text_body(shape: Element<'_>, role: Option<&str>, writer: &mut Writer) {
    let Some(body) = shape.child("txBody") else { return };
    let paragraphs: Vec<(Element<'_>, String)> =
        body.named("p").map(|it| (it, folded(&line(it)))).filter(|(_, text)| !text.is_empty()).collect();
    // The template gives the body of a slide its bullets; a single line does not need one.
    let is_body = matches!(role, Some("" | "body" | "obj")) && paragraphs.len() > 1;
    let mut open: Vec<usize> = Vec::new();
    let mut numbers = Numbers::default();
    let mut code: Vec<String> = Vec::new();
    for (paragraph, text) in paragraphs {
        let properties = paragraph.child("pPr");
        let property = |name: &str| properties.and_then(|it| it.child(name));
        let level =
            properties.and_then(|it| it.attr("lvl")).and_then(|it| it.parse().ok()).unwrap_or(0_usize);
        let level = level.min(N_LEVELS - 1);
        let bullet = property("buChar").map(|it| bullet(it, property("buFont")));
        let numbering = property("buAutoNum");
        let is_item = property("buNone").is_none()
            && bullet != Some(Bullet::Blank)
            && (is_body || bullet.is_some() || numbering.is_some() || property("buBlip").is_some());
        if is_item || !is_fixed_pitch(paragraph) {
            end_code(&mut code, writer);
        }
        while open.pop_if(|it| !is_item || *it >= level).is_some() {
            writer.close_item();
        }
        if !is_item {
            writer.close_list();
            numbers.end();
            if is_fixed_pitch(paragraph) {
                code.push(line(paragraph).replace('\t', "    "));
            } else {
                writer.paragraph(&text);
            }
            continue;
        }
        numbers.end_below(level, numbering.is_some());
        let marker = numbering.map(|it| numbers.next(level, it));
        if marker.as_ref().is_some_and(|(_, is_other)| *is_other) {
            writer.close_list();
        }
        writer.open_item(&format!("{} ", marker.as_ref().map_or("-", |it| it.0.as_str())));
        open.push(level);
        writer.paragraph(&format!("{}{text}", bullet.map_or("", Bullet::task)));
    }
    end_code(&mut code, writer);
    open.iter().for_each(|_| writer.close_item());
    writer.close_list();
}

/// Writes the lines of code that are open as one block.
fn end_code(code: &mut Vec<String>, writer: &mut Writer) {
    let lines = std::mem::take(code);
    if !lines.is_empty() {
        writer.code(lines.join("\n").trim_start_matches('\n'), None);
    }
}

/// What the character of a bullet means in its font.
fn bullet(sign: Element<'_>, font: Option<Element<'_>>) -> Bullet {
    let sign = sign.attr("char").unwrap_or("•");
    match font.and_then(|it| it.attr("typeface")).and_then(SymbolFont::named) {
        Some(font) if !sign.trim().is_empty() => match Bullet::of(&font.decoded(sign, &mut 0)) {
            // A sign that is not known.
            Bullet::Blank => Bullet::Usual,
            bullet => bullet,
        },
        _ => Bullet::of(sign),
    }
}

fn table(table: Element<'_>, writer: &mut Writer) {
    let rows: Vec<Element<'_>> = table.named("tr").collect();
    let is_on = |it: Option<&str>| matches!(it, Some("1" | "true"));
    let has_head = table.child("tblPr").is_some_and(|it| is_on(it.attr("firstRow"))) && rows.len() > 1;
    let mut written = Table::default();
    for (at, row) in rows.iter().enumerate() {
        written.set_part(if has_head && at == 0 { Part::Head } else { Part::Body });
        written.push_row();
        for cell in row.named("tc") {
            // Covered cells stand in the file; what is in them is not shown.
            let is_covered = is_on(cell.attr("hMerge")) || is_on(cell.attr("vMerge"));
            let body = cell.child("txBody").filter(|_| !is_covered);
            let paragraphs: Vec<String> = body.into_iter().flat_map(|it| it.named("p")).map(line).collect();
            written.push_cell(one_line(&paragraphs.join(&PARAGRAPH_END.to_string())), 1, 1, false);
        }
    }
    writer.table(written);
}

/// The words of speaker notes: the body of the notes page.
pub(super) fn notes(root: Element<'_>) -> String {
    let mut shapes = Vec::new();
    if let Some(tree) = root.at_path(&["cSld", "spTree"]) {
        flatten(tree, &mut shapes);
    }
    let bodies =
        shapes.into_iter().filter(|it| matches!(role(*it), Some("body"))).filter_map(|it| it.child("txBody"));
    bodies.map(words).filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The words of a text body, a line for each paragraph.
pub(super) fn words(body: Element<'_>) -> String {
    folded(&body.named("p").map(line).collect::<Vec<_>>().join("\n"))
}
