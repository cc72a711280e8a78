//! BERT's uncased tokenizer: from text to token ids.
//!
//! Equal to the `tokenizers` library's `BertNormalizer`, `BertPreTokenizer` and `WordPiece` (Hugging Face, Apache-2.0),
//! which follow Google's `tokenization.py` (Devlin et al. 2018), with two exceptions: special tokens written in a text
//! (`[CLS]`) are ordinary text, and characters have their present Unicode category, where that library's table stops at
//! Unicode 8. Works in one pass with a buffer of one word, so that time is linear in the text however long its lines and
//! words are; nothing is prepared at start.

use unicode_normalization::char::decompose_canonical;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use crate::bert::table::{Fnv, MAX_TOKEN_BYTES, ModelFile};

/// Id of `[UNK]` in BERT's vocabularies: a word that the vocabulary cannot spell.
pub(crate) const UNKNOWN: u32 = 100;

/// A longer word, in characters, is `[UNK]` (BERT's own limit).
const MAX_WORD_CHARS: usize = 100;

/// How the vocabulary marks a piece inside a word.
const INNER: &[u8] = b"##";
const INNER_HASH: Fnv = Fnv::EMPTY.with(INNER[0]).with(INNER[1]);

/// Where the ids of pieces are looked up.
pub(crate) trait Vocabulary {
    /// The id of the token whose text has `hash` and is `prefix` followed by `rest`.
    fn token_id(&self, hash: Fnv, prefix: &[u8], rest: &[u8]) -> Option<u32>;
}

impl Vocabulary for ModelFile<'_> {
    fn token_id(&self, hash: Fnv, prefix: &[u8], rest: &[u8]) -> Option<u32> {
        ModelFile::token_id(self, hash, prefix, rest)
    }
}

/// Hands the id of every token of `text` to `emit`, in order, without `[CLS]` and `[SEP]`.
pub(crate) fn tokenize(text: &str, vocabulary: &ModelFile, emit: impl FnMut(u32)) {
    tokenize_with(text, vocabulary, UNKNOWN, emit);
}

/// The same with any vocabulary, in which `unknown` is a word that cannot be spelt.
pub(crate) fn tokenize_with(text: &str, vocabulary: &impl Vocabulary, unknown: u32, emit: impl FnMut(u32)) {
    let mut words = Words { vocabulary, unknown, word: String::new(), n_chars: 0, pieces: Vec::new(), emit };
    for c in text.chars() {
        match c {
            'a'..='z' | '0'..='9' => words.push(c),
            'A'..='Z' => words.push(c.to_ascii_lowercase()),
            ' ' | '\t' | '\n' | '\r' => words.end(),
            '!'..='~' => words.push_alone(c),
            '\0'..='\x7f' | char::REPLACEMENT_CHARACTER => {} // control characters vanish, also inside a word
            _ => push_unicode(&mut words, c),
        }
    }
    words.end();
}

/// The rest of [`tokenize`]'s match: characters beyond ASCII.
fn push_unicode(words: &mut Words<'_, impl Vocabulary, impl FnMut(u32)>, c: char) {
    use GeneralCategory::{Control, Format, NonspacingMark, PrivateUse};
    let category = c.general_category();
    if matches!(category, Control | Format | PrivateUse) {
        return;
    }
    if c.is_whitespace() {
        return words.end();
    }
    let is_ideograph = is_ideograph(c);
    if is_ideograph {
        words.end();
    }
    // Character by character is the same as normalising the text to NFD, but for the order of marks on one letter; the
    // marks that could change places are dropped here anyway.
    decompose_canonical(c, |part| {
        let category = if part == c { category } else { part.general_category() };
        if category == NonspacingMark {
            return;
        }
        if is_punctuation(part, category) {
            return words.push_alone(part);
        }
        part.to_lowercase().for_each(|lower| words.push(lower));
    });
    if is_ideograph {
        words.end();
    }
}

/// Punctuation as BERT has it: every ASCII symbol and the Unicode category P (so `°` and `±` are letters).
fn is_punctuation(c: char, category: GeneralCategory) -> bool {
    use GeneralCategory::{
        ClosePunctuation, ConnectorPunctuation, DashPunctuation, FinalPunctuation, InitialPunctuation,
        OpenPunctuation, OtherPunctuation,
    };
    c.is_ascii_punctuation()
        || matches!(
            category,
            ClosePunctuation
                | ConnectorPunctuation
                | DashPunctuation
                | FinalPunctuation
                | InitialPunctuation
                | OpenPunctuation
                | OtherPunctuation
        )
}

