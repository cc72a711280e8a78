//! Number formats with words or leading zeros in them: `"P-"0000` shows 42 as `P-0042`.
//!
//! Identifiers are searched as they are shown, amounts by their digits: leading zeros and texts with letters or digits are kept,
//! groups of thousands, rounding and signs of currencies are not.

/// Longest format code: Excel takes 255 characters. A cell would grow with a longer one.
const MAX_BYTES: usize = 1024;

/// A format of whole or decimal numbers, from its first section (ECMA-376, 18.8.31).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::read) struct Pattern {
    pieces: Vec<Piece>,
    n_sections: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Text(char),
    /// A place for a digit; `0` is shown there where the number has none.
    Digit {
        is_zero: bool,
    },
}

impl Pattern {
    /// The pattern of a format code; `None` where it shows no more than the number itself, or another number (a
    /// fraction, thousands), or depends on a condition.
    pub(in crate::read) fn of_code(code: &str) -> Option<Self> {
        if code.len() > MAX_BYTES {
            return None;
        }
        let sections = sections(code);
        let mut pieces = Vec::new();
        let (mut has_point, mut has_groups) = (false, false);
        let mut chars = sections.first()?.chars().peekable();
        while let Some(c) = chars.next() {
            let has_digit = || pieces.iter().any(|it| matches!(it, Piece::Digit { .. }));
            match c {
                '"' => pieces.extend(chars.by_ref().take_while(|it| *it != '"').map(Piece::Text)),
                '\\' => pieces.extend(chars.next().map(Piece::Text)),
                // A blank as wide as a character, and one that is repeated.
                '_' => pieces.extend(chars.next().map(|_| Piece::Text(' '))),
                '*' => {
                    chars.next();
                }
                '[' => {
                    let inside: String = chars.by_ref().take_while(|it| *it != ']').collect();
                    if inside.starts_with(['<', '>', '=']) {
                        return None;
                    }
                }
                '0' | '#' | '?' if has_point => {}
                '0' | '#' | '?' => pieces.push(Piece::Digit { is_zero: c == '0' }),
                '.' if has_digit() => has_point = true,
                // Behind the last digit it divides by a thousand.
                ',' if chars.peek().is_none_or(|it| !matches!(it, '0' | '#' | '?')) => return None,
                ',' => has_groups = true,
                '%' | '/' | '@' | 'E' | 'e' => return None,
                'G' | 'g' => {
                    let rest: String = chars.by_ref().take(6).collect();
                    if !rest.eq_ignore_ascii_case("eneral") {
                        return None;
                    }
                    pieces.push(Piece::Digit { is_zero: false });
                }
                _ => pieces.push(Piece::Text(c)),
            }
        }
        let is_digit = |it: &Piece| matches!(it, Piece::Digit { .. });
        let (first, last) = (pieces.iter().position(is_digit)?, pieces.iter().rposition(is_digit)?);
        // Blanks and apostrophes between digits that may be missing group thousands too.
        let is_group =
            |it: &Piece| matches!(it, Piece::Text(c) if c.is_whitespace() || matches!(c, '\'' | '’'));
        let inside = &pieces[first..=last];
        let is_divided = !inside.iter().all(|it| is_digit(it) || is_group(it));
        has_groups |= !is_divided
            && inside.iter().any(is_group)
            && inside.iter().any(|it| matches!(it, Piece::Digit { is_zero: false }));
        if has_point || has_groups {
            if is_divided {
                return None;
            }
            pieces.splice(first..=last, [Piece::Digit { is_zero: false }]);
        }
        let n_zeros = pieces.iter().filter(|it| matches!(it, Piece::Digit { is_zero: true })).count();
        let has_words = pieces.iter().any(|it| matches!(it, Piece::Text(c) if c.is_alphanumeric()));
        (has_words || is_divided || n_zeros > 1).then_some(Self { pieces, n_sections: sections.len() })
    }

