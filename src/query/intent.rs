//! What a query asks of a search by meaning, which knows no syntax.

use std::borrow::Cow;

use super::{Clause, Kind, Node, Occur, Query};

impl Query {
    /// The query without what only scores: what every hit has to match and must not match, by whichever way it is found.
    /// `None` where nothing is required or excluded.
    ///
    /// ```
    /// use ragctl::query::{Syntax, parse};
    ///
    /// let query = parse("restore a +backup -draft", Syntax::default())?;
    /// assert_eq!(query.restriction().unwrap().to_string(), "+backup -draft *:*");
    /// assert!(parse("restore a backup", Syntax::default())?.restriction().is_none());
    /// # Ok::<(), ragctl::query::QueryError>(())
    /// ```
    pub fn restriction(&self) -> Option<Self> {
        let root = self.root.as_ref()?;
        let Kind::Group(clauses) = &root.kind else { return None };
        let mut strict: Vec<Clause> =
            clauses.iter().filter(|clause| clause.occur != Occur::Should).cloned().collect();
        if strict.is_empty() {
            return None;
        }
        let all = Node::new(Kind::All, root.span.clone());
        strict.push(Clause { occur: Occur::Should, node: all });
        let root = Node::new(Kind::Group(strict), root.span.clone());
        Some(Self { root: Some(root), ..self.clone() })
    }

    /// What the query is about, in plain words: itself where it has no operators, else its words without those that are
    /// excluded.
    pub fn meaning(&self) -> Cow<'_, str> {
        if self.is_plain() {
            return Cow::Borrowed(&self.source);
        }
        let words = self.words();
        if words.is_empty() { Cow::Borrowed(&self.source) } else { Cow::Owned(words.join(" ")) }
    }

    /// Whether every word of the query is a name: something that is looked up rather than asked about, as `--no-verify`,
    /// `tls.createServer`, `ERR_CLOSED`, `SystemError`, `1.0.21`.
    pub fn is_lookup(&self) -> bool {
        self.is_plain() && self.source.split_whitespace().all(is_name) && !self.source.trim().is_empty()
    }

    /// Whether the query is nothing but words and phrases.
    fn is_plain(&self) -> bool {
        let is_words = |node: &Node| matches!(node.kind, Kind::Term(_) | Kind::Phrase { slop: 0, .. });
        match &self.root {
            None => true,
            Some(Node { kind: Kind::Group(clauses), .. }) => {
                clauses.iter().all(|clause| clause.occur == Occur::Should && is_words(&clause.node))
            }
            Some(root) => is_words(root),
        }
    }
}

/// Whether a word has a shape that prose seldom has: a sign in front, or inside it a sign, a digit or a capital letter
/// behind a small one. Words in capitals (`DNA`) and hyphenated ones (`real-time`) are prose.
fn is_name(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'', ',', ';', '?', '!', '(', ')']);
    let is_signed = word.starts_with(['-', '.', '$', '@', '_', '/']) && word.len() > 2;
    let chars: Vec<char> = word.chars().collect();
    let is_joined = chars.windows(3).any(|it| {
        it[0].is_alphanumeric()
            && (matches!(it[1], '_' | '.' | ':' | '/' | '\\' | '@') || it[1].is_ascii_digit())
            && (it[2].is_alphanumeric() || it[1] == it[2])
    });
    let is_camel =
        chars.windows(3).any(|it| it[0].is_lowercase() && it[1].is_uppercase() && it[2].is_alphanumeric());
    is_signed || is_joined || is_camel
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Operator, Syntax, parse};

    fn query(text: &str) -> Query {
        parse(text, Syntax::default()).unwrap()
    }

    #[test]
    fn names_are_looked_up_and_words_are_asked_about() {
        #[track_caller]
        fn check(text: &str, expected: bool) {
            assert_eq!(query(text).is_lookup(), expected, "{text}");
        }
        for name in [
            "--no-verify",
            "tls.createServer",
            "ERR_CLOSED",
            "SystemError",
            "1.0.21",
            "std::vec::Vec",
            "/etc/fstab",
            "a.b c.d",
        ] {
            check(name, true);
        }
        for words in ["caching", "DNA", "real-time", "how to use --no-verify", "mp3", "", "a.b OR c", "C"] {
            check(words, false);
        }
    }

    #[test]
    fn the_meaning_is_what_is_not_excluded() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(query(text).meaning(), expected);
        }
        check("how do I restore a backup?", "how do I restore a backup?");
        check("\"cold start\" time", "\"cold start\" time");
        check("+restore -\"old draft\" backup", "restore backup");
        check("(title:cache OR year:2020) AND NOT draft", "cache");
        check("-draft", "-draft");
    }

    #[test]
    fn a_restriction_is_what_has_to_hold() {
        #[track_caller]
        fn check(query: &Query, expected: Option<&str>) {
            assert_eq!(query.restriction().map(|it| it.to_string()).as_deref(), expected);
        }
        check(&query("a b"), None);
        check(&query("a"), None);
        check(&query("a -b"), Some("-b *:*"));
        check(&query("a AND (b OR c) NOT d"), Some("+a +(b c) -d *:*"));
        let and = Syntax { operator: Operator::And, ..Syntax::default() };
        check(&parse("a b", and).unwrap(), Some("+a +b *:*"));
    }
}
