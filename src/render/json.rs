//! Wire JSON (SPEC 6).
//!
//! Every object starts with `"schema": "ragctl.<kind>/1"`. Within a major version fields are only added. Lists are in
//! document order. [`crate::render::schema`] derives the JSON Schemas from these types.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::content::{self, Document, Section, Span, Warning};
use crate::ingest::{self, FailureCause, IngestReport};
use crate::render::{hints, human};
use crate::search::{Expanded, Fusion, Hit, Passage, SearchRequest, Zoomed};
use crate::store::{self, StoreInfo, StoredChunk, StoredDocument, StoredSection, embedded::Check};

/// Values that are written as a top-level object of some kind.
pub trait Wire: Serialize + JsonSchema {
    /// The name behind `ragctl.` and before `/1`.
    const KIND: &'static str;
}

macro_rules! wire {
    ($name:ident, $kind:literal) => {
        impl Wire for $name {
            const KIND: &'static str = $kind;
        }
    };
}

fn schema_name<T: Wire>() -> String {
    format!("ragctl.{}/1", T::KIND)
}

/// Place in the source.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Location {
    /// Path of the file: relative to the folder that holds the index, or absolute for a file outside it.
    pub path: String,
    /// First and last line, 1-based, inclusive (Markdown, text, code).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<[usize; 2]>,
    /// Half-open byte range of the source file (Markdown, text, code).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<[usize; 2]>,
    /// Nearest anchor (HTML).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// First and last page, 1-based, inclusive (PDF).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<[u32; 2]>,
    /// First and last cell, 1-based, inclusive (notebooks).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<[u32; 2]>,
}

impl Location {
    fn new(uri: &str, location: &content::Location) -> Self {
        Self {
            path: human::path_of(uri),
            lines: location.lines.map(|(first, last)| [first, last]),
            bytes: location.bytes.map(range),
            anchor: location.anchor.clone(),
            pages: location.pages.map(|(first, last)| [first, last]),
            cells: location.cells.map(|(first, last)| [first, last]),
        }
    }
}

fn range(span: Span) -> [usize; 2] {
    [span.start, span.end]
}

/// Damage that a reader noticed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WarningOut {
    /// Kind of damage.
    pub kind: String,
    /// What, where, and what became of it.
    pub message: String,
}

fn warnings_out(warnings: &[Warning]) -> Vec<WarningOut> {
    warnings
        .iter()
        .map(|it| WarningOut { kind: it.kind.name().to_owned(), message: it.message.clone() })
        .collect()
}

/// The document of a hit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DocumentRef {
    /// Id.
    pub id: String,
    /// URI.
    pub uri: String,
    /// Title.
    pub title: String,
}

impl DocumentRef {
    fn new(document: &StoredDocument) -> Self {
        Self { id: document.id.to_string(), uri: document.uri.clone(), title: document.title.clone() }
    }
}

/// The section of a hit; the document itself where a chunk spans several top-level sections.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SectionRef {
    /// Id; the document's where the chunk belongs to the document itself.
    pub id: String,
    /// Title; empty for text before the first heading.
    pub title: String,
    /// Titles from the top-level section down to this one.
    pub path: Vec<String>,
    /// Heading level; 0 for the document itself and for text before the first heading.
    pub level: u8,
}

/// A chunk's place among its neighbours.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChunkRef {
    /// 0-based place among the chunks of its section.
    pub index: usize,
    /// Number of chunks of its section.
    pub total: usize,
    /// 0-based place among the chunks of its document.
    pub sequence: usize,
}

/// Scores behind a hit.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ScoresOut {
    /// Cosine similarity, -1 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector: Option<f32>,
    /// Raw BM25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bm25: Option<f32>,
    /// Fused score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fused: Option<f32>,
}

/// Ranks behind a hit.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct RanksOut {
    /// 1-based rank in the vector list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector: Option<usize>,
    /// 1-based rank in the text list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<usize>,
}

