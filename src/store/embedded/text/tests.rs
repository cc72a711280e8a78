//! Tests of the text index.

use std::{fs, thread};

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::query::{Kind, Occur, Syntax, parse};

const MEMORY: usize = 15_000_000;

fn row(row: u32, text: &str) -> TextRow<'_> {
    TextRow { row, doc: u64::from(row), title: "", section: "", uri: "", text, language: None }
}

/// An index of texts, which are rows 0, 1, 2, …
fn index(texts: &[&str]) -> (TempDir, TextIndex) {
    let rows: Vec<TextRow<'_>> = (0..).zip(texts).map(|(number, text)| row(number, text)).collect();
    index_rows(&rows)
}

fn index_rows(rows: &[TextRow<'_>]) -> (TempDir, TextIndex) {
    let dir = TempDir::new().unwrap();
    let mut writer = TextIndex::create(dir.path()).unwrap().writer(MEMORY).unwrap();
    rows.iter().for_each(|row| writer.add(row).unwrap());
    writer.commit(1).unwrap();
    let index = TextIndex::open(dir.path()).unwrap();
    (dir, index)
}

fn query(text: &str) -> Query {
    parse(text, Syntax::default()).unwrap()
}

fn search(index: &TextIndex, text: &str, k: usize, filter: Option<&RowSet>) -> Vec<(u32, f32)> {
    index.search(&query(text), &MetadataRows::new(), k, filter).unwrap().hits
}

fn found(index: &TextIndex, query: &str) -> Vec<u32> {
    search(index, query, 100, None).into_iter().map(|(row, _)| row).collect()
}

#[track_caller]
fn check(texts: &[&str], query: &str, expected: &[u32]) {
    assert_eq!(found(&index(texts).1, query), expected, "{query}");
}

#[test]
fn clauses_are_matched_as_written() {
    let texts = ["red apple pie", "green apple", "red brick", "blue sky"];
    check(&texts, "apple", &[1, 0]);
    check(&texts, "+apple +red", &[0]);
    check(&texts, "apple -red", &[1]);
    check(&texts, "+red brick", &[2, 0]);
    check(&texts, "-apple", &[2, 3]);
    check(&texts, "-apple -sky", &[2]);
    check(&texts, "\"red apple\"", &[0]);
    check(&texts, "\"apple red\"", &[]);
    check(&texts, "\"red pie\"~1", &[0]);
    check(&texts, "violet", &[]);
    check(&texts, "???", &[]);
    check(&texts, "", &[]);
}

#[test]
fn exact_forms_rank_higher_than_stems() {
    check(&["we cached it", "we are caching it", "we cache it"], "caching", &[1, 0, 2]);
    check(&["naive café", "naïve cafe"], "CAFÉ", &[0, 1]);
    check(&["the run", "he runs it"], "\"he run\"", &[]);
}

#[test]
fn identifiers_rank_whole_then_in_order_then_in_parts() {
    let texts = ["bar and foo here", "foo bar here too", "the foo_bar here ok", "only foo here x"];
    check(&texts, "foo_bar", &[2, 1, 0, 3]);
    check(&texts, "+foo_bar", &[2, 1]);
    check(&texts, "-foo_bar", &[0, 3]);
    check(&["git --no-verify", "no need to verify", "verify with no check"], "\"no verify\"", &[0]);
    check(&["in real time x", "a real-time x", "the time is real"], "\"real-time\"", &[0, 1]);
    check(&["C is old", "C++ is not", "C# neither"], "C++", &[1, 2, 0]);
    check(&["C is old", "C++ is not", "C# neither"], "+C++", &[1]);
    check(&["call fooBar now", "call foobar now", "a foo, a bar"], "fooBar", &[0, 1, 2]);
    check(&["code E1021 means", "code E1022 means"], "E1022", &[1]);
}

#[test]
fn scripts_without_spaces_are_found_by_any_two_characters() {
    let texts = ["第五十届超级碗比赛", "碗里有水", "东京大阪"];
    check(&texts, "级碗", &[0]);
    check(&texts, "水", &[1]);
    check(&texts, "碗", &[1, 0]);
    check(&texts, "\"京大阪\"", &[2]);
    check(&["ภาษาไทย", "ภาษาลาว"], "ไทย", &[0]);
}

#[test]
fn a_query_that_is_a_section_s_title_finds_that_section_first() {
    let rows = [
        TextRow {
            section: "Backup > Archiving continuously",
            ..row(0, "continuous archiving, archiving continuous")
        },
        TextRow { section: "Backup > Continuous Archiving > Tips", ..row(1, "see above") },
        TextRow {
            section: "Backup > Continuous Archiving",
            ..row(2, "logs are shipped, and a base is taken now and then")
        },
        row(3, "continuous archiving continuous archiving archiving continuous"),
    ];
    let (_dir, index) = index_rows(&rows);
    for query in ["continuous archiving", "Continuous Archiving?", "+continuous archiving"] {
        assert_eq!(found(&index, query)[..2], [2, 1], "{query}");
    }
    // Whoever writes more than words has said what is meant.
    for query in [
        "continuous OR archiving",
        "continuous archiv*",
        "text:continuous archiving",
        "continuous archiving -tips",
    ] {
        assert_ne!(found(&index, query)[0], 2, "{query}");
    }
}

#[test]
fn titles_of_document_and_section_together_find_that_section_first() {
    let long = "options of rebase are many, and rebase has options for onto, options for root and options for autosquash";
    let rows = [
        TextRow { title: "git-rebase", section: "SYNOPSIS", ..row(0, long) },
        TextRow { title: "git-rebase", section: "OPTIONS", ..row(1, "--onto: where the new commits start") },
        TextRow { title: "git-merge", section: "OPTIONS", ..row(2, "--ff: rebase or merge with options") },
        TextRow { title: "git-rebase", section: "Notes", ..row(3, "what else there is to say of it") },
        TextRow { title: "Über uns", section: "选项说明", ..row(4, "文字") },
    ];
    let (_dir, index) = index_rows(&rows);
    let first = |text: &str| found(&index, text)[0];
    assert_eq!(first("git rebase options"), 1);
    assert_eq!(first("what are the options of rebase?"), 1);
    assert_eq!(first("rebase option"), 1, "stems count");
    assert_eq!(first("über 选项"), 4);
    assert_ne!(first("rebase options autosquash"), 1, "every word has to be there");
}

#[test]
fn titles_sections_and_addresses_count() {
    let rows = [
        TextRow { title: "Caching guide", ..row(0, "how to do it") },
        TextRow { section: "Caching > Write-through", ..row(1, "how to do it") },
        TextRow { uri: "docs/cache.md", ..row(2, "how to do it") },
        row(3, "how to do it"),
    ];
    let (_dir, index) = index_rows(&rows);
    assert_eq!(found(&index, "caching"), [1, 0, 2]);
    assert_eq!(found(&index, "\"write through\""), [1]);
    assert_eq!(found(&index, "docs/cache.md"), [2, 1, 0]);
}

#[test]
fn long_tokens_are_found_by_their_beginning() {
    let long = "x".repeat(200_000);
    check(&["short", &long], &"x".repeat(crate::store::embedded::analysis::MAX_TOKEN_CHARS), &[1]);
    check(&["short", &long], &long, &[1]);
}

#[test]
fn the_generation_is_that_of_the_last_commit() {
    let dir = TempDir::new().unwrap();
    let created = TextIndex::create(dir.path()).unwrap();
    assert_eq!((created.generation(), created.is_empty()), (None, true));
    assert!(matches!(TextIndex::create(dir.path()), Err(TextError::Index { action: "create", .. })));
    let mut writer = created.writer(0).unwrap();
    writer.add(&row(5, "one")).unwrap();
    assert!(matches!(created.writer(0), Err(TextError::Busy { .. })));
    drop(writer);
    assert!(TextIndex::open(dir.path()).unwrap().is_empty(), "uncommitted rows are not there");
    writer = created.writer(0).unwrap();
    writer.add(&row(5, "one")).unwrap();
    writer.commit(41).unwrap();
    writer.add(&row(6, "two")).unwrap();
    writer.commit(42).unwrap();
    let index = TextIndex::open(dir.path()).unwrap();
    assert_eq!((index.generation(), index.len()), (Some(42), 2));
    assert_eq!(index.rows().unwrap(), RowSet::from_iter([5, 6]));
}

#[test]
fn a_folder_without_an_index_is_an_error() {
    let dir = TempDir::new().unwrap();
    assert!(matches!(TextIndex::open(dir.path()), Err(TextError::Index { .. })));
    assert!(matches!(TextIndex::open(&dir.path().join("missing")), Err(TextError::Index { .. })));
    TextIndex::create(dir.path()).unwrap();
    fs::write(dir.path().join("meta.json"), "{").unwrap();
    assert!(matches!(TextIndex::open(dir.path()), Err(TextError::Index { .. })));
}

#[test]
fn readers_open_while_a_writer_commits_and_merges() {
    let dir = TempDir::new().unwrap();
    let mut writer = TextIndex::create(dir.path()).unwrap().writer(MEMORY).unwrap();
    let opened = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut seen = 0;
            let mut n_opened = 0;
            while seen < 15 {
                let index = TextIndex::open(dir.path()).unwrap();
                let generation = index.generation().unwrap_or(0);
                assert!(generation >= seen);
                assert_eq!(index.len(), generation);
                assert_eq!(found(&index, "word").len() as u64, generation);
                (seen, n_opened) = (generation, n_opened + 1);
            }
            n_opened
        });
        for number in 1..=15 {
            writer.add(&row(number, "a word")).unwrap();
            writer.commit(u64::from(number)).unwrap();
        }
        reader.join().unwrap()
    });
    assert!(opened > 1);
}

