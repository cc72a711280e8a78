//! Fields that an index does not have: their text is text.

use std::collections::BTreeSet;

use super::parse::settle_questions;
use super::{Clause, Kind, Node, Note, Occur, Query, QueryError, QueryErrorKind};

impl Query {
    /// The error of strict syntax where the query names the field `name`, which is not there.
    pub fn unknown_field(&self, name: &str) -> Option<QueryError> {
        let mut at = None;
        self.root.as_ref()?.walk(&mut |node| {
            if matches!(&node.kind, Kind::Field { name: own, .. } if own == name) {
                at.get_or_insert(node.span.start);
            }
        });
        let kind = QueryErrorKind::UnknownField { name: name.to_owned() };
        at.map(|at| QueryError::new(&self.source, at, at, kind))
    }

    /// The query with the fields `names` taken as text: `note:this` as the word that is typed, `note:(this that)` and
    /// `note: this` as the word `note` and the rest.
    pub fn with_fields_as_text(mut self, names: &BTreeSet<String>) -> Self {
        if let Some(root) = &mut self.root {
            let mut seen = BTreeSet::new();
            make_text(root, names, &self.source, &mut seen);
            let mut has_fields = false;
            root.walk(&mut |node| has_fields |= matches!(node.kind, Kind::Field { .. }));
            if self.is_question && !has_fields {
                settle_questions(root, true);
            }
            // Numbers before a colon are times and places, of which nobody needs to be told.
            let is_name = |name: &&String| name.starts_with(|c: char| c.is_alphabetic() || c == '_');
            let notes = seen.iter().filter(is_name).map(|name| Note::UnknownField { name: name.clone() });
            // One note is enough where the same place did not parse anyway.
            self.notes.extend(notes.take(1));
        }
        self
    }
}

fn make_text(node: &mut Node, names: &BTreeSet<String>, source: &str, seen: &mut BTreeSet<String>) {
    match &mut node.kind {
        Kind::Field { name, inner } => {
            make_text(inner, names, source, seen);
            if !names.contains(name) {
                return;
            }
            seen.insert(name.clone());
            let is_word = !matches!(inner.kind, Kind::Phrase { .. } | Kind::Group(_) | Kind::Boost { .. });
            let text = source.get(node.span.clone()).unwrap_or_default();
            let is_apart = text.contains(|c: char| c.is_whitespace());
            if is_word && !is_apart {
                node.kind = Kind::Term(text.to_owned());
                return;
            }
            let word = Node::new(Kind::Term(name.clone()), node.span.start..inner.span.start);
            let should = |node| Clause { occur: Occur::Should, node };
            let inner = std::mem::replace(&mut **inner, word.clone());
            node.kind = Kind::Group(vec![should(word), should(inner)]);
        }
        Kind::Boost { inner, .. } => make_text(inner, names, source, seen),
        Kind::Group(clauses) => {
            clauses.iter_mut().for_each(|clause| make_text(&mut clause.node, names, source, seen));
        }
        _ => {}
    }
}