/// A hit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HitOut {
    /// `ragctl.hit/1`; absent inside lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// 1-based rank; absent for a neighbour added by `--expand`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// Chunk id.
    pub id: String,
    /// Score in the mode's own scale: cosine, bm25/(bm25+3), fused score, 1 for a pattern.
    pub score: f32,
    /// The scores that it is made of.
    pub scores: ScoresOut,
    /// Ranks in the lists that were fused.
    pub ranks: RanksOut,
    /// Matches of the pattern: half-open byte ranges in `urtext`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<[usize; 2]>>,
    /// How the score came about, with `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// The document.
    pub document: DocumentRef,
    /// The section.
    pub section: SectionRef,
    /// Place among the neighbours.
    pub chunk: ChunkRef,
    /// Place in the source.
    pub location: Location,
    /// The exact slice of the document's text; absent with `--no-text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub urtext: Option<String>,
    /// What is indexed and embedded; absent with `--no-text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The document's labels.
    pub labels: Vec<String>,
    /// The document's metadata.
    pub metadata: BTreeMap<String, Value>,
}
wire!(HitOut, "hit");

fn section_ref(passage: &Passage) -> SectionRef {
    match &passage.section {
        Some(it) => SectionRef {
            id: it.section.id.to_string(),
            title: it.section.title.clone(),
            path: passage.path.clone(),
            level: it.section.level,
        },
        None => SectionRef {
            id: passage.document.id.to_string(),
            title: passage.document.title.clone(),
            path: Vec::new(),
            level: 0,
        },
    }
}

impl HitOut {
    /// A hit; `with_text` carries `urtext` and `text`.
    pub fn new(hit: &Hit, with_text: bool, explanation: Option<String>) -> Self {
        let passage = &hit.passage;
        let chunk = &passage.chunk;
        Self {
            schema: None,
            rank: hit.rank,
            id: chunk.chunk.id.to_string(),
            score: hit.score,
            scores: ScoresOut { vector: hit.scores.vector, bm25: hit.scores.bm25, fused: hit.scores.fused },
            ranks: RanksOut { vector: hit.vector_rank, text: hit.text_rank },
            matches: (!hit.matches.is_empty()).then(|| hit.matches.iter().map(|&it| range(it)).collect()),
            explanation,
            document: DocumentRef::new(&passage.document),
            section: section_ref(passage),
            chunk: ChunkRef {
                index: chunk.chunk.index,
                total: chunk.chunk.total,
                sequence: chunk.chunk.sequence,
            },
            location: Location::new(&passage.document.uri, &chunk.location),
            urtext: with_text.then(|| chunk.urtext.clone()),
            text: with_text.then(|| chunk.chunk.text.clone()),
            labels: passage.document.labels.iter().cloned().collect(),
            metadata: passage.document.metadata.clone(),
        }
    }

    /// The same as a top-level object.
    pub fn at_top_level(self) -> Self {
        Self { schema: Some(schema_name::<Self>()), ..self }
    }
}

/// The index that answered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IndexRef {
    /// Embedding model.
    pub model: String,
    /// Fingerprint of the model.
    pub fingerprint: String,
    /// Generation that was searched.
    pub generation: u64,
}

/// The answer to a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchOut {
    /// `ragctl.search/1`.
    pub schema: String,
    /// The query.
    pub query: String,
    /// `hybrid`, `vector`, `text` or `regex`.
    pub mode: String,
    /// The filter, as it was understood; null without one.
    pub filter: Option<String>,
    /// How lists were fused, in hybrid mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fusion: Option<String>,
    /// The index that answered.
    pub index: IndexRef,
    /// Notes, such as how an odd query was taken.
    pub notes: Vec<String>,
    /// Hits, best first, then neighbours.
    pub hits: Vec<HitOut>,
}
wire!(SearchOut, "search");

