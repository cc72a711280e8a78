//! The query language of text search: from what a user types to clauses.
//!
//! Understood are words, `"phrases"` (also `"near words"~3`), `+must`, `-must_not` and `\` before a character that shall
//! mean itself. Everything else is literal, so that a natural question full of `:`, `(` or an odd quote finds what its
//! words find. Parsing never fails and is linear; what it could not follow stands in the notes. How a clause is matched
//! and scored is decided in [`super::text`].

use std::{collections::HashSet, fmt, iter::Peekable, ops::Range, str::CharIndices};

use super::analysis::{Kind, analyse, stem};

/// Most tokens that are searched for; Lucene's `maxClauseCount` has the same value. A page of text has about 500.
pub const MAX_TOKENS: usize = 1024;

/// Largest distance after `"phrase"~`; anything longer than a chunk means the same.
const MAX_SLOP: u32 = 10_000;

/// A parsed query.
///
/// ```
/// use ragctl::store::embedded::query::{Node, Occur, TextQuery};
///
/// let query = TextQuery::parse(r#"+"real time" -draft clocks"#);
/// assert_eq!(query.clauses.len(), 3);
/// assert_eq!(query.clauses[0].node, Node::Phrase { text: "real time".into(), slop: 0 });
/// assert_eq!(query.clauses[1].occur, Occur::MustNot);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextQuery {
    /// In the order of the query; without clauses that hold nothing to search for.
    pub clauses: Vec<Clause>,
    /// What was taken otherwise than it was perhaps meant.
    pub notes: Vec<Note>,
}

/// A part of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Whether it has to match.
    pub occur: Occur,
    /// What it looks for.
    pub node: Node,
    /// Where it stands in the query, in bytes, without `+` or `-`.
    pub span: Range<usize>,
}

/// Whether a clause has to match. A query of `MustNot` clauses alone matches everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occur {
    /// Adds to the score; at least one has to match when no clause is `Must`.
    Should,
    /// Has to match.
    Must,
    /// Must not match.
    MustNot,
}

/// What a clause looks for. The text is as typed, escapes resolved, not yet analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A word or an identifier: found whole, by its parts, and in other forms of the word.
    Term(String),
    /// Words in this order, in this form.
    Phrase {
        /// The words.
        text: String,
        /// How many positions in all the words may be away from where they stand in the phrase.
        slop: u32,
    },
}

/// What a reader of the results should know about how the query was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A quote has no partner and was left out.
    OddQuote {
        /// Its place, in bytes.
        at: usize,
    },
    /// Only the beginning of the query is searched for.
    TooLong {
        /// Where the rest begins, in bytes.
        at: usize,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OddQuote { at } => write!(f, "the quote at byte {at} has no partner and was left out"),
            Self::TooLong { at } => {
                write!(f, "only the first {MAX_TOKENS} words are searched for, up to byte {at} of the query")
            }
        }
    }
}

impl TextQuery {
    /// Parses any input.
    pub fn parse(input: &str) -> Self {
        let mut parser =
            Parser { input, chars: input.char_indices().peekable(), query: Self::default(), n_tokens: 0 };
        while parser.clause() {}
        parser.query
    }

    /// The places in `text` where words of the query stand, in any form that the search matches: ascending, disjoint
    /// byte ranges, for highlighting.
    pub fn highlights(&self, text: &str) -> Vec<Range<usize>> {
        let mut wanted: HashSet<String> = HashSet::new();
        for clause in self.clauses.iter().filter(|clause| clause.occur != Occur::MustNot) {
            let (Node::Term(source) | Node::Phrase { text: source, .. }) = &clause.node;
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
}

struct Parser<'a> {
    input: &'a str,
    chars: Peekable<CharIndices<'a>>,
    query: TextQuery,
    n_tokens: usize,
}

impl Parser<'_> {
    /// Takes one clause; `false` at the end.
    fn clause(&mut self) -> bool {
        while self.chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
        let Some(&(start, first)) = self.chars.peek() else { return false };
        let second = self.input[start + first.len_utf8()..].chars().next();
        let occur = match (first, second) {
            (_, None) => Occur::Should,
            (_, Some(c)) if c.is_whitespace() || c == first => Occur::Should,
            ('+', _) => Occur::Must,
            ('-', _) => Occur::MustNot,
            _ => Occur::Should,
        };
        if occur != Occur::Should {
            self.chars.next();
        }
        if let Some((quote, _)) = self.chars.next_if(|&(_, c)| c == '"') {
            if let Some(text) = self.quoted() {
                let slop = self.slop();
                return self.push(occur, Node::Phrase { text, slop }, quote);
            }
            self.query.notes.push(Note::OddQuote { at: quote });
        }
        let start = self.at();
        let mut text = String::new();
        while let Some((_, c)) = self.chars.next_if(|&(_, c)| !c.is_whitespace() && c != '"') {
            text.push(if c == '\\' { self.escaped().unwrap_or(c) } else { c });
        }
        self.push(occur, Node::Term(text), start)
    }

    /// Takes the rest of a phrase up to and with its closing quote; takes nothing when there is none.
    fn quoted(&mut self) -> Option<String> {
        let mut ahead = self.chars.clone();
        std::mem::swap(&mut self.chars, &mut ahead);
        let mut text = String::new();
        while let Some((_, c)) = self.chars.next() {
            match c {
                '"' => return Some(text),
                '\\' => text.push(self.escaped().unwrap_or(c)),
                _ => text.push(c),
            }
        }
        self.chars = ahead;
        None
    }

