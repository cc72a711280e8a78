//! Whether the cross-reference table leads to the objects. The parser repairs a broken one by scanning the file and does not
//! say so; what it found then may not be all.

/// Bytes at the end of a file in which `startxref` is looked for; writers of garbage after the end leave less.
const TAIL_BYTES: usize = 4096;

/// Most entries of a table that are tried; a table is right or wrong in whole.
const MOST_ENTRIES: usize = 200;

/// Whether the file has to be repaired to be read: no table where `startxref` says, or entries that lead elsewhere.
pub(super) fn is_broken(file: &[u8]) -> bool {
    // Offsets count from the header, before which some mailers put lines of their own.
    let header = find(&file[..file.len().min(1024)], b"%PDF-").unwrap_or(0);
    let body = &file[header..];
    let tail_start = body.len().saturating_sub(TAIL_BYTES);
    let Some(at) = rfind(&body[tail_start..], b"startxref") else { return true };
    let Some((start, _)) = number(&body[tail_start + at + b"startxref".len()..]) else { return true };
    // Some writers count from the start of the file nevertheless.
    [body, file].iter().all(|from| !is_table(from, start))
}

/// Whether a table or stream of references stands at `start`, and its entries lead to objects.
fn is_table(file: &[u8], start: usize) -> bool {
    let Some(table) = file.get(start..) else { return false };
    let table = table.trim_ascii_start();
    match table.strip_prefix(b"xref") {
        Some(entries) => entries_lead_to_objects(file, entries),
        None => object_number(table).is_some(),
    }
}

/// Tries the first entries: at least half of those in use must lead to the object of their number.
fn entries_lead_to_objects(file: &[u8], mut table: &[u8]) -> bool {
    let (mut n_right, mut n_wrong) = (0, 0);
    while let Some((first, after)) = number(table) {
        let Some((n_entries, after)) = number(after) else { break };
        table = after;
        for object in first..first.saturating_add(n_entries) {
            let Some((offset, after)) = number(table) else { break };
            let Some((_, after)) = number(after) else { break };
            let after = after.trim_ascii_start();
            if after.starts_with(b"n") {
                let found = file.get(offset..).map(<[u8]>::trim_ascii_start).and_then(object_number);
                // Tables that start at 1 where they should at 0 are common, and every parser takes them.
                let is_right = found.is_some_and(|it| it == object || it + 1 == object);
                n_right += usize::from(is_right);
                n_wrong += usize::from(!is_right);
            }
            if n_right + n_wrong == MOST_ENTRIES {
                return n_right >= n_wrong;
            }
            table = after.get(1..).unwrap_or_default();
        }
    }
    n_right >= n_wrong
}

/// The number of the object that starts here: `12 0 obj`.
fn object_number(bytes: &[u8]) -> Option<usize> {
    let (object, after) = number(bytes)?;
    let (_, after) = number(after)?;
    after.trim_ascii_start().starts_with(b"obj").then_some(object)
}

/// A decimal number after white space, and what follows it.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let bytes = bytes.trim_ascii_start();
    let len = bytes.iter().take_while(|it| it.is_ascii_digit()).count();
    let digits = std::str::from_utf8(&bytes[..len]).ok()?;
    Some((digits.parse().ok()?, &bytes[len..]))
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|it| it == wanted)
}

fn rfind(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).rposition(|it| it == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_lead_elsewhere_are_broken() {
        let check = |table: &str, start: usize, expected: bool| {
            let file = format!("%PDF-1.4\n1 0 obj\n<<>>\nendobj\n{table}\nstartxref\n{start}\n%%EOF");
            assert_eq!(is_broken(file.as_bytes()), expected, "{table} {start}");
            let file = format!("From: mail\n{file}");
            assert_eq!(is_broken(file.as_bytes()), expected, "after garbage: {table} {start}");
        };
        let table = "xref\n0 2\n0000000000 65535 f \n0000000009 00000 n \ntrailer\n<<>>";
        check(table, 30, true);
        check(table, 29, false);
        check(table, 28, false);
        check(table, 9999, true);
        check("xref\n0 2\n0000000000 65535 f \n0000000019 00000 n \ntrailer\n<<>>", 29, true);
        check("xref\n1 2\n0000000000 65535 f \n0000000009 00000 n \ntrailer\n<<>>", 29, false);
        check("2 0 obj\n<</Type/XRef>>", 29, false);
        check("xref\n0 99999999999999999999", 29, false);
        check("", 9, false);
        assert!(is_broken(b"%PDF-1.4\nxref"));
        assert!(is_broken(b""));
    }
}