impl SearchOut {
    /// The answer to `request`.
    pub fn new(
        request: &SearchRequest,
        fusion: Option<Fusion>,
        model: &store::ModelInfo,
        generation: u64,
        notes: Vec<String>,
        hits: Vec<HitOut>,
    ) -> Self {
        let filters: Vec<String> = request.scope.filters.iter().map(|it| format!("({it})")).collect();
        let filter = match request.scope.filters.as_slice() {
            [] => None,
            [one] => Some(one.to_string()),
            _ => Some(filters.join(" AND ")),
        };
        Self {
            schema: schema_name::<Self>(),
            query: request.query.clone(),
            mode: request.mode.name().to_owned(),
            filter,
            fusion: fusion.map(fusion_text),
            index: IndexRef { model: model.name.clone(), fingerprint: model.fingerprint.clone(), generation },
            notes,
            hits,
        }
    }
}

/// A fusion in words.
pub fn fusion_text(fusion: Fusion) -> String {
    match fusion {
        Fusion::Convex { weight } => format!("convex, vector weight {weight}"),
        Fusion::Rrf => "reciprocal rank".to_owned(),
    }
}

/// A chunk.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChunkOut {
    /// `ragctl.chunk/1`; absent inside lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Id.
    pub id: String,
    /// Whether this is the chunk that was asked for (`expand`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub anchor: bool,
    /// The document.
    pub document: DocumentRef,
    /// The section.
    pub section: SectionRef,
    /// Place among the neighbours.
    pub chunk: ChunkRef,
    /// Half-open byte range in the document's text.
    pub span: [usize; 2],
    /// Bytes at the start of the span that repeat the end of the chunk before.
    pub overlap: usize,
    /// Place in the source.
    pub location: Location,
    /// The exact slice of the document's text.
    pub urtext: String,
    /// What is indexed and embedded.
    pub text: String,
    /// The document's metadata.
    pub metadata: BTreeMap<String, Value>,
}
wire!(ChunkOut, "chunk");

impl ChunkOut {
    /// A stored chunk.
    pub fn new(passage: &Passage) -> Self {
        let StoredChunk { chunk, urtext, location, .. } = &passage.chunk;
        Self {
            schema: None,
            id: chunk.id.to_string(),
            anchor: false,
            document: DocumentRef::new(&passage.document),
            section: section_ref(passage),
            chunk: ChunkRef { index: chunk.index, total: chunk.total, sequence: chunk.sequence },
            span: range(chunk.span),
            overlap: chunk.overlap,
            location: Location::new(&passage.document.uri, location),
            urtext: urtext.clone(),
            text: chunk.text.clone(),
            metadata: passage.document.metadata.clone(),
        }
    }

    /// The same as a top-level object.
    pub fn at_top_level(self) -> Self {
        Self { schema: Some(schema_name::<Self>()), ..self }
    }
}

/// The chunks of a file that is not indexed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChunksOut {
    /// `ragctl.chunks/1`.
    pub schema: String,
    /// URI.
    pub uri: String,
    /// Title.
    pub title: String,
    /// Damage that the reader noticed.
    pub warnings: Vec<WarningOut>,
    /// The chunks, in order.
    pub chunks: Vec<ChunkOut>,
}
wire!(ChunksOut, "chunks");

impl ChunksOut {
    /// The chunks of `document`.
    pub fn new(document: &Document, chunks: &[content::Chunk], warnings: &[Warning]) -> Self {
        let locator = document.locator();
        let reference = DocumentRef {
            id: document.id.to_string(),
            uri: document.uri.clone(),
            title: document.title.clone(),
        };
        let chunks = chunks.iter().map(|chunk| {
            let section = chunk.section.and_then(|at| document.sections.get(at));
            let path = document.section_path(chunk.section).into_iter().map(str::to_owned).collect();
            ChunkOut {
                schema: None,
                id: chunk.id.to_string(),
                anchor: false,
                document: reference.clone(),
                section: SectionRef {
                    id: section.map_or_else(|| document.id.to_string(), |it| it.id.to_string()),
                    title: section.map_or_else(|| document.title.clone(), |it| it.title.clone()),
                    path,
                    level: section.map_or(0, |it| it.level),
                },
                chunk: ChunkRef { index: chunk.index, total: chunk.total, sequence: chunk.sequence },
                span: range(chunk.span),
                overlap: chunk.overlap,
                location: Location::new(&document.uri, &locator.locate(chunk.span)),
                urtext: chunk.span.slice(&document.text).to_owned(),
                text: chunk.text.clone(),
                metadata: document.metadata.clone(),
            }
        });
        Self {
            schema: schema_name::<Self>(),
            uri: document.uri.clone(),
            title: document.title.clone(),
            warnings: warnings_out(warnings),
            chunks: chunks.collect(),
        }
    }
}

