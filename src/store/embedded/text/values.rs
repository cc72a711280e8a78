//! Whether a value of a document's metadata is what a query asks of it.
//!
//! Strings are texts: words in any form, phrases, patterns over words, ranges over the whole string (dates as dates).
//! Numbers and booleans are compared as such, by patterns as they are written. Of a list, any element will do.

use std::collections::HashMap;

use serde_json::Value;

use super::expand::Pattern;
use super::phrase;
use super::plan::{Leaf, required_of};
use crate::filter::{Builtin, Filter, Key, Operator, Record, Scalar};
use crate::query::{Bound, Kind};
use crate::store::embedded::analysis::{analyse, folded, stem};

/// Whether `value` is what a leaf of a query asks for.
pub(in crate::store::embedded) fn value_fits(value: &Value, kind: &Kind) -> bool {
    match (value, kind) {
        (Value::Null, _) => false,
        (_, Kind::Exists | Kind::All) => true,
        (Value::Object(_), _) => false,
        (Value::Array(items), _) => items.iter().any(|item| value_fits(item, kind)),
        (_, Kind::Range { low, high }) => {
            let is_above = match low {
                Bound::Open => true,
                Bound::Including(low) => compares(value, Operator::GreaterOrEqual, low),
                Bound::Excluding(low) => compares(value, Operator::Greater, low),
            };
            is_above
                && match high {
                    Bound::Open => true,
                    Bound::Including(high) => compares(value, Operator::LessOrEqual, high),
                    Bound::Excluding(high) => compares(value, Operator::Less, high),
                }
        }
        (Value::String(text), Kind::Term(_) | Kind::Phrase { .. }) => {
            required_of(kind).is_some_and(|leaf| holds(text, &leaf))
        }
        (Value::String(text), _) => match Pattern::of(kind) {
            Some(pattern) => any_token_fits(text, &pattern),
            None => false,
        },
        (_, Kind::Term(text) | Kind::Phrase { text, .. }) => compares(value, Operator::Equal, text.trim()),
        (_, _) => match Pattern::of(kind) {
            Some(pattern) => pattern.matcher().distance(&value.to_string()).is_some(),
            None => false,
        },
    }
}

/// Whether a text holds the words of a leaf.
fn holds(text: &str, leaf: &Leaf) -> bool {
    let mut positions: HashMap<String, Vec<u32>> = HashMap::new();
    analyse(text, &mut |token| positions.entry(token.text.to_owned()).or_default().push(token.position));
    match leaf {
        Leaf::Word(word) => {
            let wanted = stem(&word.folded);
            positions.contains_key(&word.folded) || positions.keys().any(|token| stem(token) == wanted)
        }
        Leaf::Token(token) => positions.contains_key(token),
        Leaf::Beginning(first) => positions.keys().any(|token| token.starts_with(*first)),
        Leaf::Phrase { items, slop } => {
            let words = phrase::items(items);
            let shifted = items.iter().zip(&words).map(|((_, token), item)| {
                let places = positions.get(token).into_iter().flatten();
                places.map(|place| place + item.shift).collect()
            });
            phrase::frequency(&shifted.collect::<Vec<_>>(), &words, *slop) > 0.0
        }
        Leaf::Pattern(pattern) => any_token_fits(text, pattern),
    }
}

/// Whether a word of a text fits, or the text as a whole.
fn any_token_fits(text: &str, pattern: &Pattern) -> bool {
    let matcher = pattern.matcher();
    let mut fits = matcher.distance(&folded(text)).is_some();
    if !fits {
        analyse(text, &mut |token| fits = fits || matcher.distance(token.text).is_some());
    }
    fits
}

/// Whether a string, number or boolean stands so to what is typed, by the rules of filters: dates compare as dates,
/// numbers exactly.
fn compares(value: &Value, operator: Operator, typed: &str) -> bool {
    let scalar = match value {
        Value::String(_) => Scalar::String(typed.to_owned()),
        Value::Bool(_) => match typed.to_ascii_lowercase().as_str() {
            "true" => Scalar::Boolean(true),
            "false" => Scalar::Boolean(false),
            _ => return false,
        },
        _ => match (typed.parse::<i64>(), typed.parse::<f64>()) {
            (Ok(integer), _) => Scalar::Integer(integer),
            (_, Ok(decimal)) if decimal.is_finite() => Scalar::Decimal(decimal),
            _ => return false,
        },
    };
    // Words differ in case, dates and versions do not.
    let (value, scalar) = match (value, scalar) {
        (Value::String(text), Scalar::String(typed)) if text.starts_with(char::is_alphabetic) => {
            (Value::String(folded(text)), Scalar::String(folded(&typed)))
        }
        (value, scalar) => (value.clone(), scalar),
    };
    Filter::Compare { key: Key::Metadata(String::new()), operator, value: scalar }.matches(&OneValue(value))
}

/// A record that has one value, whatever the key.
struct OneValue(Value);

impl Record for OneValue {
    fn metadata(&self, _key: &str) -> Option<&Value> {
        Some(&self.0)
    }

    fn builtin(&self, _key: Builtin) -> Option<std::borrow::Cow<'_, str>> {
        None
    }

    fn has_label(&self, _label: &str) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::query::{Syntax, parse};

    #[test]
    fn values_are_asked_by_their_type() {
        #[track_caller]
        fn check(value: Value, fitting: &[&str], others: &[&str]) {
            let fits = |query: &str| {
                let node =
                    parse(query, Syntax { is_strict: true, ..Syntax::default() }).unwrap().root.unwrap();
                value_fits(&value, &node.kind)
            };
            fitting.iter().for_each(|query| assert!(fits(query), "{query} in {value}"));
            others.iter().for_each(|query| assert!(!fits(query), "{query} in {value}"));
        }
        check(
            json!("Final drafts of foo_bar"),
            &[
                "final",
                "draft",
                "\"final drafts\"",
                "fin*",
                "dr?fts",
                "finl~",
                "/fi.al/",
                "foo_bar",
                "[e TO g]",
                "*",
            ],
            &["finish", "\"drafts final\"", "x*", "[g TO z]", "{* TO b]"],
        );
        check(
            json!(2024),
            &["2024", "2024.0", "202*", "[2020 TO 2024]", "[2024 TO *]", "{2023.5 TO 2025}", "*"],
            &["2025", "[2020 TO 2024}", "{2024 TO *]", "two", "[a TO z]"],
        );
        check(
            json!("2024-03-05"),
            &["[2024-01-01 TO 2024-12-31]", "2024-03-05", "2024*"],
            &["[2025-01-01 TO *]"],
        );
        check(json!("2024-03-05T10:00:00Z"), &["[2024-03-05 TO 2024-03-06]"], &["[2024-03-06 TO *]"]);
        check(json!(true), &["true", "TRUE", "t*"], &["false", "1"]);
        check(json!(["a b", 3]), &["b", "3", "[2 TO 4]"], &["c", "4"]);
        check(json!({"a": 1}), &["*"], &["a", "1"]);
        check(json!(null), &[], &["*", "null"]);
        check(json!("東京大阪"), &["京大", "東*"], &["大京"]);
    }
}
