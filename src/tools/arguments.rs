//! Arguments of tools: what there are, and reading them.

use serde_json::{Map, Value, json};

use super::Tool;
use super::answer::ToolError;

/// Results of a search when the model does not say.
const DEFAULT_TOP_K: usize = 10;
/// Most results of a search; what is further down is better found by another query.
const MAX_TOP_K: usize = 50;
/// Neighbours on each side when the model does not say (SPEC 7).
const DEFAULT_NEIGHBOURS: usize = 2;
/// Most neighbours on each side.
const MAX_NEIGHBOURS: usize = 20;

/// What a parameter takes.
#[derive(Clone, Copy, Debug)]
enum Type {
    /// A text that is not blank.
    Text,
    /// A whole number from `least` to `most`.
    Count { least: usize, most: usize, default: usize },
    /// A decimal; what is none is the same as nothing.
    Number,
}

/// A parameter of a tool.
struct Parameter {
    name: &'static str,
    takes: Type,
    is_required: bool,
    description: &'static str,
}

const fn required(name: &'static str, description: &'static str) -> Parameter {
    Parameter { name, takes: Type::Text, is_required: true, description }
}

const fn optional(name: &'static str, takes: Type, description: &'static str) -> Parameter {
    Parameter { name, takes, is_required: false, description }
}

const QUERY: Parameter = required("query", "What to look for");
const TOP_K: Parameter =
    optional("topK", Type::Count { least: 1, most: MAX_TOP_K, default: DEFAULT_TOP_K }, "Most results");
const VECTOR_THRESHOLD: Parameter =
    optional("threshold", Type::Number, "Least similarity, -1 to 1; leave it out");
const TEXT_THRESHOLD: Parameter = optional("threshold", Type::Number, "Least score, 0 to 1; leave it out");
const DOCUMENT: Parameter = optional("documentTitle", Type::Text, "Part of a document's title or path");

/// The parameters of a tool, in order.
fn parameters(tool: Tool) -> Vec<Parameter> {
    match tool {
        Tool::HybridSearch => vec![QUERY, TOP_K],
        Tool::VectorSearch => vec![QUERY, TOP_K, VECTOR_THRESHOLD],
        Tool::TextSearch => vec![QUERY, TOP_K, TEXT_THRESHOLD],
        Tool::RegexSearch => vec![required("regex", "Rust regular expression; (?i) ignores case"), TOP_K],
        Tool::BroadenChunk => vec![
            required("chunkId", "Id of a passage, from a search"),
            optional(
                "chunksToAdd",
                Type::Count { least: 0, most: MAX_NEIGHBOURS, default: DEFAULT_NEIGHBOURS },
                "Passages before and after it",
            ),
        ],
        Tool::ZoomOut => vec![required("id", "Id of a passage or section")],
        Tool::ListSections => vec![DOCUMENT],
        Tool::ReadSection => vec![required("sectionTitle", "The section's title"), DOCUMENT],
        Tool::FindById => vec![required("id", "Id of a passage, section or document")],
    }
}

