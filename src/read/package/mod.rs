//! Packages: zip files of XML parts, as office formats and e-books are.
//!
//! Opens a package from memory, gives its parts by name, and follows relationships between them. Nothing is ever written
//! to disk or fetched: a target outside the package is only a name. Archives inside the package are not opened. Limits on
//! entries and on unpacked bytes, declared and real, keep small files from becoming large ones.

mod legacy;
mod properties;
mod xml;

use std::collections::HashMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::content::{Warning, WarningKind};
use crate::read::ReadError;

pub(in crate::read) use legacy::{is_compound_file, refuse_compound_file};
pub(in crate::read) use properties::{core_properties, iso_date, sensible_title};
pub(in crate::read) use xml::{
    Child, Element, Tree, decode as decode_xml, resolve as resolve_reference, unescape,
};

/// Entries of a package. The largest workbooks and e-books have a few thousand.
const MAX_ENTRIES: usize = 20_000;

/// Bytes of one unpacked part. A worker's memory holds a tree of this much text.
const MAX_PART_BYTES: u64 = 128 << 20;

/// Bytes of all parts unpacked for one document.
const MAX_TOTAL_BYTES: u64 = 512 << 20;

/// How many times its packed size a part may take once it is over [`RATIO_FLOOR_BYTES`]. Deflate reaches 1,032; sheets
/// full of equal rows were seen at 60.
const MAX_RATIO: u64 = 250;

/// Small parts may repeat themselves as much as they like.
const RATIO_FLOOR_BYTES: u64 = 16 << 20;

/// A package that is open.
#[derive(Debug)]
pub(in crate::read) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// From names in lower case with forward slashes to entries.
    entries: HashMap<String, usize>,
    /// Bytes that may still be unpacked.
    budget: u64,
    format: &'static str,
}

