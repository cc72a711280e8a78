//! What holds for every filter, tried on generated ones.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::tests::{HOSTILE, Page, page, parsed};
use super::*;

fn scalar() -> impl Strategy<Value = Scalar> {
    prop_oneof![
        prop_oneof![
            Just("a".to_owned()),
            Just("2024-05-01".to_owned()),
            "\\PC{0,4}",
            proptest::sample::select(&HOSTILE[..]).prop_map(str::to_owned)
        ]
        .prop_map(Scalar::String),
        prop_oneof![-2..3_i64, any::<i64>()].prop_map(Scalar::Integer),
        prop_oneof![Just(1.0), Just(0.5), -1e300..1e300_f64].prop_map(Scalar::Decimal),
        any::<bool>().prop_map(Scalar::Boolean),
    ]
}

fn key() -> impl Strategy<Value = Key> {
    const NAMES: [&str; 9] = ["a", "b", "c", "uri", "labels", "section", "not", "odd `key", "ä-1.x"];
    proptest::sample::select(&NAMES[..]).prop_map(Key::of_name)
}

fn filter() -> impl Strategy<Value = Filter> {
    let leaf = prop_oneof![
        4 => (key(), proptest::sample::select(&Operator::ALL[..]), scalar())
            .prop_map(|(key, operator, value)| Filter::Compare { key, operator, value }),
        1 => (key(), proptest::collection::vec(scalar(), 0..4)).prop_map(|(key, values)| Filter::In { key, values }),
        1 => key().prop_map(|key| Filter::IsNull { key }),
        1 => proptest::collection::vec("[A-Z]|Draft", 0..3).prop_map(Filter::Label),
    ];
    leaf.prop_recursive(5, 30, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Filter::And),
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Filter::Or),
            inner.prop_map(|filter| Filter::Not(Box::new(filter))),
        ]
    })
}

fn record() -> impl Strategy<Value = Page> {
    let value = || {
        prop_oneof![
            Just(Value::Null),
            Just(json!(1)),
            Just(json!(1.0)),
            Just(json!(0.5)),
            Just(json!(true)),
            Just(json!("a")),
            Just(json!("2024-05-01T00:00:00Z")),
            Just(json!(["a", 1, 0.5])),
        ]
    };
    let keys = proptest::sample::select(&["a", "b", "c", "not", "odd `key", "ä-1.x"][..]);
    (proptest::collection::btree_map(keys.prop_map(str::to_owned), value(), 0..6), any::<bool>()).prop_map(
        |(metadata, has_section)| Page {
            metadata,
            section: has_section.then(|| "a".to_owned()),
            ..page(json!({}))
        },
    )
}

proptest! {
    #[test]
    fn printing_then_parsing_keeps_the_meaning(
        filter in filter(), records in proptest::collection::vec(record(), 8),
    ) {
        let printed = filter.to_string();
        let again = parse(&printed, &Bindings::new());
        prop_assert!(again.is_ok(), "{}: {}", printed, again.unwrap_err());
        let again = again.unwrap();
        for record in &records {
            prop_assert_eq!(filter.truth(record), again.truth(record), "{}", printed);
        }
        prop_assert_eq!(parsed(&again.to_string()), again);
    }

    #[test]
    fn negation_turns_every_truth_around(filter in filter(), record in record()) {
        let truth = filter.truth(&record);
        prop_assert_eq!(Filter::Not(Box::new(filter.clone())).truth(&record), !truth);
        // De Morgan.
        let both = Filter::Not(Box::new(Filter::And(vec![filter.clone(), filter.clone()])));
        let either = Filter::Or(vec![Filter::Not(Box::new(filter.clone())), Filter::Not(Box::new(filter))]);
        prop_assert_eq!(both.truth(&record), either.truth(&record));
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in any::<String>(), soup in proptest::collection::vec(
        proptest::sample::select(&[
            "a", "and", "OR", "not", "in", "is", "null", "(", ")", ",", "=", "!=", "<=", "'x'", "\"", "`k`", "$v", "1",
            "-1.5e3", "starts", "with", "label", "like", "\\", "true", "\n", "é", "!",
        ][..]), 0..20),
    ) {
        let bindings = Bindings::from([("v".to_owned(), json!("v"))]);
        for text in [text, soup.join(" "), soup.concat()] {
            match parse(&text, &bindings) {
                Ok(filter) => prop_assert_eq!(parsed(&filter.to_string()), filter),
                Err(error) => prop_assert!(text.is_char_boundary(error.offset) && error.line > 0 && error.column > 0),
            }
        }
    }
}
