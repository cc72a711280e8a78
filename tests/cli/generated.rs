//! Files that derive from the program's definitions are fresh.
//!
//! `RAGCTL_UPDATE=1 cargo test generated` writes them anew.

use std::fs;
use std::path::Path;

use crate::env::TestEnv;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn check(relative: &str, fresh: &str) {
    let path = root().join(relative);
    if std::env::var_os("RAGCTL_UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, fresh).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == fresh, "{relative} is stale; write it anew with: RAGCTL_UPDATE=1 cargo test generated");
}

#[test]
fn generated_completions_are_fresh() {
    let env = TestEnv::new();
    for (shell, name) in [
        ("bash", "ragctl.bash"),
        ("zsh", "_ragctl"),
        ("fish", "ragctl.fish"),
        ("powershell", "_ragctl.ps1"),
        ("elvish", "ragctl.elv"),
    ] {
        let script = env.run(["completions", shell]).expect_code(0).stdout;
        assert!(script.contains("ingest"), "{shell}");
        check(&format!("completions/{name}"), &script);
    }
}

#[test]
fn generated_man_pages_are_fresh() {
    let env = TestEnv::new();
    let _ = env.run(["man", "--dir", "man"]).expect_code(0);
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(env.path("man")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        check(&format!("man/{name}"), &fs::read_to_string(entry.path()).unwrap());
        names.push(name);
    }
    let mut stored: Vec<String> = fs::read_dir(root().join("man"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    stored.sort();
    assert_eq!(stored, names, "man/ holds other pages than the program has");
}

#[test]
fn the_man_page_of_each_command_is_printed() {
    let env = TestEnv::new();
    assert!(env.run(["man"]).expect_code(0).stdout.contains("ragctl\\-search(1)"));
    assert!(env.run(["man", "search"]).expect_code(0).stdout.contains("top\\-k"));
    assert!(env.run(["man", "nothing"]).expect_code(2).stderr.contains("'nothing'"));
}
