//! From text to tree, by recursive descent.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use super::error::{QueryError, QueryErrorKind};
use super::pattern::{Wild, term_regex};
use super::scan::{self, Mode, Word, char_at, number_len};
use super::{
    Bound, Clause, Kind, MAX_BYTES, MAX_DEPTH, MAX_LEAVES, Node, Note, Occur, Operator, Query, Syntax,
};

/// Words that are taken as text, one after the other, before all of them are.
const MAX_REPAIRS: usize = 16;

/// Most regular expressions; compiling one can take a millisecond.
const MAX_REGEXES: usize = 16;

/// The regular expressions of a query, and why they do not compile.
type Regexes = RefCell<BTreeMap<String, Option<String>>>;

/// Largest distance after `"phrase"~`; anything longer than a chunk means the same.
const MAX_SLOP: u32 = 10_000;

/// Parses a query. Unless the syntax is strict, any text is one.
///
/// # Errors
///
/// In strict syntax, the first fault.
pub fn parse(text: &str, syntax: Syntax) -> Result<Query, QueryError> {
    let input = cut(text);
    let regexes = Regexes::default();
    let strict = Parser::new(input, Mode::Strict, syntax.operator, &[], &regexes).query();
    let mut notes = Vec::new();
    if syntax.is_strict {
        if input.len() < text.len() {
            let kind = QueryErrorKind::TooLong { limit: MAX_BYTES };
            return Err(QueryError::new(text, input.len(), input.len(), kind));
        }
        return Ok(Query { source: text.to_owned(), root: strict?.root, notes, is_question: false });
    }
    let parsed = tolerant(input, syntax.operator, &regexes);
    match strict.err().or(parsed.repaired) {
        // The latter is told below.
        None | Some(QueryError { kind: QueryErrorKind::TooMany { .. }, .. }) => {}
        Some(error) => notes.push(Note::Literal(error)),
    }
    if let Some(at) = parsed.cut_at.or((input.len() < text.len()).then_some(input.len())) {
        notes.push(Note::TooLong { at });
    }
    let Parsed { root, is_question, .. } = parsed;
    Ok(Query { source: input.to_owned(), root, notes, is_question })
}

/// Reads a text as words, phrases, `+` and `-` only, all words optional that have no sign. Any text is such a query.
pub fn parse_as_words(text: &str) -> Query {
    let input = cut(text);
    let parsed = Parser::new(input, Mode::Literal, Operator::Or, &[], &Regexes::default()).query();
    let root = parsed.unwrap_or_default().root;
    Query { source: input.to_owned(), root, notes: Vec::new(), is_question: false }
}

/// The beginning of `text` of at most [`MAX_BYTES`].
fn cut(text: &str) -> &str {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Takes words as text until the rest parses, at last all of them.
fn tolerant(input: &str, operator: Operator, regexes: &Regexes) -> Parsed {
    let mut literal: Vec<Range<usize>> = Vec::new();
    let mut repaired = None;
    for _ in 0..MAX_REPAIRS {
        match Parser::new(input, Mode::Lenient, operator, &literal, regexes).query() {
            Ok(parsed) => return Parsed { repaired, ..parsed },
            Err(QueryError { kind: QueryErrorKind::TooMany { .. }, .. }) => break,
            Err(error) if literal.contains(&error.culprit) || error.culprit.is_empty() => break,
            Err(error) => {
                let place = literal.partition_point(|it| it.start < error.culprit.start);
                literal.insert(place, error.culprit.clone());
                repaired.get_or_insert(error);
            }
        }
    }
    // In this mode everything parses.
    let parsed = Parser::new(input, Mode::Literal, operator, &[], regexes).query().unwrap_or_default();
    Parsed { repaired, ..parsed }
}

/// What a parser made.
#[derive(Default)]
struct Parsed {
    root: Option<Node>,
    /// Where the rest begins that is left out.
    cut_at: Option<usize>,
    is_question: bool,
    /// The first fault that was taken as text.
    repaired: Option<QueryError>,
}

struct Parser<'a> {
    input: &'a str,
    at: usize,
    mode: Mode,
    operator: Operator,
    /// Words to take as text, ascending.
    literal: &'a [Range<usize>],
    regexes: &'a Regexes,
    depth: usize,
    n_leaves: usize,
    /// Whether anything says that this is no plain question.
    has_operators: bool,
    names_fields: bool,
    /// No quote stands behind this byte without a partner; so that odd quotes are looked for once.
    no_quote_from: usize,
}