/// A section in a tree.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SectionOut {
    /// Id.
    pub id: String,
    /// Title; empty for text before the first heading.
    pub title: String,
    /// Heading level; 0 for text before the first heading.
    pub level: u8,
    /// 1 for top-level sections.
    pub depth: usize,
    /// Id of the parent section; null for top-level sections.
    pub parent: Option<String>,
    /// Half-open byte range of the whole subtree in the document's text.
    pub span: [usize; 2],
    /// What opened it: `heading`, `preamble`, `outline`, `font`, `pages` or `item`.
    pub kind: String,
    /// Number of chunks of this very section; absent in `read`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunks: Option<usize>,
    /// The document, in lists over several documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<DocumentRef>,
    /// Place in the source.
    pub location: Location,
}

impl SectionOut {
    fn new(section: &Section, parent: Option<&Section>, uri: &str, location: &content::Location) -> Self {
        Self {
            id: section.id.to_string(),
            title: section.title.clone(),
            level: section.level,
            depth: section.depth,
            parent: parent.map(|it| it.id.to_string()),
            span: range(section.span),
            kind: section.kind.name().to_owned(),
            chunks: None,
            document: None,
            location: Location::new(uri, location),
        }
    }
}

/// A document as the reader gives it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DocumentOut {
    /// `ragctl.document/1`.
    pub schema: String,
    /// Id.
    pub id: String,
    /// URI.
    pub uri: String,
    /// Title.
    pub title: String,
    /// Media type.
    pub media_type: String,
    /// Name of the reader.
    pub reader: String,
    /// Labels.
    pub labels: Vec<String>,
    /// Metadata.
    pub metadata: BTreeMap<String, Value>,
    /// The whole text.
    pub text: String,
    /// The section tree, in order.
    pub sections: Vec<SectionOut>,
    /// Damage that the reader noticed.
    pub warnings: Vec<WarningOut>,
}
wire!(DocumentOut, "document");

impl DocumentOut {
    /// What `reader` made of a file.
    pub fn new(document: &Document, warnings: &[Warning], reader: &str) -> Self {
        let locator = document.locator();
        let sections = document.sections.iter().map(|section| {
            let parent = section.parent.and_then(|at| document.sections.get(at));
            SectionOut::new(section, parent, &document.uri, &locator.locate(section.span))
        });
        Self {
            schema: schema_name::<Self>(),
            id: document.id.to_string(),
            uri: document.uri.clone(),
            title: document.title.clone(),
            media_type: document.media_type.clone(),
            reader: reader.to_owned(),
            labels: document.labels.iter().cloned().collect(),
            metadata: document.metadata.clone(),
            text: document.text.clone(),
            sections: sections.collect(),
            warnings: warnings_out(warnings),
        }
    }

    /// A stored document with its whole text.
    pub fn of_stored(document: &StoredDocument, sections: &[StoredSection], text: String) -> Self {
        Self {
            schema: schema_name::<Self>(),
            id: document.id.to_string(),
            uri: document.uri.clone(),
            title: document.title.clone(),
            media_type: document.media_type.clone(),
            reader: document.reader.clone(),
            labels: document.labels.iter().cloned().collect(),
            metadata: document.metadata.clone(),
            text,
            sections: (0..sections.len()).filter_map(|at| stored_section(document, sections, at)).collect(),
            warnings: warnings_out(&document.warnings),
        }
    }
}

