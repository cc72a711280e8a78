mod structure;

use super::*;
use crate::content::BlockKind;
use crate::read::package::tests::zip_of;

const RELS: &str = "<Relationships><Relationship Id='rId1' Type='http://x/relationships/officeDocument' \
                    Target='word/document.xml'/></Relationships>";

const DOCUMENT_RELS: &str = "<Relationships>
    <Relationship Id='r1' Type='http://x/relationships/styles' Target='styles.xml'/>
    <Relationship Id='r2' Type='http://x/relationships/numbering' Target='numbering.xml'/>
    <Relationship Id='r3' Type='http://x/relationships/footnotes' Target='footnotes.xml'/>
    <Relationship Id='r4' Type='http://x/relationships/comments' Target='comments.xml'/>
    <Relationship Id='r5' Type='http://x/relationships/chart' Target='charts/c.xml'/>
    <Relationship Id='r6' Type='http://x/relationships/hyperlink' Target='http://example.org' TargetMode='External'/>
    </Relationships>";

const STYLES: &str = "<w:styles>
    <w:style w:type='paragraph' w:styleId='1'><w:name w:val='heading 1'/></w:style>
    <w:style w:type='paragraph' w:styleId='2'><w:name w:val='heading 2'/></w:style>
    <w:style w:type='paragraph' w:styleId='T'><w:name w:val='Title'/></w:style>
    <w:style w:type='paragraph' w:styleId='C'><w:name w:val='Source Code'/></w:style>
    <w:style w:type='paragraph' w:styleId='Caption'><w:name w:val='caption'/></w:style>
    <w:style w:type='paragraph' w:styleId='Big'><w:name w:val='Mine'/><w:rPr><w:b/><w:sz w:val='28'/></w:rPr></w:style>
    <w:style w:type='character' w:styleId='Loud'><w:name w:val='loud'/><w:rPr><w:b/><w:sz w:val='14pt'/></w:rPr></w:style>
    <w:style w:type='paragraph' w:styleId='LB'><w:name w:val='List Bullet'/><w:pPr><w:numPr><w:numId w:val='99'/></w:numPr></w:pPr></w:style>
    <w:style w:type='paragraph' w:styleId='LB2'><w:name w:val='List Bullet 2'/><w:pPr><w:numPr><w:numId w:val='98'/></w:numPr></w:pPr></w:style>
    <w:style w:type='paragraph' w:styleId='LN3'><w:name w:val='List Number 3'/><w:pPr><w:numPr><w:numId w:val='5'/></w:numPr></w:pPr></w:style>
    </w:styles>";

const NUMBERING: &str = "<w:numbering><w:abstractNum w:abstractNumId='0'>
    <w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.'/></w:lvl>
    <w:lvl w:ilvl='1'><w:numFmt w:val='bullet'/><w:lvlText w:val='o'/></w:lvl></w:abstractNum>
    <w:abstractNum w:abstractNumId='1'><w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/><w:lvlText w:val='☐'/></w:lvl></w:abstractNum>
    <w:abstractNum w:abstractNumId='2'><w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/><w:lvlText w:val='☒'/></w:lvl></w:abstractNum>
    <w:abstractNum w:abstractNumId='3'><w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/><w:lvlText w:val=' '/></w:lvl></w:abstractNum>
    <w:num w:numId='5'><w:abstractNumId w:val='0'/></w:num><w:num w:numId='6'><w:abstractNumId w:val='1'/></w:num>
    <w:num w:numId='7'><w:abstractNumId w:val='2'/></w:num><w:num w:numId='8'><w:abstractNumId w:val='3'/></w:num></w:numbering>";

const FOOTNOTES: &str = "<w:footnotes><w:footnote w:type='separator' w:id='-1'><w:p/></w:footnote>
    <w:footnote w:id='2'><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space='preserve'> A note.</w:t></w:r></w:p>
    </w:footnote></w:footnotes>";

