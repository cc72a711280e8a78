//! Manual pages in roff: sections of the macro packages man (`.SH`, `.SS`) and mdoc (`.Sh`, `.Ss`), and the page's name.
//!
//! The text stays as it is written, macros and all; titles lose the escapes.

use super::markup::{Row, heading};
use crate::content::Heading;

/// How many lines may come before the macro that names the page. Chosen: Perl's generator writes some 130 of definitions.
const MAX_PREFACE: usize = 300;

/// Whether an extension is the section of a manual: `1`, `3p`, `8`.
pub(super) fn is_manual(extension: &str) -> bool {
    extension.len() <= 6
        && extension.starts_with(|c: char| c.is_ascii_digit() && c != '0')
        && extension[1..].chars().all(|c| c.is_ascii_alphabetic())
}

/// The name that the page gives itself, such as `LS(1)`; `None` when it is no manual page.
pub(super) fn title(text: &str) -> Option<String> {
    let lines = || text.lines().take(MAX_PREFACE).filter_map(request);
    let named = lines().find(|(name, arguments)| matches!(*name, "TH" | "Dt") && !arguments.is_empty())?;
    let mut arguments = arguments(named.1).into_iter();
    let name = arguments.next().filter(|it| !it.is_empty())?;
    Some(
        arguments
            .next()
            .filter(|it| !it.is_empty())
            .map_or_else(|| name.clone(), |it| format!("{name}({it})")),
    )
}

/// The sections of a manual page.
pub(super) fn headings(rows: &[Row<'_>]) -> Vec<Heading> {
    let is_page = rows.iter().take(MAX_PREFACE).filter_map(|row| request(row.text));
    if !is_page.into_iter().any(|(name, _)| matches!(name, "TH" | "Dd")) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let level = match request(row.text) {
            Some(("SH" | "Sh", _)) => 1,
            Some(("SS" | "Ss", _)) => 2,
            _ => continue,
        };
        let written = request(row.text).map_or("", |it| it.1);
        // Without an argument the next line is the title.
        let next = rows.get(at + 1).filter(|next| written.is_empty() && request(next.text).is_none());
        let title = if let Some(next) = next { plain(next.text) } else { arguments(written).join(" ") };
        found.push(heading(*row, *next.unwrap_or(row), level, &title));
    }
    found
}

/// The name and the arguments of a line that is a request or a macro.
fn request(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix('.')?.trim_start_matches([' ', '\t']);
    let (name, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    // A comment.
    let rest = rest.split_once("\\\"").map_or(rest, |it| it.0);
    Some((name, rest.trim()))
}

/// Arguments as they are shown: words, or pieces between quotes, in which two quotes stand for one.
fn arguments(written: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = written.trim_start();
    while !rest.is_empty() {
        let mut argument = String::new();
        if let Some(quoted) = rest.strip_prefix('"') {
            rest = quoted;
            while let Some((piece, after)) = rest.split_once('"') {
                argument.push_str(piece);
                rest = after;
                let Some(after) = rest.strip_prefix('"') else { break };
                argument.push('"');
                rest = after;
            }
            if argument.is_empty() && !rest.starts_with([' ', '\t']) {
                // Never closed.
                argument.push_str(std::mem::take(&mut rest));
            }
        } else {
            // An escaped blank does not part arguments.
            let mut is_escaped = false;
            let end = rest.find(|c: char| {
                let is_end = matches!(c, ' ' | '\t') && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                is_end
            });
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            argument.push_str(word);
            rest = after;
        }
        found.push(plain(&argument));
        rest = rest.trim_start_matches([' ', '\t']);
    }
    found
}

/// `text` without roff's escapes: fonts and sizes are left out, the commonest characters written.
fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        shown.push_str(before);
        let mut chars = escape.chars();
        rest = match chars.next() {
            Some('f' | 'm' | '*') => after_name(chars.as_str()).1,
            Some('s') => after_size(chars.as_str()),
            Some(c @ ('(' | '[')) => {
                let (name, after) = if c == '(' {
                    after_name(escape)
                } else {
                    chars.as_str().split_once(']').unwrap_or((chars.as_str(), ""))
                };
                shown.push_str(match name {
                    "aq" => "'",
                    "dq" => "\"",
                    "lq" => "“",
                    "rq" => "”",
                    "oq" => "‘",
                    "cq" => "’",
                    "em" => "—",
                    "en" => "–",
                    "hy" | "mi" => "-",
                    "bu" => "•",
                    "co" => "©",
                    _ => "",
                });
                after
            }
            Some('e' | '\\') => {
                shown.push('\\');
                chars.as_str()
            }
            Some('~' | ' ' | '0') => {
                shown.push(' ');
                chars.as_str()
            }
            Some('&' | '|' | '^' | '/' | ',' | ':' | '%' | 'c' | '"') => chars.as_str(),
            Some(c) => {
                shown.push(c);
                chars.as_str()
            }
            None => "",
        };
    }
    shown.push_str(rest);
    shown
}

/// The name of a font, size or character (`B`, `(CW`, `[CR]`), and what follows it.
fn after_name(text: &str) -> (&str, &str) {
    if let Some(name) = text.strip_prefix('[') {
        return name.split_once(']').unwrap_or((name, ""));
    }
    let (skipped, n_chars) = if text.starts_with('(') { (1, 2) } else { (0, 1) };
    let name = &text[skipped..];
    let end = name.char_indices().nth(n_chars).map_or(name.len(), |(at, _)| at);
    name.split_at(end)
}

/// What follows a size: `0`, `-1`, `(10`, `[12]`.
fn after_size(text: &str) -> &str {
    let size = text.strip_prefix(['+', '-']).unwrap_or(text);
    if size.starts_with(['(', '[']) {
        return after_name(size).1;
    }
    size.strip_prefix(|c: char| c.is_ascii_digit()).unwrap_or(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_name_themselves() {
        for (text, expected) in [
            (".TH FOO 1 \"2024\"\n", Some("FOO(1)")),
            ("'\\\" t\n.\\\" x\n.TH \"git\\-log\" \"1\"\n", Some("git-log(1)")),
            (".Dd May 1\n.Dt LS 1\n", Some("LS(1)")),
            (".TH \"Pandoc test\" \"\" \"\"\n", Some("Pandoc test")),
            (".TH\n", None),
            (".TH \"\n", None),
            ("TH x 1\n", None),
        ] {
            assert_eq!(title(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn extensions_are_sections_of_the_manual() {
        for (extension, expected) in [
            ("1", true),
            ("3p", true),
            ("8", true),
            ("0", false),
            ("10", false),
            ("1é", false),
            ("md", false),
            ("", false),
        ] {
            assert_eq!(is_manual(extension), expected, "{extension}");
        }
    }

    #[test]
    fn titles_lose_their_escapes() {
        for (written, expected) in [
            (r#""SEE ALSO""#, "SEE ALSO"),
            (r"SEE ALSO", "SEE ALSO"),
            (r"\fBfoo\fR \-\-all", "foo --all"),
            (r"\f(CWx\fP\f[B]y\f[] \s-1Z", "xy Z"),
            (r"a\ b\(em\[aq]c\&\e", "a b—'c\\"),
            (r#""say ""x""""#, "say \"x\""),
            (r#""open"#, "open"),
            (r"end\", "end"),
            (r"\f", ""),
            (r"\(é", ""),
        ] {
            assert_eq!(arguments(written).join(" "), expected, "{written}");
        }
    }
}