impl<'a> Package<'a> {
    /// Opens the package in `bytes`.
    ///
    /// # Errors
    ///
    /// [`ReadError::Locked`] and [`ReadError::Unsupported`] for what is in a compound file (OLE),
    /// [`ReadError::Damaged`] when there is no readable archive, [`ReadError::Limit`] for too many entries.
    pub(in crate::read) fn open(bytes: &'a [u8], format: &'static str) -> Result<Self, ReadError> {
        if is_compound_file(bytes) {
            return Err(refuse_compound_file(bytes));
        }
        let damaged = |detail: String| ReadError::Damaged { format, detail };
        if bytes.is_empty() {
            return Err(damaged("the file is empty".to_owned()));
        }
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| match error {
            _ if !bytes.starts_with(b"PK") => damaged("it is not a zip archive".to_owned()),
            ZipError::InvalidArchive(detail) => damaged(format!("broken zip archive: {detail}")),
            error => damaged(format!("broken zip archive: {error}")),
        })?;
        if archive.len() > MAX_ENTRIES {
            let detail = format!("{} entries in the archive, at most {MAX_ENTRIES} are read", archive.len());
            return Err(ReadError::Limit { detail });
        }
        let entries = (0..archive.len())
            .filter_map(|at| Some((canonical(&archive.name_for_index(at)?.ok()?), at)))
            .collect();
        Ok(Self { archive, entries, budget: MAX_TOTAL_BYTES, format })
    }

    /// Whether there is a part with this name.
    pub(in crate::read) fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    fn index(&self, name: &str) -> Option<usize> {
        let name = canonical(name);
        self.entries.get(&name).or_else(|| self.entries.get(&percent_decoded(&name))).copied()
    }

    /// Names of all parts in lower case, in order.
    pub(in crate::read) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.entries.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// Unpacks a part; `None` when there is none of this name. What comes before damage is kept, with a warning.
    ///
    /// # Errors
    ///
    /// [`ReadError::Limit`] when it grows out of all proportion, [`ReadError::Locked`] when it is encrypted,
    /// [`ReadError::Damaged`] when nothing of it can be read.
    pub(in crate::read) fn part(
        &mut self,
        name: &str,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Vec<u8>>, ReadError> {
        let Some(at) = self.index(name) else { return Ok(None) };
        let format = self.format;
        let damaged = |detail: String| ReadError::Damaged { format, detail };
        let entry = match self.archive.by_index(at) {
            Ok(entry) => entry,
            Err(ZipError::UnsupportedArchive(detail)) if detail.to_lowercase().contains("password") => {
                return Err(ReadError::Locked { detail: format!("encrypted {format} archive") });
            }
            Err(error) => return Err(damaged(format!("'{name}' in the archive cannot be read: {error}"))),
        };
        let packed = entry.compressed_size();
        let by_ratio = packed.saturating_mul(MAX_RATIO).max(RATIO_FLOOR_BYTES);
        let most = MAX_PART_BYTES.min(by_ratio).min(self.budget);
        let too_large = || ReadError::Limit {
            detail: format!(
                "'{name}' in the archive takes more than {} MB unpacked ({} kB packed)",
                most >> 20,
                packed >> 10
            ),
        };
        // Declared first, to save the work; the real size counts all the same.
        if entry.size() > most {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        let outcome = entry.take(most + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > most {
            return Err(too_large());
        }
        self.budget -= bytes.len() as u64;
        if let Err(error) = outcome {
            if bytes.is_empty() {
                return Err(damaged(format!("'{name}' in the archive cannot be unpacked: {error}")));
            }
            let message = format!("'{name}' in the archive is damaged ({error}); read as far as it goes");
            warnings.push(Warning::new(WarningKind::Damaged, message));
        }
        Ok(Some(bytes))
    }

    /// Unpacks and parses a part that the document cannot do without.
    ///
    /// # Errors
    ///
    /// Those of [`part`](Self::part), and [`ReadError::Damaged`] when it is missing or has no markup.
    pub(in crate::read) fn required_tree(
        &mut self,
        name: &str,
        warnings: &mut Vec<Warning>,
    ) -> Result<Tree, ReadError> {
        let damaged = |detail: String| ReadError::Damaged { format: self.format, detail };
        let missing = damaged(format!("'{name}' is missing from the archive"));
        let empty = damaged(format!("'{name}' in the archive holds no XML"));
        let bytes = self.part(name, warnings)?.ok_or(missing)?;
        let tree = parse(name, &bytes, warnings);
        if tree.root().is_some() { Ok(tree) } else { Err(empty) }
    }

    /// Unpacks and parses a part that the document can do without; damage becomes a warning.
    pub(in crate::read) fn tree(&mut self, name: &str, warnings: &mut Vec<Warning>) -> Option<Tree> {
        match self.part(name, warnings) {
            Ok(bytes) => Some(parse(name, &bytes?, warnings)),
            Err(error) => {
                warnings.push(Warning::new(WarningKind::Damaged, format!("part left out: {error}")));
                None
            }
        }
    }

    /// The relationships of a part (`""` for those of the package).
    pub(in crate::read) fn relations(&mut self, part: &str, warnings: &mut Vec<Warning>) -> Relations {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let slash = if folder.is_empty() { "" } else { "/" };
        let tree = self.tree(&format!("{folder}{slash}_rels/{file}.rels"), warnings);
        let root = tree.as_ref().and_then(Tree::root);
        let relation = |it: Element<'_>| {
            let kind = it.attr("Type")?.rsplit('/').next()?.to_owned();
            let is_external = it.attr("TargetMode").is_some_and(|it| it.eq_ignore_ascii_case("external"));
            let target = it.attr("Target")?;
            let target = if is_external { target.to_owned() } else { resolve(part, target) };
            Some(Relation { id: it.attr("Id")?.to_owned(), kind, target, is_external })
        };
        Relations(root.into_iter().flat_map(|it| it.named("Relationship")).filter_map(relation).collect())
    }
}

fn parse(name: &str, bytes: &[u8], warnings: &mut Vec<Warning>) -> Tree {
    let tree = Tree::parse(bytes);
    if let Some(damage) = &tree.damage {
        let message = format!("'{name}' in the archive: {damage}; read as far as it goes");
        warnings.push(Warning::new(WarningKind::Damaged, message));
    }
    tree
}

/// A link from a part to another or to the outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::read) struct Relation {
    pub(in crate::read) id: String,
    /// Last part of the type, such as `styles`.
    pub(in crate::read) kind: String,
    /// Name of the part, or whatever the outside is called.
    pub(in crate::read) target: String,
    pub(in crate::read) is_external: bool,
}