/// What a test does to an index.
#[derive(Clone, Debug)]
enum Step {
    Put(u64, Vec<String>),
    Delete(u64),
    Commit,
}

fn step() -> impl Strategy<Value = Step> {
    let texts = prop::collection::vec("([abc] |b_c |cats |cat |超级 ){1,12}", 1..4);
    prop_oneof![
        4 => (0u64..8, texts).prop_map(|(doc, texts)| Step::Put(doc, texts)),
        1 => (0u64..8).prop_map(Step::Delete),
        1 => Just(Step::Commit),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// An index that grew step by step, with deletions, segments and merges, answers as one that is written at once,
    /// to the bit; and a filter gives what is left of the unfiltered list.
    #[test]
    fn history_and_filters_do_not_change_scores(
        steps in prop::collection::vec(step(), 1..25),
        filter in prop::collection::btree_set(0u32..80, 0..40),
        k in 1usize..12,
    ) {
        let dir = TempDir::new().unwrap();
        let mut writer = TextIndex::create(dir.path()).unwrap().writer(MEMORY).unwrap();
        let mut living: Vec<(u32, u64, String)> = Vec::new();
        let mut next = 0;
        for step in &steps {
            match step {
                Step::Put(doc, texts) => {
                    writer.delete_doc(*doc);
                    living.retain(|(_, of, _)| of != doc);
                    for text in texts {
                        writer.add(&TextRow { doc: *doc, ..row(next, text) }).unwrap();
                        living.push((next, *doc, text.clone()));
                        next += 1;
                    }
                }
                Step::Delete(doc) => {
                    writer.delete_doc(*doc);
                    living.retain(|(_, of, _)| of != doc);
                }
                Step::Commit => writer.try_commit_unmerged(1).unwrap(),
            }
        }
        writer.try_commit_unmerged(2).unwrap();
        let grown = TextIndex::open(dir.path()).unwrap();
        writer.commit(3).unwrap();
        let merged = TextIndex::open(dir.path()).unwrap();
        let rows: Vec<TextRow<'_>> =
            living.iter().rev().map(|(number, doc, text)| TextRow { doc: *doc, ..row(*number, text) }).collect();
        let (_dir, fresh) = index_rows(&rows);
        let filter: RowSet = filter.into_iter().collect();
        for query in [
            "a b", "b_c cat", "+cats a", "-a", "\"a b\"", "\"a b\"~2 c", "超级 -b", "超 a a", "c* b", "?a* -b", "cat~ b",
            "+(a cats) +(b c)^2", "(a AND b) OR (c AND NOT cat)", "[b TO cat}", "/c.*/ a", "*:* b", "a (-b)",
        ] {
            let expected = search(&fresh, query, 1000, None);
            for index in [&grown, &merged] {
                prop_assert_eq!(&search(index, query, 1000, None), &expected);
                prop_assert_eq!(&search(index, query, k, None)[..], &expected[..k.min(expected.len())]);
                let mut filtered = expected.clone();
                filtered.retain(|&(row, _)| filter.contains(row));
                filtered.truncate(k);
                prop_assert_eq!(search(index, query, k, Some(&filter)), filtered);
            }
        }
    }

    #[test]
    fn any_query_is_answered(query in "(\\PC|[-+\"~ a-c_超级*?^1:()/\\[\\]{}!]| TO | AND | OR |title:){0,40}") {
        thread_local! {
            static INDEX: (TempDir, TextIndex) = index(&["a b c", "a_b 超级碗 \u{e01}", "-"]);
        }
        INDEX.with(|(_, index)| {
            let hits = search(index, &query, 10, None);
            assert!(hits.iter().all(|&(_, score)| score.is_finite() && score >= 0.0));
        });
    }
}

/// What Lucene's syntax means, on documents in which each meaning shows.
#[test]
fn the_syntax_finds_what_it_means() {
    let rows = [
        TextRow {
            title: "Red guide",
            section: "Fruit > Apples",
            uri: "docs/red.md",
            ..row(0, "red apple pie")
        },
        TextRow {
            title: "Green guide",
            section: "Fruit",
            uri: "docs/green.md",
            ..row(1, "green apple tart")
        },
        TextRow { title: "Bricks", section: "", uri: "notes/brick.md", ..row(2, "red brick wall") },
        row(3, "blue sky apples"),
        row(4, "Café http://x.org/a foo_bar 1.0.21"),
    ];
    let (_dir, index) = index_rows(&rows);
    let check = |text: &str, expected: &[u32]| {
        let mut rows = found(&index, text);
        rows.sort_unstable();
        assert_eq!(rows, expected, "{text}");
    };
    check("tart OR wall", &[1, 2]);
    check("red && pie", &[0]);
    check("red AND NOT pie", &[2]);
    check("red !pie", &[2]);
    check("tart OR (red AND brick)", &[1, 2]);
    check("(red OR green) AND (pie OR tart)", &[0, 1]);
    check("+(pie \"brick wall\") -(tart sky)", &[0, 2]);
    check("red AND (-pie)", &[2]);
    check("NOT apple", &[2, 4]);
    check("-(red blue)", &[1, 4]);
    check("*:*", &[0, 1, 2, 3, 4]);
    check("*:* -red", &[1, 3, 4]);
    check("app*", &[0, 1, 3]);
    check("Ap?le*S", &[0, 3]);
    check("?ed", &[0, 2]);
    check("*ck", &[2]);
    check("cafÉ*", &[4]);
    check("appel~", &[0, 1, 3]);
    check("brikc~1", &[2]);
    check("brkics~1", &[]);
    check("/[pt](ie|art)/", &[0, 1]);
    check("/ie/", &[]);
    check("[pie TO sky]", &[0, 2, 3]);
    check("title:[bricks TO green}", &[2]);
    check("{pie TO sky}", &[0, 2]);
    check("title:guide", &[0, 1]);
    check("title:(guide AND red)", &[0]);
    check("section:apple", &[0]);
    check("section:*", &[0, 1]);
    check("uri:notes path:green", &[1, 2]);
    check("title:guide AND text:tart", &[1]);
    check("\"pie red\"~3", &[0]);
    check("foo\\_bar", &[4]);
    check("foo_b*", &[4]);
    check("1.0.2?", &[4]);
    check("z:(^ brick", &[2]);
    check("year:2024", &[]);
    check("(((", &[]);
    // A factor changes the order.
    assert_eq!(found(&index, "pie^9 tart"), [0, 1]);
    assert_eq!(found(&index, "pie tart^9"), [1, 0]);
    assert_eq!(found(&index, "(brick)^9 (sky pie)"), [2, 0, 3]);
    // A word itself comes before words that are near to it.
    assert_eq!(found(&index, "apple~"), [0, 1, 3]);
}

#[test]
fn rows_found_elsewhere_take_part() {
    let (_dir, index) = index(&["a b", "a c", "b c"]);
    let query = query("a AND year:2024");
    let mut place = None;
    query.root.as_ref().unwrap().walk(&mut |node| {
        if let Kind::Field { inner, .. } = &node.kind {
            place = Some(inner.span.clone());
        }
    });
    let metadata = MetadataRows::from([(place.unwrap(), RowSet::from_iter([1, 2]))]);
    let hits = index.search(&query, &metadata, 10, None).unwrap().hits;
    assert_eq!(hits.iter().map(|hit| hit.0).collect::<Vec<_>>(), [1]);
}

/// A boolean query over single letters, and its meaning.
#[derive(Clone, Debug)]
enum Formula {
    Letter(char),
    Group(Vec<(Occur, Self)>),
}

impl Formula {
    fn text(&self) -> String {
        match self {
            Self::Letter(letter) => letter.to_string(),
            Self::Group(clauses) => {
                let clause = |(occur, formula): &(Occur, Self)| {
                    let sign = match occur {
                        Occur::Should => "",
                        Occur::Must => "+",
                        Occur::MustNot => "-",
                    };
                    format!("{sign}{}", formula.text())
                };
                format!("({})", clauses.iter().map(clause).collect::<Vec<_>>().join(" "))
            }
        }
    }

    fn matches(&self, text: &str) -> bool {
        match self {
            Self::Letter(letter) => text.contains(*letter),
            Self::Group(clauses) => {
                let of = |wanted: Occur| {
                    clauses.iter().filter(move |(occur, _)| *occur == wanted).map(|(_, formula)| formula)
                };
                let optional =
                    || of(Occur::Should).count() == 0 || of(Occur::Should).any(|it| it.matches(text));
                !of(Occur::MustNot).any(|it| it.matches(text))
                    && of(Occur::Must).all(|it| it.matches(text))
                    && (of(Occur::Must).count() > 0 || optional())
            }
        }
    }
}

fn formula() -> impl Strategy<Value = Formula> {
    let occur = || prop::sample::select(vec![Occur::Should, Occur::Must, Occur::MustNot]);
    let letter = prop::sample::select(vec!['a', 'b', 'c', 'd']).prop_map(Formula::Letter);
    letter.prop_recursive(3, 12, 4, move |inner| {
        prop::collection::vec((occur(), inner), 1..4).prop_map(Formula::Group)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn boolean_queries_match_as_by_hand(formula in formula()) {
        const TEXTS: [&str; 16] = [
            "x", "a", "b", "c", "d", "a b", "a c", "a d", "b c", "b d", "c d", "a b c", "a b d", "a c d", "b c d", "a b c d",
        ];
        thread_local! {
            static INDEX: (TempDir, TextIndex) = index(&TEXTS);
        }
        let mut rows = INDEX.with(|(_, index)| found(index, &formula.text()));
        rows.sort_unstable();
        let expected: Vec<u32> = (0..).zip(TEXTS).filter(|(_, text)| formula.matches(text)).map(|(row, _)| row).collect();
        prop_assert_eq!(rows, expected, "{}", formula.text());
    }
}
