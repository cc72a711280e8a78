//! The analysis behind tantivy's tokenizer interface.

use std::cell::RefCell;
use std::ops::Range;

use rustc_hash::FxHashMap;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::{Kind, analyse, stem};

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
struct Stems(FxHashMap<String, String>);

/// Words kept; a full table is emptied, which only costs time. Some 4 MB.
const MAX_STEMS: usize = 1 << 16;

impl Stems {
    fn push(&mut self, word: &str, out: &mut String) {
        if let Some(stem) = self.0.get(word) {
            out.push_str(stem);
            return;
        }
        let stem = stem(word).into_owned();
        out.push_str(&stem);
        if self.0.len() >= MAX_STEMS {
            self.0.clear();
        }
        self.0.insert(word.to_owned(), stem);
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
        Stream::new(text, Forms::Stem(&mut self.0))
    }
}

impl Tokenizer for TitleTokenizer {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        Stream::new(text, Forms::Both(&mut self.0))
    }
}

enum Forms<'a> {
    Exact,
    Stem(&'a mut Stems),
    Both(&'a mut Stems),
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
    fn replay(&self, stems: &mut Stems, token: &mut Token, sink: &mut dyn FnMut(&Token)) {
        let mut start = 0;
        for (position, n_positions, span, end) in &self.tokens {
            set_place(token, *position, *n_positions, span);
            token.text.clear();
            stems.push(&self.words[start..*end], &mut token.text);
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
        Forms::Stem(stems) if recorded.text == text => recorded.replay(stems, token, sink),
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
        if !matches!(forms, Forms::Stem(_)) {
            token.text.clear();
            token.text.push_str(found.text);
            sink(token);
        }
        if !matches!(found.kind, Kind::Word | Kind::Part) {
            return;
        }
        token.text.clear();
        match forms {
            Forms::Exact => return,
            Forms::Stem(stems) => stems.push(found.text, &mut token.text),
            Forms::Both(stems) => {
                token.text.push(STEM_MARK);
                stems.push(found.text, &mut token.text);
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
}
