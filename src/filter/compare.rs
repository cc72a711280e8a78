//! How two values compare: numbers exactly, dates as instants, strings with and without case.

use std::cmp::Ordering;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Number, Value};
use unicase::UniCase;

use crate::filter::Scalar;

/// How `value` stands to `scalar`; `None` when their types do not fit. Booleans are only equal or not: an unequal one
/// is `Less` or `Greater` by SQL's order, which callers must not rely on.
pub(super) fn compare(value: &Value, scalar: &Scalar) -> Option<Ordering> {
    match (value, scalar) {
        (Value::String(left), Scalar::String(right)) => Some(compare_strings(left, right)),
        (Value::Bool(left), Scalar::Boolean(right)) => Some(left.cmp(right)),
        (Value::Number(left), Scalar::Integer(right)) => match exact(left) {
            Some(left) => Some(left.cmp(&i128::from(*right))),
            None => compare_integer(i128::from(*right), left.as_f64()?).map(Ordering::reverse),
        },
        (Value::Number(left), Scalar::Decimal(right)) => match exact(left) {
            Some(left) => compare_integer(left, *right),
            None => left.as_f64()?.partial_cmp(right),
        },
        _ => None,
    }
}

/// The integer that `number` is; JSON has them from -2^63 to 2^64 - 1.
fn exact(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Compares an integer of at most 65 bits with a decimal without rounding either.
fn compare_integer(integer: i128, decimal: f64) -> Option<Ordering> {
    /// 2^65, beyond every such integer.
    const BEYOND: f64 = 36_893_488_147_419_103_232.0;
    if decimal.is_nan() {
        return None;
    }
    if decimal.abs() >= BEYOND {
        return Some(if decimal > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    // Below 2^65 the whole part fits exactly.
    let by_whole = integer.cmp(&(decimal.trunc() as i128));
    Some(by_whole.then(0.0.partial_cmp(&decimal.fract())?))
}

fn compare_strings(left: &str, right: &str) -> Ordering {
    match (instant(left), instant(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => left.cmp(right),
    }
}

/// The instant that an ISO 8601 date or date-time (`2024-06-19`, `2024-06-19T15:22:45.5+02:00`, `T` or a space
/// between) names: midnight without a time, UTC without an offset.
fn instant(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    let is_date = bytes.len() >= 10
        && bytes[..10].iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let is_known = |byte: &u8| matches!(byte, b'0'..=b'9' | b':' | b'.' | b'+' | b'-' | b'Z' | b'z');
    let has_time_shape = match bytes.get(10..) {
        Some([b'T' | b't' | b' ', time @ ..]) => !time.is_empty() && time.iter().all(is_known),
        Some([]) => true,
        _ => false,
    };
    if !is_date || !has_time_shape {
        return None;
    }
    text.parse::<Timestamp>().ok().or_else(|| {
        let civil: DateTime = text.parse().ok()?;
        TimeZone::UTC.to_timestamp(civil).ok()
    })
}

/// The text under Unicode's full case folding.
pub(super) fn fold_case(text: &str) -> String {
    UniCase::unicode(text).to_folded_case()
}

/// Whether the whole of `text` fits SQL's `LIKE` pattern: `%` any text, `_` one character, `\` makes the next of these
/// (or itself) literal. Backtracks only to the last `%`, so the time is at most the product of the lengths.
pub(super) fn is_like(text: &str, pattern: &str) -> bool {
    let pattern = pattern_of(pattern);
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut next) = (0, 0);
    let mut retry = None;
    while at < text.len() {
        match pattern.get(next) {
            Some(Wild::Any) => {
                next += 1;
                retry = Some((at, next));
            }
            Some(Wild::One) => (at, next) = (at + 1, next + 1),
            Some(Wild::Char(ch)) if *ch == text[at] => (at, next) = (at + 1, next + 1),
            _ => {
                let Some((from, after)) = retry else { return false };
                retry = Some((from + 1, after));
                (at, next) = (from + 1, after);
            }
        }
    }
    pattern[next..].iter().all(|wild| matches!(wild, Wild::Any))
}

enum Wild {
    Any,
    One,
    Char(char),
}

fn pattern_of(pattern: &str) -> Vec<Wild> {
    let mut wilds = Vec::with_capacity(pattern.len());
    let mut chars = pattern.chars().peekable();
    while let Some(ch) = chars.next() {
        wilds.push(match ch {
            '%' => Wild::Any,
            '_' => Wild::One,
            '\\' => Wild::Char(chars.next_if(|next| matches!(next, '%' | '_' | '\\')).unwrap_or('\\')),
            ch => Wild::Char(ch),
        });
    }
    wilds
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_compare_exactly() {
        const BIG: i64 = 9_007_199_254_740_993; // 2^53 + 1, which no decimal of 64 bits is.
        let check = |value: Value, scalar: Scalar, expected| assert_eq!(compare(&value, &scalar), expected);
        check(json!(5), Scalar::Decimal(5.0), Some(Ordering::Equal));
        check(json!(5.5), Scalar::Integer(5), Some(Ordering::Greater));
        check(json!(-5.5), Scalar::Integer(-5), Some(Ordering::Less));
        check(json!(BIG), Scalar::Integer(BIG - 1), Some(Ordering::Greater));
        check(json!(BIG), Scalar::Decimal(9_007_199_254_740_992.0), Some(Ordering::Greater));
        check(json!(9_007_199_254_740_992.0), Scalar::Integer(BIG), Some(Ordering::Less));
        check(json!(u64::MAX), Scalar::Integer(i64::MAX), Some(Ordering::Greater));
        check(json!(u64::MAX), Scalar::Decimal(18_446_744_073_709_551_616.0), Some(Ordering::Less));
        check(json!(i64::MIN), Scalar::Decimal(-1e300), Some(Ordering::Greater));
        check(json!(1e300), Scalar::Integer(i64::MAX), Some(Ordering::Greater));
        check(json!(0), Scalar::Decimal(-0.0), Some(Ordering::Equal));
        check(json!("5"), Scalar::Integer(5), None);
        check(json!([5]), Scalar::Integer(5), None);
    }

    #[test]
    fn dates_compare_as_instants() {
        let check =
            |left, right, expected| assert_eq!(compare_strings(left, right), expected, "{left} {right}");
        check("2024-01-05", "2024-01-05T00:00:00Z", Ordering::Equal);
        check("2024-01-05T01:00:00+02:00", "2024-01-05", Ordering::Less);
        check("2024-01-05 12:00", "2024-01-05T12:00:00", Ordering::Equal);
        check("2024-01-05T12:00:00.5Z", "2024-01-05T12:00:00.25Z", Ordering::Greater);
        // These are no dates, so their characters compare.
        check("2024-13-05", "2024-02-01", Ordering::Greater);
        check("2024-1-5", "2024-01-04", Ordering::Greater);
        check("2024-01-05x", "2024-01-05T00:00:00Z", Ordering::Greater);
        check("10", "9", Ordering::Less);
    }

    #[test]
    fn patterns_cover_the_whole_value() {
        let check =
            |text, pattern, expected| assert_eq!(is_like(text, pattern), expected, "{text} {pattern}");
        check("alpha", "alpha", true);
        check("alphabet", "alpha", false);
        check("alphabet", "alpha%", true);
        check("alphabet", "%bet", true);
        check("alphabet", "a%a%t", true);
        check("alphabet", "a%a%x", false);
        check("añb", "a_b", true);
        check("", "%", true);
        check("", "_", false);
        check("50%", r"50\%", true);
        check("50x", r"50\%", false);
        check(r"a\b", r"a\b", true);
        check(r"a\", r"a\\", true);
        assert!(!is_like(&"a".repeat(5000), &format!("{}b", "a%".repeat(200))));
    }

    #[test]
    fn case_folding_is_full() {
        assert_eq!(fold_case("STRASSE"), fold_case("straße"));
        assert_eq!(fold_case("ΣΊΣΥΦΟΣ"), fold_case("Σίσυφος"));
        assert_ne!(fold_case("a"), fold_case("á"));
    }
}
