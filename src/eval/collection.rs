//! Test collections on disk: their files, and a temporary index of a corpus.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value;

use crate::eval::formats::{FormatError, id_of, text_of};
use crate::ingest::{
    IngestOptions, IngestReport, Pipeline, RefreshPolicy, RefreshRules, Reporter, Sources, ingest,
};
use crate::read::Blob;
use crate::source::{WalkOptions, Walked};
use crate::store::StoreError;
use crate::store::embedded::{DATABASE, EmbeddedStore, Need, Writer, keep_setting, records_of};

/// How much of a corpus is in memory at a time, bytes.
const BATCH_BYTES: usize = 64 << 20;

/// The longest line of a corpus, bytes: more is no document, and would fill the memory.
const MAX_LINE_BYTES: u64 = 64 << 20;

/// The most that a file of queries, judgements or results may hold, bytes: ten million results of a run.
const MAX_FILE_BYTES: u64 = 512 << 20;

/// How long another writer of a corpus's index is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Kept with an index of a corpus: documents that are no longer in the corpus may be removed from it.
const MARK: &str = "corpus";

/// What is wrong with a collection.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// A file cannot be read.
    #[error("cannot read '{}'", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file does not say what it should.
    #[error("'{}', {error}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What, and where.
        error: FormatError,
    },
    /// A file is larger than any such file.
    #[error("'{}' holds more than {} MB", path.display(), MAX_FILE_BYTES >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A folder is no collection.
    #[error("'{}' has no {what}", folder.display())]
    Missing {
        /// The folder.
        folder: PathBuf,
        /// The file that is not there, with the names that it may have.
        what: String,
    },
    /// A document of the corpus cannot be ingested.
    #[error("the document '{id}' of '{}' cannot be ingested: {cause}", path.display())]
    Document {
        /// The corpus.
        path: PathBuf,
        /// Its id.
        id: String,
        /// Why.
        cause: String,
    },
    /// An index that is to hold the corpus holds something else.
    #[error("the index '{}' was not made of a corpus", folder.display())]
    OtherIndex {
        /// Its folder.
        folder: PathBuf,
    },
    /// The index of the corpus cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The files of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// Documents, one JSON object a line: `_id`, `title`, `text`.
    pub corpus: PathBuf,
    /// Queries.
    pub queries: PathBuf,
    /// Judgements.
    pub qrels: PathBuf,
}

impl Files {
    /// The files of a folder in the form of BEIR: `corpus.jsonl`, `queries.jsonl` (or `.tsv`), and `qrels/SPLIT.tsv`, or
    /// `qrels.tsv` where there is only one; each may be compressed (`.gz`).
    ///
    /// # Errors
    ///
    /// [`CollectionError::Missing`].
    pub fn of_beir(folder: &Path, split: &str) -> Result<Self, CollectionError> {
        let find = |names: &[String]| {
            let plain = names.iter().map(|name| folder.join(name));
            let packed = names.iter().map(|name| folder.join(format!("{name}.gz")));
            plain.chain(packed).find(|path| path.is_file()).ok_or_else(|| CollectionError::Missing {
                folder: folder.to_owned(),
                what: names.join(" or "),
            })
        };
        Ok(Self {
            corpus: find(&["corpus.jsonl".to_owned()])?,
            queries: find(&["queries.jsonl".to_owned(), "queries.tsv".to_owned()])?,
            qrels: find(&[format!("qrels/{split}.tsv"), "qrels.tsv".to_owned()])?,
        })
    }
}

fn open(path: &Path) -> std::io::Result<Box<dyn BufRead>> {
    let file = File::open(path)?;
    Ok(match path.extension().is_some_and(|it| it == "gz") {
        true => Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(BufReader::new(file)))),
        false => Box::new(BufReader::new(file)),
    })
}

