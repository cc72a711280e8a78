//! URIs: the names of documents.
//!
//! A file inside the folder that holds the index is named by its path relative to that folder, with forward slashes, so
//! that an index moves with its folder. A file outside has an absolute `file:` URI (RFC 8089).

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use crate::content::{
    ContainerKind, escape_marks, has_scheme, member_uri, percent_decode, percent_encode, split_member,
    stands_for_mark,
};

/// Names files relative to one folder.
#[derive(Clone, Debug)]
pub struct UriBase {
    root: PathBuf,
}

impl UriBase {
    /// Names files relative to `root`, the folder that holds the index.
    pub fn new(root: &Path) -> Self {
        Self { root: canonical(root) }
    }

    /// The URI of the file or folder at `path`; the root itself is the empty string. `a.zip!/b.md`, where there is no such
    /// folder, is the member of that file.
    pub fn uri_of(&self, path: &Path) -> String {
        if let Some((container, kind, member)) = path.to_str().and_then(member_of)
            && !path.exists()
            && !Path::new(&format!("{container}!")).is_dir()
        {
            return member_uri(&self.uri_of(Path::new(container)), kind, member);
        }
        // The parent is resolved, the file itself is not: a link has a name of its own.
        let absolute = match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => {
                canonical(if parent.as_os_str().is_empty() { Path::new(".") } else { parent }).join(name)
            }
            _ => canonical(path),
        };
        match absolute.strip_prefix(&self.root) {
            Ok(relative) => slashed(relative),
            Err(_) => file_uri(&absolute),
        }
    }
}

/// The path behind a URI made by [`UriBase`] with this root; `None` for other schemes, and for members of a file.
pub fn location_of_uri(root: &Path, uri: &str) -> Option<PathBuf> {
    if split_member(uri).is_some() {
        return None;
    }
    if let Some(rest) = uri.strip_prefix("file://") {
        return Some(path_from_bytes(percent_decode(rest)));
    }
    (!has_scheme(uri)).then(|| root.join(path_from_bytes(decode_invalid(uri))))
}

/// The absolute path without links and dots; where the file does not exist, without dots only.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let mut clean = PathBuf::new();
        for component in absolute.components() {
            match component {
                Component::ParentDir => {
                    clean.pop();
                }
                Component::CurDir => {}
                other => clean.push(other),
            }
        }
        clean
    })
}

fn member_of(path: &str) -> Option<(&str, ContainerKind, &str)> {
    let (container, member) = split_member(path)?;
    Some((container, ContainerKind::of_name(container)?, member))
}

fn slashed(relative: &Path) -> String {
    let parts: Vec<Cow<'_, str>> =
        relative.components().map(|part| encode_invalid(part.as_os_str())).collect();
    escape_marks(&parts.join("/")).into_owned()
}

fn file_uri(absolute: &Path) -> String {
    let bytes = os_bytes(absolute.as_os_str());
    let path = match cfg!(windows) {
        true => {
            percent_encode(&bytes.iter().map(|&it| if it == b'\\' { b'/' } else { it }).collect::<Vec<_>>())
        }
        false => percent_encode(&bytes),
    };
    escape_marks(&format!("file://{path}")).into_owned()
}

#[cfg(unix)]
fn os_bytes(name: &std::ffi::OsStr) -> Cow<'_, [u8]> {
    use std::os::unix::ffi::OsStrExt as _;
    Cow::Borrowed(name.as_bytes())
}

#[cfg(not(unix))]
fn os_bytes(name: &std::ffi::OsStr) -> Cow<'_, [u8]> {
    Cow::Owned(name.to_string_lossy().into_owned().into_bytes())
}

