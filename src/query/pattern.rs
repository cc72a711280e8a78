//! Shapes of words: wildcards and regular expressions.

use regex::{Regex, RegexBuilder};

/// A part of a wildcard pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wild {
    /// This character.
    Char(char),
    /// `?`: any one character.
    One,
    /// `*`: any characters, or none.
    Any,
}

/// Largest compiled pattern, bytes. Most need less than 64 kB; `\w{5}` in Unicode fits, `\w{10}` does not and would take 10 ms.
const MAX_REGEX_BYTES: usize = 256 << 10;

/// Deepest nesting of groups in a pattern; the `regex` crate's default of 250 is more than a parser thread's stack needs.
const MAX_REGEX_NESTING: u32 = 64;

/// Compiles a regular expression over whole words, whatever their case.
///
/// # Errors
///
/// Why it does not compile, on one line.
pub fn term_regex(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(&format!(r"\A(?:{pattern})\z"))
        .case_insensitive(true)
        .size_limit(MAX_REGEX_BYTES)
        .dfa_size_limit(MAX_REGEX_BYTES)
        .nest_limit(MAX_REGEX_NESTING)
        .build()
        .map_err(|error| {
            let text = error.to_string();
            text.lines().last().unwrap_or(&text).trim_start_matches("error: ").to_owned()
        })
}
