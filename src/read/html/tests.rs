use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::content::{BlockKind, Span};

mod code;
mod labels;
mod pieces;
mod words;

fn read_with(html: &[u8], options: &ReadOptions) -> Parsed {
    let blob = Blob { uri: "page.html".into(), bytes: html.to_vec() };
    let parsed = Html.read(&blob, options).unwrap();
    check_invariants(&parsed.document);
    parsed
}

fn read(html: &str) -> Document {
    read_with(html.as_bytes(), &ReadOptions::default()).document
}

/// Checks the text of a page whose body is `body`.
fn check(body: &str, expected: &str) {
    let text = read(body).text;
    assert_eq!(text.strip_suffix('\n').unwrap_or(&text), expected, "{body}");
}

/// Checks what holds for the document of any page.
fn check_invariants(document: &Document) {
    let text = &document.text;
    let mut end = 0;
    for block in &document.blocks {
        assert!(block.span.start >= end, "blocks overlap at {:?}", block.span);
        end = block.span.end;
        let is_blank = block.span.slice(text).trim().is_empty();
        assert!(!is_blank, "blank block {block:?}");
        assert!(block.span.start == 0 || text[..block.span.start].ends_with('\n'), "{block:?}");
        assert!(text[block.span.end..].starts_with('\n'), "{block:?} does not end its line");
        match &block.kind {
            BlockKind::Code { fence: Some(fence) } => {
                assert!(block.span.contains(*fence) && fence.slice(text).starts_with("```"));
                let ticks = fence.slice(text).trim_end_matches(|it| it != '`');
                assert!(block.span.slice(text).ends_with(&format!("\n{ticks}")));
            }
            BlockKind::Table { header } => assert!(block.span.contains(*header)),
            _ => {}
        }
    }
    // Nothing is written outside of blocks.
    let mut outside = text.clone();
    for block in document.blocks.iter().rev() {
        outside.replace_range(block.span.start..block.span.end, "");
    }
    assert!(outside.trim().is_empty(), "{outside:?} is in no block");
    let n_headings = document.blocks.iter().filter(|it| it.kind == BlockKind::Heading).count();
    assert_eq!(document.sections.iter().filter(|it| it.level > 0).count(), n_headings);
    let Origin::Anchors(anchors) = &document.origin else { panic!("{:?}", document.origin) };
    assert!(anchors.is_sorted_by(|a, b| a.0 <= b.0), "{anchors:?}");
    assert!(anchors.iter().all(|it| text.is_char_boundary(it.0)));
}

#[test]
fn blocks_are_separated_by_blank_lines() {
    check("", "");
    check("a <b>b</b>\n c<i>d</i>", "a b cd");
    check("<p>a<p>b", "a\n\nb");
    check("<h1>T</h1>x<h3>U <code>v</code></h3><p>y", "# T\n\nx\n\n### U v\n\ny");
    check("before<h2>T</h2>", "before\n\n## T");
    check("a<br>b<br/> c<br><br>d", "a\nb\nc\n\nd");
    check("<div>a<div>b</div>c</div>d", "a\n\nb\n\nc\n\nd");
    check("x <code>f(a)</code>, <kbd>Esc</kbd>", "x `f(a)`, `Esc`");
    check("<details><summary>More</summary>text</details>", "More\n\ntext");
    check("an <img src=x alt='a cat'>, <img src=y alt=''>", "an a cat,");
    check("<a href=x>text</a> &lt;tag&gt; * _ # |", "text <tag> * _ # |");
    check("a&nbsp;b &shy;c", "a b c");
    check("<div role=heading aria-level=3>T</div>x", "### T\n\nx");
}

