//! Tests on whole files: small ones from `testdata/pdf`, and ones built here.

use lopdf::{Dictionary, Object, ObjectId, Stream, dictionary};
use proptest::prelude::*;

use super::*;
use crate::content::{BlockKind, SectionKind};

mod headings_by_type;
mod layers;
mod sections;
mod tree;
mod type3;

/// One piece of text: left, baseline, size, `F1` (Helvetica), `F2` (Helvetica-Bold) or `F3` (Courier).
type Piece<'a> = (i32, i32, i32, &'a str, &'a str);

/// Builds a file of pages of text.
fn build(pages: &[Vec<Piece>]) -> lopdf::Document {
    let mut file = lopdf::Document::with_version("1.5");
    let tree = file.new_object_id();
    let mut font = |name: &str| {
        let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => name, "Encoding" => "WinAnsiEncoding" };
        Object::from(file.add_object(font))
    };
    let fonts =
        dictionary! { "F1" => font("Helvetica"), "F2" => font("Helvetica-Bold"), "F3" => font("Courier") };
    let resources = file.add_object(dictionary! { "Font" => fonts });
    let mut kids: Vec<Object> = Vec::new();
    for page in pages {
        let content: String = page
            .iter()
            .map(|(x, y, size, font, text)| format!("BT /{font} {size} Tf {x} {y} Td ({text}) Tj ET\n"))
            .collect();
        let content = file.add_object(Stream::new(Dictionary::new(), content.into_bytes()));
        let page = file.add_object(dictionary! {
            "Type" => "Page", "Parent" => tree, "Contents" => content, "Resources" => resources,
            "MediaBox" => vec![0.into(), 0.into(), 612.into(), 792.into()],
        });
        kids.push(page.into());
    }
    let count = kids.len() as i64;
    file.objects.insert(tree, dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count }.into());
    let catalog = file.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    file.trailer.set("Root", catalog);
    file.trailer.set(
        "ID",
        vec![Object::string_literal("0123456789abcdef"), Object::string_literal("0123456789abcdef")],
    );
    file
}

fn bytes(mut file: lopdf::Document) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    bytes
}

fn read_bytes(bytes: Vec<u8>, password: Option<&str>) -> Result<Parsed, ReadError> {
    let blob = Blob { uri: "docs/file-1.pdf".into(), bytes };
    Pdf.read(&blob, &ReadOptions { password: password.map(str::to_owned), ..ReadOptions::default() })
}

fn read(file: lopdf::Document) -> Parsed {
    read_bytes(bytes(file), None).unwrap()
}

/// Lines of body text from `top` down, 12 points apart.
fn body<'a>(x: i32, top: i32, lines: &[&'a str]) -> Vec<Piece<'a>> {
    lines.iter().enumerate().map(|(at, &text)| (x, top - 12 * at as i32, 10, "F1", text)).collect()
}

fn titles(parsed: &Parsed) -> Vec<(u8, &str)> {
    parsed.document.sections.iter().map(|it| (it.level, it.title.as_str())).collect()
}

fn kinds(parsed: &Parsed) -> Vec<WarningKind> {
    parsed.warnings.iter().map(|it| it.kind).collect()
}

/// Checks what every document of this reader must keep.
fn check_invariants(document: &Document) {
    let text = &document.text;
    for span in document.sections.iter().flat_map(|it| [it.span, it.own]) {
        assert!(text.get(span.start..span.end).is_some());
    }
    let mut end = 0;
    for block in &document.blocks {
        assert!(end <= block.span.start && text.get(block.span.start..block.span.end).is_some());
        assert!(!block.span.slice(text).trim().is_empty());
        assert!(text[end..block.span.start].trim().is_empty());
        end = block.span.end;
    }
    assert_eq!(end, text.len());
    let Origin::Pages(pages) = &document.origin else { panic!("not pages") };
    assert_eq!(pages.first().map(|it| it.0), (!text.is_empty()).then_some(0));
    assert!(pages.windows(2).all(|it| it[0].0 < it[1].0 && it[0].1 < it[1].1));
    assert!(pages.iter().all(|it| text.is_char_boundary(it.0)));
}

