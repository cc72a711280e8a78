//! The files of `testdata/office` read as expected; see the README there.

use std::fs;
use std::path::Path;

use crate::content::{BlockKind, Document};
use crate::read::{Blob, Parsed, ReadError, ReadOptions, detect};

fn read(name: &str, bytes: Vec<u8>) -> Result<Parsed, ReadError> {
    let blob = Blob { uri: name.to_owned(), bytes };
    detect(&blob).unwrap().read(&blob, &ReadOptions::default())
}

fn show(parsed: &Parsed) -> String {
    let Document { title, media_type, metadata, sections, text, .. } = &parsed.document;
    let warnings: Vec<&str> = parsed.warnings.iter().map(|it| it.message.as_str()).collect();
    let outline: Vec<String> = sections
        .iter()
        .map(|it| format!("{}{} {} [{}]", "  ".repeat(it.depth), it.level, it.title, it.kind.name()))
        .collect();
    format!(
        "title: {title}\nmedia type: {media_type}\nmetadata: {}\nwarnings: {}\n{}\n\n{text}",
        serde_json::json!(metadata),
        warnings.join("; "),
        outline.join("\n"),
    )
}

#[test]
fn files_in_testdata_read_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/office");
    let mut n_files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.ends_with(".expected") || name.ends_with(".md") {
            continue;
        }
        n_files += 1;
        let parsed = read(&name, fs::read(&path).unwrap()).unwrap();
        for block in &parsed.document.blocks {
            let whole = block.span.slice(&parsed.document.text);
            assert_eq!(whole.trim_end(), whole, "{name}: a block ends with its text");
            if let BlockKind::Table { header } = block.kind {
                assert!(
                    block.span.contains(header) && whole.starts_with(header.slice(&parsed.document.text))
                );
            }
        }
        let found = show(&parsed);
        let expectation = path.with_file_name(format!("{name}.expected"));
        if std::env::var_os("RAGCTL_BLESS").is_some() {
            fs::write(&expectation, &found).unwrap();
        }
        assert_eq!(found, fs::read_to_string(&expectation).unwrap_or_default(), "{name}");
    }
    assert!(n_files >= 10, "only {n_files} files");
}

/// Any damage gives an error or what can still be read, never a panic.
#[test]
fn damaged_copies_of_the_files_are_survived() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/office");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.ends_with(".expected") || name.ends_with(".md") {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        // Bytes are changed and files cut at places spread by a multiplicative generator (Lehmer).
        let mut random = 48_271_u64;
        for round in 0..40 {
            let mut copy = bytes.clone();
            for _ in 0..=round % 4 {
                random = random * 48_271 % 2_147_483_647;
                let at = usize::try_from(random).unwrap() % copy.len();
                copy[at] ^= u8::try_from(random % 255).unwrap() + 1;
            }
            if round % 5 == 0 {
                copy.truncate(usize::try_from(random).unwrap() % copy.len());
            }
            let blob = Blob { uri: name.clone(), bytes: copy };
            if let Some(reader) = detect(&blob)
                && let Ok(parsed) = reader.read(&blob, &ReadOptions::default())
            {
                let mut last = 0;
                for block in &parsed.document.blocks {
                    assert!(block.span.start >= last, "{name}, round {round}");
                    last = block.span.end;
                }
            }
        }
    }
}

#[test]
fn files_are_told_by_what_is_in_them() {
    let check = |name: &str, bytes: &[u8], expected: &str| {
        let blob = Blob { uri: name.to_owned(), bytes: bytes.to_vec() };
        assert_eq!(detect(&blob).map(|it| it.meta().name), Some(expected), "{name}");
    };
    let file = |name: &str| {
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/office").join(name)).unwrap()
    };
    check("x", &file("report.docx"), "docx");
    check("x.zip", &file("plan.pptx"), "pptx");
    check("x.docx", &file("costs.xlsx"), "xlsx");
    check("x", &file("bridges.epub"), "epub");
    check("x", &file("joints.odt"), "odt");
    check("x.doc", &file("joints.rtf"), "rtf");
    check("x.doc", b"<html><body>exported</body></html>", "html");
    check("x.xls", b"a\tb\n1\t2\n", "text");
    check("x.doc", &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "docx");
    check("x.csv", b"a,b\n", "csv");
    check("x.docx", b"", "docx");
}
