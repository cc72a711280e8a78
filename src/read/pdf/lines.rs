//! From runs of glyphs to lines in reading order.
//!
//! Runs of one text direction form a layer, which stands upright; a layer is cut into columns where a gutter separates prose
//! from prose, on the whole page or in a few lines (`bands`), and the runs of each column are joined into lines by their
//! baselines. Side-by-side cells of a table are not prose and stay on one line.

use super::accents;
use super::bands::{self, Band, Look, Type};
use super::columns::{gutter, is_prose, rows};
use super::gaps::WORD_GAP;
use super::raised;
use super::runs::{Run, is_ideographic, is_right_to_left};

/// A line of one column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// Text with single blanks between words; two where a cell of a table ends. Never empty or blank at the ends,
    /// but for the indentation of monospaced lines, which is in `x0`.
    pub(super) text: String,
    /// 0-based page.
    pub(super) page: u32,
    /// 0-based column on the page; counts up in reading order whenever the flow starts anew.
    pub(super) column: u32,
    /// Left end.
    pub(super) x0: f32,
    /// Right end.
    pub(super) x1: f32,
    /// Baseline.
    pub(super) y: f32,
    /// Type size of most characters.
    pub(super) size: f32,
    /// Whether most characters are bold.
    pub(super) is_bold: bool,
    /// Whether all characters are monospaced.
    pub(super) is_mono: bool,
    /// Names the font of the longest piece.
    pub(super) font: u64,
    /// Whether the line stands upright on the page.
    pub(super) is_upright: bool,
    /// The tagged heading that it is, or starts with.
    pub(super) tag: Option<Tag>,
}

/// What of a line is a tagged heading.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tag {
    /// Number of the heading in the structure tree.
    pub(super) number: u32,
    /// The heading's words, when the line goes on after them.
    pub(super) part: Option<String>,
}

/// Orders the runs of a page: one direction after the other, the most used first, each in columns and lines.
pub(super) fn in_reading_order(runs: Vec<Run>, page: u32) -> Vec<Line> {
    let mut layers: Vec<(i32, Vec<Run>)> = Vec::new();
    for run in runs {
        match layers.iter_mut().find(|(turn, _)| *turn == run.turn) {
            Some((_, layer)) => layer.push(run),
            None => layers.push((run.turn, vec![run])),
        }
    }
    layers.sort_by_key(|(_, layer)| std::cmp::Reverse(layer.iter().map(Run::n_chars).sum::<usize>()));
    let mut lines = Lines { page, column: 0, lines: Vec::new() };
    for (_, layer) in layers {
        lines.region(layer, 0);
    }
    lines.lines
}

struct Lines {
    page: u32,
    column: u32,
    lines: Vec<Line>,
}

impl Lines {
    /// Adds the runs of one region.
    fn region(&mut self, runs: Vec<Run>, depth: usize) {
        /// Columns within columns; a newspaper has fewer.
        const MOST_DEPTH: usize = 4;
        let rows = rows(runs);
        let gutter = if depth < MOST_DEPTH { gutter(&rows) } else { None };
        let Some(gutter) = gutter else { return self.straight(rows) };
        let body = Type::of(&rows);
        // Rows across the gutter cut the region into bands; each band of prose is read column by column, and what
        // lies between such bands straight through.
        let mut straight: Vec<Vec<Run>> = Vec::new();
        for (is_across, band) in bands::across(rows, gutter) {
            if is_across {
                straight.extend(band);
                continue;
            }
            let pieces = bands::at_headings(band, gutter, body);
            let fewest = bands::fewest(&pieces);
            for piece in pieces {
                let (left, right): (Vec<Run>, Vec<Run>) =
                    piece.iter().flatten().cloned().partition(|run| run.x < gutter);
                let are_columns = match bands::look(&piece, gutter, fewest) {
                    Look::Running => true,
                    Look::Rows => false,
                    Look::Unsure => is_prose(&left) && is_prose(&right),
                };
                if are_columns {
                    self.straight(std::mem::take(&mut straight));
                    self.region(left, depth + 1);
                    self.region(right, depth + 1);
                } else {
                    straight.extend(piece);
                }
            }
        }
        self.straight(straight);
    }

    /// Adds rows that no gutter parts as a whole; a few of them may stand side by side.
    fn straight(&mut self, rows: Vec<Vec<Run>>) {
        for band in bands::side_by_side(rows) {
            match band {
                Band::Straight(rows) => self.column(rows),
                Band::Columns(columns) => columns.into_iter().for_each(|column| self.column(column)),
            }
        }
    }

    /// Adds the lines of one column.
    fn column(&mut self, rows: Vec<Vec<Run>>) {
        if rows.is_empty() {
            return;
        }
        for row in rows {
            self.lines.extend(join(row, self.page, self.column));
        }
        self.column += 1;
    }
}

