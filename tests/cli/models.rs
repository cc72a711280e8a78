//! Embedding models of an index: filling in, switching, two side by side.

use std::process::Stdio;
use std::time::Duration;

use crate::env::TestEnv;

/// A few short documents: a test build embeds slowly.
fn with_notes() -> TestEnv {
    let env = TestEnv::new();
    env.write("notes/heron.md", "# Herons\n\nLong-legged birds of ponds.\n");
    env.write("notes/tax.md", "# Tax\n\nForms are due in spring.\n");
    env.write("notes/bread.md", "# Bread\n\nKnead the dough.\n");
    env
}

fn models(env: &TestEnv) -> Vec<(String, bool)> {
    let info = env.json(["info", "--json"], 0);
    let models = info["models"].as_array().unwrap();
    models
        .iter()
        .map(|it| (it["name"].as_str().unwrap().to_owned(), it["whole"].as_bool().unwrap()))
        .collect()
}

fn best(env: &TestEnv, args: &[&str]) -> String {
    env.hits(args)[0]["document"]["uri"].as_str().unwrap().to_owned()
}

#[test]
fn a_better_model_is_filled_in_and_takes_over() {
    let env = with_notes();
    let report = env.json(["ingest", "notes", "--model", "minilm", "--json"], 0);
    assert_eq!(
        (&report["added"], &report["filled"]["embedded"], &report["filled"]["whole"]),
        (&3.into(), &3.into(), &true.into())
    );
    assert_eq!(models(&env), [("minilm".to_owned(), true)]);
    assert_eq!(best(&env, &["--vector", "animals with feathers"]), "notes/heron.md");
    env.verify();
    // New documents are embedded at once, whether the model is named again or not.
    env.write("notes/cat.md", "# Cats\n\nThey purr.\n");
    let report = env.json(["ingest", "notes", "--json"], 0);
    assert_eq!((&report["added"], report.get("filled")), (&1.into(), None));
    assert_eq!(best(&env, &["--vector", "a kitten"]), "notes/cat.md");
    env.verify();
    let _ = env.run(["reindex"]).expect_code(0);
    env.verify();
}

#[test]
fn reembed_keeps_two_models_side_by_side_and_search_chooses() {
    let env = with_notes();
    let _ = env.run(["ingest", "notes"]).expect_code(0);
    let refused = env.run(["search", "--model", "minilm", "birds"]).expect_code(2);
    assert!(refused.stderr.contains("ragctl reembed --model minilm"), "{}", refused.stderr);
    let refused = env.run(["ingest", "notes", "--model", "minilm"]).expect_code(2);
    assert!(refused.stderr.contains("ragctl reembed --model minilm"), "{}", refused.stderr);
    let before = env.json(["search", "--vector", "--json", "birds"], 0);
    let report = env.json(["reembed", "--model", "minilm", "--keep", "--json"], 0);
    assert_eq!(
        (&report["model"], &report["embedded"], &report["whole"]),
        (&"minilm".into(), &3.into(), &true.into())
    );
    assert_eq!(models(&env), [("minilm".to_owned(), true), ("static".to_owned(), true)]);
    let with_static = env.json(["search", "--vector", "--model", "static", "--json", "birds"], 0);
    assert_eq!(with_static["hits"], before["hits"]);
    assert_eq!(env.json(["search", "--vector", "--json", "birds"], 0)["index"]["model"], "minilm");
    env.write("notes/cat.md", "# Cats\n\nThey purr.\n");
    let _ = env.run(["ingest", "notes"]).expect_code(0);
    for model in ["static", "minilm"] {
        assert_eq!(env.hits(&["--vector", "--model", model, "cats"]).len(), 4, "{model}");
    }
    env.verify();
    let _ = env.run(["reembed", "--drop", "static"]).expect_code(0);
    assert_eq!(models(&env), [("minilm".to_owned(), true)]);
    let _ = env.run(["reembed", "--drop", "minilm"]).expect_code(2);
    let _ = env.run(["reembed", "--drop", "nothing"]).expect_code(2);
    env.verify();
    // And back, without --keep: the model before goes.
    let _ = env.run(["reembed", "--model", "static"]).expect_code(0);
    assert_eq!(models(&env), [("static".to_owned(), true)]);
    assert_eq!(best(&env, &["--vector", "cats"]), "notes/cat.md");
    env.verify();
}

#[test]
fn a_killed_reembed_goes_on_where_it_was_and_searches_go_on_meanwhile() {
    const N: u64 = 10;
    let env = TestEnv::new();
    for at in 0..N {
        env.write(&format!("notes/{at}.md"), format!("{at} of many\n"));
    }
    let _ = env.run(["ingest", "notes"]).expect_code(0);
    let before = env.run(["search", "--json", "number 7"]).expect_code(0).stdout;
    let mut child = env
        .command(["reembed", "--model", "minilm", "-j", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Until something is kept; a model that is whole has all.
    let embedded = || {
        let info = env.json(["info", "--json"], 0);
        let model = info["models"].as_array().unwrap().iter().find(|it| it["name"] == "minilm").cloned();
        model.map_or(0, |it| it["embedded"].as_u64().unwrap_or(N))
    };
    while embedded() == 0 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    env.verify();
    let n_kept = embedded();
    if models(&env).len() == 2 {
        assert_eq!(env.run(["search", "--json", "number 7"]).expect_code(0).stdout, before);
        let run = env.run(["search", "number 7"]).expect_code(0);
        assert!(run.stderr.contains("still being filled in"), "{}", run.stderr);
    }
    // Without a name it goes on with the one that was begun.
    let report = match models(&env).len() {
        2 => env.json(["reembed", "--json"], 0),
        _ => env.json(["reembed", "--model", "minilm", "--json"], 0),
    };
    assert_eq!((&report["kept"], &report["embedded"]), (&n_kept.into(), &(N - n_kept).into()));
    assert_eq!(models(&env), [("minilm".to_owned(), true)]);
    env.verify();
}
