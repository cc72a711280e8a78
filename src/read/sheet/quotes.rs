//! Quotes in delimited text that are never closed.
//!
//! Taken at its word, such a quote swallows the rows behind it. [`repaired`] writes the text so that it is a character
//! like others; reading is the parser's work.

use std::borrow::Cow;

/// A field longer than this is the work of a stray quote.
const MAX_FIELD_BYTES: usize = 256 << 10;

/// Most stray quotes in one text. Each costs a look at [`MAX_FIELD_BYTES`]; a text with more was not written with quotes in mind.
const MAX_STRAYS: usize = 1_000;

/// A text in which every quoted field ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Repaired<'a> {
    /// As many lines as before.
    pub(super) text: Cow<'a, str>,
    /// Bytes of the text as it was at which the quotes that are not closed stand, rising.
    pub(super) quotes: Vec<usize>,
}

/// Doubles the quotes that open fields without an end. `None` when there are too many of them.
///
/// A field has no end when the text ends first, when it is very long, or when it runs over several lines up to a quote with
/// words behind it, which was meant to open another field.
pub(super) fn repaired(text: &str, delimiter: u8) -> Option<Repaired<'_>> {
    let bytes = text.as_bytes();
    let mut quotes = Vec::new();
    let mut written = String::new();
    // Everything before `copied` is in `written`.
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        // A field starts here.
        if bytes[at] == b'"' {
            match end_of_quoted(bytes, at, delimiter) {
                Some(end) => at = end,
                None if quotes.len() == MAX_STRAYS => return None,
                None => {
                    let end = end_of_plain(bytes, at, delimiter);
                    quotes.push(at);
                    written.push_str(&text[copied..at]);
                    written.push('"');
                    written.push_str(&text[at..end].replace('"', "\"\""));
                    written.push('"');
                    (copied, at) = (end, end);
                }
            }
        }
        at = end_of_plain(bytes, at, delimiter);
        at += 1;
    }
    if copied == 0 {
        return Some(Repaired { text: text.into(), quotes });
    }
    written.push_str(&text[copied..]);
    Some(Repaired { text: written.into(), quotes })
}

/// The byte behind the closing quote of the field that the quote at `start` opens.
fn end_of_quoted(bytes: &[u8], start: usize, delimiter: u8) -> Option<usize> {
    let mut at = start + 1;
    let mut has_lines = false;
    while at < bytes.len() && at - start <= MAX_FIELD_BYTES {
        match bytes[at] {
            b'"' if bytes.get(at + 1) == Some(&b'"') => at += 1,
            b'"' => {
                let n_blanks = bytes[at + 1..].iter().take_while(|it| matches!(it, b' ' | b'\t')).count();
                let next = bytes.get(at + 1 + n_blanks);
                let is_end = bytes[at + 1..at + 1 + n_blanks].contains(&delimiter)
                    || next.is_none_or(|it| matches!(it, b'\r' | b'\n') || *it == delimiter);
                return (is_end || !has_lines).then_some(at + 1);
            }
            b'\r' | b'\n' => has_lines = true,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where the field that goes on at `at` without quotes ends.
fn end_of_plain(bytes: &[u8], at: usize, delimiter: u8) -> usize {
    let is_end = |it: &u8| *it == delimiter || matches!(it, b'\r' | b'\n');
    bytes[at..].iter().position(is_end).map_or(bytes.len(), |n| at + n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_without_an_end_are_doubled() {
        let check = |text: &str, expected: &str, quotes: &[usize]| {
            let expected = Repaired { text: expected.into(), quotes: quotes.to_vec() };
            assert_eq!(repaired(text, b','), Some(expected), "{text:?}");
        };
        for whole in ["", "a,b\n", "\"a\"\"\nb\",c\n", "a \"b\" c,\"d\" \r\n\"\",\"e\"", "\"a\"b\nc\"d,e"] {
            check(whole, whole, &[]);
        }
        check("a,\"b,c\nd,e\n", "a,\"\"\"b\",c\nd,e\n", &[2]);
        check("\"a\n\"b\" c,d\n", "\"\"\"a\"\n\"b\" c,d\n", &[0]);
        check("a\n\"x\ny\",\"5\" inch,\"b\r\nc", "a\n\"x\ny\",\"5\" inch,\"\"\"b\"\r\nc", &[17]);
        let many = "\"a\n".repeat(MAX_STRAYS);
        assert_eq!(repaired(&many, b',').map(|it| it.quotes.len()), Some(MAX_STRAYS));
        assert_eq!(repaired(&(many + "\"a\n"), b','), None);
    }
}
