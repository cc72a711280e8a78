//! Tables, code and lists keep what they need on both sides of a cut.

use super::*;

#[test]
fn a_table_is_cut_between_rows_and_repeats_its_header() {
    // qmd#955, docling#2975, open-webui#30413.
    let header = "| id | name | price |\n|----|------|-------|\n";
    let rows: String = (0..60).map(|n| format!("| {n} | a thing called {n} | 5,{n}20 |\n")).collect();
    let text = format!("# T\n\nPrices excl. VAT:\n\n{header}{rows}\nAfter the table.\n");
    for overlap in [0, 100] {
        let (document, chunks) = chunks(&text, 500, overlap);
        let pieces: Vec<_> = chunks.iter().filter(|chunk| chunk.text.contains("a thing")).collect();
        assert!(pieces.len() > 4);
        for piece in &pieces {
            assert_eq!(piece.text.matches(header).count(), 1, "{}", piece.text);
            assert!(piece.text.chars().count() <= 500);
            let whole = piece.text.lines().filter(|line| line.starts_with('|'));
            assert!(whole.clone().all(|line| line.ends_with('|') && line.matches('|').count() == 4));
            assert!(whole.count() > 3);
        }
        assert_eq!(pieces[1].overlap > 0, overlap > 0);
        assert!(urtext(&document, pieces[1]).starts_with('|'));
        assert!(pieces[0].text.starts_with("# T\n\nPrices excl. VAT:\n\n| id"));
    }
}

#[test]
fn only_a_table_row_may_be_longer_than_the_limit() {
    let row = format!("| {} |\n", "x".repeat(60));
    let text = format!("| a |\n|---|\n| 1 |\n{row}| 2 |\n");
    let head = "| a |\n|---|\n";
    let long = format!("{head}{row}");
    check_texts(&text, 40, 10, &["| a |\n|---|\n| 1 |\n", &long, "| a |\n|---|\n| 2 |\n"]);
    // Without a header the rows stand as they are.
    check_texts("| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n", 20, 0, &["| 1 | 2 |\n| 3 | 4 |\n", "| 5 | 6 |\n"]);
}

#[test]
fn a_cut_fence_is_balanced_in_every_piece() {
    // docs-mcp-server#418: chunks ended inside an open fence.
    let lines: String = (0..300).map(|n| format!("let value_{n} = compute({n});\n")).collect();
    let text = format!("Before the code.\n\n```rust\n{lines}```\n\nAfter the code.\n");
    for overlap in [0, 60] {
        let (document, chunks) = chunks(&text, 500, overlap);
        assert!(chunks.len() > 15);
        for chunk in &chunks[1..chunks.len() - 1] {
            assert!(chunk.text.starts_with("```rust\nlet "), "{}", chunk.text);
            assert!(chunk.text.ends_with(";\n```"), "{}", chunk.text);
            assert!(chunk.text.chars().count() <= 500);
            assert!(urtext(&document, chunk).starts_with("let "));
            assert_eq!(chunk.overlap > 0, overlap > 0);
        }
    }
}

#[test]
fn a_long_line_of_code_is_cut_inside_the_line() {
    let text = format!("```\n{}\n```\n", "word ".repeat(60).trim_end());
    let (_, chunks) = chunks(&text, 100, 0);
    assert!(chunks.len() > 3);
    assert!(chunks.iter().all(|chunk| chunk.text.starts_with("```\nword") && chunk.text.contains("\n```")));
}

#[test]
fn a_fence_that_is_never_closed_is_balanced_when_cut() {
    let text = format!("```\n{}", "line of code\n".repeat(20));
    let (_, chunks) = chunks(&text, 100, 0);
    for chunk in &chunks {
        assert_eq!(chunk.text.matches("```").count(), 2, "{:?}", chunk.text);
    }
}

/// A list of `n` items below `above`.
fn list(above: &str, n: usize) -> String {
    above.to_owned() + &(0..n).map(|n| format!("- thing number {n} to look at\n")).collect::<String>()
}

