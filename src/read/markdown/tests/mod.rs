//! Tests of the reader as a whole: headings, blocks, titles, places in the source.

mod any_text;
mod blocks;

use super::*;
use crate::content::{Block, BlockKind, Section, Span, WarningKind};

fn read(source: &str) -> Parsed {
    read_as("docs/file.md", source)
}

fn read_as(uri: &str, source: &str) -> Parsed {
    let blob = Blob { uri: uri.into(), bytes: source.as_bytes().to_vec() };
    Markdown.read(&blob, &ReadOptions::default()).unwrap()
}

/// Checks the headings of `source`, one `level@line title` each.
#[track_caller]
fn check_headings(source: &str, expected: &[&str]) {
    assert_eq!(outline(&read(source).document), expected, "{source:?}");
}

fn outline(document: &Document) -> Vec<String> {
    let locator = document.locator();
    let headings = document.sections.iter().filter(|section| section.level > 0);
    headings
        .map(|section| {
            let line = locator.locate(section.span).lines.unwrap().0;
            format!("{}@{line} {}", section.level, section.title)
        })
        .collect()
}

/// Checks the blocks of `source`, one letter and text each.
#[track_caller]
fn check_blocks(source: &str, expected: &[(char, &str)]) {
    let document = read(source).document;
    let found: Vec<_> =
        document.blocks.iter().map(|block| (letter(block), block.span.slice(&document.text))).collect();
    assert_eq!(found, expected, "{source:?}");
    check_invariants(source.as_bytes(), &document);
}

fn letter(block: &Block) -> char {
    match block.kind {
        BlockKind::Heading => 'h',
        BlockKind::Paragraph => 'p',
        BlockKind::ListItem => 'i',
        BlockKind::Table { .. } => 't',
        BlockKind::Code { .. } => 'c',
    }
}

#[track_caller]
fn check_invariants(source: &[u8], document: &Document) {
    let text = &document.text;
    let place = document.location(Span::new(0, text.len()));
    let bytes = place.bytes.unwrap();
    assert_eq!(&source[bytes.start..bytes.end], text.as_bytes());
    assert_eq!(bytes.end, source.len());

    assert_eq!(document.sections.is_empty(), text.is_empty());
    let mut at = 0;
    for section in document.sections.iter().filter(|section| section.parent.is_none()) {
        assert_eq!(section.span.start, at);
        at = section.span.end;
    }
    assert_eq!(at, text.len());
    let mut at = 0;
    for section in &document.sections {
        assert_eq!(section.own.start, at);
        assert!(section.span.contains(section.own));
        assert!(text.is_char_boundary(section.own.start));
        at = section.own.end;
    }

    let mut at = 0;
    for Block { span, kind } in &document.blocks {
        assert!(at <= span.start && span.start < span.end, "{span:?} after {at}");
        let is_covered = |gap: &str| gap.chars().all(|c| c.is_whitespace() || c == '>');
        assert!(is_covered(&text[at..span.start]), "lost {:?}", &text[at..span.start]);
        at = span.end;
        let starts_line = |at: usize| at == 0 || text[..at].ends_with(['\n', '\r']);
        let is_section_start = document.sections.iter().any(|section| section.own.start == span.start);
        assert!(starts_line(span.start) || is_section_start, "{:?} starts inside a line", span.slice(text));
        match kind {
            BlockKind::Table { header } => assert!(span.contains(*header)),
            BlockKind::Code { fence: Some(fence) } => {
                assert!(span.contains(*fence));
                assert!(fence.slice(text).starts_with(['`', '~']));
            }
            _ => {}
        }
        // No block reaches over a section's start.
        assert!(document.sections.iter().all(|it| it.own.start <= span.start || it.own.start >= span.end));
    }
    assert!(text[at..].chars().all(|c| c.is_whitespace() || c == '>'), "lost {:?}", &text[at..]);
}

