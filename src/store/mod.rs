//! Stores: where documents, sections and chunks live, and what can be asked of them.
//!
//! A [`Store`] answers what every kind of store can answer: which documents there are, and what stands at an id. What
//! only some kinds can do (vectors, words, patterns) are capabilities, asked for by [`Store::vector`],
//! [`Store::text`] and [`Store::regex`] and never discovered by failing. The embedded store, one folder on disk, is
//! the first; remote stores follow behind the same traits.
//!
//! Everything read through one `Store` value is one generation of the index: a snapshot that a writer in another
//! process does not disturb.

pub mod embedded;
mod error;
mod restricted;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;

use crate::content::{
    Chunk, ChunkId, ContentHash, DocumentId, Language, Location, Metadata, Section, SectionId, Span, Vector,
    VectorKind, VectorRef, Warning, split_member,
};
use crate::filter::Filter;
use crate::query::Query;

pub use embedded::EmbeddedStore;
pub use embedded::regex::{Pattern, PatternError, PatternOptions};
pub use embedded::rows::RowSet;
pub use error::StoreError;
pub use restricted::Restricted;

/// Number of a chunk inside one store; rows of one document are contiguous and never used again.
pub type Row = u32;

/// A stored document, without its text.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredDocument {
    /// Number of this version of the document inside the store.
    pub number: i64,
    /// Stable id.
    pub id: DocumentId,
    /// URI.
    pub uri: String,
    /// Title.
    pub title: String,
    /// Media type.
    pub media_type: String,
    /// Hash of the source's bytes.
    pub hash: ContentHash,
    /// Name of the reader that read it.
    pub reader: String,
    /// Version of that reader.
    pub reader_version: u32,
    /// Fingerprint of chunker and transformers (see [`crate::ingest::Pipeline::fingerprint`]).
    pub pipeline: String,
    /// When it was ingested.
    pub ingested_at: jiff::Timestamp,
    /// Size of the source, bytes.
    pub n_bytes: u64,
    /// Length of the document's text, bytes.
    pub text_len: usize,
    /// Metadata.
    pub metadata: Metadata,
    /// The language of most of its text, where it is known.
    pub language: Option<Language>,
    /// Labels.
    pub labels: BTreeSet<String>,
    /// Damage that the reader noticed.
    pub warnings: Vec<Warning>,
    /// Number of sections.
    pub n_sections: usize,
    /// Number of chunks.
    pub n_chunks: usize,
    /// Whether it was read from a file, and not handed over as standard input.
    pub is_file: bool,
}

/// A stored section, with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSection {
    /// The section; [`Section::parent`] indexes the document's sections.
    pub section: Section,
    /// Place of the whole subtree in the source.
    pub location: Location,
    /// Number of chunks of this very section (not of its subsections).
    pub n_chunks: usize,
}

/// A stored chunk, with its urtext and its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredChunk {
    /// Row number inside the store.
    pub row: Row,
    /// [`StoredDocument::number`] of its document.
    pub document: i64,
    /// The chunk.
    pub chunk: Chunk,
    /// The exact slice of the document's text.
    pub urtext: String,
    /// Place in the source.
    pub location: Location,
}

/// What an id, or a unique prefix of one, names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A document.
    Document(DocumentId),
    /// A section.
    Section(SectionId),
    /// A chunk.
    Chunk(ChunkId),
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Document(id) => id.fmt(f),
            Self::Section(id) => id.fmt(f),
            Self::Chunk(id) => id.fmt(f),
        }
    }
}

/// Which chunks a search may return.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    /// All of these must match.
    pub filters: Vec<Filter>,
    /// Only documents whose URI is this path or lies below it.
    pub path_prefixes: Vec<String>,
    /// Only documents with every one of these labels.
    pub labels: Vec<String>,
    /// Only named entities.
    pub entities_only: bool,
}

impl Scope {
    /// Whether the scope lets everything pass.
    pub fn is_open(&self) -> bool {
        self.filters.is_empty()
            && self.path_prefixes.is_empty()
            && self.labels.is_empty()
            && !self.entities_only
    }

    /// Whether the path prefixes let a document with this URI pass.
    pub fn holds_uri(&self, uri: &str) -> bool {
        self.path_prefixes.is_empty() || self.path_prefixes.iter().any(|prefix| is_below(uri, prefix))
    }
}

