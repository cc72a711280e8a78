//! The file of a static embedding model: vocabulary, one int8 row and one scale a token.
//!
//! Reads the bytes in place: opening costs the same for any vocabulary, because the hash table that finds a token's row
//! is part of the file. Knows nothing of texts ([`crate::bert::wordpiece`]) or of pooling
//! ([`crate::embed::static_model`]). `tools/distill/distill.py` writes the format
//! (called by `tools/train-static/train.py`).
//!
//! # Stability: format 1
//!
//! All numbers are little-endian, nothing is aligned.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | magic, `RAGCTLSV` |
//! | 4 | format version, 1 |
//! | 4 | `d`, dimension |
//! | 4 | id of the first token of the file (the ids before it are special or unused) |
//! | 4 | `n`, number of tokens, at most 65,535 |
//! | 4 | `s`, number of slots, a power of two above `n` |
//! | 4 | `t`, bytes of token text |
//! | 32 | BLAKE3 of the 32 bytes before and of everything after |
//! | 4 n | scales, f32 |
//! | 4 (n + 1) | offsets of the tokens in the text, u32, and the text's end |
//! | 2 s | slots: row number of a token, u16, or 0xFFFF for none |
//! | t | token text, UTF-8, in order of id; the pieces inside a word begin with `##` |
//! | n d | rows, i8; a token's vector is its row times its scale |
//!
//! A token is looked up by its FNV-1a hash `h` (32 bits) at slot `(h ^ h >> 16) mod s`, then by linear probing.

use crate::bert::Damaged;

/// Longest token in bytes that a model file may hold (chosen; BERT's longest has 18). Bounds the work for one piece.
pub(crate) const MAX_TOKEN_BYTES: usize = 32;

const MAGIC: &[u8; 8] = b"RAGCTLSV";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 64;
const DIGEST_BYTES: std::ops::Range<usize> = 32..64;
const NO_ROW: u16 = u16::MAX;

/// A model file, read in place.
#[derive(Debug)]
pub(crate) struct ModelFile<'a> {
    dimension: usize,
    first_id: u32,
    digest: &'a [u8],
    scales: &'a [[u8; 4]],
    offsets: &'a [[u8; 4]],
    slots: &'a [[u8; 2]],
    text: &'a [u8],
    rows: &'a [u8],
}

impl<'a> ModelFile<'a> {
    /// Reads the header of `bytes` and finds the tables; touches nothing else.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when the magic, the version or the length does not fit.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, Damaged> {
        let damaged = Damaged;
        let (header, body) =
            bytes.split_at_checked(HEADER_BYTES).ok_or(damaged("the file is shorter than its header"))?;
        let (words, _) = header[MAGIC.len()..DIGEST_BYTES.start].as_chunks::<4>();
        let &[version, dimension, first_id, n_tokens, n_slots, text_bytes] = words else {
            return Err(damaged("the header has another length"));
        };
        if !header.starts_with(MAGIC) {
            return Err(damaged("it is not a model file"));
        }
        if u32::from_le_bytes(version) != VERSION {
            return Err(damaged("it has another format version"));
        }
        let [dimension, n_tokens, n_slots, text_bytes] =
            [dimension, n_tokens, n_slots, text_bytes].map(|word| u32::from_le_bytes(word) as usize);
        if n_tokens > usize::from(NO_ROW) || n_slots <= n_tokens || !n_slots.is_power_of_two() {
            return Err(damaged("its token table cannot be right"));
        }
        let mut rest = body;
        let mut take = |len: Option<usize>| {
            let (part, tail) = rest.split_at_checked(len?)?;
            rest = tail;
            Some(part)
        };
        let truncated = damaged("it is truncated");
        let tables = (|| {
            Some((
                take(n_tokens.checked_mul(4))?,
                take((n_tokens + 1).checked_mul(4))?,
                take(n_slots.checked_mul(2))?,
                take(Some(text_bytes))?,
                take(n_tokens.checked_mul(dimension))?,
            ))
        })();
        let (scales, offsets, slots, text, rows) = tables.ok_or(truncated)?;
        if !rest.is_empty() {
            return Err(damaged("it has more bytes than its header says"));
        }
        Ok(Self {
            dimension,
            first_id: u32::from_le_bytes(first_id),
            digest: &header[DIGEST_BYTES],
            scales: scales.as_chunks().0,
            offsets: offsets.as_chunks().0,
            slots: slots.as_chunks().0,
            text,
            rows,
        })
    }

    /// Length of every row.
    pub(crate) fn dimension(&self) -> usize {
        self.dimension
    }

    /// BLAKE3 of the whole file but this field, as the file states it (a unit test holds the built-in file to it).
    pub(crate) fn digest(&self) -> &'a [u8] {
        self.digest
    }

    /// The id of the token whose text has `hash` and is `prefix` followed by `rest`.
    ///
    /// `hash` is the [`Fnv`] of the two, which the caller has at hand for every length of `rest`.
    pub(crate) fn token_id(&self, hash: Fnv, prefix: &[u8], rest: &[u8]) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let start = hash.slot();
        for step in 0..self.slots.len() {
            let row = u16::from_le_bytes(self.slots[(start + step) & mask]);
            if row == NO_ROW {
                return None;
            }
            if self.token(usize::from(row)).and_then(|token| token.strip_prefix(prefix)) == Some(rest) {
                return Some(self.first_id + u32::from(row));
            }
        }
        None
    }

    /// The int8 row (as raw bytes) and the scale of a token; `None` for an id outside the file, such as `[UNK]`.
    pub(crate) fn row(&self, id: u32) -> Option<(&'a [u8], f32)> {
        let row = id.checked_sub(self.first_id)? as usize;
        let scale = f32::from_le_bytes(*self.scales.get(row)?);
        let start = row.checked_mul(self.dimension)?;
        Some((self.rows.get(start..start + self.dimension)?, scale))
    }

    /// The text of the token in `row`.
    fn token(&self, row: usize) -> Option<&'a [u8]> {
        let start = u32::from_le_bytes(*self.offsets.get(row)?) as usize;
        let end = u32::from_le_bytes(*self.offsets.get(row + 1)?) as usize;
        self.text.get(start..end)
    }
}

