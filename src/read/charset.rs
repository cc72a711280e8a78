//! Character encodings: from bytes to text, with the way back.
//!
//! Bytes come in, with the label that the source declared if any; text goes out together with its [`Origin`] and a
//! warning for everything that was guessed or lost. The order of trust is: byte-order mark, declared label, UTF-8 where
//! the bytes are valid, then detection over the whole input (a window at the start misses the one odd byte at the end,
//! markitdown#1505). Finding a declaration inside a format (HTML's `meta`) is that format's task.

mod convert;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use crate::content::{Origin, Warning, WarningKind};

use convert::{Conversion, Points, Wide};

/// How many bytes at the start decide whether a file is text; git looks at 8,000.
const SAMPLE_BYTES: usize = 8192;

/// Decoded text and how it maps back to the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without a byte-order mark.
    pub text: String,
    /// `Verbatim` for UTF-8, `Decoded` otherwise.
    pub origin: Origin,
    /// Guessed encodings and bytes without meaning.
    pub warnings: Vec<Warning>,
}

/// Whether `bytes` look like something other than text: more than one control character in twenty bytes of the first 8 kB,
/// a stray three set aside, or a NUL there. Not the NULs of UTF-16 and UTF-32, and not a stray one in what is UTF-8 otherwise
/// (up to one in a hundred bytes), which no binary format is. Empty input is text.
pub fn is_binary(bytes: &[u8]) -> bool {
    if byte_order_mark(bytes).is_some() {
        return false;
    }
    let sample = &bytes[..bytes.len().min(SAMPLE_BYTES)];
    let n_nuls = sample.iter().filter(|&&byte| byte == 0).count();
    if n_nuls > 0 && (n_nuls * 100 > sample.len() || !is_utf8_so_far(sample)) {
        return wide_by_nul_pattern(bytes).is_none();
    }
    let n_controls = sample.iter().filter(|&&byte| is_control(byte)).count();
    n_controls.saturating_sub(3) * 20 > sample.len()
}

/// Whether `sample` is UTF-8, perhaps cut in a character at its end.
fn is_utf8_so_far(sample: &[u8]) -> bool {
    std::str::from_utf8(sample).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// Decodes `bytes`; `hint` is the label that the source declares (`charset` of a header or a `meta` element).
///
/// The points of [`Origin::Decoded`] are exact for every character, except inside a code that stands for two characters
/// (four cases of Big5) and around the escape sequences of ISO-2022-JP.
///
/// ```
/// use ragctl::content::Origin;
/// use ragctl::read::charset::decode;
///
/// let decoded = decode(b"caf\xE9 \x96 bar", None);
/// assert_eq!(decoded.text, "café – bar");
/// let Origin::Decoded { points, .. } = decoded.origin else { panic!() };
/// assert_eq!(points[4], (5, 4), "the space after é");
/// assert_eq!(decoded.warnings.len(), 1, "the encoding was guessed");
/// ```
pub fn decode(bytes: &[u8], hint: Option<&str>) -> Decoded {
    decode_with(bytes, hint, Points::Kept)
}

/// Decodes like [`decode`] for readers that render their own text: without the points, so `origin` says
/// [`Origin::Unknown`] where `decode` says [`Origin::Decoded`].
pub(crate) fn decode_text(bytes: &[u8], hint: Option<&str>) -> Decoded {
    decode_with(bytes, hint, Points::Dropped)
}

fn decode_with(bytes: &[u8], hint: Option<&str>, keep: Points) -> Decoded {
    let mut warnings = Vec::new();
    let (source, skipped) = choose(bytes, hint, &mut warnings);
    let body = &bytes[skipped..];
    let conversion = match source {
        Source::Utf8 => {
            if let Ok(text) = std::str::from_utf8(body) {
                return Decoded {
                    text: text.to_owned(),
                    origin: Origin::Verbatim { byte: skipped, line: 1 },
                    warnings,
                };
            }
            Conversion::of_broken_utf8(body, skipped, keep)
        }
        Source::Wide(wide) => Conversion::of_wide(body, skipped, wide, keep),
        Source::Legacy(encoding) => Conversion::of_legacy(body, skipped, encoding, keep),
    };
    if conversion.n_guessed > 0 {
        let count = count(conversion.n_guessed);
        warnings.push(warning(format!("{count} not valid UTF-8, read as windows-1252")));
    }
    if conversion.n_lost > 0 {
        let count = count(conversion.n_lost);
        warnings.push(warning(format!("{count} without meaning in {}, replaced by U+FFFD", source.name())));
    }
    let origin = match keep {
        Points::Kept => Origin::Decoded { points: conversion.points, line: 1 },
        Points::Dropped => Origin::Unknown,
    };
    Decoded { text: conversion.text, origin, warnings }
}

/// How the bytes are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Utf8,
    Wide(Wide),
    Legacy(&'static Encoding),
}

impl Source {
    fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Wide(wide) => wide.name(),
            Self::Legacy(encoding) => encoding.name(),
        }
    }

    fn of_label(label: &str) -> Option<Self> {
        let label = label.trim();
        match label.to_ascii_lowercase().as_str() {
            "utf-32" | "utf-32le" => return Some(Self::Wide(Wide::Utf32Le)),
            "utf-32be" => return Some(Self::Wide(Wide::Utf32Be)),
            _ => {}
        }
        let encoding = Encoding::for_label_no_replacement(label.as_bytes())?;
        Some(if encoding == UTF_8 {
            Self::Utf8
        } else if encoding == UTF_16LE {
            Self::Wide(Wide::Utf16Le)
        } else if encoding == UTF_16BE {
            Self::Wide(Wide::Utf16Be)
        } else {
            Self::Legacy(encoding)
        })
    }
}

