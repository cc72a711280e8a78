use super::*;
use crate::content::SectionKind;

fn read(text: &str) -> Parsed {
    let blob = Blob { uri: "a/t.rtf".into(), bytes: text.as_bytes().to_vec() };
    Rtf.read(&blob, &ReadOptions::default()).unwrap()
}

fn check(body: &str, expected: &str) {
    let parsed = read(&format!("{{\\rtf1\\ansi\\ansicpg1252\\deff0{body}}}"));
    assert_eq!(parsed.document.text, expected, "{body}");
}

#[test]
fn characters_come_from_code_pages_and_numbers() {
    check("caf\\'e9 \\u8364? \\uc2\\u20013 ?? \\uc0\\u26085 x\\par", "café € 中 日x\n");
    check("\\u-10179?\\u-8704?", "😀\n");
    check(
        "{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}{\\f2\\fcharset128 C;}}\\f1\\'cf\\'f0{\\f2\\'93\\'fa}\\f0\\'e9",
        "Пр日é\n",
    );
    check("a\\~b\\_c\\emdash d\\{e\\}\\\\", "a b-c—d{e}\\\n");
}

#[test]
fn paragraphs_headings_and_lists_keep_their_shape() {
    check(
        "{\\stylesheet{\\s1 heading 1;}{\\s2\\outlinelevel1 Mine;}}\\s1 One\\par\\pard\\s2 Two\\par\\pard text\\line more\\par",
        "# One\n\n## Two\n\ntext\nmore\n",
    );
    check(
        "\\trowd\\intbl a\\cell{\\trowd\\intbl\\itap2 b\\nestcell c\\nestcell\\nestrow}\\intbl d\\cell\\row\\pard end\\par",
        "| a | b; c; d |\n\nend\n",
    );
    check("{\\listtext\\'B7\\tab}a\\par{\\listtext\\'B7\\tab}b\\par\\pard end\\par", "- a\n- b\n\nend\n");
    check("{\\pntext 1.\\tab}a\\par{\\pntext 2.\\tab}b\\par", "1. a\n2. b\n");
    check(
        "\\trowd\\intbl A\\cell B\\cell\\row\\trowd\\intbl 1\\cell 2\\cell\\row\\pard end\\par",
        "| A | B |\n| --- | --- |\n| 1 | 2 |\n\nend\n",
    );
    check(
        "\\trowd\\intbl a\\par b\\line c\\cell d\\par\\cell\\row\\pard end\\par",
        "| a; b c | d |\n\nend\n",
    );
}

const TEXT: &str = "Words of the text that go on and on, for a line or two, until they end.";

#[test]
fn bold_and_larger_paragraphs_open_sections() {
    let body = format!(
        "\\pard {{\\b\\fs40 Handbook}}\\par\\b\\fs28 1. Hours\\par\\plain {TEXT}\\par{{\\b bold}}\\par {TEXT}\\par{{\\b\\fs28 2. Leave\\par}}"
    );
    let document = read(&format!("{{\\rtf1{body}}}")).document;
    let sections: Vec<_> =
        document.sections.iter().map(|it| (it.level, it.title.as_str(), it.kind)).collect();
    let font = SectionKind::Font;
    assert_eq!(sections, [(1, "Handbook", font), (2, "1. Hours", font), (2, "2. Leave", font)]);
    assert!(document.text.contains("until they end.\n\nbold\n\nWords"), "{}", document.text);
    // Cells and items are none; real headings give the level.
    let body = format!(
        "{{\\outlinelevel1\\fs32 Real\\par}}\\pard {TEXT}\\par\\trowd\\intbl\\b\\fs28 A cell\\cell\\row\\pard\\plain\\b\\fs28 A heading below\\par\\plain {TEXT}\\par"
    );
    check(&body, &format!("## Real\n\n{TEXT}\n\n| A cell |\n\n### A heading below\n\n{TEXT}\n"));
}

#[test]
fn lists_nest_by_level_or_indentation() {
    let item = |level: &str, marker: &str, text: &str| {
        format!("\\pard{level}{{\\listtext {marker}\\tab}}{text}\\par")
    };
    let body = item("\\ls1", "1.", "a") + &item("\\ilvl1\\ls1", "a)", "b") + &item("\\ls1", "2.", "c");
    check(&body, "1. a\n   a) b\n2. c\n");
    let old = item("\\li360", "1.", "a") + &item("\\li720", "o", "b") + &item("\\li360", "2.", "c");
    check(&old.replace("listtext", "pntext"), "1. a\n   - b\n2. c\n");
    let typed = "\\pard\\li360\\fi-360 1.\\tx360\\tab a\\par\\pard\\li720\\fi-360\\bullet\\tab b\\par\\pard\\li360\\fi-360 2.\\tab c\\par\\pard 3.\\tab d\\par";
    check(typed, "1. a\n   - b\n2. c\n\n3. d\n");
    check("\\pard\\ls2 a\\par b\\par\\pard\\ls2{\\listtext\\tab}c\\par", "- a\n- b\n\nc\n");
}

