//! How often words stand next to each other.

/// A word of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// What is added to the positions of the word, so that they are equal for all words where the phrase stands.
    pub(super) shift: u32,
    /// The first item with the same word.
    same_as: usize,
}

/// Prepares the words of a phrase, given with their positions.
pub(super) fn items(words: &[(u32, String)]) -> Vec<Item> {
    let last = words.iter().map(|&(position, _)| position).max().unwrap_or(0);
    let same_as = |text: &String| words.iter().position(|(_, other)| other == text).unwrap_or(0);
    words.iter().map(|(position, text)| Item { shift: last - position, same_as: same_as(text) }).collect()
}

/// How often the phrase stands in a text: 1 for each place where all words are where they belong, and `1 / (1 + d)` where
/// their shifted positions lie within `d`, at most `slop`, as in Lucene's sloppy phrases.
///
/// `positions` are the shifted positions of each item, ascending.
pub(super) fn frequency(positions: &[Vec<u32>], items: &[Item], slop: u32) -> f32 {
    let mut frequency = 0.0;
    let mut at = vec![0; positions.len()];
    loop {
        let (mut lowest, mut highest, mut behind) = (u32::MAX, 0, 0);
        for (item, (positions, &at)) in positions.iter().zip(&at).enumerate() {
            let Some(&position) = positions.get(at) else { return frequency };
            if position < lowest {
                (lowest, behind) = (position, item);
            }
            highest = highest.max(position);
        }
        if positions.is_empty() {
            return frequency;
        }
        let distance = highest - lowest;
        if distance <= slop && (slop == 0 || are_distinct(positions, items, &at)) {
            frequency += 1.0 / (1 + distance) as f32;
        }
        at[behind] += 1;
    }
}

/// Whether no two items with the same word use the same place; without slop they never do.
fn are_distinct(positions: &[Vec<u32>], items: &[Item], at: &[usize]) -> bool {
    let place = |item: usize| positions[item][at[item]] - items[item].shift;
    (0..items.len()).all(|item| {
        let mut others = (0..item).filter(|&other| items[other].same_as == items[item].same_as);
        others.all(|other| place(other) != place(item))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn count(phrase: &str, slop: u32, text: &str) -> f32 {
        let words: Vec<(u32, String)> = (0..).zip(phrase.split(' ').map(str::to_owned)).collect();
        let items = items(&words);
        let positions = items.iter().zip(&words).map(|(item, (_, word))| {
            let places = (0..).zip(text.split(' ')).filter(|(_, other)| other == word);
            places.map(|(place, _): (u32, _)| place + item.shift).collect()
        });
        frequency(&positions.collect::<Vec<_>>(), &items, slop)
    }

    #[test]
    fn phrases_with_and_without_slop() {
        #[track_caller]
        fn check(phrase: &str, slop: u32, text: &str, expected: f32) {
            assert_eq!(count(phrase, slop, text), expected);
        }
        check("a b", 0, "a b x a b b", 2.0);
        check("a b", 0, "b a x b", 0.0);
        check("a b c", 0, "a b b c a b c", 1.0);
        check("a a", 0, "a a a", 2.0);
        check("a b", 1, "a x b", 0.5);
        check("a b", 1, "b a", 0.0);
        check("a b", 2, "b a", 1.0 / 3.0);
        check("a a", 3, "x a y", 0.0);
        check("a a", 1, "a x a", 0.5);
        check("a b", 0, "", 0.0);
    }

    proptest! {
        #[test]
        fn an_exact_phrase_is_counted_as_by_hand(
            phrase in prop::collection::vec("[ab]", 2..4),
            text in prop::collection::vec("[abc]", 0..30),
        ) {
            let expected = text.windows(phrase.len()).filter(|window| window == &phrase).count();
            prop_assert_eq!(count(&phrase.join(" "), 0, &text.join(" ")), expected as f32);
        }
    }
}