/// Whether `uri` is `prefix` or lies below it, part by part: `docs` holds `docs/a.md` and not `docs2/a.md`, and a file holds
/// its members.
pub fn is_below(uri: &str, prefix: &str) -> bool {
    let prefix = prefix.trim_start_matches("./").trim_end_matches('/');
    let holds =
        |uri: &str| uri.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    prefix.is_empty()
        || prefix == "."
        || holds(uri)
        || split_member(uri).is_some_and(|(container, _)| container == prefix)
}

/// Counts, sizes and versions of a store.
#[derive(Clone, Debug, PartialEq)]
pub struct StoreInfo {
    /// Folder of the store.
    pub path: PathBuf,
    /// Format version on disk.
    pub format: u32,
    /// Generation that this value reads.
    pub generation: u64,
    /// Number of documents.
    pub n_documents: usize,
    /// Number of sections.
    pub n_sections: usize,
    /// Number of chunks.
    pub n_chunks: usize,
    /// Sum of the sources' sizes, bytes.
    pub n_source_bytes: u64,
    /// Number of documents with warnings.
    pub n_documents_with_warnings: usize,
    /// Number of documents by language; those of unknown language are left out.
    pub languages: BTreeMap<Language, usize>,
    /// Embedding model that is searched with unless another is named; nothing in an index without documents.
    pub model: ModelInfo,
    /// All embedding models, in the order in which they are preferred.
    pub models: Vec<IndexModel>,
    /// Chunker and transformers of the latest ingest.
    pub pipeline: String,
    /// Size on disk of the database, bytes.
    pub database_bytes: u64,
    /// Size on disk of the text index, bytes.
    pub text_bytes: u64,
    /// Size on disk of the vectors, bytes.
    pub vector_bytes: u64,
    /// What is wrong with the derived artefacts, in words; empty when all are whole.
    pub degraded: Vec<String>,
}

/// An embedding model that vectors come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelInfo {
    /// Name, as in `--model NAME`.
    pub name: String,
    /// Fingerprint: vectors of different fingerprints are never compared.
    pub fingerprint: String,
    /// What its vectors are made of.
    pub kind: VectorKind,
    /// Dimension; the size of the vocabulary of a sparse model.
    pub dimension: usize,
    /// What else it takes to open the model again, such as an endpoint's address and the prefixes of texts.
    pub settings: BTreeMap<String, String>,
}

/// One of the embedding models of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexModel {
    /// The model.
    pub info: ModelInfo,
    /// Whether every chunk has its vector. Only then it is searched with.
    pub is_whole: bool,
    /// Whether it goes as soon as the one that is being filled in is whole.
    pub is_interim: bool,
    /// Number of different texts with a vector, and of all; told only of a model that is not whole, and not behind a base filter.
    pub n_texts: Option<(usize, usize)>,
}

/// A chunk in which a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternHit {
    /// The chunk.
    pub row: Row,
    /// The matches, in order.
    pub matches: Vec<PatternMatch>,
}

/// One match of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternMatch {
    /// Byte range relative to the chunk's urtext; it ends behind the urtext when the match goes on in the next chunk.
    pub span: Span,
    /// 1-based byte in its line, as `rg --column` counts.
    pub column: usize,
}

/// The order of a pattern's hits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PatternOrder {
    /// As the chunks stand: by URI, then by place.
    #[default]
    Document,
    /// Most matches first, then as the chunks stand.
    Matches,
}

/// How often a pattern matches in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentMatches {
    /// [`StoredDocument::number`].
    pub document: i64,
    /// Number of matches, at least 1.
    pub n_matches: usize,
}

/// The core of every store.
///
/// Lists are in document order: documents by URI, sections and chunks as they stand in the text.
pub trait Store {
    /// Counts, sizes, versions.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn info(&self) -> Result<StoreInfo, StoreError>;

    /// All documents.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn documents(&self) -> Result<Vec<StoredDocument>, StoreError>;

    /// The document with this id.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn document(&self, id: DocumentId) -> Result<Option<StoredDocument>, StoreError>;

    /// The document with this [`StoredDocument::number`].
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn document_numbered(&self, number: i64) -> Result<Option<StoredDocument>, StoreError>;

    /// The rows of a document's chunks; empty for a document without chunks, or none at all.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn document_rows(&self, number: i64) -> Result<Range<Row>, StoreError>;

    /// Every target whose id starts with `prefix`, at most `limit`, in order of their ids.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn targets(&self, prefix: &str, limit: usize) -> Result<Vec<Target>, StoreError>;

    /// The sections of a document, in pre-order.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn sections(&self, document: i64) -> Result<Vec<StoredSection>, StoreError>;

