//! From clauses to what is looked up: terms, their forms and phrases.
//!
//! A word becomes one [`Leaf::Word`]. An identifier becomes its whole forms, its words as a phrase, and its words alone,
//! so that `foo_bar` prefers the identifier, then `foo bar`, then texts with one of both. A run of characters becomes its
//! pairs, and the pairs as a phrase. What a clause requires (or forbids) is stricter than what it scores: all its words,
//! in order.

use std::collections::HashMap;

use crate::store::embedded::{
    analysis::{Kind, analyse, stem},
    query::{Node, Occur, TextQuery},
};

/// What is looked up and scored as one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Leaf {
    /// A folded word, also by its stem.
    Word(String),
    /// A token in this form only: a whole identifier, a pair of characters.
    Token(String),
    /// Tokens that begin with this character of a script without spaces.
    Beginning(char),
    /// Tokens at these positions relative to each other, moved by at most `slop` in all.
    Phrase {
        /// Position and token; at least two, by ascending position, which starts at 0.
        items: Vec<(u32, String)>,
        /// Largest sum of moves.
        slop: u32,
    },
}

/// A query ready for scoring.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Plan {
    /// Leaves that add to the score, each with its weight, in the order of the query.
    pub(super) scored: Vec<(Leaf, f32)>,
    /// Leaves that have to match, all of them.
    pub(super) must: Vec<Leaf>,
    /// Leaves none of which may match.
    pub(super) must_not: Vec<Leaf>,
}

/// Weight of a whole identifier beside its words.
const WHOLE_WEIGHT: f32 = 1.0;
/// Weight of a whole that is hyphenated prose, which says hardly more than its words.
const HYPHENATED_WEIGHT: f32 = 0.5;
/// Weight of the words of an identifier as a phrase.
const PHRASE_WEIGHT: f32 = 0.3;
/// Weight of a part of a `camelCase` word.
const PART_WEIGHT: f32 = 0.3;
/// Weight of a word of [`FUNCTION_WORDS`].
const FUNCTION_WORD_WEIGHT: f32 = 0.3;

/// Words that carry a question rather than say what it is about: Lucene's English stop words and those with which
/// questions begin. They are indexed and found; in a short index, though, they are rare enough to outweigh the words that
/// matter, so they count less. Measured with these at 1, 0.3 and 0: anthropic-docs 0.678, 0.728, 0.740; xquad en 0.970,
/// 0.973, 0.970; scifact 0.692, 0.694, 0.694.
const FUNCTION_WORDS: [&str; 57] = [
    "a", "about", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "had", "has", "have", "how", "if", "in", "into", "is", "it", "its", "no", "not",
    "of", "on", "or", "should", "such", "that", "the", "their", "then", "there", "these", "they", "this",
    "to", "was", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you",
    "your",
];

/// Plans a query.
pub(super) fn plan(query: &TextQuery) -> Plan {
    let mut plan = Plan::default();
    let mut places = HashMap::new();
    for clause in &query.clauses {
        let (text, slop, is_phrase) = match &clause.node {
            Node::Term(text) => (text, 0, false),
            Node::Phrase { text, slop } => (text, *slop, true),
        };
        let groups = groups(text);
        let Some(required) = required(&groups, slop, is_phrase) else { continue };
        if clause.occur == Occur::MustNot {
            plan.must_not.push(required);
            continue;
        }
        let scored = if is_phrase { vec![(required.clone(), 1.0)] } else { scored(&groups) };
        for (leaf, weight) in scored {
            // A word that comes twice counts twice, as in Lucene, but is looked up once.
            let place = *places.entry(leaf.clone()).or_insert_with(|| {
                plan.scored.push((leaf, 0.0));
                plan.scored.len() - 1
            });
            plan.scored[place].1 += weight;
        }
        if clause.occur == Occur::Must {
            plan.must.push(required);
        }
    }
    plan
}

