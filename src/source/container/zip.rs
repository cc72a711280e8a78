//! Zip archives.

use std::io::Read as _;

use zip::ZipArchive;
use zip::read::ZipReadOptions;
use zip::result::ZipError;

use super::ignores::{MAX_IGNORE_BYTES, is_ignore_file};
use super::meter::{Meter, Metered};
use super::{
    Container, ContainerError, Emit, Entry, EntryKind, Format, Listing, MAX_MEMBERS, ReadSeek, too_many,
};
use crate::source::uri::text_of_bytes;

const FORMAT: &str = "zip";

/// Bytes of the directory at the end of an archive: [`MAX_MEMBERS`] entries of 160 bytes, which is more than they take with
/// names of 80.
const MAX_DIRECTORY_BYTES: u64 = 16 << 20;

/// A zip archive that is about to be opened.
pub(super) struct Zip<'a> {
    container: &'a Container,
    password: Option<&'a str>,
    meter: Meter,
}

type Archive<'a> = ZipArchive<Metered<'a, Box<dyn ReadSeek + 'a>>>;

impl<'a> Zip<'a> {
    pub(super) fn new(container: &'a Container, password: Option<&'a str>) -> Self {
        Self { container, password, meter: Meter::new(u64::MAX) }
    }

    /// Opens the archive; from then on any number of bytes may be read.
    fn archive(&self) -> Result<Archive<'_>, ContainerError> {
        let io = |error: std::io::Error| ContainerError::Io(error.to_string());
        let (mut reader, _) = self.container.open().map_err(io)?;
        let mut signature = [0; 2];
        let is_zip = reader.read_exact(&mut signature).is_ok() && signature == *b"PK";
        if !is_zip {
            return Err(damaged("it is not a zip archive"));
        }
        self.meter.allow(MAX_DIRECTORY_BYTES);
        let archive = ZipArchive::new(Metered::new(reader, &self.meter)).map_err(|error| match error {
            _ if self.meter.is_over() => ContainerError::Limit {
                detail: format!("a directory of more than {} MB", MAX_DIRECTORY_BYTES >> 20),
            },
            error => error_of(error),
        })?;
        self.meter.allow(u64::MAX);
        if archive.len() > MAX_MEMBERS {
            return Err(too_many());
        }
        Ok(archive)
    }

    fn unpack_one(
        &self,
        archive: &mut Archive<'_>,
        position: usize,
        max_bytes: u64,
    ) -> Result<Vec<u8>, ContainerError> {
        let options = ZipReadOptions::new().password(self.password.map(str::as_bytes));
        let is_encrypted = archive.by_index_data(position).is_ok_and(|it| it.encrypted());
        let entry = archive.by_index_with_options(position, options).map_err(error_of)?;
        let mut bytes = Vec::new();
        let outcome = entry.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes);
        if bytes.len() as u64 > max_bytes {
            let detail = format!("larger than {max_bytes} bytes, whatever the archive says");
            return Err(ContainerError::Limit { detail });
        }
        match outcome {
            Ok(_) => Ok(bytes),
            // The old encryption tells one wrong password in 256 from the right one by nothing but the damage that it does.
            Err(_) if is_encrypted => Err(ContainerError::WrongPassword),
            Err(error) => Err(damaged(error.to_string())),
        }
    }
}

impl Format for Zip<'_> {
    fn list(&mut self) -> Result<Listing, ContainerError> {
        let mut archive = self.archive()?;
        let mut entries = Vec::with_capacity(archive.len());
        for position in 0..archive.len() {
            let entry = archive.by_index_data(position).map_err(error_of)?;
            let name = match std::str::from_utf8(entry.name_raw()) {
                Ok(name) => name.to_owned(),
                // Code page 437, which the format says that other names are in.
                Err(_) => {
                    entry.name().map_or_else(|_| text_of_bytes(entry.name_raw()), |name| name.into_owned())
                }
            };
            let kind = match () {
                () if entry.is_symlink() => EntryKind::Link,
                () if entry.is_dir() || name.ends_with(['/', '\\']) => EntryKind::Folder,
                () => EntryKind::File,
            };
            // Programs of DOS and early Windows wrote backslashes.
            let name = name.replace('\\', "/");
            let n_bytes = entry.size();
            let is_ignore = kind == EntryKind::File && is_ignore_file(&name) && n_bytes <= MAX_IGNORE_BYTES;
            let ignore_text =
                is_ignore.then(|| self.unpack_one(&mut archive, position, MAX_IGNORE_BYTES).ok()).flatten();
            entries.push(Entry { name, kind, n_bytes, ignore_text });
        }
        Ok(Listing { entries, damage: None })
    }

    fn unpack(&mut self, wanted: &[usize], max_bytes: u64, emit: Emit<'_>) -> Result<(), ContainerError> {
        let mut archive = self.archive()?;
        for &position in wanted {
            let unpacked = self.unpack_one(&mut archive, position, max_bytes);
            if emit(position, unpacked).is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn damaged(detail: impl Into<String>) -> ContainerError {
    ContainerError::Damaged { format: FORMAT, detail: detail.into() }
}

fn error_of(error: ZipError) -> ContainerError {
    match error {
        ZipError::InvalidPassword => ContainerError::WrongPassword,
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => ContainerError::Encrypted,
        ZipError::UnsupportedArchive(detail) => ContainerError::Unsupported { detail: detail.to_owned() },
        ZipError::CompressionMethodNotSupported(method) => {
            ContainerError::Unsupported { detail: format!("packed with method {method}") }
        }
        ZipError::InvalidArchive(detail) => damaged(detail),
        error => damaged(error.to_string()),
    }
}
