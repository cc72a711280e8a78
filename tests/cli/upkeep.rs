//! `info`, `remove`, `verify`, `reindex`, `schema`; and what survives crashes, other writers and damage.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::env::TestEnv;

#[test]
fn info_counts_what_the_index_holds() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let info = env.json(["info", "--json"], 0);
    assert_eq!((&info["schema"], &info["documents"]), (&"ragctl.info/1".into(), &7.into()));
    assert_eq!((&info["model"]["name"], &info["model"]["dimension"]), (&"static".into(), &256.into()));
    for size in ["database", "text", "vectors"] {
        assert!(info["disk"][size].as_u64().unwrap() > 0, "{size}");
    }
    assert_eq!(info["degraded"], serde_json::json!([]));
    let listed = env.json(["list", "--json"], 0);
    let sum: u64 =
        listed["documents"].as_array().unwrap().iter().map(|it| it["chunks"].as_u64().unwrap()).sum();
    assert_eq!(info["chunks"].as_u64().unwrap(), sum);
}

#[test]
fn doctor_says_what_is_broken_and_what_to_do() {
    let env = TestEnv::with_docs();
    let looked = |code: i32, name: &str| {
        let answer = env.json(["doctor", "--json"], code);
        assert_eq!(answer["ok"], code == 0, "{answer}");
        let checks = answer["checks"].as_array().unwrap().clone();
        for whole in ["program", "settings", "reader process", "built-in model"] {
            assert!(checks.iter().any(|it| it["name"] == whole && it["state"] == "ok"), "{answer}");
        }
        checks.into_iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("no {name}: {answer}"))
    };
    let none = looked(0, "index");
    assert_eq!(none["state"], "note");
    assert!(none["hint"].as_str().unwrap().starts_with("ragctl ingest"), "{none}");
    env.ingest_docs();
    assert_eq!(looked(0, "index")["state"], "ok");
    fs::remove_file(env.path("docs/reference/errors.txt")).unwrap();
    let gone = looked(0, "sources");
    assert_eq!(
        (&gone["state"], &gone["detail"]),
        (&"note".into(), &"the files of 1 document are not there any more".into())
    );
    for entry in fs::read_dir(env.path(".ragctl")).unwrap().map(Result::unwrap) {
        if entry.file_name().to_string_lossy().starts_with("text-") {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
    let broken = env.run(["doctor"]).expect_code(2).stdout;
    assert!(broken.contains("PROBLEM index: ") && broken.contains("ragctl reindex"), "{broken}");
    let _ = env.run(["reindex"]).expect_code(0);
    assert_eq!(looked(0, "index")["state"], "ok");
    fs::write(env.path(".ragctl/config.toml"), "base_filter = 1").unwrap();
    assert!(looked(2, "index")["hint"].as_str().unwrap().contains("base_filter"));
}

#[test]
fn remove_takes_a_document_out_of_every_search() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let dry = env.run(["remove", "docs/reference/errors.txt", "--dry-run"]).expect_code(0);
    assert_eq!(dry.stdout, "would remove docs/reference/errors.txt\n");
    assert!(!env.hits(&["--text", "ERR_KEY_TOO_LONG"]).is_empty());
    let _ = env.run(["remove", "docs/reference/errors.txt"]).expect_code(0);
    let _ = env.run(["search", "--regex", "ERR_KEY_TOO_LONG"]).expect_code(1);
    for mode in ["--text", "--vector", "--hybrid"] {
        let hits = env.hits(&[mode, "keys have at most 512 bytes", "-k", "100"]);
        assert!(hits.iter().all(|it| it["document"]["uri"] != "docs/reference/errors.txt"), "{mode}");
    }
    env.verify();
    assert!(env.path("docs/reference/errors.txt").exists());
    let _ = env.run(["remove", "docs/reference/errors.txt"]).expect_code(1);
    assert_eq!(
        env.json(["remove", "-r", "docs/guides", "--json"], 0)["removed"].as_array().unwrap().len(),
        2
    );
    env.verify();
}

#[test]
fn missing_and_stale_artefacts_are_replaced_by_slow_right_answers_and_mended() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let queries =
        [["--text", "restore snapshot"], ["--vector", "restore snapshot"], ["--hybrid", "restore snapshot"]];
    let ids = |env: &TestEnv| -> Vec<Vec<String>> {
        queries
            .iter()
            .map(|query| env.hits(query).iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect())
            .collect()
    };
    let before = ids(&env);
    let index = env.path(".ragctl");
    for entry in fs::read_dir(&index).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.starts_with("text-") {
            fs::remove_dir_all(path).unwrap();
        } else if name.ends_with(".i8") {
            fs::write(path, b"short").unwrap();
        }
    }
    let run = env.run(["search", "restore snapshot"]).expect_code(0);
    assert!(run.stderr.contains("ragctl reindex"), "{}", run.stderr);
    assert_eq!(ids(&env), before);
    let _ = env.run(["verify"]).expect_code(2);
    let _ = env.run(["reindex"]).expect_code(0);
    env.verify();
    assert_eq!(ids(&env), before);
}

