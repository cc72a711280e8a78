//! Patterns: which tokens of the index a prefix, a wildcard, a regular expression, a fuzzy word or a range means.
//!
//! Patterns are matched against folded, unstemmed tokens: words, parts of identifiers and whole identifiers. The tokens
//! found are those that living rows hold, in their order, at most [`MAX_TOKENS`]; so they do not depend on segments.

use std::collections::BTreeMap;

use regex::Regex;
use tantivy::{
    SegmentReader, Term, postings::TermInfo, query::FuzzyTermQuery, schema::Field, termdict::TermDictionary,
};

use super::statistics::living_rows;
use crate::query::{Bound, Kind, Wild, term_regex};
use crate::store::embedded::analysis::{STEM_MARK, folded};

/// Most tokens that a pattern stands for in one field. Looking that many up takes some 10 ms; patterns that mean more
/// (`e*` in a large index) say little about what is wanted.
pub(super) const MAX_TOKENS: usize = 16_384;

/// A folded pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Pattern {
    /// Tokens that begin so.
    Prefix(String),
    /// Tokens of this shape.
    Wildcard(Vec<Wild>),
    /// Tokens that fit as a whole.
    Regex(String),
    /// Tokens within so many edits.
    Fuzzy(String, u8),
    /// Tokens between two bounds.
    Range(Bound, Bound),
}

impl Pattern {
    /// The pattern of a node; `None` for a node that is none.
    pub(super) fn of(kind: &Kind) -> Option<Self> {
        Some(match kind {
            Kind::Prefix(text) => Self::Prefix(folded(text)),
            Kind::Wildcard(parts) => Self::Wildcard(folded_parts(parts)),
            Kind::Regex(pattern) => Self::Regex(folded_regex(pattern)),
            Kind::Fuzzy { text, distance } => Self::Fuzzy(folded(text), *distance),
            Kind::Range { low, high } => Self::Range(folded_bound(low), folded_bound(high)),
            _ => return None,
        })
    }

    /// The pattern as it is typed, roughly, for messages.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Prefix(text) => format!("{text}*"),
            Self::Wildcard(parts) => parts
                .iter()
                .map(|part| match part {
                    Wild::Char(c) => *c,
                    Wild::One => '?',
                    Wild::Any => '*',
                })
                .collect(),
            Self::Regex(pattern) => format!("/{pattern}/"),
            Self::Fuzzy(text, distance) => format!("{text}~{distance}"),
            Self::Range(low, high) => {
                let text = |bound: &Bound| match bound {
                    Bound::Open => "*".to_owned(),
                    Bound::Including(text) | Bound::Excluding(text) => text.clone(),
                };
                format!("[{} TO {}]", text(low), text(high))
            }
        }
    }

    /// The pattern ready for matching.
    pub(super) fn matcher(&self) -> Matcher<'_> {
        match self {
            Self::Prefix(text) => Matcher::Prefix(text),
            Self::Wildcard(parts) => Matcher::Wildcard(parts),
            // It compiled when the query was parsed; folding can break it only in ways that match nothing.
            Self::Regex(pattern) => Matcher::Regex(term_regex(pattern).ok()),
            Self::Fuzzy(text, distance) => Matcher::Fuzzy(text.chars().collect(), *distance),
            Self::Range(low, high) => Matcher::Range(low, high),
        }
    }
}

/// A pattern ready for matching.
pub(super) enum Matcher<'a> {
    Prefix(&'a str),
    Wildcard(&'a [Wild]),
    Regex(Option<Regex>),
    Fuzzy(Vec<char>, u8),
    Range(&'a Bound, &'a Bound),
}

impl Matcher<'_> {
    /// How many edits away `token` is, at most 2; 0 for other patterns; `None` when it does not match.
    pub(super) fn distance(&self, token: &str) -> Option<u8> {
        let is_match = match self {
            Self::Prefix(text) => token.starts_with(text),
            Self::Wildcard(parts) => fits(token, parts),
            Self::Regex(regex) => regex.as_ref().is_some_and(|regex| regex.is_match(token)),
            Self::Fuzzy(text, limit) => {
                let distance = edits(text, token, *limit)?;
                // As in Lucene, something of the word has to stay.
                let shorter = text.len().min(token.chars().count());
                return (distance == 0 || usize::from(distance) < shorter).then_some(distance);
            }
            Self::Range(low, high) => {
                let is_above = match low {
                    Bound::Open => true,
                    Bound::Including(low) => token >= low.as_str(),
                    Bound::Excluding(low) => token > low.as_str(),
                };
                is_above
                    && match high {
                        Bound::Open => true,
                        Bound::Including(high) => token <= high.as_str(),
                        Bound::Excluding(high) => token < high.as_str(),
                    }
            }
        };
        is_match.then_some(0)
    }

    /// What every match begins with.
    fn beginning(&self) -> String {
        match self {
            Self::Prefix(text) => (*text).to_owned(),
            Self::Wildcard(parts) => parts
                .iter()
                .map_while(|part| match part {
                    Wild::Char(c) => Some(*c),
                    Wild::One | Wild::Any => None,
                })
                .collect(),
            Self::Regex(_) | Self::Fuzzy(..) | Self::Range(..) => String::new(),
        }
    }
}

