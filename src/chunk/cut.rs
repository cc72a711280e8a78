//! Where a text may be cut: the last line, sentence, word or grapheme start before a limit.
//!
//! Every function takes `lo`, a byte where a grapheme is known to start, and looks for a start in `lo + 1..=limit`
//! that is not blank, because blanks belong to the piece before. All read only the window that they are given.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use crate::chunk::sentence::{self, Lines};

/// Bytes read beyond a limit so that a segmentation rule sees what follows. Chosen: longer than any run of closing
/// quotes and blanks that real text has after a full stop.
const LOOK_AHEAD: usize = 64;

/// The last start of a line that is not blank.
pub(super) fn last_line_start(text: &str, lo: usize, limit: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut end = limit;
    while let Some(at) = bytes[lo..end].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) {
        let start = lo + at + 1;
        if is_line_start(bytes, start) && !is_blank_line(bytes, start) {
            return Some(start);
        }
        end = start - 1;
    }
    None
}

/// The first start of a line that is not blank, in `from..end`.
pub(super) fn first_line_start(text: &str, from: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    (from..end).find(|&at| at > 0 && is_line_start(bytes, at) && !is_blank_line(bytes, at))
}

/// One past the line ending of the line at `at`, no further than `end`.
pub(super) fn line_end(text: &str, at: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    (at + 1..end).find(|&at| is_line_start(bytes, at)).unwrap_or(end)
}

/// One past the blank lines at `at`, no further than `end`.
pub(super) fn skip_blank_lines(text: &str, at: usize, end: usize) -> usize {
    let blanks = text[at..end].len() - text[at..end].trim_start().len();
    if at + blanks == end {
        return end;
    }
    let bytes = text.as_bytes();
    (at..=at + blanks).rev().find(|&to| to > 0 && is_line_start(bytes, to)).unwrap_or(at)
}

/// The last start of a sentence.
pub(super) fn last_sentence_start(text: &str, lo: usize, limit: usize, lines: Lines) -> Option<usize> {
    let starts = sentence::starts(&text[lo..look_ahead(text, limit)], lines);
    last_clean(text, lo, limit, &starts)
}

/// The last start of a sentence in text without capitals.
pub(super) fn last_small_sentence_start(text: &str, lo: usize, limit: usize, lines: Lines) -> Option<usize> {
    let starts = sentence::small_starts(&text[lo..look_ahead(text, limit)], lines);
    last_clean(text, lo, limit, &starts)
}

fn last_clean(text: &str, lo: usize, limit: usize, starts: &[usize]) -> Option<usize> {
    starts.iter().rev().map(|at| lo + at).find(|&at| at <= limit && is_clean(text, lo, at))
}

/// The first start of a sentence in `from..end`, in text without capitals if there is no other; a line ending inside a
/// paragraph starts none.
pub(super) fn first_sentence_start(text: &str, lo: usize, from: usize, end: usize) -> Option<usize> {
    let window = &text[lo..end];
    let first = |starts: Vec<usize>| {
        starts.into_iter().map(|at| lo + at).find(|&at| at >= from && is_clean(text, lo, at))
    };
    first(sentence::starts(window, Lines::Joined))
        .or_else(|| first(sentence::small_starts(window, Lines::Joined)))
}

/// The last start of a word after a blank.
pub(super) fn last_spaced_word_start(text: &str, lo: usize, limit: usize) -> Option<usize> {
    let chars = text[lo..limit].char_indices().rev();
    let mut ends = chars.filter(|(_, ch)| ch.is_whitespace()).map(|(at, ch)| lo + at + ch.len_utf8());
    // Not the first word of an indented line: that would leave only blanks.
    ends.find(|&at| is_clean(text, lo, at)).filter(|&at| !text[lo..at].trim_start().is_empty())
}

/// The first start of a word after a blank, in `from..end`.
pub(super) fn first_spaced_word_start(text: &str, lo: usize, from: usize, end: usize) -> Option<usize> {
    let before = text[lo..from].chars().next_back().map_or(from, |ch| from - ch.len_utf8());
    let chars = text[before..end].char_indices();
    let mut ends = chars.filter(|(_, ch)| ch.is_whitespace()).map(|(at, ch)| before + at + ch.len_utf8());
    ends.find(|&at| at >= from && at < end && is_clean(text, lo, at))
}

/// The last start of a word (UAX 29) after `from`, for scripts without blanks and for long tokens.
pub(super) fn last_word_start(text: &str, lo: usize, from: usize, limit: usize) -> Option<usize> {
    let window = &text[from..look_ahead(text, limit)];
    let starts = window.split_word_bound_indices().map(|(at, _)| from + at);
    let starts: Vec<usize> = starts.take_while(|&at| at <= limit).filter(|&at| at > from).collect();
    starts.into_iter().rev().find(|&at| is_clean(text, lo, at))
}

/// The first start of a word (UAX 29) in `from..end`.
pub(super) fn first_word_start(text: &str, lo: usize, from: usize, end: usize) -> Option<usize> {
    let mut starts = text[from..end].split_word_bound_indices().map(|(at, _)| from + at);
    starts.find(|&at| at > from && is_clean(text, lo, at))
}

