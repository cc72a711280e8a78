//! The list of chunkers that `--chunker NAME` knows.

use crate::chunk::{ChunkConfig, Chunker, Section, Sentence, Window};

/// Every chunker, the default first.
pub const CHUNKERS: &[&dyn Chunker] = &[&Section, &Sentence, &Window];

/// The name of the chunker that is used when none is named.
pub const DEFAULT_CHUNKER: &str = "section";

/// The chunker with this name.
///
/// # Errors
///
/// When there is none; the message lists those that exist.
pub fn chunker_named(name: &str) -> Result<&'static dyn Chunker, UnknownChunker> {
    let found = CHUNKERS.iter().copied().find(|chunker| chunker.meta().name == name);
    found.ok_or_else(|| UnknownChunker { name: name.to_owned() })
}

/// No chunker has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no chunker is called '{name}'; there are: {}", names().join(", "))]
pub struct UnknownChunker {
    /// What was asked for.
    pub name: String,
}

fn names() -> Vec<&'static str> {
    CHUNKERS.iter().map(|chunker| chunker.meta().name).collect()
}

/// The chunker and the limits that a user chose.
#[derive(Clone, Copy)]
pub struct Chunking {
    /// The chunker.
    pub chunker: &'static dyn Chunker,
    /// Its limits.
    pub config: ChunkConfig,
}

impl Chunking {
    /// Names the chunker, its version and the limits, such as `section/3 1500+200`.
    ///
    /// ```
    /// use ragctl::chunk::{ChunkConfig, Chunking, Window};
    ///
    /// let chunking = Chunking { chunker: &Window, config: ChunkConfig::new(800, 100)?.with_min(50)? };
    /// assert_eq!(chunking.fingerprint(), "window/2 800+100 min 50");
    /// # Ok::<(), ragctl::chunk::ChunkConfigError>(())
    /// ```
    ///
    /// # Stability: stored in format 1; another fingerprint means other chunks.
    pub fn fingerprint(&self) -> String {
        let (meta, config) = (self.chunker.meta(), &self.config);
        let min = if config.min_chars > 0 { format!(" min {}", config.min_chars) } else { String::new() };
        format!("{}/{} {}+{}{min}", meta.name, meta.version, config.max_chars, config.overlap_chars)
    }
}

impl Default for Chunking {
    /// The default chunker with its default limits.
    fn default() -> Self {
        Self { chunker: CHUNKERS[0], config: ChunkConfig::default() }
    }
}

impl std::fmt::Debug for Chunking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Chunking({})", self.fingerprint())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_the_default_is_first() {
        let names = names();
        assert!(names.iter().enumerate().all(|(at, name)| !names[..at].contains(name)));
        assert_eq!(names[0], DEFAULT_CHUNKER);
    }

    #[test]
    fn an_unknown_name_lists_what_exists() {
        let error = chunker_named("semantic").err().unwrap();
        assert_eq!(
            error.to_string(),
            "no chunker is called 'semantic'; there are: section, sentence, window"
        );
    }
}
