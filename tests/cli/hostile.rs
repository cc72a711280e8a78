//! Bad input: a clear error or a warning that names the file, and the run goes on.

use std::fs;

use crate::env::{Run, TestEnv, testdata};

fn report(env: &TestEnv, code: i32) -> serde_json::Value {
    env.json(["ingest", "docs", "--json"], code)
}

#[test]
fn a_missing_path_is_named_and_nothing_is_made() {
    let env = TestEnv::new();
    let run = env.run(["ingest", "no-such-folder"]).expect_code(2);
    assert!(run.stderr.contains("no-such-folder") && run.stderr.contains("hint:"), "{}", run.stderr);
    assert!(!env.path(".ragctl").exists());
    let _ = env.run(["ingest"]).expect_code(2);
}

#[test]
fn broken_files_fail_alone() {
    let env = TestEnv::with_docs();
    env.write("docs/broken.pdf", "%PDF-1.7\n1 0 obj\n<< /Type /Catalog");
    env.write("docs/broken.ipynb", "{\"cells\": [");
    let report = report(&env, 3);
    assert_eq!(report["added"], 7);
    let failed = report["failed"].as_array().unwrap();
    assert_eq!(failed.len(), 2, "{failed:?}");
    for failure in failed {
        assert!(failure["path"].as_str().unwrap().starts_with("docs/broken."));
        assert!(
            !failure["reason"].as_str().unwrap().is_empty() && !failure["hint"].as_str().unwrap().is_empty()
        );
    }
    env.verify();
    let human = env.run(["ingest", "docs"]).expect_code(3);
    assert!(human.stderr.contains("docs/broken.pdf") && human.stderr.contains("hint:"), "{}", human.stderr);
}

#[test]
fn a_failed_refresh_keeps_the_old_copy() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    env.write("docs/reference/release-notes.pdf", "%PDF-1.7\nbroken");
    let _ = env.run(["ingest", "docs", "--refresh", "changed"]).expect_code(3);
    assert!(!env.hits(&["--text", "\"encrypted at rest\""]).is_empty());
    env.verify();
}

#[test]
fn encodings_are_detected_and_never_replaced_in_silence() {
    let env = TestEnv::new();
    env.write(
        "docs/latin1.txt",
        b"Caf\xe9 cr\xe8me \x96 le gar\xe7on d\xe9j\xe0 vu, une phrase assez longue pour deviner.\n",
    );
    env.write(
        "docs/utf16.txt",
        "\u{feff}Grüße aus Köln\r\nzweite Zeile\r\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>(),
    );
    env.write("docs/bom.md", "\u{feff}# Title\r\n\r\nText with BOM.\r\n");
    let report = report(&env, 0);
    assert_eq!(report["added"], 3);
    assert!(!env.hits(&["--regex", "Café crème – le garçon"]).is_empty());
    assert!(!env.hits(&["--regex", "Grüße aus Köln"]).is_empty());
    let _ = env.run(["search", "--regex", "\u{fffd}"]).expect_code(1);
    let hit = &env.hits(&["--text", "BOM"])[0];
    assert_eq!(hit["location"]["bytes"], serde_json::json!([3, 30]));
    assert_eq!(hit["section"]["title"], "Title");
    env.verify();
}

#[test]
fn odd_documents_come_out_whole() {
    let env = TestEnv::new();
    env.write("docs/empty.md", "");
    env.write("docs/blank.md", "\n\n  \n");
    env.write(
        "docs/headings.md",
        (0..60).map(|at| format!("{} Heading {at}\n", "#".repeat(1 + at % 4))).collect::<String>(),
    );
    env.write("docs/line.txt", "abcdefghij ".repeat(20_000));
    let rows: String = (0..60).map(|at| format!("| row {at} | {} |\n", "cell ".repeat(12))).collect();
    env.write("docs/table.md", format!("Before.\n\n| Name | Value |\n| --- | --- |\n{rows}\nAfter.\n"));
    env.write("docs/preamble.md", "Words before.\n\n# First\n\nWords after.\n");
    env.write("docs/crlf.md", "# One\r\n\r\nText\r\n\r\n## Two\r\n\r\nMore\r\n");
    let report = report(&env, 0);
    assert_eq!(report["added"], 7);
    env.verify();
    assert!(!env.hits(&["--text", "\"Heading 37\""]).is_empty());
    assert!(env.hits(&["--regex", "abcdefghij", "-k", "1000"]).len() > 100);
    let pieces = env.hits(&["--regex", "\\| row \\d+", "-k", "100"]);
    assert!(pieces.len() > 1);
    for piece in &pieces {
        assert_eq!(piece["text"].as_str().unwrap().matches("| Name | Value |").count(), 1);
    }
    assert_eq!(env.hits(&["--text", "\"words before\""])[0]["section"]["path"], serde_json::json!([]));
    assert_eq!(env.hits(&["--regex", "More"])[0]["location"]["lines"], serde_json::json!([5, 7]));
    let list = env.json(["list", "--json"], 0);
    let empty =
        list["documents"].as_array().unwrap().iter().find(|it| it["uri"] == "docs/empty.md").unwrap().clone();
    assert_eq!((&empty["chunks"], &empty["sections"]), (&0.into(), &0.into()));
}