const COMMENTS: &str =
    "<w:comments><w:comment w:id='0' w:author='Ann'><w:p><w:r><w:t>Really?</w:t></w:r></w:p>
    </w:comment></w:comments>";

const CHART: &str = "<c:chartSpace><c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title><c:ser>
    <c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>2024</c:v></c:pt></c:strCache></c:strRef></c:tx>
    <c:cat><c:pt idx='0'><c:v>North</c:v></c:pt><c:pt idx='1'><c:v>South</c:v></c:pt></c:cat>
    <c:val><c:numRef><c:numCache><c:formatCode>0%</c:formatCode><c:pt idx='0'><c:v>0.25</c:v></c:pt></c:numCache>
    </c:numRef></c:val></c:ser></c:chart></c:chartSpace>";

fn docx(body: &str) -> Vec<u8> {
    zip_of(&[
        ("_rels/.rels", RELS),
        ("word/document.xml", &format!("<w:document><w:body>{body}</w:body></w:document>")),
        ("word/_rels/document.xml.rels", DOCUMENT_RELS),
        ("word/styles.xml", STYLES),
        ("word/numbering.xml", NUMBERING),
        ("word/footnotes.xml", FOOTNOTES),
        ("word/comments.xml", COMMENTS),
        ("word/charts/c.xml", CHART),
    ])
}

fn read(bytes: Vec<u8>) -> Result<Parsed, ReadError> {
    Word.read(&Blob { uri: "a/t.docx".into(), bytes }, &ReadOptions::default())
}

fn check(body: &str, expected: &str) {
    let parsed = read(docx(body)).unwrap();
    assert_eq!(parsed.document.text.trim_end(), expected, "{body}");
}

fn p(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn styled(style: &str, text: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

#[test]
fn paragraphs_of_a_cell_are_kept_apart() {
    let item = |text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val='0'/><w:numId w:val='5'/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let cell = |content: &str| format!("<w:tc>{content}</w:tc>");
    let broken = "<w:p><w:r><w:t>line</w:t><w:br/><w:t>break</w:t></w:r></w:p>";
    let row = |first: &str, second: &str| format!("<w:tr>{}{}</w:tr>", cell(first), cell(second));
    let body = row(&p("A"), &p("B"))
        + &row(&(p("Use:") + &item("x") + &item("y")), &(p("One.") + &p("") + broken + &p("end")));
    check(
        &format!("<w:tbl>{body}</w:tbl>"),
        "| A | B |\n| --- | --- |\n| Use: x; y | One. line break; end |",
    );
}

#[test]
fn raised_numbers_stay_apart_from_the_number_before() {
    let run = |text: &str| format!("<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>");
    let raised =
        |text: &str| format!("<w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>{text}</w:t></w:r>");
    let body = format!("<w:p>{}{}{}{}{}</w:p>", run("10"), raised("-1"), raised("2"), run(" m"), raised("2"));
    check(&body, "10^-12 m2");
}

#[test]
fn lowered_numbers_stay_apart_too() {
    let run = |height: &str, text: &str| {
        format!(
            "<w:r><w:rPr><w:vertAlign w:val='{height}'/></w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>"
        )
    };
    let body =
        run("baseline", "101") + &run("subscript", "2") + &run("baseline", " H") + &run("subscript", "2");
    check(&format!("<w:p>{body}</w:p>"), "101_2 H2");
}

#[test]
fn characters_of_symbol_fonts_are_read() {
    let of_font = |font: &str, text: &str| {
        format!("<w:r><w:rPr><w:rFonts w:ascii='{font}' w:hAnsi='{font}'/></w:rPr><w:t>{text}</w:t></w:r>")
    };
    let sym = |font: &str, code: &str| format!("<w:r><w:sym w:font='{font}' w:char='{code}'/></w:r>");
    let body =
        sym("Symbol", "F061") + &of_font("Symbol", "b") + &of_font("Arial", "b") + &sym("Wingdings", "FC");
    check(&format!("<w:p>{body}</w:p>"), "αβb✓");
    check(&format!("<w:p>{}{}</w:p>", sym("Arial", "2192"), of_font("Wingdings", "\u{F0E0}")), "→→");
    let field = |code: &str, result: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>{code}</w:instrText></w:r>{result}\
             <w:r><w:fldChar w:fldCharType='end'/></w:r>"
        )
    };
    let result = format!("<w:r><w:fldChar w:fldCharType='separate'/></w:r>{}", of_font("Symbol", "g"));
    let code = "SYMBOL 97 \\f \"Symbol\"";
    let simple = "<w:fldSimple w:instr='SYMBOL 0x64 \\f Symbol'/>";
    check(&format!("<w:p>{}{}{simple}</w:p>", field(code, ""), field(code, &result)), "αγδ");
    let lost = sym("Wingdings", "F0FF") + &of_font("Wingdings", "x\u{F0FF}") + &sym("Other", "F041");
    let parsed = read(docx(&format!("<w:p>{lost}</w:p>"))).unwrap();
    assert_eq!(parsed.document.text, "⌧\n");
    let message = "left out: 3 characters of symbol fonts without a known counterpart in Unicode";
    assert_eq!(parsed.warnings, [Warning::new(WarningKind::Unreadable, message)]);
}

