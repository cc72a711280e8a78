//! Words that a page sets in ways of its own: ruby, formulas, labels, boxes of tasks, marks beside headings and notes.

use super::{ReadOptions, check, read_with};

#[test]
fn the_base_of_a_ruby_is_whole() {
    check("<p><ruby>吾輩<rt>わがはい</rt></ruby>は", "吾輩(わがはい)は");
    check("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>だ", "漢字(かんじ)だ");
    check("<ruby>漢<rp>（</rp><rt>かん</rt><rp>）</rp>字<rp>（<rt>じ<rp>）</ruby>", "漢字(かんじ)");
    check("<ruby>\n <rb>漢</rb>\n <rb>字</rb>\n <rt>かん</rt>\n <rt>じ</rt>\n</ruby>\nだ", "漢字(かんじ) だ");
    check(
        "<ruby>旧<rt>jiù</rt>金<rt>jīn</rt><rtc>San <b>Francisco</b></rtc></ruby>",
        "旧金(jiùjīn, San Francisco)",
    );
    check("<ruby>取<rt>と</rt>り<rt></rt>消<rt>け</rt>す</ruby>", "取り消す(と け)");
    check("<p>The <ruby>World <rt>W</rt> Wide <rt>W</rt> </ruby>web", "The World Wide(W W) web");
    check("<p>a <ruby> b </ruby> c<ruby></ruby> d", "a b c d");
    check("<h2><ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby></h2>", "## 東京(とうきょう)");
    check("<pre><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby></pre>", "```\n漢字(かんじ)\n```");
    // An element that was never closed swallows nothing.
    check("<ruby>a<rt>b<h2>T</h2><p>c</ruby>d", "ab\n\n## T\n\ncd");
}

#[test]
fn formulas_of_mathjax_are_text() {
    check("<p>Energy <script type='math/tex'>E=mc^2</script> inline.", "Energy E=mc^2 inline.");
    check("<p>a<script type='math/tex; mode=display'>\\int_0^1\nx</script>b", "a\n\n\\int_0^1 x\n\nb");
    check("<p><script type='math/tex'>% <![CDATA[\na < b\n%]]></script>", "a < b");
    check(
        "<p><script type='math/mml'><math><msup><mi>x</mi><mn>2</mn></msup><mspace/><mo>=</mo><mn>4</mn></math></script>",
        "x^2 =4",
    );
    check(&format!("<p><script type='math/mml'><math>{}x</script>", "<mrow>".repeat(300)), "x");
    check("<script type='text/x-mathjax-config'>x</script>a<script>b</script>", "a");
}

#[test]
fn a_formula_stands_once() {
    let script = "<script type='math/tex'>x^2</script>";
    let glyphs = "<nobr aria-hidden=true><span class=math>x2</span></nobr>";
    let mathml = "<span class=MJX_Assistive_MathML><math><msup><mi>x</mi><mn>2</mn></msup></math></span>";
    let preview = "<span class=MathJax_Preview>x^2</span>";
    let katex = "<span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation \
                 encoding='application/x-tex'>x^2</annotation></semantics></math></span>\
                 <span class=katex-html aria-hidden=true>x2</span></span>";
    for full_page in [false, true] {
        let options = ReadOptions { full_page, ..ReadOptions::default() };
        let check = |markup: &str, expected: &str| {
            let text = read_with(format!("<p>is {markup}.").as_bytes(), &options).document.text;
            assert_eq!(text.trim_end(), expected, "{markup}");
        };
        check(&format!("{preview}{script}"), "is x^2.");
        check(&format!("{preview} <span class=MathJax>{glyphs}{mathml}</span>{script}"), "is x^2.");
        check(&format!("<span class=MathJax>{glyphs}{mathml}</span>"), "is x^2.");
        check(&format!("<span class=MathJax>{glyphs}</span>"), "is x2.");
        check(katex, "is x^2.");
        check("<span class=MathJax>x2</span> and <script type='math/tex'>y</script>", "is x2 and y.");
    }
}

#[test]
fn labels_side_by_side_are_words() {
    let pair =
        |class: &str| format!("<p><span class='{class}'>alpha</span><span class='{class}'>beta</span>");
    for class in ["selected-value", "tag", "badge badge-info"] {
        check(&pair(class), "alpha, beta");
    }
    check(&pair("w"), "alphabeta");
    check("<p><span class=tag>a</span> <span class=tag>b</span>", "a b");
    check("<code><span class='token tag'>a</span><span class='token tag'>b</span></code>", "`ab`");
    check(
        "<div><span style='color:red; display: block'>a</span><span style='display:block'>b</span>",
        "a\n\nb",
    );
    check("<p>a<span style='display:inline-block'>b</span>", "ab");
    let options = ReadOptions { full_page: true, ..ReadOptions::default() };
    let svg = b"<svg><title>Plan</title><text>room</text><text>hall</text><desc>Two rooms</desc></svg>";
    assert_eq!(read_with(svg, &options).document.text, "Plan room hall Two rooms\n");
}

