//! Text analysis: from text to the tokens that are indexed and searched for, the same for both.
//!
//! - Words are letters, digits and their marks, folded (case, accents, compatibility forms).
//! - Words joined by `_ - . ' @ + & / \ : ::` form an identifier, which is a token as a whole (at each level of joints)
//!   as well as in words: `std::vec::Vec` gives `std::vec::vec`, `std`, `vec`, `vec`. What decorates an identifier is
//!   kept on a token of its own: `--no-verify`, `.net`, `c++`, `c#`. `fooBar` gives `foobar`, `foo`, `bar`.
//! - Scripts without spaces (Chinese, Japanese, Thai, Lao, Khmer, Myanmar; Korean too) give overlapping pairs of
//!   characters, and the last character of each run alone, so that one character can be found by prefix.
//! - Every word and every character of a run has a position of its own; a whole identifier stands at its first word, the
//!   parts of `fooBar` all at its one position. Phrases are matched over words and pairs, so `"no verify"` finds
//!   `--no-verify` and `"real-time"` finds `real time`.
//! - No token is longer than [`MAX_TOKEN_CHARS`]; what is longer is found by its beginning of that length.
//! - No stop words: BM25 gives them next to no weight, and they make phrases and titles (`to be or not to be`) findable.
//!
//! The stemmed form of a word is chosen by the language of its text and by its script (see [`mod@stem`]).

mod atoms;
mod fold;
mod stem;
mod tokenizer;

use std::{borrow::Cow, ops::Range};

pub(crate) use stem::{Stemming, written};
pub(super) use tokenizer::{ExactTokenizer, STEM_MARK, StemTokenizer, TitleTokenizer, marked};

use atoms::{Atom, AtomKind, Joint, joint, next_atom};

/// Longest token in characters. Identifiers of people are shorter (measured: 99.99 % of the tokens of 100 MB of
/// documentation have fewer than 100), hashes and encoded data need no more to be told apart.
pub const MAX_TOKEN_CHARS: usize = 256;

/// Words in one identifier; a longer one is cut, which keeps memory and tokens bounded.
const MAX_WORDS: usize = 64;
/// Longest word whose `camelCase` is looked at, in bytes; longer ones are encoded data.
const MAX_CAMEL_BYTES: usize = 64;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word with a position of its own.
    Word,
    /// A part of a `camelCase` word, at its position.
    Part,
    /// An identifier of several words, or one word with its decoration.
    Whole,
    /// Two neighbouring characters of a run, at the position of the first.
    Pair,
    /// The last character of a run.
    Last,
}

/// One token.
#[derive(Debug)]
pub(super) struct Token<'a> {
    /// Folded, not stemmed.
    pub(super) text: &'a str,
    pub(super) kind: Kind,
    /// 0-based, counted in words.
    pub(super) position: u32,
    /// Positions the token spans, at least 1.
    pub(super) n_positions: u32,
    /// Bytes of the source that the token stands for.
    pub(super) span: Range<usize>,
    /// Number of the identifier, word or run that the token comes from, ascending.
    pub(super) group: u32,
}

/// The stem of a folded word in a text of unknown language.
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    Stemming::default().stem(word, word)
}

/// The folded form of a whole text, of at most [`MAX_TOKEN_CHARS`] characters.
pub(super) fn folded(text: &str) -> String {
    let mut out = String::new();
    fold::fold(text, MAX_TOKEN_CHARS, &mut out);
    out
}

/// Calls `sink` with the tokens of `text`, by ascending position. Linear in the text.
pub(super) fn analyse(text: &str, sink: &mut impl FnMut(Token<'_>)) {
    let mut analyser = Analyser { text, sink, position: 0, group: 0, buffer: String::new() };
    let mut words: Vec<(Atom, Option<Joint>)> = Vec::new();
    let mut at = 0;
    while let Some(atom) = next_atom(text, at) {
        at = atom.end;
        let joint =
            words.last().filter(|_| words.len() < MAX_WORDS).and_then(|&(last, _)| joint(text, last, atom));
        if joint.is_none() {
            analyser.identifier(&words);
            words.clear();
        }
        match atom.kind {
            AtomKind::Word => words.push((atom, joint)),
            AtomKind::Run => analyser.run(atom),
        }
    }
    analyser.identifier(&words);
}

struct Analyser<'a, F> {
    text: &'a str,
    sink: &'a mut F,
    position: u32,
    group: u32,
    buffer: String,
}