#[test]
fn readings_follow_what_they_read() {
    let ruby = |reading: &str| {
        format!(
            "<w:p><w:r><w:ruby><w:rubyPr/><w:rt>{reading}</w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>"
        )
    };
    check(&ruby("<w:r><w:t>かんじ</w:t></w:r>"), "漢字(かんじ)");
    check(&ruby(""), "漢字");
}

#[test]
fn bullets_say_what_is_done_and_what_goes_on() {
    let item = |list: u8, text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val='0'/><w:numId w:val='{list}'/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    check(&(item(6, "todo") + &item(7, "done")), "- [ ] todo\n- [x] done");
    let body = item(5, "a") + &item(8, "more") + &item(5, "b") + &p("end") + &item(8, "alone");
    check(&body, "1. a\n\n   more\n\n2. b\n\nend\n\nalone");
}

#[test]
fn page_headers_and_footers_are_left_out_with_a_warning() {
    let read = |header: &str, footer: &str| {
        let relations = "<Relationships><Relationship Id='h' Type='x/header' Target='h.xml'/>\
                         <Relationship Id='f' Type='x/footer' Target='f.xml'/></Relationships>";
        let bytes = zip_of(&[
            ("_rels/.rels", RELS),
            ("word/document.xml", &format!("<w:document><w:body>{}</w:body></w:document>", p("body"))),
            ("word/_rels/document.xml.rels", relations),
            ("word/h.xml", &format!("<w:hdr>{header}</w:hdr>")),
            ("word/f.xml", &format!("<w:ftr>{footer}</w:ftr>")),
        ]);
        let parsed = read(bytes).unwrap();
        assert_eq!(parsed.document.text, "body\n");
        parsed.warnings
    };
    let field = "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>\
                 <w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>7</w:t></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r>";
    let simple = "<w:fldSimple w:instr='NUMPAGES'><w:r><w:t>9</w:t></w:r></w:fldSimple>";
    let numbers = format!("<w:p>{field}<w:r><w:t> / </w:t></w:r>{simple}</w:p>");
    assert_eq!(read(&numbers, ""), []);
    let message = "left out: 2 lines of page headers and footers (17 characters)";
    let expected = [Warning::new(WarningKind::Dropped, message)];
    assert_eq!(read(&p("Number QX-77"), &(numbers + &p("Inc 1") + &p("Number QX-77"))), expected);
}

