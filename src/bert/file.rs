//! The file of a built-in encoder: a table of tokens, and int8 matrices with one scale a row.
//!
//! Matrices are used where they lie in the program; opening copies scales, biases and normalisations, less than a megabyte.
//! `tools/minilm/convert.py` writes the format.
//!
//! # Stability: format 1
//!
//! All numbers are little-endian, nothing is aligned.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | magic, `RAGCTLBE` |
//! | 4 | format version, 1 |
//! | 4 | number of layers |
//! | 4 | number of heads |
//! | 4 | `w`, width of the vectors |
//! | 4 | `i`, width inside the feed-forward layers |
//! | 4 | `p`, number of positions |
//! | 4 | `t`, bytes of the table of tokens |
//! | 4 | epsilon of the normalisations, f32 |
//! | 32 | BLAKE3 of the 40 bytes before and of everything after |
//! | t | the table of tokens, a file as [`crate::bert::table`] describes it, of dimension `w` |
//! | 4 p w | vectors of the positions, f32 |
//! | 8 w | weight and bias of the first normalisation, f32 |
//! | | then for each layer: |
//! | | matrix `3 w` x `w`, queries, keys and values |
//! | | matrix `w` x `w`, the attention's output; its normalisation |
//! | | matrix `i` x `w`; matrix `w` x `i`; their normalisation |
//!
//! A matrix of `n` rows and `k` columns is `n` scales (f32), `n` biases (f32) and `n k` int8 values.

use crate::bert::Damaged;
use crate::bert::cpu::Cpu;
use crate::bert::encoder::{Encoder, Layer, Norm};
use crate::bert::matrix::Matrix;
use crate::bert::table::ModelFile;

const MAGIC: &[u8; 8] = b"RAGCTLBE";
const VERSION: u32 = 1;
const DIGEST: std::ops::Range<usize> = 40..72;

/// An opened file.
#[derive(Debug)]
pub(crate) struct EncoderFile {
    /// The table of tokens.
    pub(crate) tokens: ModelFile<'static>,
    /// The layers.
    pub(crate) encoder: Encoder,
    /// BLAKE3 of the whole file but this field, as the file states it (a unit test holds the built-in file to it).
    pub(crate) digest: &'static [u8],
}

impl EncoderFile {
    /// Reads `bytes`.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when they are not what the format says.
    pub(crate) fn parse(bytes: &'static [u8]) -> Result<Self, Damaged> {
        let damaged = Damaged;
        let (header, body) =
            bytes.split_at_checked(DIGEST.end).ok_or(damaged("the file is shorter than its header"))?;
        let (words, _) = header[MAGIC.len()..DIGEST.start].as_chunks::<4>();
        let &[version, n_layers, n_heads, width, inner, n_positions, table_bytes, epsilon] = words else {
            return Err(damaged("the header has another length"));
        };
        if !header.starts_with(MAGIC) {
            return Err(damaged("it is not the file of an encoder"));
        }
        if u32::from_le_bytes(version) != VERSION {
            return Err(damaged("it has another format version"));
        }
        let [n_layers, n_heads, width, inner, n_positions, table_bytes] =
            [n_layers, n_heads, width, inner, n_positions, table_bytes]
                .map(|word| u32::from_le_bytes(word) as usize);
        if n_heads == 0 || width == 0 || width % n_heads != 0 {
            return Err(damaged("its heads do not divide its width"));
        }
        let mut parts = Parts { rest: body };
        let table = parts.take(table_bytes).ok_or(damaged("it is truncated"))?;
        let tokens = ModelFile::parse(table)?;
        if tokens.dimension() != width {
            return Err(damaged("its tokens have another width"));
        }
        let epsilon = f32::from_le_bytes(epsilon);
        let encoder = parts
            .encoder(n_layers, n_heads, width, inner, n_positions, epsilon)
            .ok_or(damaged("it is truncated"))?;
        if !parts.rest.is_empty() {
            return Err(damaged("it has more bytes than its header says"));
        }
        Ok(Self { tokens, encoder, digest: &header[DIGEST] })
    }
}

/// What is left to read.
struct Parts {
    rest: &'static [u8],
}

impl Parts {
    fn take(&mut self, len: usize) -> Option<&'static [u8]> {
        let (part, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(part)
    }

    fn floats(&mut self, n: usize) -> Option<Vec<f32>> {
        let bytes = self.take(n.checked_mul(4)?)?;
        Some(bytes.as_chunks().0.iter().map(|it| f32::from_le_bytes(*it)).collect())
    }

    fn norm(&mut self, width: usize) -> Option<Norm> {
        Some(Norm { weight: self.floats(width)?, bias: self.floats(width)? })
    }

    fn matrix(&mut self, n_rows: usize, n_columns: usize) -> Option<Matrix> {
        let (scales, bias) = (self.floats(n_rows)?, self.floats(n_rows)?);
        Matrix::from_bytes(self.take(n_rows.checked_mul(n_columns)?)?, scales, bias)
    }

    fn encoder(
        &mut self,
        n_layers: usize,
        n_heads: usize,
        width: usize,
        inner: usize,
        n_positions: usize,
        epsilon: f32,
    ) -> Option<Encoder> {
        let positions = self.floats(n_positions.checked_mul(width)?)?;
        let norm = self.norm(width)?;
        let mut layers = Vec::new();
        for _ in 0..n_layers {
            layers.push(Layer {
                attention: self.matrix(width.checked_mul(3)?, width)?,
                attention_output: self.matrix(width, width)?,
                attention_norm: self.norm(width)?,
                intermediate: self.matrix(inner, width)?,
                output: self.matrix(width, inner)?,
                output_norm: self.norm(width)?,
            });
        }
        Some(Encoder { width, n_heads, epsilon, positions, norm, layers, cpu: Cpu::detect() })
    }
}
