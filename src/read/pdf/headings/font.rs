//! Headings by the type: larger or bolder than the text, and short.

use std::collections::HashMap;
use std::ops::Range;

use super::super::blocks::{Measures, half_points, has_marker, paragraphs};
use super::super::body_type::BodyType;
use super::super::lines::Line;
use super::{Mark, without_number};
use crate::content::SectionKind;

/// Lines that a heading may take.
const MOST_LINES: usize = 3;

/// A heading is so many times as large as the body, or bold. Chosen: the least step of sizes is 10 to 11 points.
const LARGER: f32 = 1.1;

/// How a line is set: size in half points and weight, which make the level, and the font.
type Style = (i32, bool, u64);

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
    let style = |range: &Range<usize>| {
        let line = &lines[range.start];
        (half_points(line.size), line.is_bold, line.font)
    };
    let mut candidates: Vec<(Style, Range<usize>)> = Vec::new();
    // Characters in candidates and in other paragraphs, by style.
    let mut n_chars: HashMap<Style, (usize, usize)> = HashMap::new();
    let is_larger = |line: &Line| body.is_outsized(line.size, LARGER);
    let stands_out = |line: &Line| is_larger(line) || body.is_outweighed(line.size, line.is_bold);
    for (at, range) in paragraphs.iter().enumerate() {
        let (style, line) = (style(range), &lines[range.start]);
        // The title of the chapter whose number is here.
        let has_title = || paragraphs.get(at + 1).is_some_and(|next| stands_out(&lines[next.start]));
        let length: usize = lines[range.clone()].iter().map(|line| line.text.len()).sum();
        let counts = n_chars.entry(style).or_insert((0, 0));
        let is_label = is_number_only(&lines[range.clone()]) && has_title();
        if stands_out(line) && !is_label && is_heading_like(&lines[range.clone()], is_larger(line)) {
            counts.0 += length;
            match candidates.last_mut() {
                Some((last, open)) if *last == style && goes_on(lines, open, range, &measures) => {
                    open.end = range.end;
                }
                _ => candidates.push((style, range.clone())),
            }
        } else {
            counts.1 += length;
        }
    }
    candidates.retain(|(style, _)| n_chars.get(style).is_some_and(|&(own, other)| other <= 2 * own));
    let level = |&(size, is_bold, _): &Style| (size, is_bold);
    let mut styles: Vec<(i32, bool)> = candidates.iter().map(|(style, _)| level(style)).collect();
    styles.sort_unstable_by(|a, b| b.cmp(a));
    styles.dedup();
    styles.truncate(MOST_STYLES);
    // Too many headings are none: drop the least style until they are at most half of the paragraphs, and at
    // most twenty a page (a dense reference card has as many).
    let most = paragraphs.len().div_ceil(2).min(20 * n_pages).max(3);
    while candidates.iter().filter(|(style, _)| styles.contains(&level(style))).count() > most {
        styles.pop();
    }
    let mark = |(style, range): &(Style, Range<usize>)| {
        let level = styles.iter().position(|it| *it == level(style))? as u8 + 1;
        let title: Vec<&str> = lines[range.clone()].iter().map(|line| line.text.as_str()).collect();
        Some(Mark {
            line: range.start,
            n_lines: range.len(),
            level,
            title: title.join(" "),
            kind: SectionKind::Font,
            n_before: 0,
        })
    };
    candidates.iter().filter_map(mark).collect()
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
    let title: Vec<&str> = cover
        .iter()
        .skip_while(|it| !is_largest(it))
        .take_while(|it| is_largest(it))
        .map(|it| it.text.as_str())
        .collect();
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
