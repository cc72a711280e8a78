//! Writing to the index.

use std::path::{Path, PathBuf};

use tantivy::{
    Index, IndexWriter, TantivyDocument, TantivyError, Term,
    index::SegmentId,
    indexer::{IndexWriterOptions, NoMergePolicy},
};

use super::{TextError, defined::defined, failed, schema::Fields};
use crate::content::Language;
use crate::store::embedded::analysis::{Stemming, marked};

/// Least buffer that tantivy accepts.
const MIN_MEMORY_BYTES: usize = 15_000_000;
/// Most buffer that tantivy accepts for a thread.
const MAX_MEMORY_BYTES: usize = 4_000_000_000;
/// Threads that index; more are seldom fed (reading and embedding take the other cores).
const MAX_THREADS: usize = 4;
/// Segments above which small ones are merged; each costs a search some 20 microseconds to open.
const MAX_SEGMENTS: usize = 8;
/// Rows up to which segments are always merged into one: that takes less than a tenth of a second.
const SMALL_ROWS: u64 = 2_000;

/// What is indexed of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct TextRow<'a> {
    /// The chunk's row.
    pub row: u32,
    /// The document's number, by which its rows are deleted.
    pub doc: u64,
    /// The document's title.
    pub title: &'a str,
    /// The titles of the sections on the way to the chunk, joined.
    pub section: &'a str,
    /// The document's address.
    pub uri: &'a str,
    /// The chunk's text.
    pub text: &'a str,
    /// The document's language, where it is known.
    pub language: Option<Language>,
}

/// Adds and deletes rows; nothing is seen by searches before [`TextWriter::commit`], and dropping it uncommitted leaves
/// the index as it was.
pub struct TextWriter {
    dir: PathBuf,
    fields: Fields,
    writer: IndexWriter,
}

impl TextWriter {
    pub(super) fn new(
        dir: &Path,
        index: &Index,
        fields: Fields,
        memory_bytes: usize,
    ) -> Result<Self, TextError> {
        // Scores and order do not depend on which segment a row is in, so that several threads may index.
        let n_threads = std::thread::available_parallelism().map_or(1, |it| it.get().min(MAX_THREADS));
        let options = IndexWriterOptions::builder()
            .num_worker_threads(n_threads)
            .num_merge_threads(1)
            .memory_budget_per_thread(memory_bytes.clamp(MIN_MEMORY_BYTES, MAX_MEMORY_BYTES))
            .build();
        let writer = index.writer_with_options(options).map_err(|source| match source {
            TantivyError::LockFailure(..) => TextError::Busy { dir: dir.to_owned() },
            source => failed("write to", dir, source),
        })?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(Self { dir: dir.to_owned(), fields, writer })
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// [`TextError::Index`] when the indexing thread failed, as on a full disk.
    pub fn add(&self, row: &TextRow<'_>) -> Result<(), TextError> {
        let mut document = TantivyDocument::new();
        document.add_u64(self.fields.row, u64::from(row.row));
        document.add_u64(self.fields.doc, row.doc);
        let stemming = Stemming::of(row.language);
        if let Some(language) = stemming.language() {
            document.add_text(self.fields.language, language.code());
        }
        let [exact, stem, title, section, uri, terms] = self.fields.text;
        document.add_text(exact, row.text);
        for (field, text) in [(stem, row.text), (title, row.title), (section, row.section)] {
            document.add_text(field, marked(text, stemming));
        }
        document.add_text(uri, marked(row.uri, Stemming::default()));
        let defined = defined(row.text);
        if !defined.is_empty() {
            document.add_text(terms, defined);
        }
        self.writer.add_document(document).map(drop).map_err(|source| self.error(source))
    }

    /// Deletes the rows of a document that were added before, in this or an earlier commit.
    pub fn delete_doc(&self, doc: u64) {
        self.writer.delete_term(Term::from_field_u64(self.fields.doc, doc));
    }

    /// Makes everything so far durable and visible at once, stamped with `generation`, and then merges segments where
    /// that pays: always into one when the index is small, else when there are many or a fifth of the rows is deleted.
    ///
    /// # Errors
    ///
    /// [`TextError::Index`] when the disk is full or a file cannot be written; the index is as it was at the last
    /// successful commit then.
    pub fn commit(&mut self, generation: u64) -> Result<(), TextError> {
        self.try_commit(generation).map_err(|source| self.error(source))
    }

    fn try_commit(&mut self, generation: u64) -> tantivy::Result<()> {
        self.try_commit_unmerged(generation)?;
        let merged = segments_to_merge(self.writer.index())?;
        if !merged.is_empty() {
            self.writer.merge(&merged).wait()?;
        }
        self.writer.garbage_collect_files().wait()?;
        Ok(())
    }

    pub(super) fn try_commit_unmerged(&mut self, generation: u64) -> tantivy::Result<()> {
        let mut prepared = self.writer.prepare_commit()?;
        prepared.set_payload(&generation.to_string());
        prepared.commit().map(drop)
    }

    fn error(&self, source: TantivyError) -> TextError {
        failed("write to", &self.dir, source)
    }
}

/// The segments that one merge shall join, none when it would not pay.
fn segments_to_merge(index: &Index) -> tantivy::Result<Vec<SegmentId>> {
    let metas = index.searchable_segment_metas()?;
    let n_rows: u64 = metas.iter().map(|meta| u64::from(meta.num_docs())).sum();
    let n_deleted: u64 = metas.iter().map(|meta| u64::from(meta.num_deleted_docs())).sum();
    let is_small = n_rows <= SMALL_ROWS && (metas.len() > 1 || n_deleted > 0);
    if is_small || n_deleted * 5 > n_rows + n_deleted {
        return Ok(metas.iter().map(|meta| meta.id()).collect());
    }
    if metas.len() <= MAX_SEGMENTS {
        return Ok(Vec::new());
    }
    // The smallest, as far as they are few rows together; then the next merge is far away.
    let mut by_size: Vec<_> = metas.iter().map(|meta| (meta.num_docs(), meta.id())).collect();
    by_size.sort_unstable();
    let mut total = 0;
    let small = by_size.iter().take_while(|(n_rows, _)| {
        total += u64::from(*n_rows);
        total <= SMALL_ROWS
    });
    let n_small = small.count();
    let n_merged = if n_small > MAX_SEGMENTS / 2 { n_small } else { by_size.len() };
    Ok(by_size[..n_merged].iter().map(|&(_, id)| id).collect())
}
