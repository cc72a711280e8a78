use super::*;
use crate::content::Span;
use crate::read::package::tests::zip_of;

fn shape(kind: &str, paragraphs: &[&str]) -> String {
    let paragraphs: String = paragraphs
        .iter()
        .map(|it| {
            let (level, text) = it.split_once('>').unwrap_or(("0", it));
            format!("<a:p><a:pPr lvl='{level}'/><a:r><a:t>{text}</a:t></a:r></a:p>")
        })
        .collect();
    let placeholder = if kind == "-" { String::new() } else { format!("<p:ph type='{kind}'/>") };
    format!(
        "<p:sp><p:nvSpPr><p:cNvPr/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr><p:txBody>{paragraphs}</p:txBody></p:sp>"
    )
}

fn slide(attributes: &str, shapes: &str) -> String {
    format!("<p:sld {attributes}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>")
}

fn read(slides: &[String]) -> Parsed {
    let list: String = (1..=slides.len()).map(|n| format!("<p:sldId id='{n}' r:id='r{n}'/>")).collect();
    let relations: String = (1..=slides.len())
        .map(|n| format!("<Relationship Id='r{n}' Type='x/slide' Target='slides/slide{n}.xml'/>"))
        .collect();
    let mut parts = vec![
        (
            "_rels/.rels".to_owned(),
            "<Relationships><Relationship Id='a' Type='x/officeDocument' Target='ppt/presentation.xml'/></Relationships>"
                .to_owned(),
        ),
        ("ppt/presentation.xml".into(), format!("<p:presentation><p:sldIdLst>{list}</p:sldIdLst></p:presentation>")),
        ("ppt/_rels/presentation.xml.rels".into(), format!("<Relationships>{relations}</Relationships>")),
        (
            "ppt/slides/_rels/slide1.xml.rels".into(),
            "<Relationships><Relationship Id='n' Type='x/notesSlide' Target='../notesSlides/n.xml'/></Relationships>".into(),
        ),
        ("ppt/notesSlides/n.xml".into(), slide("", &(shape("sldNum", &["1"]) + &shape("body", &["say this"])))),
    ];
    parts.extend(
        slides.iter().enumerate().map(|(at, it)| (format!("ppt/slides/slide{}.xml", at + 1), it.clone())),
    );
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let blob = Blob { uri: "a/t.pptx".into(), bytes: zip_of(&parts) };
    Slides.read(&blob, &ReadOptions::default()).unwrap()
}

#[test]
fn each_slide_is_a_section_with_its_notes() {
    let first =
        shape("body", &["one", "1>two", "three"]) + &shape("title", &["Plan"]) + &shape("ftr", &["footer"]);
    let table = "<p:graphicFrame><a:tbl><a:tblPr firstRow='1'/><a:tr><a:tc><a:txBody><a:p><a:r><a:t>A</a:t></a:r></a:p>\
                 </a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody><a:p><a:r><a:t>1</a:t></a:r></a:p><a:p><a:r><a:t>2</a:t></a:r></a:p></a:txBody></a:tc></a:tr>\
                 </a:tbl></p:graphicFrame>";
    let second = format!("<p:grpSp>{}</p:grpSp>{table}", shape("-", &["free text"]));
    let parsed = read(&[slide("", &first), slide("show='0'", &second), slide("", "<p:pic/>")]);
    let document = &parsed.document;
    assert_eq!(
        document.text,
        "# Plan\n\n- one\n  - two\n- three\n\nNotes: say this\n\n# Slide 2\n\nfree text\n\n| A |\n| --- |\n| 1; 2 |\n"
    );
    let at = document.text.find("free").unwrap();
    assert_eq!(document.location(Span::new(at, at + 4)).slides, Some((2, 2)));
    assert_eq!(document.location(Span::new(0, at + 4)).slides, Some((1, 2)));
    let warnings: Vec<&str> = parsed.warnings.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(
        warnings,
        [
            "slide 2 hidden in the show, read all the same",
            "slide 3 without text: pictures only",
            "left out: 1 line of page headers and footers (6 characters)"
        ]
    );
}

