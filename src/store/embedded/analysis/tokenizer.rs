//! The analysis behind tantivy's tokenizer interface.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use rustc_hash::FxHashMap;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::{Kind, Stemming, analyse, stem, written};
use crate::content::Language;

/// Stands before stems in fields that hold exact and stemmed forms together. No token of a text starts with it.
pub(crate) const STEM_MARK: char = '\u{1}';

/// Tokens as they are written, identifiers whole and in words, with positions.
#[derive(Clone, Default)]
pub(crate) struct ExactTokenizer;

/// Stems of words and of their parts.
#[derive(Clone, Default)]
pub(crate) struct StemTokenizer(Stems);

/// Both in one: exact tokens, and stems behind a [`STEM_MARK`].
#[derive(Clone, Default)]
pub(crate) struct TitleTokenizer(Stems);

/// Stems seen before. Texts repeat their words, and stemming anew takes longer than the rest of the analysis (measured on
/// 98 MB of documentation: 4.7 s against 2.6 s).
#[derive(Clone, Default)]
struct Stems {
    /// Of texts of unknown language, which most are: folded words to stems.
    default: FxHashMap<String, String>,
    /// The language of the text that was stemmed last, if it was known, and its written words to stems.
    other: (Stemming, FxHashMap<String, String>),
}

/// Words kept a table; a full one is emptied, which only costs time. Some 4 MB.
const MAX_STEMS: usize = 1 << 16;

impl Stems {
    /// Adds the stem of `word`, which is folded, and stands as `source` in the text.
    fn push(&mut self, stemming: Stemming, word: &str, source: &str, out: &mut String) {
        if stemming == Stemming::default() {
            return push_stem(&mut self.default, word, out, || stem(word).into_owned());
        }
        if self.other.0 != stemming {
            self.other = (stemming, FxHashMap::default());
        }
        push_stem(&mut self.other.1, source, out, || stemming.stem(word, &written(source)).into_owned());
    }
}

fn push_stem(
    known: &mut FxHashMap<String, String>,
    key: &str,
    out: &mut String,
    find: impl FnOnce() -> String,
) {
    if let Some(stem) = known.get(key) {
        out.push_str(stem);
        return;
    }
    let stem = find();
    out.push_str(&stem);
    if known.len() >= MAX_STEMS {
        known.clear();
    }
    known.insert(key.to_owned(), stem);
}

/// Stands around the language in front of a text that is given to be stemmed.
const LANGUAGE_MARK: char = '\u{2}';

/// A text for a field with stems, with how to stem it: tantivy hands a tokenizer nothing but the text.
pub(crate) fn marked(text: &str, stemming: Stemming) -> Cow<'_, str> {
    match stemming.language() {
        Some(language) => Cow::Owned(format!("{LANGUAGE_MARK}{language}{LANGUAGE_MARK}{text}")),
        None if text.starts_with(LANGUAGE_MARK) => {
            Cow::Owned(format!("{LANGUAGE_MARK}{LANGUAGE_MARK}{text}"))
        }
        None => Cow::Borrowed(text),
    }
}

/// Undoes [`marked`].
fn unmarked(marked: &str) -> (&str, Stemming) {
    match marked.strip_prefix(LANGUAGE_MARK).and_then(|rest| rest.split_once(LANGUAGE_MARK)) {
        Some((code, text)) => (text, Stemming::of(Language::parse(code))),
        None => (marked, Stemming::default()),
    }
}

impl Tokenizer for ExactTokenizer {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        Stream::new(text, Forms::Exact)
    }
}

impl Tokenizer for StemTokenizer {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        let (text, stemming) = unmarked(text);
        Stream::new(text, Forms::Stem(&mut self.0, stemming))
    }
}

impl Tokenizer for TitleTokenizer {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        let (text, stemming) = unmarked(text);
        Stream::new(text, Forms::Both(&mut self.0, stemming))
    }
}

enum Forms<'a> {
    Exact,
    Stem(&'a mut Stems, Stemming),
    Both(&'a mut Stems, Stemming),
}

/// The tokens of one text. tantivy indexes through [`TokenStream::process`], which needs no memory for the tokens; asked
/// one by one, they are kept.
pub(crate) struct Stream<'a> {
    text: &'a str,
    forms: Forms<'a>,
    kept: Option<std::vec::IntoIter<Token>>,
    token: Token,
}

impl<'a> Stream<'a> {
    fn new(text: &'a str, forms: Forms<'a>) -> Self {
        Self { text, forms, kept: None, token: Token::default() }
    }
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        let kept = self.kept.get_or_insert_with(|| {
            let mut tokens = Vec::new();
            each(self.text, &mut self.forms, &mut Token::default(), &mut |token| tokens.push(token.clone()));
            tokens.into_iter()
        });
        match kept.next() {
            Some(token) => {
                self.token = token;
                true
            }
            None => false,
        }
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }

    fn process(&mut self, sink: &mut dyn FnMut(&Token)) {
        match self.kept.take() {
            Some(kept) => kept.for_each(|token| sink(&token)),
            None => each(self.text, &mut self.forms, &mut self.token, sink),
        }
    }
}

/// The words and parts of the text that was analysed last: a body is indexed as written and stemmed, one right after the
/// other on one thread, and analysed once for both (measured: a sixth less time in indexing).
#[derive(Default)]
struct Recorded {
    text: String,
    words: String,
    /// Position, number of positions, bytes of the text, end in `words`.
    tokens: Vec<(u32, u32, Range<usize>, usize)>,
}