/// The sections of one document or of all.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TreeOut {
    /// `ragctl.tree/1`.
    pub schema: String,
    /// The document; null in a list over several.
    pub document: Option<DocumentRef>,
    /// Sections, in order.
    pub sections: Vec<SectionOut>,
}
wire!(TreeOut, "tree");

impl TreeOut {
    /// The sections of one document, or a part of them; `positions` are their arena indexes.
    pub fn of_document(
        document: &StoredDocument,
        sections: &[StoredSection],
        positions: std::ops::Range<usize>,
    ) -> Self {
        let sections = positions.filter_map(|at| stored_section(document, sections, at)).collect();
        Self { schema: schema_name::<Self>(), document: Some(DocumentRef::new(document)), sections }
    }

    /// The sections of several documents.
    pub fn of_documents(documents: &[(StoredDocument, Vec<StoredSection>)]) -> Self {
        let mut all = Vec::new();
        for (document, sections) in documents {
            let reference = DocumentRef::new(document);
            all.extend(
                (0..sections.len())
                    .filter_map(|at| stored_section(document, sections, at))
                    .map(|it| SectionOut { document: Some(reference.clone()), ..it }),
            );
        }
        Self { schema: schema_name::<Self>(), document: None, sections: all }
    }
}

fn stored_section(document: &StoredDocument, sections: &[StoredSection], at: usize) -> Option<SectionOut> {
    let it = sections.get(at)?;
    let parent = it.section.parent.and_then(|at| sections.get(at)).map(|it| &it.section);
    let out = SectionOut::new(&it.section, parent, &document.uri, &it.location);
    Some(SectionOut { chunks: Some(it.n_chunks), ..out })
}

/// A chunk with its neighbours.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExpandOut {
    /// `ragctl.expand/1`.
    pub schema: String,
    /// Id of the chunk that was asked for.
    pub anchor: String,
    /// The chunks, in order, the anchor among them.
    pub chunks: Vec<ChunkOut>,
}
wire!(ExpandOut, "expand");

impl ExpandOut {
    /// The answer to `expand`.
    pub fn new(expanded: &Expanded) -> Self {
        let chunks: Vec<ChunkOut> = expanded
            .passages
            .iter()
            .enumerate()
            .map(|(at, passage)| ChunkOut { anchor: at == expanded.anchor, ..ChunkOut::new(passage) })
            .collect();
        let anchor = chunks.get(expanded.anchor).map(|it| it.id.clone()).unwrap_or_default();
        Self { schema: schema_name::<Self>(), anchor, chunks }
    }
}

/// A section's whole text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ZoomOut {
    /// `ragctl.section/1`.
    pub schema: String,
    /// The section; the document itself at the outermost level.
    pub section: SectionRef,
    /// The document.
    pub document: DocumentRef,
    /// The text, whole or cut behind a chunk.
    pub text: String,
    /// Characters of the whole text.
    pub chars: usize,
    /// Whether `text` is cut.
    pub truncated: bool,
    /// Place of the whole in the source.
    pub location: Location,
}
wire!(ZoomOut, "section");

impl ZoomOut {
    /// The answer to `zoom`.
    pub fn new(zoomed: &Zoomed) -> Self {
        let document = &zoomed.document;
        let section = match &zoomed.section {
            Some(it) => SectionRef {
                id: it.section.id.to_string(),
                title: it.section.title.clone(),
                path: zoomed.path.clone(),
                level: it.section.level,
            },
            None => SectionRef {
                id: document.id.to_string(),
                title: document.title.clone(),
                path: Vec::new(),
                level: 0,
            },
        };
        Self {
            schema: schema_name::<Self>(),
            section,
            document: DocumentRef::new(document),
            text: zoomed.text.clone(),
            chars: zoomed.n_chars,
            truncated: zoomed.is_truncated,
            location: Location::new(&document.uri, &zoomed.location),
        }
    }
}

