//! Raised and lowered numbers: exponents and indexes, which behind a number would be more of it.
//!
//! The parser puts what is raised on the baseline of what stands before it, but leaves what is lowered where it is. So the
//! size tells an exponent, or the width of its digits where a font has raised digits of its own.

use super::runs::Run;
use crate::read::raised::Height;

/// Type size of a raised or lowered number as a share of the size before it. TeX has 0.7, word processors 0.58 to 0.66, ReportLab
/// 0.8; what is smaller follows an initial.
const SIZES: std::ops::Range<f32> = 0.45..0.86;

/// The raised digits of a font are narrower than so many of its digits on the line. Measured: 0.66 in Libertinus Serif.
const NARROW: f32 = 0.75;

/// How high `run` stands, where it touches the number at the end of `last` and is a number: its exponent, its index, or more
/// of it; `next` follows `run`.
pub(super) fn height(last: &Run, run: &Run, next: Option<&Run>) -> Height {
    let Some(first) = run.text.chars().next() else { return Height::Line };
    let is_digit = |c: char| c.is_ascii_digit();
    let is_sign = |c: char| matches!(c, '+' | '-' | '−' | '–');
    let is_signed = is_sign(first) && {
        let rest = &run.text[first.len_utf8()..];
        match rest.is_empty() {
            false => rest.starts_with(is_digit),
            // TeX has the minus sign in a font of its own.
            true => next.is_some_and(|it| it.text.starts_with(is_digit) && is_smaller(last, it)),
        }
    };
    // A numerator, whose fraction is no exponent: 1 1⁄2.
    let is_fraction = run.text.contains('\u{2044}') || next.is_some_and(|it| it.text.starts_with('\u{2044}'));
    let is_lowered = run.y + run.rise < last.y + last.rise - 0.05 * last.size;
    let is_small = is_smaller(last, run);
    if is_fraction {
        Height::Line
    } else if is_lowered {
        if is_small && is_digit(first) { Height::Lowered } else { Height::Line }
    } else if (is_small && (is_digit(first) || is_signed)) || has_raised_digits(last, run) {
        Height::Raised
    } else {
        Height::Line
    }
}

fn is_smaller(last: &Run, run: &Run) -> bool {
    SIZES.contains(&(run.size / last.size))
}

/// Whether `run` is digits that are narrower than those of the same type before it.
fn has_raised_digits(last: &Run, run: &Run) -> bool {
    let n_chars = run.n_chars();
    if n_chars == 0 || last.font != run.font || run.size != last.size || last.offsets.len() != last.n_chars()
    {
        return false;
    }
    // The digit one alone may be narrow by nature.
    let are_digits = run.text.chars().all(|c| c.is_ascii_digit()) && run.text.contains(|c| c != '1');
    let width = last.offsets.last().map_or(0.0, |start| last.end() - start);
    are_digits && width > 0.0 && run.width / (n_chars as f32) < NARROW * width
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, size: f32, y: f32) -> Run {
        let width = 0.5 * size * text.chars().count() as f32;
        let offsets = (0..text.chars().count()).map(|at| 0.5 * size * at as f32).collect();
        Run { text: text.to_owned(), size, y, width, offsets, ..Run::default() }
    }

    #[test]
    fn exponents_and_indexes_are_smaller() {
        use Height::{Line, Lowered, Raised};
        let check = |small: Run, expected: Height| {
            let text = small.text.clone();
            assert_eq!(height(&run("10", 10.0, 0.0), &small, None), expected, "{text} {}", small.size);
        };
        check(run("6", 7.0, 0.0), Raised);
        check(run("6", 7.0, 4.0), Raised);
        check(Run { rise: 4.0, ..run("6", 8.0, 0.0) }, Raised);
        check(run("−3", 7.0, 0.0), Raised);
        check(run("6", 10.0, 0.0), Line);
        check(run("6", 3.0, 0.0), Line);
        check(run("2", 7.0, -2.0), Lowered);
        check(Run { rise: -2.0, ..run("2", 7.0, 0.0) }, Lowered);
        check(run("2", 10.0, -2.0), Line);
        check(run("n", 7.0, -2.0), Line);
        check(run("th", 7.0, 0.0), Line);
        check(run("−", 7.0, 0.0), Line);
        check(run("1\u{2044}2", 7.0, 0.0), Line);
    }

    #[test]
    fn what_follows_decides_on_signs_and_fractions() {
        let check = |raised: &str, next: &str, expected: bool| {
            let (last, raised, next) = (run("10", 10.0, 0.0), run(raised, 7.0, 0.0), run(next, 7.0, 0.0));
            assert_eq!(
                height(&last, &raised, Some(&next)) == Height::Raised,
                expected,
                "{} {}",
                raised.text,
                next.text
            );
        };
        check("−", "6", true);
        check("−", "a", false);
        check("1", "\u{2044}", false);
        check("1", ",", true);
    }

    #[test]
    fn raised_digits_of_a_font_are_narrow() {
        let check = |text: &str, width: f32, expected: bool| {
            let raised = Run { width, ..run(text, 10.0, 0.0) };
            let given = height(&run("10", 10.0, 0.0), &raised, None);
            assert_eq!(given == Height::Raised, expected, "{text} {width}");
        };
        check("6", 3.3, true);
        check("32", 6.6, true);
        check("6", 5.0, false);
        check("1", 3.0, false);
        check("21", 8.0, false);
        check("a", 3.0, false);
    }
}
