//! What a filter means on an index: its keys, and how much it lets pass.

use crate::filter::{Filter, Key};
use crate::store::{Restricted, Scope, Store, StoreError};

/// A filter looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedFilter {
    /// The filter.
    pub filter: Filter,
    /// The keys that it reads.
    pub keys: Vec<CheckedKey>,
    /// Documents of which at least one chunk passes.
    pub n_documents: usize,
    /// All documents.
    pub n_all_documents: usize,
    /// Chunks that pass.
    pub n_chunks: usize,
    /// All chunks.
    pub n_all_chunks: usize,
}

/// A key that a filter reads.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedKey {
    /// The key.
    pub key: Key,
    /// Documents whose metadata has it; all of them for a built-in key.
    pub n_documents: usize,
    /// A key that documents do have and whose name is nearly the same, where none has this one.
    pub similar: Option<String>,
}

/// Looks at what `filter` means on `store`.
///
/// # Errors
///
/// When the store cannot be read.
pub fn check_filter(store: &dyn Store, filter: &Filter) -> Result<CheckedFilter, StoreError> {
    let documents = store.documents()?;
    let scope = Scope { filters: vec![filter.clone()], ..Scope::default() };
    let passing = Restricted::new(store, &scope)?.documents()?;
    let keys = filter.keys().into_iter().map(|key| {
        let n_documents = match &key {
            Key::Builtin(_) => documents.len(),
            Key::Metadata(name) => documents.iter().filter(|it| it.metadata.contains_key(name)).count(),
        };
        let known = documents.iter().flat_map(|it| it.metadata.keys().map(String::as_str));
        let similar = if n_documents == 0 { nearest(key.name(), known) } else { None };
        CheckedKey { key, n_documents, similar }
    });
    Ok(CheckedFilter {
        keys: keys.collect(),
        n_documents: passing.len(),
        n_all_documents: documents.len(),
        n_chunks: passing.iter().map(|it| it.n_chunks).sum(),
        n_all_chunks: documents.iter().map(|it| it.n_chunks).sum(),
        filter: filter.clone(),
    })
}

/// The name among `known` that differs least from `name`, by at most a third of its letters.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let folded = name.to_lowercase();
    let best = known.map(|it| (distance(&folded, &it.to_lowercase()), it)).min()?;
    (best.0 <= name.chars().count().div_ceil(3)).then(|| best.1.to_owned())
}

/// Levenshtein's distance: insertions, deletions and replacements of characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_near() {
        let check = |name: &str, expected: Option<&str>| {
            let known = ["owner", "Year", "status", "tags"];
            assert_eq!(nearest(name, known.into_iter()).as_deref(), expected, "{name}");
        };
        check("ownr", Some("owner"));
        check("year", Some("Year"));
        check("stauts", Some("status"));
        check("colour", None);
        check("", None);
        assert_eq!((distance("kitten", "sitting"), distance("", "ab"), distance("ab", "ab")), (3, 2, 0));
    }
}
