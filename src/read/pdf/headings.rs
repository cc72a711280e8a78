//! Which lines are headings: those that the structure tree tags and those that the outline names, else by the type, else
//! none but page numbers.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::blocks::{LaidOut, Measures, half_points, has_marker, paragraphs};
use super::lines::Line;
use super::outline::Entry;
use super::tags::Tags;
use crate::content::{Heading, SectionKind};

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
    add_free(&mut marks, anchor(lines, outline));
    if marks.len() <= SPARSE_OUTLINE && !marks.iter().any(|it| it.kind == SectionKind::Tag) {
        let below = marks.iter().map(|it| it.level).max().unwrap_or(0);
        let mut more = by_font(lines, n_pages);
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

/// Finds the line of each outline entry.
fn anchor(lines: &[Line], outline: &[Entry]) -> Vec<Mark> {
    let normals: Vec<OnceCell<String>> = vec![OnceCell::new(); lines.len()];
    let search = Search { lines, normals };
    let mut marks: Vec<Mark> = Vec::new();
    let mut page = 0;
    for entry in outline {
        page = entry.page.unwrap_or(page);
        // The first line that is free: the marks before take theirs.
        let free = marks.last().map_or(0, |it| it.line + it.n_lines.max(1));
        let mark = |line, n_lines| Mark {
            line,
            n_lines,
            level: entry.level,
            title: entry.title.clone(),
            kind: SectionKind::Outline,
            n_before: 0,
        };
        let on_page = search.page(page);
        // An entry whose words are not on the page may have taken the line of the next one's words.
        let from = match marks.last() {
            Some(last) if last.n_lines == 0 => last.line,
            _ => free,
        };
        let found = search.title(&entry.title, on_page.start.max(from)..on_page.end, entry.y).or_else(|| {
            let next = search.page(page + 1);
            let head = next.start.max(from)..next.end.min(next.start + 10);
            search.title(&entry.title, head, None).filter(|it| it.is_whole)
        });
        match found {
            Some(it) if it.line >= free => marks.push(mark(it.line, it.n_lines)),
            Some(it) => {
                if let Some(last) = marks.last_mut() {
                    last.n_lines = it.n_lines;
                }
                if it.line + it.n_lines < lines.len() {
                    marks.push(mark(it.line + it.n_lines, 0));
                }
            }
            None => {
                let below = |line: &Line| entry.y.is_none_or(|y| !line.is_upright || line.y <= y);
                let at = on_page.clone().find(|&at| below(&lines[at])).unwrap_or(on_page.start);
                if at.max(free) < lines.len() {
                    marks.push(mark(at.max(free), 0));
                }
            }
        }
    }
    marks
}

struct Search<'a> {
    lines: &'a [Line],
    normals: Vec<OnceCell<String>>,
}

/// Where a title was found.
struct Hit {
    line: usize,
    n_lines: usize,
    /// Whether the lines hold the title and nothing else.
    is_whole: bool,
}

impl Search<'_> {
    fn page(&self, page: u32) -> Range<usize> {
        self.lines.partition_point(|it| it.page < page)..self.lines.partition_point(|it| it.page <= page)
    }

    fn normal(&self, line: usize) -> &str {
        self.normals[line].get_or_init(|| normal(&self.lines[line].text))
    }

    /// The lines in `range` that are the title, or start with it; the nearest to height `y` where several are.
    fn title(&self, title: &str, range: Range<usize>, y: Option<f32>) -> Option<Hit> {
        /// Lines that a printed title may take.
        const MOST_LINES: usize = 4;
        let whole = normal(title);
        let bare = normal(without_number(title));
        if bare.is_empty() {
            return None;
        }
        let mut best: Option<((u8, f32), Hit)> = None;
        for line in range.clone() {
            let mut text = String::new();
            for n_lines in 1..=MOST_LINES.min(range.end - line) {
                text.push_str(self.normal(line + n_lines - 1));
                let rank = match () {
                    () if text == whole || text == bare => 0,
                    () if text.strip_suffix(&bare).is_some_and(is_number_like) => 0,
                    () if n_lines == 1 && whole.len() >= 4 && text.starts_with(&whole) => 1,
                    () => 2,
                };
                if rank < 2 {
                    let it = &self.lines[line];
                    let distance = y.map_or(line as f32, |y| (y - (it.y + it.size)).abs());
                    let key = (rank, distance);
                    if best.as_ref().is_none_or(|(least, _)| key < *least) {
                        best = Some((key, Hit { line, n_lines, is_whole: rank == 0 }));
                    }
                }
                if text.len() > whole.len() + 24 {
                    break;
                }
            }
        }
        best.map(|(_, hit)| hit)
    }
}

