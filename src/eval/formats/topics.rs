//! TREC topics: SGML of the old tracks (`<top>`, fields that nothing closes) and XML of the newer ones (`<topic>`).

use super::{FormatError, TestQuery};

/// Fields that are searched for where none is asked for, the first that a topic has.
const FIELDS: [&str; 4] = ["title", "query", "question", "desc"];

/// Words that the old tracks put in front of a field's text.
const LABELS: [&str; 4] = ["Number:", "Topic:", "Description:", "Narrative:"];

/// The topics of a file, each with its line.
pub(super) fn parse(text: &str, field: Option<&str>) -> Result<Vec<(usize, TestQuery)>, FormatError> {
    let mut topics = Vec::new();
    let lower = text.to_ascii_lowercase();
    let mut at = 0;
    while let Some((start, head_end, name)) = next_topic(&lower, at) {
        let end = lower[head_end..].find(&format!("</{name}>")).map(|it| head_end + it);
        let Some(end) = end else {
            return Err(FormatError::at(line_of(text, start), format!("the <{name}> here is not closed")));
        };
        let line = line_of(text, start);
        topics.push((line, topic(&text[start..head_end], &text[head_end..end], field, line)?));
        at = end;
    }
    if topics.is_empty() {
        return Err(FormatError::at(1, "no <top> and no <topic>"));
    }
    Ok(topics)
}

/// Start of a topic's tag, the end of that tag, and its name.
fn next_topic(lower: &str, from: usize) -> Option<(usize, usize, &'static str)> {
    let mut at = from;
    loop {
        let start = at + lower[at..].find("<top")?;
        let rest = &lower[start + 4..];
        let name = if rest.starts_with("ic") { "topic" } else { "top" };
        let behind = &lower[start + 1 + name.len()..];
        if behind.starts_with(|it: char| it == '>' || it.is_ascii_whitespace()) {
            let close = behind.find('>')?;
            return Some((start, start + 1 + name.len() + close + 1, name));
        }
        at = start + 4;
    }
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1
}

fn topic(head: &str, body: &str, field: Option<&str>, line: usize) -> Result<TestQuery, FormatError> {
    let id = attribute(head, "number").or_else(|| attribute(head, "id")).or_else(|| field_of(body, "num"));
    let Some(id) = id.filter(|it| !it.is_empty()) else {
        return Err(FormatError::at(line, "the topic here has no number"));
    };
    let text = match field {
        Some(field) => field_of(body, field),
        None => FIELDS.iter().find_map(|field| field_of(body, field)),
    };
    match text {
        Some(text) => Ok(TestQuery { id, text, is_answerable: None }),
        None => {
            let message = format!("the topic '{id}' has no field '{}'", field.unwrap_or(FIELDS[0]));
            Err(FormatError::at(line, message))
        }
    }
}

/// `name="value"` in a tag.
fn attribute(head: &str, name: &str) -> Option<String> {
    let at = head.to_ascii_lowercase().find(&format!(" {name}="))? + name.len() + 2;
    let quote = head[at..].chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let value = &head[at + 1..];
    Some(value[..value.find(quote)?].trim().to_owned())
}

/// The text behind `<name>`, up to the next tag.
fn field_of(body: &str, name: &str) -> Option<String> {
    let at = body.to_ascii_lowercase().find(&format!("<{}>", name.to_ascii_lowercase()))? + name.len() + 2;
    let text = &body[at..];
    let text = text[..text.find('<').unwrap_or(text.len())].trim();
    let text = LABELS.iter().find_map(|label| text.strip_prefix(label)).unwrap_or(text);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let decoded = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    Some(decoded.iter().fold(words, |text, (entity, it)| text.replace(entity, it)))
}
