//! A store behind a base filter: what the filter does not let pass does not exist.
//!
//! [`Restricted`] wraps any [`Store`] and answers for the chunks of one [`Scope`] only. Documents and sections exist
//! where at least one of their chunks does; positions of sections, counts and neighbours are those of what is left. An id
//! of something hidden is as unknown as one that never was. The search capabilities get the same rows, so that nothing
//! a caller sends can widen them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

use crate::content::{ChunkId, DocumentId, SectionId, Span, Vector, VectorRef};
use crate::query::Query;
use crate::store::{
    DocumentMatches, Pattern, PatternHit, PatternOrder, RegexSearch, Row, RowSet, Scope, Store, StoreError,
    StoreInfo, StoredChunk, StoredDocument, StoredSection, Target, TextFound, TextSearch, VectorSearch,
};

/// A store behind a base filter. Documents without chunks pass no filter.
pub struct Restricted<'a> {
    inner: &'a dyn Store,
    /// The rows that exist; `None`: all.
    rows: Option<RowSet>,
    /// What is left of documents that were looked at, by number.
    views: RefCell<HashMap<i64, Rc<View>>>,
}

/// What is left of a document.
enum View {
    /// Nothing.
    Hidden,
    /// All of it.
    Whole,
    /// Some chunks, with these sections.
    Part {
        n_chunks: usize,
        sections: Vec<StoredSection>,
        /// By position in the whole document: position among `sections`.
        positions: Vec<Option<usize>>,
    },
}

impl std::fmt::Debug for Restricted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Restricted")
            .field("n_rows", &self.rows.as_ref().map(RowSet::len))
            .finish_non_exhaustive()
    }
}

impl<'a> Restricted<'a> {
    /// The part of `inner` that `base` lets pass; all of it when `base` is open.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn new(inner: &'a dyn Store, base: &Scope) -> Result<Self, StoreError> {
        let rows = inner.rows(base)?;
        Ok(Self { inner, rows, views: RefCell::default() })
    }

    fn holds(&self, row: Row) -> bool {
        self.rows.as_ref().is_none_or(|rows| rows.contains(row))
    }

    fn view(&self, document: i64) -> Result<Rc<View>, StoreError> {
        if let Some(view) = self.views.borrow().get(&document) {
            return Ok(view.clone());
        }
        let view = Rc::new(self.look(document)?);
        self.views.borrow_mut().insert(document, view.clone());
        Ok(view)
    }

    fn look(&self, document: i64) -> Result<View, StoreError> {
        let Some(rows) = &self.rows else { return Ok(View::Whole) };
        let range = self.inner.document_rows(document)?;
        let n_kept = if range.is_empty() { 0 } else { rows.count_in(range.start..=range.end - 1) };
        if n_kept == 0 {
            return Ok(View::Hidden);
        }
        if n_kept == range.len() as u64 {
            return Ok(View::Whole);
        }
        let mut kept = self.inner.chunks(document, 0, usize::MAX)?;
        kept.retain(|it| rows.contains(it.row));
        let own = |chunk: &StoredChunk| {
            Span::new(chunk.chunk.span.start + chunk.chunk.overlap, chunk.chunk.span.end)
        };
        let (mut sections, mut positions) = (Vec::new(), Vec::new());
        for (at, mut it) in self.inner.sections(document)?.into_iter().enumerate() {
            let span = it.section.span;
            let is_kept = kept.iter().any(|chunk| {
                let own = own(chunk);
                chunk.chunk.section == Some(at) || (own.start < span.end && span.start < own.end)
            });
            if !is_kept {
                positions.push(None);
                continue;
            }
            positions.push(Some(sections.len()));
            it.n_chunks = kept.iter().filter(|chunk| chunk.chunk.section == Some(at)).count();
            // A parent stands before its children and is kept where one of them is.
            it.section.parent = it.section.parent.and_then(|parent| positions.get(parent).copied().flatten());
            sections.push(it);
        }
        Ok(View::Part { n_chunks: kept.len(), sections, positions })
    }

    fn narrow_document(&self, mut document: StoredDocument) -> Result<Option<StoredDocument>, StoreError> {
        match &*self.view(document.number)? {
            View::Hidden => return Ok(None),
            View::Whole => {}
            View::Part { n_chunks, sections, .. } => {
                document.n_chunks = *n_chunks;
                document.n_sections = sections.len();
            }
        }
        Ok(Some(document))
    }

    fn narrow_chunk(&self, mut chunk: StoredChunk) -> Result<Option<StoredChunk>, StoreError> {
        if !self.holds(chunk.row) {
            return Ok(None);
        }
        if let View::Part { positions, .. } = &*self.view(chunk.document)? {
            chunk.chunk.section = chunk.chunk.section.and_then(|at| positions.get(at).copied().flatten());
        }
        Ok(Some(chunk))
    }

    fn narrow_chunks(&self, chunks: Vec<StoredChunk>) -> Result<Vec<StoredChunk>, StoreError> {
        chunks.into_iter().filter_map(|chunk| self.narrow_chunk(chunk).transpose()).collect()
    }

    fn shows(&self, target: &Target) -> Result<bool, StoreError> {
        Ok(match *target {
            Target::Document(id) => self.document(id)?.is_some(),
            Target::Section(id) => self.section_place(id)?.is_some(),
            Target::Chunk(id) => self.inner.chunk(id)?.is_some_and(|it| self.holds(it.row)),
        })
    }

    fn rows_among(&self, rows: Option<&RowSet>) -> Option<RowSet> {
        match (self.rows.clone(), rows) {
            (Some(mut kept), Some(rows)) => {
                kept.intersect(rows);
                Some(kept)
            }
            (kept, None) => kept,
            (None, Some(rows)) => Some(rows.clone()),
        }
    }
}

