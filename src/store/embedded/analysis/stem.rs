//! Stemming: by the language of the text where it is known, else by the script of the word.
//!
//! A language decides about the words of its own script alone: a Russian text has its English words stemmed as English.
//! A language without a stemmer leaves the words of its script as they are, rather than to another language's rules.

use std::borrow::Cow;

use frostem::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization as _;

use super::{MAX_TOKEN_CHARS, fold};
use crate::content::Language;

/// Longest word that is stemmed, in bytes; longer ones are names of something.
const MAX_BYTES: usize = 64;

/// Scripts whose words have stems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Devanagari,
    Tamil,
}

impl Script {
    fn of(c: char) -> Option<Self> {
        Some(match c {
            'a'..='z' | 'A'..='Z' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Self::Latin,
            '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => Self::Greek,
            '\u{400}'..='\u{52F}' => Self::Cyrillic,
            '\u{531}'..='\u{587}' => Self::Armenian,
            '\u{5D0}'..='\u{5F4}' => Self::Hebrew,
            '\u{620}'..='\u{6D3}' => Self::Arabic,
            '\u{900}'..='\u{97F}' => Self::Devanagari,
            '\u{B80}'..='\u{BFF}' => Self::Tamil,
            _ => return None,
        })
    }

    /// What stems its words in texts of unknown language: the language that most texts of the script are in.
    fn default_algorithm(self) -> Option<Algorithm> {
        Some(match self {
            Self::Latin => Algorithm::English,
            Self::Greek => Algorithm::Greek,
            Self::Cyrillic => Algorithm::Russian,
            Self::Armenian => Algorithm::Armenian,
            Self::Arabic => Algorithm::Arabic,
            Self::Devanagari => Algorithm::Hindi,
            Self::Tamil => Algorithm::Tamil,
            Self::Hebrew => return None,
        })
    }
}

/// Languages with their script and Snowball's stemmer for them; `None` for those whose words keep their form, because
/// there is no stemmer and the script's default would be another language's.
const LANGUAGES: [(&str, Script, Option<Algorithm>); 59] = [
    ("af", Script::Latin, Some(Algorithm::Dutch)),
    ("ar", Script::Arabic, Some(Algorithm::Arabic)),
    ("az", Script::Latin, None),
    ("be", Script::Cyrillic, None),
    ("bg", Script::Cyrillic, None),
    ("ca", Script::Latin, Some(Algorithm::Catalan)),
    ("cs", Script::Latin, Some(Algorithm::Czech)),
    ("cy", Script::Latin, None),
    ("da", Script::Latin, Some(Algorithm::Danish)),
    ("de", Script::Latin, Some(Algorithm::German)),
    ("el", Script::Greek, Some(Algorithm::Greek)),
    ("eo", Script::Latin, Some(Algorithm::Esperanto)),
    ("es", Script::Latin, Some(Algorithm::Spanish)),
    ("et", Script::Latin, Some(Algorithm::Estonian)),
    ("eu", Script::Latin, Some(Algorithm::Basque)),
    ("fa", Script::Arabic, Some(Algorithm::Persian)),
    ("fi", Script::Latin, Some(Algorithm::Finnish)),
    ("fr", Script::Latin, Some(Algorithm::French)),
    ("ga", Script::Latin, Some(Algorithm::Irish)),
    ("hi", Script::Devanagari, Some(Algorithm::Hindi)),
    ("hr", Script::Latin, Some(Algorithm::Serbian)),
    ("hu", Script::Latin, Some(Algorithm::Hungarian)),
    ("hy", Script::Armenian, Some(Algorithm::Armenian)),
    ("id", Script::Latin, Some(Algorithm::Indonesian)),
    ("is", Script::Latin, None),
    ("it", Script::Latin, Some(Algorithm::Italian)),
    ("jv", Script::Latin, None),
    ("kk", Script::Cyrillic, None),
    ("ky", Script::Cyrillic, None),
    ("la", Script::Latin, None),
    ("lt", Script::Latin, Some(Algorithm::Lithuanian)),
    ("lv", Script::Latin, None),
    ("mk", Script::Cyrillic, None),
    ("mn", Script::Cyrillic, None),
    ("mr", Script::Devanagari, None),
    ("ms", Script::Latin, Some(Algorithm::Indonesian)),
    ("ne", Script::Devanagari, Some(Algorithm::Nepali)),
    ("nl", Script::Latin, Some(Algorithm::Dutch)),
    ("no", Script::Latin, Some(Algorithm::Norwegian)),
    ("pl", Script::Latin, Some(Algorithm::Polish)),
    ("ps", Script::Arabic, None),
    ("pt", Script::Latin, Some(Algorithm::Portuguese)),
    ("ro", Script::Latin, Some(Algorithm::Romanian)),
    ("sk", Script::Latin, None),
    ("sl", Script::Latin, None),
    ("sn", Script::Latin, None),
    ("sq", Script::Latin, None),
    ("sr", Script::Latin, Some(Algorithm::Serbian)),
    ("st", Script::Latin, Some(Algorithm::Sesotho)),
    ("sv", Script::Latin, Some(Algorithm::Swedish)),
    ("sw", Script::Latin, None),
    ("tl", Script::Latin, None),
    ("tr", Script::Latin, Some(Algorithm::Turkish)),
    ("uk", Script::Cyrillic, None),
    ("ur", Script::Arabic, None),
    ("uz", Script::Latin, None),
    ("vi", Script::Latin, None),
    ("yi", Script::Hebrew, Some(Algorithm::Yiddish)),
    ("zu", Script::Latin, None),
];

