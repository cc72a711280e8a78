//! Telling questions that the collection answers from those that it does not, by one score a question. Pure.

use std::collections::BTreeSet;

/// Two-sided 95 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Top scores of two groups of questions; `None` where a question found nothing at all, which no threshold accepts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groups {
    /// Of questions that are answered.
    pub inside: Vec<Option<f32>>,
    /// Of questions that are not.
    pub outside: Vec<Option<f32>>,
}

/// How well a score tells the groups apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Auroc {
    /// Chance that a question of the inside scores higher than one of the outside, ties half: the area under the ROC curve.
    pub value: f64,
    /// Its 95 % interval (Newcombe's method 5, 2006: Hanley and McNeil's variance inverted; it is not empty at 1 either).
    pub interval: [f64; 2],
}

/// A share with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// How many.
    pub n: usize,
    /// Of how many.
    pub of: usize,
    /// Wilson's interval.
    pub interval: [f64; 2],
}

impl Rate {
    /// `n` of `of`.
    pub fn new(n: usize, of: usize) -> Self {
        if of == 0 {
            return Self { n, of, interval: [0.0, 1.0] };
        }
        let (share, of_all) = (n as f64 / of as f64, of as f64);
        let middle = share + Z * Z / (2.0 * of_all);
        let half = Z * (share * (1.0 - share) / of_all + Z * Z / (4.0 * of_all * of_all)).sqrt();
        let scale = 1.0 + Z * Z / of_all;
        let interval = [((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0)];
        Self { n, of, interval }
    }

    /// The share; 0 of nothing.
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.n as f64 / self.of as f64 }
    }
}

/// What a threshold does: questions are answered whose score is at least as high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// Questions of the outside that are answered.
    pub false_answers: Rate,
    /// Questions of the inside that are refused.
    pub false_refusals: Rate,
}

impl Errors {
    /// Mean of the shares of either group that are judged rightly.
    pub fn balanced_accuracy(&self) -> f64 {
        1.0 - (self.false_answers.share() + self.false_refusals.share()) / 2.0
    }
}

/// How a threshold is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// The best mean of the shares of both groups that are judged rightly.
    BalancedAccuracy,
    /// The fewest false refusals with at most this share of false answers.
    MaxFalseAnswers(f64),
}

impl Groups {
    /// How well the scores tell the groups apart; `None` when a group is empty.
    pub fn auroc(&self) -> Option<Auroc> {
        let (m, n) = (self.inside.len() as f64, self.outside.len() as f64);
        if m == 0.0 || n == 0.0 {
            return None;
        }
        let mut sum = 0.0;
        for inside in &self.inside {
            for outside in &self.outside {
                sum += match level(*inside).total_cmp(&level(*outside)) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
            }
        }
        let value = sum / (m * n);
        // The ends are where the value is just as far away as Z standard deviations of an area that stands there.
        let deviation = |area: f64| {
            let more = f64::midpoint(m, n) - 1.0;
            let variance =
                area * (1.0 - area) * (1.0 + more * (1.0 - area) / (2.0 - area) + more * area / (1.0 + area));
            (variance.max(0.0) / (m * n)).sqrt()
        };
        let end = |mut near: f64, mut far: f64| {
            for _ in 0..60 {
                let middle = f64::midpoint(near, far);
                if (middle - value).abs() <= Z * deviation(middle) { near = middle } else { far = middle }
            }
            near
        };
        Some(Auroc { value, interval: [end(value, 0.0), end(value, 1.0)] })
    }

    /// What `threshold` does to the groups.
    pub fn errors(&self, threshold: f32) -> Errors {
        let n_answered = |group: &[Option<f32>]| group.iter().filter(|&&it| level(it) >= threshold).count();
        Errors {
            false_answers: Rate::new(n_answered(&self.outside), self.outside.len()),
            false_refusals: Rate::new(self.inside.len() - n_answered(&self.inside), self.inside.len()),
        }
    }

