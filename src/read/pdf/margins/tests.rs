//! Pages as lines with their heights.

use super::*;
use crate::read::pdf::file::PageState;

pub(super) fn line(text: &str, y: f32) -> Line {
    Line {
        text: text.to_owned(),
        page: 0,
        column: 0,
        x0: 72.0,
        x1: 300.0,
        y,
        size: 10.0,
        is_bold: false,
        is_mono: false,
        is_upright: true,
        font: 0,
        tag: None,
    }
}

fn kept(pages: &[&[(&str, f32)]]) -> Vec<Vec<String>> {
    kept_with_title(pages, "")
}

/// As `kept`; lines that end in `title` are set in twice the size.
fn kept_with_title(pages: &[&[(&str, f32)]], title: &str) -> Vec<Vec<String>> {
    let size = |text: &str| if !title.is_empty() && text.ends_with(title) { 20.0 } else { 10.0 };
    let lines = |page: &&[(&str, f32)]| -> Vec<Line> {
        page.iter().map(|&(text, y)| Line { size: size(text), ..line(text, y) }).collect()
    };
    kept_lines(pages.iter().map(lines).collect())
}

/// The lines that stay, by page.
pub(super) fn kept_lines(pages: Vec<Vec<Line>>) -> Vec<Vec<String>> {
    let page = |(at, lines): (usize, Vec<Line>)| Page {
        number: at as u32 + 1,
        state: PageState::Text,
        is_guess: false,
        n_furniture: 0,
        is_partly_mute: false,
        n_hidden: 0,
        lines,
    };
    let mut pages: Vec<Page> = pages.into_iter().enumerate().map(page).collect();
    drop_repeated(&mut pages);
    pages.iter().map(|page| page.lines.iter().map(|line| line.text.clone()).collect()).collect()
}

/// How the first lines of pages are set, whose body has 10 points.
#[derive(Clone, Copy)]
struct Head {
    size: f32,
    is_bold: bool,
}

const LARGE: Head = Head { size: 18.0, is_bold: true };
const LARGER: Head = Head { size: 12.0, is_bold: false };
const BOLD: Head = Head { size: 10.0, is_bold: true };
const PLAIN: Head = Head { size: 10.0, is_bold: false };

/// Whether each head stays on top of its page, over a body that starts a sentence, or goes on with that of the page before.
fn heads_kept(heads: &[&str], set: Head, flows: bool, has_numbers: bool) -> Vec<bool> {
    let page = |(at, head): (usize, &&str)| {
        let head = Line { size: set.size, is_bold: set.is_bold, ..line(head, 750.0) };
        let (starts, ends) = if flows { ("and", "over the") } else { ("The", "its end.") };
        let text = |row: usize| match row {
            0 => format!("{starts} text of page {}", "abcdefghijklmnop".repeat(at + 1)),
            4 => format!("{} as far as {ends}", "qrstuvwxyz".repeat(at + 1)),
            row => format!("some words of row {}", "mnopqrstuvw".repeat(10 * row + at)),
        };
        let body = (0..5).map(|row| line(&text(row), 700.0 - 12.0 * row as f32));
        let number = has_numbers.then(|| line(&(at + 1).to_string(), 30.0));
        std::iter::once(head).chain(body).chain(number).collect::<Vec<Line>>()
    };
    let pages = kept_lines(heads.iter().enumerate().map(page).collect());
    pages.iter().zip(heads).map(|(page, head)| page[0] == *head).collect()
}

