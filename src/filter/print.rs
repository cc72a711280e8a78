//! From the tree back to text that parses to the same meaning.

use std::fmt::{Display, Formatter, Result, Write};

use crate::filter::lexer::{continues_word, starts_word};
use crate::filter::parser::is_reserved;
use crate::filter::{Filter, Key, Scalar};

/// What is false for every record.
const NEVER: &str = "(uri IS NULL AND uri IS NOT NULL)";

/// Prints the filter in its own language, bound values written out.
impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            // Neither truth has a word of its own; `IS NULL` is never unknown.
            Self::And(filters) if filters.is_empty() => f.write_str("(uri IS NULL OR uri IS NOT NULL)"),
            Self::Or(filters) if filters.is_empty() => f.write_str(NEVER),
            Self::Label(labels) if labels.is_empty() => f.write_str(NEVER),
            Self::And(filters) => joined(f, filters, " AND ", |f, filter| match filter {
                Self::And(_) | Self::Or(_) => write!(f, "({filter})"),
                _ => write!(f, "{filter}"),
            }),
            Self::Or(filters) => joined(f, filters, " OR ", |f, filter| match filter {
                Self::Or(_) => write!(f, "({filter})"),
                _ => write!(f, "{filter}"),
            }),
            Self::Not(filter) => match &**filter {
                Self::And(_) | Self::Or(_) => write!(f, "NOT ({filter})"),
                Self::IsNull { key } => write!(f, "{key} IS NOT NULL"),
                Self::In { key, values } => {
                    write!(f, "{key} NOT IN (")?;
                    joined(f, values, ", ", |f, value| write!(f, "{value}"))?;
                    f.write_char(')')
                }
                _ => write!(f, "NOT {filter}"),
            },
            Self::Compare { key, operator, value } => write!(f, "{key} {operator} {value}"),
            Self::In { key, values } => {
                write!(f, "{key} IN (")?;
                joined(f, values, ", ", |f, value| write!(f, "{value}"))?;
                f.write_char(')')
            }
            Self::IsNull { key } => write!(f, "{key} IS NULL"),
            Self::Label(labels) => {
                f.write_str("LABEL(")?;
                joined(f, labels, ", ", |f, label| quoted(f, label))?;
                f.write_char(')')
            }
        }
    }
}

impl Display for Key {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let name = self.name();
        if name.starts_with(starts_word) && name.chars().all(continues_word) && !is_reserved(name) {
            return f.write_str(name);
        }
        write!(f, "`{}`", name.replace('`', "``"))
    }
}

impl Display for Scalar {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::String(text) => quoted(f, text),
            Self::Integer(value) => write!(f, "{value}"),
            // Always with a fraction or an exponent, so that it reads back as a decimal.
            Self::Decimal(value) => write!(f, "{value:?}"),
            Self::Boolean(value) => write!(f, "{value}"),
        }
    }
}

fn joined<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    separator: &str,
    print: impl Fn(&mut Formatter<'_>, &T) -> Result,
) -> Result {
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            f.write_str(separator)?;
        }
        print(f, item)?;
    }
    Ok(())
}

fn quoted(f: &mut Formatter<'_>, text: &str) -> Result {
    f.write_char('"')?;
    for ch in text.chars() {
        match ch {
            '"' | '\\' => write!(f, "\\{ch}")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            ch if ch.is_control() => write!(f, "\\u{{{:x}}}", ch as u32)?,
            ch => f.write_char(ch)?,
        }
    }
    f.write_char('"')
}
