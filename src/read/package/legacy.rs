//! Compound files (OLE): what the binary formats of before 2007 and encrypted packages are stored in.
//!
//! Tells them apart by the names of their streams, for the error message; none is read.

use crate::read::ReadError;

/// MS-CFB, 2.2: the signature of a compound file.
const SIGNATURE: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

/// Stream names that tell the format, the name of the format, and what to convert it to.
const STREAMS: [(&str, &str, &str); 6] = [
    ("WordDocument", "Word 97-2003 document", "docx"),
    ("Workbook", "Excel 97-2003 workbook", "xlsx"),
    ("Book", "Excel 5.0/95 workbook", "xlsx"),
    ("PowerPoint Document", "PowerPoint 97-2003 presentation", "pptx"),
    ("__properties_version1.0", "Outlook message", "eml"),
    ("VisioDocument", "Visio drawing", "pdf"),
];

/// Whether `bytes` start as a compound file does.
pub(in crate::read) fn is_compound_file(bytes: &[u8]) -> bool {
    bytes.starts_with(&SIGNATURE)
}

/// Why a compound file is not read: encrypted, or of a format that has to be converted.
pub(in crate::read) fn refuse_compound_file(bytes: &[u8]) -> ReadError {
    // Directory entries of 128 bytes start on multiples of their size: the name in UTF-16, and its length with the final
    // NUL at byte 64 (MS-CFB, 2.6.1).
    let has_stream = |name: &str| {
        let wide: Vec<u8> = name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
        let length = (wide.len() as u16).to_le_bytes();
        bytes.chunks_exact(128).any(|entry| entry.starts_with(&wide) && entry[64..66] == length)
    };
    if has_stream("EncryptedPackage") {
        return ReadError::Encrypted;
    }
    let found = STREAMS.iter().find(|(stream, _, _)| has_stream(stream));
    let (format, target) =
        found.map_or(("file of an old Office format", "docx"), |&(_, name, to)| (name, to));
    ReadError::Unsupported { detail: format!("{format}; convert it to {target}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compound_file(stream: &str) -> Vec<u8> {
        let mut bytes = vec![0; 512];
        bytes[..8].copy_from_slice(&SIGNATURE);
        let mut entry = [0; 128];
        let wide: Vec<u8> = stream.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
        entry[..wide.len()].copy_from_slice(&wide);
        entry[64] = wide.len() as u8;
        bytes.extend(entry);
        bytes
    }

    #[test]
    fn streams_tell_the_format() {
        let check = |stream: &str, expected: &str| {
            let bytes = compound_file(stream);
            assert!(is_compound_file(&bytes));
            assert_eq!(refuse_compound_file(&bytes).to_string(), expected);
        };
        check("EncryptedPackage", "encrypted: a password is needed");
        check("WordDocument", "not supported: Word 97-2003 document; convert it to docx");
        check("Workbook", "not supported: Excel 97-2003 workbook; convert it to xlsx");
        check("Books", "not supported: file of an old Office format; convert it to docx");
    }
}
