//! What holds for every document, tried on generated ones.

use proptest::prelude::*;

use super::tests::{check_tiling, chunks, config, read, urtext};
use super::*;

/// Text of words of several scripts, with blanks, punctuation and line endings between.
fn inline() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        5 => "[a-zA-Z]{1,12}",
        1 => Just("漢字かな".to_owned()),
        1 => Just("👩‍👩‍👧".to_owned()),
        1 => Just("e\u{301}\u{300}".to_owned()),
        1 => "[a-z.…/_-]{10,60}",
    ];
    let gap = prop_oneof![6 => Just(" "), 2 => Just(". "), 1 => Just("\n"), 1 => Just("  "), 1 => Just("。")];
    proptest::collection::vec((word, gap), 1..30)
        .prop_map(|words| words.into_iter().map(|(word, gap)| word + gap).collect::<String>() + "x")
}

fn block() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => ("#{1,4}", "[A-C]{0,2}").prop_map(|(marks, title)| format!("{marks} {title}\n")),
        5 => inline().prop_map(|text| text + "\n"),
        2 => proptest::collection::vec("[a-z ]{1,30}", 1..8)
            .prop_map(|items| items.iter().map(|item| format!("- {item}\n")).collect()),
        2 => proptest::collection::vec("[a-z0-9 ]{1,30}", 0..12).prop_map(|rows| {
            let rows: String = rows.iter().map(|row| format!("| {row} | x |\n")).collect();
            format!("| head | h |\n|------|---|\n{rows}")
        }),
        2 => proptest::collection::vec("[a-z0-9 ;()]{0,60}", 0..12)
            .prop_map(|lines| format!("```rs\n{}\n```\n", lines.join("\n"))),
        1 => Just("<!-- comment -->\n".to_owned()),
    ]
}

fn markdown() -> impl Strategy<Value = String> {
    (proptest::collection::vec((block(), 0..3_usize), 0..14), any::<bool>()).prop_map(|(blocks, is_crlf)| {
        let text: String = blocks.into_iter().map(|(block, n)| block + &"\n".repeat(n)).collect();
        if is_crlf { text.replace('\n', "\r\n") } else { text }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_document_keeps_the_invariants(text in markdown(), max in 2..400_usize, overlap in 0..100_usize) {
        let (document, chunks) = chunks(&text, max, overlap.min(max - 1));
        for chunk in &chunks {
            let fresh = &urtext(&document, chunk)[chunk.overlap..];
            let is_whole = chunk.total == 1 || chunk.index == 0;
            prop_assert!(max < 60 || is_whole || !fresh.trim().is_empty(), "a blank chunk: {chunk:?}");
        }
    }

    #[test]
    fn other_sections_keep_their_ids(texts in proptest::collection::vec(markdown(), 1..4), max in 20..300_usize) {
        let section = |n: usize, text: &str| {
            let deeper = text.replace("# ", "## ");
            format!("# S{n}\n\nbody\n\n{deeper}\n")
        };
        let document = |first: &str| -> (Document, Vec<Chunk>) {
            let rest: String = texts.iter().enumerate().map(|(n, text)| section(n, text)).collect();
            chunks(&format!("# First\n\n{first}\n\n{rest}"), max, max / 5)
        };
        let outside = |(document, chunks): &(Document, Vec<Chunk>)| -> Vec<_> {
            let end = document.sections[0].span.end;
            chunks.iter().filter(|it| it.span.start >= end).map(|it| it.id).collect()
        };
        prop_assert_eq!(outside(&document("One.")), outside(&document("Another text, much longer than the first.")));
    }

    #[test]
    fn any_text_without_blocks_is_tiled(text in "\\PC{0,300}|[ \\n\\r.a…]{0,300}", max in 2..50_usize) {
        let mut document = read(&text);
        document.blocks.clear();
        let chunks = chunk(&document, config(max, max / 3));
        check_tiling(&document, &chunks);
        prop_assert!(chunks.iter().all(|chunk| urtext(&document, chunk).chars().count() <= max));
    }
}
