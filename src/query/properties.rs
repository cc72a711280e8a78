//! Properties of the parser and the printer.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

/// Anything, and much of what means something.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[a-c]{1,3}",
        2 => r#"[-+!(){}\[\]^"~*?:\\/&| \n]"#,
        1 => prop::sample::select(vec![" AND ", " OR ", " NOT ", "title:", "[a TO b}", "~1", "^2", "\"a b\"", "/a/", "*:*", "\\u0041", "&&", "(", ")", " "])
            .prop_map(str::to_owned),
        1 => "\\PC",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// The tree without places, which differ between a query and its printed form.
fn shape(query: &Query) -> Option<Node> {
    fn strip(node: &mut Node) {
        node.span = 0..0;
        match &mut node.kind {
            Kind::Field { inner, .. } | Kind::Boost { inner, .. } => strip(inner),
            Kind::Group(clauses) => clauses.iter_mut().for_each(|clause| strip(&mut clause.node)),
            _ => {}
        }
    }
    let mut root = query.root.clone()?;
    strip(&mut root);
    Some(root)
}

fn operators() -> impl Strategy<Value = Operator> {
    prop_oneof![Just(Operator::Or), Just(Operator::And)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_printed_parses_to_the_same(text in texts(), operator in operators(), is_strict: bool) {
        let Ok(query) = parse(&text, Syntax { operator, is_strict }) else { return Ok(()) };
        let printed = query.to_string();
        // What a question mark at the end of a word means depends on the syntax, and on operators that are not printed; a
        // pattern with blanks is one in strict syntax only.
        let syntaxes = if printed.contains(['?', '/']) { vec![true] } else { vec![false, true] };
        for is_strict in syntaxes {
            let again = parse(&printed, Syntax { operator: Operator::Or, is_strict });
            prop_assert!(again.is_ok(), "{printed}: {:?}", again);
            let again = again.unwrap();
            prop_assert_eq!(shape(&again), shape(&query), "{}", printed);
            prop_assert!(again.notes.is_empty());
        }
    }

    #[test]
    fn places_lie_in_the_text(text in texts()) {
        let query = parse(&text, Syntax::default()).unwrap();
        if let Some(root) = &query.root {
            root.walk(&mut |node| assert!(text.get(node.span.clone()).is_some_and(|it| !it.is_empty()), "{node:?}"));
        }
        let names = query.field_names().iter().map(|&it| it.to_owned()).collect();
        let _ = query.clone().with_fields_as_text(&names).requiring_identifiers();
        if let Err(error) = parse(&text, Syntax { is_strict: true, ..Syntax::default() }) {
            prop_assert!(text.get(error.culprit.clone()).is_some());
            error.pointed(&text);
            prop_assert_eq!(query.notes.len(), 1);
        } else {
            prop_assert!(query.notes.len() <= 1);
        }
    }

    #[test]
    fn no_letter_is_lost(text in "[a-z(){}^~:\" ]{0,40}") {
        let query = parse(&text, Syntax::default()).unwrap();
        let letters = |text: &str| text.chars().filter(char::is_ascii_lowercase).collect::<String>();
        prop_assert_eq!(letters(&query.to_string()), letters(&text));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The longest texts take a time that only a linear parser keeps; the bound leaves room for a busy machine.
    #[test]
    fn time_is_bounded(piece in texts()) {
        let text = piece.repeat(MAX_BYTES / piece.len().max(1));
        let begin = Instant::now();
        let _ = parse(&text, Syntax::default());
        prop_assert!(begin.elapsed() < Duration::from_secs(2), "{piece}");
    }
}
