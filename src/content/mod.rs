//! The content model: documents, sections, chunks, their ids and their places.
//!
//! Owns the types that flow through every stage and the invariants between them. Imports nothing else of
//! this crate and does no I/O. Readers make [`Document`]s, the chunker makes [`Chunk`]s, stores keep both.
//!
//! # Invariants
//!
//! - Every [`Span`] is a half-open byte range into [`Document::text`], on character boundaries.
//! - Sections stand in pre-order, so a subtree is one slice of the arena and its text one contiguous span.
//! - Top-level sections tile the document's text; a section's own text runs from its start to its first child.
//! - Ids are derived from content and place alone: the same input gives the same ids on every machine.

mod chunk;
mod document;
mod entity;
mod id;
mod language;
mod location;
mod member;
mod outline;
mod script;
mod section;
mod span;
mod vector;
mod warning;

pub use chunk::Chunk;
pub use document::{Block, BlockKind, Document, Metadata};
pub use entity::{ENTITY_MEDIA_TYPE, NamedEntity};
pub use id::{ChunkId, ContentHash, DocumentId, IdParseError, SectionId};
pub use language::Language;
pub use location::{LineIndex, Location, Locator, Origin};
pub use member::{
    ContainerKind, escape_marks, has_scheme, is_entity_uri, member_uri, percent_decode, percent_encode,
    split_member, stands_for_mark,
};
pub use outline::{Heading, build_sections};
pub use script::is_unspaced;
pub use section::{Section, SectionKind};
pub use span::Span;
pub use vector::{TokenWeight, Vector, VectorKind, VectorRef, Vectors};
pub use warning::{Warning, WarningKind};