#[test]
fn pieces_of_a_list_repeat_the_line_that_introduces_it() {
    let text = list("Some words before. Never do one of these:\n\n", 40) + "\nAfter the list.\n";
    for overlap in [0, 60] {
        let (document, chunks) = chunks(&text, 300, overlap);
        let pieces: Vec<_> = chunks[1..].iter().filter(|it| urtext(&document, it).starts_with('-')).collect();
        assert!(pieces.len() > 3);
        for piece in pieces {
            let lead = "Some words before. Never do one of these:\n- thing";
            assert!(piece.text.starts_with(lead), "{:?}", piece.text);
            assert!(piece.text.chars().count() <= 300);
        }
        assert!(
            !chunks.last().unwrap().text.contains("Never") || chunks.last().unwrap().text.contains("- thing")
        );
    }
}

#[test]
fn a_long_line_before_a_list_is_repeated_from_its_last_sentence() {
    let text = list(&format!("{}Never do this:\n\n", "A sentence of the paragraph. ".repeat(6)), 20);
    let (_, chunks) = chunks(&text, 300, 0);
    assert!(chunks[2..].iter().all(|it| it.text.starts_with("Never do this:\n- thing")), "{chunks:?}");
    let text = list("A paragraph that has ended.\n\n", 20);
    let (document, chunks) = super::chunks(&text, 300, 0);
    assert!(chunks.iter().all(|it| it.text == urtext(&document, it)));
}

#[test]
fn nested_items_repeat_the_items_around_them() {
    let inner: String = (0..30).map(|n| format!("    - inner thing number {n}\n")).collect();
    let text = format!("Steps:\n\n- outer\n  goes on\n  - middle\n{inner}- last\n");
    let (document, chunks) = chunks(&text, 200, 0);
    let inner: Vec<_> = chunks.iter().filter(|it| urtext(&document, it).starts_with("    - inner")).collect();
    assert!(inner.len() > 3);
    for chunk in inner {
        assert!(chunk.text.starts_with("Steps:\n- outer\n  - middle\n    - inner"), "{:?}", chunk.text);
    }
}

#[test]
fn the_context_of_a_list_ends_with_it() {
    let text = list("These:\n\n", 12) + "\nA paragraph between.\n\n" + &list("", 12);
    let (document, chunks) = chunks(&text, 150, 0);
    for chunk in &chunks {
        let is_first_list = chunk.span.start < text.find("A paragraph").unwrap();
        assert_eq!(chunk.text.starts_with("These:"), is_first_list, "{:?}", chunk.text);
        assert!(is_first_list || chunk.text == urtext(&document, chunk));
    }
}

#[test]
fn a_context_that_leaves_no_room_for_an_item_is_left_out() {
    // The second item fits into a piece alone, but not under the line above the list.
    let text = format!("These here:\n\n- {}\n- {}\n", "a ".repeat(30), "b ".repeat(37));
    let (document, chunks) = chunks(&text, 80, 0);
    let last = chunks.last().unwrap();
    assert_eq!((last.text.as_str(), last.text.chars().count()), (urtext(&document, last), 77));
}

#[test]
fn a_line_that_introduces_a_list_stays_with_it() {
    let text = list(&format!("{}\n\nNever do this:\n\n", "Some words. ".repeat(6).trim_end()), 10);
    let (_, chunks) = chunks(&text, 100, 0);
    assert!(chunks[0].text.ends_with("Some words.\n\n"), "{:?}", chunks[0].text);
    assert!(chunks[1].text.starts_with("Never do this:\n\n- thing"), "{:?}", chunks[1].text);
}

#[test]
fn a_caption_stands_once_above_its_table() {
    let rows: String = (0..30).map(|n| format!("| {n} | a thing |\n")).collect();
    let before = "Some words. ".repeat(8);
    for caption in ["Table 1. Prices of things", "Prices of things:"] {
        let text = format!("{before}\n\n{caption}\n\n| id | thing |\n|----|-------|\n{rows}");
        let (_, chunks) = chunks(&text, 150, 0);
        assert!(chunks[0].text.ends_with("words. \n\n"), "{:?}", chunks[0].text);
        assert!(chunks[1].text.starts_with(&format!("{caption}\n\n| id |")));
        assert_eq!(chunks.iter().filter(|it| it.text.contains(caption)).count(), 1);
        assert_eq!(chunks.iter().filter(|it| it.text.contains("| id | thing |")).count(), chunks.len() - 1);
    }
}

