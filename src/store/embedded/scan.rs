//! Patterns over the stored texts: section by section, on all cores.
//!
//! The text of a section is put together from its chunks, so that a match may cross the border between two of them. One
//! thread reads the database, the others search; there is no index: reading 100 MB and searching it takes about as long as `rg`
//! takes on the files (see `benches/README.md`).

use std::collections::{BTreeMap, HashMap};
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use rusqlite::params;

use crate::content::Span;
use crate::store::embedded::reader::{EmbeddedStore, VISIBLE};
use crate::store::embedded::rows::RowSet;
use crate::store::{
    DocumentMatches, Pattern, PatternHit, PatternMatch, PatternOrder, RegexSearch, Row, StoreError,
};

/// Text that is handed to a thread at a time, bytes: some 100 microseconds of work, and little memory.
const BATCH_BYTES: usize = 256 << 10;

/// Batches that may wait for a thread.
const MAX_WAITING: usize = 8;

/// How long a pattern may search. Rust's regexes take linear time, so that only a huge index comes near.
const BUDGET: Duration = Duration::from_secs(30);

/// A chunk in a batch; positions are bytes of [`Batch::text`].
struct Place {
    row: Row,
    /// Where its urtext begins.
    start: usize,
    /// Where the part begins that no chunk before it in the run has.
    fresh: usize,
    end: usize,
}

/// Neighbouring chunks of one section.
struct Run {
    document: i64,
    section: Option<i64>,
    places: Range<usize>,
    text: Range<usize>,
}

/// Runs that are searched by one thread.
#[derive(Default)]
struct Batch {
    text: String,
    places: Vec<Place>,
    runs: Vec<Run>,
}

/// A row of the database, as the scan needs it.
struct Stored<'a> {
    row: Row,
    document: i64,
    section: Option<i64>,
    overlap: usize,
    urtext: &'a str,
}

impl Batch {
    /// Whether `stored` goes on where the last run ends.
    fn continues(&self, stored: &Stored<'_>) -> bool {
        self.runs.last().is_some_and(|run| {
            (run.document, run.section) == (stored.document, stored.section)
                && self
                    .places
                    .last()
                    .is_some_and(|last| last.row + 1 == stored.row && last.end - last.start >= stored.overlap)
                && stored.urtext.is_char_boundary(stored.overlap)
        })
    }

    fn push(&mut self, stored: &Stored<'_>) {
        let overlap = if self.continues(stored) { Some(stored.overlap) } else { None };
        let fresh = self.text.len();
        self.text.push_str(&stored.urtext[overlap.unwrap_or(0)..]);
        let end = self.text.len();
        self.places.push(Place { row: stored.row, start: fresh - overlap.unwrap_or(0), fresh, end });
        match self.runs.last_mut() {
            Some(run) if overlap.is_some() => (run.places.end, run.text.end) = (self.places.len(), end),
            _ => self.runs.push(Run {
                document: stored.document,
                section: stored.section,
                places: self.places.len() - 1..self.places.len(),
                text: fresh..end,
            }),
        }
    }

    /// The matches of a run with the places that they belong to: the first chunk that holds the whole match, else the
    /// one in which it begins. Empty matches (as of `x*`) count only where the chunk has no other, and then only once.
    fn matches(&self, run: &Run, pattern: &Pattern) -> Vec<(usize, Vec<Found>)> {
        let mut held: Vec<(usize, Vec<Found>)> = Vec::new();
        let mut at = run.places.start;
        // Lines are looked for from match to match, so that a line of megabytes with many matches costs one pass.
        let (mut line_start, mut seen) = (run.text.start, run.text.start);
        for range in pattern.find_iter(&self.text[run.text.clone()]) {
            let range = range.start + run.text.start..range.end + run.text.start;
            if let Some(end) = self.text[seen..range.start].rfind(['\n', '\r']) {
                line_start = seen + end + 1;
            }
            seen = range.start;
            while at + 1 < run.places.end && self.places[at + 1].fresh <= range.start {
                at += 1;
            }
            let mut holder = at;
            if range.end > self.places[at].end {
                // Chunks begin in order, so that only those whose overlap reaches back this far are asked.
                let later = (at + 1..run.places.end).map(|place| (place, &self.places[place]));
                let mut reaching = later.take_while(|(_, place)| place.start <= range.start);
                holder = reaching.find(|(_, place)| range.end <= place.end).map_or(at, |(place, _)| place);
            }
            let found = Found { column: range.start - line_start + 1, range };
            // A match that the next chunk holds may come before one of this chunk.
            match held.iter_mut().rev().take(2).find(|(place, _)| *place == holder) {
                Some((_, matches)) if !found.range.is_empty() => {
                    if matches.last().is_some_and(|it| it.range.is_empty()) {
                        matches.clear();
                    }
                    matches.push(found);
                }
                Some(_) => {}
                None => held.push((holder, vec![found])),
            }
        }
        held.sort_by_key(|(place, _)| *place);
        held
    }

