//! Sets of chunk rows: the one currency of filters and deletions in every search mode.
//!
//! A row is the number of a chunk in the store (`u32`, its SQLite rowid). Rows of one document are contiguous, so sets
//! are mostly a few ranges and small as roaring bitmaps.

use std::{
    io,
    ops::{Range, RangeInclusive},
};

use roaring::RoaringBitmap;

/// A set of rows.
///
/// ```
/// use ragctl::store::embedded::rows::RowSet;
///
/// let mut rows = RowSet::from_ranges([1..4, 10..12]);
/// rows.intersect(&RowSet::from_ranges([2..11]));
/// assert_eq!(rows.iter().collect::<Vec<_>>(), [2, 3, 10]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowSet(RoaringBitmap);

impl RowSet {
    /// Makes the empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the union of half-open ranges.
    pub fn from_ranges(ranges: impl IntoIterator<Item = Range<u32>>) -> Self {
        let mut rows = Self::new();
        for range in ranges {
            rows.insert_range(range);
        }
        rows
    }

    /// Adds one row.
    pub fn insert(&mut self, row: u32) {
        self.0.insert(row);
    }

    /// Takes one row out.
    pub fn remove(&mut self, row: u32) {
        self.0.remove(row);
    }

    /// Adds a half-open range of rows.
    pub fn insert_range(&mut self, range: Range<u32>) {
        self.0.insert_range(range);
    }

    /// Whether `row` is in the set.
    pub fn contains(&self, row: u32) -> bool {
        self.0.contains(row)
    }

    /// Number of rows.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Whether no row is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The lowest and the highest row; `None` when empty.
    pub fn bounds(&self) -> Option<(u32, u32)> {
        Some((self.0.min()?, self.0.max()?))
    }

    /// Number of rows within `range`.
    pub fn count_in(&self, range: RangeInclusive<u32>) -> u64 {
        self.0.range_cardinality(range)
    }

    /// Keeps only rows that are also in `other`.
    pub fn intersect(&mut self, other: &Self) {
        self.0 &= &other.0;
    }

    /// Adds all rows of `other`.
    pub fn unite(&mut self, other: &Self) {
        self.0 |= &other.0;
    }

    /// Removes all rows of `other`.
    pub fn subtract(&mut self, other: &Self) {
        self.0 -= &other.0;
    }

    /// The rows, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter()
    }

    /// The rows within `range`, ascending.
    pub fn iter_in(&self, range: RangeInclusive<u32>) -> impl Iterator<Item = u32> + '_ {
        self.0.range(range)
    }

    /// The rows as ranges without gaps, in ascending order.
    pub fn ranges(&self) -> impl Iterator<Item = RangeInclusive<u32>> + '_ {
        let mut rows = self.0.iter().peekable();
        std::iter::from_fn(move || {
            let first = rows.next()?;
            let mut last = first;
            while let Some(next) = rows.next_if(|&row| row - last == 1) {
                last = next;
            }
            Some(first..=last)
        })
    }

    /// Serialises the set in the portable roaring format
    /// (<https://github.com/RoaringBitmap/RoaringFormatSpec>).
    ///
    /// # Stability: stored on disk
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.serialized_size());
        self.0.serialize_into(&mut bytes).expect("writing to a Vec never fails");
        bytes
    }

    /// Reads what [`RowSet::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// When the bytes are not a roaring bitmap or go on after its end.
    pub fn from_bytes(mut bytes: &[u8]) -> io::Result<Self> {
        let rows = RoaringBitmap::deserialize_from(&mut bytes)?;
        if bytes.is_empty() {
            Ok(Self(rows))
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidData, "bytes after the end of a row set"))
        }
    }
}

impl FromIterator<u32> for RowSet {
    fn from_iter<I: IntoIterator<Item = u32>>(rows: I) -> Self {
        Self(rows.into_iter().collect())
    }
}

impl Extend<u32> for RowSet {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, rows: I) {
        self.0.extend(rows);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ranges_have_no_gaps() {
        let ranges = |rows: &RowSet| rows.ranges().collect::<Vec<_>>();
        assert_eq!(ranges(&RowSet::new()), []);
        assert_eq!(ranges(&RowSet::from_ranges([1..3, 3..4, 9..10])), [1..=3, 9..=9]);
        let mut last = RowSet::new();
        last.insert(u32::MAX - 1);
        assert_eq!(ranges(&last), [u32::MAX - 1..=u32::MAX - 1]);
        last.insert(u32::MAX);
        assert_eq!(ranges(&last), [u32::MAX - 1..=u32::MAX]);
    }

    #[test]
    fn damaged_bytes_are_errors() {
        let bytes = RowSet::from_ranges([3..9_000, 70_000..70_002]).to_bytes();
        for end in 0..bytes.len() {
            assert!(RowSet::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
        }
        assert!(RowSet::from_bytes(&[&bytes[..], b"x"].concat()).is_err());
    }

    #[test]
    fn the_highest_row_fits() {
        let mut rows = RowSet::new();
        rows.insert(u32::MAX);
        assert!(rows.contains(u32::MAX));
        assert_eq!(rows.count_in(0..=u32::MAX), 1);
    }

    proptest! {
        #[test]
        fn behaves_as_a_set(a in prop::collection::btree_set(0u32..200_000, 0..60), b in prop::collection::btree_set(0u32..300, 0..60)) {
            let (left, right): (RowSet, RowSet) = (a.iter().copied().collect(), b.iter().copied().collect());
            prop_assert_eq!(left.len(), a.len() as u64);
            prop_assert_eq!(&RowSet::from_bytes(&left.to_bytes()).unwrap(), &left);
            let mut both = left.clone();
            both.intersect(&right);
            prop_assert!(both.iter().eq(a.intersection(&b).copied()));
            let mut all = left.clone();
            all.unite(&right);
            prop_assert!(all.iter().eq(a.union(&b).copied()));
            let mut rest = left;
            rest.subtract(&right);
            prop_assert!(rest.iter().eq(a.difference(&b).copied()));
            let within: BTreeSet<u32> = a.range(100..=5000).copied().collect();
            prop_assert!(all.iter_in(301..=5000).eq(within.range(301..).copied()));
        }
    }
}
