//! Tar archives, compressed with gzip or not at all.
//!
//! Both passes go through the whole archive: the first lists it, the second, where anything is wanted, unpacks.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use tar::{Archive, EntryType};

use super::ignores::{MAX_IGNORE_BYTES, is_ignore_file};
use super::meter::{Meter, Metered};
use super::{Container, ContainerError, Emit, Entry, EntryKind, Format, Listing, MAX_MEMBERS, too_many};
use crate::source::uri::text_of_bytes;

const FORMAT: &str = "tar";

/// Bytes of the headers before one member: long names and extended attributes, which the parser holds in memory. Linux's
/// longest path has 4,096 bytes.
const MAX_HEADER_BYTES: u64 = 1 << 20;

/// A tar archive.
pub(super) struct Tar<'a> {
    container: &'a Container,
    most: u64,
}

/// A file with members that is being gone through.
type TarEntry<'a, 'b> = tar::Entry<'a, Metered<'b, Box<dyn Read + 'b>>>;

impl<'a> Tar<'a> {
    /// Of which at most `most` bytes are unpacked.
    pub(super) fn new(container: &'a Container, most: u64) -> Self {
        Self { container, most }
    }

    /// Goes through all entries, with their positions. Ends with an error where the archive is damaged.
    fn each(
        &self,
        mut visit: impl FnMut(usize, &mut TarEntry<'_, '_>) -> Result<bool, ContainerError>,
    ) -> Result<(), ContainerError> {
        let io = |error: io::Error| ContainerError::Io(error.to_string());
        let (reader, _) = self.container.open().map_err(io)?;
        let mut reader = BufReader::new(reader);
        let is_packed = reader.fill_buf().map_err(io)?.starts_with(&[0x1F, 0x8B]);
        let reader: Box<dyn Read + '_> =
            if is_packed { Box::new(MultiGzDecoder::new(reader)) } else { Box::new(reader) };
        let meter = Meter::new(self.most);
        let over = |error: ContainerError| match (meter.is_over(), meter.is_used_up()) {
            (false, _) => error,
            (true, true) => super::too_much(self.most),
            (true, false) => ContainerError::Limit {
                detail: format!("headers of more than {} MB before one member", MAX_HEADER_BYTES >> 20),
            },
        };
        let mut archive = Archive::new(Metered::new(reader, &meter));
        let mut entries = archive.entries().map_err(damaged)?;
        meter.allow(MAX_HEADER_BYTES);
        for position in 0.. {
            let mut entry = match entries.next() {
                None => break,
                Some(entry) => entry.map_err(|error| over(damaged(error)))?,
            };
            if position == MAX_MEMBERS {
                return Err(too_many());
            }
            meter.allow(u64::MAX);
            if !visit(position, &mut entry).map_err(over)? {
                break;
            }
            if entry.header().entry_type() == EntryType::GNUSparse {
                // Unpacked, its holes could be of any size; what is stored of it is skipped by the parser.
                let n_stored = entry.header().entry_size().map_err(damaged)?;
                meter.allow(MAX_HEADER_BYTES.saturating_add(n_stored));
            } else {
                io::copy(&mut entry, &mut io::sink()).map_err(|error| over(damaged(error)))?;
                meter.allow(MAX_HEADER_BYTES);
            }
        }
        Ok(())
    }
}

impl Format for Tar<'_> {
    fn list(&mut self) -> Result<Listing, ContainerError> {
        let mut listing = Listing::default();
        let outcome = self.each(|_, entry| {
            let name = text_of_bytes(&entry.path_bytes());
            let kind = match entry.header().entry_type() {
                EntryType::Regular | EntryType::Continuous if name.ends_with('/') => EntryKind::Folder,
                EntryType::Regular | EntryType::Continuous => EntryKind::File,
                // Comments of the archive, which `git archive` writes.
                EntryType::Directory | EntryType::XGlobalHeader => EntryKind::Folder,
                EntryType::Symlink | EntryType::Link => EntryKind::Link,
                _ => EntryKind::Special,
            };
            let n_bytes = entry.size();
            let is_ignore = kind == EntryKind::File && is_ignore_file(&name) && n_bytes <= MAX_IGNORE_BYTES;
            let ignore_text = is_ignore.then(|| read(entry, MAX_IGNORE_BYTES).ok()).flatten();
            listing.entries.push(Entry { name, kind, n_bytes, ignore_text });
            Ok(true)
        });
        match outcome {
            Ok(()) => Ok(listing),
            // What stands before the damage is good.
            Err(error @ ContainerError::Damaged { .. }) if !listing.entries.is_empty() => {
                listing.damage = Some(error);
                Ok(listing)
            }
            Err(error) => Err(error),
        }
    }

    fn unpack(&mut self, wanted: &[usize], max_bytes: u64, emit: Emit<'_>) -> Result<(), ContainerError> {
        let wanted: BTreeSet<usize> = wanted.iter().copied().collect();
        let last = wanted.last().copied().unwrap_or(0);
        let outcome = self.each(|position, entry| {
            if !wanted.contains(&position) {
                return Ok(position < last);
            }
            let unpacked = read(entry, max_bytes);
            Ok(emit(position, unpacked).is_continue() && position < last)
        });
        match outcome {
            // Told by the listing already.
            Err(ContainerError::Damaged { .. }) => Ok(()),
            outcome => outcome,
        }
    }
}

/// All of a member, at most `max_bytes`.
fn read(entry: &mut TarEntry<'_, '_>, max_bytes: u64) -> Result<Vec<u8>, ContainerError> {
    let n_bytes = entry.size();
    let mut bytes = Vec::new();
    entry.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(damaged)?;
    match bytes.len() as u64 {
        n_read if n_read > max_bytes => {
            Err(ContainerError::Limit { detail: format!("larger than {max_bytes} bytes") })
        }
        n_read if n_read < n_bytes => Err(damaged("the archive ends early")),
        _ => Ok(bytes),
    }
}

fn damaged(detail: impl ToString) -> ContainerError {
    ContainerError::Damaged { format: FORMAT, detail: detail.to_string() }
}
