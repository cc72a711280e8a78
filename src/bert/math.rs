//! Sums, exponentials and the like, the same bits on every machine.
//!
//! Rust neither reorders nor fuses floating-point operations, and nothing here calls a function whose rounding the system's
//! library decides. What a vector unit speeds up runs over values that do not depend on each other; sums are taken in
//! [`LANES`] parts on every machine.

/// Parts of a sum.
pub(super) const LANES: usize = 16;

/// Rows of a product computed at a time.
const TILE: usize = 4;

/// Sum of `f` over `values`.
#[inline(always)]
fn sum(values: &[f32], f: impl Fn(f32) -> f32) -> f32 {
    let mut parts = [0_f32; LANES];
    let (whole, rest) = values.as_chunks::<LANES>();
    for chunk in whole {
        for (part, &value) in parts.iter_mut().zip(chunk) {
            *part += f(value);
        }
    }
    for (part, &value) in parts.iter_mut().zip(rest) {
        *part += f(value);
    }
    parts.iter().sum()
}

/// The largest of `f` over `values`, at least `least`.
#[inline(always)]
pub(super) fn largest(values: &[f32], least: f32, f: impl Fn(f32) -> f32) -> f32 {
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let mut parts = [least; LANES];
    let (whole, rest) = values.as_chunks::<LANES>();
    for chunk in whole {
        for (part, &value) in parts.iter_mut().zip(chunk) {
            *part = larger(*part, f(value));
        }
    }
    rest.iter().map(|&value| f(value)).chain(parts).fold(least, larger)
}

/// Adds `other` to each row of `rows` and brings the row to mean `bias` and deviation `weight` (layer normalisation).
#[inline(always)]
pub(super) fn add_and_normalise(rows: &mut [f32], other: &[f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let width = weight.len();
    for (row, other) in rows.chunks_exact_mut(width).zip(other.chunks_exact(width)) {
        for (value, other) in row.iter_mut().zip(other) {
            *value += other;
        }
        let mean = sum(row, |value| value) / width as f32;
        let variance = sum(row, |value| (value - mean) * (value - mean)) / width as f32;
        let inverse = 1.0 / (variance + epsilon).sqrt();
        for ((value, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
            *value = (*value - mean) * inverse * weight + bias;
        }
    }
}

/// Makes each of the values a share of 1 by its exponential.
#[inline(always)]
pub(super) fn softmax(values: &mut [f32]) {
    let largest = largest(values, f32::MIN, |value| value);
    for value in values.iter_mut() {
        *value = exp(*value - largest);
    }
    let inverse = 1.0 / sum(values, |value| value);
    for value in values {
        *value *= inverse;
    }
}

/// Gaussian error linear unit, with the error function of Abramowitz and Stegun 7.1.26 (absolute error below 1.5e-7).
#[inline(always)]
pub(super) fn gelu(values: &mut [f32]) {
    for value in values {
        let x = *value * std::f32::consts::FRAC_1_SQRT_2;
        let z = x.abs();
        let t = 1.0 / (1.0 + 0.327_591_1 * z);
        let series =
            ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_7) * t - 0.284_496_74) * t + 0.254_829_6) * t;
        let erf = (1.0 - series * exp(-z * z)).copysign(x);
        *value = 0.5 * *value * (1.0 + erf);
    }
}

/// `e^x` for `x` of at most 0, within two units in the last place; 0 below -87 (Cephes' `expf`: reduction by ln 2 in two
/// parts, a polynomial of degree 5).
#[inline(always)]
fn exp(x: f32) -> f32 {
    const MAGIC: f32 = 12_582_912.0; // 1.5 * 2^23: adding it rounds to an integer
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = if x < -87.0 { -87.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + MAGIC;
    let n = shifted - MAGIC;
    let r = x - n * LN_2_HIGH - n * LN_2_LOW;
    let p = ((((1.987_569_1e-4 * r + 1.398_199_9e-3) * r + 8.333_452e-3) * r + 4.166_579_6e-2) * r
        + 0.166_666_65)
        * r
        + 0.5;
    let value = p * r * r + r + 1.0;
    // 2^n, from its exponent: the low bits of `shifted` hold n.
    let power = f32::from_bits(shifted.to_bits().wrapping_sub(MAGIC.to_bits()).wrapping_add(127) << 23);
    if x <= -87.0 { 0.0 } else { value * power }
}

/// `ln(1 + x)` for `x` of at least 0, within three units in the last place: Cephes' `logf` (a polynomial of degree 9), times what
/// `1 + x` rounds away of `x` (Kahan).
pub(crate) fn ln_1p(x: f32) -> f32 {
    let sum = 1.0 + x;
    if sum == 1.0 { x } else { ln(sum) * (x / (sum - 1.0)) }
}

/// The natural logarithm of a number of at least 1.
fn ln(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    const TERMS: [f32; 9] = [
        7.037_683_6e-2,
        -0.115_146_1,
        0.116_769_984,
        -0.124_201_41,
        0.142_493_23,
        -0.166_680_57,
        0.200_007_15,
        -0.249_999_94,
        0.333_333_3,
    ];
    // x = m * 2^n with m from the root of one half to that of two.
    let bits = x.to_bits();
    let (mut n, mut m) = ((bits >> 23) as i32 - 126, f32::from_bits((bits & 0x7f_ffff) | 0x3f00_0000));
    if m < std::f32::consts::FRAC_1_SQRT_2 {
        n -= 1;
        m += m;
    }
    let (m, n) = (m - 1.0, n as f32);
    let square = m * m;
    let series = TERMS.iter().fold(0.0, |sum, term| sum * m + term) * m * square;
    n * LN_2_HIGH + (m + (series + n * LN_2_LOW - 0.5 * square))
}

/// A matrix in row-major order, rows `stride` values apart.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) values: &'a [f32],
    pub(super) stride: usize,
}