#[test]
fn verify_finds_damage() {
    let check = |sql: &str, expected: &str| {
        let env = TestEnv::with_docs();
        env.ingest_docs();
        env.verify();
        let database = rusqlite::Connection::open(env.path(".ragctl/ragctl.db")).unwrap();
        assert!(database.execute(sql, []).unwrap() > 0, "{sql}");
        drop(database);
        let verified = env.json(["verify", "--json"], 2);
        let failed: Vec<&str> = verified["checks"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|it| it["ok"] == false)
            .map(|it| it["name"].as_str().unwrap())
            .collect();
        assert!(failed.contains(&expected), "{sql}: {failed:?}");
    };
    check(
        "UPDATE chunk SET urtext = 'x' || substr(urtext, 2) WHERE sequence = 0",
        "source locations hold the urtext",
    );
    check("UPDATE chunk SET overlap = overlap + 1 WHERE sequence = 1", "chunks tile the text");
    check("UPDATE chunk SET position = 7 WHERE sequence = 1", "ids are unique and structure counts agree");
    check("UPDATE section SET stop = stop - 1 WHERE position = 1", "sections nest and tile the text");
    check(
        "DELETE FROM embedding WHERE rowid IN (SELECT rowid FROM embedding LIMIT 1)",
        "every chunk has its vector",
    );
    check("DELETE FROM chunk WHERE row = (SELECT max(row) FROM chunk)", "every chunk has its text entry");
    check("UPDATE setting SET value = '9' WHERE key = 'generation'", "generation stamps agree");
}

#[test]
fn a_changed_source_is_remarked_and_no_damage() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    env.write("docs/README.md", "changed");
    fs::remove_file(env.path("docs/reference/errors.txt")).unwrap();
    let run = env.run(["verify"]).expect_code(0);
    assert!(run.stdout.contains("1 files changed and 1 gone"), "{}", run.stdout);
}

#[test]
fn a_killed_ingest_leaves_a_whole_index_and_the_next_run_finishes() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let before = env.run(["search", "--json", "cache"]).expect_code(0).stdout;
    for at in 0..400 {
        env.write(
            &format!("docs/many/{at}.md"),
            format!("# Number {at}\n\n{}\n", "Many words about herons. ".repeat(200)),
        );
    }
    for delay in [5, 20, 60, 150] {
        let mut child =
            env.command(["ingest", "docs"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        env.verify();
        let list = env.json(["list", "--json"], 0);
        if list["documents"].as_array().unwrap().len() == 7 {
            assert_eq!(env.run(["search", "--json", "cache"]).expect_code(0).stdout, before);
        }
    }
    env.ingest_docs();
    env.verify();
    assert_eq!(env.json(["info", "--json"], 0)["documents"], 407);
    assert_eq!(env.hits(&["--text", "herons", "-k", "1000"]).len() as u64, {
        let list = env.json(["list", "docs/many", "--json"], 0);
        list["documents"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["chunks"].as_u64().unwrap())
            .sum::<u64>()
            .min(1000)
    });
}

#[test]
fn a_second_writer_waits_and_then_says_who_writes() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let lock = fs::File::options().read(true).write(true).open(env.path(".ragctl/lock")).unwrap();
    lock.lock().unwrap();
    let started = Instant::now();
    let refused = env.run(["ingest", "docs", "--refresh", "always", "--lock-timeout", "0.3"]).expect_code(2);
    assert!(started.elapsed() >= Duration::from_millis(300));
    assert!(refused.stderr.contains("being written by process"), "{}", refused.stderr);
    // Searches go on.
    let _ = env.run(["search", "cache"]).expect_code(0);
    let waiting = env
        .command(["ingest", "docs", "--refresh", "always", "--lock-timeout", "30"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(200));
    lock.unlock().unwrap();
    assert!(waiting.wait_with_output().unwrap().status.success());
    env.verify();
}

#[test]
fn two_ingests_at_once_both_arrive() {
    let env = TestEnv::with_docs();
    let children: Vec<_> = ["docs/guides", "docs/reference", "docs/README.md"]
        .iter()
        .map(|path| env.command(["ingest", path]).stderr(Stdio::piped()).spawn().unwrap())
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(env.json(["info", "--json"], 0)["documents"], 7);
    env.verify();
}

#[test]
fn many_small_ingests_are_compacted_and_search_stays_exact() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    for round in 0..14 {
        for at in 0..3 {
            env.write(
                &format!("docs/{at}.md"),
                format!("# Round {round}\n\nThe heron number {at} of round {round}.\n"),
            );
        }
        let _ = env.run(["ingest", "docs", "--refresh", "changed"]).expect_code(0);
    }
    env.verify();
    let segments = fs::read_dir(env.path(".ragctl"))
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".ids"));
    assert!(segments.count() <= 9);
    let hits = env.hits(&["--vector", "heron of the round", "-k", "1000"]);
    let fresh = TestEnv::new();
    crate::env::copy_folder(&env.path("docs"), &fresh.path("docs"));
    fresh.ingest_docs();
    let fresh_hits = fresh.hits(&["--vector", "heron of the round", "-k", "1000"]);
    let scores = |hits: &[serde_json::Value]| {
        hits.iter()
            .map(|it| (it["id"].to_string(), it["score"].to_string()))
            .collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(scores(&hits), scores(&fresh_hits));
}

