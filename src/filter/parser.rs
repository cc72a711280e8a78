//! From tokens to the tree: recursive descent with a depth limit.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::filter::lexer::{Token, TokenKind, tokens};
use crate::filter::{Filter, FilterError, FilterErrorKind, Key, Operator, Scalar};

/// Deepest nesting of brackets and NOTs. Chosen: far beyond what people write, far below what overflows a stack.
pub const MAX_DEPTH: usize = 100;

/// Values by the names that `$name` refers to.
pub type Bindings = BTreeMap<String, Value>;

/// Words of the language, which stand for themselves in any case; as keys they need backticks.
const WORDS: [&str; 17] = [
    "AND",
    "OR",
    "NOT",
    "IN",
    "IS",
    "NULL",
    "CONTAINS",
    "STARTS",
    "ENDS",
    "WITH",
    "LIKE",
    "HAS",
    "IEQUALS",
    "ICONTAINS",
    "TRUE",
    "FALSE",
    "LABEL",
];

/// Parses a filter; `$name` stands for the value bound to it, whatever that looks like.
///
/// ```
/// use ragctl::filter::{Bindings, parse};
///
/// let bindings = Bindings::from([("who".to_owned(), "x\" OR \"\" = \"".into())]);
/// let filter = parse("owner = $who and not archived", &bindings)?;
/// assert_eq!(filter.to_string(), r#"owner = "x\" OR \"\" = \"" AND NOT archived = true"#);
///
/// let error = parse("owner == 1", &Bindings::new()).unwrap_err();
/// assert_eq!((error.line, error.column), (1, 8));
/// # Ok::<(), ragctl::filter::FilterError>(())
/// ```
///
/// # Errors
///
/// With the place: unknown characters, numbers beyond 64 bits, wrong syntax, nesting deeper than [`MAX_DEPTH`], and
/// names that are not bound or bound to something that does not fit.
pub fn parse(text: &str, bindings: &Bindings) -> Result<Filter, FilterError> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0, bindings };
    let filter = parser.or()?;
    match parser.peek() {
        TokenKind::End => Ok(filter),
        _ => Err(parser.expected("AND, OR or the end")),
    }
}

/// Whether `word` is a word of the language.
pub(super) fn is_reserved(word: &str) -> bool {
    WORDS.iter().any(|it| it.eq_ignore_ascii_case(word))
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    bindings: &'a Bindings,
}

