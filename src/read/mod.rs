//! Readers: from bytes to a document with its section tree.
//!
//! A [`Blob`] comes in, a [`Parsed`] goes out: a document and the damage noticed on the way. Damage becomes
//! warnings; only unreadable input is an error. Readers are pure functions of the blob and the options: no I/O, no
//! clock, no globals.

pub mod charset;
mod entity;
mod epub;
mod graphics;
mod html;
pub mod language;
mod looks;
mod mail;
mod markdown;
mod markers;
mod notebook;
#[cfg(test)]
mod office_tests;
mod opendocument;
mod package;
mod page_lines;
mod pdf;
mod plain;
mod raised;
pub mod registry;
mod rendered;
mod rtf;
mod sheet;
mod slides;
mod symbols;
mod word;
pub mod worker;

use crate::content::{Document, Warning};

pub use registry::{READERS, detect, reader_named};

/// One source, fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// Where it came from, as the document's URI.
    pub uri: String,
    /// The whole content.
    pub bytes: Vec<u8>,
}

impl Blob {
    /// The last part of the URI, the title of last resort.
    pub fn file_name(&self) -> &str {
        self.uri.trim_end_matches('/').rsplit('/').next().unwrap_or(&self.uri)
    }

    /// The file extension in lower case, without the dot; empty when there is none.
    pub fn extension(&self) -> String {
        match self.file_name().rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => extension.to_ascii_lowercase(),
            _ => String::new(),
        }
    }
}

/// What the caller may ask of readers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Keep navigation, footers and other boilerplate of HTML pages.
    pub full_page: bool,
    /// Write links of HTML pages as `[text](target)` rather than as their text.
    pub links: bool,
    /// Password for encrypted files, beside the empty one, which is always tried.
    pub password: Option<String>,
}

/// What a reader gives: the document, and the damage that it survived.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The document.
    pub document: Document,
    /// Damage, in the order found.
    pub warnings: Vec<Warning>,
}

/// What is known of a reader without running it.
#[derive(Clone, Copy, Debug)]
pub struct ReaderMeta {
    /// Name, as in `--format NAME` and in records.
    pub name: &'static str,
    /// Raised whenever the same bytes would give another document; a change makes `--refresh changed` read again.
    pub version: u32,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Media type of the documents.
    pub media_type: &'static str,
    /// File extensions in lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether the parser is run in a worker process with limits, because hostile input can make it crash or balloon.
    pub is_risky: bool,
}

/// Turns one format's bytes into documents.
///
/// Implementations keep the invariants of [`crate::content`]: spans on character boundaries, sections from
/// [`build_sections`](crate::content::build_sections), blocks in order without overlap, and for [`Origin::Verbatim`]
/// the exact slice of the source.
///
/// [`Origin::Verbatim`]: crate::content::Origin::Verbatim
pub trait Reader: Sync {
    /// Name, version, extensions.
    fn meta(&self) -> &'static ReaderMeta;

    /// Reads `blob`.
    ///
    /// # Errors
    ///
    /// When nothing useful can be read; the error says why. Anything less is a warning.
    fn read(&self, blob: &Blob, options: &ReadOptions) -> Result<Parsed, ReadError>;
}

/// Why a blob cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The bytes are not text and no reader knows the format.
    #[error("binary file of unknown format")]
    Binary,
    /// A password is needed.
    #[error("encrypted: a password is needed")]
    Encrypted,
    /// The given password does not open the file.
    #[error("encrypted: the password is wrong")]
    WrongPassword,
    /// Encrypted in a way that no reader decrypts, with or without a password.
    #[error("not supported: {detail}")]
    Locked {
        /// What it is.
        detail: String,
    },
    /// The file breaks its own format beyond repair.
    #[error("damaged {format}: {detail}")]
    Damaged {
        /// Format name.
        format: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// The file is larger or deeper than the reader takes.
    #[error("over the limit: {detail}")]
    Limit {
        /// Which limit, and the figure.
        detail: String,
    },
    /// The format is known, but no reader reads it.
    #[error("not supported: {detail}")]
    Unsupported {
        /// Name of the format, and what to convert it to.
        detail: String,
    },
    /// The worker process died or ran into a limit.
    #[error("the {format} reader failed: {detail}")]
    Worker {
        /// Format name.
        format: &'static str,
        /// Signal, limit or exit code.
        detail: String,
    },
}
