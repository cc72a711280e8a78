//! Lists of a text body: which number a paragraph has.

use crate::read::markers::Ordinal;
use crate::read::package::Element;

/// Levels of a list (ECMA-376, 21.1.2.2.7).
pub(super) const N_LEVELS: usize = 9;

/// Numbers so far at each level.
#[derive(Debug, Default)]
pub(super) struct Numbers<'a>([Option<Count<'a>>; N_LEVELS]);

#[derive(Debug)]
struct Count<'a> {
    kind: &'a str,
    start: u32,
    last: u32,
}

impl<'a> Numbers<'a> {
    /// Ends all lists.
    pub(super) fn end(&mut self) {
        *self = Self::default();
    }

    /// Ends the lists below `level`, and the one there as well for a paragraph without a number.
    pub(super) fn end_below(&mut self, level: usize, has_number: bool) {
        let first = if has_number { level + 1 } else { level };
        self.0.iter_mut().skip(first).for_each(|it| *it = None);
    }

    /// The marker of the next paragraph at `level` with these properties, such as `b)`, and whether another list than the one before
    /// starts with it: one of another kind or with another start.
    pub(super) fn next(&mut self, level: usize, numbering: Element<'a>) -> (String, bool) {
        let kind = numbering.attr("type").unwrap_or("arabicPeriod");
        let start = numbering.attr("startAt").and_then(|it| it.parse().ok()).unwrap_or(1);
        let count = &mut self.0[level.min(N_LEVELS - 1)];
        let last = count.as_ref().filter(|it| it.kind == kind && it.start == start).map(|it| it.last);
        let is_other = last.is_none() && count.is_some();
        let number = last.map_or(start, |last| last.saturating_add(1));
        *count = Some(Count { kind, start, last: number });
        (marker(kind, number), is_other)
    }
}

/// `number` in the form `kind` (ECMA-376, 20.1.10.61): its ordinal, then what stands around it. Forms of other scripts count all the
/// same.
fn marker(kind: &str, number: u32) -> String {
    let ordinal = match kind {
        _ if kind.starts_with("alphaLc") => Ordinal::Letter { is_upper: false },
        _ if kind.starts_with("alphaUc") => Ordinal::Letter { is_upper: true },
        _ if kind.starts_with("romanLc") => Ordinal::Roman { is_upper: false },
        _ if kind.starts_with("romanUc") => Ordinal::Roman { is_upper: true },
        _ => Ordinal::Decimal,
    };
    let number = ordinal.write(number.into());
    if kind.ends_with("ParenBoth") {
        format!("({number})")
    } else if kind.ends_with("ParenR") {
        format!("{number})")
    } else {
        // A plain number would be part of the sentence.
        format!("{number}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::package::Tree;

    #[test]
    fn another_kind_or_start_is_another_list() {
        let mut xml = String::from("<a>");
        let paragraphs = [
            (0, "type='arabicPeriod'", "1."),
            (0, "type='arabicPeriod'", "2."),
            (1, "type='alphaUcParenBoth'", "(A)"),
            (0, "type='arabicPeriod'", "3."),
            (1, "type='alphaUcParenBoth'", "(A)"),
            (0, "type='alphaLcParenR'", "other a)"),
            (0, "type='alphaLcParenR'", "b)"),
            (0, "type='romanUcPeriod' startAt='4'", "other IV."),
            (0, "type='romanUcPeriod' startAt='4'", "V."),
            (0, "type='romanUcPeriod' startAt='1'", "other I."),
            (0, "type='romanLcParenR'", "other i)"),
            (0, "type='circleNumDbPlain'", "other 1."),
            (0, "", "other 1."),
        ];
        paragraphs.iter().for_each(|it| xml.push_str(&format!("<buAutoNum {}/>", it.1)));
        xml.push_str("</a>");
        let tree = Tree::parse(xml.as_bytes());
        let mut numbers = Numbers::default();
        for (numbering, (level, attributes, expected)) in tree.root().unwrap().elements().zip(paragraphs) {
            numbers.end_below(level, true);
            let (marker, is_other) = numbers.next(level, numbering);
            let found = if is_other { format!("other {marker}") } else { marker };
            assert_eq!(found, expected, "{attributes}");
        }
        numbers.end_below(0, false);
        let first = tree.root().unwrap().elements().next().unwrap();
        assert_eq!(numbers.next(0, first), ("1.".to_owned(), false));
    }
}