#[test]
fn lines_become_paragraphs() {
    let mut page = body(
        72,
        700,
        &[
            "The quick brown fox jumps over the lazy dog, and the dog is com-",
            "pletely used to it. A well-known story has the fox as a very well-",
            "known animal, but that is not what this paragraph is about at all.",
        ],
    );
    page.extend(body(
        72,
        640,
        &["Another paragraph starts after a gap, and it is just as long as that.", "It ends here."],
    ));
    page.extend(body(72, 600, &["- first item", "- second item"]));
    page.extend([(72, 560, 9, "F3", "if x:"), (82, 549, 9, "F3", "  y\\(\\)")]);
    let parsed = read(build(&[page]));
    assert_eq!(
        parsed.document.text,
        "The quick brown fox jumps over the lazy dog, and the dog is completely used to it. A well-known story has \
         the fox as a very well-known animal, but that is not what this paragraph is about at all.\n\n\
         Another paragraph starts after a gap, and it is just as long as that. It ends here.\n\n\
         - first item\n\n- second item\n\nif x:\n    y()"
    );
    let kinds: Vec<&BlockKind> = parsed.document.blocks.iter().map(|it| &it.kind).collect();
    let code = BlockKind::Code { fence: None };
    let expected =
        [&BlockKind::Paragraph, &BlockKind::Paragraph, &BlockKind::ListItem, &BlockKind::ListItem, &code];
    assert_eq!(kinds, expected);
    check_invariants(&parsed.document);
}

#[test]
fn bullets_of_unused_codes_are_list_items() {
    // As ReportLab writes them; in one run with the text, and apart from it.
    let mut page = body(72, 700, &["Please buy the following:", "\\177 apples and pears"]);
    page.extend([(72, 676, 10, "F1", "\\177"), (90, 676, 10, "F1", "bread from the baker")]);
    page.extend(body(72, 664, &["\\201 cheese"]));
    let parsed = read(build(&[page]));
    let expected = "Please buy the following:\n\n• apples and pears\n\n• bread from the baker\n\n• cheese";
    assert_eq!(parsed.document.text, expected);
    let n_items = parsed.document.blocks.iter().filter(|it| it.kind == BlockKind::ListItem).count();
    assert_eq!(n_items, 3);
}

#[test]
fn raised_numbers_are_exponents() {
    // Digits of Helvetica are 0.556 em wide.
    let page = vec![
        (72, 700, 18, "F1", "about 10"),
        (139, 707, 12, "F1", "6"),
        (146, 700, 18, "F1", " cells, and H"),
        (246, 696, 12, "F1", "2"),
        (253, 700, 18, "F1", "O as said"),
        (328, 707, 12, "F1", "3"),
    ];
    let text = read(build(&[page])).document.text;
    assert!(text.starts_with("about 10^6 cells") && !text[9..].contains('^'), "{text}");
}

#[test]
fn entries_of_a_list_of_contents_stand_on_lines_of_their_own() {
    let page = body(
        72,
        700,
        &[
            "2.1 Syntax of names . . . . . . . . 12",
            "2.2 Names . . . . . . . . . . . . . . . xiv",
            "and no more",
        ],
    );
    let expected =
        "2.1 Syntax of names . . . . . . . . 12\n2.2 Names . . . . . . . . . . . . . . . xiv\nand no more";
    assert_eq!(read(build(&[page])).document.text, expected);
}

#[test]
fn columns_of_prose_are_read_one_by_one() {
    let left: Vec<String> = (0..8).map(|at| format!("left column line {at} of some length")).collect();
    let right: Vec<String> = (0..8).map(|at| format!("right column line {at} of some length")).collect();
    let mut page: Vec<Piece> = vec![(72, 720, 20, "F1", "A title that runs over both of the columns")];
    for at in 0..8 {
        page.push((72, 680 - 12 * at, 10, "F1", &left[at as usize]));
        page.push((320, 680 - 12 * at, 10, "F1", &right[at as usize]));
    }
    let text = read(build(&[page])).document.text;
    assert!(text.find("left column line 7") < text.find("right column line 0"), "{text}");
}

