//! The walk over the content: from elements to written blocks.
//!
//! One pass without recursion. Entering an element may open something that leaving it closes; only those elements get a
//! frame. Text goes to the [`Line`] in the making, or verbatim to the code block that is open.

use scraper::node::Element;

use super::dom::{self, NodeRef};
use super::keep::{self, Context};
use super::language;
use super::line::Line;
use super::table::{Part, Table};
use super::write::{Reach, Writer};

/// Nodes that may be looked at, in all, to tell tables of data from tables for layout. Nested tables are looked at once for
/// each level, so that without a limit the time would grow with the square of the page.
const LOOK_BUDGET: usize = 2_000_000;

/// Renders the subtrees of `roots` in order.
pub(super) fn render(roots: &[NodeRef<'_>], is_full_page: bool) -> Writer {
    let mut walk = Walk { is_full_page, look_budget: LOOK_BUDGET, ..Walk::default() };
    for &root in roots {
        walk.n_main = usize::from(dom::element(&root).is_some_and(is_main));
        walk.visit(root);
    }
    walk.writer
}

/// Whether the element is a main part of a page, in which headers belong to the content.
pub(super) fn is_main(element: &Element) -> bool {
    matches!(element.name(), "main" | "article")
        || dom::attr(element, "role").is_some_and(|it| it.trim() == "main")
}

#[derive(Debug, Default)]
struct Walk {
    writer: Writer,
    line: Line,
    heading: Option<OpenHeading>,
    pre: Option<Pre>,
    /// The table of data that is open; tables inside its cells are flattened.
    table: Option<Table>,
    /// Numbers of the open lists; `None` for bullets.
    lists: Vec<Option<i64>>,
    /// Whether blocks are terms, for each open term, definition, item and layout cell.
    is_term: Vec<bool>,
    /// Open cells and captions, in which blocks are words.
    n_inline: usize,
    n_main: usize,
    n_quote: usize,
    n_svg: usize,
    is_full_page: bool,
    look_budget: usize,
}

#[derive(Debug)]
struct OpenHeading {
    level: u8,
    id: Option<String>,
}

#[derive(Debug)]
struct Pre {
    text: String,
    language: Option<String>,
}

/// What leaving an element does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leave {
    Nothing,
    Block,
    Main,
    Quote,
    Heading,
    Code,
    Pre,
    List,
    Item,
    Term,
    Definition,
    Table,
    Part,
    Row,
    Cell { n_cols: usize, n_rows: usize, is_head: bool },
    LayoutCell,
    Caption,
    Svg,
    SvgText,
}

impl Walk {
    fn visit(&mut self, root: NodeRef<'_>) {
        let mut frames = Vec::new();
        let mut node = root;
        loop {
            if let Some(leave) = self.enter(node) {
                if leave != Leave::Nothing {
                    frames.push((node, leave));
                }
                if let Some(child) = node.first_child() {
                    node = child;
                    continue;
                }
            }
            loop {
                if let Some((_, leave)) = frames.pop_if(|(open, _)| *open == node) {
                    self.leave(leave);
                }
                if node == root {
                    self.end_block();
                    return;
                }
                if let Some(next) = node.next_sibling() {
                    node = next;
                    break;
                }
                let Some(parent) = node.parent() else { return };
                node = parent;
            }
        }
    }

    /// Takes a node, and says what leaving it does; `None` when it is left out with all that is in it.
    fn enter(&mut self, node: NodeRef<'_>) -> Option<Leave> {
        let Some(element) = dom::element(&node) else {
            if let Some(text) = node.value().as_text() {
                self.text(text);
            }
            return Some(Leave::Nothing);
        };
        let context = Context {
            is_in_main: self.n_main > 0,
            is_in_heading: self.heading.is_some(),
            is_in_quote: self.n_quote > 0,
            is_full_page: self.is_full_page,
        };
        let is_dropped = keep::is_dropped(node, element, context);
        // A permalink that is left out can still be the anchor to which it leads.
        if !is_dropped || element.name() == "a" {
            self.note_ids(element);
        }
        if is_dropped { None } else { self.open(node, element) }
    }

