//! `ragctl ingest`: what is read, refreshed, removed, skipped, and how the run ends.

use std::fs;

use crate::env::TestEnv;

#[test]
fn every_kind_of_document_is_ingested_and_verified() {
    let env = TestEnv::with_docs();
    let report = env.json(["ingest", "docs", "--json"], 0);
    assert_eq!(report["schema"], "ragctl.ingest/1");
    assert_eq!(report["added"], 7);
    assert_eq!(report["failed"].as_array().unwrap().len(), 0);
    assert!(report["chunks"].as_u64().unwrap() >= 20);
    assert!(report["bytes"].as_u64().unwrap() > 5000);
    let list = env.json(["list", "--json"], 0);
    let types: Vec<(&str, &str)> = list["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["uri"].as_str().unwrap(), it["media_type"].as_str().unwrap()))
        .collect();
    assert_eq!(
        types,
        [
            ("docs/README.md", "text/markdown"),
            ("docs/guides/operations.md", "text/markdown"),
            ("docs/guides/performance.md", "text/markdown"),
            ("docs/reference/api.html", "text/html"),
            ("docs/reference/client.py", "text/x-source"),
            ("docs/reference/errors.txt", "text/plain"),
            ("docs/reference/release-notes.pdf", "application/pdf"),
        ]
    );
    env.verify();
}

#[test]
fn the_second_run_reads_nothing_and_says_so() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    for file in ["docs/README.md", "docs/guides/performance.md"] {
        env.write(file, "changed, and nobody looks");
    }
    let run = env.run(["ingest", "docs"]).expect_code(0);
    assert!(
        run.stderr.contains("0 added, 7 unchanged") && run.stderr.contains("nothing to do"),
        "{}",
        run.stderr
    );
    assert_eq!(run.stdout, "");
    let _ = env.run(["search", "--regex", "nobody looks"]).expect_code(1);
    assert!(!env.hits(&["--regex", "Write-behind"]).is_empty());
}

#[test]
fn refresh_changed_replaces_what_changed() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    env.write("docs/guides/performance.md", "# Performance guide\n\nThe zebra crossed.\n");
    let report = env.json(["ingest", "docs", "--refresh", "changed", "--json"], 0);
    assert_eq!((&report["refreshed"], &report["unchanged"]), (&1.into(), &6.into()));
    assert_eq!(env.hits(&["--text", "zebra"]).len(), 1);
    let _ = env.run(["search", "--regex", "Write-through"]).expect_code(1);
    env.verify();
    let report = env.json(["ingest", "docs", "--refresh", "always", "--json"], 0);
    assert_eq!(report["refreshed"], 7);
    let report = env.json(["ingest", "docs", "--refresh", "older-than=1h", "--json"], 0);
    assert_eq!(report["unchanged"], 7);
    env.verify();
}

#[test]
fn an_edit_within_the_same_second_and_of_the_same_size_is_noticed() {
    let env = TestEnv::new();
    env.write("a.md", "# A\n\nfirst\n");
    let _ = env.run(["ingest", "a.md"]).expect_code(0);
    let time = fs::metadata(env.path("a.md")).unwrap().modified().unwrap();
    env.write("a.md", "# A\n\nother\n");
    fs::File::options().write(true).open(env.path("a.md")).unwrap().set_modified(time).unwrap();
    assert_eq!(env.json(["ingest", "a.md", "--refresh", "changed", "--json"], 0)["refreshed"], 1);
}

#[test]
fn refresh_rules_follow_uri_patterns() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let args = ["ingest", "docs", "--refresh", "never", "--refresh", "docs/reference/**:always", "--json"];
    let report = env.json(args, 0);
    assert_eq!((&report["refreshed"], &report["unchanged"]), (&4.into(), &3.into()));
}

#[test]
fn prune_removes_only_what_is_gone_below_the_paths() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    fs::remove_file(env.path("docs/guides/operations.md")).unwrap();
    fs::remove_file(env.path("docs/reference/errors.txt")).unwrap();
    let dry = env.run(["ingest", "docs/guides", "--prune", "--dry-run"]).expect_code(0);
    assert_eq!(dry.stdout, "would remove docs/guides/operations.md\n");
    assert_eq!(env.json(["list", "--json"], 0)["documents"].as_array().unwrap().len(), 7);
    assert_eq!(env.json(["ingest", "docs/guides", "--prune", "--json"], 0)["removed"], 1);
    assert_eq!(env.json(["list", "--json"], 0)["documents"].as_array().unwrap().len(), 6);
    let _ = env.run(["search", "--regex", "Bereitschaft"]).expect_code(1);
    env.verify();
}