type Result<T, E = QueryError> = std::result::Result<T, E>;

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
    fn new(
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

    fn query(mut self) -> Result<Parsed> {
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

    /// Takes `*:*`.
    fn everything(&mut self) -> Result<Node> {
        let start = self.at;
        let end = start + 3;
        let is_end = |c: char| c.is_whitespace() || matches!(c, ')' | '^');
        if !self.input[start..].starts_with("*:*") || !char_at(self.input, end).is_none_or(is_end) {
            return Err(self.unexpected(start + 1));
        }
        self.has_operators = true;
        self.at = end;
        self.leaf(Kind::All, start)
    }

    /// Takes a phrase, whose closing quote is known to be there, and its slop.
    fn phrase(&mut self) -> Result<Node> {
        let start = self.at;
        self.at += 1;
        let text = self.quoted()?;
        let mut slop = 0;
        if self.peek() == Some('~') {
            let length = number_len(&self.input[self.at + 1..]);
            let number = &self.input[self.at + 1..][..length];
            let follows = char_at(self.input, self.at + 1 + length);
            if self.mode == Mode::Strict
                || length > 0
                || follows.is_none_or(|c| c.is_whitespace() || c == ')')
            {
                if number.contains('.') {
                    return Err(QueryError::new(self.input, self.at, self.at, QueryErrorKind::Slop));
                }
                let too_far = if number.is_empty() { 0 } else { MAX_SLOP };
                slop = number.parse().unwrap_or(too_far).min(MAX_SLOP);
                self.at += 1 + length;
            }
        }
        self.has_operators |= slop > 0;
        self.leaf(Kind::Phrase { text, slop }, start)
    }

    /// Takes text up to and with the closing quote.
    fn quoted(&mut self) -> Result<String> {
        let (start, mut text) = (self.at, String::new());
        while let Some(c) = self.peek() {
            if c == '"' {
                self.at += 1;
                break;
            }
            let (taken, end) = if c == '\\' {
                let is_first = self.input[..self.at].ends_with(char::is_whitespace) || self.at == start;
                scan::escape(self.input, self.at, self.mode, is_first)
                    .map_err(|(at, kind)| QueryError::new(self.input, at, at, kind))?
            } else {
                (c, self.at + c.len_utf8())
            };
            text.push(taken);
            self.at = end;
        }
        Ok(text)
    }

    /// Whether the quote here has a partner.
    fn has_partner(&mut self) -> bool {
        if self.at >= self.no_quote_from {
            return false;
        }
        let has = closing(self.input, self.at + 1, '"').is_some();
        if !has {
            self.no_quote_from = self.at;
        }
        has
    }

    /// Takes `/pattern/`; `None` where the slash begins a path.
    fn regex(&mut self) -> Result<Option<Node>> {
        let start = self.at;
        let end = closing(self.input, start + 1, '/');
        let is_text = |end: usize| {
            let follows = char_at(self.input, end + 1);
            end == start + 1 || !follows.is_none_or(|c| c.is_whitespace() || matches!(c, ')' | '^'))
        };
        let end = match end {
            Some(end) if self.mode == Mode::Strict || !is_text(end) => end,
            _ if self.mode != Mode::Strict => return Ok(None),
            _ => {
                let kind = QueryErrorKind::Unclosed { mark: '/' };
                return Err(QueryError::new(self.input, start, start, kind));
            }
        };
        let pattern = self.input[start + 1..end].replace("\\/", "/");
        if let Some(kind) = self.fault_of(&pattern) {
            return Err(QueryError::new(self.input, start, start, kind));
        }
        self.has_operators = true;
        self.at = end + 1;
        self.leaf(Kind::Regex(pattern), start).map(Some)
    }

    /// Why a regular expression cannot be searched for.
    fn fault_of(&self, pattern: &str) -> Option<QueryErrorKind> {
        if pattern.is_empty() {
            return Some(QueryErrorKind::Unexpected { found: "'//'".to_owned() });
        }
        let mut regexes = self.regexes.borrow_mut();
        if !regexes.contains_key(pattern) {
            if regexes.len() == MAX_REGEXES {
                return Some(QueryErrorKind::TooManyRegexes { limit: MAX_REGEXES });
            }
            regexes.insert(pattern.to_owned(), term_regex(pattern).err());
        }
        let detail = regexes.get(pattern)?.clone()?;
        Some(QueryErrorKind::Regex { detail })
    }

    /// Takes `[low TO high]`; each bracket may be `{` or `}`, which leaves its bound out.
    fn range(&mut self) -> Result<Node> {
        let start = self.at;
        let wrong = |input: &str| QueryError::new(input, start, start, QueryErrorKind::Range);
        let excludes_low = self.peek() == Some('{');
        self.at += 1;
        let low = self.bound(start)?.ok_or_else(|| wrong(self.input))?;
        self.skip_space();
        let to = self.bound(start)?;
        let is_to = to == Some(Some("TO".to_owned())) && self.input[..self.at].ends_with("TO");
        self.skip_space();
        let high = self.bound(start)?.filter(|_| is_to).ok_or_else(|| wrong(self.input))?;
        self.skip_space();
        let excludes_high = match self.peek() {
            Some(']') => false,
            Some('}') => true,
            _ => return Err(wrong(self.input)),
        };
        self.at += 1;
        self.has_operators = true;
        let bound = |value: Option<String>, excludes| match value {
            None => Bound::Open,
            Some(value) if excludes => Bound::Excluding(value),
            Some(value) => Bound::Including(value),
        };
        let kind = Kind::Range { low: bound(low, excludes_low), high: bound(high, excludes_high) };
        self.leaf(kind, start)
    }

    /// Takes a bound: `Some(None)` for `*`, `None` when nothing stands there.
    fn bound(&mut self, open: usize) -> Result<Option<Option<String>>> {
        self.skip_space();
        if self.peek() == Some('"') {
            if !self.has_partner() {
                return Err(QueryError::new(
                    self.input,
                    self.at,
                    open,
                    QueryErrorKind::Unclosed { mark: '"' },
                ));
            }
            self.at += 1;
            return Ok(Some(Some(self.quoted()?)));
        }
        let (start, mut text) = (self.at, String::new());
        while let Some(c) = self.peek().filter(|c| !c.is_whitespace() && !matches!(c, ']' | '}')) {
            let (taken, end) = if c == '\\' {
                scan::escape(self.input, self.at, self.mode, self.at == start)
                    .map_err(|(at, kind)| QueryError::new(self.input, at, open, kind))?
            } else {
                (c, self.at + c.len_utf8())
            };
            text.push(taken);
            self.at = end;
        }
        Ok(match &self.input[start..self.at] {
            "" => None,
            "*" => Some(None),
            _ => Some(Some(text)),
        })
    }

    /// Takes `~` and its number behind a word.
    fn fuzzy(&mut self, kind: Kind) -> Result<Kind> {
        let tilde = self.at;
        let length = number_len(&self.input[tilde + 1..]);
        let number = &self.input[tilde + 1..][..length];
        self.at += 1 + length;
        let text = match kind {
            Kind::Term(text) => text,
            // As in Lucene, a pattern has no distance.
            other => return Ok(other),
        };
        // Lucene's `FuzzyQuery.floatToEdits`: below 1 it is a similarity, whole numbers are edits, at most 2.
        let distance = match number.parse::<f64>() {
            Err(_) => 2.0,
            Ok(similarity) if similarity < 1.0 && similarity > 0.0 => {
                (1.0 - similarity) * text.chars().count() as f64
            }
            Ok(edits) if edits.fract() == 0.0 => edits,
            Ok(_) => return Err(QueryError::new(self.input, tilde, tilde, QueryErrorKind::Distance)),
        };
        Ok(Kind::Fuzzy { text, distance: distance.min(2.0) as u8 })
    }

    /// Takes `^` and its number, and `~` behind it where Lucene has it so.
    fn boost(&mut self, node: &mut Node) -> Result<()> {
        if self.peek() != Some('^') {
            return Ok(());
        }
        let caret = self.at;
        let length = number_len(&self.input[caret + 1..]);
        let factor = self.input[caret + 1..][..length].parse::<f32>().ok().filter(|it| it.is_finite());
        let Some(factor) = factor else {
            return Err(QueryError::new(self.input, caret, caret, QueryErrorKind::Boost));
        };
        self.at = caret + 1 + length;
        if let (Some('~'), Kind::Term(_)) = (self.peek(), &node.kind) {
            let kind = std::mem::replace(&mut node.kind, Kind::All);
            node.kind = self.fuzzy(kind)?;
        }
        self.has_operators = true;
        node.span.end = self.at;
        let inner = Box::new(node.clone());
        node.kind = Kind::Boost { factor, inner };
        Ok(())
    }

    fn leaf(&mut self, kind: Kind, start: usize) -> Result<Node> {
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

    fn unexpected(&self, at: usize) -> QueryError {
        let found = match char_at(self.input, at) {
            None => "end".to_owned(),
            Some(_) => match self.keyword() {
                Some(word) if at == self.at => word.to_owned(),
                _ => char_at(self.input, at).map_or_else(String::new, |c| format!("'{c}'")),
            },
        };
        QueryError::new(self.input, at, at, QueryErrorKind::Unexpected { found })
    }

    fn skip_space(&mut self) {
        let rest = &self.input[self.at..];
        self.at += rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
    }

    fn peek(&self) -> Option<char> {
        char_at(self.input, self.at)
    }
}

/// The byte of the next `mark` at or behind `from` that no backslash stands before.
fn closing(input: &str, from: usize, mark: char) -> Option<usize> {
    let mut chars = input[from..].char_indices();
    while let Some((offset, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == mark {
            return Some(from + offset);
        }
    }
    None
}

/// What a word without a suffix looks for.
fn kind_of(word: &Word) -> Kind {
    let is_char = |part: &Wild| matches!(part, Wild::Char(_));
    match word.parts.as_slice() {
        [Wild::Any] => Kind::Exists,
        parts if parts.iter().all(is_char) => Kind::Term(word.text()),
        [beginning @ .., Wild::Any] if beginning.iter().all(is_char) => {
            Kind::Prefix(scan::text_of(beginning))
        }
        parts => Kind::Wildcard(parts.to_vec()),
    }
}

/// What a pattern is when the question marks at its end end a question: its text; `None` for other patterns.
fn question(parts: &[Wild]) -> Option<String> {
    let n_marks = parts.iter().rev().take_while(|part| **part == Wild::One).count();
    let text = &parts[..parts.len() - n_marks];
    let is_text = text.iter().all(|part| matches!(part, Wild::Char(_)));
    is_text.then(|| scan::text_of(if text.is_empty() { parts } else { text }))
}

/// Makes question marks at the ends of words punctuation, in a question; those that stand alone always are.
pub(super) fn settle_questions(node: &mut Node, is_question: bool) {
    match &mut node.kind {
        Kind::Wildcard(parts) => {
            let is_alone = parts.iter().all(|part| *part == Wild::One);
            if let Some(text) = question(parts).filter(|_| is_question || is_alone) {
                node.kind = Kind::Term(text);
            }
        }
        Kind::Field { inner, .. } | Kind::Boost { inner, .. } => settle_questions(inner, is_question),
        Kind::Group(clauses) => {
            clauses.iter_mut().for_each(|clause| settle_questions(&mut clause.node, is_question));
        }
        _ => {}
    }
}
