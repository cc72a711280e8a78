//! Regular expressions over chunk text, as `grep` would find them.
//!
//! Owns the meaning of the options, the limits and the order of results; the caller brings the text in batches, in
//! document order. There is no index: a scan of 100 MB takes tens of milliseconds (DESIGN 6).

use std::ops::Range;

use ::regex::{Regex, RegexBuilder};
use rayon::prelude::*;

/// Largest compiled program in bytes; the `regex` crate's own default, enough for classes repeated hundreds of times.
const PROGRAM_BYTES: usize = 10 << 20;
/// Largest cache of the lazy DFA in bytes for each thread; the `regex` crate's own default.
const DFA_BYTES: usize = 2 << 20;
/// Chunks that a task takes at least: about 100 kB, some 50 microseconds of work.
const MIN_TASK: usize = 64;

/// How a pattern is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatternOptions {
    /// Upper and lower case match each other (Unicode simple case folding), as with `grep -i`.
    pub ignore_case: bool,
    /// A match begins and ends where a word does, as with `grep -w`.
    pub whole_word: bool,
    /// The pattern is plain text, as with `grep -F`.
    pub fixed: bool,
}

/// Why a pattern cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// The pattern is not a regular expression.
    #[error("cannot read the pattern '{pattern}' as a regular expression")]
    Syntax {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it; the message points at the place.
        source: Box<::regex::Error>,
    },
    /// The pattern is too large once compiled.
    #[error("the pattern needs more than {limit} bytes when compiled")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
}

/// A compiled pattern.
///
/// `^` and `$` match at line ends (LF and CRLF), `.` matches anything but a line end; everything else is as the `regex`
/// crate documents it. Time is linear in the text for every pattern.
///
/// ```
/// use ragctl::store::embedded::regex::{Passage, Pattern, PatternOptions};
///
/// let pattern = Pattern::new(r"ERR_\w+", PatternOptions::default())?;
/// let passages = [Passage { row: 7, urtext: "throws ERR_X and ERR_Y", overlap: 0 }];
/// let scan = pattern.scan(&passages, &|| false);
/// assert_eq!(scan.matches[0].row, 7);
/// assert_eq!(scan.matches[0].spans, [7..12, 17..22]);
/// # Ok::<(), ragctl::store::embedded::regex::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

/// A chunk to look at.
#[derive(Clone, Copy, Debug)]
pub struct Passage<'a> {
    /// The chunk's row.
    pub row: u32,
    /// Its text.
    pub urtext: &'a str,
    /// Length in bytes of the start that repeats the end of the chunk before; 0 when that chunk is not looked at.
    pub overlap: usize,
}

/// The matches in one chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The chunk's row.
    pub row: u32,
    /// Byte ranges in the chunk's urtext: ascending, disjoint, at least one.
    pub spans: Vec<Range<usize>>,
}

/// What a scan found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// In the order of the passages.
    pub matches: Vec<Match>,
    /// How many passages were left out because the time was over.
    pub n_skipped: usize,
}

impl Pattern {
    /// Compiles `pattern`.
    ///
    /// # Errors
    ///
    /// [`PatternError::Syntax`], or [`PatternError::TooLarge`] for a pattern such as `(\w{100}){100}`.
    pub fn new(pattern: &str, options: PatternOptions) -> Result<Self, PatternError> {
        let source = if options.fixed { ::regex::escape(pattern) } else { pattern.to_owned() };
        let mut built = build(&source, options);
        if options.whole_word && built.is_ok() {
            // Only what compiles by itself is wrapped, so that 'a) (b' stays an error. A comment at the end of a verbose
            // pattern would swallow the bracket; then the bracket goes on a line of its own.
            let wrap = |close: &str| format!(r"\b{{start-half}}(?:{source}{close}\b{{end-half}}");
            built = build(&wrap(")"), options).or_else(|_| build(&wrap("\n)"), options));
        }
        match built {
            Ok(regex) => Ok(Self(regex)),
            Err(::regex::Error::CompiledTooBig(limit)) => Err(PatternError::TooLarge { limit }),
            Err(source) => {
                Err(PatternError::Syntax { pattern: pattern.to_owned(), source: Box::new(source) })
            }
        }
    }

    /// Finds the matches of one chunk; `None` when there is none.
    ///
    /// A match that lies wholly within the overlap belongs to the chunk before and is left out. Empty matches (as of
    /// `x*`) are reported only when the chunk has no other, and then only the first.
    pub fn find(&self, passage: Passage<'_>) -> Option<Match> {
        let mut empty = None;
        let mut spans = Vec::new();
        for found in self.0.find_iter(passage.urtext) {
            if found.is_empty() {
                empty = empty.or(Some(found.range()).filter(|_| found.start() >= passage.overlap));
            } else if found.end() > passage.overlap {
                spans.push(found.range());
            }
        }
        if spans.is_empty() {
            spans.extend(empty);
        }
        (!spans.is_empty()).then_some(Match { row: passage.row, spans })
    }

