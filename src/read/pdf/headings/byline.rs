//! What stands under the title of a document and is no heading, for all its size: names of authors, dates, versions.

use std::collections::HashSet;
use std::ops::Range;

use super::super::lines::Line;
use super::font::{Candidate, has_number};
use super::numbered;

/// Most lines of body size under a title: affiliations and addresses of several authors.
const MOST_SMALL: usize = 15;

/// From so many characters on a line is text, not a name with a place.
const LONG: usize = 60;

/// Takes out the candidates that are bylines. `has_more` says that the document has headings of another kind.
///
/// They stand between the title, which is the first and the largest candidate of the first page, and the first text or
/// heading; a heading has its like elsewhere, or a number, or a usual name.
pub(super) fn drop_bylines(candidates: &mut Vec<Candidate>, lines: &[Line], has_more: bool) {
    let block: HashSet<usize> = below_title(candidates, lines).into_iter().collect();
    let others = || (1..candidates.len()).filter(|it| !block.contains(it));
    let has_others = has_more || others().next().is_some();
    let is_byline = |it: usize| {
        let ((style, range), title) = (&candidates[it], &lines[candidates[0].1.start]);
        let (words, line) = (words(lines, range), &lines[range.start]);
        let is_candidate = |at: usize| candidates.iter().any(|(_, it)| it.start == at);
        let opens_text = lines.get(range.end).is_some_and(|next| {
            let is_title_page = next.page == title.page && next.is_upright;
            is_title_page
                && !is_candidate(range.end)
                && !is_small_print(line, next)
                && !is_heading(&next.text)
        });
        let are_bylines = lines[range.clone()].iter().all(|it| is_date(&it.text) || are_names(&it.text));
        let is_name = !style.1 && is_centred(title, line) && are_bylines && has_others;
        let has_like = others().map(|it| &candidates[it]).any(|(other, its)| {
            (other.0, other.1) == (style.0, style.1)
                && has_number(&words) == has_number(&self::words(lines, its))
        });
        is_date(&words) || if opens_text { is_name && !has_like } else { is_name || !has_like }
    };
    let dropped: HashSet<usize> = block.iter().copied().filter(|&it| is_byline(it)).collect();
    let mut at = 0;
    candidates.retain(|_| {
        at += 1;
        !dropped.contains(&(at - 1))
    });
}

/// The numbers of the candidates below the title, up to the first text or heading.
fn below_title(candidates: &[Candidate], lines: &[Line]) -> Vec<usize> {
    let Some((style, title)) = candidates.first() else { return Vec::new() };
    let page = lines.first().map_or(0, |it| it.page);
    let is_here = |it: &Line| it.page == page && it.is_upright;
    let mut of_page = candidates.iter().take_while(|(_, range)| lines[range.start].page == page);
    let is_largest = of_page.all(|(other, _)| other.0 <= style.0);
    if !is_here(&lines[title.start]) || !is_largest || is_heading(&words(lines, title)) {
        return Vec::new();
    }
    let mut block: Vec<usize> = Vec::new();
    let (mut at, mut next, mut n_small) = (title.end, 1, 0);
    while let Some(line) = lines.get(at).filter(|it| is_here(it)) {
        match candidates.get(next).filter(|(_, range)| range.start == at) {
            Some((_, range)) if !is_heading(&words(lines, range)) => {
                block.push(next);
                at = range.end;
                next += 1;
            }
            None if is_small_print(&lines[at - 1], line) && n_small < MOST_SMALL => {
                at += 1;
                n_small += 1;
            }
            _ => break,
        }
    }
    let bottom = lines[title.end - 1..at].iter().map(|it| it.y).min_by(f32::total_cmp).unwrap_or(0.0);
    // Authors side by side may be read as the heads of columns.
    let is_beside = |(_, range): &Candidate| {
        let line = &lines[range.start];
        let is_in_block = line.y < lines[title.start].y && line.y >= bottom;
        is_here(line) && is_in_block && !is_heading(&words(lines, range))
    };
    block.extend((next..candidates.len()).filter(|&it| is_beside(&candidates[it])));
    block
}

