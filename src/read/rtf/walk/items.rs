//! Items of lists whose markers are typed: a sign or a number, a tab, and an indentation that hangs.

/// Signs that stand before items.
const BULLETS: &str = "•·‣▪▫■□●○◦➢➤✓–—-*o§";

/// Longest marker, in characters: `viii.` and `10.12.3.` are shorter.
const MAX_CHARS: usize = 8;

/// The marker before the first tab of `text`, and what follows it.
pub(super) fn typed_marker(text: &str) -> Option<(&str, &str)> {
    let (marker, rest) = text.split_once('\t')?;
    let marker = marker.trim();
    let is_bullet = marker.chars().count() == 1 && BULLETS.contains(marker);
    ((is_bullet || is_number(marker)) && !rest.trim().is_empty()).then_some((marker, rest))
}

/// Whether `marker` is a number as lists have it: `1.`, `2.1.`, `a)`, `(iv)`.
fn is_number(marker: &str) -> bool {
    let Some(number) = marker.trim_start_matches('(').strip_suffix(['.', ')']) else { return false };
    let is_part = |part: &str| {
        let is_roman = || part.chars().all(|it| "ivxlcIVXLC".contains(it));
        match part.len() {
            0 => false,
            1 => part.bytes().all(|it| it.is_ascii_alphanumeric()),
            _ => (part.len() <= 3 && part.bytes().all(|it| it.is_ascii_digit())) || is_roman(),
        }
    };
    marker.chars().count() <= MAX_CHARS && number.split('.').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_numbers_before_a_tab_are_markers() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(typed_marker(text).map(|it| it.0), expected, "{text:?}");
        };
        for marker in ["1.", "a)", "(iv)", "10.2.", "•", "-", "o"] {
            check(&format!("{marker}\titem"), Some(marker));
        }
        for marker in ["Note", "E01", "word.", "1", "", ".", "2024.", "ab"] {
            check(&format!("{marker}\titem"), None);
        }
        check("1. item", None);
        check("1.\t ", None);
    }
}
