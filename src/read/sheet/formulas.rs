//! Formulas as text, for cells whose values the file does not keep.

/// Characters of a formula (Excel's limit, in "Excel specifications and limits").
pub(super) const MAX_CHARS: usize = 8_192;

/// Bytes of the formulas of one workbook that are written out from shared ones; a file can ask for any number of copies.
pub(super) const MAX_SHARED_BYTES: usize = 16_000_000;

/// The formula as a program shows it: with its sign, without the prefixes of functions that older programs do not know.
pub(super) fn shown(formula: &str) -> String {
    let formula = formula.replace("_xlfn.", "").replace("_xlws.", "");
    let words: Vec<&str> = formula.split_whitespace().collect();
    format!("={}", words.join(" "))
}

/// `formula` as it reads `rows` further down and `columns` further right: relative references go along.
pub(super) fn moved(formula: &str, rows: i64, columns: i64) -> String {
    let mut text = String::with_capacity(formula.len());
    let mut rest = formula;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let is_in_name = before.is_alphanumeric() || matches!(before, '_' | '.' | '$');
        let n_bytes = match c {
            // Strings and names of sheets, up to the next quote; a doubled one opens another right away.
            '"' | '\'' => rest[1..].find(c).map_or(rest.len(), |at| at + 2),
            _ if !is_in_name && (c == '$' || c.is_ascii_alphabetic()) => {
                if let Some((n_bytes, reference)) = reference(rest, rows, columns) {
                    text.push_str(&reference);
                    rest = &rest[n_bytes..];
                    before = '0';
                    continue;
                }
                c.len_utf8()
            }
            _ => c.len_utf8(),
        };
        text.push_str(&rest[..n_bytes]);
        rest = &rest[n_bytes..];
        before = c;
    }
    text
}

/// The reference such as `$A12` at the start of `text`: its length in bytes, and how it reads elsewhere.
fn reference(text: &str, rows: i64, columns: i64) -> Option<(usize, String)> {
    /// Columns and rows of a sheet (ECMA-376, 18.3.1.73 and Excel's limits).
    const MOST: (i64, i64) = (16_384, 1_048_576);
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut part = |is_it: fn(&u8) -> bool| {
        let is_fixed = bytes.get(at) == Some(&b'$');
        let start = at + usize::from(is_fixed);
        let n = bytes[start.min(bytes.len())..].iter().take(8).take_while(|it| is_it(it)).count();
        at = start + n;
        (is_fixed, start, n)
    };
    let (is_column_fixed, start, n_letters) = part(u8::is_ascii_alphabetic);
    let letters = &bytes[start.min(bytes.len())..start.min(bytes.len()) + n_letters];
    let (is_row_fixed, digits_start, n_digits) = part(u8::is_ascii_digit);
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '(' | '!');
    if !(1..=3).contains(&n_letters) || !(1..=7).contains(&n_digits) || text[at..].starts_with(goes_on) {
        return None;
    }
    let column = letters.iter().fold(0, |n, it| n * 26 + i64::from(it.to_ascii_uppercase() - b'A') + 1);
    let row: i64 = text[digits_start..digits_start + n_digits].parse().ok()?;
    let is_on_sheet = |column: i64, row: i64| (1..=MOST.0).contains(&column) && (1..=MOST.1).contains(&row);
    if !is_on_sheet(column, row) {
        return None;
    }
    let column = if is_column_fixed { column } else { column.saturating_add(columns) };
    let row = if is_row_fixed { row } else { row.saturating_add(rows) };
    if !is_on_sheet(column, row) {
        return Some((at, "#REF!".to_owned()));
    }
    let sign = |is_fixed: bool| if is_fixed { "$" } else { "" };
    Some((at, format!("{}{}{}{row}", sign(is_column_fixed), letters_of(column), sign(is_row_fixed))))
}

/// The letters of a 1-based column.
fn letters_of(mut column: i64) -> String {
    let mut letters = Vec::new();
    while column > 0 {
        // Below 26.
        letters.push(char::from(b'A' + ((column - 1) % 26) as u8));
        column = (column - 1) / 26;
    }
    letters.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_go_along() {
        let check = |formula: &str, rows, columns, expected: &str| {
            assert_eq!(moved(formula, rows, columns), expected, "{formula}");
        };
        check("A1+$B2*C$3-$D$4", 1, 1, "B2+$B3*D$3-$D$4");
        check("SUM(B2:B3)/LOG10(Z9)", 2, 1, "SUM(C4:C5)/LOG10(AA11)");
        check("'A1 b'!A1&\"A1\"&x_A1&A1.b&Data!B7", 1, 0, "'A1 b'!A2&\"A1\"&x_A1&A1.b&Data!B8");
        check("A1", -1, 0, "#REF!");
        check("XFD1+XFE1+A0", 0, 1, "#REF!+XFE1+A0");
        check("TRUE+é1+\"open A1", 1, 1, "TRUE+é1+\"open A1");
        check("$", 1, 1, "$");
        check("A$", 1, 1, "A$");
        check("ABCD1+A12345678", 1, 1, "ABCD1+A12345678");
    }

    #[test]
    fn formulas_are_shown_as_programs_do() {
        assert_eq!(shown("_xlfn.CONCAT(A1,\n  B1)"), "=CONCAT(A1, B1)");
    }

    proptest::proptest! {
        #[test]
        fn standing_still_changes_no_reference(formula in "[A-C1-3$é\"'(!._ ]{0,20}") {
            proptest::prop_assert_eq!(moved(&formula, 0, 0), formula);
        }
    }
}
