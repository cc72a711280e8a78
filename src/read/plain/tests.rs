//! Tests of the readers of plain text and source code.

use proptest::prelude::*;

use super::*;
use crate::read::{detect, reader_named};

fn document(uri: &str, source: &str) -> Document {
    let blob = Blob { uri: uri.into(), bytes: source.as_bytes().to_vec() };
    detect(&blob).unwrap().read(&blob, &ReadOptions::default()).unwrap().document
}

/// Checks the sections of `source`, one `level@line title` each.
#[track_caller]
fn check(uri: &str, source: &str, expected: &[&str]) {
    let document = document(uri, source);
    let locator = document.locator();
    let found: Vec<_> = document
        .sections
        .iter()
        .map(|it| format!("{}@{} {}", it.level, locator.locate(it.span).lines.unwrap().0, it.title))
        .collect();
    assert_eq!(found, expected, "{source:?}");
    check_invariants(source, &document);
}

#[track_caller]
fn check_invariants(source: &str, document: &Document) {
    let text = &document.text;
    assert!(source.ends_with(text.as_str()));
    assert_eq!(document.sections.is_empty(), text.is_empty());
    let mut at = 0;
    for section in &document.sections {
        assert_eq!(section.own.start, at);
        at = section.own.end;
    }
    assert_eq!(at, text.len());
    let mut at = 0;
    for Block { span, .. } in &document.blocks {
        assert!(at <= span.start && span.start < span.end);
        assert!(text[at..span.start].trim().is_empty());
        assert!(document.sections.iter().all(|it| it.own.start <= span.start || it.own.start >= span.end));
        at = span.end;
    }
    assert!(text[at..].trim().is_empty());
}

#[test]
fn plain_text_is_one_section_of_paragraphs() {
    let source = "\n a\nb\r\n \t\r\nc\n\n";
    let document = document("x/notes.txt", source);
    assert_eq!(document.text, &source[1..]);
    assert_eq!(document.title, "notes.txt");
    let blocks: Vec<_> = document.blocks.iter().map(|it| it.span.slice(&document.text)).collect();
    assert_eq!(blocks, [" a\nb\r\n", "c\n"]);
    assert_eq!(document.sections.len(), 1);
    check("a.json", "{\n\n}", &["0@1 "]);
    check("Makefile", "all:\n\ttrue\n", &["0@1 "]);
    check("a.txt", " \n", &[]);
}

#[test]
fn underlined_titles_of_plain_text_open_sections() {
    let readme = "Project README\n==============\n\nIntro.\n\nInstalling\n---------\n\nRun.\n\nFrom source\n~~~~~~~~~\nx\n\nUsage\n-----\n";
    for uri in ["a/README", "INSTALL.txt", "notes.TXT", "README.Debian", "NEWS"] {
        check(uri, readme, &["1@1 Project README", "2@6 Installing", "3@11 From source", "2@15 Usage"]);
    }
    assert_eq!(document("README", readme).title, "Project README");
    for uri in ["a.log", "a.json", "README.json", "a.dat"] {
        check(uri, readme, &["0@1 "]);
    }
    check("a.txt", "Doc\n===\nSubtitle\n--------\n", &["1@1 Doc", "2@3 Subtitle"]);
    // One at the start, with a line above; many in a row.
    check("a.txt", "=======\n  Doc\n=======\ntext\n", &["1@1 Doc"]);
    check("a.txt", "Doc\r\n---\r\n", &["0@1 "]);
    check("a.txt", "x\n\nDoc\n===\n", &["0@1 "]);
    let news = "News\n\nVersion 2  (May 2024)\n====================\n\n* x\n\nVersion 1\n=========\ny\n";
    check("NEWS", news, &["0@1 ", "1@3 Version 2 (May 2024)", "1@8 Version 1"]);
    assert_eq!(document("NEWS", news).title, "NEWS");
    // Tables, rulers, letters, code, sentences that run on.
    for text in [
        "Name  Size\n---- ----\na     1\n\nName  Size\n==========\na     1\n\nName\tSize\n---------\na\t1\n",
        "a\n\n----\n\nb\n\n====\n\nc\n",
        "From: a\nTo: b\n------\n\nHello,\n------\n\nBye\nAnn\n---\n",
        "The first sentence of a paragraph that is longer\n-----\n\nand another one that is long\n=====\n",
        "12.50\n-----\n\n13.50\n=====\n",
        "# One\n-----\n\n- two\n-----\n\n  three\n  -----\n",
        "one\ntwo\n---\n\nthree\nfour\n----\n",
        "a\n--\n\nb\n--\n",
        "Bugs:\n--------\nNo what\n--------\n17 this\n--------\n",
    ] {
        check("a.txt", text, &["0@1 "]);
    }
}

