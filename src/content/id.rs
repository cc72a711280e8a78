//! Ids: short, stable, derived from content and place.
//!
//! An id is 60 bits of a BLAKE3 hash behind a letter that names the kind (`d`ocument, `s`ection, `c`hunk), 16
//! characters in all. Among a million chunks the chance that any two share an id is about 4e-7.

use std::fmt;
use std::str::FromStr;

/// Hashes length-prefixed parts under a domain, so that `("ab", "c")` and `("a", "bc")` differ.
fn hash60(domain: &str, parts: &[&[u8]]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for part in std::iter::once(&domain.as_bytes()).chain(parts) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let hash = hasher.finalize();
    let bytes: [u8; 8] = hash.as_bytes()[..8].try_into().expect("a BLAKE3 hash has 32 bytes");
    u64::from_be_bytes(bytes) >> 4
}

/// Text that is not an id of the wanted kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a {kind} id: '{text}'")]
pub struct IdParseError {
    kind: &'static str,
    text: String,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $letter:literal, $kind:literal) => {
        $(#[$doc])*
        ///
        /// # Stability: stored in format 1 and printed in JSON.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{:015x}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = IdParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.strip_prefix($letter)
                    .filter(|hex| hex.len() == 15 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')))
                    .and_then(|hex| u64::from_str_radix(hex, 16).ok())
                    .map(Self)
                    .ok_or_else(|| IdParseError { kind: $kind, text: text.to_owned() })
            }
        }
    };
}

id!(
    /// Names a document: a hash of its URI, so that it survives every edit.
    DocumentId, "d", "document"
);
id!(
    /// Names a section: a hash of its document, its path of titles, its own text, and its rank among twins.
    SectionId, "s", "section"
);
id!(
    /// Names a chunk: a hash of its document, its section's path of titles, its urtext, and its rank among twins.
    ChunkId, "c", "chunk"
);

impl DocumentId {
    /// The id of the document at `uri`.
    pub fn of_uri(uri: &str) -> Self {
        Self(hash60("document", &[uri.as_bytes()]))
    }
}

/// The parts that sections and chunks are named by: a document, a path of titles, a text.
fn place<'a>(document: &'a [u8; 8], path: &[&'a str], text: &'a str, twin: &'a [u8; 8]) -> Vec<&'a [u8]> {
    let mut parts: Vec<&[u8]> = vec![document];
    parts.extend(path.iter().map(|title| title.as_bytes()));
    parts.push(text.as_bytes());
    parts.push(twin);
    parts
}

impl SectionId {
    /// The id of the `twin`-th (from 0) section of `document` with this path and own text.
    pub fn of_place(document: DocumentId, path: &[&str], own_text: &str, twin: usize) -> Self {
        let (document, twin) = (document.0.to_be_bytes(), (twin as u64).to_be_bytes());
        Self(hash60("section", &place(&document, path, own_text, &twin)))
    }
}

impl ChunkId {
    /// The id of the `twin`-th (from 0) chunk of `document` with this section path and urtext.
    pub fn of_place(document: DocumentId, path: &[&str], urtext: &str, twin: usize) -> Self {
        let (document, twin) = (document.0.to_be_bytes(), (twin as u64).to_be_bytes());
        Self(hash60("chunk", &place(&document, path, urtext, &twin)))
    }
}

/// The BLAKE3 hash of a file's bytes: what decides whether it changed.
///
/// # Stability: stored in format 1 as 64 hexadecimal characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Hashes `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The hash with this text form; `None` when `hex` is not one.
    pub fn from_hex(hex: &str) -> Option<Self> {
        blake3::Hash::from_hex(hex).ok().map(|hash| Self(*hash.as_bytes()))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip_through_their_text() {
        let id = DocumentId::of_uri("docs/a.md");
        assert_eq!(id.to_string().len(), 16);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert!("c000".parse::<ChunkId>().is_err());
        assert!("d00000000000000g".parse::<DocumentId>().is_err());
        assert!(id.to_string().parse::<ChunkId>().is_err());
    }

    #[test]
    fn place_ids_differ_by_every_part() {
        let (a, b) = (DocumentId::of_uri("a"), DocumentId::of_uri("b"));
        let base = ChunkId::of_place(a, &["x", "y"], "text", 0);
        for other in [
            ChunkId::of_place(b, &["x", "y"], "text", 0),
            ChunkId::of_place(a, &["xy"], "text", 0),
            ChunkId::of_place(a, &["x"], "ytext", 0),
            ChunkId::of_place(a, &["x", "y"], "text", 1),
        ] {
            assert_ne!(base, other);
        }
    }
}