#[test]
fn a_dry_run_writes_nothing() {
    let env = TestEnv::with_docs();
    let run = env.run(["ingest", "docs", "--dry-run"]).expect_code(0);
    assert_eq!(run.stdout.lines().count(), 7);
    assert!(run.stdout.starts_with("would add docs/README.md\n"));
    assert!(!env.path(".ragctl").exists());
}

#[test]
fn standard_input_and_lists_of_files_are_ingested() {
    let env = TestEnv::with_docs();
    let args = ["ingest", "-", "--uri", "notes/today.md", "--format", "markdown"];
    let _ = env.run_with_stdin(args, b"# Today\n\nThe marmot whistled.\n").expect_code(0);
    assert_eq!(env.hits(&["--text", "marmot"])[0]["document"]["uri"], "notes/today.md");
    let list = b"docs/README.md\r\ndocs/reference/errors.txt\n";
    let _ = env.run_with_stdin(["ingest", "--files-from", "-"], list).expect_code(0);
    assert_eq!(env.json(["list", "--json"], 0)["documents"].as_array().unwrap().len(), 3);
    env.write("list", "docs/guides/operations.md\0docs/reference/api.html\0");
    let _ = env.run(["ingest", "--files-from", "list"]).expect_code(0);
    assert_eq!(env.json(["list", "--json"], 0)["documents"].as_array().unwrap().len(), 5);
}

#[test]
fn standard_input_with_other_content_replaces_what_was_stored() {
    let env = TestEnv::new();
    let pipe = |text: &[u8]| {
        let run = env.run_with_stdin(["ingest", "-", "--format", "markdown", "--json"], text).expect_code(0);
        serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap()
    };
    assert_eq!(pipe(b"# One\n\nmarmot\n")["added"], 1);
    assert_eq!(pipe(b"# One\n\nmarmot\n")["unchanged"], 1);
    assert_eq!(pipe(b"# Two\n\nibex\n")["refreshed"], 1);
    let _ = env.run(["search", "--regex", "marmot"]).expect_code(1);
    let _ = env.run(["search", "--regex", "ibex"]).expect_code(0);
}

#[test]
fn a_binary_file_that_was_named_is_named_when_it_is_skipped() {
    let env = TestEnv::with_docs();
    env.write("docs/image.bin", b"\x00\x01\x02\x03binary\x00\x00");
    let run = env.run(["ingest", "docs/image.bin"]).expect_code(0);
    assert!(run.stderr.contains("skipped 'docs/image.bin': binary"), "{}", run.stderr);
    let run = env.run(["ingest", "docs"]).expect_code(0);
    assert!(!run.stderr.contains("image.bin") && run.stderr.contains("1 binary"), "{}", run.stderr);
}

#[test]
fn metadata_and_labels_are_put_on_documents() {
    let env = TestEnv::with_docs();
    let args = ["ingest", "docs", "--meta", "team=search", "--meta", "priority:=3", "--label", "handbook"];
    let _ = env.run(args).expect_code(0);
    let hit = &env.hits(&["--text", "handbook overview", "--label", "handbook"])[0];
    assert_eq!(hit["metadata"]["team"], "search");
    assert_eq!(hit["metadata"]["priority"], 3);
    assert_eq!(hit["metadata"]["owner"], "platform-team");
    let _ = env.run(["search", "handbook", "--label", "other"]).expect_code(1);
}

#[test]
fn everything_left_out_is_counted_with_its_reason() {
    let env = TestEnv::new();
    env.write("docs/a.md", "# A\n\ntext\n");
    env.write("docs/.hidden.md", "x");
    env.write("docs/ignored.md", "x");
    env.write("docs/.gitignore", "ignored.md\n");
    env.write("docs/large.md", vec![b'x'; 3000]);
    env.write("docs/picture.bin", b"\x00\x01\x02\xff\x00");
    let report = env.json(["ingest", "docs", "--max-file-size", "2k", "--json"], 0);
    assert_eq!(report["added"], 1);
    assert_eq!(
        report["skipped_by_reason"],
        serde_json::json!({"binary": 1, "hidden": 2, "ignored": 1, "too-large": 1})
    );
    assert_eq!(report["skipped"], 5);
}

