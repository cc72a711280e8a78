//! Running headers and footers: lines in the margins that repeat from page to page.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::file::Page;
use super::lines::Line;

/// Fewest pages of a file in which repetition means anything.
const FEWEST_PAGES: usize = 3;

/// Lines looked at from each end of a page.
const DEPTH: usize = 2;

/// Share of the pages that must have a line for it to go everywhere. Odd and even pages often differ, so less than
/// half; more than a chapter of a book, whose title page heads would otherwise need a rule of their own.
const SHARE: f32 = 0.4;

/// Times that a running line stands on a page: at the top and the bottom, perhaps on both sides.
const MOST_ON_PAGE: usize = 4;

/// Baselines this far apart, in points, are at the same height.
const SAME_HEIGHT: f32 = 3.0;

/// A line so many times as large as the others that go is a title and stays. Chosen: titles start at 1.4.
const TITLE_RATIO: f32 = 1.3;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Margin {
    Top,
    Bottom,
}

/// One line near the top or bottom of its page.
struct Candidate {
    page: usize,
    line: usize,
    margin: Margin,
    y: f32,
    /// Type size.
    size: f32,
    key: String,
    /// Numbers at the ends of the line, less the page's index: constant where they are page numbers.
    offsets: Vec<i64>,
}

/// Drops lines that are on most pages, and, where most pages have such a line at one height, also those that repeat
/// less (the titles of chapters), and lines that begin or end with the number of the page. Returns how many went.
pub(super) fn drop_repeated(pages: &mut [Page]) -> usize {
    let n_pages = pages.iter().filter(|page| !page.lines.is_empty()).count();
    if n_pages < FEWEST_PAGES {
        return 0;
    }
    let candidates: Vec<Candidate> = pages
        .iter()
        .enumerate()
        .flat_map(|(at, page)| [Margin::Top, Margin::Bottom].map(|margin| outermost(at, &page.lines, margin)))
        .flatten()
        .collect();
    let mut counts: HashMap<(Margin, &str), usize> = HashMap::new();
    for it in &candidates {
        *counts.entry((it.margin, it.key.as_str())).or_insert(0) += 1;
    }
    let of_body = keys_of_body(pages, &candidates);
    let count = |it: &Candidate| match of_body.contains(&it.key) {
        true => 0,
        false => counts.get(&(it.margin, it.key.as_str())).copied().unwrap_or(0),
    };
    let repeats = |it: &Candidate| count(it) >= FEWEST_PAGES || (it.key.is_empty() && !of_body.contains(""));
    // Heights at which most pages have a line that repeats or a page number.
    let mut heights: HashMap<(Margin, i32), usize> = HashMap::new();
    for it in candidates.iter().filter(|it| repeats(it)) {
        *heights.entry((it.margin, height(it.y))).or_insert(0) += 1;
    }
    let is_running_height = |it: &Candidate| {
        let near = (-1..=1).map(|by| heights.get(&(it.margin, height(it.y) + by)).copied().unwrap_or(0));
        near.sum::<usize>() as f32 >= 0.6 * n_pages as f32
    };
    let mut offsets: HashMap<(Margin, i64), usize> = HashMap::new();
    for it in &candidates {
        for &offset in &it.offsets {
            *offsets.entry((it.margin, offset)).or_insert(0) += 1;
        }
    }
    let is_numbered = |it: &Candidate| {
        let n_alike = it.offsets.iter().filter_map(|&offset| offsets.get(&(it.margin, offset))).max();
        n_alike.is_some_and(|&n| n >= FEWEST_PAGES && n as f32 >= SHARE * n_pages as f32)
    };
    let goes = |it: &Candidate| {
        let is_common = count(it) >= FEWEST_PAGES && count(it) as f32 >= SHARE * n_pages as f32;
        is_common || is_numbered(it) || (repeats(it) && is_running_height(it))
    };
    let going: Vec<&Candidate> = candidates.iter().filter(|it| goes(it)).collect();
    // A title may be all that a running header repeats, or start with the number that its page happens to have.
    let group = |it: &Candidate| (it.margin, (count(it) >= FEWEST_PAGES).then(|| it.key.clone()));
    let mut sizes: HashMap<(Margin, Option<String>), Vec<f32>> = HashMap::new();
    for it in &going {
        sizes.entry(group(it)).or_default().push(it.size);
        // What repeats nowhere is compared with everything in its margin.
        if count(it) >= FEWEST_PAGES {
            sizes.entry((it.margin, None)).or_default().push(it.size);
        }
    }
    sizes.values_mut().for_each(|sizes| sizes.sort_by(f32::total_cmp));
    let is_title = |it: &Candidate| {
        let typical = sizes.get(&group(it)).map(|sizes| sizes[sizes.len() / 2]);
        typical.is_some_and(|typical| it.size >= TITLE_RATIO * typical)
    };
    let mut dropped: Vec<(usize, usize)> =
        going.iter().filter(|it| !is_title(it)).map(|it| (it.page, it.line)).collect();
    dropped.sort_unstable();
    dropped.dedup();
    if dropped.len() == pages.iter().map(|page| page.lines.len()).sum::<usize>() {
        // Nothing but repetition: then it is the content.
        return 0;
    }
    for &(page, line) in dropped.iter().rev() {
        pages[page].lines.remove(line);
    }
    dropped.len()
}

