//! What tells columns of running text from columns of a table.
//!
//! Lines of running text are broken where the next word had no room, and go on in the middle of a sentence; cells of a
//! table end where they end, and the cells of a row start on one baseline.

use super::columns::inked;
use super::gaps::WORD_GAP;
use super::runs::{Run, is_right_to_left};

/// The text of one row on one side of a gutter.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) text: String,
    /// Left end.
    pub(super) x0: f32,
    /// Right end.
    pub(super) x1: f32,
    /// Baseline.
    pub(super) y: f32,
    /// Type size.
    pub(super) size: f32,
    /// Whether all of it is bold.
    pub(super) is_bold: bool,
    /// Whether it has a gap wider than those between words.
    has_gap: bool,
    /// Whether all of it is monospaced.
    is_mono: bool,
}

impl Stretch {
    /// Joins the runs of a row, which are sorted from the left; `None` when all are blank.
    pub(super) fn of<'a>(row: impl IntoIterator<Item = &'a Run>) -> Option<Self> {
        let mut joined: Option<Self> = None;
        let mut widest = 0.0;
        for run in inked(row) {
            let Some(it) = &mut joined else {
                let (text, x0) = (run.text.trim_start().to_owned(), run.x + run.inset);
                widest = run.width;
                joined = Some(Self {
                    text,
                    x0,
                    x1: run.end(),
                    y: run.y,
                    size: run.size,
                    is_bold: run.is_bold,
                    has_gap: false,
                    is_mono: run.is_mono,
                });
                continue;
            };
            if run.x - it.x1 > WORD_GAP * run.size {
                it.text.push(' ');
            }
            // Chosen: a justified line of a narrow column may have gaps of an em.
            it.has_gap |= run.x - it.x1 > 1.5 * run.size;
            it.text.push_str(&run.text);
            it.x1 = it.x1.max(run.end());
            it.is_bold &= run.is_bold;
            it.is_mono &= run.is_mono;
            if run.width > widest {
                (widest, it.y, it.size) = (run.width, run.y, run.size);
            }
        }
        joined
    }

    /// Whether a sentence or a paragraph ends here, as far as the mark at the end tells.
    pub(super) fn is_closed(&self) -> bool {
        self.text.trim_end().ends_with(['.', '!', '?', ':', ';', '"', '”', '»', ')', '。'])
    }

    fn ends_in_hyphen(&self) -> bool {
        self.text.trim_end().ends_with(['-', '\u{2010}', '\u{AD}'])
    }

    /// Whether it starts with a small letter, as the middle of a sentence does.
    pub(super) fn starts_low(&self) -> bool {
        self.text.starts_with(char::is_lowercase)
    }

    /// Whether the first word of `next` had no room left before `right`.
    pub(super) fn is_full(&self, next: &Self, right: f32) -> bool {
        let n_chars = next.text.chars().count().max(1) as f32;
        let n_first = next.text.split(' ').next().unwrap_or("").chars().count() as f32;
        let word = (next.x1 - next.x0) / n_chars * n_first;
        // A quarter for the blank; half an em, since the margin is known from ragged lines alone.
        self.x1 + word + 0.75 * self.size > right
    }

    /// Whether `next` is of the same type.
    pub(super) fn is_like(&self, next: &Self) -> bool {
        self.is_bold == next.is_bold && (self.size - next.size).abs() <= 0.08 * self.size.max(next.size)
    }
}

/// The smallest step from baseline to baseline; `None` where no two lines are near each other.
pub(super) fn pitch(column: &[Stretch]) -> Option<f32> {
    let steps = column.windows(2).filter_map(|pair| {
        let step = pair[0].y - pair[1].y;
        // Double spacing is 2.3 em.
        (0.8 * pair[1].size..2.4 * pair[1].size).contains(&step).then_some(step)
    });
    steps.min_by(f32::total_cmp)
}