    fn text(&mut self, text: &str) {
        if let Some(pre) = &mut self.pre {
            pre.text.push_str(text);
        } else {
            self.line.push(text);
        }
    }

    fn note_ids(&mut self, element: &Element) {
        let id = dom::attr(element, "id");
        let name = element.name();
        if keep::heading_level(element).is_some() && self.is_sectioning() {
            // Noted when the heading is written.
            return;
        }
        match name {
            "a" => {
                // An anchor in the middle of a paragraph names a place after the paragraph's start.
                let is_at_start = self.line.is_empty() || self.heading.is_some() || self.is_in_term();
                if let Some(id) = id.or_else(|| dom::attr(element, "name")).filter(|_| is_at_start) {
                    self.writer.note_id(id, Reach::Block);
                }
            }
            "section" | "article" | "dt" | "tr" => {
                id.into_iter().for_each(|id| self.writer.note_id(id, Reach::Block));
            }
            "div" if has_class(element, "section") => {
                id.into_iter().for_each(|id| self.writer.note_id(id, Reach::Block));
            }
            _ => id.into_iter().for_each(|id| self.writer.note_id(id, Reach::Heading)),
        }
    }

    /// Whether a heading here opens a section, rather than being words in a cell.
    fn is_sectioning(&self) -> bool {
        self.n_inline == 0
    }

    fn is_in_term(&self) -> bool {
        self.is_term.last().copied().unwrap_or_default()
    }

    fn open(&mut self, node: NodeRef<'_>, element: &Element) -> Option<Leave> {
        if let Some(level) = keep::heading_level(element).filter(|_| self.is_sectioning()) {
            self.end_heading();
            self.end_block();
            let id = dom::attr(element, "id").map(str::to_owned);
            self.heading = Some(OpenHeading { level, id });
            return Some(Leave::Heading);
        }
        let name = element.name();
        if self.n_svg > 0 && !dom::is_html(element) {
            return match name {
                "desc" | "metadata" => None,
                "text" => Some(Leave::SvgText),
                "svg" => {
                    self.n_svg += 1;
                    Some(Leave::Svg)
                }
                _ => Some(Leave::Nothing),
            };
        }
        let leave = match name {
            "code" | "tt" | "kbd" | "samp" => return Some(self.open_code(element)),
            "br" => {
                self.line_break();
                Leave::Nothing
            }
            "img" => {
                self.image(element);
                Leave::Nothing
            }
            "input" => {
                self.checkbox(element);
                Leave::Nothing
            }
            "svg" => {
                self.line.space();
                self.n_svg += 1;
                Leave::Svg
            }
            "math" => return self.math(node, element),
            "pre" | "listing" | "xmp" | "plaintext" => self.open_pre(node),
            "ul" | "menu" | "dir" | "dl" => self.open_list(None),
            "ol" => {
                let start = dom::attr(element, "start").and_then(|it| it.trim().parse().ok());
                self.open_list(Some(start.unwrap_or(1)))
            }
            "li" => self.open_item(element),
            "dt" => self.open_term(),
            "dd" => self.open_definition(),
            "table" => self.open_table(node, element),
            "caption" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => {
                self.open_table_part(name, element)
            }
            "blockquote" | "figure" => {
                self.end_block();
                self.n_quote += 1;
                Leave::Quote
            }
            _ if is_main(element) => {
                self.end_block();
                self.n_main += 1;
                Leave::Main
            }
            _ if is_block(name) => {
                self.end_block();
                Leave::Block
            }
            _ => Leave::Nothing,
        };
        Some(leave)
    }

