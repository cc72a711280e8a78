//! What a filter means: the reference that every store is held to.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::Value;

use crate::filter::compare::{compare, fold_case, is_like};
use crate::filter::{Builtin, Filter, Key, Operator, Scalar};

/// What filters are asked about: a document, or a chunk or entity with what it takes from its document.
///
/// ```
/// use std::borrow::Cow;
///
/// use ragctl::content::Metadata;
/// use ragctl::filter::{Bindings, Builtin, Record, parse};
///
/// struct Page(Metadata);
///
/// impl Record for Page {
///     fn metadata(&self, key: &str) -> Option<&serde_json::Value> {
///         self.0.get(key)
///     }
///
///     fn builtin(&self, key: Builtin) -> Option<Cow<'_, str>> {
///         (key == Builtin::Uri).then_some("a.md".into())
///     }
///
///     fn has_label(&self, label: &str) -> bool {
///         label == "Draft"
///     }
/// }
///
/// let page = Page(Metadata::from([("year".to_owned(), 2024.into())]));
/// let matches = |text: &str| parse(text, &Bindings::new()).unwrap().matches(&page);
/// assert!(matches(r#"year >= 2024 AND uri ENDS WITH ".md" AND LABEL("Draft", "Final")"#));
/// assert!(!matches("owner = 'x'") && !matches("NOT owner = 'x'"));
/// ```
pub trait Record {
    /// The value of a top-level metadata key.
    fn metadata(&self, key: &str) -> Option<&Value>;

    /// The value of a built-in key; never asked for [`Builtin::Labels`].
    fn builtin(&self, key: Builtin) -> Option<Cow<'_, str>>;

    /// Whether it has this label.
    fn has_label(&self, label: &str) -> bool;
}

/// A value of three-valued logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// A value is missing or does not fit.
    Unknown,
}

impl From<bool> for Truth {
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

impl std::ops::Not for Truth {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
        }
    }
}

impl Truth {
    /// Whether all hold: false if any is false, else unknown if any is unknown.
    fn all(truths: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::True;
        for truth in truths {
            match truth {
                Self::True => {}
                Self::False => return Self::False,
                Self::Unknown => all = Self::Unknown,
            }
        }
        all
    }

    /// Whether any holds: true if any is true, else unknown if any is unknown.
    fn any(truths: impl IntoIterator<Item = Self>) -> Self {
        !Self::all(truths.into_iter().map(|truth| !truth))
    }
}

impl Filter {
    /// Whether the filter holds for `record`; unknown is no match.
    pub fn matches(&self, record: &(impl Record + ?Sized)) -> bool {
        self.truth(record) == Truth::True
    }

    /// What the filter is for `record`.
    pub fn truth(&self, record: &(impl Record + ?Sized)) -> Truth {
        match self {
            Self::And(filters) => Truth::all(filters.iter().map(|filter| filter.truth(record))),
            Self::Or(filters) => Truth::any(filters.iter().map(|filter| filter.truth(record))),
            Self::Not(filter) => !filter.truth(record),
            Self::Compare { key: Key::Builtin(Builtin::Labels), operator: Operator::Has, value } => {
                matches!(value, Scalar::String(label) if record.has_label(label)).into()
            }
            Self::Compare { key, operator, value } => match value_of(record, key) {
                Some(left) => apply(*operator, &left, value),
                None => Truth::Unknown,
            },
            Self::In { key, values } => match value_of(record, key) {
                Some(left) => Truth::any(values.iter().map(|value| apply(Operator::Equal, &left, value))),
                None => Truth::Unknown,
            },
            // A list of labels is there even when it is empty.
            Self::IsNull { key: Key::Builtin(Builtin::Labels) } => Truth::False,
            Self::IsNull { key } => value_of(record, key).is_none().into(),
            Self::Label(labels) => labels.iter().any(|label| record.has_label(label)).into(),
        }
    }
}

/// The value of `key` unless it is missing or null. Labels are no value: they answer only `HAS`.
fn value_of<'a>(record: &'a (impl Record + ?Sized), key: &Key) -> Option<Cow<'a, Value>> {
    match key {
        Key::Builtin(Builtin::Labels) => None,
        Key::Builtin(builtin) => Some(Cow::Owned(Value::String(record.builtin(*builtin)?.into_owned()))),
        Key::Metadata(name) => record.metadata(name).filter(|value| !value.is_null()).map(Cow::Borrowed),
    }
}

fn apply(operator: Operator, left: &Value, right: &Scalar) -> Truth {
    let ordered = |accepts: fn(Ordering) -> bool| match (left, compare(left, right)) {
        (Value::Bool(_), _) | (_, None) => Truth::Unknown,
        (_, Some(ordering)) => accepts(ordering).into(),
    };
    let text = |accepts: fn(&str, &str) -> bool| match (left, right) {
        (Value::String(left), Scalar::String(right)) => accepts(left, right).into(),
        _ => Truth::Unknown,
    };
    match operator {
        Operator::Equal => compare(left, right).map_or(Truth::Unknown, |ordering| ordering.is_eq().into()),
        Operator::NotEqual => compare(left, right).map_or(Truth::Unknown, |ordering| ordering.is_ne().into()),
        Operator::Less => ordered(Ordering::is_lt),
        Operator::LessOrEqual => ordered(Ordering::is_le),
        Operator::Greater => ordered(Ordering::is_gt),
        Operator::GreaterOrEqual => ordered(Ordering::is_ge),
        Operator::Contains => text(|left, right| left.contains(right)),
        Operator::StartsWith => text(|left, right| left.starts_with(right)),
        Operator::EndsWith => text(|left, right| left.ends_with(right)),
        Operator::Like => text(is_like),
        Operator::IEquals => text(|left, right| fold_case(left) == fold_case(right)),
        Operator::IContains => text(|left, right| fold_case(left).contains(&fold_case(right))),
        Operator::Has => match left {
            Value::Array(items) => {
                items.iter().any(|item| compare(item, right) == Some(Ordering::Equal)).into()
            }
            _ => Truth::Unknown,
        },
    }
}
