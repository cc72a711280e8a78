//! The scan: bytes first, floats where the bound asks for them.

use std::{cmp::Reverse, collections::BinaryHeap};

use rayon::prelude::*;

use super::{Live, Segment, VectorError, quantise::Query};
use crate::store::embedded::rows::RowSet;
use crate::store::embedded::vectors::best;

/// Rows below which one thread is faster than waking the others (measured: a scan of 50,000 rows of 384 bytes takes
/// about 3 ms).
const PARALLEL_ROWS: usize = 50_000;
/// Rows a task scans.
const BLOCK_ROWS: usize = 4_096;
/// Rows rescored first, at least; the bound then says how many more are needed.
const MIN_POOL: usize = 50;

/// Finds the `k` rows whose vectors have the highest cosine with `query`, best first, equal scores by ascending row.
///
/// The rows, their order and their scores are those of an exhaustive `f32` scan over all rows that are not dead and are
/// in `filter` (all rows without one). A zero vector, stored or asked for, has cosine 0 with everything. Scores are
/// clamped to -1..1. A filter makes the search faster: only its rows are looked at.
///
/// # Errors
///
/// [`VectorError::Dimension`] when the query's length is not that of a segment, [`VectorError::Component`] when it
/// holds a value that is not a usable number.
pub fn search(
    segments: &[Live<'_>],
    query: &[f32],
    k: usize,
    filter: Option<&RowSet>,
) -> Result<Vec<(u32, f32)>, VectorError> {
    for live in segments {
        if live.segment.dimension() != query.len() {
            return Err(VectorError::Dimension { expected: live.segment.dimension(), actual: query.len() });
        }
    }
    let prepared = Query::new(query)?;
    if k == 0 {
        return Ok(Vec::new());
    }
    let scans: Vec<Scan<'_>> = segments.iter().map(|live| Scan::new(live, filter)).collect();
    let Some(query) = prepared else {
        let rows = scans.iter().flat_map(|scan| (0..scan.len()).map(|place| (scan.row(place), 0.0)));
        return Ok(best(rows.collect(), k));
    };
    let bounds: Vec<Vec<f32>> = scans.iter().map(|scan| scan.upper_bounds(&query)).collect();

    // The best by bound, rescored, give a threshold that the k-th best of all certainly reaches.
    let pool = highest(&bounds, k.saturating_mul(4).max(MIN_POOL));
    let rescored = best(rescore(&scans, &query, &pool), k);
    let Some(threshold) = rescored.get(k - 1).map(|&(_, score)| score) else {
        return Ok(rescored); // fewer rows than asked for, so all of them are in the pool
    };
    let lowest_in_pool = pool.iter().map(|&(scan, place)| bounds[scan][place]).fold(f32::INFINITY, f32::min);
    if lowest_in_pool < threshold {
        return Ok(rescored); // no row outside of the pool can reach the threshold
    }
    let reaching: Vec<(usize, usize)> = bounds
        .iter()
        .enumerate()
        .flat_map(|(scan, bounds)| {
            let places = bounds.iter().enumerate().filter(|&(_, &bound)| bound >= threshold);
            places.map(move |(place, _)| (scan, place))
        })
        .collect();
    Ok(best(rescore(&scans, &query, &reaching), k))
}

/// The rows of one segment that are looked at, by place: 0 to `len`, in ascending order of rows.
struct Scan<'a> {
    segment: &'a Segment,
    /// Indexes into the segment; `None` for all.
    chosen: Option<Vec<u32>>,
}

impl<'a> Scan<'a> {
    fn new(live: &Live<'a>, filter: Option<&RowSet>) -> Self {
        let segment = live.segment;
        let dead = live.dead.filter(|dead| !dead.is_empty());
        if segment.is_empty() || (filter.is_none() && dead.is_none()) {
            return Self { segment, chosen: None };
        }
        let is_dead = |row| dead.is_some_and(|dead| dead.contains(row));
        let range = segment.row(0)..=segment.row(segment.len() - 1);
        let few = filter.filter(|filter| filter.count_in(range.clone()) < segment.len() as u64 / 8);
        let chosen = match few {
            Some(few) => {
                let rows = few.iter_in(range).filter(|&row| !is_dead(row));
                rows.filter_map(|row| segment.find(row)).map(|idx| idx as u32).collect()
            }
            None => (0u32..)
                .zip(segment.rows())
                .filter(|&(_, row)| !is_dead(row) && filter.is_none_or(|filter| filter.contains(row)))
                .map(|(idx, _)| idx)
                .collect(),
        };
        Self { segment, chosen: Some(chosen) }
    }

    fn len(&self) -> usize {
        self.chosen.as_ref().map_or(self.segment.len(), Vec::len)
    }

    fn idx(&self, place: usize) -> usize {
        self.chosen.as_ref().map_or(place, |chosen| chosen[place] as usize)
    }

    fn row(&self, place: usize) -> u32 {
        self.segment.row(self.idx(place))
    }

    fn upper_bounds(&self, query: &Query) -> Vec<f32> {
        let mut bounds = vec![0f32; self.len()];
        let fill = |first: usize, block: &mut [f32]| {
            for (offset, bound) in block.iter_mut().enumerate() {
                *bound = query.upper_bound(self.segment.record(self.idx(first + offset)));
            }
        };
        if bounds.len() < PARALLEL_ROWS {
            fill(0, &mut bounds);
        } else {
            let blocks = bounds.par_chunks_mut(BLOCK_ROWS).enumerate();
            blocks.for_each(|(number, block)| fill(number * BLOCK_ROWS, block));
        }
        bounds
    }
}

/// The places (scan, place) of the `n` highest bounds; which of equal ones does not matter.
fn highest(bounds: &[Vec<f32>], n: usize) -> Vec<(usize, usize)> {
    let mut heap = BinaryHeap::with_capacity(n.min(1 << 16) + 1);
    let mut lowest = f32::NEG_INFINITY;
    for (scan, bounds) in bounds.iter().enumerate() {
        for (place, &bound) in bounds.iter().enumerate() {
            if heap.len() < n {
                heap.push(Reverse((OrderedBound(bound), scan, place)));
            } else if bound > lowest {
                heap.pop();
                heap.push(Reverse((OrderedBound(bound), scan, place)));
            } else {
                continue;
            }
            if heap.len() == n {
                lowest = heap.peek().map_or(lowest, |Reverse((bound, ..))| bound.0);
            }
        }
    }
    heap.into_iter().map(|Reverse((_, scan, place))| (scan, place)).collect()
}

fn rescore(scans: &[Scan<'_>], query: &Query, places: &[(usize, usize)]) -> Vec<(u32, f32)> {
    let score = |&(scan, place): &(usize, usize)| {
        let Scan { segment, .. } = scans[scan];
        let idx = scans[scan].idx(place);
        (segment.row(idx), query.score(segment.record(idx), segment.floats_of(idx)))
    };
    if places.len() < PARALLEL_ROWS {
        places.iter().map(score).collect()
    } else {
        places.par_iter().map(score).collect()
    }
}

#[derive(Clone, Copy, PartialEq)]
struct OrderedBound(f32);

impl Eq for OrderedBound {}

impl PartialOrd for OrderedBound {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedBound {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
