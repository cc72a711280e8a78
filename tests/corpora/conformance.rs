//! Headings and text against the examples of CommonMark, GFM and html5lib.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use ragctl::read::{Blob, ReadOptions, reader_named};

use crate::score::letters;

#[derive(Deserialize)]
struct Heading {
    level: u8,
    text: String,
}

#[derive(Deserialize)]
struct MarkdownExample {
    example: u32,
    markdown: String,
    html: String,
    headings: Vec<Heading>,
}

#[derive(Deserialize)]
struct TreeExample {
    file: String,
    n: u32,
    data: String,
    headings: Vec<Heading>,
    text: String,
}

fn lines(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora/conformance").join(file);
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

/// Level, title and text of what the reader makes of `source`.
fn read(format: &str, source: &str) -> (Vec<(u8, String)>, String) {
    let blob = Blob { uri: "example".into(), bytes: source.as_bytes().to_vec() };
    let options = ReadOptions { full_page: true, ..ReadOptions::default() };
    let document = reader_named(format).unwrap().read(&blob, &options).unwrap().document;
    let sections = document.sections.iter().filter(|it| it.level > 0);
    (sections.map(|it| (it.level, it.title.clone())).collect(), document.text)
}

/// The headings of `html` that stand in no list, quotation or table, of which there are as many as `n`, by their number.
fn nested(html: &str, n: usize) -> Vec<bool> {
    let mut depth = 0_i32;
    let mut found = Vec::new();
    for tag in html.split('<').skip(1) {
        let name: String = tag.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '/').collect();
        match name.as_str() {
            "blockquote" | "ul" | "ol" | "table" => depth += 1,
            "/blockquote" | "/ul" | "/ol" | "/table" => depth -= 1,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => found.push(depth > 0),
            _ => {}
        }
    }
    assert_eq!(found.len(), n, "{html}");
    found
}

#[test]
fn every_commonmark_heading_opens_a_section_and_nothing_else_does() {
    let mut faults = Vec::new();
    let mut n_examples = 0;
    for line in ["commonmark.jsonl", "gfm-extensions.jsonl"].into_iter().flat_map(lines) {
        let case: MarkdownExample = serde_json::from_str(&line).unwrap();
        n_examples += 1;
        let is_nested = nested(&case.html, case.headings.len());
        let expected: Vec<(u8, String)> = case
            .headings
            .iter()
            .zip(is_nested)
            .filter(|(_, is_nested)| !is_nested)
            .map(|(it, _)| (it.level, letters(&it.text)))
            .collect();
        let (sections, _) = read("markdown", &case.markdown);
        let given: Vec<(u8, String)> =
            sections.into_iter().map(|(level, title)| (level, letters(&title))).collect();
        if given != expected {
            faults
                .push(format!("example {}: {given:?} for {expected:?} in {:?}", case.example, case.markdown));
        }
    }
    assert!(n_examples > 300);
    assert!(faults.is_empty(), "{} of {n_examples}\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn pages_have_the_text_and_headings_of_the_html_standard() {
    let mut faults = Vec::new();
    let mut n_examples = 0;
    for line in lines("html5lib-tree.jsonl") {
        let case: TreeExample = serde_json::from_str(&line).unwrap();
        // Left out: files with NULs that do not start as a page does, which are taken for binary; `noscript`, which the
        // examples parse as text; `textarea`, whose text they do not count; and an element newer than the parser.
        if ["\0", "<noscript", "<textarea", "<selectedcontent"].iter().any(|it| case.data.contains(it)) {
            continue;
        }
        n_examples += 1;
        let (sections, text) = read("html", &case.data);
        let expected: Vec<(u8, String)> = case
            .headings
            .iter()
            .map(|it| (it.level, letters(&it.text)))
            .filter(|(_, title)| !title.is_empty())
            .collect();
        let given: Vec<(u8, String)> =
            sections.into_iter().map(|(level, title)| (level, letters(&title))).collect();
        if given != expected {
            faults.push(format!("{} {}: {given:?} for {expected:?} in {:?}", case.file, case.n, case.data));
        }
        if letters(&text) != letters(&case.text) {
            faults.push(format!("{} {}: {text:?} for {:?} in {:?}", case.file, case.n, case.text, case.data));
        }
    }
    assert!(n_examples > 700);
    assert!(faults.is_empty(), "{} of {n_examples}\n{}", faults.len(), faults.join("\n"));
}
