//! What a passage defines: the terms of its definition lists, options and tables of names.
//!
//! Who looks a name up wants the passage that explains it, which often names it once, before the passage that uses it
//! often. Headings are a field of their own; this finds the names that have none:
//!
//! ```text
//! --numstat                      | `EACCES`   | permission denied |      - `timeout` {number} How long
//! : Similar to --stat            SIGTERM: sent to end the process         -p, --patch
//! ```

/// Longest term, in bytes.
const MAX_BYTES: usize = 80;

/// The defined terms of `text`, one a line; empty for most texts.
pub(super) fn defined(text: &str) -> String {
    let mut terms = String::new();
    for line in text.lines() {
        if let Some(term) = term_of(line) {
            terms.push_str(term);
            terms.push('\n');
        }
    }
    terms
}

/// The term that a line begins with and that it, or the next one, explains.
fn term_of(line: &str) -> Option<&str> {
    let trimmed = line.trim();
    if trimmed.starts_with('#') {
        return None;
    }
    let unmarked = without_marker(trimmed);
    let is_marked = unmarked.len() < trimmed.len();
    // A code span at the start of an item or of a table's row is a name, whatever follows.
    if let Some(rest) = unmarked.strip_prefix('`') {
        let name = &rest[..rest.find('`')?];
        let after = rest[name.len() + 1..].trim_start();
        return (is_term(name) && (is_marked || ends_term(after))).then_some(name);
    }
    let unmarked = unmarked.strip_prefix("**").unwrap_or(unmarked);
    let mut end = term_len(unmarked);
    // `-p, --patch`, `-m <msg>`: an option with its other names and its value.
    while unmarked.starts_with('-') {
        let rest = &unmarked[end..];
        let next = rest.trim_start_matches([',', ' ']);
        let is_next = next.len() < rest.len() && next.starts_with(['-', '<', '[', '=']);
        if !is_next {
            break;
        }
        end = unmarked.len() - next.len() + term_len(next);
    }
    let term = &unmarked[..end];
    let after = unmarked[end..].trim_start_matches("**").trim_start();
    // The last word of a paragraph stands alone in its line too: what ends a sentence, or is a plain word, is no term.
    let is_alone = after.is_empty();
    let is_name = term.bytes().any(|byte| byte.is_ascii_punctuation() || byte.is_ascii_digit())
        || term.chars().skip(1).any(char::is_uppercase);
    let is_whole =
        if is_alone { is_name && !term.ends_with(['.', ',', ';', ')', '!', '?']) } else { ends_term(after) };
    (is_term(term) && is_whole).then_some(term)
}

/// A line without the marker of a list or the bar of a table's row.
fn without_marker(line: &str) -> &str {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match line[digits..].strip_prefix(['.', ')']) {
        Some(rest) if digits > 0 => rest,
        _ => line.strip_prefix(['-', '*', '+', '|']).unwrap_or(line),
    };
    if rest.starts_with(' ') { rest.trim_start() } else { line }
}

/// Length of a term at the start of `text`: up to a blank, or a colon or comma that ends it.
fn term_len(text: &str) -> usize {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let word = text[..end].trim_end_matches("**");
    word.strip_suffix([':', ',']).unwrap_or(word).trim_end_matches("**").len()
}

/// Whether what follows a term says that it was one.
fn ends_term(after: &str) -> bool {
    let after = after.trim_start_matches("**");
    after.is_empty()
        || after == ":"
        || after.starts_with(": ")
        || after.starts_with("| ")
        || ["- ", "– ", "— ", "= "].into_iter().any(|dash| after.starts_with(dash))
}

fn is_term(term: &str) -> bool {
    (2..=MAX_BYTES).contains(&term.len()) && term.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn terms_are_those_that_a_text_explains() {
        #[track_caller]
        fn check(text: &str, expected: &[&str]) {
            assert_eq!(defined(text).lines().collect::<Vec<_>>(), expected, "{text}");
        }
        check("--numstat\n: Similar to `--stat`, but", &["--numstat"]);
        check(
            "-p, --patch\n-m <msg>\n--stat[=<width>]\n: x",
            &["-p, --patch", "-m <msg>", "--stat[=<width>]"],
        );
        check("| `EACCES` | denied |\n| --- | --- |\n| EAGAIN | again |", &["EACCES", "EAGAIN"]);
        check("* `timeout` {number} How long\n- **retries**: how often", &["timeout", "retries"]);
        check("SIGTERM: sent to end it\nexit - leaves", &["SIGTERM", "exit"]);
        check("1. `first` is this\n2) diff.orderFile\n   : x", &["first", "diff.orderFile"]);
        check(
            "## `heading`\n`code` is used here\nand the last word of a\nparagraph.\nParagraph\n(see `x`)",
            &[],
        );
        check("Note that: this\nis 3 = 4\n- an item of words\n", &[]);
        check("", &[]);
        check("`open\n-\n*\n|\n**\n--\n: \n", &[]);
    }

    proptest! {
        #[test]
        fn any_text_has_defined_terms(text in "[-`*|#:,.=<> a-cé1\n]{0,60}") {
            let terms = defined(&text);
            prop_assert!(terms.len() <= text.len() + 1);
            prop_assert!(terms.lines().all(|term| text.contains(term)));
        }
    }
}
