//! Blocks: whole lines, list items, fences, table headers.

use std::fmt::Write as _;

use super::{check_blocks, check_invariants, letter, read};
use crate::content::BlockKind;

#[test]
fn html_tables_stay_text() {
    // unstructured#3717.
    let source = "# A\n\n<table>\n<tr><td>cell</td></tr>\n</table>\n";
    check_blocks(source, &[('h', "# A\n"), ('p', "<table>\n<tr><td>cell</td></tr>\n</table>\n")]);
}

#[test]
fn blocks_are_whole_lines() {
    check_blocks("# A\n\none\ntwo\n\nB\n---\n", &[('h', "# A\n"), ('p', "one\ntwo\n"), ('h', "B\n---\n")]);
    check_blocks("  a\r\n\r\n***\r\nb", &[('p', "  a\r\n"), ('p', "***\r\n"), ('p', "b")]);
    check_blocks("a\n\n[x]: /y\n[z]: /w\n\nb\n", &[('p', "a\n"), ('p', "[x]: /y\n[z]: /w\n"), ('p', "b\n")]);
    check_blocks("[^1]: a\n\n    b\n\nc[^1]\n", &[('p', "[^1]: a\n"), ('p', "    b\n"), ('p', "c[^1]\n")]);
    check_blocks("> a\n> b\n>\n> c\nd\n\n>\n", &[('p', "> a\n> b\n"), ('p', "> c\nd\n"), ('p', ">\n")]);
    check_blocks("<p>\na\n</p>\n<b>\n\nc\n", &[('p', "<p>\na\n</p>\n<b>\n"), ('p', "c\n")]);
    check_blocks(
        "x\n<p>\n<h1>A</h1>\nb\n",
        &[('p', "x\n"), ('p', "<p>\n"), ('h', "<h1>A</h1>\n"), ('p', "b\n")],
    );
    check_blocks("<h1>A</h1><h2>B</h2>\n", &[('h', "<h1>A</h1>"), ('h', "<h2>B</h2>\n")]);
    check_blocks("---\na: [\n---\nb\n", &[('p', "---\na: [\n---\n"), ('p', "b\n")]);
}

#[test]
fn list_items_end_where_nested_blocks_start() {
    check_blocks("- a\n- b\n  c\n", &[('i', "- a\n"), ('i', "- b\n  c\n")]);
    check_blocks(
        "1. a\n\n   b\n   - c\n     - d\n\n   e\n2. f\n",
        &[('i', "1. a\n\n   b\n"), ('i', "   - c\n"), ('i', "     - d\n"), ('i', "   e\n"), ('i', "2. f\n")],
    );
    check_blocks(
        "- - a\n  - b\n-\n- c\n",
        &[('i', "- - a\n"), ('i', "  - b\n"), ('i', "-\n"), ('i', "- c\n")],
    );
    check_blocks("- [ ] a\n- [x] b\n\n  c\n", &[('i', "- [ ] a\n"), ('i', "- [x] b\n\n  c\n")]);
    check_blocks("- # a\n  b\n\n  > c\n", &[('i', "- # a\n  b\n"), ('p', "  > c\n")]);
    check_blocks("-\n  a\n* b\nlazy\n", &[('i', "-\n  a\n"), ('i', "* b\nlazy\n")]);
    check_blocks("- a\r\n\r\n- b\r\n", &[('i', "- a\r\n"), ('i', "- b\r\n")]);
    check_blocks(
        "- a\n\n  ```\n  b\n  ```\n  c\n",
        &[('i', "- a\n"), ('c', "  ```\n  b\n  ```\n"), ('i', "  c\n")],
    );
}

#[test]
fn code_blocks_know_their_opening_fence() {
    #[track_caller]
    fn check(source: &str, expected: Option<&str>, expected_block: &str) {
        let document = read(source).document;
        let block = document.blocks.iter().find(|it| letter(it) == 'c').unwrap();
        let BlockKind::Code { fence } = block.kind else { unreachable!() };
        assert_eq!(fence.map(|it| it.slice(&document.text)), expected, "{source:?}");
        assert_eq!(block.span.slice(&document.text), expected_block, "{source:?}");
        check_invariants(source.as_bytes(), &document);
    }
    check("```rust ignore\nx\n```\n", Some("```rust ignore"), "```rust ignore\nx\n```\n");
    check("~~~~\r\nx\r\n~~~~\r\ny", Some("~~~~"), "~~~~\r\nx\r\n~~~~\r\n");
    check("```\nx\n\n", Some("```"), "```\nx\n");
    check("a\n```\n```", Some("```"), "```\n```");
    check("- a\n\n  ```py\n  x\n  ```\n", Some("```py"), "  ```py\n  x\n  ```\n");
    check("- ```py\n  x\n  ```\n", Some("```py"), "- ```py\n  x\n  ```\n");
    check("> ```py\n> x\n> ```\n", Some("```py"), "> ```py\n> x\n> ```\n");
    check("> ```py\n> x\n\ny\n", Some("```py"), "> ```py\n> x\n");
    check("a\n\n    x\n\n    y\n\nz\n", None, "    x\n\n    y\n");
    check("\tx\n", None, "\tx\n");
}

#[test]
fn tables_know_their_header() {
    #[track_caller]
    fn check(source: &str, expected: &[(&str, &str)]) {
        let document = read(source).document;
        let tables = document.blocks.iter().filter_map(|block| match block.kind {
            BlockKind::Table { header } => {
                Some((header.slice(&document.text), block.span.slice(&document.text)))
            }
            _ => None,
        });
        assert_eq!(tables.collect::<Vec<_>>(), expected, "{source:?}");
        check_invariants(source.as_bytes(), &document);
    }
    check(
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        &[("| a | b |\n|---|---|\n", "| a | b |\n|---|---|\n| 1 | 2 |\n")],
    );
    // No outer pipes at the start of the file (pulldown-cmark#452).
    check("a | b\n--|--\n1 | 2\n", &[("a | b\n--|--\n", "a | b\n--|--\n1 | 2\n")]);
    check("x\n\na | b\r\n:-|-:\r\n1 | 2\r\n\r\ny", &[("a | b\r\n:-|-:\r\n", "a | b\r\n:-|-:\r\n1 | 2\r\n")]);
    check("- x\n\n  | a |\n  |---|\n  | 1 |\n", &[("  | a |\n  |---|\n", "  | a |\n  |---|\n  | 1 |\n")]);
    check("- | a |\n  |---|\n  | 1 |\n", &[("- | a |\n  |---|\n", "- | a |\n  |---|\n  | 1 |\n")]);
    check("> | a |\n> |---|\n> | 1 |\n", &[("> | a |\n> |---|\n", "> | a |\n> |---|\n> | 1 |\n")]);
    // Two tables of different width, and a line that is only a pipe (md-tui PR 248).
    check(
        "|a|b|\n|-|-|\n\n|a|b|c|\n|-|-|-|\n|1|2|3|\n\n|\n",
        &[("|a|b|\n|-|-|\n", "|a|b|\n|-|-|\n"), ("|a|b|c|\n|-|-|-|\n", "|a|b|c|\n|-|-|-|\n|1|2|3|\n")],
    );
    // 60 rows (qmd#955).
    let mut rows = String::from("| n | square |\n|---|--------|\n");
    (0..60).for_each(|n| writeln!(rows, "| {n} | {} |", n * n).unwrap());
    check(&rows, &[(&rows[..30], &rows)]);
}