#[test]
fn formulas_raised_numbers_and_lists_keep_their_form() {
    let paragraph = |properties: &str, text: &str| format!("<a:p><a:pPr>{properties}</a:pPr>{text}</a:p>");
    let run = |properties: &str, text: &str| format!("<a:r><a:rPr {properties}/><a:t>{text}</a:t></a:r>");
    let item = |properties: &str, text: &str| paragraph(properties, &run("", text));
    let number = |kind: &str, text: &str| item(&format!("<a:buAutoNum type='{kind}'/>"), text);
    let formula = "<a14:m><m:oMathPara><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den>\
                   </m:f></m:oMath></m:oMathPara></a14:m>";
    let body = paragraph("", formula)
        + &paragraph("", &(run("", "10") + &run("baseline='30000'", "6")))
        + &number("arabicPeriod", "one")
        + &number("arabicPeriod", "two")
        + &number("alphaLcParenR", "alpha")
        + &number("alphaLcParenR", "beta")
        + &item("<a:buChar char='☐'/>", "todo")
        + &item("<a:buFont typeface='Wingdings'/><a:buChar char='þ'/>", "done")
        + &item("<a:buFont typeface='Wingdings'/><a:buChar char='§'/>", "usual");
    let shape = format!("<p:sp><p:nvSpPr><p:cNvPr/><p:nvPr/></p:nvSpPr><p:txBody>{body}</p:txBody></p:sp>");
    let expected = "# Slide 1\n\na/b\n\n10^6\n\n1. one\n2. two\n\na) alpha\nb) beta\n- [ ] todo\n- [x] done\n- usual\n\n\
                    Notes: say this\n";
    assert_eq!(read(&[slide("", &shape)]).document.text, expected);
}

#[test]
fn shapes_are_read_by_rows_and_code_keeps_its_indentation() {
    let place =
        |x: u32, y: u32| format!("<a:xfrm><a:off x='{x}' y='{y}'/><a:ext cx='900000' cy='900000'/></a:xfrm>");
    let placed = |x: u32, y: u32, text: &str| {
        shape("-", &[text]).replace("<p:txBody>", &format!("<p:spPr>{}</p:spPr><p:txBody>", place(x, y)))
    };
    let group = format!(
        "<p:grpSp><p:grpSpPr>{}</p:grpSpPr>{}{}</p:grpSp>",
        place(0, 2_000_000),
        placed(50, 0, "group right"),
        placed(0, 0, "group left")
    );
    let body = placed(5_000_000, 1_000_000, "right")
        + &placed(0, 1_000_000, "left")
        + &group
        + &shape("body", &["body"])
        + &placed(0, 0, "top");
    let code = "<a:r><a:rPr><a:latin typeface='Consolas'/></a:rPr><a:t>if a:\n  b</a:t></a:r>";
    let last = "<a:r><a:rPr><a:latin typeface='Consolas'/></a:rPr><a:t>    c</a:t></a:r>";
    let code = format!(
        "<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody><a:p>{code}</a:p><a:p>{last}</a:p><a:p><a:r><a:t>end</a:t></a:r>{last}</a:p></p:txBody></p:sp>"
    );
    let text = read(&[slide("", &(shape("title", &["T"]) + &body)), slide("", &code)]).document.text;
    let first = "# T\n\ntop\n\nleft\n\nright\n\nbody\n\ngroup left\n\ngroup right\n\nNotes: say this\n\n";
    assert_eq!(text, format!("{first}# Slide 2\n\n```\nif a:\n  b\n    c\n```\n\nend c\n"));
}

#[test]
fn a_missing_slide_costs_that_slide_only() {
    let parsed = read(&[slide("", &shape("title", &["A"])), "no xml".to_owned()]);
    assert_eq!(parsed.document.text, "# A\n\nNotes: say this\n");
}
