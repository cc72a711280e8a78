//! Checked filters, for people.

use std::fmt::Write as _;

use crate::filter::{Filter, Key};
use crate::search::CheckedFilter;

/// A filter that was checked: its tree, its keys and what it lets pass.
pub fn checked(it: &CheckedFilter) -> String {
    let mut out = String::new();
    filter_tree(&it.filter, 0, &mut out);
    for key in &it.keys {
        let name = key.key.name();
        let _ = match (&key.key, key.n_documents, &key.similar) {
            (Key::Builtin(_), ..) => writeln!(out, "{name}: every document has it"),
            (_, 0, Some(similar)) => {
                writeln!(out, "{name}: unknown, no document has it; did you mean {similar}?")
            }
            (_, 0, None) => writeln!(out, "{name}: unknown, no document has it"),
            (_, n, _) => writeln!(out, "{name}: {n} of {} documents have it", it.n_all_documents),
        };
    }
    let _ = writeln!(
        out,
        "passes {} of {} documents, {} of {} chunks",
        it.n_documents, it.n_all_documents, it.n_chunks, it.n_all_chunks
    );
    out
}

fn filter_tree(filter: &Filter, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let (word, parts) = match filter {
        Filter::And(parts) => ("AND", &parts[..]),
        Filter::Or(parts) => ("OR", &parts[..]),
        Filter::Not(inner) if !matches!(**inner, Filter::IsNull { .. }) => {
            ("NOT", std::slice::from_ref(&**inner))
        }
        leaf => {
            let _ = writeln!(out, "{indent}{leaf}");
            return;
        }
    };
    let _ = writeln!(out, "{indent}{word}");
    for part in parts {
        filter_tree(part, depth + 1, out);
    }
}
