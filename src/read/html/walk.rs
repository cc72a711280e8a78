//! The walk over the content: from elements to written blocks.
//!
//! One pass without recursion. Entering an element may open something that leaving it closes; only those elements get a
//! frame. Text goes to the [`Line`] in the making, or verbatim to the code block that is open.

mod blocks;
mod grids;
mod labels;
mod layout;
mod leave;
mod lists;
mod office;
mod parts;
mod ruby;
mod tabs;

use std::collections::{BTreeMap, HashSet};

use super::dom::{self, NodeRef, Traits};
use super::keep::{self, Context};
use super::line::{Line, PieceStart};
use super::raised;
use super::table::Table;
use super::write::{Reach, Writer};
use crate::read::raised::Height;
use blocks::{is_block, is_set_apart};
use layout::Layout;
use lists::Marking;
use ruby::Ruby;

/// Nodes that may be looked at, in all, to tell tables of data from tables for layout. Nested tables are looked at once for
/// each level, so that without a limit the time would grow with the square of the page.
const LOOK_BUDGET: usize = 2_000_000;

/// The written page.
#[derive(Debug, Default)]
pub(super) struct Rendered {
    pub(super) writer: Writer,
    /// What was left out inside the roots, by kind.
    pub(super) dropped: BTreeMap<&'static str, Dropped>,
}

/// Elements of one kind that were left out, those without text aside.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dropped {
    pub(super) n_elements: usize,
    pub(super) n_bytes: usize,
}

/// Renders the subtrees of `roots` in order; with `has_links`, links as `[text](target)`.
pub(super) fn render(roots: &[NodeRef<'_>], is_full_page: bool, has_links: bool) -> Rendered {
    render_with(roots, Walk { is_full_page, has_links, ..Walk::default() })
}

/// Renders all that is in `roots`. The ids in `places`, which are in lower case, name whatever block comes first in their
/// elements, as `section` and `a` elements do.
pub(super) fn render_part(roots: &[NodeRef<'_>], places: HashSet<String>) -> Rendered {
    render_with(roots, Walk { is_full_page: true, places, ..Walk::default() })
}

fn render_with<'a>(roots: &[NodeRef<'a>], walk: Walk<'a>) -> Rendered {
    let mut walk = Walk { look_budget: LOOK_BUDGET, tab_budget: tabs::TAB_BUDGET, ..walk };
    for &root in roots {
        walk.n_main = usize::from(dom::traits(&root).is_some_and(|it| it.is_main()));
        walk.visit(root);
    }
    Rendered { writer: walk.writer, dropped: walk.dropped }
}

#[derive(Debug, Default)]
struct Walk<'a> {
    writer: Writer,
    line: Line,
    heading: Option<OpenHeading>,
    outer_heading: Option<OpenHeading>,
    pre: Option<Pre>,
    /// The table of data that is open; tables inside its cells are flattened.
    table: Option<Table>,
    /// The open tables for layout, those whose head labels their cells with it.
    layouts: Vec<Option<Layout<'a>>>,
    /// How the items of the open lists are marked.
    lists: Vec<Marking>,
    rubies: Vec<Ruby>,
    /// Panels that are still to come, with the labels of their tabs.
    tab_labels: Vec<(NodeRef<'a>, String)>,
    /// Whether blocks are terms, for each open term, definition, item and layout cell.
    is_term: Vec<bool>,
    /// Open cells and captions, in which blocks are words.
    n_inline: usize,
    /// Open preformatted elements in cells, whose lines are pieces of code.
    n_cell_pre: usize,
    /// Whether the box of a task stands in the line, whose words may follow in a block.
    has_box: bool,
    n_main: usize,
    n_quote: usize,
    n_svg: usize,
    is_full_page: bool,
    has_links: bool,
    /// Ids in lower case that are named from outside, whatever their elements.
    places: HashSet<String>,
    /// Where the text of each open link starts in the line, and where the link leads.
    links: Vec<(PieceStart, String)>,
    /// Where each piece of struck text that is open starts in the line.
    struck: Vec<PieceStart>,
    /// The gap behind the marker of a list item of Word that is being passed over; no text counts before it.
    gap: Option<NodeRef<'a>>,
    dropped: BTreeMap<&'static str, Dropped>,
    look_budget: usize,
    tab_budget: usize,
}