/// A document in the list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ListedDocument {
    /// Id.
    pub id: String,
    /// URI.
    pub uri: String,
    /// Title.
    pub title: String,
    /// Media type.
    pub media_type: String,
    /// Number of chunks.
    pub chunks: usize,
    /// Number of sections.
    pub sections: usize,
    /// Size of the source, bytes.
    pub bytes: u64,
    /// BLAKE3 hash of the source's bytes.
    pub hash: String,
    /// Name and version of the reader.
    pub reader: String,
    /// When it was ingested (RFC 3339).
    pub ingested_at: String,
    /// Labels.
    pub labels: Vec<String>,
    /// Metadata.
    pub metadata: BTreeMap<String, Value>,
    /// Damage that the reader noticed.
    pub warnings: Vec<WarningOut>,
}

impl ListedDocument {
    /// A stored document.
    pub fn new(document: &StoredDocument) -> Self {
        Self {
            id: document.id.to_string(),
            uri: document.uri.clone(),
            title: document.title.clone(),
            media_type: document.media_type.clone(),
            chunks: document.n_chunks,
            sections: document.n_sections,
            bytes: document.n_bytes,
            hash: document.hash.to_string(),
            reader: format!("{}/{}", document.reader, document.reader_version),
            ingested_at: document.ingested_at.to_string(),
            labels: document.labels.iter().cloned().collect(),
            metadata: document.metadata.clone(),
            warnings: warnings_out(&document.warnings),
        }
    }
}

/// All documents.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DocumentsOut {
    /// `ragctl.documents/1`.
    pub schema: String,
    /// Documents, by URI.
    pub documents: Vec<ListedDocument>,
}
wire!(DocumentsOut, "documents");

impl DocumentsOut {
    /// The answer to `list`.
    pub fn new(documents: &[StoredDocument]) -> Self {
        Self { schema: schema_name::<Self>(), documents: documents.iter().map(ListedDocument::new).collect() }
    }
}

/// The model of an index.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModelOut {
    /// Name.
    pub name: String,
    /// Fingerprint.
    pub fingerprint: String,
    /// Dimension.
    pub dimension: usize,
}

/// Sizes on disk, bytes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DiskOut {
    /// The database.
    pub database: u64,
    /// The text index.
    pub text: u64,
    /// The vectors.
    pub vectors: u64,
}

/// One registered part of the program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PartOut {
    /// Name.
    pub name: String,
    /// Version.
    pub version: u32,
    /// What it does.
    pub summary: String,
}

/// An index in figures.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InfoOut {
    /// `ragctl.info/1`.
    pub schema: String,
    /// Version of this program.
    pub version: String,
    /// Index folder.
    pub index: String,
    /// Format version on disk.
    pub format: u32,
    /// Generation.
    pub generation: u64,
    /// Number of documents.
    pub documents: usize,
    /// Number of sections.
    pub sections: usize,
    /// Number of chunks.
    pub chunks: usize,
    /// Sum of the sources' sizes, bytes.
    pub bytes: u64,
    /// Number of documents with warnings.
    pub documents_with_warnings: usize,
    /// Embedding model.
    pub model: ModelOut,
    /// Chunker and transformers of the latest ingest.
    pub pipeline: String,
    /// Sizes on disk.
    pub disk: DiskOut,
    /// Readers of this program.
    pub readers: Vec<PartOut>,
    /// Transformers of this program.
    pub transformers: Vec<PartOut>,
    /// What is wrong with the derived files; empty when all are whole.
    pub degraded: Vec<String>,
}
wire!(InfoOut, "info");