    fn hits(&self, pattern: &Pattern, started: Instant) -> Result<Vec<(i64, PatternHit)>, OutOfTime> {
        let mut hits = Vec::new();
        for run in &self.runs {
            if started.elapsed() > BUDGET {
                return Err(OutOfTime);
            }
            for (place, matches) in self.matches(run, pattern) {
                let Place { row, start, .. } = self.places[place];
                let matches = matches.into_iter().map(|Found { range, column }| PatternMatch {
                    span: Span::new(range.start - start, range.end - start),
                    column,
                });
                hits.push((run.document, PatternHit { row, matches: matches.collect() }));
            }
        }
        Ok(hits)
    }

    fn counts(&self, pattern: &Pattern, started: Instant) -> Result<Vec<(i64, usize)>, OutOfTime> {
        let mut counts: Vec<(i64, usize)> = Vec::new();
        for run in &self.runs {
            if started.elapsed() > BUDGET {
                return Err(OutOfTime);
            }
            let n_matches =
                self.matches(run, pattern).iter().map(|(_, matches)| matches.len()).sum::<usize>();
            match counts.last_mut() {
                Some((document, n)) if *document == run.document => *n += n_matches,
                _ => counts.push((run.document, n_matches)),
            }
        }
        Ok(counts)
    }
}

/// A match in a run.
struct Found {
    /// Bytes of [`Batch::text`].
    range: Range<usize>,
    /// 1-based byte in its line.
    column: usize,
}

/// The time budget is used up.
struct OutOfTime;

/// Where documents stand in the order of their URIs.
struct DocumentOrder {
    ranks: HashMap<i64, usize>,
    /// Whether rows are in that order too, as after a single ingest.
    is_row_order: bool,
}

impl DocumentOrder {
    /// What rows are ordered by.
    fn key(&self, document: i64, row: Row) -> (usize, Row) {
        (self.ranks.get(&document).copied().unwrap_or(usize::MAX), row)
    }
}

impl EmbeddedStore {
    fn document_order(&self) -> Result<DocumentOrder, StoreError> {
        let sql = format!("SELECT number FROM document WHERE {VISIBLE} ORDER BY uri");
        let read = || -> rusqlite::Result<Vec<i64>> {
            self.connection().prepare(&sql)?.query_map([self.generation()], |row| row.get(0))?.collect()
        };
        let numbers = self.sql(read())?;
        let is_row_order = numbers.is_sorted();
        Ok(DocumentOrder { ranks: numbers.into_iter().zip(0..).collect(), is_row_order })
    }

