//! Segments of sparse vectors: an inverted index, and exact search by dot product.
//!
//! A segment is one file, `NAME.postings`: a header of 40 bytes, then
//!
//! | what | each |
//! | --- | --- |
//! | rows | the row number `u32`, strictly ascending; its place in this list is what postings name |
//! | tokens | the token `u32`, strictly ascending, and where its postings end `u64`, counted in postings |
//! | postings | for each token the rows that give it a weight: the place `u32`, strictly ascending, and the weight `u16` |
//!
//! The header: `RVEC`, the kind (`s`), the version (1), two zero bytes, the size of the vocabulary `u32`, the number of
//! tokens `u32`, of rows `u64` and of postings `u64`, and a stamp `u64` over everything else.
//!
//! A weight is kept as a number of ten binary digits behind the first: within 1/2048 of what was given ([`kept`]), whatever
//! segment it stands in. As weights are positive, so is a dot product.
//!
//! # Stability: stored since format 3

mod search;
mod write;

use std::ops::Range;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

pub use search::search;
pub use write::write_segment;

use super::{MAX_DIMENSION, VectorError, file};
use crate::content::{TokenWeight, Vector};

/// A sparse segment with its deleted rows.
pub type Live<'a> = super::Live<'a, Segment>;

/// Largest weight: what [`kept`] can keep.
pub const MAX_WEIGHT: f32 = 4_294_967_296.0;

/// Largest vocabulary; several times that of multilingual models.
const MAX_TOKENS: usize = 1 << 24;
const _: () = assert!(MAX_DIMENSION < MAX_TOKENS);

const EXTENSION: &str = "postings";
const HEADER_LEN: usize = 40;
const MAGIC: &[u8; 4] = b"RVEC";
const KIND: u8 = b's';
const VERSION: u8 = 1;
const ROW_LEN: usize = 4;
const TOKEN_LEN: usize = 12;
const POSTING_LEN: usize = 6;

/// Exponents start at that of 2^-31: what is smaller counts as that.
const FIRST_CODE: u32 = 96 << 10;

/// The code of a weight above zero: six bits of exponent and ten of fraction, rounded to the nearest.
fn code_of(weight: f32) -> u16 {
    let nearest = (weight.to_bits() + 0x1000) >> 13;
    u16::try_from(nearest.saturating_sub(FIRST_CODE)).unwrap_or(u16::MAX)
}

/// The weight behind a code.
fn weight_of(code: u16) -> f32 {
    f32::from_bits((u32::from(code) + FIRST_CODE) << 13)
}

/// A weight as it is kept: within 1/2048 of it from 2^-31 to [`MAX_WEIGHT`].
pub fn kept(weight: f32) -> f32 {
    weight_of(code_of(weight))
}

/// A vector as it is kept.
pub(super) fn as_kept(mut weights: Vec<TokenWeight>) -> Vec<TokenWeight> {
    weights.iter_mut().for_each(|(_, weight)| *weight = kept(*weight));
    weights
}

/// Checks that a vector can be kept, or asked with.
fn check(weights: &[TokenWeight], dimension: usize) -> Result<(), VectorError> {
    let mut previous = None;
    for &(token, weight) in weights {
        if token as usize >= dimension {
            return Err(VectorError::Token { token, n_tokens: dimension });
        }
        if let Some(previous) = previous.filter(|&previous| token <= previous) {
            return Err(VectorError::TokenOrder { previous, token });
        }
        if !(weight > 0.0 && weight <= MAX_WEIGHT) {
            return Err(VectorError::Component);
        }
        previous = Some(token);
    }
    Ok(())
}

/// What stands at the start of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Header {
    dimension: u32,
    n_tokens: u32,
    n_rows: u64,
    n_postings: u64,
    stamp: u64,
}

