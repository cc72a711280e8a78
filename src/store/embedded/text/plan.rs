//! From a query's tree to what is looked up: terms, their forms, phrases and patterns.
//!
//! A word becomes one [`Leaf::Word`]. An identifier becomes its whole forms, its words as a phrase, and its words alone,
//! so that `foo_bar` prefers the identifier, then `foo bar`, then texts with one of both. A run of characters becomes its
//! pairs, and the pairs as a phrase. What a clause requires (or forbids) is stricter than what it scores: all its words,
//! in order.

mod titles;

use std::collections::HashMap;
use std::ops::Range;

use super::expand::Pattern;
use super::schema::TextField;
use crate::query::{Clause, Kind, Node, Occur, Query};
use crate::store::embedded::{
    analysis::{Kind as TokenKind, analyse, written},
    rows::RowSet,
};

/// Rows that answer what a query asks of metadata, by the place of the asking node in the query.
pub type MetadataRows = HashMap<Range<usize>, RowSet>;

/// Most tokens that are looked up, of all words of a query together. A query has at most as many words, but a word can
/// be a page of Chinese.
const MAX_TOKENS: usize = 1024;

/// Largest factor of `^`, and of several inside each other; more changes no order and would make scores infinite.
const MAX_BOOST: f32 = 1e6;

/// What is looked up and scored as one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Leaf {
    /// A word, also by its stem.
    Word(Word),
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
    /// Tokens of this shape.
    Pattern(Pattern),
}

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Word {
    /// Its folded form.
    pub(super) folded: String,
    /// It as [`written`], which decides its stems.
    pub(super) written: String,
}

/// Where a leaf is looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// In every field.
    #[default]
    Everywhere,
    /// In this one.
    In(TextField),
    /// In the titles of document and sections.
    Titles,
}

impl Place {
    /// Whether the place holds a field.
    pub(super) fn holds(self, field: TextField) -> bool {
        match self {
            Self::Everywhere => true,
            Self::In(own) => own == field,
            Self::Titles => matches!(field, TextField::Title | TextField::Section),
        }
    }
}

/// A leaf and its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Lookup {
    pub(super) leaf: Leaf,
    pub(super) place: Place,
}

/// A group ready for scoring; a query is one.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Plan {
    /// Lookups that add to the score, each with its weight, in the order of the query; those of required clauses too.
    pub(super) scored: Vec<(Lookup, f32)>,
    /// Lookups that have to match, all of them.
    pub(super) must: Vec<Lookup>,
    /// Lookups none of which may match.
    pub(super) must_not: Vec<Lookup>,
    /// Clauses that are no lookups.
    pub(super) parts: Vec<(Occur, Part)>,
    /// The score of a row that is found by exclusion alone.
    pub(super) boost: f32,
}

/// A clause that is no lookup. Numbers are the scores of what matches.
#[derive(Debug, PartialEq)]
pub(super) enum Part {
    Group(Plan),
    /// Rows found elsewhere.
    Rows(RowSet, f32),
    /// Rows with anything in this field.
    Present(TextField, f32),
    /// Every row.
    All(f32),
}

impl Plan {
    /// Whether nothing can be found.
    pub(super) fn is_empty(&self) -> bool {
        self.scored.is_empty() && self.must_not.is_empty() && self.parts.is_empty()
    }
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

/// Plans a query; says whether its end was left out because it is too long.
pub(super) fn plan(query: &Query, metadata: &MetadataRows) -> (Plan, bool) {
    let mut planner = Planner { metadata, n_tokens_left: MAX_TOKENS, is_cut: false };
    let mut plan = Plan { boost: 1.0, ..Plan::default() };
    if let Some(root) = &query.root {
        let mut places = HashMap::new();
        planner.add(&mut plan, &mut places, Occur::Should, root, Target::default(), 1.0);
        titles::add(&mut plan, query, root);
    }
    (plan, planner.is_cut)
}

/// Where the parts of a field are looked for.
#[derive(Clone, Copy, Debug)]
enum Target {
    Text(Place),
    Metadata,
}

impl Default for Target {
    fn default() -> Self {
        Self::Text(Place::Everywhere)
    }
}

impl Target {
    fn of_name(name: &str) -> Self {
        match name {
            "text" => Self::default(),
            "title" => Self::Text(Place::In(TextField::Title)),
            "section" => Self::Text(Place::In(TextField::Section)),
            "uri" | "path" => Self::Text(Place::In(TextField::Uri)),
            _ => Self::Metadata,
        }
    }
}

struct Planner<'a> {
    metadata: &'a MetadataRows,
    n_tokens_left: usize,
    is_cut: bool,
}

/// The place of each lookup among the scored ones of a group.
type Places = HashMap<Lookup, usize>;