#[test]
fn titles_of_pages_stay() {
    let check = |heads: &[&str], set: Head, expected: bool| {
        for has_numbers in [false, true] {
            let kept = heads_kept(heads, set, false, has_numbers);
            assert!(kept.iter().all(|it| *it == expected), "{heads:?}: {kept:?}");
        }
    };
    let counted = ["Exercise 1", "Exercise 2", "Exercise 3", "Exercise 4"];
    check(&counted, LARGE, true);
    check(&counted[..3], LARGE, true);
    check(&counted, LARGER, true);
    check(&counted, BOLD, true);
    check(&["Question 11", "Question 12", "Question 13"], LARGE, true);
    check(&["Agenda", "Results", "Results", "Results", "Outlook", "Thanks"], LARGE, true);
    check(&["Agenda", "Results (1/3)", "Results (2/3)", "Results (3/3)", "Outlook"], LARGE, true);
    check(&["The Manual  1", "The Manual  2", "The Manual  3", "The Manual  4"], BOLD, false);
    check(&["The Manual | 1", "The Manual | 2", "The Manual | 3", "The Manual | 4"], PLAIN, false);
    // Numbers that are not those of the pages, which stand elsewhere.
    assert_eq!(heads_kept(&counted, PLAIN, false, true), [true; 4]);
    assert_eq!(heads_kept(&counted, PLAIN, false, false), [false; 4]);
}

#[test]
fn what_stands_below_the_title_of_its_page_stays() {
    let page = |title: &str| {
        let large = Line { size: 20.0, ..line(title, 750.0) };
        let label = Line { is_bold: true, ..line("Ingredients", 720.0) };
        let body = ["one", "two", "three"].iter().zip([700.0, 688.0, 676.0]);
        let body = body.map(|(text, y)| line(&format!("{text} of {title}"), y));
        [large, label].into_iter().chain(body).collect::<Vec<Line>>()
    };
    let pages = ["Soup", "Bread", "Cheese cake", "Salad"].map(page).to_vec();
    assert!(kept_lines(pages).iter().all(|page| page.len() == 5 && page[1] == "Ingredients"));
}

#[test]
fn a_running_header_that_names_the_section_of_its_page_goes() {
    let page = |at: usize| {
        let name = ["Alpha 1", "Beta 2", "Gamma 3", "Delta 4"][at];
        let texts = [(format!("See {name}"), 750.0), (format!("  See {name}"), 700.0)];
        let large = texts.map(|(text, y)| Line { size: 14.0, ..line(text.trim(), y) });
        let text = |row: usize| format!("{}end.", "Words ".repeat(at + row + 1));
        let body = (0..3).map(|row| line(&text(row), 670.0 - 12.0 * row as f32));
        large.into_iter().chain(body).chain([line(&(at + 1).to_string(), 30.0)]).collect::<Vec<Line>>()
    };
    let kept = kept_lines((0..4).map(page).collect());
    assert!(kept.iter().all(|page| page.iter().filter(|it| it.starts_with("See")).count() == 1), "{kept:?}");
}

#[test]
fn running_headers_in_larger_or_bolder_type_go() {
    let check = |heads: &[&str], set: Head, flows: bool, expected: &[bool]| {
        assert_eq!(heads_kept(heads, set, flows, true), expected, "{heads:?}");
    };
    // Sentences go on under them.
    check(&["Exercise 1", "Exercise 2", "Exercise 3", "Exercise 4"], LARGE, true, &[false; 4]);
    check(&["One", "One", "One", "Two", "Two", "Two"], LARGE, true, &[false; 6]);
    check(&["One", "Two", "One", "Two", "One", "Two"], BOLD, true, &[false; 6]);
    // The same on every page: once is enough.
    check(&["ACME X100", "ACME X100", "ACME X100"], LARGE, false, &[true, false, false]);
    check(&["ACME X100", "ACME X100", "ACME X100"], BOLD, false, &[false; 3]);
    // Hardly larger than the body, a title is not said again.
    let heads = ["Agenda", "Results", "Results", "Results", "Outlook", "End"];
    check(&heads, BOLD, false, &[true, true, false, false, true, true]);
    check(&heads, LARGER, false, &[true, true, false, false, true, true]);
}

#[test]
fn rows_at_the_foot_that_pages_have_alike_stay() {
    let check = |last: f32, expected: usize| {
        let page = |at: usize| {
            let rows = [("a b c d e f g", 300.0 + at as f32), ("apple 1", 282.0), ("pear 2", 264.0)];
            let [first, second, third] = rows.map(|(text, y)| line(&format!("{}{text}", "x".repeat(at)), y));
            let [second, third] = [second, third].map(|it| Line { text: it.text.replace('x', ""), ..it });
            vec![line(&"text ".repeat(at + 1), 400.0), first, second, Line { y: last, ..third }]
        };
        let pages = kept_lines((0..4).map(page).collect());
        assert!(pages.iter().all(|page| page.len() == expected), "{pages:?}");
    };
    check(264.0, 4);
    // Far below the rest, but then the row above still belongs to it.
    check(60.0, 3);
}

