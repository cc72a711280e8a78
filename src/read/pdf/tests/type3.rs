//! Fonts whose glyphs are drawings.

use super::*;

/// A page that shows `shown` in a font with these numbers and names of drawings, below `above` in Helvetica.
fn drawn(names: &[(u8, &str)], to_unicode: Option<&str>, shown: &str, above: &str) -> Parsed {
    let mut file = build(&[vec![]]);
    let glyph =
        file.add_object(Stream::new(Dictionary::new(), b"600 0 0 0 500 700 d1 0 0 500 700 re f".to_vec()));
    let differences: Vec<Object> =
        names.iter().flat_map(|(code, name)| [i64::from(*code).into(), Object::from(*name)]).collect();
    let drawings: Dictionary =
        names.iter().map(|(_, name)| (name.as_bytes().to_vec(), Object::from(glyph))).collect();
    let mut font = dictionary! {
        "Type" => "Font", "Subtype" => "Type3", "FontBBox" => vec![0.into(), 0.into(), 600.into(), 700.into()],
        "FontMatrix" => vec![0.001.into(), 0.into(), 0.into(), 0.001.into(), 0.into(), 0.into()],
        "FirstChar" => 0, "LastChar" => 255, "Widths" => vec![Object::from(600); 256],
        "CharProcs" => drawings, "Encoding" => dictionary! { "Type" => "Encoding", "Differences" => differences },
    };
    if let Some(map) = to_unicode {
        let map = format!(
            "begincmap 1 begincodespacerange <00> <ff> endcodespacerange {} beginbfchar {map} endbfchar endcmap",
            map.matches("> <").count()
        );
        font.set("ToUnicode", file.add_object(Stream::new(Dictionary::new(), map.into_bytes())));
    }
    let font = file.add_object(font);
    let page = file.get_pages()[&1];
    let resources = file.get_dictionary(page).unwrap().get(b"Resources").unwrap().as_reference().unwrap();
    let fonts = file.get_object_mut(resources).unwrap().as_dict_mut().unwrap().get_mut(b"Font").unwrap();
    fonts.as_dict_mut().unwrap().set("T", font);
    let content = format!("BT /F1 12 Tf 72 740 Td ({above}) Tj ET BT /T 12 Tf 72 700 Td {shown} Tj ET");
    let content = file.add_object(Stream::new(Dictionary::new(), content.into_bytes()));
    file.get_object_mut(page).unwrap().as_dict_mut().unwrap().set("Contents", content);
    read(file)
}

#[test]
fn drawings_are_read_by_their_names_maps_and_numbers() {
    let check = |names: &[(u8, &str)], map: Option<&str>, shown: &str, expected: &str| {
        let parsed = drawn(names, map, shown, "");
        assert_eq!(
            (parsed.document.text.as_str(), parsed.warnings.as_slice()),
            (expected, &[][..]),
            "{names:?}"
        );
    };
    let one_two = [(1, "T"), (2, "w"), (3, "o"), (4, "space"), (5, "eacute")];
    check(&one_two, None, "<0102030405>", "Two é");
    check(&[(1, "uni0416"), (2, "uni006F")], None, "<0102>", "Жo");
    check(&[(1, "g1"), (2, "g2")], Some("<01> <0041> <02> <00660069>"), "<0102>", "Afi");
    // As pdfTeX names the bitmaps of its fonts.
    check(&[(b'n', "a110"), (b'o', "a111")], None, "(no)", "no");
}

#[test]
fn drawings_of_unknown_meaning_are_reported() {
    let names = [(1, "g1"), (2, "g2"), (3, "g3")];
    let parsed = drawn(&names, None, "<010203>", "");
    assert_eq!((parsed.document.text.as_str(), kinds(&parsed)), ("", vec![WarningKind::Unreadable]));
    let parsed = drawn(&names, None, "<010203>", "A title");
    assert_eq!((parsed.document.text.as_str(), kinds(&parsed)), ("A title", vec![WarningKind::Unreadable]));
    assert!(parsed.warnings[0].message.starts_with("page 1: part of the text left out"));
}