#[test]
fn columns_under_a_heading_are_in_its_section() {
    let column = |name: &str| -> Vec<String> {
        let line = |at| match at {
            4 => format!("{name} column ends here."),
            _ => format!("{name} column line {at} of the text and of"),
        };
        (0..5).map(line).collect()
    };
    let names = ["first left", "first right", "second left", "second right"];
    let columns = names.map(column);
    let mut page: Vec<Piece> = vec![
        (
            72,
            740,
            10,
            "F1",
            "These lines run over both of the columns, and say what the page is about, as the first",
        ),
        (
            72,
            728,
            10,
            "F1",
            "lines of many a page do before the page turns to what it has to say on the matter.",
        ),
    ];
    for (at, title) in [(0, "First Part"), (1, "Second Part")] {
        let top = 700 - 120 * at as i32;
        page.push((72, top, 14, "F2", title));
        for (x, lines) in [(72, &columns[2 * at]), (320, &columns[2 * at + 1])] {
            page.extend(
                lines.iter().zip(0..).map(|(line, n)| (x, top - 22 - 12 * n, 10, "F1", line.as_str())),
            );
        }
    }
    let parsed = read(build(&[page]));
    let text = &parsed.document.text;
    let places = ["First Part", "first left", "first right", "Second Part", "second left", "second right"];
    let places: Vec<_> = places.iter().map(|it| text.find(it)).collect();
    assert!(places.is_sorted() && places[0].is_some(), "{text}");
    let titles = titles(&parsed);
    assert!(titles.iter().any(|it| it.1 == "First Part") && titles.iter().any(|it| it.1 == "Second Part"));
}

#[test]
fn rows_of_tables_stay_rows() {
    let page =
        (0..8).flat_map(|at| [(72, 680 - 12 * at, 10, "F1", "key"), (320, 680 - 12 * at, 10, "F1", "value")]);
    let text = read(build(&[page.collect()])).document.text;
    assert_eq!(text, ["key  value"; 8].join("\n"));
}

#[test]
fn sentences_run_on_over_the_page() {
    let first = "This sentence is long and fills its line well, and then it goes on over the";
    let mut file = build(&[body(72, 100, &[first]), body(72, 700, &["page break to its end."])]);
    file.trailer.set("Info", dictionary! {
        "Title" => Object::string_literal("On Pages"), "CreationDate" => Object::string_literal("D:20240103120000Z"),
    });
    let document = read(file).document;
    assert_eq!(document.text, format!("{first} page break to its end."));
    assert_eq!(document.origin, Origin::Pages(vec![(0, 1), (first.len() + 1, 2)]));
    assert_eq!(
        (document.title.as_str(), &document.metadata["created"]),
        ("On Pages", &"2024-01-03T12:00:00Z".into())
    );
}

#[test]
fn passwords_open_what_they_lock() {
    let mut plain = build(&[body(72, 700, &["a secret"])]);
    let version = lopdf::EncryptionVersion::V2 {
        document: &plain,
        owner_password: "owner",
        user_password: "user",
        key_length: 128,
        permissions: lopdf::Permissions::all(),
    };
    let state = lopdf::EncryptionState::try_from(version).unwrap();
    plain.encrypt(&state).unwrap();
    let locked = bytes(plain);
    assert_eq!(read_bytes(locked.clone(), None), Err(ReadError::Encrypted));
    assert_eq!(read_bytes(locked.clone(), Some("guess")), Err(ReadError::WrongPassword));
    assert_eq!(read_bytes(locked.clone(), Some("user")).unwrap().document.text, "a secret");
    assert_eq!(read_bytes(locked, Some("owner")).unwrap().document.text, "a secret");
}

#[test]
fn encryption_before_the_standard_is_opened() {
    let locked = include_bytes!("../../../testdata/pdf/password-acrobat9.pdf").to_vec();
    // The user has a password, the owner an empty one, so that all passwords open it.
    for password in [None, Some("asdfzxcv")] {
        let text = read_bytes(locked.clone(), password).unwrap().document.text;
        assert!(text.starts_with("pdf encryption test"), "{text}");
    }
}

