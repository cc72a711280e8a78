//! What groups inherit: where text goes, in which encoding and font, how high.

use encoding_rs::{Encoding, WINDOWS_1252};

use crate::read::raised::Height;
use crate::read::symbols::SymbolFont;

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
        }
    }
}

/// Properties of the paragraph in the making; `\pard` resets them.
#[derive(Clone, Debug, Default)]
pub(super) struct Paragraph {
    pub(super) style: i32,
    pub(super) outline: Option<i32>,
    pub(super) is_in_table: bool,
    pub(super) list_level: usize,
}
