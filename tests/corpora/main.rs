//! Readers against files of strangers: each folder of cases has a `manifest.json` that says what is expected.
//!
//! A new case is a file in `files/` and an entry in the manifest beside it ([`case::Case`] lists the keys); no Rust.
//! `RAGCTL_CORPORA=FOLDER` checks the manifests below another folder as well. `cargo test --test corpora -- --nocapture`
//! prints the figures that are asserted.

#![expect(clippy::print_stdout, reason = "figures are printed for whoever asks with --nocapture")]

mod case;
mod check;
mod conformance;
mod score;

use std::fs;
use std::path::{Path, PathBuf};

use case::Case;

/// The repository's corpora and those of `RAGCTL_CORPORA`.
fn roots() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora");
    std::iter::once(own).chain(std::env::var_os("RAGCTL_CORPORA").map(PathBuf::from)).collect()
}

/// Checks every case of the folders called `name`, and gives them with what was read for figures over all of them.
fn check_folder(name: &str) -> Vec<check::Outcome> {
    let mut outcomes = Vec::new();
    let mut faults: Vec<String> = Vec::new();
    for folder in roots().iter().map(|root| root.join(name)) {
        let Ok(manifest) = fs::read_to_string(folder.join("manifest.json")) else { continue };
        let cases: Vec<Case> = serde_json::from_str(&manifest)
            .unwrap_or_else(|error| panic!("{}/manifest.json: {error}", folder.display()));
        assert!(!cases.is_empty(), "{}: no cases", folder.display());
        for case in cases {
            let outcome = check::check(&folder, case);
            faults.extend(outcome.faults.iter().map(|fault| format!("{}: {fault}", outcome.case.file)));
            outcomes.push(outcome);
        }
    }
    assert!(!outcomes.is_empty(), "no cases in {name}");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    outcomes
}

#[test]
fn markdown_files_read_as_their_manifest_says() {
    check_folder("markdown");
}

#[test]
fn html_pages_read_as_their_manifest_says() {
    check_folder("html");
}

#[test]
fn hand_made_cases_read_as_their_manifest_says() {
    check_folder("cases");
}

#[test]
fn pdf_files_read_as_their_manifest_says() {
    let outcomes = check_folder("pdf");
    println!("{:40} {:>6} {:>8} {:>13} {:>9}", "file", "F1", "outline", "by type", "precision");
    let mut scores = Vec::new();
    let (mut outline, mut by_type) = (score::Found::default(), score::Found::default());
    for it in &outcomes {
        let found = |found: Option<score::Found>| found.map(|it| format!("{}/{}", it.n_hits, it.n_wanted));
        println!(
            "{:40} {:>6} {:>8} {:>13} {:>9}",
            it.case.file,
            it.f1.map_or("-".to_owned(), |f1| format!("{f1:.3}")),
            found(it.outline).unwrap_or_default(),
            found(it.by_type).unwrap_or_default(),
            it.by_type.map_or(String::new(), |it| format!("{}/{}", it.n_hits, it.n_given)),
        );
        scores.extend(it.f1);
        outline = outline + it.outline.unwrap_or_default();
        by_type = by_type + it.by_type.unwrap_or_default();
    }
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    println!("mean F1 {mean:.3}, outline {outline:?}, outline hidden {by_type:?}");
    assert!(mean >= 0.97, "mean token F1 {mean:.3}");
    assert!(outline.recall() >= 0.95, "outline titles as sections: {outline:?}");
    assert!(by_type.recall() >= 0.75, "outline titles found without the outline: {by_type:?}");
    assert!(by_type.precision() >= 0.65, "sections by type that the outline has: {by_type:?}");
}
