//! Vector segments: exact search over memory-mapped files, without an index to build or load.
//!
//! A segment is a set of files that are written once and never changed, all integers and floats little-endian. Dense vectors
//! ([`dense`]) and sparse ones ([`sparse`]) have formats of their own behind one interface: [`write_segment`],
//! [`Segment`], [`search()`]. Opening checks headers and lengths and costs microseconds; [`Segment::verify`] reads
//! everything. Results do not depend on the number of threads, nor on how rows are spread over segments.
//!
//! # Stability: stored in format 3

pub mod dense;
mod file;
pub mod sparse;

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::content::{Vector, VectorKind, VectorRef};
use crate::store::embedded::rows::RowSet;

pub use dense::{MAX_COMPONENT, MAX_DIMENSION};

/// Why vectors cannot be written, opened or searched.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    /// A file cannot be read or written.
    #[error("cannot {action} '{}'", path.display())]
    Io {
        /// What was tried: "open", "write", …
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file is not what the format says.
    #[error("'{}' is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A vector has the wrong number of components.
    #[error("a vector has {actual} components instead of {expected}")]
    Dimension {
        /// The segment's dimension.
        expected: usize,
        /// The vector's.
        actual: usize,
    },
    /// A component is infinite, not a number or larger than [`MAX_COMPONENT`], or a weight is not above zero.
    #[error("a vector has a component that is not a usable number")]
    Component,
    /// Rows were not given in strictly ascending order.
    #[error("row {row} comes after row {previous}")]
    Order {
        /// The row before.
        previous: u32,
        /// The row that is not greater.
        row: u32,
    },
    /// A sparse vector has a weight of a token that the vocabulary does not have.
    #[error("a vector has a weight of token {token}, and there are {n_tokens}")]
    Token {
        /// The token.
        token: u32,
        /// Size of the vocabulary.
        n_tokens: usize,
    },
    /// The tokens of a sparse vector were not given in strictly ascending order.
    #[error("a vector has token {token} after token {previous}")]
    TokenOrder {
        /// The token before.
        previous: u32,
        /// The token that is not greater.
        token: u32,
    },
    /// A vector is of another kind than the segment's.
    #[error("a vector is {}, and those that are stored are {}", actual.name(), expected.name())]
    Kind {
        /// The segment's kind.
        expected: VectorKind,
        /// The vector's.
        actual: VectorKind,
    },
}

/// An open segment. Cheap to open; pages come in as they are read.
#[derive(Debug)]
pub enum Segment {
    /// Of dense vectors.
    Dense(dense::Segment),
    /// Of sparse vectors.
    Sparse(sparse::Segment),
}

impl Segment {
    /// Opens the segment `name` in `dir`, which holds vectors of this kind.
    ///
    /// # Errors
    ///
    /// [`VectorError::Io`] when a file is missing or unreadable, [`VectorError::Damaged`] when one is cut short, too
    /// long, of another version, or does not belong to the others.
    pub fn open(dir: &Path, name: &str, kind: VectorKind) -> Result<Self, VectorError> {
        match kind {
            VectorKind::Dense => dense::Segment::open(dir, name).map(Self::Dense),
            VectorKind::Sparse => sparse::Segment::open(dir, name).map(Self::Sparse),
        }
    }

    /// Number of rows, deleted ones included.
    pub fn len(&self) -> usize {
        match self {
            Self::Dense(segment) => segment.len(),
            Self::Sparse(segment) => segment.len(),
        }
    }

    /// Whether the segment holds no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row numbers, ascending.
    pub fn rows(&self) -> Vec<u32> {
        match self {
            Self::Dense(segment) => segment.rows().collect(),
            Self::Sparse(segment) => segment.rows().collect(),
        }
    }

    /// The vectors of `rows`, in their order: dense ones as they were given, sparse ones as they are kept ([`sparse`]); `None` for a
    /// row that the segment does not hold.
    pub fn vectors(&self, rows: &[u32]) -> Vec<Option<Vector>> {
        match self {
            Self::Dense(segment) => rows.iter().map(|&row| segment.vector(row).map(Vector::Dense)).collect(),
            Self::Sparse(segment) => segment.vectors(rows),
        }
    }

    /// Reads all files and checks every value against what writing the vectors again would give.
    ///
    /// # Errors
    ///
    /// [`VectorError::Damaged`] with the first file that is wrong.
    pub fn verify(&self) -> Result<(), VectorError> {
        match self {
            Self::Dense(segment) => segment.verify(),
            Self::Sparse(segment) => segment.verify(),
        }
    }
}

/// The vector as a segment keeps it.
#[must_use]
pub fn as_kept(vector: Vector) -> Vector {
    match vector {
        Vector::Sparse(weights) => Vector::Sparse(sparse::as_kept(weights)),
        dense => dense,
    }
}

