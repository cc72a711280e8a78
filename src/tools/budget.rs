//! How much of an answer a model can take.

/// Tokens of an answer unless the starter says otherwise: ten passages of the default chunk size fit with room to spare.
pub const DEFAULT_BUDGET: usize = 8_000;

/// The least budget: a header and the beginning of one passage.
pub const MIN_BUDGET: usize = 200;

/// Tokens kept free for what follows the results: how many were left out, and notes.
pub(super) const RESERVE: usize = 60;

/// ASCII characters a token. Models differ; English prose has 4 to 5, code and tables 3 to 4.
const ASCII_CHARS: usize = 4;

/// About how many tokens a model counts in `text`: one for four ASCII characters, one for any other character. That is too
/// many rather than too few for the usual tokenizers.
pub fn tokens(text: &str) -> usize {
    let n_other = text.chars().filter(|c| !c.is_ascii()).count();
    let n_ascii = text.bytes().filter(u8::is_ascii).count();
    n_ascii.div_ceil(ASCII_CHARS) + n_other
}

/// Characters that surely fit into `budget` tokens when they are ASCII.
pub(super) fn chars_within(budget: usize) -> usize {
    budget.saturating_mul(ASCII_CHARS)
}

/// The longest beginning of `text` of at most `budget` tokens, cut behind a line where one ends in its second half.
pub(super) fn beginning(text: &str, budget: usize) -> &str {
    let (mut n_quarters, mut end) = (0, text.len());
    for (at, c) in text.char_indices() {
        n_quarters += if c.is_ascii() { 1 } else { ASCII_CHARS };
        if n_quarters > budget.saturating_mul(ASCII_CHARS) {
            end = at;
            break;
        }
    }
    if end == text.len() {
        return text;
    }
    let line = text[..end].rfind('\n').filter(|&at| at > end / 2);
    &text[..line.unwrap_or(end)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tokens_are_counted_generously() {
        assert_eq!(tokens(""), 0);
        assert_eq!(tokens("abcde"), 2);
        assert_eq!(tokens("漢字ab"), 3);
        assert_eq!(beginning("ab\ncdefghij", 2), "ab\ncdefg");
        assert_eq!(beginning("abcdef\nghij", 2), "abcdef");
    }

    proptest! {
        #[test]
        fn a_beginning_fits(text in "[a-z\n漢é]{0,80}", budget in 0..30usize) {
            let cut = beginning(&text, budget);
            prop_assert!(text.starts_with(cut) && tokens(cut) <= budget);
            prop_assert!(cut == text || tokens(cut) * 2 + 2 >= budget);
        }
    }
}