#[test]
fn manual_pages_have_sections() {
    let page = ".\\\" made\n.TH FOO 1 \"2024\"\n.SH NAME\nfoo \\- does\n.SH \"SEE ALSO\"\nx\n.SS\nSub \\fBsection\\fR\ny\n";
    check("foo.1", page, &["0@1 ", "1@3 NAME", "1@5 SEE ALSO", "2@7 Sub section"]);
    assert_eq!(document("foo.1", page).title, "FOO(1)");
    check("ls.1p", ".Dd May\n.Dt LS 1\n.Sh NAME\n.Nm ls\n", &["0@1 ", "1@3 NAME"]);
    check("log.1", ".SH NAME\nx\n", &["0@1 "]);
    check("a.txt", page, &["0@1 "]);
}

#[test]
fn restructuredtext_levels_follow_first_use() {
    check(
        "a.rst",
        "=====\n Doc \n=====\n\nOne\n---\n\ntext\n\nTwo\n~~~\n\nThree\n-----\n",
        &["1@1 Doc", "2@5 One", "3@10 Two", "2@13 Three"],
    );
    check("a.rst", "a\n\n----\n\nb\n\n.. code::\n\n   X\n   ===\n", &["0@1 "]);
    check("a.rst", "====  ====\na     b\n====  ====\n1     2\n====  ====\n", &["0@1 "]);
    check("a.rst", "text\nmore text\n====\n", &["0@1 "]);
    check("a.rst", "- item\n------\n\n:field: x\n---------\n", &["0@1 "]);
    check("a.rst", ":mod:`os.path` --- ``join``\n==================\n", &["1@1 os.path --- join"]);
    check("a.rst", "`A link <x.html>`_ here\r\n=======================\r\n", &["1@1 A link here"]);
    check("a.rst", "Title\n===\n", &["0@1 "]);
    check("a.rst", "日本語\n======\n", &["1@1 日本語"]);
    // What stands right above a title: a label, a field list, a list, what a directive holds; not a paragraph.
    check(
        "a.rst",
        ":orphan:\n.. _top:\nTop\n===\n.. note::\n   text\nOne\n---\n* item\n* item\nTwo\n---\nwords\nno\n--\n\n.. x\nmore\n====\n",
        &["0@1 ", "1@3 Top", "2@7 One", "2@11 Two", "1@18 more"],
    );
    check("a.rst", "words\n- no item\nno title\n--------\n", &["0@1 "]);
    let title = r"google.auth.identity\_pool \*\*kw\ s **bold** |name| ``a\_b``";
    check(
        "a.rst",
        &format!("{title}\n{}\n", "=".repeat(80)),
        &[r"1@1 google.auth.identity_pool **kws bold name a\_b"],
    );
}

#[test]
fn asciidoc_titles_open_sections() {
    check(
        "a.adoc",
        "= Doc\n:toc:\n\ntext\n\n== One ==\n\n----\n== no\n----\n\n====\n== no\n====\n\n=== Two\n\n```rb\n== no\n```\n== Three\n",
        &["1@1 Doc", "2@6 One", "3@16 Two", "2@21 Three"],
    );
    check("a.adoc", "Doc\n===\n\nOne\n---\n\nsome text\n----\n== no\n----\n", &["1@1 Doc", "2@4 One"]);
    check("a.adoc", "|===\n== no\n|===\n\n==no\n======= no\n", &["0@1 "]);
    check(
        "a.adoc",
        "= Doc [[top]]\n\n## One\n[#id]\n### Two [[two,2]]\n.Example\ntext\n== no\nmore\n## no\n\n== Three\ninclude::x[]\n=== Four\n",
        &["1@1 Doc", "2@3 One", "3@5 Two", "2@12 Three", "3@14 Four"],
    );
}

#[test]
fn org_headlines_open_sections() {
    check(
        "a.org",
        "#+TITLE: x\n* One  :a:b:\n text\n** Two\n*bold*\n * no\n***\n",
        &["0@1 ", "1@2 One", "2@4 Two"],
    );
    check(
        "a.org",
        "* See [[https://x.org][the page]] and [[file.txt]]\n",
        &["1@1 See the page and file.txt"],
    );
    let bytes = b"#+AUTHOR: me\n#+title: The\n#+TITLE: Book\n* One\n#+TITLE: no\n".to_vec();
    let parsed = Plain.read(&Blob { uri: "a.org".into(), bytes }, &ReadOptions::default()).unwrap();
    assert_eq!(parsed.document.title, "The Book");
}

