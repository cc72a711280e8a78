//! Checking every invariant of an index.

use std::collections::{BTreeSet, HashMap, HashSet};

use rusqlite::params;

use crate::content::{ContentHash, Span, Vector, split_member};
use crate::store::embedded::artefacts::Artefacts;
use crate::store::embedded::{EmbeddedStore, codec, vectors};
use crate::store::{ModelInfo, Row, Store, StoreError, StoredChunk, StoredDocument, StoredSection};

/// How many problems of one check are listed; all are counted.
const MAX_LISTED: usize = 20;

/// Vectors that are held in memory beside those of the database; the file of a sparse segment is read once for each such lot.
const ROWS_AT_A_TIME: usize = 16_384;

/// One invariant, checked over the whole index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was checked.
    pub name: &'static str,
    /// How many things were looked at.
    pub n_checked: usize,
    /// What could not be looked at, and why; no failure.
    pub remark: Option<String>,
    /// How many things are wrong.
    pub n_problems: usize,
    /// The first of them.
    pub problems: Vec<String>,
}

impl Check {
    fn new(name: &'static str) -> Self {
        Self { name, n_checked: 0, remark: None, n_problems: 0, problems: Vec::new() }
    }

    /// Counts one thing, with what is wrong with it.
    fn expect(&mut self, holds: bool, problem: impl FnOnce() -> String) {
        self.n_checked += 1;
        if !holds {
            self.n_problems += 1;
            if self.problems.len() < MAX_LISTED {
                self.problems.push(problem());
            }
        }
    }

    /// Whether the invariant holds.
    pub fn is_ok(&self) -> bool {
        self.n_problems == 0
    }

    /// Counts in words.
    pub fn detail(&self) -> String {
        let mut detail = match self.n_problems {
            0 => format!("{} checked", self.n_checked),
            n => format!("{n} wrong of {} checked", self.n_checked),
        };
        if let Some(remark) = &self.remark {
            detail.push_str("; ");
            detail.push_str(remark);
        }
        if let Some(first) = self.problems.first() {
            detail.push_str("; first: ");
            detail.push_str(first);
        }
        detail
    }
}

