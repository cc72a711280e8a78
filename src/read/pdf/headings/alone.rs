//! Bold lines that stand alone: in the middle of their column, with air around, a little smaller than the text.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::super::body_type::BodyType;
use super::super::lines::Line;

/// Type sizes as shares of the body's. What is larger needs no air to stand out; what is smaller are captions and tables.
const SIZES: Range<f32> = 0.85..0.95;

/// Least step from line to line above and below, by the size of the body; text has 1.2.
const AIR: f32 = 1.6;

/// Fewest such lines in a document that has headings of this kind.
const FEWEST: usize = 2;

/// The first lines of the paragraphs that stand alone; none when there is only one.
pub(super) fn lines(lines: &[Line], paragraphs: &[Range<usize>], body: BodyType) -> HashSet<usize> {
    if body.is_bold {
        return HashSet::new();
    }
    let size = body.size as f32 / 2.0;
    let mut columns: HashMap<(u32, u32), (f32, f32)> = HashMap::new();
    for line in lines {
        let (left, right) = columns.entry((line.page, line.column)).or_insert((line.x0, line.x1));
        (*left, *right) = (left.min(line.x0), right.max(line.x1));
    }
    let has_air = |above: &Line, below: &Line| {
        (above.page, above.column) != (below.page, below.column) || (above.y - below.y).abs() >= AIR * size
    };
    let is_alone = |range: &Range<usize>| {
        let (first, last) = (&lines[range.start], &lines[range.end - 1]);
        let Some(&(left, right)) = columns.get(&(first.page, first.column)) else { return false };
        let is_centred = |it: &Line| {
            ((it.x0 + it.x1) - (left + right)).abs() < 2.0 * size && it.x1 - it.x0 < 0.85 * (right - left)
        };
        let is_set = |it: &Line| it.is_bold && SIZES.contains(&(it.size / size)) && is_centred(it);
        range.len() <= 2
            && lines[range.clone()].iter().all(is_set)
            && range.start.checked_sub(1).is_none_or(|at| has_air(&lines[at], first))
            && lines.get(range.end).is_some_and(|next| next.size > last.size && has_air(last, next))
    };
    let alone: HashSet<usize> = paragraphs.iter().filter(|it| is_alone(it)).map(|it| it.start).collect();
    if alone.len() < FEWEST { HashSet::new() } else { alone }
}
