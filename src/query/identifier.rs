//! Words that look like names in code: a reader who types one means that very one.

use std::collections::BTreeSet;

use super::{Clause, Kind, Node, Occur, Query};

/// Words in capitals that are no names.
const NO_NAMES: [&str; 9] = ["ALL", "AND", "ANY", "BUT", "FOR", "NOT", "OR", "THE", "WHY"];

/// Whether `word` has the shape of an identifier: letters and digits mixed (at least 4 characters), `camelCase`, letters
/// or digits around `_`, `::` or `/`, or at least 3 capitals. ASCII only, as in the embabel graph store from which the
/// shapes are taken.
pub fn is_identifier(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let bytes = word.as_bytes();
    if bytes.is_empty() || !word.is_ascii() {
        return false;
    }
    let has_letter = bytes.iter().any(u8::is_ascii_alphabetic);
    let has_digit = bytes.iter().any(u8::is_ascii_digit);
    let is_word = bytes.iter().all(u8::is_ascii_alphanumeric);
    let is_mixed = is_word && has_letter && has_digit && bytes.len() >= 4;
    let is_camel =
        is_word && bytes.windows(2).any(|it| it[0].is_ascii_lowercase() && it[1].is_ascii_uppercase());
    let is_joined = ["_", "::", "/"].iter().any(|joint| {
        word.match_indices(joint).any(|(at, joint)| {
            let (before, after) = (bytes[..at].last(), bytes.get(at + joint.len()));
            before.is_some_and(u8::is_ascii_alphanumeric) && after.is_some_and(u8::is_ascii_alphanumeric)
        })
    });
    let is_capitals =
        bytes.len() >= 3 && bytes.iter().all(u8::is_ascii_uppercase) && !NO_NAMES.contains(&word);
    is_mixed || is_camel || is_joined || is_capitals
}

impl Query {
    /// The query with its identifiers required, and what these are; `None` where nobody would gain: no identifier, or a
    /// query that says itself what it requires, excludes or weighs.
    pub fn requiring_identifiers(&self) -> Option<(Self, BTreeSet<String>)> {
        let root = self.root.as_ref()?;
        let single = [Clause { occur: Occur::Should, node: root.clone() }];
        let clauses = match &root.kind {
            Kind::Group(clauses) => clauses.as_slice(),
            _ => single.as_slice(),
        };
        let is_plain = |clause: &Clause| {
            clause.occur == Occur::Should
                && matches!(clause.node.kind, Kind::Term(_) | Kind::Phrase { slop: 0, .. })
        };
        if !clauses.iter().all(is_plain) {
            return None;
        }
        let mut names = BTreeSet::new();
        let require = |clause: &Clause| match &clause.node.kind {
            Kind::Term(text) if is_identifier(text) => {
                names.insert(text.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_owned());
                Clause { occur: Occur::Must, ..clause.clone() }
            }
            _ => clause.clone(),
        };
        let clauses: Vec<Clause> = clauses.iter().map(require).collect();
        let root = Node::new(Kind::Group(clauses), root.span.clone());
        (!names.is_empty()).then(|| (Self { root: Some(root), ..self.clone() }, names))
    }
}
