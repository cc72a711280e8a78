//! Letters: what the parser gives for glyphs, as plain letters and bullets.

use unicode_normalization::UnicodeNormalization;

/// Characters with the places where they start.
pub(super) struct Glyphs {
    pub(super) text: String,
    /// Left end of each character, or empty.
    pub(super) offsets: Vec<f32>,
}

impl Glyphs {
    /// The glyphs with each character replaced by what `write` appends for it, given its number.
    pub(super) fn rewritten(&self, mut write: impl FnMut(usize, char, &mut String)) -> Self {
        let mut new = Self { text: String::with_capacity(self.text.len()), offsets: Vec::new() };
        for (at, c) in self.text.chars().enumerate() {
            let before = new.text.len();
            write(at, c, &mut new.text);
            if let Some(&x) = self.offsets.get(at) {
                let n_chars = new.text[before..].chars().count();
                new.offsets.extend(std::iter::repeat_n(x, n_chars));
            }
        }
        new
    }
}

/// Codes that WinAnsiEncoding does not use, all of which show a bullet (ISO 32000-2, annex D.2), and which the parser gives
/// as they are. ReportLab writes its bullets so.
fn is_unused_code(c: char) -> bool {
    matches!(c, '\u{7F}' | '\u{81}' | '\u{8D}' | '\u{8F}' | '\u{90}' | '\u{9D}')
}

/// Bullets for unused codes that stand alone, as bullets do; inside of words they are noise of a font that is not read.
pub(super) fn with_bullets(glyphs: Glyphs) -> Glyphs {
    if !glyphs.text.contains(is_unused_code) {
        return glyphs;
    }
    let is_apart = |c: Option<&char>| c.is_none_or(|it| it.is_whitespace());
    let chars: Vec<char> = glyphs.text.chars().collect();
    glyphs.rewritten(|at, c, to| {
        let is_alone =
            is_apart(at.checked_sub(1).and_then(|at| chars.get(at))) && is_apart(chars.get(at + 1));
        to.push(if is_unused_code(c) && is_alone { '•' } else { c });
    })
}

/// Ligatures and presentation forms as plain letters; no-break spaces as blanks; soft hyphens at the end as hyphens
/// and elsewhere away; controls away.
pub(super) fn plain_letters(glyphs: Glyphs) -> Glyphs {
    let is_special = |c: char| {
        matches!(c, '\u{A0}' | '\u{AD}' | '\u{2000}'..='\u{200B}' | '\u{202F}' | '\u{FB00}'..='\u{FDFF}'
            | '\u{FE70}'..='\u{FEFF}')
            || c.is_control()
    };
    if !glyphs.text.contains(is_special) {
        return glyphs;
    }
    let last = glyphs.text.trim_end().chars().count().saturating_sub(1);
    glyphs.rewritten(|at, c, plain| match c {
        '\u{AD}' if at == last => plain.push('-'),
        '\u{AD}' | '\u{200B}' | '\u{FEFF}' => {}
        '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\t' | '\n' | '\r' => plain.push(' '),
        '\u{FB00}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' => plain.extend(std::iter::once(c).nfkc()),
        c if c.is_control() => {}
        c => plain.push(c),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters 6 points apart.
    fn drawn(text: &str) -> Glyphs {
        let offsets = (0..text.chars().count()).map(|at| 6.0 * at as f32).collect();
        Glyphs { text: text.to_owned(), offsets }
    }

    #[test]
    fn letters_keep_their_places() {
        let glyphs = plain_letters(drawn("aﬃ\u{AD}b\u{A0}c"));
        assert_eq!(glyphs.text, "affib c");
        assert_eq!(glyphs.offsets, [0.0, 6.0, 6.0, 6.0, 18.0, 24.0, 30.0]);
    }

    #[test]
    fn unused_codes_that_stand_alone_are_bullets() {
        let check =
            |text: &str, expected: &str| assert_eq!(with_bullets(drawn(text)).text, expected, "{text:?}");
        check("\u{7F}", "•");
        check("\u{7F} first", "• first");
        check("a \u{81} b", "a • b");
        check("a\u{7F}b \u{7F}\u{7F}", "a\u{7F}b \u{7F}\u{7F}");
        assert_eq!(with_bullets(drawn("\u{7F} a")).offsets, [0.0, 6.0, 12.0]);
    }

    #[test]
    fn letters_become_plain() {
        let check =
            |text: &str, expected: &str| assert_eq!(plain_letters(drawn(text)).text, expected, "{text:?}");
        check("plain", "plain");
        check("eﬃcient ﬂow", "efficient flow");
        check("no\u{A0}break", "no break");
        check("soft\u{AD}ware", "software");
        check("soft\u{AD}", "soft-");
        check("a\u{0}b\u{200B}c\td", "abc d");
        check("ﺒﻴﺒﻲ", "بيبي");
    }
}