/// The tokens of one identifier, word or run.
#[derive(Default)]
struct Group {
    wholes: Vec<String>,
    /// With their positions.
    words: Vec<(u32, String)>,
    parts: Vec<String>,
    pairs: Vec<(u32, String)>,
    last: Option<(u32, String)>,
}

impl Group {
    /// What stands for the group in a phrase.
    fn items(&self) -> Vec<(u32, String)> {
        if let ([(position, _)], [whole]) = (&self.words[..], &self.wholes[..]) {
            return vec![(*position, whole.clone())]; // `c++` is not `c`
        }
        let alone = self.last.iter().filter(|_| self.pairs.is_empty());
        self.words.iter().chain(&self.pairs).chain(alone).cloned().collect()
    }
}

fn groups(text: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut last = None;
    analyse(text, &mut |token| {
        if last.replace(token.group) != Some(token.group) {
            groups.push(Group::default());
        }
        let Some(group) = groups.last_mut() else { return };
        let text = token.text.to_owned();
        match token.kind {
            Kind::Whole => group.wholes.push(text),
            Kind::Word => group.words.push((token.position, text)),
            Kind::Part => group.parts.push(text),
            Kind::Pair => group.pairs.push((token.position, text)),
            Kind::Last => group.last = Some((token.position, text)),
        }
    });
    groups
}

/// What has to be there for a clause to match; `None` when the clause holds nothing.
fn required(groups: &[Group], slop: u32, is_phrase: bool) -> Option<Leaf> {
    let mut items: Vec<(u32, String)> = groups.iter().flat_map(Group::items).collect();
    let first = items.first()?.0;
    items.iter_mut().for_each(|(position, _)| *position -= first);
    if items.len() > 1 {
        return Some(Leaf::Phrase { items, slop });
    }
    let (_, text) = items.pop()?;
    Some(match groups {
        [group] if group.wholes.is_empty() && group.last.is_none() && !is_phrase => Leaf::Word(text),
        [group] if group.last.is_some() && group.pairs.is_empty() => beginning(text),
        _ => Leaf::Token(text),
    })
}

/// The leaves that a term's groups add to the score.
fn scored(groups: &[Group]) -> Vec<(Leaf, f32)> {
    let mut leaves = Vec::new();
    for group in groups {
        leaves.extend(group.wholes.iter().map(|whole| (Leaf::Token(whole.clone()), whole_weight(whole))));
        let items = group.items();
        if let [(first, _), _, ..] = &items[..] {
            let items = items.iter().map(|(position, text)| (position - first, text.clone())).collect();
            leaves.push((Leaf::Phrase { items, slop: 0 }, PHRASE_WEIGHT));
        }
        leaves.extend(group.words.iter().map(|(_, word)| (Leaf::Word(word.clone()), word_weight(word))));
        leaves.extend(group.parts.iter().map(|part| (Leaf::Word(part.clone()), PART_WEIGHT)));
        leaves.extend(group.pairs.iter().map(|(_, pair)| (Leaf::Token(pair.clone()), 1.0)));
        if let (Some((_, last)), true) = (&group.last, group.pairs.is_empty()) {
            leaves.push((beginning(last.clone()), 1.0));
        }
    }
    leaves
}

fn whole_weight(whole: &str) -> f32 {
    let is_prose =
        !whole.starts_with('-') && whole.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\''));
    if is_prose { HYPHENATED_WEIGHT } else { WHOLE_WEIGHT }
}

fn word_weight(word: &str) -> f32 {
    if FUNCTION_WORDS.binary_search(&word).is_ok() { FUNCTION_WORD_WEIGHT } else { 1.0 }
}

fn beginning(text: String) -> Leaf {
    text.chars().next().map_or(Leaf::Token(text), Leaf::Beginning)
}

/// The stem of a word as the stemmed fields hold it.
pub(super) fn stemmed(word: &str) -> String {
    stem(word).into_owned()
}