#[test]
fn lists_are_nested_and_numbered() {
    check("<p>in:<ul><li>a<li>b<ul><li>c</ul>d<li>e</ul>f", "in:\n\n- a\n- b\n  - c\n\n  d\n\n- e\n\nf");
    check("<ol start=9><li>a<li>b<ul><li>c</ul></ol>", "9. a\n10. b\n    - c");
    check("<ol><li value=5>a<li>b</ol>", "5. a\n6. b");
    check("<ul><li><ul><li>a</ul><li></ul><ul><li>b</ul>", "- - a\n\n- b");
    check("<ul><li><p>a<br>b<p>c</ul>", "- a\n  b\n\n  c");
    check(
        "<ul><li><input type=checkbox checked> done<li><input type=checkbox> not</ul>",
        "- [x] done\n- [ ] not",
    );
    check("<ul><li><h2>T</h2>a</ul>", "## T\n\na");
    check("<div class=header><p>Next: <a rel=next href=x>X</a></div>a<div class=header>b</div>", "a\n\nb");
    check("<ul><li>a<pre>b\n c</pre>d</ul>", "- a\n\n```\nb\n c\n```\n\n  d");
    check("<dl><dt>a<dt>b<dd>c<p>d</p><dd>e<dt>f<dd>g</dl>h", "a\nb\n: c\n\n  d\n\n: e\n\nf\n: g\n\nh");
}

#[test]
fn a_term_and_its_definition_are_one_block() {
    let document = read("<dl><dt>a<dt>b<dd>c<dt>d<dd><p>e<p>f</dl>");
    let blocks: Vec<_> = document.blocks.iter().map(|it| it.span.slice(&document.text)).collect();
    assert_eq!(blocks, ["a\nb\n: c", "d\n: e", "  f"]);
}

#[test]
fn code_is_verbatim() {
    check("<pre>\n a\n\n\tb &lt; c\n</pre>", "```\n a\n\n\tb < c\n```");
    check("<pre><code class='language-rust'>fn f() {}\n</code></pre>", "```rust\nfn f() {}\n```");
    check(
        "<div class='highlight-python3 notranslate'><div class=highlight><pre>x</pre></div></div>",
        "```python3\nx\n```",
    );
    check("<pre class='sourceCode sh'><code>ls</code></pre>", "```sh\nls\n```");
    check("<pre>a\n````\nb</pre>", "`````\na\n````\nb\n`````");
    check("<pre><div>a</div><div>b</div>c<br>d</pre>", "```\na\nb\nc\nd\n```");
    check("<pre> </pre>x", "x");
    check("<table><tr><td class=linenos><pre>1\n2</pre><td><pre>a\nb</pre></table>", "```\na\nb\n```");
    check("<pre><span class=lineno>1 </span>a<button>Copy</button></pre>", "```\na\n```");
}

#[test]
fn tables_are_rows_of_pipes() {
    check(
        "<table><caption>Cap</caption><tfoot><tr><td>f<td>g</tfoot><tr><th>A<th>B<tr><td>1<td><p>2<p>3</table>x",
        "Cap\n\n| A | B |\n| --- | --- |\n| 1 | 2 3 |\n| f | g |\n\nx",
    );
    check("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>", "| a | b |\n| | c |");
    check(
        "<table><tr><th>A<th>B<tr><td><ul><li>x<li>y</ul><td><table><tr><td>n<td>m</table></table>",
        "| A | B |\n| --- | --- |\n| x y | n m |",
    );
    check("<table><tr><td><h2>T</h2>x<td>y</table>", "## T\n\nx\n\ny");
    check("<table><tr><td>only<tr><td>column</table>", "only\n\ncolumn");
    check("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb");
    check(
        "<div class=summary-table><div class='table-header col-first'>Made</div><div class='table-header col-last'>How</div>\
         <div class='col-constructor-name'>F()</div><div class=col-last>a</div><div class='col-constructor-name'>F(int)</div>\
         <div class=col-last>b</div></div>",
        "| Made | How |\n| --- | --- |\n| F() | a |\n| F(int) | b |",
    );
    check(
        "<div class=summary-table><div class='table-header col-first'>A</div><div class='table-header col-last'>B</div>\
         <div class=col-first>1</div><div class=col-last>2</div></div>",
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
    );
    let document = read("<table><thead><tr><th>A</thead><tr><td>1</table>");
    let BlockKind::Table { header } = document.blocks[0].kind else { panic!() };
    assert_eq!(header.slice(&document.text), "| A |\n| --- |");
    let document = read("<table><tr><td>1<td>2<tr><td>3<td>4</table>");
    assert_eq!(document.blocks[0].kind, BlockKind::Table { header: Span::new(0, 0) });
}

