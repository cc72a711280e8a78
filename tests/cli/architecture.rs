//! The direction of imports, as `src/lib.rs` draws it.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules with the layer that they stand in; a module may import from lower layers only.
const LAYERS: &[(&str, u8)] = &[
    ("content", 0),
    ("http", 0),
    ("bert", 0),
    ("filter", 1),
    ("local", 1),
    ("query", 1),
    ("hub", 2),
    ("source", 3),
    ("read", 3),
    ("chunk", 3),
    ("transform", 3),
    ("embed", 3),
    ("rerank", 3),
    ("store", 3),
    ("ingest", 4),
    ("search", 4),
    ("eval", 5),
    ("render", 6),
    ("tools", 7),
    ("mcp", 8),
    ("cli", 9),
];

fn layer(module: &str) -> Option<u8> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, layer)| *layer)
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
}

/// The top-level modules that a file names with `crate::`, comments left out.
fn imports(text: &str) -> Vec<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("crate::").skip(1).map(str::to_owned).collect::<Vec<_>>())
        .map(|rest| rest.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect())
        .collect()
}

#[test]
fn imports_point_downward() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&source, &mut files);
    assert!(files.len() > 30, "the sources were not found");
    let mut wrong = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&source).unwrap();
        let module = relative.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
        let Some(own) = layer(&module) else {
            assert!(["lib", "main"].contains(&module.as_str()), "{module} has no layer");
            continue;
        };
        for import in imports(&fs::read_to_string(&file).unwrap()) {
            match layer(&import) {
                Some(other) if import == module || other < own => {}
                Some(_) => wrong.push(format!("{} imports {import}", relative.display())),
                None => wrong.push(format!("{} imports the unknown module '{import}'", relative.display())),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_module_says_what_it_owns() {
    let mut files = Vec::new();
    rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    for file in files.iter().filter(|it| !it.ends_with("tests.rs")) {
        let text = fs::read_to_string(file).unwrap();
        assert!(text.starts_with("//!"), "{} has no module text", file.display());
    }
}
