//! `ragctl search`: modes, options, JSON, exit codes.

use serde_json::Value;

use crate::env::TestEnv;

fn uris(hits: &[Value]) -> Vec<&str> {
    hits.iter().map(|hit| hit["document"]["uri"].as_str().unwrap()).collect()
}

#[test]
fn each_mode_finds_its_passage() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let check = |args: &[&str], uri: &str, text: &str| {
        let hit = &env.hits(args)[0];
        assert_eq!(hit["document"]["uri"], uri, "{args:?}");
        assert!(hit["urtext"].as_str().unwrap().contains(text), "{args:?}: {hit}");
    };
    check(&["how do I restore a backup"], "docs/guides/operations.md", "Restoring");
    check(
        &["--vector", "acknowledge writes before they reach the disk"],
        "docs/guides/performance.md",
        "Write",
    );
    check(&["--text", "ERR_KEY_TOO_LONG"], "docs/reference/errors.txt", "512 bytes");
    check(&["--text", "+snapshot -peers encrypted"], "docs/reference/release-notes.pdf", "encrypted at rest");
    check(&["--regex", "cache\\.refill_\\w+"], "docs/reference/release-notes.pdf", "refill_wait");
    check(&["--text", "監視"], "docs/guides/operations.md", "監視");
    check(&["--text", "bereitschaft"], "docs/guides/operations.md", "Bereitschaft");
}

#[test]
fn a_hit_carries_everything_that_the_contract_names() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let answer = env.json(["search", "--json", "write through cache"], 0);
    assert_eq!(answer["schema"], "ragctl.search/1");
    assert_eq!((&answer["mode"], &answer["filter"]), (&"hybrid".into(), &Value::Null));
    assert_eq!(answer["index"]["model"], "static");
    let hit = &answer["hits"][0];
    assert_eq!(hit["rank"], 1);
    assert!(hit["score"].as_f64().unwrap() > 0.5);
    assert!(
        hit["scores"]["vector"].is_f64() && hit["scores"]["bm25"].is_f64() && hit["scores"]["fused"].is_f64()
    );
    assert!(hit["ranks"]["vector"].is_u64() && hit["ranks"]["text"].is_u64());
    assert_eq!(
        hit["section"]["path"],
        serde_json::json!(["Performance guide", "Caching strategies", "Write-through"])
    );
    assert_eq!(hit["chunk"]["index"], 0);
    assert_eq!(hit["location"]["path"], "docs/guides/performance.md");
    // The bytes of the source at the location are the urtext.
    let source = std::fs::read(env.path("docs/guides/performance.md")).unwrap();
    let at =
        |key: &str, index: usize| usize::try_from(hit["location"][key][index].as_u64().unwrap()).unwrap();
    let urtext = hit["urtext"].as_str().unwrap();
    assert_eq!(&source[at("bytes", 0)..at("bytes", 1)], urtext.as_bytes());
    let text = String::from_utf8(source).unwrap();
    assert_eq!(text.lines().nth(at("lines", 0) - 1), urtext.lines().next());
    assert!(
        hit["text"]
            .as_str()
            .unwrap()
            .starts_with("# Title: Performance guide\n# URI: docs/guides/performance.md\n")
    );
}

#[test]
fn html_hits_have_anchors_and_pdf_hits_have_pages() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let html = &env.hits(&["--text", "exponentially"])[0];
    assert_eq!(html["location"]["anchor"], "rate-limits");
    let pdf = &env.hits(&["--text", "\"Known issues\" clocks"])[0];
    assert_eq!(pdf["location"]["pages"], serde_json::json!([3, 3]));
    assert_eq!(pdf["section"]["title"], "Known issues");
    let _ = env.run(["search", "--regex", "Imprint|not content|Log in"]).expect_code(1);
}

