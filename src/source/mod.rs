//! Sources: from paths on the command line to candidates, and from a candidate to its bytes.
//!
//! Walks folders with ignore rules, names every file by its URI, and counts everything it leaves out with the reason.
//! Expands files that hold several documents ([`expand`]), fetches pages of the web. Knows nothing of what the bytes mean.

mod container;
mod uri;
mod walk;
#[cfg(feature = "http")]
mod web;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;

use crate::content::ContainerKind;

pub use container::{
    Container, ContainerError, Content, ExpandOptions, Expanded, Found, expand, fetch_member, only_member,
};
pub use uri::{UriBase, location_of_uri};
pub use walk::{WalkError, WalkOptions, Walked, walk};
#[cfg(feature = "http")]
pub use web::fetch_page;

/// Stands for the real one where nothing can be fetched.
///
/// # Errors
///
/// Always.
#[cfg(not(feature = "http"))]
pub fn fetch_page(url: &str, _max_bytes: u64) -> Result<Vec<u8>, String> {
    Err(format!("{url} cannot be fetched: this ragctl was built without 'http'"))
}

/// A file that may be ingested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The document's URI.
    pub uri: String,
    /// Where the file is.
    pub path: PathBuf,
    /// Its size, bytes, when it was found.
    pub n_bytes: u64,
    /// Whether the user named the file itself, and not a folder above it.
    pub is_named: bool,
    /// The container that it is, if its members are the documents.
    pub container: Option<Container>,
}

/// Why something was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// Named by `.gitignore`, `.ignore`, `.ragctlignore` or git's own excludes. A folder counts once.
    Ignored,
    /// Its name starts with a dot. A folder counts once.
    Hidden,
    /// Not let through by the include and exclude globs. A folder counts once.
    Excluded,
    /// Not of the wanted types.
    Type,
    /// Larger than the size limit.
    TooLarge,
    /// Deeper than the depth limit. A folder counts once.
    TooDeep,
    /// A symbolic link: links are not followed, or this one leads back to a folder above it.
    Symlink,
    /// A folder that holds an index of this program.
    Index,
    /// Neither a file nor a folder: a pipe, a socket, a device.
    Special,
    /// Binary content of a format that no reader knows.
    Binary,
    /// An archive or a compressed file that was found in a folder, and these are not to be opened there.
    Archive,
    /// An archive or a compressed file in an archive.
    Nested,
    /// A member of an archive whose name leads out of it.
    Name,
    /// A member of an archive that a later one of the same name replaces.
    Duplicate,
}

impl SkipReason {
    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ignored => "ignored",
            Self::Hidden => "hidden",
            Self::Excluded => "excluded",
            Self::Type => "type",
            Self::TooLarge => "too-large",
            Self::TooDeep => "too-deep",
            Self::Symlink => "symlink",
            Self::Index => "index",
            Self::Special => "special",
            Self::Binary => "binary",
            Self::Archive => "archive",
            Self::Nested => "nested-archive",
            Self::Name => "bad-name",
            Self::Duplicate => "duplicate",
        }
    }
}

/// What a file is taken for by its name alone: its extension in lower case, or both of them for files of entities.
fn extension_of(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let name = name.rsplit('/').next().unwrap_or(&name);
    let n_parts = if ContainerKind::of_name(name) == Some(ContainerKind::Entities) { 2 } else { 1 };
    let parts: Vec<&str> = name.rsplitn(n_parts + 1, '.').collect();
    match parts.get(n_parts).is_some_and(|stem| !stem.is_empty()) {
        true => parts[..n_parts].iter().rev().copied().collect::<Vec<_>>().join("."),
        false => String::new(),
    }
}

/// Reads a candidate's bytes, at most `max_bytes`.
///
/// # Errors
///
/// When the file cannot be read, or has grown over the limit (kind `FileTooLarge`).
pub fn fetch(candidate: &Candidate, max_bytes: u64) -> io::Result<Vec<u8>> {
    let file = File::open(&candidate.path)?;
    let mut bytes = Vec::with_capacity(usize::try_from(candidate.n_bytes.min(max_bytes)).unwrap_or(0) + 1);
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {max_bytes} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_those_of_files() {
        for (name, expected) in [
            ("a/B.MD", "md"),
            ("a.b/c", ""),
            ("a/.hidden", ""),
            ("a.tar.gz", "gz"),
            ("p.Entities.JSONL", "entities.jsonl"),
            ("a/x.entities.json", "entities.json"),
            ("entities.json", "json"),
        ] {
            assert_eq!(extension_of(name), expected, "{name}");
        }
    }
}