#[test]
fn jsonl_prints_a_line_a_file_and_the_report_last() {
    let env = TestEnv::with_docs();
    env.write("docs/broken.pdf", "%PDF-1.4\nnothing of the kind");
    let lines = env.run(["ingest", "docs", "--jsonl"]).expect_code(3).json_lines();
    assert_eq!(lines.len(), 9);
    let outcomes: Vec<&str> = lines[..8].iter().map(|it| it["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes.iter().filter(|it| **it == "added").count(), 7);
    let failed = lines.iter().find(|it| it["outcome"] == "failed").unwrap();
    assert_eq!(failed["uri"], "docs/broken.pdf");
    assert!(failed["hint"].as_str().is_some_and(|it| !it.is_empty()));
    assert_eq!(lines[8]["schema"], "ragctl.ingest/1");
}

#[test]
fn files_inside_the_folder_have_relative_uris_and_an_index_moves_with_it() {
    let env = TestEnv::with_docs();
    let outside = TestEnv::new();
    outside.write("far.md", "# Far\n\nAn albatross.\n");
    env.ingest_docs();
    let _ = env.run([std::ffi::OsStr::new("ingest"), outside.path("far.md").as_os_str()]).expect_code(0);
    let uri = env.hits(&["--text", "albatross"])[0]["document"]["uri"].as_str().unwrap().to_owned();
    assert!(uri.starts_with("file:///") && uri.ends_with("/far.md"), "{uri}");
    let moved = TestEnv::new();
    crate::env::copy_folder(&env.path(""), &moved.path("kb"));
    let index = moved.path("kb/.ragctl");
    let index = index.to_str().unwrap();
    let _ = moved.run(["verify", "--index", index]).expect_code(0);
    let report = moved.json(["ingest", "kb/docs", "--index", index, "--refresh", "changed", "--json"], 0);
    assert_eq!(report["unchanged"], 7);
}

#[test]
fn one_and_many_threads_make_the_same_index() {
    let (one, many) = (TestEnv::with_docs(), TestEnv::with_docs());
    for (env, threads) in [(&one, "1"), (&many, "8")] {
        for at in 0..30 {
            env.write(
                &format!("docs/extra/{at}.md"),
                format!("# Extra {at}\n\n{}\n", "Some words. ".repeat(at * 20)),
            );
        }
        let _ = env.run(["ingest", "docs", "-j", threads]).expect_code(0);
    }
    for args in [
        vec!["search", "--json", "-k", "50", "how do I restore a backup"],
        vec!["search", "--json", "-k", "50", "--vector", "cache"],
        vec!["search", "--json", "-k", "50", "--text", "words extra cluster"],
        vec!["search", "--json", "-k", "50", "--regex", "[A-Z]{3}_\\w+"],
        vec!["tree", "--json"],
    ] {
        assert_eq!(one.run(&args).stdout, many.run(&args).stdout, "{args:?}");
    }
    let vectors = |env: &TestEnv| fs::read(env.vector_file("f32")).unwrap();
    assert!(vectors(&one) == vectors(&many));
}

#[test]
fn ids_survive_edits_elsewhere_in_the_document() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let ids = |env: &TestEnv| -> Vec<(String, String)> {
        let tree = env.json(["sections", "docs/guides/performance.md", "--json"], 0);
        let sections = tree["sections"].as_array().unwrap().clone();
        sections.iter().map(|it| (it["title"].to_string(), it["id"].to_string())).collect()
    };
    let chunk = |env: &TestEnv| env.hits(&["--text", "\"round trips\""])[0]["id"].clone();
    let (before, chunk_before) = (ids(&env), chunk(&env));
    let file = env.path("docs/guides/performance.md");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(
        &file,
        text.replace("### Write-behind\n", "### Read-ahead\n\nNew words here.\n\n### Write-behind\n"),
    )
    .unwrap();
    let _ = env.run(["ingest", "docs", "--refresh", "changed"]).expect_code(0);
    let after = ids(&env);
    assert_eq!(after.len(), before.len() + 1);
    assert!(before.iter().all(|it| after.contains(it)), "{before:?}\n{after:?}");
    assert_eq!(chunk(&env), chunk_before);
}

#[test]
fn prune_keeps_what_never_was_a_file() {
    let env = TestEnv::with_docs();
    let _ =
        env.run_with_stdin(["ingest", "-", "--uri", "docs/meeting"], b"# Meeting\n\nNotes.\n").expect_code(0);
    assert_eq!(env.json(["ingest", "docs", "--prune", "--json"], 0)["removed"], 0);
    let _ = env.run(["show", "docs/meeting"]).expect_code(0);
}

#[test]
fn a_missing_path_among_others_is_a_failure_and_no_end() {
    let env = TestEnv::with_docs();
    let report = env.json(["ingest", "docs/README.md", "docs/gone.md", "--json"], 3);
    assert_eq!((&report["added"], &report["failed"][0]["path"]), (&1.into(), &"docs/gone.md".into()));
    // What was read from a folder that is not there now is kept.
    env.write("disk/a.md", "# A\n\nOn the disk.\n");
    let _ = env.run(["ingest", "disk"]).expect_code(0);
    fs::rename(env.path("disk"), env.path("away")).unwrap();
    let report = env.json(["ingest", "docs", "disk", "--prune", "--json"], 3);
    assert_eq!(report["removed"], 0);
}

#[test]
fn other_indexes_are_not_walked_into() {
    let env = TestEnv::with_docs();
    let _ = env.run(["ingest", "docs", "--index", "first"]).expect_code(0);
    let report = env.json(["ingest", ".", "--index", "second", "--json"], 0);
    assert_eq!(
        (&report["added"], &report["skipped_by_reason"]),
        (&7.into(), &serde_json::json!({"index": 1}))
    );
}

#[test]
fn limits_are_checked_and_urls_are_named() {
    let env = TestEnv::with_docs();
    for args in [
        &["ingest", "docs", "--threads", "100000"][..],
        &["ingest", "docs", "--max-depth", "0"],
        &["ingest", "docs", "--max-chunk-size", "0"],
        &["ingest", "docs", "--overlap", "1500"],
        &["ingest", "docs", "--refresh", "sometimes"],
        &["ingest", "docs", "--meta", "no-equals-sign"],
        &["ingest", "docs", "--model", "none-such"],
        &["ingest", "docs", "--transform", "none-such"],
    ] {
        let _ = env.run(args).expect_code(2);
    }
    let refused = env.run(["--offline", "ingest", "https://example.org/"]).expect_code(2);
    assert!(refused.stderr.contains("is on the web"), "{}", refused.stderr);
    assert!(!env.path(".ragctl").exists());
}

#[test]
fn the_chunker_and_its_limits_are_recorded_and_decide_what_is_read_again() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let pipeline = |env: &TestEnv| env.json(["info", "--json"], 0)["pipeline"].clone();
    assert_eq!(pipeline(&env), "section/3 1500+200 add-titles/1 language/1");
    let window =
        ["--chunker", "window", "--max-chunk-size", "300", "--overlap", "40", "--min-chunk-size", "50"];
    let ingest = |refresh: &str, options: &[&str]| {
        env.json([&["ingest", "docs", "--refresh", refresh, "--json"], options].concat(), 0)
    };
    let kept = ingest("never", &window);
    assert_eq!((&kept["refreshed"], &kept["added"]), (&0.into(), &0.into()));
    assert_eq!(kept["outdated"], kept["unchanged"]);
    assert_eq!(
        pipeline(&env),
        "section/3 1500+200 add-titles/1 language/1",
        "nothing was read with the other settings"
    );
    let again = ingest("changed", &window);
    assert_eq!((&again["refreshed"], &again["unchanged"]), (&kept["unchanged"], &0.into()));
    assert_eq!(pipeline(&env), "window/2 300+40 min 50 add-titles/1 language/1");
    let once_more = ingest("changed", &window);
    assert_eq!((&once_more["refreshed"], &once_more["outdated"]), (&0.into(), &0.into()));
    let _ = env.run(["verify"]).expect_code(0);
    let wrong = env.run(["ingest", "docs", "--chunker", "semantic"]).expect_code(2);
    assert!(wrong.stderr.contains("section, sentence, window"), "{}", wrong.stderr);
    let _ = env.run(["chunk", "docs/guides/performance.md", "--min-chunk-size", "1501"]).expect_code(2);
}
