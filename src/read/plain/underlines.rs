//! Titles of plain text: a line with a line of `=`, `-`, `~`, `^` or `*` under it, as READMEs and release notes have them.
//!
//! Nothing promises markup here, so that titles have to stand apart and to come in company; what may as well be a table,
//! a ruler or a letter is text.

use super::markup::{Row, adornment, heading, level_of};
use crate::content::Heading;

/// Longest title, in characters. Chosen: one line of a terminal.
const MAX_TITLE: usize = 80;

/// How many characters an underline may be shorter than its title. Chosen: miscounts.
const MAX_MISSING: usize = 2;

/// Whether files of this name hold prose: `*.txt`, and names such as `README`, `NEWS.old`, `INSTALL`.
pub(super) fn may_have_titles(file_name: &str) -> bool {
    let (stem, extension) = file_name.split_once('.').unwrap_or((file_name, ""));
    let is_text = |extension: &str| matches!(extension.to_ascii_lowercase().as_str(), "txt" | "text");
    let is_shouted = stem.len() >= 4 && !stem.contains(char::is_lowercase);
    extension.is_empty()
        || file_name.rsplit_once('.').is_some_and(|it| is_text(it.1))
        || (is_shouted && !super::is_data(extension))
}

/// The headings of `rows`: none, unless there are two, or one underlined with `=` at the start.
pub(super) fn headings(rows: &[Row<'_>]) -> Vec<Heading> {
    let mut styles = Vec::new();
    let mut found = Vec::new();
    let mut starts_with_title = false;
    let mut is_apart = true;
    // The style of a title right above, if any: below one stands a subtitle in another, or a table between rulers.
    let mut above = None;
    let mut at = 0;
    while at < rows.len() {
        if let Some((style, n_rows, title)) = title(&rows[at..]).filter(|it| is_apart && above != Some(it.0))
        {
            above = Some(style);
            starts_with_title |= at == 0 && style.0 == '=';
            found.push(heading(rows[at], rows[at + n_rows - 1], level_of(&mut styles, style), title));
            at += n_rows;
        } else {
            is_apart = rows[at].text.trim().is_empty();
            above = None;
            at += 1;
        }
    }
    if found.len() < 2 && !starts_with_title {
        found.clear();
    }
    found
}

/// The style (mark, whether there is a line above too), number of lines and text of a title at the first row.
fn title<'a>(rows: &[Row<'a>]) -> Option<((char, bool), usize, &'a str)> {
    if let [over, title, under, ..] = rows
        && let Some(mark) = underline(*over)
        && over.text == under.text
        && is_title(title.text.trim_start(), *under, rows.get(3))
    {
        return Some(((mark, true), 3, title.text.trim_start()));
    }
    let [title, under, ..] = rows else { return None };
    let mark = underline(*under)?;
    let is_flush = !title.text.starts_with(char::is_whitespace);
    (is_flush && is_title(title.text, *under, rows.get(2))).then_some(((mark, false), 2, title.text))
}

fn underline(row: Row<'_>) -> Option<char> {
    adornment(row).filter(|mark| row.text.len() >= 3 && "=-~^*".contains(*mark))
}

fn is_title(title: &str, under: Row<'_>, after: Option<&Row<'_>>) -> bool {
    let length = title.chars().count();
    let is_short = length <= MAX_TITLE && length <= under.text.len() + MAX_MISSING;
    // Columns, unless nothing stands right below.
    let is_row = (title.contains("  ") || title.contains(['\t', '|']))
        && after.is_some_and(|row| !row.text.trim().is_empty());
    let is_item =
        ["- ", "*", "+ ", "> ", "# ", "//", "|", "$ ", "="].iter().any(|mark| title.starts_with(mark));
    is_short
        && !is_row
        && !is_item
        && title.contains(char::is_alphabetic)
        && !title.ends_with([',', ';', '{', '}', '\\'])
}
