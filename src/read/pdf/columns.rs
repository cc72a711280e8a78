//! Rows of runs, and the gutters that part columns of prose.

use super::runs::Run;

fn is_same_line(a: &Run, b: &Run) -> bool {
    // A third of the size takes in what sits off the baseline, and is far less than any line spacing.
    (a.y - b.y).abs() <= 0.33 * a.size.max(b.size)
}

/// Groups runs by baseline, from the top; each row is sorted from the left.
pub(super) fn rows(mut runs: Vec<Run>) -> Vec<Vec<Run>> {
    runs.sort_by(|a, b| b.y.total_cmp(&a.y).then(a.x.total_cmp(&b.x)));
    let mut rows: Vec<Vec<Run>> = Vec::new();
    // The place of the widest run in the last row: a raised mark must not set the baseline.
    let mut widest = 0;
    for run in runs {
        match rows.last_mut() {
            Some(row) if is_same_line(&row[widest], &run) => {
                if run.width > row[widest].width {
                    widest = row.len();
                }
                row.push(run);
            }
            _ => {
                rows.push(vec![run]);
                widest = 0;
            }
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.x.total_cmp(&b.x));
        if row.windows(2).any(|pair| pair[1].x < pair[0].end()) {
            *row = opened(std::mem::take(row));
        }
    }
    rows
}

/// The row with runs cut open where another stands in one of their blanks.
fn opened(row: Vec<Run>) -> Vec<Run> {
    let mut opened: Vec<Run> = Vec::with_capacity(row.len() + 2);
    for run in row {
        let split =
            opened.last().filter(|_| !run.text.trim().is_empty()).and_then(|it| it.split_around(&run));
        if let Some((left, right)) = split {
            opened.pop();
            opened.extend([left, run, right]);
        } else {
            opened.push(run);
        }
    }
    opened
}

/// The runs that are not blank.
pub(super) fn inked<'a>(row: impl IntoIterator<Item = &'a Run>) -> impl Iterator<Item = &'a Run> {
    row.into_iter().filter(|run| !run.text.trim().is_empty())
}

/// Left and right ends of the stretches of a row that are not parted by more than a word gap.
pub(super) fn segments(row: &[Run]) -> Vec<(f32, f32)> {
    let mut segments: Vec<(f32, f32)> = Vec::new();
    for run in inked(row) {
        match segments.last_mut() {
            Some((_, end)) if run.x - *end < 0.6 * run.size => *end = end.max(run.end()),
            _ => segments.push((run.x, run.end())),
        }
    }
    segments
}

/// The x of a gutter between two columns, if the region has one.
///
/// Looks for the stretch that the fewest lines cross, in the middle part of the region. Chosen by trial on two-column
/// papers, three-column reference cards and pages of tables.
pub(super) fn gutter(rows: &[Vec<Run>]) -> Option<f32> {
    /// Fewest runs and lines of a region worth cutting.
    const FEWEST: usize = 12;
    /// Most of the lines that may cross (titles, wide figures).
    const MOST_CROSSING: f32 = 0.4;
    let inked = || rows.iter().flatten();
    if inked().count() < FEWEST {
        return None;
    }
    let left = inked().map(|run| run.x).min_by(f32::total_cmp)?;
    let right = inked().map(Run::end).max_by(f32::total_cmp)?;
    let n_bins = (right - left).ceil() as usize;
    // A region narrower than this has no room for two columns of prose; one wider is no page.
    if !(150..20_000).contains(&n_bins) {
        return None;
    }
    let mut n_covering = vec![0i32; n_bins + 2];
    let n_rows = rows.len() as i32;
    for (start, end) in rows.iter().flat_map(|row| segments(row)) {
        n_covering[(start - left).max(0.0) as usize] += 1;
        n_covering[((end - left).ceil().max(0.0) as usize + 1).min(n_bins + 1)] -= 1;
    }
    if (n_rows as usize) < FEWEST / 2 {
        return None;
    }
    let mut covering = 0;
    let covered: Vec<i32> = n_covering
        .iter()
        .map(|change| {
            covering += change;
            covering
        })
        .collect();
    let middle = n_bins / 5..n_bins - n_bins / 5;
    let least = *covered.get(middle.clone())?.iter().min()?;
    if least as f32 > MOST_CROSSING * n_rows as f32 {
        return None;
    }
    // The widest stretch that is crossed nearly least: a page number may stand in the gutter.
    let slack = 1 + n_rows / 20;
    let mut best: Option<(usize, usize)> = None;
    let mut start = None;
    // A closed place after the last ends its stretch.
    let places = covered.get(middle.clone())?.iter().map(|&n| n <= least + slack).chain([false]);
    for (at, is_open) in (middle.start..).zip(places) {
        match (is_open, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                if best.is_none_or(|(a, b)| b - a < at - from) {
                    best = Some((from, at));
                }
                start = None;
            }
            _ => {}
        }
    }
    let (from, to) = best?;
    // 5 points: columns of dense print stand 8 to 12 apart.
    (to - from >= 5).then(|| left + (from + to) as f32 / 2.0)
}

/// Whether the runs look like a column of text: several lines, most of them long.
pub(super) fn is_prose(runs: &[Run]) -> bool {
    let rows = rows(runs.to_vec());
    if rows.len() < 5 {
        return false;
    }
    let mut widths: Vec<f32> = rows
        .iter()
        .filter_map(|row| {
            let size = row.iter().map(|run| run.size).max_by(f32::total_cmp)?;
            let covered: f32 = row.iter().map(|run| run.width).sum();
            Some(covered / size)
        })
        .collect();
    widths.sort_by(f32::total_cmp);
    // 10 em is some 20 characters; cells of most tables are shorter.
    widths[widths.len() / 2] >= 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of characters 5 points wide, with blanks of the width that fills it.
    fn run(text: &str, x: f32, width: f32) -> Run {
        let n_blanks = text.matches(' ').count() as f32;
        let blank = (width - 5.0 * (text.chars().count() as f32 - n_blanks)) / n_blanks.max(1.0);
        let mut at = x;
        let place = |c: char| {
            let start = at;
            at += if c == ' ' { blank } else { 5.0 };
            start
        };
        let offsets = text.chars().map(place).collect();
        let text = text.to_owned();
        Run { text, x, width, size: 10.0, offsets, ..Run::default() }
    }

    #[test]
    fn a_letter_in_the_blank_of_another_run_cuts_it_open() {
        let check = |outer: Run, inner: Run, expected: &[&str]| {
            let rows = rows(vec![outer, Run { y: -2.0, ..inner }]);
            let texts: Vec<&str> = rows.iter().flatten().map(|it| it.text.as_str()).collect();
            assert_eq!(texts, expected);
        };
        // "TeX is", whose blanks are 4 points wide.
        check(run("T X is", 0.0, 28.0), run("E", 4.0, 5.0), &["T", "E", "X is"]);
        check(run("is T X", 0.0, 28.0), run("E", 18.0, 5.0), &["is T", "E", "X"]);
        // In the middle of a word, and after the end.
        check(run("abcdef gh", 0.0, 44.0), run("x", 12.0, 3.0), &["abcdef gh", "x"]);
        check(run("ab cd", 0.0, 25.0), run("2", 26.0, 3.0), &["ab cd", "2"]);
        check(Run { offsets: Vec::new(), ..run("T X", 0.0, 14.0) }, run("E", 4.0, 5.0), &["T X", "E"]);
    }
}