#[test]
fn boxes_of_tasks_are_shown() {
    check(
        "<ul><li><div class='checkbox checkbox-on'></div> <span>a</span><li><div class='checkbox checkbox-off'></div> b</ul>",
        "- [x] a\n- [ ] b",
    );
    check("<ul class=inline-task-list><li class=checked>a<li>b</ul>", "- [x] a\n- [ ] b");
    check(
        "<ul data-type=taskList><li data-checked=true><p>a<li data-checked=false><label><input type=checkbox></label><p>b</ul>",
        "- [x] a\n- [ ] b",
    );
    check(
        "<ul class=checklist><li><p><i class='fa fa-check-square-o'></i> a<li><p><i class='fa fa-square-o'></i> b</ul>",
        "- [x] a\n- [ ] b",
    );
    check(
        "<ul class=task-list><li><div><input type=checkbox></div><p>a<p>b<li><input type=checkbox checked></ul>",
        "- [ ] a\n\n  b\n\n- [x]",
    );
    check("<ul><li><input type=checkbox><ul><li>a</ul></ul>", "- [ ]\n  - a");
    check("<ul><li><span role=checkbox aria-checked=true></span>a<li class=checked>b</ul>", "- [x] a\n- b");
    check(
        "<table><tr><th>T<th>Done<tr><td>a<td><div class='checkbox checkbox-on'></div></table>",
        "| T | Done |\n| --- | --- |\n| a | [x] |",
    );
}

#[test]
fn items_are_marked_as_their_list_says() {
    check("<ol type=a><li>x<li>y</ol>", "a. x\nb. y");
    check("<ol type=I start=3><li>x<li>y<ol type=A><li>z</ol></ol>", "III. x\nIV. y\n    A. z");
    check(
        "<ol class='loweralpha simple'><li>x</ol><ol style='list-style-type: upper-roman'><li>y</ol>",
        "a. x\n\nI. y",
    );
    check("<ol type=i><li value=9>x<li>y</ol>", "ix. x\nx. y");
    check(
        "<ol reversed><li>x<li>y<li value=9>z<li>w</ol><ol start=3 reversed><li>v</ol>",
        "4. x\n3. y\n9. z\n8. w\n\n3. v",
    );
}

#[test]
fn headings_keep_their_words() {
    check("<h2><a class=anchor href='#foo'>Foo</a> <code>bar</code></h2>", "## Foo bar");
    check("<h2><a class=headerlink href='#s'>§ 3.1</a> Scope</h2>", "## § 3.1 Scope");
    check("<h2><a class=anchor href='#l'>Link</a> class</h2>", "## Link class");
    check("<h2><a href='#p'>Permanent</a> links</h2>", "## Permanent links");
    for words in
        ["Permalink", "Link", "Direct link to Foo bar", "Link to this heading", "Permalink to “Foo bar”"]
    {
        check(&format!("<h2>Foo bar <a class=hash-link href='#f'>{words}</a></h2>"), "## Foo bar");
    }
    check("<h2>Foo<a href='#f'><p class=sr-only>Link to this section</p></a></h2>", "## Foo");
    check("<h2>Foo<a class=anchor href='#f'><span class=sr-only>Lien vers Foo</span></a></h2>", "## Foo");
    check("<h2>Foo<a class=anchor href='#x'>Direct link to the bar</a></h2>", "## FooDirect link to the bar");
    check(
        "<div><h2>Foo</h2><a class=sl-anchor-link href='#f'><span>Section titled “Foo”</span></a></div>x",
        "## Foo\n\nx",
    );
    check("<h2><a href='#NAME'><img alt='^'></a>NAME</h2>", "## NAME");
    check(
        "<h2>Dokka<span><div class=copy-popup-wrapper>Link copied to clipboard</div></span></h2>",
        "## Dokka",
    );
    check(
        "<p>A <a href='#x'>permalink</a> and a <a href='#y'>link to this</a>.",
        "A permalink and a link to this.",
    );
}

#[test]
fn ways_back_from_notes_go() {
    check("<p>n <a href='#r' role=doc-backlink>↩︎</a><p>m <a href='#s' class=reversefootnote>^</a>", "n\n\nm");
    check("<p>n <a href='#r'>↩</a> <a href='#r2'>↩<sup>2</sup></a>", "n");
    check("<p>n <a href='c.xhtml#r' class=footnote-backref>Back to reference 1</a>", "n");
    // docutils: the number of the note is the way back.
    check("<p><a class=fn-backref href='#id1' role=doc-backlink>[1]</a> n", "[1] n");
    check("<p>see <a href='#top'>↑</a> and <a href='#x'>Back</a>", "see ↑ and Back");
}

#[test]
fn the_way_to_a_page_is_furniture() {
    check(
        "<div id=main-header><div id=breadcrumb-section><ol id=breadcrumbs><li>Space</ol></div><h1>T</h1></div>\
         <div class=toc-macro><ul><li>A</ul></div>x",
        "# T\n\nx",
    );
}
