//! From text to tree, by recursive descent: groups, operators, words and fields.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use super::error::{QueryError, QueryErrorKind};
use super::leaves::kind_of;
use super::parse::{question, settle_questions};
use super::scan::{self, Mode, Word, char_at};
use super::{Clause, Kind, MAX_DEPTH, MAX_LEAVES, Node, Occur, Operator};

/// The regular expressions of a query, and why they do not compile.
pub(super) type Regexes = RefCell<BTreeMap<String, Option<String>>>;

/// What a parser made.
#[derive(Default)]
pub(super) struct Parsed {
    pub(super) root: Option<Node>,
    /// Where the rest begins that is left out.
    pub(super) cut_at: Option<usize>,
    pub(super) is_question: bool,
    /// The first fault that was taken as text.
    pub(super) repaired: Option<QueryError>,
}

pub(super) struct Parser<'a> {
    pub(super) input: &'a str,
    pub(super) at: usize,
    pub(super) mode: Mode,
    operator: Operator,
    /// Words to take as text, ascending.
    literal: &'a [Range<usize>],
    pub(super) regexes: &'a Regexes,
    depth: usize,
    n_leaves: usize,
    /// Whether anything says that this is no plain question.
    pub(super) has_operators: bool,
    names_fields: bool,
    /// No quote stands behind this byte without a partner; so that odd quotes are looked for once.
    pub(super) no_quote_from: usize,
}

pub(super) type Result<T, E = QueryError> = std::result::Result<T, E>;

/// What joins a clause to the one before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conjunction {
    None,
    And,
    Or,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    None,
    Plus,
    Minus,
}

impl<'a> Parser<'a> {
    pub(super) fn new(
        input: &'a str,
        mode: Mode,
        operator: Operator,
        literal: &'a [Range<usize>],
        regexes: &'a Regexes,
    ) -> Self {
        Self {
            input,
            at: 0,
            mode,
            operator,
            literal,
            regexes,
            depth: 0,
            n_leaves: 0,
            has_operators: false,
            names_fields: false,
            no_quote_from: usize::MAX,
        }
    }

    pub(super) fn query(mut self) -> Result<Parsed> {
        let mut root = self.group(None)?;
        let is_question = self.mode == Mode::Lenient && self.n_leaves > 1 && !self.has_operators;
        if self.mode == Mode::Lenient {
            root.iter_mut().for_each(|root| settle_questions(root, is_question && !self.names_fields));
        }
        let cut_at = (self.at < self.input.len()).then_some(self.at);
        Ok(Parsed { root, cut_at, is_question, repaired: None })
    }

    /// Takes clauses up to the end or to the bracket that closes the group opened at byte `open`.
    fn group(&mut self, open: Option<usize>) -> Result<Option<Node>> {
        let mut clauses: Vec<Clause> = Vec::new();
        let mut is_signed = false;
        loop {
            self.skip_space();
            match self.peek() {
                None => match open {
                    Some(open) => {
                        let kind = QueryErrorKind::Unclosed { mark: ')' };
                        return Err(QueryError::new(self.input, open, open, kind));
                    }
                    None => break,
                },
                Some(')') if self.mode != Mode::Literal && self.literal_end().is_none() => {
                    if open.is_none() {
                        return Err(self.unexpected(self.at));
                    }
                    self.at += 1;
                    break;
                }
                Some(_) => {}
            }
            if self.mode == Mode::Literal && self.n_leaves == MAX_LEAVES {
                break;
            }
            let (conjunction, after) = self.conjunction();
            if conjunction != Conjunction::None && clauses.is_empty() {
                self.at = after.start;
                return Err(self.unexpected(after.start));
            }
            let (sign, after) = self.sign(after)?;
            if self.peek().is_none_or(|c| c == ')' && self.mode != Mode::Literal) && !after.is_empty() {
                let kind = QueryErrorKind::Missing { after: self.input[after.clone()].to_owned() };
                return Err(QueryError::new(self.input, self.at, after.start, kind));
            }
            let node = self.clause(None)?;
            is_signed |= sign != Sign::None;
            self.add(&mut clauses, conjunction, sign, node);
        }
        let start = open.or_else(|| clauses.first().map(|clause| clause.node.span.start));
        let Some(start) = start else { return Ok(None) };
        if clauses.is_empty() {
            return Err(QueryError::new(self.input, start, start, QueryErrorKind::EmptyGroup));
        }
        let end = if open.is_some() { self.at } else { clauses.last().map_or(start, |it| it.node.span.end) };
        if clauses.len() == 1 && !is_signed {
            return Ok(clauses.pop().map(|clause| clause.node));
        }
        Ok(Some(Node::new(Kind::Group(clauses), start..end)))
    }

