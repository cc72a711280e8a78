//! Headings that are told by their looks alone: short paragraphs, bold throughout and larger than the text.
//!
//! For formats whose paragraphs have styles that authors need not use. The paragraphs of a document go in, with the size and weight of
//! their characters; out come the levels of those that are headings. Real headings win: their sizes give the levels of the others.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Longest heading, in characters. Chosen: the longest titles of papers have about 150.
const MAX_CHARS: usize = 160;

/// Deepest level that is given.
const MAX_LEVEL: u8 = 6;

/// Most looks of headings, the largest first. Chosen: far more than levels, so that only broken files reach it.
const MAX_LOOKS: usize = 64;

/// What a paragraph is apart from its looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Place {
    /// It may be a heading.
    Body,
    /// A cell, an item of a list, a caption: never a heading.
    Other,
    /// It is a heading of this level.
    Heading(u8),
}

/// How the paragraphs of a document look, in their order.
#[derive(Debug, Default)]
pub(in crate::read) struct Looks {
    /// Characters by size, those of real headings left out.
    n_chars: BTreeMap<u32, usize>,
    n_bold_chars: usize,
    /// Size and level of each kind of real heading.
    real: BTreeSet<(u32, u8)>,
    candidates: Vec<Candidate>,
    /// Characters of bold paragraphs by size that are too long or otherwise no candidates.
    n_other: HashMap<u32, usize>,
    n_paragraphs: usize,
    /// Whether the paragraph before this one is the last candidate.
    is_after_candidate: bool,
    open: Open,
}

/// The paragraph in the making.
#[derive(Debug, Default)]
struct Open {
    runs: Vec<(u32, usize)>,
    n_bold: usize,
}

#[derive(Debug)]
struct Candidate {
    id: usize,
    size: u32,
    /// Parts of the number in front: 2 for `1.1`.
    depth: usize,
    n_chars: usize,
    /// Whether its neighbour is numbered as it is: a list.
    is_in_row: bool,
}

impl Looks {
    /// Adds characters to the open paragraph; `size` in half points.
    pub(in crate::read) fn run(&mut self, text: &str, size: u32, is_bold: bool) {
        let n_chars = text.chars().filter(|it| !it.is_whitespace()).count();
        if n_chars == 0 {
            return;
        }
        match self.open.runs.last_mut().filter(|it| it.0 == size) {
            Some(last) => last.1 += n_chars,
            None => self.open.runs.push((size, n_chars)),
        }
        self.open.n_bold += if is_bold { n_chars } else { 0 };
    }

    /// Ends the open paragraph, whose whole `text` has its blanks folded; `id` names it among those that may be headings.
    pub(in crate::read) fn end(&mut self, id: usize, text: &str, place: Place) {
        let Open { runs, n_bold } = std::mem::take(&mut self.open);
        let Some(size) = runs.iter().map(|it| it.0).min() else { return };
        let n_chars = runs.iter().map(|it| it.1).sum();
        let is_after_candidate = std::mem::take(&mut self.is_after_candidate);
        self.n_paragraphs += 1;
        if let Place::Heading(level) = place {
            self.real.insert((size, level));
            return;
        }
        for (size, n_chars) in runs {
            *self.n_chars.entry(size).or_default() += n_chars;
        }
        self.n_bold_chars += n_bold;
        if n_bold < n_chars {
            return;
        }
        if place != Place::Body || !is_heading_like(text) {
            *self.n_other.entry(size).or_default() += n_chars;
            return;
        }
        let depth = depth_of_number(text);
        let before = self.candidates.last_mut().filter(|it| is_after_candidate && it.size == size);
        let is_in_row = before.is_some_and(|it| {
            let is_same = depth > 0 && it.depth == depth;
            it.is_in_row |= is_same;
            is_same
        });
        self.candidates.push(Candidate { id, size, depth, n_chars, is_in_row });
        self.is_after_candidate = true;
    }