    /// Writes a number whose sign is that of `number` and whose digits are `plain`; `None` where another section shows it.
    pub(in crate::read) fn show(&self, number: f64, plain: &str) -> Option<String> {
        let is_first = match self.n_sections {
            1 => true,
            2 => number >= 0.0,
            _ => number > 0.0,
        };
        let (sign, digits) = plain.strip_prefix('-').map_or(("", plain), |it| ("-", it));
        let (whole, rest) = digits.find('.').map_or((digits, ""), |at| digits.split_at(at));
        if !is_first || whole.is_empty() || !whole.bytes().all(|it| it.is_ascii_digit()) {
            return None;
        }
        let mut n_places = self.pieces.iter().filter(|it| matches!(it, Piece::Digit { .. })).count();
        // Backwards: digits take their places from the right, and what is left over stands in the first.
        let mut shown = String::new();
        let mut left = whole.chars().rev().peekable();
        let mut rest = Some(rest);
        for piece in self.pieces.iter().rev() {
            match piece {
                Piece::Text(c) => shown.push(*c),
                Piece::Digit { is_zero } => {
                    shown.extend(rest.take().unwrap_or_default().chars().rev());
                    n_places -= 1;
                    if left.peek().is_none() && *is_zero {
                        shown.push('0');
                    }
                    let n_digits = if n_places == 0 { usize::MAX } else { 1 };
                    shown.extend(left.by_ref().take(n_digits));
                }
            }
        }
        let shown: String = shown.chars().rev().collect();
        Some(format!("{sign}{}", shown.split_whitespace().collect::<Vec<_>>().join(" ")))
    }
}

/// The sections of a format code: positive numbers, negative ones, zero, texts.
fn sections(code: &str) -> Vec<&str> {
    let mut sections = Vec::new();
    let (mut start, mut is_quoted, mut is_escaped) = (0, false, false);
    for (at, c) in code.char_indices() {
        match c {
            _ if std::mem::take(&mut is_escaped) => {}
            '"' => is_quoted = !is_quoted,
            '\\' | '_' | '*' => is_escaped = !is_quoted,
            ';' if !is_quoted => {
                sections.push(&code[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    sections.push(&code[start..]);
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_shown_as_cells_show_them() {
        let check = |code: &str, number: f64, expected: &str| {
            let plain = number.to_string();
            let shown = Pattern::of_code(code).and_then(|it| it.show(number, &plain));
            assert_eq!(shown.as_deref().unwrap_or(&plain), expected, "{code}");
        };
        check("00000", 2134.0, "02134");
        check("00000", 1_234_567.0, "1234567");
        check("00000", -7.0, "-00007");
        check("000", 1.5, "001.5");
        check("\"P-\"0000", 42.0, "P-0042");
        check("\\P\\-0000;@", 42.0, "P-0042");
        check("000\\-00\\-0000", 12_345_678.0, "012-34-5678");
        check("(###) ###-####", 5_551_234.0, "() 555-1234");
        check("\"Q\"0", 3.0, "Q3");
        check("\"No \"General", 17.0, "No 17");
        check("0000\";\"0", 123.0, "0012;3");
    }

    #[test]
    fn amounts_keep_their_digits() {
        let check = |code: &str, number: f64, expected: Option<&str>| {
            let shown = Pattern::of_code(code).and_then(|it| it.show(number, &number.to_string()));
            assert_eq!(shown.as_deref(), expected, "{code}");
        };
        check("#,##0.00 \"kg\"", 1234.567, Some("1234.567 kg"));
        check("#,##0 \"days\"", 5.0, Some("5 days"));
        check("\"day\" 0_)", 5.0, Some("day 5"));
        check("# ##0 \"kg\"", 1234.0, Some("1234 kg"));
        check("#'##0", 1234.0, None);
        for code in [
            "General",
            "0",
            "#,##0.00",
            "\"$\"#,##0.00",
            "#,##0.00\\ [$€-407]",
            "0 \"%\"",
            "00.0",
            "@",
            "",
            "\"Yes\"",
        ] {
            check(code, 5.0, None);
        }
        // Thousands, fractions, conditions, other sections.
        for code in
            ["0.0,,\"M\"", "0,\"k\"", "# ?/?\" in\"", "[<5]\"few \"0;0", "0.0E+00\" V\"", "\"Gain \"0%"]
        {
            check(code, 5.0, None);
        }
        check("\"up \"0;\"down \"0", 5.0, Some("up 5"));
        check("\"up \"0;\"down \"0", -5.0, None);
        check("\"up \"0;\"down \"0;\"-\"", 0.0, None);
        check("\"up \"0", 1e300, Some(&format!("up 1{}", "0".repeat(300))));
        check("\"up \"0", f64::NAN, None);
        check(&"0".repeat(2000), 5.0, None);
    }
}