#[test]
fn items_of_code_open_sections() {
    check(
        "a.rs",
        "//! Doc\n\nuse x;\nmod a;\n\n/// A.\n#[derive(Debug)]\npub(crate) struct A<T> {\n    x: T,\n}\n\nimpl<T> A<T> {\n    fn f() {}\n}\n// B\nconst fn b(\n) {}\n\n#[cfg(test)]\nmod tests {\n    fn c() {}\n}\nmacro_rules! m {}\n",
        &["0@1 ", "1@6 struct A", "1@12 impl<T> A<T>", "1@15 fn b", "1@19 mod tests", "1@23 macro_rules! m"],
    );
    check(
        "a.rs",
        "pub mod a;\n/// S.\npub struct S<T>(T);\nstruct Unit;\ntype A = u8;\nconst X: u8 = 1;\n",
        &["0@1 ", "1@2 struct S", "1@4 struct Unit", "1@5 type A"],
    );
    check(
        "a.py",
        "\"\"\"Doc.\n\nclass Not:\n\"\"\"\nimport x\n\n# note\n@decorated(\"x\")\nasync def f(a):\n    def inner(): pass\n\n\nclass B(A):\n    pass\nclassify = 1\n",
        &["0@1 ", "1@7 def f", "1@13 class B"],
    );
    check(
        "a.ts",
        "import x from 'y';\n/** Doc. */\nexport default async function f() {}\nexport const g = async (a) => 1;\nconst h = 3;\nexport interface I<T> {}\nexport type T = 1;\n",
        &["0@1 ", "1@2 function f", "1@4 const g", "1@6 interface I", "1@7 type T"],
    );
    check(
        "a.go",
        "package a\n\n// F does.\nfunc F() {}\nfunc (r *T) M(x int) {}\ntype T struct {\n}\n",
        &["0@1 ", "1@3 func F", "1@5 func (r *T) M", "1@6 type T"],
    );
    check(
        "a.c",
        "#include <x.h>\n/* doc\n * more\nif (x) y\n */\nstatic int *f(int a,\n  int b)\n{\n  return 0;\n}\nint proto(void);\nstruct s {\n};\nint main(void) {\n}\n",
        &["0@1 ", "1@2 int *f", "1@12 struct s", "1@14 int main"],
    );
    check(
        "A.java",
        "package a;\n\n/** D. */\n@X\npublic final class A<T> {\n}\n",
        &["0@1 ", "1@3 class A<T>"],
    );
    check("a.rb", "module A\n  class B\n  end\nend\n", &["1@1 module A"]);
    check(
        "a.sh",
        "#!/bin/sh\nset -e\n\n# Says.\nsay() {\n  :\n}\nfunction f {\n}\n",
        &["0@1 ", "1@4 say()", "1@8 function f"],
    );
    check(
        "a.sql",
        "-- t\ncreate table if not exists t (\n a int\n);\n",
        &["1@1 create table if not exists t"],
    );
    check("a.ex", "defmodule A.B do\n  def f, do: 1\nend\n", &["1@1 defmodule A.B"]);
    check("a.tf", "resource \"a\" \"b\" {\n}\n", &["1@1 resource \"a\" \"b\""]);
    check("a.css", "a { }\n\nb { }\n", &["0@1 "]);
}

#[test]
fn every_code_extension_of_a_family_is_read_as_code() {
    for family in items::families() {
        for extension in family {
            assert!(items::EXTENSIONS.contains(extension), "{extension}");
        }
    }
    let code = reader_named("code").unwrap().meta().extensions;
    let text = reader_named("text").unwrap().meta().extensions;
    assert!(code.iter().all(|extension| !text.contains(extension)));
}

#[test]
fn hostile_text_takes_linear_time() {
    for extension in ["txt", "1", "rst", "adoc", "org", "rs", "py", "c", "ts", "sql", "hs", "ex"] {
        for piece in [
            "a", "=\n", "a\n=\n", "fn f ", "int f(\n", "/*\n", "# \n", "* \n", "(", "\"\"\"", "a a ",
            "export ",
        ] {
            let source = piece.repeat(100_000 / piece.len());
            assert!(!document(&format!("x.{extension}"), &source).sections.is_empty());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_text_keeps_the_invariants(
        extension in prop::sample::select(vec!["txt", "1", "rst", "adoc", "org", "rs", "py", "c", "ts", "vue"]),
        pieces in prop::collection::vec(prop::sample::select(vec![
            "\n", "\n", "\r\n", "\r", " ", "a", "é", "===", "---", "= ", "== x", "* ", "fn f() {", "def f():", "#", "//",
            "/*", "*/", "\"\"\"", ".TH a", ".SH", ".SS \"x\\f", "int f(", ";", "class A", "<script>", "@x", ".. ", "----", "\u{2028}",
        ]), 0..60),
    ) {
        let source = pieces.concat();
        check_invariants(&source, &document(&format!("x.{extension}"), &source));
    }
}

#[test]
fn tables_of_other_encodings_keep_their_places() {
    // markitdown#18: CP932 from Windows.
    let bytes =
        b"\x96\xbc\x91O,\x93s\x8es\r\n\x8eR\x93c,\x93\x8c\x8b\x9e\r\n\x97\xe9\x96\xd8,\x91\xe5\x8d\xe3\r\n"
            .to_vec();
    let blob = Blob { uri: "a.csv".into(), bytes: bytes.clone() };
    let document = Plain.read(&blob, &ReadOptions::default()).unwrap().document;
    assert_eq!(document.text, "名前,都市\r\n山田,東京\r\n鈴木,大阪\r\n");
    let start = document.text.find("東京").unwrap();
    let place = document.location(Span::new(start, start + "東京".len()));
    assert_eq!(place.lines, Some((2, 2)));
    let Span { start, end } = place.bytes.unwrap();
    assert_eq!(&bytes[start..end], b"\x93\x8c\x8b\x9e");
}
