//! Sections: from the outline, the type, or the pages.

use super::*;

#[test]
fn titles_of_pages_are_sections() {
    let texts = ["First of all, think.", "Then write it down.", "At last read it again.", "Do it once more."];
    let pages: Vec<Vec<Piece>> = ["Exercise 1", "Exercise 2", "Exercise 3", "Exercise 4"]
        .iter()
        .zip(texts)
        .map(|(title, text)| {
            let mut page = vec![(72, 740, 18, "F2", *title)];
            page.extend(body(
                72,
                700,
                &[text, "The body of the page is here, and has some words more.", text],
            ));
            page
        })
        .collect();
    let mut file = build(&pages);
    file.trailer.set("Info", dictionary! { "Title" => Object::string_literal("(anonymous)") });
    let parsed = read(file);
    assert_eq!(titles(&parsed), [(1, "Exercise 1"), (1, "Exercise 2"), (1, "Exercise 3"), (1, "Exercise 4")]);
    assert_eq!(parsed.document.title, "Exercise 1");
    assert_eq!(parsed.document.metadata.get("title"), None);
}

#[test]
fn a_chapter_without_a_title_is_a_section() {
    let text = "The body of the chapter is here, and has some words more.";
    let page = |title: &'static str| {
        let mut page = vec![(72, 740, 18, "F2", title)];
        page.extend(body(72, 700, &[text, text, "An end."]));
        page
    };
    let parsed = read(build(&["Chapter 1", "Chapter 2", "Chapter 3"].map(page)));
    assert_eq!(titles(&parsed), [(1, "Chapter 1"), (1, "Chapter 2"), (1, "Chapter 3")]);
}

#[test]
fn an_outline_gives_the_sections() {
    let bytes = include_bytes!("../../../../testdata/pdf/nested_outline.pdf");
    let parsed = read_bytes(bytes.to_vec(), None).unwrap();
    assert_eq!(titles(&parsed)[..3], [(1, "1. Introduction"), (2, "1.1 Background"), (2, "1.2 Motivation")]);
    let document = &parsed.document;
    assert!(document.sections.iter().all(|it| it.kind == SectionKind::Outline));
    let pages: Vec<_> = document.sections.iter().map(|it| document.location(it.own).pages).collect();
    assert_eq!(pages, (1..=9).map(|page| Some((page, page))).collect::<Vec<_>>());
    assert_eq!(document.metadata["pages"], 9);
    assert_eq!(document.blocks[0].kind, BlockKind::Heading);
    check_invariants(document);
}

/// Adds an outline of `(title, page index, height)`, all on one level; gives the ids of its items.
fn add_outline(file: &mut lopdf::Document, entries: &[(&str, u32, i32)]) -> Vec<ObjectId> {
    let pages = file.get_pages();
    let ids: Vec<ObjectId> = entries.iter().map(|_| file.new_object_id()).collect();
    for (at, &(title, page, y)) in entries.iter().enumerate() {
        let place = vec![pages[&(page + 1)].into(), "XYZ".into(), 0.into(), y.into(), 0.into()];
        let mut item = dictionary! { "Title" => Object::string_literal(title), "Dest" => place };
        if let Some(&next) = ids.get(at + 1) {
            item.set("Next", next);
        }
        file.objects.insert(ids[at], item.into());
    }
    let root = file.add_object(dictionary! { "First" => ids[0] });
    file.catalog_mut().unwrap().set("Outlines", root);
    ids
}

#[test]
fn entries_whose_words_are_not_on_the_page_start_at_their_height() {
    let mut page = body(72, 700, &["First lines", "of the page."]);
    page.extend(body(72, 500, &["Second half", "of the page."]));
    let mut file = build(&[page]);
    add_outline(&mut file, &[("Part One", 0, 760), ("First Lines", 0, 720), ("Elsewhere", 0, 520)]);
    let parsed = read(file);
    let text = &parsed.document.text;
    let own: Vec<(&str, &str)> = parsed
        .document
        .sections
        .iter()
        .map(|it| (it.title.as_str(), it.own.slice(text).trim_end()))
        .collect();
    let expected = [
        ("Part One", "First lines"),
        ("First Lines", "of the page."),
        ("Elsewhere", "Second half of the page."),
    ];
    assert_eq!(own, expected);
}

