//! Headings of light markup languages, line by line: reStructuredText, AsciiDoc, Org.
//!
//! Knows titles and the blocks in which nothing is a title, and no more of each language.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::lines::Lines;
use super::{roff, underlines};
use crate::content::{Heading, SectionKind, Span};

/// The headings of `text`, whose file has this name and extension.
pub(super) fn headings(file_name: &str, extension: &str, text: &str, lines: &Lines) -> Vec<Heading> {
    let rows: Vec<Row<'_>> =
        lines.spans().map(|span| Row { span, text: span.slice(text).trim_end() }).collect();
    match extension {
        "rst" => rst(&rows),
        "adoc" | "asciidoc" => asciidoc(&rows),
        "org" => org(&rows),
        _ if roff::is_manual(extension) => roff::headings(&rows),
        _ if underlines::may_have_titles(file_name) => underlines::headings(&rows),
        _ => Vec::new(),
    }
}

/// The title that `text` gives itself apart from its headings: `#+TITLE:` of Org, before the first headline, and the name of a
/// manual page.
pub(super) fn title(extension: &str, text: &str) -> Option<String> {
    if roff::is_manual(extension) {
        return roff::title(text);
    }
    if extension != "org" {
        return None;
    }
    let preamble = text.lines().take_while(|line| !line.starts_with("* "));
    let titles =
        preamble.filter_map(|line| line.split_once(':').filter(|it| it.0.eq_ignore_ascii_case("#+title")));
    let title = titles.flat_map(|(_, title)| title.split_whitespace()).collect::<Vec<_>>().join(" ");
    Some(title).filter(|it| !it.is_empty())
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    /// With its line ending.
    pub(super) span: Span,
    /// Without blanks at its end.
    pub(super) text: &'a str,
}

/// The heading from line `first` to line `last`.
pub(super) fn heading(first: Row<'_>, last: Row<'_>, level: usize, title: &str) -> Heading {
    Heading {
        start: first.span.start,
        end: last.span.end,
        level: u8::try_from(level).unwrap_or(u8::MAX),
        title: title.split_whitespace().collect::<Vec<_>>().join(" "),
        kind: SectionKind::Heading,
    }
}

/// The character that a line repeats, when it is ASCII punctuation and nothing else stands there.
pub(super) fn adornment(row: Row<'_>) -> Option<char> {
    let first = row.text.chars().next().filter(char::is_ascii_punctuation)?;
    row.text.chars().all(|c| c == first).then_some(first)
}