#[test]
fn first_lines_that_pages_have_alike_stay() {
    let page = |at: usize| {
        let rows = ["first item", "second item", "third item", "fourth item"];
        let rows =
            rows.iter().take(2 + at).enumerate().map(|(row, text)| line(text, 700.0 - 14.0 * row as f32));
        let title = Line { size: 20.0, ..line(["Alpha", "Beta", "Gamma"][at], 750.0) };
        std::iter::once(title).chain(rows).collect::<Vec<Line>>()
    };
    let kept = kept_lines((0..3).map(page).collect());
    assert_eq!(kept.iter().map(Vec::len).collect::<Vec<_>>(), [3, 4, 5]);
}

#[test]
fn what_most_pages_repeat_is_dropped() {
    let pages = kept(&[
        &[("The Manual", 750.0), ("alpha", 700.0), ("beta", 600.0), ("1", 30.0)],
        &[("The Manual", 750.0), ("gamma", 700.0), ("delta", 600.0), ("2", 30.0)],
        &[("The Manual", 750.0), ("epsilon", 700.0), ("zeta", 600.0), ("iii", 30.0)],
    ]);
    assert_eq!(pages, [["alpha", "beta"], ["gamma", "delta"], ["epsilon", "zeta"]]);
}

#[test]
fn chapter_titles_at_the_running_height_are_dropped() {
    let texts: Vec<String> = (0..12).map(|at| format!("{} Chapter {}", at + 1, 1 + at / 4)).collect();
    let bodies: Vec<String> =
        (0..12).map(|at| format!("body of page {}", ["a", "b", "c"][at % 3].repeat(at + 1))).collect();
    let pages: Vec<[(&str, f32); 2]> = texts
        .iter()
        .zip(&bodies)
        .map(|(head, body)| [(head.as_str(), 750.0), (body.as_str(), 700.0)])
        .collect();
    let pages: Vec<&[(&str, f32)]> = pages.iter().map(|page| page.as_slice()).collect();
    assert!(kept(&pages).iter().all(|page| page.len() == 1 && page[0].starts_with("body")));
}

#[test]
fn lines_with_the_page_number_are_dropped() {
    let pages = kept(&[
        &[("agrep 17", 750.0), ("1. one", 700.0)],
        &[("18 apply", 750.0), ("1. two", 700.0)],
        &[("array 19", 750.0), ("1. three", 700.0)],
        &[("20 attach", 750.0), ("1. four", 700.0)],
    ]);
    assert_eq!(pages.concat(), ["1. one", "1. two", "1. three", "1. four"]);
}

#[test]
fn titles_that_look_like_running_headers_stay() {
    // All later pages repeat the title in small print.
    let pages = kept_with_title(
        &[
            &[("THE TITLE", 750.0), ("one", 700.0)],
            &[("The Title", 750.0), ("two", 700.0)],
            &[("The Title", 750.0), ("three", 700.0)],
            &[("The Title", 750.0), ("four", 700.0)],
        ],
        "TITLE",
    );
    assert_eq!(pages.concat(), ["THE TITLE", "one", "two", "three", "four"]);
    // Chapter 1 starts on page 1, and chapter 2 on page 2.
    let pages = kept_with_title(
        &[
            &[("1 First START", 750.0), ("a", 700.0)],
            &[("2 Second START", 750.0), ("b", 700.0)],
            &[("Chapter 2: Second 3", 750.0), ("c", 700.0)],
            &[("Chapter 2: Second 4", 750.0), ("d", 700.0)],
            &[("Chapter 2: Second 5", 750.0), ("e", 700.0)],
        ],
        "START",
    );
    assert_eq!(pages.concat(), ["1 First START", "a", "2 Second START", "b", "c", "d", "e"]);
}

