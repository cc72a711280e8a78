//! Archives: folders in a file.

use std::io::{Cursor, Write as _};

use serde_json::Value;

use crate::env::TestEnv;

/// A zip file with these members.
fn zip_of(members: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tar_gz_of(members: &[(&str, &str)]) -> Vec<u8> {
    let mut builder =
        tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    for (name, text) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        builder.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

const GUIDE: [(&str, &str); 3] = [
    ("guide/intro.md", "# Intro\n\nThe zebra sleeps.\n\n## Install\n\nRun the walrus twice.\n"),
    ("guide/faq.html", "<html><body><main><h1>FAQ</h1><p>Why a pelican?</p></main></body></html>"),
    ("logo.png", "\u{89}PNG\0\0\0\0"),
];

fn uris(env: &TestEnv) -> Vec<String> {
    let list = env.json(["list", "--json"], 0);
    let documents = list["documents"].as_array().unwrap();
    documents.iter().map(|it| it["uri"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_named_archive_is_the_folder_that_it_holds() {
    let env = TestEnv::new();
    env.write("docs/a.zip", zip_of(&GUIDE));
    env.write("docs/b.tar.gz", tar_gz_of(&GUIDE));
    let report = env.json(["ingest", "docs/a.zip", "docs/b.tar.gz", "--json"], 0);
    assert_eq!((&report["added"], &report["skipped_by_reason"]["binary"]), (&4.into(), &2.into()));
    let members = ["guide/faq.html", "guide/intro.md"];
    let expected: Vec<String> = ["docs/a.zip", "docs/b.tar.gz"]
        .iter()
        .flat_map(|archive| members.map(|member| format!("{archive}!/{member}")))
        .collect();
    assert_eq!(uris(&env), expected);
    let checks = env.json(["verify", "--json"], 0);
    let sources = checks["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["name"] == "source locations hold the urtext");
    assert_eq!(sources.unwrap()["detail"], "4 checked", "{checks}");

    let hit = &env.hits(&["--text", "walrus", "--path-prefix", "docs/b.tar.gz"])[0];
    assert_eq!(hit["document"]["uri"], "docs/b.tar.gz!/guide/intro.md");
    assert_eq!(hit["location"]["path"], "docs/b.tar.gz");
    assert_eq!(hit["location"]["member"], "guide/intro.md");
    assert_eq!(hit["location"]["lines"], serde_json::json!([5, 7]));
    let run = env.run(["search", "--text", "pelican", "-k", "1"]).expect_code(0);
    assert!(run.stdout.contains("docs/a.zip!/guide/faq.html"), "{}", run.stdout);
    let list = env.json(["list", "docs/a.zip", "--json"], 0);
    assert_eq!(list["documents"].as_array().unwrap().len(), 2);
    for (name, n_documents) in [("docs/a.zip!/guide", 2), ("docs/a.zip!/guide/intro.md", 1)] {
        let list = env.json(["list", name, "--json"], 0);
        assert_eq!(list["documents"].as_array().unwrap().len(), n_documents, "{name}");
    }
    // From another folder, as any path.
    let mut show = env.command(["show", "a.zip!/guide/intro.md"]);
    assert!(show.current_dir(env.path("docs")).output().unwrap().status.success());
    let _ = env.run(["remove", "docs/a.zip!/guide/intro.md"]).expect_code(0);
    assert_eq!(
        env.json(["remove", "-r", "docs/b.tar.gz", "--json"], 0)["removed"].as_array().unwrap().len(),
        2
    );
    assert_eq!(uris(&env), ["docs/a.zip!/guide/faq.html"]);
}

#[test]
fn archives_in_folders_are_opened_when_asked_for() {
    let env = TestEnv::new();
    env.write("docs/a.md", "# A\n\nwords\n");
    env.write("docs/x/a.zip", zip_of(&GUIDE));
    let run = env.run(["ingest", "docs"]).expect_code(0);
    assert!(
        run.stderr.contains("skipped 1: 1 archive") && run.stderr.contains("--archives"),
        "{}",
        run.stderr
    );
    assert_eq!(uris(&env), ["docs/a.md"]);
    let report = env.json(["ingest", "-z", "docs", "--json", "--exclude", "guide/faq.html"], 0);
    // The glob is relative to the folder that is walked.
    assert_eq!(report["added"], 2);
    let report = env.json(["ingest", "-z", "docs", "--json", "--refresh", "always", "-t", "html"], 0);
    assert_eq!((&report["refreshed"], &report["skipped_by_reason"]["type"]), (&1.into(), &3.into()));
    let report = env.json(["ingest", "-z", "docs", "--json", "--exclude", "*.zip"], 0);
    assert_eq!((&report["unchanged"], &report["skipped_by_reason"]["excluded"]), (&1.into(), &1.into()));
}

#[test]
fn members_are_refreshed_and_pruned_as_files_are() {
    let env = TestEnv::new();
    env.write("a.zip", zip_of(&GUIDE));
    let ingest = |args: &[&str]| {
        env.json(["ingest", "a.zip", "--json"].iter().copied().chain(args.iter().copied()), 0)
    };
    let counts = |report: &Value| {
        ["added", "unchanged", "refreshed", "removed"].map(|key| report[key].as_u64().unwrap())
    };
    assert_eq!(counts(&ingest(&["--dry-run"])), [2, 0, 0, 0]);
    assert_eq!(counts(&ingest(&[])), [2, 0, 0, 0]);
    let changed = [("guide/intro.md", "# Intro\n\nThe okapi sleeps.\n"), ("new.md", "# New\n\nibex\n")];
    env.write("a.zip", zip_of(&changed));
    assert_eq!(counts(&ingest(&[])), [1, 1, 0, 0]);
    assert!(env.run(["search", "--regex", "okapi"]).expect_code(1).stdout.is_empty());
    assert_eq!(counts(&ingest(&["--refresh", "changed"])), [0, 1, 1, 0]);
    assert_eq!(env.hits(&["--regex", "okapi"]).len(), 1);
    assert_eq!(counts(&ingest(&["--prune"])), [0, 2, 0, 1]);
    assert_eq!(uris(&env), ["a.zip!/guide/intro.md", "a.zip!/new.md"]);

    // What cannot be opened says nothing of its members; what is gone does.
    let whole = zip_of(&changed);
    env.write("a.zip", &whole[..whole.len() / 2]);
    let report = env.json(["ingest", "a.zip", "--prune", "--json"], 2);
    assert_eq!((&report["removed"], &report["failed"][0]["path"]), (&0.into(), &"a.zip".into()));
    assert_eq!(uris(&env).len(), 2);
    // Nor does one that is not opened in a run.
    env.write("b.md", "# B\n\nwords\n");
    let _ = env.run(["ingest", ".", "--prune"]).expect_code(0);
    assert_eq!(uris(&env).len(), 3);
    std::fs::remove_file(env.path("a.zip")).unwrap();
    let _ = env.run(["ingest", ".", "--prune"]).expect_code(0);
    assert_eq!(uris(&env), ["b.md"]);
    env.verify();
}

#[test]
fn a_bad_member_is_named_and_the_others_are_read() {
    let env = TestEnv::new();
    let mut bytes = zip_of(&[("a.md", "# A\n\nfine words\n"), ("b.md", &"b words ".repeat(50))]);
    let at = bytes.windows(4).position(|it| it == b"b.md").unwrap() + 4;
    bytes[at] ^= 0x55;
    env.write("x.zip", bytes);
    let report = env.json(["ingest", "x.zip", "--json"], 3);
    assert_eq!(report["failed"][0]["path"], "x.zip!/b.md");
    assert_eq!(uris(&env), ["x.zip!/a.md"]);
}

#[test]
fn encrypted_members_ask_for_a_password() {
    // Made with Info-ZIP: printf '# Secret\n\nThe narwhal hides.\n' > s.md; zip -P walrus secret.zip s.md
    const SECRET: &[u8] = include_bytes!("files/secret.zip");
    let env = TestEnv::new();
    env.write("secret.zip", SECRET);
    let failure = |args: &[&str]| {
        let args = ["ingest", "secret.zip", "--json"].iter().chain(args);
        let report = env.json(args, 2);
        assert_eq!(report["failed"][0]["path"], "secret.zip!/s.md");
        report["failed"][0]["reason"].as_str().unwrap().to_owned()
            + report["failed"][0]["hint"].as_str().unwrap()
    };
    let without = failure(&[]);
    assert!(without.contains("a password is needed") && without.contains("--password"), "{without}");
    assert!(failure(&["--password", "seal"]).contains("the password is wrong"));
    let _ = env.run(["ingest", "secret.zip", "--password", "walrus"]).expect_code(0);
    assert_eq!(env.hits(&["--text", "narwhal"]).len(), 1);
}

#[test]
fn one_member_is_read_and_chunked_and_an_archive_names_the_way() {
    let env = TestEnv::new();
    env.write("a.zip", zip_of(&GUIDE));
    let document = env.json(["read", "a.zip!/guide/intro.md", "--json"], 0);
    assert_eq!((&document["uri"], &document["title"]), (&"a.zip!/guide/intro.md".into(), &"Intro".into()));
    let chunks = env.json(["chunk", "a.zip!/guide/intro.md", "--json"], 0);
    assert_eq!(chunks["chunks"][1]["location"]["member"], "guide/intro.md");
    for command in ["read", "chunk"] {
        let run = env.run([command, "a.zip"]).expect_code(2);
        assert!(run.stderr.contains("a.zip!/"), "{}", run.stderr);
        let _ = env.run([command, "a.zip!/none.md"]).expect_code(2);
    }
    let run = env.run(["ingest", "a.zip!/guide/intro.md"]).expect_code(2);
    assert!(run.stderr.contains("ragctl ingest a.zip"), "{}", run.stderr);
}

#[test]
fn an_archive_comes_by_standard_input_under_its_name() {
    let env = TestEnv::new();
    let args = ["ingest", "-", "--uri", "https://example.org/docs.tar.gz", "--refresh", "changed", "--json"];
    let report = env.run_with_stdin(args, &tar_gz_of(&GUIDE)).expect_code(0).json();
    assert_eq!(report["added"], 2);
    assert_eq!(uris(&env)[1], "https://example.org/docs.tar.gz!/guide/intro.md");
    let report = env.run_with_stdin(args, &tar_gz_of(&GUIDE)).expect_code(0).json();
    assert_eq!(report["unchanged"], 2);
}

fn gz_of(text: &str) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(text.as_bytes()).unwrap();
    writer.finish().unwrap()
}

#[test]
fn a_compressed_file_is_the_file_inside() {
    let env = TestEnv::new();
    env.write("docs/notes.md.gz", gz_of("# Notes\n\nThe walrus sings.\n"));
    env.write(
        "docs/page.html.gz",
        gz_of("<html><body><main><h1>Page</h1><p>A pelican.</p></main></body></html>"),
    );
    let run = env.run(["ingest", "docs"]).expect_code(0);
    assert!(
        run.stderr.contains("skipped 2: 2 archive") && run.stderr.contains("--archives"),
        "{}",
        run.stderr
    );
    let report = env.json(["ingest", "-z", "docs", "--max-depth", "1", "--include", "*.md", "--json"], 0);
    assert_eq!((&report["added"], &report["skipped_by_reason"]["excluded"]), (&1.into(), &1.into()));
    let _ = env.run(["ingest", "docs/page.html.gz", "docs/notes.md.gz"]).expect_code(0);
    assert_eq!(uris(&env), ["docs/notes.md.gz!/notes.md", "docs/page.html.gz!/page.html"]);

    let hit = &env.hits(&["--text", "walrus"])[0];
    assert_eq!(
        (&hit["location"]["path"], &hit["location"]["member"]),
        (&"docs/notes.md.gz".into(), &"notes.md".into())
    );
    let id = hit["id"].as_str().unwrap();
    assert!(env.run(["expand", id]).expect_code(0).stdout.contains("walrus"));
    for name in ["docs/notes.md.gz", "docs/notes.md.gz!/notes.md"] {
        let document = env.json(["read", name, "--json"], 0);
        assert_eq!(
            (&document["uri"], &document["title"]),
            (&"docs/notes.md.gz!/notes.md".into(), &"Notes".into())
        );
    }
    let _ = env.run(["show", "docs/page.html.gz!/page.html"]).expect_code(0);
    let checks = env.run(["verify"]).expect_code(0);
    assert!(checks.stdout.contains("source locations hold the urtext"), "{}", checks.stdout);

    env.write("docs/notes.md.gz", gz_of("# Notes\n\nThe narwhal sings.\n"));
    std::fs::remove_file(env.path("docs/page.html.gz")).unwrap();
    let report = env.json(["ingest", "-z", "docs", "--refresh", "changed", "--prune", "--json"], 0);
    assert_eq!((&report["refreshed"], &report["removed"]), (&1.into(), &1.into()), "{report}");
}