#[test]
fn exit_codes_tell_found_nothing_and_error_apart() {
    let env = TestEnv::with_docs();
    let nowhere = env.run(["search", "x"]).expect_code(2);
    assert!(nowhere.stderr.contains("no index") && nowhere.stderr.contains("hint:"), "{}", nowhere.stderr);
    env.ingest_docs();
    let _ = env.run(["search", "cache"]).expect_code(0);
    let empty = env.run(["search", "--text", "xylophone", "--json"]).expect_code(1);
    assert_eq!(empty.json()["hits"], serde_json::json!([]));
    assert_eq!(env.run(["search", "--text", "xylophone", "--jsonl"]).expect_code(1).stdout, "");
    let _ = env.run(["search", "--regex", "(unclosed"]).expect_code(2);
    let _ = env.run(["search", ""]).expect_code(2);
    let _ = env.run(["search", "--nonsense", "x"]).expect_code(2);
    let _ = env.run(["search", "--filter", "year >=", "x"]).expect_code(2);
}

#[test]
fn odd_queries_never_fail() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let long = "word ".repeat(20_000);
    for query in [
        "a:(^",
        "a:(a^",
        "https://x.org",
        "following:",
        ">>>",
        "\"\" ",
        "y+(y+25)",
        "🦀🦀",
        "-",
        "+",
        "\"",
        "AND",
        "NOT x",
        "(((((((",
        "C++",
        "foo_bar",
        "*",
        "?",
        "~",
        "^",
        "\\",
        "a\u{1}b",
        "\u{202e}",
        long.as_str(),
    ] {
        for mode in ["--text", "--hybrid", "--vector"] {
            let run = env.run(["search", mode, "--", query]);
            assert!([0, 1].contains(&run.code), "{mode} {query:.20}: {}", run.stderr);
        }
    }
    assert!(!env.hits(&["--text", "--", "-legacy restore snapshot"]).is_empty());
}

#[test]
fn threshold_top_k_and_neighbours() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    assert_eq!(env.hits(&["--vector", "cache", "-k", "3"]).len(), 3);
    let _ = env.run(["search", "--vector", "cache", "--threshold", "0.999"]).expect_code(1);
    let hits = env.hits(&["--text", "\"stampede the store\"", "-k", "1", "--expand", "1"]);
    assert_eq!(hits.len(), 3);
    assert_eq!(hits[0]["rank"], 1);
    assert!(hits[1].get("rank").is_none() && hits[2].get("rank").is_none());
    let sequences: Vec<u64> = hits.iter().map(|it| it["chunk"]["sequence"].as_u64().unwrap()).collect();
    assert_eq!((sequences[1] + 1, sequences[2]), (sequences[0], sequences[0] + 1));
}

#[test]
fn filters_apply_before_top_k() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let hits = env.hits(&["cluster", "-k", "2", "--path-prefix", "docs/reference"]);
    assert_eq!(hits.len(), 2);
    assert!(uris(&hits).iter().all(|uri| uri.starts_with("docs/reference/")));
    let hits = env.hits(&["kestrel", "--filter", "owner = \"platform-team\" AND year >= 2026"]);
    assert!(uris(&hits).iter().all(|uri| *uri == "docs/README.md"));
    let hits = env.hits(&["kestrel", "--filter", "owner = $who", "--var", "who=platform-team"]);
    assert!(!hits.is_empty());
    let _ = env.run(["search", "kestrel", "--filter", "year > 2026"]).expect_code(1);
    let _ = env.run(["search", "cluster", "--path-prefix", "doc"]).expect_code(1);
}

#[test]
fn human_output_names_path_place_id_and_score() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let run = env.run(["search", "--text", "stampede", "-k", "1", "--explain"]).expect_code(0);
    assert!(!run.stdout.contains('\u{1b}'), "no colour into a pipe");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(
        lines[0].contains("Performance guide > Caching strategies > Cache-aside")
            || lines[0].contains("Kestrel release notes"),
        "{}",
        lines[0]
    );
    assert!(lines[1].contains("docs/"), "{}", lines[1]);
    assert!(lines[2].contains("bm25"), "{}", lines[2]);
    assert!(run.stdout.contains("stampede"));
    let coloured = env.run(["search", "--text", "stampede", "--color", "always"]).expect_code(0);
    assert!(coloured.stdout.contains("\u{1b}[1;31mstampede\u{1b}[0m"), "{}", coloured.stdout);
    // The id in the listing is a unique prefix.
    let id = lines[1].split_whitespace().find(|it| it.starts_with('c') && it.len() == 10).unwrap();
    let _ = env.run(["expand", id]).expect_code(0);
}

