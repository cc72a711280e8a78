//! Sections where there is neither outline nor tag: what the type and the numbers tell.

use super::*;

const LONG: &str = "Body text of the section that is long enough to be the body of the document.";

/// Left end of bold text of that size that has the middle of [`LONG`], nearly.
fn middle(text: &str, size: i32) -> i32 {
    // Letters are half an em wide, bold capitals 0.7.
    let n_capitals = text.chars().filter(|c| c.is_uppercase()).count() as i32;
    let n_others = text.chars().count() as i32 - n_capitals;
    246 - (7 * n_capitals + 5 * n_others) * size / 20
}

fn check(page: Vec<Piece>, expected: &[(u8, &str)]) {
    let parsed = read(build(&[page]));
    assert_eq!(titles(&parsed), expected);
    check_invariants(&parsed.document);
}

#[test]
fn names_and_dates_below_a_title_are_no_sections() {
    let mut page: Vec<Piece> = vec![
        (259, 740, 20, "F1", "On Things"),
        (284, 712, 12, "F1", "Ann Lee"),
        (257, 688, 12, "F1", "November 30, 2026"),
        (72, 640, 14, "F2", "1 Introduction"),
    ];
    page.extend(body(72, 620, &[LONG, LONG, "An end."]));
    page.push((72, 560, 14, "F2", "2 Conclusion"));
    page.extend(body(72, 540, &[LONG, "An end."]));
    check(page, &[(1, "On Things"), (2, "1 Introduction"), (2, "2 Conclusion")]);
}

#[test]
fn headings_below_a_title_stay() {
    let mut page: Vec<Piece> = vec![(72, 740, 20, "F1", "On Things"), (72, 712, 14, "F1", "Early Work")];
    page.extend(body(72, 690, &[LONG, LONG, "An end."]));
    page.push((72, 640, 14, "F1", "Late Work"));
    page.extend(body(72, 620, &[LONG, "An end."]));
    check(page, &[(1, "On Things"), (2, "Early Work"), (2, "Late Work")]);
}

#[test]
fn headings_of_one_size_are_kept_apart() {
    // By their alignment, by a gap, by a number.
    for (next, x, y) in [("Scope of work", 72, 718), ("Scope of work", 235, 706), ("1 Scope", 235, 718)] {
        let mut page: Vec<Piece> = vec![(235, 740, 16, "F2", "Invoice Report"), (x, y, 16, "F2", next)];
        page.extend(body(72, 680, &[LONG, LONG, "An end."]));
        page.push((72, 620, 16, "F2", "Prices"));
        page.extend(body(72, 600, &[LONG, "An end."]));
        check(page, &[(1, "Invoice Report"), (1, next), (1, "Prices")]);
    }
}

#[test]
fn roman_numbers_that_count_up_are_sections() {
    let mut page: Vec<Piece> = vec![
        (190, 740, 24, "F1", "Feedback Compaction"),
        (286, 700, 11, "F1", "Ann Lee"),
        (275, 688, 10, "F1", "Univ. of Ghent"),
        (250, 650, 10, "F1", "I. INTRODUCTION"),
    ];
    page.extend(body(72, 636, &[LONG, LONG, "V. LENIN is no number here.", LONG]));
    page.push((250, 580, 10, "F1", "II. BACKGROUND"));
    page.extend(body(72, 566, &[LONG, LONG]));
    // In a font of its own; Courier would be code.
    page.push((72, 536, 10, "F2", "A. Tiering"));
    page.extend(body(72, 522, &[LONG, LONG]));
    page.push((250, 490, 10, "F1", "III. CONCLUSION"));
    page.extend(body(72, 476, &[LONG, "A. Einstein said so."]));
    let expected = [
        (1, "Feedback Compaction"),
        (2, "I. INTRODUCTION"),
        (2, "II. BACKGROUND"),
        (3, "A. Tiering"),
        (2, "III. CONCLUSION"),
    ];
    check(page, &expected);
}

#[test]
fn bold_lines_that_stand_alone_are_sections() {
    let alone = |text: &'static str, y: i32| (middle(text, 9), y, 9, "F2", text);
    let mut page: Vec<Piece> = vec![alone("INTRODUCTION", 740)];
    page.extend(body(72, 714, &[LONG, LONG, "An end."]));
    page.push(alone("DESIGN", 660));
    page.extend(body(72, 634, &[LONG, LONG, LONG]));
    page.push(alone("Overview of the design", 580));
    page.extend(body(72, 554, &[LONG, LONG, LONG]));
    check(page.clone(), &[(1, "INTRODUCTION"), (1, "DESIGN"), (2, "Overview of the design")]);
    // A line without air is none, such as the head of a table, and one by itself is not enough.
    page.truncate(4);
    page.push(alone("DESIGN", 678));
    page.extend(body(72, 666, &[LONG, LONG, LONG]));
    check(page, &[(0, "")]);
}

#[test]
fn headings_a_size_larger_than_the_text_are_sections() {
    let text = |top: i32| {
        body(72, top, &[LONG, LONG, LONG]).into_iter().map(|(x, y, _, font, text)| (x, y, 11, font, text))
    };
    let mut page: Vec<Piece> = vec![(72, 740, 12, "F1", "1.1 What it is")];
    page.extend(text(720));
    page.push((72, 660, 12, "F1", "1.2 What it is not"));
    page.extend(text(640));
    check(page, &[(1, "1.1 What it is"), (1, "1.2 What it is not")]);
}

#[test]
fn letters_drawn_twice_count_once() {
    let mut page: Vec<Piece> = vec![(72, 740, 40, "F2", "BOLD"), (73, 740, 40, "F2", "BOLD")];
    page.extend(body(72, 680, &[LONG]));
    let text = read(build(&[page])).document.text;
    assert!(text.starts_with("BOLD\n\n"), "{text}");
}
