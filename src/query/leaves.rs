//! What stands in a clause: phrases, regular expressions, ranges, and what follows words.

use super::error::{QueryError, QueryErrorKind};
use super::parser::{Parser, Result};
use super::pattern::{Wild, term_regex};
use super::scan::{self, Mode, Word, char_at, number_len};
use super::{Bound, Kind, Node};

/// Most regular expressions; compiling the largest takes some 5 ms.
const MAX_REGEXES: usize = 8;

/// Largest distance after `"phrase"~`; anything longer than a chunk means the same.
const MAX_SLOP: u32 = 10_000;

impl Parser<'_> {
    /// Takes `*:*`.
    pub(super) fn everything(&mut self) -> Result<Node> {
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
    pub(super) fn phrase(&mut self) -> Result<Node> {
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
    pub(super) fn has_partner(&mut self) -> bool {
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
    pub(super) fn regex(&mut self) -> Result<Option<Node>> {
        let start = self.at;
        let end = closing(self.input, start + 1, '/');
        let is_text = |end: usize| {
            let follows = char_at(self.input, end + 1);
            // No word has white space in it.
            let holds_space = self.input[start..end].contains(char::is_whitespace);
            holds_space
                || end == start + 1
                || !follows.is_none_or(|c| c.is_whitespace() || matches!(c, ')' | '^'))
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
    pub(super) fn range(&mut self) -> Result<Node> {
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
    pub(super) fn fuzzy(&mut self, kind: Kind) -> Result<Kind> {
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
    pub(super) fn boost(&mut self, node: &mut Node) -> Result<()> {
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
pub(super) fn kind_of(word: &Word) -> Kind {
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
