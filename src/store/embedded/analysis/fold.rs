//! Folding: the one spelling under which forms of a word are found.
//!
//! Compatibility characters, case and accents are folded, and the spellings of Arabic and Hebrew that readers do not
//! tell apart. Marks that make another letter (Indic vowels, Japanese voicing, the breve of Russian й) stay.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Appends the folded form of `text` to `out`, of at most `max_chars` characters.
pub(super) fn fold(text: &str, max_chars: usize, out: &mut String) {
    if text.is_ascii() {
        let kept = &text[..text.len().min(max_chars)];
        out.extend(kept.chars().map(|c| c.to_ascii_lowercase()));
        return;
    }
    // Composing needs the marks of a character together, so it runs over the decomposed, filtered text.
    let mut base = '\0';
    let kept = text.chars().take(max_chars).nfkd().filter(move |&c| {
        if is_combining_mark(c) {
            return !drops_mark(base, c);
        }
        base = c;
        !is_ignorable(c)
    });
    let folded = kept.flat_map(char::to_lowercase).filter(|&c| c != '\u{307}');
    for c in folded.nfc().take(max_chars) {
        match replacement(c) {
            Some(text) => out.push_str(text),
            None => out.push(ascii_digit(c)),
        }
    }
}

/// Whether the mark `c` after the letter `base` only decorates it.
fn drops_mark(base: char, c: char) -> bool {
    match c {
        // General marks: accents on Latin and Greek; on Cyrillic only acute and grave (stress) and the dots of ё.
        '\u{300}'..='\u{36F}' => match base {
            '\u{400}'..='\u{52F}' => {
                matches!(c, '\u{300}' | '\u{301}') || (c == '\u{308}' && matches!(base, 'е' | 'Е'))
            }
            _ => true,
        },
        // Hebrew points and accents.
        '\u{591}'..='\u{5C7}' => true,
        // Arabic vowel signs, hamza and madda marks, Koranic marks.
        '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{65F}' | '\u{670}' | '\u{6D6}'..='\u{6ED}' => true,
        _ => false,
    }
}

/// Characters inside a word that carry nothing: soft hyphen, joiners, direction marks, the Arabic stretch.
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{640}')
}

/// Letters that no decomposition turns into their usual spelling. The Arabic ones are those of Lucene's
/// `ArabicNormalizer`, the Latin ones of its `ASCIIFoldingFilter`.
fn replacement(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ł' => "l",
        'þ' => "th",
        'ς' => "σ",
        '’' | '\u{2BC}' => "'",
        'ى' | 'ی' => "ي",
        'ة' => "ه",
        'ک' => "ك",
        'ٱ' => "ا",
        _ => return None,
    })
}

/// The ASCII digit of the same value, for the decimal digits of other scripts.
fn ascii_digit(c: char) -> char {
    const ZEROS: [u32; 15] = [
        0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0, 0x1040,
        0x17E0,
    ];
    let value = ZEROS.iter().find_map(|zero| u32::from(c).checked_sub(*zero).filter(|value| *value < 10));
    value.and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn folded(text: &str) -> String {
        let mut out = String::new();
        fold(text, 256, &mut out);
        out
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(folded(text), expected);
    }

    #[test]
    fn case_and_accents_fold() {
        check("Caching", "caching");
        check("Überprüfung", "uberprufung");
        check("STRASSE", "strasse");
        check("straße", "strasse");
        check("Ångström", "angstrom");
        check("Łódź", "lodz");
        check("İstanbul", "istanbul");
        check("ΟΔΟΣ", "οδοσ");
        check("don’t", "don't");
        check("ﬁne", "fine");
        check("ＡＢＣ１", "abc1");
        check("x²", "x2");
        check("٢٠٢٦", "2026");
    }

    #[test]
    fn other_letters_stay() {
        check("Ёлка", "елка");
        check("Йод", "йод");
        check("за́мок", "замок");
        check("が", "が");
        check("ｶﾞ", "ガ");
        check("한국", "한국");
        check("हिन्दी", "हिन्दी");
        check("ไทย", "ไทย");
    }

    #[test]
    fn arabic_and_hebrew_spellings_meet() {
        check("مُحَمَّد", "محمد");
        check("أحمد", "احمد");
        check("مدرسة", "مدرسه");
        check("كـــتاب", "كتاب");
        check("שָׁלוֹם", "שלום");
    }

    #[test]
    fn length_is_bounded() {
        assert_eq!(folded(&"É".repeat(5_000)).chars().count(), 256);
        assert_eq!(folded(&"x".repeat(5_000)).len(), 256);
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in "\\PC{0,40}") {
            let once = folded(&text);
            prop_assert_eq!(&folded(&once), &once);
        }
    }
}