/// Checks everything that must be true of the index behind `store`, which was opened with all artefacts. `read_source`
/// gives the bytes behind a URI, where they can still be read.
///
/// # Errors
///
/// When the database cannot be read at all.
pub fn verify(
    store: &EmbeddedStore,
    read_source: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<Vec<Check>, StoreError> {
    let mut database = Check::new("database is whole");
    let problems: Vec<String> =
        store.sql(store.connection().prepare("PRAGMA integrity_check").and_then(|mut it| {
            it.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()
        }))?;
    for problem in problems {
        database.expect(problem == "ok", || problem.clone());
    }
    let mut generations = Check::new("generation stamps agree");
    generations.expect(store.degraded().is_empty(), || store.degraded().join("; "));

    let mut trees = Check::new("sections nest and tile the text");
    let mut chunks = Check::new("chunks tile the text");
    let mut slices = Check::new("ids are unique and structure counts agree");
    let mut sources = Check::new("source locations hold the urtext");
    let mut unread = Unread::default();
    let mut rows: BTreeSet<Row> = BTreeSet::new();
    let mut ids: HashSet<String> = HashSet::new();
    for document in store.documents()? {
        let sections = store.sections(document.number)?;
        let stored = store.chunks(document.number, 0, usize::MAX)?;
        check_tree(&document, &sections, &mut trees);
        check_chunks(&document, &sections, &stored, &mut chunks);
        check_structure(&document, &sections, &stored, &mut ids, &mut slices);
        check_source(read_source, &document, &stored, &mut sources, &mut unread);
        rows.extend(stored.iter().map(|it| it.row));
    }
    sources.remark = unread.remark();
    Ok(vec![
        database,
        generations,
        trees,
        chunks,
        slices,
        sources,
        check_vectors(store, &rows)?,
        check_text(store, &rows)?,
    ])
}

fn check_tree(document: &StoredDocument, sections: &[StoredSection], check: &mut Check) {
    let uri = &document.uri;
    check.expect(sections.len() == document.n_sections, || {
        format!("'{uri}': {} sections counted", document.n_sections)
    });
    let mut end_of_top = 0;
    for (at, it) in sections.iter().enumerate() {
        let section = &it.section;
        let parent = section.parent.and_then(|at| sections.get(at)).map(|it| &it.section);
        let nests = match parent {
            Some(parent) => {
                section.parent < Some(at)
                    && parent.span.contains(section.span)
                    && section.depth == parent.depth + 1
                    && section.level > parent.level
            }
            None => section.depth == 1 && section.span.start == end_of_top,
        };
        if parent.is_none() {
            end_of_top = section.span.end;
        }
        // A section's own text ends where the next section in pre-order starts.
        let next_start = sections.get(at + 1).map_or(document.text_len, |it| it.section.span.start);
        let tiles =
            section.own.start == section.span.start && section.own.end == next_start.min(section.span.end);
        check.expect(nests && tiles, || format!("'{uri}': section {} '{}'", section.id, section.title));
    }
    check.expect(end_of_top == document.text_len, || {
        format!("'{uri}': sections end at {end_of_top}, the text at {}", document.text_len)
    });
}

fn check_chunks(
    document: &StoredDocument,
    sections: &[StoredSection],
    chunks: &[StoredChunk],
    check: &mut Check,
) {
    let uri = &document.uri;
    let mut end = 0;
    let mut previous: Option<&StoredChunk> = None;
    for it in chunks {
        let chunk = &it.chunk;
        let continues = chunk.span.start + chunk.overlap == end && chunk.span.end > end;
        check.expect(continues, || format!("'{uri}': chunk {} does not go on at byte {end}", chunk.id));
        check.expect(chunk.span.len() == it.urtext.len(), || {
            format!("'{uri}': chunk {}: the urtext is not as long as its span", chunk.id)
        });
        let repeats = previous.is_none_or(|previous| {
            let shared = it.urtext.get(..chunk.overlap);
            shared.is_some_and(|shared| previous.urtext.ends_with(shared))
        });
        check.expect(repeats, || format!("'{uri}': chunk {} does not repeat its overlap", chunk.id));
        let home = chunk.section.map(|at| sections.get(at).map(|it| it.section.span));
        let fits =
            home.unwrap_or(Some(Span::new(0, document.text_len))).is_some_and(|it| it.contains(chunk.span));
        check.expect(fits, || format!("'{uri}': chunk {} lies outside its section", chunk.id));
        end = chunk.span.end.max(end);
        previous = Some(it);
    }
    check.expect(end == document.text_len, || {
        format!("'{uri}': chunks end at {end}, the text at {}", document.text_len)
    });
}

fn check_structure(
    document: &StoredDocument,
    sections: &[StoredSection],
    chunks: &[StoredChunk],
    ids: &mut HashSet<String>,
    check: &mut Check,
) {
    let uri = &document.uri;
    check.expect(chunks.len() == document.n_chunks, || {
        format!("'{uri}': {} chunks counted", document.n_chunks)
    });
    let mut of_section: HashMap<Option<usize>, usize> = HashMap::new();
    for (sequence, it) in chunks.iter().enumerate() {
        let index = of_section.entry(it.chunk.section).or_insert(0);
        let fits = it.chunk.sequence == sequence && it.chunk.index == *index;
        *index += 1;
        check.expect(fits, || format!("'{uri}': chunk {} is out of order", it.chunk.id));
        check.expect(ids.insert(it.chunk.id.to_string()), || {
            format!("'{uri}': chunk id {} is used twice", it.chunk.id)
        });
    }
    for it in chunks {
        let total = of_section.get(&it.chunk.section).copied().unwrap_or(0);
        check.expect(it.chunk.total == total, || {
            format!("'{uri}': chunk {} counts {}", it.chunk.id, it.chunk.total)
        });
    }
    for (at, it) in sections.iter().enumerate() {
        let n_chunks = of_section.get(&Some(at)).copied().unwrap_or(0);
        let id = it.section.id;
        check.expect(it.n_chunks == n_chunks, || {
            format!("'{uri}': section {id} counts {} chunks", it.n_chunks)
        });
        check.expect(ids.insert(id.to_string()), || format!("'{uri}': section id {id} is used twice"));
    }
    check.expect(ids.insert(document.id.to_string()), || {
        format!("'{uri}': document id {} is used twice", document.id)
    });
}

/// Sources that say nothing about locations, by why they do not.
#[derive(Default)]
struct Unread {
    n_changed: usize,
    n_gone: usize,
    n_members: usize,
}

impl Unread {
    fn remark(&self) -> Option<String> {
        let mut parts = Vec::new();
        if (self.n_changed, self.n_gone) != (0, 0) {
            parts.push(format!(
                "{} files changed and {} gone since they were ingested",
                self.n_changed, self.n_gone
            ));
        }
        if self.n_members > 0 {
            parts.push(format!("{} members of archives cannot be read again", self.n_members));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// Reads the source again, where it has not changed, and looks at the bytes of every chunk.
fn check_source(
    read_source: &dyn Fn(&str) -> Option<Vec<u8>>,
    document: &StoredDocument,
    chunks: &[StoredChunk],
    check: &mut Check,
    unread: &mut Unread,
) {
    if chunks.iter().all(|it| it.location.bytes.is_none()) {
        return;
    }
    let Some(bytes) = read_source(&document.uri) else {
        match split_member(&document.uri) {
            None => unread.n_gone += 1,
            Some(_) => unread.n_members += 1,
        }
        return;
    };
    if ContentHash::of(&bytes) != document.hash {
        unread.n_changed += 1;
        return;
    }
    let is_utf8 = std::str::from_utf8(&bytes).is_ok();
    let line_starts = crate::content::LineIndex::new(&String::from_utf8_lossy(&bytes));
    for it in chunks {
        let Some(place) = it.location.bytes else { continue };
        let found = bytes.get(place.start..place.end);
        // In another encoding the same text has another length (but for pure ASCII); that it decodes to the urtext the
        // reader's tests hold. UTF-16 that looks like UTF-8 has NULs.
        let is_verbatim = place.len() == it.urtext.len();
        let holds = match found {
            Some(found) if is_utf8 && (is_verbatim || !found.contains(&0)) => {
                let lines = (
                    line_starts.line_of(place.start) + 1,
                    line_starts.line_of(place.end.saturating_sub(1).max(place.start)) + 1,
                );
                found == it.urtext.as_bytes() && it.location.lines == Some(lines)
            }
            Some(found) if is_verbatim && it.urtext.is_ascii() => found == it.urtext.as_bytes(),
            Some(found) => !found.is_empty() || it.urtext.is_empty(),
            None => false,
        };
        check.expect(holds, || format!("'{}': chunk {} at {place:?}", document.uri, it.chunk.id));
    }
}

/// Looks at the vectors of every whole model.
fn check_vectors(store: &EmbeddedStore, rows: &BTreeSet<Row>) -> Result<Check, StoreError> {
    let mut check = Check::new("every chunk has its vector");
    let named = store.sql(Artefacts::load(store.connection()))?;
    for model in store.models().iter().filter(|it| it.is_whole).map(|it| &it.info) {
        let stored = stored_vectors(store, model)?;
        let of = format!("model '{}'", model.name);
        for row in rows {
            check.expect(stored.contains_key(row), || {
                format!("{of}: row {row} has no embedding in the database")
            });
        }
        let mut in_files: BTreeSet<Row> = BTreeSet::new();
        for name in named.of_model(&model.fingerprint) {
            let segment = match vectors::Segment::open(store.folder(), &name.name, model.kind) {
                Ok(segment) => segment,
                Err(error) => {
                    check.expect(false, || format!("{of}: {error}"));
                    continue;
                }
            };
            let whole = segment.verify();
            check.expect(whole.is_ok(), || whole.err().map_or_else(String::new, |error| error.to_string()));
            let alive: Vec<Row> =
                segment.rows().into_iter().filter(|&row| !named.dead.contains(row)).collect();
            for rows in alive.chunks(ROWS_AT_A_TIME) {
                for (&row, vector) in rows.iter().zip(segment.vectors(rows)) {
                    check.expect(in_files.insert(row), || format!("{of}: row {row} has two vectors"));
                    let expected = stored.get(&row).cloned().map(vectors::as_kept);
                    check.expect(expected == vector, || {
                        format!("{of}: row {row}: the vector file differs from the database")
                    });
                }
            }
        }
        check.expect(in_files == *rows, || {
            format!("{of}: the vector files hold {} rows, the database {}", in_files.len(), rows.len())
        });
    }
    Ok(check)
}

/// The vectors of the visible chunks as the database has them.
fn stored_vectors(store: &EmbeddedStore, model: &ModelInfo) -> Result<HashMap<Row, Vector>, StoreError> {
    let mut stored = HashMap::new();
    let mut read = || {
        let mut statement = store.connection().prepare(
            "SELECT chunk.row, embedding.vector FROM document JOIN chunk ON chunk.document = document.number
             JOIN embedding ON embedding.model = ?2 AND embedding.text_hash = chunk.text_hash
             WHERE document.born <= ?1 AND (document.dead IS NULL OR document.dead > ?1)",
        )?;
        let mut found = statement.query(params![store.generation(), model.fingerprint])?;
        while let Some(item) = found.next()? {
            let bytes = item.get_ref(1)?.as_blob()?;
            // One that does not decode counts as one that is not there.
            if let Some(vector) = codec::decode_vector(bytes, model.kind, model.dimension) {
                stored.insert(item.get(0)?, vector);
            }
        }
        Ok(())
    };
    store.sql(read())?;
    Ok(stored)
}

fn check_text(store: &EmbeddedStore, rows: &BTreeSet<Row>) -> Result<Check, StoreError> {
    let mut check = Check::new("every chunk has its text entry");
    match store.text_index() {
        Some(index) => {
            let found: BTreeSet<Row> = index.rows()?.iter().collect();
            for row in rows {
                check.expect(found.contains(row), || format!("row {row} is not in the text index"));
            }
            for row in found.difference(rows) {
                check.expect(false, || format!("row {row} of the text index is not in the database"));
            }
        }
        None => check.expect(rows.is_empty(), || "there is no usable text index".to_owned()),
    }
    let named = store.sql(Artefacts::load(store.connection()))?;
    check.expect(rows.is_empty() || named.text.is_some(), || "the database names no text index".to_owned());
    Ok(check)
}
