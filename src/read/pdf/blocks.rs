//! From lines to paragraphs, and from paragraphs to the document's text.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::headings::Mark;
use super::lines::Line;
use super::runs::{is_ideographic, is_right_to_left};
use crate::content::{Block, BlockKind, Span};

/// The text with everything that points into it.
pub(super) struct LaidOut {
    /// Blocks, a blank line apart.
    pub(super) text: String,
    /// Its blocks.
    pub(super) blocks: Vec<Block>,
    /// Where each page starts.
    pub(super) pages: Vec<(usize, u32)>,
    /// The bytes of each line.
    pub(super) lines: Vec<Span>,
}

/// Typical measures of the document's lines.
pub(super) struct Measures {
    /// From baseline to baseline within paragraphs, by type size in half points.
    pitches: HashMap<i32, f32>,
    /// Right margins by page and column.
    rights: HashMap<(u32, u32), f32>,
}

impl Measures {
    /// Takes the measures of `lines`.
    pub(super) fn of(lines: &[Line]) -> Self {
        let mut steps: HashMap<i32, Vec<f32>> = HashMap::new();
        let mut ends: HashMap<(u32, u32), Vec<f32>> = HashMap::new();
        for pair in lines.windows(2) {
            let step = pair[0].y - pair[1].y;
            let is_inside = is_same_column(&pair[0], &pair[1]) && is_same_size(&pair[0], &pair[1]);
            if is_inside && step > 0.7 * pair[1].size && step < 3.0 * pair[1].size {
                steps.entry(half_points(pair[1].size)).or_default().push(step);
            }
        }
        for line in lines {
            ends.entry((line.page, line.column)).or_default().push(line.x1);
        }
        // The lower quartile: in a list with air between its items, the median would be the air.
        let at = |mut values: Vec<f32>, share: f32| {
            values.sort_by(f32::total_cmp);
            values[((values.len() - 1) as f32 * share) as usize]
        };
        Self {
            pitches: steps.into_iter().map(|(size, steps)| (size, at(steps, 0.25))).collect(),
            // Not the very largest, which may be a line that runs into the margin.
            rights: ends.into_iter().map(|(column, ends)| (column, at(ends, 0.95))).collect(),
        }
    }

    fn pitch(&self, line: &Line) -> f32 {
        self.pitches.get(&half_points(line.size)).copied().unwrap_or(1.3 * line.size)
    }

    /// Whether the first word of `next` had no room left on `line`.
    pub(super) fn is_full(&self, line: &Line, next: &Line) -> bool {
        let Some(right) = self.rights.get(&(line.page, line.column)) else { return false };
        let n_chars = next.text.chars().count().max(1) as f32;
        let first_word = next.text.split(' ').next().unwrap_or("").chars().count() as f32;
        let word = (next.x1 - next.x0) / n_chars * first_word;
        line.x1 + word + 0.8 * line.size > *right
    }
}

/// Type size in half points, the grain at which sizes are compared.
pub(super) fn half_points(size: f32) -> i32 {
    (size * 2.0).round() as i32
}

fn is_same_column(a: &Line, b: &Line) -> bool {
    (a.page, a.column) == (b.page, b.column)
}

fn is_same_size(a: &Line, b: &Line) -> bool {
    (a.size - b.size).abs() <= 0.08 * a.size.max(b.size)
}

/// Groups lines into paragraphs; every mark starts one, and ends one after its own lines.
pub(super) fn paragraphs(lines: &[Line], marks: &[Mark], measures: &Measures) -> Vec<Range<usize>> {
    let mut forced: HashSet<usize> = HashSet::new();
    let mut inside: HashSet<usize> = HashSet::new();
    for mark in marks {
        forced.extend([mark.line, mark.line + mark.n_lines]);
        inside.extend(mark.line + 1..mark.line + mark.n_lines);
    }
    let mut paragraphs: Vec<Range<usize>> = Vec::new();
    for at in 0..lines.len() {
        let joins = match paragraphs.last() {
            Some(_) if inside.contains(&at) => true,
            Some(open) if !forced.contains(&at) => !starts_paragraph(lines, open.clone(), measures),
            _ => false,
        };
        match paragraphs.last_mut() {
            Some(open) if joins => open.end = at + 1,
            _ => paragraphs.push(at..at + 1),
        }
    }
    paragraphs
}

