//! `expand`, `zoom`, `show`, `tree`, `sections`, `list`, `read`, `chunk`.

use serde_json::Value;

use crate::env::TestEnv;

fn first_id(env: &TestEnv, query: &str) -> String {
    env.hits(&["--text", query])[0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn expand_marks_the_anchor_and_stays_in_the_document() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let id = first_id(&env, "\"acknowledged once they are in the cache\"");
    let expanded = env.json(["expand", &id, "-n", "1", "--json"], 0);
    assert_eq!(
        (&expanded["schema"], &expanded["anchor"]),
        (&"ragctl.expand/1".into(), &Value::from(id.as_str()))
    );
    let chunks = expanded["chunks"].as_array().unwrap();
    assert_eq!(chunks.len(), 3);
    assert_eq!(chunks.iter().filter(|it| it["anchor"] == true).count(), 1);
    assert_eq!(chunks[1]["anchor"], true);
    let all = env.json(["expand", &id, "-n", "1000", "--json"], 0);
    let all = all["chunks"].as_array().unwrap();
    assert!(all.iter().all(|it| it["document"]["uri"] == "docs/guides/performance.md"));
    assert_eq!(
        all.len(),
        env.json(["list", "docs/guides/performance.md", "--json"], 0)["documents"][0]["chunks"]
            .as_u64()
            .unwrap() as usize
    );
    let within = env.json(["expand", &id, "-n", "5", "--within", "section", "--json"], 0);
    assert_eq!(within["chunks"].as_array().unwrap().len(), 1);
    let human = env.run(["expand", &id]).expect_code(0).stdout;
    assert!(human.contains("> c"), "{human}");
}

#[test]
fn zoom_steps_out_to_the_document() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let id = first_id(&env, "\"acknowledged once they are in the cache\"");
    let titles: Vec<Value> = (1..=5)
        .map(|level| {
            env.json(["zoom", &id, "--levels", &level.to_string(), "--json"], 0)["section"]["title"].clone()
        })
        .collect();
    assert_eq!(
        titles,
        ["Write-behind", "Caching strategies", "Performance guide", "Performance guide", "Performance guide"]
    );
    let source = std::fs::read_to_string(env.path("docs/guides/performance.md")).unwrap();
    let whole = env.json(["zoom", &id, "--levels", "9", "--json"], 0);
    assert_eq!(whole["text"], Value::from(source.as_str()));
    assert_eq!((&whole["truncated"], &whole["chars"]), (&false.into(), &source.chars().count().into()));
    let section = env.json(["zoom", &id, "--json"], 0)["section"]["id"].as_str().unwrap().to_owned();
    assert_eq!(env.json(["zoom", &section, "--json"], 0)["section"]["title"], "Caching strategies");
    let cut = env.json(["zoom", &id, "--levels", "9", "--max-chars", "600", "--json"], 0);
    let text = cut["text"].as_str().unwrap();
    assert!(text.chars().count() <= 600 && source.starts_with(text) && !text.is_empty());
    assert_eq!((&cut["truncated"], &cut["chars"]), (&true.into(), &source.chars().count().into()));
    // Less than the first chunk: cut inside it.
    for max_chars in [0, 1, 40, 100] {
        let cut =
            env.json(["zoom", &id, "--levels", "9", "--max-chars", &max_chars.to_string(), "--json"], 0);
        let text = cut["text"].as_str().unwrap();
        assert!(text.chars().count() <= max_chars && source.starts_with(text), "{text:?}");
        assert_eq!((text.is_empty(), &cut["truncated"]), (max_chars == 0, &true.into()));
    }
}

#[test]
fn show_prints_each_kind() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let hit = env.hits(&["--text", "stampede jitter"])[0].clone();
    let id = |pointer: &str| hit.pointer(pointer).unwrap().as_str().unwrap().to_owned();
    assert_eq!(env.json(["show", &id("/id"), "--json"], 0)["schema"], "ragctl.chunk/1");
    let section = env.json(["show", &id("/section/id"), "--json"], 0);
    assert_eq!(
        (&section["schema"], &section["section"]["title"]),
        (&"ragctl.section/1".into(), &"Cache-aside".into())
    );
    let document = env.json(["show", &id("/document/id"), "--json"], 0);
    assert_eq!(document["schema"], "ragctl.document/1");
    assert_eq!(
        document["text"].as_str().unwrap(),
        std::fs::read_to_string(env.path("docs/guides/performance.md")).unwrap()
    );
    assert_eq!(env.json(["show", "docs/guides/performance.md", "--json"], 0)["id"], document["id"]);
}

