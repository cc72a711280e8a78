//! Where the words of a query stand in a text, in any form that the search matches.

use std::collections::HashSet;

use super::analysis::{Kind, Stemming, analyse, written};
use crate::content::{Language, Span};
use crate::query::Query;

/// The places in `text`, which is in `language`, where words and phrases of `query` that are not excluded stand: ascending
/// and disjoint.
///
/// ```
/// use ragctl::content::Span;
/// use ragctl::query::{Syntax, parse};
/// use ragctl::store::embedded::highlight::highlights;
///
/// let query = parse("caching -draft", Syntax::default())?;
/// assert_eq!(highlights(&query, "Cached drafts", None), [Span::new(0, 6)]);
/// # Ok::<(), ragctl::query::QueryError>(())
/// ```
pub fn highlights(query: &Query, text: &str, language: Option<Language>) -> Vec<Span> {
    let stemming = Stemming::of(language);
    let mut wanted: HashSet<String> = HashSet::new();
    for source in query.words() {
        analyse(source, &mut |token| {
            wanted.insert(match token.kind {
                Kind::Word | Kind::Part => {
                    stemming.stem(token.text, &written(&source[token.span])).into_owned()
                }
                Kind::Whole | Kind::Pair | Kind::Last => token.text.to_owned(),
            });
        });
    }
    let mut spans: Vec<Span> = Vec::new();
    analyse(text, &mut |token| {
        let is_wanted = match token.kind {
            Kind::Word | Kind::Part => {
                wanted.contains(&*stemming.stem(token.text, &written(&text[token.span.clone()])))
            }
            Kind::Whole | Kind::Pair | Kind::Last => wanted.contains(token.text),
        };
        if is_wanted {
            spans.push(Span::new(token.span.start, token.span.end));
        }
    });
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    spans.into_iter().fold(Vec::new(), |mut merged: Vec<Span>, span| {
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
            let spans = highlights(&parse(query, Syntax::default()).unwrap(), text, None);
            assert_eq!(spans.into_iter().map(|span| span.slice(text)).collect::<Vec<_>>(), expected);
        }
        check("caching -draft", "Cached drafts: a cache", &["Cached", "cache"]);
        check("no-verify", "use --no-verify, no?", &["no-verify", "no"]);
        check("级碗", "超级碗是", &["级碗"]);
        check("\"big house\" AND NOT car", "houses are big, cars too", &["houses", "big"]);
    }
}
