//! Headings by their looks, lists in lists by their styles, tables in tables.

use super::*;
use crate::content::SectionKind;

const TEXT: &str = "Words of the text that go on and on, for a line or two, until they end.";

/// A paragraph of one run with these properties.
fn run(properties: &str, text: &str) -> String {
    format!("<w:p><w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r></w:p>")
}

#[test]
fn bold_and_larger_paragraphs_open_sections() {
    let (large, larger) = ("<w:b/><w:sz w:val='28'/>", "<w:b w:val='1'/><w:sz w:val='40'/>");
    let sections = |body: &str| -> Vec<(u8, String, SectionKind)> {
        let sections = read(docx(body)).unwrap().document.sections;
        sections.into_iter().map(|it| (it.level, it.title, it.kind)).collect()
    };
    let font = |level: u8, title: &str| (level, title.to_owned(), SectionKind::Font);
    let body =
        run(larger, "Handbook") + &run(large, "1. Hours") + &p(TEXT) + &run(large, "2. Leave") + &p(TEXT);
    assert_eq!(sections(&body), [font(1, "Handbook"), font(2, "1. Hours"), font(2, "2. Leave")]);
    check(
        &(run(large, "Hours") + &p(TEXT) + &run("<w:b/>", "Bold") + &p(TEXT)),
        &format!("# Hours\n\n{TEXT}\n\nBold\n\n{TEXT}"),
    );
    // The look of a style, of its characters or its paragraphs; one run that is not bold.
    let styled =
        |style: &str, runs: &str| format!("<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr>{runs}</w:p>");
    let plain = "<w:r><w:t>Big</w:t></w:r>";
    let of_characters = "<w:r><w:rPr><w:rStyle w:val='Loud'/></w:rPr><w:t>Loud</w:t></w:r>";
    let off = "<w:r><w:rPr><w:b w:val='0'/></w:rPr><w:t>thin</w:t></w:r>";
    let body = styled("Big", plain)
        + &p(TEXT)
        + &styled("None", of_characters)
        + &p(TEXT)
        + &styled("Big", &format!("{plain}{off}"))
        + &p(TEXT);
    assert_eq!(sections(&body), [font(1, "Big"), font(1, "Loud")]);
    // Real headings give the level; cells, items and captions are no headings.
    let real = |level: &str| {
        format!(
            "<w:p><w:pPr><w:pStyle w:val='{level}'/></w:pPr><w:r><w:rPr><w:sz w:val='32'/></w:rPr><w:t>Real</w:t></w:r></w:p>"
        )
    };
    let cell = format!("<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>", run(large, "Cell"));
    let item =
        run(large, "Item").replace("<w:p>", "<w:p><w:pPr><w:numPr><w:numId w:val='5'/></w:numPr></w:pPr>");
    let caption = run(large, "Caption").replace("<w:p>", "<w:p><w:pPr><w:pStyle w:val='Caption'/></w:pPr>");
    let body = real("2")
        + &p(TEXT)
        + &cell
        + &item
        + &caption
        + &run(large, "Below the real one")
        + &p(TEXT)
        + &run(larger, "Above");
    let heading = (2, "Real".to_owned(), SectionKind::Heading);
    assert_eq!(sections(&body), [heading, font(3, "Below the real one"), font(1, "Above")]);
}

#[test]
fn styles_of_lists_nest() {
    let body = styled("LB", "Fruit")
        + &styled("LB2", "apple")
        + &styled("LN3", "red")
        + &styled("LN3", "green")
        + &styled("LB", "Bread");
    check(&body, "- Fruit\n  - apple\n    1. red\n    2. green\n- Bread");
    check(&(styled("LB2", "a") + &styled("LB2", "b") + &p("end")), "- a\n- b\n\nend");
}

#[test]
fn a_table_in_a_cell_of_values_is_text() {
    let row = |cells: &[&str]| {
        let cells: String = cells.iter().map(|it| format!("<w:tc>{it}</w:tc>")).collect();
        format!("<w:tr>{cells}</w:tr>")
    };
    let table = |rows: &[String]| format!("<w:tbl>{}</w:tbl>", rows.concat());
    let (a, b) = (p("a"), p("b"));
    let nested = p("") + &table(&[row(&[&p("5 %"), &p("10 days")])]) + &p("");
    let head = row(&[&p("Item"), &p("Terms")]);
    check(
        &table(&[head.clone(), row(&[&a, &nested])]),
        "| Item | Terms |\n| --- | --- |\n| a | 5 %; 10 days |",
    );
    // Tables beside each other, and one that is all there is.
    check(&table(&[row(&[&nested, &nested])]), "| 5 % | 10 days |\n\n| 5 % | 10 days |");
    let large = table(&[row(&[&a, &b]), row(&[&b, &a]), row(&[&a, &a])]);
    check(
        &table(&[head, row(&[&a, &large])]),
        "Item\n\nTerms\n\na\n\n| a | b |\n| --- | --- |\n| b | a |\n| a | a |",
    );
}