fn right_end(column: &[Stretch]) -> f32 {
    column.iter().map(|it| it.x1).fold(f32::MIN, f32::max)
}

/// Whether the lines of a column, from the top, are running text.
///
/// The shares are chosen: ragged lines of prose are full but for the ends of paragraphs, and go on with a small letter
/// more often than not even in German.
pub(super) fn is_running(column: &[Stretch]) -> bool {
    /// Least width of the wider lines in em: 16 characters.
    const NARROWEST: f32 = 8.0;
    let Some(pitch) = pitch(column) else { return false };
    let at = |share: f32, mut values: Vec<f32>| {
        values.sort_by(f32::total_cmp);
        values[(values.len() as f32 * share) as usize]
    };
    // Some lines are the ends of paragraphs, or the heading of a note.
    let width = at(0.75, column.iter().map(|it| (it.x1 - it.x0) / it.size).collect());
    let n_words = at(0.5, column.iter().map(|it| it.text.split_whitespace().count() as f32).collect());
    let has_case = column.iter().any(|it| it.text.contains(|c: char| c.is_lowercase() || c.is_uppercase()));
    // Neither centred nor set flush right, nor cells themselves.
    let left = at(0.5, column.iter().map(|it| it.x0).collect());
    let n_flush = column.iter().filter(|it| (it.x0 - left).abs() < 0.5 * it.size).count();
    let n_gaps = column.iter().filter(|it| it.has_gap).count();
    if width < NARROWEST || n_flush * 2 <= column.len() || n_gaps * 3 > column.len() {
        return false;
    }
    if column.iter().filter(|it| it.text.contains(is_right_to_left)).count() * 2 > column.len() {
        return false;
    }
    let right = right_end(column);
    let (mut n_pairs, mut n_full, mut n_low) = (0, 0, 0);
    for pair in column.windows(2) {
        let (line, next) = (&pair[0], &pair[1]);
        if line.y - next.y > 1.3 * pitch || !goes_on(pair) {
            continue;
        }
        n_pairs += 1;
        n_full += usize::from(line.is_full(next, right));
        n_low += usize::from(next.starts_low() || line.ends_in_hyphen());
    }
    // Cells of one word are full whatever they are; a few of two may be by chance.
    let has_words = !has_case || n_words >= 3.0 || (n_words >= 2.0 && n_pairs >= 4);
    has_words && n_pairs > 0 && n_full * 4 >= n_pairs * 3 && (!has_case || n_low * 5 >= n_pairs * 2)
}

/// Whether columns that could be running text are cells of a table: rows of cells that wrap start on one baseline, and cells of
/// one line each stand on one baseline and are short.
pub(super) fn are_cells(columns: &[Vec<Stretch>]) -> bool {
    let is_on =
        |column: &[Stretch], line: &Stretch| column.iter().any(|it| (it.y - line.y).abs() <= 0.1 * line.size);
    let Some(shortest) = columns.iter().min_by_key(|it| it.len()) else { return false };
    let n_on = shortest.iter().filter(|line| columns.iter().all(|column| is_on(column, line))).count();
    // Chosen: cells that are centred in their rows stand on no common baseline, but there are few of them and their lines
    // are unevenly far apart.
    let is_short =
        shortest.len() <= 6 && !(n_on * 2 < shortest.len() && columns.iter().all(|it| is_even(it)));
    let is_doubtful = is_short || n_on * 5 >= shortest.len() * 4;
    if is_doubtful && !columns.iter().all(|it| is_surely_running(it)) {
        return true;
    }
    let starts: Vec<Starts> = columns.iter().map(|column| starts(column, true)).collect();
    let (n_rows, n_single) = together(&starts);
    let flows = columns.windows(2).all(|pair| match (pair[0].last(), pair[1].first()) {
        (Some(last), Some(first)) => last.ends_in_hyphen() || (!last.is_closed() && first.starts_low()),
        _ => false,
    });
    match n_rows {
        0 => false,
        1 => n_single == 0 && !flows,
        _ => n_rows >= n_single,
    }
}

