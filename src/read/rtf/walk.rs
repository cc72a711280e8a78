//! From tokens to written blocks.

use std::collections::HashMap;

use encoding_rs::{Encoding, WINDOWS_1252};

use super::code_page::{encoding_of_charset, encoding_of_code_page};
use super::lexer::{Lexer, Token};
use crate::content::{Metadata, Warning, WarningKind};
use crate::read::rendered::{PARAGRAPH_END, Part, Table, Writer, one_line};
use crate::read::word::folded;

/// Open groups that are remembered; Word stays below 100. Deeper ones are read with the state around them.
const MAX_GROUPS: usize = 4096;

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) writer: Writer,
    pub(super) metadata: Metadata,
    pub(super) warnings: Vec<Warning>,
}

/// Reads a whole file.
pub(super) fn read(bytes: &[u8]) -> Read {
    let mut walk = Walk::default();
    for token in Lexer::new(bytes) {
        walk.take(token);
    }
    let is_open = !walk.groups.is_empty();
    walk.end_paragraph();
    walk.end_row();
    walk.end_table();
    walk.end_list();
    walk.write_notes();
    let mut warnings = Vec::new();
    if is_open {
        let message = "it ends in the middle; read as far as it goes";
        warnings.push(Warning::new(WarningKind::Damaged, message));
    }
    Read { writer: walk.writer, metadata: walk.metadata, warnings }
}