/// `n` options with descriptions of several paragraphs; `before` stands before each name, `between` after it.
fn options(before: &str, between: &str, n: usize) -> String {
    let option = |n: usize| {
        let text = format!(
            "A description of option {n} that goes on.\n\n  The default of {n} is on.\n\n  Since {n}.0.\n\n"
        );
        format!("{before}opt{n}{between}{text}")
    };
    "Options of the server:\n\n".to_owned() + &(10..10 + n).map(option).collect::<String>()
}

#[test]
fn later_paragraphs_of_an_item_repeat_its_first_line_or_its_term() {
    for (before, between) in [("- ", "\n\n  "), ("- ", "\n  "), ("", "\n: "), ("1. ", "\n\n  ")] {
        let text = options(before, between, 20) + "The list has ended.\n";
        let mut n_inside = 0;
        for (max, overlap) in [(300, 0), (300, 60), (260, 0), (220, 40)] {
            let (document, chunks) = chunks(&text, max, overlap);
            for piece in &chunks[1..] {
                let urtext = urtext(&document, piece);
                if urtext.starts_with("The list has") {
                    continue;
                }
                let n: usize = urtext[..urtext.len().min(60)]
                    .matches(char::is_numeric)
                    .take(2)
                    .collect::<String>()
                    .parse()
                    .unwrap();
                let is_inside = !urtext.starts_with(&format!("{before}opt"));
                let label = if is_inside { format!("{before}opt{n}\n") } else { String::new() };
                // The test reader takes numbered items for paragraphs.
                if before != "1. " {
                    assert!(
                        piece.text.starts_with(&format!("Options of the server:\n{label}{urtext}")),
                        "{:?}",
                        piece.text
                    );
                }
                assert!(piece.text.chars().count() <= max);
                n_inside += usize::from(is_inside);
            }
        }
        assert!(n_inside > 8, "{before:?}: {n_inside}");
    }
}

#[test]
fn a_long_line_of_an_item_is_repeated_in_short() {
    let text = format!("How to:\n\n- Install it now. {}\n", "Then do more of it. ".repeat(30).trim_end());
    for chunk in &chunks(&text, 200, 0).1[1..] {
        assert!(chunk.text.starts_with("How to:\n- Install it now.\nThen"), "{:?}", chunk.text);
    }
    let text = format!("How to:\n\n- {}\n", "then ".repeat(120).trim_end());
    for chunk in &chunks(&text, 200, 0).1[1..] {
        assert!(chunk.text.starts_with("How to:\n- then then then then …\nthen then"), "{:?}", chunk.text);
    }
    // An outer item is cut short too, and the line above the list stays.
    let inner: String = (0..30).map(|n| format!("  - inner thing number {n}\n")).collect();
    let text = format!("How to:\n\n- {}\n{inner}", "then ".repeat(20).trim_end());
    for chunk in &chunks(&text, 200, 0).1[1..] {
        assert!(chunk.text.starts_with("How to:\n- then then then then …\n  - inner"), "{:?}", chunk.text);
    }
}

#[test]
fn the_first_row_of_a_piece_has_the_label_of_its_group() {
    let header = "| Team | Role | Member |\n|------|------|--------|\n";
    let rows = (0..10).flat_map(|team| {
        (0..12).map(move |n| {
            let team = if n == 0 { format!("| Team {team} |") } else { "| |".to_owned() };
            let role = if n % 6 == 0 { format!(" Role {} |", n / 6) } else { " |".to_owned() };
            format!("{team}{role} Member {n} of all |\n")
        })
    });
    let text = format!("# T\n\n{header}{}\nAfter the table.\n", rows.collect::<String>());
    for overlap in [0, 60] {
        let (document, chunks) = chunks(&text, 300, overlap);
        let pieces = chunks.iter().filter(|it| it.span.start > 5 && urtext(&document, it).starts_with('|'));
        let mut n_filled = 0;
        for piece in pieces {
            let above = &text[..text[piece.span.start..].find('\n').unwrap() + piece.span.start];
            let last = |name: &str| above[above.rfind(name).unwrap()..].split(" |").next().unwrap();
            let expected = format!("{header}| {} | {} | Member", last("Team "), last("Role "));
            assert!(piece.text.starts_with(&expected), "{:?}", piece.text);
            assert!(piece.text.chars().count() <= 300);
            n_filled += usize::from(urtext(&document, piece).starts_with("| |"));
        }
        assert!(n_filled > 5);
    }
}
