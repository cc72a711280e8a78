//! Charts and diagrams of office files: parts of their own with words and numbers in them.
//!
//! A chart becomes its title and a table of the values that the program keeps with it; a diagram (SmartArt) a list of its
//! words.

use crate::content::Warning;
use crate::read::package::{Element, Package, Tree};
use crate::read::rendered::{Part, Table, Writer};
use crate::read::sheet::dates::{Epoch, Shape};
use crate::read::word::folded;

/// Points of a series that are written.
const MAX_POINTS: usize = 10_000;

/// Writes the chart or diagram in `part`.
pub(in crate::read) fn write(
    package: &mut Package<'_>,
    part: &str,
    writer: &mut Writer,
    warnings: &mut Vec<Warning>,
) {
    let tree = package.tree(part, warnings);
    let Some(root) = tree.as_ref().and_then(Tree::root) else { return };
    match root.name() {
        "chartSpace" => chart(root, writer),
        "dataModel" => diagram(root, writer),
        _ => {}
    }
}

fn chart(root: Element<'_>, writer: &mut Writer) {
    let Some(chart) = root.child("chart") else { return };
    if let Some(title) = chart.child("title") {
        writer.paragraph(&self::title(title));
    }
    let is_axis = |it: &Element<'_>| matches!(it.name(), "catAx" | "valAx" | "dateAx" | "serAx");
    let axes = chart.child("plotArea").into_iter().flat_map(|it| it.elements()).filter(is_axis);
    let axes: Vec<String> =
        axes.filter_map(|it| it.child("title")).map(self::title).filter(|it| !it.is_empty()).collect();
    if !axes.is_empty() {
        writer.paragraph(&format!("Axes: {}", axes.join("; ")));
    }
    let series: Vec<Element<'_>> = chart.descendants().filter(|it| it.name() == "ser").collect();
    let first_of =
        |it: Element<'_>, names: [&str; 2]| names.iter().find_map(|name| it.child(name)).map(points);
    let columns: Vec<(String, Vec<(usize, String)>)> = series
        .iter()
        .map(|it| {
            let name = it
                .child("tx")
                .map(|it| points(it).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" "));
            (name.unwrap_or_default(), first_of(*it, ["val", "yVal"]).unwrap_or_default())
        })
        .collect();
    let categories = series.iter().find_map(|it| first_of(*it, ["cat", "xVal"])).unwrap_or_default();
    let n_rows = columns.iter().flat_map(|it| &it.1).chain(&categories).map(|it| it.0 + 1).max().unwrap_or(0);
    if n_rows == 0 {
        return;
    }
    let at = |points: &[(usize, String)], row: usize| {
        points.binary_search_by_key(&row, |it| it.0).map_or(String::new(), |at| points[at].1.clone())
    };
    let mut table = Table::default();
    if columns.iter().any(|it| !it.0.is_empty()) {
        table.set_part(Part::Head);
        table.push_row();
        table.push_cell(String::new(), 1, 1, true);
        columns.iter().for_each(|it| table.push_cell(it.0.clone(), 1, 1, true));
    }
    table.set_part(Part::Body);
    for row in 0..n_rows {
        table.push_row();
        table.push_cell(at(&categories, row), 1, 1, false);
        columns.iter().for_each(|it| table.push_cell(at(&it.1, row), 1, 1, false));
    }
    writer.table(table);
}

/// A title on one line: words of its own, or those of the cells that it names.
fn title(title: Element<'_>) -> String {
    let own = folded(&words(title)).replace('\n', " ");
    if !own.is_empty() {
        return own;
    }
    let cells = title.descendants().filter(|it| it.name() == "v").map(|it| it.text());
    folded(&cells.collect::<Vec<_>>().join(" ")).replace('\n', " ")
}

/// The cached points inside, by rising number.
fn points(element: Element<'_>) -> Vec<(usize, String)> {
    let mut points: Vec<(usize, String)> = Vec::new();
    let code = element.descendants().find(|it| it.name() == "formatCode").map(|it| it.text());
    let shape = code.map_or(Shape::Number, |it| Shape::of_code(&it));
    let show = |text: &str| match text.parse() {
        Ok(number) => shape.show(number, Epoch::Of1900),
        Err(_) => folded(text).replace('\n', " "),
    };
    for value in element.descendants() {
        match value.name() {
            "pt" => {
                let at = value.attr("idx").and_then(|it| it.parse().ok()).filter(|at| *at < MAX_POINTS);
                let text = value.child("v").map(|it| show(&it.text()));
                points.extend(at.zip(text));
            }
            // A name without a cache is written out.
            "v" if points.is_empty() => points.push((0, folded(&value.text()))),
            _ => {}
        }
    }
    points.sort_by_key(|it| it.0);
    points.dedup_by_key(|it| it.0);
    points
}

fn diagram(root: Element<'_>, writer: &mut Writer) {
    for point in root.child("ptLst").into_iter().flat_map(|it| it.named("pt")) {
        let text = point.child("t").map(|it| folded(&words(it)).replace('\n', " ")).unwrap_or_default();
        if !text.is_empty() {
            writer.open_item("- ");
            writer.paragraph(&text);
            writer.close_item();
        }
    }
    writer.close_list();
}

/// The words of DrawingML text, a line for each paragraph.
fn words(element: Element<'_>) -> String {
    let paragraphs = element.descendants().filter(|it| it.name() == "p");
    let line = |it: Element<'_>| {
        it.descendants().filter(|it| it.name() == "t").map(|it| it.text()).collect::<String>()
    };
    paragraphs.map(line).collect::<Vec<_>>().join("\n")
}