#[test]
fn deep_and_heavy_pages_are_bounded() {
    let env = TestEnv::new();
    env.write("docs/deep.html", format!("{}<p>needle in the deep</p>", "<div>".repeat(50_000)));
    env.write(
        "docs/script.html",
        format!("<script>{}</script><p>after the script</p>", "var a = 1;".repeat(300_000)),
    );
    let report = report(&env, 0);
    assert_eq!(report["added"], 2);
    assert!(!env.hits(&["--text", "needle"]).is_empty());
    assert!(!env.hits(&["--text", "\"after the script\""]).is_empty());
    let _ = env.run(["search", "--regex", "var a"]).expect_code(1);
}

#[cfg(unix)]
#[test]
fn pipes_and_sockets_are_skipped() {
    let env = TestEnv::with_docs();
    let _socket = std::os::unix::net::UnixListener::bind(env.path("docs/socket")).unwrap();
    let report = report(&env, 0);
    assert_eq!(report["skipped_by_reason"]["special"], 1);
}

#[test]
fn an_index_below_a_file_cannot_be_made() {
    let env = TestEnv::with_docs();
    let run = env.run(["ingest", "docs", "--index", "docs/README.md/index"]).expect_code(2);
    assert!(run.stderr.contains("docs/README.md/index") && run.stderr.contains("hint:"), "{}", run.stderr);
}

#[test]
fn encrypted_files_ask_for_the_password() {
    let env = TestEnv::new();
    fs::create_dir_all(env.path("docs")).unwrap();
    fs::copy(testdata("pdf/password.pdf"), env.path("docs/secret.pdf")).unwrap();
    let refused = report(&env, 2);
    assert!(refused["failed"][0]["reason"].as_str().unwrap().contains("password"), "{refused}");
    assert!(refused["failed"][0]["hint"].as_str().unwrap().contains("--password"));
    let opened = |run: Run| assert_eq!(run.expect_code(0).json()["added"], 1);
    opened(env.run(["ingest", "docs", "--json", "--password", "openpassword"]));
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    // /dev/full refuses every write, as a full disk does.
    #[cfg(target_os = "linux")]
    {
        let env = TestEnv::with_docs();
        env.ingest_docs();
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = env.command(["list"]).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8(output.stderr).unwrap().contains("standard output"));
    }
}

#[test]
fn a_stray_control_character_does_not_make_a_text_binary() {
    let env = TestEnv::new();
    env.write("docs/bell.md", "# A\n\nbell \u{7} zebra\n");
    env.write(
        "docs/wide.txt",
        "First line without a mark\nsecond line\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>(),
    );
    assert_eq!(report(&env, 0)["added"], 2);
    assert!(!env.hits(&["--text", "zebra"]).is_empty());
    env.verify();
}

#[test]
fn fences_inside_quotes_and_lists_are_balanced_where_they_are_cut() {
    let env = TestEnv::new();
    let code: String = (0..100).map(|at| format!("> echo line {at} of the script\n")).collect();
    let item: String = (0..100).map(|at| format!("  echo line {at} of the list\n")).collect();
    env.write("q.md", format!("> ```sh\n{code}> ```\n\n- ```sh\n{item}  ```\n\nAfter.\n"));
    let chunks = env.json(["chunk", "q.md", "--transform", "none", "--json"], 0);
    for chunk in chunks["chunks"].as_array().unwrap() {
        let text = chunk["text"].as_str().unwrap();
        let fences: Vec<&str> = text.lines().filter(|line| line.contains("```")).collect();
        assert!(fences.len().is_multiple_of(2), "{text}");
        for pair in fences.chunks(2) {
            let prefix = |line: &str| line[..line.find('`').unwrap()].replace('-', " ");
            assert_eq!(prefix(pair[0]), prefix(pair[1]), "{text}");
        }
    }
}

