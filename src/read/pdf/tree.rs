//! The page tree: how many pages a file has.

use std::collections::HashSet;

use pdf_oxide::object::{Object, ObjectRef};

use super::file::{Dict, File};

impl File {
    /// How many pages there are to be read.
    ///
    /// Where the tree names no believable count, pdf_oxide counts its leaves and follows a node as often as it is named:
    /// a node that is twice its own kid, or a chain of nodes that each name the next one twice, would keep it busy for
    /// 2 to the power of 50 steps. Such trees are counted here.
    pub(super) fn n_pages(&self) -> usize {
        match self.shared_tree() {
            Some(n_leaves) => n_leaves,
            None => self.counted_pages().unwrap_or(0),
        }
    }

    /// The number of pages that the root of the page tree names.
    pub(super) fn announced_pages(&self) -> Option<i64> {
        let root = self.get(self.catalog()?.as_dict()?, "Pages")?;
        self.get(root.as_dict()?, "Count")?.as_integer()
    }

    /// The number of pages of a page tree that reaches an inner node in several ways: what its root names, where there are as
    /// many nodes (what is not reached is found by pdf_oxide among all objects), else its different leaves. `None` for a tree that
    /// is one.
    fn shared_tree(&self) -> Option<usize> {
        let catalog = self.catalog()?;
        let root = catalog.as_dict()?.get("Pages")?.as_reference()?;
        let (mut inner, mut leaves) = (HashSet::new(), HashSet::new());
        let mut is_shared = false;
        let mut to_visit = vec![root];
        while let Some(reference) = to_visit.pop() {
            if leaves.contains(&reference) {
                continue;
            }
            if inner.contains(&reference) {
                is_shared = true;
                continue;
            }
            let node = self.load(reference);
            match node.as_ref().and_then(Object::as_dict).and_then(|node| self.kids(node)) {
                Some(kids) => {
                    inner.insert(reference);
                    to_visit.extend(kids);
                }
                None => {
                    leaves.insert(reference);
                }
            }
        }
        let is_page = |leaf: &&ObjectRef| {
            let leaf = self.load(**leaf);
            leaf.as_ref().and_then(Object::as_dict).is_some_and(|it| has_type(it, "Page"))
        };
        let n_nodes = inner.len() + leaves.len();
        let announced = self.announced_pages().and_then(|it| usize::try_from(it).ok());
        let believed = announced.filter(|it| (1..=n_nodes).contains(it));
        is_shared.then(|| believed.unwrap_or_else(|| leaves.iter().filter(is_page).count()))
    }

    /// What an inner node of the page tree names; `None` for a page and for what is neither.
    fn kids(&self, node: &Dict) -> Option<Vec<ObjectRef>> {
        if !has_type(node, "Pages") {
            return None;
        }
        let kids = self.get(node, "Kids")?;
        Some(kids.as_array()?.iter().filter_map(Object::as_reference).collect())
    }
}

fn has_type(node: &Dict, kind: &str) -> bool {
    node.get("Type").and_then(Object::as_name) == Some(kind)
}