#[test]
fn furniture_is_dropped() {
    check("<nav>n</nav><header>h<nav>m</nav></header>x<footer>f</footer><aside>a</aside>", "x");
    check("<main>x<header>h</header></main>y", "x\n\nh");
    check("<div role=main>x</div>y", "x");
    check(
        "<article><h1>T</h1>long enough to be the article</article><p>chrome",
        "# T\n\nlong enough to be the article",
    );
    check(
        "<article>teaser</article><p>The page itself, which is no article at all.",
        "teaser\n\nThe page itself, which is no article at all.",
    );
    check("<main> <script>x</script></main>y", "y");
    // Functions of a manual are articles below the title of its page; a title that is the site's is none.
    let functions =
        "<article><h2>f()</h2>what f does</article><h2>Calls</h2><article><h2>g()</h2>what g does</article>";
    check(
        &format!("<p>site<div><div><h1>Module</h1></div><p>About it.{functions}</div>"),
        "# Module\n\nAbout it.\n\n## f()\n\nwhat f does\n\n## Calls\n\n## g()\n\nwhat g does",
    );
    for title in ["<h1><a href=/>Site</a></h1>", "<div id=header><h1>Site</h1></div>"] {
        check(&format!("{title}<p>claim{functions}"), "## f()\n\nwhat f does\n\n## g()\n\nwhat g does");
    }
    check("<div id=header>The title of the page</div>x", "The title of the page\n\nx");
    check("<header id=title-block-header><h1>T</h1><p>author</header>x", "# T\n\nauthor\n\nx");
    check("a<script>b</script><style>c</style><template>d</template><noscript><p>e</noscript>", "a");
    check(
        "a<p hidden>b<p style='display: None'>c<p style='color:red'>d<span aria-hidden=true>e</span>",
        "a\n\nd",
    );
    check("<div role=tabpanel hidden>tab</div><div role=dialog>Cookies?</div>", "tab");
    check("<button>Copy</button>a<select><option>b</select>", "a");
    check("<nav><a href=x>only</a></nav>", "only");
    check("<nav>n</nav>", "n");
    check("<blockquote>q<footer>Source</footer></blockquote>", "q\n\nSource");
    check("<aside class='footnote brackets'>1 note</aside>", "1 note");
    check("a <a href='/edit/x.md'>Edit this page</a>", "a");
}

#[test]
fn permalinks_are_no_text() {
    check("<h2 id=a>T<a class=headerlink href='#a'>¶</a></h2>", "## T");
    check("<h2 id=a><a class=header href='#a'>T</a></h2>", "## T");
    check("<h2><a class=header-anchor href='#a'>T</a></h2>", "## T");
    check("<h2>T<a class=hash-link href='#a' title='Direct link to T'>\u{200B}</a></h2>", "## T");
    check("<h2>T<a class=anchor href='#a'><span>Link to this heading</span></a></h2>", "## T");
    check("<h3><a href='#a'>#</a> T</h3><a href='#b'>§</a>x", "### T\n\nx");
    check(
        "<h1>T <button><img alt='Copy item path'></button></h1><h2><button>Fold</button></h2>",
        "# T\n\n## Fold",
    );
    check("<h2>T<span class=mw-editsection>[<a href=e>edit</a>]</span></h2>", "## T");
    check("<p>see <a href='#top'>↑</a> and <a href='x#y'>C++</a></p>", "see ↑ and C++");
}

#[test]
fn full_page_keeps_all_but_scripts() {
    let options = ReadOptions { full_page: true, ..ReadOptions::default() };
    let html = "<nav>n</nav><main>x</main><p hidden>h</p><script>s</script><footer>f</footer>";
    assert_eq!(read_with(html.as_bytes(), &options).document.text, "n\n\nx\n\nh\n\nf\n");
}