#[test]
fn ids_take_unique_prefixes() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let id = first_id(&env, "stampede jitter");
    assert_eq!(env.json(["show", &id[..8], "--json"], 0)["id"], Value::from(id.as_str()));
    let ambiguous = env.run(["show", "c"]).expect_code(2);
    assert!(
        ambiguous.stderr.contains("ambiguous") && ambiguous.stderr.matches("\n  c").count() >= 2,
        "{}",
        ambiguous.stderr
    );
    let unknown = env.run(["expand", "cffffffffffffff"]).expect_code(1);
    assert!(
        unknown.stderr.contains("cffffffffffffff") && unknown.stderr.contains("hint:"),
        "{}",
        unknown.stderr
    );
    for wrong in ["", "x", "c%", "'; DROP TABLE chunk; --", "c\u{7f}"] {
        let run = env.run(["zoom", "--", wrong]);
        assert!([1, 2].contains(&run.code), "{wrong:?}: {}", run.stderr);
    }
    let document = env.hits(&["--text", "stampede jitter"])[0]["document"]["id"].as_str().unwrap().to_owned();
    let _ = env.run(["expand", &document]).expect_code(2);
}

#[test]
fn tree_and_sections_show_the_headings() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let tree = env.json(["tree", "docs/guides/operations.md", "--json"], 0);
    let titles: Vec<&str> =
        tree["sections"].as_array().unwrap().iter().map(|it| it["title"].as_str().unwrap()).collect();
    assert_eq!(
        titles,
        [
            "Operations guide",
            "Running a cluster",
            "Backups",
            "Restoring",
            "Upgrades",
            "Security",
            "Übergabe an den Bereitschaftsdienst"
        ]
    );
    let backups = &tree["sections"][2];
    assert_eq!(
        (&backups["level"], &backups["depth"], &backups["parent"]),
        (&2.into(), &2.into(), &tree["sections"][0]["id"])
    );
    let subtree = env.json(["tree", backups["id"].as_str().unwrap(), "--json"], 0);
    assert_eq!(subtree["sections"].as_array().unwrap().len(), 2);
    let human = env.run(["tree"]).expect_code(0).stdout;
    assert!(human.contains("HTTP interface") && human.contains("Version 3.1"), "{human}");
    let found = env.json(["sections", "--title", "restor", "--json"], 0);
    assert_eq!(found["sections"].as_array().unwrap().len(), 1);
    assert_eq!(found["sections"][0]["document"]["uri"], "docs/guides/operations.md");
}

#[test]
fn documents_are_found_whatever_the_normalisation_of_their_names() {
    let env = TestEnv::new();
    env.write("e\u{301}te\u{301}.md", "# Summer\n");
    env.write("🦀.md", "# Crab\n");
    env.write("a b.md", "# Space\n");
    env.write("a-b.md", "# Dash\n");
    let _ = env.run(["ingest", "."]).expect_code(0);
    for (name, title) in
        [("\u{e9}t\u{e9}.md", "Summer"), ("🦀.md", "Crab"), ("./a b.md", "Space"), ("a-b.md", "Dash")]
    {
        assert_eq!(env.json(["tree", name, "--json"], 0)["document"]["title"], title);
    }
}

#[test]
fn read_and_chunk_need_no_index() {
    let env = TestEnv::with_docs();
    let document = env.json(["read", "docs/guides/performance.md", "--json"], 0);
    assert_eq!(
        (&document["schema"], &document["title"]),
        (&"ragctl.document/1".into(), &"Performance guide".into())
    );
    let text = document["text"].as_str().unwrap();
    let chunks = env.json(
        ["chunk", "docs/guides/performance.md", "--max-chunk-size", "300", "--overlap", "50", "--json"],
        0,
    );
    assert_eq!(chunks["schema"], "ragctl.chunks/1");
    let mut end = 0;
    for chunk in chunks["chunks"].as_array().unwrap() {
        let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        let (start, stop) = (number(&chunk["span"][0]), number(&chunk["span"][1]));
        assert_eq!(start + number(&chunk["overlap"]), end);
        assert_eq!(&text[start..stop], chunk["urtext"].as_str().unwrap());
        assert!(chunk["urtext"].as_str().unwrap().chars().count() <= 300);
        end = stop;
    }
    assert_eq!(end, text.len());
    assert!(!env.path(".ragctl").exists());
    // The ids are those that an ingest gives.
    let whole = env.json(["chunk", "docs/guides/performance.md", "--json"], 0);
    env.ingest_docs();
    let id = whole["chunks"][0]["id"].as_str().unwrap();
    let _ = env.run(["show", id]).expect_code(0);
    let stdin = env
        .run_with_stdin(["read", "-", "--format", "html", "--json"], b"<h1>Hi</h1><p>there")
        .expect_code(0);
    assert_eq!(stdin.json()["sections"][0]["title"], "Hi");
    for pipe in [&["read", "docs/reference/release-notes.pdf"][..], &["chunk", "docs/reference/api.html"][..]]
    {
        assert!(!env.run(pipe).expect_code(0).stdout.is_empty());
    }
}
