//! One source through the stages: read, chunk, transform, embed.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use crate::chunk::{Chunking, Limits as ChunkLimits, TokenLimit};
use crate::content::{Chunk, ChunkId, ContentHash, Document, Language, Metadata, Span, Warning, WarningKind};
use crate::embed::Embedder;
use crate::ingest::FailureCause;
use crate::ingest::vectors::embed_all;
use crate::read::worker::{self, Limits};
use crate::read::{self, Blob, Parsed, ReadError, ReadOptions, Reader, language};
use crate::store::embedded::{KnownVectors, NewDocument, Provenance};
use crate::transform;

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
    /// The chunker with its limits.
    pub chunk: Chunking,
    /// Transformers, in order.
    pub transform: transform::Pipeline,
    /// The embedding models, whose vectors documents are stored with.
    pub embedders: Vec<&'a dyn Embedder>,
    /// A model whose vectors are filled in afterwards; chunks are made so that it can read them too.
    pub later: Option<&'a dyn Embedder>,
    /// The language of every document; `None`: found out for each.
    pub language: Option<Language>,
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

impl<'a> Pipeline<'a> {
    /// Names everything but reader and source that decides the chunks and their texts.
    ///
    /// # Stability: stored in format 2; a change makes `--refresh changed` read again.
    pub fn fingerprint(&self) -> String {
        let page = if self.read.full_page { " full-page" } else { "" };
        let links = if self.read.links { " links" } else { "" };
        let language = match self.language {
            Some(language) => language.to_string(),
            None => language::VERSION.to_string(),
        };
        let tokens = self.max_tokens().map_or(String::new(), |max| format!(" tokens {max}"));
        let (chunk, transform) = (self.chunk.fingerprint(), self.transform.fingerprint());
        format!("{chunk}{tokens}{page}{links} {transform} language/{language}")
    }