    /// Finds the matches of many chunks on all cores, in the order of `passages`.
    ///
    /// `is_over` says whether the time budget is used up; it is asked before every chunk, and the rest is skipped (and
    /// counted) once it is.
    pub fn scan(&self, passages: &[Passage<'_>], is_over: &(dyn Fn() -> bool + Sync)) -> Scan {
        let results: Vec<Result<Option<Match>, ()>> = passages
            .par_iter()
            .with_min_len(MIN_TASK)
            .map(|passage| if is_over() { Err(()) } else { Ok(self.find(*passage)) })
            .collect();
        let mut scan = Scan::default();
        for result in results {
            match result {
                Ok(found) => scan.matches.extend(found),
                Err(()) => scan.n_skipped += 1,
            }
        }
        scan
    }
}

fn build(source: &str, options: PatternOptions) -> Result<Regex, ::regex::Error> {
    RegexBuilder::new(source)
        .case_insensitive(options.ignore_case)
        .multi_line(true)
        .crlf(true)
        .size_limit(PROGRAM_BYTES)
        .dfa_size_limit(DFA_BYTES)
        .build()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const PLAIN: PatternOptions = PatternOptions { ignore_case: false, whole_word: false, fixed: false };

    #[track_caller]
    fn check(pattern: &str, options: PatternOptions, text: &str, expected: &[&str]) {
        let pattern = Pattern::new(pattern, options).unwrap();
        let found = pattern.find(Passage { row: 0, urtext: text, overlap: 0 });
        let spans = found.map(|found| found.spans).unwrap_or_default();
        assert_eq!(spans.into_iter().map(|span| &text[span]).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn options_mean_what_grep_means() {
        let ignore_case = PatternOptions { ignore_case: true, ..PLAIN };
        let whole_word = PatternOptions { whole_word: true, ..PLAIN };
        let fixed = PatternOptions { fixed: true, ..PLAIN };
        check("a.c", PLAIN, "abc a.c", &["abc", "a.c"]);
        check("a.c", fixed, "abc a.c", &["a.c"]);
        check("straße|ÉCOLE", ignore_case, "STRAßE école", &["STRAßE", "école"]);
        check("foo", whole_word, "foobar foo xfoo", &["foo"]);
        check("a|ab", whole_word, "ab", &["ab"]);
        check("--no", whole_word, "x --no y", &["--no"]);
        check("(?ix) FOO # all of it", whole_word, "foobar foo", &["foo"]);
        check("+x", PatternOptions { whole_word: true, ..fixed }, "a+x +x", &["+x"]);
    }

    #[test]
    fn lines_are_lines() {
        check("^b$", PLAIN, "a\r\nb\r\nc", &["b"]);
        check("a.*", PLAIN, "xab\ncd", &["ab"]);
        check(r"a\nb", PLAIN, "a\nb", &["a\nb"]);
    }

    #[test]
    fn empty_matches_count_once() {
        check("x*", PLAIN, "aaxa", &["x"]);
        check("x*", PLAIN, "aaa", &[""]);
        check("x", PLAIN, "aaa", &[]);
    }

    #[test]
    fn matches_within_the_overlap_belong_to_the_chunk_before() {
        let pattern = Pattern::new("ab+", PLAIN).unwrap();
        let starts = |overlap| {
            let found = pattern.find(Passage { row: 0, urtext: "ab abb", overlap });
            found.map(|found| found.spans.iter().map(|span| span.start).collect::<Vec<_>>())
        };
        assert_eq!(starts(1), Some(vec![0, 3]));
        assert_eq!(starts(2), Some(vec![3]));
        assert_eq!(starts(5), Some(vec![3]));
        assert_eq!(starts(6), None);
    }

    #[test]
    fn bad_patterns_are_errors() {
        assert!(matches!(Pattern::new("a(", PLAIN), Err(PatternError::Syntax { .. })));
        let whole_word = PatternOptions { whole_word: true, ..PLAIN };
        assert!(matches!(Pattern::new("a) (b", whole_word), Err(PatternError::Syntax { .. })));
        assert!(matches!(Pattern::new(r"(\w{200}){200}", PLAIN), Err(PatternError::TooLarge { .. })));
        assert!(Pattern::new("a(", PatternOptions { fixed: true, ..PLAIN }).is_ok());
    }

    #[test]
    fn order_is_that_of_the_passages_and_the_budget_stops_the_scan() {
        let texts: Vec<String> = (0..1_000).map(|row| format!("row {row}")).collect();
        let passages: Vec<Passage<'_>> =
            (0..).zip(&texts).map(|(row, urtext)| Passage { row, urtext, overlap: 0 }).collect();
        let pattern = Pattern::new("7$", PLAIN).unwrap();
        let scan = pattern.scan(&passages, &|| false);
        assert!(scan.matches.iter().map(|found| found.row).eq((0..100).map(|tens| tens * 10 + 7)));
        assert_eq!(scan.n_skipped, 0);

        let asked = AtomicUsize::new(0);
        let scan = pattern.scan(&passages, &|| asked.fetch_add(1, Ordering::Relaxed) >= 300);
        assert_eq!(scan.n_skipped, 700);
        assert!(scan.matches.len() <= 100);
    }
}
