//! Which lines are headings: those that the structure tree tags and those that the outline names ([`anchor`]), else by the
//! type ([`font`]) or roman numbers ([`numbered`]), else none but page numbers.

mod alone;
mod anchor;
mod byline;
mod font;
mod numbered;

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

use super::blocks::LaidOut;
use super::lines::Line;
use super::outline::Entry;
use super::tags::Tags;
use crate::content::{Heading, SectionKind};

pub(super) use font::cover_title;

/// A heading at a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mark {
    /// The line where the section starts.
    pub(super) line: usize,
    /// How many lines the heading takes; 0 when its words are not on the page.
    pub(super) n_lines: usize,
    pub(super) level: u8,
    pub(super) title: String,
    pub(super) kind: SectionKind,
    /// Place among the marks without words at one line, counted back from the line: they take the line breaks before it.
    pub(super) n_before: usize,
}

/// Line breaks before a heading's line, and so the most sections without words that can start there.
const LINE_BREAKS: usize = 2;

/// The headings of a document, by line, lines strictly rising.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) marks: Vec<Mark>,
}

/// An outline of so few entries names the document or its parts, not its sections; the type is asked too.
const SPARSE_OUTLINE: usize = 2;

/// So few tagged headings may be most of the text, as on a cover.
const FEW_TAGS: usize = 3;

/// Longest tagged heading; chosen, longer ones are paragraphs with the wrong tag.
const MOST_TAGGED_CHARS: usize = 400;

/// Finds the headings. Tags come first; entries of the outline at other lines are added, since their titles are what
/// readers of the file see beside it.
pub(super) fn find(lines: &[Line], tags: &Tags, outline: &[Entry], n_pages: usize) -> Found {
    let mut marks = by_tags(lines, tags);
    add_free(&mut marks, anchor::marks(lines, outline));
    if marks.len() <= SPARSE_OUTLINE && !marks.iter().any(|it| it.kind == SectionKind::Tag) {
        let below = marks.iter().map(|it| it.level).max().unwrap_or(0);
        let mut more = font::marks(lines, n_pages);
        for mark in &mut more {
            mark.level = mark.level.saturating_add(below);
        }
        add_free(&mut marks, more);
    }
    Found { marks }
}

/// Adds those of `more` whose lines no mark has taken, and those without words of their own that lead to the line of a
/// mark with another title: they start right before it. Both are in order of lines, and so is the result.
fn add_free(marks: &mut Vec<Mark>, more: Vec<Mark>) {
    let lines_of = |it: &Mark| it.line..it.line + it.n_lines.max(1);
    let taken: HashSet<usize> = marks.iter().flat_map(lines_of).collect();
    let titles: HashMap<usize, String> =
        marks.iter().map(|it| (it.line, normal(without_number(&it.title)))).collect();
    let mut n_before: HashMap<usize, usize> = HashMap::new();
    for mut mark in more {
        if !lines_of(&mark).any(|line| taken.contains(&line)) {
            marks.push(mark);
            continue;
        }
        let is_other = titles.get(&mark.line).is_some_and(|it| *it != normal(without_number(&mark.title)));
        let n = n_before.entry(mark.line).or_insert(0);
        if mark.n_lines == 0 && is_other && mark.line > 0 && *n < LINE_BREAKS {
            *n += 1;
            mark.n_before = *n;
            marks.push(mark);
        }
    }
    // Of several before one line the first keeps its place.
    for mark in marks.iter_mut().filter(|it| it.n_before > 0) {
        mark.n_before = n_before.get(&mark.line).map_or(mark.n_before, |n| n + 1 - mark.n_before);
    }
    marks.sort_by_key(|it| (it.line, std::cmp::Reverse(it.n_before)));
}

