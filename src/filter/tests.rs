//! Meaning, errors and safety of filters.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;
use crate::content::Metadata;

#[derive(Clone, Debug)]
pub(super) struct Page {
    pub(super) metadata: Metadata,
    pub(super) section: Option<String>,
    pub(super) labels: BTreeSet<String>,
}

impl Record for Page {
    fn metadata(&self, key: &str) -> Option<&Value> {
        self.metadata.get(key)
    }

    fn builtin(&self, key: Builtin) -> Option<Cow<'_, str>> {
        match key {
            Builtin::Uri => Some("docs/a.md".into()),
            Builtin::Title => Some("A Guide".into()),
            Builtin::Section => self.section.as_deref().map(Cow::from),
            Builtin::MediaType => Some("text/markdown".into()),
            Builtin::IngestedAt => Some("2026-11-30T10:00:00Z".into()),
            Builtin::Labels => None,
        }
    }

    fn has_label(&self, label: &str) -> bool {
        self.labels.contains(label)
    }
}

pub(super) fn page(metadata: Value) -> Page {
    let Value::Object(metadata) = metadata else { panic!("an object") };
    let labels = BTreeSet::from(["Person".to_owned(), "Draft".to_owned()]);
    Page { metadata: metadata.into_iter().collect(), section: None, labels }
}