#[test]
fn atx_and_setext_headings_open_sections() {
    check_headings("# A\n## B ##\n###### C #\n####### no\n", &["1@1 A", "2@2 B", "6@3 C"]);
    // Hashes at the end (langchain#40298).
    check_headings("# Title ##\n\n## Section ###\n", &["1@1 Title", "2@3 Section"]);
    check_headings("# A#\n# B \\#\n# #\n#\t  C\t\n", &["1@1 A#", "1@2 B #", "1@3 ", "1@4 C"]);
    check_headings("A\n=\n\nB\nb\n--\n\n  C\n  ---\n", &["1@1 A", "2@4 B b", "2@8 C"]);
    check_headings("   # A\n    # code\n\n#tag\n\n\\# no\n", &["1@1 A"]);
    check_headings("text\n# A\ntext\n", &["1@2 A"]);
    check_headings("A\r\n===\r\ntext\r\n## B ##\r\n", &["1@1 A", "2@4 B"]);
    check_headings("# a\r## b\rc\r-\r", &["1@1 a", "2@2 b", "2@3 c"]);
    check_headings("\u{feff}\r\n\r\n# A\n", &["1@3 A"]);
    check_headings("# A", &["1@1 A"]);
}

#[test]
fn inline_markup_in_headings_becomes_plain_text() {
    check_headings("# *A* `b` [c](d/e) ![f](g) **h _i_** ~~j~~\n", &["1@1 A b c f h i j"]);
    check_headings("# a &amp; b &lt;c&gt; &#65;\n", &["1@1 a & b <c> A"]);
    check_headings("# a <a name=\"x\"></a>b<!-- c --> d[^1]\n\n[^1]: note\n", &["1@1 a b d"]);
    check_headings("# <https://x.org/a_b> `a``b`\n", &["1@1 https://x.org/a_b a``b"]);
    // Slashes in titles (llama_index#17965).
    check_headings("# 24/7 Support\n## [a/b](http://x/y)\n", &["1@1 24/7 Support", "2@2 a/b"]);
    check_headings("Two\n  lines  \nthree\n===\n", &["1@1 Two lines three"]);
    check_headings("# $5 and $10\n", &["1@1 $5 and $10"]);
}

#[test]
fn attributes_of_headings_give_anchors() {
    #[track_caller]
    fn check(source: &str, expected: &[(&str, Option<&str>)]) {
        let document = read(source).document;
        let anchors =
            document.sections.iter().map(|it| document.location(it.span).anchor).collect::<Vec<_>>();
        let titles = document.sections.iter().map(|it| it.title.as_str());
        let found: Vec<_> = titles.zip(anchors.iter().map(Option::as_deref)).collect();
        assert_eq!(found, expected, "{source:?}");
        check_invariants(source.as_bytes(), &document);
    }
    check(
        "text\n## Install {#install}\n\n### Use { data-toc-label=\"X\" }\n\n## Q&A {: #qa }\n",
        &[
            ("", None),
            ("Install {#install}", Some("install")),
            ("Use { data-toc-label=\"X\" }", Some("install")),
            ("Q&A {: #qa }", Some("qa")),
        ],
    );
    check("# *A* `b` {#c .d} ##\n", &[("A b {#c .d}", Some("c"))]);
    check("# A ## {#c}\n", &[("A ## {#c}", Some("c"))]);
    check("A\nb {#c}\n===\r\n", &[("A b {#c}", Some("c"))]);
    check("Heading\n-------\n{: #foo}\n", &[("Heading", Some("foo"))]);
    check("# A {.b}\r\n{: #foo .bar}\r\ntext", &[("A {.b}", Some("foo"))]);
    check("# A\n\n{: #foo}\n", &[("A", None)]);
    check(
        "# Use {braces}\n# f({x})\n# `{#id}`\n",
        &[("Use {braces}", None), ("f({x})", None), ("{#id}", None)],
    );
    check("# {#id}\n", &[("{#id}", Some("id"))]);
    check("---\na: 1\n---\n# A {#b}\n", &[("A {#b}", Some("b"))]);
    assert!(!read("# A\n{: #foo}\n").document.sections[0].has_body);
    let bytes = b"# Caf\xe9 {#caf}\n\nd\xe9j\xe0 vu, cr\xe8me br\xfbl\xe9e\n".to_vec();
    let document =
        Markdown.read(&Blob { uri: "a.md".into(), bytes }, &ReadOptions::default()).unwrap().document;
    let place = document.location(Span::new(0, document.text.len()));
    assert_eq!((place.anchor.as_deref(), place.lines), (Some("caf"), Some((1, 3))));
}