#[test]
fn regex_matches_are_reported_as_spans() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let hits = env.hits(&["--regex", "err_[a-z_]+", "-i", "-k", "50"]);
    for hit in &hits {
        let urtext = hit["urtext"].as_str().unwrap();
        for span in hit["matches"].as_array().unwrap() {
            let at = |index: usize| usize::try_from(span[index].as_u64().unwrap()).unwrap();
            assert!(urtext[at(0)..at(1)].starts_with("ERR_"));
        }
    }
    let sorted = {
        let mut uris = uris(&hits);
        uris.sort_unstable();
        uris
    };
    assert_eq!(uris(&hits), sorted, "regex hits come in document order");
    let _ = env.run(["search", "--regex", "err_[a-z_]+"]).expect_code(1);
    assert!(!env.hits(&["--regex", "-F", "?consistency="]).is_empty());
    let _ = env.run(["search", "--regex", "-w", "stamped"]).expect_code(1);
}

#[test]
fn regex_matches_cross_chunks_and_know_their_lines() {
    let env = TestEnv::new();
    let filler = "Some sentence that fills the paragraph with words. ".repeat(9);
    env.write(
        "docs/long.md",
        format!("\u{feff}# Long\r\n\r\n{filler}needle\r\nhay {filler}\r\n\r\n## Next\r\n\r\nx needle\r\n"),
    );
    let _ = env.run(["ingest", "docs", "--max-chunk-size", "470", "--overlap", "0"]).expect_code(0);
    let hits = env.hits(&["--regex", r"needle\s+hay"]);
    assert_eq!(hits.len(), 1);
    let source = std::fs::read(env.path("docs/long.md")).unwrap();
    let place = &hits[0]["match_locations"][0];
    let at = |index: usize| usize::try_from(place["bytes"][index].as_u64().unwrap()).unwrap();
    assert_eq!(&source[at(0)..at(1)], b"needle\r\nhay");
    assert_eq!((place["line"].as_u64(), place["column"].as_u64()), (Some(3), Some(filler.len() as u64 + 1)));
    // Not across sections, and '.' matches line ends only when asked.
    let _ = env.run(["search", "--regex", r"words\.\s+##"]).expect_code(1);
    let _ = env.run(["search", "--regex", "needle.+hay"]).expect_code(1);
    let _ = env.run(["search", "--regex", "-U", "needle.+hay"]).expect_code(0);
}

#[test]
fn regex_counts_and_lists_documents_as_grep_does() {
    let env = TestEnv::new();
    env.write("docs/a.md", "# A\n\none fox\n");
    env.write("docs/b.md", "# B\n\nfox and fox\n\n## C\n\nfox\n");
    env.write("docs/c.md", "# C\n\nnone\n");
    let _ = env.run(["ingest", "docs"]).expect_code(0);
    assert_eq!(
        env.run(["search", "--regex", "-c", "fox"]).expect_code(0).stdout,
        "docs/a.md:1\ndocs/b.md:3\n"
    );
    assert_eq!(
        env.run(["search", "--regex", "-l", "fox", "-k", "1"]).expect_code(0).stdout,
        "docs/a.md\ndocs/b.md\n"
    );
    let counts = env.json(["search", "--regex", "--count", "fox", "--json"], 0);
    assert_eq!((counts["schema"].as_str(), counts["matches"].as_u64()), (Some("ragctl.matches/1"), Some(4)));
    assert_eq!(counts["documents"][1]["document"]["uri"], "docs/b.md");
    let _ = env.run(["search", "--regex", "-c", "wolf"]).expect_code(1);
    let _ = env.run(["search", "--text", "-c", "fox"]).expect_code(2);
    let most = env.hits(&["--regex", "fox", "--sort", "matches", "-k", "1"]);
    assert_eq!(most[0]["document"]["uri"], "docs/b.md");
}

