//! The printed form of a query, as Lucene prints it, with everything escaped that would be read otherwise: it parses to
//! the same tree, strictly or not.

use std::fmt::{self, Write as _};

use super::pattern::Wild;
use super::{Bound, Clause, Kind, Node, Occur, Query};

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.root {
            None => Ok(()),
            // The outermost clauses need no brackets.
            Some(Node { kind: Kind::Group(clauses), .. }) => write_clauses(f, clauses),
            Some(root) => write!(f, "{root}"),
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Term(text) => write_word(f, text),
            Kind::Phrase { text, slop } => {
                write_quoted(f, text)?;
                if *slop > 0 { write!(f, "~{slop}") } else { Ok(()) }
            }
            Kind::Prefix(text) => {
                write_word(f, text)?;
                f.write_char('*')
            }
            Kind::Wildcard(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    match part {
                        Wild::Char(c) => write_char(f, *c, at == 0)?,
                        Wild::One => f.write_char('?')?,
                        Wild::Any => f.write_char('*')?,
                    }
                }
                Ok(())
            }
            Kind::Fuzzy { text, distance } => {
                write_word(f, text)?;
                write!(f, "~{distance}")
            }
            Kind::Regex(pattern) => write!(f, "/{}/", pattern.replace('/', "\\/")),
            Kind::Range { low, high } => {
                f.write_char(if matches!(low, Bound::Excluding(_)) { '{' } else { '[' })?;
                write_bound(f, low)?;
                f.write_str(" TO ")?;
                write_bound(f, high)?;
                f.write_char(if matches!(high, Bound::Excluding(_)) { '}' } else { ']' })
            }
            Kind::Exists => f.write_char('*'),
            Kind::All => f.write_str("*:*"),
            Kind::Field { name, inner } => {
                write_word(f, name)?;
                match inner.kind {
                    Kind::Field { .. } => write!(f, ":({inner})"),
                    _ => write!(f, ":{inner}"),
                }
            }
            Kind::Boost { factor, inner } => match inner.kind {
                Kind::Group(_) => write!(f, "{inner}^{factor:?}"),
                _ => write!(f, "({inner})^{factor:?}"),
            },
            Kind::Group(clauses) => {
                f.write_char('(')?;
                write_clauses(f, clauses)?;
                f.write_char(')')
            }
        }
    }
}

fn write_clauses(f: &mut fmt::Formatter<'_>, clauses: &[Clause]) -> fmt::Result {
    for (at, clause) in clauses.iter().enumerate() {
        if at > 0 {
            f.write_char(' ')?;
        }
        f.write_str(match clause.occur {
            Occur::Should => "",
            Occur::Must => "+",
            Occur::MustNot => "-",
        })?;
        write!(f, "{}", clause.node)?;
    }
    Ok(())
}

fn write_word(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if ["AND", "OR", "NOT", "&&", "||"].contains(&text) {
        f.write_char('\\')?;
        return f.write_str(text);
    }
    if text.is_empty() {
        return f.write_str("\"\"");
    }
    for (at, c) in text.char_indices() {
        write_char(f, c, at == 0)?;
    }
    Ok(())
}

/// Characters that mean something wherever they stand, or only at the start of a word.
fn write_char(f: &mut fmt::Formatter<'_>, c: char, is_first: bool) -> fmt::Result {
    let is_special = c.is_whitespace()
        || matches!(c, '!' | '(' | ')' | '{' | '}' | '[' | ']' | '^' | '"' | '~' | '*' | '?' | ':' | '\\')
        || (is_first && matches!(c, '+' | '-' | '/'));
    if is_special {
        f.write_char('\\')?;
    }
    f.write_char(c)
}

fn write_quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_char('"')
}

fn write_bound(f: &mut fmt::Formatter<'_>, bound: &Bound) -> fmt::Result {
    match bound {
        Bound::Open => f.write_char('*'),
        Bound::Including(text) | Bound::Excluding(text) => {
            let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ':' | '+');
            if !text.is_empty() && text.chars().all(is_plain) {
                f.write_str(text)
            } else {
                write_quoted(f, text)
            }
        }
    }
}