impl Planner<'_> {
    /// Adds a clause to a group. A clause that holds nothing to look for, such as punctuation, is left out.
    fn add(
        &mut self,
        plan: &mut Plan,
        places: &mut Places,
        occur: Occur,
        node: &Node,
        target: Target,
        boost: f32,
    ) {
        let place = match (&node.kind, target) {
            (Kind::Boost { factor, inner }, _) => {
                return self.add(plan, places, occur, inner, target, (boost * factor).min(MAX_BOOST));
            }
            (Kind::Field { name, inner }, _) => {
                return self.add(plan, places, occur, inner, Target::of_name(name), boost);
            }
            (Kind::Group(clauses), _) => {
                let is_choice = clauses.iter().all(|clause| clause.occur == Occur::Should);
                if is_choice && occur == Occur::Should {
                    // The same as its clauses in place of it.
                    for clause in clauses {
                        self.add(plan, places, Occur::Should, &clause.node, target, boost);
                    }
                    return;
                }
                let group = self.group(clauses, target, boost);
                if !group.is_empty() {
                    plan.parts.push((occur, Part::Group(group)));
                }
                return;
            }
            (Kind::All, _) => return plan.parts.push((occur, Part::All(boost))),
            (_, Target::Metadata) => {
                let rows = self.metadata.get(&node.span).cloned().unwrap_or_default();
                return plan.parts.push((occur, Part::Rows(rows, boost)));
            }
            (Kind::Exists, Target::Text(Place::Everywhere)) => {
                return plan.parts.push((occur, Part::All(boost)));
            }
            (Kind::Exists, Target::Text(Place::In(field))) => {
                return plan.parts.push((occur, Part::Present(field, boost)));
            }
            (_, Target::Text(place)) => place,
        };
        let Some((scored, required)) = self.leaves(&node.kind) else { return };
        let lookup = |leaf| Lookup { leaf, place };
        if occur == Occur::MustNot {
            plan.must_not.push(lookup(required));
            return;
        }
        for (leaf, weight) in scored {
            // A word that comes twice counts twice, as in Lucene, but is looked up once.
            let lookup = lookup(leaf);
            let at = *places.entry(lookup.clone()).or_insert_with(|| {
                plan.scored.push((lookup, 0.0));
                plan.scored.len() - 1
            });
            plan.scored[at].1 += weight * boost;
        }
        if occur == Occur::Must {
            plan.must.push(lookup(required));
        }
    }

    fn group(&mut self, clauses: &[Clause], target: Target, boost: f32) -> Plan {
        let mut plan = Plan { boost, ..Plan::default() };
        let mut places = Places::new();
        for clause in clauses {
            self.add(&mut plan, &mut places, clause.occur, &clause.node, target, boost);
        }
        plan
    }

    /// What a leaf adds to the score, and what it requires.
    fn leaves(&mut self, kind: &Kind) -> Option<(Vec<(Leaf, f32)>, Leaf)> {
        let pattern = match kind {
            Kind::Term(text) => {
                let groups = self.groups(text);
                return Some((scored(&groups), required(&groups, 0, false)?));
            }
            Kind::Phrase { text, slop } => {
                let required = required(&self.groups(text), *slop, true)?;
                return Some((vec![(required.clone(), 1.0)], required));
            }
            // Scripts without spaces are indexed by pairs, which find any part of a word.
            Kind::Prefix(text) if is_one_run(text) => {
                let groups = self.groups(text);
                return Some((scored(&groups), required(&groups, 0, false)?));
            }
            other => Pattern::of(other)?,
        };
        let leaf = Leaf::Pattern(pattern);
        Some((vec![(leaf.clone(), 1.0)], leaf))
    }

    /// The groups of a text, as many as there may still be.
    fn groups(&mut self, text: &str) -> Vec<Group> {
        let (groups, n_tokens) = groups(text, self.n_tokens_left);
        self.is_cut |= n_tokens > self.n_tokens_left;
        self.n_tokens_left = self.n_tokens_left.saturating_sub(n_tokens);
        groups
    }
}

/// What is required of the tokens of a text for it to hold the words of a leaf.
pub(super) fn required_of(kind: &Kind) -> Option<Leaf> {
    let planner = &mut Planner { metadata: &MetadataRows::new(), n_tokens_left: MAX_TOKENS, is_cut: false };
    planner.leaves(kind).map(|(_, required)| required)
}

fn is_one_run(text: &str) -> bool {
    let (groups, _) = groups(text, MAX_TOKENS);
    matches!(groups.as_slice(), [group] if group.last.is_some())
}

/// The tokens of one identifier, word or run.
#[derive(Default)]
struct Group {
    wholes: Vec<String>,
    /// With their positions.
    words: Vec<(u32, Word)>,
    parts: Vec<Word>,
    pairs: Vec<(u32, String)>,
    last: Option<(u32, String)>,
}

impl Group {
    /// What stands for the group in a phrase.
    fn items(&self) -> Vec<(u32, String)> {
        if let ([(position, _)], [whole]) = (&self.words[..], &self.wholes[..]) {
            return vec![(*position, whole.clone())]; // `c++` is not `c`
        }
        let words = self.words.iter().map(|(position, word)| (*position, word.folded.clone()));
        let alone = self.last.iter().filter(|_| self.pairs.is_empty());
        words.chain(self.pairs.iter().chain(alone).cloned()).collect()
    }
}

/// The groups of a text, of at most `limit` tokens, and the number of its tokens.
fn groups(text: &str, limit: usize) -> (Vec<Group>, usize) {
    let mut groups: Vec<Group> = Vec::new();
    let (mut last, mut n_tokens) = (None, 0);
    let source = text;
    analyse(text, &mut |token| {
        n_tokens += 1;
        if n_tokens > limit {
            return;
        }
        if last.replace(token.group) != Some(token.group) {
            groups.push(Group::default());
        }
        let Some(group) = groups.last_mut() else { return };
        let text = token.text.to_owned();
        let word = |folded| Word { folded, written: written(&source[token.span.clone()]) };
        match token.kind {
            TokenKind::Whole => group.wholes.push(text),
            TokenKind::Word => group.words.push((token.position, word(text))),
            TokenKind::Part => group.parts.push(word(text)),
            TokenKind::Pair => group.pairs.push((token.position, text)),
            TokenKind::Last => group.last = Some((token.position, text)),
        }
    });
    (groups, n_tokens)
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
        [Group { wholes, words, last: None, .. }] if wholes.is_empty() && !is_phrase => {
            words.first().map_or(Leaf::Token(text), |(_, word)| Leaf::Word(word.clone()))
        }
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
        leaves.extend(
            group.words.iter().map(|(_, word)| (Leaf::Word(word.clone()), word_weight(&word.folded))),
        );
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
