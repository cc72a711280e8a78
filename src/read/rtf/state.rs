//! What groups inherit: where text goes, in which encoding and font, how large, bold and high.

use encoding_rs::{Encoding, WINDOWS_1252};

use crate::read::raised::Height;
use crate::read::symbols::SymbolFont;

/// Size of characters in half points where nothing is said (RTF 1.9.1, "Character Formatting Properties").
pub(super) const DEFAULT_SIZE: u32 = 24;

/// Where text goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Target {
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
    /// A header or footer of pages.
    PageLines,
    /// The code of a field.
    Field,
}

impl Target {
    /// Whether what goes there is read by people, in the fonts of the document.
    pub(super) fn is_words(&self) -> bool {
        matches!(self, Self::Body | Self::Marker | Self::Note | Self::Comment | Self::PageLines)
    }
}

/// What a group inherits and gives back at its end.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) target: Target,
    pub(super) encoding: &'static Encoding,
    /// Characters that follow a `\u` for programs that do not know it.
    pub(super) n_fallback: usize,
    pub(super) is_deleted: bool,
    /// The font, where it is one of signs.
    pub(super) symbols: Option<SymbolFont>,
    pub(super) height: Height,
    /// Whether the font has a fixed pitch.
    pub(super) is_fixed: bool,
    /// In half points.
    pub(super) size: u32,
    pub(super) is_bold: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            target: Target::Body,
            encoding: WINDOWS_1252,
            n_fallback: 1,
            is_deleted: false,
            symbols: None,
            height: Height::Line,
            is_fixed: false,
            size: DEFAULT_SIZE,
            is_bold: false,
        }
    }
}

/// Properties of the paragraph in the making; `\pard` resets them.
#[derive(Clone, Debug, Default)]
pub(super) struct Paragraph {
    pub(super) style: i32,
    pub(super) outline: Option<i32>,
    pub(super) is_in_table: bool,
    /// Its level in a list, as far as it is said.
    pub(super) list_level: Option<usize>,
    /// Whether it is in a list of the list table.
    pub(super) is_listed: bool,
    /// Indentation of the paragraph and, beyond that, of its first line, in twentieths of a point.
    pub(super) indent: i32,
    pub(super) first_indent: i32,
}
