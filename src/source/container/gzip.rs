//! Single files compressed with gzip.
//!
//! Such a file has one member, called as the file is without `.gz`; the name in its header is of the day when it was made and
//! is not looked at.

use std::io::{self, BufRead as _, BufReader, Read as _};

use flate2::bufread::GzDecoder;

use super::{Container, ContainerError, Emit, Entry, EntryKind, Format, Listing};
use crate::content::{ContainerKind, escape_marks, has_scheme, member_uri, percent_decode};
use crate::source::uri::text_of_bytes;

const FORMAT: &str = "gzip";

/// A compressed file.
pub(super) struct Gzip<'a> {
    container: &'a Container,
    max_bytes: u64,
    /// The bytes of the member, once it was listed: its size is known no earlier.
    bytes: Vec<u8>,
}

impl<'a> Gzip<'a> {
    /// Of which one byte more than `max_bytes` is unpacked at most.
    pub(super) fn new(container: &'a Container, max_bytes: u64) -> Self {
        Self { container, max_bytes, bytes: Vec::new() }
    }
}

impl Format for Gzip<'_> {
    fn list(&mut self) -> Result<Listing, ContainerError> {
        let io = |error: io::Error| ContainerError::Io(error.to_string());
        let (reader, _) = self.container.open().map_err(io)?;
        let mut reader = BufReader::new(reader);
        if !reader.fill_buf().map_err(io)?.starts_with(&[0x1F, 0x8B]) {
            return Err(damaged("it is not compressed with gzip"));
        }
        // Part by part, as logs are written; what follows the last one, such as the zeros that fill a tape, is none.
        while reader.fill_buf().map_err(io)?.starts_with(&[0x1F, 0x8B]) {
            let n_left = self.max_bytes.saturating_add(1).saturating_sub(self.bytes.len() as u64);
            let part = GzDecoder::new(&mut reader).take(n_left).read_to_end(&mut self.bytes);
            if part.map_err(damaged)? as u64 == n_left {
                break;
            }
        }
        let entry = Entry {
            name: member_name(&self.container.uri),
            kind: EntryKind::File,
            n_bytes: self.bytes.len() as u64,
            ignore_text: None,
        };
        Ok(Listing { entries: vec![entry], damage: None })
    }

    fn unpack(&mut self, wanted: &[usize], _max_bytes: u64, emit: Emit<'_>) -> Result<(), ContainerError> {
        if !wanted.is_empty() {
            let _ = emit(0, Ok(std::mem::take(&mut self.bytes)));
        }
        Ok(())
    }
}

/// The URI of the only member, where the file with this URI is a compressed one.
pub fn only_member(uri: &str) -> Option<String> {
    let kind = ContainerKind::of_name(uri).filter(|it| *it == ContainerKind::Gzip)?;
    Some(member_uri(uri, kind, &escape_marks(&member_name(uri))))
}

/// What the file in the container with this URI is called.
fn member_name(uri: &str) -> String {
    let name = uri.rsplit('/').next().unwrap_or(uri);
    let name = if has_scheme(uri) { text_of_bytes(&percent_decode(name)) } else { name.to_owned() };
    let end = name.len().saturating_sub(".gz".len());
    name.get(..end).unwrap_or_default().to_owned()
}

fn damaged(detail: impl ToString) -> ContainerError {
    ContainerError::Damaged { format: FORMAT, detail: detail.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_called_as_their_files() {
        let check = |uri: &str, expected: &str| assert_eq!(member_name(uri), expected);
        check("docs/guide.html.gz", "guide.html");
        check("NEWS.GZ", "NEWS");
        check("file:///x/a%20b%25.md.gz", "a b%.md");
        check(".gz", "");
    }
}
