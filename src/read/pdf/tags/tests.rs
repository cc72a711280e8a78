//! Tests on whole files with a structure tree, built here.

use lopdf::{Dictionary, Object, Stream, dictionary};

use crate::read::pdf::Pdf;
use crate::read::{Blob, Parsed, ReadOptions, Reader};

/// A page of marked content, a piece each line, all in one size, and a tree that `build` makes of the page's object.
fn read(pieces: &[&str], build: impl FnOnce(&mut lopdf::Document, Object) -> Dictionary) -> Parsed {
    let mut file = lopdf::Document::with_version("1.7");
    let tree = file.new_object_id();
    let font =
        file.add_object(dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" });
    let content: String = pieces
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let y = 700 - 20 * at;
            format!("/P <</MCID {at}>> BDC BT /F1 10 Tf 72 {y} Td ({text}) Tj ET EMC\n")
        })
        .collect();
    let content = file.add_object(Stream::new(Dictionary::new(), content.into_bytes()));
    let page = file.add_object(dictionary! {
        "Type" => "Page", "Parent" => tree, "Contents" => content,
        "Resources" => dictionary! { "Font" => dictionary! { "F1" => font } },
        "MediaBox" => vec![0.into(), 0.into(), 612.into(), 792.into()],
    });
    let pages = dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1 };
    file.objects.insert(tree, pages.into());
    let root = build(&mut file, page.into());
    let root = file.add_object(root);
    let catalog =
        file.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree, "StructTreeRoot" => root });
    file.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    Pdf.read(&Blob { uri: "tagged.pdf".into(), bytes }, &ReadOptions::default()).unwrap()
}

/// An element of type `role` on `page` with these children.
fn element(file: &mut lopdf::Document, role: &str, page: &Object, kids: Vec<Object>) -> Object {
    file.add_object(dictionary! { "S" => Object::Name(role.into()), "Pg" => page.clone(), "K" => kids })
        .into()
}

fn sections(parsed: &Parsed) -> Vec<(u8, &str, &str)> {
    parsed.document.sections.iter().map(|it| (it.level, it.kind.name(), it.title.as_str())).collect()
}

#[test]
fn headings_are_found_by_their_marked_content_and_role() {
    let parsed = read(
        &["Top", "some text of the first part", "Below", "more text in that part"],
        |file, page| {
            let kids = vec![
                element(file, "Heading1", &page, vec![0.into()]),
                element(file, "P", &page, vec![1.into()]),
                element(file, "H3", &page, vec![dictionary! { "Type" => "MCR", "MCID" => 2 }.into()]),
                element(file, "P", &page, vec![3.into()]),
            ];
            let document = element(file, "Document", &page, kids);
            dictionary! { "K" => document, "RoleMap" => dictionary! { "Heading1" => Object::Name("H1".into()) } }
        },
    );
    assert_eq!(sections(&parsed), [(1, "tag", "Top"), (3, "tag", "Below")]);
    assert_eq!(parsed.document.sections[1].parent, Some(0));
}

#[test]
fn headings_without_a_number_are_as_deep_as_their_sections() {
    let parsed = read(&["Top", "text", "Below", "text"], |file, page| {
        let heading = element(file, "H", &page, vec![2.into()]);
        let text = element(file, "P", &page, vec![3.into()]);
        let inner = element(file, "Sect", &page, vec![heading, text]);
        let kids =
            vec![element(file, "H", &page, vec![0.into()]), element(file, "P", &page, vec![1.into()]), inner];
        dictionary! { "K" => vec![element(file, "Sect", &page, kids)] }
    });
    assert_eq!(sections(&parsed), [(1, "tag", "Top"), (2, "tag", "Below")]);
}

#[test]
fn trees_that_loop_end() {
    let parsed = read(&["Top", "text that is not a heading"], |file, page| {
        let itself = file.new_object_id();
        let heading = element(file, "H1", &page, vec![0.into(), itself.into()]);
        file.objects
            .insert(itself, dictionary! { "S" => "Sect", "K" => vec![heading, itself.into()] }.into());
        dictionary! { "K" => itself, "RoleMap" => dictionary! { "Sect" => "Part", "Part" => "Sect" } }
    });
    assert_eq!(sections(&parsed), [(1, "tag", "Top")]);
}

#[test]
fn a_tree_that_makes_everything_a_heading_means_nothing() {
    let texts = ["one piece of text", "another piece of text", "a third piece of text", "and a fourth piece"];
    let parsed = read(&texts, |file, page| {
        let kids = (0..4).map(|mcid| element(file, "H1", &page, vec![mcid.into()])).collect::<Vec<_>>();
        dictionary! { "K" => kids }
    });
    assert_eq!(sections(&parsed), [(0, "preamble", "")]);
}