impl<F: FnMut(Token<'_>)> Analyser<'_, F> {
    /// Gives the tokens of words that are joined to each other.
    fn identifier(&mut self, words: &[(Atom, Option<Joint>)]) {
        let (Some(&(first, _)), Some(&(last, _))) = (words.first(), words.last()) else { return };
        let whole = first.start..last.end;
        let decorated = self.decorated(&whole);
        let has_outer = words.iter().any(|&(_, joint)| joint == Some(Joint::Outer));
        let mut idx = 0;
        while idx < words.len() {
            // A segment: words up to the next outer joint.
            let n =
                1 + words[idx + 1..].iter().take_while(|&&(_, joint)| joint == Some(Joint::Inner)).count();
            if idx == 0 && decorated != whole {
                self.give(Kind::Whole, decorated.clone(), words.len());
            }
            if idx == 0 && has_outer {
                self.give(Kind::Whole, whole.clone(), words.len());
            }
            if n > 1 {
                self.give(Kind::Whole, words[idx].0.start..words[idx + n - 1].0.end, n);
            }
            for (atom, _) in &words[idx..idx + n] {
                self.word(atom.start..atom.end);
            }
            idx += n;
        }
        self.group += 1;
    }

    /// The span with what decorates the identifier in front and behind.
    fn decorated(&self, whole: &Range<usize>) -> Range<usize> {
        let bytes = self.text.as_bytes();
        let before = &bytes[..whole.start];
        let starts_fresh = |at: usize| {
            at == 0
                || matches!(
                    bytes[at - 1],
                    b' ' | b'\t' | b'\n' | b'\r' | b'(' | b'[' | b'"' | b'\'' | b'`' | b'*' | b'|' | b','
                )
        };
        let start = if before.ends_with(b"--") && starts_fresh(whole.start - 2) {
            whole.start - 2
        } else if before.ends_with(b".") && starts_fresh(whole.start - 1) {
            whole.start - 1
        } else {
            whole.start
        };
        let after = &bytes[whole.end..];
        let ends_here =
            |n: usize| after.get(n).is_none_or(|byte| !byte.is_ascii_alphanumeric() && byte.is_ascii());
        let end = if after.starts_with(b"++") && ends_here(2) {
            whole.end + 2
        } else if after.starts_with(b"#") && ends_here(1) && whole.len() <= 2 {
            whole.end + 1
        } else {
            whole.end
        };
        start..end
    }

    /// Gives a word and its `camelCase` parts and moves on by one position.
    fn word(&mut self, span: Range<usize>) {
        let word = &self.text[span.clone()];
        let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
        let end = span.start + word.len();
        self.give(Kind::Word, span.start..end, 1);
        if word.len() <= MAX_CAMEL_BYTES {
            let mut from = 0;
            for to in camel_cuts(word) {
                if from > 0 || to < word.len() {
                    self.part(span.start + from..span.start + to);
                }
                from = to;
            }
        }
        self.position += 1;
    }

    fn part(&mut self, span: Range<usize>) {
        if self.text[span.clone()].chars().nth(1).is_some() {
            self.give(Kind::Part, span, 1);
        }
    }

    /// Gives the pairs of a run and moves on by its number of characters.
    fn run(&mut self, atom: Atom) {
        let run = &self.text[atom.start..atom.end];
        let mut buffer = std::mem::take(&mut self.buffer);
        // Folding can compose characters, so pairs are those of the folded run; in pieces, so that memory is bounded.
        let mut previous: Option<(char, Range<usize>)> = None;
        let mut chars = run.char_indices().peekable();
        while let Some((offset, c)) = chars.next() {
            let start = atom.start + offset;
            let mut end = start + c.len_utf8();
            while let Some(&(_, mark)) = chars.peek().filter(|(_, c)| composes(*c)) {
                end += mark.len_utf8();
                chars.next();
            }
            buffer.clear();
            fold::fold(&self.text[start..end], MAX_TOKEN_CHARS, &mut buffer);
            for folded in buffer.chars() {
                if let Some((first, span)) = previous.replace((folded, start..end)) {
                    self.pair(first, folded, span.start..end);
                    self.position += 1;
                }
            }
        }
        if let Some((last, span)) = previous {
            let mut utf8 = [0; 4];
            self.emit(last.encode_utf8(&mut utf8), Kind::Last, span, 1);
            self.position += 1;
        }
        self.group += 1;
        self.buffer = buffer;
    }

    fn pair(&mut self, first: char, second: char, span: Range<usize>) {
        let mut utf8 = [0; 8];
        let split = first.encode_utf8(&mut utf8).len();
        let len = split + second.encode_utf8(&mut utf8[split..]).len();
        if let Ok(text) = std::str::from_utf8(&utf8[..len]) {
            self.emit(text, Kind::Pair, span, 2);
        }
    }

    fn give(&mut self, kind: Kind, span: Range<usize>, n_positions: usize) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        fold::fold(&self.text[span.clone()], MAX_TOKEN_CHARS, &mut buffer);
        if !buffer.is_empty() {
            self.emit(&buffer, kind, span, n_positions as u32);
        }
        self.buffer = buffer;
    }

    fn emit(&mut self, text: &str, kind: Kind, span: Range<usize>, n_positions: u32) {
        (self.sink)(Token { text, kind, position: self.position, n_positions, span, group: self.group });
    }
}

/// Whether folding joins the character to the one before: voicing marks of kana, vowels and finals of Hangul.
fn composes(c: char) -> bool {
    matches!(c, '\u{3099}' | '\u{309A}' | '\u{FF9E}' | '\u{FF9F}' | '\u{1160}'..='\u{11FF}')
}

/// The ends of the parts of a `camelCase` word, its own end last: before an upper-case letter that follows a lower-case
/// one or a digit, and before the last of several upper-case letters when a lower-case one follows (`HTTPServer`),
/// unless that is a plural (`GPUs`).
fn camel_cuts(word: &str) -> impl Iterator<Item = usize> + '_ {
    let has_upper = word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii());
    let chars: Vec<(usize, char)> = if has_upper { word.char_indices().collect() } else { Vec::new() };
    let cuts: Vec<usize> = (1..chars.len())
        .filter(|&idx| {
            let (_, before) = chars[idx - 1];
            let (_, here) = chars[idx];
            let after = chars.get(idx + 1).map(|&(_, c)| c);
            let is_plural = after == Some('s') && idx + 2 == chars.len();
            here.is_uppercase()
                && (!before.is_uppercase() || (after.is_some_and(char::is_lowercase) && !is_plural))
        })
        .map(|idx| chars[idx].0)
        .collect();
    cuts.into_iter().chain([word.len()])
}

#[cfg(test)]
mod tests;