#[test]
fn other_formats_and_other_folders_are_refused() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let database = rusqlite::Connection::open(env.path(".ragctl/ragctl.db")).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    drop(database);
    for args in [&["search", "x"][..], &["ingest", "docs"], &["info"], &["verify"]] {
        let run = env.run(args).expect_code(2);
        assert!(run.stderr.contains("format 99") && run.stderr.contains("hint:"), "{}", run.stderr);
    }
    env.write("other/ragctl.db", "this is no database, but it is long enough to look like one. ".repeat(40));
    let run = env.run(["search", "x", "--index", "other"]).expect_code(2);
    assert!(run.stderr.contains("is not an index"), "{}", run.stderr);
    let run = env.run(["search", "x", "--index", "nowhere"]).expect_code(2);
    assert!(run.stderr.contains("nowhere"), "{}", run.stderr);
}

#[test]
fn schemas_describe_what_is_printed() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let kinds = env.run(["schema"]).expect_code(0).stdout;
    assert!(kinds.lines().count() >= 10);
    for line in kinds.lines() {
        let name = line.split_whitespace().next().unwrap();
        let schema = env.json(["schema", name], 0);
        assert_eq!(schema["$id"], format!("ragctl.{name}/1"));
    }
    let schema = env.json(["schema", "search"], 0);
    let answer = env.json(["search", "cache", "--json"], 0);
    let allowed = schema["properties"].as_object().unwrap();
    for key in answer.as_object().unwrap().keys() {
        assert!(allowed.contains_key(key), "{key}");
    }
    for key in schema["required"].as_array().unwrap() {
        assert!(answer.get(key.as_str().unwrap()).is_some(), "{key}");
    }
    // What is left out at times is not required.
    let chunk = env.json(["schema", "chunk"], 0);
    assert!(!chunk["required"].as_array().unwrap().contains(&"anchor".into()));
    let _ = env.run(["schema", "nothing"]).expect_code(2);
}

#[test]
fn remove_takes_whole_documents_that_are_named() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let hit = env.hits(&["--text", "stampede"])[0].clone();
    for id in [&hit["id"], &hit["section"]["id"]] {
        let refused = env.run(["remove", id.as_str().unwrap()]).expect_code(2);
        assert!(refused.stderr.contains("part of"), "{}", refused.stderr);
    }
    for empty in [&["remove", ""][..], &["remove", "-r", ""], &["remove", "-r", " "]] {
        let _ = env.run(empty).expect_code(2);
    }
    assert_eq!(env.json(["info", "--json"], 0)["documents"], 7);
    let _ = env.run(["remove", hit["document"]["id"].as_str().unwrap()]).expect_code(0);
    assert_eq!(env.json(["info", "--json"], 0)["documents"], 6);
}

#[test]
fn verify_finds_scrambled_vectors() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let path = env.vector_file("i8");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64].iter_mut().for_each(|byte| *byte = byte.wrapping_mul(7).wrapping_add(13));
    fs::write(&path, bytes).unwrap();
    assert!(env.run(["verify"]).expect_code(2).stdout.contains("FAIL every chunk has its vector"));
}

#[test]
fn an_empty_environment_variable_names_no_index() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let mut command = env.command(["info"]);
    assert!(command.env("RAGCTL_INDEX", "").output().unwrap().status.success());
    let mut command = env.command(["info"]);
    assert_eq!(command.env("RAGCTL_INDEX", "nowhere").output().unwrap().status.code(), Some(2));
}