/// A token that a pattern stands for.
pub(super) struct Expansion {
    pub(super) distance: u8,
    /// Living rows.
    pub(super) n_rows: u64,
    /// Segments that hold it.
    pub(super) infos: Vec<(usize, TermInfo)>,
}

/// The tokens of a field that a pattern stands for; whether some were left out.
pub(super) fn expand(
    segments: &[SegmentReader],
    field: Field,
    pattern: &Pattern,
) -> tantivy::Result<(Vec<Expansion>, bool)> {
    let matcher = pattern.matcher();
    let mut found: BTreeMap<String, Expansion> = BTreeMap::new();
    let mut is_cut = false;
    for (number, segment) in segments.iter().enumerate() {
        let index = segment.inverted_index(field)?;
        let mut n_found = 0;
        // The first tokens of all segments together are among the first of each.
        each_token(index.terms(), field, pattern, &matcher, |token, distance, info| {
            let n_rows = living_rows(segment, field, info)?;
            if n_rows == 0 {
                return Ok(true);
            }
            n_found += 1;
            if n_found > MAX_TOKENS {
                is_cut = true;
                return Ok(false);
            }
            let expansion = found.entry(token.to_owned()).or_insert_with(|| Expansion {
                distance,
                n_rows: 0,
                infos: Vec::new(),
            });
            expansion.n_rows += n_rows;
            expansion.infos.push((number, info.clone()));
            Ok(true)
        })?;
    }
    is_cut |= found.len() > MAX_TOKENS;
    Ok((found.into_values().take(MAX_TOKENS).collect(), is_cut))
}

/// Calls `take` with each matching token of a dictionary, in order, until it says stop.
fn each_token(
    terms: &TermDictionary,
    field: Field,
    pattern: &Pattern,
    matcher: &Matcher<'_>,
    mut take: impl FnMut(&str, u8, &TermInfo) -> tantivy::Result<bool>,
) -> tantivy::Result<()> {
    if let Pattern::Fuzzy(text, distance) = pattern {
        let query = FuzzyTermQuery::new(Term::from_field_text(field, text), *distance, true);
        let mut found = terms.search(query.automaton()?).into_stream()?;
        while found.advance() {
            let Ok(token) = std::str::from_utf8(found.key()) else { continue };
            let Some(distance) = matcher.distance(token) else { continue };
            if !take(token, distance, found.value())? {
                break;
            }
        }
        return Ok(());
    }
    let beginning = matcher.beginning();
    // Stems stand at the very beginning of fields that have them.
    let first = match (beginning.is_empty(), pattern) {
        (false, _) => beginning.clone(),
        (true, Pattern::Range(Bound::Including(low) | Bound::Excluding(low), _)) => low.clone(),
        (true, _) => char::from_u32(u32::from(STEM_MARK) + 1).map(String::from).unwrap_or_default(),
    };
    let mut range = terms.range().ge(&first);
    if let Pattern::Range(_, Bound::Including(high) | Bound::Excluding(high)) = pattern {
        range = range.le(high);
    }
    let mut found = range.into_stream()?;
    while found.advance() {
        let Ok(token) = std::str::from_utf8(found.key()) else { continue };
        if !token.starts_with(&beginning) {
            break;
        }
        if token.starts_with(STEM_MARK) {
            continue;
        }
        let Some(distance) = matcher.distance(token) else { continue };
        if !take(token, distance, found.value())? {
            break;
        }
    }
    Ok(())
}

fn folded_parts(parts: &[Wild]) -> Vec<Wild> {
    let (mut out, mut text) = (Vec::with_capacity(parts.len()), String::new());
    // Characters are folded together, since folding can join them.
    let flush = |text: &mut String, out: &mut Vec<Wild>| {
        out.extend(folded(text).chars().map(Wild::Char));
        text.clear();
    };
    for part in parts {
        match part {
            Wild::Char(c) => text.push(*c),
            Wild::One | Wild::Any => {
                flush(&mut text, &mut out);
                // Several `*` in a row mean one.
                if *part == Wild::One || out.last() != Some(&Wild::Any) {
                    out.push(*part);
                }
            }
        }
    }
    flush(&mut text, &mut out);
    out
}

