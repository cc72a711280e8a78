//! Matrices of small integers, and their product with rows of activations.
//!
//! A weight is an integer times the scale of its row; an activation is rounded to an integer times the scale of *its* row,
//! as finely as the sum of all products still fits an `i32`. Integers add up to the same in any order, so that a product is the
//! same on every machine, whatever its vector units; with AVX2 one instruction makes 16 products.

use std::borrow::Cow;

use crate::bert::cpu::{Cpu, LANES, TILE_INPUTS, TILE_ROWS};
use crate::bert::math;

/// Rows of activations multiplied by all weights before the next ones: 64 rows of 1,536 columns fit the second-level cache.
const BLOCK_INPUTS: usize = 64;

/// The integers of a [`Matrix`].
#[derive(Clone, Debug)]
enum Weights {
    /// -127 to 127, as two's complement.
    Bytes(Cow<'static, [u8]>),
    /// -[`WORD_MAX`] to [`WORD_MAX`].
    Words(Vec<i16>),
}

/// Largest absolute value of a byte weight.
const BYTE_MAX: i32 = 127;
/// Largest absolute value of a word weight; chosen so that 1,536 products leave activations 11 bits and a sign.
const WORD_MAX: i32 = 511;

/// A dense layer: `n_rows` outputs from `n_columns` inputs, with a bias.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    n_columns: usize,
    scales: Vec<f32>,
    bias: Vec<f32>,
    weights: Weights,
}

impl Matrix {
    /// From int8 rows that are used where they lie. `None` unless there are as many bytes as rows and columns say.
    pub(super) fn from_bytes(bytes: &'static [u8], scales: Vec<f32>, bias: Vec<f32>) -> Option<Self> {
        let n_columns = bytes.len().checked_div(scales.len())?;
        let fits = n_columns * scales.len() == bytes.len() && bias.len() == scales.len();
        fits.then_some(Self { n_columns, scales, bias, weights: Weights::Bytes(Cow::Borrowed(bytes)) })
    }

    /// Rounds `f32` weights, row-major, to ten bits: a sixteenth of the squared error of int8. `None` unless there are as
    /// many as rows (one a bias) and columns say, and all are numbers.
    pub(super) fn rounded(weights: &[f32], bias: Vec<f32>) -> Option<Self> {
        let n_columns = weights.len().checked_div(bias.len())?;
        if n_columns == 0
            || n_columns * bias.len() != weights.len()
            || !weights.iter().all(|it| it.is_finite())
        {
            return None;
        }
        let mut words = Vec::with_capacity(weights.len());
        let scale_of = |row: &[f32]| row.iter().fold(0_f32, |max, it| max.max(it.abs())) / WORD_MAX as f32;
        let scales: Vec<f32> = weights.chunks_exact(n_columns).map(scale_of).collect();
        for (row, &scale) in weights.chunks_exact(n_columns).zip(&scales) {
            words.extend(row.iter().map(|&it| if scale > 0.0 { (it / scale).round() as i16 } else { 0 }));
        }
        Some(Self { n_columns, scales, bias, weights: Weights::Words(words) })
    }

    /// Number of outputs.
    pub(super) fn n_rows(&self) -> usize {
        self.scales.len()
    }

    /// Writes `inputs` (rows of as many values as the matrix has columns) times the matrix, plus the bias, into `outputs`: rows
    /// of [`n_rows`](Self::n_rows) values.
    pub(super) fn apply(&self, cpu: Cpu, inputs: &[f32], scratch: &mut Scratch, outputs: &mut Vec<f32>) {
        cpu.run(
            #[inline(always)]
            || scratch.round(inputs, self.n_columns, self.finest()),
        );
        outputs.resize(scratch.scales.len() * self.n_rows(), 0.0);
        cpu.run(
            #[inline(always)]
            || self.multiply(cpu, scratch, outputs),
        );
    }

