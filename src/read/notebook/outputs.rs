//! What the outputs of code cells show as text.

use serde_json::Value;

use super::joined;
use crate::read::html::Html;
use crate::read::{Blob, ReadOptions, Reader};

/// What an output shows as text, without terminal escapes: streams, results, error traces.
pub(super) fn output_text(output: &Value) -> String {
    let text = match output.get("output_type").and_then(Value::as_str) {
        Some("error" | "pyerr") => {
            let lines = output.get("traceback").and_then(Value::as_array);
            let trace: Vec<&str> = lines.into_iter().flatten().filter_map(Value::as_str).collect();
            if trace.is_empty() {
                let field = |name: &str| output.get(name).and_then(Value::as_str).unwrap_or_default();
                format!("{}: {}", field("ename"), field("evalue"))
            } else {
                trace.join("\n")
            }
        }
        _ => {
            let data = ["text/plain", "text/markdown", "text/latex"]
                .iter()
                .find_map(|media_type| output.get("data")?.get(media_type));
            match (data.or_else(|| output.get("text")), output.pointer("/data/text~1html")) {
                (None, Some(page)) => html_text(joined(Some(page))),
                (text, _) => joined(text),
            }
        }
    };
    without_escapes(&text)
}

/// Whether an output has data of some kind.
pub(super) fn has_other_data(output: &Value) -> bool {
    let data = output.get("data").and_then(Value::as_object);
    data.is_some_and(|it| !it.is_empty()) || output.get("png").is_some() || output.get("svg").is_some()
}

/// The text of an output that is HTML and nothing else.
fn html_text(page: String) -> String {
    let blob = Blob { uri: "output.html".to_owned(), bytes: page.into_bytes() };
    let parsed = Html.read(&blob, &ReadOptions { full_page: true, ..ReadOptions::default() });
    parsed.map(|it| it.document.text).unwrap_or_default()
}

/// `text` without ANSI escape sequences (ECMA-48: CSI and OSC sequences, and two-character escapes).
fn without_escapes(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            clean.push(c);
            continue;
        }
        match chars.next() {
            Some('[') => {
                chars.by_ref().find(|c| ('\u{40}'..='\u{7e}').contains(c));
            }
            Some(']') => {
                let mut last = ' ';
                chars.by_ref().find(|&c| {
                    let is_end = c == '\u{7}' || (last == '\u{1b}' && c == '\\');
                    last = c;
                    is_end
                });
            }
            _ => {}
        }
    }
    clean
}