/// The JSON Schema of a tool's arguments: one object, no unions.
pub(super) fn schema(tool: Tool) -> Map<String, Value> {
    let mut properties = Map::new();
    for it in parameters(tool) {
        let property = match it.takes {
            Type::Text => json!({"type": "string", "description": it.description}),
            Type::Count { least, most, default } => json!({
                "type": "integer", "description": it.description, "minimum": least, "maximum": most, "default": default
            }),
            Type::Number => json!({"type": "number", "description": it.description}),
        };
        properties.insert(it.name.to_owned(), property);
    }
    let required: Vec<&str> = parameters(tool).iter().filter(|it| it.is_required).map(|it| it.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    schema.insert("required".to_owned(), required.into());
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

/// The arguments of one call, checked.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    texts: Vec<(&'static str, String)>,
    counts: Vec<(&'static str, usize)>,
    number: Option<f32>,
    /// How values were taken otherwise than they were given.
    pub(super) notes: Vec<String>,
}

impl Arguments {
    /// Reads the arguments of `tool`. Numbers may come as text, as some models write them; a `null` is as good as nothing.
    ///
    /// # Errors
    ///
    /// [`ToolError::Arguments`], which names the parameter.
    pub(super) fn parse(tool: Tool, given: &Map<String, Value>) -> Result<Self, ToolError> {
        let wrong = |problem: String| ToolError::Arguments { tool, problem };
        let known = parameters(tool);
        if let Some(name) = given.keys().find(|name| known.iter().all(|it| it.name != name.as_str())) {
            let names: Vec<&str> = known.iter().map(|it| it.name).collect();
            return Err(wrong(format!("has no parameter '{name}'; it has: {}", names.join(", "))));
        }
        let mut arguments = Self::default();
        for Parameter { name, takes, is_required, .. } in known {
            let value = given.get(name).filter(|value| !value.is_null());
            match (takes, value) {
                (Type::Text, Some(Value::String(text))) if !text.trim().is_empty() => {
                    arguments.texts.push((name, text.clone()));
                }
                (Type::Text, Some(Value::String(_)) | None) if !is_required => {}
                (Type::Text, Some(Value::String(_)) | None) => {
                    return Err(wrong(format!("needs '{name}', a text that is not empty")));
                }
                (Type::Text, Some(other)) => {
                    return Err(wrong(format!("takes a text as '{name}', not {other}")));
                }
                (Type::Count { least, most, default }, value) => {
                    let count = match value {
                        None => default,
                        Some(value) => whole_number(value).ok_or_else(|| {
                            wrong(format!("takes a whole number as '{name}', {least} to {most}, not {value}"))
                        })?,
                    };
                    let taken = count.clamp(least, most);
                    if taken != count {
                        arguments.notes.push(format!("{name} is {least} to {most}; taken as {taken}"));
                    }
                    arguments.counts.push((name, taken));
                }
                (Type::Number, value) => arguments.number = value.and_then(decimal),
            }
        }
        Ok(arguments)
    }

    /// A text; empty where an optional one is not given.
    pub(super) fn text(&self, name: &str) -> &str {
        self.texts.iter().find(|(own, _)| *own == name).map_or("", |(_, text)| text)
    }

    /// A count; 0 for a parameter that the tool does not have.
    pub(super) fn count(&self, name: &str) -> usize {
        self.counts.iter().find(|(own, _)| *own == name).map_or(0, |&(_, count)| count)
    }

    /// The threshold, where there is one.
    pub(super) fn threshold(&self) -> Option<f32> {
        self.number
    }
}

fn whole_number(value: &Value) -> Option<usize> {
    let number = decimal(value)?;
    // Negative and huge numbers are clamped by the caller.
    (number.fract() == 0.0).then_some(number.max(0.0) as usize)
}

fn decimal(value: &Value) -> Option<f32> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    (number as f32).is_finite().then_some(number as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(tool: Tool, arguments: Value) -> Result<Arguments, String> {
        Arguments::parse(tool, arguments.as_object().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_wrong_is_named() {
        #[track_caller]
        fn check(tool: Tool, arguments: Value, expected: &str) {
            assert_eq!(parse(tool, arguments).unwrap_err(), expected);
        }
        check(
            Tool::TextSearch,
            json!({"query": "a", "top_k": 3}),
            "textSearch has no parameter 'top_k'; it has: query, topK, threshold",
        );
        check(Tool::TextSearch, json!({}), "textSearch needs 'query', a text that is not empty");
        check(Tool::TextSearch, json!({"query": " "}), "textSearch needs 'query', a text that is not empty");
        check(Tool::TextSearch, json!({"query": ["a"]}), "textSearch takes a text as 'query', not [\"a\"]");
        check(
            Tool::RegexSearch,
            json!({"regex": "a", "topK": "many"}),
            "regexSearch takes a whole number as 'topK', 1 to 50, not \"many\"",
        );
    }

    #[test]
    fn counts_have_defaults_and_limits() {
        #[track_caller]
        fn check(value: Value, expected: usize, has_note: bool) {
            let arguments = parse(Tool::HybridSearch, json!({"query": "a", "topK": value})).unwrap();
            assert_eq!((arguments.count("topK"), !arguments.notes.is_empty()), (expected, has_note));
        }
        check(Value::Null, 10, false);
        check(json!(3), 3, false);
        check(json!("7"), 7, false);
        check(json!(5.0), 5, false);
        check(json!(0), 1, true);
        check(json!(-4), 1, true);
        check(json!(1e12), 50, true);
        assert_eq!(parse(Tool::HybridSearch, json!({"query": "a"})).unwrap().count("topK"), 10);
    }

    #[test]
    fn a_threshold_that_is_none_is_left_out() {
        #[track_caller]
        fn check(value: Value, expected: Option<f32>) {
            let arguments = parse(Tool::VectorSearch, json!({"query": "a", "threshold": value})).unwrap();
            assert_eq!(arguments.threshold(), expected);
        }
        check(json!(0.5), Some(0.5));
        check(json!("0.5"), Some(0.5));
        check(json!("high"), None);
        check(json!(true), None);
        check(Value::Null, None);
    }

    #[test]
    fn schemas_are_one_object_without_unions() {
        for tool in Tool::ALL {
            let schema = schema(tool);
            assert_eq!(schema["type"], "object");
            assert_eq!(schema["additionalProperties"], false);
            for property in schema["properties"].as_object().unwrap().values() {
                assert!(property["type"].is_string(), "{property}");
            }
            let text = Value::from(schema).to_string();
            assert!(!["anyOf", "oneOf", "allOf", "$ref"].iter().any(|it| text.contains(it)), "{text}");
        }
    }
}