/// Accents are folded; case is ignored by the expression itself, whose classes (`\W`) must keep theirs.
fn folded_regex(pattern: &str) -> String {
    let mut out = String::new();
    for c in pattern.chars() {
        if c.is_ascii() { out.push(c) } else { out.push_str(&folded(c.encode_utf8(&mut [0; 4]))) }
    }
    out
}

fn folded_bound(bound: &Bound) -> Bound {
    match bound {
        Bound::Open => Bound::Open,
        Bound::Including(text) => Bound::Including(folded(text)),
        Bound::Excluding(text) => Bound::Excluding(folded(text)),
    }
}

/// Whether a whole token has the shape. Backtracks only to the last `*`, so the time is at most the product of lengths.
fn fits(token: &str, parts: &[Wild]) -> bool {
    let mut rest = token.chars();
    let (mut at, mut retry) = (0, None);
    loop {
        let before = rest.clone();
        let next = rest.next();
        match (parts.get(at), next) {
            (Some(Wild::Any), _) => {
                rest = before;
                at += 1;
                retry = Some((rest.clone(), at));
                continue;
            }
            (Some(Wild::One), Some(_)) => {
                at += 1;
                continue;
            }
            (Some(Wild::Char(wanted)), Some(c)) if *wanted == c => {
                at += 1;
                continue;
            }
            (None, None) => return true,
            (_, None) => return false,
            _ => {}
        }
        let Some((from, after)) = &mut retry else { return false };
        from.next();
        (rest, at) = (from.clone(), *after);
    }
}

/// Insertions, deletions, substitutions and swaps of neighbours (the restricted Damerau-Levenshtein distance) from
/// `text` to `token`; `None` when they are more than `limit`.
fn edits(text: &[char], token: &str, limit: u8) -> Option<u8> {
    let token: Vec<char> = token.chars().collect();
    if text.len().abs_diff(token.len()) > usize::from(limit) {
        return None;
    }
    let mut rows: [Vec<usize>; 3] = [Vec::new(), (0..=token.len()).collect(), vec![0; token.len() + 1]];
    for (i, &wanted) in text.iter().enumerate() {
        let [before, above, row] = &mut rows;
        row[0] = i + 1;
        for (j, &c) in token.iter().enumerate() {
            let mut least = (above[j] + usize::from(wanted != c)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && wanted == token[j - 1] && text[i - 1] == c {
                least = least.min(before[j - 1] + 1);
            }
            row[j + 1] = least;
        }
        rows.rotate_left(1);
        if rows[2].len() != token.len() + 1 {
            rows[2] = vec![0; token.len() + 1];
        }
    }
    let distance = u8::try_from(*rows[1].last()?).ok()?;
    (distance <= limit).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Syntax, parse};

    fn distance(pattern: &str, token: &str) -> Option<u8> {
        let query = parse(pattern, Syntax::default()).unwrap();
        Pattern::of(&query.root.unwrap().kind).unwrap().matcher().distance(token)
    }

    #[test]
    fn shapes_of_words() {
        #[track_caller]
        fn check(pattern: &str, matches: &[&str], others: &[&str]) {
            for token in matches {
                assert!(distance(pattern, token).is_some(), "{pattern} {token}");
            }
            for token in others {
                assert!(distance(pattern, token).is_none(), "{pattern} {token}");
            }
        }
        check("Te*", &["te", "test"], &["at", "t"]);
        check("te?t", &["test", "text"], &["tet", "tests"]);
        check("*ing", &["ing", "caching"], &["ings"]);
        check("a*b*c", &["abc", "axbxbc", "abcc"], &["ab", "acb"]);
        check("caf\u{e9}*s", &["cafes"], &["cafe"]);
        check("/[A-C]x+/", &["ax", "cxxx"], &["dx", "axy"]);
        check("[b TO d}", &["b", "czz"], &["a", "d"]);
        check("{b TO *]", &["bb", "z"], &["b"]);
    }

    #[test]
    fn edits_are_counted_as_lucene_does() {
        #[track_caller]
        fn check(pattern: &str, token: &str, expected: Option<u8>) {
            assert_eq!(distance(pattern, token), expected, "{pattern} {token}");
        }
        check("cache~", "cache", Some(0));
        check("cache~", "cahce", Some(1));
        check("cache~", "caches", Some(1));
        check("cache~1", "cach", Some(1));
        check("cache~1", "ache", Some(1));
        check("cache~1", "cuchs", None);
        check("cache~2", "cuchs", Some(2));
        check("cache~", "catch", Some(2));
        check("cache~0", "caches", None);
        check("ab~", "cd", None);
        check("ab~", "ac", Some(1));
        check("a~", "b", None);
    }
}
