//! One file of a hub: brought beside its place, checked, and put there. One that was cut off is gone on with.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use sha2::Digest as _;

use crate::http::{Client, Head};
use crate::hub::HubError;

/// Why a file did not come.
pub(super) enum FetchError {
    Hub(String),
    Checksum(String),
    Io(PathBuf, std::io::Error),
}

impl FetchError {
    /// As what the caller of a download is told.
    pub(super) fn of(self, name: &str, file: &str) -> HubError {
        let name = name.to_owned();
        match self {
            Self::Hub(detail) => HubError::Hub { name, detail },
            Self::Checksum(detail) => HubError::Checksum { name, file: file.to_owned(), detail },
            Self::Io(path, source) => HubError::Io { path, source },
        }
    }
}

/// Downloads one file beside its place, checks it, and puts it there. Returns whether its SHA-256 was checked.
pub(super) fn fetch(
    client: &Client,
    url: &str,
    path: &Path,
    head: &Head,
    progress: &mut dyn FnMut(u64),
) -> Result<bool, FetchError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| FetchError::Io(path, source)
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(io(folder))?;
    }
    let part = part_of(path);
    let n_there = part.metadata().map_or(0, |it| it.len());
    let is_rest = head.n_bytes.is_some_and(|n| n_there < n);
    let (start, mut body) = client
        .get(url, if is_rest { n_there } else { 0 })
        .map_err(|error| FetchError::Hub(error.to_string()))?;
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .write(true)
        .append(start > 0)
        .truncate(start == 0)
        .open(&part)
        .map_err(io(&part))?;
    let (mut n_done, mut buffer) = (start, vec![0; 1 << 16]);
    loop {
        let n = match body.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => {
                return Err(FetchError::Hub(format!("{url} broke off after {n_done} bytes: {error}")));
            }
        };
        file.write_all(&buffer[..n]).map_err(io(&part))?;
        n_done += n as u64;
        progress(n_done);
    }
    file.sync_all().map_err(io(&part))?;
    if let Some(n_bytes) = head.n_bytes.filter(|&it| it != n_done) {
        if n_done > n_bytes {
            let _ = std::fs::remove_file(&part);
        }
        return Err(FetchError::Checksum(format!("{n_done} bytes came instead of {n_bytes}")));
    }
    let expected =
        head.etag.as_deref().filter(|it| it.len() == 64 && it.bytes().all(|it| it.is_ascii_hexdigit()));
    if let Some(expected) = expected {
        let found = sha256(&part).map_err(io(&part))?;
        if !found.eq_ignore_ascii_case(expected) {
            let _ = std::fs::remove_file(&part);
            return Err(FetchError::Checksum(format!("its SHA-256 is {found}, not {expected}")));
        }
    }
    std::fs::rename(&part, path).map_err(io(path))?;
    Ok(expected.is_some())
}

pub(super) fn sha256(path: &Path) -> std::io::Result<String> {
    let (mut file, mut hash) = (std::fs::File::open(path)?, sha2::Sha256::new());
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
