//! Comparing two systems query by query. Pure: resampling is seeded, the same values give the same figures.

/// Resamples of the bootstrap, and sign flips of the randomisation test where not all are tried. Chosen: the ends of the
/// interval then move by less than a fiftieth of its length between seeds.
const N_RESAMPLES: usize = 10_000;

/// Where the generator starts. Any number would do.
const SEED: u64 = 0x7261_6763_746c;

/// Differences up to this are ties: far below what one query's rank can move.
const TIE: f64 = 1e-9;

/// With at most so many queries that differ, all sign flips are tried.
const MAX_EXACT: usize = 13;

/// How the second of two systems does against the first, on the same queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// Queries.
    pub n: usize,
    /// Queries where the second is better.
    pub wins: usize,
    /// Queries where it is worse.
    pub losses: usize,
    /// Queries where both are equal.
    pub ties: usize,
    /// Mean difference, second minus first.
    pub difference: f64,
    /// 95 % interval of the mean difference: percentiles of a bootstrap over queries.
    pub interval: [f64; 2],
    /// Two-sided p of a paired randomisation test: how often flipping the signs of the differences at random gives a mean
    /// as far from 0 (Smucker, Allan and Carterette, 2007).
    pub p: f64,
}

/// Compares `(first, second)` values of the same queries.
///
/// ```
/// use ragctl::eval::paired;
///
/// let it = paired(&[(0.5, 1.0), (0.5, 0.5), (0.2, 0.1)]);
/// assert_eq!((it.wins, it.losses, it.ties), (1, 1, 1));
/// assert!(it.interval[0] < 0.0 && it.interval[1] > 0.0 && it.p > 0.4);
/// ```
pub fn paired(values: &[(f64, f64)]) -> Paired {
    let differences: Vec<f64> = values.iter().map(|(first, second)| second - first).collect();
    let count = |is: fn(f64) -> bool| differences.iter().filter(|&&it| is(it)).count();
    let (wins, losses) = (count(|it| it > TIE), count(|it| it < -TIE));
    Paired {
        n: values.len(),
        wins,
        losses,
        ties: values.len() - wins - losses,
        difference: mean(&differences),
        interval: bootstrap(&differences),
        p: randomisation(&differences),
    }
}

/// Arithmetic mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// 95 % percentile interval of the mean.
fn bootstrap(values: &[f64]) -> [f64; 2] {
    if values.is_empty() {
        return [0.0; 2];
    }
    let mut random = SplitMix(SEED);
    let mut means: Vec<f64> = (0..N_RESAMPLES)
        .map(|_| {
            (0..values.len()).map(|_| values[random.below(values.len())]).sum::<f64>() / values.len() as f64
        })
        .collect();
    means.sort_unstable_by(f64::total_cmp);
    [means[N_RESAMPLES / 40], means[N_RESAMPLES - 1 - N_RESAMPLES / 40]]
}

fn randomisation(values: &[f64]) -> f64 {
    let values: Vec<f64> = values.iter().copied().filter(|it| it.abs() > TIE).collect();
    let observed = values.iter().sum::<f64>().abs() - TIE;
    let sum_with = |is_flipped: &mut dyn FnMut(usize) -> bool| {
        values.iter().enumerate().map(|(at, it)| if is_flipped(at) { -it } else { *it }).sum::<f64>().abs()
    };
    if values.len() <= MAX_EXACT {
        let n_all = 1usize << values.len();
        let n_as_far =
            (0..n_all).filter(|signs| sum_with(&mut |at| signs >> at & 1 == 1) >= observed).count();
        return n_as_far as f64 / n_all as f64;
    }
    let mut random = SplitMix(SEED);
    let n_as_far =
        (0..N_RESAMPLES).filter(|_| sum_with(&mut |_| random.next() >> 63 == 1) >= observed).count();
    // The observed signs are one of the possible outcomes.
    (n_as_far + 1) as f64 / (N_RESAMPLES + 1) as f64
}

/// Steele, Lea and Flood's SplitMix64.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^ (it >> 31)
    }

    /// A number below `n` (Lemire's multiplication; its bias is below n / 2^64).
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_generator_is_splitmix64() {
        // First outputs for seed 1234567, from the reference implementation (prng.di.unimi.it).
        let mut random = SplitMix(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn a_clear_difference_is_seen_and_chance_is_not() {
        let clear: Vec<(f64, f64)> =
            (0..30).map(|at| (f64::from(at % 5) / 10.0, 0.3 + f64::from(at % 5) / 10.0)).collect();
        let it = paired(&clear);
        assert_eq!((it.n, it.wins, it.losses, it.ties), (30, 30, 0, 0));
        assert!((it.difference - 0.3).abs() < 1e-12 && it.p < 0.001 && it.interval[0] > 0.29, "{it:?}");
        let chance: Vec<(f64, f64)> = (0..30).map(|at| (0.5, if at % 2 == 0 { 0.6 } else { 0.4 })).collect();
        let it = paired(&chance);
        assert!(it.p > 0.9 && it.interval[0] < 0.0 && it.interval[1] > 0.0, "{it:?}");
    }

    #[test]
    fn few_queries_are_tested_exactly() {
        // Of 8 sign patterns two give a sum as far from 0 as +3.
        assert_eq!(paired(&[(0.0, 1.0), (0.0, 1.0), (0.0, 1.0)]).p, 0.25);
        assert_eq!(paired(&[(0.4, 0.4)]).p, 1.0);
        assert_eq!(paired(&[]).p, 1.0);
    }

    proptest! {
        #[test]
        fn changing_sides_turns_everything_round(values in prop::collection::vec((0.0f64..1.0, 0.0f64..1.0), 1..25)) {
            let back: Vec<(f64, f64)> = values.iter().map(|&(a, b)| (b, a)).collect();
            let (it, other) = (paired(&values), paired(&back));
            prop_assert_eq!((it.wins, it.losses, it.ties), (other.losses, other.wins, other.ties));
            prop_assert!((it.difference + other.difference).abs() < 1e-12);
            prop_assert!((it.interval[0] + other.interval[1]).abs() < 1e-9);
            prop_assert!((it.p - other.p).abs() < 1e-9);
            prop_assert!(it.interval[0] <= it.difference + 1e-9 || values.len() < 4);
            prop_assert!((0.0..=1.0).contains(&it.p));
        }
    }
}
