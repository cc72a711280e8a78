//! Heads and feet of several lines, such as letterheads and the names of patients, that pages have alike.
//!
//! They go from all pages but the first that has them: what is lost nowhere may be dropped boldly. One or two lines are
//! the business of the [parent](super).

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::file::Page;
use super::{FEWEST_PAGES, Margin, SAME_HEIGHT, SHARE, mask};

/// Fewest lines of a head.
const FEWEST_LINES: usize = 3;

/// Most lines of a head.
const MOST_LINES: usize = 8;

/// Fewest lines of a page besides its head: slides and forms repeat most of what they have.
const FEWEST_BELOW: usize = 6;

/// The body stands so many times as far from the head as the lines of the head from each other. Chosen: rows of a table
/// under a head that is repeated stand as close as that.
const SET_APART: f32 = 1.2;

/// The outermost heights of a page, from the edge inwards.
struct Edge {
    page: usize,
    heights: Vec<Height>,
}

/// The lines at one height.
struct Height {
    y: f32,
    key: String,
    lines: Vec<usize>,
}

/// Drops such heads and feet. Returns how many lines went.
pub(super) fn drop_heads(pages: &mut [Page]) -> usize {
    let n_pages = pages.iter().filter(|page| !page.lines.is_empty()).count();
    let least = FEWEST_PAGES.max((SHARE * n_pages as f32).ceil() as usize);
    let mut dropped: BTreeMap<usize, HashSet<usize>> = BTreeMap::new();
    for margin in [Margin::Top, Margin::Bottom] {
        let mut edges: Vec<Edge> =
            pages.iter().enumerate().filter_map(|(at, page)| edge(at, page, margin)).collect();
        // Odd and even pages may have heads of their own.
        while edges.len() >= least {
            let alike = alike(&edges, least);
            if alike.is_empty() {
                break;
            }
            let (with_head, others) = edges.into_iter().partition(|it| alike.contains(&it.page));
            edges = others;
            let with_head: Vec<Edge> = with_head;
            let Some(depth) = depth(&with_head, least) else { continue };
            for it in &with_head[1..] {
                let lines = it.heights[..depth].iter().flat_map(|it| &it.lines);
                dropped.entry(it.page).or_default().extend(lines);
            }
        }
    }
    for (page, lines) in &dropped {
        let mut at = 0;
        pages[*page].lines.retain(|_| {
            at += 1;
            !lines.contains(&(at - 1))
        });
    }
    dropped.values().map(HashSet::len).sum()
}

/// The edge of a page that has enough lines for a head and a body.
fn edge(page: usize, Page { lines, .. }: &Page, margin: Margin) -> Option<Edge> {
    let mut upright: Vec<usize> =
        (0..lines.len()).filter(|&at| lines[at].is_upright && lines[at].tag.is_none()).collect();
    let out = |at: usize| if margin == Margin::Top { lines[at].y } else { -lines[at].y };
    upright.sort_by(|&a, &b| out(b).total_cmp(&out(a)));
    let mut heights: Vec<Height> = Vec::new();
    for at in upright {
        let line = &lines[at];
        let is_enough = heights.len() > MOST_LINES + FEWEST_BELOW;
        match heights.last_mut().filter(|it| (it.y - line.y).abs() <= SAME_HEIGHT) {
            Some(height) => {
                height.key.push(' ');
                height.key.push_str(&mask(&line.text));
                height.lines.push(at);
            }
            None if is_enough => break,
            None => heights.push(Height { y: line.y, key: mask(&line.text), lines: vec![at] }),
        }
    }
    (heights.len() >= FEWEST_LINES + FEWEST_BELOW).then_some(Edge { page, heights })
}

/// The pages, at least `least` of them, that have the first lines of a head alike; none where there are no such.
fn alike(edges: &[Edge], least: usize) -> HashSet<usize> {
    let mut pages: Vec<&Edge> = edges.iter().collect();
    for depth in 0..FEWEST_LINES {
        pages = most_alike(&pages, depth);
        if pages.len() < least {
            return HashSet::new();
        }
    }
    pages.into_iter().map(|it| it.page).collect()
}

