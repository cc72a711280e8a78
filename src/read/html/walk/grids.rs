//! Tables that are no `table` elements: javadoc's grids, and what is one by its roles (WAI-ARIA).

use super::super::dom::{self, NodeRef, Traits};
use super::super::table::Table;
use super::{Leave, Walk};

/// Nodes that are looked at for the cells of a table by its roles.
const MAX_LOOK: usize = 300;

impl Walk<'_> {
    /// Opens a table that javadoc writes as a grid of `div` elements, all of them cells.
    pub(super) fn open_grid(&mut self) -> Leave {
        self.end_block();
        if !self.is_flowing() || self.table.is_some() {
            return Leave::Block;
        }
        self.table = Some(Table::default());
        Leave::Table
    }

    /// Whether an element is a cell of a [grid](Self::open_grid).
    pub(super) fn is_grid_cell(&self, traits: &Traits<'_>) -> bool {
        self.table.is_some() && self.is_flowing() && traits.role.is_empty()
    }

    /// Opens a cell of a [grid](Self::open_grid). A row starts behind the last column, or with the class of the first or
    /// only one; those of constructors and members have classes of their own.
    pub(super) fn open_grid_cell(&mut self, node: NodeRef<'_>, traits: &Traits<'_>) -> Leave {
        let Some(table) = self.table.as_mut().filter(|_| traits.class.contains("col-")) else {
            self.end_block();
            return Leave::Block;
        };
        let mut before = std::iter::successors(node.prev_sibling(), NodeRef::prev_sibling);
        let before = before.find_map(|it| dom::traits(&it));
        if traits.has_class(&["col-first", "col-plain"])
            || before.is_none_or(|it| it.has_class(&["col-last"]))
        {
            table.push_row();
        }
        self.n_inline += 1;
        Leave::Cell { n_cols: 1, n_rows: 1, is_head: traits.has_class(&["table-header"]) }
    }

    /// Whether the role of an element makes it a table with cells, or a part of the one that is open.
    pub(super) fn is_aria_part(&self, node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
        if matches!(traits.name, "table" | "tr" | "td" | "th" | "thead" | "tbody" | "tfoot")
            || !self.is_flowing()
        {
            return false;
        }
        match traits.role {
            "table" | "grid" | "treegrid" => self.table.is_none() && has_cells(node),
            "row" | "cell" | "gridcell" | "columnheader" | "rowheader" => self.table.is_some(),
            _ => false,
        }
    }

    /// Opens [such a part](Self::is_aria_part).
    pub(super) fn open_aria_part(&mut self, traits: &Traits<'_>) -> Leave {
        let number = |name: &str| traits.number(name).unwrap_or(1);
        match (traits.role, &mut self.table) {
            ("row", Some(table)) => {
                table.push_row();
                Leave::Row
            }
            ("cell" | "gridcell" | "columnheader" | "rowheader", Some(_)) => {
                self.n_inline += 1;
                Leave::Cell {
                    n_cols: number("aria-colspan"),
                    n_rows: number("aria-rowspan"),
                    is_head: traits.role == "columnheader",
                }
            }
            _ => self.open_grid(),
        }
    }
}

/// Whether an element with the role of a table has cells in a row, and no sections.
fn has_cells(node: NodeRef<'_>) -> bool {
    let (mut is_row, mut is_cell) = (false, false);
    for traits in dom::descend(node, |_| true).take(MAX_LOOK).filter_map(|it| dom::traits(&it)) {
        if traits.heading_level().is_some() {
            return false;
        }
        is_row |= traits.role == "row";
        is_cell |= is_row && matches!(traits.role, "cell" | "gridcell");
    }
    is_cell
}
