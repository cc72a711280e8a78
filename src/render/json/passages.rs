//! Chunks, and what `expand`, `zoom`, `show` and `chunk` make of them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{
    ChunkRef, DocumentRef, EntityRef, Location, SectionRef, WarningOut, range, schema_name, section_ref,
    warnings_out, wire,
};
use crate::content::{self, Document, Warning};
use crate::search::{Expanded, Passage, Zoomed};
use crate::store::StoredChunk;

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
    /// The named entity that the document is, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<EntityRef>,
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
            entity: EntityRef::of(&passage.document),
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
                entity: None,
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

/// Sections of the same title.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReadingsOut {
    /// `ragctl.readings/1`.
    pub schema: String,
    /// The sections with their texts, in order.
    pub sections: Vec<ZoomOut>,
}
wire!(ReadingsOut, "readings");

impl ReadingsOut {
    /// Several sections.
    pub fn new(zoomed: &[Zoomed]) -> Self {
        Self { schema: schema_name::<Self>(), sections: zoomed.iter().map(ZoomOut::new).collect() }
    }
}
