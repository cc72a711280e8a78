//! Tables: their rows and cells, and whether they hold values or lay out a page.

use super::styles::{Properties, Role, Styles};
use crate::read::package::Element;

/// Of the cells of a table of values, one in so many may hold a table. Chosen: pages that are laid out by a table have one in
/// every second or third cell.
const NESTED_SHARE: usize = 4;

/// The rows of a table that are not deleted.
pub(super) fn rows(table: Element<'_>) -> Vec<Element<'_>> {
    let is_kept = |row: &Element<'_>| row.child("trPr").is_none_or(|it| it.child("del").is_none());
    wrapped(table, "tr").into_iter().filter(is_kept).collect()
}

/// The cells of a row.
pub(super) fn cells(row: Element<'_>) -> Vec<Element<'_>> {
    wrapped(row, "tc")
}

/// Children with this name, those inside content controls and the like included.
fn wrapped<'a>(parent: Element<'a>, name: &str) -> Vec<Element<'a>> {
    let mut found = Vec::new();
    for child in parent.elements() {
        match child.name() {
            it if it == name => found.push(child),
            "sdt" | "sdtContent" | "ins" | "moveTo" | "customXml" | "bookmarkStart" => {
                found.extend(wrapped(child, name));
            }
            _ => {}
        }
    }
    found
}

/// Whether a table lays out a page rather than holding values: it has headings in its cells, or tables in many of them.
pub(super) fn is_layout(rows: &[Element<'_>], styles: &Styles) -> bool {
    let cells: Vec<Element<'_>> = rows.iter().flat_map(|row| cells(*row)).collect();
    let with_tables: Vec<Element<'_>> = cells.iter().copied().filter(|it| has_table(*it)).collect();
    cells.iter().any(|it| has_heading(*it, styles))
        || (!with_tables.is_empty() && !holds_values(rows, cells.len(), &with_tables))
}

/// Whether tables in a few cells of a table are values among others.
fn holds_values(rows: &[Element<'_>], n_cells: usize, with_tables: &[Element<'_>]) -> bool {
    let has_text =
        |cell: &Element<'_>| cell.descendants().any(|it| it.name() == "t" && !it.text().trim().is_empty());
    let is_row_of_values = |row: &&Element<'_>| {
        let cells = cells(**row);
        !cells.iter().any(|it| has_table(*it)) && cells.iter().filter(|it| has_text(it)).count() > 1
    };
    let n_nested = |cell: &Element<'_>| cell.descendants().filter(|it| it.name() == "tc").count();
    with_tables.len() * NESTED_SHARE <= n_cells
        && rows.iter().any(|row| is_row_of_values(&row))
        // A table that is larger than the one around it is what the page shows.
        && with_tables.iter().map(n_nested).sum::<usize>() <= n_cells
}

fn has_table(cell: Element<'_>) -> bool {
    cell.descendants().any(|it| it.name() == "tbl")
}

fn has_heading(cell: Element<'_>, styles: &Styles) -> bool {
    cell.descendants().filter(|it| it.name() == "p").any(|it| {
        let properties = it.child("pPr");
        let style = properties.and_then(|it| it.val("pStyle"));
        let role = || styles.role(style, &Properties::of(properties));
        properties.is_some() && matches!(role(), Role::Heading { .. })
    })
}
