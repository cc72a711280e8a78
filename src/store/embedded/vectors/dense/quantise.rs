//! Eight-bit vectors with a proven error, and the exact score.
//!
//! Let `x` be a stored vector divided by its norm, `q` the query divided by its norm. A row keeps `x = s c + e` with
//! `c` in signed bytes, the scale `s` and `|e|`; the query is `q = t d + f` with `d` in 16-bit integers. Then
//! `q.x = s t (d.c) + f.(s c) + q.e`, and by Cauchy-Schwarz the true cosine is at most
//! `s t (d.c) + |f| (1 + |e|) + |e|`, plus what `f32` arithmetic can round. [`Query::upper_bound`] is that sum.

use super::{MAX_COMPONENT, ROW_HEAD_LEN, VectorError};

/// Vectors shorter than this count as zero, so that their cosine is 0 instead of noise.
const MIN_NORM: f64 = 1e-15;

/// Lanes that the `f32` dot product sums apart. Fixed, so that every machine rounds alike; 16 fills the vector units of
/// current processors.
const LANES: usize = 16;

/// Checks that every component can be stored.
pub(super) fn check(vector: &[f32]) -> Result<(), VectorError> {
    if vector.iter().all(|x| x.abs() <= MAX_COMPONENT) { Ok(()) } else { Err(VectorError::Component) }
}

/// Appends the record of `vector` as `NAME.i8` holds it.
pub(super) fn write_record(vector: &[f32], record: &mut Vec<u8>) {
    let norm = norm(vector);
    let inverse = if norm < MIN_NORM { 0.0 } else { 1.0 / norm };
    let largest = vector.iter().fold(0f32, |max, x| max.max(x.abs()));
    let scale = (f64::from(largest) * inverse / 127.0) as f32;
    let codes: Vec<i8> = vector
        .iter()
        .map(|&x| if scale > 0.0 { (f64::from(x) * inverse / f64::from(scale)).round() as i8 } else { 0 })
        .collect();
    let squares = vector.iter().zip(&codes).map(|(&x, &code)| {
        let error = f64::from(x) * inverse - f64::from(scale) * f64::from(code);
        error * error
    });
    let error = round_up(squares.sum::<f64>().sqrt());
    record.extend(scale.to_le_bytes());
    record.extend(error.to_le_bytes());
    record.extend((inverse as f32).to_le_bytes());
    record.extend(codes.iter().map(|&code| code as u8));
    record.resize(record.len().next_multiple_of(4), 0);
}

/// A query made ready for scanning.
pub(super) struct Query {
    unit: Vec<f32>,
    codes: Vec<i16>,
    scale: f32,
    error: f32,
    slack: f32,
}

impl Query {
    /// Makes the query ready; `None` for a zero vector.
    ///
    /// # Errors
    ///
    /// [`VectorError::Component`] for a component that is not a usable number.
    pub(super) fn new(vector: &[f32]) -> Result<Option<Self>, VectorError> {
        check(vector)?;
        let norm = norm(vector);
        if norm < MIN_NORM {
            return Ok(None);
        }
        let unit: Vec<f32> = vector.iter().map(|&x| (f64::from(x) / norm) as f32).collect();
        // As fine as possible while `dimension` products with a byte still fit an i32.
        let finest = (i32::MAX / (127 * vector.len() as i32)).min(16_383);
        let largest = unit.iter().fold(0f32, |max, x| max.max(x.abs()));
        let scale = largest / finest as f32;
        let codes: Vec<i16> =
            unit.iter().map(|&x| (x / scale).round().clamp(-16_383.0, 16_383.0) as i16).collect();
        let squares = unit.iter().zip(&codes).map(|(&x, &code)| {
            let error = f64::from(x) - f64::from(scale) * f64::from(code);
            error * error
        });
        let error = round_up(squares.sum::<f64>().sqrt());
        // Both dot products sum at most `dimension` products of numbers below 1 whose absolute sum is below 1; twice
        // the worst rounding of such a sum (Higham, Accuracy and Stability, 3.1) covers the scales as well.
        let slack = 2.0 * (vector.len() + 16) as f32 * f32::EPSILON;
        Ok(Some(Self { unit, codes, scale, error, slack }))
    }

    /// The highest [`Query::score`] that the row with this record of `NAME.i8` can have.
    pub(super) fn upper_bound(&self, record: &[u8]) -> f32 {
        let scale = float_at(record, 0);
        let error = float_at(record, 4);
        let codes = &record[ROW_HEAD_LEN..][..self.codes.len()];
        let estimate = scale * self.scale * dot_codes(&self.codes, codes) as f32;
        (estimate + self.error * (1.0 + error) + error + self.slack).max(-1.0)
    }

    /// The cosine with a vector of `NAME.f32`, clamped to -1..1; 0 for a zero vector.
    pub(super) fn score(&self, record: &[u8], floats: &[u8]) -> f32 {
        let inverse_norm = float_at(record, 8);
        // Adding 0 turns -0 into 0, so that the two are not ordered apart.
        (dot(&self.unit, floats) * inverse_norm).clamp(-1.0, 1.0) + 0.0
    }
}

/// The integer dot product, written so that LLVM turns it into multiply-add instructions on any target.
fn dot_codes(query: &[i16], codes: &[u8]) -> i32 {
    // The sum cannot overflow (see `finest`); the wrapping forms keep debug builds fast as well.
    query
        .iter()
        .zip(codes)
        .fold(0, |sum: i32, (&q, &c)| sum.wrapping_add(i32::from(q).wrapping_mul(i32::from(c as i8))))
}

/// The dot product in [`LANES`] lanes, the rest one by one; the same order of sums everywhere.
fn dot(query: &[f32], floats: &[u8]) -> f32 {
    let (query_blocks, query_rest) = query.as_chunks::<LANES>();
    let (blocks, _) = floats.as_chunks::<{ 4 * LANES }>();
    let mut lanes = [0f32; LANES];
    for (q, block) in query_blocks.iter().zip(blocks) {
        for (lane, sum) in lanes.iter_mut().enumerate() {
            *sum += q[lane] * float_at(block, 4 * lane);
        }
    }
    let rest = &floats[4 * LANES * query_blocks.len()..];
    let tail = query_rest.iter().enumerate().map(|(idx, q)| q * float_at(rest, 4 * idx));
    lanes.iter().copied().chain(tail).fold(0.0, |sum, x| sum + x)
}

fn norm(vector: &[f32]) -> f64 {
    vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt()
}

/// The value as `f32`, never below it.
fn round_up(value: f64) -> f32 {
    (value * (1.0 + 2.0 * f64::from(f32::EPSILON))) as f32
}

fn float_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
