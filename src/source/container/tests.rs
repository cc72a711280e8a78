//! Archives made here, expanded.

use std::io::Write as _;

use ::tar::{Builder, EntryType, Header};
use ::zip::write::{SimpleFileOptions, ZipWriter};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

use super::*;

/// Name and text of a member.
type Members<'a> = [(&'a str, &'a str)];

fn zip_of(members: &Members<'_>) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tar_entry(builder: &mut Builder<Vec<u8>>, name: &str, kind: EntryType, text: &[u8]) {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(text.len() as u64);
    // As it is: the builder refuses names that no archive should have.
    let n_bytes = name.len().min(100);
    header.as_mut_bytes()[..n_bytes].copy_from_slice(&name.as_bytes()[..n_bytes]);
    header.set_cksum();
    builder.append(&header, text).unwrap();
}

fn tar_of(members: &Members<'_>) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for (name, text) in members {
        tar_entry(&mut builder, name, EntryType::Regular, text.as_bytes());
    }
    builder.into_inner().unwrap()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn container(name: &str, bytes: Vec<u8>) -> Container {
    Container::of_bytes(name.to_owned(), ContainerKind::of_name(name).unwrap(), bytes)
}

/// What comes out, one line each, and what is left out.
fn lines_of(container: &Container, walk: &WalkOptions) -> (Vec<String>, Expanded) {
    let mut lines = Vec::new();
    let options = ExpandOptions { walk, password: None };
    let expanded = expand(container, &options, &|_| true, &mut |found| {
        match found {
            Found::Member { uri, bytes } => lines.push(format!("{uri} {}", String::from_utf8_lossy(&bytes))),
            Found::Failed { uri, error } => lines.push(format!("{uri}: {error}")),
            Found::Unwanted { uri } => lines.push(format!("({uri})")),
            Found::Listed { .. } => {}
        }
        ControlFlow::Continue(())
    });
    (lines, expanded)
}

/// The same members in every form.
#[track_caller]
fn check_all(members: &Members<'_>, walk: &WalkOptions, expected: &[&str], skipped: &[(SkipReason, usize)]) {
    let archives = [("a.zip", zip_of(members)), ("a.tar", tar_of(members)), ("a.tgz", gz(&tar_of(members)))];
    for (name, bytes) in archives {
        let (lines, expanded) = lines_of(&container(name, bytes), walk);
        let expected: Vec<String> = expected.iter().map(|it| format!("{name}!/{it}")).collect();
        assert_eq!(lines, expected, "{name}");
        assert_eq!(expanded.skipped.into_iter().collect::<Vec<_>>(), skipped, "{name}");
        assert!(expanded.members.is_some());
    }
}

#[test]
fn members_come_in_order_under_clean_names() {
    check_all(
        &[("b.md", "B"), ("./a/c.md", "C"), ("/abs.md", "D"), ("a//d.md", "E"), ("ä ö.md", "F")],
        &WalkOptions::default(),
        &["b.md B", "a/c.md C", "abs.md D", "a/d.md E", "ä ö.md F"],
        &[],
    );
}

#[test]
fn names_that_lead_out_and_archives_in_archives_are_left_out() {
    check_all(
        &[
            ("../a.md", "x"),
            ("a/../../b.md", "x"),
            ("c.ZIP", "x"),
            ("d.tar.gz", "x"),
            ("e.md", "E"),
            ("x.zip!/f.md", "F"),
        ],
        &WalkOptions::default(),
        &["e.md E", "x.zip\u{f721}/f.md F"],
        &[(SkipReason::Nested, 2), (SkipReason::Name, 2)],
    );
}

