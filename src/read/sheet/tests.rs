use super::*;
use crate::content::Span;
use crate::read::package::tests::zip_of;

const RELS: &str =
    "<Relationships><Relationship Id='a' Type='x/officeDocument' Target='xl/workbook.xml'/></Relationships>";

const WORKBOOK: &str = "<workbook><sheets><sheet name='Data' r:id='r1'/><sheet name='Aside' state='hidden' r:id='r2'/>\
    <sheet name='Gone' r:id='r9'/></sheets></workbook>";

const WORKBOOK_RELS: &str = "<Relationships><Relationship Id='r1' Type='x/worksheet' Target='worksheets/s1.xml'/>\
    <Relationship Id='r2' Type='x/worksheet' Target='/xl/worksheets/s2.xml'/>\
    <Relationship Id='s' Type='x/styles' Target='styles.xml'/>\
    <Relationship Id='t' Type='x/sharedStrings' Target='strings.xml'/></Relationships>";

const STYLES: &str = "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='dd.mm.yyyy'/></numFmts>\
    <cellXfs><xf numFmtId='0'/><xf numFmtId='164'/></cellXfs></styleSheet>";

const STRINGS: &str = "<sst><si><t>Name</t></si><si><r><t>R</t></r><r><t xml:space='preserve'>ich </t></r><rPh><t>x</t></rPh></si></sst>";

fn read(sheet: &str) -> Parsed {
    let bytes = zip_of(&[
        ("_rels/.rels", RELS),
        ("xl/workbook.xml", WORKBOOK),
        ("xl/_rels/workbook.xml.rels", WORKBOOK_RELS),
        ("xl/styles.xml", STYLES),
        ("xl/strings.xml", STRINGS),
        ("xl/worksheets/s1.xml", &format!("<worksheet><sheetData>{sheet}</sheetData></worksheet>")),
        (
            "xl/worksheets/s2.xml",
            "<worksheet><sheetData><row><c t='inlineStr'><is><t>in line</t></is></c></row></sheetData></worksheet>",
        ),
    ]);
    Workbook.read(&Blob { uri: "a/b.xlsx".into(), bytes }, &ReadOptions::default()).unwrap()
}

#[test]
fn cells_show_their_values() {
    let parsed = read(
        "<row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c><c r='C1' t='s'><v>99</v></c></row>\
         <row r='2'><c r='A2' s='1'><v>45294</v></c><c r='B2' t='b'><v>1</v></c></row>\
         <row r='3'><c r='B3' t='str'><f>A1&amp;B1</f><v>a &lt; b</v></c><c t='e'><v>#N/A</v></c></row>",
    );
    let document = &parsed.document;
    assert_eq!(
        document.text,
        "# Data\n\n| Name | Rich | |\n| --- | --- | --- |\n| 2024-01-03 | TRUE | |\n| | a < b | #N/A |\n\n# Aside\n\nin line\n"
    );
    assert_eq!(document.title, "b.xlsx");
    let at = document.text.find("2024").unwrap();
    let place = document.location(Span::new(at, document.text.find("#N/A").unwrap()));
    assert_eq!((place.sheet.as_deref(), place.rows), (Some("Data"), Some((2, 3))));
    let whole = document.location(Span::new(0, document.text.len()));
    assert_eq!((whole.sheet.as_deref(), whole.rows), (Some("Data"), None));
    let warnings: Vec<&str> = parsed.warnings.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(warnings, ["hidden sheets, read all the same: 'Aside'"]);
}

#[test]
fn page_headers_are_left_out_with_a_warning() {
    let parsed = read(
        "<row><c t='str'><v>a</v></c></row></sheetData><headerFooter><oddHeader>&amp;L&amp;&quot;Arial&quot;Budget</oddHeader>\
         <oddFooter>&amp;CBudget&amp;R&amp;P</oddFooter></headerFooter><sheetData>",
    );
    assert!(!parsed.document.text.contains("Budget"));
    let warnings: Vec<&str> = parsed.warnings.iter().map(|it| it.message.as_str()).collect();
    assert!(
        warnings.contains(&"left out: 1 line of page headers and footers (6 characters)"),
        "{warnings:?}"
    );
}

#[test]
fn formulas_without_a_value_show_themselves() {
    let parsed = read(
        "<row r='1'><c r='A1'><f>SUM(B2:B3)</f><v></v></c><c r='B1'><f>1+1</f><v>2</v></c><c r='C1' t='str'><f>\"\"</f><v></v></c></row>\
         <row r='2'><c r='A2'><f t='shared' ref='A2:B3' si='0'>_xlfn.SUM(A$1,C1)</f></c><c r='B2'><f t='shared' si='0'/></c></row>\
         <row r='3'><c r='A3'><f t='shared' si='0'/><v/></c><c r='B3'><f t='shared' si='9'/></c><c r='C3' t='b'><f>A1</f></c></row>",
    );
    let expected = "| =SUM(B2:B3) | 2 | |\n| --- | --- | --- |\n| =SUM(A$1,C1) | =SUM(B$1,D1) | |\n| =SUM(A$1,C2) | | =A1 |\n";
    assert!(parsed.document.text.contains(expected), "{}", parsed.document.text);
    let message = "sheet 'Data': 6 formulas have no stored value, the formula is shown instead; a spreadsheet program stores the \
                   values when it saves the file";
    assert!(parsed.warnings.contains(&Warning::new(WarningKind::LeftOut, message)), "{:?}", parsed.warnings);
}

