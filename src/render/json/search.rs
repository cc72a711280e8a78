//! Answers to `search`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{ChunkRef, DocumentRef, EntityRef, Location, SectionRef, schema_name, section_ref, wire};
use crate::content::LineIndex;
use crate::search::{Found, Fusion, FusionKind, Hit, Merged, SearchRequest, StageCount};
use crate::store::{self, PatternMatch, Scope, StoredDocument};

/// Scores behind a hit.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ScoresOut {
    /// Cosine similarity, -1 to 1; of a sparse model d/(d+q), 0 to 1, with the dot product d of passage and query and q of the query
    /// with itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector: Option<f32>,
    /// Raw BM25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bm25: Option<f32>,
    /// Fused score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fused: Option<f32>,
    /// The reranker's score, in its own scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank: Option<f32>,
}

/// A section that stands for its chunks (`--auto-merge`).
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MergedOut {
    /// Section id, for `show` and `zoom`.
    pub id: String,
    /// The chunks of it that were hits, best first.
    pub chunks: Vec<String>,
    /// How many chunks it has, subsections included.
    pub total: usize,
}

impl MergedOut {
    fn new(merged: &Merged) -> Self {
        Self {
            id: merged.section.section.id.to_string(),
            chunks: merged.chunks.iter().map(ToString::to_string).collect(),
            total: merged.n_chunks,
        }
    }
}

/// What a stage did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StageOut {
    /// `rerank`, `dedupe`, `mmr`, `per_document`, `per_section` or `auto_merge`.
    pub stage: String,
    /// Candidates that came in.
    pub before: usize,
    /// Candidates that were left.
    pub after: usize,
}

impl StageOut {
    fn new(count: &StageCount) -> Self {
        Self { stage: count.stage.to_owned(), before: count.n_in, after: count.n_out }
    }
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

/// Place of a match in its source.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MatchLocation {
    /// 1-based line in which it begins.
    pub line: usize,
    /// 1-based byte in that line, as `rg --column` counts.
    pub column: usize,
    /// Half-open byte range in the file; the whole match, also where it goes on in the next chunk.
    pub bytes: [usize; 2],
}