/// Joins the runs of a row into a line; `None` when it is blank.
fn join(row: Vec<Run>, page: u32, column: u32) -> Option<Line> {
    let strong = |rtl: bool| {
        let count =
            |run: &Run| run.text.chars().filter(|&c| c.is_alphabetic() && is_right_to_left(c) == rtl).count();
        row.iter().map(count).sum::<usize>()
    };
    let is_rtl = strong(true) > strong(false);
    let is_mono = row.iter().all(|run| run.is_mono || run.text.trim().is_empty());
    let mut text = String::new();
    let mut last: Option<&Run> = None;
    let ordered = if is_rtl { from_the_right(&row) } else { from_the_left(&row) };
    for (at, &(gap, run)) in ordered.iter().enumerate() {
        if let Some(last) = last {
            text.push_str(&blanks(gap, last, run, is_mono, &text));
            if text == "•" && !is_rtl && !run.text.starts_with(' ') {
                // A bullet is no part of the word, however close that stands.
                text.push(' ');
            }
            let touches_number = !is_rtl && !is_mono && text.ends_with(|c: char| c.is_ascii_digit());
            if touches_number {
                let next = ordered.get(at + 1).map(|it| it.1);
                text.push_str(raised::height(last, run, next).mark());
            }
        }
        let first = run.text.chars().next();
        let over = text.chars().next_back().zip(first).filter(|_| gap < 0.0 && !is_mono);
        if let Some(letter) = over.and_then(|(accent, letter)| accents::accented(accent, letter)) {
            text.pop();
            text.push(letter);
            text.extend(run.text.chars().skip(1));
            last = Some(run);
            continue;
        }
        match run.text.trim().is_empty() {
            true if text.is_empty() || text.ends_with(' ') => {}
            true => text.push(' '),
            // A drawn blank after an inserted one is the same blank.
            false if text.is_empty() || text.ends_with(' ') => text.push_str(run.text.trim_start()),
            false => text.push_str(&run.text),
        }
        last = Some(run);
    }
    let inked = || row.iter().filter(|run| !run.text.trim().is_empty());
    let text = text.trim().to_owned();
    if text.is_empty() {
        return None;
    }
    let n_chars: usize = inked().map(Run::n_chars).sum();
    let n_bold: usize = inked().filter(|run| run.is_bold).map(Run::n_chars).sum();
    let size = most_used(inked(), |run| (run.size * 2.0).round() as i32)?.size;
    let font = most_used(inked(), |run| run.font)?.font;
    Some(Line {
        text,
        page,
        column,
        x0: inked().map(|run| run.x + run.inset).min_by(f32::total_cmp)?,
        x1: inked().map(Run::end).max_by(f32::total_cmp)?,
        y: inked().max_by(|a, b| a.width.total_cmp(&b.width))?.y,
        size,
        is_bold: n_bold * 10 > n_chars * 8,
        is_mono,
        font,
        is_upright: row.first()?.turn == 0,
        tag: tag(&row),
    })
}

/// The longest of the runs whose `key` most characters have.
fn most_used<'a, K: PartialEq>(
    runs: impl Iterator<Item = &'a Run>,
    key: impl Fn(&Run) -> K,
) -> Option<&'a Run> {
    let mut groups: Vec<(K, usize, &Run)> = Vec::new();
    for run in runs {
        let (key, n_chars) = (key(run), run.n_chars());
        match groups.iter_mut().find(|(it, ..)| *it == key) {
            Some((_, n, longest)) => {
                *n += n_chars;
                *longest = if n_chars > longest.n_chars() { run } else { longest };
            }
            None => groups.push((key, n_chars, run)),
        }
    }
    groups.into_iter().max_by_key(|&(_, n, _)| n).map(|(.., run)| run)
}

/// The tagged heading of a row.
fn tag(row: &[Run]) -> Option<Tag> {
    let inked = || row.iter().filter(|run| !run.text.trim().is_empty());
    let number = inked().find_map(|run| run.tag)?;
    let part = inked().any(|run| run.tag != Some(number)).then(|| {
        let words = inked().filter(|run| run.tag == Some(number)).map(|run| run.text.trim());
        words.collect::<Vec<_>>().join(" ")
    });
    Some(Tag { number, part })
}

/// The runs of a row as a left-to-right line has them, each with the gap before it.
fn from_the_left(row: &[Run]) -> Vec<(f32, &Run)> {
    let ends = std::iter::once(None).chain(row.iter().map(|run| Some(run.end())));
    row.iter().zip(ends).map(|(run, end)| (end.map_or(0.0, |end| run.x - end), run)).collect()
}

