//! Names of members: documents that are part of a file.
//!
//! A named entity is named `people.entities.jsonl#ada`: the URI of its file, `#`, and its id. A file in an archive is named
//! `docs/a.zip!/guide/intro.md`: the URI of the archive, `!/`, and the path inside. What a file of the disk is called never
//! looks like that (see [`escape_marks`]), so that a URI says by itself whether it is a member's, and of which file.

use std::borrow::Cow;

/// Files with members, known by their names alone: a URI has to tell without looking at the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContainerKind {
    /// A zip archive.
    Zip,
    /// A tar archive, compressed with gzip or not at all.
    Tar,
    /// A single file compressed with gzip, which is its only member.
    Gzip,
    /// Named entities, one JSON object a line or an array of them.
    Entities,
}

/// Ends of names in lower case, and what stands between such a name and a member's. The longer one
/// stands first where an end is the end of another one.
const ENDS: [(&str, &str, ContainerKind); 7] = [
    (".zip", "!/", ContainerKind::Zip),
    (".tar", "!/", ContainerKind::Tar),
    (".tar.gz", "!/", ContainerKind::Tar),
    (".tgz", "!/", ContainerKind::Tar),
    (".gz", "!/", ContainerKind::Gzip),
    (".entities.jsonl", "#", ContainerKind::Entities),
    (".entities.json", "#", ContainerKind::Entities),
];

/// Private-use characters that stand for the marks `!` and `#` in the name of a file that would look like a member. One
/// block with those for bytes that are not UTF-8: U+F700 plus the byte.
const ESCAPES: [(char, char, &str); 2] = [('!', '\u{F721}', "%21"), ('#', '\u{F723}', "%23")];

impl ContainerKind {
    /// What a file with this name or URI is, if it has members; upper and lower case are the same.
    pub fn of_name(name: &str) -> Option<Self> {
        ENDS.iter().find(|(end, ..)| ends_with(name, end)).map(|&(.., kind)| kind)
    }

    /// Whether the members are files, so that the container behaves as a folder does.
    pub fn is_archive(self) -> bool {
        match self {
            Self::Zip | Self::Tar | Self::Gzip => true,
            Self::Entities => false,
        }
    }

    fn mark(self) -> &'static str {
        ENDS.iter().find(|it| it.2 == self).map_or("!/", |it| it.1)
    }
}

fn ends_with(name: &str, end: &str) -> bool {
    name.len() >= end.len() && name.as_bytes()[name.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
}

/// The URI of a member; `member` is its path inside, with forward slashes and without marks of its own
/// ([`escape_marks`]).
///
/// ```
/// use ragctl::content::{ContainerKind, member_uri, split_member};
///
/// let uri = member_uri("docs/a.zip", ContainerKind::Zip, "guide/intro.md");
/// assert_eq!(uri, "docs/a.zip!/guide/intro.md");
/// assert_eq!(split_member(&uri), Some(("docs/a.zip", "guide/intro.md")));
/// assert_eq!(split_member("docs/a.zip"), None);
/// ```
pub fn member_uri(container: &str, kind: ContainerKind, member: &str) -> String {
    let mark = kind.mark();
    match has_scheme(container) {
        true => format!("{container}{mark}{}", percent_encode(member.as_bytes())),
        false => format!("{container}{mark}{member}"),
    }
}

/// The URI of the container and the member's path inside, as the URI has it; `None` for what is not a member.
pub fn split_member(uri: &str) -> Option<(&str, &str)> {
    let (end, len) = first_mark(uri)?;
    Some((&uri[..end], &uri[end + len..]))
}

/// Whether a URI is a named entity's, also of one in an archive.
pub fn is_entity_uri(uri: &str) -> bool {
    split_member(uri).is_some_and(|(container, member)| {
        ContainerKind::of_name(container) == Some(ContainerKind::Entities) || is_entity_uri(member)
    })
}

/// Where the name of the first container in `uri` ends, and how long the mark behind it is.
fn first_mark(uri: &str) -> Option<(usize, usize)> {
    let bytes = uri.as_bytes();
    let marks = bytes.iter().enumerate().filter(|(_, byte)| matches!(byte, b'!' | b'#'));
    marks
        .filter_map(|(at, _)| {
            let is_here = |(end, mark, _): &(&str, &str, ContainerKind)| {
                bytes[at..].starts_with(mark.as_bytes()) && ends_with(&uri[..at], end)
            };
            ENDS.iter().find(|it| is_here(it)).map(|it| (at, it.1.len()))
        })
        .next()
}

/// A path or a `file:` URI of the disk, or a path inside a container, in which nothing looks like a member: a folder that is
/// really called `a.zip!` gets a private-use character for its mark (`%21` in a URI with a scheme).
pub fn escape_marks(name: &str) -> Cow<'_, str> {
    let Some((mut at, _)) = first_mark(name) else { return Cow::Borrowed(name) };
    let has_scheme = has_scheme(name);
    let mut name = name.to_owned();
    loop {
        let mark = name[at..].chars().next();
        let Some((_, stand_in, percent)) = ESCAPES.iter().find(|it| Some(it.0) == mark) else { break };
        let stand_in = if has_scheme { (*percent).to_owned() } else { stand_in.to_string() };
        name.replace_range(at..=at, &stand_in);
        match first_mark(&name) {
            Some((next, _)) => at = next,
            None => break,
        }
    }
    Cow::Owned(name)
}

