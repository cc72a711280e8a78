#![no_main]

//! Office documents and e-books: a real file in which one part is replaced, since random bytes never make a zip archive; and
//! the formats without archives as they are.

use std::io::{Cursor, Read as _, Write as _};

use libfuzzer_sys::fuzz_target;
use ragctl::read::ReadOptions;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const PACKAGES: [(&str, &[u8]); 5] = [
    ("docx", include_bytes!("../../testdata/office/joints.docx")),
    ("odt", include_bytes!("../../testdata/office/joints.odt")),
    ("xlsx", include_bytes!("../../testdata/office/costs.xlsx")),
    ("pptx", include_bytes!("../../testdata/office/plan.pptx")),
    ("epub", include_bytes!("../../testdata/office/bridges.epub")),
];
const PLAIN: [&str; 3] = ["rtf", "eml", "csv"];

fuzz_target!(|bytes: &[u8]| {
    let [format, part, rest @ ..] = bytes else { return };
    let at = usize::from(*format) % (PACKAGES.len() + PLAIN.len());
    let options = ReadOptions::default();
    match PACKAGES.get(at) {
        Some((name, package)) => {
            if let Some(package) = with_part(package, usize::from(*part), rest) {
                ragctl_fuzz::read(name, &format!("a.{name}"), &package, &options);
            }
        }
        None => {
            let name = PLAIN[at - PACKAGES.len()];
            ragctl_fuzz::read(name, &format!("a.{name}"), rest, &options);
        }
    }
});

/// The archive with the content of its `nth` part replaced.
fn with_part(package: &[u8], nth: usize, content: &[u8]) -> Option<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(package)).ok()?;
    let nth = nth % archive.len();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).ok()?;
        writer.start_file(file.name().ok()?.into_owned(), stored).ok()?;
        if at == nth {
            writer.write_all(content).ok()?;
        } else {
            let mut old = Vec::new();
            file.read_to_end(&mut old).ok()?;
            writer.write_all(&old).ok()?;
        }
    }
    Some(writer.finish().ok()?.into_inner())
}