    /// The threshold that `rule` chooses: half way between two neighbouring scores, so that neither stands on the edge; of
    /// several equally good ones that in the widest gap. `None` without any score.
    pub fn threshold(&self, rule: Rule) -> Option<f32> {
        let scores = self.inside.iter().chain(&self.outside).flatten();
        let distinct: BTreeSet<Ordered> = scores.map(|&it| Ordered(it)).collect();
        let distinct: Vec<f32> = distinct.into_iter().map(|it| it.0).collect();
        let (&lowest, &highest) = (distinct.first()?, distinct.last()?);
        let outer = |gap: f32| if gap > 0.0 { gap } else { 0.01 };
        let mean_gap = (highest - lowest) / distinct.len() as f32;
        let mut candidates = vec![(lowest - outer(mean_gap), 0.0), (highest + outer(mean_gap), 0.0)];
        candidates.extend(distinct.windows(2).map(|it| (f32::midpoint(it[0], it[1]), it[1] - it[0])));
        let goodness = |threshold: f32| {
            let errors = self.errors(threshold);
            match rule {
                Rule::BalancedAccuracy => errors.balanced_accuracy(),
                Rule::MaxFalseAnswers(most) if errors.false_answers.share() > most => f64::NEG_INFINITY,
                Rule::MaxFalseAnswers(_) => -errors.false_refusals.share(),
            }
        };
        let best = candidates
            .into_iter()
            .map(|(threshold, gap)| (goodness(threshold), gap, threshold))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(b.2.total_cmp(&a.2)));
        best.map(|(_, _, threshold)| threshold)
    }

    /// What thresholds do to questions that they were not chosen with: each question is judged by the threshold that
    /// `rule` chooses from all others. More honest than [`errors`](Self::errors) of the threshold of all.
    pub fn errors_held_out(&self, rule: Rule) -> Errors {
        let judge = |without: &dyn Fn(&mut Self) -> Option<f32>| {
            let mut others = self.clone();
            let score = without(&mut others);
            others.threshold(rule).is_some_and(|threshold| level(score) >= threshold)
        };
        let n_false_answers =
            (0..self.outside.len()).filter(|&at| judge(&|others| others.outside.swap_remove(at))).count();
        let n_false_refusals =
            (0..self.inside.len()).filter(|&at| !judge(&|others| others.inside.swap_remove(at))).count();
        Errors {
            false_answers: Rate::new(n_false_answers, self.outside.len()),
            false_refusals: Rate::new(n_false_refusals, self.inside.len()),
        }
    }
}

fn level(score: Option<f32>) -> f32 {
    score.unwrap_or(f32::NEG_INFINITY)
}