#[test]
fn rules_of_the_walk_hold_for_members() {
    let members = [
        (".gitignore", "logs/\n*.tmp\n!keep.tmp\n"),
        ("a.md", "A"),
        ("a.tmp", "x"),
        ("keep.tmp", "K"),
        ("logs/1.md", "x"),
        ("logs/2.md", "x"),
        ("sub/.ragctlignore", "b.md\n"),
        ("sub/b.md", "x"),
        ("sub/c.md", "C"),
        (".git/x.md", "x"),
        (".git/y.md", "x"),
        ("long.md", "123456789"),
    ];
    let limited = WalkOptions { max_bytes: 8, ..WalkOptions::default() };
    check_all(
        &members,
        &limited,
        &["a.md A", "keep.tmp K", "sub/c.md C"],
        // A folder counts once.
        &[(SkipReason::Ignored, 3), (SkipReason::Hidden, 3), (SkipReason::TooLarge, 1)],
    );
    let all = WalkOptions { hidden: true, ignore_files: false, ..WalkOptions::default() };
    let (lines, expanded) = lines_of(&container("a.zip", zip_of(&members)), &all);
    assert_eq!((lines.len(), expanded.skipped.len()), (members.len(), 0));
}

#[test]
fn globs_types_and_depth_hold_for_members() {
    let members = [("a.md", "A"), ("b.txt", "B"), ("c/d.md", "D"), ("c/e/f.md", "F")];
    let with = |change: fn(&mut WalkOptions)| {
        let mut walk = WalkOptions::default();
        change(&mut walk);
        walk
    };
    let check = |walk: WalkOptions, expected: &[&str], skipped: &[(SkipReason, usize)]| {
        check_all(&members, &walk, expected, skipped);
    };
    let excluded = |n| [(SkipReason::Excluded, n)];
    check(with(|it| it.include = vec!["*.md".into()]), &["a.md A", "c/d.md D", "c/e/f.md F"], &excluded(1));
    check(with(|it| it.exclude = vec!["c/".into()]), &["a.md A", "b.txt B"], &excluded(1));
    check(with(|it| it.include = vec!["c/e/**".into()]), &["c/e/f.md F"], &excluded(3));
    check(with(|it| it.extensions = Some(vec!["txt".into()])), &["b.txt B"], &[(SkipReason::Type, 3)]);
    check(with(|it| it.max_depth = Some(1)), &["a.md A", "b.txt B"], &[(SkipReason::TooDeep, 1)]);
}

#[test]
fn the_last_of_several_members_with_one_name_counts_in_tar() {
    let bytes = tar_of(&[("a.md", "old"), ("b.md", "B"), ("./a.md", "new")]);
    let (lines, expanded) = lines_of(&container("a.tar", bytes), &WalkOptions::default());
    assert_eq!(lines, ["a.tar!/b.md B", "a.tar!/a.md new"]);
    assert_eq!(expanded.skipped[&SkipReason::Duplicate], 1);
}

#[test]
fn links_devices_and_comments_are_no_documents() {
    let mut builder = Builder::new(Vec::new());
    tar_entry(&mut builder, "pax_global_header", EntryType::XGlobalHeader, b"12 comment=x\n");
    tar_entry(&mut builder, "a/", EntryType::Directory, b"");
    tar_entry(&mut builder, "link.md", EntryType::Symlink, b"");
    tar_entry(&mut builder, "hard.md", EntryType::Link, b"");
    tar_entry(&mut builder, "pipe", EntryType::Fifo, b"");
    tar_entry(&mut builder, "a/b.md", EntryType::Regular, b"B");
    let (lines, expanded) =
        lines_of(&container("a.tar", builder.into_inner().unwrap()), &WalkOptions::default());
    assert_eq!(lines, ["a.tar!/a/b.md B"]);
    assert_eq!(
        expanded.skipped.into_iter().collect::<Vec<_>>(),
        [(SkipReason::Symlink, 2), (SkipReason::Special, 1)]
    );
    assert_eq!(expanded.notable.len(), 3);
}

