//! Tests of the query language. The meanings of Lucene's own tests stand in `testdata/query/lucene.tsv`.

use super::*;

fn lenient(text: &str) -> Query {
    parse(text, Syntax::default()).unwrap()
}

fn strict(text: &str) -> Result<Query, QueryError> {
    parse(text, Syntax { is_strict: true, ..Syntax::default() })
}

/// The printed form; a note is a bar with the column of the fault behind it.
#[track_caller]
fn check(text: &str, expected: &str) {
    let query = lenient(text);
    let notes = query.notes.iter().map(|note| match note {
        Note::Literal(error) => format!(" | {}", error.column),
        note => format!(" | {note}"),
    });
    assert_eq!(format!("{query}{}", notes.collect::<String>()), expected, "{text}");
}

/// In both syntaxes.
#[track_caller]
fn check_both(text: &str, expected: &str) {
    check(text, expected);
    assert_eq!(strict(text).unwrap().to_string(), expected, "{text}");
}

#[test]
fn rows_of_lucene_keep_their_meaning() {
    let mut n_rows = 0;
    for line in include_str!("../../testdata/query/lucene.tsv").lines().skip(1) {
        let cells: Vec<String> = line.split('\t').map(unescape).collect();
        let [text, expected, _, operator, ours] = cells.as_slice() else { panic!("{line}") };
        let operator = if operator == "AND" { Operator::And } else { Operator::Or };
        let parsed = parse(text, Syntax { operator, is_strict: true });
        let expected = if ours.is_empty() { expected } else { ours };
        match parsed {
            Err(_) => assert_eq!("PARSE_ERROR", expected, "{text}"),
            Ok(query) => assert_eq!(&query.to_string(), expected, "{text}"),
        }
        // Whatever strict syntax reads, the other reads the same.
        let tolerant = parse(text, Syntax { operator, is_strict: false }).unwrap();
        if expected == "PARSE_ERROR" {
            assert_eq!(tolerant.notes.len(), 1, "{text}");
        } else {
            assert_eq!((&tolerant.to_string(), tolerant.notes.len()), (expected, 0), "{text}");
        }
        n_rows += 1;
    }
    assert!(n_rows > 60);
}

/// Cells have `\\`, `\t`, `\n` and `\r` escaped.
fn unescape(cell: &str) -> String {
    let mut out = String::new();
    let mut chars = cell.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('t') => out.push('\t'),
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some(c) => out.push(c),
                None => out.push('\\'),
            },
            _ => out.push(c),
        }
    }
    out
}

#[test]
fn operators_and_signs() {
    check_both("a AND NOT b", "+a -b");
    check_both("a AND !b", "+a -b");
    check_both("a OR NOT b", "a -b");
    check_both("NOT a", "-a");
    check_both("-a -b", "-a -b");
    check_both("a AND (-b)", "+a +(-b)");
    check_both("((a OR b) AND NOT c) OR d", "(+(a b) -c) d");
    check_both("+title:(dog OR cat) -author:\"bob dole\"", "+title:(dog cat) -author:\"bob dole\"");
    check_both("a AND(b OR c)", "+a +(b c)");
    check_both("ANDROID NOTE ORDER", "ANDROID NOTE ORDER");
    check_both("+a", "+a");
    check_both("((a))", "a");
    check_both("+ a -\tb", r"\+ a \- b");
    let and = |text| parse(text, Syntax { operator: Operator::And, is_strict: true }).unwrap().to_string();
    assert_eq!(and("a b"), "+a +b");
    assert_eq!(and("a OR b c"), "a b +c");
    assert_eq!(and("a -b (c d)"), "+a -b +(+c +d)");
}

#[test]
fn suffixes() {
    check_both("a~ b~0 c~1 d~2 e~3", "a~2 b~0 c~1 d~2 e~2");
    check_both("term~0.5^2", "(term~2)^2.0");
    check_both("term^2~1", "(term~1)^2.0");
    check_both("te*m~1", "te*m");
    check_both("\"a b\"~ \"c d\"~99999999999", "\"a b\" \"c d\"~10000");
    check_both("title:a^0.5 (title:b)^3", "title:(a)^0.5 (title:b)^3.0");
    check_both("[a TO b]^2", "([a TO b])^2.0");
    check_both("/a.c/^2 /a\\/b/", "(/a.c/)^2.0 /a\\/b/");
}

#[test]
fn wildcards_and_escapes() {
    check_both("*ing ?at b*d* *", "*ing ?at b*d* *");
    check_both(r"a\*b a\?* \*", r"a\*b a\?* \*");
    check_both(r"a\ b \AND \+c", r"a\ b \AND \+c");
    check_both("*:* title:* *:*^2", "*:* title:* (*:*)^2.0");
    check_both("[a\\ b TO \"c d\"} {* TO *}", "[\"a b\" TO \"c d\"} [* TO *]");
}

#[test]
fn faults_have_a_place() {
    #[track_caller]
    fn check(text: &str, column: usize, message: &str) {
        let error = strict(text).unwrap_err();
        assert_eq!((error.column, error.kind.to_string().as_str()), (column, message), "{text}");
    }
    check("a (b", 3, "no closing )");
    check("a b)", 4, "unexpected ')'");
    check("é \"b", 3, "no closing \"");
    check("a AND", 6, "nothing follows AND");
    check("a AND OR b", 7, "unexpected OR");
    check("OR b", 1, "unexpected OR");
    check("title:", 7, "nothing follows title:");
    check("a:b:c", 4, "a field inside a field");
    check("a ()", 3, "an empty group");
    check("[a b]", 1, "a range is written [low TO high]");
    check("a~1.5", 2, "behind ~ stands a number of edits (0, 1, 2) or a similarity below 1");
    check("\"a b\"~1.5", 6, "behind a phrase and ~ stands a whole number of positions");
    check("a^b", 2, "behind ^ stands a number");
    check("(a)^5.0^2.0 b", 8, "unexpected '^'");
    check("a\\", 2, "a backslash with nothing to escape, or \\u without four hexadecimal digits");
    check("/a", 1, "no closing /");
    check("/[/", 1, "the regular expression does not compile: unclosed character class");
    check("a --b", 4, "unexpected '-'");
    check("a *:b", 4, "unexpected ':'");
    let error = strict("a AND\n(b").unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 1: no closing )");
    assert_eq!(error.pointed("a AND\n(b"), "(b\n^");
    let long = format!("{} (", "word ".repeat(40));
    assert_eq!(strict(&long).unwrap_err().pointed(&long).lines().count(), 2);
}

