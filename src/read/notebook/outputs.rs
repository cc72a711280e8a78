//! What the outputs of code cells show as text.

use serde_json::Value;

use super::joined;
use super::terminal::{as_shown, without_escapes};
use crate::read::html::Html;
use crate::read::{Blob, ReadOptions, Reader};

/// Outputs that are shown as one: pieces of the same stream that follow each other, every other output alone.
pub(super) fn runs(outputs: &[Value]) -> impl Iterator<Item = &[Value]> {
    outputs.chunk_by(|a, b| stream_name(a).is_some_and(|name| stream_name(b) == Some(name)))
}

/// The name of the stream (standard output or error) that an output is a piece of.
fn stream_name(output: &Value) -> Option<&str> {
    // Before nbformat 4 the field had another name.
    let name = || output.get("name").or_else(|| output.get("stream")).and_then(Value::as_str);
    (output.get("output_type")?.as_str()? == "stream").then(|| name().unwrap_or("stdout"))
}

/// What a run of outputs shows as text, as a terminal would: streams, results, error traces.
pub(super) fn output_text(run: &[Value]) -> String {
    match run {
        [output] if stream_name(output).is_none() => single_text(output),
        pieces => {
            let text: String = pieces.iter().map(|it| joined(it.get("text"))).collect();
            as_shown(&text)
        }
    }
}

fn single_text(output: &Value) -> String {
    match output.get("output_type").and_then(Value::as_str) {
        Some("error" | "pyerr") => {
            let lines = output.get("traceback").and_then(Value::as_array);
            let trace: Vec<&str> = lines.into_iter().flatten().filter_map(Value::as_str).collect();
            if trace.is_empty() {
                let field = |name: &str| output.get(name).and_then(Value::as_str).unwrap_or_default();
                as_shown(&format!("{}: {}", field("ename"), field("evalue")))
            } else {
                as_shown(&trace.join("\n"))
            }
        }
        _ => shown(output),
    }
}

/// What a result shows: plain text, or where that only names the object, what the object says in another form.
fn shown(output: &Value) -> String {
    // Before nbformat 4 the forms were fields of the output itself.
    let form = |media_type: &str, old: &str| {
        let form = output.get("data").and_then(|it| it.get(media_type));
        form.or_else(|| output.get(old).filter(|_| output.get("data").is_none()))
    };
    let plain = form("text/plain", "text").map(|it| joined(Some(it)));
    if let Some(plain) = plain.as_ref().filter(|it| !it.trim().is_empty() && !is_placeholder(it)) {
        return as_shown(plain);
    }
    let rich = [("text/markdown", "markdown"), ("text/latex", "latex")]
        .into_iter()
        .filter_map(|(media_type, old)| form(media_type, old))
        .map(|it| joined(Some(it)))
        .chain(form("text/html", "html").map(|page| html_text(joined(Some(page)))))
        .chain(form("application/json", "json").map(json_text))
        .find(|text| !text.trim().is_empty());
    match rich {
        Some(text) => without_escapes(&text),
        // The name of a drawing says nothing about it; the name of an object that has no other form is all there is.
        None if has_other_data(output) => String::new(),
        None => as_shown(&plain.unwrap_or_default()),
    }
}

/// Whether a plain form only names the object: `<IPython.core.display.HTML object>`, `<Figure size 640x480 with 1 Axes>`.
fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('<') && text.ends_with('>') && !text.contains('\n')
}

/// Data as they are written.
fn json_text(data: &Value) -> String {
    match data {
        // Before nbformat 4 they were text.
        Value::String(text) => text.clone(),
        _ => serde_json::to_string_pretty(data).unwrap_or_default(),
    }
}

/// Whether an output has data of some kind other than plain text.
pub(super) fn has_other_data(output: &Value) -> bool {
    let data = output.get("data").and_then(Value::as_object);
    data.is_some_and(|it| it.keys().any(|media_type| media_type != "text/plain"))
        || ["png", "jpeg", "svg", "html", "javascript"].iter().any(|old| output.get(old).is_some())
}

/// The text of an output that is HTML and nothing else.
fn html_text(page: String) -> String {
    let blob = Blob { uri: "output.html".to_owned(), bytes: page.into_bytes() };
    let parsed = Html.read(&blob, &ReadOptions { full_page: true, ..ReadOptions::default() });
    parsed.map(|it| it.document.text).unwrap_or_default()
}