    /// The largest absolute value of an activation with which no sum leaves an `i32`.
    fn finest(&self) -> i32 {
        let weight_max = match self.weights {
            Weights::Bytes(_) => BYTE_MAX,
            Weights::Words(_) => WORD_MAX,
        };
        let n_columns = i32::try_from(self.n_columns).unwrap_or(i32::MAX).max(1);
        (i32::MAX / weight_max / n_columns).clamp(1, i32::from(i16::MAX))
    }

    #[inline(always)]
    fn multiply(&self, cpu: Cpu, scratch: &mut Scratch, outputs: &mut [f32]) {
        let n_rows = self.n_rows();
        let mut panel = std::mem::take(&mut scratch.panel);
        panel.clear();
        panel.resize(TILE_ROWS * scratch.width, [0; LANES]);
        let inputs = &*scratch;
        let n_inputs = inputs.scales.len();
        for block in (0..n_inputs).step_by(BLOCK_INPUTS) {
            let block_end = (block + BLOCK_INPUTS).min(n_inputs);
            for first in (0..n_rows).step_by(TILE_ROWS) {
                let n = TILE_ROWS.min(n_rows - first);
                for (at, row) in panel.chunks_exact_mut(inputs.width).enumerate() {
                    // What stands for rows behind the last one is computed and not written.
                    self.unpack(first + at.min(n - 1), row);
                }
                let rows = std::array::from_fn(|at| &panel[at * inputs.width..][..inputs.width]);
                for input in (block..block_end).step_by(TILE_INPUTS) {
                    let last = (input + 1).min(block_end - 1);
                    let sums = cpu.tile([inputs.row(input), inputs.row(last)], rows);
                    for (input, sums) in [input, last].into_iter().zip(sums) {
                        let scale = inputs.scales[input];
                        let output = &mut outputs[input * n_rows + first..][..n];
                        for (at, (output, sum)) in output.iter_mut().zip(sums).enumerate() {
                            *output = sum as f32 * (scale * self.scales[first + at]) + self.bias[first + at];
                        }
                    }
                }
            }
        }
        scratch.panel = panel;
    }

    /// Writes a row as 16-bit integers; what lies behind its last column stays zero.
    #[inline(always)]
    fn unpack(&self, row: usize, to: &mut [[i16; LANES]]) {
        let to = &mut to.as_flattened_mut()[..self.n_columns];
        match &self.weights {
            Weights::Bytes(bytes) => {
                let from = &bytes[row * self.n_columns..][..self.n_columns];
                for (to, from) in to.iter_mut().zip(from) {
                    *to = i16::from(from.cast_signed());
                }
            }
            Weights::Words(words) => to.copy_from_slice(&words[row * self.n_columns..][..self.n_columns]),
        }
    }
}

/// Memory that products need, kept from one to the next: asking the system for it anew takes a tenth of the time.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Vectors of [`LANES`] values a row of activations.
    width: usize,
    /// Rows of activations as integers, and their scales.
    values: Vec<[i16; LANES]>,
    scales: Vec<f32>,
    /// Rows of weights as integers of the same size.
    panel: Vec<[i16; LANES]>,
}

impl Scratch {
    /// Takes in rows of activations, each rounded so that its largest absolute value becomes `finest`.
    #[inline(always)]
    fn round(&mut self, inputs: &[f32], n_columns: usize, finest: i32) {
        // Adding 1.5 * 2^23 leaves the nearest integer (ties to even) in the low bits of the sum.
        const MAGIC: f32 = 12_582_912.0;
        self.width = n_columns.div_ceil(LANES);
        // What lies behind the last column must be zero.
        self.values.clear();
        self.values.resize(inputs.len() / n_columns * self.width, [0; LANES]);
        self.scales.clear();
        for (row, values) in inputs.chunks_exact(n_columns).zip(self.values.chunks_exact_mut(self.width)) {
            let largest = math::largest(row, 0.0, f32::abs);
            let (scale, inverse) = match largest > 0.0 {
                true => (largest / finest as f32, finest as f32 / largest),
                false => (0.0, 0.0),
            };
            for (to, from) in values.as_flattened_mut().iter_mut().zip(row) {
                let bits = (from * inverse + MAGIC).to_bits();
                *to = bits.wrapping_sub(MAGIC.to_bits()) as i16;
            }
            self.scales.push(scale);
        }
    }

