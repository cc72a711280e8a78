//! From tokens to text and its state; [`blocks`] writes what a paragraph, a cell or a row ends.

mod blocks;
mod items;

use std::collections::HashMap;

use encoding_rs::{Encoding, WINDOWS_1252};

use super::code_page::encoding_of_code_page;
use super::fonts::Fonts;
use super::lexer::{Lexer, Token};
use super::state::{DEFAULT_SIZE, Paragraph, State, Target};
use crate::content::{Metadata, Warning, WarningKind};
use crate::read::looks::Looks;
use crate::read::page_lines;
use crate::read::raised::{Height, Heights};
use crate::read::rendered::Writer;
use crate::read::symbols;
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

/// What the whole document says about its paragraphs.
#[derive(Debug, Default)]
struct Told {
    /// Levels of the paragraphs that are headings by their looks alone.
    headings: HashMap<usize, u8>,
    /// Whether paragraphs in fonts of fixed pitch are code: not where most of the document is.
    has_code: bool,
}

/// Reads a whole file.
pub(super) fn read(bytes: &[u8]) -> Read {
    let mut walk = walked(bytes, Told::default());
    let told = Told {
        headings: std::mem::take(&mut walk.looks).levels(),
        has_code: walk.n_fixed_paragraphs > 0 && walk.n_fixed_chars * 2 <= walk.n_chars,
    };
    if !told.headings.is_empty() || told.has_code {
        walk = walked(bytes, told);
    }
    finished(walk)
}

fn walked(bytes: &[u8], told: Told) -> Walk {
    let mut walk = Walk { told, ..Walk::default() };
    for token in Lexer::new(bytes) {
        walk.take(token);
    }
    walk
}

