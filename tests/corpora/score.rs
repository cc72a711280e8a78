//! Comparing texts: by words, by letters, by titles.

use std::collections::HashMap;
use std::ops::Add;

use unicode_normalization::UnicodeNormalization;

/// How many wanted titles were found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    pub(crate) n_wanted: usize,
    pub(crate) n_given: usize,
    pub(crate) n_hits: usize,
}

impl Found {
    /// Compares titles as multisets of their letters and digits, numbers in front aside.
    pub(crate) fn of<'a>(
        wanted: impl Iterator<Item = &'a str>,
        given: impl Iterator<Item = &'a str>,
    ) -> Self {
        let wanted: Vec<String> = wanted.map(bare).filter(|it| !it.is_empty()).collect();
        let given: Vec<String> = given.map(bare).filter(|it| !it.is_empty()).collect();
        Self { n_wanted: wanted.len(), n_given: given.len(), n_hits: n_common(&wanted, &given) }
    }

    pub(crate) fn recall(self) -> f64 {
        self.n_hits as f64 / self.n_wanted.max(1) as f64
    }

    pub(crate) fn precision(self) -> f64 {
        self.n_hits as f64 / self.n_given.max(1) as f64
    }
}

impl Add for Found {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            n_wanted: self.n_wanted + other.n_wanted,
            n_given: self.n_given + other.n_given,
            n_hits: self.n_hits + other.n_hits,
        }
    }
}

/// Letters and digits in lower case, compatibility forms resolved.
pub(crate) fn letters(text: &str) -> String {
    text.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// [`letters`] of a title without its number.
pub(crate) fn bare(title: &str) -> String {
    let mut rest = title.trim();
    while let Some((word, after)) = rest.split_once(char::is_whitespace) {
        let is_kind = ["chapter", "appendix", "part"].contains(&word.to_lowercase().as_str());
        let inner = word.trim_end_matches(['.', ')', ':']);
        let is_number = inner.split(['.', '-']).all(|it| {
            it.len() == 1 && it.chars().all(|c| c.is_ascii_uppercase())
                || !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit())
        });
        if !is_kind && !is_number {
            break;
        }
        rest = after.trim_start();
    }
    letters(rest)
}

/// Words in lower case; a word cut by a hyphen at the end of a line is one word.
fn words(text: &str) -> Vec<String> {
    let text: String =
        text.nfkc().filter(|c| !matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}')).collect();
    let mut joined = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("-\n") {
        let is_cut =
            rest[..at].ends_with(char::is_alphanumeric) && rest[at + 2..].starts_with(char::is_lowercase);
        joined.push_str(&rest[..if is_cut { at } else { at + 2 }]);
        rest = &rest[at + 2..];
    }
    joined.push_str(rest);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    joined
        .split(|c| !is_part(c))
        .filter(|it| !it.is_empty())
        .map(|it| in_no_direction(&it.to_lowercase()))
        .collect()
}

/// Extractors differ on the direction of Hebrew and Arabic: such words are compared by their letters in no order.
fn in_no_direction(word: &str) -> String {
    if !word.contains(|c| matches!(c, '\u{590}'..='\u{8FF}')) {
        return word.to_owned();
    }
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

/// F1 of the words of two texts as multisets: order does not count. 1 for two texts without words.
pub(crate) fn f1(given: &str, wanted: &str) -> f64 {
    let (given, wanted) = (words(given), words(wanted));
    match given.len() + wanted.len() {
        0 => 1.0,
        n_all => 2.0 * n_common(&wanted, &given) as f64 / n_all as f64,
    }
}

fn n_common(a: &[String], b: &[String]) -> usize {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for it in a {
        *counts.entry(it).or_insert(0) += 1;
    }
    let mut n = 0;
    for it in b {
        if let Some(count) = counts.get_mut(it.as_str()).filter(|it| **it > 0) {
            *count -= 1;
            n += 1;
        }
    }
    n
}

#[test]
fn words_are_counted_once_each() {
    assert_eq!(f1("a b b", "b a c"), 2.0 / 3.0);
    assert_eq!(f1("", ""), 1.0);
    assert_eq!(f1("x", ""), 0.0);
    assert_eq!(words("Hyphen-\nated co-\nOp ﬁt"), ["hyphenated", "co", "op", "fit"]);
}