#[test]
fn sections_follow_headings() {
    let document = read("<p>pre<h1>A</h1>a<div><h3>B</h3>b</div><h2>C</h2><h2></h2>end");
    let sections: Vec<_> = document
        .sections
        .iter()
        .map(|it| (it.level, it.title.as_str(), it.own.slice(&document.text)))
        .collect();
    assert_eq!(
        sections,
        [(0, "", "pre\n\n"), (1, "A", "# A\n\na\n\n"), (3, "B", "### B\n\nb\n\n"), (2, "C", "## C\n\nend\n")]
    );
    check("<h1><div><h3></h3>a</h1>b", "# a\n\nb");
    // A heading inside a heading, as broken pages have them.
    check("<h1>a<span><h3>b</h3></span>c</h1>d", "# a\n\n### b\n\nc\n\nd");
}

#[test]
fn every_section_has_its_nearest_anchor() {
    let document = read(
        "<section id=s><span id=alias></span><h1>A</h1>a</section><a name=n></a><h2>B</h2><h2 id=own><a id=in></a>C</h2>\
         <div id=wrap><div id=inner><h2>D</h2></div></div><dl><dt id=t>t<dd>d</dl><p>p <a id=late>x</a><p>q\
         <table><tr id=r1><td>1<td>2<tr><td><a id=r2></a>3<td>4</table>",
    );
    let at = |needle: &str| {
        let start = document.text.find(needle).unwrap();
        document.location(Span::new(start, start + needle.len())).anchor
    };
    let check = |needle: &str, anchor: &str| assert_eq!(at(needle).as_deref(), Some(anchor), "{needle}");
    check("# A", "s");
    check("a\n", "s");
    check("## B", "n");
    check("## C", "own");
    check("## D", "inner");
    check("t\n: d", "t");
    check("q\n", "t");
    check("| 1", "r1");
    check("| 3", "r2");
}

#[test]
fn title_and_metadata_come_from_the_head() {
    let document = read(
        "<html lang=de><title> A\n B </title><meta name=Description content=' d\n e '><meta name=author content=X>\
         <meta name=author content=Y><meta property=og:title content=O><meta name=viewport content=v>\
         <link rel=canonical href='https://example.org/a'><body><svg><title>icon</title></svg><h1>H</h1>",
    );
    assert_eq!(document.title, "A B");
    let expected = serde_json::json!({
        "author": ["X", "Y"], "canonical": "https://example.org/a", "description": "d e", "lang": "de", "og:title": "O"
    });
    assert_eq!(serde_json::to_value(&document.metadata).unwrap(), expected);
    assert_eq!(read("<meta property=og:title content=O><h1>H</h1>").title, "O");
    assert_eq!(read("<h2>G</h2><h1>H</h1>").title, "H");
    assert_eq!(read("<p>x").title, "page.html");
}

#[test]
fn the_declared_charset_is_found() {
    let check = |bytes: &[u8], expected: Option<&str>| {
        assert_eq!(head::declared_charset(bytes).as_deref(), expected, "{}", String::from_utf8_lossy(bytes));
    };
    check(b"<meta charset=EUC-KR>", Some("euc-kr"));
    check(b"<META http-equiv='Content-Type' content='text/html; charset=\"koi8-r\"'>", Some("koi8-r"));
    check(b"<meta content='text/html;charset=big5;x' http-equiv=content-type>", Some("big5"));
    check(b"<?xml version='1.0' encoding='Shift_JIS'?><html>", Some("shift_jis"));
    check(b"<!-- <meta charset=a> --><title><meta charset=b></title><meta charset=c>", Some("c"));
    check(b"<meta charset=utf-16>", Some("utf-8"));
    check(b"<meta name=x content='charset=y'><p>\xE9", None);
    check(b"", None);
}

#[test]
fn pages_are_recognised_without_a_name() {
    let check = |bytes: &[u8], expected: bool| {
        assert_eq!(looks_like_html(bytes), expected, "{}", String::from_utf8_lossy(bytes));
    };
    check(b"<!DOCTYPE html><p>", true);
    check(b"\xEF\xBB\xBF\n <!-- x --><?xml version='1.0'?>\n<HTML lang=en>", true);
    check(b"<body>", true);
    check(b"<bodywork>", false);
    check(b"<div align=center># README", false);
    check(b"text <html>", false);
    check(b"<!-- open", false);
    check(b"", false);
}