#[test]
fn what_does_not_parse_is_text() {
    check("a:(^", r"a\:\(\^ | 4");
    check("say \"hello there", "say \\\"hello there | 5");
    check("a AND (b OR c", r"+a +\(b c | 7");
    check("[A B]", r"\[A B\] | 1");
    check("f(x) main() y+(y+25)", r"f\(x\) main\(\) y+\(y+25\) | 10");
    check("+title:(a b) -c http://x.org/a?b=c", r"+title:(a b) -c http\://x.org/a?b=c | 22");
    check("std::vec::Vec", r"std\:\:vec\:\:Vec | 5");
    check(">>> --no-verify ++x !=", r">>> \--no-verify \++x \!= | 6");
    check(
        "Wow! println!(\"a b\") a/b /usr/local/bin",
        r#"Wow\! println\!\( "a b" \) a/b \/usr/local/bin | 20"#,
    );
}

#[test]
fn questions_are_words() {
    check("how do I restore a backup?", "how do I restore a backup");
    check("what??", "what??");
    check("??? ?", r"\?\?\? \?");
    check("te?t this?", "te?t this?");
    check("该法令是何时宣布的?", "该法令是何时宣布的");
    check("+谁?? wor?", "+谁 wor?");
    check("何?宣", "何?宣");
    check("+wor? b", "+wor? b");
    let names = ["x".to_owned()].into();
    assert_eq!(lenient("what is x: y?").with_fields_as_text(&names).to_string(), "what is (x y)");
    assert_eq!(lenient("x:y?").with_fields_as_text(&names).to_string(), r"x\:y\?");
}

#[test]
fn unknown_fields_are_text() {
    let text = |text: &str| {
        let names = lenient(text).field_names().iter().map(|&it| it.to_owned()).collect();
        lenient(text).with_fields_as_text(&names).to_string()
    };
    assert_eq!(text("note:this"), r"note\:this");
    assert_eq!(text("+note:(a b) c"), "+(note (a b)) c");
    assert_eq!(text("note: a"), "note a");
    assert_eq!(text(r"C:\temp\new"), r"C\:\\temp\\new");
    assert_eq!(text("10:30"), r"10\:30");
    assert_eq!(lenient("a b:c").unknown_field("b").unwrap().column, 3);
}

#[test]
fn identifiers_are_required_in_plain_queries() {
    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let required = lenient(text).requiring_identifiers().map(|(query, _)| query.to_string());
        assert_eq!(required.as_deref(), expected, "{text}");
    }
    check("how is ERR_KEY fixed?", Some("how is +ERR_KEY fixed"));
    check("fooBar", Some("+fooBar"));
    check("sha256 of a-b", Some("+sha256 of a-b"));
    check("std::vec in src/lib.rs", Some(r"+std\:\:vec in +src/lib.rs"));
    check("what does HTTP (not FTP) do", None);
    check("a b", None);
    check("THE WHY x1 and AND", None);
    check("+a fooBar", None);
    check("fooBar OR x*", None);
    let shapes = ["ERR_KEY", "a::b", "sha256", "fooBar", "getElementById", "src/lib.rs", "a/b/c", "(x_y)?"];
    assert!(shapes.iter().all(|word| is_identifier(word)));
    let prose =
        ["DNA", "mRNA", "JavaScript", "and/or", "v2", "_x", "real-time", "e.g.", "2026", "p53", "é_a", ""];
    assert!(!prose.iter().any(|word| is_identifier(word)));
}

#[test]
fn words_for_highlighting() {
    assert_eq!(lenient("a -b title:c* year:d \"e f\" (g~ NOT h)").words(), ["a", "c", "e f", "g"]);
}

#[test]
fn limits() {
    let deep = format!("{}a{}", "(".repeat(MAX_DEPTH), ")".repeat(MAX_DEPTH));
    assert_eq!(strict(&deep).unwrap().to_string(), "a");
    assert!(matches!(
        strict(&format!("({deep})")),
        Err(QueryError { kind: QueryErrorKind::TooDeep { .. }, .. })
    ));
    let many = "a ".repeat(MAX_LEAVES + 1);
    assert!(matches!(strict(&many), Err(QueryError { kind: QueryErrorKind::TooMany { .. }, .. })));
    let query = lenient(&many);
    assert_eq!(query.notes, [Note::TooLong { at: 2 * MAX_LEAVES }]);
    for word in [
        "x ", "中", "x_", "\"", "\"a ", "+", "a\\", "(a:^", "(", "a:", "[", "/a ", "!", "x~", "\\u", "*", "?",
    ] {
        let text = word.repeat(1_000_000 / word.len());
        let query = lenient(&text);
        assert!(query.source.len() <= MAX_BYTES, "{word}");
        assert!(query.notes.iter().any(|note| matches!(note, Note::TooLong { .. })), "{word}");
        assert!(strict(&text).is_err(), "{word}");
    }
}
