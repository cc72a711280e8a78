//! Memory mapping of files that are never changed in place: the one place of the embedded store with `unsafe`.

use std::{fs::File, io};

use memmap2::Mmap;

/// Maps the whole of `file` for reading.
///
/// # Errors
///
/// When the system refuses the mapping.
#[expect(unsafe_code, reason = "memmap2::Mmap::map is unsafe because another process may truncate the file")]
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the embedded store writes such a file under a temporary name, syncs and renames it, and never opens it
    // for writing again; replacing an artefact makes a new file and unlinks the old one, which leaves mappings valid.
    unsafe { Mmap::map(file) }
}
