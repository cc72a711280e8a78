//! Where the words of a query stand in a text, in any form that the search matches.

use std::{collections::HashSet, ops::Range};

use super::analysis::{Kind, analyse, stem};
use crate::query::Query;

/// The places in `text` where words and phrases of `query` that are not excluded stand: ascending, disjoint byte ranges.
///
/// ```
/// use ragctl::query::{Syntax, parse};
/// use ragctl::store::embedded::highlight::highlights;
///
/// let query = parse("caching -draft", Syntax::default())?;
/// assert_eq!(highlights(&query, "Cached drafts"), [0..6]);
/// # Ok::<(), ragctl::query::QueryError>(())
/// ```
pub fn highlights(query: &Query, text: &str) -> Vec<Range<usize>> {
    let mut wanted: HashSet<String> = HashSet::new();
    for source in query.words() {
        analyse(source, &mut |token| {
            wanted.insert(match token.kind {
                Kind::Word | Kind::Part => stem(token.text).into_owned(),
                Kind::Whole | Kind::Pair | Kind::Last => token.text.to_owned(),
            });
        });
    }
    let mut spans: Vec<Range<usize>> = Vec::new();
    analyse(text, &mut |token| {
        let is_wanted = match token.kind {
            Kind::Word | Kind::Part => wanted.contains(&*stem(token.text)),
            Kind::Whole | Kind::Pair | Kind::Last => wanted.contains(token.text),
        };
        if is_wanted {
            spans.push(token.span);
        }
    });
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    spans.into_iter().fold(Vec::new(), |mut merged: Vec<Range<usize>>, span| {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
        merged
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Syntax, parse};

    #[test]
    fn highlights_are_what_the_search_matches() {
        #[track_caller]
        fn check(query: &str, text: &str, expected: &[&str]) {
            let spans = highlights(&parse(query, Syntax::default()).unwrap(), text);
            assert_eq!(spans.into_iter().map(|span| &text[span]).collect::<Vec<_>>(), expected);
        }
        check("caching -draft", "Cached drafts: a cache", &["Cached", "cache"]);
        check("no-verify", "use --no-verify, no?", &["no-verify", "no"]);
        check("级碗", "超级碗是", &["级碗"]);
        check("\"big house\" AND NOT car", "houses are big, cars too", &["houses", "big"]);
    }
}