impl InfoOut {
    /// The answer to `info`.
    pub fn new(info: &StoreInfo) -> Self {
        let readers = crate::read::READERS.iter().map(|it| it.meta());
        let transformers = crate::transform::TRANSFORMERS.iter().map(|it| it.meta());
        let part = |name: &str, version, summary: &str| PartOut {
            name: name.to_owned(),
            version,
            summary: summary.to_owned(),
        };
        Self {
            schema: schema_name::<Self>(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            index: info.path.display().to_string(),
            format: info.format,
            generation: info.generation,
            documents: info.n_documents,
            sections: info.n_sections,
            chunks: info.n_chunks,
            bytes: info.n_source_bytes,
            documents_with_warnings: info.n_documents_with_warnings,
            model: ModelOut {
                name: info.model.name.clone(),
                fingerprint: info.model.fingerprint.clone(),
                dimension: info.model.dimension,
            },
            pipeline: info.pipeline.clone(),
            disk: DiskOut {
                database: info.database_bytes,
                text: info.text_bytes,
                vectors: info.vector_bytes,
            },
            readers: readers.map(|it| part(it.name, it.version, it.summary)).collect(),
            transformers: transformers.map(|it| part(it.name, it.version, it.summary)).collect(),
            degraded: info.degraded.clone(),
        }
    }
}

/// A source that could not be ingested.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FailureOut {
    /// The file.
    pub path: String,
    /// Why.
    pub reason: String,
    /// What to do.
    pub hint: String,
}

impl FailureOut {
    fn new(path: &str, cause: &FailureCause) -> Self {
        Self { path: path.to_owned(), reason: cause.to_string(), hint: hints::for_failure(cause).to_owned() }
    }
}

/// Damage in one of the sources.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SourceWarningOut {
    /// The document's URI.
    pub path: String,
    /// Kind of damage.
    pub kind: String,
    /// What, where, and what became of it.
    pub message: String,
}

/// What an ingest did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IngestOut {
    /// `ragctl.ingest/1`.
    pub schema: String,
    /// Documents that were not stored before.
    pub added: usize,
    /// Documents that were left alone.
    pub unchanged: usize,
    /// Documents that replaced an older version.
    pub refreshed: usize,
    /// Documents whose sources are gone.
    pub removed: usize,
    /// Files and folders left out.
    pub skipped: usize,
    /// The same by reason.
    pub skipped_by_reason: BTreeMap<String, usize>,
    /// What could not be ingested.
    pub failed: Vec<FailureOut>,
    /// Damage that readers noticed.
    pub warnings: Vec<SourceWarningOut>,
    /// Sections of the documents added and refreshed.
    pub sections: usize,
    /// Chunks of the documents added and refreshed.
    pub chunks: usize,
    /// Bytes of the sources added and refreshed.
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
    /// Whether nothing was written because only the plan was asked for.
    pub dry_run: bool,
    /// Whether the run was told to stop before its end.
    pub interrupted: bool,
    /// Generation afterwards; null in a dry run.
    pub generation: Option<u64>,
}
wire!(IngestOut, "ingest");

impl IngestOut {
    /// The answer to `ingest`.
    pub fn new(report: &IngestReport) -> Self {
        Self {
            schema: schema_name::<Self>(),
            added: report.n_added,
            unchanged: report.n_unchanged,
            refreshed: report.n_refreshed,
            removed: report.n_removed,
            skipped: report.n_skipped(),
            skipped_by_reason: report.skipped.iter().map(|(it, n)| (it.name().to_owned(), *n)).collect(),
            failed: report.failed.iter().map(|it| FailureOut::new(&it.path, &it.cause)).collect(),
            warnings: report
                .warnings
                .iter()
                .map(|(uri, it)| SourceWarningOut {
                    path: uri.clone(),
                    kind: it.kind.name().to_owned(),
                    message: it.message.clone(),
                })
                .collect(),
            sections: report.sizes.n_sections,
            chunks: report.sizes.n_chunks,
            bytes: report.sizes.n_bytes,
            seconds: (report.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
            dry_run: report.is_dry_run,
            interrupted: report.is_interrupted,
            generation: report.generation,
        }
    }
}

/// What became of one source, as a line of `ingest --jsonl`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IngestFileOut {
    /// `ragctl.ingest-file/1`.
    pub schema: String,
    /// The document's URI.
    pub uri: String,
    /// `added`, `refreshed`, `unchanged`, `removed`, `skipped` or `failed`.
    pub outcome: String,
    /// Why it was skipped or failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What to do about a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Number of sections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<usize>,
    /// Number of chunks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunks: Option<usize>,
    /// Damage that the reader noticed.
    pub warnings: Vec<WarningOut>,
}
wire!(IngestFileOut, "ingest-file");

