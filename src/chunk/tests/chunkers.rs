//! What sets one chunker apart from the others, small sections joined, and limits in tokens.

use super::*;

/// Checks the texts of all chunks of one chunker.
#[track_caller]
fn check(chunker: &dyn Chunker, text: &str, max_chars: usize, overlap_chars: usize, expected: &[&str]) {
    let document = read(text);
    let chunks = conformance::check_chunker(chunker, &document, config(max_chars, overlap_chars));
    let actual: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
    assert_eq!(actual, expected);
}

#[test]
fn sentences_are_packed_across_paragraphs() {
    let text = "One is here. Two is here.\n\nThree is here. Four is here.";
    check(&Section, text, 45, 0, &["One is here. Two is here.\n\n", "Three is here. Four is here."]);
    check(&Sentence, text, 45, 0, &["One is here. Two is here.\n\nThree is here. ", "Four is here."]);
    check(&Window, text, 45, 0, &["One is here. Two is here.\n\nThree is here. ", "Four is here."]);
    check(&Window, text, 40, 0, &["One is here. Two is here.\n\nThree is ", "here. Four is here."]);
}

#[test]
fn a_sentence_that_fits_is_not_cut_and_its_lines_are_joined() {
    let text = "Short one. A sentence that\ngoes on over lines. End.";
    check(&Sentence, text, 38, 0, &["Short one. ", "A sentence that\ngoes on over lines. ", "End."]);
    check(
        &Sentence,
        "Ab. abcde abcde abcde abcde abcde.",
        20,
        0,
        &["Ab. abcde abcde ", "abcde abcde abcde."],
    );
}

#[test]
fn sentences_overlap_by_sentences_and_windows_by_words() {
    let text = "One is here. Two is here. Three is here. Four is here.";
    let sentences =
        ["One is here. Two is here. ", "Two is here. Three is here. ", "Three is here. Four is here."];
    check(&Sentence, text, 30, 15, &sentences);
    let windows =
        ["One is here. Two is here. ", "here. Two is here. Three is ", "Three is here. Four is here."];
    check(&Window, text, 30, 19, &windows);
}

#[test]
fn scripts_without_spaces_are_cut_at_their_own_marks() {
    let check = |sentence: &str| {
        let text = sentence.repeat(12);
        let n_chars = sentence.chars().count();
        for chunker in [&Section as &dyn Chunker, &Sentence] {
            let document = read(&text);
            let chunks = conformance::check_chunker(chunker, &document, config(n_chars * 5 / 2, 0));
            assert_eq!(chunks.len(), 6, "{sentence}");
            assert!(chunks.iter().all(|it| it.text == sentence.repeat(2)), "{:?}", chunks[0].text);
        }
    };
    check("今天天气很好我们去公园吧。");
    check("今日は天気がとてもいいですね！");
    check("「行こう」と彼は言ったので行った。");
    check("วันนี้อากาศดีมากเราไปสวนกันเถอะ ");
    check("នេះជាប្រយោគមួយដែលវែងបន្តិច។");
    check("ဒါကစာကြောင်းရှည်တစ်ကြောင်းပါ။");
    check("བོད་ཡིག་གི་ཚིག་གྲུབ་རིང་པོ་ཞིག་ཡིན། ");
}

/// Checks the sections and the urtexts of all chunks with a lower limit; `-` stands for the document.
#[track_caller]
fn check_min(text: &str, max_chars: usize, min_chars: usize, expected: &[(&str, &str)]) {
    let document = read(text);
    let config = config(max_chars, 0).with_min(min_chars).unwrap();
    check_every_chunker(&document, config);
    let chunks = chunk(&document, config);
    let title = |chunk: &Chunk| chunk.section.map_or("-", |at| document.sections[at].title.as_str());
    let actual: Vec<_> = chunks.iter().map(|it| (title(it), urtext(&document, it))).collect();
    assert_eq!(actual, expected);
}

