//! What entering an element opens: lists, definitions, code, formulas, images, tables.

use scraper::node::Element;

use super::super::dom::{self, NodeRef, Traits};
use super::super::language;
use super::super::mathml;
use super::super::table::{Part, Table};
use super::{Leave, Pre, Walk};

impl Walk {
    pub(super) fn image(&mut self, traits: &Traits<'_>) {
        let alt = traits.attr("alt").unwrap_or_default();
        if self.pre.is_none() && !alt.trim().is_empty() {
            self.line.push_alt(alt);
        }
    }

    /// Shows the box of a task list.
    pub(super) fn checkbox(&mut self, traits: &Traits<'_>) {
        let is_checkbox = traits.attr("type").is_some_and(|it| it.eq_ignore_ascii_case("checkbox"));
        if is_checkbox && self.is_flowing() && !self.lists.is_empty() && self.line.is_empty() {
            self.line.push(if traits.attr("checked").is_some() { "[x] " } else { "[ ] " });
        }
    }

    /// Shows a formula as its TeX source where the page has it, else as its symbols.
    pub(super) fn math(&mut self, node: NodeRef<'_>, traits: &Traits<'_>) -> Option<Leave> {
        let is_tex = |element: &Element| {
            element.name() == "annotation"
                && dom::attr(element, "encoding").is_some_and(|it| it.contains("tex") || it.contains("TeX"))
        };
        let annotation = dom::descend(node, |_| true)
            .take(2000)
            .find(|it| dom::element(it).is_some_and(is_tex))
            .and_then(|it| it.first_child())
            .and_then(|it| it.value().as_text().map(|it| &**it));
        let tex = annotation.or_else(|| traits.attr("alttext")).filter(|it| !it.trim().is_empty());
        match tex.map(str::to_owned).or_else(|| mathml::formula(node)) {
            Some(formula) => {
                self.text(&formula);
                None
            }
            None => Some(Leave::Nothing),
        }
    }

    pub(super) fn open_code(&mut self, node: NodeRef<'_>, traits: &Traits<'_>) -> Leave {
        if let Some(pre) = &mut self.pre {
            // Two pieces of code side by side, each in a language, are tabs of which a page shows one.
            let before = node.prev_sibling().as_ref().and_then(dom::element);
            let is_tab = before.is_some_and(|it| it.name() == "code" && language::of_element(it).is_some());
            if is_tab && language::of_element(traits.element).is_some() {
                pre.text.truncate(pre.text.trim_end().len());
                pre.text.push_str("\n\n");
            }
            if pre.language.is_none() {
                pre.language = language::of_element(traits.element).map(str::to_owned);
            }
            return Leave::Nothing;
        }
        if self.heading.is_some() {
            // The heading's line is its title.
            return Leave::Nothing;
        }
        self.line.open_code();
        Leave::Code
    }

    /// Opens a link whose target is wanted; not in titles and code, which are words only.
    pub(super) fn open_link(&mut self, traits: &Traits<'_>) -> Leave {
        let target = traits.attr("href").map(str::trim).unwrap_or_default();
        let is_script = target.get(..11).is_some_and(|it| it.eq_ignore_ascii_case("javascript:"));
        if target.is_empty() || is_script || self.heading.is_some() || self.pre.is_some() {
            return Leave::Nothing;
        }
        self.links.push((self.line.open_link(), target.to_owned()));
        Leave::Link
    }

    pub(super) fn open_pre(&mut self, node: NodeRef<'_>) -> Leave {
        if self.pre.is_some() || self.heading.is_some() {
            return Leave::Block;
        }
        if self.n_inline > 0 {
            self.line.space();
            self.line.open_code();
            return Leave::Code;
        }
        self.end_block();
        let language = language::of_block(node).map(str::to_owned);
        self.pre = Some(Pre { text: String::new(), language, has_line_elements: false });
        Leave::Pre
    }

    /// Opens the code block that Doxygen writes as a `div` with a `div` for each line.
    pub(super) fn open_fragment(&mut self, node: NodeRef<'_>) -> Leave {
        let leave = self.open_pre(node);
        if let Some(pre) = self.pre.as_mut().filter(|_| leave == Leave::Pre) {
            pre.has_line_elements = true;
        }
        leave
    }

    pub(super) fn close_pre(&mut self) {
        if let Some(Pre { text, language, .. }) = self.pre.take() {
            self.writer.code(text.strip_prefix('\n').unwrap_or(&text), language.as_deref());
        }
    }

    pub(super) fn open_list(&mut self, number: Option<i64>) -> Leave {
        self.end_block();
        self.lists.push(number);
        Leave::List
    }

