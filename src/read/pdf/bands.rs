//! Blocks of columns within a page: where headings end them, and where a few lines stand side by side.

use super::columns::{inked, segments};
use super::running::{Stretch, are_cells, are_spaced_rows, is_running, pitch};
use super::runs::Run;

type Row = Vec<Run>;

/// A stretch of rows in the order of reading.
pub(super) enum Band {
    /// Rows that are read straight through.
    Straight(Vec<Row>),
    /// Columns that are read one after the other.
    Columns(Vec<Vec<Row>>),
}

/// The least gutter between columns of a few lines, in em.
const NARROWEST: f32 = 0.8;

/// Type size of most characters, and whether most are bold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Type {
    size: f32,
    is_bold: bool,
}

impl Type {
    /// The type of most characters of `rows`.
    pub(super) fn of(rows: &[Row]) -> Self {
        let mut sizes: Vec<(f32, usize)> = Vec::new();
        let (mut n_bold, mut n_all) = (0, 0);
        for run in rows.iter().flat_map(inked) {
            let n_chars = run.n_chars();
            n_all += n_chars;
            n_bold += if run.is_bold { n_chars } else { 0 };
            // Print has a few sizes; a page of noise may have one for each run.
            match sizes.iter().position(|(size, _)| (*size - run.size).abs() < 0.25) {
                Some(at) => sizes[at].1 += n_chars,
                None if sizes.len() < 64 => sizes.push((run.size, n_chars)),
                None => {}
            }
        }
        let size = sizes.iter().max_by_key(|(_, n)| *n).map_or(10.0, |(size, _)| *size);
        Self { size, is_bold: n_bold * 2 > n_all }
    }

    /// Whether a line of a few words is set off from this type as headings are.
    fn is_heading(self, line: &Stretch) -> bool {
        // Chosen: a heading is a tenth larger or bold; one of more than 120 characters is none.
        let stands_out =
            line.size > 1.1 * self.size || (line.is_bold && !self.is_bold && line.size > 0.95 * self.size);
        stands_out && line.text.contains(char::is_alphabetic) && line.text.chars().count() <= 120
    }
}

/// The two sides of a row.
fn sides(row: &Row, gutter: f32) -> (Option<Stretch>, Option<Stretch>) {
    let is_left = |run: &&Run| run.x < gutter;
    (Stretch::of(row.iter().filter(is_left)), Stretch::of(row.iter().filter(|run| !is_left(run))))
}

/// Bands of rows that cross the gutter, with the last short line of their paragraphs, and of rows that do not.
pub(super) fn across(rows: Vec<Row>, gutter: f32) -> Vec<(bool, Vec<Row>)> {
    let mut bands: Vec<(bool, Vec<Row>)> = Vec::new();
    // The row above where that crosses.
    let mut above: Option<Stretch> = None;
    for row in rows {
        let crosses = segments(&row).iter().any(|&(start, end)| start < gutter && gutter < end);
        let is_tail = || match (&above, sides(&row, gutter)) {
            (Some(above), (Some(line), None)) => {
                above.is_like(&line)
                    && above.y - line.y < 1.5 * line.size
                    && (above.x0 - line.x0).abs() < 0.5 * line.size
                    && line.x1 < gutter
            }
            _ => false,
        };
        let is_across = crosses || is_tail();
        above = if crosses { Stretch::of(&row) } else { None };
        match bands.last_mut().filter(|(it, _)| *it == is_across) {
            Some((_, band)) => band.push(row),
            None => bands.push((is_across, vec![row])),
        }
    }
    bands
}

