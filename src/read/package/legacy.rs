//! Compound files (OLE): what the binary formats of before 2007 and encrypted packages are stored in.
//!
//! Tells them apart by the names of their streams and the first bytes of the main one, for the error message; none is
//! read. The one crate that decrypts them (office-crypto 0.4) checks no password, needs a second generation of the
//! cryptographic crates and an unmaintained one, so that encrypted files are refused with what to do.

use crate::read::ReadError;

/// MS-CFB, 2.2: the signature of a compound file.
const SIGNATURE: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

/// A format that is stored in compound files.
#[derive(Clone, Copy)]
struct Format {
    /// Name of the stream that tells it.
    stream: &'static str,
    name: &'static str,
    /// What to convert it to.
    target: &'static str,
    /// Whether the first sector of that stream, given with the whole file, says that it is encrypted.
    is_encrypted: fn(sector: &[u8], file: &[u8]) -> bool,
}

const FORMATS: [Format; 6] = [
    Format {
        stream: "WordDocument",
        name: "Word 97-2003 document",
        target: "docx",
        // MS-DOC, 2.5.2: fEncrypted is the ninth bit of the flags.
        is_encrypted: |sector, _| sector.get(11).is_some_and(|flags| flags & 1 == 1),
    },
    Format {
        stream: "Workbook",
        name: "Excel 97-2003 workbook",
        target: "xlsx",
        is_encrypted: |sector, _| has_file_pass(sector),
    },
    Format {
        stream: "Book",
        name: "Excel 5.0/95 workbook",
        target: "xlsx",
        is_encrypted: |sector, _| has_file_pass(sector),
    },
    Format {
        stream: "PowerPoint Document",
        name: "PowerPoint 97-2003 presentation",
        target: "pptx",
        // MS-PPT, 2.1: written with the encryption unless the properties are left readable.
        is_encrypted: |_, file| find_stream(file, "EncryptedSummary").is_some(),
    },
    Format {
        stream: "__properties_version1.0",
        name: "Outlook message",
        target: "eml",
        is_encrypted: |_, _| false,
    },
    Format { stream: "VisioDocument", name: "Visio drawing", target: "pdf", is_encrypted: |_, _| false },
];

/// Whether `bytes` start as a compound file does.
pub(in crate::read) fn is_compound_file(bytes: &[u8]) -> bool {
    bytes.starts_with(&SIGNATURE)
}

/// Why a compound file is not read: encrypted, or of a format that has to be converted.
pub(in crate::read) fn refuse_compound_file(bytes: &[u8]) -> ReadError {
    if find_stream(bytes, "EncryptedPackage").is_some() {
        let detail = "Office file that is encrypted with a password or by rights management".to_owned();
        return ReadError::Locked { detail };
    }
    let found = FORMATS.iter().find_map(|it| Some((it, find_stream(bytes, it.stream)?)));
    let Some((format, entry)) = found else {
        let detail = "file of an old Office format; convert it to docx".to_owned();
        return ReadError::Unsupported { detail };
    };
    if (format.is_encrypted)(first_sector(bytes, entry), bytes) {
        return ReadError::Locked { detail: format!("encrypted {}", format.name) };
    }
    ReadError::Unsupported { detail: format!("{}; convert it to {}", format.name, format.target) }
}

/// The directory entry of a stream: 128 bytes that start on a multiple of their size, with the name in UTF-16 and its
/// length with the final NUL at byte 64 (MS-CFB, 2.6.1).
fn find_stream<'a>(file: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let wide: Vec<u8> = name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
    let length = (wide.len() as u16).to_le_bytes();
    file.chunks_exact(128).find(|entry| entry.starts_with(&wide) && entry[64..66] == length)
}