#[test]
fn markdown_in_components_of_mdx_opens_sections() {
    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let document = read_as("a.mdx", source).document;
        assert_eq!(outline(&document), expected, "{source:?}");
        check_invariants(source.as_bytes(), &document);
    }
    let steps = "# Guide\n\n<Steps>\n  <Step title=\"One\">\n    ## Inner é\n\n    Do it.\n  </Step>\n</Steps>\n\n\
                 <Note>\n## Note\nbody\n</Note>\n";
    check(steps, &["1@1 Guide", "2@5 Inner é", "2@12 Note"]);
    check_headings(steps, &["1@1 Guide"]);
    check("<Card\n  title=\"x\"\n>\n## A {#b}\n</Card>\n", &["2@4 A {#b}"]);
    check("<Steps>\n  ### A\n  Do.\n</Steps>\n    # code\n", &["3@2 A"]);
    check(
        "<Tabs>\n    ```sh\n    # no\n    <A>\n    ```\n    Setext\n    ------\n</Tabs>\n",
        &["2@6 Setext"],
    );
    check("- item\n  <Note>\n  ## no\n  </Note>\n\n<Note>x</Note>\n## A\n", &["2@7 A"]);
    check("<Tabs>\n  <h2>A</h2>\n\n  - b\n    # no\n</Tabs>\n", &["2@2 A"]);
    check("---\ntitle: x\n---\n<Note>\n# A\r\n</Note>\r\n", &["1@5 A"]);
    check("<div>\n# no\n</div>\n\n# Title {props.x}\n", &["1@5 Title {props.x}"]);
}

#[test]
fn html_headings_open_sections() {
    check_headings("<h1>A</h1>\n\n<h2 id=\"b\">B &amp; <i>c</i></h2>\ntext\n", &["1@1 A", "2@3 B & c"]);
    check_headings("x\n\n<div align=\"center\">\n  <h1>\n    A\n  </h1>\n</div>\n", &["1@4 A"]);
    check_headings("<h1 align=center>\n\n![logo](x.png)\n\n*A*\n\n</h1>\n\n## B\n", &["1@1 logo A", "2@9 B"]);
    check_headings("<h1>A</h1><h2>B</h2>\n", &["1@1 A", "2@1 B"]);
    check_headings("<h1>\n\ntext\n\n# A\n", &["1@5 A"]);
    check_headings("x\n\n<a id=a></a><h2 align=\"center\">A</h2>\n\n<br/> <h3>B</h3>\n", &["2@3 A", "3@5 B"]);
    check_headings("`<a>`<h2>A</h2>\n\n<b>x</b><h2>B</h2>\n", &[]);
    check_headings("<h1>A\n\n- b\n\n# C\n", &["1@1 A", "1@5 C"]);
    check_headings("<!--\n<h1>A</h1>\n# B\n-->\n", &[]);
    check_headings("- <h1>A</h1>\n\n> <h2>B</h2>\n\ntext <h3>C</h3>\n", &[]);
}

#[test]
fn nothing_in_a_container_or_a_fence_opens_a_section() {
    // Fences with lines that start with a hash (langchain PR 10262).
    check_headings("```\n# a\n```\n~~~py\n# b\n```\n# c\n~~~\n# D\n", &["1@9 D"]);
    check_headings("````\n```\n# a\n````\n# B\n```\n# c", &["1@5 B"]);
    check_headings("> # a\n> b\n> ===\n\n- # c\n  d\n  --\n\n1. # e\n", &[]);
    check_headings("[^1]: # a\n\n    # b\n\n# C[^1]\n", &["1@5 C"]);
    // A fence indented by four spaces in a list item (llama_index#12369).
    check_headings("- a\n\n    ```\n    # x\n    ```\n\n# B\n\n## C\n", &["1@7 B", "2@9 C"]);
    check_headings("<pre>\n# a\n</pre>\n<!-- # b\n# c -->\n# D\n", &["1@6 D"]);
    check_headings(
        "import X from 'y'\n\nexport const a = 1\n\n# A\n\n<Tabs>\n\n## B\n\n</Tabs>\n",
        &["1@5 A", "2@9 B"],
    );
    check_headings(":::{note} Title\ntext\n:::\n\n# A\n", &["1@5 A"]);
    check_headings("term\n: definition\n\n  # A\n", &["1@4 A"]);
}