    pub(super) fn open_item(&mut self, traits: &Traits<'_>) -> Leave {
        self.end_block();
        let value = traits.number("value");
        let marker = match self.lists.last_mut() {
            Some(Some(next)) => {
                let number: i64 = value.unwrap_or(*next);
                *next = number.saturating_add(1);
                format!("{number}. ")
            }
            _ => "- ".to_owned(),
        };
        if !self.is_flowing() {
            return Leave::Block;
        }
        self.writer.open_item(&marker);
        self.is_term.push(false);
        Leave::Item
    }

    pub(super) fn open_term(&mut self) -> Leave {
        self.end_block();
        if !self.is_flowing() {
            return Leave::Block;
        }
        self.is_term.push(true);
        Leave::Term
    }

    pub(super) fn open_definition(&mut self) -> Leave {
        self.end_block();
        if !self.is_flowing() {
            return Leave::Block;
        }
        self.writer.open_item(": ");
        self.is_term.push(false);
        Leave::Definition
    }

    pub(super) fn open_table(&mut self, node: NodeRef<'_>, traits: &Traits<'_>) -> Leave {
        self.end_block();
        if !self.is_flowing() || self.table.is_some() || !self.is_data(node, traits) {
            return Leave::Block;
        }
        self.table = Some(Table::default());
        Leave::Table
    }

    pub(super) fn open_table_part(&mut self, traits: &Traits<'_>) -> Leave {
        let is_inside = !self.is_flowing();
        let Some(table) = self.table.as_mut().filter(|_| !is_inside) else {
            // Doxygen's lists of members: type and name are one declaration.
            let is_second = traits.has_class(&["memItemRight", "memTemplItemRight"]);
            if is_second {
                self.line.space();
            } else {
                self.end_block();
            }
            if traits.has_class(&["memItemLeft", "memTemplItemLeft"]) {
                return Leave::Nothing;
            }
            if is_inside || !matches!(traits.name, "td" | "th") {
                return Leave::Block;
            }
            self.is_term.push(false);
            return Leave::LayoutCell;
        };
        match traits.name {
            "caption" => {
                self.n_inline += 1;
                Leave::Caption
            }
            "thead" => {
                table.set_part(Part::Head);
                Leave::Part
            }
            "tfoot" => {
                table.set_part(Part::Foot);
                Leave::Part
            }
            "tr" => {
                table.push_row();
                Leave::Row
            }
            "td" | "th" => {
                self.n_inline += 1;
                Leave::Cell {
                    n_cols: traits.number("colspan").unwrap_or(1),
                    n_rows: traits.number("rowspan").unwrap_or(1),
                    is_head: traits.name == "th",
                }
            }
            _ => Leave::Nothing,
        }
    }

    /// Opens a table that javadoc writes as a grid of `div` elements, all of them cells.
    pub(super) fn open_grid(&mut self) -> Leave {
        self.end_block();
        if !self.is_flowing() || self.table.is_some() {
            return Leave::Block;
        }
        self.table = Some(Table::default());
        Leave::Table
    }

    /// Opens a cell of a [grid](Self::open_grid); the class of the first column starts a row.
    pub(super) fn open_grid_cell(&mut self, traits: &Traits<'_>) -> Leave {
        let Some(table) = self.table.as_mut().filter(|_| traits.class.contains("col-")) else {
            self.end_block();
            return Leave::Block;
        };
        if traits.has_class(&["col-first"]) {
            table.push_row();
        }
        self.n_inline += 1;
        Leave::Cell { n_cols: 1, n_rows: 1, is_head: traits.has_class(&["table-header"]) }
    }

    /// Whether a table holds data, to be shown as rows; else its cells are read one after the other.
    ///
    /// Tables with headings in them lay out a page. So do tables without head cells that hold other tables or code (line
    /// numbers beside code), and those of a single row (AsciiDoc's notes) or column.
    fn is_data(&mut self, table: NodeRef<'_>, traits: &Traits<'_>) -> bool {
        if matches!(traits.role, "presentation" | "none") {
            return false;
        }
        let is_nested_table = |it: NodeRef<'_>| dom::element(&it).is_some_and(|it| it.name() == "table");
        let (mut has_head, mut has_blocks, mut has_columns, mut n_rows) = (false, false, false, 0);
        for node in dom::descend(table, |it| !is_nested_table(it)) {
            if self.look_budget == 0 {
                return false;
            }
            self.look_budget -= 1;
            let Some(traits) = dom::traits(&node) else { continue };
            if traits.heading_level().is_some() {
                return false;
            }
            match traits.name {
                "th" => has_head = true,
                "tr" => n_rows += 1,
                "table" | "pre" => has_blocks = true,
                _ => {}
            }
            if !has_columns && matches!(traits.name, "td" | "th") {
                let is_cell =
                    |it: NodeRef<'_>| dom::element(&it).is_some_and(|it| matches!(it.name(), "td" | "th"));
                has_columns = std::iter::successors(node.next_sibling(), NodeRef::next_sibling).any(is_cell);
            }
        }
        has_head || (has_columns && n_rows > 1 && !has_blocks)
    }
}
