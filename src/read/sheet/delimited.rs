//! Delimited text (CSV, TSV).
//!
//! Finds the delimiter by which the lines fall into equally many fields, and reads quoted fields over several lines
//! (RFC 4180). A quote that is never closed is read as text.

use csv::{ByteRecord, ReaderBuilder};

use super::quotes;
use super::rows::Row;
use crate::content::{LineIndex, Warning, WarningKind};

/// Delimiters in the order of preference where the lines decide nothing.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Bytes at the start, cut at a line's end, by which the delimiter is found.
const SAMPLE_BYTES: usize = 64 << 10;

/// Cells with text that are read of one file.
const MAX_CELLS: usize = 4_000_000;

/// Reads `text` to rows numbered by lines of the file.
pub(super) fn read(text: &str, is_tsv: bool, warnings: &mut Vec<Warning>) -> Vec<Row> {
    let (named, skipped) = named_delimiter(text);
    let body = &text[skipped..];
    let delimiter = named.unwrap_or_else(|| sniff(body, is_tsv));
    let first_line = 1 + usize::from(skipped > 0);
    let repaired = quotes::repaired(body, delimiter);
    let (rows, is_cut) = match &repaired {
        Some(repaired) => {
            let lines = LineIndex::new(body);
            let mut numbers: Vec<usize> =
                repaired.quotes.iter().map(|it| lines.line_of(*it) + first_line).collect();
            numbers.dedup();
            warn_of_quotes(&numbers, warnings);
            rows(&repaired.text, delimiter, first_line, true)
        }
        None => {
            let message = "quotes are read as text: most of them are not closed";
            warnings.push(Warning::new(WarningKind::Damaged, message));
            rows(body, delimiter, first_line, false)
        }
    };
    if is_cut {
        let message = format!("more than {MAX_CELLS} cells, the rest is left out");
        warnings.push(Warning::new(WarningKind::Limit, message));
    }
    rows
}

/// Names the lines with quotes that are not closed.
fn warn_of_quotes(lines: &[usize], warnings: &mut Vec<Warning>) {
    /// Lines named before the rest is counted; a message is one line.
    const MOST: usize = 5;
    let named: Vec<String> = lines.iter().take(MOST).map(ToString::to_string).collect();
    let message = match (named.as_slice(), lines.len().saturating_sub(MOST)) {
        ([], _) => return,
        ([line], _) => format!("a quote in line {line} is not closed and is read as text"),
        (_, 0) => format!("quotes in lines {} are not closed and are read as text", named.join(", ")),
        (_, n_more) => {
            format!(
                "quotes in lines {} and {n_more} more are not closed and are read as text",
                named.join(", ")
            )
        }
    };
    warnings.push(Warning::new(WarningKind::Damaged, message));
}

/// The rows, and whether there are more than are read.
fn rows(text: &str, delimiter: u8, first_line: usize, has_quotes: bool) -> (Vec<Row>, bool) {
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .quoting(has_quotes)
        .from_reader(text.as_bytes());
    let lines = LineIndex::new(text);
    let (mut rows, mut n_cells) = (Vec::new(), 0);
    let mut record = ByteRecord::new();
    // Reading from memory does not fail.
    while reader.read_byte_record(&mut record).unwrap_or(false) {
        // A record starts at the line end of the one before, as the reader counts.
        let start = record.position().map_or(0, |it| usize::try_from(it.byte()).unwrap_or(usize::MAX));
        let n_ends = text.as_bytes().iter().skip(start).take_while(|it| matches!(it, b'\r' | b'\n')).count();
        let number = lines.line_of(start.saturating_add(n_ends)).saturating_add(first_line);
        let mut cells = Vec::with_capacity(record.len());
        for (column, field) in record.iter().enumerate() {
            // The delimiter is ASCII, so that fields are cut at characters.
            let field = String::from_utf8_lossy(field);
            let text = field.split_whitespace().collect::<Vec<_>>().join(" ");
            if !text.is_empty() {
                cells.push((u32::try_from(column).unwrap_or(u32::MAX), text));
            }
        }
        n_cells += cells.len();
        if n_cells > MAX_CELLS {
            return (rows, true);
        }
        rows.push(Row { number, cells });
    }
    (rows, false)
}