    /// The reader for `blob`.
    ///
    /// # Errors
    ///
    /// [`ReadError::Binary`] when there is none.
    pub fn reader_for(&self, blob: &Blob) -> Result<&'static dyn Reader, ReadError> {
        self.format.or_else(|| read::detect(blob)).ok_or(ReadError::Binary)
    }

    /// Reads `blob`, in a worker process if its reader is risky, and finds out its language.
    ///
    /// # Errors
    ///
    /// Those of the reader, and [`ReadError::Worker`] when the reader crashes or runs into a limit.
    pub fn read(&self, reader: &'static dyn Reader, blob: &Blob) -> Result<Parsed, ReadError> {
        let mut parsed = self.read_isolated(reader, blob)?;
        let document = &mut parsed.document;
        document.language = self.language.or_else(|| language::language_of(document));
        Ok(parsed)
    }

    fn read_isolated(&self, reader: &'static dyn Reader, blob: &Blob) -> Result<Parsed, ReadError> {
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

    /// Chunks a document and gives the chunks their final texts. Where the model reads only so many tokens, chunks are
    /// made so short that it reads all of each; a warning is added for those that cannot be.
    pub fn chunks(&self, parsed: &mut Parsed) -> Vec<Chunk> {
        let document = &parsed.document;
        let count = |section: Option<usize>, text: &str| self.count_tokens(document, section, text);
        let tokens = self.max_tokens().map(|max_tokens| TokenLimit { max_tokens, count: &count });
        let limits = ChunkLimits { config: self.chunk.config, tokens };
        let mut chunks = self.chunk.chunker.chunk(document, &limits);
        self.transform.apply(document, &mut chunks);
        parsed.warnings.extend(self.models().filter_map(|it| Self::unread_by_model(it, &chunks)));
        chunks
    }

    /// Every model, those of later included.
    fn models(&self) -> impl Iterator<Item = &'a dyn Embedder> + '_ {
        self.embedders.iter().copied().chain(self.later)
    }

    /// The fewest tokens that one of the models reads.
    fn max_tokens(&self) -> Option<usize> {
        self.models().filter_map(Embedder::max_tokens).min()
    }

    /// Tokens of the final text of a chunk whose text is so far `text`, as a share of what each model reads: the largest
    /// share, times [`max_tokens`](Self::max_tokens).
    fn count_tokens(&self, document: &Document, section: Option<usize>, text: &str) -> usize {
        let mut chunk = Chunk {
            id: ChunkId::of_place(document.id, &[], "", 0),
            section,
            span: Span::default(),
            overlap: 0,
            index: 0,
            total: 1,
            sequence: 0,
            text: text.to_owned(),
        };
        self.transform.apply(document, std::slice::from_mut(&mut chunk));
        let least = self.max_tokens().unwrap_or(usize::MAX);
        let share = |model: &dyn Embedder| {
            let max_tokens = model.max_tokens()?;
            Some((model.count_tokens(&chunk.text) * least).div_ceil(max_tokens.max(1)))
        };
        self.models().filter_map(share).max().unwrap_or(0)
    }

    /// Says how many chunks a model does not read to their ends.
    fn unread_by_model(model: &dyn Embedder, chunks: &[Chunk]) -> Option<Warning> {
        let max_tokens = model.max_tokens()?;
        let n_long = chunks.iter().filter(|it| model.count_tokens(&it.text) > max_tokens).count();
        let message = format!(
            "{n_long} of {} chunks are longer than the {max_tokens} tokens that the model '{}' reads: their ends are found by \
             words, not by meaning",
            chunks.len(),
            model.name()
        );
        (n_long > 0).then(|| Warning::new(WarningKind::Limit, message))
    }

    /// Takes `blob` through all stages. Vectors of slow models that are `known` are not made again.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or its chunks cannot be embedded.
    pub fn prepare(
        &self,
        blob: &Blob,
        hash: ContentHash,
        now: jiff::Timestamp,
        known: Option<&KnownVectors>,
    ) -> Result<NewDocument, FailureCause> {
        let reader = self.reader_for(blob)?;
        let mut parsed = self.read(reader, blob)?;
        parsed
            .document
            .metadata
            .extend(self.metadata.iter().map(|(key, value)| (key.clone(), value.clone())));
        parsed.document.labels.extend(self.labels.iter().cloned());
        let chunks = self.chunks(&mut parsed);
        let mut warnings = std::mem::take(&mut parsed.warnings);
        warnings.retain(|it| it.kind != WarningKind::Dropped);
        let texts: Vec<&str> = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
        let vectors = self
            .embedders
            .iter()
            .map(|&model| embed_all(model, &texts, known))
            .collect::<Result<_, _>>()
            .map_err(FailureCause::Embed)?;
        let meta = reader.meta();
        Ok(NewDocument {
            document: parsed.document,
            chunks,
            vectors,
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

pub(super) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|it| (*it).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::content::Vectors;
    use crate::embed::{EmbedError, Role};

    /// A model that reads 60 words of a text, and two tokens of its own.
    struct Short;

    const MAX_TOKENS: usize = 62;

    impl Embedder for Short {
        fn name(&self) -> &str {
            "short"
        }

        fn fingerprint(&self) -> &str {
            "short"
        }

        fn dimension(&self) -> usize {
            1
        }

        fn fusion_weight(&self) -> f32 {
            0.5
        }

        fn max_tokens(&self) -> Option<usize> {
            Some(MAX_TOKENS)
        }

        fn count_tokens(&self, text: &str) -> usize {
            text.split_whitespace().count() + 2
        }

        fn embed(&self, texts: &[&str], _role: Role) -> Result<Vectors, EmbedError> {
            Ok(Vectors::Dense { dimension: 1, values: vec![1.0; texts.len()] })
        }
    }

    /// Everything as it is unless told otherwise, in this process, with one model.
    pub(in crate::ingest) fn of_defaults(model: &dyn Embedder) -> Pipeline<'_> {
        Pipeline {
            read: ReadOptions::default(),
            format: None,
            isolation: None,
            chunk: Chunking::default(),
            transform: transform::Pipeline::default(),
            embedders: vec![model],
            later: None,
            language: None,
            metadata: Metadata::new(),
            labels: BTreeSet::new(),
        }
    }

    fn prepare(text: &str) -> NewDocument {
        let pipeline = of_defaults(&Short);
        assert_eq!(pipeline.fingerprint(), "section/3 1500+200 tokens 62 add-titles/1 language/1");
        let blob = Blob { uri: "a.md".to_owned(), bytes: text.as_bytes().to_vec() };
        pipeline.prepare(&blob, ContentHash::of(&blob.bytes), jiff::Timestamp::UNIX_EPOCH, None).unwrap()
    }

    fn n_tokens(document: &NewDocument) -> Vec<usize> {
        document.chunks.iter().map(|chunk| Short.count_tokens(&chunk.text)).collect()
    }

    #[test]
    fn chunks_with_their_titles_are_no_longer_than_the_model_reads() {
        let document =
            prepare(&format!("# A title of six short words\n\n{}\n", "Some words are here. ".repeat(40)));
        assert!(n_tokens(&document).iter().all(|&n| n <= MAX_TOKENS), "{:?}", n_tokens(&document));
        assert!((3..8).contains(&document.chunks.len()), "{}", document.chunks.len());
        assert_eq!(document.vectors[0].len(), document.chunks.len());
        assert_eq!(document.warnings, []);
    }

    #[test]
    fn what_the_model_does_not_read_is_said() {
        let row = format!("| {} | b |\n", "word ".repeat(100).trim_end());
        let document = prepare(&format!("# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n{row}| 3 | 4 |\n"));
        assert_eq!(n_tokens(&document).iter().filter(|&&n| n > MAX_TOKENS).count(), 1);
        let [warning] = document.warnings.as_slice() else { panic!("{:?}", document.warnings) };
        assert_eq!(warning.kind, WarningKind::Limit);
        let expected = format!(
            "1 of {} chunks are longer than the 62 tokens that the model 'short' reads",
            document.chunks.len()
        );
        assert!(warning.message.starts_with(&expected), "{}", warning.message);
    }
}
