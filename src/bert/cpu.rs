//! Which vector units the processor has, and what they are used for directly: the one place of this module with `unsafe`.

/// Columns that one vector instruction takes.
pub(super) const LANES: usize = 16;

/// Rows of activations and of weights that one tile multiplies: as many sums as AVX2 has registers for.
pub(super) const TILE_INPUTS: usize = 2;
pub(super) const TILE_ROWS: usize = 4;

/// The sums of a tile, by row of activations and row of weights.
pub(super) type Sums = [[i32; TILE_ROWS]; TILE_INPUTS];

/// The widest vector units that are made use of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cpu {
    /// AVX2 (Intel since 2013, AMD since 2015).
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// Whatever the program was compiled for.
    Any,
}

/// Proof that the processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Cpu {
    /// Those of this processor.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Self::Avx2(Avx2(()));
        }
        Self::Any
    }

    /// Runs `work`, compiled for these units; functions that it calls must be inlined into it to gain from that.
    #[inline(always)]
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "code for AVX2 must only run where there is AVX2")
    )]
    pub(super) fn run<R>(self, work: impl FnOnce() -> R) -> R {
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the value proves that the processor has AVX2.
            Self::Avx2(Avx2(())) => unsafe { avx2::run(work) },
            Self::Any => work(),
        }
    }

    /// The products of rows of activations with rows of weights. No sum may leave an `i32`.
    #[inline(always)]
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "code for AVX2 must only run where there is AVX2")
    )]
    pub(super) fn tile(
        self,
        inputs: [&[[i16; LANES]]; TILE_INPUTS],
        rows: [&[[i16; LANES]]; TILE_ROWS],
    ) -> Sums {
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the value proves that the processor has AVX2.
            Self::Avx2(Avx2(())) => unsafe { avx2::tile(inputs, rows) },
            Self::Any => inputs.map(|input| rows.map(|row| dot(input, row))),
        }
    }
}

fn dot(a: &[[i16; LANES]], b: &[[i16; LANES]]) -> i32 {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs.map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_hadd_epi32, _mm256_loadu_si256, _mm256_madd_epi16,
        _mm256_setzero_si256, _mm256_storeu_si256,
    };

    use super::{LANES, Sums, TILE_INPUTS, TILE_ROWS};

    #[target_feature(enable = "avx2")]
    pub(super) fn run<R>(work: impl FnOnce() -> R) -> R {
        work()
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn tile(inputs: [&[[i16; LANES]]; TILE_INPUTS], rows: [&[[i16; LANES]]; TILE_ROWS]) -> Sums {
        let mut sums = [[_mm256_setzero_si256(); TILE_ROWS]; TILE_INPUTS];
        let [first, second] = inputs;
        let [row_0, row_1, row_2, row_3] = rows;
        let lanes = first.iter().zip(second).zip(row_0.iter().zip(row_1)).zip(row_2.iter().zip(row_3));
        for (((first, second), (row_0, row_1)), (row_2, row_3)) in lanes {
            let rows = [load(row_0), load(row_1), load(row_2), load(row_3)];
            for (sums, input) in sums.iter_mut().zip([load(first), load(second)]) {
                for (sum, row) in sums.iter_mut().zip(rows) {
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(input, row));
                }
            }
        }
        sums.map(|[a, b, c, d]| {
            let halves = store(_mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d)));
            std::array::from_fn(|at| halves[at].wrapping_add(halves[at + TILE_ROWS]))
        })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "the instruction reads through a pointer")]
    fn load(from: &[i16; LANES]) -> __m256i {
        // SAFETY: 16 values of 2 bytes are the 32 bytes that are read; they need no alignment.
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "the instruction writes through a pointer")]
    fn store(from: __m256i) -> [i32; 8] {
        let mut to = [0; 8];
        // SAFETY: 8 values of 4 bytes are the 32 bytes that are written; they need no alignment.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), from) };
        to
    }
}
