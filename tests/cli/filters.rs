//! Filtered searches give what an exhaustive search gives and a filter lets pass: in every mode, for any filter.

use std::borrow::Cow;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use ragctl::embed;
use ragctl::filter::{self, Bindings, Builtin, Filter, Record};
use ragctl::search::{Hit, Mode, SearchRequest, search};
use ragctl::store::embedded::{EmbeddedStore, Need};
use ragctl::store::{Pattern, PatternOptions, PatternOrder, Scope, Store};

use crate::env::TestEnv;

/// Documents with every kind of metadata, some of it missing.
fn env() -> TestEnv {
    let env = TestEnv::new();
    let words = ["alpaca", "basin", "cedar", "delta", "ember", "fjord", "grove"];
    for n in 0..70_usize {
        let mut page = format!("---\nn: {n}\n");
        if n % 3 != 0 {
            page += &format!("status: {}\n", ["draft", "final", "Final"][n % 3]);
        }
        if n % 4 == 0 {
            page += &format!("tags: [{}, {}]\n", words[n % 7], words[n / 7 % 7]);
        }
        if n % 5 < 2 {
            page += &format!("archived: {}\ndate: 2024-{:02}-11\n", n % 2 == 0, n % 12 + 1);
        }
        page += &format!("---\n# Page {}\n\n", words[n % 7]);
        for part in 0..3 {
            let at = |k: usize| words[(n * 5 + part * 3 + k * k) % 7];
            page += &format!(
                "## Part {}\n\n{} {} and {} near {}. Number {n}.\n\n",
                at(9),
                at(1),
                at(2),
                at(3),
                at(4)
            );
        }
        env.write(&format!("docs/{}/page-{n}.md", ["north", "south"][n % 2]), page);
    }
    let _ = env.run(["ingest", "docs"]).expect_code(0);
    env
}

fn comparison() -> impl Strategy<Value = String> {
    prop_oneof![
        (prop::sample::select(vec!["=", "!=", "<", "<=", ">", ">="]), 0..70)
            .prop_map(|(op, n)| format!("n {op} {n}")),
        Just("status = \"final\"".to_owned()),
        Just("status IEQUALS \"FINAL\"".to_owned()),
        Just("status IN (\"draft\", \"none\")".to_owned()),
        Just("status IS NULL".to_owned()),
        Just("tags HAS \"cedar\"".to_owned()),
        Just("archived = true".to_owned()),
        Just("archived".to_owned() + " = false"),
        (1..13).prop_map(|month| format!("date >= \"2024-{month:02}-01\"")),
        Just("uri STARTS WITH \"docs/north\"".to_owned()),
        (0..10).prop_map(|digit| format!("uri LIKE \"%{digit}.md\"")),
        prop::sample::select(vec!["alpaca", "basin", "cedar"])
            .prop_map(|word| format!("section = \"Part {word}\"")),
        Just("title CONTAINS \"delta\"".to_owned()),
        Just("missing = 1".to_owned()),
    ]
}

fn expression() -> impl Strategy<Value = String> {
    comparison().prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| format!("({})", parts.join(" AND "))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| format!("({})", parts.join(" OR "))),
            inner.prop_map(|part| format!("NOT ({part})")),
        ]
    })
}

/// A hit as the reference meaning of filters sees it.
struct Seen<'a>(&'a Hit);

impl Record for Seen<'_> {
    fn metadata(&self, key: &str) -> Option<&serde_json::Value> {
        self.0.passage.document.metadata.get(key)
    }

    fn builtin(&self, key: Builtin) -> Option<Cow<'_, str>> {
        let document = &self.0.passage.document;
        Some(match key {
            Builtin::Uri => Cow::Borrowed(document.uri.as_str()),
            Builtin::Title => Cow::Borrowed(document.title.as_str()),
            Builtin::MediaType => Cow::Borrowed(document.media_type.as_str()),
            Builtin::IngestedAt => Cow::Owned(document.ingested_at.to_string()),
            Builtin::Section => Cow::Borrowed(self.0.passage.section.as_ref()?.section.title.as_str()),
            Builtin::Labels => return None,
        })
    }

    fn has_label(&self, label: &str) -> bool {
        self.0.passage.document.labels.contains(label)
    }
}

