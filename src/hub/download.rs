//! One file of a hub: brought beside its place, checked, and put there. One that was cut off is gone on with.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use sha2::Digest as _;

use crate::http::{Body, Client, Failed, Head, HttpError};
use crate::hub::HubError;

/// Why a file did not come.
pub(super) enum FetchError {
    Http(HttpError),
    Checksum(String),
    Io(PathBuf, std::io::Error),
}

impl FetchError {
    /// As what the caller of a download is told.
    pub(super) fn of(self, name: &str, file: &str) -> HubError {
        match self {
            Self::Http(error) => HubError::of_http(name, &error),
            Self::Checksum(detail) => {
                HubError::Checksum { name: name.to_owned(), file: file.to_owned(), detail }
            }
            Self::Io(path, source) => HubError::Io { path, source },
        }
    }
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> FetchError + use<> {
    let path = path.to_owned();
    move |source| FetchError::Io(path, source)
}

/// The right to download one model into this cache, held until it is dropped: two downloads at once would write into each other's
/// files. It is the operating system's lock on a file, and gone with its process.
#[derive(Debug)]
pub(super) struct PullLock {
    _file: Option<File>,
}

impl PullLock {
    /// Takes the lock on the file `path`, waiting for whoever has it; `waiting` is called first when that takes time. Disks without
    /// locks have none.
    ///
    /// # Errors
    ///
    /// When the file cannot be made.
    pub(super) fn acquire(path: &Path, waiting: &mut dyn FnMut()) -> std::io::Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                waiting();
                file.lock()?;
            }
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {
                return Ok(Self { _file: None });
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        Ok(Self { _file: Some(file) })
    }
}

/// Whether the file at `path` is what the hub says of it: by its SHA-256 where the hub tells that, else by its length and, where
/// they are weights that say so themselves, by whether they are whole.
///
/// # Errors
///
/// When the file is there and cannot be read.
pub(super) fn is_there(path: &Path, head: &Head) -> Result<bool, FetchError> {
    let n_bytes = match path.metadata() {
        Ok(it) if it.is_file() => it.len(),
        Ok(_) => return Ok(false),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(io(path)(error)),
    };
    if head.n_bytes.is_some_and(|it| it != n_bytes) {
        return Ok(false);
    }
    match head.sha256() {
        Some(expected) => Ok(sha256(path).map_err(io(path))?.eq_ignore_ascii_case(expected)),
        None => crate::local::may_be_whole(path).map_err(io(path)),
    }
}

/// Downloads one file beside its place, checks it, and puts it there. Returns whether its SHA-256 was checked.
///
/// # Errors
///
/// When it does not come in all tries, is not what the hub says, or cannot be written.
pub(super) fn fetch(
    client: &Client,
    url: &str,
    path: &Path,
    head: &Head,
    progress: &mut dyn FnMut(u64),
) -> Result<bool, FetchError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(io(folder))?;
    }
    let part = part_of(path);
    let has_rest = length_of(&part) > 0;
    match bring(client, url, &part, head, progress).and_then(|()| check(&part, head)) {
        // What an earlier download left was wrong: that is not this one's fault.
        Err(FetchError::Checksum(_)) if has_rest => {
            let _ = std::fs::remove_file(&part);
            bring(client, url, &part, head, progress)?;
            check(&part, head)?;
        }
        result => result?,
    }
    std::fs::rename(&part, path).map_err(io(path))?;
    Ok(head.sha256().is_some())
}

/// Brings the rest of the file that begins at `part`, in as many tries as the client makes.
fn bring(
    client: &Client,
    url: &str,
    part: &Path,
    head: &Head,
    progress: &mut dyn FnMut(u64),
) -> Result<(), FetchError> {
    let tried = client.again(|| {
        let n_there = length_of(part);
        let is_rest = head.n_bytes.is_some_and(|n| n_there < n);
        let (start, mut body) = client.try_get(url, if is_rest { n_there } else { 0 })?;
        // What cannot be written is not tried again.
        match copy(&mut body, start, part, progress) {
            Err(FetchError::Http(error)) => Err::<_, Failed>((error, None)),
            result => Ok(result),
        }
    });
    tried.map_err(FetchError::Http)?
}

/// Writes a body into the file `part` from byte `start` on.
fn copy(body: &mut Body, start: u64, part: &Path, progress: &mut dyn FnMut(u64)) -> Result<(), FetchError> {
    let opened =
        OpenOptions::new().create(true).write(true).append(start > 0).truncate(start == 0).open(part);
    let mut file = opened.map_err(io(part))?;
    let (mut n_done, mut buffer) = (start, vec![0; 1 << 16]);
    loop {
        match body.read(&mut buffer).map_err(FetchError::Http)? {
            0 => break,
            n => {
                file.write_all(&buffer[..n]).map_err(io(part))?;
                n_done += n as u64;
                progress(n_done);
            }
        }
    }
    file.sync_all().map_err(io(part))
}

/// Holds what came against what the hub says; what can never become right is removed.
fn check(part: &Path, head: &Head) -> Result<(), FetchError> {
    let n_found = part.metadata().map_err(io(part))?.len();
    if let Some(n_bytes) = head.n_bytes.filter(|&it| it != n_found) {
        if n_found > n_bytes {
            let _ = std::fs::remove_file(part);
        }
        return Err(FetchError::Checksum(format!("{n_found} bytes came instead of {n_bytes}")));
    }
    if let Some(expected) = head.sha256() {
        let found = sha256(part).map_err(io(part))?;
        if !found.eq_ignore_ascii_case(expected) {
            let _ = std::fs::remove_file(part);
            return Err(FetchError::Checksum(format!("its SHA-256 is {found}, not {expected}")));
        }
    }
    Ok(())
}

fn length_of(path: &Path) -> u64 {
    path.metadata().map_or(0, |it| it.len())
}

pub(super) fn sha256(path: &Path) -> std::io::Result<String> {
    let (mut file, mut hash) = (File::open(path)?, sha2::Sha256::new());
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            n => hash.update(&buffer[..n]),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Where a file lies until it is whole.
fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// Writes a small file, whole or not at all.
pub(super) fn write_file(path: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let temporary = part_of(path);
    std::fs::write(&temporary, content)?;
    std::fs::rename(&temporary, path)
}
