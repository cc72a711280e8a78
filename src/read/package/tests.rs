use super::*;
use std::io::Write;
use zip::write::SimpleFileOptions;

/// A zip file of these parts.
pub(in crate::read) fn zip_of(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn targets_stay_inside_the_package() {
    let check = |from: &str, target: &str, expected: &str| assert_eq!(resolve(from, target), expected);
    check("word/document.xml", "styles.xml", "word/styles.xml");
    check("word/document.xml", "/docProps/core.xml", "docProps/core.xml");
    check("ppt/slides/slide1.xml", "../notesSlides/n1.xml", "ppt/notesSlides/n1.xml");
    check("a/b.xml", "../../../../etc/passwd", "etc/passwd");
    check("", "word\\document.xml", "word/document.xml");
}

#[test]
fn parts_are_found_whatever_their_case_and_slashes() {
    let bytes = zip_of(&[("Word\\Document.xml", "x"), ("OEBPS/a b.xhtml", "y")]);
    let mut package = Package::open(&bytes, "docx").unwrap();
    let mut warnings = Vec::new();
    assert_eq!(package.part("word/document.xml", &mut warnings), Ok(Some(b"x".to_vec())));
    assert_eq!(package.part("/OEBPS/a%20b.xhtml", &mut warnings), Ok(Some(b"y".to_vec())));
    assert_eq!(package.part("none", &mut warnings), Ok(None));
    assert_eq!(warnings, []);
}

#[test]
fn a_bomb_is_refused() {
    let zeros = "0".repeat(40 << 20);
    let bytes = zip_of(&[("word/document.xml", &zeros)]);
    assert!(bytes.len() < 100_000);
    let mut package = Package::open(&bytes, "docx").unwrap();
    let outcome = package.part("word/document.xml", &mut Vec::new());
    assert!(matches!(outcome, Err(ReadError::Limit { .. })), "{outcome:?}");
}

#[test]
fn a_bomb_that_lies_about_its_size_is_refused() {
    let zeros = "0".repeat(40 << 20);
    let mut bytes = zip_of(&[("a", &zeros)]);
    let real = (zeros.len() as u32).to_le_bytes();
    while let Some(at) = bytes.windows(4).position(|it| it == real) {
        bytes[at..at + 4].copy_from_slice(&1000_u32.to_le_bytes());
    }
    let mut package = Package::open(&bytes, "docx").unwrap();
    let outcome = package.part("a", &mut Vec::new());
    let is_small = matches!(&outcome, Ok(Some(bytes)) if bytes.len() <= 1001);
    assert!(is_small || outcome.is_err(), "{outcome:?}");
}

#[test]
fn too_many_entries_are_refused() {
    let names: Vec<String> = (0..=MAX_ENTRIES).map(|n| n.to_string()).collect();
    let parts: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let outcome = Package::open(&zip_of(&parts), "docx").map(|_| ());
    assert!(matches!(outcome, Err(ReadError::Limit { .. })), "{outcome:?}");
}

#[test]
fn damage_keeps_what_comes_before() {
    let text: String = (0..20_000).map(|n| format!("{n} ")).collect();
    let mut bytes = zip_of(&[("a", &text)]);
    let middle = bytes.len() / 2;
    bytes[middle..middle + 20].fill(0xFF);
    let mut warnings = Vec::new();
    let part = Package::open(&bytes, "docx").unwrap().part("a", &mut warnings).unwrap().unwrap();
    assert!(part.starts_with(b"0 1 2 3 4 5"));
    assert_eq!(warnings.len(), 1);
}

#[test]
fn what_is_no_archive_is_damaged() {
    for bytes in [&b""[..], b"PK\x03\x04 and no more", b"text"] {
        let outcome = Package::open(bytes, "docx").map(|_| ());
        assert!(matches!(outcome, Err(ReadError::Damaged { .. })), "{outcome:?}");
    }
}

#[test]
fn kinds_are_told_by_names() {
    let check = |parts: &[(&str, &str)], expected: Option<PackageKind>| {
        assert_eq!(package_kind(&zip_of(parts)), expected, "{parts:?}");
    };
    check(&[("[Content_Types].xml", ""), ("word/document.xml", "")], Some(PackageKind::Word));
    check(&[("[Content_Types].xml", ""), ("xl/workbook.xml", "")], Some(PackageKind::Sheet));
    check(&[("mimetype", ""), ("META-INF/container.xml", "")], Some(PackageKind::Book));
    check(&[("mimetype", ""), ("content.xml", "")], Some(PackageKind::OpenDocument(OpenDocumentKind::Text)));
    check(&[("a.txt", "")], None);
    assert_eq!(package_kind(b"text"), None);
}