    /// The levels, from 1, of the paragraphs that are headings by their looks.
    pub(in crate::read) fn levels(self) -> HashMap<usize, u8> {
        let n_all: usize = self.n_chars.values().sum();
        // The size of the text: that of most characters.
        let body = self.n_chars.iter().max_by_key(|(_, n_chars)| **n_chars);
        // Where most is bold, weight says nothing.
        let Some((&body, _)) = body.filter(|_| self.n_bold_chars * 2 <= n_all) else { return HashMap::new() };
        // A tenth more, as for the fonts of PDF files: the least step of sizes is 10 to 11 points.
        let is_larger = |size: u32| size.saturating_mul(10) >= body.saturating_mul(11);
        let stands_out =
            |it: &Candidate| is_larger(it.size) || (it.size >= body && it.depth > 0 && !it.is_in_row);
        let mut kept: Vec<&Candidate> = self.candidates.iter().filter(|it| stands_out(it)).collect();
        // A look in which most of the words are no headings is none of headings.
        let mut n_own: HashMap<u32, usize> = HashMap::new();
        for it in &kept {
            *n_own.entry(it.size).or_default() += it.n_chars;
        }
        let n_other = |size: u32| self.n_other.get(&size).copied().unwrap_or_default();
        kept.retain(|it| n_other(it.size) <= 2 * n_own.get(&it.size).copied().unwrap_or_default());
        // Too many headings are none: the least of them go until half of the paragraphs are left.
        let most = self.n_paragraphs.div_ceil(2).max(3);
        let mut of_size: BTreeMap<u32, usize> = BTreeMap::new();
        kept.iter().for_each(|it| *of_size.entry(it.size).or_default() += 1);
        let mut n_kept = kept.len();
        while n_kept > most {
            n_kept -= of_size.pop_first().map_or(n_kept, |it| it.1);
        }
        kept.retain(|it| of_size.contains_key(&it.size));
        let mut looks: Vec<Look> = kept.iter().map(|it| look(it)).collect();
        looks.sort_unstable_by_key(|it| (std::cmp::Reverse(it.0), it.1));
        looks.dedup();
        looks.truncate(MAX_LOOKS);
        let levels = self.levels_of(&looks);
        kept.iter().filter_map(|it| Some((it.id, *levels.get(&look(it))?))).collect()
    }

    /// The levels of `looks`, the largest first: below the real headings that are larger, above those that are smaller.
    fn levels_of(&self, looks: &[Look]) -> HashMap<Look, u8> {
        let mut levels = HashMap::new();
        let mut last = 0;
        for &(size, depth) in looks {
            let of_size = |is_it: &dyn Fn(u32) -> bool| {
                self.real.iter().filter(|it| is_it(it.0)).map(|it| it.1).collect::<Vec<u8>>()
            };
            let equal = of_size(&|it| it == size).into_iter().min();
            let above = of_size(&|it| it > size).into_iter().max().unwrap_or(0).max(last);
            let below = of_size(&|it| it < size).into_iter().min().unwrap_or(MAX_LEVEL);
            let level = equal.unwrap_or(above.saturating_add(1).min(below)).clamp(1, MAX_LEVEL);
            last = last.max(level);
            levels.insert((size, depth), level);
        }
        levels
    }
}

/// Size and depth of the number, which make the level.
type Look = (u32, usize);

fn look(candidate: &Candidate) -> Look {
    // A heading without a number is as high as one with a number of one part.
    (candidate.size, candidate.depth.max(1))
}

/// Whether a bold paragraph has the shape of a heading.
fn is_heading_like(text: &str) -> bool {
    let n_chars = text.chars().count();
    let n_letters = text.chars().filter(|it| it.is_alphabetic()).count();
    let n_shown = text.chars().filter(|it| !it.is_whitespace()).count();
    let is_end_of_text = text.ends_with(['.', ',', ';', '。', '、']);
    n_chars <= MAX_CHARS
        && text.lines().count() <= 2
        && n_letters >= 2
        && n_letters * 2 >= n_shown
        && !is_end_of_text
        && !text.contains("....")
}

