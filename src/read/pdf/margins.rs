//! Running headers and footers: lines in the margins that repeat from page to page.

mod edges;
mod heads;
mod numbers;
mod titles;

use std::collections::{BTreeMap, HashMap, HashSet};

use super::file::Page;
use super::lines::Line;

use numbers::numbers;

/// Fewest pages of a file in which repetition means anything.
const FEWEST_PAGES: usize = 3;

/// Lines looked at from each end of a page.
const DEPTH: usize = 2;

/// Share of the pages that must have a line for it to go everywhere. Odd and even pages often differ, so less than
/// half; more than a chapter of a book, whose title page heads would otherwise need a rule of their own.
const SHARE: f32 = 0.4;

/// Times that a running line stands on a page: at the top and the bottom, perhaps on both sides.
const MOST_ON_PAGE: usize = 4;

/// Most numbers of a line that is nothing but a page number: `3 / 17`.
const MOST_NUMBERS: usize = 2;

/// Baselines this far apart, in points, are at the same height.
const SAME_HEIGHT: f32 = 3.0;

/// A line so many times as large as the others that go is a title and stays. Chosen: titles start at 1.4.
const TITLE_RATIO: f32 = 1.3;

/// Where on its page a line stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    is_bold: bool,
    key: String,
    text: String,
    /// The numbers in the line.
    numbers: Vec<u32>,
    /// Numbers at the ends of the line, less the page's index: constant where they are page numbers.
    offsets: Vec<i64>,
}

/// Drops lines that are on most pages, and, where most pages have such a line at one height, also those that repeat
/// less (the titles of chapters), and lines that begin or end with the number of the page. Titles ([`mod@titles`]) and what
/// belongs to the body ([`edges`]) stay. Heads of more lines ([`heads`]) go too. Returns how many went.
pub(super) fn drop_repeated(pages: &mut [Page]) -> usize {
    let n_pages = pages.iter().filter(|page| !page.lines.is_empty()).count();
    if n_pages < FEWEST_PAGES {
        return 0;
    }
    let n_of_heads = heads::drop_heads(pages);
    let candidates: Vec<Candidate> = pages
        .iter()
        .enumerate()
        .flat_map(|(at, page)| [Margin::Top, Margin::Bottom].map(|margin| outermost(at, &page.lines, margin)))
        .flatten()
        .collect();
    let of_body = keys_of_body(pages, &candidates);
    let running = running(&candidates, &of_body);
    let count = |it: &Candidate| running.get(&group(it)).map_or(0, |it| it.n_lines);
    let repeats = |it: &Candidate| count(it) >= FEWEST_PAGES;
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
        let is_common = repeats(it) && count(it) as f32 >= SHARE * n_pages as f32;
        // Books have them at the foot of the first pages of chapters, and elsewhere in the header.
        let is_page_number = running.get(&group(it)).is_some_and(|it| it.are_page_numbers);
        is_common || is_page_number || is_numbered(it) || (repeats(it) && is_running_height(it))
    };
    let mut going: Vec<&Candidate> = candidates.iter().filter(|it| goes(it)).collect();
    let edges = edges::edges_of_body(pages, &going);
    let at = |it: &Candidate| (it.page, it.line);
    let at_edge: HashSet<(usize, usize)> =
        going.iter().filter(|it| edges.contains(&edges::set_group(it))).map(|it| at(it)).collect();
    going.retain(|it| !at_edge.contains(&at(it)));
    let is_number = |it: &Candidate| running.get(&group(it)).is_some_and(|it| it.are_page_numbers);
    let of_numbers: HashSet<usize> = going.iter().filter(|it| is_number(it)).map(|it| it.page).collect();
    let titles = titles::titles(pages, &going, &of_numbers);
    // A title may be all that a running header repeats, or start with the number that its page happens to have.
    let alike = |it: &Candidate| (it.margin, repeats(it).then(|| it.key.clone()));
    let mut sizes: HashMap<(Margin, Option<String>), Vec<f32>> = HashMap::new();
    for it in &going {
        sizes.entry(alike(it)).or_default().push(it.size);
        // What repeats nowhere is compared with everything in its margin.
        if repeats(it) {
            sizes.entry((it.margin, None)).or_default().push(it.size);
        }
    }
    sizes.values_mut().for_each(|sizes| sizes.sort_by(f32::total_cmp));
    let is_title = |it: &Candidate| {
        let typical = sizes.get(&alike(it)).map(|sizes| sizes[sizes.len() / 2]);
        typical.is_some_and(|typical| it.size >= TITLE_RATIO * typical)
    };
    let mut dropped: Vec<(usize, usize)> =
        going.iter().filter(|it| !is_title(it) && !titles.contains(&at(it))).map(|it| at(it)).collect();
    dropped.sort_unstable();
    dropped.dedup();
    if dropped.len() == pages.iter().map(|page| page.lines.len()).sum::<usize>() {
        // Nothing but repetition: then it is the content.
        return n_of_heads;
    }
    for &(page, line) in dropped.iter().rev() {
        pages[page].lines.remove(line);
    }
    n_of_heads + dropped.len()
}

/// What a line must have in common with others to be one running line with them.
type Group = (Margin, String, Option<i32>);

/// The group of a line: its words, or for numbers alone its height.
fn group(it: &Candidate) -> Group {
    match it.key.is_empty() {
        // A row of a table can stand where other pages have their number.
        true if it.numbers.len() > MOST_NUMBERS => (it.margin, it.text.clone(), None),
        true => (it.margin, String::new(), Some(height(it.y))),
        false => (it.margin, it.key.clone(), None),
    }
}

/// Lines that can be one running line.
#[derive(Clone, Copy)]
struct Running {
    n_lines: usize,
    /// Whether they are nothing but numbers that grow with the pages.
    are_page_numbers: bool,
}

/// The groups that can be running lines. Lines that differ in their numbers, such as rows of a table, are one only where the
/// numbers go with the pages.
fn running(candidates: &[Candidate], of_body: &HashSet<String>) -> HashMap<Group, Running> {
    let mut groups: BTreeMap<Group, Vec<(usize, &[u32])>> = BTreeMap::new();
    for it in candidates.iter().filter(|it| !of_body.contains(&it.key)) {
        groups.entry(group(it)).or_default().push((it.page, &it.numbers));
    }
    let of = |(group, lines): (Group, Vec<(usize, &[u32])>)| {
        let are_page_numbers = group.2.is_some() && numbers::grow_with_pages(&lines);
        let is_running = are_page_numbers || numbers::are_running(&lines);
        is_running.then_some((group, Running { n_lines: lines.len(), are_page_numbers }))
    };
    groups.into_iter().filter_map(of).collect()
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
        candidates.push(Candidate {
            page,
            line: at,
            margin,
            y: line.y,
            size: line.size,
            is_bold: line.is_bold,
            key: key(&line.text),
            text: line.text.clone(),
            numbers: numbers(&line.text),
            offsets: offsets(&line.text, page),
        });
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
mod tests;
