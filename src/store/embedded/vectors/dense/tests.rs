//! Tests of vector segments.

use std::fs;

use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

use super::*;
use crate::store::embedded::rows::RowSet;

fn write(dir: &TempDir, name: &str, rows: &[(u32, Vec<f32>)]) -> Segment {
    let dimension = rows.first().map_or(4, |(_, vector)| vector.len());
    write_segment(dir.path(), name, dimension, rows.iter().map(|(row, vector)| Ok((*row, &vector[..]))))
        .unwrap();
    Segment::open(dir.path(), name).unwrap()
}

/// Cosines in `f64`, all of them, without anything of the code under test.
fn reference(rows: &[(u32, Vec<f32>)], query: &[f32]) -> Vec<(u32, f64)> {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>();
    rows.iter()
        .map(|(row, vector)| {
            let norms = (dot(vector, vector) * dot(query, query)).sqrt();
            (*row, if norms < 1e-15 { 0.0 } else { dot(vector, query) / norms })
        })
        .collect()
}

/// The exhaustive `f32` scan that the search must equal, to the bit.
fn exhaustive(segment: &Segment, query: &[f32], k: usize, keep: impl Fn(u32) -> bool) -> Vec<(u32, f32)> {
    let query = quantise::Query::new(query).unwrap();
    let mut all: Vec<(u32, f32)> = (0..segment.len())
        .map(|idx| {
            let score = |query: &quantise::Query| query.score(segment.record(idx), segment.floats_of(idx));
            (segment.row(idx), query.as_ref().map_or(0.0, score))
        })
        .filter(|&(row, _)| keep(row))
        .collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.truncate(k);
    all
}

fn live(segment: &Segment) -> [Live<'_>; 1] {
    [Live { segment, dead: None }]
}

#[test]
fn what_is_written_comes_back() {
    let dir = TempDir::new().unwrap();
    let rows = [(3, vec![0.25, -1.5, 0.0]), (4, vec![0.0; 3]), (90, vec![1e-3, 2.0, 5.0])];
    let segment = write(&dir, "vec-1", &rows);
    assert_eq!(segment.rows().collect::<Vec<_>>(), [3, 4, 90]);
    for (row, vector) in &rows {
        assert_eq!(segment.vector(*row).as_ref(), Some(vector));
    }
    assert_eq!(segment.vector(5), None);
    segment.verify().unwrap();
    let mut names: Vec<_> =
        fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["vec-1.f32", "vec-1.i8", "vec-1.ids"]);
}

#[test]
fn every_cut_is_an_error_and_every_flipped_byte_is_found() {
    let dir = TempDir::new().unwrap();
    drop(write(&dir, "v", &[(1, vec![0.5, -0.25, 0.125]), (7, vec![-1.0, 2.0, 3.0])]));
    for kind in Kind::ALL {
        let path = kind.path(dir.path(), "v");
        let whole = fs::read(&path).unwrap();
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            assert!(Segment::open(dir.path(), "v").is_err(), "{} cut at {end}", path.display());
        }
        fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
        assert!(matches!(Segment::open(dir.path(), "v"), Err(VectorError::Damaged { .. })));
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, bytes).unwrap();
            let found = Segment::open(dir.path(), "v").and_then(|segment| segment.verify());
            // Bytes 6, 7 and 12 to 15 of the header are reserved and not read.
            let reserved = [6, 7, 12, 13, 14, 15].contains(&at);
            assert_eq!(found.is_ok(), reserved, "{} byte {at}", path.display());
        }
        fs::write(&path, whole).unwrap();
    }
    fs::remove_file(Kind::Rows.path(dir.path(), "v")).unwrap();
    assert!(matches!(Segment::open(dir.path(), "v"), Err(VectorError::Io { .. })));
}

#[test]
fn files_of_different_segments_do_not_mix() {
    let dir = TempDir::new().unwrap();
    drop(write(&dir, "a", &[(1, vec![1.0, 0.0])]));
    drop(write(&dir, "b", &[(1, vec![0.0, 1.0])]));
    fs::copy(Kind::Floats.path(dir.path(), "b"), Kind::Floats.path(dir.path(), "a")).unwrap();
    assert!(matches!(Segment::open(dir.path(), "a"), Err(VectorError::Damaged { .. })));
}