/// Compares every `testdata/html/NAME.html` with `NAME.expected`: title, anchors and text. Pages of strangers are in
/// `tests/corpora/html`. A new case is a page and its expectation; `RAGCTL_BLESS=1` writes what the reader gives now, to be read before it is committed.
#[test]
fn pages_in_testdata_read_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/html");
    let mut n_pages = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|it| it != "html") {
            continue;
        }
        n_pages += 1;
        let Parsed { document, warnings } = read_with(&fs::read(&path).unwrap(), &ReadOptions::default());
        let Origin::Anchors(anchors) = &document.origin else { panic!() };
        let anchors: Vec<String> = anchors.iter().map(|(at, id)| format!("{at}:{id}")).collect();
        let warnings: Vec<&str> = warnings.iter().map(|it| it.message.as_str()).collect();
        let found = format!(
            "title: {}\nwarnings: {}\nanchors: {}\n\n{}",
            document.title,
            warnings.join("; "),
            anchors.join(" "),
            document.text
        );
        let expectation = path.with_extension("expected");
        if std::env::var_os("RAGCTL_BLESS").is_some() {
            fs::write(&expectation, &found).unwrap();
        }
        assert_eq!(found, fs::read_to_string(&expectation).unwrap(), "{}", path.display());
    }
    assert!(n_pages > 0, "no pages");
}

/// Reads a hostile page, and checks that its text survives and that the page costs little time.
#[test]
fn formulas_are_tex_where_it_is_there_and_lines_of_symbols_elsewhere() {
    let check = |formula: &str, expected: &str| check(&format!("<p>is <math>{formula}</math>."), expected);
    check(
        "<semantics><mi>x</mi><annotation encoding='application/x-tex'>\\hat x</annotation></semantics>",
        "is \\hat x.",
    );
    check(
        "<mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></mfrac>",
        "is x=1/(a+b).",
    );
    check("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup><msqrt><mn>2</mn></msqrt>", "is x_i^2√2.");
    check(
        "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>",
        "is 1, 2; 3.",
    );
    check(&"<mrow>".repeat(300), "is .");
}

#[test]
fn signs_of_notes_stand_apart_from_words() {
    check(
        "<p>dark<sup><a href='#n1'>1</a></sup> night<a href='#n2' role=doc-noteref>*</a>",
        "dark[1] night[*]",
    );
    check("<p>a<a href='#f'><sup>12</sup></a>, b<sup><a href='#f'>[3]</a></sup>", "a[12], b[3]");
    check(
        "<h2>Title<sup><a href='#n'>1</a></sup></h2><p>x<sup>2</sup> <a href='#p'>1999</a>",
        "## Title\n\nx2 1999",
    );
    check(
        "<p>10<sup>-9</sup> m<sup>2</sup>, 4<sup>th</sup>, 7 <sup>1</sup>, 19<sup><a href=x>9</a></sup>",
        "10^-9 m2, 4th, 7 1, 199",
    );
    check("<p>101<sub>2</sub> is 5, H<sub>2</sub>O, <sup>14</sup><sub>6</sub>C", "101_2 is 5, H2O, 14_6C");
}

fn check_hostile(name: &str, html: &str, kept: &str) {
    let start = Instant::now();
    let document = read(html);
    assert!(document.text.contains(kept), "{name}: {kept:?} is lost");
    // Generous, so that no loaded machine fails it; without the guard some of these take many minutes or all memory.
    assert!(start.elapsed() < Duration::from_secs(60), "{name} took {:?}", start.elapsed());
}

