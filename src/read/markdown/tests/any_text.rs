//! What holds for every text, and how long hostile ones take.

use proptest::prelude::*;

use super::{check_invariants, read, read_as};
use crate::read::charset;

#[test]
fn hostile_text_takes_linear_time() {
    // Each of these once took minutes in some Markdown parser; 100,000 bytes each keep the test quick and
    // a quadratic parser slow.
    let size = 100_000;
    let started = std::time::Instant::now();
    for piece in [
        "a",
        "> ",
        ">",
        "[",
        "]",
        "![",
        "*",
        "_",
        "**a ",
        "`",
        "`a",
        "- ",
        "-\n",
        "1. ",
        "# ",
        "#\n",
        "|",
        "|-",
        "a|\n",
        "<",
        "<a ",
        "<!--",
        "<h1>",
        "<h1>a</h1>",
        "&",
        "\\",
        "~",
        "~~~\n",
        "```\n",
        "[a](",
        "[^1]: ",
        "[a]: b\n",
        "\t",
        "    a\n",
        "$",
        "a\r",
        "\r\n",
        "…",
        "👩‍👩‍👧‍👦",
        "> - ",
        "***\n",
        "a\n=\n",
        "[^a]",
        "<a id=x></a>\n",
        "<?",
        "<![CDATA[",
    ] {
        let source = piece.repeat(size / piece.len());
        let document = read(&format!("x {source}")).document;
        assert!(!document.blocks.is_empty(), "{piece:?}");
        read(&source);
    }
    assert!(started.elapsed().as_secs() < 60, "took {:?}", started.elapsed());
}

/// Markdown-like strings: pieces of syntax in any order.
fn markdown_like() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "\n",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        " ",
        "  ",
        "    ",
        "\t",
        "a",
        "b c",
        "é",
        "漢字",
        "👩‍👧",
        "# ",
        "## ",
        "#",
        "===",
        "---",
        "- ",
        "* ",
        "1. ",
        "> ",
        ">",
        "```",
        "~~~",
        "`",
        "*",
        "**",
        "_",
        "[",
        "](",
        ")",
        "![",
        "]: x",
        "[^1]",
        "[^1]: ",
        "|",
        "|-|-|",
        "a|b\n-|-\n",
        "<h1>",
        "</h1>",
        "<h2>x</h2>",
        "<div>",
        "</div>",
        "<!--",
        "-->",
        "<a id=x></a>",
        "<b>",
        "&amp;",
        "&",
        "\\",
        "+++",
        "a: 1",
        "title: x",
        "- [ ] ",
        ": ",
        ":::",
        "\u{feff}",
        "\u{1}",
        "\u{2028}",
        "\u{a0}",
    ];
    let start = prop::sample::select(vec![
        "",
        "",
        "\u{feff}",
        "---\na: 1\n---\n",
        "\u{feff}---\r\na: 1\r\n---\r\n",
        "---\na: [\n---\n",
        "+++\n",
    ]);
    let rest = prop::collection::vec(prop::sample::select(PIECES), 0..40);
    (start, rest).prop_map(|(start, rest)| start.to_owned() + &rest.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn markdown_like_text_keeps_the_invariants(source in markdown_like()) {
        prop_assume!(!charset::is_binary(source.as_bytes()));
        check_invariants(source.as_bytes(), &read(&source).document);
    }

    #[test]
    fn mdx_like_text_keeps_the_invariants(source in markdown_like(), tags in prop::collection::vec(prop::sample::select(vec![
        "<A>\n", "</A>\n", "<B\nx={1}>\n", "  ", "    # x\n", "  é\n", "  - a\n", "    ```\n", "  <h2>x</h2>\n", "# y {#z}\n{: #a}\n",
    ]), 0..20)) {
        let source = tags.concat() + &source;
        prop_assume!(!charset::is_binary(source.as_bytes()));
        check_invariants(source.as_bytes(), &read_as("docs/file.mdx", &source).document);
    }

    #[test]
    fn any_text_keeps_the_invariants(source in any::<String>()) {
        prop_assume!(!charset::is_binary(source.as_bytes()));
        check_invariants(source.as_bytes(), &read(&source).document);
    }
}