/// Writes the segment `name` into `dir`: under temporary names first, synced, then renamed, then the folder synced.
///
/// `rows` gives strictly ascending row numbers, each with a vector of `kind` and `dimension` (of a sparse one, the size of the
/// vocabulary). Returns the number of rows. The caller holds the index's writer lock, so that no other process writes the
/// same names.
///
/// # Errors
///
/// [`VectorError::Kind`], [`VectorError::Dimension`], [`VectorError::Component`], [`VectorError::Order`], [`VectorError::Token`] or
/// [`VectorError::TokenOrder`] for rows that do not fit, [`VectorError::Io`] when the files cannot be written. Nothing is left behind then.
pub fn write_segment(
    dir: &Path,
    name: &str,
    kind: VectorKind,
    dimension: usize,
    rows: impl IntoIterator<Item = (u32, Vector)>,
) -> Result<u64, VectorError> {
    let wrong = |vector: &Vector| VectorError::Kind { expected: kind, actual: vector.as_ref().kind() };
    match kind {
        VectorKind::Dense => {
            let rows = rows.into_iter().map(|(row, vector)| match vector {
                Vector::Dense(values) => Ok((row, values)),
                other => Err(wrong(&other)),
            });
            dense::write_segment(dir, name, dimension, rows)
        }
        VectorKind::Sparse => {
            let rows = rows.into_iter().map(|(row, vector)| match vector {
                Vector::Sparse(weights) => Ok((row, weights)),
                other => Err(wrong(&other)),
            });
            sparse::write_segment(dir, name, dimension, rows)
        }
    }
}

/// A segment with its deleted rows.
#[derive(Debug)]
pub struct Live<'a, S = Segment> {
    /// The segment.
    pub segment: &'a S,
    /// Rows of the segment that are no longer there. Kept per segment, since a row number can come back in a later one.
    pub dead: Option<&'a RowSet>,
}

/// Finds the `k` rows that are nearest to `query`, best first, equal scores by ascending row, among those that are not dead and
/// are in `filter` (all rows without one): by cosine ([`dense::search()`]), or by dot product, without rows that share no token with
/// the query ([`sparse::search()`]).
///
/// # Errors
///
/// [`VectorError::Kind`], [`VectorError::Dimension`] or [`VectorError::Token`] when the query does not fit a segment,
/// [`VectorError::Component`] when it holds a value that is not a usable number.
pub fn search(
    segments: &[Live<'_>],
    query: VectorRef<'_>,
    k: usize,
    filter: Option<&RowSet>,
) -> Result<Vec<(u32, f32)>, VectorError> {
    match query {
        VectorRef::Dense(query) => {
            let segments = of_kind(segments, VectorKind::Dense, |it| match it {
                Segment::Dense(segment) => Some(segment),
                Segment::Sparse(_) => None,
            })?;
            dense::search(&segments, query, k, filter)
        }
        VectorRef::Sparse(query) => {
            let segments = of_kind(segments, VectorKind::Sparse, |it| match it {
                Segment::Sparse(segment) => Some(segment),
                Segment::Dense(_) => None,
            })?;
            sparse::search(&segments, query, k, filter)
        }
    }
}

/// The segments as those of the query's kind, which all must be.
fn of_kind<'a, S>(
    segments: &[Live<'a>],
    of_query: VectorKind,
    pick: impl Fn(&'a Segment) -> Option<&'a S>,
) -> Result<Vec<Live<'a, S>>, VectorError> {
    let picked = segments.iter().map(|live| Some(Live { segment: pick(live.segment)?, dead: live.dead }));
    let other = match of_query {
        VectorKind::Dense => VectorKind::Sparse,
        VectorKind::Sparse => VectorKind::Dense,
    };
    picked.collect::<Option<Vec<_>>>().ok_or(VectorError::Kind { expected: other, actual: of_query })
}

/// The best `k` by descending score, then ascending row.
fn best(mut scored: Vec<(u32, f32)>, k: usize) -> Vec<(u32, f32)> {
    let order = |a: &(u32, f32), b: &(u32, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if k < scored.len() {
        scored.select_nth_unstable_by(k, order);
        scored.truncate(k);
    }
    scored.sort_unstable_by(order);
    scored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_do_not_mix() {
        let dir = tempfile::tempdir().unwrap();
        let (dense, sparse) = (Vector::Dense(vec![1.0, 0.0]), Vector::Sparse(vec![(1, 1.0)]));
        for (kind, fits, other) in
            [(VectorKind::Dense, &dense, &sparse), (VectorKind::Sparse, &sparse, &dense)]
        {
            let name = kind.name();
            let refused = write_segment(dir.path(), name, kind, 2, [(1, other.clone())]).unwrap_err();
            assert!(matches!(refused, VectorError::Kind { .. }), "{refused}");
            assert_eq!(write_segment(dir.path(), name, kind, 2, [(1, fits.clone())]).unwrap(), 1);
            let segment = Segment::open(dir.path(), name, kind).unwrap();
            assert_eq!((segment.rows(), segment.vectors(&[2, 1])), (vec![1], vec![None, Some(fits.clone())]));
            segment.verify().unwrap();
            let live = [Live { segment: &segment, dead: None }];
            assert_eq!(search(&live, fits.as_ref(), 1, None).unwrap().len(), 1);
            let refused = search(&live, other.as_ref(), 1, None).unwrap_err();
            assert!(refused.to_string().starts_with("a vector is "), "{refused}");
        }
    }
}
