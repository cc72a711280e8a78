//! Messages over which the parser stumbles.
//!
//! It panics on a few malformed headers. Such a message is read without the headers that say nothing to its reader, then
//! without its people and date, and at last as plain text: whatever is broken costs as little as possible.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::content::{Warning, WarningKind};
use crate::read::{Parsed, ReadError};

/// Headers that are tried, fewer each time.
const KEPT: [&[&str]; 2] = [
    &["from", "to", "cc", "subject", "date", "mime-version", "content-type", "content-transfer-encoding"],
    &["subject", "mime-version", "content-type", "content-transfer-encoding"],
];

/// Headers of a message that is read as plain text.
const KEPT_OF_PLAIN: &[&str] = &["from", "to", "cc", "subject", "date"];

/// Reads `message` with `read`, or what is left of it where `read` panics.
///
/// # Errors
///
/// Those of `read`, and damage when it panics on plain text.
pub(super) fn read(
    message: &[u8],
    read: impl Fn(&[u8]) -> Result<Parsed, ReadError>,
) -> Result<Parsed, ReadError> {
    let guarded = |message: &[u8]| catch_unwind(AssertUnwindSafe(|| read(message))).ok();
    if let Some(outcome) = guarded(message) {
        return outcome;
    }
    let with_warning = |mut parsed: Parsed, message: &str| {
        parsed.warnings.push(Warning::new(WarningKind::Damaged, message));
        parsed
    };
    for kept in KEPT {
        if let Some(Ok(parsed)) = guarded(&with_headers(message, kept)) {
            return Ok(with_warning(parsed, "headers that cannot be read are left out"));
        }
    }
    let plain = [KEPT_OF_PLAIN, &[]].map(|kept| plain(message, kept));
    match plain.iter().find_map(|it| guarded(it)) {
        Some(outcome) => {
            outcome.map(|it| with_warning(it, "the message cannot be taken apart and is read as it stands"))
        }
        None => Err(ReadError::Damaged { format: "eml", detail: "the parser gave up".to_owned() }),
    }
}

/// The message with these headers alone, names in lower case.
fn with_headers(message: &[u8], kept: &[&str]) -> Vec<u8> {
    let (head, body) = parts(message);
    let mut written = Vec::with_capacity(message.len());
    let mut is_kept = false;
    for line in head.split_inclusive(|it| *it == b'\n') {
        // A line that starts with a blank goes on with the header above it.
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            let name = line.split(|it| *it == b':').next().unwrap_or_default();
            is_kept = kept.iter().any(|it| name.trim_ascii().eq_ignore_ascii_case(it.as_bytes()));
        }
        if is_kept {
            written.extend_from_slice(line);
        }
    }
    written.extend_from_slice(b"\r\n");
    written.extend_from_slice(body);
    written
}

/// The body as plain text, with these headers.
fn plain(message: &[u8], kept: &[&str]) -> Vec<u8> {
    let (head, body) = parts(message);
    let mut written = b"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n".to_vec();
    written.extend_from_slice(&with_headers(head, kept));
    written.extend_from_slice(String::from_utf8_lossy(body).as_bytes());
    written
}

/// The headers with their last line end, and what follows the blank line behind them.
fn parts(message: &[u8]) -> (&[u8], &[u8]) {
    let mut at = 0;
    for line in message.split_inclusive(|it| *it == b'\n') {
        if line.trim_ascii().is_empty() {
            return (&message[..at], &message[at + line.len()..]);
        }
        at += line.len();
    }
    (message, &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Blob, Reader as _};

    /// Reads as the reader does, by a parser that panics on `bomb`.
    fn check(message: &str, bomb: &str, expected: &str) {
        let blob = |bytes: &[u8]| Blob { uri: "a/m.eml".into(), bytes: bytes.to_vec() };
        let parsed = read(message.as_bytes(), |bytes| {
            assert!(!String::from_utf8_lossy(bytes).contains(bomb), "as the parser does");
            crate::read::mail::Mail.read(&blob(bytes), &Default::default())
        });
        let parsed = parsed.unwrap();
        assert_eq!(parsed.document.text, expected);
        assert_eq!(parsed.warnings.len(), 1, "{:?}", parsed.warnings);
    }

    #[test]
    fn what_stands_around_the_damage_is_read() {
        let message = "Received: by BOOM\n (x)\nFrom: a@example.org\nSubject: S\nContent-Type: text/plain; charset=iso-8859-1\n\
                       Content-Transfer-Encoding: quoted-printable\n\nsch=F6n\n";
        check(message, "BOOM", "# S\n\nFrom: a@example.org\n\nschön\n");
        check(message, "a@example", "# S\n\nschön\n");
        check(message, "charset=iso", "# S\n\nFrom: a@example.org\n\nsch=F6n\n");
        let gone = read(b"Subject: S\n\nBOOM", |_| panic!("as the parser does"));
        assert!(matches!(gone, Err(ReadError::Damaged { .. })));
    }

    /// mail-parser 0.11.9 panics on messages in messages whose boundaries are those of the message around them.
    #[test]
    fn a_message_that_ends_its_parts_twice_is_read() {
        let message = b"Subject: probe\r\nContent-Type: multipart/mixed; boundary=\"b\"\n\n--b\n\nkept words\n--b\n\
                        Content-Type: message/rfc822\nry=\"b\"\n\n--b\nContent-Type: message/rfc822\n\n--b--\n\n--b--\n";
        let blob = Blob { uri: "a/m.eml".into(), bytes: message.to_vec() };
        let parsed = crate::read::mail::Mail.read(&blob, &Default::default()).unwrap();
        assert!(parsed.document.text.starts_with("# probe\n") && parsed.document.text.contains("kept words"));
        assert_eq!(parsed.warnings.len(), 1);
    }
}
