//! Numbers in the margins: whether those of lines that are alike otherwise go with their pages.

use std::collections::{BTreeMap, HashMap};

/// Places of a number counted from either end of a line at which a page number is looked for.
const PLACES: usize = 3;

/// A page number has at most so many digits.
const MOST_DIGITS: usize = 6;

/// The numbers in a line from left to right: in digits, or Roman in a word of its own.
pub(super) fn numbers(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        match roman(word) {
            Some(number) => found.push(number),
            None => {
                let digits = word.split(|c: char| !c.is_ascii_digit());
                let digits = digits.filter(|it| !it.is_empty() && it.len() <= MOST_DIGITS);
                found.extend(digits.filter_map(|it| it.parse::<u32>().ok()));
            }
        }
    }
    found
}

/// Whether lines with these numbers, each with the index of its page, can be one running line: they have no
/// numbers, mostly the same ones as others, as chapters have, or one that grows with the pages.
pub(super) fn are_running(lines: &[(usize, &[u32])]) -> bool {
    let n_bare = lines.iter().filter(|(_, numbers)| numbers.is_empty()).count();
    if n_bare * 2 >= lines.len() {
        return true;
    }
    let mut counts: HashMap<&[u32], usize> = HashMap::new();
    for (_, numbers) in lines {
        *counts.entry(numbers).or_insert(0) += 1;
    }
    let n_alone = lines.iter().filter(|(_, numbers)| counts[numbers] == 1).count();
    n_alone * 2 <= lines.len() || grow_with_pages(lines)
}

/// Says whether numbers grow from one line to the next by so many pages.
type Grows<'a> = dyn Fn(&[u32], &[u32], u32) -> bool + 'a;

/// Whether one number of the lines grows by the number of pages from most of them to the next.
pub(super) fn grow_with_pages(lines: &[(usize, &[u32])]) -> bool {
    // One line a page, the first.
    let mut by_page: BTreeMap<usize, &[u32]> = BTreeMap::new();
    for &(page, numbers) in lines {
        by_page.entry(page).or_insert(numbers);
    }
    // One pair is a coincidence, but for single numbers, of which a short file may have no more.
    let fewest_pairs = if lines.iter().all(|(_, numbers)| numbers.len() == 1) { 1 } else { 2 };
    let pairs: Vec<_> = by_page.iter().zip(by_page.iter().skip(1)).collect();
    let do_most = |grows: &Grows<'_>| {
        let n_growing = pairs.iter().filter(|((page, numbers), (next_page, next))| {
            let n_pages = u32::try_from(*next_page - *page).unwrap_or(u32::MAX);
            grows(numbers, next, n_pages)
        });
        pairs.len() >= fewest_pairs && n_growing.count() * 2 > pairs.len()
    };
    let is_next = |a: Option<&u32>, b: Option<&u32>, n_pages| {
        a.zip(b).is_some_and(|(a, b)| a.checked_add(n_pages) == Some(*b))
    };
    // At the same place of each line, or on the outside, which is left on one page and right on the next.
    let at_place = |at: usize| {
        do_most(&|a, b, n_pages| is_next(a.get(at), b.get(at), n_pages))
            || do_most(&|a, b, n_pages| is_next(a.iter().nth_back(at), b.iter().nth_back(at), n_pages))
    };
    let outside = |a: &[u32], b: &[u32], n_pages: u32| {
        is_next(a.first(), b.last(), n_pages) || is_next(a.last(), b.first(), n_pages)
    };
    (0..PLACES).any(at_place) || do_most(&outside)
}

/// The value of a Roman number up to the hundreds.
fn roman(word: &str) -> Option<u32> {
    if word.is_empty() || word.len() > 7 {
        return None;
    }
    let value = |c: char| match c.to_ascii_lowercase() {
        'i' => Some(1),
        'v' => Some(5),
        'x' => Some(10),
        'l' => Some(50),
        'c' => Some(100),
        _ => None,
    };
    let values: Vec<u32> = word.chars().map(value).collect::<Option<_>>()?;
    let mut sum = 0;
    for (at, &value) in values.iter().enumerate() {
        match values.get(at + 1).is_some_and(|next| *next > value) {
            true => sum -= i64::from(value),
            false => sum += i64::from(value),
        }
    }
    u32::try_from(sum).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_digits_and_roman() {
        let check = |text: &str, expected: &[u32]| assert_eq!(numbers(text), expected, "{text}");
        check("- 42 -", &[42]);
        check("xiv", &[14]);
        check("Page 3 of 17", &[3, 17]);
        check("12  4.5  B-7 (iii)", &[12, 4, 5, 7, 3]);
        check("Tonic 1234567890123", &[]);
    }

    #[test]
    fn running_lines_have_numbers_that_go_with_their_pages() {
        let check = |lines: &[(usize, &str)], expected: bool| {
            let numbers: Vec<(usize, Vec<u32>)> = lines.iter().map(|it| (it.0, numbers(it.1))).collect();
            let numbers: Vec<(usize, &[u32])> = numbers.iter().map(|it| (it.0, it.1.as_slice())).collect();
            assert_eq!(are_running(&numbers), expected, "{lines:?}");
        };
        check(&[(0, "The Manual"), (1, "The Manual"), (2, "The Manual")], true);
        check(&[(0, "Part 1"), (1, "Part 1"), (2, "Part 2"), (3, "Part 2")], true);
        check(&[(0, "3.1 System"), (0, "3 System"), (1, "3.1 System")], true);
        check(&[(0, "Manual 3"), (2, "Manual 5"), (3, "Manual 6")], true);
        check(&[(0, "Part 2 17"), (1, "18 Part 3"), (2, "Part 3 19"), (3, "20 Part 4")], true);
        check(&[(4, "v1.2 page 12 rev 3"), (5, "v1.2 page 13 rev 3"), (6, "v1.2 page 14 rev 3")], true);
        check(&[(0, "1-1"), (1, "1-2"), (2, "1-3"), (3, "2-1"), (4, "2-2")], true);
        check(&[(0, "Total 120"), (1, "Total 95"), (2, "Total 300")], false);
        check(&[(0, "1. Bolt 4.5"), (1, "38. Bolt 7.1"), (2, "75. Bolt 0.2")], false);
        check(&[(0, "Table 1.1"), (1, "Table 2.2")], false);
        check(&[(0, "1"), (2, "3")], true);
        check(&[(0, "1"), (2, "7")], false);
    }
}