    /// Adds a clause by the rules of Lucene's classic parser.
    fn add(&self, clauses: &mut Vec<Clause>, conjunction: Conjunction, sign: Sign, node: Node) {
        if let Some(last) = clauses.last_mut().filter(|last| last.occur != Occur::MustNot) {
            match (conjunction, self.operator) {
                (Conjunction::And, _) => last.occur = Occur::Must,
                (Conjunction::Or, Operator::And) => last.occur = Occur::Should,
                _ => {}
            }
        }
        let is_required = match self.operator {
            Operator::Or => sign == Sign::Plus || conjunction == Conjunction::And,
            Operator::And => conjunction != Conjunction::Or,
        };
        let occur = match sign {
            Sign::Minus => Occur::MustNot,
            _ if is_required => Occur::Must,
            _ => Occur::Should,
        };
        clauses.push(Clause { occur, node });
    }

    /// Takes `AND`, `OR`, `&&` or `||`, and gives its place.
    fn conjunction(&mut self) -> (Conjunction, Range<usize>) {
        let start = self.at;
        let found = match self.keyword() {
            Some("AND" | "&&") => Conjunction::And,
            Some("OR" | "||") => Conjunction::Or,
            _ => return (Conjunction::None, start..start),
        };
        self.has_operators = true;
        self.at += if self.input[start..].starts_with("AND") { 3 } else { 2 };
        let end = self.at;
        self.skip_space();
        (found, start..end)
    }