impl Store for Restricted<'_> {
    fn info(&self) -> Result<StoreInfo, StoreError> {
        if self.rows.is_none() {
            return self.inner.info();
        }
        let documents = self.documents()?;
        let mut inner = self.inner.info()?;
        inner.models.iter_mut().for_each(|it| it.n_texts = None);
        let sum = |count: fn(&StoredDocument) -> usize| documents.iter().map(count).sum();
        Ok(StoreInfo {
            n_documents: documents.len(),
            n_sections: sum(|it| it.n_sections),
            n_chunks: sum(|it| it.n_chunks),
            n_source_bytes: documents.iter().map(|it| it.n_bytes).sum(),
            n_documents_with_warnings: sum(|it| usize::from(!it.warnings.is_empty())),
            languages: count_by(documents.iter().filter_map(|it| it.language)),
            ..inner
        })
    }

    fn documents(&self) -> Result<Vec<StoredDocument>, StoreError> {
        let documents = self.inner.documents()?.into_iter();
        documents.filter_map(|document| self.narrow_document(document).transpose()).collect()
    }

    fn document(&self, id: DocumentId) -> Result<Option<StoredDocument>, StoreError> {
        self.inner.document(id)?.map_or(Ok(None), |document| self.narrow_document(document))
    }

    fn document_numbered(&self, number: i64) -> Result<Option<StoredDocument>, StoreError> {
        self.inner.document_numbered(number)?.map_or(Ok(None), |document| self.narrow_document(document))
    }

    fn document_rows(&self, number: i64) -> Result<Range<Row>, StoreError> {
        match &*self.view(number)? {
            View::Hidden => Ok(0..0),
            View::Whole | View::Part { .. } => self.inner.document_rows(number),
        }
    }

    fn targets(&self, prefix: &str, limit: usize) -> Result<Vec<Target>, StoreError> {
        let mut asked = limit;
        loop {
            let all = self.inner.targets(prefix, asked)?;
            let is_all = all.len() < asked;
            let mut shown = Vec::new();
            for target in all {
                if shown.len() < limit && self.shows(&target)? {
                    shown.push(target);
                }
            }
            if is_all || shown.len() == limit {
                return Ok(shown);
            }
            asked = asked.saturating_mul(8).max(64);
        }
    }

    fn sections(&self, document: i64) -> Result<Vec<StoredSection>, StoreError> {
        match &*self.view(document)? {
            View::Hidden => Ok(Vec::new()),
            View::Whole => self.inner.sections(document),
            View::Part { sections, .. } => Ok(sections.clone()),
        }
    }

    fn section_titles(&self, document: i64) -> Result<Vec<String>, StoreError> {
        match &*self.view(document)? {
            View::Hidden => Ok(Vec::new()),
            View::Whole => self.inner.section_titles(document),
            View::Part { sections, .. } => Ok(sections.iter().map(|it| it.section.title.clone()).collect()),
        }
    }

    fn section(&self, document: i64, index: usize) -> Result<Option<StoredSection>, StoreError> {
        match &*self.view(document)? {
            View::Hidden => Ok(None),
            View::Whole => self.inner.section(document, index),
            View::Part { sections, .. } => Ok(sections.get(index).cloned()),
        }
    }

    fn section_place(&self, id: SectionId) -> Result<Option<(i64, usize)>, StoreError> {
        let Some((document, at)) = self.inner.section_place(id)? else { return Ok(None) };
        Ok(match &*self.view(document)? {
            View::Hidden => None,
            View::Whole => Some((document, at)),
            View::Part { positions, .. } => positions.get(at).copied().flatten().map(|at| (document, at)),
        })
    }

    fn chunk(&self, id: ChunkId) -> Result<Option<StoredChunk>, StoreError> {
        self.inner.chunk(id)?.map_or(Ok(None), |chunk| self.narrow_chunk(chunk))
    }

    fn chunk_at(&self, row: Row) -> Result<Option<StoredChunk>, StoreError> {
        self.inner.chunk_at(row)?.map_or(Ok(None), |chunk| self.narrow_chunk(chunk))
    }

    fn chunks(&self, document: i64, first: usize, last: usize) -> Result<Vec<StoredChunk>, StoreError> {
        self.narrow_chunks(self.inner.chunks(document, first, last)?)
    }

    fn chunks_at(&self, document: i64, span: Span) -> Result<Vec<StoredChunk>, StoreError> {
        self.narrow_chunks(self.inner.chunks_at(document, span)?)
    }

    fn rows(&self, scope: &Scope) -> Result<Option<RowSet>, StoreError> {
        Ok(self.rows_among(self.inner.rows(scope)?.as_ref()))
    }

    fn vector(&self) -> Option<&dyn VectorSearch> {
        self.inner.vector().map(|_| self as &dyn VectorSearch)
    }

    fn text(&self) -> Option<&dyn TextSearch> {
        self.inner.text().map(|_| self as &dyn TextSearch)
    }

    fn regex(&self) -> Option<&dyn RegexSearch> {
        self.inner.regex().map(|_| self as &dyn RegexSearch)
    }
}