#[test]
fn jsonl_is_a_hit_a_line_and_no_text_leaves_texts_out() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let lines = env.run(["search", "cache", "--jsonl", "-k", "4", "--no-text"]).expect_code(0).json_lines();
    assert_eq!(lines.len(), 4);
    for line in lines {
        assert_eq!(line["schema"], "ragctl.hit/1");
        assert!(line.get("urtext").is_none() && line.get("text").is_none());
    }
}

#[test]
fn fusion_can_be_chosen() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let only_text = env.hits(&["snapshot restore", "--weight", "0", "-k", "3"]);
    let text = env.hits(&["--text", "snapshot restore", "-k", "3"]);
    let ids = |hits: &[Value]| hits.iter().map(|it| it["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&only_text), ids(&text));
    for fusion in ["convex", "rrf", "rsf", "dbsf"] {
        let of_text = env.hits(&["snapshot restore", "--fusion", fusion, "--weight", "0", "-k", "1"]);
        assert_eq!(ids(&of_text), ids(&text[..1]), "{fusion}");
        let of_vector = env.hits(&["snapshot restore", "--fusion", fusion, "--weight", "1", "-k", "1"]);
        assert_eq!(ids(&of_vector), ids(&env.hits(&["--vector", "snapshot restore", "-k", "1"])), "{fusion}");
        // The arithmetic ends in the score.
        for hit in env.hits(&["snapshot restore", "--fusion", fusion, "--explain"]) {
            let explanation = hit["explanation"].as_str().unwrap();
            let sum =
                explanation.split(&format!("{fusion}: ")).nth(1).unwrap_or_else(|| panic!("{explanation}"));
            let result: f64 = sum.split(" = ").nth(1).unwrap().parse().unwrap();
            assert!((result - hit["scores"]["fused"].as_f64().unwrap()).abs() < 1e-4, "{explanation}");
        }
    }
    let _ = env.run(["search", "x", "--weight", "7"]).expect_code(2);
    let _ = env.run(["search", "--text", "x", "--fusion", "rrf"]).expect_code(2);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    use std::process::Stdio;
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let mut command = env.command(["search", "--json", "-k", "50", "kestrel"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn path_prefixes_are_paths_as_the_user_sees_them() {
    let env = TestEnv::with_docs();
    let outside = TestEnv::new();
    outside.write("far away/a b.md", "# Far\n\nAn albatross.\n");
    env.ingest_docs();
    let folder = outside.path("far away");
    let _ = env.run([std::ffi::OsStr::new("ingest"), folder.as_os_str()]).expect_code(0);
    let folder = folder.canonicalize().unwrap();
    let hit = &env.hits(&["--text", "albatross", "--path-prefix", folder.to_str().unwrap()])[0];
    assert_eq!(hit["location"]["path"], folder.join("a b.md").to_str().unwrap());
    let mut command = env.command(["search", "--text", "stampede", "--path-prefix", "guides", "--json"]);
    let output = command.current_dir(env.path("docs")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn hybrid_hits_hold_what_the_query_requires_and_nothing_that_it_excludes() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let texts = |query: &str| {
        let hits = env.hits(&["-k", "50", "--", query]);
        hits.iter().map(|hit| hit["text"].as_str().unwrap().to_lowercase()).collect::<Vec<_>>()
    };
    let all = texts("snapshot backup");
    assert!(all.iter().any(|text| !text.contains("snapshot")), "meaning finds passages without the word");
    let required = texts("+snapshot backup");
    assert!(!required.is_empty() && required.iter().all(|text| text.contains("snapshot")), "{required:?}");
    let without = texts("backup -snapshot");
    assert!(without.iter().all(|text| !text.contains("snapshot")), "{without:?}");
    assert!(
        without.len() + required.len() >= all.len(),
        "{} {} {}",
        without.len(),
        required.len(),
        all.len()
    );
}
