//! Containers: files whose members are documents of their own.
//!
//! [`expand`] lists a container, decides by the rules of the walk which members to take ([`select`]), and hands them on one
//! by one as bytes: an archive behaves as a folder does. Nothing is written to disk, links are not followed, archives
//! in archives are not opened, and limits on the number of members and on what they unpack to keep small files from
//! becoming large ones. A single file that is compressed is an archive of one member. What the bytes mean is not known here.
//!
//! A format is a [`Format`]: a list of entries, and a way to go through the wanted ones.
//!
//! No worker process: zip and tar promise bounded memory where the bytes that their headers are made of are bounded, which
//! [`Meter`](meter::Meter) does, and neither has unsafe code on this way. A panic is caught by the caller.

mod entities;
mod error;
mod gzip;
mod ignores;
mod meter;
mod select;
mod tar;
mod zip;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub use error::ContainerError;
pub use gzip::only_member;

use crate::content::{ContainerKind, member_uri};
use crate::source::{SkipReason, WalkOptions};

/// Members of a container. Linux's sources, the largest tree of texts that people keep in one archive, are 90,000.
const MAX_MEMBERS: usize = 100_000;

/// Bytes that all members unpack to; what is more than that should be unpacked by its owner.
const MAX_UNPACKED_BYTES: u64 = 8 << 30;

/// How many times its own size a container may unpack to, over [`RATIO_FLOOR_BYTES`]. Deflate reaches 1,032; logs and
/// tables were seen at 60.
const MAX_RATIO: u64 = 250;

/// Small containers may repeat themselves as much as they like.
const RATIO_FLOOR_BYTES: u64 = 64 << 20;

/// A container and where to find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Its URI, before which those of the members stand.
    pub uri: String,
    /// What it is.
    pub kind: ContainerKind,
    /// Its bytes.
    pub content: Content,
    /// Where globs start: the folder that was walked, or the container itself where it was named.
    pub root: PathBuf,
    /// Where it lies, as ignore files see it.
    pub path: PathBuf,
    /// How many folders deep below `root`; 0 for one that was named.
    pub depth: usize,
}

/// Where the bytes of a container are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// In the file at [`Container::path`].
    File,
    /// Here.
    Bytes(Vec<u8>),
}

/// Reads from anywhere, back and forth.
trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

impl Container {
    /// One that was handed over, as on standard input.
    pub fn of_bytes(uri: String, kind: ContainerKind, bytes: Vec<u8>) -> Self {
        let path = PathBuf::from(&uri);
        Self { uri, kind, content: Content::Bytes(bytes), root: path.clone(), path, depth: 0 }
    }

    /// A file of its own, such as one that was named.
    pub fn of_file(uri: String, kind: ContainerKind, path: &Path) -> Self {
        Self { uri, kind, content: Content::File, root: path.to_owned(), path: path.to_owned(), depth: 0 }
    }

    fn open(&self) -> io::Result<(Box<dyn ReadSeek + '_>, u64)> {
        Ok(match &self.content {
            Content::File => {
                let file = File::open(&self.path)?;
                let n_bytes = file.metadata()?.len();
                (Box::new(BufReader::new(file)), n_bytes)
            }
            Content::Bytes(bytes) => (Box::new(Cursor::new(bytes.as_slice())), bytes.len() as u64),
        })
    }
}

/// What comes out of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// So many members are about to follow, with so many bytes.
    Listed {
        /// Number of members that are taken.
        n_members: usize,
        /// Sum of their sizes, bytes.
        n_bytes: u64,
    },
    /// A member that is wanted.
    Member {
        /// Its URI.
        uri: String,
        /// All of it.
        bytes: Vec<u8>,
    },
    /// A member that is taken, but not wanted just now.
    Unwanted {
        /// Its URI.
        uri: String,
    },
    /// A member that cannot be read, or the container itself.
    Failed {
        /// Its URI.
        uri: String,
        /// Why.
        error: ContainerError,
    },
}

/// What is known of a container behind its members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// The URIs of all members that exist, taken or not; `None` where the list is not whole, so that nothing can be said of
    /// those that are missing.
    pub members: Option<BTreeSet<String>>,
    /// What was left out, by reason.
    pub skipped: BTreeMap<SkipReason, usize>,
    /// Members left out that a user may want to know by name: URI and reason.
    pub notable: Vec<(String, SkipReason)>,
}