#[test]
fn odd_headings_are_sound() {
    // A lone hash before a fence or at the end (pulldown-cmark#404).
    check_headings("#\n```\n# a\n```\n", &["1@1 "]);
    check_headings("a\n#", &["1@2 "]);
    check_headings("## \n\n##\n", &["2@1 ", "2@3 "]);
    check_headings("# A\n# A\n# A\n", &["1@1 A", "1@2 A", "1@3 A"]);
    check_headings("###### F\n# A\n#### D\n## B\n", &["6@1 F", "1@2 A", "4@3 D", "2@4 B"]);
    // A thematic break, then a list (markdown-rs#213).
    check_headings("---\n- a\n- b\n\n# A\n", &["1@5 A"]);
    check_headings("---\ntitle: [x\n# c\n---\n# A\n", &["1@5 A"]);
    check_headings("---\ntitle: x\n---\n# A\n", &["1@4 A"]);
    check_headings("---\nA\n---\n", &["2@2 A"]);
}

#[test]
fn skipped_levels_hang_under_the_nearest_shallower_heading() {
    // llama_index#17599, WeKnora#1674.
    let document = read("# A\n### B\n### C\n## D\n#### 5.9.2\n").document;
    let parents: Vec<_> = document.sections.iter().map(|it| it.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(0), Some(0), Some(3)]);
    assert_eq!(document.section_path(Some(4)), ["A", "D", "5.9.2"]);
}

#[test]
fn text_before_the_first_heading_is_a_preamble() {
    // docling#2800.
    let source = "one\n\ntwo\n\n# A\n\n<p>three</p>\n";
    let document = read(source).document;
    let own: Vec<_> = document.sections.iter().map(|it| it.own.slice(&document.text)).collect();
    assert_eq!(own, ["one\n\ntwo\n\n", "# A\n\n<p>three</p>\n"]);
}

#[test]
fn a_document_of_headings_alone_keeps_them() {
    // docling#2257.
    let document = read("# A\n\n## B\n").document;
    assert_eq!(document.blocks.len(), 2);
    assert!(document.sections.iter().all(|section| !section.has_body));
}

#[test]
fn blank_documents_have_no_text() {
    for source in ["", "\n", " \t\r\n", "\u{feff}", "\u{feff}---\na: 1\n---\n", "---\na: 1\n---\n\n \n"] {
        let parsed = read(source);
        assert_eq!((parsed.document.text.as_str(), parsed.document.sections), ("", Vec::<Section>::new()));
        assert_eq!(parsed.document.title, "file.md");
    }
}

#[test]
fn a_section_of_headings_comments_and_anchors_has_no_body() {
    #[track_caller]
    fn check(body: &str, expected: bool) {
        assert_eq!(read(&format!("# A\n{body}")).document.sections[0].has_body, expected, "{body:?}");
    }
    check("", false);
    check("\n \r\n", false);
    check("<!-- x\n\ny -->\n<!--z-->", false);
    check("<a id=\"x\"></a>\n<a name='y' />\n", false);
    check("## B\n", false);
    check("text", true);
    check("<!-- open", true);
    check("<a href='x'>y</a>", true);
    check("<a", true);
    check("<abbr></a>", true);
}