fn hits(store: &dyn Store, mode: &Mode, query: &str, filters: Vec<Filter>, top_k: usize) -> Vec<Hit> {
    let request = SearchRequest {
        query: query.to_owned(),
        syntax: Default::default(),
        mode: mode.clone(),
        top_k,
        threshold: None,
        gate: None,
        stages: Default::default(),
        n_neighbours: 0,
        scope: Scope { filters, ..Scope::default() },
    };
    let model = embed::embedder(embed::DEFAULT_MODEL).unwrap();
    search(store, &mut || Ok(Arc::clone(&model)), &request).unwrap().hits
}

#[test]
fn filtered_searches_equal_exhaustive_ones() {
    let env = env();
    let store = EmbeddedStore::open(&env.path(".ragctl"), Need::ALL).unwrap();
    let pattern = Pattern::new("(cedar|delta)", PatternOptions::default()).unwrap();
    let modes = [
        (Mode::Vector, "cedar near the delta"),
        (Mode::Text, "cedar delta grove"),
        (Mode::Regex { pattern, order: PatternOrder::Document }, "(cedar|delta)"),
    ];
    let unfiltered: Vec<Vec<Hit>> =
        modes.iter().map(|(mode, query)| hits(&store, mode, query, Vec::new(), 1_000)).collect();
    assert!(unfiltered.iter().all(|hits| hits.len() > 50), "the exhaustive lists are worth filtering");
    let n_passing = std::cell::RefCell::new(Vec::new());
    let mut runner = TestRunner::new(Config { cases: 1_200, failure_persistence: None, ..Config::default() });
    let k = prop_oneof![1_usize..20, Just(1_000)];
    let result = runner.run(&(expression(), k, 0..modes.len()), |(text, k, at)| {
        let filter = filter::parse(&text, &Bindings::new()).unwrap();
        let (mode, query) = &modes[at];
        let passing: Vec<&Hit> = unfiltered[at].iter().filter(|hit| filter.matches(&Seen(hit))).collect();
        n_passing.borrow_mut().push(passing.len());
        let key = |hit: &Hit| (hit.passage.chunk.row, hit.score.to_bits());
        let found: Vec<_> = hits(&store, mode, query, vec![filter], k).iter().map(key).collect();
        let expected: Vec<_> = passing.into_iter().take(k).map(key).collect();
        prop_assert_eq!(found, expected, "{} with {}", mode.name(), text);
        Ok(())
    });
    result.unwrap();
    let n_passing = n_passing.into_inner();
    assert!(n_passing.contains(&0) && n_passing.iter().any(|&n| n > 40), "filters of every selectivity");
}

#[test]
fn a_hybrid_search_gives_as_many_hits_as_pass_and_no_others() {
    let env = env();
    let store = EmbeddedStore::open(&env.path(".ragctl"), Need::ALL).unwrap();
    for (text, k) in
        [("n < 4", 50), ("n >= 60 AND status IS NULL", 5), ("section = \"Part cedar\"", 200), ("n = 1000", 5)]
    {
        let filter = filter::parse(text, &Bindings::new()).unwrap();
        let found = hits(&store, &Mode::Hybrid(Default::default()), "cedar delta", vec![filter.clone()], k);
        assert!(found.iter().all(|hit| filter.matches(&Seen(hit))), "{text}");
        let passing = hits(&store, &Mode::Vector, "cedar delta", Vec::new(), 1_000);
        let n = passing.iter().filter(|hit| filter.matches(&Seen(hit))).count();
        assert_eq!(found.len(), n.min(k), "{text}");
    }
}