#[test]
fn a_looping_outline_ends() {
    let mut file = build(&[body(72, 700, &["Alpha", "text", "Beta"])]);
    let ids = add_outline(&mut file, &[("Alpha", 0, 712), ("Beta", 0, 688), ("Text", 0, 100)]);
    let Some(Object::Dictionary(last)) = file.objects.get_mut(&ids[2]) else { panic!("no item") };
    last.set("Next", ids[0]);
    last.set("First", ids[1]);
    let parsed = read(file);
    assert_eq!(kinds(&parsed), [WarningKind::Damaged]);
    assert!(titles(&parsed).contains(&(1, "Beta")));
}

#[test]
fn type_gives_sections_where_there_is_no_outline() {
    let long = "Body text of the section that is long enough to be the body of the document.";
    let mut page: Vec<Piece> = vec![(72, 740, 24, "F1", "The Title"), (72, 700, 16, "F2", "First Section")];
    page.extend(body(72, 680, &[long, long, long]));
    page.push((72, 620, 10, "F2", "A bold heading"));
    page.extend(body(72, 605, &[long, long, "An end."]));
    page.push((72, 540, 16, "F2", "Second Section"));
    page.extend(body(72, 520, &[long, long, "Another end."]));
    let parsed = read(build(&[page]));
    assert_eq!(
        titles(&parsed),
        [(1, "The Title"), (2, "First Section"), (3, "A bold heading"), (2, "Second Section")]
    );
    assert!(parsed.document.sections.iter().all(|it| it.kind == SectionKind::Font));
    assert_eq!(parsed.document.title, "The Title");
    check_invariants(&parsed.document);
}

#[test]
fn pages_are_the_last_resort() {
    let pages: Vec<Vec<Piece>> = ["one", "two", "three"].iter().map(|text| body(72, 700, &[text])).collect();
    let parsed = read(build(&pages));
    assert_eq!(titles(&parsed), [(1, "Page 1"), (1, "Page 2"), (1, "Page 3")]);
    assert_eq!(parsed.document.title, "file-1.pdf");
    let words: Vec<String> = (0..33).map(|at| "ab".repeat(at + 1)).collect();
    let long: Vec<Vec<Piece>> = words.iter().map(|word| body(72, 700, &[word])).collect();
    let parsed = read(build(&long));
    assert_eq!(titles(&parsed).last(), Some(&(1, "Pages 31-33")));
}

#[test]
fn a_heading_of_two_lines_is_one_section_and_labels_are_none() {
    let long = "the text of this paragraph is wide enough to fill the line up to its right margin";
    let mut page: Vec<Piece> = vec![
        (72, 740, 16, "F2", "CHAPTER 2"),
        (72, 700, 16, "F2", "2.7 Index vectors and how they reintro-"),
        (108, 682, 16, "F2", "duce parts of a set"),
    ];
    page.extend(body(72, 660, &[long, long, "ends here."]));
    page.push((72, 600, 10, "F2", "Note"));
    page.extend([(72, 500, 16, "F2", "2.8 Another part"), (72, 482, 16, "F2", "2.8.1 Its first half")]);
    page.extend(body(72, 580, &[long, long]));
    let parsed = read(build(&[page]));
    let expected = [
        (0, ""),
        (1, "2.7 Index vectors and how they reintroduce parts of a set"),
        (1, "2.8 Another part"),
        (1, "2.8.1 Its first half"),
    ];
    assert_eq!(titles(&parsed), expected);
}