/// One entry of a container, as the format gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// Its path inside, not cleaned.
    name: String,
    kind: EntryKind,
    /// Unpacked size as declared.
    n_bytes: u64,
    /// The text of an ignore file.
    ignore_text: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryKind {
    File,
    Folder,
    Link,
    Special,
}

/// All entries in the order of the container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Listing {
    entries: Vec<Entry>,
    /// What is wrong behind the last entry.
    damage: Option<ContainerError>,
}

/// Hears of unpacked members; says whether to go on.
type Emit<'a> = &'a mut dyn FnMut(usize, Result<Vec<u8>, ContainerError>) -> ControlFlow<()>;

/// A format of containers.
trait Format {
    /// Lists all entries.
    fn list(&mut self) -> Result<Listing, ContainerError>;

    /// Goes once through the entries and unpacks those at `wanted` (positions in the listing, rising), each at most
    /// `max_bytes`.
    fn unpack(&mut self, wanted: &[usize], max_bytes: u64, emit: Emit<'_>) -> Result<(), ContainerError>;
}

/// How to read containers.
#[derive(Clone, Copy, Debug)]
pub struct ExpandOptions<'a> {
    /// The rules of the walk, which hold for members too.
    pub walk: &'a WalkOptions,
    /// Opens encrypted members.
    pub password: Option<&'a str>,
}

/// Hands the members of `container` to `emit`, in the order of the container, until `emit` breaks off. Members that
/// `is_wanted` says no to are named without being unpacked.
pub fn expand(
    container: &Container,
    options: &ExpandOptions<'_>,
    is_wanted: &dyn Fn(&str) -> bool,
    emit: &mut dyn FnMut(Found) -> ControlFlow<()>,
) -> Expanded {
    let mut expanded = Expanded::default();
    if let Err(error) = expand_into(container, options, is_wanted, emit, &mut expanded) {
        expanded.members = None;
        let _ = emit(Found::Failed { uri: container.uri.clone(), error });
    }
    expanded
}

fn expand_into(
    container: &Container,
    options: &ExpandOptions<'_>,
    is_wanted: &dyn Fn(&str) -> bool,
    emit: &mut dyn FnMut(Found) -> ControlFlow<()>,
    expanded: &mut Expanded,
) -> Result<(), ContainerError> {
    let io = |error: io::Error| ContainerError::Io(error.to_string());
    let (_, n_packed) = container.open().map_err(io)?;
    let most = MAX_UNPACKED_BYTES.min(RATIO_FLOOR_BYTES.saturating_add(n_packed.saturating_mul(MAX_RATIO)));
    let mut format: Box<dyn Format + '_> = match container.kind {
        ContainerKind::Zip => Box::new(zip::Zip::new(container, options.password)),
        ContainerKind::Tar => Box::new(tar::Tar::new(container, most)),
        ContainerKind::Gzip => Box::new(gzip::Gzip::new(container, options.walk.max_bytes)),
        ContainerKind::Entities => return expand_entities(container, options, is_wanted, emit, expanded),
    };
    let listing = format.list()?;
    let selected = select::select(&listing.entries, container, options.walk);
    expanded.skipped = selected.skipped;
    let uri_of = |name: &str| member_uri(&container.uri, container.kind, name);
    expanded.notable.extend(selected.notable.iter().map(|(name, reason)| (uri_of(name), *reason)));
    expanded.members =
        listing.damage.is_none().then(|| selected.present.iter().map(|name| uri_of(name)).collect());
    let n_bytes = selected.taken.iter().map(|it| it.n_bytes).fold(0, u64::saturating_add);
    if n_bytes > most {
        return Err(too_much(most));
    }
    if emit(Found::Listed { n_members: selected.taken.len(), n_bytes }).is_break() {
        return Ok(());
    }
    let mut wanted = Vec::new();
    let mut uris = BTreeMap::new();
    for it in selected.taken {
        let uri = uri_of(&it.name);
        // What entities there are is known only behind the file's bytes.
        if is_entity_file(&it.name) || is_wanted(&uri) {
            wanted.push(it.position);
            uris.insert(it.position, uri);
        } else if emit(Found::Unwanted { uri }).is_break() {
            return Ok(());
        }
    }
    if !wanted.is_empty() {
        let mut left = most;
        let mut is_over = false;
        format.unpack(&wanted, options.walk.max_bytes, &mut |position, unpacked| {
            let Some(uri) = uris.remove(&position) else { return ControlFlow::Continue(()) };
            let bytes = match unpacked {
                Ok(bytes) => bytes,
                Err(error) => return emit(Found::Failed { uri, error }),
            };
            is_over = bytes.len() as u64 > left;
            left = left.saturating_sub(bytes.len() as u64);
            if is_over {
                return ControlFlow::Break(());
            }
            if !is_entity_file(&uri) {
                return emit(Found::Member { uri, bytes });
            }
            let mut flow = ControlFlow::Continue(());
            let found = entities::expand(&uri, &bytes, is_wanted, &mut |found| {
                flow = emit(found);
                flow
            });
            match (found, &mut expanded.members) {
                (Ok(Some(inside)), Some(members)) => {
                    members.remove(&uri);
                    members.extend(inside);
                }
                (Ok(_), _) => expanded.members = None,
                (Err(error), _) => {
                    expanded.members = None;
                    flow = emit(Found::Failed { uri, error });
                }
            }
            flow
        })?;
        if is_over {
            return Err(too_much(most));
        }
    }
    listing.damage.map_or(Ok(()), Err)
}

