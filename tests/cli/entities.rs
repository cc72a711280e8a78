//! Named entities: files of them, found, filtered, shown, and nothing else where that is asked for.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::agents::Session;
use crate::env::{TestEnv, copy_folder, testdata};

/// `testdata/entities` as `kb`, ingested but for the line that is no JSON.
fn env() -> TestEnv {
    let env = TestEnv::new();
    copy_folder(&testdata("entities"), &env.path("kb"));
    let _ = env.run(["ingest", "kb"]).expect_code(3);
    env
}

fn names(hits: &[Value]) -> Vec<&str> {
    hits.iter().map(|it| it["entity"]["name"].as_str().unwrap_or("-")).collect()
}

#[test]
fn every_entry_is_a_document_and_a_bad_line_is_named() {
    let env = TestEnv::new();
    copy_folder(&testdata("entities"), &env.path("kb"));
    let report = env.json(["ingest", "kb", "--json"], 3);
    assert_eq!(report["added"], 7);
    let failures = report["failed"].as_array().unwrap();
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!(failures[0]["path"], "kb/people.entities.jsonl:4");
    assert!(failures[0]["reason"].as_str().unwrap().contains("not JSON: EOF"), "{failures:?}");
    assert!(failures[0]["hint"].as_str().unwrap().contains("\"id\""), "{failures:?}");
    let list = env.json(["list", "kb/people.entities.jsonl", "--json"], 0);
    let uris: Vec<&str> =
        list["documents"].as_array().unwrap().iter().map(|it| it["uri"].as_str().unwrap()).collect();
    assert_eq!(uris, ["ada", "babbage", "hopper"].map(|id| format!("kb/people.entities.jsonl#{id}")));
    env.verify();
    let _ = env.run(["reindex"]).expect_code(0);
    env.verify();
}

