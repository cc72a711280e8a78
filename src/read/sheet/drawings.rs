//! What lies beside the cells of an Excel sheet: text boxes, charts, comments.

use super::xlsx::one_line;
use crate::content::Warning;
use crate::read::graphics;
use crate::read::package::{Package, Tree};
use crate::read::rendered::Writer;

/// What was found beside a sheet.
#[derive(Debug, Default)]
pub(super) struct Beside {
    /// Comments and text boxes.
    pub(super) notes: Vec<String>,
    /// Charts and diagrams.
    pub(super) graphics: Writer,
}

/// Reads what belongs to the sheet in `part`.
pub(super) fn read(package: &mut Package<'_>, part: &str, warnings: &mut Vec<Warning>) -> Beside {
    let relations = package.relations(part, warnings);
    let mut beside = Beside::default();
    for drawing in relations.of_kind("drawing") {
        self::drawing(package, drawing, &mut beside, warnings);
    }
    for comments in relations.of_kind("comments") {
        self::comments(package, comments, &mut beside.notes, warnings);
    }
    beside.notes.retain(|it| !it.is_empty());
    beside
}

fn drawing(package: &mut Package<'_>, part: &str, beside: &mut Beside, warnings: &mut Vec<Warning>) {
    let tree = package.tree(part, warnings);
    let relations = package.relations(part, warnings);
    for element in tree.as_ref().and_then(Tree::root).into_iter().flat_map(|it| it.descendants()) {
        let id = match element.name() {
            "txBody" => {
                let lines: Vec<String> = element.named("p").map(|it| one_line(&it.text())).collect();
                beside.notes.push(lines.join("\n").trim().to_owned());
                None
            }
            "chart" => element.prefixed_attr("id"),
            "relIds" => element.attr("dm"),
            _ => None,
        };
        if let Some(part) = id.and_then(|id| relations.part(id)) {
            graphics::write(package, part, &mut beside.graphics, warnings);
        }
    }
}

fn comments(package: &mut Package<'_>, part: &str, notes: &mut Vec<String>, warnings: &mut Vec<Warning>) {
    let tree = package.tree(part, warnings);
    let Some(root) = tree.as_ref().and_then(Tree::root) else { return };
    let authors: Vec<String> =
        root.child("authors").into_iter().flat_map(|it| it.named("author")).map(|it| it.text()).collect();
    for comment in root.child("commentList").into_iter().flat_map(|it| it.named("comment")) {
        let author =
            comment.attr("authorId").and_then(|it| it.parse::<usize>().ok()).and_then(|at| authors.get(at));
        // Excel tells older versions how to see a thread; what was said comes after that.
        let text = comment.child("text").map(|it| it.text()).unwrap_or_default();
        let text = match text.strip_prefix("[Threaded comment]").and_then(|it| it.split_once("Comment:")) {
            Some((_, said)) => said.to_owned(),
            None => text,
        };
        let author = author.map(|it| it.trim()).filter(|it| !it.is_empty() && !it.starts_with("tc={"));
        let of = author.map(|it| format!(" ({it})")).unwrap_or_default();
        let at = comment.attr("ref").unwrap_or_default();
        notes.push(format!("Comment{of} at {at}: {}", one_line(&text)));
    }
}