impl MatchLocation {
    /// The places of a hit's matches; `None` where the source has no lines.
    fn of(hit: &Hit) -> Option<Vec<Self>> {
        let chunk = &hit.passage.chunk;
        let ((first_line, _), bytes) = chunk.location.lines.zip(chunk.location.bytes)?;
        let lines = LineIndex::new(&chunk.urtext);
        let place = |it: &PatternMatch| Self {
            line: first_line + lines.line_of(it.span.start),
            column: it.column,
            bytes: [bytes.start + it.span.start, bytes.start + it.span.end],
        };
        Some(hit.matches.iter().map(place).collect())
    }
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
    /// Score in the mode's own scale: cosine (of a sparse model as `vector`), bm25/(bm25+3), fused score, 1 for a pattern; with `--rerank` the reranker's.
    pub score: f32,
    /// The scores that it is made of.
    pub scores: ScoresOut,
    /// Ranks in the lists that were fused.
    pub ranks: RanksOut,
    /// Matches of the pattern: half-open byte ranges in `urtext`, cut at its end; absent for a merged section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<[usize; 2]>>,
    /// Places of the same matches in the source, where it has lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_locations: Option<Vec<MatchLocation>>,
    /// With `--auto-merge`, a section that stands for its chunks: `section`, `location`, `urtext` and `text` are then the
    /// section's, `id`, `chunk` and the scores those of its best chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged: Option<MergedOut>,
    /// With `--dedupe`, chunks that say nearly the same and were left out for this one, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<String>,
    /// How the score came about, with `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// The document.
    pub document: DocumentRef,
    /// The named entity that the document is, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<EntityRef>,
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
        let merged = hit.merged.as_ref();
        let urtext = merged.map_or(&chunk.urtext, |it| &it.text);
        let text = merged.map_or(&chunk.chunk.text, |it| &it.text);
        let location = merged.map_or(&chunk.location, |it| &it.location);
        Self {
            schema: None,
            rank: hit.rank,
            id: chunk.chunk.id.to_string(),
            score: hit.score,
            scores: ScoresOut {
                vector: hit.scores.vector,
                bm25: hit.scores.bm25,
                fused: hit.scores.fused,
                rerank: hit.scores.rerank,
            },
            ranks: RanksOut { vector: hit.vector_rank, text: hit.text_rank },
            matches: (!hit.matches.is_empty() && merged.is_none()).then(|| {
                let end = chunk.urtext.len();
                hit.matches.iter().map(|it| [it.span.start, it.span.end.min(end)]).collect()
            }),
            match_locations: (!hit.matches.is_empty()).then(|| MatchLocation::of(hit)).flatten(),
            merged: merged.map(MergedOut::new),
            duplicates: hit.duplicates.iter().map(ToString::to_string).collect(),
            explanation,
            document: DocumentRef::new(&passage.document),
            entity: EntityRef::of(&passage.document),
            section: match merged {
                Some(it) => SectionRef::new(&it.section, &it.path),
                None => section_ref(passage),
            },
            chunk: ChunkRef {
                index: chunk.chunk.index,
                total: chunk.chunk.total,
                sequence: chunk.chunk.sequence,
            },
            location: Location::new(&passage.document.uri, location),
            urtext: with_text.then(|| urtext.clone()),
            text: with_text.then(|| text.clone()),
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
    /// What the stages behind the lists did, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageOut>,
    /// Hits, best first, then neighbours.
    pub hits: Vec<HitOut>,
}
wire!(SearchOut, "search");

impl SearchOut {
    /// The answer to `request`.
    pub fn new(
        request: &SearchRequest,
        found: &Found,
        model: &store::ModelInfo,
        generation: u64,
        hits: Vec<HitOut>,
    ) -> Self {
        Self {
            schema: schema_name::<Self>(),
            query: request.query.clone(),
            mode: request.mode.name().to_owned(),
            filter: filter_text(&request.scope),
            fusion: found.blend.map(|it| fusion_text(it.fusion)),
            index: IndexRef { model: model.name.clone(), fingerprint: model.fingerprint.clone(), generation },
            notes: found.notes.clone(),
            stages: found.stages.iter().map(StageOut::new).collect(),
            hits,
        }
    }
}

/// The filters of a scope as one expression.
fn filter_text(scope: &Scope) -> Option<String> {
    match scope.filters.as_slice() {
        [] => None,
        [one] => Some(one.to_string()),
        filters => Some(filters.iter().map(|it| format!("({it})")).collect::<Vec<_>>().join(" AND ")),
    }
}

/// A fusion in words.
pub fn fusion_text(fusion: Fusion) -> String {
    let Fusion { kind, weight } = fusion;
    let name = match kind {
        FusionKind::Convex => "convex",
        FusionKind::Rrf => "reciprocal rank",
        FusionKind::Rsf => "relative scores",
        FusionKind::Dbsf => "distribution-based scores",
    };
    format!("{name}, vector weight {weight}")
}

/// How often a pattern matches in a document.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MatchCount {
    /// `ragctl.match_count/1`; absent inside lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The document.
    pub document: DocumentRef,
    /// Number of matches, at least 1.
    pub matches: usize,
}
wire!(MatchCount, "match_count");

impl MatchCount {
    /// `n` matches in `document`.
    pub fn new(document: &StoredDocument, n: usize) -> Self {
        Self { schema: None, document: DocumentRef::new(document), matches: n }
    }

    /// The same as a top-level object.
    pub fn at_top_level(self) -> Self {
        Self { schema: Some(schema_name::<Self>()), ..self }
    }
}

/// The answer to `search --regex --count` and `--files-with-matches`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MatchesOut {
    /// `ragctl.matches/1`.
    pub schema: String,
    /// The pattern.
    pub query: String,
    /// The filter, as it was understood; null without one.
    pub filter: Option<String>,
    /// Sum over all documents.
    pub matches: usize,
    /// Documents with matches, by URI.
    pub documents: Vec<MatchCount>,
}
wire!(MatchesOut, "matches");

impl MatchesOut {
    /// The answer with these counts.
    pub fn new(request: &SearchRequest, counts: &[(StoredDocument, usize)]) -> Self {
        Self {
            schema: schema_name::<Self>(),
            query: request.query.clone(),
            filter: filter_text(&request.scope),
            matches: counts.iter().map(|(_, n)| n).sum(),
            documents: counts.iter().map(|(document, n)| MatchCount::new(document, *n)).collect(),
        }
    }
}