#[test]
fn names_of_any_bytes_stay_apart() {
    let mut builder = Builder::new(Vec::new());
    let long = format!("{}/x.md", "d".repeat(150));
    let mut header = Header::new_gnu();
    header.set_size(1);
    builder.append_data(&mut header, &long, &b"L"[..]).unwrap();
    let mut bytes = builder.into_inner().unwrap();
    for byte in [0xFE, 0xFF] {
        let mut tar = tar_of(&[("a?.md", "A")]);
        tar[1] = byte;
        let mut header: Header = Header::new_gnu();
        header.as_mut_bytes().copy_from_slice(&tar[..512]);
        header.set_cksum();
        tar[..512].copy_from_slice(header.as_bytes());
        bytes.truncate(bytes.len() - 1024);
        bytes.extend(tar);
    }
    let (lines, _) = lines_of(&container("a.tar", bytes), &WalkOptions::default());
    assert_eq!(
        lines,
        [format!("a.tar!/{long} L"), "a.tar!/a\u{f7fe}.md A".to_owned(), "a.tar!/a\u{f7ff}.md A".to_owned()]
    );
}

#[test]
fn what_stands_before_damage_is_taken_and_nothing_is_said_of_the_rest() {
    let members = [("a.md", "A"), ("b.md", "B"), ("c.md", "C")];
    let check = |name: &str, bytes: &[u8], expected: &[&str]| {
        let (lines, expanded) = lines_of(&container(name, bytes.to_vec()), &WalkOptions::default());
        let found: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert!(found.len() == expected.len(), "{name}: {found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{name}: {found}");
        }
        assert_eq!(expanded.members, None, "{name}");
    };
    let tar = tar_of(&members);
    check("a.tar", &tar[..1024 + 700], &["a.tar!/a.md A", "a.tar!/b.md B", "a.tar: damaged tar archive"]);
    check("a.tar", &tar[..1024 + 512], &["a.tar!/a.md A", "a.tar!/b.md: damaged tar", "a.tar: damaged tar"]);
    check("a.tar", b"no archive at all, only some words", &["a.tar: damaged tar archive"]);
    check("a.tar.gz", &gz(&tar)[..40], &["a.tar.gz: damaged tar archive"]);
    check("a.zip", &zip_of(&members)[..100], &["a.zip: damaged zip archive"]);
    check("a.zip", b"words", &["a.zip: damaged zip archive: it is not a zip archive"]);
    check("a.zip", b"", &["a.zip: damaged zip archive: it is not a zip archive"]);
}

#[test]
fn a_damaged_member_of_a_zip_fails_alone() {
    let mut bytes = zip_of(&[("a.md", "aaaa"), ("b.md", &"b".repeat(300))]);
    let at = bytes.windows(4).position(|it| it == b"b.md").unwrap() + 4;
    bytes[at] ^= 0x55;
    let (lines, expanded) = lines_of(&container("a.zip", bytes), &WalkOptions::default());
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0], "a.zip!/a.md aaaa");
    assert!(lines[1].starts_with("a.zip!/b.md: damaged zip archive"), "{}", lines[1]);
    // The list is whole all the same.
    assert_eq!(expanded.members.unwrap().len(), 2);
}

#[test]
fn bombs_are_told_before_anything_is_unpacked() {
    let zeros = vec![0_u8; 1 << 20];
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for at in 0..100 {
        writer.start_file(format!("{at}.txt"), SimpleFileOptions::default()).unwrap();
        writer.write_all(&zeros).unwrap();
        let mut header = Header::new_gnu();
        header.set_size(zeros.len() as u64);
        builder.append_data(&mut header, format!("{at}.txt"), zeros.as_slice()).unwrap();
    }
    let tar = builder.into_inner().unwrap().finish().unwrap();
    for (name, bytes) in [("a.zip", writer.finish().unwrap().into_inner()), ("a.tgz", tar)] {
        let (lines, expanded) = lines_of(&container(name, bytes), &WalkOptions::default());
        assert_eq!(lines.len(), 1, "{name}");
        assert!(lines[0].starts_with(&format!("{name}: over the limit: the members take more")), "{lines:?}");
        assert_eq!(expanded.members, None);
    }
}

