//! The writer's lock: one writer at a time, in any number of processes.
//!
//! The lock is the operating system's own on the file `lock` (`flock`, `LockFileEx`), so it is gone with its process,
//! however that ended. The file's text, the holder's process id and start time, is only for messages.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::store::StoreError;

/// Held for as long as a writer lives.
#[derive(Debug)]
pub(super) struct WriterLock {
    _file: File,
}

/// How often a waiting writer looks again.
const POLL: Duration = Duration::from_millis(50);

impl WriterLock {
    /// Takes the lock of the index at `folder`, waiting at most `patience`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Locked`] with the holder when the time is over.
    pub(super) fn acquire(folder: &Path, patience: Duration) -> Result<Self, StoreError> {
        let path = folder.join("lock");
        let failed = |action| {
            let path = path.clone();
            move |source| StoreError::Io { action, path, source }
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed("open"))?;
        let deadline = Instant::now() + patience;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => std::thread::sleep(POLL),
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    let known = file.read_to_string(&mut holder).is_ok() && !holder.trim().is_empty();
                    let holder = if known { holder.trim().to_owned() } else { "another process".to_owned() };
                    return Err(StoreError::Locked { path: folder.to_owned(), holder });
                }
                Err(TryLockError::Error(source)) => return Err(failed("lock")(source)),
            }
        }
        let note = format!("process {} since {}\n", std::process::id(), jiff::Timestamp::now());
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(note.as_bytes()))
            .map_err(failed("write"))?;
        Ok(Self { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_writer_is_told_who_holds_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let held = WriterLock::acquire(folder.path(), Duration::ZERO).unwrap();
        let refused = WriterLock::acquire(folder.path(), Duration::ZERO).unwrap_err();
        let StoreError::Locked { holder, .. } = refused else { panic!("{refused:?}") };
        assert!(holder.starts_with(&format!("process {}", std::process::id())), "{holder}");
        drop(held);
        WriterLock::acquire(folder.path(), Duration::ZERO).unwrap();
    }
}
