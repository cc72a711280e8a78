//! Atoms: the smallest stretches of text that are searched for, and what stands between them.
//!
//! A word is what UAX 29 calls one after it is cut at everything that is not a letter, a digit or a mark of one (`_`,
//! `.`, `'` and the like are joiners, and [`super::analyse`] puts their words together again). Scripts that are written
//! without spaces give runs of characters instead.

use unicode_normalization::char::is_combining_mark;

use crate::content::is_unspaced;

/// A stretch of letters and digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: AtomKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtomKind {
    /// A word of a script with spaces; also numbers.
    Word,
    /// Characters of a script without spaces between words.
    Run,
}

/// What joins two neighbouring words into one identifier; inner joints bind tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Joint {
    /// `foo_bar`, `real-time`, `1.0.21`, `me@there`, `l'avion`.
    Inner,
    /// `std::vec`, `src/lib.rs`, `C:\temp`.
    Outer,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Run,
    /// Belongs to whatever it follows: marks, joiners without width, soft hyphens.
    Mark,
    Other,
}

/// Finds the first atom at or after byte `from`.
pub(super) fn next_atom(text: &str, from: usize) -> Option<Atom> {
    let bytes = text.as_bytes();
    let mut at = from;
    // ASCII outside of words goes by bytes, which is most of what is skipped.
    while at < bytes.len() && bytes[at].is_ascii() && !bytes[at].is_ascii_alphanumeric() {
        at += 1;
    }
    let rest = text.get(at..)?;
    let (offset, kind) = rest.char_indices().find_map(|(offset, c)| match class(c) {
        Class::Word => Some((offset, AtomKind::Word)),
        Class::Run => Some((offset, AtomKind::Run)),
        Class::Mark | Class::Other => None,
    })?;
    let start = at + offset;
    let end = match kind {
        AtomKind::Word => end_of_word(text, start),
        AtomKind::Run => end_of_class(text, start, Class::Run),
    };
    Some(Atom { start, end, kind })
}

/// What the text between two words says about them; `None` when they are apart.
pub(super) fn joint(text: &str, left: Atom, right: Atom) -> Option<Joint> {
    if left.kind == AtomKind::Run || right.kind == AtomKind::Run {
        return None;
    }
    match text.get(left.end..right.start)? {
        "_" | "-" | "." | "'" | "’" | "@" | "+" | "++" | "&" | "__" | "‐" | "\u{2011}" | "״" | "׳" | "·" => {
            Some(Joint::Inner)
        }
        "," => {
            let digit = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
            let bytes = text.as_bytes();
            (digit(bytes.get(left.end - 1).copied()) && digit(bytes.get(right.start).copied()))
                .then_some(Joint::Inner)
        }
        "/" | "\\" | ":\\" | "::" | ":" | "://" | "->" => Some(Joint::Outer),
        _ => None,
    }
}

fn end_of_word(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = start;
    while end < bytes.len() && bytes[end].is_ascii_alphanumeric() {
        end += 1;
    }
    if bytes.get(end).is_some_and(|byte| !byte.is_ascii()) {
        end = end_of_class(text, start, Class::Word);
    }
    end + clitic_len(&text[end..])
}

fn end_of_class(text: &str, start: usize, wanted: Class) -> usize {
    let rest = &text[start..];
    let length = rest.char_indices().find(|&(_, c)| {
        let class = class(c);
        class != wanted && class != Class::Mark
    });
    start + length.map_or(rest.len(), |(length, _)| length)
}

/// Length of an English ending such as `'s` or `n't` at the start of `rest`: UAX 29 keeps these in their word.
fn clitic_len(rest: &str) -> usize {
    let Some(after) = rest.strip_prefix('\'').or_else(|| rest.strip_prefix('’')) else { return 0 };
    let quote = rest.len() - after.len();
    for ending in ["s", "t", "re", "ve", "ll", "d", "m"] {
        let Some(head) = after.get(..ending.len()) else { continue };
        let is_last = after[ending.len()..].chars().next().is_none_or(|c| class(c) == Class::Other);
        if head.eq_ignore_ascii_case(ending) && is_last {
            return quote + ending.len();
        }
    }
    0
}

fn class(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() { Class::Word } else { Class::Other };
    }
    if is_combining_mark(c) || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}') {
        return Class::Mark;
    }
    if is_unspaced(c) {
        Class::Run
    } else if c.is_alphanumeric() {
        Class::Word
    } else {
        Class::Other
    }
}