#[test]
fn headings_open_sections() {
    let body =
        styled("T", "Report") + &styled("1", "One") + &p("words") + &styled("2", "Two") + &styled("1", " ");
    let document = read(docx(&body)).unwrap().document;
    assert_eq!(document.text, "# Report\n\n# One\n\nwords\n\n## Two\n");
    assert_eq!(document.title, "Report");
    let depths: Vec<_> = document.sections.iter().map(|it| (it.title.as_str(), it.depth)).collect();
    assert_eq!(depths, [("Report", 1), ("One", 1), ("Two", 2)]);
}

#[test]
fn runs_become_running_text() {
    check(
        "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:br w:type='page'/><w:noBreakHyphen/></w:r>\
         <w:hyperlink r:id='r6'><w:r><w:t> link</w:t></w:r></w:hyperlink></w:p>",
        "a b\nc- link",
    );
    check(
        "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>REF x</w:instrText></w:r>\
         <w:r><w:t>code</w:t></w:r><w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>result</w:t></w:r>\
         <w:r><w:fldChar w:fldCharType='end'/></w:r><w:r><w:t> after</w:t></w:r></w:p>",
        "result after",
    );
    check(
        "<w:p><w:sdt><w:sdtPr><w:alias/></w:sdtPr><w:sdtContent><w:r><w:t>control</w:t></w:r></w:sdtContent></w:sdt></w:p>",
        "control",
    );
    check(
        "<w:p><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b+1</m:t></m:r></m:den></m:f></m:oMath></w:p>",
        "a/(b+1)",
    );
}

#[test]
fn tracked_changes_are_read_as_accepted() {
    check(
        "<w:p><w:r><w:t>keep </w:t></w:r><w:del><w:r><w:delText>old</w:delText></w:r></w:del>\
         <w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom></w:p>",
        "keep new",
    );
    let joined = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>one </w:t></w:r></w:p>";
    check(&format!("{joined}{}", p("line")), "one line");
    check(&format!("{joined}{joined}"), "one one");
    check(
        &format!(
            "<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr><w:tr><w:trPr><w:del/></w:trPr><w:tc>{0}</w:tc></w:tr></w:tbl>",
            p("a"),
            p("b")
        ),
        "| a | b |",
    );
}

#[test]
fn lists_have_the_numbers_that_word_shows() {
    let item = |level: u8, text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='5'/></w:numPr></w:pPr>\
             <w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let body = item(0, "a") + &item(1, "b") + &item(0, "c") + &p("end");
    check(&body, "1. a\n   - b\n2. c\n\nend");
}

#[test]
fn tables_are_rows_of_pipes() {
    let cell =
        |properties: &str, text: &str| format!("<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>", p(text));
    let rows = format!(
        "<w:tr>{}{}{}</w:tr><w:tr>{}{}</w:tr><w:tr>{}{}{}</w:tr>",
        cell("", "A"),
        cell("", "B"),
        cell("", "C"),
        cell("<w:vMerge w:val='restart'/>", "tall"),
        cell("<w:gridSpan w:val='2'/>", "wide | bar"),
        cell("<w:vMerge/>", ""),
        cell("", "x"),
        cell("", "y"),
    );
    check(
        &format!("<w:tbl>{rows}</w:tbl>"),
        "| A | B | C |\n| --- | --- | --- |\n| tall | wide \\| bar | |\n| | x | y |",
    );
    let look = "<w:tblPr><w:tblLook w:firstRow='0'/></w:tblPr>";
    let document = read(docx(&format!("<w:tbl>{look}{rows}</w:tbl>"))).unwrap().document;
    let BlockKind::Table { header } = document.blocks[0].kind else { panic!("no table") };
    assert!(header.is_empty());
}

#[test]
fn tables_for_layout_are_read_as_text() {
    check(&format!("<w:tbl><w:tr><w:tc>{}{}</w:tc></w:tr></w:tbl>", p("a"), p("b")), "a\n\nb");
    let body =
        format!("<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>", styled("1", "Head"), p("side"));
    check(&body, "# Head\n\nside");
}

