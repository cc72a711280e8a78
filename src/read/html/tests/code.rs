//! Code: without the numbers of its lines, and whole in the cells of a table.

use super::check;

#[test]
fn numbers_of_lines_are_no_code() {
    check(
        "<pre><span class=source-line-no>018</span><span id=line-18>package a;</span>\n\
         <span class=source-line-no>019</span><span id=line-19></span>\n\
         <span class=source-line-no>020</span><span id=line-20>import b;</span></pre>",
        "```\npackage a;\n\nimport b;\n```",
    );
    check("<pre><span class=line><span class=ln> 1</span>a 1</span></pre>", "```\na 1\n```");
    let hugo = "<pre><code><span class=lnt>1\n</span><span class=lnt>2\n</span></code></pre>";
    check(
        &format!(
            "<table class=lntable><tr><td class=lntd>{hugo}<td class=lntd><pre><code class=language-go>a\nb</code></pre></table>"
        ),
        "```go\na\nb\n```",
    );
    check(
        "<figure class='highlight js'><table><tr><td class=gutter><pre><span>1</span><br><span>2</span><br></pre>\
         <td class=code><pre><span>a</span><br><span>b</span><br></pre></table></figure>",
        "```\na\nb\n```",
    );
    check(
        "<div class=language-js><button class=copy></button><span class=lang>js</span><pre><code>a\nb</code></pre>\
         <div class=line-numbers-wrapper><span class=line-number>1</span><br><span class=line-number>2</span></div></div>",
        "```js\na\nb\n```",
    );
    // Without any class: numbers in a row beside code.
    check("<table><tr><td>9\n10\n11</td><td><pre>a\nb\nc</pre></table>", "```\na\nb\nc\n```");
    check(
        "<table><tr><td><a href='#l1'>1</a> <a href='#l2'>2</a></td><td><pre>a\nb</pre></table>",
        "```\na\nb\n```",
    );
}

#[test]
fn other_numbers_stay() {
    check("<p><span class=gutter>wide</span> <span class=number>12</span> <a class=line>3</a>", "wide 12 3");
    check("<pre class=line-numbers>42</pre>", "```\n42\n```");
    check("<table><tr><td>1</td><td>2</td><tr><td>3</td><td>4</td></table>", "| 1 | 2 |\n| 3 | 4 |");
    check("<table><tr><td>4 9</td><td><pre>a\nb</pre></table>", "4 9\n\n```\na\nb\n```");
    check(
        "<table><tr><th>Nr<th>Value<tr><td class=line-number>1<td>42</table>",
        "| Nr | Value |\n| --- | --- |\n| 1 | 42 |",
    );
    check("<p>speaks <span class=lang>German</span>", "speaks German");
}

#[test]
fn tables_of_code_are_code() {
    check(
        "<table class=highlight><tr><td class=blob-num data-line-number=1></td><td class=blob-code>if a:</td></tr>\
         <tr><td class=blob-num data-line-number=2></td><td class=blob-code>\n</td></tr>\
         <tr><td class=blob-num data-line-number=3></td><td class=blob-code>    <span>b</span>()</td></tr></table>",
        "```\nif a:\n\n    b()\n```",
    );
    check(
        "<table><tr><td class=gutter><div>1</div><div>2</div></td><td class=code><div class=container>\
         <div class=line><code>a</code> <code>= 1</code></div><div class=line><code>b</code></div></div></td></tr></table>",
        "```\na = 1\nb\n```",
    );
}

#[test]
fn code_in_cells_keeps_its_lines() {
    check(
        "<table><tr><th>Before<th>After<br>that<tr><td><pre>def f():\n    return 1</pre><td><pre><code>def f():\n    pass</code></pre></table>",
        "Before:\n\n```\ndef f():\n    return 1\n```\n\nAfter that:\n\n```\ndef f():\n    pass\n```",
    );
    // The cells of a row are a record of lines, with what goes on in it from above; a label goes by columns, not by cells.
    check(
        "<table><thead><tr><th>Name<th>Note<th>Use</thead><tr><td rowspan=2>a<td>b<td><pre>c\n d</pre><tr><td>e<td>f</table>x",
        "Name: a\nNote: b\nUse:\n\n```\nc\n d\n```\n\nName: a\nNote: e\nUse: f\n\nx",
    );
    check(
        "<table><caption>Cap</caption><tr><th>A<th>B<tr><td>1<td>2<tr><td><p>3<td><pre>c\n d</pre><tr><td>5<td>6</table>",
        "Cap\n\nA: 1\nB: 2\n\nA: 3\nB:\n\n```\nc\n d\n```\n\nA: 5\nB: 6",
    );
    check(
        "<table><thead><tr><th rowspan=2>Name<th colspan=2>Size<tr><th>W<th>H</thead><tr><td>a<td>1<td>2\
         <tr><td>b<td>7<td><pre>x\n y</pre></table>",
        "Name: a\nSize W: 1\nSize H: 2\n\nName: b\nSize W: 7\nSize H:\n\n```\nx\n y\n```",
    );
    check(
        "<table><tr><th colspan=2>A<th>B<tr><td><pre>c\n d</pre><td><td>e</table>",
        "A:\n\n```\nc\n d\n```\n\nB: e",
    );
    // A head without a cell below it keeps its words.
    check("<table><tr><th>A<th>B<tr><td><pre>c\n d</pre><td></table>", "A:\n\n```\nc\n d\n```\n\nB");
    check(
        "<table><tr><th>Shell<td><pre>a\n b</pre><tr><th>Fish:<td>c</table>",
        "Shell:\n\n```\na\n b\n```\n\nFish: c",
    );
    // One line has its place in a row.
    check(
        "<table><tr><th>A<th>B<tr><td><pre>c\n</pre><td>d</table>",
        "| A | B |\n| --- | --- |\n| `c` | d |",
    );
    // So have a few that say the same side by side.
    check(
        "<table><tr><th>A<th>B<tr><td><pre><code>c: <b>1</b>\nd: 2\n</code></pre><td rowspan=2>e<tr><td><pre>f<br>g</pre></table>",
        "| A | B |\n| --- | --- |\n| `c: 1`; `d: 2` | e |\n| `f`; `g` | |",
    );
    check("<table><tr><th>A<td><pre>a \\\nb</pre><tr><th>B<td>c</table>", "A:\n\n```\na \\\nb\n```\n\nB: c");
    let inner = "<table><tr><td class=linenos><pre>1\n2</pre><td><pre>c\nd</pre></table>";
    check(&format!("<table><tr><th>A<th>B<tr><td>{inner}<td>e</table>"), "A:\n\n```\nc\nd\n```\n\nB: e");
}

#[test]
fn options_of_pandoc_are_no_language() {
    check(
        "<pre class='sourceCode numberSource python numberLines'><code>x</code></pre>",
        "```python\nx\n```",
    );
    check("<pre class='sourceCode literate haskell'><code>x</code></pre>", "```haskell\nx\n```");
    check("<pre class='sourceCode numberSource'><code class='sourceCode c'>x</code></pre>", "```c\nx\n```");
}
