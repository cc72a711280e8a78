//! Letters whose accents are glyphs of their own, as TeX draws them in its older fonts.

use unicode_normalization::char::compose;

use super::letters::Glyphs;

/// Accents as glyphs, and the combining marks that they mean. Not those of ASCII but the grave, which also stand for
/// themselves.
const ACCENTS: [(char, char); 13] = [
    ('`', '\u{300}'),
    ('´', '\u{301}'),
    ('ˆ', '\u{302}'),
    ('˜', '\u{303}'),
    ('¯', '\u{304}'),
    ('˘', '\u{306}'),
    ('˙', '\u{307}'),
    ('¨', '\u{308}'),
    ('˚', '\u{30A}'),
    ('˝', '\u{30B}'),
    ('ˇ', '\u{30C}'),
    ('¸', '\u{327}'),
    ('˛', '\u{328}'),
];

/// The letter with the accent that stands before it; `None` when the two do not make one.
pub(super) fn accented(accent: char, letter: char) -> Option<char> {
    let &(_, mark) = ACCENTS.iter().find(|(it, _)| *it == accent)?;
    let letter = match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        letter => letter,
    };
    compose(letter, mark)
}

/// Puts accents onto the letters that follow them; a grave only inside a word, since it is also a quotation mark.
pub(super) fn composed(glyphs: Glyphs) -> Glyphs {
    if !glyphs.text.contains(|c| ACCENTS.iter().any(|(it, _)| *it == c)) {
        return glyphs;
    }
    let chars: Vec<char> = glyphs.text.chars().collect();
    let pair = |at: usize| {
        let (&accent, &letter) = (chars.get(at)?, chars.get(at + 1)?);
        let is_inside = || at > 0 && chars[at - 1].is_alphabetic();
        accented(accent, letter).filter(|_| accent != '`' || is_inside())
    };
    glyphs.rewritten(|at, c, to| {
        if pair(at).is_some() {
            return;
        }
        to.push(at.checked_sub(1).and_then(pair).unwrap_or(c));
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_stand_on_their_letters() {
        let check = |text: &str, expected: &str| {
            let offsets = (0..text.chars().count()).map(|at| at as f32).collect();
            let glyphs = composed(Glyphs { text: text.to_owned(), offsets });
            assert_eq!(glyphs.text, expected, "{text}");
            assert_eq!(glyphs.offsets.len(), expected.chars().count(), "{text}");
        };
        check("Br¨oker, P´eter Mikul´ık", "Bröker, Péter Mikulík");
        check("Dvoˇr´ak, Fran¸cois, tr`es", "Dvořák, François, très");
        check("45˚ and 5¨", "45˚ and 5¨");
        check("¨1 xˆ2", "¨1 xˆ2");
        check("a `a' and `", "a `a' and `");
    }
}