/// Where text goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Target {
    #[default]
    Body,
    Nowhere,
    Fonts,
    Styles,
    /// A property of the document under our name.
    Info(&'static str),
    /// `creatim` or `revtim`.
    Time(&'static str),
    /// The marker of the list item that follows.
    Marker,
    Note,
    Comment,
}

/// What a group inherits and gives back at its end.
#[derive(Clone, Debug)]
struct State {
    target: Target,
    encoding: &'static Encoding,
    /// Characters that follow a `\u` for programs that do not know it.
    n_fallback: usize,
    is_deleted: bool,
}

impl Default for State {
    fn default() -> Self {
        Self { target: Target::Body, encoding: WINDOWS_1252, n_fallback: 1, is_deleted: false }
    }
}

/// Properties of the paragraph in the making; `\pard` resets them.
#[derive(Clone, Debug, Default)]
struct Paragraph {
    style: i32,
    outline: Option<i32>,
    is_in_table: bool,
    list_level: usize,
}

#[derive(Debug, Default)]
struct Walk {
    writer: Writer,
    metadata: Metadata,
    state: State,
    groups: Vec<State>,
    /// Groups opened beyond [`MAX_GROUPS`].
    n_passed: usize,
    /// A `\*` was seen: an unknown word that follows makes its group ignorable.
    is_ignorable: bool,
    default_encoding: Option<&'static Encoding>,
    fonts: HashMap<i32, &'static Encoding>,
    font: i32,
    /// Heading levels by style number.
    headings: HashMap<i32, u8>,
    style: i32,
    paragraph: Paragraph,
    /// Bytes that are not decoded yet.
    bytes: Vec<u8>,
    /// Half of a surrogate pair.
    surrogate: Option<u16>,
    n_to_skip: usize,
    text: String,
    marker: String,
    /// The text of the group that is open: a property, a style's name, a note.
    aside: String,
    notes: Vec<String>,
    n_notes: usize,
    cells: Vec<String>,
    rows: Vec<Vec<String>>,
    open_items: Vec<usize>,
    time: [i32; 6],
}

impl Walk {
    fn take(&mut self, token: Token<'_>) {
        match token {
            Token::Open => {
                self.decode();
                if self.groups.len() < MAX_GROUPS {
                    self.groups.push(self.state.clone());
                } else {
                    self.n_passed += 1;
                }
                self.n_to_skip = 0;
            }
            Token::Close => self.close(),
            Token::Word(name, number) => self.word(name, number),
            Token::Symbol(symbol) => self.symbol(symbol),
            Token::Byte(_) if self.n_to_skip > 0 => self.n_to_skip -= 1,
            Token::Byte(byte) => self.bytes.push(byte),
        }
    }

    fn close(&mut self) {
        self.decode();
        self.is_ignorable = false;
        self.n_to_skip = 0;
        if self.n_passed > 0 {
            self.n_passed -= 1;
            return;
        }
        let Some(outer) = self.groups.pop() else { return };
        let inner = std::mem::replace(&mut self.state, outer);
        if inner.target != self.state.target {
            self.end_target(inner.target);
        }
    }

    /// Puts to use what a group of its own gathered.
    fn end_target(&mut self, target: Target) {
        let aside = match target {
            Target::Body | Target::Nowhere | Target::Fonts | Target::Marker => return,
            _ => folded(&std::mem::take(&mut self.aside)).replace('\n', " "),
        };
        match target {
            Target::Info(name) if !aside.is_empty() => {
                self.metadata.insert(name.to_owned(), aside.into());
            }
            Target::Time(name) => {
                let [year, month, day, hour, minute, second] = std::mem::take(&mut self.time);
                if year > 0 && (1..=12).contains(&month) && (1..=31).contains(&day) {
                    let date = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
                    self.metadata.insert(name.to_owned(), date.into());
                }
            }
            Target::Note if !aside.is_empty() => self.notes.push(format!("[^{}]: {aside}", self.n_notes)),
            Target::Comment if !aside.is_empty() => self.notes.push(format!("Comment: {aside}")),
            Target::Styles => self.name_style(&aside),
            _ => {}
        }
    }

    /// `heading 2;` names the style whose number came before.
    fn name_style(&mut self, name: &str) {
        let name = name.trim_end_matches(';').trim().to_lowercase();
        let level = crate::read::word::heading_level(&name).or((name == "title").then_some(1));
        if let Some(level) = level {
            self.headings.entry(self.style).or_insert(level);
        }
    }

    fn word(&mut self, name: &str, number: Option<i32>) {
        if self.n_to_skip > 0 && name != "u" {
            self.n_to_skip -= 1;
        }
        // Bytes before a word are in the font before it.
        self.decode();
        let is_first = std::mem::take(&mut self.is_ignorable);
        match name {
            "ansicpg" => {
                self.default_encoding = number.and_then(encoding_of_code_page);
                self.state.encoding = self.default_encoding.unwrap_or(WINDOWS_1252);
            }
            "mac" => self.state.encoding = encoding_rs::MACINTOSH,
            "uc" => self.state.n_fallback = usize::try_from(number.unwrap_or(1)).unwrap_or(0).min(16),
            "u" => self.unicode(number.unwrap_or(0)),
            "deff" => self.font = number.unwrap_or(0),
            "f" => self.font(number.unwrap_or(0)),
            "fcharset" if self.state.target == Target::Fonts => {
                if let Some(encoding) = number.and_then(encoding_of_charset) {
                    self.fonts.insert(self.font, encoding);
                }
            }
            "fonttbl" => self.state.target = Target::Fonts,
            "stylesheet" => self.state.target = Target::Styles,
            "s" if self.state.target == Target::Styles => self.begin_style(number.unwrap_or(0)),
            "s" => self.paragraph.style = number.unwrap_or(0),
            "outlinelevel" if self.state.target == Target::Styles => {
                if let Some(level) = number.and_then(|it| u8::try_from(it).ok()).filter(|it| *it < 9) {
                    self.headings.insert(self.style, level + 1);
                }
            }
            "outlinelevel" => self.paragraph.outline = number,
            "info" => self.state.target = Target::Nowhere,
            "title" => self.aside_to(Target::Info("title")),
            "author" => self.aside_to(Target::Info("author")),
            "subject" => self.aside_to(Target::Info("subject")),
            "keywords" => self.aside_to(Target::Info("keywords")),
            "creatim" => self.aside_to(Target::Time("created")),
            "revtim" => self.aside_to(Target::Time("modified")),
            "yr" => self.time[0] = number.unwrap_or(0),
            "mo" => self.time[1] = number.unwrap_or(0),
            "dy" => self.time[2] = number.unwrap_or(0),
            "hr" => self.time[3] = number.unwrap_or(0),
            "min" => self.time[4] = number.unwrap_or(0),
            "sec" => self.time[5] = number.unwrap_or(0),
            "listtext" | "pntext" => {
                self.marker.clear();
                self.state.target = Target::Marker;
            }
            "footnote" if self.state.target == Target::Body => {
                self.n_notes += 1;
                let mark = format!("[^{}]", self.n_notes);
                self.push(&mark);
                self.aside_to(Target::Note);
            }
            "annotation" if self.state.target == Target::Body => self.aside_to(Target::Comment),
            "atnid" | "atnauthor" | "chftn" | "chatn" if is_first => self.state.target = Target::Nowhere,
            "colortbl" | "pict" | "object" | "header" | "headerl" | "headerr" | "headerf" | "footer"
            | "footerl" | "footerr" | "footerf" | "filetbl" | "listtable" | "listoverridetable"
            | "rsidtbl" | "revtbl" | "nonshppict" | "fldinst" | "datafield" | "themedata"
            | "colorschememapping" | "latentstyles" | "datastore" | "xmlnstbl" | "wgrffmtfilter"
            | "bkmkstart" | "bkmkend" | "generator" | "xe" | "tc" | "private" | "ftnsep" | "ftnsepc"
            | "aftnsep" | "aftnsepc" => self.state.target = Target::Nowhere,
            "fldrslt" | "shptxt" | "shppict" | "shp" | "shpinst" | "result" | "upr" | "ud" => {}
            "deleted" => self.state.is_deleted = number != Some(0),
            "plain" => {
                self.state.is_deleted = false;
                self.state.encoding = self.default_encoding.unwrap_or(self.state.encoding);
            }
            "pard" => self.paragraph = Paragraph::default(),
            "intbl" => self.paragraph.is_in_table = true,
            "ilvl" => self.paragraph.list_level = usize::try_from(number.unwrap_or(0)).unwrap_or(0).min(8),
            "par" | "sect" => self.break_paragraph(),
            "line" => self.push("\n"),
            "tab" => self.push("\t"),
            "cell" => self.end_cell(),
            // Cells of a table in a cell are paragraphs of that one.
            "nestcell" => self.break_paragraph(),
            "row" => self.end_row(),
            "emdash" => self.push("—"),
            "endash" => self.push("–"),
            "bullet" => self.push("•"),
            "lquote" => self.push("‘"),
            "rquote" => self.push("’"),
            "ldblquote" => self.push("“"),
            "rdblquote" => self.push("”"),
            "emspace" | "enspace" | "qmspace" => self.push(" "),
            _ if is_first => self.state.target = Target::Nowhere,
            _ => {}
        }
    }

    fn symbol(&mut self, symbol: u8) {
        if self.n_to_skip > 0 {
            self.n_to_skip -= 1;
            return;
        }
        match symbol {
            b'*' => self.is_ignorable = true,
            b'~' => self.push(" "),
            b'_' => self.push("-"),
            b'\r' | b'\n' => self.break_paragraph(),
            b'\\' | b'{' | b'}' => self.bytes.push(symbol),
            b'\t' => self.push("\t"),
            _ => {}
        }
    }

    fn aside_to(&mut self, target: Target) {
        self.aside.clear();
        self.state.target = target;
    }

    fn begin_style(&mut self, number: i32) {
        self.style = number;
        self.aside.clear();
    }

    fn font(&mut self, number: i32) {
        self.font = number;
        if self.state.target != Target::Fonts {
            let usual = self.default_encoding.unwrap_or(self.state.encoding);
            self.state.encoding = self.fonts.get(&number).copied().unwrap_or(usual);
        }
    }

    fn unicode(&mut self, number: i32) {
        // Numbers above 32,767 are written as negative ones.
        let unit = (number & 0xFFFF) as u16;
        self.n_to_skip = self.state.n_fallback;
        let pair = self.surrogate.take().map_or(vec![unit], |high| vec![high, unit]);
        match char::decode_utf16(pair.iter().copied()).next() {
            Some(Ok(c)) => self.push(c.encode_utf8(&mut [0; 4])),
            _ if (0xD800..0xDC00).contains(&unit) => self.surrogate = Some(unit),
            _ => {}
        }
    }

    /// Decodes the bytes gathered; a character may take two.
    fn decode(&mut self) {
        if !self.bytes.is_empty() {
            let bytes = std::mem::take(&mut self.bytes);
            let (text, _) = self.state.encoding.decode_without_bom_handling(&bytes);
            self.push_decoded(&text);
        }
    }

    fn push(&mut self, text: &str) {
        self.decode();
        self.push_decoded(text);
    }

    fn push_decoded(&mut self, text: &str) {
        if self.state.is_deleted {
            return;
        }
        match self.state.target {
            Target::Body => self.text.push_str(text),
            Target::Marker => self.marker.push_str(text),
            Target::Nowhere | Target::Fonts | Target::Time(_) => {}
            Target::Styles => {
                self.aside.push_str(text);
                if text.contains(';') {
                    let name = std::mem::take(&mut self.aside);
                    self.name_style(&name);
                }
            }
            Target::Info(_) | Target::Note | Target::Comment => self.aside.push_str(text),
        }
    }

    fn break_paragraph(&mut self) {
        self.decode();
        match self.state.target {
            Target::Body if self.paragraph.is_in_table => self.text.push(PARAGRAPH_END),
            Target::Body => self.end_paragraph(),
            Target::Note | Target::Comment => self.aside.push(' '),
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        self.decode();
        let text = folded(&std::mem::take(&mut self.text));
        let marker = folded(&std::mem::take(&mut self.marker));
        if text.is_empty() {
            return;
        }
        self.end_table();
        let outline = self.paragraph.outline.and_then(|it| u8::try_from(it).ok()).filter(|it| *it < 9);
        let level = outline.map(|it| it + 1).or_else(|| self.headings.get(&self.paragraph.style).copied());
        if let Some(level) = level {
            self.end_list();
            self.write_notes();
            self.writer.heading(level, &text.replace('\n', " "), "");
        } else if marker.is_empty() {
            self.end_list();
            self.writer.paragraph(&text);
        } else {
            let is_number = marker.chars().any(char::is_alphanumeric);
            let marker = if is_number && marker.chars().count() <= 12 { marker } else { "-".to_owned() };
            let level = self.paragraph.list_level;
            while self.open_items.pop_if(|it| *it >= level).is_some() {
                self.writer.close_item();
            }
            self.writer.open_item(&format!("{marker} "));
            self.open_items.push(level);
            self.writer.paragraph(&text);
        }
    }

    fn end_list(&mut self) {
        while self.open_items.pop().is_some() {
            self.writer.close_item();
        }
        self.writer.close_list();
    }

    fn end_cell(&mut self) {
        self.decode();
        if self.state.target == Target::Body {
            let text = one_line(&std::mem::take(&mut self.text));
            self.marker.clear();
            self.cells.push(text);
        }
    }

    fn end_row(&mut self) {
        if self.state.target == Target::Body && !self.cells.is_empty() {
            self.rows.push(std::mem::take(&mut self.cells));
        }
    }

    fn end_table(&mut self) {
        self.end_row();
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return;
        }
        self.end_list();
        let mut table = Table::default();
        let n_rows = rows.len();
        for (at, row) in rows.into_iter().enumerate() {
            table.set_part(if at == 0 && n_rows > 1 { Part::Head } else { Part::Body });
            table.push_row();
            row.into_iter().for_each(|text| table.push_cell(text, 1, 1, false));
        }
        self.writer.table(table);
    }

    fn write_notes(&mut self) {
        for note in std::mem::take(&mut self.notes) {
            self.writer.paragraph(&note);
        }
    }
}