    fn leave(&mut self, leave: Leave) {
        match leave {
            Leave::Nothing => {}
            Leave::Block => self.end_block(),
            Leave::Main => {
                self.end_block();
                self.n_main -= 1;
            }
            Leave::Quote => {
                self.end_block();
                self.n_quote -= 1;
            }
            Leave::Heading => {
                self.end_heading();
                self.end_block();
            }
            Leave::Code => self.line.close_code(),
            Leave::Pre => self.close_pre(),
            Leave::List => {
                self.end_block();
                self.lists.pop();
                if self.is_flowing() {
                    self.writer.close_list();
                }
            }
            Leave::Item | Leave::Definition => {
                self.end_block();
                self.writer.close_item();
                self.is_term.pop();
            }
            Leave::Term | Leave::LayoutCell => {
                self.end_block();
                self.is_term.pop();
            }
            Leave::Table => {
                if let Some(table) = self.table.take() {
                    self.writer.table(table);
                }
            }
            Leave::Part => {
                if let Some(table) = &mut self.table {
                    table.set_part(Part::Body);
                }
            }
            Leave::Row => {
                let ids = self.writer.take_ids();
                if let Some(table) = &mut self.table {
                    table.push_ids(ids);
                }
            }
            Leave::Cell { n_cols, n_rows, is_head } => {
                self.n_inline -= 1;
                let text = self.line.take();
                if let Some(table) = &mut self.table {
                    table.push_cell(text, n_cols, n_rows, is_head);
                }
            }
            Leave::Caption => {
                self.n_inline -= 1;
                self.end_block();
            }
            Leave::Svg => {
                self.n_svg -= 1;
                self.line.space();
            }
            Leave::SvgText => self.line.space(),
        }
    }

    /// Whether blocks are written as blocks here, not as words of a cell or a heading.
    fn is_flowing(&self) -> bool {
        self.n_inline == 0 && self.heading.is_none() && self.pre.is_none()
    }

    /// Ends the paragraph in the making; inside cells and headings it ends a word, inside code a line.
    fn end_block(&mut self) {
        if let Some(pre) = &mut self.pre {
            if !pre.text.is_empty() && !pre.text.ends_with('\n') {
                pre.text.push('\n');
            }
        } else if !self.is_flowing() {
            self.line.space();
        } else if !self.line.is_empty() {
            let text = self.line.take();
            if self.is_in_term() {
                self.writer.term(&text);
            } else {
                self.writer.paragraph(&text);
            }
        }
    }

    fn end_heading(&mut self) {
        if let Some(OpenHeading { level, id }) = self.heading.take() {
            let title = self.line.take();
            self.writer.heading(level, title.trim(), id.as_deref());
        }
    }

    fn line_break(&mut self) {
        if let Some(pre) = &mut self.pre {
            pre.text.push('\n');
        } else if !self.is_flowing() {
            self.line.space();
        } else if self.line.push_break() {
            // Two breaks in a row are how old pages set paragraphs.
            self.end_block();
        }
    }

    fn image(&mut self, element: &Element) {
        let alt = dom::attr(element, "alt").unwrap_or_default();
        if self.pre.is_none() && !alt.trim().is_empty() {
            self.line.push_alt(alt);
        }
    }

    /// Shows the box of a task list.
    fn checkbox(&mut self, element: &Element) {
        let is_checkbox = dom::attr(element, "type").is_some_and(|it| it.eq_ignore_ascii_case("checkbox"));
        if is_checkbox && self.is_flowing() && !self.lists.is_empty() && self.line.is_empty() {
            self.line.push(if dom::attr(element, "checked").is_some() { "[x] " } else { "[ ] " });
        }
    }

    /// Shows a formula as its TeX source where the page has it, else as its symbols.
    fn math(&mut self, node: NodeRef<'_>, element: &Element) -> Option<Leave> {
        let is_tex = |element: &Element| {
            element.name() == "annotation"
                && dom::attr(element, "encoding").is_some_and(|it| it.contains("tex") || it.contains("TeX"))
        };
        let annotation = dom::descend(node, |_| true)
            .take(2000)
            .find(|it| dom::element(it).is_some_and(is_tex))
            .and_then(|it| it.first_child())
            .and_then(|it| it.value().as_text().map(|it| &**it));
        match annotation.or_else(|| dom::attr(element, "alttext")).filter(|it| !it.trim().is_empty()) {
            Some(tex) => {
                self.text(tex);
                None
            }
            None => Some(Leave::Nothing),
        }
    }