#[test]
fn every_kind_of_search_finds_entities_and_filters_know_their_properties() {
    let env = env();
    for mode in ["--text", "--vector", "--hybrid"] {
        let hits = env.hits(&[mode, "English mathematician first program", "--entities-only", "-k", "1"]);
        assert_eq!(names(&hits), ["Ada Lovelace"], "{mode}");
    }
    let hits = env.hits(&["--regex", "Enchantress of Number", "--label", "Person"]);
    assert_eq!(names(&hits), ["Ada Lovelace"]);
    assert_eq!(hits[0]["entity"]["key"], "ada");
    assert_eq!(hits[0]["entity"]["labels"], json!(["Author", "Person"]));
    assert_eq!(hits[0]["location"], json!({"path": "kb/people.entities.jsonl", "member": "ada"}));
    assert_eq!(hits[0]["metadata"]["born"], 1815);
    // Entities stand beside passages unless they alone are asked for.
    let hits = env.hits(&["--regex", "Analytical Engine"]);
    assert_eq!(names(&hits), ["-", "Analytical Engine", "Charles Babbage"]);
    let hits = env.hits(&["--regex", "Analytical Engine", "--entities-only"]);
    assert_eq!(names(&hits), ["Analytical Engine", "Charles Babbage"]);
    let found = |filter: &str| {
        let hits = env.hits(&["--regex", ".", "-f", filter, "-k", "50"]);
        hits.iter().map(|it| it["entity"]["name"].as_str().unwrap_or("-").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("LABEL(\"Engineer\") AND country = \"England\""), ["Charles Babbage"]);
    assert_eq!(found("born < 1900 AND aliases HAS \"Countess of Lovelace\""), ["Ada Lovelace"]);
    assert_eq!(
        found("LABEL(\"Machine\") OR id = \"hopper\""),
        ["Analytical Engine", "UNIVAC I", "Grace Hopper"]
    );
    let run = env.run(["search", "--text", "compilers", "--entities-only", "-k", "1"]).expect_code(0);
    assert!(run.stdout.contains("Grace Hopper [Engineer, Person]"), "{}", run.stdout);
}

#[test]
fn an_entity_shows_where_it_is_mentioned() {
    let env = env();
    let hit = env.hits(&["--text", "Lovelace", "--entities-only"])[0].clone();
    // By the hit, by the entity, by its URI.
    let id = hit["entity"]["id"].as_str().unwrap();
    for name in [hit["id"].as_str().unwrap(), id, "kb/people.entities.jsonl#ada"] {
        let entity = env.json(["show", name, "--json"], 0);
        assert_eq!(entity["schema"], "ragctl.entity/1");
        assert_eq!(
            (&entity["id"], &entity["key"], &entity["name"]),
            (&id.into(), &"ada".into(), &"Ada Lovelace".into())
        );
        assert_eq!(entity["properties"], json!({"born": 1815, "country": "England", "died": 1852}));
        let mentions = entity["mentions"].as_array().unwrap();
        let sections: Vec<&str> =
            mentions.iter().map(|it| it["section"]["title"].as_str().unwrap()).collect();
        assert_eq!(sections, ["Early programs", "Legacy"], "name and aliases, no single words of them");
        assert_eq!(entity["mentions_total"], 2);
    }
    let run = env.run(["show", id]).expect_code(0);
    assert!(
        run.stdout.starts_with("Ada Lovelace [Author, Person]\nkb/people.entities.jsonl#ada  d")
            && run.stdout.contains("mentioned in 2 passages\n"),
        "{}",
        run.stdout
    );
    // A base filter hides mentions and their number.
    let entity = env.json(["show", id, "--json", "--base-filter", "NOT section = \"Legacy\""], 0);
    assert_eq!(
        (entity["mentions_total"].as_u64(), entity["mentions"].as_array().unwrap().len()),
        (Some(1), 1)
    );
}

#[test]
fn many_mentions_are_counted_and_some_are_shown() {
    let env = env();
    // Titles and addresses alone are no mentions.
    env.write("kb/grace-hopper/a.md", "# Grace Hopper\n\nOne.\n\n## Part\n\nHer life.\n");
    let _ = env.run(["ingest", "kb/grace-hopper"]).expect_code(0);
    let entity = env.json(["show", "kb/people.entities.jsonl#hopper", "--json"], 0);
    assert_eq!(entity["mentions_total"], 2);
    let text: String = (0..50).map(|at| format!("## Part {at}\n\nGrace Hopper, part {at}.\n\n")).collect();
    env.write("kb/many.md", text);
    let _ = env.run(["ingest", "kb/many.md"]).expect_code(0);
    let entity = env.json(["show", "kb/people.entities.jsonl#hopper", "--json"], 0);
    assert_eq!(
        (entity["mentions_total"].as_u64(), entity["mentions"].as_array().unwrap().len()),
        (Some(52), 20)
    );
    let run = env.run(["show", "kb/people.entities.jsonl#hopper"]).expect_code(0);
    assert!(run.stdout.ends_with("  and 32 more\n"), "{}", run.stdout);
}

#[test]
fn entities_are_refreshed_and_pruned_one_by_one() {
    let env = TestEnv::new();
    let line = |id: &str, name: &str| format!("{{\"id\": \"{id}\", \"name\": \"{name}\"}}\n");
    env.write("p.entities.jsonl", line("a", "Alpha") + &line("b", "Beta"));
    let counts = |args: &[&str], code: i32| {
        let report = env.json(["ingest", ".", "--json"].iter().chain(args), code);
        ["added", "unchanged", "refreshed", "removed"].map(|key| report[key].as_u64().unwrap())
    };
    assert_eq!(counts(&[], 0), [2, 0, 0, 0]);
    env.write("p.entities.jsonl", line("c", "Gamma") + &line("b", "Better") + &line("a", "Alpha"));
    assert_eq!(counts(&["--refresh", "changed"], 0), [1, 1, 1, 0]);
    // A line that cannot be read may be the one that is missing.
    env.write("p.entities.jsonl", line("a", "Alpha") + "{\"id\": \"b\n");
    assert_eq!(counts(&["--prune"], 3), [0, 1, 0, 0]);
    env.write("p.entities.jsonl", line("a", "Alpha"));
    assert_eq!(counts(&["--prune"], 0), [0, 1, 0, 2]);
    let read = env.json(["read", "p.entities.jsonl#a", "--json"], 0);
    assert_eq!((&read["text"], &read["reader"]), (&"Alpha\n".into(), &"entity".into()));
    let _ = env.run(["read", "p.entities.jsonl"]).expect_code(2);
    env.verify();
}

#[test]
fn entities_in_an_archive_are_entities() {
    let env = TestEnv::new();
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.start_file("x/p.entities.jsonl", zip::write::SimpleFileOptions::default()).unwrap();
    writer.write_all(b"{\"id\": \"a\", \"name\": \"Alpha\"}\n{\"id\": \"b\", \"name\": \"Beta\"}\n").unwrap();
    env.write("a.zip", writer.finish().unwrap().into_inner());
    for expected in [2, 0] {
        assert_eq!(env.json(["ingest", "a.zip", "--prune", "--json"], 0)["added"], expected);
    }
    let hit = &env.hits(&["--text", "Beta"])[0];
    assert_eq!(hit["document"]["uri"], "a.zip!/x/p.entities.jsonl#b");
    assert_eq!(hit["entity"]["name"], "Beta");
    assert_eq!(hit["location"], json!({"path": "a.zip", "member": "x/p.entities.jsonl#b"}));
}

#[test]
fn nothing_but_entities_is_shown_where_the_starter_says_so() {
    let env = env();
    // Everything there is of the document.
    let hit = env.hits(&["--regex", "Nobody believed"])[0].clone();
    let chunk = hit["id"].as_str().unwrap().to_owned();
    let section = hit["section"]["id"].as_str().unwrap().to_owned();
    let document = hit["document"]["id"].as_str().unwrap().to_owned();
    let mut session = Session::start(&env, &["--entities-only", "--about", "compilers nobody believed"]);
    let told = session.instructions.clone();
    assert!(
        told.contains("5 documents") && told.contains("Grace Hopper") && !told.contains("Nobody believed"),
        "{told}"
    );
    for (tool, arguments) in [
        ("hybridSearch", json!({"query": "compilers and programs", "topK": 50})),
        ("vectorSearch", json!({"query": "the first compiler", "topK": 50})),
        ("textSearch", json!({"query": "*:*", "topK": 50})),
        ("textSearch", json!({"query": "media_type:markdown OR uri:history OR UNIVAC", "topK": 50})),
        ("regexSearch", json!({"regex": ".", "topK": 50})),
        ("broadenChunk", json!({"chunkId": chunk})),
        ("zoomOut", json!({"id": chunk})),
        ("zoomOut", json!({"id": section})),
        ("findById", json!({"id": document})),
        ("findById", json!({"id": section})),
        ("findById", json!({"id": &chunk[..7]})),
        ("listSections", json!({})),
        ("listSections", json!({"documentTitle": "Early programs"})),
        ("readSection", json!({"sectionTitle": "Compilers"})),
        ("readSection", json!({"sectionTitle": "Legacy", "documentTitle": "Early programs"})),
    ] {
        let (text, result) = session.call(tool, arguments.clone());
        let shown = result["structuredContent"].to_string();
        for secret in ["Nobody believed", "history.md", "A. A. L."] {
            assert!(!text.contains(secret) && !shown.contains(secret), "{tool} {arguments}: {text}");
        }
        assert!(!text.is_empty());
    }
    // An entity is shown, and what mentions it is neither shown nor counted.
    let entity = env.json(["show", "kb/people.entities.jsonl#hopper", "--json"], 0);
    assert_eq!(entity["mentions_total"], 1);
    let (text, result) = session.call("findById", json!({"id": entity["id"]}));
    assert!(text.contains("mentioned in 0 passages"), "{text}");
    assert_eq!(result["structuredContent"]["mentions_total"], 0);
    let resources = session.ask("resources/list", json!({}))["result"]["resources"].clone();
    assert_eq!(resources.as_array().unwrap().len(), 5, "{resources}");
    for uri in [format!("ragctl://document/{document}"), format!("ragctl://chunk/{chunk}")] {
        let read = session.ask("resources/read", json!({"uri": uri}));
        assert!(read["error"].is_object(), "{read}");
    }
    session.leave();

    let about = env.json(["tools", "--json", "--entities-only"], 0).to_string();
    assert!(about.contains("5 documents") && !about.contains("Early programs"), "{about}");
    let call = env.run(["call", "regexSearch", "{\"regex\": \"Nobody believed\"}", "--entities-only"]);
    assert!(!call.expect_code(1).stdout.contains("history"));
}