impl Header {
    fn to_bytes(self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..4].copy_from_slice(MAGIC);
        bytes[4] = KIND;
        bytes[5] = VERSION;
        bytes[8..12].copy_from_slice(&self.dimension.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.n_tokens.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.n_rows.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.n_postings.to_le_bytes());
        bytes[32..].copy_from_slice(&self.stamp.to_le_bytes());
        bytes
    }

    /// With the stamp over the header and `content`, a hash over what stands behind it.
    fn stamped(self, mut content: blake3::Hasher) -> Self {
        content.update(&Self { stamp: 0, ..self }.to_bytes());
        Self { stamp: file::stamp(&content), ..self }
    }

    fn parse(bytes: &[u8]) -> Result<Self, &'static str> {
        let bytes: &[u8; HEADER_LEN] = bytes.first_chunk().ok_or("shorter than its header")?;
        if &bytes[..4] != MAGIC || bytes[4] != KIND {
            return Err("not a vector file of this kind");
        }
        if bytes[5] != VERSION {
            return Err("written by another version of the format");
        }
        let header = Self {
            dimension: u32_at(bytes, 8),
            n_tokens: u32_at(bytes, 12),
            n_rows: u64_at(bytes, 16),
            n_postings: u64_at(bytes, 24),
            stamp: u64_at(bytes, 32),
        };
        let is_possible = (1..=MAX_TOKENS).contains(&(header.dimension as usize));
        if is_possible && header.to_bytes() == *bytes { Ok(header) } else { Err("impossible header") }
    }

    /// Length of the whole file; `None` for one that no file can have.
    fn file_len(&self) -> Option<u64> {
        let rows = self.n_rows.checked_mul(ROW_LEN as u64)?;
        let tokens = u64::from(self.n_tokens).checked_mul(TOKEN_LEN as u64)?;
        let postings = self.n_postings.checked_mul(POSTING_LEN as u64)?;
        rows.checked_add(tokens)?.checked_add(postings)?.checked_add(HEADER_LEN as u64)
    }
}

/// An open segment of sparse vectors.
#[derive(Debug)]
pub struct Segment {
    path: PathBuf,
    header: Header,
    map: Mmap,
    /// Bytes of the map with rows, tokens and postings.
    rows: Range<usize>,
    tokens: Range<usize>,
    postings: Range<usize>,
}

impl Segment {
    /// Opens the segment `name` in `dir`.
    ///
    /// # Errors
    ///
    /// [`VectorError::Io`] when the file is missing or unreadable, [`VectorError::Damaged`] when it is cut short, too long or of
    /// another version.
    pub fn open(dir: &Path, name: &str) -> Result<Self, VectorError> {
        let path = path_of(dir, name);
        let map = file::map(&path)?;
        let header = Header::parse(&map).and_then(|header| {
            match header.file_len().map(|expected| expected.cmp(&(map.len() as u64))) {
                Some(std::cmp::Ordering::Equal) => Ok(header),
                Some(std::cmp::Ordering::Less) => Err("longer than its header says"),
                Some(std::cmp::Ordering::Greater) | None => Err("cut short"),
            }
        });
        match header {
            Err(reason) => Err(VectorError::Damaged { path, reason }),
            Ok(header) => {
                // The length of the mapped file proves that all of these fit.
                let rows = HEADER_LEN..HEADER_LEN + header.n_rows as usize * ROW_LEN;
                let tokens = rows.end..rows.end + header.n_tokens as usize * TOKEN_LEN;
                let postings = tokens.end..map.len();
                Ok(Self { path, header, map, rows, tokens, postings })
            }
        }
    }

    /// Size of the vocabulary.
    pub fn dimension(&self) -> usize {
        self.header.dimension as usize
    }

    /// Number of rows, deleted ones included.
    pub fn len(&self) -> usize {
        self.rows.len() / ROW_LEN
    }

