//! Wire JSON (SPEC 6).
//!
//! Every object starts with `"schema": "ragctl.<kind>/1"`. Within a major version fields are only added. Lists are in
//! document order. [`crate::render::schema`] derives the JSON Schemas from these types.

mod calibration;
mod doctor;
mod documents;
mod entities;
mod eval;
mod filters;
mod ingest;
mod models;
mod passages;
mod queries;
mod search;
mod trace;
mod upkeep;

use schemars::JsonSchema;
use serde::Serialize;

use crate::content::{self, Span, Warning};
use crate::render::human;
use crate::search::Passage;
use crate::store::{StoredDocument, StoredSection};

pub use calibration::{BasisOut, CalibrationOut, ErrorsOut};
pub use doctor::{DiagnosisOut, DoctorOut, State};
pub use documents::{DocumentOut, DocumentsOut, ListedDocument, SectionOut, TreeOut};
pub use entities::{EntityOut, EntityRef, MentionOut};
pub use eval::{
    AblatedOut, AnswerabilityOut, AurocOut, ComparedOut, ComparedQueryOut, EvalAblateOut, EvalCompareOut,
    EvalIndexOut, EvalOut, EvalQueryOut, EvalRunOut, RateOut,
};
pub use filters::{FilterKey, FilterNode, FilterOut};
pub use ingest::{FailureOut, FilledOut, IngestFileOut, IngestOut, SourceWarningOut};
pub use models::{ListedModel, ModelUse, ModelsOut, PullOut};
pub use passages::{ChunkOut, ChunksOut, ExpandOut, ReadingsOut, ZoomOut};
pub use queries::{QueryNode, QueryOut};
pub use search::{
    HitOut, IndexRef, MatchCount, MatchLocation, MatchesOut, MergedOut, RanksOut, ScoresOut, SearchOut,
    StageOut, fusion_text,
};
pub use trace::{QueryUse, ToolUse, TraceEntry, TraceSummaryOut, TracedResult};
pub use upkeep::{
    CheckOut, DiskOut, ErrorOut, IndexModelOut, InfoOut, KeptThresholdOut, ModelOut, PartOut, ReembedOut,
    ReindexOut, RemoveOut, VerifyOut,
};

/// Values that are written as a top-level object of some kind.
pub trait Wire: Serialize + JsonSchema {
    /// The name behind `ragctl.` and before `/1`.
    const KIND: &'static str;
}

macro_rules! wire {
    ($name:ident, $kind:literal) => {
        impl crate::render::json::Wire for $name {
            const KIND: &'static str = $kind;
        }
    };
}

use wire;

/// The value of a wire object.
pub fn value(object: &impl Wire) -> serde_json::Value {
    // Wire objects have text keys and finite numbers, the only things that can fail.
    serde_json::to_value(object).unwrap_or_default()
}

fn schema_name<T: Wire>() -> String {
    format!("ragctl.{}/1", T::KIND)
}

/// Place in the source.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Location {
    /// Path of the file: relative to the folder that holds the index, or absolute for a file outside it.
    pub path: String,
    /// Path inside that file, where it is an archive, to which the places below belong; the id of an entity in a file of
    /// entities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// First and last line, 1-based, inclusive (Markdown, text, code).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<[usize; 2]>,
    /// Half-open byte range of the source file (Markdown, text, code).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<[usize; 2]>,
    /// Nearest anchor (HTML; Markdown whose headings give themselves ids).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// First and last page, 1-based, inclusive (PDF).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<[u32; 2]>,
    /// First and last cell, 1-based, inclusive (notebooks).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<[u32; 2]>,
    /// First and last slide, 1-based, inclusive (presentations).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slides: Option<[u32; 2]>,
    /// Sheet in which the passage starts (workbooks).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// First and last row of the sheet, 1-based, inclusive (workbooks).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<[u32; 2]>,
}

impl Location {
    fn new(uri: &str, location: &content::Location) -> Self {
        let (path, member) = human::path_and_member(uri);
        Self {
            path,
            member,
            lines: location.lines.map(|(first, last)| [first, last]),
            bytes: location.bytes.map(range),
            anchor: location.anchor.clone(),
            pages: location.pages.map(|(first, last)| [first, last]),
            cells: location.cells.map(|(first, last)| [first, last]),
            slides: location.slides.map(|(first, last)| [first, last]),
            sheet: location.sheet.clone(),
            rows: location.rows.map(|(first, last)| [first, last]),
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

impl SectionRef {
    fn new(section: &StoredSection, path: &[String]) -> Self {
        Self {
            id: section.section.id.to_string(),
            title: section.section.title.clone(),
            path: path.to_vec(),
            level: section.section.level,
        }
    }
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

fn section_ref(passage: &Passage) -> SectionRef {
    match &passage.section {
        Some(it) => SectionRef::new(it, &passage.path),
        None => SectionRef {
            id: passage.document.id.to_string(),
            title: passage.document.title.clone(),
            path: Vec::new(),
            level: 0,
        },
    }
}