/// `out[i][j] = sum over k of a[i][k] * b[k][j]` for `n_rows` rows `i`, `n_inner` values `k` and all `j` of `out`'s rows,
/// whose length must be a multiple of [`LANES`]. Each sum is taken in the order of `k`.
#[inline(always)]
pub(super) fn product(
    a: Rows<'_>,
    b: Rows<'_>,
    n_rows: usize,
    n_inner: usize,
    out: &mut [f32],
    n_columns: usize,
) {
    for first in (0..n_rows).step_by(TILE) {
        // Rows behind the last one are computed twice and written once.
        let rows: [&[f32]; TILE] =
            std::array::from_fn(|at| &a.values[(first + at).min(n_rows - 1) * a.stride..][..n_inner]);
        for column in (0..n_columns).step_by(LANES) {
            let mut sums = [[0_f32; LANES]; TILE];
            for k in 0..n_inner {
                let Some(b) = b.values[k * b.stride + column..].first_chunk::<LANES>() else { continue };
                for (sums, row) in sums.iter_mut().zip(rows) {
                    let a = row[k];
                    for (sum, b) in sums.iter_mut().zip(b) {
                        *sum += a * b;
                    }
                }
            }
            for (at, sums) in sums.iter().enumerate().take(n_rows - first) {
                out[(first + at) * n_columns + column..][..LANES].copy_from_slice(sums);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_exact_to_a_few_units() {
        for at in 0..100_000 {
            let x = -(at as f32) * 0.000_87;
            let (found, expected) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((found / expected - 1.0).abs() < 2e-7, "{x}: {found} {expected}");
        }
        assert_eq!((exp(0.0), exp(-88.0), exp(f32::MIN)), (1.0, 0.0, 0.0));
    }

    #[test]
    fn logarithms_are_exact_to_a_few_units() {
        let check = |x: f32| {
            let (found, expected) = (f64::from(ln_1p(x)), f64::from(x).ln_1p());
            assert!((found / expected - 1.0).abs() < 3e-7, "{x}: {found} {expected}");
        };
        (1..100_000).for_each(|at| check(at as f32 * 0.000_37));
        (0..60).for_each(|at| check(1e-12 * 3_f32.powi(at)));
        assert_eq!(ln_1p(0.0), 0.0);
    }

    #[test]
    fn gelu_is_that_of_the_paper() {
        // x * Phi(x), from scipy.stats.norm.cdf.
        let check = |x: f32, expected: f32| {
            let mut values = [x];
            gelu(&mut values);
            assert!((values[0] - expected).abs() < 1e-6, "{x}: {} {expected}", values[0]);
        };
        check(0.0, 0.0);
        check(1.0, 0.841_344_8);
        check(-1.0, -0.158_655_25);
        check(0.5, 0.345_731_23);
        check(-3.0, -0.004_049_694);
        check(12.0, 12.0);
        check(-40.0, 0.0);
    }

    #[test]
    fn shares_add_up_to_one() {
        let mut values = [1000.0, 1000.0, -1000.0, 999.0];
        softmax(&mut values);
        assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{values:?}");
        assert_eq!((values[0], values[2]), (values[1], 0.0));
    }

    #[test]
    fn normalised_rows_have_mean_and_deviation() {
        let mut rows: Vec<f32> = (0..40).map(|at| at as f32).collect();
        add_and_normalise(&mut rows, &[1.0; 40], &[2.0; 20], &[5.0; 20], 1e-12);
        for row in rows.chunks_exact(20) {
            let mean = row.iter().sum::<f32>() / 20.0;
            let variance = row.iter().map(|it| (it - mean).powi(2)).sum::<f32>() / 20.0;
            assert!((mean - 5.0).abs() < 1e-5 && (variance - 4.0).abs() < 1e-4, "{mean} {variance}");
        }
    }

    #[test]
    fn products_of_any_number_of_rows() {
        for n_rows in 1..10 {
            let a: Vec<f32> = (0..n_rows * 3).map(|at| at as f32).collect();
            let b: Vec<f32> = (0..3 * LANES).map(|at| (at % 7) as f32).collect();
            let mut out = vec![0.0; n_rows * LANES];
            let (a, b) = (Rows { values: &a, stride: 3 }, Rows { values: &b, stride: LANES });
            product(a, b, n_rows, 3, &mut out, LANES);
            for (at, found) in out.iter().enumerate() {
                let (i, j) = (at / LANES, at % LANES);
                let expected: f32 = (0..3).map(|k| a.values[i * 3 + k] * b.values[k * LANES + j]).sum();
                assert_eq!(*found, expected);
            }
        }
    }
}