thread_local! {
    static RECORDED: RefCell<Recorded> = RefCell::default();
}

impl Recorded {
    fn clear(&mut self) {
        self.text.clear();
        self.words.clear();
        self.tokens.clear();
    }

    /// Gives the stems of the recorded words.
    fn replay(&self, stems: &mut Stems, stemming: Stemming, token: &mut Token, sink: &mut dyn FnMut(&Token)) {
        let mut start = 0;
        for (position, n_positions, span, end) in &self.tokens {
            set_place(token, *position, *n_positions, span);
            token.text.clear();
            stems.push(stemming, &self.words[start..*end], &self.text[span.clone()], &mut token.text);
            start = *end;
            sink(token);
        }
    }
}

fn set_place(token: &mut Token, position: u32, n_positions: u32, span: &Range<usize>) {
    token.position = position as usize;
    token.position_length = n_positions as usize;
    token.offset_from = span.start;
    token.offset_to = span.end;
}

fn each(text: &str, forms: &mut Forms<'_>, token: &mut Token, sink: &mut dyn FnMut(&Token)) {
    // Taken out while in use: a sink that analyses too finds an empty record, and never a borrowed one.
    let mut recorded = RECORDED.take();
    match forms {
        Forms::Stem(stems, stemming) if recorded.text == text => {
            recorded.replay(stems, *stemming, token, sink);
        }
        Forms::Exact => {
            recorded.clear();
            analyse(text, &mut |found| {
                set_place(token, found.position, found.n_positions, &found.span);
                token.text.clear();
                token.text.push_str(found.text);
                sink(token);
                if matches!(found.kind, Kind::Word | Kind::Part) {
                    recorded.words.push_str(found.text);
                    let end = recorded.words.len();
                    recorded.tokens.push((found.position, found.n_positions, found.span, end));
                }
            });
            recorded.text.push_str(text);
        }
        forms => analyse_forms(text, forms, token, sink),
    }
    RECORDED.set(recorded);
}

fn analyse_forms(text: &str, forms: &mut Forms<'_>, token: &mut Token, sink: &mut dyn FnMut(&Token)) {
    analyse(text, &mut |found| {
        set_place(token, found.position, found.n_positions, &found.span);
        if !matches!(forms, Forms::Stem(..)) {
            token.text.clear();
            token.text.push_str(found.text);
            sink(token);
        }
        if !matches!(found.kind, Kind::Word | Kind::Part) {
            return;
        }
        token.text.clear();
        let source = &text[found.span.clone()];
        match forms {
            Forms::Exact => return,
            Forms::Stem(stems, stemming) => stems.push(*stemming, found.text, source, &mut token.text),
            Forms::Both(stems, stemming) => {
                token.text.push(STEM_MARK);
                stems.push(*stemming, found.text, source, &mut token.text);
            }
        }
        sink(token);
    });
}

#[cfg(test)]
mod tests {
    use tantivy::tokenizer::TextAnalyzer;

    use super::*;

    #[track_caller]
    fn check(tokenizer: impl Tokenizer, text: &str, expected: &str) {
        let mut analyser = TextAnalyzer::from(tokenizer);
        let mut processed = Vec::new();
        analyser.token_stream(text).process(&mut |token| processed.push(token.clone()));
        let mut stream = analyser.token_stream(text);
        let mut stepped = Vec::new();
        while stream.advance() {
            stepped.push(stream.token().clone());
        }
        assert_eq!(processed, stepped, "both ways of asking give the same");
        let shown = processed.iter().map(|token| format!("{}:{}", token.position, token.text));
        assert_eq!(shown.collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn fields_get_their_forms() {
        let text = "Cached foo_bars 超级";
        check(ExactTokenizer, text, "0:cached 1:foo_bars 1:foo 2:bars 3:超级 4:级");
        check(StemTokenizer::default(), text, "0:cach 1:foo 2:bar");
        check(
            TitleTokenizer::default(),
            text,
            "0:cached 0:\u{1}cach 1:foo_bars 1:foo 1:\u{1}foo 2:bars 2:\u{1}bar 3:超级 4:级",
        );
        check(StemTokenizer::default(), "caching caching cached", "0:cach 1:cach 2:cach");
    }

    #[test]
    fn texts_are_stemmed_in_their_language() {
        let german = Stemming::of(Language::parse("de"));
        let text = marked("Häuser Ämtern книги", german);
        check(StemTokenizer::default(), &text, "0:haus 1:amt 2:книг");
        check(
            TitleTokenizer::default(),
            &text,
            "0:hauser 0:\u{1}haus 1:amtern 1:\u{1}amt 2:книги 2:\u{1}книг",
        );
        let mut tokenizer = StemTokenizer::default();
        for _ in 0..2 {
            // The words seen in one language are not taken for those of the other.
            check(tokenizer.clone(), &marked("caching", german), "0:caching");
            tokenizer.token_stream("caching").process(&mut |token| assert_eq!(token.text, "cach"));
        }
    }

    #[test]
    fn marks_are_no_part_of_the_text() {
        #[track_caller]
        fn check(text: &str) {
            for stemming in [Stemming::default(), Stemming::of(Language::parse("fr"))] {
                assert_eq!(unmarked(&marked(text, stemming)), (text, stemming));
            }
        }
        check("");
        check("a");
        check("\u{2}de\u{2}a");
        check("\u{2}");
    }
}
