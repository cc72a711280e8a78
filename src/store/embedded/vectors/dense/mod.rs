//! Segments of dense vectors: exact search by cosine.
//!
//! A segment is three files:
//!
//! | file | after the header |
//! | --- | --- |
//! | `NAME.i8` | a record a row: scale `f32`, error `f32`, inverse norm `f32`, `dimension` signed bytes, zeros up to a multiple of 4 |
//! | `NAME.f32` | `dimension` floats a row, as given |
//! | `NAME.ids` | the row number `u32` of each row, strictly ascending |
//!
//! Each starts with a header of 32 bytes: `RVEC`, the kind (`8`, `f` or `r`), the version (1), two zero bytes, the
//! dimension `u32`, four zero bytes, the number of rows `u64`, and a stamp `u64` over rows and vectors that is the same
//! in all three, so that files of different segments are never mixed.
//!
//! [`search()`] scans the bytes and rescores in `f32` until the error bound stored with each row proves the result equal
//! to an exhaustive `f32` scan (see [`quantise`]).
//!
//! # Stability: stored since format 1

mod quantise;
mod search;
mod write;

use std::path::{Path, PathBuf};

use memmap2::Mmap;

pub use search::search;
pub use write::write_segment;

use super::{VectorError, file};

/// A dense segment with its deleted rows.
pub type Live<'a> = super::Live<'a, Segment>;

/// Largest number of components of a vector: `127 * 127 * dimension` fits an `i32`.
pub const MAX_DIMENSION: usize = 65_535;

/// Largest absolute component: squares and sums of [`MAX_DIMENSION`] of them stay finite in `f32`.
pub const MAX_COMPONENT: f32 = 1e15;

const HEADER_LEN: usize = 32;
const MAGIC: &[u8; 4] = b"RVEC";
const VERSION: u8 = 1;
/// Scale, error and inverse norm before the bytes of a row in `NAME.i8`.
const ROW_HEAD_LEN: usize = 12;

/// The kinds of file of a segment.
#[derive(Clone, Copy)]
enum Kind {
    Bytes,
    Floats,
    Rows,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Bytes, Self::Floats, Self::Rows];

    fn tag(self) -> u8 {
        match self {
            Self::Bytes => b'8',
            Self::Floats => b'f',
            Self::Rows => b'r',
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Bytes => "i8",
            Self::Floats => "f32",
            Self::Rows => "ids",
        }
    }

    fn path(self, dir: &Path, name: &str) -> PathBuf {
        dir.join(format!("{name}.{}", self.extension()))
    }

    /// Bytes a row takes after the header.
    fn row_len(self, dimension: usize) -> usize {
        match self {
            Self::Bytes => ROW_HEAD_LEN + dimension.next_multiple_of(4),
            Self::Floats => 4 * dimension,
            Self::Rows => 4,
        }
    }
}

/// What stands at the start of each file of a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Header {
    dimension: u32,
    n_rows: u64,
    stamp: u64,
}

impl Header {
    fn to_bytes(self, kind: Kind) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..4].copy_from_slice(MAGIC);
        bytes[4] = kind.tag();
        bytes[5] = VERSION;
        bytes[8..12].copy_from_slice(&self.dimension.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.n_rows.to_le_bytes());
        bytes[24..].copy_from_slice(&self.stamp.to_le_bytes());
        bytes
    }

    fn parse(bytes: &[u8], kind: Kind) -> Result<Self, &'static str> {
        let bytes: &[u8; HEADER_LEN] = bytes.first_chunk().ok_or("shorter than its header")?;
        if &bytes[..4] != MAGIC || bytes[4] != kind.tag() {
            return Err("not a vector file of this kind");
        }
        if bytes[5] != VERSION {
            return Err("written by another version of the format");
        }
        let header = Self {
            dimension: u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]),
            n_rows: u64_at(bytes, 16),
            stamp: u64_at(bytes, 24),
        };
        if header.dimension == 0 || header.dimension as usize > MAX_DIMENSION {
            return Err("impossible dimension");
        }
        Ok(header)
    }
}

/// An open segment. Cheap to open; pages come in as they are scanned.
#[derive(Debug)]
pub struct Segment {
    dir: PathBuf,
    name: String,
    dimension: usize,
    n_rows: usize,
    stamp: u64,
    bytes: Mmap,
    floats: Mmap,
    rows: Mmap,
}

