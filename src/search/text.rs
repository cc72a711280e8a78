//! Searching by words: from what is typed to what is asked of the store.

use std::collections::BTreeSet;

use crate::query::{FIELDS, Note, Operator, Query, QueryErrorKind, Syntax, parse, parse_as_words};
use crate::search::{SearchError, SearchRequest};
use crate::store::{Row, RowSet, Store, StoreError, TextSearch};

/// Reads `text` as a query of `store`: fields that no document among `rows` (`None`: all) has are text. Without a store
/// every field is one.
///
/// # Errors
///
/// [`SearchError::Query`] in strict syntax, when the text does not parse or names such a field; or when the store cannot be
/// read.
pub fn understand(
    store: Option<&dyn TextSearch>,
    text: &str,
    syntax: Syntax,
    rows: Option<&RowSet>,
) -> Result<Query, SearchError> {
    let failed = |error| SearchError::Query { error, text: text.to_owned() };
    let query = parse(text, syntax).map_err(failed)?;
    let names: BTreeSet<&str> =
        query.field_names().into_iter().filter(|name| !FIELDS.contains(name)).collect();
    let (Some(store), false) = (store, names.is_empty()) else { return Ok(query) };
    let known = store.fields_among(&names, rows)?;
    let unknown: BTreeSet<String> =
        names.into_iter().filter(|&name| !known.contains(name)).map(str::to_owned).collect();
    if let (true, Some(name)) = (syntax.is_strict, unknown.first()) {
        return match query.unknown_field(name) {
            Some(error) => Err(failed(error)),
            None => Ok(query),
        };
    }
    Ok(query.with_fields_as_text(&unknown))
}

/// The rows among `rows` (`None`: all) that hold what `query` requires and nothing that it excludes; `None` where it does
/// neither.
///
/// # Errors
///
/// When the store cannot be read.
pub(super) fn matching(
    store: &dyn Store,
    query: &Query,
    rows: Option<&RowSet>,
) -> Result<Option<RowSet>, SearchError> {
    let (Some(text), Some(restriction)) = (store.text(), query.restriction()) else { return Ok(None) };
    let mut matching = RowSet::new();
    let found = text.search_text(&restriction, usize::MAX, rows)?;
    found.hits.iter().for_each(|&(row, _)| matching.insert(row));
    Ok(Some(matching))
}

/// The best chunks by words, and the query that found them.
#[derive(Default)]
pub(super) struct TextList {
    pub(super) hits: Vec<(Row, f32)>,
    query: Query,
}

/// The best `k` chunks by the words of `query`, which is what `request` asks. A plain query's identifiers are required, unless that finds nothing.
pub(super) fn text_list(
    store: &dyn Store,
    request: &SearchRequest,
    query: &Query,
    k: usize,
    rows: Option<&RowSet>,
    notes: &mut Vec<String>,
) -> Result<TextList, SearchError> {
    let text = store.text().ok_or(SearchError::Unsupported { capability: "text" })?;
    notes.extend(query.notes.iter().map(note_text));
    let ask = |query: Query, notes: &mut Vec<String>| {
        let found = text.search_text(&query, k, rows)?;
        notes.extend(found.notes);
        Ok::<_, StoreError>(TextList { hits: found.hits, query })
    };
    let may_require = !request.stages.plain_identifiers
        && !request.syntax.is_strict
        && request.syntax.operator == Operator::Or;
    if let Some((required, names)) = query.requiring_identifiers().filter(|_| may_require) {
        let mut required_notes = Vec::new();
        let list = ask(required, &mut required_notes)?;
        if !list.hits.is_empty() {
            notes.append(&mut required_notes);
            return Ok(list);
        }
        let list = ask(query.clone(), notes)?;
        if !list.hits.is_empty() {
            let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            notes.push(format!("nothing holds {}; these are the nearest passages", names.join(" and ")));
        }
        return Ok(list);
    }
    let is_repaired = query.notes.iter().any(|note| matches!(note, Note::Literal(_)));
    let list = ask(query.clone(), notes)?;
    if list.hits.is_empty() && is_repaired {
        // Half an expression must not hide what its words find.
        return Ok(ask(parse_as_words(&request.query), notes)?);
    }
    Ok(list)
}

/// The scores of those among `rows` that match the query of `list`, in any order.
pub(super) fn scores(
    store: &dyn Store,
    list: &TextList,
    rows: &RowSet,
) -> Result<Vec<(Row, f32)>, SearchError> {
    let text = store.text().ok_or(SearchError::Unsupported { capability: "text" })?;
    let k = usize::try_from(rows.len()).unwrap_or(usize::MAX);
    Ok(text.search_text(&list.query, k, Some(rows))?.hits)
}

/// A note, with what to do.
fn note_text(note: &Note) -> String {
    match note {
        Note::Literal(error) if !matches!(error.kind, QueryErrorKind::TooLong { .. }) => {
            format!("{note}; --strict shows where, ragctl help query explains the syntax")
        }
        _ => note.to_string(),
    }
}
