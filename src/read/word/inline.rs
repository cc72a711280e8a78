//! Runs: from the inside of a paragraph to a line of text.
//!
//! Keeps insertions, field results, alternative texts and formulas; drops deletions, field codes and properties. What is
//! not running text is handed back: text boxes, notes, comments.

use std::collections::HashMap;

use super::formula::formula;
use super::styles::{Styles, height};
use crate::read::package::{Child, Element};
use crate::read::raised::Heights;
use crate::read::symbols::{self, SymbolFont};

/// What the inside of a paragraph holds.
#[derive(Debug, Default)]
pub(super) struct Inline<'a> {
    pub(super) text: String,
    /// The content of text boxes, in order.
    pub(super) boxes: Vec<Element<'a>>,
    /// Notes and comments that are referred to, in order.
    pub(super) references: Vec<Reference>,
    /// Relationships of charts and diagrams.
    pub(super) graphics: Vec<&'a str>,
    /// Characters of symbol fonts without a counterpart, which are left out.
    pub(super) n_lost: usize,
    heights: Heights,
    /// The font of the run, where it is one of signs.
    font: Option<SymbolFont>,
    fields: Vec<Field>,
}

/// A field that is open.
#[derive(Debug)]
struct Field {
    /// Whether its code is being read, and not its result.
    is_code: bool,
    code: String,
    /// Where its result starts in the text.
    start: usize,
}

/// A reference to a note or a comment by its id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Reference {
    pub(super) kind: Note,
    pub(super) id: String,
}

/// What is referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Note {
    Footnote,
    Endnote,
    Comment,
}

/// What the paragraphs of a document share.
#[derive(Debug)]
pub(super) struct Context<'c> {
    pub(super) styles: &'c Styles,
    /// Numbers of the notes in the order of their first references.
    pub(super) numbers: &'c mut HashMap<Reference, usize>,
}

impl Context<'_> {
    fn number(&mut self, reference: &Reference) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry(reference.clone()).or_insert(next)
    }
}

impl<'a> Inline<'a> {
    /// Reads the inside of `element`.
    pub(super) fn of(element: Element<'a>, context: &mut Context<'_>) -> Self {
        let mut inline = Self::default();
        inline.walk(element, context);
        inline
    }

    fn walk(&mut self, element: Element<'a>, context: &mut Context<'_>) {
        for child in element.elements() {
            self.enter(child, context);
        }
    }

    fn enter(&mut self, element: Element<'a>, context: &mut Context<'_>) {
        match element.name() {
            "r" => self.run(element, context),
            "t" => self.push_text(element),
            "tab" | "ptab" => self.push("\t"),
            "br" => {
                if !matches!(element.attr("type"), Some("page" | "column")) {
                    self.push("\n");
                }
            }
            "cr" => self.push("\n"),
            "noBreakHyphen" => self.push("-"),
            "sym" => self.symbol(element),
            "fldChar" => self.field_sign(element),
            "instrText" => {
                if let Some(field) = self.fields.last_mut().filter(|it| it.is_code) {
                    field.code.push_str(&element.text());
                }
            }
            "fldSimple" => {
                let start = self.text.len();
                self.walk(element, context);
                self.end_field(element.attr("instr").unwrap_or_default(), start);
            }
            "del" | "moveFrom" | "delText" | "delInstrText" | "pPr" | "rPr" | "sdtPr" | "sdtEndPr"
            | "rubyPr" | "fldData" => {}
            "footnoteReference" => self.refer(Note::Footnote, element, context),
            "endnoteReference" => self.refer(Note::Endnote, element, context),
            "commentReference" => self.refer(Note::Comment, element, context),
            "txbxContent" => self.boxes.push(element),
            "AlternateContent" => {
                if let Some(choice) = alternative(element) {
                    self.walk(choice, context);
                }
            }
            "drawing" => self.drawing(element, context),
            "oMath" => {
                let formula = formula(element);
                self.push(formula.trim());
            }
            "ruby" => self.ruby(element, context),
            _ => self.walk(element, context),
        }
    }

    fn run(&mut self, run: Element<'a>, context: &mut Context<'_>) {
        let properties = run.child("rPr");
        let style = properties.and_then(|it| it.val("rStyle"));
        let height = height(properties).unwrap_or_else(|| context.styles.height(style));
        let fonts = properties.and_then(|it| it.child("rFonts"));
        let name = fonts.and_then(|it| it.attr("ascii").or_else(|| it.attr("hAnsi")));
        let outer = std::mem::replace(&mut self.font, name.and_then(SymbolFont::named));
        let text = run.child("t").map(|it| it.text()).unwrap_or_default();
        let mark = self.heights.mark(&self.text, height, &text);
        self.push(mark);
        self.walk(run, context);
        self.font = outer;
    }