#[test]
fn old_and_encrypted_office_files_say_what_to_do() {
    let env = TestEnv::new();
    let compound_file = |stream: &str| {
        let mut bytes = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
        bytes.resize(512, 0);
        let name: Vec<u8> = stream.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
        bytes.extend(&name);
        bytes.resize(512 + 64, 0);
        bytes.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        bytes.resize(512 + 128, 0);
        bytes
    };
    env.write("docs/old.doc", compound_file("WordDocument"));
    env.write("docs/locked.xlsx", compound_file("EncryptedPackage"));
    env.write("docs/page.xls", "<html><body><table><tr><td>exported words</td></tr></table></body></html>");
    let report = report(&env, 3);
    assert_eq!(report["added"], 1, "{report}");
    let failed = report["failed"].as_array().unwrap();
    let of = |path: &str| failed.iter().find(|it| it["path"] == path).unwrap();
    assert!(of("docs/old.doc")["reason"].as_str().unwrap().contains("convert it to docx"), "{report}");
    assert!(of("docs/old.doc")["hint"].as_str().unwrap().contains("soffice"), "{report}");
    assert!(of("docs/locked.xlsx")["reason"].as_str().unwrap().contains("encrypted"), "{report}");
}

#[test]
fn office_files_are_found_with_their_places() {
    let env = TestEnv::new();
    for name in ["report.docx", "plan.pptx", "costs.xlsx", "bridges.epub", "cp932.csv", "bridge.eml"] {
        env.write(&format!("docs/{name}"), std::fs::read(testdata("office").join(name)).unwrap());
    }
    assert_eq!(report(&env, 0)["added"], 6);
    let place = |query: &str| {
        let hits = env.hits(&["--text", query]);
        hits[0]["location"].clone()
    };
    assert_eq!(place("donors")["slides"], serde_json::json!([1, 1]));
    assert_eq!(place("bolts AND 75")["sheet"], "Costs 2024");
    assert_eq!(place("stone")["anchor"], "EPUB/two.xhtml");
    assert_eq!(place("山田太郎")["lines"], serde_json::json!([1, 4]));
    assert_eq!(place("joints")["path"], "docs/report.docx");
    env.verify();
}

/// `ulimit -f` with its signal ignored refuses every write past a size, in any file, as a full disk does.
#[test]
fn a_disk_that_fills_up_loses_nothing() {
    let ingest = |env: &TestEnv, n_blocks: u32| {
        let script =
            format!("trap '' XFSZ; ulimit -f {n_blocks}; exec \"$0\" ingest docs more --refresh changed");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_ragctl")]).current_dir(env.path("")).env_clear();
        command.output().unwrap()
    };
    let mut n_failed = 0;
    // Blocks of 512 bytes, so that the database, its log, the vectors or the text index run out first.
    for n_blocks in [8, 60, 200, 700] {
        let env = TestEnv::with_docs();
        env.ingest_docs();
        let before = env.run(["search", "--text", "snapshot", "--json"]).expect_code(0).stdout;
        for n in 0..40 {
            env.write(&format!("more/{n}.md"), format!("# Page {n}\n\n{}\n", "snapshot words ".repeat(200)));
        }
        let output = ingest(&env, n_blocks);
        let stderr = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(0) {
            n_failed += 1;
            assert_eq!(output.status.code(), Some(2), "{n_blocks}: {stderr}");
            assert!(stderr.contains(".ragctl") && stderr.contains("hint:"), "{n_blocks}: {stderr}");
            let after = env.run(["search", "--text", "snapshot", "--json", "-q"]).expect_code(0).stdout;
            assert_eq!(before, after, "{n_blocks}: the visible generation is as it was");
            env.verify();
        }
        let _ = env.run(["ingest", "docs", "more"]).expect_code(0);
        env.verify();
        assert_eq!(env.json(["list", "--json"], 0)["documents"].as_array().unwrap().len(), 47);
    }
    assert!(n_failed >= 3, "the limits are small enough to matter: {n_failed}");
}