/// Decides how to read `bytes`, and how many of them are a byte-order mark.
fn choose(bytes: &[u8], hint: Option<&str>, warnings: &mut Vec<Warning>) -> (Source, usize) {
    if let Some(found) = byte_order_mark(bytes) {
        return found;
    }
    let source = match hint.map(|label| (label, Source::of_label(label))) {
        Some((label, None)) => {
            warnings.push(warning(format!("unknown encoding '{}' declared", label.trim())));
            None
        }
        Some((_, source)) => source.filter(|&declared| declaration_holds(bytes, declared, warnings)),
        None => None,
    };
    let why = if hint.is_some() { "not in the declared encoding" } else { "no encoding declared" };
    (source.unwrap_or_else(|| detect(bytes, why, warnings)), 0)
}

/// Whether a declared encoding can be true.
///
/// Pages saved or converted by tools keep declarations that no longer hold. Two cases are plain: the bytes are not what
/// is declared although they are valid UTF-8, or a single-byte encoding is declared (which no bytes can contradict) while
/// all non-ASCII bytes form valid UTF-8, which real single-byte text practically never does.
fn declaration_holds(bytes: &[u8], declared: Source, warnings: &mut Vec<Warning>) -> bool {
    match declared {
        // Broken UTF-8 is left to detection, which knows a stray byte from another encoding.
        Source::Utf8 => std::str::from_utf8(bytes).is_ok(),
        Source::Wide(wide) => Conversion::of_wide(bytes, 0, wide, Points::Dropped).n_lost == 0,
        Source::Legacy(encoding) => {
            if bytes.is_ascii() || std::str::from_utf8(bytes).is_err() {
                return true;
            }
            let holds = !encoding.is_single_byte()
                && encoding.decode_without_bom_handling_and_without_replacement(bytes).is_some();
            if !holds {
                warnings
                    .push(warning(format!("declared as {} but valid UTF-8, read as UTF-8", encoding.name())));
            }
            holds
        }
    }
}

/// Finds the encoding of bytes about which nothing (true) is declared, which `why` says.
fn detect(bytes: &[u8], why: &str, warnings: &mut Vec<Warning>) -> Source {
    if let Some(wide) = wide_by_nul_pattern(bytes) {
        warnings.push(warning(format!("{why}, read as {}", wide.name())));
        return Source::Wide(wide);
    }
    if std::str::from_utf8(bytes).is_ok() {
        if !has_iso_2022_jp(bytes) {
            return Source::Utf8;
        }
        warnings.push(warning(format!("{why}, read as {} (detected)", ISO_2022_JP.name())));
        return Source::Legacy(ISO_2022_JP);
    }
    let (mut n_multibyte, mut n_invalid) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        n_multibyte += chunk.valid().chars().filter(|it| !it.is_ascii()).count();
        n_invalid += usize::from(!chunk.invalid().is_empty());
    }
    // In legacy text, a valid multi-byte sequence is an accident that happens far less often than an invalid byte; in
    // UTF-8 with strays it is the other way round.
    if n_multibyte >= 2 * n_invalid {
        return Source::Utf8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    warnings.push(warning(format!("{why}, read as {} (detected)", encoding.name())));
    Source::Legacy(encoding)
}

