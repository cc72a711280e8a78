//! `ragctl query check`, the syntax of text queries through the program, and the examples of its manual.

use crate::env::TestEnv;

fn env() -> TestEnv {
    let env = TestEnv::new();
    env.write(
        "docs/guide.md",
        "---\nyear: 2024\nowner: Alice\ndate: 2024-06-01\n---\n# Guide to caching\n\nWrite through the cache, and a buffer. ERR_KEY +1\n",
    );
    env.write(
        "docs/old.md",
        "---\nyear: 2019\ndraft: true\n---\n# Redis notes\n\nThe cache of redis misses too.\n",
    );
    env.write("docs/plain.txt", "Nothing but a plain text about caching in fooBar and std::vec.\n");
    let _ = env.run(["ingest", "docs"]).expect_code(0);
    env
}

/// The documents that a text search finds, by name.
fn found(env: &TestEnv, args: &[&str]) -> Vec<String> {
    let run = env.run(["search", "--text", "--json"].iter().chain(args));
    assert!([0, 1].contains(&run.code), "{args:?}: {}", run.stderr);
    let mut names: Vec<String> = run.json()["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["document"]["uri"].as_str().unwrap().trim_start_matches("docs/").to_owned())
        .collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn metadata_is_asked_by_its_keys() {
    let env = env();
    let check = |query: &str, expected: &[&str]| {
        assert_eq!(found(&env, &["--strict", "--", query]), expected, "{query}");
    };
    check("year:2024", &["guide.md"]);
    check("year:[2019 TO 2024}", &["old.md"]);
    check("cach* AND year:[2020 TO *]", &["guide.md"]);
    check("date:[2024-01-01 TO 2024-12-31]", &["guide.md"]);
    check("owner:alice", &["guide.md"]);
    check("draft:true", &["old.md"]);
    check("caching -year:*", &["plain.txt"]);
    check("media_type:plain", &["plain.txt"]);
    assert_eq!(found(&env, &["year:2024", "--filter", "year < 2020"]), [""; 0]);
}

#[test]
fn hidden_keys_are_no_fields() {
    let env = env();
    let run = env.run(["search", "--text", "--base-filter", "year = 2019", "--", "owner:alice misses"]);
    assert!(run.stderr.contains("no field 'owner'"), "{}", run.stderr);
    let run = env.run(["query", "check", "--base-filter", "year = 2019", "owner:alice"]).expect_code(0);
    assert_eq!(run.stdout, "owner\\:alice\n");
}

#[test]
fn what_does_not_parse_is_text_or_an_error() {
    let env = env();
    let query = "how does f(x write \"through";
    let run = env.run(["search", "--text", query]).expect_code(0);
    assert_eq!(run.stderr.matches("note:").count(), 1, "{}", run.stderr);
    let run = env.run(["search", "--text", "--strict", query]).expect_code(2);
    let pointed = format!("column 20: no closing \"\n  {query}\n{}^\n", " ".repeat(21));
    assert!(run.stderr.contains(&pointed), "{}", run.stderr);
    // What was meant to be required is not, when nothing holds it.
    let run = env.run(["search", "--text", "caching AND (xylophone OR"]).expect_code(0);
    assert!(run.stderr.contains("note:"), "{}", run.stderr);
    let _ = env.run(["search", "--text", "--strict", "nofield:x"]).expect_code(2);
}

#[test]
fn identifiers_are_required_and_relaxed() {
    let env = env();
    assert_eq!(found(&env, &["caching in fooBar"]), ["plain.txt"]);
    assert_eq!(found(&env, &["caching in foobaz"]).len(), 3);
    let run = env.run(["search", "--text", "caching ERR_GONE"]).expect_code(0);
    assert!(run.stderr.contains("nothing holds 'ERR_GONE'"), "{}", run.stderr);
    assert_eq!(found(&env, &["--operator", "and", "cache misses"]), ["old.md"]);
}

#[test]
fn a_query_is_explained() {
    let env = TestEnv::new();
    let query = "a AND title:(b* OR \"c d\"~2^3) -year:[1 TO 2}";
    assert_eq!(
        env.run(["query", "check", query]).expect_code(0).stdout,
        "+a +title:(b* (\"c d\"~2)^3.0) -year:[1 TO 2}\n"
    );
    assert_eq!(env.run(["query", "check", "--operator", "and", "a b"]).expect_code(0).stdout, "+a +b\n");
    let json = env.json(["query", "check", "--json", query], 0);
    assert_eq!(json["schema"], "ragctl.query/1");
    assert_eq!(json["tree"]["clauses"][1]["field"], "title");
    assert_eq!(json["tree"]["clauses"][1]["clauses"][1]["boost"], 3.0);
    assert_eq!(json["tree"]["clauses"][2]["high"], serde_json::json!({"value": "2", "inclusive": false}));
    let json = env.json(["query", "check", "--json", "(a"], 0);
    assert_eq!(json["notes"].as_array().unwrap().len(), 1);
    let _ = env.run(["query", "check", "--strict", "(a"]).expect_code(2);
    let _ = env.run(["query", "check", "--index", "nowhere", "a"]).expect_code(2);
}

/// Every example line of the manual parses and finds what it says.
#[test]
fn the_examples_of_the_manual_work() {
    let env = env();
    let manual = env.run(["help", "query"]).expect_code(0).stdout;
    let examples: Vec<&str> = manual
        .split("Usage:")
        .next()
        .unwrap()
        .lines()
        .filter(|line| line.starts_with("    "))
        .map(|line| line.trim().split("   ").next().unwrap())
        .collect();
    let (guide, old, plain) = ("guide.md", "old.md", "plain.txt");
    let expected: [(&str, &[&str]); 21] = [
        ("write cache", &[guide, old, plain]),
        ("\"write through\"", &[guide]),
        ("\"cache misses\"~3", &[old]),
        ("+cache -redis", &[guide, plain]),
        ("cache AND NOT redis", &[guide, plain]),
        ("cache OR buffer", &[guide, old, plain]),
        ("+(cache buffer) AND write", &[guide]),
        ("cach*", &[guide, old, plain]),
        ("*ing", &[guide, plain]),
        ("wriet~", &[guide]),
        ("/cach(e|ing)/", &[guide, old, plain]),
        ("title:guide", &[guide]),
        ("title:(write cache)", &[guide]),
        ("year:2024", &[guide]),
        ("year:[2020 TO 2024]", &[guide]),
        ("date:[2024-01-01 TO *]", &[guide]),
        ("owner:*", &[guide]),
        ("cache^2 write", &[guide, old, plain]),
        ("-redis", &[guide, plain]),
        ("*:*", &[guide, old, plain]),
        (r"\+1", &[guide]),
    ];
    assert_eq!(examples, expected.iter().map(|(example, _)| *example).collect::<Vec<_>>());
    for (example, names) in expected {
        assert_eq!(found(&env, &["--strict", "--", example]), *names, "{example}");
    }
}
