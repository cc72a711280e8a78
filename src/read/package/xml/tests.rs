use super::*;

fn outline(element: Element<'_>) -> String {
    let mut text = element.name().to_owned();
    text.push('(');
    for child in element.children() {
        match child {
            Child::Element(child) => text.push_str(&outline(child)),
            Child::Text(piece) => text.push_str(piece),
        }
    }
    text + ")"
}

fn check(xml: &str, expected: &str, damaged: bool) {
    let tree = Tree::parse(xml.as_bytes());
    assert_eq!(tree.root().map(outline).unwrap_or_default(), expected, "{xml}");
    assert_eq!(tree.damage.is_some(), damaged, "{xml}: {:?}", tree.damage);
}

#[test]
fn trees_keep_order_and_resolve_references() {
    check("<a>x<w:b c='1'/>y<!-- z --><![CDATA[<&]]></a>", "a(xb()y<&)", false);
    check("<a>1 &lt; 2 &amp; &#65;&#x42;&#0;</a>", "a(1 < 2 & AB)", false);
    check("", "", false);
    check("no markup", "", false);
}

#[test]
fn entities_of_a_document_type_are_never_expanded() {
    check(
        "<!DOCTYPE a [<!ENTITY x \"boom\"><!ENTITY f SYSTEM \"file:///etc/passwd\">]><a>[&x;&f;]</a>",
        "a([])",
        false,
    );
}

#[test]
fn broken_markup_ends_the_tree_early() {
    check("<a><b>text", "a(b(text))", true);
    check("<a><b>text</b><c", "a(b(text))", true);
    check("<a>x</a><b>y</b>", "a(x)", false);
}

#[test]
fn deep_nesting_is_flattened() {
    let xml = format!("{}x{}", "<a>".repeat(5000), "</a>".repeat(5000));
    let tree = Tree::parse(xml.as_bytes());
    assert!(tree.damage.is_some());
    assert_eq!(tree.root().unwrap().text(), "x");
    assert_eq!(tree.root().unwrap().descendants().count(), MAX_DEPTH - 1);
}

#[test]
fn attributes_are_found_by_local_name() {
    let tree = Tree::parse(b"<a id='1' r:id='2' w:val='x&amp;y'/>");
    let root = tree.root().unwrap();
    assert_eq!(root.attr("id"), Some("1"));
    assert_eq!(root.prefixed_attr("id"), Some("2"));
    assert_eq!(root.attr("val"), Some("x&y"));
}

#[test]
fn any_declared_encoding_is_read() {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>é</a>";
    let wide: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert_eq!(Tree::parse(&wide).root().map(outline).as_deref(), Some("a(é)"));
    let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xE9</a>";
    assert_eq!(Tree::parse(latin).root().map(outline).as_deref(), Some("a(é)"));
}
