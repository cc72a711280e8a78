use super::*;
use crate::content::Span;
use crate::read::package::tests::zip_of;

const CONTAINER: &str =
    "<container><rootfiles><rootfile full-path='OEBPS/book.opf'/></rootfiles></container>";

const BOOK: &str = "<package><metadata><dc:title>The Book</dc:title><dc:title>Sub</dc:title><dc:creator>A</dc:creator>\
    <dc:creator>B</dc:creator><dc:language>en</dc:language><dc:date>2024-01-03</dc:date></metadata><manifest>\
    <item id='n' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>\
    <item id='b' href='text/two.xhtml' media-type='application/xhtml+xml'/>\
    <item id='a' href='text/one%20a.xhtml' media-type='application/xhtml+xml'/>\
    <item id='x' href='gone.xhtml' media-type='application/xhtml+xml'/></manifest>\
    <spine><itemref idref='n'/><itemref idref='a'/><itemref idref='b'/><itemref idref='x'/></spine></package>";

const NAV: &str = "<html><body><nav epub:type='toc'><ol><li><a href='text/one%20a.xhtml'>Part I</a><ol>\
    <li><a href='text/one%20a.xhtml#s'>First</a></li></ol></li><li><a href='text/two.xhtml'>Untitled part</a></li></ol></nav></body></html>";

fn read(parts: &[(&str, &str)]) -> Result<Parsed, ReadError> {
    Epub.read(&Blob { uri: "a/b.epub".into(), bytes: zip_of(parts) }, &ReadOptions::default())
}

#[test]
fn chapters_come_in_reading_order_with_the_levels_of_the_contents() {
    let one = "<?xml version='1.0'?><html><head><title/></head><body><h1>Part I</h1><a id='x'/><section id='s'><h1>First</h1>\
               <p>words&nbsp;here</p><h2>Detail</h2></section><aside>note</aside></body></html>";
    let parsed = read(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", CONTAINER),
        ("OEBPS/book.opf", BOOK),
        ("OEBPS/nav.xhtml", NAV),
        ("OEBPS/text/one a.xhtml", one),
        ("OEBPS/text/two.xhtml", "<html><body><p class='big'>No heading</p></body></html>"),
    ])
    .unwrap();
    let document = &parsed.document;
    assert_eq!(document.text, "# Part I\n\n# First\n\nwords here\n\n## Detail\n\nnote\n\nNo heading\n");
    let titles: Vec<_> = document.sections.iter().map(|it| (it.level, it.title.as_str())).collect();
    assert_eq!(titles, [(1, "Part I"), (2, "First"), (3, "Detail"), (1, "Untitled part")]);
    assert_eq!(document.title, "The Book");
    assert_eq!(
        serde_json::json!(document.metadata),
        serde_json::json!({"author": ["A", "B"], "date": "2024-01-03", "language": "en", "title": "The Book"})
    );
    let anchor = |text: &str| {
        let at = document.text.find(text).unwrap();
        document.location(Span::new(at, at + text.len())).anchor
    };
    assert_eq!(anchor("words").as_deref(), Some("OEBPS/text/one%20a.xhtml#s"));
    assert_eq!(anchor("No heading").as_deref(), Some("OEBPS/text/two.xhtml"));
    assert_eq!(parsed.warnings[0].message, "chapters missing from the archive: OEBPS/gone.xhtml");
}

#[test]
fn entries_lead_to_any_element() {
    let book = BOOK.replace("properties='nav'", "").replace(
        "nav.xhtml' media-type='application/xhtml+xml'",
        "toc.ncx' media-type='application/x-dtbncx+xml'",
    );
    let ncx = "<ncx><navMap><navPoint><navLabel><text>Part I</text></navLabel><content src='text/one%20a.xhtml'/><navPoint><navLabel>\
               <text>Chapter 1: Dawn</text></navLabel><content src='text/one%20a.xhtml#C1'/></navPoint></navPoint></navMap></ncx>";
    let nav = "<html><body><nav type='landmarks'><ol><li><a href='x'>Cover</a></li></ol></nav><nav epub:type='toc'><div><ol><li><p>\
               <a href='text/one%20a.xhtml'>Part I</a></p><div><ol><li><a href='text/one%20a.xhtml#c1'><span>Chapter 1:</span> Dawn</a></li>\
               </ol></div></li></ol></div></nav></body></html>";
    let one = "<html><body><p>Part I</p><div id='c1'><p>Chapter 1</p><p>Dawn</p></div><p>It was dark<sup><a href='#n'>1</a></sup>.</p></body></html>";
    for (book, toc) in [(book.as_str(), ("OEBPS/toc.ncx", ncx)), (BOOK, ("OEBPS/nav.xhtml", nav))] {
        let parsed = read(&[
            ("META-INF/container.xml", CONTAINER),
            ("OEBPS/book.opf", book),
            toc,
            ("OEBPS/text/one a.xhtml", one),
        ])
        .unwrap();
        let text = &parsed.document.text;
        let found: Vec<_> = parsed
            .document
            .sections
            .iter()
            .map(|it| (it.level, it.title.as_str(), it.own.slice(text).trim()))
            .collect();
        assert_eq!(
            found,
            [(1, "Part I", "Part I"), (2, "Chapter 1: Dawn", "Chapter 1\n\nDawn\n\nIt was dark[1].")]
        );
    }
}

#[test]
fn a_locked_book_is_refused_and_locked_fonts_are_not() {
    let check = |algorithm: &str, target: &str, is_refused: bool| {
        let locks = format!(
            "<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm='{algorithm}'/><enc:CipherData>\
             <enc:CipherReference URI='{target}'/></enc:CipherData></enc:EncryptedData></encryption>"
        );
        let outcome = read(&[
            ("META-INF/container.xml", CONTAINER),
            ("META-INF/encryption.xml", &locks),
            ("OEBPS/book.opf", BOOK),
        ]);
        assert_eq!(matches!(outcome, Err(ReadError::Locked { .. })), is_refused, "{algorithm}");
    };
    check("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/text/two.xhtml", true);
    check("http://www.w3.org/2001/04/xmlenc#aes256-cbc", "OEBPS/fonts/a.OTF", false);
    check("http://www.idpf.org/2008/embedding", "OEBPS/fonts/a", false);
}

#[test]
fn what_is_no_book_is_damaged() {
    assert!(matches!(read(&[("a", "b")]), Err(ReadError::Damaged { .. })));
    assert!(matches!(read(&[("META-INF/container.xml", CONTAINER)]), Err(ReadError::Damaged { .. })));
}