/// The lines of the headings in the structure tree, each where its first words stand.
fn by_tags(lines: &[Line], tags: &Tags) -> Vec<Mark> {
    let mut seen: HashSet<u32> = HashSet::new();
    let mut marks: Vec<Mark> = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let first = at;
        at += 1;
        let Some(tag) = &line.tag else { continue };
        let is_next =
            |next: &Line| next.tag.as_ref().is_some_and(|it| it.number == tag.number && it.part.is_none());
        if tag.part.is_none() {
            at += lines[at..].iter().take_while(|next| is_next(next)).count();
        }
        let Some(&level) = tags.levels.get(tag.number as usize).filter(|_| seen.insert(tag.number)) else {
            continue;
        };
        let (title, n_lines) = match &tag.part {
            // The rest of the line is text, which must not become the heading.
            Some(part) => (part.clone(), 0),
            None => {
                let words: Vec<&str> = lines[first..at].iter().map(|it| it.text.as_str()).collect();
                (words.join(" "), at - first)
            }
        };
        marks.push(Mark { line: first, n_lines, level, title, kind: SectionKind::Tag, n_before: 0 });
    }
    // Chosen: where most of the text is tagged as headings, the tags mean something else.
    let n_tagged: usize = marks.iter().map(|it| it.title.len()).sum();
    let n_all: usize = lines.iter().map(|it| it.text.len()).sum();
    if n_tagged * 2 > n_all && marks.len() > FEW_TAGS {
        return Vec::new();
    }
    marks.retain(|it| it.title.chars().count() <= MOST_TAGGED_CHARS);
    marks
}

/// Maps marks to the text; without any, pages stand in.
pub(super) fn place(found: &Found, laid_out: &LaidOut, n_pages: usize) -> Vec<Heading> {
    if found.marks.is_empty() {
        return by_pages(laid_out, n_pages);
    }
    let start_of = |line: usize| laid_out.lines.get(line).map_or(laid_out.text.len(), |it| it.start);
    found
        .marks
        .iter()
        .map(|mark| {
            let start = start_of(mark.line).saturating_sub(mark.n_before);
            let end = match mark.n_lines {
                0 => start,
                n => laid_out.lines.get(mark.line + n - 1).map_or(start, |it| it.end),
            };
            // As written, with the words whole that the lines cut.
            let is_written = mark.n_lines > 1 && mark.kind != SectionKind::Outline;
            let title = match laid_out.text.get(start..end).filter(|_| is_written) {
                Some(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
                None => mark.title.clone(),
            };
            Heading { start, end, level: mark.level, title, kind: mark.kind }
        })
        .collect()
}

/// One section a page, or ten pages in long documents; none for a single page.
fn by_pages(laid_out: &LaidOut, n_pages: usize) -> Vec<Heading> {
    /// Chosen: up to here, a section a page is a list that can be read.
    const MOST_SINGLE: usize = 30;
    if n_pages < 2 {
        return Vec::new();
    }
    let step = if n_pages > MOST_SINGLE { 10 } else { 1 };
    let mut headings: Vec<Heading> = Vec::new();
    let mut last_range = None;
    for &(start, page) in &laid_out.pages {
        let range = (page - 1) / step;
        if last_range == Some(range) {
            continue;
        }
        last_range = Some(range);
        let (first, last) = (range * step + 1, ((range + 1) * step).min(n_pages as u32));
        let title = if first == last { format!("Page {first}") } else { format!("Pages {first}-{last}") };
        headings.push(Heading { start, end: start, level: 1, title, kind: SectionKind::Pages });
    }
    headings
}

/// Letters and digits only, compatibility forms resolved, in lower case: how titles are compared.
fn normal(text: &str) -> String {
    text.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The title without "Chapter 3:", "1.2" or "A." in front.
fn without_number(title: &str) -> &str {
    let mut rest = title.trim_start();
    while let Some((word, after)) = rest.split_once(char::is_whitespace) {
        let is_kind = ["chapter", "appendix", "part", "section", "kapitel", "chapitre"]
            .contains(&word.to_lowercase().as_str());
        let inner = word.trim_end_matches(['.', ':', ')']);
        let is_piece = |piece: &str| {
            !piece.is_empty()
                && (piece.bytes().all(|it| it.is_ascii_digit())
                    || piece.len() == 1
                    || piece.bytes().all(|it| b"IVXLC".contains(&it)))
        };
        let is_number = (inner.len() < word.len() || inner.bytes().any(|it| it.is_ascii_digit()))
            && inner.split(['.', '-']).all(is_piece);
        if !is_kind && !is_number || after.trim_start().is_empty() {
            break;
        }
        rest = after.trim_start();
    }
    rest
}