#[test]
fn hostile_pages_cost_bounded_time_and_keep_their_text() {
    let n = 50_000;
    for tag in [
        "div",
        "b",
        "table",
        "table><tr><td",
        "ul><li",
        "span",
        "svg><g",
        "font size=1",
        "blockquote",
        "a id=x",
        "dl><dd",
    ] {
        check_hostile(tag, &format!("{}needle", format!("<{tag}>").repeat(n)), "needle");
    }
    let numbered: String = (0..n / 5).map(|it| format!("<p><font a{it}=1>x")).collect();
    check_hostile("fonts", &format!("{numbered}needle"), "needle");
    let paths = "<path d='M0 0L1 1'/>".repeat(12_000);
    check_hostile("paths", &format!("<p>needle<svg>{paths}<text>label</text></svg>"), "label");
    let attributes: String = (0..n).map(|it| format!(" a{it}=1")).collect();
    check_hostile("attributes", &format!("<p{attributes}>needle"), "needle");
    check_hostile("spans", &"<table><tr><td colspan=1000 rowspan=65534>needle<td>".repeat(2_000), "needle");
    check_hostile("steps", &format!("{}{}needle", "<div>".repeat(500), "<p>x</p>".repeat(400_000)), "needle");
    check_hostile("titles", &format!("{}needle", "<title>".repeat(n)), "needle");
    check_hostile("script", &format!("<script>{}</script>needle", "x<b>".repeat(1_000_000)), "needle");
    check_hostile("data", &format!("<img src='data:{}'>needle", "A".repeat(4_000_000)), "needle");
}

#[test]
fn what_the_guard_cuts_is_reported() {
    let html = format!("{}x{}", "<div>".repeat(600), "</div>".repeat(600));
    let warnings = read_with(html.as_bytes(), &ReadOptions::default()).warnings;
    assert_eq!(warnings[0].kind, WarningKind::Limit);
    for (start, unclosed) in [
        ("", "<p><b>x</b>"),
        ("<ul>", "<li>y<p>z"),
        ("<dl>", "<dt>t<dd>d<p>e"),
        ("<table>", "<tr><td>c<th>d"),
        ("text<select>", "<option>o"),
        ("text", "<img><br>"),
        ("", "<a href=x>x"),
        ("", "<h2>x</h2><h3>y"),
        ("<svg><text>x</text>", "<path/>"),
    ] {
        let html = format!("{start}{}", unclosed.repeat(600));
        let mut warnings = read_with(html.as_bytes(), &ReadOptions::default()).warnings;
        warnings.retain(|it| it.kind != WarningKind::Dropped);
        assert_eq!(warnings, [], "{unclosed}");
    }
    // Words stay apart where the tags between them go.
    let html = format!("{}a<div>b<p>c<b>d</b>", "<div>".repeat(600));
    assert!(read(&html).text.ends_with("a b cd\n"));
    let many = format!("{}<p>needle", "<br>".repeat(1_000_001));
    let parsed = read_with(many.as_bytes(), &ReadOptions::default());
    assert!(parsed.warnings[0].message.contains("elements") && parsed.document.text == "needle\n");
    let empty = read_with(b"<script>app()</script>", &ReadOptions::default());
    assert_eq!(empty.warnings[0].kind, WarningKind::NoText);
    assert_eq!(empty.document.sections, []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_soup_of_tags_keeps_its_words(
        pieces in proptest::collection::vec((0..40_usize, any::<bool>()), 0..60)
    ) {
        let names = [
            "p", "div", "h1", "h2", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "td", "th", "caption", "thead",
            "pre", "code", "a", "b", "span", "section", "article", "main", "blockquote", "details", "summary", "br", "sup",
            "tfoot", "figure", "form", "center", "h6", "ruby", "rb", "rt", "rtc", "button", "label",
        ];
        let mut html = String::from("<body>");
        for (at, (name, is_end)) in pieces.iter().enumerate() {
            let slash = if *is_end { "/" } else { "" };
            html.push_str(&format!("<{slash}{}> w{at}w ", names[*name]));
        }
        let options = ReadOptions { full_page: true, ..ReadOptions::default() };
        let document = read_with(html.as_bytes(), &options).document;
        for at in 0..pieces.len() {
            let n = document.text.matches(&format!("w{at}w")).count();
            // The head of a table labels every cell below it where code is in the cells.
            let is_labelled = html.contains("<th>") && html.contains("<pre>");
            prop_assert!(n == 1 || (n > 1 && is_labelled), "w{} in {:?}", at, document.text);
        }
    }

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = Html.read(&Blob { uri: String::new(), bytes }, &ReadOptions::default());
    }
}