/// Whether a column of four lines or more has them at one distance, but for a few paragraphs.
fn is_even(column: &[Stretch]) -> bool {
    let Some(pitch) = pitch(column) else { return false };
    let n_other = column.windows(2).filter(|pair| pair[0].y - pair[1].y > 1.05 * pitch).count();
    column.len() >= 4 && n_other * 4 < column.len()
}

/// Whether a column is running text by its lines alone: they end at the margin, or are too long for most cells.
fn is_surely_running(column: &[Stretch]) -> bool {
    let right = right_end(column);
    let inner: Vec<&Stretch> = column.windows(2).filter(|it| goes_on(it)).map(|it| &it[0]).collect();
    let left = inner.iter().map(|it| it.x0).fold(f32::MAX, f32::min);
    let is_flush = |it: &&&Stretch| right - it.x1 < 0.3 * it.size && it.x0 - left < 0.3 * it.size;
    let n_flush = inner.iter().filter(is_flush).count();
    // Chosen: a narrow column of prose has 20 characters and three words in most lines. Names and signs are no words.
    let is_word = |it: &&str| {
        let it = it.trim_matches(|c: char| c.is_ascii_punctuation() || "“”„‘’«»…".contains(c));
        it.chars().nth(1).is_some()
            && it.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '\'' | '’' | '\u{2010}'))
    };
    let is_long = |it: &&&Stretch| {
        it.x1 - it.x0 > 10.0 * it.size && it.text.split_whitespace().filter(is_word).count() >= 3
    };
    let n_long = inner.iter().filter(is_long).count();
    // Code is as long as it is, and its lines may be of one length by chance.
    let is_code = column.iter().all(|it| it.is_mono);
    !is_code && (n_flush >= 2 && n_flush * 4 >= inner.len() * 3 || n_long * 2 > inner.len())
}

/// Whether the second line of the pair may go on with the paragraph of the first.
fn goes_on(pair: &[Stretch]) -> bool {
    pair[0].is_like(&pair[1]) && (!pair[0].is_closed() || pair[1].starts_low())
}

/// Whether two columns of whatever text are cells of a table with white between its rows.
pub(super) fn are_spaced_rows(left: &[Stretch], right: &[Stretch]) -> bool {
    let n_lines = left.len().max(right.len());
    // Chosen: three rows of at most five lines. Columns of a page may end a few paragraphs at the same heights, and no other.
    matches!(together(&[starts(left, false), starts(right, false)]), (n @ 2.., 0) if (n + 1) * 5 >= n_lines)
}

/// Baselines and sizes of the lines of a column that start paragraphs, but for the first.
type Starts = Vec<(f32, f32)>;

/// The number of heights at which paragraphs start in all columns, and of starts elsewhere.
fn together(columns: &[Starts]) -> (usize, usize) {
    let is_common = |&&(y, size): &&(f32, f32)| {
        columns.iter().all(|column| column.iter().any(|(other, _)| (other - y).abs() <= 0.4 * size))
    };
    let n_common = columns.iter().flatten().filter(is_common).count();
    let n_all = columns.iter().map(Vec::len).sum::<usize>();
    (n_common / columns.len().max(1), n_all - n_common)
}

/// The starts of paragraphs: behind white, and where `by_shape` also behind another type or a line that is not full.
fn starts(column: &[Stretch], by_shape: bool) -> Starts {
    let pitch = pitch(column).unwrap_or(f32::MAX);
    let right = right_end(column);
    let is_start = |pair: &&[Stretch]| {
        let has_shape = !pair[0].is_like(&pair[1]) || !pair[0].is_full(&pair[1], right);
        pair[0].y - pair[1].y > 1.25 * pitch || (by_shape && has_shape)
    };
    column.windows(2).filter(is_start).map(|pair| (pair[1].y, pair[1].size)).collect()
}