pub(super) fn parsed(text: &str) -> Filter {
    parse(text, &Bindings::new()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Checks what filters are for one page; each also after printing and parsing.
#[track_caller]
fn check(expected: Truth, filters: &[&str]) {
    let page = page(json!({
        "owner": "alice", "year": 2024, "score": 4.5, "big": 9_007_199_254_740_993_i64, "archived": false,
        "draft": true, "tags": ["rust", "cli", 7], "none": null, "date": "2024-05-01", "odd key": 1, "a.b": 2,
        "AND": 3, "`": 4, "author": {"name": "bob"}, "title": "shadowed", "text": "50% of Straße_x",
    }));
    for text in filters {
        let filter = parsed(text);
        assert_eq!(filter.truth(&page), expected, "{text}");
        let printed = filter.to_string();
        assert_eq!(parsed(&printed).truth(&page), expected, "{text} printed as {printed}");
        assert_eq!(filter.matches(&page), expected == Truth::True);
    }
}

#[test]
fn comparisons_with_fitting_types_are_true_or_false() {
    check(
        Truth::True,
        &[
            r#"owner = "alice""#,
            "owner = 'alice'",
            r#"owner != "bob""#,
            r#"owner > "al" AND owner < "b""#,
            "year = 2024",
            "year = 2024.0",
            "year >= 2024 and year < 2024.5",
            "score > 4 AND score <= 4.5 AND score != 4",
            "big > 9007199254740992",
            "big != 9007199254740992.0",
            "archived = FALSE",
            "draft",
            "NOT archived",
            r#"text CONTAINS "Straße""#,
            r#"text IEQUALS "50% OF STRASSE_X""#,
            r#"text ICONTAINS "STRASSE""#,
            r#"text STARTS WITH "50%" AND text ENDS WITH "_x""#,
            r#"text LIKE "50\\%%\\_x""#,
            r#"owner LIKE "a___e""#,
            r#"tags HAS "rust""#,
            "tags HAS 7.0",
            "year IN (1, 2024)",
            r#"owner NOT IN ("bob", "carol")"#,
            r#"date > "2024-04-30T23:00:00Z" AND date < "2024-05-01T00:00:00-01:00""#,
            r#"date = "2024-05-01T00:00:00Z""#,
            "`odd key` = 1 AND a.b = 2 AND `AND` = 3 AND ```` = 4",
        ],
    );
    check(
        Truth::False,
        &[
            r#"owner = "Alice""#,
            r#"owner LIKE "a""#,
            r#"text LIKE "50\\%""#,
            "archived",
            "NOT draft",
            "big = 9007199254740992",
            r#"tags HAS "java""#,
            r#"tags HAS "7""#,
            "year NOT IN (2024)",
            "year IN ()",
            "NOT (year = 2024)",
        ],
    );
}

#[test]
fn missing_keys_and_misfits_are_unknown_and_so_is_their_negation() {
    for text in [
        r#"missing = "x""#,
        r#"missing != "x""#,
        "none = 1",
        "missing",
        "missing IN (1)",
        "missing IN ()",
        r#"missing CONTAINS """#,
        r#"year = "2024""#,
        "owner = 5",
        "owner",
        "owner < 5",
        "archived < true",
        "tags = 7",
        r#"tags CONTAINS "rust""#,
        r#"owner HAS "alice""#,
        "owner LIKE 5",
        "author = 1",
        "author.name = 'bob'",
        "year IN ('a', 5)",
        r#"labels = "Person""#,
        "section = 'x'",
    ] {
        check(Truth::Unknown, &[text, &format!("NOT {text}"), &format!("NOT (NOT ({text}))")]);
    }
    check(Truth::True, &["missing = 1 OR draft", "year IN ('a', 2024)"]);
    check(Truth::False, &["missing = 1 AND archived"]);
    check(Truth::Unknown, &["missing = 1 AND draft", "missing = 1 OR archived"]);
}

#[test]
fn absence_and_labels_are_never_unknown() {
    check(
        Truth::True,
        &[
            "missing IS NULL",
            "none IS NULL",
            "section IS NULL",
            "owner IS NOT NULL",
            "archived is not null",
            "labels IS NOT NULL",
            r#"LABEL("Organization", "Person")"#,
            r#"label ("Draft")"#,
            r#"labels HAS "Draft""#,
            r#"NOT LABEL("person")"#,
            r#"NOT labels HAS "draft""#,
        ],
    );
}

#[test]
fn builtin_keys_shadow_metadata() {
    check(
        Truth::True,
        &[
            r#"title = "A Guide""#,
            r#"`title` = "A Guide""#,
            r#"uri STARTS WITH "docs/""#,
            r#"media_type = "text/markdown""#,
            r#"ingested_at >= "2026-11-30" AND ingested_at < "2026-12-01""#,
        ],
    );
}

#[test]
fn not_binds_tightest_then_and_then_or() {
    check(
        Truth::True,
        &["draft OR archived AND archived", "NOT archived OR archived", "NOT archived AND draft"],
    );
    check(Truth::False, &["(draft OR archived) AND archived", "NOT (archived OR draft)"]);
    assert_eq!(parsed("a = 1 OR b = 2 AND NOT c").to_string(), "a = 1 OR b = 2 AND NOT c = true");
    assert_eq!(
        parsed("(a OR b) AND (c AND d)").to_string(),
        "(a = true OR b = true) AND (c = true AND d = true)"
    );
}

#[test]
fn three_valued_logic_is_sqls() {
    use Truth::{False, True, Unknown};
    let page = page(json!({"t": true, "f": false}));
    let word = |truth| match truth {
        True => "t",
        False => "f",
        Unknown => "u",
    };
    for (left, right, and, or) in [
        (True, True, True, True),
        (True, False, False, True),
        (True, Unknown, Unknown, True),
        (False, False, False, False),
        (False, Unknown, False, Unknown),
        (Unknown, Unknown, Unknown, Unknown),
    ] {
        for (left, right) in [(left, right), (right, left)] {
            let truth = |joint: &str| parsed(&format!("{} {joint} {}", word(left), word(right))).truth(&page);
            assert_eq!((truth("AND"), truth("OR")), (and, or), "{left:?} {right:?}");
        }
    }
}

/// Checks the place and the message of an error.
#[track_caller]
fn check_error(text: &str, line: usize, column: usize, message: &str) {
    let bindings = Bindings::from([
        ("list".to_owned(), json!([1, [2]])),
        ("null".to_owned(), Value::Null),
        ("big".to_owned(), json!(u64::MAX)),
    ]);
    let error = parse(text, &bindings).expect_err(text);
    assert_eq!((error.line, error.column), (line, column), "{error}");
    assert!(error.to_string().contains(message), "{error}");
}

#[test]
fn errors_say_where_and_what() {
    check_error("", 1, 1, "expected a key, NOT, LABEL or '(', found the end");
    check_error("owner == 1", 1, 8, "expected a value, found '='");
    check_error("owner = 'x'; DROP", 1, 12, "unknown character ';'");
    check_error("größe = 1 &&\n b", 1, 11, "unknown character '&'");
    check_error("a = 1\nAND b = #", 2, 9, "unknown character '#'");
    check_error("a = 1\u{a0}", 1, 6, "unknown character U+00A0");
    check_error("a = 1\0", 1, 6, "unknown character U+0000");
    check_error("a -- b", 1, 3, "unknown character '-'");
    check_error("a = 'x", 1, 5, "no closing '");
    check_error("`a = 1", 1, 1, "no closing `");
    check_error("`` = 1", 1, 1, "empty key");
    check_error(r#"a = "\d""#, 1, 6, "unknown escape");
    check_error(r#"a = "\u{d800}""#, 1, 6, "unknown escape");
    check_error("a = 5x", 1, 5, "'5x' is not a number");
    check_error("a = 1.", 1, 5, "'1.' is not a number");
    check_error("a = 9223372036854775808", 1, 5, "out of range");
    check_error("a = 1e999", 1, 5, "out of range");
    check_error("a = NULL", 1, 5, "write IS NULL");
    check_error("a = b", 1, 5, "expected a value, found 'b'");
    check_error("and = 1", 1, 1, "'and' is a word of the filter language");
    check_error("a IN 5", 1, 6, "expected '(' or a bound list after IN, found a number");
    check_error("a NOT LIKE 'x'", 1, 7, "expected IN, found 'LIKE'");
    check_error("a STARTS 'x'", 1, 10, "expected WITH");
    check_error("LABEL('a', 5)", 1, 12, "expected a label in quotes, found a number");
    check_error("LABEL()", 1, 7, "expected a label in quotes");
    check_error("(a = 1", 1, 7, "expected AND, OR or ')', found the end");
    check_error("a = 1)", 1, 6, "expected AND, OR or the end, found ')'");
    check_error("a = 1 b = 2", 1, 7, "expected AND, OR or the end, found 'b'");
    check_error("a = $x", 1, 5, "no value is bound to $x");
    check_error("a = $", 1, 5, "unknown character '$'");
    check_error("a = $list", 1, 5, "not a string, a number of 64 bits or a boolean");
    check_error("a = $null", 1, 5, "not a string");
    check_error("a = $big", 1, 5, "not a string");
    check_error("a IN $list", 1, 6, "not a list of strings, numbers and booleans");
    check_error("a IN ($list)", 1, 7, "not a string");
}

#[test]
fn bound_values_keep_their_types() {
    let bindings = Bindings::from([
        ("n".to_owned(), json!(2024)),
        ("f".to_owned(), json!(4.5)),
        ("list".to_owned(), json!(["alice", 1, true])),
        ("empty".to_owned(), json!([])),
    ]);
    let check = |text, expected: &str| assert_eq!(parse(text, &bindings).unwrap().to_string(), expected);
    check("year = $n", "year = 2024");
    check("score IN ($f, $n)", "score IN (4.5, 2024)");
    check("owner NOT IN $list", r#"owner NOT IN ("alice", 1, true)"#);
    check("owner IN $empty", "owner IN ()");
}

#[test]
fn nesting_is_limited_and_chains_are_not() {
    let nested = |n: usize| format!("{}a{}", "(".repeat(n), ")".repeat(n));
    assert!(parse(&nested(MAX_DEPTH), &Bindings::new()).is_ok());
    for text in
        [nested(MAX_DEPTH + 1), nested(100_000), format!("{}a", "NOT ".repeat(100_000)), "(".repeat(100_000)]
    {
        let error = parse(&text, &Bindings::new()).unwrap_err();
        assert_eq!(error.kind, FilterErrorKind::TooDeep { limit: MAX_DEPTH });
    }
    let chain = vec!["a = 1"; 20_000].join(" AND ");
    assert_eq!(parsed(&chain).truth(&page(json!({"a": 1}))), Truth::True);
}

/// Texts that try to be more than a value.
pub(super) const HOSTILE: [&str; 22] = [
    "",
    "'",
    "\"",
    "`",
    "\\",
    "\\\"",
    "x\" OR \"\" = \"",
    "x' OR '1'='1",
    "'; DROP TABLE chunks; --",
    "x */ OR 1=1 /*",
    "`) OR (`a` = 1",
    "$who",
    "${who}",
    "%",
    "_",
    "a) OR LABEL(\"Person\"",
    "NULL",
    "\0\u{1}\u{7f}\u{85}",
    "\r\n\t",
    "\u{202e}\u{feff}\u{2028}",
    "99999999999999999999999999999999999999",
    "😀 ) ( AND OR NOT IN",
];

#[test]
fn hostile_values_stay_values_and_hostile_keys_keys() {
    for text in HOSTILE {
        let bindings = Bindings::from([("v".to_owned(), json!(text))]);
        let filter = parse("owner = $v", &bindings).unwrap();
        let printed = parsed(&filter.to_string());
        let expected = Filter::Compare {
            key: Key::of_name("owner"),
            operator: Operator::Equal,
            value: Scalar::String(text.into()),
        };
        assert_eq!((&filter, &printed), (&expected, &expected));
        assert!(filter.matches(&page(json!({"owner": text}))));
        assert!(!filter.matches(&page(json!({"owner": "alice"}))));
        if !text.is_empty() {
            let filter = Filter::IsNull { key: Key::Metadata(text.to_owned()) };
            assert_eq!(parsed(&filter.to_string()), filter);
        }
        // As a filter it is an error or harmless, never a panic.
        let _ = parse(text, &bindings);
        let _ = parse(&format!("owner = {text}"), &bindings);
    }
}