fn finished(mut walk: Walk) -> Read {
    let is_open = !walk.groups.is_empty();
    walk.end_paragraph();
    walk.end_row();
    walk.end_table();
    walk.end_code();
    walk.end_list();
    walk.write_notes();
    let mut warnings = Vec::new();
    if is_open {
        let message = "it ends in the middle; read as far as it goes";
        warnings.push(Warning::new(WarningKind::Damaged, message));
    }
    symbols::warn_of_lost(walk.n_lost, &mut warnings);
    page_lines::warn(walk.page_lines.lines().map(str::to_owned), &mut warnings);
    Read { writer: walk.writer, metadata: walk.metadata, warnings }
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
    fonts: Fonts,
    default_font: i32,
    told: Told,
    looks: Looks,
    /// Paragraphs with text outside tables.
    n_paragraphs: usize,
    /// Those of them that are in fonts of fixed pitch throughout.
    n_fixed_paragraphs: usize,
    /// Characters of the body that are no blanks.
    n_chars: usize,
    n_fixed_chars: usize,
    /// The same of the paragraph in the making.
    n_open_chars: usize,
    n_open_fixed_chars: usize,
    /// Lines of the code block that is open.
    code: Vec<String>,
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
    /// Whether the file has written out the marker of the paragraph, be it empty.
    has_marker: bool,
    /// The text of the group that is open: a property, a style's name, a note.
    aside: String,
    notes: Vec<String>,
    n_notes: usize,
    cells: Vec<String>,
    rows: Vec<Vec<String>>,
    open_items: Vec<usize>,
    /// Whether the open items are told by their levels, and not by their indentation.
    is_list_leveled: bool,
    time: [i32; 6],
    heights: Heights,
    /// The code of the field that is open.
    field: String,
    /// Whether the result of that field is not wanted.
    is_result_passed: bool,
    /// The words of headers and footers, a line for each paragraph.
    page_lines: String,
    /// Characters of symbol fonts that are left out.
    n_lost: usize,
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
            Target::PageLines => return self.page_lines.push('\n'),
            Target::Field => return self.end_field(),
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

    /// Writes the sign that a field shows; numbers of pages in headers are no words.
    fn end_field(&mut self) {
        let code = std::mem::take(&mut self.field);
        if let Some(sign) = symbols::of_field(&code) {
            self.is_result_passed = true;
            match sign {
                Some(sign) => self.push_decoded(sign.encode_utf8(&mut [0; 4])),
                None => self.n_lost += usize::from(self.state.target.is_words()),
            }
        } else if self.state.target == Target::PageLines {
            self.is_result_passed = page_lines::is_page_number(&code);
        }
    }

    fn begin_result(&mut self) {
        if std::mem::take(&mut self.is_result_passed) {
            self.state.target = Target::Nowhere;
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
            "deff" => {
                self.default_font = number.unwrap_or(0);
                self.fonts.begin(self.default_font);
            }
            "f" => self.font(number.unwrap_or(0)),
            "fcharset" | "fmodern" | "fprq" if self.state.target == Target::Fonts => {
                self.fonts.property(name, number);
            }
            "fs" => {
                let size = number.and_then(|it| u32::try_from(it).ok()).filter(|it| (1..=3276).contains(it));
                self.state.size = size.unwrap_or(DEFAULT_SIZE);
            }
            "b" => self.state.is_bold = number != Some(0),
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
                self.has_marker = true;
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
            "header" | "headerl" | "headerr" | "headerf" | "footer" | "footerl" | "footerr" | "footerf"
                if self.state.target == Target::Body =>
            {
                self.state.target = Target::PageLines;
            }
            "field" => self.is_result_passed = false,
            "fldinst" => {
                self.field.clear();
                self.state.target = Target::Field;
            }
            "fldrslt" => self.begin_result(),
            "colortbl" | "pict" | "object" | "header" | "headerl" | "headerr" | "headerf" | "footer"
            | "footerl" | "footerr" | "footerf" | "filetbl" | "listtable" | "listoverridetable"
            | "rsidtbl" | "revtbl" | "nonshppict" | "sp" | "picprop" | "datafield" | "themedata"
            | "colorschememapping" | "latentstyles" | "datastore" | "xmlnstbl" | "wgrffmtfilter"
            | "bkmkstart" | "bkmkend" | "generator" | "xe" | "tc" | "private" | "ftnsep" | "ftnsepc"
            | "aftnsep" | "aftnsepc" => self.state.target = Target::Nowhere,
            "shptxt" | "shppict" | "shp" | "shpinst" | "result" | "upr" | "ud" => {}
            "deleted" => self.state.is_deleted = number != Some(0),
            "super" | "sub" | "nosupersub" | "up" | "dn" => self.set_height(name, number),
            "plain" => {
                self.state.is_deleted = false;
                self.state.symbols = None;
                self.state.height = Height::Line;
                self.state.is_fixed = self.fonts.is_fixed(self.default_font);
                self.state.size = DEFAULT_SIZE;
                self.state.is_bold = false;
                self.state.encoding = self.default_encoding.unwrap_or(self.state.encoding);
            }
            "pard" => self.paragraph = Paragraph::default(),
            "intbl" => self.paragraph.is_in_table = true,
            "ilvl" => {
                let level = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
                self.paragraph.list_level = Some(level.min(8));
            }
            "ls" => self.paragraph.is_listed = number.unwrap_or(0) > 0,
            "li" => self.paragraph.indent = number.unwrap_or(0),
            "fi" => self.paragraph.first_indent = number.unwrap_or(0),
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

    fn set_height(&mut self, name: &str, number: Option<i32>) {
        self.state.height = match name {
            _ if number == Some(0) => Height::Line,
            "super" | "up" => Height::Raised,
            "sub" | "dn" => Height::Lowered,
            _ => Height::Line,
        };
    }

    fn font(&mut self, number: i32) {
        if self.state.target == Target::Fonts {
            self.fonts.begin(number);
        } else {
            self.state.symbols = self.fonts.symbols(number);
            self.state.is_fixed = self.fonts.is_fixed(number);
            let usual = self.default_encoding.unwrap_or(self.state.encoding);
            self.state.encoding = self.fonts.encoding(number).unwrap_or(usual);
        }
    }

    fn unicode(&mut self, number: i32) {
        // Numbers above 32,767 are written as negative ones.
        let unit = (number & 0xFFFF) as u16;
        self.n_to_skip = self.state.n_fallback;
        let pair = self.surrogate.take().map_or(vec![unit], |high| vec![high, unit]);
        match char::decode_utf16(pair.iter().copied()).next() {
            Some(Ok(c)) => match self.state.symbols.filter(|_| self.state.target.is_words()) {
                Some(font) => {
                    let text = font.decoded(c.encode_utf8(&mut [0; 4]), &mut self.n_lost);
                    self.push(&text);
                }
                None => self.push(c.encode_utf8(&mut [0; 4])),
            },
            _ if (0xD800..0xDC00).contains(&unit) => self.surrogate = Some(unit),
            _ => {}
        }
    }

    /// Decodes the bytes gathered; a character may take two.
    fn decode(&mut self) {
        if !self.bytes.is_empty() {
            let bytes = std::mem::take(&mut self.bytes);
            if let Some(font) = self.state.symbols.filter(|_| self.state.target.is_words()) {
                let codes: String = bytes.iter().map(|byte| char::from(*byte)).collect();
                let text = font.decoded(&codes, &mut self.n_lost);
                self.push_decoded(&text);
                return;
            }
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
            Target::Body => {
                self.text.push_str(self.heights.mark(&self.text, self.state.height, text));
                self.text.push_str(text);
                self.look(text);
            }
            Target::Marker => self.marker.push_str(text),
            Target::PageLines => self.page_lines.push_str(text),
            Target::Field => self.field.push_str(text),
            Target::Nowhere | Target::Time(_) => {}
            Target::Fonts => self.fonts.push_name(text),
            Target::Styles => {
                self.aside.push_str(text);
                if text.contains(';') {
                    let name = std::mem::take(&mut self.aside);
                    self.name_style(&name);
                }
            }
            Target::Note | Target::Comment => {
                self.aside.push_str(self.heights.mark(&self.aside, self.state.height, text));
                self.aside.push_str(text);
            }
            Target::Info(_) => self.aside.push_str(text),
        }
    }

    /// Notes how text of the body looks.
    fn look(&mut self, text: &str) {
        self.looks.run(text, self.state.size, self.state.is_bold);
        let n_chars = text.chars().filter(|it| !it.is_whitespace()).count();
        self.n_open_chars += n_chars;
        self.n_open_fixed_chars += if self.state.is_fixed { n_chars } else { 0 };
    }
}