    /// The reading of a ruby, which the file has first, stands behind its base in brackets.
    fn ruby(&mut self, ruby: Element<'a>, context: &mut Context<'_>) {
        if let Some(base) = ruby.child("rubyBase") {
            self.walk(base, context);
        }
        if let Some(reading) = ruby.child("rt") {
            let before = self.text.len();
            self.push("(");
            let start = self.text.len();
            self.walk(reading, context);
            if self.text.len() == start {
                self.text.truncate(before);
            } else {
                self.push(")");
            }
        }
    }

    fn field_sign(&mut self, sign: Element<'a>) {
        match sign.attr("fldCharType") {
            Some("begin") => {
                self.fields.push(Field { is_code: true, code: String::new(), start: self.text.len() });
            }
            Some("separate") => {
                if let Some(field) = self.fields.last_mut() {
                    field.is_code = false;
                }
            }
            _ => {
                if let Some(field) = self.fields.pop() {
                    self.end_field(&field.code, field.start);
                }
            }
        }
    }

    /// Writes what a field shows that keeps no result: a sign. The result would have started at `start`.
    fn end_field(&mut self, code: &str, start: usize) {
        if self.text.len() > start {
            return;
        }
        match symbols::of_field(code) {
            Some(Some(sign)) => self.push(sign.encode_utf8(&mut [0; 4])),
            Some(None) => self.n_lost += 1,
            None => {}
        }
    }

    /// Whether what is at hand is the code of a field and not its result.
    fn is_code(&self) -> bool {
        self.fields.iter().any(|it| it.is_code)
    }

    fn push(&mut self, text: &str) {
        if !self.is_code() {
            self.text.push_str(text);
        }
    }

    fn push_text(&mut self, element: Element<'a>) {
        for child in element.children() {
            match (child, self.font) {
                (Child::Text(text), Some(font)) => {
                    let text = font.decoded(text, &mut self.n_lost);
                    self.push(&text);
                }
                (Child::Text(text), None) => self.push(text),
                (Child::Element(_), _) => {}
            }
        }
    }

    /// A character of a named font; those of symbol fonts lie in the private area and mean nothing elsewhere.
    fn symbol(&mut self, element: Element<'a>) {
        let Some(code) = element.attr("char").and_then(|it| u32::from_str_radix(it, 16).ok()) else { return };
        let sign = match element.attr("font").and_then(SymbolFont::named) {
            Some(font) if code <= 0xFF || (0xF000..=0xF0FF).contains(&code) => font.char(code),
            _ if (0xE000..=0xF8FF).contains(&code) => None,
            _ => char::from_u32(code),
        };
        match sign {
            Some(sign) => self.push(sign.encode_utf8(&mut [0; 4])),
            None => self.n_lost += 1,
        }
    }

    fn refer(&mut self, kind: Note, element: Element<'a>, context: &mut Context<'_>) {
        let Some(id) = element.attr("id") else { return };
        let reference = Reference { kind, id: id.to_owned() };
        if kind != Note::Comment {
            let mark = format!("[^{}]", context.number(&reference));
            self.push(&mark);
        }
        self.references.push(reference);
    }

    fn drawing(&mut self, element: Element<'a>, context: &mut Context<'_>) {
        let n_boxes = self.boxes.len();
        for child in element.descendants() {
            let relation = match child.name() {
                "chart" => child.prefixed_attr("id"),
                "relIds" => child.attr("dm"),
                _ => None,
            };
            self.graphics.extend(relation);
        }
        self.walk(element, context);
        if self.boxes.len() == n_boxes {
            let described =
                element.descendants().find(|it| it.name() == "docPr").and_then(|it| it.attr("descr"));
            if let Some(text) = described.map(str::trim).filter(|it| is_description(it)) {
                let is_apart = self.text.ends_with(char::is_alphanumeric);
                self.push(if is_apart { " " } else { "" });
                self.push(text);
                self.push(" ");
            }
        }
    }
}

/// Whether an alternative text says something, rather than being the name of the picture's file.
pub(in crate::read) fn is_description(text: &str) -> bool {
    let is_file = text.rsplit_once('.').is_some_and(|(_, extension)| {
        (2..=4).contains(&extension.len()) && extension.bytes().all(|it| it.is_ascii_alphanumeric())
    });
    text.chars().any(char::is_alphanumeric)
        && !(is_file && (!text.contains(' ') || text.contains(['/', '\\'])))
}

/// The branch of an `AlternateContent` to read: the first choice, or the fallback where there is none.
pub(in crate::read) fn alternative(element: Element<'_>) -> Option<Element<'_>> {
    element.child("Choice").or_else(|| element.child("Fallback"))
}