#[test]
fn an_empty_password_is_no_obstacle() {
    let mut plain = build(&[body(72, 700, &["an open secret"])]);
    let version = lopdf::EncryptionVersion::V2 {
        document: &plain,
        owner_password: "owner",
        user_password: "",
        key_length: 128,
        permissions: lopdf::Permissions::all(),
    };
    let state = lopdf::EncryptionState::try_from(version).unwrap();
    plain.encrypt(&state).unwrap();
    assert_eq!(read_bytes(bytes(plain), None).unwrap().document.text, "an open secret");
}

#[test]
fn what_was_filled_in_is_text() {
    let mut file = build(&[body(72, 700, &["Name:", "", "Town:"])]);
    let page = file.get_pages()[&1];
    let parent = file.add_object(dictionary! { "FT" => "Tx", "V" => Object::string_literal("Ann") });
    let widget = |file: &mut lopdf::Document, more: Dictionary, y: i32| {
        let mut dict = dictionary! {
            "Type" => "Annot", "Subtype" => "Widget", "Rect" => vec![150.into(), y.into(), 300.into(), (y + 14).into()],
            "DA" => Object::string_literal("/Helv 0 Tf 0 g"),
        };
        for (key, value) in more {
            dict.set(key, value);
        }
        Object::from(file.add_object(dict))
    };
    let town = || Object::string_literal("Ghent");
    let annotations = vec![
        widget(&mut file, dictionary! { "Parent" => parent }, 697),
        widget(&mut file, dictionary! { "FT" => "Ch", "V" => town() }, 673),
        // Hidden, a password, a button, an empty field, a loop of parents.
        widget(&mut file, dictionary! { "FT" => "Tx", "V" => town(), "F" => 2 }, 600),
        widget(&mut file, dictionary! { "FT" => "Tx", "V" => town(), "Ff" => 1 << 13 }, 600),
        widget(&mut file, dictionary! { "FT" => "Btn", "V" => "Yes" }, 600),
        widget(&mut file, dictionary! { "FT" => "Tx" }, 600),
        widget(
            &mut file,
            dictionary! { "Subtype" => "FreeText", "Contents" => Object::string_literal("Typed") },
            500,
        ),
        widget(
            &mut file,
            dictionary! { "Subtype" => "Text", "Contents" => Object::string_literal("Note") },
            400,
        ),
    ];
    file.get_object_mut(page).unwrap().as_dict_mut().unwrap().set("Annots", annotations);
    assert_eq!(read(file).document.text, "Name:  Ann\nTown:  Ghent\n\nTyped");
}

#[test]
fn scans_are_reported() {
    let mut file = build(&[body(72, 700, &["text"]), vec![], vec![]]);
    let image = Stream::new(
        dictionary! {
            "Type" => "XObject", "Subtype" => "Image", "Width" => 1, "Height" => 1, "BitsPerComponent" => 8,
            "ColorSpace" => "DeviceGray",
        },
        vec![0],
    );
    let image = file.add_object(image);
    let content = file.add_object(Stream::new(Dictionary::new(), b"q /I Do Q".to_vec()));
    let scan = file.get_pages()[&3];
    let Some(Object::Dictionary(page)) = file.objects.get_mut(&scan) else { panic!("no page") };
    page.set("Resources", dictionary! { "XObject" => dictionary! { "I" => image } });
    page.set("Contents", content);
    let parsed = read(file);
    // The second page is blank, which is not damage.
    assert_eq!(kinds(&parsed), [WarningKind::NoText]);
    assert_eq!(parsed.warnings[0].message, "page 3 without text: images only, such as a scan");
}