/// Whether the line after the paragraph `open` starts another one.
fn starts_paragraph(lines: &[Line], open: Range<usize>, measures: &Measures) -> bool {
    let (first, last, line) = (&lines[open.start], &lines[open.end - 1], &lines[open.end]);
    if !is_same_size(last, line) || last.is_mono != line.is_mono || last.is_bold != line.is_bold {
        return true;
    }
    if !is_same_column(last, line) {
        return !continues(last, line, measures);
    }
    let step = last.y - line.y;
    if step < 0.0 || step > 1.25 * measures.pitch(line) + 0.5 {
        return true;
    }
    if line.is_mono {
        return false;
    }
    if has_marker(&line.text) {
        return true;
    }
    // Two headings in a row; in running text a line can start with a number by chance.
    if line.is_bold && starts_with_section_number(&line.text) {
        return true;
    }
    let em = line.size;
    let indent = line.x0 - last.x0;
    let is_centred = ((line.x0 + line.x1) - (last.x0 + last.x1)).abs() < em;
    if indent.abs() <= 0.8 * em || is_centred || line.text.starts_with(is_right_to_left) {
        return false;
    }
    let is_single = open.len() == 1;
    if indent > 0.0 {
        let is_hanging = is_single
            && (has_marker(&first.text)
                || (measures.is_full(last, line)
                    && lines.get(open.end + 1).is_some_and(|next| (next.x0 - line.x0).abs() < 0.3 * em)));
        return !is_hanging;
    }
    // An outdent ends a paragraph, unless only its first line was indented.
    !is_single || has_marker(&first.text)
}

/// Whether a sentence runs on from the foot of one column to the head of the next.
pub(super) fn continues(last: &Line, line: &Line, measures: &Measures) -> bool {
    let starts_low = line.text.starts_with(char::is_lowercase);
    let is_open = !last.text.ends_with(['.', '!', '?', ':', ';', '"', '”', ')']);
    !line.is_mono
        && starts_low
        && is_open
        && measures.is_full(last, line)
        && last.is_upright
        && line.is_upright
}

/// Whether the text starts with a bullet or a number of a list.
pub(super) fn has_marker(text: &str) -> bool {
    let Some((first, _)) = text.split_once(' ') else { return false };
    let is_bullet = matches!(
        first,
        "•" | "◦" | "▪" | "●" | "○" | "■" | "‣" | "·" | "*" | "-" | "–" | "—" | "➢" | "✓" | "∙"
    );
    let inner = first.trim_start_matches('(').trim_end_matches([')', '.']);
    let is_number = first.ends_with([')', '.'])
        && ((1..=3).contains(&inner.len()) && inner.bytes().all(|it| it.is_ascii_digit())
            || inner.len() == 1 && inner.bytes().all(|it| it.is_ascii_lowercase()));
    is_bullet || is_number
}

/// Whether the text starts with a number of two or more levels: `7.8 X server`, `A.1 Sources`.
fn starts_with_section_number(text: &str) -> bool {
    let Some((first, _)) = text.split_once(' ') else { return false };
    let levels: Vec<&str> = first.trim_end_matches('.').split('.').collect();
    let is_number = |it: &&str| (1..=3).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_digit());
    let is_letter = levels[0].len() == 1 && levels[0].bytes().all(|it| it.is_ascii_uppercase());
    levels.len() > 1 && levels[1..].iter().all(is_number) && (is_letter || is_number(&levels[0]))
}