impl IngestFileOut {
    /// One source's outcome.
    pub fn new(uri: &str, outcome: &ingest::Outcome, warnings: &[Warning]) -> Self {
        let mut out = Self {
            schema: schema_name::<Self>(),
            uri: uri.to_owned(),
            outcome: String::new(),
            reason: None,
            hint: None,
            sections: None,
            chunks: None,
            warnings: warnings_out(warnings),
        };
        let name = match outcome {
            ingest::Outcome::Added(sizes) | ingest::Outcome::Refreshed(sizes) => {
                (out.sections, out.chunks) = (Some(sizes.n_sections), Some(sizes.n_chunks));
                if matches!(outcome, ingest::Outcome::Added(_)) { "added" } else { "refreshed" }
            }
            ingest::Outcome::Unchanged => "unchanged",
            ingest::Outcome::Removed => "removed",
            ingest::Outcome::Skipped(reason) => {
                out.reason = Some(reason.name().to_owned());
                "skipped"
            }
            ingest::Outcome::Failed(cause) => {
                out.reason = Some(cause.to_string());
                out.hint = Some(hints::for_failure(cause).to_owned());
                "failed"
            }
        };
        Self { outcome: name.to_owned(), ..out }
    }
}

/// One check of an index.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckOut {
    /// What was checked.
    pub name: String,
    /// Whether it holds.
    pub ok: bool,
    /// Counts, or what is wrong.
    pub detail: String,
}

/// The checks of an index.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VerifyOut {
    /// `ragctl.verify/1`.
    pub schema: String,
    /// Whether all hold.
    pub ok: bool,
    /// The checks.
    pub checks: Vec<CheckOut>,
}
wire!(VerifyOut, "verify");

impl VerifyOut {
    /// The answer to `verify`.
    pub fn new(checks: &[Check]) -> Self {
        let checks: Vec<CheckOut> = checks
            .iter()
            .map(|it| CheckOut { name: it.name.to_owned(), ok: it.is_ok(), detail: it.detail() })
            .collect();
        Self { schema: schema_name::<Self>(), ok: checks.iter().all(|it| it.ok), checks }
    }
}

/// What was removed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RemoveOut {
    /// `ragctl.remove/1`.
    pub schema: String,
    /// The documents that were removed.
    pub removed: Vec<DocumentRef>,
    /// Whether nothing was written because only the plan was asked for.
    pub dry_run: bool,
}
wire!(RemoveOut, "remove");

impl RemoveOut {
    /// The answer to `remove`.
    pub fn new(documents: &[StoredDocument], dry_run: bool) -> Self {
        Self {
            schema: schema_name::<Self>(),
            removed: documents.iter().map(DocumentRef::new).collect(),
            dry_run,
        }
    }
}

/// What a rebuild did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReindexOut {
    /// `ragctl.reindex/1`.
    pub schema: String,
    /// Generation afterwards.
    pub generation: u64,
    /// Number of chunks in the rebuilt files.
    pub chunks: usize,
}
wire!(ReindexOut, "reindex");

impl ReindexOut {
    /// The answer to `reindex`.
    pub fn new(generation: u64, chunks: usize) -> Self {
        Self { schema: schema_name::<Self>(), generation, chunks }
    }
}

/// What went wrong, on stderr with `--json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ErrorOut {
    /// `ragctl.error/1`.
    pub schema: String,
    /// What failed, on which input, and why.
    pub error: String,
    /// What to do next.
    pub hint: Option<String>,
}
wire!(ErrorOut, "error");

impl ErrorOut {
    /// An error.
    pub fn new(error: String, hint: Option<String>) -> Self {
        Self { schema: schema_name::<Self>(), error, hint }
    }
}