/// The parts of the number in front of a title, such as 2 for `1.1 Scope` or `1.1. Scope`; 0 without one. A single number
/// has its full stop.
fn depth_of_number(text: &str) -> usize {
    let Some((number, title)) = text.split_once(' ') else { return 0 };
    let has_stop = number.ends_with('.');
    let parts: Vec<&str> = number.trim_end_matches('.').split('.').collect();
    let is_part = |it: &&str| (1..=2).contains(&it.len()) && it.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = parts.iter().all(is_part) && (has_stop || parts.len() > 1);
    let is_title = title.trim_start().starts_with(char::is_alphabetic);
    if is_number && is_title { parts.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Words of the text that go on and on, for a line or two, until they end here.";

    /// Paragraphs as `size text`; with a `*` before the size they are bold, `=N` after it makes them real headings of level N, `-` no
    /// headings. Gives the levels of those in bold, 0 for no heading.
    fn check(paragraphs: &[&str], expected: &[u8]) {
        let mut looks = Looks::default();
        let mut bold = Vec::new();
        for (id, paragraph) in paragraphs.iter().enumerate() {
            let (look, text) = paragraph.split_once(' ').unwrap_or((paragraph, TEXT));
            let is_bold = look.starts_with('*');
            let digits = look.trim_start_matches('*');
            let (size, place) = match digits.split_once('=') {
                Some((size, level)) => (size, Place::Heading(level.parse().unwrap())),
                None if digits.ends_with('-') => (digits.trim_end_matches('-'), Place::Other),
                None => (digits, Place::Body),
            };
            if is_bold {
                bold.push(id);
            }
            looks.run(text, size.parse().unwrap(), is_bold);
            looks.end(id, text, place);
        }
        let levels = looks.levels();
        let found: Vec<u8> = bold.iter().map(|id| levels.get(id).copied().unwrap_or(0)).collect();
        assert_eq!(found, expected, "{paragraphs:?}");
    }

    #[test]
    fn bold_and_larger_paragraphs_are_headings_by_size() {
        check(&["*40 Handbook", "*28 1. Introduction", "22", "22", "*28 2. Hours", "22"], &[1, 2, 2]);
        check(&["*28 1. One", "22", "*28 1.1 Part", "22", "*28 Two", "22"], &[1, 2, 1]);
        check(&["*24 Large enough", "22", "22"], &[0]);
        check(&["*25 Large enough", "22", "22"], &[1]);
        check(&["28 Not bold", "22", "22"], &[]);
    }

    #[test]
    fn numbers_make_bold_paragraphs_headings_unless_they_are_a_list() {
        check(&["*22 1. One", "22", "*22 1.1 Part", "22", "*22 2. Two", "22"], &[1, 2, 1]);
        check(&["*22 1. One", "*22 1.1 Part", "22", "22"], &[1, 2]);
        check(&["22", "*22 1. First step", "*22 2. Second step", "22", "22"], &[0, 0]);
        check(&["*22 Note", "22", "*22 2024 was good", "22", "*20 1. Small", "22"], &[0, 0, 0]);
    }

    #[test]
    fn what_is_text_a_cell_or_all_bold_is_no_heading() {
        check(
            &[
                "*28 It is a sentence.",
                "22",
                "*28- Cell",
                "*28 123",
                "*28 A heading of some words",
                "22",
                "22",
            ],
            &[0, 0, 0, 1],
        );
        check(&["*22", "*22", "*28 Heading", "22"], &[0, 0, 0]);
        check(&["*28", "22", "*28 Heading", "22", "22", "22", "22"], &[0, 0]);
        check(
            &["*40 A", "*28 Slide a", "22 b", "*28 Slide c", "22 d", "*40 B", "*28 Slide e"],
            &[0, 0, 0, 0, 0],
        );
        check(&[], &[]);
    }

    #[test]
    fn levels_fit_in_between_the_real_headings() {
        check(&["52=1 Title", "28=1 Scope", "22", "*32 2. Methods", "22"], &[1]);
        check(&["32=1 One", "26=2 Part", "22", "*26 Like a part", "22", "*25 Less", "22"], &[2, 3]);
        check(&["32=1 One", "24=4 Deep", "22", "*28 Between", "22"], &[2]);
        check(&["52=1 Title", "22", "*28 One", "22", "*25 Part", "22"], &[2, 3]);
    }
}