/// How the words of a text are stemmed: as in texts of unknown language ([`Stemming::default`]), or as in this one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Stemming(Option<(Language, Script, Option<Algorithm>)>);

impl Stemming {
    /// The stemming of a text in `language`. It is the default one where the language changes nothing, as English.
    pub(crate) fn of(language: Option<Language>) -> Self {
        let own = language.and_then(|language| {
            let at = LANGUAGES.binary_search_by_key(&language.code(), |(code, ..)| code).ok()?;
            let (_, script, algorithm) = LANGUAGES[at];
            Some((language, script, algorithm))
        });
        Self(own.filter(|(_, script, algorithm)| *algorithm != script.default_algorithm()))
    }

    /// The language, unless it changes nothing.
    pub(crate) fn language(self) -> Option<Language> {
        self.0.map(|(language, ..)| language)
    }

    /// The stem of a word, which is given folded and as it is [`written`]; the folded word where no stemmer applies. Stems
    /// are folded. Words with digits keep their form.
    pub(crate) fn stem<'a>(self, folded: &'a str, written: &'a str) -> Cow<'a, str> {
        if folded.len() > MAX_BYTES || folded.bytes().any(|byte| byte.is_ascii_digit()) {
            return Cow::Borrowed(folded);
        }
        let Some(script) = folded.chars().next().and_then(Script::of) else { return Cow::Borrowed(folded) };
        let stem = match self.0 {
            // Suffixes are told by their accents, so that the word is stemmed as it is written and its stem folded.
            Some((_, own, algorithm)) if own == script => {
                let Some(algorithm) = algorithm else { return Cow::Borrowed(folded) };
                let stem = Stemmer::new(algorithm).stem(written);
                let mut out = String::with_capacity(stem.len());
                fold::fold(&stem, MAX_TOKEN_CHARS, &mut out);
                Cow::Owned(out)
            }
            _ => match script.default_algorithm() {
                Some(algorithm) => Stemmer::new(algorithm).stem(folded),
                None => return Cow::Borrowed(folded),
            },
        };
        // A stem of nothing would join unrelated words.
        if stem.is_empty() { Cow::Borrowed(folded) } else { stem }
    }
}

/// A word as stemmers take it: in lower case, composed, accents kept.
pub(crate) fn written(word: &str) -> String {
    word.chars().flat_map(char::to_lowercase).nfc().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stem_in(code: &str, word: &str) -> String {
        let mut folded = String::new();
        fold::fold(word, MAX_TOKEN_CHARS, &mut folded);
        Stemming::of(Language::parse(code)).stem(&folded, &written(word)).into_owned()
    }

    #[test]
    fn words_meet_by_their_script() {
        #[track_caller]
        fn check(a: &str, b: &str) {
            assert_eq!(stem_in("", a), stem_in("", b));
        }
        check("caching", "cached");
        check("claude's", "claude");
        check("книги", "книга");
        check("كتابهم", "كتاب");
        assert_eq!(stem_in("", "sha256s"), "sha256s");
        assert_eq!(stem_in("", "한국"), "한국");
    }

    #[test]
    fn words_meet_by_their_language() {
        #[track_caller]
        fn check(code: &str, a: &str, b: &str) {
            assert_eq!(stem_in(code, a), stem_in(code, b), "{code}");
            assert_ne!(stem_in("", a), stem_in("", b), "{code}: the language makes the difference");
        }
        check("de", "Häuser", "Haus");
        check("de", "Sicherungen", "Sicherung");
        check("fr", "généreuses", "généreux");
        check("es", "trabajando", "trabajar");
        check("it", "abbandonata", "abbandonate");
        check("pt", "informações", "informação");
        check("nl", "huizen", "huis");
        check("sv", "jaktkarlarne", "jaktkarlens");
        check("fi", "edeltäjiinsä", "edeltäjistään");
        check("hu", "babakocsijáért", "babakocsijának");
        check("tr", "kitapları", "kitap");
        check("pl", "domami", "domach");
    }

    #[test]
    fn a_language_decides_about_its_own_script() {
        assert_eq!(stem_in("de", "книги"), stem_in("", "книга"));
        assert_eq!(stem_in("ru", "caching"), "cach");
        assert_eq!(stem_in("vi", "caching"), "caching", "no stemmer is better than another language's");
        assert_eq!(Stemming::of(Some(Language::ENGLISH)), Stemming::default());
        assert_eq!(Stemming::of(Language::parse("zh")), Stemming::default());
        assert!(LANGUAGES.is_sorted_by_key(|(code, ..)| code));
    }

    proptest! {
        #[test]
        fn no_word_is_lost(
            word in "[a-z\u{e0}-\u{24f}\u{370}-\u{52f}\u{620}-\u{6d3}\u{900}-\u{97f}']{1,30}",
            at in 0..LANGUAGES.len(),
        ) {
            let mut folded = String::new();
            fold::fold(&word, MAX_TOKEN_CHARS, &mut folded);
            prop_assume!(!folded.is_empty());
            prop_assert!(!stem_in("", &word).is_empty());
            prop_assert!(!stem_in(LANGUAGES[at].0, &word).is_empty());
        }
    }
}
