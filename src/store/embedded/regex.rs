//! Regular expressions, as `grep` would read them.
//!
//! Owns the meaning of the options and the limits of size; `scan` brings the texts.

use std::ops::Range;

use ::regex::{Regex, RegexBuilder};

/// Largest compiled program in bytes; the `regex` crate's own default, enough for classes repeated hundreds of times.
const PROGRAM_BYTES: usize = 10 << 20;
/// Largest cache of the lazy DFA in bytes for each thread; the `regex` crate's own default.
const DFA_BYTES: usize = 2 << 20;
/// How a pattern is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatternOptions {
    /// Upper and lower case match each other (Unicode simple case folding), as with `grep -i`.
    pub ignore_case: bool,
    /// A match begins and ends where a word does, as with `grep -w`.
    pub whole_word: bool,
    /// The pattern is plain text, as with `grep -F`.
    pub fixed: bool,
    /// `.` matches line ends too, as with `rg -U --multiline-dotall`.
    pub multiline: bool,
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
/// crate documents it. A match may run over lines where the pattern says so (`\n`, `\s`, `(?s)`). Time is linear in the
/// text for every pattern.
///
/// ```
/// use ragctl::store::{Pattern, PatternOptions};
///
/// let pattern = Pattern::new(r"ERR_\w+", PatternOptions::default())?;
/// assert_eq!(pattern.find_iter("throws ERR_X and ERR_Y").collect::<Vec<_>>(), [7..12, 17..22]);
/// # Ok::<(), ragctl::store::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

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

    /// The matches in `text`: byte ranges, ascending and disjoint.
    pub fn find_iter<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        self.0.find_iter(text).map(|found| found.range())
    }
}

fn build(source: &str, options: PatternOptions) -> Result<Regex, ::regex::Error> {
    RegexBuilder::new(source)
        .case_insensitive(options.ignore_case)
        .multi_line(true)
        .dot_matches_new_line(options.multiline)
        .crlf(true)
        .size_limit(PROGRAM_BYTES)
        .dfa_size_limit(DFA_BYTES)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: PatternOptions =
        PatternOptions { ignore_case: false, whole_word: false, fixed: false, multiline: false };

    #[track_caller]
    fn check(pattern: &str, options: PatternOptions, text: &str, expected: &[&str]) {
        let pattern = Pattern::new(pattern, options).unwrap();
        assert_eq!(pattern.find_iter(text).map(|span| &text[span]).collect::<Vec<_>>(), expected);
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
        check(r"a\s+b", PLAIN, "a \n b", &["a \n b"]);
        check("a.*b", PatternOptions { multiline: true, ..PLAIN }, "a\nb", &["a\nb"]);
    }

    #[test]
    fn bad_patterns_are_errors() {
        assert!(matches!(Pattern::new("a(", PLAIN), Err(PatternError::Syntax { .. })));
        let whole_word = PatternOptions { whole_word: true, ..PLAIN };
        assert!(matches!(Pattern::new("a) (b", whole_word), Err(PatternError::Syntax { .. })));
        assert!(matches!(Pattern::new(r"(\w{200}){200}", PLAIN), Err(PatternError::TooLarge { .. })));
        assert!(Pattern::new("a(", PatternOptions { fixed: true, ..PLAIN }).is_ok());
    }
}
