//! Labels of what a page folds: tabs, accordions; and the tools that look like them.

use super::{ReadOptions, check, read_with};

#[test]
fn tabs_label_what_they_show() {
    let buttons = "<button role=tab aria-controls=p1>Linux</button><button role=tab>Windows</button>";
    check(
        &format!(
            "<div role=tablist>{buttons}</div><div role=tabpanel id=p1>apt</div><div role=tabpanel hidden>choco</div>"
        ),
        "Linux\n\napt\n\nWindows\n\nchoco",
    );
    // Bootstrap: panels in an element of their own, in another order.
    check(
        "<ul role=tablist><li><a role=tab href='#b'>B</a><li><a role=tab href='#a'>A</a></ul>\
         <div class=tab-content><div class=tab-pane id=a>one</div><div class=tab-pane id=b>two</div></div>",
        "A\n\none\n\nB\n\ntwo",
    );
    check(
        "<div role=tablist><button role=tab id=t1>X</button></div><div role=tabpanel aria-labelledby=t1><p>x</div>\
         <div role=tablist><button role=tab id=t2>Y</button></div><div role=tabpanel aria-labelledby=t2><p>y</div>",
        "X\n\nx\n\nY\n\ny",
    );
    // Docusaurus, MkDocs and VitePress.
    check(
        "<div><ul role=tablist><li role=tab>npm<li role=tab>yarn</ul><div><div role=tabpanel>npm i</div>\
         <div role=tabpanel hidden>yarn add</div></div></div>",
        "npm\n\nnpm i\n\nyarn\n\nyarn add",
    );
    check(
        "<div class=tabbed-set><input type=radio><input type=radio><div class=tabbed-labels><label>C</label><label>Go</label></div>\
         <div class=tabbed-content><div class=tabbed-block>c</div><div class=tabbed-block>go</div></div></div>",
        "C\n\nc\n\nGo\n\ngo",
    );
    check(
        "<div class=vp-code-group><div class=tabs><input type=radio><label>npm</label><input type=radio><label>bun</label></div>\
         <div class=blocks><div class=language-sh><pre>a</pre></div><div class=language-sh><pre>b</pre></div></div></div>",
        "npm\n\n```sh\na\n```\n\nbun\n\n```sh\nb\n```",
    );
    check(
        "<nav><div role=tablist><button role=tab aria-controls=a>A</button></div></nav><div id=a class=tab-pane>a</div>",
        "A\n\na",
    );
    // Panels that are not on the page: the labels stand where they are.
    check(
        "<div role=tablist><button role=tab>A</button><button role=tab>B</button></div><div role=tabpanel>b</div>",
        "A\n\nB\n\nb",
    );
    check("<ol><li>x</ol><ul role=tablist><li role=tab>A<li role=tab>B</ul>", "1. x\n\n- A\n- B");
    check(
        "<input type=radio><label>Unix</label><div>u</div><input type=radio> <label>Mac</label><div>m</div>",
        "Unix\n\nu\n\nMac\n\nm",
    );
}

#[test]
fn questions_of_accordions_stay() {
    check(
        "<button class=accordion>What is it?</button><div class=panel>A thing.</div>",
        "What is it?\n\nA thing.",
    );
    check(
        "<button class=accordion>Copy files?</button><div style='display:none'>Yes.</div>",
        "Copy files?\n\nYes.",
    );
    check(
        "<div><button data-bs-toggle=collapse aria-expanded=false>How?</button></div><p>So.",
        "How?\n\nSo.",
    );
    check(
        "<h3><button aria-controls=s>Why?</button></h3><div id=s hidden>Because.</div>",
        "### Why?\n\nBecause.",
    );
    check("<h2><button class=accordion-button>Q</button> <span>new</span></h2>x", "## Q new\n\nx");
}

#[test]
fn tools_go() {
    for tool in ["Menu", "Search", "Copy", "Toggle navigation", "Close menu"] {
        check(&format!("<button aria-expanded=false aria-controls=n>{tool}</button>x"), "x");
        check(&format!("<button>{tool}</button>x"), "x");
    }
    check("<button aria-haspopup=true aria-expanded=false>Products</button>x", "x");
    check("<button class=accordion-all>Expand</button><p hidden>a</p>x", "x");
    // javadoc chooses among the rows of one table.
    let rows =
        "<button role=tab aria-controls=p>All</button><button role=tab aria-controls=p>Static</button>";
    let page = format!("<div role=tablist>{rows}</div><div role=tabpanel id=p>rows</div>");
    check(&page, "rows");
    let warnings = read_with(page.as_bytes(), &ReadOptions::default()).warnings;
    assert!(warnings[0].message.contains("2 control (9 bytes)"), "{warnings:?}");
}
