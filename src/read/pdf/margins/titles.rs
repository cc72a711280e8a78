//! Titles among the lines that would go: what begins its page in larger or bolder type than the body, page by page, as
//! exercises, slides and forms have it.
//!
//! A running header can be as large. What tells them apart: text flows on past a running header from page to page, and
//! it has the same words on nearly every page.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::blocks::{Measures, continues, half_points, has_marker};
use super::super::body_type::BodyType;
use super::super::file::Page;
use super::super::lines::Line;
use super::super::runs::is_ideographic;
use super::numbers::numbers;
use super::{Candidate, FEWEST_PAGES, Margin, SAME_HEIGHT, TITLE_RATIO, height};

/// A title is so many times as large as the body. Chosen: running headers are at most a point larger than it.
const LARGER: f32 = 1.15;

/// Share of the pages on which text flows on past a running header. Measured: a fifth to two thirds in prose, a twentieth
/// where lists and listings prevail, nothing on slides.
const FLOWING: f32 = 0.02;

/// Share of the pages that have the same words in larger type for them to be a running header.
const EVERYWHERE: f32 = 0.8;

/// Lines at one height in one type: the height, and the size in half points.
type Slot = (i32, i32);

/// The places of the titles among the lines that would go, and of what stands below titles; `of_numbers` are the pages that have a page number alone.
pub(super) fn titles(
    pages: &[Page],
    going: &[&Candidate],
    of_numbers: &HashSet<usize>,
) -> HashSet<(usize, usize)> {
    let Some(body) = BodyType::of(pages.iter().flat_map(|page| &page.lines)) else { return HashSet::new() };
    let n_pages = pages.iter().filter(|page| !page.lines.is_empty()).count();
    let gone: HashSet<(usize, usize)> = going.iter().map(|it| (it.page, it.line)).collect();
    let stands_out = |it: &Candidate, words: &str| {
        body.is_outsized(it.size, LARGER)
            || body.is_outweighed(it.size, it.is_bold)
            || !numbers(words).is_empty()
    };
    let outstanding: Vec<(&Candidate, String)> = going
        .iter()
        .filter(|it| it.margin == Margin::Top)
        .map(|&it| (it, words(&it.text)))
        .filter(|(it, words)| !it.key.is_empty() && !words.is_empty() && stands_out(it, words))
        .collect();
    // How many pages have a line in a slot, and onto how many of them the text flows.
    let mut slots: HashMap<Slot, (BTreeSet<usize>, usize)> = HashMap::new();
    let mut flows: HashMap<usize, bool> = HashMap::new();
    for (it, _) in &outstanding {
        let (on, n_flowing) = slots.entry(slot(it)).or_default();
        if on.insert(it.page) {
            let flows = flows.entry(it.page).or_insert_with(|| flows_onto(pages, it.page, &gone, body));
            *n_flowing += usize::from(*flows);
        }
    }
    let is_flowing = |it: &Candidate| {
        let (at, size) = slot(it);
        let near = || (-1..=1).filter_map(|by| slots.get(&(at + by, size)));
        let n_flowing: usize = near().map(|it| it.1).sum();
        let n_on: usize = near().map(|it| it.0.len()).sum();
        n_flowing > 0 && n_flowing as f32 >= FLOWING * n_on as f32
    };
    // The pages that have the same words, and the numbers within words that are the same otherwise.
    let mut repeated: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    let mut counted: HashMap<&str, (HashSet<usize>, HashSet<Vec<u32>>)> = HashMap::new();
    for (it, words) in &outstanding {
        let (on, counts) = counted.entry(&it.key).or_default();
        on.insert(it.page);
        counts.insert(numbers(words));
        repeated.entry(words).or_default().insert(it.page);
    }
    // A running header may name the section that starts on its page.
    let is_said_below = |it: &Candidate, said: &str| {
        let is_below = |line: &&Line| line.y < it.y - SAME_HEIGHT && line.size >= it.size;
        pages[it.page].lines.iter().filter(is_below).any(|line| words(&line.text) == said)
    };
    let is_title = |it: &Candidate, words: &str| {
        if is_flowing(it) || is_said_below(it, words) {
            return false;
        }
        let is_larger = body.is_outsized(it.size, LARGER);
        let same = repeated.get(words);
        if let Some(on) = same.filter(|on| on.len() as f32 >= EVERYWHERE * n_pages as f32) {
            return is_larger && on.first() == Some(&it.page);
        }
        if body.is_outsized(it.size, TITLE_RATIO) {
            return true;
        }
        // What carries the number of its page runs through the pages, unless it is large.
        if !is_larger && words.len() < it.text.len() {
            return false;
        }
        let stands_out = is_larger || body.is_outweighed(it.size, it.is_bold);
        // A number in a title counts something else than pages: "Question 3".
        let is_counted = !numbers(words).is_empty()
            && counted
                .get(it.key.as_str())
                .is_some_and(|(on, counts)| on.len() >= FEWEST_PAGES && on.len() == counts.len());
        if is_counted {
            return stands_out || of_numbers.len() * 2 >= n_pages;
        }
        // Pages under one title, which is not said again.
        let goes_on = it.page > 0 && same.is_some_and(|on| on.contains(&(it.page - 1)));
        stands_out && !goes_on
    };
    let of = |it: &Candidate| (it.page, it.line);
    let mut titles: HashSet<(usize, usize)> =
        outstanding.iter().filter(|(it, words)| is_title(it, words)).map(|(it, _)| of(it)).collect();
    // A running header stands above the title of its page, not below.
    let mut highest: HashMap<usize, Option<f32>> = HashMap::new();
    let below: Vec<(usize, usize)> = going
        .iter()
        .filter(|it| it.margin == Margin::Top && !it.key.is_empty())
        .filter(|it| {
            let stays = |line| !gone.contains(&(it.page, line)) || titles.contains(&(it.page, line));
            let highest = highest.entry(it.page).or_insert_with(|| {
                let lines = pages[it.page].lines.iter().enumerate();
                let large = lines.filter(|(_, it)| it.is_upright && body.is_outsized(it.size, LARGER));
                large.filter(|&(at, _)| stays(at)).map(|(_, it)| it.y).max_by(f32::total_cmp)
            });
            highest.is_some_and(|title| it.y + SAME_HEIGHT < title)
        })
        .map(|it| of(it))
        .collect();
    titles.extend(below);
    titles
}