/// The runs of a row as a right-to-left line has them: from the right, but stretches of Latin letters and digits
/// from the left (the core of the Unicode Bidirectional Algorithm, UAX 9).
fn from_the_right(row: &[Run]) -> Vec<(f32, &Run)> {
    let is_ltr = |run: &&Run| run.text.contains(|c: char| c.is_alphanumeric() && !is_right_to_left(c));
    let is_rtl = |run: &&Run| run.text.contains(is_right_to_left);
    let reversed: Vec<&Run> = row.iter().rev().collect();
    let mut rest = reversed.as_slice();
    let mut ordered: Vec<(f32, &Run)> = Vec::with_capacity(row.len());
    // Left end of the stretch before.
    let mut left: Option<f32> = None;
    while let Some(first) = rest.first() {
        // A stretch runs from one Latin run to the last one before the next right-to-left run.
        let len = match is_ltr(first) && !is_rtl(first) {
            true => {
                let reach = rest.iter().position(is_rtl).unwrap_or(rest.len());
                rest[..reach].iter().rposition(is_ltr).map_or(1, |at| at + 1)
            }
            false => 1,
        };
        let (stretch, after) = rest.split_at(len);
        let mut end: Option<f32> = None;
        for &run in stretch.iter().rev() {
            let gap = match (end, left) {
                (Some(end), _) => run.x - end,
                (None, Some(left)) => left - first.end(),
                (None, None) => 0.0,
            };
            ordered.push((gap, run));
            end = Some(run.end());
        }
        left = stretch.last().map(|run| run.x);
        rest = after;
    }
    ordered
}

/// What stands for the gap between two runs: nothing, a blank, or the two blanks after a cell.
fn blanks(gap: f32, last: &Run, run: &Run, is_mono: bool, text: &str) -> String {
    let size = last.size.min(run.size);
    let ends_blank = text.ends_with(' ');
    let starts_blank = run.text.starts_with(' ');
    if is_mono && gap > 0.0 {
        let advance = run.width / run.n_chars().max(1) as f32;
        let columns = if advance > 0.0 { (gap / advance).round() } else { 0.0 };
        return " ".repeat((columns as usize).min(80).saturating_sub(usize::from(ends_blank)));
    }
    let is_between_ideographs = last.text.ends_with(is_ideographic) && run.text.starts_with(is_ideographic);
    // Word gaps are a quarter em and shrink to half of that; gaps within words stay under 0.1.
    let least = if is_between_ideographs { 0.5 } else { WORD_GAP };
    match gap / size {
        gap if gap < least => String::new(),
        gap if gap > 2.0 => if ends_blank || starts_blank { " " } else { "  " }.to_owned(),
        _ if ends_blank || starts_blank => String::new(),
        _ => " ".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of one character, 6 points wide, from the left.
    fn chars(text: &str, x: f32, y: f32) -> Vec<Run> {
        let run = |(at, c): (usize, char)| Run {
            text: c.to_string(),
            x: x + 6.0 * at as f32,
            y,
            width: 6.0,
            size: 10.0,
            ..Run::default()
        };
        text.chars().enumerate().map(run).filter(|run| run.text != "_").collect()
    }

    fn texts(runs: Vec<Run>) -> Vec<String> {
        in_reading_order(runs, 0).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn gaps_become_blanks() {
        // An underscore is a gap of 6 points.
        let check = |drawn: &str, expected: &str| assert_eq!(texts(chars(drawn, 0.0, 0.0)), [expected]);
        check("ab_cd", "ab cd");
        check("ab cd", "ab cd");
        check("ab _cd", "ab cd");
        check("ab____cd", "ab  cd");
        check("•_ab", "• ab");
        check("•ab•", "• ab•");
        check("日本_語", "日本 語");
        check("日本語", "日本語");
    }

    #[test]
    fn lines_stand_from_top_to_bottom_whatever_the_order_of_drawing() {
        let mut runs = chars("below", 0.0, 100.0);
        runs.extend(chars("above", 0.0, 112.0));
        runs.extend(chars("2", 30.0, 114.0));
        assert_eq!(texts(runs), ["above2", "below"]);
    }

    #[test]
    fn small_numbers_behind_numbers_are_set_apart() {
        let raised = |text: &str, x: f32| {
            let width = 4.0 * text.chars().count() as f32;
            Run { text: text.to_owned(), x, width, size: 7.0, y: 0.0, ..Run::default() }
        };
        let check = |before: &str, number: Run, after: Option<Run>, expected: &str| {
            let mut runs = chars(before, 0.0, 0.0);
            runs.push(number);
            runs.extend(after);
            assert_eq!(texts(runs), [expected]);
        };
        check("about_10", raised("6", 48.0), None, "about 10^6");
        check("10", raised("6", 12.0), chars("m", 16.0, 0.0).pop(), "10^6m");
        check("10", raised("−", 12.0), Some(raised("3", 16.0)), "10^−3");
        check("10", Run { y: -2.0, ..raised("2", 12.0) }, None, "10_2");
        check("10", raised("6", 16.0), None, "10 6");
        check("note", raised("3", 24.0), None, "note3");
    }

    #[test]
    fn right_to_left_lines_are_read_from_the_right() {
        // As drawn from the left; the logical text is "שלום abc 12 עולם".
        assert_eq!(texts(chars("םלוע_abc_12_םולש", 0.0, 0.0)), ["שלום abc 12 עולם"]);
        assert_eq!(texts(chars("םולש", 0.0, 0.0)), ["שלום"]);
    }

    #[test]
    fn turned_text_follows_upright_text() {
        let mut runs = chars("side", 0.0, 500.0);
        runs.iter_mut().for_each(|run| run.turn = 90);
        runs.extend(chars("upright", 0.0, 0.0));
        assert_eq!(texts(runs), ["upright", "side"]);
    }
}