#[test]
fn titles_come_from_metadata_then_headings_then_the_file_name() {
    #[track_caller]
    fn check(source: &str, expected: &str) {
        assert_eq!(read(source).document.title, expected, "{source:?}");
    }
    check("---\ntitle: \" A  B \"\n---\n# C\n", "A B");
    check("+++\ntitle = 'A'\n+++\n# C\n", "A");
    check("---\ntitle: 2024\n---\n# C\n", "2024");
    check("---\ntitle: ''\n---\n# C\n", "C");
    check("---\ntitle: [a]\n---\n## B\n# C\n", "C");
    check("## B\n### C\n", "B");
    check("#\n# `C`\n", "C");
    check("text", "file.md");
}

#[test]
fn front_matter_becomes_metadata_and_damage_a_warning() {
    let parsed = read("\u{feff}---\r\ntags: [a, b]\r\ndate: 2024-05-06\r\n---\r\n\r\n# A\r\n");
    assert_eq!(
        serde_json::json!(parsed.document.metadata),
        serde_json::json!({"tags": ["a", "b"], "date": "2024-05-06"})
    );
    assert!(parsed.document.labels.is_empty() && parsed.warnings.is_empty());
    assert_eq!(parsed.document.text, "# A\r\n");
    assert_eq!(parsed.document.location(Span::new(0, 3)).lines, Some((6, 6)));

    let parsed = read("---\ntitle: [x\n---\n\n# A\n");
    assert_eq!(parsed.warnings.iter().map(|it| it.kind).collect::<Vec<_>>(), [WarningKind::FrontMatter]);
    assert!(parsed.document.text.starts_with("---\ntitle: [x\n"));
    assert_eq!(parsed.document.title, "A");
}

#[test]
fn mixed_line_endings_count_as_an_editor_counts() {
    // ck 0.6.0 notes.
    let source = "a\rb\n\r\n# C\r# D\r\n\r\re\n## F";
    check_headings(source, &["1@4 C", "1@5 D", "2@9 F"]);
    check_invariants(source.as_bytes(), &read(source).document);
}

#[test]
fn files_match_their_expectations() {
    // A new case is a Markdown file in testdata/markdown and its expectation beside it; see the README there.
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/markdown");
    let mut n_files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let expected = path.with_extension("json");
        if path.extension().is_none_or(|it| it == "json") || !expected.exists() {
            continue;
        }
        n_files += 1;
        let expected: Value = serde_json::from_slice(&std::fs::read(expected).unwrap()).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let uri = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Parsed { document, warnings } =
            Markdown.read(&Blob { uri, bytes: bytes.clone() }, &ReadOptions::default()).unwrap();
        check_invariants(&bytes, &document);
        let found = serde_json::json!({
            "title": document.title,
            "metadata": document.metadata,
            "headings": outline(&document),
            "blocks": document.blocks.iter().map(letter).collect::<String>(),
            "warnings": warnings.iter().map(|it| it.kind.name()).collect::<Vec<_>>(),
        });
        assert_eq!(found, expected, "{}", path.display());
    }
    assert!(n_files >= 4, "only {n_files} cases in {folder}");
}

#[test]
fn other_encodings_keep_their_places() {
    // llm#225: 0x96 is a dash in Windows-1252.
    let bytes = b"---\ntitle: x\n---\n\n# One \x96 two\n\ncaf\xe9 cr\xe8me d\xe9j\xe0 vu\n".to_vec();
    let blob = Blob { uri: "a.md".into(), bytes: bytes.clone() };
    let document = Markdown.read(&blob, &ReadOptions::default()).unwrap().document;
    assert_eq!(outline(&document), ["1@5 One – two"]);
    let start = document.text.find("café").unwrap();
    let place = document.location(Span::new(start, start + "café".len()));
    assert_eq!(place.lines, Some((7, 7)));
    let Span { start, end } = place.bytes.unwrap();
    assert_eq!(&bytes[start..end], b"caf\xe9");
}

#[test]
fn binary_files_are_refused() {
    let blob = Blob { uri: "a.md".into(), bytes: b"\x00\x01\x02\x00PNG\x00\x00".to_vec() };
    assert_eq!(Markdown.read(&blob, &ReadOptions::default()), Err(ReadError::Binary));
}