#[test]
fn notes_and_comments_end_their_section() {
    let body = "<w:p><w:r><w:t>Claim</w:t><w:footnoteReference w:id='2'/></w:r><w:r><w:commentReference w:id='0'/></w:r></w:p>";
    check(
        &format!("{body}{}{}", p("more"), styled("1", "Next")),
        "Claim[^1]\n\nmore\n\n[^1]: A note.\n\nComment (Ann): Really?\n\n# Next",
    );
}

#[test]
fn boxes_pictures_and_charts_keep_their_words() {
    let shape = "<mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p>\
                 </w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent><w:p><w:r>\
                 <w:t>boxed</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent>";
    check(&format!("<w:p><w:r><w:t>text</w:t>{shape}</w:r></w:p>"), "text\n\nboxed");
    let picture =
        |alt: &str| format!("<w:p><w:r><w:drawing><wp:docPr descr='{alt}'/></w:drawing></w:r></w:p>");
    check(&picture("A red bridge"), "A red bridge");
    check(&picture("image1.png"), "");
    check(
        "<w:p><w:r><w:drawing><c:chart r:id='r5'/></w:drawing></w:r></w:p>",
        "Sales\n\n| | 2024 |\n| --- | --- |\n| North | 25% |\n| South | |",
    );
}

#[test]
fn code_styles_make_one_block() {
    let body = styled("C", "fn a() {") + &styled("C", "}") + &p("text");
    check(&body, "```\nfn a() {\n}\n```\n\ntext");
}

#[test]
fn damaged_files_give_what_they_have() {
    let bytes = zip_of(&[("word/document.xml", "<w:document><w:body><w:p><w:r><w:t>half</w:t></w:r>")]);
    let parsed = read(bytes).unwrap();
    assert_eq!(parsed.document.text, "half\n");
    assert_eq!(parsed.warnings.len(), 1);
    for bytes in [
        b"PK\x03\x04".to_vec(),
        b"plain".to_vec(),
        zip_of(&[("a", "b")]),
        zip_of(&[("word/document.xml", "")]),
    ] {
        assert!(matches!(read(bytes), Err(ReadError::Damaged { .. })));
    }
}

#[test]
fn deep_nesting_is_read_without_overflow() {
    let deep = |tag: &str| {
        format!("{}{}{}", format!("<{tag}>").repeat(20_000), p("deep"), format!("</{tag}>").repeat(20_000))
    };
    for tag in ["w:sdt", "w:tbl", "w:p", "m:f"] {
        let parsed = read(docx(&deep(tag))).unwrap();
        assert!(!parsed.warnings.is_empty());
    }
}

proptest::proptest! {
    #[test]
    fn any_tree_of_known_elements_is_read(
        tags in proptest::collection::vec(0..TAGS.len() * 2, 0..60),
    ) {
        let mut body = String::new();
        let mut open = Vec::new();
        for (at, tag) in tags.into_iter().enumerate() {
            if let Some(name) = TAGS.get(tag) {
                body.push_str(&format!("<w:{name} w:val='1' w:id='2' w:fldCharType='begin'>w{at}"));
                open.push(*name);
            } else if let Some(name) = open.pop() {
                body.push_str(&format!("</w:{name}>"));
            }
        }
        while let Some(name) = open.pop() {
            body.push_str(&format!("</w:{name}>"));
        }
        let document = read(docx(&body)).unwrap().document;
        let mut last = 0;
        for block in &document.blocks {
            proptest::prop_assert!(block.span.start >= last && document.text.get(block.span.start..block.span.end).is_some());
            last = block.span.end;
        }
    }
}

const TAGS: [&str; 18] = [
    "p",
    "r",
    "t",
    "tbl",
    "tr",
    "tc",
    "sdt",
    "sdtContent",
    "ins",
    "del",
    "pPr",
    "pStyle",
    "numPr",
    "footnoteReference",
    "fldChar",
    "txbxContent",
    "drawing",
    "br",
];