/// Writes the text.
pub(super) fn lay_out(lines: &[Line], marks: &[Mark]) -> LaidOut {
    let measures = Measures::of(lines);
    let hyphenated = hyphenated_words(lines);
    let headings: HashSet<usize> = marks.iter().filter(|it| it.n_lines > 0).map(|it| it.line).collect();
    let mut out = LaidOut { text: String::new(), blocks: Vec::new(), pages: Vec::new(), lines: Vec::new() };
    for paragraph in paragraphs(lines, marks, &measures) {
        if !out.text.is_empty() {
            out.text.push_str("\n\n");
        }
        let is_heading = headings.contains(&paragraph.start);
        let start = out.text.len();
        let left = lines[paragraph.clone()].iter().map(|it| it.x0).min_by(f32::total_cmp).unwrap_or(0.0);
        for at in paragraph.clone() {
            let line = &lines[at];
            if at > paragraph.start {
                match joint(&lines[at - 1], line, &measures, &hyphenated) {
                    Joint::Dehyphenated => {
                        out.text.pop();
                        // The line before ends before its hyphen.
                        if let Some(before) = out.lines.last_mut() {
                            before.end = out.text.len();
                        }
                    }
                    Joint::Nothing => {}
                    Joint::Break if is_heading => out.text.push(' '),
                    Joint::Blank => out.text.push(' '),
                    Joint::Break => out.text.push('\n'),
                }
            }
            let line_start = out.text.len();
            if out.pages.last().is_none_or(|&(_, page)| page != line.page + 1) {
                out.pages.push((line_start, line.page + 1));
            }
            if line.is_mono && !is_heading {
                out.text.push_str(&indentation(line, left));
            }
            out.text.push_str(&line.text);
            out.lines.push(Span::new(line_start, out.text.len()));
        }
        let first = &lines[paragraph.start];
        let kind = match () {
            () if is_heading => BlockKind::Heading,
            () if first.is_mono => BlockKind::Code { fence: None },
            () if has_marker(&first.text) => BlockKind::ListItem,
            () => BlockKind::Paragraph,
        };
        out.blocks.push(Block { span: Span::new(start, out.text.len()), kind });
    }
    out
}

/// What stands between two lines of a paragraph.
enum Joint {
    /// The hyphen before goes, nothing comes.
    Dehyphenated,
    Nothing,
    Blank,
    /// A line break, where the line was not broken for lack of room: verse, addresses, rows of tables, code.
    Break,
}

fn joint(last: &Line, line: &Line, measures: &Measures, hyphenated: &HashSet<String>) -> Joint {
    if last.is_mono || last.text.contains("  ") || line.text.contains("  ") || ends_in_page_number(&last.text)
    {
        return Joint::Break;
    }
    let mut ending = last.text.chars().rev();
    let ends_in_hyphen = matches!(ending.next(), Some('-' | '\u{2010}'));
    if ends_in_hyphen && ending.next().is_some_and(char::is_alphanumeric) {
        if !line.text.starts_with(char::is_lowercase) || hyphenated.contains(&hyphenated_at(last, line)) {
            return Joint::Nothing;
        }
        return Joint::Dehyphenated;
    }
    if last.text.ends_with(is_ideographic) && line.text.starts_with(is_ideographic) {
        return Joint::Nothing;
    }
    match measures.is_full(last, line) || line.text.contains(is_right_to_left) {
        true => Joint::Blank,
        false => Joint::Break,
    }
}

/// Whether a line is an entry of a list of contents: dots that lead to a page number.
fn ends_in_page_number(text: &str) -> bool {
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit() || "ivxlc".contains(c));
    let dots: String = before.chars().rev().filter(|c| !c.is_whitespace()).take(4).collect();
    before.len() < text.len() && dots.len() == 4 && dots.chars().all(|c| c == '.')
}

/// The word that a line break at a hyphen cuts, in lower case with its hyphen.
fn hyphenated_at(last: &Line, line: &Line) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\u{2010}');
    let before = last.text.rsplit(|c| !is_part(c)).next().unwrap_or("");
    let after = line.text.split(|c| !is_part(c)).next().unwrap_or("");
    format!("{before}{after}").replace('\u{2010}', "-").to_lowercase()
}

/// The words that the document writes with a hyphen in mid-line, and so means to have one.
fn hyphenated_words(lines: &[Line]) -> HashSet<String> {
    let inner = lines.iter().flat_map(|line| {
        let text = line.text.trim_end_matches(['-', '\u{2010}']);
        let cut = text.len() < line.text.len();
        let n_words = text.split(' ').count();
        // The last word of a line that ends in a hyphen is the cut one.
        text.split(' ').take(if cut { n_words - 1 } else { n_words })
    });
    inner
        .filter(|word| word.contains(['-', '\u{2010}']))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).replace('\u{2010}', "-").to_lowercase())
        .filter(|word| word.contains('-'))
        .collect()
}

/// The blanks that a monospaced line is indented by.
fn indentation(line: &Line, left: f32) -> String {
    let advance = (line.x1 - line.x0) / line.text.chars().count().max(1) as f32;
    if advance <= 0.0 {
        return String::new();
    }
    " ".repeat((((line.x0 - left) / advance).round().max(0.0) as usize).min(80))
}
