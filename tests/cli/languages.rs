//! The language of documents: found, declared, given; and what it does to a search by words.

use serde_json::Value;

use crate::env::TestEnv;

const GERMAN: &str = "# Bestand\n\nDie alten Häuser am Fluss wurden im vergangenen Jahr vollständig vermessen und in das \
                      Verzeichnis der Stadt aufgenommen.\n";
const ENGLISH: &str = "# Stock\n\nThe old mills by the river were surveyed last year and entered in the register of the \
                       city, with all of their measurements.\n";

fn env_with_languages() -> TestEnv {
    let env = TestEnv::new();
    env.write("town/de.md", GERMAN);
    env.write("town/en.md", ENGLISH);
    env.write("town/short.md", "# Notes\n\nTODO\n");
    env
}

fn found(env: &TestEnv, query: &str) -> Vec<String> {
    let answer = env.run(["search", "--text", "--json", query]).json();
    let hits = answer["hits"].as_array().unwrap();
    hits.iter().map(|hit| hit["document"]["uri"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn words_are_found_by_their_forms_in_the_language_of_each_document() {
    let env = env_with_languages();
    let _ = env.run(["ingest", "town"]).expect_code(0);
    let check = |query: &str, uri: &str| assert_eq!(found(&env, query), [uri], "{query}");
    check("Haus", "town/de.md");
    check("title:Bestände", "town/de.md");
    check("mill", "town/en.md");
    check("surveying", "town/en.md");
    // The same without the text index, and from one that is made anew.
    let text = std::fs::read_dir(env.path(".ragctl")).unwrap().flatten();
    let text =
        text.map(|it| it.path()).find(|it| it.file_name().unwrap().to_string_lossy().starts_with("text-"));
    std::fs::remove_dir_all(text.unwrap()).unwrap();
    check("Haus", "town/de.md");
    let _ = env.run(["reindex"]).expect_code(0);
    check("Haus", "town/de.md");
    let _ = env.run(["verify"]).expect_code(0);
}

#[test]
fn a_language_that_is_gone_changes_no_score() {
    let scores = |env: &TestEnv| {
        env.json(["search", "--text", "--json", "mill house"], 0)["hits"][0]["scores"].clone()
    };
    let (english, both) = (env_with_languages(), env_with_languages());
    let _ = english.run(["ingest", "town/en.md", "town/short.md"]).expect_code(0);
    let _ = both.run(["ingest", "town"]).expect_code(0);
    let _ = both.run(["remove", "town/de.md"]).expect_code(0);
    assert_eq!(scores(&both), scores(&english));
}

#[test]
fn languages_are_shown_and_can_be_given() {
    let env = env_with_languages();
    let _ = env.run(["ingest", "town"]).expect_code(0);
    let listed = |env: &TestEnv| -> Vec<Value> {
        let documents = env.json(["list", "--json"], 0)["documents"].clone();
        documents.as_array().unwrap().iter().map(|it| it["language"].clone()).collect()
    };
    assert_eq!(listed(&env), ["de".into(), "en".into(), Value::Null]);
    assert_eq!(env.json(["info", "--json"], 0)["languages"], serde_json::json!({"de": 1, "en": 1}));
    assert_eq!(env.json(["read", "town/de.md", "--json"], 0)["language"], "de");
    // Given, it holds for all documents; stored ones are read again where that is asked for.
    let report = env.json(["ingest", "town", "--lang", "en-GB", "--refresh", "changed", "--json"], 0);
    assert_eq!(report["refreshed"], 3);
    assert_eq!(listed(&env), ["en", "en", "en"]);
    assert!(found(&env, "Haus").is_empty());
    let wrong = env.run(["ingest", "town", "--lang", "german"]).expect_code(2);
    assert!(wrong.stderr.contains("'german' is no language code"), "{}", wrong.stderr);
}
