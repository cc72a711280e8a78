//! Headings of light markup languages, line by line: reStructuredText, AsciiDoc, Org.
//!
//! Knows titles and the blocks in which nothing is a title, and no more of each language.

use std::sync::LazyLock;

use regex::Regex;

use super::lines::Lines;
use crate::content::{Heading, SectionKind, Span};

/// The headings of `text`, whose file has this extension.
pub(super) fn headings(extension: &str, text: &str, lines: &Lines) -> Vec<Heading> {
    let rows: Vec<Row<'_>> =
        lines.spans().map(|span| Row { span, text: span.slice(text).trim_end() }).collect();
    match extension {
        "rst" => rst(&rows),
        "adoc" | "asciidoc" => asciidoc(&rows),
        "org" => org(&rows),
        _ => Vec::new(),
    }
}

/// One line.
#[derive(Clone, Copy, Debug)]
struct Row<'a> {
    /// With its line ending.
    span: Span,
    /// Without blanks at its end.
    text: &'a str,
}

fn heading(first: Row<'_>, last: Row<'_>, level: usize, title: &str) -> Heading {
    Heading {
        start: first.span.start,
        end: last.span.end,
        level: u8::try_from(level).unwrap_or(u8::MAX),
        title: title.split_whitespace().collect::<Vec<_>>().join(" "),
        kind: SectionKind::Heading,
    }
}

/// The character that a line repeats, when it is ASCII punctuation and nothing else stands there.
fn adornment(row: Row<'_>) -> Option<char> {
    let first = row.text.chars().next().filter(char::is_ascii_punctuation)?;
    row.text.chars().all(|c| c == first).then_some(first)
}

/// Section titles as docutils finds them: a line after a blank one, underlined at least as long as it is (or four
/// characters), perhaps overlined alike. Each style of adornment gets the level of its first use.
fn rst(rows: &[Row<'_>]) -> Vec<Heading> {
    let mut styles: Vec<(char, bool)> = Vec::new();
    let mut found = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let follows_blank =
            at == 0 || rows[at - 1].text.is_empty() || found_end(&found) == rows[at].span.start;
        let title = if follows_blank { rst_title(&rows[at..]) } else { None };
        let Some((style, n_rows, title)) = title else {
            at += 1;
            continue;
        };
        let level = styles.iter().position(|&it| it == style).unwrap_or_else(|| {
            styles.push(style);
            styles.len() - 1
        });
        found.push(heading(rows[at], rows[at + n_rows - 1], level + 1, &rst_plain(title)));
        at += n_rows;
    }
    found
}

fn found_end(found: &[Heading]) -> usize {
    found.last().map_or(0, |heading| heading.end)
}

/// The style, number of lines and text of a title that starts at the first row.
fn rst_title<'a>(rows: &[Row<'a>]) -> Option<((char, bool), usize, &'a str)> {
    if let [over, title, under, ..] = rows
        && let Some(mark) = adornment(*over)
        && under.text == over.text
        && is_underlined(title.text.trim_start(), under.text)
    {
        return Some(((mark, true), 3, title.text));
    }
    let [title, under, ..] = rows else { return None };
    let mark = adornment(*under)?;
    let is_title = !title.text.starts_with(char::is_whitespace)
        && adornment(*title).is_none()
        && !is_rst_construct(title.text)
        && is_underlined(title.text, under.text);
    is_title.then_some(((mark, false), 2, title.text))
}

fn is_underlined(title: &str, under: &str) -> bool {
    !title.is_empty() && under.len() >= 2 && (under.len() >= 4 || under.len() >= title.chars().count())
}

/// Whether docutils reads the line as something other than text: directive, list item, field, table.
fn is_rst_construct(line: &str) -> bool {
    static CONSTRUCT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:\.\.(?: |$)|[-*+•|] |>>> |:[^:`]+:(?: |$)|\+[-=]|=+ +=)")
            .expect("the pattern is valid")
    });
    CONSTRUCT.is_match(line)
}

/// Text without roles, link targets and literal marks.
fn rst_plain(title: &str) -> String {
    static ROLE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?::[\w:.+-]+:)?`([^`<]*[^`<\s])(?:\s*<[^`>]*>)?`_{0,2}").expect("the pattern is valid")
    });
    ROLE.replace_all(&title.replace("``", ""), "$1").into_owned()
}

/// Section titles of AsciiDoc outside delimited blocks: `== Title`, or a line underlined within one character of its
/// length.
fn asciidoc(rows: &[Row<'_>]) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let row = rows[at];
        at += 1;
        if let Some(depth) = open.iter().position(|&delimiter| delimiter == row.text) {
            open.truncate(depth);
        } else if open.last().is_some_and(|delimiter| is_verbatim(delimiter)) {
            // Whatever stands here is shown as it is.
        } else if is_delimiter(row.text) {
            // A fence of backticks names its language on the opening line alone.
            open.push(if row.text.starts_with('`') { "```" } else { row.text });
        } else if open.is_empty() {
            let follows_blank = at < 2 || rows[at - 2].text.is_empty();
            if let Some((level, title)) = asciidoc_title(row.text) {
                found.push(heading(row, row, level, title));
            } else if let Some(level) =
                rows.get(at).filter(|_| follows_blank).and_then(|next| underlined(row, *next))
            {
                found.push(heading(row, rows[at], level, row.text));
                at += 1;
            }
        }
    }
    found
}

fn asciidoc_title(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('=');
    let level = line.len() - title.len();
    if !(1..=6).contains(&level) || !title.starts_with([' ', '\t']) {
        return None;
    }
    let title = title.trim();
    let marks = &line[..level];
    let unmarked = title.strip_suffix(marks).filter(|it| it.ends_with(' ')).unwrap_or(title);
    Some((level, unmarked.trim())).filter(|(_, title)| !title.is_empty())
}

fn underlined(title: Row<'_>, under: Row<'_>) -> Option<usize> {
    let level = "=-~^+".find(adornment(under)?)? + 1;
    let length = title.text.chars().count();
    let is_title = title.text.starts_with(char::is_alphanumeric) && length.abs_diff(under.text.len()) <= 1;
    (is_title && under.text.len() >= 3).then_some(level)
}

fn is_delimiter(line: &str) -> bool {
    let is_run = |marks: &str| line.len() >= 4 && marks.chars().any(|mark| line.chars().all(|c| c == mark));
    is_run("-.=*_+/")
        || line == "--"
        || line.starts_with("```")
        || matches!(line, "|===" | ",===" | ":===" | "!===")
}

fn is_verbatim(delimiter: &str) -> bool {
    delimiter.len() >= 3 && delimiter.starts_with(['-', '.', '+', '/', '`'])
}

/// Headlines of Org: stars at the start of a line, wherever they stand; tags are left out of the title.
fn org(rows: &[Row<'_>]) -> Vec<Heading> {
    static TAGS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?:^|\s+):[\w@#%:]+:$").expect("the pattern is valid"));
    let headline = |row: &Row<'_>| {
        let title = row.text.trim_start_matches('*');
        let level = row.text.len() - title.len();
        let is_headline = level > 0 && title.starts_with(' ');
        is_headline.then(|| heading(*row, *row, level, &TAGS.replace(title, "")))
    };
    rows.iter().filter_map(headline).collect()
}
