//! From text to tokens; every character is known or refused.

use crate::filter::{FilterError, FilterErrorKind};

/// A token and the byte where it starts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) offset: usize,
    pub(super) kind: TokenKind,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A word of the language or a key.
    Word(String),
    /// A key in backticks.
    QuotedKey(String),
    /// A string.
    String(String),
    /// An integer.
    Integer(i64),
    /// A decimal.
    Decimal(f64),
    /// `$name`, without the dollar.
    Variable(String),
    /// `( ) , = != < <= > >=`
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// Longer symbols first.
const SYMBOLS: [&str; 9] = ["!=", "<=", ">=", "(", ")", ",", "=", "<", ">"];

/// Splits `text` into tokens, the last of which is [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, FilterError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_while(|ch| matches!(ch, ' ' | '\t' | '\r' | '\n'));
        let offset = lexer.at;
        let kind = lexer.next()?;
        let is_end = kind == TokenKind::End;
        tokens.push(Token { offset, kind });
        if is_end {
            return Ok(tokens);
        }
    }
}

/// Whether `ch` may start a key without backticks.
pub(super) fn starts_word(ch: char) -> bool {
    ch.is_alphabetic() || ch == '_'
}

/// Whether `ch` may stand in a key without backticks.
pub(super) fn continues_word(ch: char) -> bool {
    ch.is_alphanumeric() || matches!(ch, '_' | '-' | '.')
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn next(&mut self) -> Result<TokenKind, FilterError> {
        let Some(first) = self.rest().chars().next() else { return Ok(TokenKind::End) };
        if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| self.rest().starts_with(symbol)) {
            self.at += symbol.len();
            return Ok(TokenKind::Symbol(symbol));
        }
        let second = self.rest()[first.len_utf8()..].chars().next();
        match first {
            '"' | '\'' => self.string(first).map(TokenKind::String),
            '`' => self.quoted_key().map(TokenKind::QuotedKey),
            '$' if second.is_some_and(|ch| ch.is_ascii_alphabetic() || ch == '_') => {
                self.at += 1;
                let name = self.skip_while(|ch| ch.is_ascii_alphanumeric() || ch == '_');
                Ok(TokenKind::Variable(name.to_owned()))
            }
            '0'..='9' => self.number(),
            '-' if second.is_some_and(|ch| ch.is_ascii_digit()) => self.number(),
            ch if starts_word(ch) => Ok(TokenKind::Word(self.skip_while(continues_word).to_owned())),
            character => Err(self.error(self.at, FilterErrorKind::UnknownCharacter { character })),
        }
    }

    fn string(&mut self, mark: char) -> Result<String, FilterError> {
        let start = self.at;
        self.at += 1;
        let mut value = String::new();
        loop {
            value += self.skip_while(|ch| ch != mark && ch != '\\');
            match self.rest().chars().next() {
                None => return Err(self.error(start, FilterErrorKind::Unclosed { mark })),
                Some('\\') => value.push(self.escape()?),
                Some(_) => {
                    self.at += 1;
                    return Ok(value);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, FilterError> {
        let start = self.at;
        self.at += 1;
        let escaped = self.rest().chars().next();
        self.at += escaped.map_or(0, char::len_utf8);
        match escaped {
            Some(ch @ ('"' | '\'' | '\\')) => Some(ch),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('u') => self.code(),
            _ => None,
        }
        .ok_or_else(|| self.error(start, FilterErrorKind::Escape))
    }

    /// The character of `{41}`, after `\u`.
    fn code(&mut self) -> Option<char> {
        self.at += self.rest().strip_prefix('{').map(|_| 1)?;
        let digits = self.skip_while(|ch| ch.is_ascii_hexdigit());
        self.at += self.rest().strip_prefix('}').map(|_| 1)?;
        u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
    }

    /// A key in backticks, where two of them stand for one.
    fn quoted_key(&mut self) -> Result<String, FilterError> {
        let start = self.at;
        self.at += 1;
        let mut key = String::new();
        loop {
            key += self.skip_while(|ch| ch != '`');
            if self.rest().is_empty() {
                return Err(self.error(start, FilterErrorKind::Unclosed { mark: '`' }));
            }
            self.at += 1;
            if !self.rest().starts_with('`') {
                break;
            }
            self.at += 1;
            key.push('`');
        }
        match key.is_empty() {
            true => Err(self.error(start, FilterErrorKind::EmptyKey)),
            false => Ok(key),
        }
    }

    /// `-?[0-9]+`, or with a fraction or an exponent a decimal.
    fn number(&mut self) -> Result<TokenKind, FilterError> {
        let start = self.at;
        let is_exponent = |before: Option<char>| matches!(before, Some('e' | 'E'));
        let mut before = None;
        let text = self.skip_while(|ch| {
            let belongs = match ch {
                '-' => before.is_none() || is_exponent(before),
                '+' => is_exponent(before),
                _ => ch == '.' || ch == '_' || ch.is_alphanumeric(),
            };
            before = Some(ch);
            belongs
        });
        let out_of_range = || self.error(start, FilterErrorKind::NumberRange { text: text.to_owned() });
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return text.parse().map(TokenKind::Integer).map_err(|_| out_of_range());
        }
        if !is_decimal(digits) {
            return Err(self.error(start, FilterErrorKind::Number { text: text.to_owned() }));
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(TokenKind::Decimal(value)),
            _ => Err(out_of_range()),
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_while(&mut self, mut belongs: impl FnMut(char) -> bool) -> &'a str {
        let rest = self.rest();
        let len = rest.find(|ch| !belongs(ch)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn error(&self, offset: usize, kind: FilterErrorKind) -> FilterError {
        FilterError::new(self.text, offset, kind)
    }
}

/// `[0-9]+(.[0-9]+)?([eE][+-]?[0-9]+)?`
fn is_decimal(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let is_exponent = exponent.is_none_or(|it| is_digits(it.strip_prefix(['+', '-']).unwrap_or(it)));
    let is_mantissa = match mantissa.split_once('.') {
        Some((whole, fraction)) => is_digits(whole) && is_digits(fraction),
        None => is_digits(mantissa),
    };
    is_mantissa && is_exponent
}
