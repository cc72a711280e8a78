//! Counting characters by byte position without scanning the text again and again.

use crate::content::Span;

/// Bytes between two stored counts. Chosen: a lookup counts at most this many bytes, which takes a few nanoseconds,
/// and the table needs one sixteenth of the text's size.
const STEP: usize = 128;

/// Maps byte positions of a text to character counts and back, in constant and logarithmic time.
#[derive(Debug)]
pub(super) struct CharIndex {
    len: usize,
    /// `counts[i]` = number of characters that start before byte `i * STEP`; empty for ASCII, where bytes are
    /// characters.
    counts: Vec<usize>,
}

impl CharIndex {
    /// Indexes `text` in one pass.
    pub(super) fn new(text: &str) -> Self {
        if text.is_ascii() {
            return Self { len: text.len(), counts: Vec::new() };
        }
        let mut total = 0;
        let counts = text
            .as_bytes()
            .chunks(STEP)
            .map(|bytes| {
                let before = total;
                total += count_starts(bytes);
                before
            })
            .collect();
        Self { len: text.len(), counts }
    }

    /// Number of characters that start before byte `at`.
    pub(super) fn rank(&self, text: &str, at: usize) -> usize {
        let block = at / STEP;
        match self.counts.get(block) {
            Some(&before) => before + count_starts(&text.as_bytes()[block * STEP..at]),
            None if self.counts.is_empty() => at,
            // Only the end of a text whose length is a multiple of the step.
            None => self.counts[block - 1] + count_starts(&text.as_bytes()[(block - 1) * STEP..at]),
        }
    }

    /// Number of characters in `span`.
    pub(super) fn count(&self, text: &str, span: Span) -> usize {
        self.rank(text, span.end) - self.rank(text, span.start)
    }

    /// Byte where the character after `rank` others starts; the text's length when there are fewer.
    pub(super) fn byte_at(&self, text: &str, rank: usize) -> usize {
        if self.counts.is_empty() {
            return rank.min(self.len);
        }
        let block = self.counts.partition_point(|&before| before <= rank).saturating_sub(1);
        let wanted = rank - self.counts[block];
        let from = block * STEP;
        let starts = text.as_bytes()[from..].iter().enumerate().filter(|&(_, &byte)| is_start(byte));
        starts.map(|(at, _)| from + at).nth(wanted).unwrap_or(self.len)
    }
}

/// Whether `byte` is the first of a character in UTF-8.
fn is_start(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

fn count_starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| is_start(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) {
        let index = CharIndex::new(text);
        for (rank, (at, _)) in text.char_indices().enumerate() {
            assert_eq!(index.rank(text, at), rank, "{text:?} at {at}");
            assert_eq!(index.byte_at(text, rank), at, "{text:?} rank {rank}");
        }
        let n_chars = text.chars().count();
        assert_eq!(index.rank(text, text.len()), n_chars);
        assert_eq!(index.byte_at(text, n_chars), text.len());
        assert_eq!(index.byte_at(text, n_chars + 7), text.len());
    }

    #[test]
    fn ranks_and_bytes_agree_with_a_plain_count() {
        check("");
        check("ascii only");
        check(&"…".repeat(500));
        check(&"aé漢😀".repeat(128));
        check(&"é".repeat(STEP / 2));
    }
}
