//! What becomes of candidates: duplicates, diversity, limits, merging, reranking.

use std::sync::Arc;
use std::time::Duration;

use ragctl::embed;
use ragctl::rerank::{RerankError, Reranker};
use ragctl::search::{Found, Mode, Rerank, SearchRequest, Stages, search};
use ragctl::store::EmbeddedStore;
use ragctl::store::Scope;
use ragctl::store::embedded::Need;
use serde_json::Value;

use crate::env::TestEnv;

fn uris(hits: &[Value]) -> Vec<&str> {
    hits.iter().map(|hit| hit["document"]["uri"].as_str().unwrap()).collect()
}

/// Three passages on refunds in one file (and that file once more), one in another.
fn refunds() -> TestEnv {
    let env = TestEnv::new();
    let refunds = "# Refunds\n\n## Window\n\nThe refund window of the Pro plan is thirty days, and a refund is paid in full.\n\n\
                   ## How to ask\n\nAsk for a refund by mail; a refund needs the number of the bill.\n\n\
                   ## Who pays\n\nThe refund is paid by the shop, and never as a voucher.\n";
    env.write("docs/refunds.md", refunds);
    env.write("docs/old/refunds-copy.md", refunds);
    env.write(
        "docs/eu-terms.md",
        "# Terms for the EU\n\nBuyers in the EU may withdraw within fourteen days and get a refund.\n",
    );
    env.write("docs/other.md", "# Shipping\n\nParcels leave on Mondays.\n");
    env.ingest_docs();
    env
}

#[test]
fn at_most_so_many_of_a_document_and_no_more_hits_than_the_cap() {
    let env = refunds();
    let of_refunds = |hits: &[Value]| uris(hits).iter().filter(|it| **it == "docs/refunds.md").count();
    for mode in ["--text", "--hybrid", "--vector", "--regex"] {
        let hits = env.hits(&[
            mode,
            "refund",
            "--per",
            "document:2",
            "--path-prefix",
            "docs/refunds.md",
            "--path-prefix",
            "docs/eu-terms.md",
        ]);
        assert_eq!((hits.len(), of_refunds(&hits)), (3, 2), "{mode}");
        // Room that a stage makes goes to the next candidates.
        let hits = env.hits(&[mode, "refund", "--per", "document:1", "-k", "3"]);
        assert_eq!(hits.len(), 3, "{mode}");
        assert_eq!(env.hits(&[mode, "refund", "--cap", "2", "--per", "document:1"]).len(), 2, "{mode}");
    }
    let _ = env.run(["search", "refund", "--per", "page:2"]).expect_code(2);
}

#[test]
fn a_copy_is_left_out_and_named() {
    let env = refunds();
    let all = env.hits(&["--text", "refund"]);
    assert_eq!(all.len(), 7);
    let answer = env.json(["search", "--json", "--text", "refund", "--dedupe"], 0);
    let hits = answer["hits"].as_array().unwrap();
    assert_eq!(hits.len(), 4);
    assert_eq!(hits.iter().filter(|it| it["duplicates"].is_array()).count(), 3);
    assert_eq!(answer["stages"], serde_json::json!([{"stage": "dedupe", "before": 7, "after": 4}]));
    let left_out = hits.iter().find_map(|it| it["duplicates"][0].as_str()).unwrap();
    assert!(all.iter().any(|it| it["id"] == left_out), "the copy can be looked at");
}

#[test]
fn most_of_a_section_is_the_section() {
    let env = refunds();
    let args = [
        "--text",
        "refund",
        "--auto-merge",
        "--path-prefix",
        "docs/refunds.md",
        "--path-prefix",
        "docs/eu-terms.md",
    ];
    let hits = env.hits(&args);
    assert_eq!(hits.len(), 2);
    let merged = hits.iter().find(|it| it["merged"].is_object()).unwrap();
    assert_eq!(merged["merged"]["total"], 3);
    assert_eq!(merged["merged"]["chunks"].as_array().unwrap().len(), 3);
    assert_eq!(merged["section"]["title"], "Refunds");
    assert_eq!(merged["section"]["id"], merged["merged"]["id"]);
    assert_eq!(merged["id"], merged["merged"]["chunks"][0]);
    // The location is the section's, and its bytes are the urtext.
    let source = std::fs::read(env.path("docs/refunds.md")).unwrap();
    let at = |index: usize| usize::try_from(merged["location"]["bytes"][index].as_u64().unwrap()).unwrap();
    assert_eq!(&source[at(0)..at(1)], merged["urtext"].as_str().unwrap().as_bytes());
    // Neighbours of a section stand outside of it.
    let with_neighbours = env.hits(&[&args[..], &["--expand", "2"]].concat());
    assert_eq!(with_neighbours.len(), 2);
    // With a filter that lets only a part of the section pass, its chunks stay what they are.
    let part = env.hits(&[
        "--text",
        "refund",
        "--auto-merge",
        "--filter",
        "section != \"Who pays\" AND uri = \"docs/refunds.md\"",
    ]);
    assert!(part.len() == 2 && part.iter().all(|it| it["merged"].is_null()), "{part:?}");
}