    /// The operator that is spelt as a word here.
    fn keyword(&self) -> Option<&'a str> {
        if self.mode == Mode::Literal || self.literal_end().is_some() {
            return None;
        }
        let rest = &self.input[self.at..];
        let word = ["AND", "OR", "NOT", "&&", "||"].into_iter().find(|word| rest.starts_with(word))?;
        // Longer words only begin so; what ends one in strict mode ends this.
        let end = scan::word(self.input, self.at, Mode::Strict).map_or(0, |word| word.end);
        (end == self.at + word.len()).then_some(word)
    }

    /// Takes `+`, `-`, `!` or `NOT`; gives the place of the operator that now wants an operand.
    fn sign(&mut self, after: Range<usize>) -> Result<(Sign, Range<usize>)> {
        let start = self.at;
        if self.keyword() == Some("NOT") {
            self.has_operators = true;
            self.at += 3;
            self.skip_space();
            return Ok((Sign::Minus, start..start + 3));
        }
        let sign = match self.peek() {
            Some('+') => Sign::Plus,
            Some('-') => Sign::Minus,
            Some('!') if self.mode != Mode::Literal => Sign::Minus,
            _ => return Ok((Sign::None, after)),
        };
        if self.is_bare_sign() || self.literal_end().is_some() {
            return Ok((Sign::None, after));
        }
        let next = char_at(self.input, start + 1);
        let is_text = match self.mode {
            Mode::Strict => false,
            // `--option`, `!=`
            Mode::Lenient => matches!(next, Some('+' | '-' | '!')) || self.input[start..].starts_with("!="),
            Mode::Literal => next == self.peek(),
        };
        if is_text {
            return Ok((Sign::None, after));
        }
        self.has_operators = true;
        self.at += 1;
        Ok((sign, start..self.at))
    }

    /// Whether a sign stands here alone, which makes it a word.
    fn is_bare_sign(&self) -> bool {
        let is_end = |c: char| c.is_whitespace() || (c == ')' && self.mode != Mode::Literal);
        matches!(self.peek(), Some('+' | '-' | '!')) && char_at(self.input, self.at + 1).is_none_or(is_end)
    }

    /// Takes one operand with what stands behind it; `field` when one is named already.
    fn clause(&mut self, field: Option<&str>) -> Result<Node> {
        let start = self.at;
        if let Some(end) = self.literal_end() {
            self.at = end;
            return self.leaf(Kind::Term(self.input[start..end].to_owned()), start);
        }
        let mut node = match self.peek() {
            Some('"') if self.has_partner() => self.phrase()?,
            Some('"') if self.mode != Mode::Literal => {
                let kind = QueryErrorKind::Unclosed { mark: '"' };
                return Err(QueryError::new(self.input, start, start, kind));
            }
            // An odd quote in literal mode holds nothing.
            Some('"') => {
                self.at += 1;
                self.leaf(Kind::Phrase { text: String::new(), slop: 0 }, start)?
            }
            _ if self.mode == Mode::Literal => self.word(field)?,
            Some('(') => {
                self.deeper(start)?;
                self.at += 1;
                let group = self.group(Some(start))?;
                self.depth -= 1;
                let Some(mut group) = group else {
                    return Err(QueryError::new(self.input, start, start, QueryErrorKind::EmptyGroup));
                };
                group.span = start..self.at;
                group
            }
            Some('[' | '{') => self.range()?,
            Some('/') => match self.regex()? {
                Some(node) => node,
                None => self.word(field)?,
            },
            Some('*') if self.input[start + 1..].starts_with(':') => self.everything()?,
            _ => self.word(field)?,
        };
        // A boost behind a field's operand belongs to the operand, which has taken it.
        if self.mode != Mode::Literal {
            self.boost(&mut node)?;
        }
        Ok(node)
    }

    /// Takes a word: a term, a pattern, or a field with its operand.
    fn word(&mut self, field: Option<&str>) -> Result<Node> {
        let start = self.at;
        if self.is_bare_sign() {
            self.at += 1;
            return self.leaf(Kind::Term(self.input[start..self.at].to_owned()), start);
        }
        if self.keyword().is_some() {
            return Err(self.unexpected(start));
        }
        let word = scan::word(self.input, start, self.mode)
            .map_err(|(at, kind)| QueryError::new(self.input, at, at, kind))?;
        if word.end == start {
            return Err(self.unexpected(start));
        }
        self.at = word.end;
        if self.peek() == Some(':') && self.mode != Mode::Literal {
            return self.field(field, &word, start);
        }
        let mut kind = kind_of(&word);
        if self.mode != Mode::Literal && self.peek() == Some('~') {
            kind = self.fuzzy(kind)?;
        }
        let is_plain = match &kind {
            Kind::Term(_) => true,
            Kind::Wildcard(parts) => question(parts).is_some(),
            _ => false,
        };
        self.has_operators |= !is_plain;
        self.leaf(kind, start)
    }

    /// Takes the operand of the field that `word` names; the colon is next.
    fn field(&mut self, outer: Option<&str>, word: &Word, start: usize) -> Result<Node> {
        if outer.is_some() {
            return Err(QueryError::new(self.input, self.at, start, QueryErrorKind::NestedField));
        }
        if word.has_wildcards() {
            return Err(self.unexpected(self.at));
        }
        self.deeper(start)?;
        self.at += 1;
        let after = start..self.at;
        self.skip_space();
        if self.peek().is_none_or(|c| c == ')') {
            let kind = QueryErrorKind::Missing { after: self.input[after].to_owned() };
            return Err(QueryError::new(self.input, self.at, start, kind));
        }
        self.names_fields = true;
        let name = word.text();
        let inner = Box::new(self.clause(Some(&name))?);
        self.depth -= 1;
        Ok(Node::new(Kind::Field { name, inner }, start..self.at))
    }

    pub(super) fn leaf(&mut self, kind: Kind, start: usize) -> Result<Node> {
        if self.n_leaves == MAX_LEAVES {
            let kind = QueryErrorKind::TooMany { limit: MAX_LEAVES };
            return Err(QueryError::new(self.input, start, start, kind));
        }
        self.n_leaves += 1;
        Ok(Node::new(kind, start..self.at))
    }

    fn deeper(&mut self, start: usize) -> Result<()> {
        if self.depth == MAX_DEPTH {
            let kind = QueryErrorKind::TooDeep { limit: MAX_DEPTH };
            return Err(QueryError::new(self.input, start, start, kind));
        }
        self.depth += 1;
        Ok(())
    }

    /// The end of the word here that is to be taken as text.
    fn literal_end(&self) -> Option<usize> {
        let found = self.literal.binary_search_by(|it| it.start.cmp(&self.at)).ok()?;
        self.literal.get(found).map(|it| it.end)
    }

    pub(super) fn unexpected(&self, at: usize) -> QueryError {
        let found = match char_at(self.input, at) {
            None => "end".to_owned(),
            Some(_) => match self.keyword() {
                Some(word) if at == self.at => word.to_owned(),
                _ => char_at(self.input, at).map_or_else(String::new, |c| format!("'{c}'")),
            },
        };
        QueryError::new(self.input, at, at, QueryErrorKind::Unexpected { found })
    }

    pub(super) fn skip_space(&mut self) {
        let rest = &self.input[self.at..];
        self.at += rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
    }

    pub(super) fn peek(&self) -> Option<char> {
        char_at(self.input, self.at)
    }
}