#[test]
fn lines_that_fill_their_pages_stay() {
    // A listing of equal lines, and a table of numbers, over pages with numbers of their own.
    for text in ["print 'XX'", "12 14 16"] {
        let rows: Vec<(&str, f32)> = (0..6).map(|at| (text, 700.0 - 12.0 * at as f32)).collect();
        let page = |number| [rows.as_slice(), &[(number, 30.0)]].concat();
        let pages = [page("1"), page("2"), page("3")];
        let pages: Vec<&[(&str, f32)]> = pages.iter().map(Vec::as_slice).collect();
        assert_eq!(kept(&pages), vec![vec![text; 6]; 3]);
    }
}

#[test]
fn two_pages_prove_nothing() {
    let pages = kept(&[&[("Same", 750.0)], &[("Same", 750.0)]]);
    assert_eq!(pages, [["Same"], ["Same"]]);
}

#[test]
fn body_lines_stay() {
    let pages =
        kept(&[&[("one", 700.0), ("two", 690.0)], &[("three", 700.0)], &[("four", 700.0), ("five", 600.0)]]);
    assert_eq!(pages.concat(), ["one", "two", "three", "four", "five"]);
}

#[test]
fn keys_forget_page_numbers() {
    let check = |text: &str, expected: &str| assert_eq!(key(text), expected, "{text}");
    check("42", "");
    check("- 42 -", "");
    check("xiv", "");
    check("Page 3 of 17", "");
    check("Chapter 2. The Archive 15", "chapter # the archive");
    check("15 Release 4.6.2", "release");
    check("2024-05 Notes", "notes");
}

#[test]
fn rows_that_differ_in_numbers_stay() {
    let numbers = [
        ["12 4.5 9.1", "31 0.7"],
        ["50 7.2 1.4", "77 8.3"],
        ["91 3.3 0.2", "118 1.9"],
        ["140 6 7", "162 5.5"],
    ];
    let check = |row: &dyn Fn(usize) -> [String; 2]| {
        let rows: Vec<[String; 2]> = (0..4).map(row).collect();
        let pages: Vec<Vec<(&str, f32)>> = rows
            .iter()
            .zip([("5", "alpha"), ("6", "beta"), ("7", "gamma"), ("8", "delta")])
            .map(|([top, bottom], (number, body))| {
                vec![(top.as_str(), 750.0), (body, 400.0), (bottom, 60.0), (number, 30.0)]
            })
            .collect();
        let pages: Vec<&[(&str, f32)]> = pages.iter().map(Vec::as_slice).collect();
        let expected: Vec<Vec<&str>> =
            pages.iter().map(|page| page[..3].iter().map(|it| it.0).collect()).collect();
        assert_eq!(kept(&pages), expected);
    };
    check(&|at| numbers[at].map(str::to_owned));
    check(&|at| numbers[at].map(|it| format!("Sum {it}")));
    check(&|at| [format!("{}. Bolt, {} mm", 40 * at + 1, 3 * at), format!("{}. Bolt", 40 * at + 40)]);
}

#[test]
fn page_numbers_by_chapter_are_dropped() {
    let pages = kept(&[
        &[("one", 700.0), ("1-1", 30.0)],
        &[("two", 700.0), ("1-2", 30.0)],
        &[("three", 700.0), ("1-3", 30.0)],
        &[("four", 700.0), ("2-1", 30.0)],
        &[("five", 700.0), ("2-2", 30.0)],
    ]);
    assert_eq!(pages.concat(), ["one", "two", "three", "four", "five"]);
}

#[test]
fn page_numbers_on_few_pages_are_dropped() {
    let texts: Vec<String> = (0..12).map(|at| "body ".repeat(at + 1)).collect();
    let numbers = ["5", "9", "13"];
    let pages: Vec<Vec<(&str, f32)>> = (0..12)
        .map(|at| {
            let number = if at % 4 == 0 { Some((numbers[at / 4], 30.0)) } else { None };
            std::iter::once((texts[at].as_str(), 400.0)).chain(number).collect()
        })
        .collect();
    let pages: Vec<&[(&str, f32)]> = pages.iter().map(Vec::as_slice).collect();
    assert!(kept(&pages).iter().all(|page| page.len() == 1));
}
