//! Runs: from the inside of a paragraph to a line of text.
//!
//! Keeps insertions, field results, alternative texts and formulas; drops deletions, field codes and properties. What is
//! not running text is handed back: text boxes, notes, comments.

use crate::read::package::{Child, Element};

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
    /// Whether the last run is raised.
    is_raised: bool,
    /// For each open field, whether its code is being read.
    fields: Vec<bool>,
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

impl<'a> Inline<'a> {
    /// Reads the inside of `element`; `number` gives the mark of a note.
    pub(super) fn of(element: Element<'a>, number: &mut impl FnMut(&Reference) -> usize) -> Self {
        let mut inline = Self::default();
        inline.walk(element, number);
        inline
    }

    fn walk(&mut self, element: Element<'a>, number: &mut impl FnMut(&Reference) -> usize) {
        for child in element.elements() {
            self.enter(child, number);
        }
    }

    fn enter(&mut self, element: Element<'a>, number: &mut impl FnMut(&Reference) -> usize) {
        match element.name() {
            "r" => {
                let style = element.child("rPr").and_then(|it| it.val("vertAlign"));
                let was_raised = std::mem::replace(&mut self.is_raised, style == Some("superscript"));
                let text = element.child("t").map(|it| it.text()).unwrap_or_default();
                let is_number = text.starts_with(|it: char| it.is_ascii_digit() || "+-−–".contains(it));
                // Digits behind a number would be more of it.
                if self.is_raised
                    && !was_raised
                    && is_number
                    && self.text.ends_with(|it: char| it.is_ascii_digit())
                {
                    self.push("^");
                }
                self.walk(element, number);
            }
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
            "fldChar" => match element.attr("fldCharType") {
                Some("begin") => self.fields.push(true),
                Some("separate") => {
                    if let Some(is_code) = self.fields.last_mut() {
                        *is_code = false;
                    }
                }
                _ => {
                    self.fields.pop();
                }
            },
            "del" | "moveFrom" | "instrText" | "delText" | "delInstrText" | "pPr" | "rPr" | "sdtPr"
            | "sdtEndPr" | "rubyPr" | "fldData" => {}
            "footnoteReference" => self.refer(Note::Footnote, element, number),
            "endnoteReference" => self.refer(Note::Endnote, element, number),
            "commentReference" => self.refer(Note::Comment, element, number),
            "txbxContent" => self.boxes.push(element),
            "AlternateContent" => {
                if let Some(choice) = alternative(element) {
                    self.walk(choice, number);
                }
            }
            "drawing" => self.drawing(element, number),
            "oMath" => {
                let formula = formula(element);
                self.push(formula.trim());
            }
            "rt" => {
                // The reading of a ruby stands behind its base in brackets.
                self.push("(");
                self.walk(element, number);
                self.push(")");
            }
            _ => self.walk(element, number),
        }
    }

    /// Whether what is at hand is the code of a field and not its result.
    fn is_code(&self) -> bool {
        self.fields.contains(&true)
    }

    fn push(&mut self, text: &str) {
        if !self.is_code() {
            self.text.push_str(text);
        }
    }

    fn push_text(&mut self, element: Element<'a>) {
        for child in element.children() {
            if let Child::Text(text) = child {
                self.push(text);
            }
        }
    }

    /// A character of a named font; those of symbol fonts lie in the private area and mean nothing elsewhere.
    fn symbol(&mut self, element: Element<'a>) {
        let code = element.attr("char").and_then(|it| u32::from_str_radix(it, 16).ok());
        let is_private = |code: &u32| (0xE000..=0xF8FF).contains(code);
        if let Some(c) = code.filter(|code| !is_private(code)).and_then(char::from_u32) {
            self.push(c.encode_utf8(&mut [0; 4]));
        }
    }

    fn refer(&mut self, kind: Note, element: Element<'a>, number: &mut impl FnMut(&Reference) -> usize) {
        let Some(id) = element.attr("id") else { return };
        let reference = Reference { kind, id: id.to_owned() };
        if kind != Note::Comment {
            let mark = format!("[^{}]", number(&reference));
            self.push(&mark);
        }
        self.references.push(reference);
    }

    fn drawing(&mut self, element: Element<'a>, number: &mut impl FnMut(&Reference) -> usize) {
        let n_boxes = self.boxes.len();
        for child in element.descendants() {
            let relation = match child.name() {
                "chart" => child.prefixed_attr("id"),
                "relIds" => child.attr("dm"),
                _ => None,
            };
            self.graphics.extend(relation);
        }
        self.walk(element, number);
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

/// A formula (OMML) on one line: `a/b`, `x^2`, `x_i`.
pub(in crate::read) fn formula(element: Element<'_>) -> String {
    let of = |name: &str| element.child(name).map(formula).unwrap_or_default();
    let grouped = |text: String| {
        if text.chars().count() > 1 && !text.chars().all(char::is_alphanumeric) {
            format!("({text})")
        } else {
            text
        }
    };
    match element.name() {
        "t" => element.text(),
        "f" => format!("{}/{}", grouped(of("num")), grouped(of("den"))),
        "sSup" => format!("{}^{}", of("e"), grouped(of("sup"))),
        "sSub" => format!("{}_{}", of("e"), grouped(of("sub"))),
        "sSubSup" => format!("{}_{}^{}", of("e"), grouped(of("sub")), grouped(of("sup"))),
        "rad" => {
            let degree = of("deg");
            format!("{degree}√{}", grouped(of("e")))
        }
        "nary" => {
            let sign = element.child("naryPr").and_then(|it| it.val("chr")).unwrap_or("∫");
            let (from, to) = (of("sub"), of("sup"));
            let part = |mark: &str, text: String| {
                if text.is_empty() { text } else { format!("{mark}{}", grouped(text)) }
            };
            format!("{sign}{}{} {}", part("_", from), part("^", to), of("e"))
        }
        "d" => {
            let properties = element.child("dPr");
            let sign = |name: &str, usual: &'static str| {
                properties.and_then(|it| it.val(name)).map_or(usual.to_owned(), str::to_owned)
            };
            let parts: Vec<String> = element.named("e").map(formula).collect();
            format!("{}{}{}", sign("begChr", "("), parts.join(&sign("sepChr", "|")), sign("endChr", ")"))
        }
        "m" => element
            .named("mr")
            .map(|row| row.named("e").map(formula).collect::<Vec<_>>().join(", "))
            .collect::<Vec<_>>()
            .join("; "),
        "rPr" | "ctrlPr" | "fPr" | "del" => String::new(),
        _ => element.elements().map(formula).collect(),
    }
}
