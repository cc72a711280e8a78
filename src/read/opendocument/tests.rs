use super::*;
use crate::content::Span;
use crate::read::package::tests::zip_of;
use crate::read::sheet::Calc;

fn package(content: &str) -> Blob {
    let meta = "<office:document-meta><office:meta><dc:title>Named</dc:title><meta:initial-creator>Ann</meta:initial-creator>\
                <dc:creator>Ben</dc:creator><meta:keyword>a</meta:keyword><meta:keyword>b</meta:keyword>\
                <dc:date>2024-01-03T12:00:00.5</dc:date></office:meta></office:document-meta>";
    let bytes = zip_of(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", content),
        ("meta.xml", meta),
    ]);
    Blob { uri: "a/t.odt".into(), bytes }
}

fn check(body: &str, expected: &str) {
    let styles = "<office:automatic-styles><style:style style:name='P1' style:parent-style-name='Title'/>\
                  <style:style style:name='P2' style:parent-style-name='Preformatted_20_Text'/>\
                  <text:list-style style:name='L1'><text:list-level-style-number text:level='1' style:num-format='1'/>\
                  <text:list-level-style-bullet text:level='2'/></text:list-style></office:automatic-styles>";
    let content = format!(
        "<office:document-content>{styles}<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    );
    let parsed = Text.read(&package(&content), &ReadOptions::default()).unwrap();
    assert_eq!(parsed.document.text.trim_end(), expected, "{body}");
}

#[test]
fn text_keeps_its_shape() {
    check(
        "<text:p text:style-name='P1'>T</text:p><text:h text:outline-level='2'>A  b</text:h><text:p>x<text:s text:c='2'/>y\n z<text:line-break/>w</text:p>",
        "# T\n\n## A b\n\nx y z\nw",
    );
    check(
        "<text:list text:style-name='L1'><text:list-item><text:p>a</text:p><text:list><text:list-item><text:p>b</text:p></text:list-item></text:list>\
           </text:list-item><text:list-item><text:p>c</text:p></text:list-item></text:list><text:p>end</text:p>",
        "1. a\n   - b\n2. c\n\nend",
    );
    check(
        "<text:p text:style-name='P2'>let a;</text:p><text:p text:style-name='P2'><text:s text:c='2'/>b</text:p>",
        "```\nlet a;\n  b\n```",
    );
    check(
        "<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell>\
           <table:table-cell><text:p>B</text:p></table:table-cell></table:table-row></table:table-header-rows>\
           <table:table-row><table:table-cell table:number-columns-spanned='2'><text:p>wide</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table>",
        "| A | B |\n| --- | --- |\n| wide | |",
    );
    check(
        "<table:table><table:table-row><table:table-cell><text:p>one</text:p><text:p>two</text:p></table:table-cell>\
           <table:table-cell><text:list><text:list-item><text:p>a</text:p></text:list-item><text:list-item><text:p>b</text:p>\
           </text:list-item></text:list></table:table-cell></table:table-row></table:table>",
        "| one; two | a; b |",
    );
}

#[test]
fn lists_go_on_as_they_say() {
    let styles = "<office:automatic-styles><style:style style:name='Code'/><text:list-style style:name='L'>\
         <text:list-level-style-number text:level='1' style:num-format='1' style:num-suffix='.'/>\
         <text:list-level-style-number text:level='2' style:num-format='a' style:num-suffix=')'/></text:list-style>\
         <text:list-style style:name='T'><text:list-level-style-bullet text:level='1' text:bullet-char='☑'/></text:list-style>\
         <text:list-style style:name='B'><text:list-level-style-bullet text:level='1' text:bullet-char=' '/></text:list-style>\
         </office:automatic-styles>";
    let check = |body: &str, expected: &str| {
        let content = format!(
            "<office:document-content>{styles}<office:body><office:text>{body}</office:text></office:body></office:document-content>"
        );
        let text = Text.read(&package(&content), &ReadOptions::default()).unwrap().document.text;
        assert_eq!(text.trim_end(), expected, "{body}");
    };
    let p = |text: &str| format!("<text:p>{text}</text:p>");
    let item = |content: &str| format!("<text:list-item>{content}</text:list-item>");
    let sub = |attributes: &str, items: &str| format!("<text:list {attributes}>{items}</text:list>");
    let list = |attributes: &str, items: &str| sub(&format!("text:style-name='L' {attributes}"), items);
    let two = item(&p("one")) + &item(&(p("two") + &sub("", &(item(&p("x")) + &item(&p("y"))))));
    let first = list("xml:id='l1'", &two);
    let after = |attributes: &str| format!("{first}{}{}", p("between"), list(attributes, &item(&p("next"))));
    let start = "1. one\n2. two\n   a) x\n   b) y\n\nbetween\n\n";
    check(&after(""), &format!("{start}1. next"));
    check(&after("text:continue-numbering='true'"), &format!("{start}3. next"));
    check(&after("text:continue-list='l1'"), &format!("{start}3. next"));
    check(&after("text:continue-list='l9'"), &format!("{start}1. next"));
    // A list that continues another is the same list, and one of another style may lie between.
    let go_on = |attributes: &str| list(attributes, &item(&p("next")));
    let chain = go_on("xml:id='l3' text:continue-numbering='true'") + &go_on("text:continue-list='l1'");
    check(
        &format!("{first}{chain}{}", go_on("text:continue-list='l3'")),
        "1. one\n2. two\n   a) x\n   b) y\n\n3. next\n\n4. next\n\n5. next",
    );
    let third = list("text:continue-list='l1' xml:id='l2'", &item(&p("next")));
    let other = sub("text:style-name='T'", &item(&p("done")));
    let fourth = list("text:continue-numbering='true'", &item(&p("last")));
    check(
        &format!("{first}{third}{other}{fourth}"),
        "1. one\n2. two\n   a) x\n   b) y\n\n3. next\n\n- [x] done\n\n4. last",
    );
    // A list that goes on below the first level has items without words around it.
    let deep =
        list("text:continue-numbering='true'", &item(&sub("text:continue-numbering='true'", &item(&p("z")))));
    check(&format!("{first}{}{deep}", p("between")), &format!("{start}c) z"));
    let restarted = item(&(p("one") + &sub("", &item(&p("x"))) + &p("more") + &sub("", &item(&p("x")))));
    check(&list("", &restarted), "1. one\n   a) x\n\n   more\n\n   a) x");
    check(&sub("text:style-name='B'", &item(&p("plain"))), "plain");
    let code = |text: &str| format!("<text:p text:style-name='Code'>{text}</text:p>");
    let lines = code("f:") + &code("<text:s text:c='2'/>x");
    check(
        &list("", &(item(&(p("run") + &lines)) + &item(&code("alone")))),
        "1. run\n\n```\nf:\n  x\n```\n\n2. alone",
    );
}

#[test]
fn page_headers_and_footers_are_left_out_with_a_warning() {
    let warnings = |parts: &str| {
        let content = "<office:document-content><office:body><office:text><text:p>x</text:p></office:text></office:body></office:document-content>";
        let styles = format!(
            "<office:document-styles><office:master-styles><style:master-page>{parts}</style:master-page></office:master-styles></office:document-styles>"
        );
        let bytes = zip_of(&[("content.xml", content), ("styles.xml", &styles)]);
        Text.read(&Blob { uri: "t.odt".into(), bytes }, &ReadOptions::default()).unwrap().warnings
    };
    let number = "<style:footer><text:p>– <text:page-number>3</text:page-number> –</text:p></style:footer>";
    assert_eq!(warnings(number), []);
    let named = number.replace("– <text", "Page <text").replace("> –<", "><");
    assert_eq!(warnings(&named), []);
    assert_eq!(
        warnings("<style:header><text:p><text:sheet-name>???</text:sheet-name></text:p></style:header>"),
        []
    );
    assert_eq!(warnings("<style:header style:display='false'><text:p>words</text:p></style:header>"), []);
    let header = "<style:header-first><table:table><table:table-cell><text:p>QX <text:span>77</text:span></text:p></table:table-cell></table:table></style:header-first>";
    let message = "left out: 1 line of page headers and footers (5 characters)";
    assert_eq!(warnings(&format!("{header}{number}")), [Warning::new(WarningKind::Dropped, message)]);
}

#[test]
fn headers_of_slides_and_sheets_are_left_out_with_a_warning() {
    let dropped = |n_chars: usize| {
        let message = format!("left out: 1 line of page headers and footers ({n_chars} characters)");
        vec![Warning::new(WarningKind::Dropped, message)]
    };
    let slides = "<office:document-content><office:body><office:presentation>\
        <presentation:footer-decl presentation:name='f'>Draft</presentation:footer-decl>\
        <draw:page><draw:frame><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame></draw:page>\
        </office:presentation></office:body></office:document-content>";
    let parsed = Presentation.read(&package(slides), &ReadOptions::default()).unwrap();
    assert_eq!(parsed.warnings, dropped(5));
    let sheet = "<office:document-content><office:body><office:spreadsheet><table:table table:name='S'><table:table-row>\
        <table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>\
        </office:document-content>";
    let styles = "<office:document-styles><office:master-styles><style:master-page><style:header><style:region-left>\
        <text:p>Budget</text:p></style:region-left></style:header></style:master-page></office:master-styles></office:document-styles>";
    let bytes = zip_of(&[("content.xml", sheet), ("styles.xml", styles)]);
    let blob = Blob { uri: "t.ods".into(), bytes };
    let parsed = Calc.read(&blob, &ReadOptions::default()).unwrap();
    assert_eq!(parsed.warnings, dropped(6));
}

#[test]
fn cells_show_what_they_have() {
    let sheet = "<office:document-content><office:body><office:spreadsheet><table:table table:name='S'><table:table-row>\
        <table:table-cell table:formula='of:=SUM([.B1:.B2])'/><table:table-cell office:value-type='float' office:value='3'/>\
        <table:table-cell office:value-type='percentage' office:value='0.25'><text:p>25%</text:p></table:table-cell>\
        <table:table-cell table:formula='of:=&quot;&quot;' office:value-type='string' office:string-value=''/></table:table-row></table:table>\
        </office:spreadsheet></office:body></office:document-content>";
    let parsed = Calc.read(&package(sheet), &ReadOptions::default()).unwrap();
    assert_eq!(parsed.document.text, "# S\n\n| =SUM(B1:B2) | 3 | 25% |\n");
    assert_eq!(parsed.warnings.iter().map(|it| it.kind).collect::<Vec<_>>(), [WarningKind::LeftOut]);
}

#[test]
fn notes_comments_and_boxes_are_kept_and_deletions_are_not() {
    check(
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>old</text:p></text:deletion></text:changed-region></text:tracked-changes>\
           <text:p>a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note>\
           <office:annotation><dc:creator>Ann</dc:creator><dc:date>2024</dc:date><text:p>why</text:p></office:annotation>\
           <draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame></text:p><text:h text:outline-level='1'>Next</text:h>",
        "a[^1]\n\nboxed\n\n[^1]: note\n\nComment (Ann): why\n\n# Next",
    );
}

#[test]
fn properties_have_our_names() {
    let content = "<office:document-content><office:body><office:text><text:p>x</text:p></office:text></office:body></office:document-content>";
    let document = Text.read(&package(content), &ReadOptions::default()).unwrap().document;
    assert_eq!(document.title, "Named");
    assert_eq!(
        serde_json::json!(document.metadata),
        serde_json::json!({"author": "Ann", "keywords": "a, b", "modified": "2024-01-03T12:00:00", "modified_by": "Ben", "title": "Named"})
    );
}

#[test]
fn slides_and_sheets_are_sections() {
    let slide = "<office:document-content><office:body><office:presentation><draw:page><draw:frame presentation:class='title'>\
        <draw:text-box><text:p>Plan</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:list><text:list-item><text:p>one</text:p>\
        </text:list-item></text:list></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>say</text:p>\
        </draw:text-box></draw:frame></presentation:notes></draw:page></office:presentation></office:body></office:document-content>";
    let document = Presentation.read(&package(slide), &ReadOptions::default()).unwrap().document;
    assert_eq!(document.text, "# Plan\n\n- one\n\nNotes: say\n");
    let list = "<text:list text:style-name='L'><text:list-item><text:p>a<text:span text:style-name='T'>1</text:span> 10<text:span \
        text:style-name='T'>6</text:span></text:p><text:list><text:list-item><text:p>b</text:p></text:list-item></text:list></text:list-item></text:list>";
    let slide = format!(
        "<office:document-content><office:automatic-styles><style:style style:name='T' style:family='text'><style:text-properties \
         style:text-position='super 58%'/></style:style><text:list-style style:name='L'><text:list-level-style-number text:level='1' \
         style:num-format='A' style:num-suffix=')'/></text:list-style></office:automatic-styles><office:body><office:presentation><draw:page>\
         <draw:frame><draw:text-box>{list}</draw:text-box></draw:frame></draw:page></office:presentation></office:body></office:document-content>"
    );
    let document = Presentation.read(&package(&slide), &ReadOptions::default()).unwrap().document;
    assert_eq!(document.text, "# Slide 1\n\nA) a1 10^6\n   - b\n");
    assert_eq!(document.location(Span::new(8, 10)).slides, Some((1, 1)));

    let sheet = "<office:document-content><office:body><office:spreadsheet><table:table table:name='S'>\
        <table:table-row table:number-rows-repeated='3'><table:table-cell table:number-columns-repeated='16384'/></table:table-row>\
        <table:table-row><table:table-cell/><table:table-cell office:value-type='date' office:date-value='2024-01-03'><text:p>03.01.24</text:p></table:table-cell>\
        <table:table-cell office:value-type='float' office:value='1.5'><text:p>1,50</text:p></table:table-cell></table:table-row>\
        <table:table-row table:number-rows-repeated='1048000'><table:table-cell/></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>";
    let document = Calc.read(&package(sheet), &ReadOptions::default()).unwrap().document;
    assert_eq!(document.text, "# S\n\n| 2024-01-03 | 1.5 |\n");
    let place = document.location(Span::new(5, 8));
    assert_eq!((place.sheet.as_deref(), place.rows), (Some("S"), Some((4, 4))));
}

#[test]
fn embedded_objects_are_counted_in_every_kind_of_file() {
    let check = |reader: &dyn Reader, body: &str, expected: &[&str]| {
        let content =
            format!("<office:document-content><office:body>{body}</office:body></office:document-content>");
        let warnings = reader.read(&package(&content), &ReadOptions::default()).unwrap().warnings;
        assert_eq!(warnings.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), expected, "{body}");
    };
    let object = "<draw:frame><draw:object/></draw:frame>";
    let expected = ["1 embedded objects left out, such as formulas and charts"];
    check(&Text, &format!("<office:text><text:p>a{object}</text:p></office:text>"), &expected);
    check(
        &Presentation,
        &format!("<office:presentation><draw:page>{object}</draw:page></office:presentation>"),
        &expected,
    );
    check(
        &Calc,
        &format!(
            "<office:spreadsheet><table:table table:name='S'><table:shapes>{object}</table:shapes><table:table-row>\
             <table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>"
        ),
        &expected,
    );
    check(&Text, "<office:text><text:p>a</text:p></office:text>", &[]);
}

#[test]
fn an_encrypted_document_is_refused_by_name() {
    let manifest = "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
    let bytes = zip_of(&[("META-INF/manifest.xml", manifest), ("content.xml", "garbage")]);
    let outcome = Text.read(&Blob { uri: "t.odt".into(), bytes }, &ReadOptions::default());
    let detail = "encrypted OpenDocument file".to_owned();
    assert_eq!(outcome.map(|_| ()), Err(ReadError::Locked { detail }));
}
