//! The limits that chunks keep.

/// Limits of a chunker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkConfig {
    /// Most characters (Unicode scalar values) in a chunk's urtext.
    pub max_chars: usize,
    /// Most characters that a piece of a split section repeats of the piece before; less than `max_chars`, and never
    /// more than three quarters of it in effect.
    pub overlap_chars: usize,
    /// Neighbouring sections with fewer characters become one chunk of their parent, and the last piece of a split
    /// section has at least so many new ones, wherever that is possible; 0 leaves all as they are.
    pub min_chars: usize,
}

impl ChunkConfig {
    /// Makes limits that a chunker can keep, without a lower one.
    ///
    /// # Errors
    ///
    /// [`ChunkConfigError::NoRoom`] when `max_chars` is 0, [`ChunkConfigError::Overlap`] when the overlap is not less
    /// than the limit.
    pub fn new(max_chars: usize, overlap_chars: usize) -> Result<Self, ChunkConfigError> {
        if max_chars == 0 {
            return Err(ChunkConfigError::NoRoom);
        }
        if overlap_chars >= max_chars {
            return Err(ChunkConfigError::Overlap { max_chars, overlap_chars });
        }
        Ok(Self { max_chars, overlap_chars, min_chars: 0 })
    }

    /// The same with a lower limit.
    ///
    /// # Errors
    ///
    /// [`ChunkConfigError::Min`] when it is more than the upper one.
    pub fn with_min(self, min_chars: usize) -> Result<Self, ChunkConfigError> {
        match min_chars > self.max_chars {
            true => Err(ChunkConfigError::Min { max_chars: self.max_chars, min_chars }),
            false => Ok(Self { min_chars, ..self }),
        }
    }

    /// The nearest limits that can be kept.
    pub(super) fn in_range(self) -> Self {
        let max_chars = self.max_chars.max(1);
        Self {
            max_chars,
            overlap_chars: self.overlap_chars.min(max_chars - 1),
            min_chars: self.min_chars.min(max_chars),
        }
    }
}

impl Default for ChunkConfig {
    /// 1500 characters with an overlap of 200 (SPEC 2), and nothing merged.
    fn default() -> Self {
        Self { max_chars: 1500, overlap_chars: 200, min_chars: 0 }
    }
}

/// Limits that no chunker can keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChunkConfigError {
    /// The limit is 0.
    #[error("chunks need room for at least 1 character")]
    NoRoom,
    /// Every chunk would repeat the whole chunk before.
    #[error("the overlap ({overlap_chars}) must be less than the chunk size ({max_chars})")]
    Overlap {
        /// Most characters in a chunk.
        max_chars: usize,
        /// Characters to repeat.
        overlap_chars: usize,
    },
    /// The lower limit is above the upper one.
    #[error("the least chunk size ({min_chars}) must not be more than the largest ({max_chars})")]
    Min {
        /// Most characters in a chunk.
        max_chars: usize,
        /// Fewest characters in a chunk.
        min_chars: usize,
    },
}

/// What a model reads of a text at most.
#[derive(Clone, Copy)]
pub struct TokenLimit<'a> {
    /// Most tokens of a chunk's final text.
    pub max_tokens: usize,
    /// Tokens of the final text of a chunk of the section at an arena index whose text is so far this.
    pub count: &'a dyn Fn(Option<usize>, &str) -> usize,
}

impl std::fmt::Debug for TokenLimit<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TokenLimit").field("max_tokens", &self.max_tokens).finish_non_exhaustive()
    }
}
