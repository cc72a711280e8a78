//! Languages of documents.

/// A natural language, by its code: of two letters (ISO 639-1) where there is one, else of three (ISO 639-3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language([u8; 3]);

/// Three-letter codes (ISO 639-2/B, 639-2/T and 639-3) of languages with one of two letters. Individual languages that
/// stand for a macrolanguage where texts are labelled (Mandarin, Persian, Bokmål) map to its code.
const TWO_LETTERS: [(&str, &str); 88] = [
    ("afr", "af"),
    ("aka", "ak"),
    ("alb", "sq"),
    ("amh", "am"),
    ("ara", "ar"),
    ("arb", "ar"),
    ("arm", "hy"),
    ("aze", "az"),
    ("baq", "eu"),
    ("bel", "be"),
    ("ben", "bn"),
    ("bul", "bg"),
    ("bur", "my"),
    ("cat", "ca"),
    ("ces", "cs"),
    ("chi", "zh"),
    ("cmn", "zh"),
    ("cym", "cy"),
    ("cze", "cs"),
    ("dan", "da"),
    ("deu", "de"),
    ("dut", "nl"),
    ("ell", "el"),
    ("eng", "en"),
    ("epo", "eo"),
    ("est", "et"),
    ("eus", "eu"),
    ("fas", "fa"),
    ("fin", "fi"),
    ("fra", "fr"),
    ("fre", "fr"),
    ("geo", "ka"),
    ("ger", "de"),
    ("gle", "ga"),
    ("gre", "el"),
    ("guj", "gu"),
    ("heb", "he"),
    ("hin", "hi"),
    ("hrv", "hr"),
    ("hun", "hu"),
    ("hye", "hy"),
    ("ice", "is"),
    ("ind", "id"),
    ("isl", "is"),
    ("ita", "it"),
    ("jav", "jv"),
    ("jpn", "ja"),
    ("kan", "kn"),
    ("kat", "ka"),
    ("khm", "km"),
    ("kor", "ko"),
    ("lat", "la"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("mal", "ml"),
    ("mar", "mr"),
    ("mkd", "mk"),
    ("mya", "my"),
    ("nep", "ne"),
    ("nld", "nl"),
    ("nob", "no"),
    ("nor", "no"),
    ("ori", "or"),
    ("pan", "pa"),
    ("per", "fa"),
    ("pes", "fa"),
    ("pol", "pl"),
    ("por", "pt"),
    ("ron", "ro"),
    ("rum", "ro"),
    ("rus", "ru"),
    ("sin", "si"),
    ("slk", "sk"),
    ("slv", "sl"),
    ("sna", "sn"),
    ("spa", "es"),
    ("srp", "sr"),
    ("swe", "sv"),
    ("tam", "ta"),
    ("tel", "te"),
    ("tgl", "tl"),
    ("tha", "th"),
    ("tuk", "tk"),
    ("tur", "tr"),
    ("ukr", "uk"),
    ("urd", "ur"),
    ("vie", "vi"),
    ("yid", "yi"),
];

impl Language {
    /// English.
    pub const ENGLISH: Self = Self(*b"en\0");

    /// The language of a tag such as `de`, `deu`, `de-AT` or `pt_BR` (BCP 47, and what locales are called); only its
    /// first part counts. `None` for what is no tag, and for the codes that say that the language is not known (`und`,
    /// `mul`, `zxx`).
    pub fn parse(tag: &str) -> Option<Self> {
        let first = tag.trim().split(['-', '_', '.', '@']).next()?.to_ascii_lowercase();
        if !matches!(first.len(), 2 | 3) || !first.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return None;
        }
        let code = match first.as_str() {
            "und" | "mul" | "mis" | "zxx" => return None,
            // Norwegian's two written forms and the old codes of three languages.
            "nb" | "nn" | "nno" => "no",
            "iw" => "he",
            "in" => "id",
            "ji" => "yi",
            first => match TWO_LETTERS.binary_search_by_key(&first, |(three, _)| three) {
                Ok(at) => TWO_LETTERS[at].1,
                Err(_) => first,
            },
        };
        let mut bytes = [0; 3];
        bytes[..code.len()].copy_from_slice(code.as_bytes());
        Some(Self(bytes))
    }

    /// The code, in lower case.
    pub fn code(&self) -> &str {
        let len = self.0.iter().position(|&byte| byte == 0).unwrap_or(self.0.len());
        std::str::from_utf8(&self.0[..len]).unwrap_or_default()
    }
}

impl std::fmt::Display for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Language({})", self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_give_their_language() {
        #[track_caller]
        fn check(tag: &str, expected: Option<&str>) {
            assert_eq!(Language::parse(tag).as_ref().map(Language::code), expected, "{tag}");
        }
        check("de", Some("de"));
        check(" DE-at ", Some("de"));
        check("pt_BR.UTF-8", Some("pt"));
        check("deu", Some("de"));
        check("ger", Some("de"));
        check("cmn", Some("zh"));
        check("nn", Some("no"));
        check("gsw", Some("gsw"));
        check("german", None);
        check("und", None);
        check("", None);
        check("d3", None);
        check("x-klingon", None);
        assert!(TWO_LETTERS.is_sorted());
        assert_eq!(Language::parse("eng"), Some(Language::ENGLISH));
    }
}