    /// Takes a character that a backslash makes literal: punctuation, so that `C:\temp` stays what it is.
    fn escaped(&mut self) -> Option<char> {
        self.chars.next_if(|(_, c)| c.is_ascii_punctuation()).map(|(_, c)| c)
    }

    /// Takes `~` and digits after a phrase.
    fn slop(&mut self) -> u32 {
        let rest = &self.input[self.at()..];
        let digits =
            rest.strip_prefix('~').map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
        if digits == 0 {
            return 0;
        }
        let value = rest[1..=digits].parse().unwrap_or(MAX_SLOP).min(MAX_SLOP);
        for _ in 0..=digits {
            self.chars.next();
        }
        value
    }

    /// Adds a clause if it holds anything to search for; `false` once the query is long enough.
    fn push(&mut self, occur: Occur, mut node: Node, start: usize) -> bool {
        let (Node::Term(text) | Node::Phrase { text, .. }) = &mut node;
        let (mut n_tokens, mut cut) = (self.n_tokens, None);
        analyse(text, &mut |token| {
            n_tokens += 1;
            if n_tokens == MAX_TOKENS + 1 {
                cut = Some(token.span.start);
            }
        });
        let added = n_tokens - self.n_tokens;
        self.n_tokens = n_tokens;
        let end = self.at();
        if let Some(cut) = cut {
            text.truncate(cut);
            self.query.notes.push(Note::TooLong { at: (start + cut).min(end) });
        }
        if added > 0 && !text.is_empty() {
            self.query.clauses.push(Clause { occur, node, span: start..end });
        }
        cut.is_none()
    }

    fn at(&mut self) -> usize {
        self.chars.peek().map_or(self.input.len(), |&(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Clauses as Lucene prints them, notes after a bar.
    fn shown(input: &str) -> String {
        let query = TextQuery::parse(input);
        let clauses = query.clauses.iter().map(|clause| {
            let sign = match clause.occur {
                Occur::Should => "",
                Occur::Must => "+",
                Occur::MustNot => "-",
            };
            match &clause.node {
                Node::Term(text) => format!("{sign}{text}"),
                Node::Phrase { text, slop: 0 } => format!("{sign}\"{text}\""),
                Node::Phrase { text, slop } => format!("{sign}\"{text}\"~{slop}"),
            }
        });
        let notes = query.notes.iter().map(|note| format!("| {note}"));
        clauses.chain(notes).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(input: &str, expected: &str) {
        assert_eq!(shown(input), expected, "{input}");
    }

    #[test]
    fn the_syntax() {
        check("term term  term", "term term term");
        check(r#"+must -"not this" may"#, r#"+must -"not this" may"#);
        check(r#""near words"~3 x"#, r#""near words"~3 x"#);
        check(r#""a b"~ "a b"~x "a b"~99999999999"#, r#""a b" "a b" ~x "a b"~10000"#);
        check("用語　用語", "用語 用語");
        check(r#"foo"bar baz"qux"#, r#"foo "bar baz" qux"#);
    }

    #[test]
    fn everything_else_is_literal() {
        check("a:(^", "a:(^");
        check("what is :: ? (really)", "what is (really)");
        check("--no-verify -- - + ++x", "--no-verify ++x");
        check("a - b", "a b");
        check("C++ std::vec foo_bar", "C++ std::vec foo_bar");
        check(r"C:\temp \+plus \-minus a\:b \\x", r"C:\temp +plus -minus a:b \x");
        check(r#""a \"b c\" d""#, r#""a "b c" d""#);
        check("", "");
        check("\"\" + - \\", "");
    }

    #[test]
    fn an_odd_quote_is_noted() {
        check(r#"say "hello there"#, "say hello there | the quote at byte 4 has no partner and was left out");
        check(r#"+"x"#, "+x | the quote at byte 1 has no partner and was left out");
    }

    #[test]
    fn long_queries_are_cut_with_a_note() {
        for word in ["x ", "中", "x_", "\"", "\"a ", "+", "a\\", "(a:^"] {
            let input = word.repeat(1_000_000 / word.len());
            let query = TextQuery::parse(&input);
            assert!(query.clauses.len() <= MAX_TOKENS, "{word}");
            let is_cut = query.notes.iter().any(|note| matches!(note, Note::TooLong { .. }));
            assert_eq!(is_cut, !["\"", "+"].contains(&word), "{word}");
        }
    }

    #[test]
    fn highlights_are_what_the_search_matches() {
        #[track_caller]
        fn check(query: &str, text: &str, expected: &[&str]) {
            let spans = TextQuery::parse(query).highlights(text);
            assert_eq!(spans.into_iter().map(|span| &text[span]).collect::<Vec<_>>(), expected);
        }
        check("caching -draft", "Cached drafts: a cache", &["Cached", "cache"]);
        check("no-verify", "use --no-verify, no?", &["no-verify", "no"]);
        check("级碗", "超级碗是", &["级碗"]);
        check("\"big house\"", "houses are big", &["houses", "big"]);
    }

    proptest! {
        #[test]
        fn any_input_parses(input in "(\\PC|[-+\"~\\\\ a-z0-9:(]){0,80}") {
            let query = TextQuery::parse(&input);
            for clause in &query.clauses {
                prop_assert!(input.get(clause.span.clone()).is_some_and(|source| !source.is_empty()));
            }
            query.highlights(&input);
        }
    }
}
