//! Stemming by script: no language has to be known, and a word is stemmed alike in the index and in the query.

use std::borrow::Cow;

use frostem::{Algorithm, Stemmer};

/// Longest word that is stemmed, in bytes; longer ones are names of something.
const MAX_BYTES: usize = 64;

/// The stem of a folded word, the word itself where no stemmer applies.
///
/// Latin letters get Snowball's English stemmer, Cyrillic ones the Russian, Arabic ones the Arabic, Greek ones the Greek.
/// Words with digits keep their form.
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    if word.len() > MAX_BYTES || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Cow::Borrowed(word);
    }
    let algorithm = match word.chars().next() {
        Some('a'..='z' | '\u{C0}'..='\u{24F}') => Algorithm::English,
        Some('\u{370}'..='\u{3FF}') => Algorithm::Greek,
        Some('\u{400}'..='\u{52F}') => Algorithm::Russian,
        Some('\u{620}'..='\u{6D3}') => Algorithm::Arabic,
        _ => return Cow::Borrowed(word),
    };
    match Stemmer::new(algorithm).stem(word) {
        // A stem of nothing would join unrelated words.
        stem if stem.is_empty() => Cow::Borrowed(word),
        stem => stem,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_meet_by_their_script() {
        #[track_caller]
        fn check(a: &str, b: &str) {
            assert_eq!(stem(a), stem(b));
        }
        check("caching", "cached");
        check("claude's", "claude");
        check("книги", "книга");
        check("كتابهم", "كتاب");
        assert_eq!(stem("sha256s"), "sha256s");
        assert_eq!(stem("한국"), "한국");
    }

    proptest! {
        #[test]
        fn no_word_is_lost(word in "[a-z\u{e0}-\u{24f}\u{370}-\u{52f}\u{620}-\u{6d3}\u{900}-\u{97f}']{1,30}") {
            prop_assert!(!stem(&word).is_empty());
        }
    }
}
