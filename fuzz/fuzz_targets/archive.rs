#![no_main]

//! Archives and files of entities: members stay below their file, each comes once, and no more than the limits let through.

use std::collections::HashSet;
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use ragctl::content::{ContainerKind, split_member};
use ragctl::source::{Container, ExpandOptions, Found, WalkOptions, expand};

const NAMES: [&str; 6] = ["a.zip", "a.tar", "a.tgz", "a.entities.jsonl", "a.entities.json", "a.md.gz"];
const MAX_BYTES: u64 = 1 << 20;

fuzz_target!(|bytes: &[u8]| {
    let [format, rest @ ..] = bytes else { return };
    let name = NAMES[usize::from(*format) % NAMES.len()];
    let Some(kind) = ContainerKind::of_name(name) else { return };
    let container = Container::of_bytes(name.to_owned(), kind, rest.to_vec());
    let walk = WalkOptions { hidden: true, max_bytes: MAX_BYTES, ..WalkOptions::default() };
    let options = ExpandOptions { walk: &walk, password: None };
    let mut seen = HashSet::new();
    expand(&container, &options, &|_| true, &mut |found| {
        if let Found::Member { uri, bytes } = found {
            let (container, member) = split_member(&uri).expect("a member has a member's name");
            assert_eq!(container, name);
            assert!(!member.is_empty() && bytes.len() as u64 <= MAX_BYTES, "{uri}");
            assert!(seen.insert(uri), "a member comes twice");
        }
        ControlFlow::Continue(())
    });
});