/// Whether what stands before a title is its number: `12`, `a1`, `chapter3`.
fn is_number_like(text: &str) -> bool {
    let text = ["chapter", "appendix", "section", "part"]
        .iter()
        .find_map(|it| text.strip_prefix(it))
        .unwrap_or(text);
    text.len() <= 8 && text.chars().filter(|c| c.is_alphabetic()).count() <= 1
        || text.chars().all(|c| "ivxlc".contains(c))
}

/// Lines that a heading may take.
const MOST_LINES: usize = 3;

/// How a line is set: size in half points and weight, which make the level, and the font.
type Style = (i32, bool, u64);

/// Finds headings by type size and weight.
///
/// A style is one of headings when it is larger than the body's (or as large and bold), short lines stand in it, and
/// long text does not. Levels follow the rank of the styles.
fn by_font(lines: &[Line], n_pages: usize) -> Vec<Mark> {
    /// Deepest level told apart. Covers take two or three that no section has.
    const MOST_STYLES: usize = 9;
    let mut sizes: HashMap<i32, usize> = HashMap::new();
    let mut n_bold = 0;
    let mut n_all = 0;
    for line in lines.iter().filter(|line| !line.is_mono) {
        *sizes.entry(half_points(line.size)).or_insert(0) += line.text.len();
        n_all += line.text.len();
        n_bold += if line.is_bold { line.text.len() } else { 0 };
    }
    // Ties go to the larger size, so that the answer does not depend on the map's order.
    let Some((&body, _)) = sizes.iter().max_by_key(|&(&size, &n)| (n, size)) else { return Vec::new() };
    let is_bold_body = n_bold * 2 > n_all;
    let measures = Measures::of(lines);
    let paragraphs = paragraphs(lines, &[], &measures);
    let style = |range: &Range<usize>| {
        let line = &lines[range.start];
        (half_points(line.size), line.is_bold, line.font)
    };
    let mut candidates: Vec<(Style, Range<usize>)> = Vec::new();
    // Characters in candidates and in other paragraphs, by style.
    let mut n_chars: HashMap<Style, (usize, usize)> = HashMap::new();
    for range in &paragraphs {
        let style @ (size, is_bold, _) = style(range);
        let is_larger = size as f32 >= 1.1 * body as f32;
        let stands_out = is_larger || (is_bold && !is_bold_body && size as f32 >= 0.95 * body as f32);
        let length: usize = lines[range.clone()].iter().map(|line| line.text.len()).sum();
        let counts = n_chars.entry(style).or_insert((0, 0));
        if stands_out && is_heading_like(&lines[range.clone()], is_larger) {
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
pub(super) fn cover_title(lines: &[Line]) -> Option<String> {
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

/// Whether a line only says the number of the chapter whose title follows, as LaTeX classes set it: "CHAPTER", "ONE".
fn is_number_only(lower: &str) -> bool {
    const WORDS: &str = "chapter part appendix one two three four five six seven eight nine ten eleven twelve thirteen \
                         fourteen fifteen sixteen seventeen eighteen nineteen twenty kapitel chapitre capítulo teil";
    lower.split_whitespace().all(|word| WORDS.split(' ').any(|it| it == word) || word.parse::<u32>().is_ok())
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
        && !is_number_only(&lower)
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