/// Whether ASCII holds the escape sequences of ISO-2022-JP (RFC 1468), and what they open has a meaning.
fn has_iso_2022_jp(bytes: &[u8]) -> bool {
    let opens_kanji = |it: &[u8]| matches!(it, b"\x1B$B" | b"\x1B$@");
    bytes.is_ascii()
        && bytes.windows(3).any(opens_kanji)
        && ISO_2022_JP.decode_without_bom_handling_and_without_replacement(bytes).is_some()
}

/// The encoding that a byte-order mark names, and the mark's length.
fn byte_order_mark(bytes: &[u8]) -> Option<(Source, usize)> {
    // UTF-32LE first: its mark starts with UTF-16LE's.
    if bytes.starts_with(&[0xFF, 0xFE, 0, 0]) && bytes.len().is_multiple_of(4) {
        return Some((Source::Wide(Wide::Utf32Le), 4));
    }
    if bytes.starts_with(&[0, 0, 0xFE, 0xFF]) {
        return Some((Source::Wide(Wide::Utf32Be), 4));
    }
    let (encoding, len) = Encoding::for_bom(bytes)?;
    Some((Source::of_label(encoding.name())?, len))
}

/// UTF-16 or UTF-32 without a mark: its ASCII characters leave NULs at fixed places, and nothing else that has NULs there
/// decodes without errors and control characters.
fn wide_by_nul_pattern(bytes: &[u8]) -> Option<Wide> {
    if !bytes.len().is_multiple_of(2) {
        return None;
    }
    let sample = &bytes[..bytes.len().min(SAMPLE_BYTES)];
    // NULs, and bytes that are too small for text but are the upper half of alphabets' letters, by place.
    let (mut n_nuls, mut n_small) = ([0_usize; 4], [0_usize; 4]);
    for (at, &byte) in sample.iter().enumerate() {
        n_nuls[at % 4] += usize::from(byte == 0);
        n_small[at % 4] += usize::from(byte < 0x09 || byte == 0x0E);
    }
    let (n_units, n_quads) = (sample.len() / 2, sample.len() / 4);
    let is_utf32 = |first: usize, second: usize| {
        bytes.len().is_multiple_of(4)
            && n_quads > 0
            && n_nuls[first] == n_quads
            && n_nuls[second] * 10 > n_quads * 9
    };
    // A quarter is a choice: alphabets leave nearly a small byte a letter. Text of Han characters alone leaves too few
    // and is told by its mark or declaration only.
    // Any real text has a blank, a line end or a digit, whose upper half is NUL; a stray control character has none.
    let is_utf16 = |upper: usize| {
        n_nuls[1 - upper] + n_nuls[3 - upper] == 0
            && n_nuls[upper] + n_nuls[upper + 2] > 0
            && (n_small[upper] + n_small[upper + 2]) * 4 > n_units
    };
    let wide = if is_utf32(3, 2) {
        Wide::Utf32Le
    } else if is_utf32(0, 1) {
        Wide::Utf32Be
    } else if is_utf16(1) {
        Wide::Utf16Le
    } else if is_utf16(0) {
        Wide::Utf16Be
    } else {
        return None;
    };
    let decoded = Conversion::of_wide(sample, 0, wide, Points::Dropped);
    let has_controls =
        decoded.text.chars().any(|it| it.is_control() && !matches!(it, '\t' | '\n' | '\r' | '\x0C'));
    // A surrogate pair may be cut in two by the end of the sample.
    let n_allowed = usize::from(sample.len() < bytes.len());
    (decoded.n_lost <= n_allowed && !has_controls).then_some(wide)
}

/// Controls that no text file has; tab, line ends, form feed, backspace (old manuals) and escape (terminal logs,
/// ISO-2022-JP) occur.
fn is_control(byte: u8) -> bool {
    (byte < 0x20 && !matches!(byte, 0x08..=0x0D | 0x1B)) || byte == 0x7F
}

fn warning(message: String) -> Warning {
    Warning::new(WarningKind::Encoding, message)
}

fn count(n: usize) -> String {
    if n == 1 { "1 byte sequence".to_owned() } else { format!("{n} byte sequences") }
}

#[cfg(test)]
mod tests;
