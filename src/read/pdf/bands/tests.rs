//! Pages of a few lines, and which line is read when.

use proptest::prelude::*;

use super::super::lines::in_reading_order;
use super::*;

/// Lines of 5 points a character, `step` apart.
fn lines(x: f32, top: f32, step: f32, texts: &[&str]) -> Vec<Run> {
    let run = |(at, text): (usize, &&str)| Run {
        text: (*text).to_owned(),
        x,
        y: top - step * at as f32,
        width: 5.0 * text.chars().count() as f32,
        size: 10.0,
        ..Run::default()
    };
    texts.iter().enumerate().map(run).collect()
}

fn heading(x: f32, y: f32, text: &str) -> Vec<Run> {
    let runs = lines(x, y, 0.0, &[text]).into_iter();
    runs.map(|run| Run { size: 14.0, is_bold: true, width: 1.4 * run.width, ..run }).collect()
}

/// Checks the first word of each line, in the order of reading.
fn check(runs: Vec<Vec<Run>>, expected: &str) {
    let lines = in_reading_order(runs.concat(), 0);
    let firsts: Vec<&str> = lines.iter().filter_map(|it| it.text.split(' ').next()).collect();
    assert_eq!(firsts.join(" "), expected);
}

/// A left and a right column of a sentence each, from `top`.
fn pair(top: f32, right_top: f32, left: [&str; 4], right: [&str; 4]) -> Vec<Run> {
    let full = |firsts: [&str; 4], last: &str| -> Vec<String> {
        let line = |(at, first): (usize, &&str)| match at {
            3 => format!("{first} the end {last}"),
            _ => format!("{first} and so the text goes on for more of it"),
        };
        firsts.iter().enumerate().map(line).collect()
    };
    let (left, right) = (full(left, "of a half"), full(right, "of it all."));
    let texts = |lines: &[String]| -> Vec<String> { lines.to_vec() };
    let mut runs = Vec::new();
    for (x, top, texts) in [(50.0, top, texts(&left)), (320.0, right_top, texts(&right))] {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        runs.extend(lines(x, top, 12.0, &texts));
    }
    runs
}

const ABCD: [&str; 4] = ["a", "b", "c", "d"];
const EFGH: [&str; 4] = ["e", "f", "g", "h"];
const IJKL: [&str; 4] = ["i", "j", "k", "l"];
const MNOP: [&str; 4] = ["m", "n", "o", "p"];

#[test]
fn a_heading_on_the_left_ends_a_block_of_columns() {
    let blocks = |second: f32| {
        vec![
            heading(50.0, 700.0, "First"),
            pair(675.0, 675.0, ABCD, EFGH),
            heading(50.0, 610.0, "Second"),
            pair(585.0, second, IJKL, MNOP),
        ]
    };
    check(blocks(585.0), "First a b c d e f g h Second i j k l m n o p");
    // The margin above a paragraph goes where a column starts with the middle of one.
    check(blocks(592.0), "First a b c d e f g h Second i j k l m n o p");
    // Beside a heading of the right column it is one of the left column.
    let mut plain = blocks(585.0);
    plain.push(heading(320.0, 604.0, "Third"));
    check(plain, "First a b c d Second i j k l e f g h Third m n o p");
    // So it is beside the white between two paragraphs.
    let paragraphs =
        vec![pair(675.0, 660.0, ABCD, EFGH), heading(50.0, 610.0, "Second"), pair(580.0, 596.0, IJKL, MNOP)];
    check(paragraphs, "a b c d Second i j k l e f g h m n o p");
    // So it is beside a figure.
    let figure =
        vec![pair(675.0, 675.0, ABCD, EFGH), heading(50.0, 610.0, "Second"), pair(585.0, 530.0, IJKL, MNOP)];
    check(figure, "a b c d Second i j k l e f g h m n o p");
}