    #[inline(always)]
    fn row(&self, at: usize) -> &[[i16; LANES]] {
        &self.values[at * self.width..][..self.width]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `n` values between -1 and 1 that follow no pattern.
    fn noise(n: usize, seed: u32) -> Vec<f32> {
        let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        (0..n).map(|_| next()).collect()
    }

    fn apply(matrix: &Matrix, cpu: Cpu, inputs: &[f32]) -> Vec<f32> {
        let mut outputs = Vec::new();
        matrix.apply(cpu, inputs, &mut Scratch::default(), &mut outputs);
        outputs
    }

    fn exact(weights: &[f32], bias: &[f32], inputs: &[f32]) -> Vec<f32> {
        let n_columns = weights.len() / bias.len();
        let mut outputs = Vec::new();
        for input in inputs.chunks_exact(n_columns) {
            for (row, bias) in weights.chunks_exact(n_columns).zip(bias) {
                let sum: f64 = row.iter().zip(input).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
                outputs.push((sum + f64::from(*bias)) as f32);
            }
        }
        outputs
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn products_are_those_of_real_numbers_but_for_rounding(
            n_rows in 1_usize..10, n_columns in 1_usize..70, n_inputs in 0_usize..5, seed: u32,
        ) {
            let weights = noise(n_rows * n_columns, seed);
            let (bias, inputs) = (noise(n_rows, seed ^ 1), noise(n_inputs * n_columns, seed ^ 2));
            let matrix = Matrix::rounded(&weights, bias.clone()).unwrap();
            let outputs = apply(&matrix, Cpu::detect(), &inputs);
            let bound = n_columns as f32 * 0.002;
            for (output, exact) in outputs.iter().zip(exact(&weights, &bias, &inputs)) {
                prop_assert!((output - exact).abs() < bound, "{} {}", output, exact);
            }
            prop_assert_eq!(outputs.len(), n_inputs * n_rows);
        }

        #[test]
        fn every_processor_computes_the_same_bits(
            n_rows in 1_usize..10, n_columns in 1_usize..70, n_inputs in 0_usize..5, seed: u32,
        ) {
            let matrix = Matrix::rounded(&noise(n_rows * n_columns, seed), noise(n_rows, seed)).unwrap();
            let inputs = noise(n_inputs * n_columns, seed ^ 2);
            prop_assert_eq!(apply(&matrix, Cpu::detect(), &inputs), apply(&matrix, Cpu::Any, &inputs));
        }
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        for n_columns in [1, 384, 1536, 4096] {
            let matrix = Matrix::rounded(&vec![-1.0; n_columns], vec![0.0]).unwrap();
            for cpu in [Cpu::Any, Cpu::detect()] {
                let output = apply(&matrix, cpu, &vec![3.0; n_columns])[0];
                assert!((output / (-3.0 * n_columns as f32) - 1.0).abs() < 1e-3, "{n_columns}: {output}");
            }
        }
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        assert!(Matrix::rounded(&[1.0, 2.0, 3.0], vec![0.0, 0.0]).is_none());
        assert!(Matrix::rounded(&[], vec![]).is_none());
        assert!(Matrix::rounded(&[f32::NAN], vec![0.0]).is_none());
        assert!(Matrix::from_bytes(&[1, 2, 3], vec![1.0, 1.0], vec![0.0, 0.0]).is_none());
        let matrix = Matrix::from_bytes(&[1, 0xff], vec![2.0], vec![0.5]).unwrap();
        assert_eq!(apply(&matrix, Cpu::Any, &[1.0, 1.0]), [0.5]);
    }
}