#[test]
fn bad_rows_leave_nothing_behind() {
    fn check(rows: &[(u32, Vec<f32>)], expected: &str) {
        let dir = TempDir::new().unwrap();
        let rows = rows.iter().map(|(row, vector)| Ok((*row, &vector[..])));
        let error = write_segment(dir.path(), "v", 2, rows).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
    check(&[(1, vec![1.0, 2.0]), (2, vec![1.0])], "a vector has 1 components instead of 2");
    check(&[(2, vec![1.0, 2.0]), (2, vec![1.0, 2.0])], "row 2 comes after row 2");
    check(&[(2, vec![f32::NAN, 2.0])], "a vector has a component that is not a usable number");
    check(&[(2, vec![f32::INFINITY, 2.0])], "a vector has a component that is not a usable number");
}

#[test]
fn zero_vectors_have_cosine_zero() {
    let dir = TempDir::new().unwrap();
    let segment = write(&dir, "v", &[(1, vec![-1.0, 0.0]), (2, vec![0.0, 0.0]), (3, vec![1.0, 0.0])]);
    assert_eq!(search(&live(&segment), &[2.0, 0.0], 9, None).unwrap(), [(3, 1.0), (2, 0.0), (1, -1.0)]);
    assert_eq!(search(&live(&segment), &[0.0, 0.0], 2, None).unwrap(), [(1, 0.0), (2, 0.0)]);
    let empty = write(&dir, "empty", &[]);
    assert_eq!(search(&live(&empty), &[1.0; 4], 2, None).unwrap(), []);
}

#[test]
fn a_query_that_does_not_fit_is_an_error() {
    let dir = TempDir::new().unwrap();
    let segment = write(&dir, "v", &[(1, vec![1.0, 0.0])]);
    assert!(matches!(search(&live(&segment), &[1.0], 1, None), Err(VectorError::Dimension { .. })));
    assert!(matches!(search(&live(&segment), &[f32::NAN, 0.0], 1, None), Err(VectorError::Component)));
}

#[test]
fn dead_rows_are_of_one_segment_only() {
    let dir = TempDir::new().unwrap();
    let old = write(&dir, "old", &[(1, vec![1.0, 0.0]), (2, vec![1.0, 0.1])]);
    let new = write(&dir, "new", &[(2, vec![1.0, 0.2])]);
    let dead = RowSet::from_iter([2]);
    let segments = [Live { segment: &old, dead: Some(&dead) }, Live { segment: &new, dead: None }];
    let found = search(&segments, &[1.0, 0.0], 5, None).unwrap();
    assert_eq!(found.iter().map(|&(row, _)| row).collect::<Vec<_>>(), [1, 2]);
    assert!(found[1].1 < 0.99);
}

/// Rows of a small linear congruential generator: clustered, so that many scores lie within the bound.
fn clustered(n: u32, dimension: usize) -> Vec<(u32, Vec<f32>)> {
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32 - 0.5
    };
    let centre: Vec<f32> = (0..dimension).map(|_| random()).collect();
    (0..n).map(|row| (row * 2, centre.iter().map(|x| x + random() / 50.0).collect())).collect()
}

#[test]
fn large_scans_are_exact_with_any_number_of_threads() {
    let dir = TempDir::new().unwrap();
    let rows = clustered(60_000, 24);
    let segment = write(&dir, "v", &rows);
    let query = &rows[777].1;
    let expected = exhaustive(&segment, query, 25, |_| true);
    for n_threads in [1, 2, 5] {
        let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        let found = pool.install(|| search(&live(&segment), query, 25, None)).unwrap();
        assert_eq!(found, expected, "{n_threads} threads");
    }
}

prop_compose! {
    /// Vectors of few values, so that ties, zeros and near-ties are frequent.
    fn vectors()(dimension in 1usize..40)(
        rows in prop::collection::btree_map(0u32..400, prop::collection::vec(prop_oneof![-1f32..1.0, Just(0.0), Just(0.5)], dimension), 1..150),
        query in prop::collection::vec(-1f32..1.0, dimension),
    ) -> (Vec<(u32, Vec<f32>)>, Vec<f32>) {
        (rows.into_iter().collect(), query)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn search_equals_the_exhaustive_scan(
        (rows, query) in vectors(),
        k in 1usize..80,
        filter in prop::option::of(prop::collection::btree_set(0u32..400, 0..200)),
        dead in prop::collection::btree_set(0u32..400, 0..40),
        cut in 0usize..150,
    ) {
        let dir = TempDir::new().unwrap();
        let whole = write(&dir, "whole", &rows);
        let filter: Option<RowSet> = filter.map(|rows| rows.into_iter().collect());
        let dead: RowSet = dead.into_iter().collect();
        let keep = |row| !dead.contains(row) && filter.as_ref().is_none_or(|filter| filter.contains(row));
        let expected = exhaustive(&whole, &query, k, keep);

        let (left, right) = rows.split_at(cut.clamp(1, rows.len()));
        let left = write(&dir, "left", left);
        let halves: Vec<Segment> = std::iter::once(left)
            .chain((!right.is_empty()).then(|| write(&dir, "right", right)))
            .collect();
        let halves: Vec<Live<'_>> = halves.iter().map(|segment| Live { segment, dead: Some(&dead) }).collect();
        let whole = [Live { segment: &whole, dead: Some(&dead) }];
        prop_assert_eq!(&search(&whole, &query, k, filter.as_ref()).unwrap(), &expected);
        prop_assert_eq!(&search(&halves, &query, k, filter.as_ref()).unwrap(), &expected);
        let truth = reference(&rows, &query);
        for (row, score) in expected {
            let (_, cosine) = truth[truth.binary_search_by_key(&row, |&(row, _)| row).unwrap()];
            prop_assert!((f64::from(score) - cosine).abs() < 1e-5, "row {} {} {}", row, score, cosine);
        }
    }

    #[test]
    fn the_bound_holds((rows, query) in vectors(), factor in -12i32..12) {
        let dir = TempDir::new().unwrap();
        let scale = 10f32.powi(factor);
        let rows: Vec<(u32, Vec<f32>)> =
            rows.into_iter().map(|(row, vector)| (row, vector.iter().map(|x| x * scale).collect())).collect();
        let segment = write(&dir, "v", &rows);
        let Some(query) = quantise::Query::new(&query).unwrap() else { return Ok(()) };
        for idx in 0..segment.len() {
            let score = query.score(segment.record(idx), segment.floats_of(idx));
            prop_assert!(query.upper_bound(segment.record(idx)) >= score);
        }
    }
}
