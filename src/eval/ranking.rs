//! Rankings as `trec_eval` sees them. Pure.

use std::collections::{BTreeMap, HashSet};

use crate::eval::Qrels;

/// The ranking of one query: document ids with scores, each id once, best first.
///
/// `trec_eval` takes the order from the scores alone, as 32-bit floats, and orders equal scores by descending id (byte by
/// byte); ranks that a file names do not count. A ranking here stands in that order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    documents: Vec<(String, f32)>,
}

/// Rankings by query id.
pub type Run = BTreeMap<String, Ranking>;

impl Ranking {
    /// The ranking that these scores make; an id that comes again counts once, with its best score.
    pub fn of_scores(mut documents: Vec<(String, f32)>) -> Self {
        documents.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
        let mut seen = HashSet::new();
        documents.retain(|(id, _)| seen.insert(id.clone()));
        Self { documents }
    }

    /// A ranking in the order given, best first; an id that comes again counts once, at its best place.
    ///
    /// Where a score is not below the one before, it becomes the next lower float, so that a file written from it gives
    /// the same ranking again, whatever its ids are.
    pub fn of_order(documents: impl IntoIterator<Item = (String, f32)>) -> Self {
        let mut seen = HashSet::new();
        let mut ordered: Vec<(String, f32)> = Vec::new();
        for (id, score) in documents {
            if !seen.insert(id.clone()) {
                continue;
            }
            let score = match ordered.last() {
                Some(&(_, before)) if score >= before => before.next_down(),
                _ => score,
            };
            ordered.push((id, score));
        }
        Self { documents: ordered }
    }

    /// Its first `n`.
    pub fn cut(mut self, n: usize) -> Self {
        self.documents.truncate(n);
        self
    }

    /// Ids with scores, best first.
    pub fn documents(&self) -> &[(String, f32)] {
        &self.documents
    }

    /// Ids, best first.
    pub fn ids(&self) -> Vec<&str> {
        self.documents.iter().map(|(id, _)| id.as_str()).collect()
    }
}

/// `run` in TREC's form: `query Q0 document rank score tag` a line. Blanks in ids, which would end a column, are written as `%20`
/// and the like; [`with_judged_ids`] finds such ids again.
pub fn to_trec(run: &Run, tag: &str) -> String {
    use std::fmt::Write as _;
    let tag = one_word(tag);
    let mut text = String::new();
    for (query, ranking) in run {
        for (at, (id, score)) in ranking.documents.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{} Q0 {} {} {score:?} {tag}", one_word(query), one_word(id), at + 1);
        }
    }
    text
}

/// What ends a column of TREC's files: C's `isspace`.
pub(super) fn is_blank(it: char) -> bool {
    matches!(it, ' ' | '\t'..='\r')
}

/// The two hexadecimal digits behind a `%`, as a character.
fn escaped(digits: &[u8]) -> Option<char> {
    let digits = digits.get(..2).filter(|it| it.iter().all(u8::is_ascii_hexdigit))?;
    std::str::from_utf8(digits).ok().and_then(|it| u8::from_str_radix(it, 16).ok()).map(char::from)
}

/// Whether there are blanks in `text`, or what would be read as one: `%20`, and `%2520`, which would be read as that.
fn hides_blank(text: &str) -> bool {
    let is_read_as_blank = |rest: &str| {
        let digits = rest.as_bytes();
        let n_percent = digits.chunks(2).take_while(|it| *it == b"25").count();
        escaped(&digits[2 * n_percent..]).is_some_and(is_blank)
    };
    text.contains(is_blank) || text.split('%').skip(1).any(is_read_as_blank)
}

/// A word for a column. Ids without blanks stay as they are, so that other programs find them in the judgements.
fn one_word(text: &str) -> String {
    if text.is_empty() {
        return "_".to_owned();
    }
    if !hides_blank(text) {
        return text.to_owned();
    }
    let word = |it: char| match it {
        '%' => "%25".to_owned(),
        it if is_blank(it) => format!("%{:02X}", u32::from(it)),
        it => it.to_string(),
    };
    text.chars().map(word).collect()
}

/// What [`one_word`] made a word of; `None` where it is the word itself.
fn before_one_word(word: &str) -> Option<String> {
    if !hides_blank(word) {
        return None;
    }
    let mut pieces = word.split('%');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match escaped(piece.as_bytes()).filter(|&it| it == '%' || is_blank(it)) {
            Some(it) => {
                text.push(it);
                text.push_str(&piece[2..]);
            }
            None => {
                text.push('%');
                text.push_str(piece);
            }
        }
    }
    Some(text)
}