#[derive(Clone, Copy, PartialEq)]
struct Ordered(f32);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn groups(inside: &[f32], outside: &[f32]) -> Groups {
        let some = |scores: &[f32]| scores.iter().map(|&it| Some(it)).collect();
        Groups { inside: some(inside), outside: some(outside) }
    }

    #[test]
    fn the_area_is_that_of_mann_and_whitney() {
        let check = |inside: &[f32], outside: &[f32], expected: f64| {
            assert_eq!(groups(inside, outside).auroc().unwrap().value, expected);
        };
        check(&[0.9, 0.8], &[0.1, 0.2], 1.0);
        check(&[0.1], &[0.2], 0.0);
        check(&[0.5, 0.5], &[0.5], 0.5);
        check(&[0.9, 0.3], &[0.5, 0.1], 0.75);
        assert_eq!(groups(&[], &[1.0]).auroc(), None);
        let found_nothing = Groups { inside: vec![Some(-0.5)], outside: vec![None] };
        assert_eq!(found_nothing.auroc().unwrap().value, 1.0);
    }

    #[test]
    fn the_interval_is_open_at_a_perfect_score_and_narrows_with_more_questions() {
        let few = groups(&[0.9, 0.8, 0.7], &[0.1, 0.2, 0.3]).auroc().unwrap();
        assert_eq!((few.value, few.interval[1]), (1.0, 1.0));
        let many = groups(&[0.9; 50], &[0.1; 50]).auroc().unwrap();
        assert!(
            (0.3..0.8).contains(&few.interval[0]) && (0.9..0.99).contains(&many.interval[0]),
            "{few:?} {many:?}"
        );
    }

    #[test]
    fn a_threshold_stands_in_the_widest_of_the_best_gaps() {
        let it = groups(&[0.9, 0.8, 0.6], &[0.5, 0.1, 0.1]);
        let threshold = it.threshold(Rule::BalancedAccuracy).unwrap();
        assert!((threshold - 0.55).abs() < 1e-6, "{threshold}");
        assert_eq!(it.errors(threshold).balanced_accuracy(), 1.0);
        // One question of the outside among the best: answered, or at the price of refusals not.
        let mixed = groups(&[0.9, 0.8, 0.6, 0.55], &[0.85, 0.1]);
        assert_eq!(mixed.errors(mixed.threshold(Rule::MaxFalseAnswers(0.5)).unwrap()).false_refusals.n, 0);
        let strict = mixed.errors(mixed.threshold(Rule::MaxFalseAnswers(0.0)).unwrap());
        assert_eq!((strict.false_answers.n, strict.false_refusals.n), (0, 3));
        assert_eq!(Groups::default().threshold(Rule::BalancedAccuracy), None);
        let impossible = groups(&[0.1], &[0.9]);
        let errors = impossible.errors(impossible.threshold(Rule::MaxFalseAnswers(0.0)).unwrap());
        assert_eq!((errors.false_answers.n, errors.false_refusals.n), (0, 1));
    }

    #[test]
    fn rates_have_wilsons_interval() {
        let rate = Rate::new(0, 20);
        assert!(rate.interval[0] == 0.0 && (rate.interval[1] - 0.1611).abs() < 1e-3, "{rate:?}");
        assert_eq!(Rate::new(0, 0).share(), 0.0);
    }

    #[test]
    fn a_question_judged_by_the_others_is_judged_worse() {
        let it = groups(&[0.9, 0.8, 0.3], &[0.2, 0.1, 0.1]);
        let rule = Rule::BalancedAccuracy;
        let of_all = it.errors(it.threshold(rule).unwrap());
        assert_eq!((of_all.false_answers.n, of_all.false_refusals.n), (0, 0));
        // Without 0.3 the threshold is half way between 0.8 and 0.2.
        assert_eq!(it.errors_held_out(rule).false_refusals.n, 1);
    }

    proptest! {
        #[test]
        fn the_chosen_threshold_is_as_good_as_any(
            inside in prop::collection::vec(-1.0f32..1.0, 1..12),
            outside in prop::collection::vec(-1.0f32..1.0, 1..12),
            other in -1.1f32..1.1,
            most in 0.0f64..1.0,
        ) {
            let it = groups(&inside, &outside);
            let best = it.errors(it.threshold(Rule::BalancedAccuracy).unwrap());
            prop_assert!(best.balanced_accuracy() >= it.errors(other).balanced_accuracy() - 1e-9);
            let strict = it.errors(it.threshold(Rule::MaxFalseAnswers(most)).unwrap());
            prop_assert!(strict.false_answers.share() <= most);
            if it.errors(other).false_answers.share() <= most {
                prop_assert!(strict.false_refusals.n <= it.errors(other).false_refusals.n);
            }
            let auroc = it.auroc().unwrap();
            prop_assert!(auroc.interval[0] <= auroc.value && auroc.value <= auroc.interval[1]);
            let turned = groups(&outside, &inside).auroc().unwrap();
            prop_assert!((auroc.value + turned.value - 1.0).abs() < 1e-9);
        }
    }
}