/// Cuts rows that do not cross the gutter where a heading on the left ends one block of columns and starts another.
///
/// Such a heading has white on its right, and the columns end above it and start below it at about the same height. A
/// heading of a plain column may have a small figure beside it; then the line above it ends its sentence, and the right
/// column's does not.
pub(super) fn at_headings(rows: Vec<Row>, gutter: f32, body: Type) -> Vec<Vec<Row>> {
    let sides: Vec<_> = rows.iter().map(|row| sides(row, gutter)).collect();
    let right = sides.iter().filter_map(|it| it.1.as_ref()).map(|it| it.x1).fold(f32::MIN, f32::max);
    let step = 1.3 * body.size;
    let heading = |at: usize| match &sides[at] {
        (Some(left), None) if body.is_heading(left) => Some(left),
        _ => None,
    };
    let ends_block = |at: usize| -> Option<bool> {
        let first = heading(at)?;
        let above = || sides[..at].iter().rev();
        let (left_above, right_above) =
            (above().find_map(|it| it.0.as_ref())?, above().find_map(|it| it.1.as_ref())?);
        // A heading of two lines, or two headings, are one.
        if heading(at - 1).is_some_and(|it| it.y - first.y < 2.5 * first.size) {
            return None;
        }
        let last = (at..sides.len()).map_while(heading).last()?;
        let below = || sides[at..].iter();
        let left_below = below().filter_map(|it| it.0.as_ref()).find(|it| it.y < last.y)?;
        let right_below = below().find_map(|it| it.1.as_ref())?;
        // Chosen: the white beside a heading is nearly as high as that around it; a heading within the right column has less.
        let white = right_above.y - right_below.y;
        let is_white = white > 2.0 * step
            && white > 0.65 * (left_above.y - left_below.y)
            && right_above.y - first.y > 0.8 * step;
        let start = (right_below.y - left_below.y).abs();
        let end = right_above.y - left_above.y;
        // In a plain page, headings of both columns are at about one height now and then.
        let goes_on = !body.is_heading(right_below);
        // The left column flows into the right one, above the heading or below it.
        let flows = !left_above.is_closed() || (right_above.is_closed() && right_below.starts_low());
        // Columns are balanced to a line, or to a few where a paragraph may not be cut.
        let is_even = start < 1.6 * step && end > -1.6 * step && end < if flows { 3.5 } else { 1.6 } * step;
        let ends = right_above.is_closed() || right_above.x1 < right - 2.0 * right_above.size;
        Some(is_white && is_even && goes_on && ends)
    };
    let cuts: Vec<bool> = (0..rows.len()).map(|at| at > 0 && ends_block(at) == Some(true)).collect();
    let mut pieces: Vec<Vec<Row>> = vec![Vec::new()];
    for (row, is_cut) in rows.into_iter().zip(cuts) {
        if is_cut {
            pieces.push(Vec::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(row);
        }
    }
    pieces
}

/// Fewest lines of a column in the pieces of a band: a heading and two lines of a note, or two lines where a heading
/// showed that there are columns.
pub(super) fn fewest(pieces: &[Vec<Row>]) -> usize {
    if pieces.len() > 1 { 2 } else { 3 }
}

/// What the two sides of a gutter look like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Look {
    /// Running text of `fewest` lines or more on both.
    Running,
    /// Cells of a table with white between its rows.
    Rows,
    /// Neither for sure.
    Unsure,
}

