//! Reading a query as its author most probably meant it.
//!
//! Lenient reading tries Lucene's grammar first, then takes word by word as text where it does not parse, and at last the
//! whole query as words.

use std::ops::Range;

use super::error::{QueryError, QueryErrorKind};
use super::parser::{Parsed, Parser, Regexes};
use super::pattern::Wild;
use super::scan::{self, Mode};
use super::{Kind, MAX_BYTES, Node, Note, Operator, Query, Syntax};
use crate::content::is_unspaced;

/// Words that are taken as text, one after the other, before all of them are.
const MAX_REPAIRS: usize = 16;

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

/// What a pattern is when the question marks at its end end a question: its text; `None` for other patterns.
pub(super) fn question(parts: &[Wild]) -> Option<String> {
    let n_marks = parts.iter().rev().take_while(|part| **part == Wild::One).count();
    let text = &parts[..parts.len() - n_marks];
    let is_text = text.iter().all(|part| matches!(part, Wild::Char(_)));
    is_text.then(|| scan::text_of(if text.is_empty() { parts } else { text }))
}

/// Makes question marks at the ends of words punctuation, in a question; those that stand alone always are, and those behind
/// scripts without spaces, where a question is one word.
pub(super) fn settle_questions(node: &mut Node, is_question: bool) {
    match &mut node.kind {
        Kind::Wildcard(parts) => {
            let is_alone = parts.iter().all(|part| *part == Wild::One);
            let ends_question = |text: &String| is_alone || text.ends_with(is_unspaced);
            if let Some(text) = question(parts).filter(|text| is_question || ends_question(text)) {
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