#[test]
fn a_few_lines_may_stand_side_by_side_on_a_page_of_one_column() {
    let long = "wide lines that cross the page from the left margin to the right one are most of the page";
    let above = || lines(50.0, 700.0, 12.0, &[long; 6]);
    let below = || lines(50.0, 400.0, 12.0, &[long; 6]);
    let wide = ["wide"; 6].join(" ");
    for right_top in [600.0, 606.0] {
        let columns = pair(600.0, right_top, ABCD, EFGH);
        check(vec![above(), columns, below()], &format!("{wide} a b c d e f g h {wide}"));
    }
    // A note beside a paragraph.
    let paragraph = [
        "a paragraph beside which a note stands",
        "b goes on until it ends somewhere, as",
        "c paragraphs do when they end.",
    ];
    let note = lines(290.0, 594.0, 12.0, &["Note", "that it is by the side of it, and", "has three lines."]);
    let note = note.into_iter().map(|run| Run { is_bold: run.text == "Note", ..run }).collect();
    check(
        vec![above(), lines(50.0, 600.0, 12.0, &paragraph), note, below()],
        &format!("{wide} a b c Note that has {wide}"),
    );
}

#[test]
fn three_narrow_columns_are_read_one_by_one() {
    let texts = |firsts: [&str; 5]| firsts.map(|first| format!("{first} is of the words in here"));
    let column = |x: f32, top: f32, firsts| {
        let texts = texts(firsts);
        lines(x, top, 12.0, &texts.each_ref().map(String::as_str))
    };
    let columns = vec![
        column(50.0, 600.0, ["a", "b", "c", "d", "e"]),
        column(200.0, 606.0, ["f", "g", "h", "i", "j"]),
        column(350.0, 600.0, ["k", "l", "m", "n", "o"]),
    ];
    check(columns, "a b c d e f g h i j k l m n o");
}

#[test]
fn cells_stay_in_their_rows() {
    // Of one line.
    let keys = ["read", "write", "append to", "close the", "truncate"];
    let values = [
        "opens a file that is there",
        "makes a file where there is none",
        "writes at the end",
        "gives the file back",
        "cuts off what was in it before",
    ];
    let table = vec![lines(50.0, 600.0, 12.0, &keys), lines(320.0, 600.0, 12.0, &values)];
    check(table, "read write append close truncate");
    // Of two lines, in rows.
    let cell = |x, y, first: &str| {
        lines(x, y, 12.0, &[&format!("{first} is a cell that is as long as"), "is usual and ends"])
    };
    let table = (0..4u8).flat_map(|at| {
        let y = 600.0 - 30.0 * f32::from(at);
        [cell(50.0, y, ["a", "b", "c", "d"][usize::from(at)]), cell(320.0, y, "x")]
    });
    check(table.collect(), "a is b is c is d is");
}

#[test]
fn lines_of_several_runs_are_no_columns() {
    // A font for every name, whose runs start at about one place by chance.
    let row = |at: usize| {
        let y = 700.0 - 12.0 * at as f32;
        let first = ["a", "b", "c", "d", "e", "f", "g", "h"][at];
        let left = format!("{first} line of running text with a name as {}", "x".repeat(at % 3 + 1));
        let start = 50.0 + 5.0 * left.chars().count() as f32 + 3.0;
        [
            lines(50.0, y, 0.0, &[&left]),
            lines(start, y, 0.0, &["in the middle of it, which goes on to the end"]),
        ]
    };
    check((0..8).flat_map(row).collect(), "a b c d e f g h");
}

proptest! {
    #[test]
    fn nothing_is_lost_or_doubled(
        places in proptest::collection::vec((0u16..60, 0u16..60, 1usize..30, 0u8..4), 0..80),
    ) {
        let mut runs = Vec::new();
        for (at, (x, y, n_chars, kind)) in places.into_iter().enumerate() {
            let text = format!("w{at} {}", "x".repeat(n_chars));
            let run = lines(10.0 * f32::from(x), 12.0 * f32::from(y) + f32::from(kind), 0.0, &[&text]);
            runs.extend(run.into_iter().map(|run| Run { is_bold: kind == 3, ..run }));
        }
        let words = |text: String| {
            let mut words: Vec<String> = text.split('w').map(|it| it.replace(' ', "")).collect();
            words.sort();
            words
        };
        let before: Vec<String> = runs.iter().map(|run| run.text.clone()).collect();
        let after: Vec<String> = in_reading_order(runs, 0).into_iter().map(|it| it.text).collect();
        prop_assert_eq!(words(before.concat()), words(after.concat()));
    }
}
