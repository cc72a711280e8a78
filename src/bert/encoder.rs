//! The layers of a BERT model (Devlin et al. 2018): from token vectors to the outputs of the last layer.
//!
//! Reads no text and pools nothing. One text at a time on one thread, so that nothing is padded and callers spread texts over
//! the cores. Dense layers multiply integers ([`crate::bert::matrix`]), the rest is `f32` in a fixed order
//! ([`crate::bert::math`]), so that outputs are bit-identical on every machine.

use crate::bert::cpu::Cpu;
use crate::bert::math::{self, Rows};
use crate::bert::matrix::{Matrix, Scratch};

/// Weight and bias of a layer normalisation.
#[derive(Clone, Debug)]
pub(super) struct Norm {
    pub(super) weight: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

/// One layer of an encoder.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// Queries, keys and values, one below the other.
    pub(super) attention: Matrix,
    pub(super) attention_output: Matrix,
    pub(super) attention_norm: Norm,
    pub(super) intermediate: Matrix,
    pub(super) output: Matrix,
    pub(super) output_norm: Norm,
}

/// The layers of a BERT model, without its table of tokens.
#[derive(Clone, Debug)]
pub(crate) struct Encoder {
    pub(super) width: usize,
    pub(super) n_heads: usize,
    pub(super) epsilon: f32,
    /// One vector a position, with that of token type 0 added.
    pub(super) positions: Vec<f32>,
    pub(super) norm: Norm,
    pub(super) layers: Vec<Layer>,
    pub(super) cpu: Cpu,
}

impl Encoder {
    /// Length of every vector.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The longest text in tokens.
    pub(crate) fn max_positions(&self) -> usize {
        self.positions.len() / self.width
    }

    /// The last layer's outputs for a text whose token vectors are the rows of `tokens`, at most
    /// [`max_positions`](Self::max_positions).
    pub(crate) fn encode(&self, tokens: &[f32]) -> Vec<f32> {
        let cpu = self.cpu;
        let positions = &self.positions[..tokens.len()];
        let mut x = tokens.to_vec();
        let normalise = |x: &mut [f32], other: &[f32], norm: &Norm| {
            cpu.run(
                #[inline(always)]
                || math::add_and_normalise(x, other, &norm.weight, &norm.bias, self.epsilon),
            );
        };
        normalise(&mut x, positions, &self.norm);
        let mut scratch = Scratch::default();
        let (mut parts, mut attended, mut output, mut inner) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut head = Head::new(tokens.len() / self.width, self.width / self.n_heads);
        for layer in &self.layers {
            layer.attention.apply(cpu, &x, &mut scratch, &mut parts);
            attended.resize(x.len(), 0.0);
            for at in 0..self.n_heads {
                cpu.run(
                    #[inline(always)]
                    || head.attend(&parts, &mut attended, self.width, at),
                );
            }
            layer.attention_output.apply(cpu, &attended, &mut scratch, &mut output);
            normalise(&mut x, &output, &layer.attention_norm);
            layer.intermediate.apply(cpu, &x, &mut scratch, &mut inner);
            cpu.run(
                #[inline(always)]
                || math::gelu(&mut inner),
            );
            layer.output.apply(cpu, &inner, &mut scratch, &mut output);
            normalise(&mut x, &output, &layer.output_norm);
        }
        x
    }
}

/// What one head of attention works on.
struct Head {
    n: usize,
    width: usize,
    /// `n` and `width` up to the next multiple of a vector's lanes.
    padded_n: usize,
    padded_width: usize,
    queries: Vec<f32>,
    /// Transposed.
    keys: Vec<f32>,
    values: Vec<f32>,
    scores: Vec<f32>,
    outputs: Vec<f32>,
}

impl Head {
    fn new(n: usize, width: usize) -> Self {
        let (padded_n, padded_width) = (n.next_multiple_of(math::LANES), width.next_multiple_of(math::LANES));
        Self {
            n,
            width,
            padded_n,
            padded_width,
            queries: vec![0.0; n * width],
            keys: vec![0.0; width * padded_n],
            values: vec![0.0; n * padded_width],
            scores: vec![0.0; n * padded_n],
            outputs: vec![0.0; n * padded_width],
        }
    }

    /// Scaled dot-product attention over rows of queries, keys and values.
    #[inline(always)]
    fn attend(&mut self, rows: &[f32], attended: &mut [f32], total_width: usize, head: usize) {
        let (n, width) = (self.n, self.width);
        let scale = 1.0 / (width as f32).sqrt();
        for (at, row) in rows.chunks_exact(3 * total_width).enumerate() {
            let part = |which: usize| &row[which * total_width + head * width..][..width];
            for (to, from) in self.queries[at * width..][..width].iter_mut().zip(part(0)) {
                *to = from * scale;
            }
            for (column, key) in part(1).iter().enumerate() {
                self.keys[column * self.padded_n + at] = *key;
            }
            self.values[at * self.padded_width..][..width].copy_from_slice(part(2));
        }
        let queries = Rows { values: &self.queries, stride: width };
        let keys = Rows { values: &self.keys, stride: self.padded_n };
        math::product(queries, keys, n, width, &mut self.scores, self.padded_n);
        for scores in self.scores.chunks_exact_mut(self.padded_n) {
            math::softmax(&mut scores[..n]);
        }
        let scores = Rows { values: &self.scores, stride: self.padded_n };
        let values = Rows { values: &self.values, stride: self.padded_width };
        math::product(scores, values, n, n, &mut self.outputs, self.padded_width);
        for (output, row) in
            self.outputs.chunks_exact(self.padded_width).zip(attended.chunks_exact_mut(total_width))
        {
            row[head * width..][..width].copy_from_slice(&output[..width]);
        }
    }
}