/// FNV-1a, 32 bits (draft-eastlake-fnv): short keys, byte by byte, so that the hashes of all prefixes of a word come out
/// of one pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fnv(u32);

impl Fnv {
    /// The hash of nothing.
    pub(crate) const EMPTY: Self = Self(0x811c_9dc5);

    /// The hash of what was hashed so far and `byte`.
    #[inline]
    pub(crate) const fn with(self, byte: u8) -> Self {
        Self((self.0 ^ byte as u32).wrapping_mul(0x0100_0193))
    }

    fn slot(self) -> usize {
        (self.0 ^ (self.0 >> 16)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of two tokens, `a` and `##b`, with ids 7 and 8 and rows (1, -1) and (2, 3).
    fn tiny_file() -> Vec<u8> {
        let mut slots = [NO_ROW; 4];
        for (row, token) in ["a", "##b"].iter().enumerate() {
            let mut slot = hash(token.as_bytes()).slot() % 4;
            while slots[slot] != NO_ROW {
                slot = (slot + 1) % 4;
            }
            slots[slot] = row as u16;
        }
        let mut bytes = MAGIC.to_vec();
        for word in [VERSION, 2, 7, 2, 4, 4] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend([9; 32]);
        bytes.extend([1f32, 0.5].iter().flat_map(|scale| scale.to_le_bytes()));
        bytes.extend([0u32, 1, 4].iter().flat_map(|offset| offset.to_le_bytes()));
        bytes.extend(slots.iter().flat_map(|slot| slot.to_le_bytes()));
        bytes.extend(b"a##b");
        bytes.extend([1, 0xff, 2, 3]);
        bytes
    }

    fn hash(bytes: &[u8]) -> Fnv {
        bytes.iter().fold(Fnv::EMPTY, |hash, &byte| hash.with(byte))
    }

    #[test]
    fn fnv_gives_the_published_values() {
        let check = |input: &str, expected| assert_eq!(hash(input.as_bytes()), Fnv(expected), "{input}");
        check("", 0x811c_9dc5);
        check("a", 0xe40c_292c);
        check("foobar", 0xbf9c_f968);
    }

    #[test]
    fn a_token_is_found_by_its_text() {
        let bytes = tiny_file();
        let file = ModelFile::parse(&bytes).unwrap();
        let check = |prefix: &str, rest: &str, expected| {
            let hash = hash(format!("{prefix}{rest}").as_bytes());
            assert_eq!(file.token_id(hash, prefix.as_bytes(), rest.as_bytes()), expected, "{prefix}{rest}");
        };
        check("", "a", Some(7));
        check("##", "b", Some(8));
        check("", "b", None);
        check("##", "a", None);
        check("", "", None);
    }

    #[test]
    fn a_row_is_found_by_its_id() {
        let bytes = tiny_file();
        let file = ModelFile::parse(&bytes).unwrap();
        assert_eq!(file.row(6), None);
        assert_eq!(file.row(7), Some((&[1, 0xff][..], 1.0)));
        assert_eq!(file.row(8), Some((&[2, 3][..], 0.5)));
        assert_eq!(file.row(9), None);
        assert_eq!(file.row(u32::MAX), None);
        assert_eq!(file.dimension(), 2);
        assert_eq!(file.digest(), [9; 32]);
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let check = |change: &dyn Fn(&mut Vec<u8>), expected: &str| {
            let mut bytes = tiny_file();
            change(&mut bytes);
            let error = ModelFile::parse(&bytes).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        };
        check(&|bytes| bytes.truncate(63), "shorter than its header");
        check(&|bytes| bytes[0] = b'X', "not a model file");
        check(&|bytes| bytes[8] = 2, "another format version");
        check(&|bytes| bytes.truncate(bytes.len() - 1), "truncated");
        check(&|bytes| bytes.push(0), "more bytes");
        check(&|bytes| bytes[24] = 2, "token table"); // as many slots as tokens: a search would never end
        check(&|bytes| bytes[12..16].fill(0xff), "truncated"); // a dimension of 2^32 - 1
    }
}
