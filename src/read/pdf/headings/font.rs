//! Headings by the type: larger or bolder than the text, and short.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::super::blocks::{Measures, half_points, has_marker, paragraphs};
use super::super::body_type::BodyType;
use super::super::lines::Line;
use super::{Mark, alone, byline, numbered, without_number};
use crate::content::SectionKind;

/// Lines that a heading may take.
const MOST_LINES: usize = 3;

/// A heading is so many times as large as the body, or bold. Chosen: the least step of sizes is 11 to 12 points.
const LARGER: f32 = 1.09;

/// How a line is set: size in half points and weight, which make the level, and the font.
pub(super) type Style = (i32, bool, u64);

/// Lines that may be a heading, by their style.
pub(super) type Candidate = (Style, Range<usize>);

/// Finds headings by type size and weight.
///
/// A style is one of headings when it is larger than the body's (or as large and bold), short lines stand in it, and
/// long text does not. Levels follow the rank of the styles.
pub(super) fn marks(lines: &[Line], n_pages: usize) -> Vec<Mark> {
    /// Deepest level told apart. Covers take two or three that no section has.
    const MOST_STYLES: usize = 9;
    let Some(body) = BodyType::of(lines.iter()) else { return Vec::new() };
    let measures = Measures::of(lines);
    let paragraphs = paragraphs(lines, &[], &measures);
    let mut candidates = candidates(lines, &paragraphs, body, &measures);
    let numbered = numbered::headings(lines, body, &measures);
    let is_numbered = |range: &Range<usize>| {
        numbered.iter().any(|it| it.lines.start < range.end && range.start < it.lines.end)
    };
    let styles_of_numbered: HashSet<Style> =
        candidates.iter().filter(|(_, range)| is_numbered(range)).map(|(style, _)| *style).collect();
    candidates.retain(|(_, range)| !is_numbered(range));
    byline::drop_bylines(&mut candidates, lines, !numbered.is_empty());
    let capitals = styles_with_capitals(lines, &candidates, body);
    let level = |(style, range): &Candidate| {
        (style.0, style.1, capitals.contains(style) && is_in_capitals(&lines[range.start].text))
    };
    let mut styles: Vec<(i32, bool, bool)> = candidates.iter().map(level).collect();
    styles.sort_unstable_by(|a, b| b.cmp(a));
    styles.dedup();
    styles.truncate(MOST_STYLES);
    // Too many headings are none: drop the least style until they are at most half of the paragraphs, and at
    // most twenty a page (a dense reference card has as many).
    let most = paragraphs.len().div_ceil(2).min(20 * n_pages).max(3);
    while candidates.iter().filter(|it| styles.contains(&level(it))).count() > most {
        styles.pop();
    }
    // Numbered headings of the body's size stand below the larger ones, and above those that are no more than bold.
    let n_larger = styles.iter().filter(|it| body.is_outsized(it.0 as f32 / 2.0, LARGER)).count();
    let mark = |candidate: &Candidate| {
        let (style, range) = candidate;
        let place = styles.iter().position(|it| *it == level(candidate))?;
        let level = match () {
            () if numbered.is_empty() || place < n_larger => place,
            () if styles_of_numbered.contains(style) => n_larger,
            () => place + numbered::LEVELS,
        };
        Some(mark_of(lines, range.clone(), level as u8 + 1))
    };
    let mut marks: Vec<Mark> = candidates.iter().filter_map(mark).collect();
    let numbered = numbered.into_iter().map(|it| (it.lines, n_larger as u8 + 1 + it.depth));
    marks.extend(numbered.map(|(range, level)| mark_of(lines, range, level)));
    marks.sort_by_key(|it| it.line);
    marks
}

fn mark_of(lines: &[Line], range: Range<usize>, level: u8) -> Mark {
    let title: Vec<&str> = lines[range.clone()].iter().map(|line| line.text.as_str()).collect();
    let (title, kind) = (title.join(" "), SectionKind::Font);
    Mark { line: range.start, n_lines: range.len(), level, title, kind, n_before: 0 }
}

