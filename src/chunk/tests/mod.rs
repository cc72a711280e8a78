//! Behaviour of the chunker on whole documents.

mod chunkers;
mod conformance;
mod context;
mod properties;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::*;
use crate::content::{
    Block, BlockKind, Chunk, DocumentId, Heading, Metadata, Origin, SectionKind, Span, build_sections,
};
use conformance::check_every_chunker;

/// Reads the little Markdown that these tests need: ATX headings, paragraphs, nested `-` items, pipe tables and fences.
fn read(text: &str) -> Document {
    let (mut headings, mut blocks): (Vec<Heading>, Vec<Block>) = (Vec::new(), Vec::new());
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        lines.push(Span::new(start, start + line.len()));
        start += line.len();
    }
    let content = |line: Span| line.slice(text).trim_end_matches(['\r', '\n']);
    let without_ending = |line: Span| Span::new(line.start, line.start + content(line).len());
    let mut at = 0;
    while at < lines.len() {
        let (first, line) = (lines[at], content(lines[at]));
        let mut last = at;
        let run = |last: &mut usize, belongs: &dyn Fn(&str) -> bool| {
            while lines.get(*last + 1).is_some_and(|&next| belongs(content(next))) {
                *last += 1;
            }
        };
        let is_item = |line: &str| line.trim_start().starts_with("- ") || line.starts_with('-');
        let special =
            |line: &str| line.trim().is_empty() || line.starts_with(['#', '|', '`', '<']) || is_item(line);
        let kind = if line.trim().is_empty() || line.starts_with("<!--") {
            at += 1;
            continue;
        } else if line.starts_with('#') {
            let level = line.chars().take_while(|&ch| ch == '#').count();
            headings.push(Heading {
                start: first.start,
                end: first.end,
                level: level as u8,
                title: line[level..].trim().to_owned(),
                kind: SectionKind::Heading,
            });
            BlockKind::Heading
        } else if line.starts_with("```") {
            run(&mut last, &|next| !next.starts_with("```"));
            last = (last + 1).min(lines.len() - 1);
            BlockKind::Code { fence: Some(without_ending(first)) }
        } else if line.starts_with('|') {
            run(&mut last, &|next| next.starts_with('|'));
            let header = match lines.get(at + 1) {
                Some(&next) if content(next).starts_with("|-") => Span::new(first.start, next.end),
                _ => Span::new(first.start, first.start),
            };
            BlockKind::Table { header }
        } else if is_item(line) {
            run(&mut last, &|next| !special(next));
            BlockKind::ListItem
        } else {
            run(&mut last, &|next| !special(next));
            BlockKind::Paragraph
        };
        blocks.push(Block { span: Span::new(first.start, lines[last].end), kind });
        at = last + 1;
    }
    let id = DocumentId::of_uri("t.md");
    let is_blank = |text: &str| text.lines().all(|line| line.trim().is_empty() || line.starts_with("<!--"));
    let sections = build_sections(id, text, &headings, is_blank);
    Document {
        id,
        uri: "t.md".into(),
        title: "T".into(),
        media_type: "text/markdown".into(),
        text: text.into(),
        sections,
        blocks,
        metadata: Metadata::new(),
        language: None,
        labels: BTreeSet::new(),
        origin: Origin::Verbatim { byte: 0, line: 1 },
    }
}

fn config(max_chars: usize, overlap_chars: usize) -> ChunkConfig {
    ChunkConfig::new(max_chars, overlap_chars).unwrap()
}

fn urtext<'a>(document: &'a Document, chunk: &Chunk) -> &'a str {
    chunk.span.slice(&document.text)
}

/// Chunks `text` with every chunker, checks all that holds for each, and returns the chunks of the default.
#[track_caller]
fn chunks(text: &str, max_chars: usize, overlap_chars: usize) -> (Document, Vec<Chunk>) {
    let document = read(text);
    check_every_chunker(&document, config(max_chars, overlap_chars));
    let chunks = chunk(&document, config(max_chars, overlap_chars));
    (document, chunks)
}

/// The chunks of the default chunker.
fn chunk(document: &Document, config: ChunkConfig) -> Vec<Chunk> {
    CHUNKERS[0].chunk(document, &config.into())
}

/// Checks the section titles and urtexts of all chunks; `-` stands for the document itself.
#[track_caller]
fn check_plan(text: &str, max_chars: usize, expected: &[(&str, &str)]) {
    let (document, chunks) = chunks(text, max_chars, 0);
    let title =
        |chunk: &Chunk| chunk.section.map_or("-", |section| document.sections[section].title.as_str());
    let actual: Vec<_> = chunks.iter().map(|it| (title(it), urtext(&document, it))).collect();
    assert_eq!(actual, expected);
}

const BODY: &str = "Body text that goes on for a sentence or two. Here is the second.\n\n";