impl Segment {
    /// Opens the segment `name` in `dir`.
    ///
    /// # Errors
    ///
    /// [`VectorError::Io`] when a file is missing or unreadable, [`VectorError::Damaged`] when one is cut short, too
    /// long, of another version, or does not belong to the others.
    pub fn open(dir: &Path, name: &str) -> Result<Self, VectorError> {
        let (bytes, header) = open_file(dir, name, Kind::Bytes)?;
        let (floats, of_floats) = open_file(dir, name, Kind::Floats)?;
        let (rows, of_rows) = open_file(dir, name, Kind::Rows)?;
        for (kind, other) in [(Kind::Floats, of_floats), (Kind::Rows, of_rows)] {
            if other != header {
                return Err(damaged(dir, name, kind, "belongs to another segment"));
            }
        }
        Ok(Self {
            dir: dir.to_owned(),
            name: name.to_owned(),
            dimension: header.dimension as usize,
            // The lengths of the mapped files prove that the number of rows fits.
            n_rows: header.n_rows as usize,
            stamp: header.stamp,
            bytes,
            floats,
            rows,
        })
    }

    /// Number of components of each vector.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Number of rows, deleted ones included.
    pub fn len(&self) -> usize {
        self.n_rows
    }

    /// Whether the segment holds no row.
    pub fn is_empty(&self) -> bool {
        self.n_rows == 0
    }

    /// The row numbers, ascending.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        (0..self.n_rows).map(|idx| self.row(idx))
    }

    /// The vector of `row`, as it was given.
    pub fn vector(&self, row: u32) -> Option<Vec<f32>> {
        let floats = self.floats_of(self.find(row)?).chunks_exact(4);
        Some(floats.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }

    /// Reads all three files and checks every value against what writing the vectors again would give.
    ///
    /// # Errors
    ///
    /// [`VectorError::Damaged`] with the first file that is wrong.
    pub fn verify(&self) -> Result<(), VectorError> {
        let mut stamp = write::Stamp::default();
        let mut record = Vec::new();
        for idx in 0..self.n_rows {
            if idx > 0 && self.row(idx) <= self.row(idx - 1) {
                return Err(damaged(&self.dir, &self.name, Kind::Rows, "rows are out of order"));
            }
            let floats = self.floats_of(idx).chunks_exact(4);
            let vector: Vec<f32> = floats.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
            if quantise::check(&vector).is_err() {
                return Err(damaged(
                    &self.dir,
                    &self.name,
                    Kind::Floats,
                    "holds a value that is no usable number",
                ));
            }
            stamp.add(self.row(idx), self.floats_of(idx));
            record.clear();
            quantise::write_record(&vector, &mut record);
            if record != self.record(idx) {
                return Err(damaged(&self.dir, &self.name, Kind::Bytes, "does not follow from the vectors"));
            }
        }
        if stamp.value() == self.stamp {
            Ok(())
        } else {
            Err(damaged(&self.dir, &self.name, Kind::Floats, "the content does not fit its stamp"))
        }
    }

    fn row(&self, idx: usize) -> u32 {
        let at = HEADER_LEN + 4 * idx;
        u32::from_le_bytes([self.rows[at], self.rows[at + 1], self.rows[at + 2], self.rows[at + 3]])
    }

    /// Index of `row`, by binary search.
    fn find(&self, row: u32) -> Option<usize> {
        let (mut low, mut high) = (0, self.n_rows);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.row(middle).cmp(&row) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn record(&self, idx: usize) -> &[u8] {
        let len = Kind::Bytes.row_len(self.dimension);
        &self.bytes[HEADER_LEN + idx * len..][..len]
    }

    fn floats_of(&self, idx: usize) -> &[u8] {
        let len = Kind::Floats.row_len(self.dimension);
        &self.floats[HEADER_LEN + idx * len..][..len]
    }
}

fn open_file(dir: &Path, name: &str, kind: Kind) -> Result<(Mmap, Header), VectorError> {
    let path = kind.path(dir, name);
    let map = file::map(&path)?;
    let check = Header::parse(&map, kind).and_then(|header| {
        let row_len = kind.row_len(header.dimension as usize) as u64;
        let expected = header.n_rows.checked_mul(row_len).and_then(|len| len.checked_add(HEADER_LEN as u64));
        match expected.map(|expected| expected.cmp(&(map.len() as u64))) {
            Some(std::cmp::Ordering::Equal) => Ok(header),
            Some(std::cmp::Ordering::Less) => Err("longer than its header says"),
            Some(std::cmp::Ordering::Greater) | None => Err("cut short"),
        }
    });
    match check {
        Ok(header) => Ok((map, header)),
        Err(reason) => Err(VectorError::Damaged { path, reason }),
    }
}

fn damaged(dir: &Path, name: &str, kind: Kind, reason: &'static str) -> VectorError {
    VectorError::Damaged { path: kind.path(dir, name), reason }
}

fn u64_at(bytes: &[u8; HEADER_LEN], at: usize) -> u64 {
    let mut value = [0; 8];
    value.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(value)
}

#[cfg(test)]
mod tests;