fn slot(it: &Candidate) -> Slot {
    (height(it.y), half_points(it.size))
}

/// Whether a sentence runs on from the page before onto this one, past the lines that would go.
fn flows_onto(pages: &[Page], at: usize, gone: &HashSet<(usize, usize)>, body: BodyType) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|it| pages.get(it)) else { return false };
    let stays = |page: usize, line: usize| !gone.contains(&(page, line));
    let is_body = |line: &Line| !body.is_outsized(line.size, LARGER) && body.is_outsized(line.size, 0.95);
    let of = |page: usize, (line, it)| stays(page, line).then_some(it);
    let first = pages[at].lines.iter().enumerate().find_map(|it| of(at, it));
    // Notes at the foot are smaller.
    let last = before.lines.iter().enumerate().rev().filter_map(|it| of(at - 1, it)).find(|it| is_body(it));
    let (Some(first), Some(last)) = (first.filter(|it| is_body(it)), last) else { return false };
    let measures = Measures::of(&before.lines);
    let is_ideographic = first.text.starts_with(is_ideographic)
        && last.text.ends_with(|c: char| is_ideographic(c) && c.is_alphabetic());
    !has_marker(&first.text)
        && (continues(last, first, &measures) || (is_ideographic && measures.is_full(last, first)))
}

/// The words of a line without page numbers: those in a cell of their own, behind a bar or a dash, or named as such.
fn words(text: &str) -> String {
    let cells = text.split("  ").map(|cell| {
        let mut words: Vec<&str> = cell.split_whitespace().collect();
        while let [.., before, last] = words[..] {
            if !is_number(last) || !(is_bar(before) || is_name_of_page(before)) {
                break;
            }
            words.truncate(words.len() - 2);
        }
        if matches!(words[..], [first, after, ..] if is_number(first) && is_bar(after)) {
            words.drain(..2);
        }
        words.join(" ")
    });
    let cells: Vec<String> = cells.filter(|cell| !cell.is_empty() && !is_number(cell)).collect();
    cells.join("  ")
}

fn is_number(word: &str) -> bool {
    let is_roman = |c: char| "ivxlc".contains(c);
    !word.is_empty() && (word.bytes().all(|it| it.is_ascii_digit()) || word.chars().all(is_roman))
}

fn is_bar(word: &str) -> bool {
    !word.chars().any(char::is_alphanumeric)
}

/// What stands before the number of a page or the count of pages.
fn is_name_of_page(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    [
        "page", "p", "pg", "of", "sheet", "slide", "folio", "seite", "s", "von", "blatt", "folie", "sur",
        "página", "pagina", "pág", "pag", "de", "di", "van", "sida", "av", "strona", "z", "стр", "из",
    ]
    .contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers_are_set_apart_from_words() {
        let check = |text: &str, expected: &str| assert_eq!(words(text), expected, "{text}");
        check("The Manual  12", "The Manual");
        check("12  The Manual", "The Manual");
        check("Annual Report | 12", "Annual Report");
        check("12 — Annual Report", "Annual Report");
        check("Manual Page 3 of 9", "Manual");
        check("Seite 3 von 9", "");
        check("Exercise 3", "Exercise 3");
        check("Results (1/3)", "Results (1/3)");
        check("xii  Preface", "Preface");
        check("", "");
    }
}
