//! What holds for every document, tried on generated ones.

use proptest::prelude::*;

use super::conformance::{check_chunker, check_chunks, is_in_table};
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

/// What items and definitions start with.
fn label() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("- "),
        Just("  - "),
        Just("- term\n\n  "),
        Just("term\n: "),
        Just("- a long line. Of two sentences\n  ")
    ]
}

fn block() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => ("#{1,4}", "[A-C]{0,2}").prop_map(|(marks, title)| format!("{marks} {title}\n")),
        5 => inline().prop_map(|text| text + "\n"),
        2 => ("[a-z]{0,20}:?\n\n", proptest::collection::vec((0..3_usize, "[a-z ]{1,30}"), 1..8))
            .prop_map(|(lead_in, items)| {
                let items = items.iter().map(|(depth, item)| format!("{}- {item}\n", "  ".repeat(*depth)));
                lead_in + &items.collect::<String>()
            }),
        2 => proptest::collection::vec("[a-z0-9 ]{1,30}", 0..12).prop_map(|rows| {
            let rows: String = rows.iter().map(|row| format!("| {row} | x |\n")).collect();
            format!("| head | h |\n|------|---|\n{rows}")
        }),
        2 => ("[a-z ]{0,20}:?\n\n", proptest::collection::vec((label(), inline(), inline()), 1..5)).prop_map(
            |(lead_in, items)| {
                let items = items.iter().map(|(label, first, second)| format!("{label}{first}\n\n  {second}\n\n"));
                lead_in + &items.collect::<String>()
            }
        ),
        2 => proptest::collection::vec(("[a-z]{1,20}|[a-c]", proptest::collection::vec("[a-z0-9 ]{1,30}", 1..6)), 1..5)
            .prop_map(|groups| {
                let rows = groups.iter().flat_map(|(label, rows)| {
                    let label = |at: usize| if at == 0 { label.as_str() } else { "" };
                    rows.iter().enumerate().map(move |(at, row)| format!("| {} | {row} |\n", label(at)))
                });
                format!("| head | h |\n|------|---|\n{}", rows.collect::<String>())
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
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_document_keeps_the_invariants(
        text in markdown(),
        max in 2..400_usize,
        overlap in 0..100_usize,
        min in prop_oneof![Just(0), 0..400_usize],
    ) {
        let document = read(&text);
        let config = config(max, overlap.min(max - 1)).with_min(min.min(max)).unwrap();
        for chunker in CHUNKERS {
            for chunk in check_chunker(*chunker, &document, config) {
                let fresh = &urtext(&document, &chunk)[chunk.overlap..];
                let is_whole = chunk.total == 1 || chunk.index == 0;
                prop_assert!(max < 60 || is_whole || !fresh.trim().is_empty(), "a blank chunk: {chunk:?}");
            }
        }
    }

    #[test]
    fn other_sections_keep_their_ids(
        texts in proptest::collection::vec(markdown(), 1..4),
        max in 20..300_usize,
        min in prop_oneof![Just(0), Just(20)],
    ) {
        let section = |n: usize, text: &str| {
            let deeper = text.replace("# ", "## ");
            format!("# S{n}\n\nbody that is long enough\n\n{deeper}\n")
        };
        let rest: String = texts.iter().enumerate().map(|(n, text)| section(n, text)).collect();
        let document = |first: &str| read(&format!("# First\n\n{first}\n\n{rest}"));
        let (before, after) = (document("One is first here."), document("Another text, much longer than the first."));
        let limits = config(max, max / 5).with_min(min).unwrap().into();
        for chunker in CHUNKERS {
            let outside = |document: &Document| -> Vec<_> {
                let end = document.sections[0].span.end;
                let chunks = chunker.chunk(document, &limits);
                chunks.iter().filter(|it| it.span.start >= end).map(|it| it.id).collect()
            };
            prop_assert_eq!(outside(&before), outside(&after));
        }
    }

    #[test]
    fn any_text_without_blocks_is_tiled(text in "\\PC{0,300}|[ \\n\\r.a…]{0,300}", max in 2..50_usize) {
        let mut document = read(&text);
        document.blocks.clear();
        for chunker in CHUNKERS {
            let chunks = check_chunker(*chunker, &document, config(max, max / 3));
            prop_assert!(chunks.iter().all(|chunk| urtext(&document, chunk).chars().count() <= max));
        }
    }

    #[test]
    fn a_token_limit_is_kept_wherever_there_is_room(
        text in markdown(),
        max in 130..900_usize,
        max_tokens in 70..300_usize,
    ) {
        let document = read(&text);
        // A token for every two bytes, and some for the titles.
        let count = |_: Option<usize>, text: &str| text.len() / 2 + 8;
        let tokens = Some(TokenLimit { max_tokens, count: &count });
        for chunker in CHUNKERS {
            let config = config(max, max / 5);
            let limits = Limits { config, tokens };
            let chunks = chunker.chunk(&document, &limits);
            check_chunks(&document, &chunks, config);
            for chunk in &chunks {
                let n_chars = urtext(&document, chunk).chars().count();
                // 120 characters of the widest text that is generated here have about 240 tokens.
                prop_assert!(count(None, &chunk.text) <= max_tokens || n_chars <= 120 || is_in_table(&document, chunk.span.start), "{chunk:?}");
            }
        }
    }
}