#[test]
fn small_neighbours_become_one_chunk_of_their_parent() {
    let (a, b, c) = ("# A\n\nxxxx\n\n", "## B\n\nyyyy\n\n", "## C\n\nzzzz\n\n");
    let text = &format!("{a}{b}{c}");
    check_min(text, 1500, 0, &[("A", a), ("B", b), ("C", c)]);
    check_min(text, 1500, 100, &[("A", text)]);
    // Enough is enough, and what is left over goes to the ones before.
    check_min(text, 1500, 20, &[("A", text)]);
    let four = &format!("{text}## D\n\nwwww\n\n");
    check_min(four, 1500, 20, &[("A", &format!("{a}{b}")), ("A", &format!("{c}## D\n\nwwww\n\n"))]);
    // Never more than the upper limit.
    check_min(text, 25, 20, &[("A", &format!("{a}{b}")), ("C", c)]);
}

#[test]
fn only_small_neighbours_are_joined() {
    let long = "## B\n\nThis one is longer than the others.\n\n";
    let text = &format!("# A\n\nxxxx\n\n{long}## C\n\nzz\n\n## D\n\nww\n");
    let expected = [("A", "# A\n\nxxxx\n\n"), ("B", long), ("A", "## C\n\nzz\n\n## D\n\nww\n")];
    check_min(text, 1500, 30, &expected);
    // Top-level sections belong to the document together, with all that is below them.
    let text = "intro\n# A\n\nx\n\n## B\n\ny\n\n# C\n\nz\n";
    check_min(text, 1500, 100, &[("-", text)]);
    // A section with parts of its own is no leaf.
    let text = &format!("# A\n\nx\n\n# B\n\ny\n\n{}", long.replace('B', "BB"));
    check_min(
        text,
        1500,
        30,
        &[("A", "# A\n\nx\n\n"), ("B", "# B\n\ny\n\n"), ("BB", &long.replace('B', "BB"))],
    );
}

#[test]
fn the_last_piece_of_a_section_is_not_a_crumb() {
    let text = "one two three four five six seven.";
    check_min(text, 30, 0, &[("", "one two three four five six "), ("", "seven.")]);
    check_min(text, 30, 12, &[("", "one two three four "), ("", "five six seven.")]);
}

#[test]
fn a_limit_in_tokens_makes_chunks_shorter_where_the_text_is_dense() {
    let (plain, dense) = ("plain words here. ".repeat(30), "漢字漢字漢字漢字。".repeat(60));
    let document = read(&format!("# A\n\n{plain}\n\n# B\n\n{dense}\n"));
    // A token a byte of three, such that the model reads 480 bytes.
    let count = |_: Option<usize>, text: &str| text.len().div_ceil(3);
    let limits =
        Limits { config: config(500, 100), tokens: Some(TokenLimit { max_tokens: 200, count: &count }) };
    let without = chunk(&document, config(500, 100));
    assert!(without.iter().any(|it| count(None, &it.text) > 200));
    for chunker in CHUNKERS {
        let chunks = chunker.chunk(&document, &limits);
        conformance::check_chunks(&document, &chunks, config(500, 100));
        assert!(chunks.iter().all(|it| count(None, &it.text) <= 200));
        assert!(chunks.iter().any(|it| it.overlap > 0));
        let in_plain = |chunks: &[Chunk]| -> Vec<_> {
            chunks.iter().filter(|it| it.section == Some(0)).map(|it| it.id).collect()
        };
        let without = chunker.chunk(&document, &config(500, 100).into());
        assert_eq!(in_plain(&chunks), in_plain(&without), "a section that fits stays as it is");
    }
}

#[test]
fn sections_that_were_joined_are_taken_apart_for_a_model() {
    let text = format!("# A\n\n## B\n\n{}\n", "some words here. ".repeat(20));
    let document = read(&text);
    let count = |_: Option<usize>, text: &str| text.len();
    let limits =
        Limits { config: config(500, 0), tokens: Some(TokenLimit { max_tokens: 200, count: &count }) };
    let chunks = Section.chunk(&document, &limits);
    assert_eq!(chunks.iter().map(|it| it.section.unwrap()).collect::<Vec<_>>(), [0, 1, 1]);
}

#[test]
fn titles_that_fill_a_model_do_not_make_crumbs() {
    let document = read(&"some words here. ".repeat(60));
    let count = |_: Option<usize>, text: &str| text.len() + 900;
    let limits =
        Limits { config: config(500, 0), tokens: Some(TokenLimit { max_tokens: 1000, count: &count }) };
    assert_eq!(Section.chunk(&document, &limits), chunk(&document, config(500, 0)));
}
