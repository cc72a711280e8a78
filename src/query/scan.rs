//! The words of a query: which characters belong together, what escapes mean, where a word ends.

use super::error::QueryErrorKind;
use super::pattern::Wild;

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Lucene's grammar.
    Strict,
    /// The same, with what no grammar would keep apart in prose and code taken as text.
    Lenient,
    /// Words, phrases, `+` and `-` only.
    Literal,
}

/// A word.
#[derive(Debug)]
pub(super) struct Word {
    /// Its characters, with escapes resolved and wildcards told apart.
    pub(super) parts: Vec<Wild>,
    /// Byte behind it.
    pub(super) end: usize,
}

impl Word {
    pub(super) fn has_wildcards(&self) -> bool {
        self.parts.iter().any(|part| !matches!(part, Wild::Char(_)))
    }

    /// Its text; wildcards as they are typed.
    pub(super) fn text(&self) -> String {
        text_of(&self.parts)
    }
}

/// The text of a pattern, nothing escaped.
pub(super) fn text_of(parts: &[Wild]) -> String {
    let char_of = |part: &Wild| match part {
        Wild::Char(c) => *c,
        Wild::One => '?',
        Wild::Any => '*',
    };
    parts.iter().map(char_of).collect()
}

/// Reads the word at byte `start`, which is not white space. It may be empty: where something else than a word stands.
///
/// # Errors
///
/// The byte and the kind of a wrong escape; only in strict mode.
pub(super) fn word(input: &str, start: usize, mode: Mode) -> Result<Word, (usize, QueryErrorKind)> {
    let (mut parts, mut at, mut n_open) = (Vec::new(), start, 0usize);
    let mut follows_colon = false;
    while let Some(c) = char_at(input, at) {
        let is_first = at == start;
        let next = at + c.len_utf8();
        // Strict mode ends a word at every character that has a meaning; the others where it has one here.
        let ends = match c {
            _ if c.is_whitespace() => true,
            '"' => true,
            '\\' => {
                let (taken, end) = escape(input, at, mode, is_first)?;
                parts.push(Wild::Char(taken));
                follows_colon = false;
                at = end;
                continue;
            }
            _ if mode == Mode::Literal => false,
            '*' => {
                parts.push(Wild::Any);
                at = next;
                continue;
            }
            '?' => {
                parts.push(Wild::One);
                at = next;
                continue;
            }
            '/' => is_first && mode == Mode::Strict,
            '+' | '-' => is_first && mode == Mode::Strict,
            '!' | '[' | '{' | ']' | '}' if mode == Mode::Lenient => is_first && c != '!',
            '!' | '[' | '{' | ']' | '}' => true,
            '(' if mode == Mode::Lenient && !is_first => {
                n_open += 1;
                false
            }
            '(' => true,
            ')' if n_open > 0 => {
                n_open -= 1;
                false
            }
            ')' => true,
            ':' => mode == Mode::Strict || is_first || !(follows_colon || is_text_colon(input, at)),
            // `a^b` and `~/x` are words, `a^2` and `a~` are not.
            '^' | '~' if mode == Mode::Lenient && !is_first => suffix_end(input, next, c == '^').is_some(),
            '^' | '~' => true,
            _ => false,
        };
        if ends {
            break;
        }
        follows_colon = c == ':';
        parts.push(Wild::Char(c));
        at = next;
    }
    Ok(Word { parts, end: at })
}

/// Whether the colon at byte `at` of a word stands for itself by what follows: in `a::b`, `http://`, and before nothing.
fn is_text_colon(input: &str, at: usize) -> bool {
    let rest = &input[at + 1..];
    rest.starts_with(':') || rest.starts_with("//") || rest.starts_with(')') || rest.trim_start().is_empty()
}

/// The byte behind the number at byte `at`, when the word ends there; a number has to be there if `is_needed`.
fn suffix_end(input: &str, at: usize, is_needed: bool) -> Option<usize> {
    let end = at + number_len(&input[at..]);
    let ends = char_at(input, end).is_none_or(|c| c.is_whitespace() || matches!(c, ')' | '^' | '~'));
    (ends && (end > at || !is_needed)).then_some(end)
}

/// Length of `12` or `1.5` at the start of `rest`; 0 without digits.
pub(super) fn number_len(rest: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(rest);
    let fraction = rest[whole..].strip_prefix('.').map_or(0, digits);
    match (whole, fraction) {
        (0, _) => 0,
        (_, 0) => whole,
        _ => whole + 1 + fraction,
    }
}

/// Reads the escape at byte `at`: the character that it stands for, and the byte behind it.
///
/// # Errors
///
/// In strict mode, when nothing follows or `\u` has no four hexadecimal digits.
pub(super) fn escape(
    input: &str,
    at: usize,
    mode: Mode,
    is_first: bool,
) -> Result<(char, usize), (usize, QueryErrorKind)> {
    let next = at + 1;
    let Some(c) = char_at(input, next) else {
        return if mode == Mode::Strict { Err((at, QueryErrorKind::Escape)) } else { Ok(('\\', next)) };
    };
    if c == 'u' && mode != Mode::Literal {
        let digits = input.get(next + 1..next + 5).filter(|it| it.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits.and_then(|it| u32::from_str_radix(it, 16).ok()).and_then(char::from_u32);
        match code {
            Some(code) => return Ok((code, next + 5)),
            None if mode == Mode::Strict => return Err((at, QueryErrorKind::Escape)),
            None => return Ok(('\\', next)),
        }
    }
    let is_text = match mode {
        Mode::Strict => false,
        Mode::Lenient => c.is_alphanumeric() && !is_first,
        Mode::Literal => !c.is_ascii_punctuation(),
    };
    Ok(if is_text { ('\\', next) } else { (c, next + c.len_utf8()) })
}

/// The character at byte `at`.
pub(super) fn char_at(input: &str, at: usize) -> Option<char> {
    input.get(at..)?.chars().next()
}