#[test]
fn code_in_fonts_of_fixed_pitch_keeps_its_indentation() {
    let fonts = "{\\fonttbl{\\f0\\fswiss Arial;}{\\f1\\fmodern X;}{\\f2\\froman Courier New;}{\\f3\\fmodern\\fprq2 Y;}}";
    let body = format!(
        "{fonts}\\pard {TEXT}\\par{{\\f1 if a:\\line\n  b = 1\\par\\par\\f2\\tab c\\par}}the {{\\f1 b}} of it\\par\\f3 more\\par"
    );
    check(&body, &format!("{TEXT}\n\n```\nif a:\n  b = 1\n\n    c\n```\n\nthe b of it\n\nmore\n"));
    // A document that is typed.
    check(&format!("{fonts}\\pard\\f1 {TEXT}\\par a\\par"), &format!("{TEXT}\n\na\n"));
}

#[test]
fn what_is_not_text_goes() {
    check(
        "{\\header top}{\\*\\unknown gone}{\\pict 0102}{\\deleted old}new{\\field{\\*\\fldinst HYPERLINK \"x\"}{\\fldrslt link}}",
        "newlink\n",
    );
    check("a{\\footnote \\chftn note {\\b bold}}b\\par", "a[^1]b\n\n[^1]: note bold\n");
    check("\\bin5 {{{{{x", "x\n");
}

#[test]
fn raised_and_lowered_numbers_are_set_apart() {
    check("\\pard 10{\\super 6} cells, m{\\super 2}, 101{\\sub 2}\\par", "10^6 cells, m2, 101_2\n");
    check(
        "\\pard 10\\super -\\'32\\nosupersub  m, 2{\\up6 32} and 2{\\up0 32}\\par",
        "10^-2 m, 2^32 and 232\n",
    );
    check(
        "\\pard 7{\\super\\chftn}{\\footnote\\pard {\\super\\chftn} 10{\\super 6}}\\par",
        "7[^1]\n\n[^1]: 10^6\n",
    );
    check("\\pard 10{\\super\\plain 6}\\par", "106\n");
}

#[test]
fn characters_of_symbol_fonts_are_read() {
    let check = |body: &str, expected: &str| {
        let fonts = "{\\fonttbl{\\f0 A;}{\\f1\\fnil\\fcharset2{\\*\\panose 05}Symbol{\\*\\falt X};}{\\f2\\fcharset2 Wingdings;}}";
        check(&format!("{fonts}{body}"), expected);
    };
    check("{\\f1 a\\'b7\\u-3998?}a{\\f2\\'fc\\f0 b}\\f1 a\\plain a\\par", "α•βa✓bαa\n");
    check("{\\field{\\*\\fldinst SYMBOL 97 \\\\f \"Symbol\" \\\\s 11}{\\fldrslt\\f1 a}}b\\par", "αb\n");
    check(
        "{\\field{\\*\\fldinst PAGE}{\\fldrslt 7}}{\\field{\\*\\fldinst SYMBOL 98 \\\\f Symbol}}c\\par",
        "7βc\n",
    );
    check("{\\listtext\\f2\\'fe\\tab}done\\par{\\listtext\\f2 q\\tab}usual\\par", "- [x] done\n- usual\n");
    check("{\\stylesheet{\\s1\\f1 heading 1;}}\\s1\\f0 One\\par", "# One\n");
    let lost = read("{\\rtf1{\\fonttbl{\\f1 Symbol;}}x{\\f1\\'f0}\\par}");
    let message = "left out: 1 character of symbol fonts without a known counterpart in Unicode";
    assert_eq!(lost.warnings, [Warning::new(WarningKind::Unreadable, message)]);
}

#[test]
fn page_headers_and_footers_are_left_out_with_a_warning() {
    let warnings = |parts: &str| {
        let parsed = read(&format!("{{\\rtf1{parts}text\\par}}"));
        assert_eq!(parsed.document.text, "text\n");
        parsed.warnings
    };
    let number = "{\\footer\\pard - \\chpgn  / {\\field{\\*\\fldinst NUMPAGES}{\\fldrslt 9}}\\par}";
    assert_eq!(warnings(number), []);
    let message = "left out: 2 lines of page headers and footers (10 characters)";
    let header = "{\\header\\pard Top {\\b QX}\\par Date\\par{\\pict 00}}{\\headerf\\pard Date}";
    assert_eq!(warnings(&format!("{header}{number}")), [Warning::new(WarningKind::Dropped, message)]);
    // Properties of shapes are no words.
    assert_eq!(warnings("{\\shp{\\*\\shpinst{\\sp{\\sn fLine}{\\sv 0}}}}"), []);
}

#[test]
fn properties_become_metadata() {
    let parsed = read("{\\rtf1{\\info{\\title A \\'e9}{\\author Ann}{\\creatim\\yr2024\\mo1\\dy3\\hr12}}x}");
    assert_eq!(
        serde_json::json!(parsed.document.metadata),
        serde_json::json!({"title": "A é", "author": "Ann", "created": "2024-01-03T12:00:00"})
    );
}

#[test]
fn a_file_that_ends_early_is_read_as_far_as_it_goes() {
    let parsed = read("{\\rtf1 text {\\b more");
    assert_eq!(parsed.document.text, "text more\n");
    assert_eq!(parsed.warnings.len(), 1);
    let deep = format!("{{\\rtf1 {}x", "{".repeat(100_000));
    assert_eq!(read(&deep).document.text, "x\n");
}
