//! Lines at the edges of the body that several pages have alike: rows of tables, items of lists, slides that grow.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::blocks::half_points;
use super::super::file::Page;
use super::super::lines::Line;
use super::{Candidate, Group, Margin, SAME_HEIGHT, group};

/// A running line stands further from the body than lines of the body from each other, give or take what rounding adds up
/// to.
const SAME_STEP: f32 = 1.05;

/// Most of a type size from one line of a body to the next, double spacing. Chosen: where lines stand wider apart, their
/// steps say nothing.
const WIDEST_STEP: f32 = 2.0;

/// The group of a line and its type size in half points: a heading may have the words of a running header.
pub(super) type SetGroup = (Group, i32);

/// The group of a line and its type size.
pub(super) fn set_group(it: &Candidate) -> SetGroup {
    (group(it), half_points(it.size))
}

/// The groups of lines that stand on most of their pages as close to the body as its lines to each other.
pub(super) fn edges_of_body(pages: &[Page], going: &[&Candidate]) -> HashSet<SetGroup> {
    let mut gone: BTreeMap<(usize, Margin), HashSet<usize>> = BTreeMap::new();
    for it in going {
        gone.entry((it.page, it.margin)).or_default().insert(it.line);
    }
    let close: HashSet<(usize, Margin, usize)> = gone
        .iter()
        .flat_map(|(&(page, margin), gone)| {
            let close = close_to_body(&pages[page].lines, gone, margin);
            close.into_iter().map(move |line| (page, margin, line))
        })
        .collect();
    let mut groups: HashMap<SetGroup, (usize, usize)> = HashMap::new();
    // A page number is none of the body, wherever it stands.
    for it in going.iter().filter(|it| !it.key.is_empty()) {
        let (n_close, n_all) = groups.entry(set_group(it)).or_default();
        *n_all += 1;
        *n_close += usize::from(close.contains(&(it.page, it.margin, it.line)));
    }
    groups.into_iter().filter(|(_, (n_close, n_all))| n_close * 2 > *n_all).map(|(group, _)| group).collect()
}

/// One height of a page: how far out it is, its type size and the lines there that would go.
struct Height {
    out: f32,
    size: f32,
    gone: Vec<usize>,
}

/// Those of the lines that would go which follow the line further in as closely as that one follows the next.
fn close_to_body(lines: &[Line], gone: &HashSet<usize>, margin: Margin) -> Vec<usize> {
    let out = |line: &Line| if margin == Margin::Top { line.y } else { -line.y };
    let mut upright: Vec<(usize, &Line)> = lines.iter().enumerate().filter(|(_, it)| it.is_upright).collect();
    upright.sort_by(|(_, a), (_, b)| out(a).total_cmp(&out(b)));
    let mut heights: Vec<Height> = Vec::new();
    for (at, line) in upright {
        if heights.last().is_none_or(|last| out(line) - last.out > SAME_HEIGHT) {
            heights.push(Height { out: out(line), size: line.size, gone: Vec::new() });
        }
        if let Some(last) = heights.last_mut().filter(|_| gone.contains(&at)) {
            last.gone.push(at);
        }
    }
    let mut close = Vec::new();
    let first = heights.iter().position(|it| !it.gone.is_empty());
    let Some(two_further_in) = first.and_then(|it| it.checked_sub(2)) else { return close };
    for three in heights[two_further_in..].windows(3) {
        let [innermost, before, it] = three else { break };
        let (step_before, step) = (before.out - innermost.out, it.out - before.out);
        if step > SAME_STEP * step_before || step > WIDEST_STEP * it.size.max(before.size) {
            break;
        }
        close.extend(&it.gone);
    }
    close
}