/// Section titles as docutils finds them: a line that does not run on from a paragraph, underlined at least as long as it
/// is (or four characters), perhaps overlined alike. Each style of adornment gets the level of its first use.
fn rst(rows: &[Row<'_>]) -> Vec<Heading> {
    let mut styles: Vec<(char, bool)> = Vec::new();
    let mut found = Vec::new();
    let mut in_paragraph = false;
    let mut at = 0;
    while at < rows.len() {
        let title = if in_paragraph { None } else { rst_title(&rows[at..]) };
        let Some((style, n_rows, title)) = title else {
            let text = rows[at].text;
            // A label, a list item, a field or what is indented ends by itself; docutils complains, and goes on.
            in_paragraph = !(text.is_empty()
                || text.starts_with(char::is_whitespace)
                || (!in_paragraph && ends_by_itself(text)));
            at += 1;
            continue;
        };
        let level = level_of(&mut styles, style);
        found.push(heading(rows[at], rows[at + n_rows - 1], level, &rst_plain(title)));
        at += n_rows;
    }
    found
}

/// The level of titles in this style (mark, whether there is a line above too), 1 or more, by its first use; `styles` are those
/// so far.
pub(super) fn level_of(styles: &mut Vec<(char, bool)>, style: (char, bool)) -> usize {
    let known = styles.iter().position(|&it| it == style);
    known.map_or_else(
        || {
            styles.push(style);
            styles.len()
        },
        |at| at + 1,
    )
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

/// Whether an unindented line is a label, directive, list item or field, after which a title may follow at once.
fn ends_by_itself(line: &str) -> bool {
    static CONSTRUCT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:\.\.(?: |$)|__ |[-*+•] |:[^:`]+:(?: |$))").expect("the pattern is valid")
    });
    CONSTRUCT.is_match(line)
}

/// Text without roles, link targets, backslashes and the marks of literals, strong words and substitutions.
fn rst_plain(title: &str) -> String {
    static MARKUP: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?x) \\ (?: \s | (\S) )
             | `` (.+?) ``
             | (?: : [\w:.+-]+ : )? ` ([^`<]* [^`<\s]) (?: \s* < [^`>]* > )? ` _{0,2}
             | \*\* ([^*\s] (?: [^*]* [^*\s] )?) \*\*
             | \| ([^|\s] (?: [^|]* [^|\s] )?) \| _{0,2}",
        )
        .expect("the pattern is valid")
    });
    let words = |found: &Captures<'_>| {
        let group = found.iter().skip(1).flatten().next();
        group.map_or_else(String::new, |it| it.as_str().to_owned())
    };
    MARKUP.replace_all(title, words).into_owned()
}

/// Section titles of AsciiDoc outside delimited blocks and paragraphs: `== Title` or `## Title`, or a line underlined within
/// one character of its length.
fn asciidoc(rows: &[Row<'_>]) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut in_paragraph = false;
    let mut at = 0;
    while at < rows.len() {
        let row = rows[at];
        at += 1;
        let runs_on = std::mem::replace(&mut in_paragraph, false);
        if let Some(depth) = open.iter().position(|&delimiter| delimiter == row.text) {
            open.truncate(depth);
        } else if open.last().is_some_and(|delimiter| is_verbatim(delimiter)) {
            // Whatever stands here is shown as it is.
        } else if is_delimiter(row.text) {
            // A fence of backticks names its language on the opening line alone.
            open.push(if row.text.starts_with('`') { "```" } else { row.text });
        } else if open.is_empty() {
            let follows_blank = at < 2 || rows[at - 2].text.is_empty();
            let title = if runs_on { None } else { asciidoc_title(row.text) };
            if let Some((level, title)) = title {
                found.push(heading(row, row, level, &without_anchors(title)));
            } else if let Some(level) =
                rows.get(at).filter(|_| follows_blank).and_then(|next| underlined(row, *next))
            {
                found.push(heading(row, rows[at], level, &without_anchors(row.text)));
                at += 1;
            } else {
                in_paragraph = if runs_on { !row.text.is_empty() } else { is_asciidoc_prose(row.text) };
            }
        }
    }
    found
}

fn asciidoc_title(line: &str) -> Option<(usize, &str)> {
    let mark = line.chars().next().filter(|it| matches!(it, '=' | '#'))?;
    let title = line.trim_start_matches(mark);
    let level = line.len() - title.len();
    if !(1..=6).contains(&level) || !title.starts_with([' ', '\t']) {
        return None;
    }
    let title = title.trim();
    let marks = &line[..level];
    let unmarked = title.strip_suffix(marks).filter(|it| it.ends_with(' ')).unwrap_or(title);
    Some((level, unmarked.trim())).filter(|(_, title)| !title.is_empty())
}

/// Whether a line that is no title starts a paragraph, and is not an attribute, a comment, a block's title or a macro.
fn is_asciidoc_prose(line: &str) -> bool {
    static OTHER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:$|\[.*\]$|//|:!?[\w-]+!?:(?:\s|$)|\.[^\s.]|\+$|'''$|<<<$|\w+::\S*\[.*\]$)")
            .expect("the pattern is valid")
    });
    !OTHER.is_match(line)
}

/// A title without the anchors that stand in it.
fn without_anchors(title: &str) -> String {
    static ANCHOR: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\[\[[^\]]*\]\]|anchor:[\w-]+\[[^\]]*\]").expect("the pattern is valid")
    });
    ANCHOR.replace_all(title, "").into_owned()
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

/// Headlines of Org: stars at the start of a line, wherever they stand; tags and addresses are left out of the title.
fn org(rows: &[Row<'_>]) -> Vec<Heading> {
    static TAGS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?:^|\s+):[\w@#%:]+:$").expect("the pattern is valid"));
    static LINK: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\[\[(?:[^\]]*\]\[)?([^\]]*)\]\]").expect("the pattern is valid"));
    let headline = |row: &Row<'_>| {
        let title = row.text.trim_start_matches('*');
        let level = row.text.len() - title.len();
        let is_headline = level > 0 && title.starts_with(' ');
        is_headline.then(|| heading(*row, *row, level, &LINK.replace_all(&TAGS.replace(title, ""), "$1")))
    };
    rows.iter().filter_map(headline).collect()
}
