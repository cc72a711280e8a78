//! Answers to `search`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{ChunkRef, DocumentRef, Location, SectionRef, range, schema_name, section_ref, wire};
use crate::search::{Fusion, Hit, SearchRequest};
use crate::store;

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
