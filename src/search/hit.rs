//! What a search finds.

use crate::content::{ChunkId, Location};
use crate::search::request::Signal;
use crate::search::{BM25_HALF, Blend};
use crate::store::{PatternMatch, StoredChunk, StoredDocument, StoredSection};

/// A chunk with its surroundings in the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The chunk.
    pub chunk: StoredChunk,
    /// Its document.
    pub document: StoredDocument,
    /// Its section; `None` when it belongs to the document itself.
    pub section: Option<StoredSection>,
    /// Titles from the top-level section down to the chunk's section.
    pub path: Vec<String>,
}

/// One hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// 1-based rank; `None` for a neighbour.
    pub rank: Option<usize>,
    /// Score in the mode's own scale, or the reranker's where it judged the hit; a neighbour has the score of its hit.
    pub score: f32,
    /// The scores that it is made of.
    pub scores: Scores,
    /// 1-based rank in the vector list, where it stands there.
    pub vector_rank: Option<usize>,
    /// 1-based rank in the text list, where it stands there.
    pub text_rank: Option<usize>,
    /// Matches of the pattern.
    pub matches: Vec<PatternMatch>,
    /// What was found; the best chunk of a section that was merged.
    pub passage: Passage,
    /// The section that stands for its chunks.
    pub merged: Option<Merged>,
    /// Chunks that say nearly the same and were left out for it, best first.
    pub duplicates: Vec<ChunkId>,
}

/// A section that stands for its chunks, since more than half of them were hits.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The section.
    pub section: StoredSection,
    /// Titles from the top-level section down to it.
    pub path: Vec<String>,
    /// Its chunks that were hits, best first.
    pub chunks: Vec<ChunkId>,
    /// How many chunks it has, subsections included.
    pub n_chunks: usize,
    /// Its whole text.
    pub text: String,
    /// Its place in the source.
    pub location: Location,
}

/// The scores behind a hit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// Similarity to the query: cosine, -1 to 1; of a sparse model 0 to 1 (see [`VectorSearch`](crate::store::VectorSearch)).
    pub vector: Option<f32>,
    /// Raw BM25.
    pub bm25: Option<f32>,
    /// Fused score.
    pub fused: Option<f32>,
    /// The reranker's score, in its own scale.
    pub rerank: Option<f32>,
}

impl Scores {
    /// The score that is this signal, where there is one.
    pub fn signal(&self, signal: Signal) -> Option<f32> {
        match signal {
            Signal::Vector => self.vector,
            Signal::Text => self.bm25.map(|it| it / (it + BM25_HALF)),
            Signal::Rerank => self.rerank,
        }
    }
}

/// What a stage did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageCount {
    /// Name, as in [`Stages`](crate::search::Stages).
    pub stage: &'static str,
    /// Candidates that came in.
    pub n_in: usize,
    /// Candidates that went out; those behind the cut are not counted for merging.
    pub n_out: usize,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Hits, best first, then neighbours.
    pub hits: Vec<Hit>,
    /// Notes for the user, such as how an odd query was taken.
    pub notes: Vec<String>,
    /// Whether the reranker's time was over before it had judged the candidates, so that they stand in the order that they had.
    pub is_rerank_late: bool,
    /// How hybrid scores were fused.
    pub blend: Option<Blend>,
    /// Highest score of each kind among the candidates of the first stage, and the reranker's.
    pub best: Scores,
    /// What the stages did, in order.
    pub stages: Vec<StageCount>,
}
