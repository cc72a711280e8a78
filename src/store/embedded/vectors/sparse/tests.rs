//! Tests of segments of sparse vectors.

use std::fs;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::store::embedded::rows::RowSet;

type Rows = Vec<(u32, Vec<TokenWeight>)>;

const DIMENSION: usize = 30;

fn try_write(dir: &TempDir, name: &str, rows: &Rows) -> Result<u64, VectorError> {
    let rows = rows.iter().map(|(row, weights)| Ok((*row, &weights[..])));
    write_segment(dir.path(), name, DIMENSION, rows)
}

fn write(dir: &TempDir, name: &str, rows: &Rows) -> Segment {
    try_write(dir, name, rows).unwrap();
    Segment::open(dir.path(), name).unwrap()
}

fn few_rows() -> Rows {
    vec![(3, vec![(0, 0.25), (7, 1.5)]), (4, vec![]), (90, vec![(7, 0.123_456_7), (29, 12.0)])]
}

#[test]
fn what_is_written_comes_back_as_it_is_kept() {
    let dir = TempDir::new().unwrap();
    let rows = few_rows();
    let segment = write(&dir, "vec-1", &rows);
    assert_eq!((segment.rows().collect::<Vec<_>>(), segment.len()), (vec![3, 4, 90], 3));
    let expected: Vec<_> = rows.iter().map(|(_, it)| Some(Vector::Sparse(as_kept(it.clone())))).collect();
    assert_eq!(segment.vectors(&[3, 4, 90]), expected);
    assert_eq!(segment.vectors(&[90, 5, 90]), [expected[2].clone(), None, expected[2].clone()]);
    segment.verify().unwrap();
    let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, ["vec-1.postings"]);
    let empty = write(&dir, "empty", &vec![]);
    empty.verify().unwrap();
    assert_eq!(search(&[Live { segment: &empty, dead: None }], &[(1, 1.0)], 3, None).unwrap(), []);
}

#[test]
fn weights_are_kept_within_a_2048th() {
    let check = |weight: f32| {
        let found = kept(weight);
        assert!((found - weight).abs() <= weight / 2048.0, "{weight}: {found}");
        assert_eq!(kept(found), found);
    };
    (-120..=120).for_each(|at| check(1.2_f32.powi(at).clamp(4.7e-10, MAX_WEIGHT)));
    (1..10_000).for_each(|at| check(at as f32 * 0.000_7));
    check(MAX_WEIGHT);
    assert_eq!((kept(1.0), kept(0.0), kept(1e-30)), (1.0, kept(1e-20), 2_f32.powi(-31)));
}

#[test]
fn every_cut_is_an_error_and_every_flipped_byte_is_found() {
    let dir = TempDir::new().unwrap();
    drop(write(&dir, "v", &few_rows()));
    let path = path_of(dir.path(), "v");
    let whole = fs::read(&path).unwrap();
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        assert!(Segment::open(dir.path(), "v").is_err(), "cut at {end}");
    }
    fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
    assert!(matches!(Segment::open(dir.path(), "v"), Err(VectorError::Damaged { .. })));
    for at in 0..whole.len() {
        for flip in [1, 0x80] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            fs::write(&path, bytes).unwrap();
            let found = Segment::open(dir.path(), "v").and_then(|segment| {
                // Damage that opening does not see may give wrong answers, and no more.
                let live = [Live { segment: &segment, dead: None }];
                let _ = search(&live, &[(0, 1.0), (7, 1.0), (29, 1.0)], 5, None);
                let _ = search(&live, &[(7, 1.0)], 5, Some(&RowSet::from_iter([90])));
                let _ = search::products_of(&segment, &[(0, 1.0), (7, 1.0)], &[0, 2]);
                let _ = segment.vectors(&[3, 90]);
                segment.verify()
            });
            assert!(found.is_err(), "byte {at}");
        }
    }
    fs::remove_file(&path).unwrap();
    assert!(matches!(Segment::open(dir.path(), "v"), Err(VectorError::Io { .. })));
}

#[test]
fn what_was_never_written_is_found_though_its_stamp_is_right() {
    let check = |change: &dyn Fn(&mut Vec<u8>)| {
        let dir = TempDir::new().unwrap();
        drop(write(&dir, "v", &few_rows()));
        let path = path_of(dir.path(), "v");
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        let mut content = blake3::Hasher::new();
        content.update(&bytes[HEADER_LEN..]);
        let header = Header::parse(&bytes).unwrap().stamped(content);
        bytes[..HEADER_LEN].copy_from_slice(&header.to_bytes());
        fs::write(&path, bytes).unwrap();
        assert!(Segment::open(dir.path(), "v").unwrap().verify().is_err());
    };
    let (tokens, postings) = (HEADER_LEN + 3 * ROW_LEN, HEADER_LEN + 3 * ROW_LEN + 3 * TOKEN_LEN);
    check(&|bytes| bytes[HEADER_LEN] = 200);
    check(&|bytes| bytes[tokens] = 9);
    check(&|bytes| bytes[tokens + 2 * TOKEN_LEN] = 30);
    check(&|bytes| bytes[tokens + 4] = 0);
    check(&|bytes| bytes[tokens + 2 * TOKEN_LEN + 4] = 3);
    check(&|bytes| bytes[postings] = 3);
    check(&|bytes| bytes[postings + 2 * POSTING_LEN] = 0);
}

