//! Headings by roman numbers, as IEEE and the APS set them: `I. INTRODUCTION` in the size of the text, `A. Details` below
//! in another font. What tells them is that they count up.

use std::collections::HashMap;
use std::ops::Range;

use super::super::blocks::Measures;
use super::super::body_type::BodyType;
use super::super::lines::Line;

/// Levels that these headings take.
pub(super) const LEVELS: usize = 2;

/// Fewest headings with roman numbers that make a series.
const FEWEST: usize = 2;

/// Longest heading of one line, in characters.
const MOST_CHARS: usize = 100;

/// Type sizes as shares of the body's size; the journals of the APS have nine tenths.
const SIZES: Range<f32> = 0.85..1.6;

/// A heading of the series.
#[derive(Debug, PartialEq)]
pub(super) struct Numbered {
    pub(super) lines: Range<usize>,
    /// 0 for roman numbers, 1 for letters.
    pub(super) depth: u8,
}

/// The headings with roman numbers, which count up from one, and with letters, which do so below each of them.
pub(super) fn headings(lines: &[Line], body: BodyType, measures: &Measures) -> Vec<Numbered> {
    let is_set = |line: &Line| {
        let share = 2.0 * line.size / body.size as f32;
        line.is_upright && !line.is_mono && SIZES.contains(&share) && !line.text.contains("  ")
    };
    let starts = series(lines.iter().enumerate().filter_map(|(at, line)| {
        let number = roman(&line.text).filter(|_| is_set(line))?;
        Some((at, number))
    }));
    if starts.len() < FEWEST {
        return Vec::new();
    }
    let Some(text_font) = most_used_font(lines) else { return Vec::new() };
    // A second line of the heading.
    let with_rest = |at: usize, is_more: &dyn Fn(&Line) -> bool| {
        let last = &lines[at];
        let is_rest = |line: &Line| {
            let is_near = (last.page, last.column) == (line.page, line.column)
                && (0.0..1.6 * line.size).contains(&(last.y - line.y));
            is_near && is_set(line) && is_more(line)
        };
        if lines.get(at + 1).is_some_and(is_rest) { at..at + 2 } else { at..at + 1 }
    };
    let mut found: Vec<Numbered> = Vec::new();
    for (nth, &at) in starts.iter().enumerate() {
        let is_more = |line: &Line| is_capitals(&line.text) && letter(&line.text).is_none();
        let heading = Numbered { lines: with_rest(at, &is_more), depth: 0 };
        let (from, to) = (heading.lines.end, starts.get(nth + 1).copied().unwrap_or(lines.len()));
        found.push(heading);
        let mut due = b'A';
        let mut at = from;
        while at < to {
            let line = &lines[at];
            let is_other_font = is_set(line) && line.font != text_font;
            if is_other_font && letter(&line.text) == Some(due) {
                let is_more = |next: &Line| next.font == line.font && measures.is_full(line, next);
                let heading = Numbered { lines: with_rest(at, &is_more), depth: 1 };
                at = heading.lines.end;
                due += 1;
                found.push(heading);
                continue;
            }
            // What stands after the series without a number.
            if nth + 1 == starts.len() && is_set(line) && is_back_matter(&line.text) {
                found.push(Numbered { lines: at..at + 1, depth: 0 });
                due = b'A';
            }
            at += 1;
        }
    }
    found
}

/// The longest series of lines whose numbers count up from one; of those as long the last, for a list of contents comes first.
fn series(numbered: impl Iterator<Item = (usize, u32)>) -> Vec<usize> {
    let numbered: Vec<(usize, u32)> = numbered.collect();
    let mut best: Vec<usize> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, number) in numbered {
        if number == 1 && !open.is_empty() {
            best = if open.len() >= best.len() { std::mem::take(&mut open) } else { best };
            open.clear();
        }
        if number as usize == open.len() + 1 {
            open.push(at);
        }
    }
    if open.len() >= best.len() { open } else { best }
}

/// The roman number of a heading in capitals.
pub(super) fn roman(text: &str) -> Option<u32> {
    let (number, title) = text.split_once(". ")?;
    let title_fits = is_capitals(title) && title.chars().count() <= MOST_CHARS && !title.contains("....");
    if !title_fits || number.is_empty() || number.len() > 8 {
        return None;
    }
    let value = |c: char| match c {
        'I' => Some(1),
        'V' => Some(5),
        'X' => Some(10),
        'L' => Some(50),
        _ => None,
    };
    let values: Vec<u32> = number.chars().map(value).collect::<Option<_>>()?;
    let is_taken = |at: usize| values.get(at + 1).is_some_and(|next| *next > values[at]);
    let (mut sum, mut taken) = (0u32, 0u32);
    for (at, value) in values.iter().enumerate() {
        if is_taken(at) { taken += value } else { sum += value }
    }
    sum.checked_sub(taken).filter(|it| (1..=60).contains(it))
}

/// The letter in front of a heading such as `B. Details of Design`.
fn letter(text: &str) -> Option<u8> {
    let (letter, title) = text.split_once(". ")?;
    let fits = title.chars().count() <= MOST_CHARS
        && title.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && title.chars().filter(|c| c.is_alphabetic()).count() >= 2
        && !title.ends_with(['.', ',', ';', ':']);
    match letter.as_bytes() {
        [letter @ b'A'..=b'Z'] if fits => Some(*letter),
        _ => None,
    }
}

/// Whether a title is in capitals, large or small.
fn is_capitals(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 3 && !text.contains(char::is_lowercase)
}

fn is_back_matter(text: &str) -> bool {
    const NAMES: [&str; 6] = [
        "REFERENCES",
        "ACKNOWLEDGMENT",
        "ACKNOWLEDGMENTS",
        "ACKNOWLEDGEMENT",
        "ACKNOWLEDGEMENTS",
        "BIBLIOGRAPHY",
    ];
    NAMES.contains(&text)
        || text.strip_prefix("APPENDIX").is_some_and(|rest| !rest.contains(char::is_lowercase))
}

/// The font of most of the text.
fn most_used_font(lines: &[Line]) -> Option<u64> {
    let mut fonts: HashMap<u64, usize> = HashMap::new();
    for line in lines {
        *fonts.entry(line.font).or_insert(0) += line.text.len();
    }
    fonts.into_iter().max_by_key(|&(font, n)| (n, font)).map(|(font, _)| font)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roman_numbers_of_titles_in_capitals_are_read() {
        let check = |text: &str, expected: Option<u32>| assert_eq!(roman(text), expected, "{text}");
        check("I. INTRODUCTION", Some(1));
        check("IV. SYSTEM MODEL", Some(4));
        check("XIX. MORE", Some(19));
        check("V. Early Work", None);
        check("X. Y", None);
        check("D. DETAILS", None);
        check("INTRODUCTION", None);
    }

    #[test]
    fn the_longest_series_counts() {
        let check = |numbers: &[u32], expected: &[usize]| {
            assert_eq!(series(numbers.iter().copied().enumerate()), expected, "{numbers:?}");
        };
        check(&[1, 2, 3], &[0, 1, 2]);
        check(&[1, 2, 3, 1, 2, 3], &[3, 4, 5]);
        check(&[1, 2, 3, 1, 5], &[0, 1, 2]);
        check(&[1, 7, 2], &[0, 2]);
        check(&[2, 3], &[]);
    }
}
