//! Chunkers: from a document to chunks. Pure and infallible.
//!
//! Owns where passages begin and end, and the registry [`CHUNKERS`]. All chunkers share their machinery and differ in what
//! they prefer to cut between. `plan` decides which stretches of text stand alone, by section, and `merge` joins
//! small ones; `split` cuts those that are too long, at the best place that `choose` finds with the searches of `cut`
//! and `sentence`, and `overlap` decides what the next piece repeats; `region`, `context` and `groups` know what tables, code
//! and lists need on both sides of a cut, and `lead` writes it. Time is linear in the text: positions and character counts come from one index
//! (`chars`), and every search reads one window.
//!
//! # Invariants, of every chunker
//!
//! - Spans minus overlaps tile the document's text; blank lines belong to the chunk before them.
//! - No urtext is longer than `max_chars`, except one table row that alone is; nor is a text before the transformers.
//! - Overlap lies within one section's own text and repeats only what was new in the chunk before.
//! - Tables are cut between rows, and the head is in the text of each piece, the label of a group of rows in its first row;
//!   fences of code are balanced in each; a piece of a list has the line that introduces the list, the items around its
//!   first one, and the first line, or the term, of an item that it does not begin with.
//! - A chunk depends on its own section (and those that are joined with it), the path of titles and the limits only.
//!
//! `tests::conformance` holds every chunker to them.

mod chars;
mod choose;
mod config;
mod context;
mod cut;
mod groups;
mod lead;
mod merge;
mod overlap;
mod pack;
mod plan;
mod region;
mod registry;
mod section;
mod sentence;
mod sentences;
mod split;
#[cfg(test)]
mod tests;
mod window;

use crate::content::{Chunk, Document};

pub use config::{ChunkConfig, ChunkConfigError, TokenLimit};
pub use registry::{CHUNKERS, Chunking, DEFAULT_CHUNKER, UnknownChunker, chunker_named};
pub use section::Section;
pub use sentences::Sentence;
pub use window::Window;

/// What is known of a chunker without running it.
#[derive(Clone, Copy, Debug)]
pub struct ChunkerMeta {
    /// Name, as in `--chunker NAME`.
    pub name: &'static str,
    /// Raised whenever the same document and limits would give other chunks; part of the stored pipeline fingerprint.
    pub version: u32,
    /// One line for `--help`.
    pub summary: &'static str,
}

/// What chunks keep to.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Limits in characters.
    pub config: ChunkConfig,
    /// A limit in tokens, if the model has one. Sections with chunks that are longer are cut into shorter ones; what cannot
    /// be (a table row, a text under endless titles) stays longer, for the caller to see.
    pub tokens: Option<TokenLimit<'a>>,
}

impl From<ChunkConfig> for Limits<'_> {
    fn from(config: ChunkConfig) -> Self {
        Self { config, tokens: None }
    }
}

/// Splits a document into chunks, in document order; an empty text has none. Pure and infallible; keeps the
/// [invariants](self#invariants-of-every-chunker) for every document and any limits. Those that
/// [`ChunkConfig::new`] would refuse are brought into range.
///
/// ```
/// use ragctl::chunk::{ChunkConfig, Chunker, Section};
/// use ragctl::content::{Document, DocumentId, Heading, Origin, SectionKind, build_sections};
///
/// let text = "# Tea\n\nGreen or black. Both need water.\n";
/// let id = DocumentId::of_uri("tea.md");
/// let heading = Heading { start: 0, end: 6, level: 1, title: "Tea".into(), kind: SectionKind::Heading };
/// let document = Document {
///     id,
///     uri: "tea.md".into(),
///     title: "Tea".into(),
///     media_type: "text/markdown".into(),
///     text: text.into(),
///     sections: build_sections(id, text, &[heading], |text| text.trim().is_empty()),
///     blocks: Vec::new(),
///     metadata: Default::default(),
///     language: None,
///     labels: Default::default(),
///     origin: Origin::Verbatim { byte: 0, line: 1 },
/// };
/// assert_eq!(Section.chunk(&document, &ChunkConfig::default().into())[0].text, text);
///
/// let pieces = Section.chunk(&document, &ChunkConfig::new(25, 0)?.into());
/// assert_eq!(pieces[0].text, "# Tea\n\nGreen or black. ");
/// assert_eq!(pieces[1].text, "Both need water.\n");
/// assert_eq!((pieces[1].index, pieces[1].total), (1, 2));
/// # Ok::<(), ragctl::chunk::ChunkConfigError>(())
/// ```
pub trait Chunker: Sync {
    /// Name, version, summary.
    fn meta(&self) -> &'static ChunkerMeta;

    /// The chunks of `document`.
    fn chunk(&self, document: &Document, limits: &Limits<'_>) -> Vec<Chunk>;
}