    fn open_code(&mut self, element: &Element) -> Leave {
        if let Some(pre) = &mut self.pre {
            if pre.language.is_none() {
                pre.language = language::of_element(element).map(str::to_owned);
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

    fn open_pre(&mut self, node: NodeRef<'_>) -> Leave {
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
        self.pre = Some(Pre { text: String::new(), language });
        Leave::Pre
    }

    fn close_pre(&mut self) {
        if let Some(Pre { text, language }) = self.pre.take() {
            self.writer.code(text.strip_prefix('\n').unwrap_or(&text), language.as_deref());
        }
    }

    fn open_list(&mut self, number: Option<i64>) -> Leave {
        self.end_block();
        self.lists.push(number);
        Leave::List
    }

    fn open_item(&mut self, element: &Element) -> Leave {
        self.end_block();
        let value = dom::attr(element, "value").and_then(|it| it.trim().parse().ok());
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

    fn open_term(&mut self) -> Leave {
        self.end_block();
        if !self.is_flowing() {
            return Leave::Block;
        }
        self.is_term.push(true);
        Leave::Term
    }

    fn open_definition(&mut self) -> Leave {
        self.end_block();
        if !self.is_flowing() {
            return Leave::Block;
        }
        self.writer.open_item(": ");
        self.is_term.push(false);
        Leave::Definition
    }

    fn open_table(&mut self, node: NodeRef<'_>, element: &Element) -> Leave {
        self.end_block();
        if !self.is_flowing() || self.table.is_some() || !self.is_data(node, element) {
            return Leave::Block;
        }
        self.table = Some(Table::default());
        Leave::Table
    }

    fn open_table_part(&mut self, name: &str, element: &Element) -> Leave {
        let is_inside = !self.is_flowing();
        let Some(table) = self.table.as_mut().filter(|_| !is_inside) else {
            self.end_block();
            if is_inside || !matches!(name, "td" | "th") {
                return Leave::Block;
            }
            self.is_term.push(false);
            return Leave::LayoutCell;
        };
        match name {
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
                let number = |name| dom::attr(element, name).and_then(|it| it.trim().parse::<usize>().ok());
                self.n_inline += 1;
                Leave::Cell {
                    n_cols: number("colspan").unwrap_or(1),
                    n_rows: number("rowspan").unwrap_or(1),
                    is_head: name == "th",
                }
            }
            _ => Leave::Nothing,
        }
    }

    /// Whether a table holds data, to be shown as rows; else its cells are read one after the other.
    ///
    /// Tables with headings in them lay out a page. So do tables without head cells that hold other tables or code (line
    /// numbers beside code), and tables of a single column.
    fn is_data(&mut self, table: NodeRef<'_>, element: &Element) -> bool {
        if dom::attr(element, "role").is_some_and(|it| matches!(it.trim(), "presentation" | "none")) {
            return false;
        }
        let is_nested_table = |it: NodeRef<'_>| dom::element(&it).is_some_and(|it| it.name() == "table");
        let (mut has_head, mut has_blocks, mut has_columns) = (false, false, false);
        for node in dom::descend(table, |it| !is_nested_table(it)) {
            if self.look_budget == 0 {
                return false;
            }
            self.look_budget -= 1;
            let Some(element) = dom::element(&node) else { continue };
            if keep::heading_level(element).is_some() {
                return false;
            }
            match element.name() {
                "th" => has_head = true,
                "table" | "pre" => has_blocks = true,
                _ => {}
            }
            if !has_columns && matches!(element.name(), "td" | "th") {
                let is_cell =
                    |it: NodeRef<'_>| dom::element(&it).is_some_and(|it| matches!(it.name(), "td" | "th"));
                has_columns = std::iter::successors(node.next_sibling(), NodeRef::next_sibling).any(is_cell);
            }
        }
        has_head || (has_columns && !has_blocks)
    }
}

fn has_class(element: &Element, class: &str) -> bool {
    dom::attr(element, "class").is_some_and(|it| it.split_ascii_whitespace().any(|it| it == class))
}

/// Elements that begin and end a paragraph.
fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "aside"
            | "body"
            | "center"
            | "dialog"
            | "div"
            | "details"
            | "fieldset"
            | "figcaption"
            | "footer"
            | "form"
            | "frameset"
            | "header"
            | "hgroup"
            | "hr"
            | "html"
            | "legend"
            | "nav"
            | "option"
            | "optgroup"
            | "p"
            | "search"
            | "section"
            | "select"
            | "summary"
            | "textarea"
    )
}