/// The first sector of the stream at `entry`; empty for streams of less than 4,096 bytes, which share sectors.
fn first_sector<'a>(file: &'a [u8], entry: &[u8]) -> &'a [u8] {
    const SHARED_BELOW: u32 = 4_096;
    let number = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_le_bytes);
    let (start, n_bytes) = (number(&entry[116..120]), number(&entry[120..124]));
    // MS-CFB, 2.2: the sector size is a power of two, and the header takes the room of one sector.
    let shift = file.get(30..32).map_or(9, |it| u32::from(it[0])).clamp(7, 16);
    let at = (u64::from(start) + 1) << shift;
    let range = usize::try_from(at).ok().map(|at| at..at.saturating_add(1 << shift).min(file.len()));
    range.filter(|_| n_bytes >= SHARED_BELOW).and_then(|range| file.get(range)).unwrap_or_default()
}

/// Whether a workbook's records have FILEPASS, which comes among the first (MS-XLS, 2.1.7.20.3 and 2.4.117).
fn has_file_pass(mut records: &[u8]) -> bool {
    const FILE_PASS: u16 = 0x2F;
    while let [kind, kind_high, n_bytes, n_bytes_high, rest @ ..] = records {
        if u16::from_le_bytes([*kind, *kind_high]) == FILE_PASS {
            return true;
        }
        let n_bytes = usize::from(u16::from_le_bytes([*n_bytes, *n_bytes_high]));
        records = rest.get(n_bytes..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header, a sector with a directory of these streams, and a sector that starts with `content`, which is where
    /// all of them start.
    fn compound_file(streams: &[&str], content: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; 512];
        bytes[..8].copy_from_slice(&SIGNATURE);
        bytes[30] = 9;
        for stream in streams {
            let mut entry = [0; 128];
            let wide: Vec<u8> = stream.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
            entry[..wide.len()].copy_from_slice(&wide);
            entry[64] = wide.len() as u8;
            entry[116] = 1;
            entry[120..124].copy_from_slice(&4_096_u32.to_le_bytes());
            bytes.extend(entry);
        }
        bytes.resize(1024, 0);
        bytes.extend(content);
        bytes
    }

    #[test]
    fn streams_tell_the_format() {
        let check = |stream: &str, expected: &str| {
            let bytes = compound_file(&[stream], b"");
            assert!(is_compound_file(&bytes));
            assert_eq!(refuse_compound_file(&bytes).to_string(), expected);
        };
        check(
            "EncryptedPackage",
            "not supported: Office file that is encrypted with a password or by rights management",
        );
        check("WordDocument", "not supported: Word 97-2003 document; convert it to docx");
        check("Workbook", "not supported: Excel 97-2003 workbook; convert it to xlsx");
        check("Books", "not supported: file of an old Office format; convert it to docx");
    }

    #[test]
    fn encrypted_files_are_called_that_and_not_sent_to_a_converter() {
        let check = |streams: &[&str], content: &[u8], expected: Option<&str>| {
            let locked = match refuse_compound_file(&compound_file(streams, content)) {
                ReadError::Locked { detail } => Some(detail),
                _ => None,
            };
            assert_eq!(locked.as_deref(), expected);
        };
        let word = |flags: u8| [0xEC, 0xA5, 0xC1, 0, 0, 0, 0, 0, 0, 0, 0, flags];
        check(&["WordDocument"], &word(0x13), Some("encrypted Word 97-2003 document"));
        check(&["WordDocument"], &word(0x12), None);
        // BOF with two bytes, then FILEPASS or BOUNDSHEET.
        check(&["Workbook"], &[9, 8, 2, 0, 0, 6, 0x2F, 0, 0, 0], Some("encrypted Excel 97-2003 workbook"));
        check(&["Workbook"], &[9, 8, 2, 0, 0x2F, 0, 0x85, 0, 0, 0], None);
        check(&["Workbook"], &[9, 8, 255, 255], None);
        let slides = ["PowerPoint Document", "EncryptedSummary"];
        check(&slides, b"", Some("encrypted PowerPoint 97-2003 presentation"));
        check(&slides[..1], b"", None);
    }
}
