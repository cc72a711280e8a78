//! What entering an element opens: definitions, code, formulas, images, cells of tables.

use super::super::dom::{self, NodeRef, Traits};
use super::super::formulas;
use super::super::language;
use super::super::mathml;
use super::super::table::Part;
use super::{Leave, Pre, Walk};

impl Walk<'_> {
    pub(super) fn image(&mut self, traits: &Traits<'_>) {
        let alt = traits.attr("alt").unwrap_or_default();
        if self.pre.is_none() && !alt.trim().is_empty() {
            self.line.push_alt(alt);
        }
    }

    /// Shows a formula as its TeX source where the page has it, else as its symbols.
    pub(super) fn math(&mut self, node: NodeRef<'_>) -> Option<Leave> {
        match mathml::source(node) {
            Some(formula) => {
                self.text(&formula);
                None
            }
            None => Some(Leave::Nothing),
        }
    }

    /// Shows the formula whose source is in a script.
    pub(super) fn formula_script(&mut self, node: NodeRef<'_>, traits: &Traits<'_>) {
        let formula = formulas::of_script(node, traits);
        if formulas::is_display(traits) {
            self.end_block();
            self.text(&formula);
            self.end_block();
        } else {
            self.text(&formula);
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
        self.links.push((self.line.open_piece(), target.to_owned()));
        Leave::Link
    }

    pub(super) fn open_pre(&mut self, node: NodeRef<'_>) -> Leave {
        if self.pre.is_some() || self.heading.is_some() {
            return Leave::Block;
        }
        if self.n_inline > 0 {
            self.line.space();
            self.line.open_code();
            self.n_cell_pre += 1;
            return Leave::CellPre;
        }
        self.end_item_block();
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

    pub(super) fn has_line_elements(&self) -> bool {
        self.pre.as_ref().is_some_and(|it| it.has_line_elements)
    }

    /// Opens a row that is a line of code, empty ones too.
    pub(super) fn open_code_line(&mut self) -> Leave {
        self.end_block();
        Leave::CodeLine { start: self.pre.as_ref().map_or(0, |it| it.text.len()) }
    }

    pub(super) fn close_pre(&mut self) {
        if let Some(Pre { text, language, .. }) = self.pre.take() {
            self.writer.code(text.strip_prefix('\n').unwrap_or(&text), language.as_deref());
        }
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

    pub(super) fn open_table_part(&mut self, node: NodeRef<'_>, traits: &Traits<'_>) -> Leave {
        let is_inside = !self.is_flowing();
        let Some(table) = self.table.as_mut().filter(|_| !is_inside) else {
            // Doxygen's lists of members: type and name are one declaration.
            let is_second = traits.has_class(&["memItemRight", "memTemplItemRight"]);
            if is_second {
                self.line.space();
            } else if is_inside || !matches!(traits.name, "td" | "th") || !self.is_in_record() {
                self.end_block();
            }
            if traits.has_class(&["memItemLeft", "memTemplItemLeft"]) {
                return Leave::Nothing;
            }
            if is_inside || !matches!(traits.name, "td" | "th") {
                return Leave::Block;
            }
            self.is_term.push(false);
            self.label_cell(node, traits);
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
}