#[test]
fn neighbours_of_a_merged_section_stand_around_it() {
    let env = TestEnv::new();
    let zebras = |at: usize| format!("Zebra paragraph {at} {}\n\n", "with words ".repeat(60));
    let zebras: String = (0..3).map(zebras).collect();
    env.write("a.md", format!("# A\n\n## Before\n\nIt is early.\n\n## Zebras\n\n{zebras}## After\n\nIt is late.\n\n## Far\n\nAway.\n"));
    let _ = env.run(["ingest", "a.md", "--max-chunk-size", "800"]).expect_code(0);
    for query in ["zebra", "zebra \"paragraph 1\""] {
        let hits = env.hits(&["--text", query, "-k", "3", "--auto-merge", "--expand", "1"]);
        assert!(hits[0]["merged"].is_object(), "{hits:?}");
        let around: Vec<&str> = hits[1..].iter().map(|it| it["urtext"].as_str().unwrap()).collect();
        assert_eq!(around.len(), 2, "{query}: {around:?}");
        assert!(around[0].contains("early") && around[1].contains("late"), "{query}: {around:?}");
    }
}

#[test]
fn diversity_puts_a_copy_behind_what_is_new() {
    let env = refunds();
    let plain = env.hits(&["--vector", "refund window of the Pro plan", "-k", "3"]);
    let urtext = |hit: &Value| hit["urtext"].as_str().unwrap().to_owned();
    assert_eq!(urtext(&plain[0]), urtext(&plain[1]), "the copy is as near");
    let diverse = env.hits(&["--vector", "refund window of the Pro plan", "-k", "3", "--mmr", "0.2"]);
    assert_eq!(urtext(&plain[0]), urtext(&diverse[0]));
    assert_ne!(urtext(&diverse[0]), urtext(&diverse[1]));
    for mode in ["--text", "--hybrid"] {
        let same = env.hits(&[mode, "refund window", "--mmr", "1"]);
        assert_eq!(uris(&same), uris(&env.hits(&[mode, "refund window"])), "{mode}");
    }
    let _ = env.run(["search", "--regex", "refund", "--mmr", "0.5"]).expect_code(2);
}

/// Likes passages that hold a word; counts nothing else.
#[derive(Debug)]
struct Likes {
    word: &'static str,
    pause: Duration,
}

impl Reranker for Likes {
    fn name(&self) -> &str {
        "likes"
    }

    fn fingerprint(&self) -> &str {
        "likes/1"
    }

    fn rerank(&self, _: &str, passages: &[&str], _: Option<Duration>) -> Result<Vec<f32>, RerankError> {
        std::thread::sleep(self.pause);
        Ok(passages.iter().map(|it| if it.contains(self.word) { 3.0 } else { -3.0 }).collect())
    }
}

fn found(env: &TestEnv, likes: Likes, pool: usize, budget: Option<Duration>, stages: Stages) -> Found {
    let store = EmbeddedStore::open(&env.path(".ragctl"), Need::ALL).unwrap();
    let rerank = Some(Rerank { reranker: Arc::new(likes), pool, budget });
    let request = SearchRequest {
        query: "refund".to_owned(),
        syntax: Default::default(),
        mode: Mode::Text,
        top_k: 5,
        threshold: None,
        gate: None,
        stages: Stages { rerank, ..stages },
        n_neighbours: 0,
        scope: Scope::default(),
    };
    let model = embed::embedder(embed::DEFAULT_MODEL).unwrap();
    search(&store, &mut || Ok(Arc::clone(&model)), &request).unwrap()
}

#[test]
fn a_reranker_decides_the_order_of_its_pool() {
    let env = refunds();
    let likes = || Likes { word: "fourteen", pause: Duration::ZERO };
    let it = found(&env, likes(), 50, None, Stages::default());
    assert_eq!(it.hits[0].passage.document.uri, "docs/eu-terms.md");
    assert_eq!((it.hits[0].score, it.hits[0].scores.rerank, it.best.rerank), (3.0, Some(3.0), Some(3.0)));
    assert!(it.hits[1].scores.bm25 >= it.hits[2].scores.bm25, "equal scores keep their order");
    // Behind the pool the order stays.
    let it = found(&env, likes(), 2, None, Stages::default());
    assert_eq!(it.hits.iter().filter(|it| it.scores.rerank.is_some()).count(), 2);
    assert_eq!(it.hits.len(), 5);
    // Later stages work on the new order.
    let it =
        found(&env, likes(), 50, None, Stages { dedupe: true, per_document: Some(1), ..Stages::default() });
    assert_eq!(it.hits[0].passage.document.uri, "docs/eu-terms.md");
    assert_eq!(it.hits.len(), 2);
}

#[test]
fn a_reranker_that_is_too_slow_changes_nothing_and_it_is_said() {
    let env = refunds();
    let slow = Likes { word: "fourteen", pause: Duration::from_millis(20) };
    let it = found(&env, slow, 50, Some(Duration::from_millis(5)), Stages::default());
    assert!(it.hits.iter().all(|it| it.scores.rerank.is_none()));
    assert!(it.hits.windows(2).all(|it| it[0].score >= it[1].score));
    assert!(it.notes[0].starts_with("reranking by 'likes' took more than its 0.005 s"), "{:?}", it.notes);
}

#[test]
fn an_unknown_reranker_is_named() {
    let env = refunds();
    let run = env.run(["search", "refund", "--rerank", "no-such-reranker"]).expect_code(2);
    assert!(run.stderr.contains("no-such-reranker"), "{}", run.stderr);
}