/// The last start of a grapheme; blank ones count.
pub(super) fn last_grapheme_start(text: &str, lo: usize, limit: usize) -> Option<usize> {
    let window = &text[lo..];
    let mut cursor = GraphemeCursor::new(limit - lo, window.len(), true);
    if limit > lo && cursor.is_boundary(window, 0) == Ok(true) {
        return Some(limit);
    }
    cursor.prev_boundary(window, 0).ok().flatten().filter(|&at| at > 0).map(|at| lo + at)
}

/// `limit`, or one further between CR and LF. For cuts through a grapheme that fills the whole window.
pub(super) fn past_line_feed(text: &str, limit: usize) -> usize {
    match text[limit..].starts_with('\n') && text[..limit].ends_with('\r') {
        true => limit + 1,
        false => limit,
    }
}

/// A character boundary about [`LOOK_AHEAD`] bytes after `limit`.
fn look_ahead(text: &str, limit: usize) -> usize {
    let end = (limit + LOOK_AHEAD).min(text.len());
    (limit..=end).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(limit)
}

/// Whether `at` starts a grapheme that is not blank.
fn is_clean(text: &str, lo: usize, at: usize) -> bool {
    match text.as_bytes().get(at) {
        None => true,
        Some(byte) if byte.is_ascii() && text.as_bytes()[at - 1].is_ascii() => !byte.is_ascii_whitespace(),
        Some(_) => {
            let window = &text[lo..];
            !text[at..].starts_with(char::is_whitespace)
                && GraphemeCursor::new(at - lo, window.len(), true).is_boundary(window, 0) == Ok(true)
        }
    }
}

/// Whether a line ending (LF, CRLF, CR) stands right before `at`.
fn is_line_start(bytes: &[u8], at: usize) -> bool {
    match bytes[at - 1] {
        b'\n' => true,
        b'\r' => bytes.get(at) != Some(&b'\n'),
        _ => false,
    }
}

/// Whether the line that starts at `at` has nothing but blanks.
fn is_blank_line(bytes: &[u8], at: usize) -> bool {
    let first = bytes[at..].iter().find(|byte| !matches!(byte, b' ' | b'\t'));
    matches!(first, None | Some(b'\n' | b'\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Search = fn(&str, usize, usize) -> Option<usize>;

    /// `|` marks the expected cut; the limit is the end of the text without the part after `^`.
    #[track_caller]
    fn check(search: Search, marked: &str) {
        let limit = marked.replace('|', "").find('^').expect("a limit");
        let text = marked.replace(['|', '^'], "");
        let expected = marked.replace('^', "").find('|');
        assert_eq!(search(&text, 0, limit), expected, "{marked:?}");
    }

    #[test]
    fn lines_start_after_any_line_ending_and_are_not_blank() {
        check(last_line_start, "a\n|bc^d");
        check(last_line_start, "a\r\n|b^");
        check(last_line_start, "a\r|b^");
        check(last_line_start, "a\n\n|b^");
        check(last_line_start, "a\n|  b\n^\nc");
        check(last_line_start, "a\n|b\n \t\n^");
        check(last_line_start, "a\n|b\r^\nc");
        check(last_line_start, "abc^");
    }

    #[test]
    fn sentences_start_by_unicode_rules() {
        let last_sentence_start: Search =
            |text, lo, limit| last_sentence_start(text, lo, limit, Lines::Separate);
        check(last_sentence_start, "One. |Two and^ more");
        check(last_sentence_start, "One. Two. |^Three");
        check(last_sentence_start, "Version 2.5 of e.g. this^ one");
        check(last_sentence_start, "一。|二三^四");
        check(last_sentence_start, "She said \"No.\" |He l^eft.");
    }

    #[test]
    fn words_start_after_blanks_and_between_scripts_without_them() {
        check(last_spaced_word_start, "one two |thr^ee");
        check(last_spaced_word_start, "one two |^three");
        check(last_spaced_word_start, "one |two ^ three");
        check(last_spaced_word_start, "a \u{301}b^");
        let last_word_start: Search = |text, lo, limit| last_word_start(text, lo, lo, limit);
        check(last_word_start, "漢字|漢^");
        check(last_word_start, "foo.bar/|baz^z");
        check(last_word_start, "aaaaaa^aaa");
    }

    #[test]
    fn graphemes_stay_whole() {
        let family = "👩‍👩‍👧‍👦";
        let text = format!("a{family}b");
        for limit in (2..=family.len()).filter(|&at| text.is_char_boundary(at)) {
            assert_eq!(last_grapheme_start(&text, 0, limit), Some(1), "{limit}");
        }
        assert_eq!(last_grapheme_start(&text, 0, 1 + family.len()), Some(1 + family.len()));
        assert_eq!(last_grapheme_start(family, 0, 4), None);
        assert_eq!(last_grapheme_start("ab\r\nc", 0, 3), Some(2));
        assert_eq!(past_line_feed("\r\nc", 1), 2);
        assert_eq!(past_line_feed(family, 4), 4);
    }
}