/// All relationships of a part, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::read) struct Relations(Vec<Relation>);

impl Relations {
    /// The part behind an id.
    pub(in crate::read) fn part(&self, id: &str) -> Option<&str> {
        self.0.iter().find(|it| it.id == id && !it.is_external).map(|it| it.target.as_str())
    }

    /// The parts of a kind.
    pub(in crate::read) fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |it| it.kind == kind && !it.is_external).map(|it| it.target.as_str())
    }

    /// The first part of a kind.
    pub(in crate::read) fn first(&self, kind: &str) -> Option<&str> {
        self.0.iter().find(|it| it.kind == kind && !it.is_external).map(|it| it.target.as_str())
    }
}

/// The name of `target` seen from the part `from`: relative names start at its folder. Never leaves the package.
pub(in crate::read) fn resolve(from: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let base = if target.starts_with('/') { "" } else { folder };
    let mut path: Vec<&str> = Vec::new();
    for step in base.split('/').chain(target.split('/')) {
        match step {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            step => path.push(step),
        }
    }
    path.join("/")
}

/// Names compare without case (ECMA-376 part 2, 6.2.2.3), and some programs write backslashes.
fn canonical(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_lowercase()
}

/// `name` with `%20` and the like decoded, as targets in e-books are written.
fn percent_decoded(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let hex = tail.get(..2).filter(|_| first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| name.to_owned()).to_lowercase()
}

/// What kind of package `bytes` hold, judged by the names in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum PackageKind {
    /// WordprocessingML.
    Word,
    /// SpreadsheetML.
    Sheet,
    /// PresentationML.
    Slides,
    /// EPUB.
    Book,
    /// OpenDocument.
    OpenDocument(OpenDocumentKind),
}

/// Which OpenDocument application a file is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum OpenDocumentKind {
    Text,
    Sheet,
    Slides,
}

/// The kind of package that `bytes` hold; `None` for anything else, other zip files included.
pub(in crate::read) fn package_kind(bytes: &[u8]) -> Option<PackageKind> {
    if !bytes.starts_with(b"PK\x03\x04") {
        return None;
    }
    let mut package = Package::open(bytes, "zip").ok()?;
    if package.has("content.xml") && (package.has("mimetype") || package.has("META-INF/manifest.xml")) {
        let media_type = package.part("mimetype", &mut Vec::new()).ok().flatten().unwrap_or_default();
        let media_type = String::from_utf8_lossy(&media_type).into_owned();
        let kind = if media_type.contains("spreadsheet") {
            OpenDocumentKind::Sheet
        } else if media_type.contains("presentation") || media_type.contains("graphics") {
            OpenDocumentKind::Slides
        } else {
            OpenDocumentKind::Text
        };
        return Some(PackageKind::OpenDocument(kind));
    }
    let has_folder = |folder: &str| package.entries.keys().any(|name| name.starts_with(folder));
    if package.has("META-INF/container.xml") {
        Some(PackageKind::Book)
    } else if package.has("[Content_Types].xml") {
        [("word/", PackageKind::Word), ("xl/", PackageKind::Sheet), ("ppt/", PackageKind::Slides)]
            .into_iter()
            .find(|(folder, _)| has_folder(folder))
            .map(|(_, kind)| kind)
    } else {
        None
    }
}

#[cfg(test)]
pub(in crate::read) mod tests;