#[cfg(unix)]
fn path_from_bytes(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

#[cfg(not(unix))]
fn path_from_bytes(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

/// Private-use characters stand for the bytes of a name that are not UTF-8 (U+F700 plus the byte), and for the bytes of
/// such a character itself where a name has one, so that all names stay apart from each other and can be turned back.
const INVALID_BASE: u32 = 0xF700;

fn encode_invalid(name: &std::ffi::OsStr) -> Cow<'_, str> {
    match name.to_str().filter(|text| !text.contains(stands_in)) {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(text_of_bytes(&os_bytes(name))),
    }
}

/// Whether a name cannot have this character as it is.
fn stands_in(c: char) -> bool {
    stands_for_mark(c) || matches!(u32::from(c).checked_sub(INVALID_BASE), Some(0x80..=0xFF))
}

/// A name of any bytes as text, different for different bytes; UTF-8 is left as it is.
pub(super) fn text_of_bytes(name: &[u8]) -> String {
    let mut text = String::new();
    let escape = |text: &mut String, bytes: &[u8]| {
        text.extend(bytes.iter().filter_map(|&byte| char::from_u32(INVALID_BASE + u32::from(byte))));
    };
    for chunk in name.utf8_chunks() {
        for character in chunk.valid().chars() {
            if stands_in(character) {
                escape(&mut text, character.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                text.push(character);
            }
        }
        escape(&mut text, chunk.invalid());
    }
    text
}

fn decode_invalid(uri: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(uri.len());
    for character in uri.chars() {
        match u32::from(character).checked_sub(INVALID_BASE) {
            Some(byte @ (0x21 | 0x23 | 0x80..=0xFF)) => bytes.push(byte as u8),
            _ => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_under_the_root_are_relative_and_others_are_file_uris() {
        let root = tempfile::tempdir().unwrap();
        let base = UriBase::new(root.path());
        std::fs::create_dir_all(root.path().join("docs/sub dir")).unwrap();
        assert_eq!(base.uri_of(&root.path().join("docs/sub dir/é%.md")), "docs/sub dir/é%.md");
        assert_eq!(base.uri_of(&root.path().join("docs/../docs/a.md")), "docs/a.md");
        assert_eq!(base.uri_of(root.path()), "");
        assert_eq!(base.uri_of(Path::new("/no such/a%b.md")), "file:///no%20such/a%25b.md");
        // What would look like a member of an archive.
        std::fs::create_dir_all(root.path().join("a.zip!")).unwrap();
        assert_eq!(base.uri_of(&root.path().join("a.zip!/b.md")), "a.zip\u{f721}/b.md");
        // A member of a file.
        assert_eq!(base.uri_of(&root.path().join("docs/b.zip!/c d.md")), "docs/b.zip!/c d.md");
        assert_eq!(base.uri_of(Path::new("/no such/a.zip!/b c.md")), "file:///no%20such/a.zip!/b%20c.md");
    }

    #[test]
    fn uris_turn_back_into_paths() {
        let root = Path::new("/kb");
        let check = |uri: &str, expected: Option<&str>| {
            assert_eq!(location_of_uri(root, uri), expected.map(PathBuf::from), "{uri}");
        };
        check("docs/a b.md", Some("/kb/docs/a b.md"));
        check("file:///no%20such/a%25b.md", Some("/no such/a%b.md"));
        check("https://example.org/x", None);
        check("docs/a.zip!/b.md", None);
        check("a:b.md", Some("/kb/a:b.md"));
        check("a.zip\u{f721}/b.md", Some("/kb/a.zip!/b.md"));
        check("file:///a.zip%21/b.md", Some("/a.zip!/b.md"));
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf8_stay_apart_and_turn_back() {
        use std::os::unix::ffi::OsStrExt as _;
        let names: [&[u8]; 4] =
            [b"a\xff.md", b"a\xfe.md", "a\u{f7ff}.md".as_bytes(), "a\u{e000}.md".as_bytes()];
        let names = names.map(std::ffi::OsStr::from_bytes);
        let uris = names.map(|name| encode_invalid(name).into_owned());
        assert_eq!(uris.iter().collect::<std::collections::BTreeSet<_>>().len(), names.len());
        for (name, uri) in names.iter().zip(&uris) {
            assert_eq!(decode_invalid(uri), name.as_bytes());
        }
    }
}