/// The lines that may be headings by their type and shape, of the styles in which little else is set.
fn candidates(
    lines: &[Line],
    paragraphs: &[Range<usize>],
    body: BodyType,
    measures: &Measures,
) -> Vec<Candidate> {
    let style = |range: &Range<usize>| {
        let line = &lines[range.start];
        (half_points(line.size), line.is_bold, line.font)
    };
    let alone = alone::lines(lines, paragraphs, body);
    let mut candidates: Vec<Candidate> = Vec::new();
    // Characters in candidates and in other paragraphs, by style.
    let mut n_chars: HashMap<Style, (usize, usize)> = HashMap::new();
    let is_larger = |line: &Line| body.is_outsized(line.size, LARGER);
    let stands_out = |at: usize| {
        let line = &lines[at];
        is_larger(line) || body.is_outweighed(line.size, line.is_bold) || alone.contains(&at)
    };
    let pieces = |range: &Range<usize>| match is_larger(&lines[range.start]) {
        true => pieces(lines, range.clone(), measures),
        false => vec![range.clone()],
    };
    let pieces: Vec<Range<usize>> = paragraphs.iter().flat_map(pieces).collect();
    for (at, range) in pieces.iter().enumerate() {
        let (style, line) = (style(range), &lines[range.start]);
        // The title of the chapter whose number is here.
        let has_title = || pieces.get(at + 1).is_some_and(|next| stands_out(next.start));
        let length: usize = lines[range.clone()].iter().map(|line| line.text.len()).sum();
        let counts = n_chars.entry(style).or_insert((0, 0));
        let is_label = is_number_only(&lines[range.clone()]) && has_title();
        if stands_out(range.start) && !is_label && is_heading_like(&lines[range.clone()], is_larger(line)) {
            counts.0 += length;
            match candidates.last_mut() {
                Some((last, open)) if *last == style && goes_on(lines, open, range, measures) => {
                    open.end = range.end;
                }
                _ => candidates.push((style, range.clone())),
            }
        } else {
            counts.1 += length;
        }
    }
    candidates.retain(|(style, _)| n_chars.get(style).is_some_and(|&(own, other)| other <= 2 * own));
    candidates
}

/// The headings that one paragraph of large print may be.
fn pieces(lines: &[Line], range: Range<usize>, measures: &Measures) -> Vec<Range<usize>> {
    // One line more than a heading has; what is longer is no row of headings but text.
    if range.len() > MOST_LINES + 1 {
        return vec![range];
    }
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for at in range {
        let starts = pieces.last().is_none_or(|open| {
            let (first, last, line) = (&lines[open.start], &lines[at - 1], &lines[at]);
            is_other_heading(first, last, line, measures) || is_apart(last, line, measures)
        });
        match pieces.last_mut() {
            Some(open) if !starts => open.end = at + 1,
            _ => pieces.push(at..at + 1),
        }
    }
    pieces
}

/// Whether `line` below `last` has a number of its own, or is aligned in another way than the heading that starts with `first`.
fn is_other_heading(first: &Line, last: &Line, line: &Line, measures: &Measures) -> bool {
    if measures.is_full(last, line) || line.text.starts_with(char::is_lowercase) {
        return false;
    }
    let em = line.size;
    let is_left = (line.x0 - last.x0).abs() <= 0.8 * em;
    let is_right = (line.x1 - last.x1).abs() <= 0.8 * em;
    let is_hanging = line.x0 > first.x0 && has_number(&first.text);
    let is_aligned = is_left || is_right || is_hanging || byline::is_centred(last, line);
    has_number(&line.text) || !is_aligned
}

/// Whether the gap above `line` is one between paragraphs.
fn is_apart(last: &Line, line: &Line, measures: &Measures) -> bool {
    // Chosen: headings of several lines are set closer; those of theses are double-spaced as their text, and full.
    let step = (last.y - line.y) / line.size;
    let most = if measures.is_full(last, line) { 2.6 } else { 1.6 };
    step > most && !line.text.starts_with(char::is_lowercase)
}

/// Whether a heading starts with a number of its own: `1`, `2.3`, `A.1`.
pub(super) fn has_number(text: &str) -> bool {
    let Some((first, rest)) = text.split_once(' ') else { return false };
    let first = first.trim_end_matches('.');
    let mut levels = first.split('.');
    let is_number = |it: &str| (1..=2).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_digit());
    let is_letter = |it: &str| it.len() == 1 && it.bytes().all(|it| it.is_ascii_uppercase());
    let is_first = |it: &str| is_number(it) || (is_letter(it) && first.contains('.'));
    levels.next().is_some_and(is_first)
        && levels.all(is_number)
        && rest.starts_with(|c: char| !c.is_lowercase())
}

/// Whether all letters are capitals, and as many as a word has that is no abbreviation.
fn is_in_capitals(text: &str) -> bool {
    let n_letters = text.chars().filter(|c| c.is_alphabetic()).count();
    n_letters >= 5 && !text.contains(char::is_lowercase)
}

/// The styles no larger than the body whose headings in capitals stand above their others: the first is one, and not the only.
fn styles_with_capitals(lines: &[Line], candidates: &[Candidate], body: BodyType) -> HashSet<Style> {
    let mut of_style: HashMap<Style, Vec<bool>> = HashMap::new();
    for (style, range) in
        candidates.iter().filter(|(style, _)| !body.is_outsized(style.0 as f32 / 2.0, LARGER))
    {
        of_style.entry(*style).or_default().push(is_in_capitals(&lines[range.start].text));
    }
    let is_meant =
        |are_capitals: &[bool]| are_capitals[0] && are_capitals.iter().filter(|it| **it).count() > 1;
    of_style.into_iter().filter(|(_, it)| is_meant(it)).map(|(style, _)| style).collect()
}

