//! Letters whose accents are glyphs of their own, as TeX draws them in its older fonts.

use unicode_normalization::char::compose;

use super::runs::Glyphs;

/// Accents as glyphs, and the combining marks that they mean.
const ACCENTS: [(char, char); 15] = [
    ('`', '\u{300}'),
    ('´', '\u{301}'),
    ('^', '\u{302}'),
    ('ˆ', '\u{302}'),
    ('~', '\u{303}'),
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

/// Puts accents onto the letters that follow them. Those of ASCII also stand for themselves, and must overlap the letter.
pub(super) fn composed(glyphs: Glyphs) -> Glyphs {
    if !glyphs.text.contains(|c| ACCENTS.iter().any(|(it, _)| *it == c)) {
        return glyphs;
    }
    let chars: Vec<char> = glyphs.text.chars().collect();
    let pair = |at: usize| {
        let (&accent, &letter) = (chars.get(at)?, chars.get(at + 1)?);
        let composed = accented(accent, letter)?;
        let overlaps = || match glyphs.offsets.get(at..at + 3) {
            // An advance within the pair that is under half of the letter's own.
            Some(&[x, next, end]) => next - x < 0.5 * (end - next),
            _ => match glyphs.offsets.get(at..at + 2) {
                Some(&[x, next]) => next <= x,
                _ => false,
            },
        };
        (!accent.is_ascii() || overlaps()).then_some(composed)
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
        let check = |text: &str, offsets: &[f32], expected: &str| {
            let glyphs = composed(Glyphs { text: text.to_owned(), offsets: offsets.to_vec() });
            assert_eq!(glyphs.text, expected, "{text}");
            assert!(offsets.is_empty() || glyphs.offsets.len() == expected.chars().count(), "{text}");
        };
        check("Br¨oker, P´eter Mikul´ık", &[], "Bröker, Péter Mikulík");
        check("Dvoˇr´ak, Fran¸cois", &[], "Dvořák, François");
        check("45˚ and 5¨", &[], "45˚ and 5¨");
        check("¨1", &[], "¨1");
        // An accent over its letter, and one in a row of letters.
        check("d`es", &[0.0, 6.0, 6.5, 12.0], "dès");
        check("d`es", &[0.0, 6.0, 9.0, 15.0], "d`es");
        check("x^a", &[], "x^a");
        check("`a", &[6.0, 6.0], "à");
    }
}
