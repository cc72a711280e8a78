//! `ragctl filter check`, and the examples of its manual.

use crate::env::TestEnv;

fn env() -> TestEnv {
    let env = TestEnv::new();
    env.write("docs/a.md", "---\nowner: alice\nyear: 2024\nstatus: draft\ntags: [rust, sql]\ndate: 2024-07-01\n---\n# Guide\n\nText.\n");
    env.write(
        "docs/b.md",
        "---\nowner: bob\nyear: 2023\nstatus: Final\nname: v1.2\narchived: true\n---\n# Other\n\nText.\n",
    );
    env.write("docs/c.md", "---\n\"odd key\": 1\n---\n# Third\n\nText.\n\n## Part\n\nMore.\n");
    let _ = env.run(["ingest", "docs"]).expect_code(0);
    env
}

#[test]
fn a_check_shows_the_tree_the_keys_and_the_counts() {
    let env = env();
    let run = env.run([
        "filter",
        "check",
        "(owner = $who OR yaer > 1) AND NOT archived = true",
        "--var",
        "who=alice",
    ]);
    assert_eq!(run.code, 1, "unknown is no match: {}", run.stdout);
    assert_eq!(
        run.stdout,
        "AND\n  OR\n    owner = \"alice\"\n    yaer > 1\n  NOT\n    archived = true\n\
         archived: 1 of 3 documents have it\nowner: 2 of 3 documents have it\n\
         yaer: unknown, no document has it; did you mean year?\npasses 0 of 3 documents, 0 of 4 chunks\n"
    );
    let json = env.json(["filter", "check", "section = \"Part\" OR year IN (2023, 2022)", "--json"], 0);
    assert_eq!(json["schema"], "ragctl.filter/1");
    assert_eq!(json["filter"], "section = \"Part\" OR year IN (2023, 2022)");
    assert_eq!(json["tree"]["parts"][1]["values"], serde_json::json!([2023, 2022]));
    assert_eq!((&json["documents"], &json["chunks"], &json["all_chunks"]), (&2.into(), &2.into(), &4.into()));
    let error = env.run(["filter", "check", "year => 3"]).expect_code(2).stderr;
    assert!(error.contains("column 7"), "{error}");
}

/// Every example line of the manual parses and means what it says.
#[test]
fn the_examples_of_the_manual_work() {
    let env = env();
    let manual = env.run(["help", "filter"]).expect_code(0).stdout;
    let examples: Vec<&str> = manual
        .split("Usage:")
        .next()
        .unwrap()
        .lines()
        .filter(|line| line.starts_with("    "))
        .map(|line| line.trim().split("   ").next().unwrap())
        .collect();
    let expected = [
        ("year >= 2024 AND status IN (\"draft\", \"final\")", 1),
        ("owner = \"alice\" OR owner IS NULL", 2),
        ("NOT archived = true", 0),
        ("title CONTAINS \"guide\" AND uri STARTS WITH \"docs/\"", 0),
        ("name LIKE \"v1.%\"", 1),
        ("tags HAS \"rust\"", 1),
        ("status IEQUALS \"FINAL\"", 1),
        ("date >= \"2024-06-01\"", 1),
        ("LABEL(\"draft\", \"review\")", 0),
        ("`odd key` = 1", 1),
        ("owner = $who", 1),
    ];
    assert_eq!(examples, expected.map(|(example, _)| example));
    for (example, n_documents) in expected {
        let run = env.run(["filter", "check", example, "--var", "who=alice", "--json"]);
        assert_eq!(run.json()["documents"], n_documents, "{example}: {}", run.stderr);
    }
}