/// The text of a file, unpacked where its name ends in `.gz`. Bytes that are not UTF-8 become replacement characters: old
/// collections have a few.
///
/// # Errors
///
/// When it cannot be read, or is too large.
pub fn read_text(path: &Path) -> Result<String, CollectionError> {
    let failed = |source| CollectionError::Io { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    open(path).map_err(failed)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(CollectionError::TooLarge { path: path.to_owned() });
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Reads a file with one of the parsers of [`formats`](crate::eval::formats).
///
/// # Errors
///
/// With the file, and the line where the parser names one.
pub fn read_with<T>(
    path: &Path,
    parse: impl FnOnce(&str) -> Result<T, FormatError>,
) -> Result<T, CollectionError> {
    parse(&read_text(path)?).map_err(|error| CollectionError::Format { path: path.to_owned(), error })
}

/// Ingests a corpus into the index at `folder`: each document is a Markdown file with its title as heading, and its id
/// is the URI. What is stored already and has not changed is left alone; documents of an earlier corpus that are not in this one are
/// removed.
///
/// # Errors
///
/// When the corpus cannot be read, a line is no document, or the index cannot be written or holds other documents than those of a
/// corpus.
pub fn ingest_corpus(
    corpus: &Path,
    pipeline: &Pipeline<'_>,
    folder: &Path,
    reporter: &dyn Reporter,
) -> Result<IngestReport, CollectionError> {
    let failed = |source| CollectionError::Io { path: corpus.to_owned(), source };
    let mut lines = open(corpus).map_err(failed)?;
    let mut is_marked = is_of_corpus(folder)?;
    let mut report = IngestReport::default();
    let mut seen = BTreeSet::new();
    let (mut n_line, mut is_end) = (0, false);
    while !is_end {
        let (mut blobs, mut n_bytes) = (Vec::new(), 0);
        while n_bytes < BATCH_BYTES {
            let mut line = Vec::new();
            let n = lines.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).map_err(failed)?;
            is_end = n == 0;
            if is_end {
                break;
            }
            n_line += 1;
            let wrong = |message: String| CollectionError::Format {
                path: corpus.to_owned(),
                error: FormatError { line: n_line, message },
            };
            if line.trim_ascii().is_empty() {
                continue;
            }
            let blob = blob_of(&line).map_err(wrong)?;
            if !seen.insert(blob.uri.clone()) {
                return Err(wrong(format!("the document '{}' is there already", blob.uri)));
            }
            n_bytes += blob.bytes.len();
            blobs.push(blob);
        }
        if !blobs.is_empty() || n_line == 0 {
            add(&mut report, &ingest_batch(blobs, pipeline, folder, reporter)?);
            if !std::mem::replace(&mut is_marked, true) {
                keep_setting(folder, MARK, "1", PATIENCE)?;
            }
        }
        if let Some(failure) = report.failed.first() {
            let cause = failure.cause.to_string();
            return Err(CollectionError::Document {
                path: corpus.to_owned(),
                id: failure.path.clone(),
                cause,
            });
        }
    }
    report.n_removed = remove_others(folder, &seen)?;
    Ok(report)
}

/// Whether the index at `folder` is marked as one of a corpus; one without documents need not be.
///
/// # Errors
///
/// When it holds other documents.
fn is_of_corpus(folder: &Path) -> Result<bool, CollectionError> {
    if !folder.join(DATABASE).is_file() {
        return Ok(false);
    }
    let is_marked = EmbeddedStore::open(folder, Need::DATABASE)?.kept_setting(MARK)?.is_some();
    if !is_marked && !records_of(folder)?.is_empty() {
        return Err(CollectionError::OtherIndex { folder: folder.to_owned() });
    }
    Ok(is_marked)
}

/// Removes the documents that are not among `uris`. Returns how many.
fn remove_others(folder: &Path, uris: &BTreeSet<String>) -> Result<usize, CollectionError> {
    let records = records_of(folder)?;
    let mut others: Vec<_> = records.iter().filter(|(uri, _)| !uris.contains(*uri)).collect();
    if others.is_empty() {
        return Ok(0);
    }
    others.sort_by_key(|it| it.0);
    let mut writer = Writer::open(folder, PATIENCE)?;
    for (_, record) in &others {
        writer.remove(record.id)?;
    }
    writer.commit()?;
    Ok(others.len())
}

fn ingest_batch(
    blobs: Vec<Blob>,
    pipeline: &Pipeline<'_>,
    folder: &Path,
    reporter: &dyn Reporter,
) -> Result<IngestReport, CollectionError> {
    let sources = Sources {
        walked: Walked::default(),
        pages: Vec::new(),
        blobs,
        containers: Vec::new(),
        roots: Vec::new(),
        rules: WalkOptions::default(),
    };
    let options = IngestOptions {
        folder: folder.to_owned(),
        refresh: RefreshRules { default: RefreshPolicy::Changed, rules: Vec::new() },
        prune: false,
        dry_run: false,
        n_threads: 0,
        patience: PATIENCE,
        now: jiff::Timestamp::now(),
        cancel: &AtomicBool::new(false),
    };
    Ok(ingest(sources, pipeline, &options, reporter)?)
}

fn add(report: &mut IngestReport, more: &IngestReport) {
    report.n_added += more.n_added;
    report.n_refreshed += more.n_refreshed;
    report.n_unchanged += more.n_unchanged;
    report.sizes.n_chunks += more.sizes.n_chunks;
    report.failed.extend(more.failed.iter().cloned());
}

/// A line of a corpus as the Markdown file that it would be.
fn blob_of(line: &[u8]) -> Result<Blob, String> {
    let value: Value = serde_json::from_slice(line).map_err(|error| format!("not JSON: {error}"))?;
    let id = id_of(&value, &["_id", "id", "doc_id", "docid"]).ok_or("no _id")?;
    let text = text_of(&value, &["text", "contents", "body"]).ok_or("no text")?;
    let title = text_of(&value, &["title"]).unwrap_or_default();
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let head = if title.is_empty() { String::new() } else { format!("# {title}\n\n") };
    Ok(Blob { uri: id, bytes: format!("{head}{text}\n").into_bytes() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_corpus_is_a_file_with_a_heading() {
        let check = |line: &str, uri: &str, text: &str| {
            let blob = blob_of(line.as_bytes()).unwrap();
            assert_eq!((blob.uri.as_str(), std::str::from_utf8(&blob.bytes).unwrap()), (uri, text), "{line}");
        };
        check(r#"{"_id": "7", "title": "A\n title", "text": "Words."}"#, "7", "# A title\n\nWords.\n");
        check(r#"{"id": 7, "contents": "Words."}"#, "7", "Words.\n");
        assert_eq!(blob_of(b"{\"text\": \"\"}").unwrap_err(), "no _id");
        assert_eq!(blob_of(b"{\"_id\": \"1\"}").unwrap_err(), "no text");
        assert!(blob_of(b"{").unwrap_err().starts_with("not JSON"));
    }

    #[test]
    fn a_folder_says_what_it_lacks() {
        let folder = tempfile::tempdir().unwrap();
        let error = Files::of_beir(folder.path(), "test").unwrap_err();
        assert!(error.to_string().ends_with("has no corpus.jsonl"), "{error}");
        std::fs::create_dir(folder.path().join("qrels")).unwrap();
        for name in ["corpus.jsonl.gz", "queries.tsv"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let error = Files::of_beir(folder.path(), "dev").unwrap_err();
        assert!(error.to_string().ends_with("has no qrels/dev.tsv or qrels.tsv"), "{error}");
        std::fs::write(folder.path().join("qrels/dev.tsv"), "").unwrap();
        let files = Files::of_beir(folder.path(), "dev").unwrap();
        assert!(files.corpus.ends_with("corpus.jsonl.gz") && files.qrels.ends_with("qrels/dev.tsv"));
    }
}
