//! Bytes in a known encoding to text, with the source byte of every character.
//!
//! Decides nothing: the caller names the encoding. Offsets count from the start of the source, so the caller says how
//! many bytes (a byte-order mark) lie before the converted ones.

use encoding_rs::{DecoderResult, Encoding, WINDOWS_1252};

/// Whether the map back to the source is wanted; it costs 16 bytes a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Points {
    Kept,
    Dropped,
}

/// Encodings with units of two or four bytes. They are decoded here because `encoding_rs` has no UTF-32, and because
/// it holds units back around lone surrogates, which would blur the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wide {
    Utf16Le,
    Utf16Be,
    Utf32Le,
    Utf32Be,
}

impl Wide {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::Utf32Le => "UTF-32LE",
            Self::Utf32Be => "UTF-32BE",
        }
    }
}

/// Text in the making.
#[derive(Debug)]
pub(super) struct Conversion {
    pub(super) text: String,
    /// `(text byte, source byte)` of every character, and of the end; empty when dropped.
    pub(super) points: Vec<(usize, usize)>,
    /// Stray bytes in UTF-8 that were read as windows-1252.
    pub(super) n_guessed: usize,
    /// Sequences that became U+FFFD.
    pub(super) n_lost: usize,
    keep: Points,
}

impl Conversion {
    fn new(n_bytes: usize, keep: Points) -> Self {
        let n_points = if keep == Points::Kept { n_bytes + 1 } else { 0 };
        Self {
            text: String::with_capacity(n_bytes + n_bytes / 8),
            points: Vec::with_capacity(n_points),
            n_guessed: 0,
            n_lost: 0,
            keep,
        }
    }

    /// Adds a character that starts at source byte `at`.
    fn push(&mut self, char: char, at: usize) {
        if self.keep == Points::Kept {
            self.points.push((self.text.len(), at));
        }
        self.text.push(char);
    }

    fn push_lost(&mut self, at: usize) {
        self.n_lost += 1;
        self.push(char::REPLACEMENT_CHARACTER, at);
    }

    fn finish(mut self, end: usize) -> Self {
        if self.keep == Points::Kept {
            self.points.push((self.text.len(), end));
            self.points.shrink_to_fit();
        }
        self
    }

    /// Converts UTF-8 with invalid bytes: a single stray byte is read as windows-1252, where such bytes come from when
    /// texts are pasted together; a sequence that is cut short is lost.
    pub(super) fn of_broken_utf8(bytes: &[u8], base: usize, keep: Points) -> Self {
        let mut conversion = Self::new(bytes.len(), keep);
        let mut at = base;
        for chunk in bytes.utf8_chunks() {
            for (offset, char) in chunk.valid().char_indices() {
                conversion.push(char, at + offset);
            }
            at += chunk.valid().len();
            match chunk.invalid() {
                [] => {}
                stray @ [_] => {
                    let (decoded, _) = WINDOWS_1252.decode_without_bom_handling(stray);
                    let char = decoded.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
                    conversion.n_guessed += 1;
                    conversion.push(char, at);
                }
                _ => conversion.push_lost(at),
            }
            at += chunk.invalid().len();
        }
        conversion.finish(at)
    }

    /// Converts UTF-16 and UTF-32; lone surrogates, values beyond Unicode and a cut last unit are lost.
    pub(super) fn of_wide(bytes: &[u8], base: usize, wide: Wide, keep: Points) -> Self {
        let mut conversion = Self::new(bytes.len() / 2, keep);
        let mut at = base;
        let n_rest = match wide {
            Wide::Utf16Le | Wide::Utf16Be => {
                let (units, rest) = bytes.as_chunks::<2>();
                let from_bytes = if wide == Wide::Utf16Le { u16::from_le_bytes } else { u16::from_be_bytes };
                for decoded in char::decode_utf16(units.iter().map(|&unit| from_bytes(unit))) {
                    match decoded {
                        Ok(char) => {
                            conversion.push(char, at);
                            at += 2 * char.len_utf16();
                        }
                        Err(_) => {
                            conversion.push_lost(at);
                            at += 2;
                        }
                    }
                }
                rest.len()
            }
            Wide::Utf32Le | Wide::Utf32Be => {
                let (units, rest) = bytes.as_chunks::<4>();
                let from_bytes = if wide == Wide::Utf32Le { u32::from_le_bytes } else { u32::from_be_bytes };
                for &unit in units {
                    match char::from_u32(from_bytes(unit)) {
                        Some(char) => conversion.push(char, at),
                        None => conversion.push_lost(at),
                    }
                    at += 4;
                }
                rest.len()
            }
        };
        if n_rest > 0 {
            conversion.push_lost(at);
        }
        conversion.finish(at + n_rest)
    }

    /// Converts any other encoding through `encoding_rs`, fed byte by byte so that it says where each character ends.
    pub(super) fn of_legacy(bytes: &[u8], base: usize, encoding: &'static Encoding, keep: Points) -> Self {
        let mut conversion = Self::new(bytes.len(), keep);
        let mut decoder = encoding.new_decoder_without_bom_handling();
        // Stateful encodings give ASCII bytes other meanings, so they go through the decoder.
        let ascii_is_itself = encoding.is_ascii_compatible();
        let mut buffer = [0_u8; 16];
        // `start` is where the character in the making starts, `at` is what was fed.
        let (mut start, mut at) = (0, 0);
        while at < bytes.len() {
            if start == at && ascii_is_itself && bytes[at].is_ascii() {
                conversion.push(char::from(bytes[at]), base + at);
                at += 1;
                start = at;
                continue;
            }
            let (result, n_read, n_written) =
                decoder.decode_to_utf8_without_replacement(&bytes[at..=at], &mut buffer, false);
            at += n_read;
            conversion.take(&buffer[..n_written], base, &mut start, at);
            match result {
                DecoderResult::Malformed(_, n_after) => {
                    conversion.push_lost(base + start);
                    start = at.saturating_sub(usize::from(n_after)).max(start);
                }
                DecoderResult::InputEmpty => {}
                // The buffer holds what any byte can give. Should that ever be untrue, a byte is lost, not the run.
                DecoderResult::OutputFull if n_read == 0 && n_written == 0 => {
                    conversion.push_lost(base + start);
                    at += 1;
                    start = at;
                }
                DecoderResult::OutputFull => {}
            }
        }
        loop {
            let (result, _, n_written) = decoder.decode_to_utf8_without_replacement(&[], &mut buffer, true);
            conversion.take(&buffer[..n_written], base, &mut start, at);
            match result {
                DecoderResult::Malformed(..) => {
                    conversion.push_lost(base + start);
                    start = at;
                }
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull if n_written == 0 => break,
                DecoderResult::OutputFull => {}
            }
        }
        conversion.finish(base + bytes.len())
    }

    /// Takes what the decoder wrote: the characters start at `start`, and the next one at `at`.
    fn take(&mut self, written: &[u8], base: usize, start: &mut usize, at: usize) {
        // encoding_rs promises valid UTF-8.
        let Ok(written) = std::str::from_utf8(written) else { return };
        for char in written.chars() {
            self.push(char, base + *start);
            *start = at;
        }
    }
}