    /// Whether the segment holds no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row numbers, ascending.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.row_chunks().iter().map(|it| u32::from_le_bytes(*it))
    }

    /// The vectors of `rows`, in their order, as they are kept; `None` for a row that the segment does not hold. Reads the
    /// whole file, once for all of them.
    pub fn vectors(&self, rows: &[u32]) -> Vec<Option<Vector>> {
        const NOT_ASKED_FOR: u32 = u32::MAX;
        let mut slots = vec![NOT_ASKED_FOR; self.len()];
        let mut found: Vec<Vec<TokenWeight>> = Vec::new();
        let slot_of_row: Vec<Option<usize>> = rows
            .iter()
            .map(|&row| {
                let place = self.find(row)?;
                if slots[place] == NOT_ASKED_FOR {
                    slots[place] = found.len() as u32;
                    found.push(Vec::new());
                }
                Some(slots[place] as usize)
            })
            .collect();
        for at in 0..self.header.n_tokens as usize {
            let (token, postings) = self.token(at);
            for (place, code) in postings.iter().map(posting) {
                let slot = slots.get(place as usize).and_then(|&slot| found.get_mut(slot as usize));
                if let Some(weights) = slot {
                    weights.push((token, weight_of(code)));
                }
            }
        }
        slot_of_row.into_iter().map(|slot| slot.map(|slot| Vector::Sparse(found[slot].clone()))).collect()
    }

    /// Reads the whole file and checks that it is what writing can give.
    ///
    /// # Errors
    ///
    /// [`VectorError::Damaged`] with what is wrong.
    pub fn verify(&self) -> Result<(), VectorError> {
        let damaged = |reason| Err(VectorError::Damaged { path: self.path.clone(), reason });
        let mut content = blake3::Hasher::new();
        content.update(&self.map[HEADER_LEN..]);
        if self.header.stamped(content) != self.header {
            return damaged("the content does not fit its stamp");
        }
        if !self.rows().is_sorted_by(|a, b| a < b) {
            return damaged("rows are out of order");
        }
        let mut previous = None;
        for at in 0..self.header.n_tokens as usize {
            let (token, postings) = self.token(at);
            let places = || postings.iter().map(|it| posting(it).0);
            let is_right = previous < Some(token)
                && (token as usize) < self.dimension()
                && !postings.is_empty()
                && places().is_sorted_by(|a, b| a < b)
                && places().all(|it| (it as usize) < self.len());
            if !is_right {
                return damaged("the postings of a token are out of order");
            }
            previous = Some(token);
        }
        let n_postings =
            (0..self.header.n_tokens as usize).map(|at| self.token(at).1.len() as u64).sum::<u64>();
        if n_postings == self.header.n_postings { Ok(()) } else { damaged("postings belong to no token") }
    }

    fn row_chunks(&self) -> &[[u8; ROW_LEN]] {
        self.map[self.rows.clone()].as_chunks().0
    }

    fn row(&self, place: usize) -> u32 {
        u32::from_le_bytes(self.row_chunks()[place])
    }

    /// Place of `row`.
    fn find(&self, row: u32) -> Option<usize> {
        self.row_chunks().binary_search_by_key(&row, |it| u32::from_le_bytes(*it)).ok()
    }

    fn token_chunks(&self) -> &[[u8; TOKEN_LEN]] {
        self.map[self.tokens.clone()].as_chunks().0
    }

    /// The token at an index, with its postings; without any where the file is damaged.
    fn token(&self, at: usize) -> (u32, &[[u8; POSTING_LEN]]) {
        let tokens = self.token_chunks();
        let end_of = |at: usize| usize::try_from(u64_at(&tokens[at], 4)).unwrap_or(usize::MAX);
        let start = at.checked_sub(1).map_or(0, end_of);
        let postings = self.map[self.postings.clone()].as_chunks().0;
        (u32_at(&tokens[at], 0), postings.get(start..end_of(at)).unwrap_or_default())
    }

    /// The postings of a token.
    fn postings_of(&self, token: u32) -> &[[u8; POSTING_LEN]] {
        let found = self.token_chunks().binary_search_by_key(&token, |it| u32_at(it, 0));
        found.map_or(&[], |at| self.token(at).1)
    }
}

fn path_of(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}.{EXTENSION}"))
}

/// Place and code of a posting.
fn posting(bytes: &[u8; POSTING_LEN]) -> (u32, u16) {
    (u32_at(bytes, 0), u16::from_le_bytes([bytes[4], bytes[5]]))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

#[cfg(test)]
mod tests;