#[test]
fn glyphs_without_meaning_are_left_out() {
    let mut file = build(&[body(72, 700, &["x"]), body(72, 700, &["words"])]);
    let descendant = file.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "CIDFontType2", "BaseFont" => "ABCDEF+Secret",
        "CIDSystemInfo" => dictionary! {
            "Registry" => Object::string_literal("Adobe"), "Ordering" => Object::string_literal("Identity"), "Supplement" => 0,
        },
    });
    let font = file.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type0", "BaseFont" => "ABCDEF+Secret", "Encoding" => "Identity-H",
        "DescendantFonts" => vec![descendant.into()],
    });
    let text =
        b"BT /S 12 Tf 72 700 Td <0037004B004C00560003004C00560003004400030057004800560057> Tj ET".to_vec();
    let content = file.add_object(Stream::new(Dictionary::new(), text));
    let page = file.get_pages()[&1];
    let Some(Object::Dictionary(page)) = file.objects.get_mut(&page) else { panic!("no page") };
    page.set("Resources", dictionary! { "Font" => dictionary! { "S" => font } });
    page.set("Contents", content);
    let parsed = read(file);
    assert_eq!(parsed.document.text, "words");
    assert_eq!(kinds(&parsed), [WarningKind::Unreadable]);
}

#[test]
fn odd_files_give_their_text() {
    let check = |bytes: &[u8], expected: &str| {
        let parsed = read_bytes(bytes.to_vec(), None).unwrap();
        assert_eq!(parsed.document.text, expected);
        check_invariants(&parsed.document);
    };
    check(include_bytes!("../../../testdata/pdf/helloworld-bad.pdf"), "Hello, world!");
    check(include_bytes!("../../../testdata/pdf/issue9105_reduced.pdf"), "Issue 9105");
    check(include_bytes!("../../../testdata/pdf/noembed-sjis.pdf"), "あいうえお");
    check(include_bytes!("../../../testdata/pdf/unicode.pdf"), "😀🔧🔨");
    check(include_bytes!("../../../testdata/pdf/Pages-tree-refs.pdf"), "Testcase: ’Pages loop’");
    check(
        include_bytes!("../../../testdata/pdf/rotation.pdf"),
        "This is my first page with normal layout. This is the second line on the page.\n\n\
         This is my second page. It will have a landscape layout. Second line here.",
    );
}

#[test]
fn what_is_no_pdf_is_an_error() {
    for bytes in [&b""[..], b"%PDF-1.7", include_bytes!("../../../testdata/pdf/bug1020226.pdf")] {
        let error = read_bytes(bytes.to_vec(), None).unwrap_err();
        assert!(matches!(error, ReadError::Damaged { format: "pdf", .. }), "{error}");
    }
}

#[test]
fn cut_files_never_panic() {
    let whole = include_bytes!("../../../testdata/pdf/nested_outline.pdf");
    for length in (0..whole.len()).step_by(whole.len() / 40) {
        if let Ok(parsed) = read_bytes(whole[..length].to_vec(), None) {
            check_invariants(&parsed.document);
        }
    }
}

#[test]
fn page_lists_are_short() {
    let check = |numbers: &[u32], n_pages, expected: &str| assert_eq!(name_pages(numbers, n_pages), expected);
    check(&[3], 9, "page 3");
    check(&[1, 2, 3, 7], 9, "pages 1-3, 7");
    check(&[1, 2], 2, "all 2 pages");
    check(&[1], 1, "page 1");
    let odd: Vec<u32> = (0..20).map(|at| 2 * at + 1).collect();
    check(&odd, 40, "pages 1, 3, 5, 7, 9, 11, 13, 15 and 12 more");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn damaged_files_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40)) {
        let mut bytes = include_bytes!("../../../testdata/pdf/nested_outline.pdf").to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(parsed) = read_bytes(bytes, None) {
            check_invariants(&parsed.document);
        }
    }

    #[test]
    fn any_layout_keeps_the_invariants(
        pieces in prop::collection::vec((0..600i32, 0..800i32, 4..30i32, 0..3usize, "[a-zA-Z0-9 .•-]{1,30}"), 0..60),
        n_pages in 1..4usize,
    ) {
        let mut pages: Vec<Vec<Piece>> = vec![Vec::new(); n_pages];
        for (at, (x, y, size, font, text)) in pieces.iter().enumerate() {
            pages[at % n_pages].push((*x, *y, *size, ["F1", "F2", "F3"][*font], text));
        }
        let parsed = read(build(&pages));
        check_invariants(&parsed.document);
        prop_assert!(parsed.warnings.iter().all(|it| matches!(it.kind, WarningKind::NoText | WarningKind::Dropped)));
    }
}