/// A run that was read from a file, with the ids of the judgements where [`to_trec`] had to write them otherwise. An id that is
/// judged as it stands stays.
pub fn with_judged_ids(run: Run, qrels: &Qrels) -> Run {
    fn judged(id: String, is_judged: impl Fn(&str) -> bool) -> String {
        if is_judged(&id) {
            return id;
        }
        before_one_word(&id).filter(|it| is_judged(it)).unwrap_or(id)
    }
    let of_query = |(query, ranking): (String, Ranking)| {
        let query = judged(query, |it| qrels.contains_key(it));
        let Some(grades) = qrels.get(&query) else { return (query, ranking) };
        let mut seen = HashSet::new();
        let mut documents: Vec<(String, f32)> = ranking
            .documents
            .into_iter()
            .map(|(id, score)| (judged(id, |it| grades.contains_key(it)), score))
            .collect();
        documents.retain(|(id, _)| seen.insert(id.clone()));
        (query, Ranking { documents })
    };
    run.into_iter().map(of_query).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::eval::formats::parse_run;

    fn scored(pairs: &[(&str, f32)]) -> Vec<(String, f32)> {
        pairs.iter().map(|&(id, score)| (id.to_owned(), score)).collect()
    }

    #[test]
    fn equal_scores_stand_in_descending_order_of_ids() {
        let ranking =
            Ranking::of_scores(scored(&[("a", 1.0), ("b", 1.0), ("c", 2.0), ("b", 0.5), ("B", 1.0)]));
        assert_eq!(ranking.ids(), ["c", "b", "a", "B"]);
    }

    #[test]
    fn an_order_is_kept_by_scores_that_descend() {
        let ranking =
            Ranking::of_order(scored(&[("a", 1.0), ("b", 1.0), ("a", 3.0), ("c", 2.0), ("d", 0.5)]));
        assert_eq!(ranking.ids(), ["a", "b", "c", "d"]);
        assert!(ranking.documents().windows(2).all(|it| it[0].1 > it[1].1), "{ranking:?}");
        assert_eq!(ranking.documents()[3].1, 0.5);
    }

    #[test]
    fn blanks_in_ids_are_written_so_that_they_are_found_again() {
        let check = |id: &str, expected: &str| {
            assert_eq!(one_word(id), expected);
            assert_eq!(before_one_word(expected).as_deref().unwrap_or(expected), id);
        };
        check("doc one.md", "doc%20one.md");
        check("a\tb%\u{b}", "a%09b%25%0B");
        // What other programs find in the judgements stays as it is there.
        check("100%", "100%");
        check("https://x/%C3%A4?a=%2F", "https://x/%C3%A4?a=%2F");
        check("no\u{a0}break", "no\u{a0}break");
        // Read again, this would be a blank.
        check("https://x/a%20b", "https://x/a%2520b");
        check("%2520", "%252520");
        assert_eq!(one_word(""), "_");
    }

    #[test]
    fn ids_of_a_run_are_those_that_are_judged() {
        let qrels = crate::eval::formats::parse_qrels("q 1\td 1\t1\nq 1\tu%20v\t1\n").unwrap();
        let run = parse_run("q%201 Q0 d%201 1 3 t\nq%201 Q0 u%20v 2 2 t\nq%201 Q0 x%20y 3 1 t\n").unwrap();
        let run = with_judged_ids(run, &qrels);
        assert_eq!(run["q 1"].ids(), ["d 1", "u%20v", "x%20y"]);
    }

    proptest! {
        #[test]
        fn a_word_stands_for_one_text(text in "[ %205aF\t]{1,9}") {
            let word = one_word(&text);
            prop_assert!(!word.contains(is_blank));
            prop_assert_eq!(before_one_word(&word).unwrap_or(word), text);
        }

        #[test]
        fn a_run_with_blanks_in_its_ids_is_read_again(
            rankings in prop::collection::btree_map("[a-z ]{1,4}", prop::collection::vec(("[A-Z %\t]{1,4}", -2i8..3), 1..9), 0..4),
        ) {
            let run: Run = rankings.into_iter().map(|(query, documents)| {
                (query, Ranking::of_order(documents.into_iter().map(|(id, score)| (id, f32::from(score)))))
            }).collect();
            let grades = |it: &Ranking| it.ids().into_iter().map(|id| (id.to_owned(), 1)).collect();
            let qrels: Qrels = run.iter().map(|(query, ranking)| (query.clone(), grades(ranking))).collect();
            prop_assert_eq!(with_judged_ids(parse_run(&to_trec(&run, "my run")).unwrap(), &qrels), run);
        }

        #[test]
        fn a_run_that_is_written_and_read_is_the_same(
            rankings in prop::collection::btree_map("[a-z0-9#/]{1,4}", prop::collection::vec(("[A-Za-z0-9/#.]{1,5}", -2i8..3), 1..9), 0..4),
        ) {
            let run: Run = rankings.into_iter().map(|(query, documents)| {
                (query, Ranking::of_order(documents.into_iter().map(|(id, score)| (id, f32::from(score) / 3.0))))
            }).collect();
            prop_assert_eq!(parse_run(&to_trec(&run, "my run")).unwrap(), run);
        }
    }
}