#[derive(Debug)]
struct OpenHeading {
    level: u8,
    /// The element's own; may be empty.
    id: String,
}

#[derive(Debug)]
struct Pre {
    text: String,
    language: Option<String>,
    /// Whether each line is an element, so that line breaks between them are none of the code's.
    has_line_elements: bool,
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
    Link,
    NoteReference,
    Pre,
    /// Preformatted text in a cell.
    CellPre,
    List,
    Item,
    Term,
    Definition,
    Table,
    Part,
    Row,
    Cell {
        n_cols: usize,
        n_rows: usize,
        is_head: bool,
    },
    Layout,
    LayoutCell,
    /// A row that is a line of code, whose text starts at a byte.
    CodeLine {
        start: usize,
    },
    Ruby,
    Caption,
    Svg,
    SvgText,
    /// A short text that stands apart from the words around it.
    Label,
    Struck,
    /// A list item of Word, from level 1.
    OfficeItem {
        level: usize,
    },
}

impl<'a> Walk<'a> {
    fn visit(&mut self, root: NodeRef<'a>) {
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
                    self.end_item_block();
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
    fn enter(&mut self, node: NodeRef<'a>) -> Option<Leave> {
        let Some(traits) = dom::traits(&node) else {
            if let Some(text) = node.value().as_text().filter(|_| self.gap.is_none()) {
                self.text(text);
            }
            return Some(Leave::Nothing);
        };
        if self.gap == Some(node) {
            self.gap = None;
            return None;
        }
        let context = Context {
            is_in_main: self.n_main > 0,
            is_in_heading: self.heading.is_some(),
            is_in_quote: self.n_quote > 0,
            is_full_page: self.is_full_page,
        };
        let is_dropped = keep::is_dropped(node, &traits, context);
        // A permalink that is left out can still be the anchor to which it leads.
        if !is_dropped || traits.name == "a" {
            self.note_ids(&traits);
        }
        if is_dropped {
            self.count_dropped(node, &traits);
            return None;
        }
        self.open(node, &traits)
    }

    fn count_dropped(&mut self, node: NodeRef<'_>, traits: &Traits<'_>) {
        let Some(kind) = keep::kind_of_dropped(node, traits) else { return };
        let n_bytes = keep::n_text_bytes(node);
        if n_bytes > 0 {
            let count = self.dropped.entry(kind).or_default();
            count.n_elements += 1;
            count.n_bytes += n_bytes;
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(pre) = &mut self.pre {
            if !(pre.has_line_elements && text.contains('\n') && text.trim().is_empty()) {
                pre.text.push_str(text);
            }
        } else if !self.rubies.is_empty() {
            self.ruby_base(text);
        } else if self.n_cell_pre > 0 {
            for (at, line) in text.split('\n').enumerate() {
                if at > 0 {
                    self.line.end_code_line();
                }
                self.line.push(line);
            }
        } else {
            self.line.push(text);
        }
    }

    fn note_ids(&mut self, traits: &Traits<'_>) {
        if traits.heading_level().is_some() && self.is_sectioning() {
            // Noted when the heading is written.
            return;
        }
        match traits.name {
            "a" => {
                // An anchor in the middle of a paragraph names a place after the paragraph's start.
                let is_at_start = self.line.is_empty() || self.heading.is_some() || self.is_in_term();
                if is_at_start {
                    let name = || traits.attr("name").unwrap_or_default();
                    self.writer.note_id(if traits.id.is_empty() { name() } else { traits.id }, Reach::Block);
                }
            }
            _ if self.line.is_empty() && self.is_place(traits.id) => {
                self.writer.note_id(traits.id, Reach::Block);
            }
            "section" | "article" | "dt" | "tr" => self.writer.note_id(traits.id, Reach::Block),
            "div" if traits.has_class(&["section"]) => self.writer.note_id(traits.id, Reach::Block),
            _ => self.writer.note_id(traits.id, Reach::Heading),
        }
    }

    /// Whether a heading here opens a section, rather than being words in a cell.
    fn is_sectioning(&self) -> bool {
        self.n_inline == 0
    }

    fn is_place(&self, id: &str) -> bool {
        !self.places.is_empty() && !id.is_empty() && self.places.contains(&id.to_lowercase())
    }

    fn is_in_term(&self) -> bool {
        self.is_term.last().copied().unwrap_or_default()
    }

    fn open(&mut self, node: NodeRef<'a>, traits: &Traits<'_>) -> Option<Leave> {
        if let Some(level) = traits.heading_level().filter(|_| self.is_sectioning()) {
            // Broken pages open headings inside headings; one that has no words yet goes on afterwards.
            if self.line.is_empty() {
                self.outer_heading = self.heading.take();
            }
            self.end_heading();
            self.end_item_block();
            self.heading = Some(OpenHeading { level, id: traits.id.to_owned() });
            return Some(Leave::Heading);
        }
        if !self.tab_labels.is_empty() {
            self.label_panel(node);
        }
        let name = traits.name;
        if self.n_svg > 0 && !dom::is_html(traits.element) {
            return match name {
                "desc" | "metadata" if !self.is_full_page => None,
                "text" | "title" | "desc" | "metadata" => {
                    self.line.space();
                    Some(Leave::SvgText)
                }
                "svg" => {
                    self.n_svg += 1;
                    Some(Leave::Svg)
                }
                _ => Some(Leave::Nothing),
            };
        }
        if tabs::is_list(node, traits) && self.takes_tabs(node) {
            return None;
        }
        if self.drawn_checkbox(traits) {
            return Some(Leave::Nothing);
        }
        let leave = match name {
            "a" if !self.has_links && self.pre.is_none() && raised::is_note_reference(node, traits) => {
                if self.heading.is_some() {
                    return None;
                }
                self.line.push("[");
                Leave::NoteReference
            }
            // Digits behind a number would be more of it.
            "sup" | "sub"
                if self.pre.is_none() && self.line.ends_with_digit() && raised::is_small_number(node) =>
            {
                let height = if name == "sup" { Height::Raised } else { Height::Lowered };
                self.line.push(height.mark());
                Leave::Nothing
            }
            "a" if self.has_links => self.open_link(traits),
            "code" | "tt" | "kbd" | "samp" => return Some(self.open_code(node, traits)),
            "br" => {
                self.line_break();
                Leave::Nothing
            }
            "img" => {
                self.image(traits);
                Leave::Nothing
            }
            "input" => {
                self.checkbox(traits);
                Leave::Nothing
            }
            "svg" => {
                self.line.space();
                self.n_svg += 1;
                Leave::Svg
            }
            "math" => return self.math(node),
            "script" => {
                self.formula_script(node, traits);
                return None;
            }
            "ruby" => self.open_ruby(),
            "rb" | "rp" | "rt" | "rtc" => return self.ruby_part(node, name),
            "pre" | "listing" | "xmp" | "plaintext" => self.open_pre(node),
            "ul" | "menu" | "dir" | "dl" | "ol" => self.open_list(node, traits),
            "li" => self.open_item(node, traits),
            "dt" => self.open_term(),
            "dd" => self.open_definition(),
            "table" => self.open_table(node, traits),
            "tr" if self.has_line_elements() => self.open_code_line(),
            "tr" if self.is_labelling_row(node) => return None,
            "th" if self.is_row_label(node) => return None,
            "caption" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => {
                self.open_table_part(node, traits)
            }
            "div" if traits.class == "fragment" => self.open_fragment(node),
            "div" if traits.has_class(&["summary-table"]) => self.open_grid(),
            "div" if self.is_grid_cell(traits) => self.open_grid_cell(node, traits),
            _ if !traits.role.is_empty() && self.is_aria_part(node, traits) => self.open_aria_part(traits),
            "p" if office::is_list_item(traits) => self.open_office_item(node, traits),
            "del" | "s" | "strike" => self.open_struck(),
            "span" if traits.style.contains("line-through") => self.open_struck(),
            "blockquote" | "figure" => {
                self.end_block();
                self.n_quote += 1;
                Leave::Quote
            }
            _ if traits.is_main() => {
                self.end_block();
                self.n_main += 1;
                Leave::Main
            }
            _ if is_block(name) || is_set_apart(node, traits) => {
                self.end_block();
                Leave::Block
            }
            _ if traits.class.is_empty() => Leave::Nothing,
            _ => self.open_label(node, traits),
        };
        Some(leave)
    }
}
