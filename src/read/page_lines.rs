//! The headers and footers of pages: left out of the text, and said so.

use std::collections::BTreeSet;

use crate::content::{Warning, WarningKind};

/// Says how many of `lines` were left out, each counted once; lines without letters and digits do not count.
pub(in crate::read) fn warn(lines: impl IntoIterator<Item = String>, warnings: &mut Vec<Warning>) {
    let folded = lines.into_iter().map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines: BTreeSet<String> = folded.filter(|it| it.contains(char::is_alphanumeric)).collect();
    let n_chars: usize = lines.iter().map(|it| it.chars().count()).sum();
    if n_chars > 0 {
        let n_lines = lines.len();
        let what = if n_lines == 1 { "line" } else { "lines" };
        let message =
            format!("left out: {n_lines} {what} of page headers and footers ({n_chars} characters)");
        warnings.push(Warning::new(WarningKind::Dropped, message));
    }
}

/// Whether a field such as `PAGE \* MERGEFORMAT` shows the number of a page, or how many there are.
pub(in crate::read) fn is_page_number(instruction: &str) -> bool {
    let name = instruction.split_whitespace().next().unwrap_or_default();
    ["PAGE", "NUMPAGES", "SECTIONPAGES"].iter().any(|it| it.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_once() {
        let check = |lines: &[&str], expected: &[&str]| {
            let mut warnings = Vec::new();
            warn(lines.iter().map(|it| (*it).to_owned()), &mut warnings);
            let messages: Vec<&str> = warnings.iter().map(|it| it.message.as_str()).collect();
            assert_eq!(messages, expected, "{lines:?}");
        };
        check(&["A  b", " A b", "- ", ""], &["left out: 1 line of page headers and footers (3 characters)"]);
        check(&["A", "b"], &["left out: 2 lines of page headers and footers (2 characters)"]);
        check(&["|", " "], &[]);
    }
}