/// Keys that stand many times on most of the pages that have them in a margin: rows of tables, lines of listings.
fn keys_of_body(pages: &[Page], candidates: &[Candidate]) -> HashSet<String> {
    let mut is_crowded: HashMap<&str, BTreeMap<usize, bool>> = HashMap::new();
    for it in candidates {
        is_crowded.entry(&it.key).or_default().insert(it.page, false);
    }
    for (at, page) in pages.iter().enumerate() {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for line in &page.lines {
            *counts.entry(key(&line.text)).or_insert(0) += 1;
        }
        for (key, _) in counts.into_iter().filter(|&(_, n)| n > MOST_ON_PAGE) {
            if let Some(is_crowded) = is_crowded.get_mut(key.as_str()).and_then(|it| it.get_mut(&at)) {
                *is_crowded = true;
            }
        }
    }
    let is_body = |pages: &BTreeMap<usize, bool>| pages.values().filter(|it| **it).count() * 2 > pages.len();
    is_crowded.into_iter().filter(|(_, pages)| is_body(pages)).map(|(key, _)| key.to_owned()).collect()
}

fn height(y: f32) -> i32 {
    (y / SAME_HEIGHT).round() as i32
}

/// The lines at the outermost heights of one margin.
fn outermost(page: usize, lines: &[Line], margin: Margin) -> Vec<Candidate> {
    let mut upright: Vec<(usize, &Line)> =
        lines.iter().enumerate().filter(|(_, line)| line.is_upright && line.tag.is_none()).collect();
    upright.sort_by(|(_, a), (_, b)| match margin {
        Margin::Top => b.y.total_cmp(&a.y),
        Margin::Bottom => a.y.total_cmp(&b.y),
    });
    let mut heights: Vec<f32> = Vec::new();
    let mut candidates = Vec::new();
    for (at, line) in upright {
        if heights.last().is_none_or(|last| (last - line.y).abs() > SAME_HEIGHT) {
            heights.push(line.y);
        }
        if heights.len() > DEPTH {
            break;
        }
        let (key, offsets) = (key(&line.text), offsets(&line.text, page));
        candidates.push(Candidate { page, line: at, margin, y: line.y, size: line.size, key, offsets });
    }
    candidates
}

fn offsets(text: &str, page: usize) -> Vec<i64> {
    let number = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).parse::<u32>().ok();
    let mut ends: Vec<u32> = [text.split_whitespace().next(), text.split_whitespace().next_back()]
        .into_iter()
        .flatten()
        .filter_map(number)
        .collect();
    ends.dedup();
    ends.into_iter().map(|number| i64::from(number) - page as i64).collect()
}

/// The line without what changes from page to page: numbers masked, page numbers at the ends cut off. Empty for a
/// page number alone.
fn key(text: &str) -> String {
    let is_number = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        !word.contains(char::is_alphabetic)
            || (word.len() <= 7 && word.chars().all(|c| "ivxlc".contains(c.to_ascii_lowercase())))
    };
    let mut words: Vec<String> = text
        .split_whitespace()
        .map(|word| if is_number(word) { "#".to_owned() } else { mask(word) })
        .collect();
    while words.last().is_some_and(|word| word == "#") {
        words.pop();
    }
    let from = words.iter().position(|word| word != "#").unwrap_or(words.len());
    let rest = words.split_off(from);
    // "Page 3" and "3 / 17" are page numbers too.
    if rest.iter().all(|word| ["#", "page", "of"].contains(&word.as_str())) {
        String::new()
    } else {
        rest.join(" ")
    }
}

fn mask(word: &str) -> String {
    let mut masked = String::with_capacity(word.len());
    for c in word.chars().flat_map(char::to_lowercase) {
        match c.is_ascii_digit() {
            true if masked.ends_with('#') => {}
            true => masked.push('#'),
            false => masked.push(c),
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::pdf::file::PageState;

    fn line(text: &str, y: f32) -> Line {
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
        let page = |(at, lines): (usize, &&[(&str, f32)])| Page {
            number: at as u32 + 1,
            state: PageState::Text,
            is_guess: false,
            n_furniture: 0,
            n_hidden: 0,
            lines: lines.iter().map(|&(text, y)| Line { size: size(text), ..line(text, y) }).collect(),
        };
        let mut pages: Vec<Page> = pages.iter().enumerate().map(page).collect();
        drop_repeated(&mut pages);
        pages.iter().map(|page| page.lines.iter().map(|line| line.text.clone()).collect()).collect()
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
        let pages = kept(&[
            &[("one", 700.0), ("two", 690.0)],
            &[("three", 700.0)],
            &[("four", 700.0), ("five", 600.0)],
        ]);
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
}