/// The delimiter that a first line such as `sep=;` names, as Excel writes it, and the line's bytes.
fn named_delimiter(text: &str) -> (Option<u8>, usize) {
    let line = text.split_inclusive('\n').next().unwrap_or_default();
    let rest = line
        .get(..4)
        .filter(|it| it.eq_ignore_ascii_case("sep="))
        .map(|_| line[4..].trim_end_matches(['\r', '\n']));
    match rest.map(str::as_bytes) {
        Some(&[delimiter]) if delimiter.is_ascii() => (Some(delimiter), line.len()),
        _ => (None, 0),
    }
}

/// The delimiter by which most lines of the start fall into the same number of fields, two at least.
fn sniff(text: &str, is_tsv: bool) -> u8 {
    if is_tsv && text.contains('\t') {
        return b'\t';
    }
    let mut end = text.len().min(SAMPLE_BYTES);
    if end < text.len() {
        end = text.as_bytes()[..end].iter().rposition(|it| *it == b'\n').map_or(0, |at| at + 1);
    }
    // A first line of 64 kB has delimiters enough.
    let sample = if end == 0 { text } else { &text[..end] };
    let score = |delimiter: u8| {
        let repaired = quotes::repaired(sample, delimiter).map_or(sample.into(), |it| it.text);
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(repaired.as_bytes());
        let counts: Vec<usize> = reader
            .byte_records()
            .flatten()
            .filter(|it| it.iter().any(|field| !field.is_empty()))
            .map(|it| it.len())
            .collect();
        let most = counts
            .iter()
            .copied()
            .filter(|n| *n > 1)
            .max_by_key(|n| (counts.iter().filter(|it| *it == n).count(), *n));
        let n_equal = most.map_or(0, |most| counts.iter().filter(|it| **it == most).count());
        // In thousandths, so that nearly equal shares go by the number of fields.
        (n_equal * 1000 / counts.len().max(1), most.unwrap_or(0))
    };
    let best = DELIMITERS.iter().rev().max_by_key(|it| score(**it));
    best.copied().filter(|it| score(*it).1 > 1).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut warnings = Vec::new();
        let rows = read(text, false, &mut warnings);
        let shown: Vec<String> = rows
            .iter()
            .map(|row| {
                let cells: Vec<String> = row.cells.iter().map(|(at, text)| format!("{at}={text}")).collect();
                format!("{}: {}", row.number, cells.join(" "))
            })
            .collect();
        assert_eq!(shown, expected, "{text:?}");
    }

    #[test]
    fn delimiters_are_found() {
        check("a,b\n1,2\n", &["1: 0=a 1=b", "2: 0=1 1=2"]);
        check("a;b\n1,5;2,5\n", &["1: 0=a 1=b", "2: 0=1,5 1=2,5"]);
        check("a\tb, c\n1\t2\n", &["1: 0=a 1=b, c", "2: 0=1 1=2"]);
        check("a|b|c\r\n1||3\r\n", &["1: 0=a 1=b 2=c", "2: 0=1 2=3"]);
        check("sep=;\na;b\n", &["2: 0=a 1=b"]);
        check("one\ntwo\n", &["1: 0=one", "2: 0=two"]);
        check("", &[]);
    }

    #[test]
    fn quoted_fields_go_over_lines() {
        check("a,b\n\"x\ny \"\"z\"\"\",2\n3,4\n", &["1: 0=a 1=b", "2: 0=x y \"z\" 1=2", "4: 0=3 1=4"]);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_text() {
        check("a,b\n\"5,inch\n1,x\n2,y\n", &["1: 0=a 1=b", "2: 0=\"5 1=inch", "3: 0=1 1=x", "4: 0=2 1=y"]);
        check("a;b\n\"1,5;x\n2;\"y;z\"\n", &["1: 0=a 1=b", "2: 0=\"1,5 1=x", "3: 0=2 1=y;z"]);
        check("\"a;b\n1;2\n3;4\n", &["1: 0=\"a 1=b", "2: 0=1 1=2", "3: 0=3 1=4"]);
        let lines: String = (0..200).map(|n| format!("{n},x\n")).collect();
        let mut warnings = Vec::new();
        let rows = read(&format!("a,b\n\"5,inch\n{lines}1,\"y\n"), false, &mut warnings);
        assert_eq!(rows.len(), 203);
        let message = "quotes in lines 2, 203 are not closed and are read as text";
        assert_eq!(warnings, [Warning::new(WarningKind::Damaged, message)]);
        // Where nearly every line has one, quotes are no quotes.
        let mut warnings = Vec::new();
        let rows = read(&"\"5,x\n".repeat(2_000), false, &mut warnings);
        assert_eq!((rows.len(), rows[1].cells[0].1.as_str(), warnings.len()), (2_000, "\"5", 1));
    }
}
