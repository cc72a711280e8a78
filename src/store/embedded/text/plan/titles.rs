//! Queries that are titles, or words out of them: what stands above a chunk says what it is about.

use super::{Group, Leaf, Lookup, Part, Place, Plan, groups, required, word_weight};
use crate::query::{Kind, Node, Occur, Query};
use crate::store::embedded::text::schema::TextField;

/// Weight of the whole query as a phrase in the titles of sections. MRR@10 of 200 headings of the PostgreSQL and git manuals as
/// queries (`benches/known_item.py`), text and hybrid: without it 0.903 and 0.878, with 0.3 0.981 and 0.974, with 1 0.986 and
/// 0.984. Questions of the labelled sets are no titles: it changes none of their figures.
const HEADING_WEIGHT: f32 = 1.0;
/// Weight of the words of a query that are all in the titles above a chunk. MRR@10 of 200 headings that many sections have, each behind its
/// document's title (the same benchmark), text and hybrid: without it 0.806 and 0.763, with 0.5 0.887 and 0.895, with 1 0.895 and
/// 0.901; unique headings lose 0.000 and 0.003 with either. nDCG@10 of SciFact, Cranfield, ADI and anthropic-docs changes by 0.0003 at
/// most.
const TITLES_WEIGHT: f32 = 0.5;
/// Longer queries are no titles.
const MAX_HEADING_TOKENS: usize = 40;

/// Adds to the plan of `query` what its words score as titles, where it is nothing but words.
pub(super) fn add(plan: &mut Plan, query: &Query, root: &Node) {
    let Some(groups) = words_alone(query, root) else { return };
    if let Some(leaf @ Leaf::Phrase { .. }) = required(&groups, 0, true) {
        plan.scored.push((Lookup { leaf, place: Place::In(TextField::Section) }, HEADING_WEIGHT));
    }
    plan.parts.extend(titles(groups).map(|plan| (Occur::Should, Part::Group(plan))));
}

/// The tokens of a query of nothing but words, which may be titles.
fn words_alone(query: &Query, root: &Node) -> Option<Vec<Group>> {
    let Kind::Group(clauses) = &root.kind else { return None };
    let are_words =
        clauses.iter().all(|it| it.occur != Occur::MustNot && matches!(it.node.kind, Kind::Term(_)));
    let text = query.source.get(clauses.first()?.node.span.start..clauses.last()?.node.span.end)?;
    let (groups, n_tokens) = groups(text, MAX_HEADING_TOKENS);
    (are_words && n_tokens <= MAX_HEADING_TOKENS).then_some(groups)
}

/// Chunks whose titles, of document and sections together, have every word of a query that says what it is about: "git log
/// options" is the section "Options" of the document "git-log". `None` for a single word, which most titles above a text on it have.
fn titles(groups: Vec<Group>) -> Option<Plan> {
    let mut leaves = Vec::new();
    for group in groups {
        let words = group.words.into_iter().map(|(_, word)| word).filter(|it| word_weight(&it.folded) == 1.0);
        let pairs = group.pairs.into_iter().map(|(_, pair)| Leaf::Token(pair));
        for leaf in words.map(Leaf::Word).chain(pairs) {
            if !leaves.contains(&leaf) {
                leaves.push(leaf);
            }
        }
    }
    let must: Vec<Lookup> = leaves.into_iter().map(|leaf| Lookup { leaf, place: Place::Titles }).collect();
    let scored = must.iter().map(|it| (it.clone(), TITLES_WEIGHT)).collect();
    (must.len() > 1).then(|| Plan { scored, must, ..Plan::default() })
}