    /// Reads the chunks among `rows` in batches, lets `search` look at them on all cores, and gives its answers with the
    /// number of their batch to `take`, in any order, until that breaks off or the time is over.
    fn scan<T: Send>(
        &self,
        order: &DocumentOrder,
        rows: Option<&RowSet>,
        search: impl Fn(&Batch) -> Result<T, OutOfTime> + Sync,
        mut take: impl FnMut(usize, T) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (to_search, batches): (Sender<(usize, Batch)>, Receiver<_>) =
            crossbeam_channel::bounded(MAX_WAITING);
        let (to_take, answers) = crossbeam_channel::unbounded();
        std::thread::scope(|scope| {
            for _ in 0..n_threads {
                let (batches, to_take, search) = (batches.clone(), to_take.clone(), &search);
                scope.spawn(move || {
                    for (number, batch) in &batches {
                        if to_take.send((number, search(&batch))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop((batches, to_take));
            let (mut is_over, mut is_late) = (false, false);
            let mut receive = |number, answer: Result<T, OutOfTime>| match answer {
                Ok(answer) => take(number, answer).is_break(),
                Err(OutOfTime) => {
                    is_late = true;
                    true
                }
            };
            let mut number = 0;
            let read = self.read_batches(order, rows, |batch| {
                // Without threads there is nobody left to ask.
                is_over |= to_search.send((number, batch)).is_err();
                number += 1;
                while let Ok((number, answer)) = answers.try_recv() {
                    is_over |= receive(number, answer);
                }
                if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            drop(to_search);
            for (number, answer) in &answers {
                if !is_over {
                    is_over = receive(number, answer);
                }
            }
            self.sql(read)?;
            if is_late { Err(StoreError::PatternTimeout { limit: BUDGET }) } else { Ok(()) }
        })
    }

    fn read_batches(
        &self,
        order: &DocumentOrder,
        rows: Option<&RowSet>,
        mut give: impl FnMut(Batch) -> ControlFlow<()>,
    ) -> rusqlite::Result<()> {
        let mut statement = self.connection().prepare(
            "SELECT row, document, section, overlap, urtext FROM chunk WHERE row >= ?1 AND row <= ?2 ORDER BY row",
        )?;
        let mut batch = Batch::default();
        let ranges: Vec<_> = rows.map_or_else(|| vec![0..=Row::MAX], |rows| rows.ranges().collect());
        for range in ranges {
            let mut stored = statement.query(params![range.start(), range.end()])?;
            while let Some(row) = stored.next()? {
                let stored = Stored {
                    row: row.get(0)?,
                    document: row.get(1)?,
                    section: row.get(2)?,
                    overlap: row.get(3)?,
                    urtext: row.get_ref(4)?.as_str()?,
                };
                if !order.ranks.contains_key(&stored.document) {
                    continue;
                }
                if batch.text.len() >= BATCH_BYTES
                    && !batch.continues(&stored)
                    && give(std::mem::take(&mut batch)).is_break()
                {
                    return Ok(());
                }
                batch.push(&stored);
            }
        }
        let _ = give(batch);
        Ok(())
    }
}

impl RegexSearch for EmbeddedStore {
    fn search_regex(
        &self,
        pattern: &Pattern,
        k: usize,
        order: PatternOrder,
        rows: Option<&RowSet>,
    ) -> Result<Vec<PatternHit>, StoreError> {
        let started = Instant::now();
        let documents = self.document_order()?;
        let mut hits: Vec<(i64, PatternHit)> = Vec::new();
        let sort = |hits: &mut Vec<(i64, PatternHit)>| {
            hits.sort_by_key(|(document, hit)| {
                let n = match order {
                    PatternOrder::Document => 0,
                    PatternOrder::Matches => usize::MAX - hit.matches.len(),
                };
                (n, documents.key(*document, hit.row))
            });
            hits.truncate(k);
        };
        // By batch, how many hits came of it; what the batches before the first missing one gave is final.
        let mut n_hits: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut next, mut n_final) = (0, 0);
        let may_stop = order == PatternOrder::Document && documents.is_row_order;
        self.scan(
            &documents,
            rows,
            |batch| batch.hits(pattern, started),
            |number, answer| {
                n_hits.insert(number, answer.len());
                hits.extend(answer);
                if hits.len() / 4 > k {
                    sort(&mut hits);
                }
                while let Some(n) = n_hits.remove(&next) {
                    n_final += n;
                    next += 1;
                }
                if may_stop && n_final >= k { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        )?;
        sort(&mut hits);
        Ok(hits.into_iter().map(|(_, hit)| hit).collect())
    }

    fn count_regex(
        &self,
        pattern: &Pattern,
        rows: Option<&RowSet>,
    ) -> Result<Vec<DocumentMatches>, StoreError> {
        let started = Instant::now();
        let documents = self.document_order()?;
        let mut counts: BTreeMap<usize, DocumentMatches> = BTreeMap::new();
        self.scan(
            &documents,
            rows,
            |batch| batch.counts(pattern, started),
            |_, answer| {
                for (document, n_matches) in answer.into_iter().filter(|(_, n)| *n > 0) {
                    let rank = documents.key(document, 0).0;
                    counts.entry(rank).or_insert(DocumentMatches { document, n_matches: 0 }).n_matches +=
                        n_matches;
                }
                ControlFlow::Continue(())
            },
        )?;
        Ok(counts.into_values().collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::store::PatternOptions;

    /// A match: start and end in its chunk's urtext, and the column.
    type Spot = (usize, usize, usize);

    /// Chunks of one document: section, overlap with the chunk before, urtext.
    fn batch(chunks: &[(Option<i64>, usize, &str)]) -> Batch {
        let mut batch = Batch::default();
        for (row, &(section, overlap, urtext)) in (1..).zip(chunks) {
            batch.push(&Stored { row, document: 1, section, overlap, urtext });
        }
        batch
    }

    #[track_caller]
    fn check(pattern: &str, chunks: &[(Option<i64>, usize, &str)], expected: &[(Row, &[Spot])]) {
        let pattern = Pattern::new(pattern, PatternOptions::default()).unwrap();
        let hits = batch(chunks).hits(&pattern, Instant::now()).ok().unwrap();
        let found: Vec<(Row, Vec<Spot>)> = hits
            .into_iter()
            .map(|(_, hit)| {
                let matches = hit.matches.iter().map(|it| (it.span.start, it.span.end, it.column));
                (hit.row, matches.collect())
            })
            .collect();
        let expected: Vec<_> = expected.iter().map(|(row, matches)| (*row, matches.to_vec())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn matches_cross_chunks_of_a_section_and_no_others() {
        check("one two", &[(Some(1), 0, "x one "), (Some(1), 0, "two y")], &[(1, &[(2, 9, 3)])]);
        check("one two", &[(Some(1), 0, "x one "), (Some(2), 0, "two y")], &[]);
        check("two$", &[(Some(1), 0, "one\nx "), (Some(1), 0, "two\n")], &[(2, &[(0, 3, 3)])]);
    }

    #[test]
    fn matches_in_an_overlap_are_given_once() {
        check(
            "ab",
            &[(None, 0, "ab abb"), (None, 3, "abb c ab")],
            &[(1, &[(0, 2, 1), (3, 5, 4)]), (2, &[(6, 8, 10)])],
        );
        // The second chunk holds all of it, the first only its beginning.
        check("abb c", &[(None, 0, "ab abb"), (None, 3, "abb c ab")], &[(2, &[(0, 5, 4)])]);
    }

    #[test]
    fn empty_matches_count_once_and_only_alone() {
        check("x*", &[(None, 0, "aaxa")], &[(1, &[(2, 3, 3)])]);
        check("x*", &[(None, 0, "aaa"), (None, 0, "bxb")], &[(1, &[(0, 0, 1)]), (2, &[(1, 2, 5)])]);
        check("^", &[(None, 0, "a\nb")], &[(1, &[(0, 0, 1)])]);
    }

    proptest! {
        /// However a text is cut, its matches are those of the whole, each in a chunk in which it begins.
        #[test]
        fn cuts_do_not_change_what_is_found(
            pieces in prop::collection::vec(("[abé\n]{1,8}", 0_usize..4), 1..8),
            pattern in prop::sample::select(vec!["a+", "ab", "b\na", "(?s)a.b", "é", "[ab]{3}", "^a", "b$"]),
        ) {
            let whole: String = pieces.iter().map(|(text, _)| text.as_str()).collect();
            let (mut batch, mut at, mut starts) = (Batch::default(), 0, Vec::new());
            for (row, (text, overlap)) in (1..).zip(&pieces) {
                let before = whole[..at].chars().rev().take(*overlap).map(char::len_utf8).sum::<usize>();
                let before = if row == 1 { 0 } else { before.min(pieces[row - 2].0.len()) };
                let urtext = &whole[at - before..at + text.len()];
                let row = row as Row;
                batch.push(&Stored { row, document: 1, section: None, overlap: before, urtext });
                starts.push(at - before);
                at += text.len();
            }
            let pattern = Pattern::new(pattern, PatternOptions::default()).unwrap();
            let mut found: Vec<(usize, usize)> = batch
                .hits(&pattern, Instant::now())
                .ok()
                .unwrap()
                .into_iter()
                .flat_map(|(_, hit)| {
                    let start = starts[hit.row as usize - 1];
                    hit.matches.into_iter().map(move |it| (start + it.span.start, start + it.span.end))
                })
                .collect();
            found.sort_unstable();
            let expected: Vec<(usize, usize)> = pattern.find_iter(&whole).map(|it| (it.start, it.end)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
