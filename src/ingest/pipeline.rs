//! One source through the stages: read, chunk, transform, embed.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use rayon::prelude::*;

use crate::chunk::{ChunkConfig, chunk};
use crate::content::{Chunk, ContentHash, Metadata, WarningKind};
use crate::embed::{Embedder, Role};
use crate::ingest::FailureCause;
use crate::read::worker::{self, Limits};
use crate::read::{self, Blob, Parsed, ReadError, ReadOptions, Reader};
use crate::store::embedded::{NewDocument, Provenance};
use crate::transform;

/// Texts given to the embedder at a time: enough to spread a large document over the cores.
const EMBED_BATCH: usize = 128;

/// How risky readers are kept apart.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// The program to start as a worker; it must answer `__read-worker`.
    pub program: PathBuf,
    /// What a worker may use.
    pub limits: Limits,
}

/// The stages that turn bytes into a stored document, with their settings.
pub struct Pipeline<'a> {
    /// Settings of the readers.
    pub read: ReadOptions,
    /// The reader to use whatever the file's name; `None`: by name and content.
    pub format: Option<&'static dyn Reader>,
    /// How risky readers are kept apart; `None` runs them in this process.
    pub isolation: Option<Isolation>,
    /// Limits of the chunker.
    pub chunk: ChunkConfig,
    /// Transformers, in order.
    pub transform: transform::Pipeline,
    /// The embedding model.
    pub embedder: &'a dyn Embedder,
    /// Metadata put on every document, over its own.
    pub metadata: Metadata,
    /// Labels put on every document.
    pub labels: BTreeSet<String>,
}

impl std::fmt::Debug for Pipeline<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pipeline").field("fingerprint", &self.fingerprint()).finish_non_exhaustive()
    }
}

impl Pipeline<'_> {
    /// Names everything but reader and source that decides the chunks and their texts.
    ///
    /// # Stability: stored in format 1; a change makes `--refresh changed` read again.
    pub fn fingerprint(&self) -> String {
        let page = if self.read.full_page { " full-page" } else { "" };
        let links = if self.read.links { " links" } else { "" };
        format!(
            "chunk/{} {}+{}{page}{links} {}",
            crate::chunk::VERSION,
            self.chunk.max_chars,
            self.chunk.overlap_chars,
            self.transform.fingerprint()
        )
    }

    /// The reader for `blob`.
    ///
    /// # Errors
    ///
    /// [`ReadError::Binary`] when there is none.
    pub fn reader_for(&self, blob: &Blob) -> Result<&'static dyn Reader, ReadError> {
        self.format.or_else(|| read::detect(blob)).ok_or(ReadError::Binary)
    }

    /// Reads `blob`, in a worker process if its reader is risky.
    ///
    /// # Errors
    ///
    /// Those of the reader, and [`ReadError::Worker`] when the reader crashes or runs into a limit.
    pub fn read(&self, reader: &'static dyn Reader, blob: &Blob) -> Result<Parsed, ReadError> {
        let meta = reader.meta();
        match &self.isolation {
            Some(Isolation { program, limits }) if meta.is_risky => {
                worker::read_isolated(program, meta, blob, &self.read, limits)
            }
            _ => {
                let outcome = catch_unwind(AssertUnwindSafe(|| reader.read(blob, &self.read)));
                outcome.unwrap_or_else(|panic| {
                    let detail = panic_text(&*panic);
                    Err(ReadError::Worker { format: meta.name, detail })
                })
            }
        }
    }

    /// Chunks a document and gives the chunks their final texts.
    pub fn chunks(&self, parsed: &Parsed) -> Vec<Chunk> {
        let mut chunks = chunk(&parsed.document, self.chunk);
        self.transform.apply(&parsed.document, &mut chunks);
        chunks
    }

    /// Takes `blob` through all stages.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or its chunks cannot be embedded.
    pub fn prepare(
        &self,
        blob: &Blob,
        hash: ContentHash,
        now: jiff::Timestamp,
    ) -> Result<NewDocument, FailureCause> {
        let reader = self.reader_for(blob)?;
        let mut parsed = self.read(reader, blob)?;
        parsed
            .document
            .metadata
            .extend(self.metadata.iter().map(|(key, value)| (key.clone(), value.clone())));
        parsed.document.labels.extend(self.labels.iter().cloned());
        let chunks = self.chunks(&parsed);
        let mut warnings = std::mem::take(&mut parsed.warnings);
        warnings.retain(|it| it.kind != WarningKind::Dropped);
        let texts: Vec<&str> = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
        let batches: Vec<Vec<f32>> = texts
            .par_chunks(EMBED_BATCH)
            .map(|texts| self.embedder.embed(texts, Role::Passage))
            .collect::<Result<_, _>>()
            .map_err(|error| FailureCause::Embed(error.to_string()))?;
        let meta = reader.meta();
        Ok(NewDocument {
            document: parsed.document,
            chunks,
            vectors: batches.concat(),
            warnings,
            provenance: Provenance {
                hash,
                reader: meta.name.to_owned(),
                reader_version: meta.version,
                pipeline: self.fingerprint(),
                ingested_at: now,
                n_bytes: blob.bytes.len() as u64,
                is_file: true,
            },
        })
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|it| (*it).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
}