/// A file of entities is read whole, as any file is.
fn expand_entities(
    container: &Container,
    options: &ExpandOptions<'_>,
    is_wanted: &dyn Fn(&str) -> bool,
    emit: &mut dyn FnMut(Found) -> ControlFlow<()>,
    expanded: &mut Expanded,
) -> Result<(), ContainerError> {
    let io = |error: io::Error| ContainerError::Io(error.to_string());
    let max_bytes = options.walk.max_bytes;
    let (reader, _) = container.open().map_err(io)?;
    let mut bytes = Vec::new();
    reader.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > max_bytes {
        return Err(ContainerError::Limit { detail: format!("larger than {max_bytes} bytes") });
    }
    expanded.members = entities::expand(&container.uri, &bytes, is_wanted, emit)?;
    Ok(())
}

fn is_entity_file(name: &str) -> bool {
    ContainerKind::of_name(name) == Some(ContainerKind::Entities)
}

fn too_much(most: u64) -> ContainerError {
    let detail = format!("the members take more than {} MB unpacked", most >> 20);
    ContainerError::Limit { detail }
}

fn too_many() -> ContainerError {
    ContainerError::Limit { detail: format!("more than {MAX_MEMBERS} members") }
}

/// The bytes of one member, by its URI; `None` where there is no such archive or member.
///
/// # Errors
///
/// When the archive or the member cannot be read.
pub fn fetch_member(
    archive: &Path,
    uri: &str,
    max_bytes: u64,
    password: Option<&str>,
) -> Result<Option<Vec<u8>>, ContainerError> {
    let Some((container_uri, _)) = crate::content::split_member(uri) else { return Ok(None) };
    let Some(kind) = ContainerKind::of_name(container_uri) else { return Ok(None) };
    let container = Container::of_file(container_uri.to_owned(), kind, archive);
    let walk = WalkOptions { hidden: true, ignore_files: false, max_bytes, ..WalkOptions::default() };
    let mut result = Ok(None);
    let is_it = |it: &str| it == uri;
    let expanded =
        expand(&container, &ExpandOptions { walk: &walk, password }, &is_it, &mut |found| match found {
            Found::Member { bytes, .. } => {
                result = Ok(Some(bytes));
                ControlFlow::Break(())
            }
            Found::Failed { error, .. } => {
                result = Err(error);
                ControlFlow::Break(())
            }
            Found::Listed { .. } | Found::Unwanted { .. } => ControlFlow::Continue(()),
        });
    match expanded.notable.iter().find(|(it, _)| it == uri) {
        Some((_, SkipReason::TooLarge)) => {
            Err(ContainerError::Limit { detail: format!("larger than {max_bytes} bytes") })
        }
        Some((_, SkipReason::Nested)) => {
            Err(ContainerError::Unsupported { detail: "archives in archives are not opened".to_owned() })
        }
        _ => result,
    }
}

#[cfg(test)]
mod tests;