#[test]
fn an_empty_document_has_no_chunks() {
    check_plan("", 1500, &[]);
}

#[test]
fn blank_text_is_kept() {
    check_plan("\n\n", 1500, &[("", "\n\n")]);
}

#[test]
fn each_own_text_is_a_chunk() {
    let (a, b) = (format!("# A\n\n{BODY}"), format!("## B\n\n{BODY}"));
    check_plan(&format!("{BODY}{a}{b}"), 1500, &[("", BODY), ("A", &a), ("B", &b)]);
}

#[test]
fn small_sections_with_body_stay_apart() {
    check_plan("# A\n\nx\n\n## B\n\ny\n", 1500, &[("A", "# A\n\nx\n\n"), ("B", "## B\n\ny\n")]);
    check_plan("# A\n\nx\n\n# B\n\ny\n", 1500, &[("A", "# A\n\nx\n\n"), ("B", "# B\n\ny\n")]);
}

#[test]
fn sections_without_body_join_what_they_introduce() {
    let c = format!("### C\n\n{BODY}");
    let joined = format!("# A\n\n## B\n\n{c}");
    check_plan(&joined, 1500, &[("A", &joined)]);
    check_plan(&joined, c.chars().count(), &[("A", "# A\n\n## B\n\n"), ("C", &c)]);
    let d = format!("## D\n\n{BODY}");
    check_plan(&format!("{joined}{d}"), 1500, &[("A", &joined), ("D", &d)]);
}

#[test]
fn a_preamble_without_body_joins_the_first_section() {
    let text = format!("<!-- licence -->\n\n# A\n\n{BODY}");
    check_plan(&text, 1500, &[("-", &text)]);
    let a = format!("# A\n\n{BODY}");
    check_plan(&text, a.chars().count(), &[("", "<!-- licence -->\n\n"), ("A", &a)]);
    check_plan("<!-- only -->\n", 1500, &[("", "<!-- only -->\n")]);
}

#[test]
fn headings_only_are_packed_under_their_parent() {
    // A document with headings only had no chunk at all (docling#2257).
    check_plan("# A\n# B\n# C\n", 1500, &[("-", "# A\n# B\n# C\n")]);
    check_plan("# A\n# B\n# C\n", 8, &[("-", "# A\n# B\n"), ("C", "# C\n")]);
    let long = "long ".repeat(50);
    let text = format!("# A\n## B {long}\n## C\n");
    check_plan(&text, 1500, &[("A", &text)]);
    let text = format!("# A\n\n{BODY}## B\n## C\n## D\n\nx\n");
    let a = format!("# A\n\n{BODY}");
    check_plan(&text, 1500, &[("A", &a), ("A", "## B\n## C\n"), ("D", "## D\n\nx\n")]);
}

#[test]
fn a_deep_chunk_keeps_its_whole_path() {
    // WeKnora#1674: sub-headings below H2 never reached the breadcrumb.
    let items: String = (1..40).map(|n| format!("- item {n} of a long list\n")).collect();
    let text = format!("# Std\n\n## Preface\n\n{BODY}## 5\n\n### 5.9\n\n{BODY}#### 5.9.2\n\n{items}");
    let (document, chunks) = chunks(&text, 200, 40);
    let last = chunks.last().unwrap();
    assert!(last.total > 3);
    assert_eq!(document.section_path(last.section), ["Std", "5", "5.9", "5.9.2"]);
}

/// Checks the texts of all chunks.
#[track_caller]
fn check_texts(text: &str, max_chars: usize, overlap_chars: usize, expected: &[&str]) {
    let (_, chunks) = chunks(text, max_chars, overlap_chars);
    let actual: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
    assert_eq!(actual, expected);
}

#[test]
fn boundaries_prefer_block_line_sentence_word_grapheme() {
    check_texts("one two\n\nthree four\n\nfive", 21, 0, &["one two\n\nthree four\n\n", "five"]);
    check_texts("one two\nthree four\nfive six", 20, 0, &["one two\nthree four\n", "five six"]);
    check_texts("One two. Three four. Five six.", 25, 0, &["One two. Three four. ", "Five six."]);
    check_texts("one two three four five six", 16, 0, &["one two three ", "four five six"]);
    check_texts("漢字漢字漢字", 4, 0, &["漢字漢字", "漢字"]);
    check_texts("abcdefghij", 4, 0, &["abcd", "efgh", "ij"]);
}

#[test]
fn a_block_that_fits_is_not_cut_and_one_that_does_not_fills_the_piece() {
    check_texts("See:\n\none two three four", 20, 0, &["See:\n\n", "one two three four"]);
    check_texts("See:\n\none two three four five six", 20, 0, &["See:\n\none two three ", "four five six"]);
}

#[test]
fn a_heading_stays_with_what_follows() {
    let text = "# T\n\none two three\n\nfour five six seven eight";
    check_texts(text, 24, 0, &["# T\n\none two three\n\n", "four five six seven ", "eight"]);
    check_texts("# Title\n\none two three four", 20, 0, &["# Title\n\none two ", "three four"]);
}