#[test]
fn bad_rows_leave_nothing_behind() {
    fn check(rows: &[(u32, &[TokenWeight])], expected: &str) {
        let dir = TempDir::new().unwrap();
        let rows: Rows = rows.iter().map(|(row, weights)| (*row, weights.to_vec())).collect();
        assert_eq!(try_write(&dir, "v", &rows).unwrap_err().to_string(), expected);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
    check(&[(1, &[(30, 1.0)])], "a vector has a weight of token 30, and there are 30");
    check(&[(2, &[(1, 1.0)]), (2, &[])], "row 2 comes after row 2");
    check(&[(2, &[(5, 1.0), (5, 1.0)])], "a vector has token 5 after token 5");
    for weight in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        check(&[(2, &[(5, weight)])], "a vector has a component that is not a usable number");
    }
}

#[test]
fn scores_are_bounded_in_the_order_of_the_products() {
    let dir = TempDir::new().unwrap();
    let segment = write(
        &dir,
        "v",
        &vec![(1, vec![(5, 2.0)]), (2, vec![(5, 1.0), (6, 3.0)]), (3, vec![(9, 9.0)]), (4, vec![(5, 64.0)])],
    );
    let live = [Live { segment: &segment, dead: None }];
    // The query's product with itself is 4: as much as that of row 1.
    assert_eq!(search(&live, &[(5, 2.0)], 9, None).unwrap(), [(4, 128.0 / 132.0), (1, 0.5), (2, 2.0 / 6.0)]);
    assert_eq!(search(&live, &[(5, 2.0)], 1, None).unwrap(), [(4, 128.0 / 132.0)]);
    assert_eq!(search(&live, &[], 9, None).unwrap(), []);
    assert!(search(&live, &[(30, 1.0)], 9, None).is_err());
}

/// Dot products in the order of tokens, all of them, without anything of the code under test but the kept weights.
fn exhaustive(rows: &Rows, query: &[TokenWeight], k: usize, keep: impl Fn(u32) -> bool) -> Vec<(u32, f32)> {
    let of_query: f32 = query.iter().map(|(_, it)| it * it).sum();
    let product = |weights: &[TokenWeight]| {
        let of = |token| weights.iter().find(|it| it.0 == token).map(|it| kept(it.1));
        query.iter().filter_map(|(token, weight)| Some(weight * of(*token)?)).fold(0.0, |sum, it| sum + it)
    };
    let mut all: Vec<(u32, f32)> = rows
        .iter()
        .filter(|it| keep(it.0))
        .map(|(row, it)| (*row, product(it)))
        .filter(|it| it.1 > 0.0)
        .collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.truncate(k);
    all.into_iter().map(|(row, it)| (row, it / (it + of_query))).collect()
}

fn weights() -> impl Strategy<Value = Vec<TokenWeight>> {
    // Few values, so that ties are frequent.
    let weight = prop_oneof![0.001f32..4.0, Just(0.5), Just(1.0)];
    prop::collection::btree_map(0..DIMENSION as u32, weight, 0..12).prop_map(|it| it.into_iter().collect())
}

#[test]
fn a_few_rows_of_many_are_looked_up() {
    let dir = TempDir::new().unwrap();
    let rows: Rows =
        (0..2000).map(|row| (row * 3, vec![(row % 7, 1.0), (7 + row % 5, 0.5 + row as f32)])).collect();
    let segment = write(&dir, "v", &rows);
    let live = [Live { segment: &segment, dead: None }];
    let query = [(3, 1.0), (8, 2.0), (9, 0.5)];
    let filter = RowSet::from_iter([9, 10, 300]);
    let expected = exhaustive(&rows, &query, 9, |row| filter.contains(row));
    assert!(!expected.is_empty());
    assert_eq!(search(&live, &query, 9, Some(&filter)).unwrap(), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn search_equals_the_exhaustive_scan(
        rows in prop::collection::btree_map(0u32..300, weights(), 1..120),
        query in weights(),
        k in 1usize..80,
        filter in prop::option::of(prop::collection::btree_set(0u32..300, 0..120)),
        dead in prop::collection::btree_set(0u32..300, 0..40),
        cut in 0usize..120,
    ) {
        let dir = TempDir::new().unwrap();
        let rows: Rows = rows.into_iter().collect();
        let filter: Option<RowSet> = filter.map(|rows| rows.into_iter().collect());
        let dead: RowSet = dead.into_iter().collect();
        let keep = |row| !dead.contains(row) && filter.as_ref().is_none_or(|filter| filter.contains(row));
        let expected = exhaustive(&rows, &query, k, keep);
        let whole = write(&dir, "whole", &rows);
        whole.verify().unwrap();
        let (left, right) = rows.split_at(cut.min(rows.len()));
        let halves = [write(&dir, "left", &left.to_vec()), write(&dir, "right", &right.to_vec())];
        let halves: Vec<Live<'_>> = halves.iter().map(|segment| Live { segment, dead: Some(&dead) }).collect();
        let whole = [Live { segment: &whole, dead: Some(&dead) }];
        let places: Vec<usize> = (0..rows.len()).step_by(2).collect();
        let mut some = search::all_products(whole[0].segment, &query);
        some.retain(|(place, _)| place % 2 == 0);
        prop_assert_eq!(search::products_of(whole[0].segment, &query, &places), some);
        prop_assert_eq!(&search(&whole, &query, k, filter.as_ref()).unwrap(), &expected);
        prop_assert_eq!(&search(&halves, &query, k, filter.as_ref()).unwrap(), &expected);
    }
}