/// Those pages that have the most frequent line at this depth, at the usual height.
fn most_alike<'e>(pages: &[&'e Edge], depth: usize) -> Vec<&'e Edge> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let with_depth = || pages.iter().filter_map(|it| Some((*it, it.heights.get(depth)?)));
    for (_, height) in with_depth() {
        *counts.entry(&height.key).or_default() += 1;
    }
    let Some((&key, _)) = counts.iter().max_by_key(|(key, count)| (**count, **key)) else {
        return Vec::new();
    };
    let mut ys: Vec<f32> = with_depth().filter(|(_, it)| it.key == key).map(|(_, it)| it.y).collect();
    ys.sort_by(f32::total_cmp);
    let usual = ys[ys.len() / 2];
    let is_alike = |it: &Height| it.key == key && (it.y - usual).abs() <= SAME_HEIGHT;
    with_depth().filter(|(_, it)| is_alike(it)).map(|(page, _)| page).collect()
}

/// How many lines the head of these pages has: as many as at least `least` pages have alike, set apart from what follows.
fn depth(edges: &[Edge], least: usize) -> Option<usize> {
    let all: Vec<&Edge> = edges.iter().collect();
    let is_shared = |depth: usize| most_alike(&all, depth).len() == all.len();
    let n_shared = (FEWEST_LINES..MOST_LINES).find(|&depth| !is_shared(depth)).unwrap_or(MOST_LINES);
    let is_set_apart = |edge: &Edge, depth: usize| {
        let steps: Vec<f32> = edge.heights.windows(2).map(|it| (it[0].y - it[1].y).abs()).collect();
        let widest = steps[..depth - 1].iter().copied().fold(0.0, f32::max);
        steps.get(depth - 1).is_some_and(|step| *step >= SET_APART * widest)
    };
    (FEWEST_LINES..=n_shared)
        .rev()
        .filter(|&depth| edges.iter().all(|it| it.heights.len() >= depth + FEWEST_BELOW))
        .find(|&depth| edges.iter().filter(|it| is_set_apart(it, depth)).count() >= least)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{kept_lines, line};

    /// Pages of `head` over `n_rows` rows of their own that start `gap` below it; gives how many lines each keeps.
    fn n_kept(n_pages: usize, head: &[&str], gap: f32, n_rows: usize) -> Vec<usize> {
        let page = |at: usize| {
            let head = head.iter().enumerate().map(|(row, text)| {
                line(&text.replace('@', &(at + 1).to_string()), 780.0 - 12.0 * row as f32)
            });
            let top = 780.0 - 12.0 * (head.len() - 1) as f32 - gap;
            let text = |row: usize| format!("row {} of {}", "abcdef".repeat(row + 1), "xyz".repeat(at + 1));
            let body = (0..n_rows).map(|row| line(&text(row), top - 12.0 * row as f32));
            head.chain(body).collect::<Vec<_>>()
        };
        kept_lines((0..n_pages).map(page).collect()).iter().map(Vec::len).collect()
    }

    #[test]
    fn heads_of_several_lines_stay_on_the_first_page_only() {
        let head = ["Clinic of Testing", "Patient: Ann Other", "Born: 1970-01-01", "Page @ of 4"];
        let check = |head: &[&str], gap: f32, n_rows: usize, expected: &[usize]| {
            assert_eq!(n_kept(expected.len(), head, gap, n_rows), expected, "{} {gap} {n_rows}", head.len());
        };
        check(&head, 24.0, 20, &[24, 20, 20, 20]);
        check(&head[..3], 24.0, 20, &[23, 20, 20, 20]);
        // Set as closely as the body: what stands there may be a table.
        check(&head, 12.0, 20, &[24, 24, 24, 24]);
        // Slides.
        check(&head, 24.0, 3, &[7, 7, 7, 7]);
        check(&head, 24.0, 20, &[24, 24]);
    }
}