/// Whether `c` is a stand-in of [`escape_marks`].
pub fn stands_for_mark(c: char) -> bool {
    ESCAPES.iter().any(|it| it.1 == c)
}

/// Whether a URI starts with a scheme, as `file:` and `https:` URIs do and relative paths do not.
pub fn has_scheme(uri: &str) -> bool {
    uri.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.len() > 1 && rest.starts_with("//") && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Bytes as they stand in the path of a URI (RFC 8089).
pub fn percent_encode(bytes: &[u8]) -> String {
    let mut encoded = String::with_capacity(bytes.len());
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// The bytes that [`percent_encode`] made `text` of.
pub fn percent_decode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match (bytes[at], hex.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            (b'%', Some(byte)) => {
                decoded.push(byte);
                at += 3;
            }
            (byte, _) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_members_are_known_by_their_ends() {
        let check =
            |name: &str, expected: Option<ContainerKind>| assert_eq!(ContainerKind::of_name(name), expected);
        check("a.ZIP", Some(ContainerKind::Zip));
        check("a.tar.gz", Some(ContainerKind::Tar));
        check("a.md.gz", Some(ContainerKind::Gzip));
        check("people.entities.jsonl.gz", Some(ContainerKind::Gzip));
        check("gz", None);
    }

    #[test]
    fn members_are_told_from_files() {
        let check =
            |uri: &str, expected: Option<(&str, &str)>| assert_eq!(split_member(uri), expected, "{uri}");
        check("docs/a.zip!/b/c.md", Some(("docs/a.zip", "b/c.md")));
        check("A.TGZ!/b.md", Some(("A.TGZ", "b.md")));
        check("a.tar.gz!/b.zip!/c.md", Some(("a.tar.gz", "b.zip!/c.md")));
        check("a/notes.md.gz!/notes.md", Some(("a/notes.md.gz", "notes.md")));
        check("file:///x/a.tar!/b%20c.md", Some(("file:///x/a.tar", "b%20c.md")));
        check("docs/a.zip/b.md", None);
        check("Wow!/a.md", None);
        check("a.zip!", None);
        check("a.zip#b", None);
        check("x/p.entities.jsonl#a.zip!/b", Some(("x/p.entities.jsonl", "a.zip!/b")));
        check("x/p.entities.jsonl", None);
        assert!(is_entity_uri("a.zip!/b/p.Entities.json#ada") && !is_entity_uri("a.zip!/p.json#ada"));
        check("ä!/é.zip", None);
    }

    #[test]
    fn names_that_look_like_members_are_escaped_and_others_are_left_alone() {
        let check = |name: &str, expected: &str| {
            assert_eq!(escape_marks(name), expected);
            assert_eq!(split_member(&escape_marks(name)), None);
        };
        check("Wow!/a.md", "Wow!/a.md");
        check("x/a.zip!/b.TAR!/c", "x/a.zip\u{F721}/b.TAR\u{F721}/c");
        check("file:///a.zip!/b.md", "file:///a.zip%21/b.md");
        check("p.entities.jsonl#ada", "p.entities.jsonl\u{F723}ada");
    }

    #[test]
    fn members_of_files_outside_are_encoded_as_their_archives_are() {
        let uri = member_uri("file:///x/a%20b.zip", ContainerKind::Zip, "ö ü.md");
        assert_eq!(uri, "file:///x/a%20b.zip!/%C3%B6%20%C3%BC.md");
        assert_eq!(percent_decode(split_member(&uri).unwrap().1), "ö ü.md".as_bytes());
    }
}