/// The words of some lines.
fn words(lines: &[Line], range: &Range<usize>) -> String {
    lines[range.clone()].iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Whether two lines have one middle.
pub(super) fn is_centred(a: &Line, b: &Line) -> bool {
    ((a.x0 + a.x1) - (b.x0 + b.x1)).abs() < a.size.max(b.size)
}

/// Whether `line` is an affiliation or an address centred under `last`.
fn is_small_print(last: &Line, line: &Line) -> bool {
    // Covers have wide gaps.
    let is_close = (0.0..8.0 * last.size.max(line.size)).contains(&(last.y - line.y));
    let is_short = line.text.chars().count() < LONG;
    is_close && is_short && !is_heading(&line.text) && (is_centred(last, line) || line.text.contains('@'))
}

/// Whether the words are those of a heading, whatever they look like.
fn is_heading(text: &str) -> bool {
    const NAMES: [&str; 24] = [
        "abstract",
        "acknowledgements",
        "acknowledgments",
        "background",
        "contents",
        "executive summary",
        "foreword",
        "inhalt",
        "inhaltsverzeichnis",
        "introduction",
        "einleitung",
        "overview",
        "preface",
        "purpose",
        "résumé",
        "scope",
        "sommaire",
        "summary",
        "synopsis",
        "table of contents",
        "table des matières",
        "vorwort",
        "zusammenfassung",
        "índice",
    ];
    let lower = text.to_lowercase();
    let name = lower.trim_end_matches(['.', ':', '—', '-', ' ']);
    (has_number(text) && !is_date(text)) || numbered::roman(text).is_some() || NAMES.contains(&name)
}

/// Whether the words are a date or a version: with a year, or numbers throughout.
fn is_date(text: &str) -> bool {
    let words: Vec<&str> = text.split([' ', ',']).filter(|it| !it.is_empty()).collect();
    let is_year = |it: &str| it.len() == 4 && (it.starts_with("19") || it.starts_with("20")) && is_digits(it);
    let is_numeric = |it: &str| {
        let it = it.trim_start_matches('v');
        it.contains(|c: char| c.is_ascii_digit())
            && it.chars().all(|c| c.is_ascii_digit() || "./-:".contains(c))
    };
    let is_version =
        |it: &str| ["version", "revision", "release", "edition"].contains(&it.to_lowercase().as_str());
    let n_numeric = words.iter().filter(|it| is_numeric(it)).count();
    let has_year = words.iter().any(|it| it.split(['/', '-', '.']).any(is_year));
    let n_other = words.len() - n_numeric;
    n_numeric > 0
        && words.len() <= 5
        && (n_other == 0
            || (has_year && n_other <= 2 && n_numeric >= n_other)
            || words.first().is_some_and(|it| is_version(it)))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_digit())
}

/// Whether all words but the smallest start with capitals, as those of names do.
fn are_names(text: &str) -> bool {
    const SMALL: [&str; 14] =
        ["and", "of", "the", "by", "de", "von", "van", "der", "den", "di", "da", "la", "und", "et"];
    // Marks of footnotes stand behind names.
    let is_mark = |word: &str| word.chars().count() <= 3 && !word.contains(char::is_alphabetic);
    let is_name = |word: &str| word.starts_with(char::is_uppercase) || SMALL.contains(&word) || is_mark(word);
    text.split_whitespace().count() <= 16 && text.split_whitespace().all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_versions_are_told() {
        for text in [
            "November 30, 2026",
            "29 September 2006",
            "2021/12/29 v1.37",
            "Version 1.04",
            "May 2024",
            "1.2.3",
        ] {
            assert!(is_date(text), "{text}");
        }
        for text in ["Ann Lee", "Results of 2024 in the north", "Goals for 2025", "The 1990 census", "Prices"]
        {
            assert!(!is_date(text), "{text}");
        }
    }
}