    /// The titles of a document's sections, in pre-order: cheaper than the sections.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn section_titles(&self, document: i64) -> Result<Vec<String>, StoreError> {
        Ok(self.sections(document)?.into_iter().map(|it| it.section.title).collect())
    }

    /// The section at an arena index of a document.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn section(&self, document: i64, index: usize) -> Result<Option<StoredSection>, StoreError>;

    /// The document number and arena index of a section.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn section_place(&self, id: SectionId) -> Result<Option<(i64, usize)>, StoreError>;

    /// The chunk with this id.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn chunk(&self, id: ChunkId) -> Result<Option<StoredChunk>, StoreError>;

    /// The chunk at this row.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn chunk_at(&self, row: Row) -> Result<Option<StoredChunk>, StoreError>;

    /// The chunks of a document with sequence numbers in `first..=last`, in order.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn chunks(&self, document: i64, first: usize, last: usize) -> Result<Vec<StoredChunk>, StoreError>;

    /// The chunks of a document that share a byte with `span` of its text, in order.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn chunks_at(&self, document: i64, span: Span) -> Result<Vec<StoredChunk>, StoreError>;

    /// The rows of the chunks that `scope` lets pass; `None` when it lets all pass.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn rows(&self, scope: &Scope) -> Result<Option<RowSet>, StoreError>;

    /// Search by meaning, where the store has vectors.
    fn vector(&self) -> Option<&dyn VectorSearch>;

    /// Search by words, where the store has a text index.
    fn text(&self) -> Option<&dyn TextSearch>;

    /// Search by pattern, where the store keeps its texts.
    fn regex(&self) -> Option<&dyn RegexSearch>;
}

/// Search by meaning.
pub trait VectorSearch {
    /// The `k` chunks nearest to `query` among `rows` (`None`: all), best first, ties by row. Exact.
    ///
    /// For dense vectors the scores are cosines (-1 to 1), and a chunk without any known token has 0. For sparse ones they are
    /// `d / (d + q)` (0 to 1), `d` being the dot product with the query and `q` the query's with itself: the order is that of `d`,
    /// and a chunk that shares no token with the query is not found.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn search_vector(
        &self,
        query: VectorRef<'_>,
        k: usize,
        rows: Option<&RowSet>,
    ) -> Result<Vec<(Row, f32)>, StoreError>;

    /// The vectors of `rows`, in their order, as they are kept; `None` for a row that has none.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn vectors_of(&self, rows: &[Row]) -> Result<Vec<Option<Vector>>, StoreError>;
}

/// What a search by words found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextFound {
    /// Chunks with raw BM25 scores (at least 0): best first, ties by row.
    pub hits: Vec<(Row, f32)>,
    /// What the reader of the hits should know, such as a pattern that stands for too many words.
    pub notes: Vec<String>,
}

/// Search by words.
pub trait TextSearch {
    /// The `k` chunks that match `query` best among `rows` (`None`: all). Fields that the store does not have find
    /// nothing.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn search_text(&self, query: &Query, k: usize, rows: Option<&RowSet>) -> Result<TextFound, StoreError>;

    /// Which of `names` are fields that can be asked for: those of every store ([`FIELDS`](crate::query::FIELDS),
    /// `media_type`, `ingested_at`) and the metadata keys of documents with chunks among `rows` (`None`: all).
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn fields_among(
        &self,
        names: &BTreeSet<&str>,
        rows: Option<&RowSet>,
    ) -> Result<BTreeSet<String>, StoreError>;
}

/// Search by pattern.
pub trait RegexSearch {
    /// The first `k` chunks by `order`, among `rows` (`None`: all), in which `pattern` matches.
    ///
    /// The pattern sees the text of a section as a whole: chunks in a row that belong to it. A match belongs to the
    /// first chunk that holds all of it, else to the chunk in which it begins, and is given once.
    ///
    /// # Errors
    ///
    /// When the store cannot be read, or the pattern runs out of time.
    fn search_regex(
        &self,
        pattern: &Pattern,
        k: usize,
        order: PatternOrder,
        rows: Option<&RowSet>,
    ) -> Result<Vec<PatternHit>, StoreError>;

    /// How often `pattern` matches in each document, by URI, among `rows` (`None`: all); documents without a match are
    /// left out.
    ///
    /// # Errors
    ///
    /// When the store cannot be read, or the pattern runs out of time.
    fn count_regex(
        &self,
        pattern: &Pattern,
        rows: Option<&RowSet>,
    ) -> Result<Vec<DocumentMatches>, StoreError>;
}
