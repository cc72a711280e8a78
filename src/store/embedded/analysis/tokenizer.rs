//! The analysis behind tantivy's tokenizer interface.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::{Kind, analyse, stem};

/// Stands before stems in fields that hold exact and stemmed forms together. No token of a text starts with it.
pub(crate) const STEM_MARK: char = '\u{1}';

/// Tokens as they are written, identifiers whole and in words, with positions.
#[derive(Clone, Default)]
pub(crate) struct ExactTokenizer;

/// Stems of words and of their parts.
#[derive(Clone, Default)]
pub(crate) struct StemTokenizer;

/// Both in one: exact tokens, and stems behind a [`STEM_MARK`].
#[derive(Clone, Default)]
pub(crate) struct TitleTokenizer;

impl Tokenizer for ExactTokenizer {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        Stream::new(text, Forms { exact: true, stem: false })
    }
}

impl Tokenizer for StemTokenizer {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        Stream::new(text, Forms { exact: false, stem: true })
    }
}

impl Tokenizer for TitleTokenizer {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        Stream::new(text, Forms { exact: true, stem: true })
    }
}

#[derive(Clone, Copy)]
struct Forms {
    exact: bool,
    stem: bool,
}

/// The tokens of one text. tantivy indexes through [`TokenStream::process`], which needs no memory for the tokens; asked
/// one by one, they are kept.
pub(crate) struct Stream<'a> {
    text: &'a str,
    forms: Forms,
    kept: Option<std::vec::IntoIter<Token>>,
    token: Token,
}

impl<'a> Stream<'a> {
    fn new(text: &'a str, forms: Forms) -> Self {
        Self { text, forms, kept: None, token: Token::default() }
    }
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        let (text, forms) = (self.text, self.forms);
        let kept = self.kept.get_or_insert_with(|| {
            let mut tokens = Vec::new();
            each(text, forms, &mut Token::default(), &mut |token| tokens.push(token.clone()));
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
            None => each(self.text, self.forms, &mut self.token, sink),
        }
    }
}

fn each(text: &str, forms: Forms, token: &mut Token, sink: &mut dyn FnMut(&Token)) {
    analyse(text, &mut |found| {
        token.position = found.position as usize;
        token.position_length = found.n_positions as usize;
        token.offset_from = found.span.start;
        token.offset_to = found.span.end;
        if forms.exact {
            token.text.clear();
            token.text.push_str(found.text);
            sink(token);
        }
        if forms.stem && matches!(found.kind, Kind::Word | Kind::Part) {
            token.text.clear();
            if forms.exact {
                token.text.push(STEM_MARK);
            }
            token.text.push_str(&stem(found.text));
            sink(token);
        }
    });
}