/// The CJK blocks that BERT writes character by character (its list; kana and Hangul are not in it).
fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2b73f}'
        | '\u{2b740}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

/// The word that is being read, and where its tokens go.
struct Words<'v, V, F> {
    vocabulary: &'v V,
    unknown: u32,
    word: String,
    /// Characters of the word, also those beyond the limit, which `word` does not keep.
    n_chars: usize,
    pieces: Vec<u32>,
    emit: F,
}

impl<V: Vocabulary, F: FnMut(u32)> Words<'_, V, F> {
    #[inline]
    fn push(&mut self, c: char) {
        self.n_chars += 1;
        if self.n_chars <= MAX_WORD_CHARS {
            self.word.push(c);
        }
    }

    fn push_alone(&mut self, c: char) {
        self.end();
        self.push(c);
        self.end();
    }

    /// Ends the word and emits its tokens: the longest piece of the vocabulary that fits, again and again, or `[UNK]`
    /// for the whole word when nothing fits somewhere.
    fn end(&mut self) {
        if self.n_chars == 0 {
            return;
        }
        self.pieces.clear();
        let mut at = 0;
        while at < self.word.len() && self.n_chars <= MAX_WORD_CHARS {
            let Some((id, len)) = longest_piece(self.vocabulary, &self.word[at..], at == 0) else { break };
            self.pieces.push(id);
            at += len;
        }
        if at < self.word.len() {
            (self.emit)(self.unknown);
        } else {
            self.pieces.iter().copied().for_each(&mut self.emit);
        }
        self.word.clear();
        self.n_chars = 0;
    }
}

