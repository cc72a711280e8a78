//! Attributes of headings: `## Install {#install .wide}`, as Pandoc, kramdown, Python-Markdown and site generators write
//! them.
//!
//! CommonMark knows none of it and takes them for text, so titles keep them; only the ids are taken as anchors. What does not
//! read as attributes from brace to brace is nothing but text.

/// Attributes at the end of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attributes<'a> {
    /// Everything from the opening brace to the closing one.
    pub(super) raw: &'a str,
    /// The id, where one is given.
    pub(super) id: Option<&'a str>,
}

/// The attributes that end the source of a heading: its line or lines, with marks and underline.
pub(super) fn of_heading(source: &str) -> Option<Attributes<'_>> {
    let source = source.trim();
    let content = if source.starts_with('#') {
        // Closing marks stand behind a blank.
        let open = source.trim_end_matches('#');
        if open.ends_with([' ', '\t']) { open } else { source }
    } else {
        source.rsplit_once(['\n', '\r'])?.0
    };
    let content = content.trim_end();
    let at = content.rfind('{')?;
    let (before, raw) = content.split_at(at);
    let attributes = parsed(raw)?;
    let is_apart = before.ends_with(char::is_whitespace);
    // `标题{#id}` is written without a blank; `x_{i=1}`, `f({x=1})` and `{{#if}}` are something else.
    let may_touch = attributes.id.is_some() && before.ends_with(|c: char| c.is_alphanumeric() || c == '`');
    (is_apart || may_touch).then_some(attributes)
}

/// The id that a line of nothing but attributes (`{: #id .class}`) gives to the block above it; `None` when the line is
/// something else, `Some(None)` when it gives no id.
pub(super) fn of_line(line: &str) -> Option<Option<&str>> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let line = line.trim();
    (indent <= 3 && line.starts_with("{:")).then(|| parsed(line)).flatten().map(|it| it.id)
}

/// Reads `{…}`; `None` when anything in it is no attribute.
fn parsed(raw: &str) -> Option<Attributes<'_>> {
    let inner = raw.strip_prefix('{')?.strip_suffix('}')?;
    if inner.contains(['{', '}', '\n', '\r']) {
        return None;
    }
    // Docusaurus hides the id in a comment of JavaScript.
    let comment = inner.trim().strip_prefix("/*").and_then(|it| it.strip_suffix("*/"));
    let mut rest = comment.or(inner.strip_prefix(':')).unwrap_or(inner).trim();
    if rest.is_empty() {
        return None;
    }
    let mut id = None;
    while !rest.is_empty() {
        let (attribute, len) = attribute(rest)?;
        id = attribute.or(id);
        let after = &rest[len..];
        rest = after.trim_start();
        if !rest.is_empty() && rest.len() == after.len() {
            return None;
        }
    }
    Some(Attributes { raw, id })
}

/// The attribute at the start of `text`: the id, if it is one, and how long it is.
fn attribute(text: &str) -> Option<(Option<&str>, usize)> {
    let word_len = text.find(char::is_whitespace).unwrap_or(text.len());
    let word = &text[..word_len];
    if let Some(id) = word.strip_prefix('#') {
        return is_name(id).then_some((Some(id), word_len));
    }
    if let Some(class) = word.strip_prefix('.') {
        return is_name(class).then_some((None, word_len));
    }
    // Pandoc: a heading without a number.
    if word == "-" {
        return Some((None, word_len));
    }
    let (key, value) = text.split_once('=')?;
    if !key.starts_with(|c: char| c.is_alphabetic()) || !is_name(key) {
        return None;
    }
    let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''));
    let (value, value_len) = match quote {
        Some(quote) => {
            let value = value[1..].split_once(quote)?.0;
            (value, value.len() + 2)
        }
        None => {
            let value = value.split(char::is_whitespace).next().filter(|it| is_value(it))?;
            (value, value.len())
        }
    };
    let id = (key == "id" && is_name(value)).then_some(value);
    Some((id, key.len() + 1 + value_len))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'))
        && text.chars().all(|c| c.is_alphanumeric() || "_-:.+/~%".contains(c))
}

fn is_value(text: &str) -> bool {
    !text.is_empty() && !text.contains(['"', '\'', '<', '>', '=', '`', '#'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: Option<(&str, Option<&str>)>) {
        assert_eq!(of_heading(source).map(|it| (it.raw, it.id)), expected, "{source:?}");
    }

    #[test]
    fn attributes_end_a_heading() {
        check("## Install {#install}", Some(("{#install}", Some("install"))));
        check("## Install {#install} ##\n", Some(("{#install}", Some("install"))));
        check("Title {#t .a key=1}\r\n=====\r\n", Some(("{#t .a key=1}", Some("t"))));
        check("# Q&A {: #qa }", Some(("{: #qa }", Some("qa"))));
        check("# A { data-toc-label=\"X = y\" }", Some(("{ data-toc-label=\"X = y\" }", None)));
        check("# A {.a .b-c}", Some(("{.a .b-c}", None)));
        check("# Preface {-}", Some(("{-}", None)));
        check("# A {id='x' lang=de}", Some(("{id='x' lang=de}", Some("x"))));
        check("# 标题{#标-1}", Some(("{#标-1}", Some("标-1"))));
        check("# `a`{#a}", Some(("{#a}", Some("a"))));
        check("# A {/* #a-b */}", Some(("{/* #a-b */}", Some("a-b"))));
    }

    #[test]
    fn other_braces_are_text() {
        for source in [
            "# Use {braces}",
            "# f({x})",
            "# f({x=1})",
            "# x_{i=1}",
            "# The tag `{#id}`",
            "# Blocks {#if ...}",
            "# Blocks {{#if}}",
            "# Escaped \\{#id}x",
            "# Name {props.x}",
            "# {}",
            "# A {}",
            "# A {:}",
            "# A { }",
            "# A {#}",
            "# A {.}",
            "# A {...}",
            "# A {a=}",
            "# A {=a}",
            "# A {a=\"b}",
            "# A {#a}{",
            "# A {a, b}",
            "# A {x == y}",
            "# A {#a b}",
            "# A {'a': 1}",
            "# A {#a} b",
            "#",
            "",
        ] {
            check(source, None);
        }
    }

    #[test]
    fn a_line_of_attributes_belongs_to_what_stands_above() {
        assert_eq!(of_line("{: #foo .bar}\n"), Some(Some("foo")));
        assert_eq!(of_line("   {:.bar}\r\n"), Some(None));
        for line in ["    {: #foo}", "{#foo}", "{: foo}", "{: #foo} x", "{::comment}", ""] {
            assert_eq!(of_line(line), None, "{line:?}");
        }
    }
}