#[test]
fn a_size_that_is_a_lie_helps_nobody() {
    let mut bytes = zip_of(&[("a.txt", &"a".repeat(5000))]);
    let size = 5000_u32.to_le_bytes();
    while let Some(at) = bytes.windows(4).position(|it| it == size) {
        bytes[at..at + 4].copy_from_slice(&10_u32.to_le_bytes());
    }
    let walk = WalkOptions { max_bytes: 100, ..WalkOptions::default() };
    let (lines, _) = lines_of(&container("a.zip", bytes), &walk);
    assert!(lines.len() == 1 && lines[0].starts_with("a.zip!/a.txt: "), "{lines:?}");
}

#[test]
fn a_long_name_that_never_ends_takes_no_memory() {
    let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::GNULongName);
    header.set_size(40 << 20);
    header.set_cksum();
    builder.append(&header, io::repeat(b'a').take(40 << 20)).unwrap();
    let bytes = builder.into_inner().unwrap().finish().unwrap();
    let (lines, _) = lines_of(&container("a.tar.gz", bytes), &WalkOptions::default());
    assert!(lines.len() == 1 && lines[0].starts_with("a.tar.gz: over the limit: headers"), "{lines:?}");
}

#[test]
fn members_that_are_not_wanted_are_named_and_not_unpacked() {
    let bytes = zip_of(&[("a.md", "A"), ("b.md", "B")]);
    let mut found = Vec::new();
    let walk = WalkOptions::default();
    let options = ExpandOptions { walk: &walk, password: None };
    let is_wanted = |uri: &str| uri.ends_with("b.md");
    expand(&container("a.zip", bytes), &options, &is_wanted, &mut |it| {
        found.push(it);
        ControlFlow::Continue(())
    });
    let uri = |name: &str| format!("a.zip!/{name}");
    assert_eq!(
        found,
        [
            Found::Listed { n_members: 2, n_bytes: 2 },
            Found::Unwanted { uri: uri("a.md") },
            Found::Member { uri: uri("b.md"), bytes: b"B".to_vec() },
        ]
    );
}