impl VectorSearch for Restricted<'_> {
    fn search_vector(
        &self,
        query: VectorRef<'_>,
        k: usize,
        rows: Option<&RowSet>,
    ) -> Result<Vec<(Row, f32)>, StoreError> {
        let Some(vector) = self.inner.vector() else { return Ok(Vec::new()) };
        vector.search_vector(query, k, self.rows_among(rows).as_ref())
    }

    fn vectors_of(&self, rows: &[Row]) -> Result<Vec<Option<Vector>>, StoreError> {
        let Some(vector) = self.inner.vector() else { return Ok(vec![None; rows.len()]) };
        let mut vectors = vector.vectors_of(rows)?;
        for (vector, &row) in vectors.iter_mut().zip(rows) {
            *vector = vector.take().filter(|_| self.holds(row));
        }
        Ok(vectors)
    }
}

impl TextSearch for Restricted<'_> {
    fn search_text(&self, query: &Query, k: usize, rows: Option<&RowSet>) -> Result<TextFound, StoreError> {
        let Some(text) = self.inner.text() else { return Ok(TextFound::default()) };
        text.search_text(query, k, self.rows_among(rows).as_ref())
    }

    fn fields_among(
        &self,
        names: &BTreeSet<&str>,
        rows: Option<&RowSet>,
    ) -> Result<BTreeSet<String>, StoreError> {
        let Some(text) = self.inner.text() else { return Ok(BTreeSet::new()) };
        text.fields_among(names, self.rows_among(rows).as_ref())
    }
}

impl RegexSearch for Restricted<'_> {
    fn search_regex(
        &self,
        pattern: &Pattern,
        k: usize,
        order: PatternOrder,
        rows: Option<&RowSet>,
    ) -> Result<Vec<PatternHit>, StoreError> {
        let Some(regex) = self.inner.regex() else { return Ok(Vec::new()) };
        regex.search_regex(pattern, k, order, self.rows_among(rows).as_ref())
    }

    fn count_regex(
        &self,
        pattern: &Pattern,
        rows: Option<&RowSet>,
    ) -> Result<Vec<DocumentMatches>, StoreError> {
        let Some(regex) = self.inner.regex() else { return Ok(Vec::new()) };
        regex.count_regex(pattern, self.rows_among(rows).as_ref())
    }
}

/// How often each comes.
fn count_by<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}
