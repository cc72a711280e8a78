//! Sparse models from folders: ingest, search, upkeep, and what is said of folders that cannot be used.

use std::fs;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::env::{TestEnv, copy_folder, testdata};

/// A few notes, and the folder of a sparse model by hand: a text has weights of its own words and less of related ones
/// (`tools/make-tiny-bert.py`).
fn with_model(name: &str) -> TestEnv {
    let env = TestEnv::new();
    copy_folder(&testdata("embed").join(name), &env.path("splade-folder"));
    env.write("docs/pets.md", "---\nowner: ann\n---\nThe kitten sleeps.\n");
    env.write("docs/ponds.md", "---\nowner: bob\n---\nA heron hunts.\n");
    env.write("docs/kitchen.md", "---\nowner: ann\n---\nBake bread in the oven.\n");
    env
}

fn ingest(env: &TestEnv) -> Value {
    env.json(["ingest", "docs", "--model", "./splade-folder", "--transform", "none", "--json"], 0)
}

/// The documents of hits.
fn documents(hits: &[Value]) -> Vec<&str> {
    hits.iter().map(|it| it["document"]["uri"].as_str().unwrap()).collect()
}

fn found(env: &TestEnv, args: &[&str]) -> Vec<String> {
    documents(&env.hits(args)).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_sparse_model_finds_what_is_said_in_other_words() {
    let env = with_model("word-splade");
    let report = ingest(&env);
    assert_eq!((&report["added"], &report["filled"]["whole"]), (&3.into(), &true.into()));
    let info = env.json(["info", "--json"], 0);
    let model = &info["models"][0];
    assert_eq!(
        (&model["kind"], &model["dimension"], &model["whole"]),
        (&"sparse".into(), &23.into(), &true.into())
    );
    assert!(env.run(["info"]).expect_code(0).stdout.contains("sparse over 23 tokens"));
    // No word of these queries stands in the document that is found first.
    for (query, expected) in [("cat", "docs/pets.md"), ("bird", "docs/ponds.md"), ("food", "docs/kitchen.md")]
    {
        assert_eq!(found(&env, &["--vector", query])[0], expected, "{query}");
        assert_eq!(found(&env, &[query])[0], expected, "{query}");
        let _ = env.run(["search", "--text", query]).expect_code(1);
    }
    // Scores are between 0 and 1, in the order of the ranks; what shares no token is not found.
    let hits = env.hits(&["--vector", "cat", "--explain"]);
    let scores: Vec<f64> = hits.iter().map(|it| it["score"].as_f64().unwrap()).collect();
    assert!(
        scores.is_sorted_by(|a, b| a >= b) && scores.iter().all(|it| (0.0..1.0).contains(it)),
        "{scores:?}"
    );
    assert_eq!(hits[0]["scores"]["vector"], hits[0]["score"]);
    assert!(hits[0]["explanation"].as_str().unwrap().starts_with("vector #1 (sparse 0."), "{}", hits[0]);
    let _ = env.run(["search", "--vector", "the"]).expect_code(1);
    let _ = env.run(["search", "--vector", "zebra"]).expect_code(1);
    // The product of "cat oven" with itself halves the score of what is as near as the query.
    let threshold = ((scores[0] + scores[1]) / 2.0).to_string();
    assert_eq!(found(&env, &["--vector", "cat", "--threshold", &threshold]), ["docs/pets.md"]);
    assert_eq!(found(&env, &["--vector", "animal", "--filter", "owner = \"bob\""]), ["docs/ponds.md"]);
    assert_eq!(found(&env, &["--vector", "animal", "--path-prefix", "docs/pets.md"]), ["docs/pets.md"]);
    assert_eq!(found(&env, &["--vector", "animal", "-k", "1"]).len(), 1);
    let with_mmr = found(&env, &["--vector", "animal", "--mmr", "0.5"]);
    assert_eq!(with_mmr[0], found(&env, &["--vector", "animal"])[0]);
    env.verify();
}

#[test]
fn hybrid_search_gives_every_candidate_both_scores() {
    let env = with_model("word-splade");
    ingest(&env);
    let hits = env.hits(&["cat oven"]);
    assert_eq!(hits.len(), 3);
    for hit in &hits {
        assert!(hit["scores"]["vector"].as_f64().unwrap() > 0.0, "{hit}");
    }
    assert!(hits.iter().any(|it| it["scores"]["bm25"].is_number()));
    // A document with the word, and nothing of what the model knows.
    env.write("docs/other.md", "Zanzibar and the\n");
    let _ = env.run(["ingest", "docs"]).expect_code(0);
    let hits = env.hits(&["zanzibar cat"]);
    let other = hits.iter().find(|it| it["document"]["uri"] == "docs/other.md").unwrap();
    assert_eq!((&other["scores"]["vector"], &other["ranks"]["vector"]), (&json!(0.0), &Value::Null));
    env.verify();
}

#[test]
fn documents_come_and_go_and_the_vectors_follow() {
    let env = with_model("word-splade");
    ingest(&env);
    env.write("docs/puppy.md", "A puppy sleeps.\n");
    assert_eq!(env.json(["ingest", "docs", "--transform", "none", "--json"], 0)["added"], 1);
    assert_eq!(found(&env, &["--vector", "dog"])[0], "docs/puppy.md");
    env.verify();
    fs::remove_file(env.path("docs/puppy.md")).unwrap();
    env.write("docs/pets.md", "Bake fish in the oven.\n");
    let args = ["ingest", "docs", "--transform", "none", "--refresh", "changed", "--prune", "--json"];
    let report = env.json(args, 0);
    assert_eq!((&report["refreshed"], &report["removed"]), (&1.into(), &1.into()));
    assert!(!found(&env, &["--vector", "dog"]).contains(&"docs/puppy.md".to_owned()));
    assert_eq!(found(&env, &["--vector", "fish"])[0], "docs/pets.md");
    env.verify();
    let before = env.hits(&["--vector", "animal food"]);
    let _ = env.run(["reindex"]).expect_code(0);
    assert_eq!(env.hits(&["--vector", "animal food"]), before);
    // However the documents came, the scores are those of an index made at once.
    let fresh = ["search", "--vector", "animal food", "--json", "--index", "fresh"];
    let _ =
        env.run(["ingest", "docs", "--model", "./splade-folder", "--transform", "none", "--index", "fresh"]);
    let scores = |hits: &[Value]| hits.iter().map(|it| it["score"].clone()).collect::<Vec<_>>();
    assert_eq!(scores(env.json(fresh, 0)["hits"].as_array().unwrap()), scores(&before));
    env.verify();
}

#[test]
fn dense_and_sparse_models_stand_side_by_side() {
    let env = with_model("word-splade");
    let _ = env.run(["ingest", "docs", "--transform", "none"]).expect_code(0);
    let dense = env.hits(&["--vector", "cat"]);
    let report = env.json(["reembed", "--model", "./splade-folder", "--keep", "--json"], 0);
    assert_eq!((&report["embedded"], &report["whole"]), (&3.into(), &true.into()));
    let kinds = |env: &TestEnv| {
        let info = env.json(["info", "--json"], 0);
        info["models"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["kind"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(&env), ["sparse", "dense"]);
    assert_eq!(env.hits(&["--vector", "cat", "--model", "static"]), dense);
    assert_eq!(found(&env, &["--vector", "cat", "--model", "splade-folder"])[0], "docs/pets.md");
    assert_eq!(found(&env, &["--vector", "cat"])[0], "docs/pets.md");
    env.write("docs/puppy.md", "A puppy sleeps.\n");
    let _ = env.run(["ingest", "docs"]).expect_code(0);
    for model in ["static", "splade-folder"] {
        assert_eq!(found(&env, &["--vector", "puppy", "--model", model])[0], "docs/puppy.md", "{model}");
    }
    env.verify();
    let _ = env.run(["reembed", "--drop", "static"]).expect_code(0);
    let _ = env.run(["reembed", "--model", "static"]).expect_code(0);
    assert_eq!(kinds(&env), ["dense"]);
    env.verify();
}

#[test]
fn queries_of_a_model_for_documents_need_no_model() {
    let env = with_model("word-splade-doc");
    ingest(&env);
    assert_eq!(found(&env, &["--vector", "Cat?"])[0], "docs/pets.md");
    // A query has no related words of its own.
    assert_eq!(found(&env, &["--vector", "heron"]), ["docs/ponds.md"]);
    env.verify();
}

#[test]
fn evaluation_and_measuring_take_sparse_models() {
    let env = with_model("word-splade");
    env.write(
        "set/corpus.jsonl",
        "{\"_id\": \"d1\", \"title\": \"\", \"text\": \"The kitten sleeps\"}\n{\"_id\": \"d2\", \"title\": \"\", \"text\": \"Bake bread\"}\n",
    );
    env.write(
        "set/queries.jsonl",
        "{\"_id\": \"q1\", \"text\": \"cat\"}\n{\"_id\": \"q2\", \"text\": \"food\"}\n",
    );
    env.write("set/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n");
    let args =
        ["eval", "run", "--beir", "set", "--model", "./splade-folder", "--mode", "vector,hybrid", "--json"];
    let report = env.json(args, 0);
    let runs = report["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    for run in runs {
        assert_eq!(run["means"]["success@1"], 1.0, "{run}");
    }
}

#[test]
fn a_damaged_file_is_replaced_by_the_database_and_told() {
    let env = with_model("word-splade");
    ingest(&env);
    let expected = env.hits(&["--vector", "animal"]);
    let path = env.vector_file("postings");
    let whole = fs::read(&path).unwrap();
    for bytes in
        [&whole[..whole.len() - 1], b"", b"something else that is long enough for a header of a file"]
    {
        fs::write(&path, bytes).unwrap();
        assert_eq!(env.hits(&["--vector", "animal"]), expected);
        let run = env.run(["search", "--vector", "animal"]).expect_code(0);
        assert!(run.stderr.contains("the vectors cannot be opened"), "{}", run.stderr);
        assert!(env.run(["verify"]).expect_code(2).stdout.contains("FAIL every chunk has its vector"));
    }
    let mut flipped = whole.clone();
    let last = flipped.len() - 1;
    flipped[last] ^= 1;
    fs::write(&path, flipped).unwrap();
    let run = env.run(["verify"]).expect_code(2);
    assert!(run.stdout.contains("the content does not fit its stamp"), "{}", run.stdout);
    fs::remove_file(&path).unwrap();
    assert_eq!(env.hits(&["--vector", "animal"]), expected);
    let _ = env.run(["reindex"]).expect_code(0);
    assert_eq!(env.hits(&["--vector", "animal"]), expected);
    env.verify();
}

#[test]
fn an_index_of_the_format_before_is_read_and_brought_up_to_date() {
    let env = with_model("word-splade");
    let _ = env.run(["ingest", "docs", "--transform", "none"]).expect_code(0);
    let before = env.hits(&["--vector", "cat"]);
    let database = Connection::open(env.path(".ragctl/ragctl.db")).unwrap();
    database
        .execute_batch(
            "ALTER TABLE model DROP COLUMN kind; PRAGMA user_version = 2; PRAGMA wal_checkpoint(TRUNCATE)",
        )
        .unwrap();
    drop(database);
    assert_eq!(env.hits(&["--vector", "cat"]), before);
    assert_eq!(env.json(["info", "--json"], 0)["model"]["kind"], "dense");
    env.write("docs/puppy.md", "A puppy sleeps.\n");
    let _ = env.run(["ingest", "docs"]).expect_code(0);
    let _ = env.run(["reembed", "--model", "./splade-folder"]).expect_code(0);
    assert_eq!(found(&env, &["--vector", "dog"])[0], "docs/puppy.md");
    env.verify();
}

#[test]
fn folders_that_cannot_be_used_are_told_with_file_and_cause() {
    let check = |change: &dyn Fn(&TestEnv), expected: &[&str]| {
        let env = with_model("tiny-splade");
        change(&env);
        let run = env.run(["ingest", "docs", "--model", "./splade-folder"]).expect_code(2);
        for part in expected.iter().chain(&["hint: "]) {
            assert!(run.stderr.contains(part), "'{part}' is not in: {}", run.stderr);
        }
        assert!(!env.path(".ragctl/ragctl.db").exists());
    };
    let write = |name: &'static str, content: &'static str| {
        move |env: &TestEnv| env.write(&format!("splade-folder/{name}"), content)
    };
    check(
        &|env| {
            fs::copy(
                testdata("embed/tiny-bert/model.safetensors"),
                env.path("splade-folder/model.safetensors"),
            )
            .unwrap();
        },
        &["model.safetensors", "no whole head of a masked language model", "ForMaskedLM"],
    );
    check(
        &write("1_SpladePooling/config.json", "{\"pooling_strategy\": \"mean\"}"),
        &["1_SpladePooling/config.json", "pooling_strategy 'mean'"],
    );
    check(
        &write("vocab.txt", "[UNK]\n[CLS]\n[SEP]\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"),
        &["more tokens than the model"],
    );
    check(&write("modules.json", "[{\"path\": \"\", \"type\": \"a.Router\"}]"), &["router_config.json"]);
    let remove = |env: &TestEnv| fs::remove_file(env.path("splade-folder/model.safetensors")).unwrap();
    check(&|env| remove(env), &["model.safetensors"]);
    let pickled = |env: &TestEnv| {
        remove(env);
        env.write("splade-folder/pytorch_model.bin", "");
    };
    check(&pickled, &["pytorch_model.bin are not read"]);
}