/// Looks at the two sides of the gutter.
pub(super) fn look(rows: &[Row], gutter: f32, fewest: usize) -> Look {
    // A page has some hundred lines at most; the comparisons below take the square of their number.
    if rows.len() > 1000 {
        return Look::Unsure;
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for row in rows {
        let (l, r) = sides(row, gutter);
        left.extend(l);
        right.extend(r);
    }
    if are_spaced_rows(&left, &right) {
        return Look::Rows;
    }
    let columns = [left, right];
    let are_running = columns.iter().all(|it| it.len() >= fewest && is_running(it)) && !are_cells(&columns);
    if are_running { Look::Running } else { Look::Unsure }
}

/// Finds the places where lines of running text stand side by side.
pub(super) fn side_by_side(rows: Vec<Row>) -> Vec<Band> {
    let body = Type::of(&rows);
    let pieces: Vec<Vec<(f32, f32)>> = rows.iter().map(|row| segments(row)).collect();
    let mut bands: Vec<Band> = Vec::new();
    // What was given out so far, and where to look.
    let (mut done, mut at) = (0, 0);
    while at < rows.len() {
        match block(&rows, &pieces, done, at, body) {
            Found::Columns { from, columns, to } => {
                if from > done {
                    bands.push(Band::Straight(rows[done..from].to_vec()));
                }
                bands.push(Band::Columns(columns));
                (done, at) = (to, to);
            }
            // Its last rows by themselves may look like columns.
            Found::Cells { to } => at = to.max(at + 1),
            Found::Nothing => at += 1,
        }
    }
    if done < rows.len() {
        bands.push(Band::Straight(rows[done..].to_vec()));
    }
    bands
}

/// What starts at a row.
enum Found {
    /// Columns in the rows `from..to`.
    Columns {
        from: usize,
        columns: Vec<Vec<Row>>,
        to: usize,
    },
    /// Rows of a table, up to the row `to`.
    Cells {
        to: usize,
    },
    Nothing,
}

/// Looks for columns that start at the row `at`, or at rows above it that are not before `least`.
fn block(rows: &[Row], pieces: &[Vec<(f32, f32)>], least: usize, at: usize, body: Type) -> Found {
    let mut found = Found::Nothing;
    for strip in strips(rows, pieces, at) {
        let (strip, end) = grown(rows, pieces, at, strip, body.size);
        if end < at + 2 {
            continue;
        }
        let gutter = (strip.0 + strip.1) / 2.0;
        // Lines of the right column that stand above all of the left one.
        let mut from = at;
        while from > least {
            let (above, first) = (sides(&rows[from - 1], gutter), sides(&rows[from], gutter));
            match (above, first.1) {
                ((None, Some(above)), Some(first)) if above.y - first.y < 1.5 * first.size => from -= 1,
                _ => break,
            }
        }
        let mut pieces = at_headings(rows[from..end].to_vec(), gutter, body);
        let fewest = fewest(&pieces);
        let piece = pieces.swap_remove(0);
        let to = trimmed(&piece, gutter);
        let piece = &piece[..to];
        let columns = parted(piece, body.size);
        let stretches: Vec<Vec<Stretch>> =
            columns.iter().map(|column| column.iter().filter_map(Stretch::of).collect()).collect();
        let is_running = |it: &Vec<Stretch>| it.len() >= fewest && is_running(it);
        if columns.len() < 2 || !stretches.iter().all(is_running) {
            continue;
        }
        if !are_cells(&stretches) {
            return Found::Columns { from, columns, to: from + to };
        }
        found = Found::Cells { to: from + to };
    }
    found
}

/// White strips that start at the row: between its pieces, or between it and the row below where the two overlap.
fn strips(rows: &[Row], pieces: &[Vec<(f32, f32)>], at: usize) -> Vec<(f32, f32)> {
    let size = rows[at].first().map_or(10.0, |run| run.size);
    let least = NARROWEST * size;
    let mut around: Vec<(f32, f32)> = pieces[at].clone();
    if let (Some(row), Some(next)) = (rows[at].first(), rows.get(at + 1).and_then(|it| it.first()))
        && row.y - next.y < 0.9 * size
    {
        around.extend(&pieces[at + 1]);
    }
    around.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut strips = Vec::new();
    let mut end = f32::MAX;
    for &(x0, x1) in around.iter().take(MOST_PIECES) {
        if x0 - end >= least {
            strips.push((end, x0));
        }
        end = if end == f32::MAX { x1 } else { end.max(x1) };
    }
    strips
}

/// Most pieces of a row that is looked at: more are no columns of text.
const MOST_PIECES: usize = 12;

/// Most rows of a block: more are no page.
const MOST_ROWS: usize = 300;

/// The strip as far down as no row crosses it, and the row where it ends.
fn grown(
    rows: &[Row],
    pieces: &[Vec<(f32, f32)>],
    at: usize,
    strip: (f32, f32),
    size: f32,
) -> ((f32, f32), usize) {
    let least = NARROWEST * size;
    let (mut from, mut to) = strip;
    let mut last_y = rows[at].first().map_or(0.0, |run| run.y);
    let mut end = at;
    for (row, pieces) in rows[at..].iter().zip(&pieces[at..]).take(MOST_ROWS) {
        let y = row.first().map_or(last_y, |run| run.y);
        // Chosen: more white than headings have around them.
        if pieces.len() > MOST_PIECES || last_y - y > 5.0 * size {
            break;
        }
        let (mut a, mut b) = (from, to);
        for &(x0, x1) in pieces {
            match () {
                () if x0 < a && x1 < b => a = a.max(x1),
                () if x0 > a && x1 > b => b = b.min(x0),
                () => b = f32::MIN,
            }
        }
        if b - a < least {
            break;
        }
        (from, to) = (a, b);
        last_y = y;
        end += 1;
    }
    ((from, to), end)
}

/// The number of rows without what follows below the columns: a paragraph on the left with nothing on its right.
fn trimmed(rows: &[Row], gutter: f32) -> usize {
    let sides: Vec<_> = rows.iter().map(|row| sides(row, gutter)).collect();
    let left: Vec<Stretch> = sides.iter().filter_map(|it| it.0.clone()).collect();
    let step = pitch(&left).unwrap_or(0.0);
    let Some(last_right) = sides.iter().rposition(|it| it.1.is_some()) else { return 0 };
    let mut above = sides[..=last_right].iter().rev().find_map(|it| it.0.as_ref());
    for (at, it) in sides.iter().enumerate().skip(last_right + 1) {
        let (Some(line), Some(last)) = (&it.0, above) else { return at };
        if last.y - line.y > 1.3 * step || !last.is_like(line) {
            return at;
        }
        above = Some(line);
    }
    rows.len()
}

/// The columns between the strips that no row crosses.
fn parted(rows: &[Row], size: f32) -> Vec<Vec<Row>> {
    let mut spans: Vec<(f32, f32)> = rows.iter().flat_map(|row| segments(row)).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut starts: Vec<f32> = Vec::new();
    let mut end = f32::MIN;
    for (x0, x1) in spans {
        if starts.is_empty() || x0 - end >= NARROWEST * size {
            starts.push(x0);
        }
        end = end.max(x1);
    }
    let mut columns: Vec<Vec<Row>> = vec![Vec::new(); starts.len()];
    for row in rows {
        let mut cells: Vec<Row> = vec![Vec::new(); starts.len()];
        for run in row {
            // A blank before the first column is in that.
            let column = starts.iter().rposition(|&start| start <= run.x + run.inset).unwrap_or(0);
            if let Some(cell) = cells.get_mut(column) {
                cell.push(run.clone());
            }
        }
        for (column, cell) in columns.iter_mut().zip(cells) {
            if inked(&cell).next().is_some() {
                column.push(cell);
            }
        }
    }
    columns
}

#[cfg(test)]
mod tests;