impl Parser<'_> {
    fn or(&mut self) -> Result<Filter, FilterError> {
        let mut filters = vec![self.and()?];
        while self.accept_word("OR") {
            filters.push(self.and()?);
        }
        Ok(if filters.len() == 1 { filters.remove(0) } else { Filter::Or(filters) })
    }

    fn and(&mut self) -> Result<Filter, FilterError> {
        let mut filters = vec![self.not()?];
        while self.accept_word("AND") {
            filters.push(self.not()?);
        }
        Ok(if filters.len() == 1 { filters.remove(0) } else { Filter::And(filters) })
    }

    fn not(&mut self) -> Result<Filter, FilterError> {
        if self.accept_word("NOT") {
            return self.nested(|parser| Ok(Filter::Not(Box::new(parser.not()?))));
        }
        if self.accept_symbol("(") {
            let filter = self.nested(Self::or)?;
            self.need_symbol(")", "AND, OR or ')'")?;
            return Ok(filter);
        }
        if self.accept_word("LABEL") {
            return self.label();
        }
        let key = self.key()?;
        self.condition(key)
    }

    /// Runs `parse` one level deeper.
    fn nested<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, FilterError>,
    ) -> Result<T, FilterError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error_before(FilterErrorKind::TooDeep { limit: MAX_DEPTH }));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn label(&mut self) -> Result<Filter, FilterError> {
        const EXPECTED: &str = "a label in quotes";
        self.need_symbol("(", "'(' after LABEL")?;
        let values = self.list(|parser| match parser.scalar(EXPECTED)? {
            Scalar::String(label) => Ok(label),
            _ => Err(parser.before().wrong(parser.text, EXPECTED)),
        })?;
        Ok(Filter::Label(values))
    }

    fn key(&mut self) -> Result<Key, FilterError> {
        let key = match self.peek() {
            TokenKind::QuotedKey(name) => Key::of_name(name),
            TokenKind::Word(word) if is_reserved(word) => {
                return Err(self.error(FilterErrorKind::Reserved { word: word.clone() }));
            }
            TokenKind::Word(name) => Key::of_name(name),
            _ => return Err(self.expected("a key, NOT, LABEL or '('")),
        };
        self.at += 1;
        Ok(key)
    }

    /// What is said about `key`; nothing at all means that it is true.
    fn condition(&mut self, key: Key) -> Result<Filter, FilterError> {
        if self.accept_word("IS") {
            let is_negated = self.accept_word("NOT");
            if !self.accept_word("NULL") {
                return Err(self.expected(if is_negated { "NULL" } else { "NULL or NOT NULL" }));
            }
            return Ok(negate_if(is_negated, Filter::IsNull { key }));
        }
        if self.accept_word("NOT") {
            if !self.accept_word("IN") {
                return Err(self.expected("IN"));
            }
            return Ok(negate_if(true, Filter::In { key, values: self.values()? }));
        }
        if self.accept_word("IN") {
            return Ok(Filter::In { key, values: self.values()? });
        }
        match self.operator()? {
            Some(operator) => Ok(Filter::Compare { key, operator, value: self.scalar("a value")? }),
            None => Ok(Filter::Compare { key, operator: Operator::Equal, value: Scalar::Boolean(true) }),
        }
    }

    fn operator(&mut self) -> Result<Option<Operator>, FilterError> {
        for operator in Operator::ALL {
            let mut words = operator.symbol().split(' ');
            let first = words.next().unwrap_or_default();
            if !self.accept_symbol(first) && !self.accept_word(first) {
                continue;
            }
            return match words.next() {
                Some(second) if !self.accept_word(second) => Err(self.expected("WITH")),
                _ => Ok(Some(operator)),
            };
        }
        Ok(None)
    }

    /// The list after IN: in brackets, or bound as a whole.
    fn values(&mut self) -> Result<Vec<Scalar>, FilterError> {
        if let TokenKind::Variable(name) = self.peek().clone() {
            let expected = "a list of strings, numbers and booleans";
            let wrong = FilterErrorKind::Binding { name: name.clone(), expected };
            let Value::Array(values) = self.bound(&name)? else { return Err(self.error(wrong)) };
            let values =
                values.iter().map(scalar_of).collect::<Option<_>>().ok_or_else(|| self.error(wrong))?;
            self.at += 1;
            return Ok(values);
        }
        self.need_symbol("(", "'(' or a bound list after IN")?;
        if self.accept_symbol(")") {
            return Ok(Vec::new());
        }
        self.list(|parser| parser.scalar("a value"))
    }

    /// One or more items up to the closing bracket.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T, FilterError>) -> Result<Vec<T>, FilterError> {
        let mut items = vec![item(self)?];
        while self.accept_symbol(",") {
            items.push(item(self)?);
        }
        self.need_symbol(")", "',' or ')'")?;
        Ok(items)
    }

    fn scalar(&mut self, expected: &'static str) -> Result<Scalar, FilterError> {
        let scalar = match self.peek() {
            TokenKind::String(value) => Scalar::String(value.clone()),
            TokenKind::Integer(value) => Scalar::Integer(*value),
            TokenKind::Decimal(value) => Scalar::Decimal(*value),
            TokenKind::Word(word) if word.eq_ignore_ascii_case("TRUE") => Scalar::Boolean(true),
            TokenKind::Word(word) if word.eq_ignore_ascii_case("FALSE") => Scalar::Boolean(false),
            TokenKind::Word(word) if word.eq_ignore_ascii_case("NULL") => {
                return Err(self.error(FilterErrorKind::Null));
            }
            TokenKind::Variable(name) => {
                let expected = "a string, a number of 64 bits or a boolean";
                let wrong = FilterErrorKind::Binding { name: name.clone(), expected };
                scalar_of(self.bound(name)?).ok_or_else(|| self.error(wrong))?
            }
            _ => return Err(self.expected(expected)),
        };
        self.at += 1;
        Ok(scalar)
    }

    fn bound(&self, name: &str) -> Result<&Value, FilterError> {
        self.bindings.get(name).ok_or_else(|| self.error(FilterErrorKind::Unbound { name: name.to_owned() }))
    }

    /// The token to read next; the last one is the end, which is never passed.
    fn peek(&self) -> &TokenKind {
        &self.current().kind
    }

    fn current(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn before(&self) -> &Token {
        &self.tokens[self.at.saturating_sub(1)]
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let is_word = matches!(self.peek(), TokenKind::Word(it) if it.eq_ignore_ascii_case(word));
        self.at += usize::from(is_word);
        is_word
    }

    fn accept_symbol(&mut self, symbol: &str) -> bool {
        let is_symbol = matches!(self.peek(), TokenKind::Symbol(it) if *it == symbol);
        self.at += usize::from(is_symbol);
        is_symbol
    }

    fn need_symbol(&mut self, symbol: &str, expected: &'static str) -> Result<(), FilterError> {
        match self.accept_symbol(symbol) {
            true => Ok(()),
            false => Err(self.expected(expected)),
        }
    }

    fn expected(&self, expected: &'static str) -> FilterError {
        self.current().wrong(self.text, expected)
    }

    fn error(&self, kind: FilterErrorKind) -> FilterError {
        FilterError::new(self.text, self.current().offset, kind)
    }

    fn error_before(&self, kind: FilterErrorKind) -> FilterError {
        FilterError::new(self.text, self.before().offset, kind)
    }
}

impl Token {
    /// The error that this token is not what was expected.
    fn wrong(&self, text: &str, expected: &'static str) -> FilterError {
        let found = match &self.kind {
            TokenKind::Word(word) => format!("'{word}'"),
            TokenKind::QuotedKey(key) => format!("the key '{key}'"),
            TokenKind::String(_) => "a string".to_owned(),
            TokenKind::Integer(_) | TokenKind::Decimal(_) => "a number".to_owned(),
            TokenKind::Variable(name) => format!("${name}"),
            TokenKind::Symbol(symbol) => format!("'{symbol}'"),
            TokenKind::End => "the end".to_owned(),
        };
        FilterError::new(text, self.offset, FilterErrorKind::Expected { expected, found })
    }
}

fn negate_if(is_negated: bool, filter: Filter) -> Filter {
    if is_negated { Filter::Not(Box::new(filter)) } else { filter }
}

/// The scalar that a bound JSON value is; `None` for null, lists, objects and integers beyond 64 bits with a sign.
fn scalar_of(value: &Value) -> Option<Scalar> {
    match value {
        Value::String(text) => Some(Scalar::String(text.clone())),
        Value::Bool(value) => Some(Scalar::Boolean(*value)),
        Value::Number(number) if number.is_f64() => number.as_f64().map(Scalar::Decimal),
        Value::Number(number) => number.as_i64().map(Scalar::Integer),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