/// Whether the paragraph `next` is the rest of the heading `open`, whose last line was full.
fn goes_on(lines: &[Line], open: &Range<usize>, next: &Range<usize>, measures: &Measures) -> bool {
    let (last, line) = (&lines[open.end - 1], &lines[next.start]);
    open.end == next.start
        && open.len() + next.len() <= MOST_LINES
        && (last.page, last.column) == (line.page, line.column)
        && (0.0..1.6 * line.size).contains(&(last.y - line.y))
        && measures.is_full(last, line)
        && without_number(&line.text) == line.text
}

/// The largest print on the first page with text, if it stands out: the title on a cover.
pub(in crate::read::pdf) fn cover_title(lines: &[Line]) -> Option<String> {
    let page = lines.first()?.page;
    let cover: Vec<&Line> =
        lines.iter().take_while(|line| line.page == page).filter(|line| line.is_upright).collect();
    let n_chars = |is_of: &dyn Fn(&Line) -> bool| {
        lines.iter().filter(|it| is_of(it)).map(|it| it.text.len()).sum::<usize>()
    };
    let largest = cover.iter().map(|line| half_points(line.size)).max()?;
    let is_largest = |line: &Line| half_points(line.size) == largest;
    // Chosen: a fifth of the text at that size is no title, and neither is a line of body size.
    let n_as_large = n_chars(&|line| line.size * 1.3 > largest as f32 / 2.0);
    if n_as_large * 5 > n_chars(&|_| true) {
        return None;
    }
    let first = cover.iter().position(|it| is_largest(it))?;
    let measures = Measures::of(lines);
    let is_more = |at: &usize| {
        is_largest(cover[*at]) && !is_other_heading(cover[first], cover[at - 1], cover[*at], &measures)
    };
    let rest = (first + 1..cover.len()).take_while(is_more);
    let title: Vec<&str> = std::iter::once(first).chain(rest).map(|at| cover[at].text.as_str()).collect();
    let title = title.join(" ");
    let n_letters = title.chars().filter(|c| c.is_alphabetic()).count();
    let is_list = ["contents", "table of contents", "abstract", "inhalt", "inhaltsverzeichnis", "sommaire"]
        .contains(&title.to_lowercase().as_str());
    (!is_list && title.chars().count() <= 200 && n_letters >= 3).then_some(title)
}

/// Whether lines say no more than the number of a chapter, as LaTeX classes set it above the title: "CHAPTER", "ONE".
fn is_number_only(lines: &[Line]) -> bool {
    const WORDS: &str = "chapter part appendix one two three four five six seven eight nine ten eleven twelve thirteen \
                         fourteen fifteen sixteen seventeen eighteen nineteen twenty kapitel chapitre capítulo teil";
    let is_number = |word: &str| {
        let word = word.to_lowercase();
        WORDS.split(' ').any(|it| it == word) || word.parse::<u32>().is_ok()
    };
    lines.iter().flat_map(|line| line.text.split_whitespace()).all(is_number)
}

/// Whether a line is the label of a box beside the text.
fn is_admonition(lower: &str) -> bool {
    let word = lower.trim_end_matches([':', '!', '.', ' ']);
    [
        "note",
        "notes",
        "tip",
        "warning",
        "caution",
        "important",
        "hint",
        "danger",
        "attention",
        "notice",
        "remark",
        "example",
        "hinweis",
        "achtung",
        "warnung",
        "beispiel",
        "remarque",
        "attention",
        "avertissement",
        "nota",
        "advertencia",
        "ejemplo",
        "todo",
        "see also",
    ]
    .contains(&word)
}

/// Whether a paragraph has the shape of a heading, whatever its type.
fn is_heading_like(lines: &[Line], is_larger: bool) -> bool {
    let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let text = text.join(" ");
    let lower = text.to_lowercase();
    let n_letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_caption = ["figure ", "fig. ", "table ", "listing ", "abbildung ", "tabelle "]
        .iter()
        .any(|it| lower.starts_with(it));
    let ends_as_text = text.ends_with([',', ';']) || (text.ends_with(['.', ':']) && !is_larger);
    let is_bullet = has_marker(&text) && !text.starts_with(|c: char| c.is_ascii_digit());
    lines.len() <= MOST_LINES
        && !is_admonition(&lower)
        && lines.iter().all(|line| line.is_upright && !line.is_mono)
        && text.chars().count() <= 160
        && n_letters >= 2
        && n_letters * 2 >= text.chars().filter(|c| !c.is_whitespace()).count()
        && !text.contains("  ")
        && !text.contains("....")
        && !text.contains(". . .")
        && !is_caption
        && !ends_as_text
        && !is_bullet
}
