//! Files of a segment: whole or absent, whatever happens.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use memmap2::Mmap;

use super::VectorError;
use crate::store::embedded::mmap;

/// Maps a file.
///
/// # Errors
///
/// [`VectorError::Io`] when it is missing or unreadable.
pub(super) fn map(path: &Path) -> Result<Mmap, VectorError> {
    File::open(path).and_then(|file| mmap::map(&file)).map_err(|source| VectorError::Io {
        action: "open",
        path: path.to_owned(),
        source,
    })
}

/// Syncs the folder, so that renamed files are there after a power failure.
///
/// # Errors
///
/// [`VectorError::Io`] when the system refuses.
pub(super) fn sync_folder(dir: &Path) -> Result<(), VectorError> {
    let synced = File::open(dir).and_then(|dir| dir.sync_all());
    synced.map_err(|source| VectorError::Io { action: "sync", path: dir.to_owned(), source })
}

/// The first eight bytes of a hash, as a stamp that tells files of different segments apart.
pub(super) fn stamp(hash: &blake3::Hasher) -> u64 {
    hash.finalize().as_bytes()[..8].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// A file under its temporary name, removed when it is dropped unpublished.
pub(super) struct Pending {
    temporary: PathBuf,
    path: PathBuf,
    writer: BufWriter<File>,
    published: bool,
}

impl Pending {
    /// Begins the file `path` beside its place, with room for a header.
    pub(super) fn create(path: PathBuf, header_len: usize) -> Result<Self, VectorError> {
        let mut temporary = path.clone().into_os_string();
        temporary.push(".tmp");
        let temporary = PathBuf::from(temporary);
        let file = File::create(&temporary).map_err(|source| VectorError::Io {
            action: "write",
            path: temporary.clone(),
            source,
        })?;
        let writer = BufWriter::with_capacity(1 << 18, file);
        let mut pending = Self { temporary, path, writer, published: false };
        pending.write(&vec![0; header_len])?;
        Ok(pending)
    }

    /// Appends bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), VectorError> {
        let written = self.writer.write_all(bytes);
        written.map_err(|source| self.error("write", source))
    }

    /// Writes the header and syncs the file.
    pub(super) fn finish(&mut self, header: &[u8]) -> Result<(), VectorError> {
        let finished = (|| {
            self.writer.seek(SeekFrom::Start(0))?;
            self.writer.write_all(header)?;
            self.writer.flush()?;
            self.writer.get_ref().sync_all()
        })();
        finished.map_err(|source| self.error("write", source))
    }

    /// Puts the file into its place.
    pub(super) fn publish(mut self) -> Result<(), VectorError> {
        fs::rename(&self.temporary, &self.path).map_err(|source| self.error("rename", source))?;
        self.published = true;
        Ok(())
    }

    fn error(&self, action: &'static str, source: io::Error) -> VectorError {
        VectorError::Io { action, path: self.temporary.clone(), source }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.published {
            // A leftover does no harm: the next writer of the name truncates it.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
