//! Page trees that are none.

use super::*;

/// The parts of a file: its root node of pages and its pages.
fn parts(n_pages: usize) -> (lopdf::Document, ObjectId, Vec<ObjectId>) {
    let words = ["first", "second", "third"];
    let pages: Vec<_> = (0..n_pages).map(|it| body(72, 700, &words[it..=it])).collect();
    let file = build(&pages);
    let root = file.catalog().unwrap().get(b"Pages").unwrap().as_reference().unwrap();
    let pages = file.get_pages().into_values().collect();
    (file, root, pages)
}

fn node(kids: &[ObjectId]) -> Object {
    let kids: Vec<Object> = kids.iter().map(|it| Object::from(*it)).collect();
    dictionary! { "Type" => "Pages", "Kids" => kids }.into()
}

#[test]
fn a_node_that_is_twice_its_own_kid_is_read_once() {
    let (mut file, root, pages) = parts(2);
    file.objects.insert(root, node(&[root, pages[0], root, pages[1], root]));
    assert_eq!(read(file).document.text, "first second");
}

#[test]
fn a_chain_of_nodes_that_name_the_next_one_twice_is_read_once() {
    let (mut file, root, pages) = parts(3);
    let mut next = file.add_object(node(&pages));
    for _ in 0..40 {
        next = file.add_object(node(&[next, next]));
    }
    file.objects.insert(root, node(&[next, next]));
    assert_eq!(read(file).document.text, "first second third");
}

#[test]
fn a_count_that_lies_beside_a_looping_tree_changes_nothing() {
    let (mut file, root, pages) = parts(2);
    let mut tree = node(&[root, pages[0], root, pages[1]]);
    tree.as_dict_mut().unwrap().set("Count", 1_000_000);
    file.objects.insert(root, tree);
    assert_eq!(read(file).document.text, "first second");
}
