//! The font table: encodings, fonts of signs, fonts of fixed pitch.

use std::collections::{HashMap, HashSet};

use encoding_rs::Encoding;

use super::code_page::encoding_of_charset;
use crate::read::pdf::is_mono_name;
use crate::read::symbols::SymbolFont;

/// The fonts of a document by their numbers.
#[derive(Debug, Default)]
pub(super) struct Fonts {
    encodings: HashMap<i32, &'static Encoding>,
    symbols: HashMap<i32, SymbolFont>,
    /// Those whose characters are all as wide.
    fixed: HashSet<i32>,
    /// The font whose entry is being read.
    number: i32,
    /// Its name, as far as it was read.
    name: String,
    is_modern: bool,
    is_proportional: bool,
    /// Fonts for East Asia are as wide throughout, and what books are set in.
    is_east_asian: bool,
}

impl Fonts {
    /// Starts the entry of a font.
    pub(super) fn begin(&mut self, number: i32) {
        self.number = number;
        self.name.clear();
        (self.is_modern, self.is_proportional, self.is_east_asian) = (false, false, false);
    }

    /// Takes a property of the entry: its character set, family or pitch (RTF 1.9.1, "Font Table").
    pub(super) fn property(&mut self, name: &str, number: Option<i32>) {
        match name {
            "fcharset" => {
                self.is_east_asian = matches!(number, Some(128..=136));
                if let Some(encoding) = number.and_then(encoding_of_charset) {
                    self.encodings.insert(self.number, encoding);
                }
            }
            "fmodern" => self.is_modern = true,
            "fprq" => self.is_proportional = number == Some(2),
            _ => {}
        }
    }

    /// Takes a piece of the name, whose semicolon ends the entry.
    pub(super) fn push_name(&mut self, text: &str) {
        self.name.push_str(text);
        if text.contains(';') {
            let name = std::mem::take(&mut self.name);
            if let Some(font) = SymbolFont::named(&name) {
                self.symbols.insert(self.number, font);
            }
            if is_mono_name(&name) || (self.is_modern && !self.is_proportional && !self.is_east_asian) {
                self.fixed.insert(self.number);
            }
        }
    }

    pub(super) fn encoding(&self, number: i32) -> Option<&'static Encoding> {
        self.encodings.get(&number).copied()
    }

    pub(super) fn symbols(&self, number: i32) -> Option<SymbolFont> {
        self.symbols.get(&number).copied()
    }

    pub(super) fn is_fixed(&self, number: i32) -> bool {
        self.fixed.contains(&number)
    }
}
