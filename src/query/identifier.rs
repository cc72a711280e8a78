//! Words that look like names in code: a reader who types one means that very one.

use std::collections::BTreeSet;

use super::{Clause, Kind, Node, Occur, Query};

/// Whether `word` has the shape of an identifier: letters or digits around `_` or `::`, letters and digits mixed (at least
/// 4 characters), `camelCase` that begins with two small letters, or a path of three parts or with a `.` or `_`.
///
/// The shapes are those of the embabel graph store (ASCII only), without those that prose has too. Measured as nDCG@10 of
/// text search on SciFact and anthropic-docs, .692 and .793 when nothing is required: these shapes .695 and .793; with
/// words in capitals (`DNA`, `API`) .681 and .769 when only they are added, with all `camelCase` (`mRNA`, `JavaScript`) .677 and
/// .793; `and/or` finds less too.
pub fn is_identifier(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let bytes = word.as_bytes();
    if bytes.is_empty() || !word.is_ascii() {
        return false;
    }
    let n_joints = |joint: &str| {
        let is_inside = |(at, _): &(usize, &str)| {
            let (before, after) = (bytes[..*at].last(), bytes.get(at + joint.len()));
            before.is_some_and(u8::is_ascii_alphanumeric) && after.is_some_and(u8::is_ascii_alphanumeric)
        };
        word.match_indices(joint).filter(is_inside).count()
    };
    let is_word = bytes.iter().all(u8::is_ascii_alphanumeric);
    let is_mixed = is_word
        && bytes.len() >= 4
        && bytes.iter().any(u8::is_ascii_alphabetic)
        && bytes.iter().any(u8::is_ascii_digit);
    let is_camel = is_word
        && bytes.iter().take(2).all(u8::is_ascii_lowercase)
        && bytes
            .windows(3)
            .any(|it| it[0].is_ascii_lowercase() && it[1].is_ascii_uppercase() && it[2].is_ascii_lowercase());
    let is_path = n_joints("/") > 1 || (n_joints("/") == 1 && word.contains(['.', '_']));
    n_joints("_") > 0 || n_joints("::") > 0 || is_mixed || is_camel || is_path
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