/// The longest token that `rest` begins with: its id and its length in bytes.
fn longest_piece(vocabulary: &impl Vocabulary, rest: &str, is_first: bool) -> Option<(u32, usize)> {
    let (prefix, mut hash) = if is_first { (&b""[..], Fnv::EMPTY) } else { (INNER, INNER_HASH) };
    let mut hashes = [Fnv::EMPTY; MAX_TOKEN_BYTES];
    for (slot, &byte) in hashes.iter_mut().zip(rest.as_bytes()) {
        hash = hash.with(byte);
        *slot = hash;
    }
    (1..=rest.len().min(MAX_TOKEN_BYTES)).rev().find_map(|len| {
        let piece = rest.get(..len)?; // none between the bytes of a character
        let id = vocabulary.token_id(hashes[len - 1], prefix, piece.as_bytes())?;
        Some((id, len))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    static FILE: &[u8] = include_bytes!("../../models/static-v2.bin");

    fn vocabulary() -> ModelFile<'static> {
        ModelFile::parse(FILE).unwrap()
    }

    fn ids(text: &str, vocabulary: &ModelFile) -> Vec<u32> {
        let mut ids = Vec::new();
        tokenize(text, vocabulary, |id| ids.push(id));
        ids
    }

    /// Expected ids: `tokenizers` 0.23.3 with MiniLM's tokenizer.json and the added words, without special tokens.
    #[test]
    fn ids_are_those_of_the_reference_tokenizer() {
        let vocabulary = vocabulary();
        let check = |text: &str, expected: &[u32]| assert_eq!(ids(text, &vocabulary), expected, "{text:?}");
        check("", &[]);
        check("  \t\r\n ", &[]);
        check("the", &[1996]);
        check("Hello, World!", &[7592, 1010, 2088, 999]);
        check("unaffable embeddings", &[14477, 20961, 3468, 31104, 2015]);
        check("apoptosis of lymphocytes", &[31170, 1997, 31144]);
        check(
            "std::vec::Vec<T>",
            &[2358, 2094, 1024, 1024, 2310, 2278, 1024, 1024, 2310, 2278, 1026, 1056, 1028],
        );
        check(
            "foo_bar-baz 2026.4.10",
            &[29379, 1035, 3347, 1011, 8670, 2480, 16798, 2575, 1012, 1018, 1012, 2184],
        );
        check("C++ & C#", &[1039, 1009, 1009, 1004, 1039, 1001]);
        check("don't stop", &[2123, 1005, 1056, 2644]);
        check("Ünïcödé CAFÉ naïve", &[27260, 7668, 15743]);
        check("e\u{301}cole", &[12431]);
        check("İstanbul ΑΒΓΣ ΌΣ Straße", &[9960, 1155, 29720, 29721, 29733, 1169, 29733, 2358, 27807]);
        check("東京タワー", &[1879, 1755, 1709, 30262, 30265]);
        check("中文abc混排", &[1746, 1861, 5925, 100, 100]);
        check("がぎぐ ガ", &[1651, 30178, 30179, 1700]);
        check(
            "한국어 텍스트",
            &[
                1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008, 1467, 30009, 30020, 29997, 30017,
                30003, 30017,
            ],
        );
        check("Привет, мир", &[1194, 16856, 10325, 25529, 15290, 22919, 1010, 1191, 10325, 16856]);
        check("ёлка й", &[1185, 29436, 28598, 1188]);
        check("हिन\u{94d}दी में", &[1339, 29877, 29863, 29861, 29878, 1331]);
        check("ภาษาไทย", &[100]);
        check(
            "مرحبا بالعالم",
            &[1295, 17149, 29820, 29816, 25573, 1271, 25573, 23673, 29830, 25573, 23673, 22192],
        );
        check("ש\u{5b8}\u{5c1}לו\u{5b9}ם", &[1266, 29799, 29792, 29800]);
        check("“quoted” — dash…", &[1523, 9339, 1524, 1517, 11454, 1529]);
        check("°C ±5 − € ×", &[6362, 1081, 2629, 1597, 1574, 1095]);
        check("a\u{ad}b zero\u{200b}width", &[11113, 5717, 9148, 11927, 2232]);
        check("a\u{a0}b\u{2003}c\u{2028}d", &[1037, 1038, 1039, 1040]);
        check("x\u{c}y\u{b}z\u{85}w", &[1060, 2100, 2480, 2860]);
        check("a\u{0}b�c", &[5925]);
        check("😀 ok", &[100, 7929]);
        check("Å Ω ẞ", &[1037, 1179, 1096]);
        check("ﬁne ½ ①", &[1984, 2638, 1092, 100]);
        check("\u{301}\u{302}", &[]);
        check("豈丽", &[100, 100]);
        check("[ CLS ] ##ing #tag", &[1031, 18856, 2015, 1033, 1001, 1001, 13749, 1001, 6415]);
    }

    #[test]
    fn a_word_of_more_than_100_characters_is_unknown() {
        let vocabulary = vocabulary();
        assert_eq!(ids(&"a".repeat(100), &vocabulary).len(), 49);
        assert_eq!(ids(&"a".repeat(101), &vocabulary), [UNKNOWN]);
        assert_eq!(ids(&"é".repeat(101), &vocabulary), [UNKNOWN]);
        assert_eq!(ids(&"a".repeat(200_000), &vocabulary), [UNKNOWN]);
        assert_eq!(ids(&format!("{} the", "a".repeat(101)), &vocabulary), [UNKNOWN, 1996]);
    }

    #[test]
    fn marks_and_ideographs_do_not_count_as_letters_of_one_word() {
        let vocabulary = vocabulary();
        let accented = format!("{}\u{301}", "a\u{301}".repeat(99));
        assert_eq!(ids(&accented, &vocabulary), ids(&"a".repeat(99), &vocabulary));
        assert_eq!(ids(&"中".repeat(200_000), &vocabulary).len(), 200_000);
        assert_eq!(ids(&"-".repeat(200_000), &vocabulary).len(), 200_000);
    }

    #[test]
    fn special_tokens_in_a_text_are_text() {
        assert_eq!(ids("[UNK]", &vocabulary()), ids("[ unk ]", &vocabulary()));
    }

    proptest! {
        #[test]
        fn a_space_separates_whatever_stands_beside_it(left in ".{0,40}", right in ".{0,40}") {
            let vocabulary = vocabulary();
            let expected = [ids(&left, &vocabulary), ids(&right, &vocabulary)].concat();
            prop_assert_eq!(ids(&format!("{left} {right}"), &vocabulary), expected);
        }

        #[test]
        fn every_id_has_a_row_or_is_unknown(text in any::<String>()) {
            let vocabulary = vocabulary();
            prop_assert!(ids(&text, &vocabulary).iter().all(|&id| id == UNKNOWN || vocabulary.row(id).is_some()));
        }
    }
}