#[test]
fn overlap_starts_at_a_sentence_else_at_a_word() {
    let text = "One is here. Two is here. Three is here. Four is here.";
    let expected =
        ["One is here. Two is here. ", "Two is here. Three is here. ", "Three is here. Four is here."];
    check_texts(text, 30, 15, &expected);
    check_texts("aa bb cc dd ee ff gg", 9, 4, &["aa bb cc ", "cc dd ee ", "ee ff gg"]);
}

#[test]
fn long_paragraphs_share_text_inside_their_section_only() {
    // ReasonDB#6, Flowise#5173: overlap had no effect.
    let sentence = "The quick brown fox jumps over the lazy dog near the river bank. ";
    let text = format!("# A\n\n{}\n\n# B\n\n{}\n", sentence.repeat(60), sentence.repeat(60));
    let (_, with) = chunks(&text, 500, 100);
    for chunk in &with {
        assert_eq!(chunk.overlap > 0, chunk.index > 0, "{chunk:?}");
    }
    let (_, without) = chunks(&text, 500, 0);
    assert!(without.iter().all(|chunk| chunk.overlap == 0) && without.len() < with.len());
}

#[test]
fn equal_sentences_have_their_own_places() {
    // langchain#21475, chonkie#37: offsets pointed at the first copy; check_tiling proves the places.
    let (document, chunks) = chunks(&"Same sentence again. ".repeat(6), 50, 21);
    assert!(chunks.len() >= 4);
    assert!(chunks.iter().all(|chunk| urtext(&document, chunk) == chunk.text));
}

#[test]
fn emoji_are_whole_at_every_cut() {
    // qmd#777: a surrogate pair cut in two.
    for pad in 0..40 {
        let text = format!("{}{}", "a".repeat(pad), "👩🏽‍👩🏿‍👧‍👦🇩🇪é\r\n漢".repeat(12));
        chunks(&text, 30, 8);
        chunks(&text, 20, 0);
    }
}

#[test]
fn text_without_spaces_is_cut_in_linear_time() {
    let started = Instant::now();
    for unit in [
        "a",
        "…",
        "漢",
        "🇩🇪",
        "e\u{301}",
        "\u{301}",
        " ",
        "\n",
        "\r\n",
        ". ",
        "#",
        "a\u{200d}",
        "a. ",
        "。「",
        ".)",
    ] {
        let text = unit.repeat(60_000 / unit.chars().count());
        let document = read(&format!("x{text}"));
        for chunker in CHUNKERS {
            let name = chunker.meta().name;
            let chunks = chunker.chunk(&document, &ChunkConfig::default().into());
            check_tiling_fast(&document, &chunks);
            let n_chars = document.text.chars().count();
            let n_expected = n_chars / 1500..=n_chars / 1000;
            assert!(n_expected.contains(&chunks.len()), "{name}, {unit:?}: {}", chunks.len());
        }
    }
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

fn check_tiling_fast(document: &Document, chunks: &[Chunk]) {
    let mut covered = 0;
    for chunk in chunks {
        assert_eq!(chunk.span.start + chunk.overlap, covered);
        assert!(urtext(document, chunk).chars().count() <= 1500);
        covered = chunk.span.end;
    }
    assert_eq!(covered, document.text.len());
}

#[test]
fn an_edit_in_one_section_leaves_the_other_ids() {
    let text = format!("{BODY}# A\n\n{BODY}## B\n\n{BODY}## C\n\n{BODY}# D\n\n{BODY}");
    let (_, before) = chunks(&text, 150, 30);
    let edited = text.replace("## B\n\n", "## B\n\nA new sentence. ");
    let (document, after) = chunks(&edited, 150, 30);
    let is_b = |chunk: &&Chunk| document.sections[chunk.section.unwrap()].title == "B";
    let ids =
        |chunks: &[Chunk]| -> Vec<_> { chunks.iter().filter(|it| !is_b(it)).map(|chunk| chunk.id).collect() };
    assert_eq!(ids(&before), ids(&after));
    assert_ne!(before, after);
}

#[test]
fn impossible_limits_are_refused_and_never_loop() {
    assert_eq!(ChunkConfig::new(0, 0), Err(ChunkConfigError::NoRoom));
    assert!(matches!(ChunkConfig::new(10, 10), Err(ChunkConfigError::Overlap { .. })));
    assert!(matches!(config(10, 0).with_min(11), Err(ChunkConfigError::Min { .. })));
    let document = read("# A\n\nabc\n");
    for chunker in CHUNKERS {
        let limits = ChunkConfig { max_chars: 0, overlap_chars: 9, min_chars: 7 }.into();
        assert_eq!(chunker.chunk(&document, &limits).len(), 9);
    }
}