#[test]
fn one_member_is_fetched_by_its_uri() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    std::fs::write(&path, tar_of(&[("a.md", "A"), ("b/.c.md", "C"), ("d.zip", "PK")])).unwrap();
    let fetch = |member: &str, max_bytes| fetch_member(&path, &format!("a.tar!/{member}"), max_bytes, None);
    assert_eq!(fetch("a.md", 10), Ok(Some(b"A".to_vec())));
    assert_eq!(fetch("b/.c.md", 10), Ok(Some(b"C".to_vec())));
    assert_eq!(fetch("x.md", 10), Ok(None));
    assert!(matches!(fetch("a.md", 0), Err(ContainerError::Limit { .. })));
    assert!(matches!(fetch("d.zip", 10), Err(ContainerError::Unsupported { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_end_without_a_panic(
        name in prop::sample::select(vec!["a.zip", "a.tar", "a.tgz"]),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        end in any::<prop::sample::Index>(),
    ) {
        let members = [("a.md", "some words"), ("b/c.md", "other words"), ("../d.md", "x")];
        let tar = tar_of(&members);
        let mut bytes = match name {
            "a.zip" => zip_of(&members),
            "a.tar" => tar,
            _ => gz(&tar),
        };
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(end.index(bytes.len()) + 1);
        let (lines, _) = lines_of(&container(name, bytes), &WalkOptions::default());
        prop_assert!(lines.iter().all(|it| it.starts_with(name)));
    }

    #[test]
    fn names_stay_below_their_archive_and_are_told_apart(names in prop::collection::vec("[ab./!#]{1,9}", 1..6)) {
        let bytes = tar_of(&names.iter().map(|it| (it.as_str(), "x")).collect::<Vec<_>>());
        let walk = WalkOptions { hidden: true, ..WalkOptions::default() };
        let (lines, expanded) = lines_of(&container("a.tar", bytes), &walk);
        let mut seen = BTreeSet::new();
        for line in &lines {
            let uri = line.strip_suffix(" x").unwrap();
            let (archive, member) = crate::content::split_member(uri).unwrap();
            prop_assert_eq!(archive, "a.tar");
            prop_assert!(!member.split('/').any(|it| matches!(it, "" | "." | "..")), "{}", member);
            prop_assert!(seen.insert(uri.to_owned()));
        }
        prop_assert!(lines.len() <= expanded.members.unwrap().len());
    }
}

#[test]
fn a_compressed_file_has_one_member() {
    let check = |name: &str, bytes: Vec<u8>, walk: &WalkOptions, expected: &str| {
        let (lines, _) = lines_of(&container(name, bytes), walk);
        assert_eq!(lines, [expected], "{name}");
    };
    let walk = WalkOptions { max_bytes: 1_000, ..WalkOptions::default() };
    check("a/notes.md.gz", gz(b"# A"), &walk, "a/notes.md.gz!/notes.md # A");
    check("file:///x/b%20c.md.gz", gz(b"B"), &walk, "file:///x/b%20c.md.gz!/b%20c.md B");
    // Several parts, as logs are written, and the zeros at the end of a tape.
    check("log.gz", [gz(b"one "), gz(b"two"), vec![0; 512]].concat(), &walk, "log.gz!/log one two");
    let entity = br#"{"id": "ada", "name": "Ada"}"#;
    let (lines, _) = lines_of(&container("p.entities.jsonl.gz", gz(entity)), &walk);
    assert!(lines[0].starts_with("p.entities.jsonl.gz!/p.entities.jsonl#ada"), "{lines:?}");
    check(
        "x.md.gz",
        b"# plain".to_vec(),
        &walk,
        "x.md.gz: damaged gzip file: it is not compressed with gzip",
    );
    let whole = gz(b"# A title\n");
    for n_bytes in 2..whole.len() {
        let (lines, expanded) = lines_of(&container("x.gz", whole[..n_bytes].to_vec()), &walk);
        assert!(lines[0].starts_with("x.gz: damaged gzip file: ") && expanded.members.is_none(), "{lines:?}");
    }
}

#[test]
fn compressed_files_that_are_large_are_left_out() {
    let walk = WalkOptions { max_bytes: 1_000, ..WalkOptions::default() };
    let (lines, expanded) = lines_of(&container("x.md.gz", gz(&[b'x'; 1_001])), &walk);
    assert!(lines.is_empty());
    assert_eq!(expanded.notable, [("x.md.gz!/x.md".to_owned(), SkipReason::TooLarge)]);
    let (lines, expanded) =
        lines_of(&container("x.md.gz", [gz(&[b'x'; 600]), gz(&[b'x'; 600])].concat()), &walk);
    assert_eq!((lines.len(), expanded.notable.len()), (0, 1));
}

#[test]
fn either_name_of_a_compressed_file_is_wanted() {
    let check = |globs: &[&str], is_taken: bool| {
        let walk = WalkOptions {
            include: globs.iter().map(|&it| it.to_owned()).collect(),
            ..WalkOptions::default()
        };
        let found = Container {
            root: "docs".into(),
            path: "docs/a.md.gz".into(),
            ..container("docs/a.md.gz", gz(b"A"))
        };
        let (lines, _) = lines_of(&found, &walk);
        assert_eq!(lines.len(), usize::from(is_taken), "{globs:?}");
    };
    check(&["*.md"], true);
    check(&["*.md.gz"], true);
    check(&["*.html"], false);
}
