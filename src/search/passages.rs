//! Chunks in their surroundings.

use std::collections::BTreeMap;

use crate::search::Passage;
use crate::store::{Store, StoreError, StoredChunk, StoredDocument, StoredSection};

/// Puts chunks into their surroundings, loading each document and each section once.
pub struct Passages<'a> {
    store: &'a dyn Store,
    documents: BTreeMap<i64, StoredDocument>,
    sections: BTreeMap<(i64, usize), StoredSection>,
}

impl std::fmt::Debug for Passages<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Passages").field("n_documents", &self.documents.len()).finish_non_exhaustive()
    }
}

impl<'a> Passages<'a> {
    /// For chunks of `store`.
    pub fn new(store: &'a dyn Store) -> Self {
        Self { store, documents: BTreeMap::new(), sections: BTreeMap::new() }
    }

    /// The chunk with its document, section and path.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn of(&mut self, chunk: StoredChunk) -> Result<Passage, StoreError> {
        let number = chunk.document;
        if !self.documents.contains_key(&number) {
            let Some(document) = self.store.document_numbered(number)? else {
                let detail = format!("chunk {} has no document", chunk.chunk.id);
                return Err(StoreError::Corrupt { path: self.store.info()?.path, detail });
            };
            self.documents.insert(number, document);
        }
        let document = self.documents[&number].clone();
        let section = match chunk.chunk.section {
            Some(at) => self.section(number, at)?,
            None => None,
        };
        let path = self.path(number, chunk.chunk.section)?;
        Ok(Passage { chunk, document, section, path })
    }

    /// The section at an arena index of a document.
    pub(super) fn section(&mut self, document: i64, at: usize) -> Result<Option<StoredSection>, StoreError> {
        if !self.sections.contains_key(&(document, at)) {
            let Some(section) = self.store.section(document, at)? else { return Ok(None) };
            self.sections.insert((document, at), section);
        }
        Ok(self.sections.get(&(document, at)).cloned())
    }

    /// Titles from the top-level section down to the one at `at`; preambles add none.
    pub(super) fn path(&mut self, document: i64, at: Option<usize>) -> Result<Vec<String>, StoreError> {
        let (mut path, mut next) = (Vec::new(), at);
        while let Some(at) = next {
            let Some(it) = self.section(document, at)? else { break };
            if it.section.level > 0 {
                path.push(it.section.title);
            }
            // A parent stands before its children; anything else would be a loop in a damaged index.
            next = it.section.parent.filter(|&parent| parent < at);
        }
        path.reverse();
        Ok(path)
    }
}

/// Titles from the top-level section down to the section at `index`; preambles add none.
pub fn section_path(sections: &[StoredSection], index: Option<usize>) -> Vec<String> {
    let (mut path, mut next) = (Vec::new(), index);
    while let Some((at, it)) = next.and_then(|at| Some((at, sections.get(at)?))) {
        if it.section.level > 0 {
            path.push(it.section.title.clone());
        }
        next = it.section.parent.filter(|&parent| parent < at);
    }
    path.reverse();
    path
}