#[test]
fn charts_are_read_in_sheets_and_as_sheets() {
    let chart = |title: &str| {
        format!(
            "<chartSpace><chart><title><tx>{title}</tx></title><plotArea><barChart><ser><val><numRef><f>S!B4</f></numRef></val></ser>\
             </barChart><valAx><title><a:p><a:r><a:t>Cost</a:t></a:r></a:p></title></valAx></plotArea></chart></chartSpace>"
        )
    };
    let own = chart("<rich><a:p><a:r><a:t>Zebra</a:t></a:r></a:p></rich>");
    let of_cell = chart("<strRef><f>S!A1</f><strCache><pt idx='0'><v>Giraffe</v></pt></strCache></strRef>");
    let drawing = "<wsDr><graphicFrame><c:chart r:id='r1'/></graphicFrame><sp><txBody><a:p><a:r><a:t>box</a:t></a:r></a:p></txBody></sp></wsDr>";
    let relation = |kind: &str, target: &str| {
        format!("<Relationships><Relationship Id='r1' Type='x/{kind}' Target='{target}'/></Relationships>")
    };
    let bytes = zip_of(&[
        ("_rels/.rels", RELS),
        (
            "xl/workbook.xml",
            "<workbook><sheets><sheet name='S' r:id='a'/><sheet name='Diagram' r:id='b'/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id='a' Type='x/worksheet' Target='worksheets/s.xml'/>\
             <Relationship Id='b' Type='x/chartsheet' Target='chartsheets/c.xml'/></Relationships>",
        ),
        ("xl/worksheets/s.xml", "<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>"),
        ("xl/worksheets/_rels/s.xml.rels", &relation("drawing", "../drawings/d1.xml")),
        ("xl/chartsheets/c.xml", "<chartsheet><drawing r:id='r1'/></chartsheet>"),
        ("xl/chartsheets/_rels/c.xml.rels", &relation("drawing", "../drawings/d2.xml")),
        ("xl/drawings/d1.xml", drawing),
        ("xl/drawings/_rels/d1.xml.rels", &relation("chart", "../charts/c1.xml")),
        ("xl/drawings/d2.xml", drawing),
        ("xl/drawings/_rels/d2.xml.rels", &relation("chart", "../charts/c2.xml")),
        ("xl/charts/c1.xml", &own),
        ("xl/charts/c2.xml", &of_cell),
    ]);
    let parsed = Workbook.read(&Blob { uri: "a/b.xlsx".into(), bytes }, &ReadOptions::default()).unwrap();
    let expected = "# S\n\n1\n\nZebra\n\nAxes: Cost\n\nbox\n\n# Diagram\n\nGiraffe\n\nAxes: Cost\n\nbox\n";
    assert_eq!((parsed.document.text.as_str(), parsed.warnings.as_slice()), (expected, [].as_slice()));
}

#[test]
fn far_cells_cost_nothing() {
    let parsed = read(
        "<row r='1'><c r='A1'><v>1</v></c><c r='XFD1'><v>2</v></c></row><row r='1048576'><c r='XFD1048576'><v>3</v></c></row>",
    );
    assert!(parsed.document.text.starts_with("# Data\n\n| 1 | 2 |\n\n3\n"));
}

#[test]
fn a_sheet_that_ends_early_is_read_as_far_as_it_goes() {
    let parsed = read("<row r='1'><c r='A1'><v>1</v></c><c r='B1'><v>2</v></c><c r='C1'><v");
    assert!(parsed.document.text.contains("| 1 | 2 |"), "{}", parsed.document.text);
    assert!(parsed.warnings.iter().any(|it| it.kind == WarningKind::Damaged));
}

#[test]
fn delimited_text_is_one_table_with_lines() {
    let read = |uri: &str, bytes: &[u8]| {
        Delimited
            .read(&Blob { uri: uri.into(), bytes: bytes.to_vec() }, &ReadOptions::default())
            .unwrap()
            .document
    };
    let document = read("a/b.csv", b"k;v\n1;\"two\nlines\"\n\n3;x|y\n");
    assert_eq!(document.text, "| k | v |\n| --- | --- |\n| 1 | two lines |\n| 3 | x\\|y |\n");
    let at = document.text.find("3").unwrap();
    assert_eq!(document.location(Span::new(at, at + 1)).lines, Some((5, 5)));
    // A CSV from Windows in Japanese (markitdown#18).
    let (bytes, _, _) = encoding_rs::SHIFT_JIS.encode("名前,住所\n山田太郎,東京都千代田区\n");
    assert!(read("a/b.csv", &bytes).text.contains("| 山田太郎 | 東京都千代田区 |"));
    assert_eq!(read("a/b.tsv", b"a\tb\n").text, "| a | b |\n");
    assert_eq!(read("a/b.csv", b"").text, "");
}

proptest::proptest! {
    #[test]
    fn every_word_of_delimited_text_is_kept(text in "[a-c,;\t|\"\n ]{0,60}") {
        let blob = Blob { uri: "t.csv".into(), bytes: text.clone().into_bytes() };
        let document = Delimited.read(&blob, &ReadOptions::default()).unwrap().document;
        let letters = |text: &str| text.chars().filter(|c| c.is_ascii_lowercase()).count();
        proptest::prop_assert_eq!(letters(&document.text), letters(&text));
    }
}
