//! Files of named entities: a JSON object a line, or an array of them. Each is a member, named by its id.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use serde_json::Value;

use super::{ContainerError, Found};
use crate::content::{ContainerKind, NamedEntity, escape_marks, member_uri};

/// One entry of a file.
struct Entry {
    /// Where it stands, as the failure names it.
    place: String,
    entity: Result<(String, Vec<u8>), String>,
}

/// Hands on the entities in `bytes`, the file at `uri`. Returns the URIs of all that are there; `None` where an entry has no
/// id that can be read, so that nothing can be said of those that are missing.
pub(super) fn expand(
    uri: &str,
    bytes: &[u8],
    is_wanted: &dyn Fn(&str) -> bool,
    emit: &mut dyn FnMut(Found) -> ControlFlow<()>,
) -> Result<Option<BTreeSet<String>>, ContainerError> {
    let entries = match is_array(uri) {
        true => of_array(uri, bytes)?,
        false => of_lines(uri, bytes),
    };
    let n_bytes = entries.iter().filter_map(|it| it.entity.as_ref().ok()).map(|it| it.1.len() as u64).sum();
    if emit(Found::Listed { n_members: entries.len(), n_bytes }).is_break() {
        return Ok(None);
    }
    let mut members = BTreeSet::new();
    let mut first: HashMap<String, String> = HashMap::new();
    let mut is_whole = true;
    for Entry { place, entity } in entries {
        let found = match entity {
            Err(detail) => {
                is_whole = false;
                Found::Failed { uri: place, error: ContainerError::Entry { detail } }
            }
            Ok((key, bytes)) => match first.get(&key) {
                Some(before) => {
                    let detail = format!("the id '{key}' is that of '{before}' too");
                    Found::Failed { uri: place, error: ContainerError::Entry { detail } }
                }
                None => {
                    let member = member_uri(uri, ContainerKind::Entities, &escape_marks(&key));
                    first.insert(key, place);
                    members.insert(member.clone());
                    match is_wanted(&member) {
                        true => Found::Member { uri: member, bytes },
                        false => Found::Unwanted { uri: member },
                    }
                }
            },
        };
        if emit(found).is_break() {
            return Ok(None);
        }
    }
    Ok(is_whole.then_some(members))
}

fn is_array(uri: &str) -> bool {
    uri.to_ascii_lowercase().ends_with(".json")
}

fn of_lines(uri: &str, bytes: &[u8]) -> Vec<Entry> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let lines = bytes.split(|&byte| byte == b'\n').zip(1..).map(|(line, at)| (line.trim_ascii(), at));
    let entry = |(line, at): (&[u8], usize)| Entry {
        place: format!("{uri}:{at}"),
        entity: serde_json::from_slice(line)
            .map_err(|error| format!("not JSON: {}", without_line(&error)))
            .and_then(|value| Ok((NamedEntity::parse(value)?.key, line.to_vec()))),
    };
    lines.filter(|(line, _)| !line.is_empty()).map(entry).collect()
}

fn of_array(uri: &str, bytes: &[u8]) -> Result<Vec<Entry>, ContainerError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let wrong = |detail: String| ContainerError::Entry { detail };
    let values = match serde_json::from_slice(bytes).map_err(|error| wrong(format!("not JSON: {error}")))? {
        Value::Array(values) => values,
        _ => return Err(wrong("the file is no array of entities".to_owned())),
    };
    let entry = |(value, at): (Value, usize)| {
        // Written anew, so that spaces and line ends do not make it another one.
        let bytes = value.to_string().into_bytes();
        let entity = NamedEntity::parse(value).map(|it| (it.key, bytes));
        Entry { place: format!("{uri}, entry {at}"), entity }
    };
    Ok(values.into_iter().zip(1..).map(entry).collect())
}

/// The message without the line, which is always the first.
fn without_line(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(uri: &str, text: &str) -> (Vec<String>, Option<usize>) {
        let mut lines = Vec::new();
        let members = expand(uri, text.as_bytes(), &|_| true, &mut |found| {
            match found {
                Found::Member { uri, bytes } => {
                    lines.push(format!("{uri} {}", String::from_utf8(bytes).unwrap()));
                }
                Found::Failed { uri, error } => lines.push(format!("{uri}: {error}")),
                Found::Unwanted { .. } | Found::Listed { .. } => {}
            }
            ControlFlow::Continue(())
        });
        (lines, members.unwrap().map(|it| it.len()))
    }

    #[test]
    fn each_line_is_a_member_and_bad_ones_are_named() {
        let text = "\u{FEFF}{\"id\": \"ada\", \"name\": \"Ada\"}\r\n\n{\"id\": 2, \"name\": \"Two\"}\n{\"id\": \n\
                    {\"id\": \"ada\", \"name\": \"Ada again\"}\n{\"id\": \"x\"}\n";
        let (lines, n_members) = lines_of("p.entities.jsonl", text);
        assert_eq!(
            lines,
            [
                "p.entities.jsonl#ada {\"id\": \"ada\", \"name\": \"Ada\"}",
                "p.entities.jsonl#2 {\"id\": 2, \"name\": \"Two\"}",
                "p.entities.jsonl:4: no entity: not JSON: EOF while parsing a value at column 6",
                "p.entities.jsonl:5: no entity: the id 'ada' is that of 'p.entities.jsonl:1' too",
                "p.entities.jsonl:6: no entity: it has no name",
            ]
        );
        assert_eq!(n_members, None);
    }

    #[test]
    fn an_array_has_its_entries_by_number() {
        let text = r#"[{"id": "a b#c", "name": "A"}, 5, {"id": "d", "name": "D"}]"#;
        let (lines, _) = lines_of("file:///x/p.Entities.JSON", text);
        assert_eq!(
            lines,
            [
                r#"file:///x/p.Entities.JSON#a%20b%23c {"id":"a b#c","name":"A"}"#,
                "file:///x/p.Entities.JSON, entry 2: no entity: it is no JSON object",
                r#"file:///x/p.Entities.JSON#d {"id":"d","name":"D"}"#,
            ]
        );
        let wrong = expand("p.entities.json", b"{}", &|_| true, &mut |_| ControlFlow::Continue(()));
        assert!(matches!(wrong, Err(ContainerError::Entry { .. })));
        assert_eq!(lines_of("p.entities.json", "[]"), (Vec::new(), Some(0)));
    }
}
