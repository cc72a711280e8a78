//! Buttons, labels, struck text, menus, tables by role, lists of Word.

use super::{check, read};

#[test]
fn buttons_that_head_a_text_are_kept() {
    check(
        "<ul><li><button>Who ships it</button><div>DHL.</div></li><li><button>Who pays</button><div>You.</div></li></ul>",
        "- Who ships it\n\n  DHL.\n\n- Who pays\n\n  You.",
    );
    check("<div><div><button>Can I return?</button></div><div>Yes.</div></div>", "Can I return?\n\nYes.");
    check(
        "<div><button><span>How long</span></button><div hidden>Ten days.</div></div>",
        "How long\n\nTen days.",
    );
    check("<dl><dt><button>Term</button></dt><dd>Def</dd></dl>", "Term\n: Def");
    check(
        "<table><tr><td><button>Key</button></td><td>v</td></tr><tr><td>K2<td>w</table>",
        "| Key | v |\n| K2 | w |",
    );
    check("<button>One</button><div>a</div><button>Two</button><div>b</div>", "One\n\na\n\nTwo\n\nb");
    // Tools.
    check(
        "<div><button>Copy</button><div>x</div></div><div><button>Edit</button><div>y</div></div>",
        "x\n\ny",
    );
    check(
        "<p>Was this helpful?</p><button>Surely</button><button>Hardly</button><p>x",
        "Was this helpful?\n\nx",
    );
    check("<button>Start the tour</button><div>x</div>", "x");
    check(
        "<table><tr><td>v</td><td><button>Key</button></td></tr><tr><td>w<td>x</table>",
        "| v | |\n| w | x |",
    );
}

#[test]
fn tables_by_role_are_tables() {
    check(
        "<div role=table><div role=row><span role=columnheader>Plan</span><span role=columnheader>Price</span></div>\
         <div role=row><span role=cell>Basic</span><span role=cell>10</span></div></div><p>x",
        "| Plan | Price |\n| --- | --- |\n| Basic | 10 |\n\nx",
    );
    check("<div role=grid><h2>A</h2><div role=row><div role=gridcell>x</div></div></div>", "## A\n\nx");
    check("<div role=table><p>no rows</p></div>", "no rows");
    check("<div role=row><div role=cell>a</div><div role=cell>b</div></div>", "a\n\nb");
}

#[test]
fn short_labels_stand_apart() {
    check("<h2>Get user<span class=badge>GET</span><code>/v2</code></h2>x", "## Get user GET/v2\n\nx");
    check("<h2>Run <span class=badge>New</span><small>since 2.0</small></h2>x", "## Run New since 2.0\n\nx");
    check("<p>See <span class=label>Fig. 1</span>: x", "See Fig. 1: x");
    check("<h2><a href=#a>One<span class=sr-only>Link to One</span></a></h2>x", "## One\n\nx");
    check("<p>Click <a href=x>here<span class=sr-only>(new tab)</span></a> now", "Click here (new tab) now");
}

#[test]
fn struck_text_is_marked() {
    check("<p>Price <del>$100</del><ins>$80</ins>", "Price ~~$100~~ $80");
    check(
        "<p><s>active</s> retired, <span style='text-decoration: line-through'>5</span>",
        "~~active~~ retired, ~~5~~",
    );
    check("<h2>Plan <del>A</del>B</h2><pre>a<del>b</del></pre>", "## Plan A B\n\n```\nab\n```");
    check("<del><p>old</p></del><p>new", "old\n\nnew");
}

#[test]
fn menus_of_plain_links_are_left_out() {
    let menu = |current: &str| {
        let links: String = (0..5).map(|it| format!("<li><a href=p{it}.html>P{it}</a></li>")).collect();
        read(&format!(
            "<div id=side><a href=i>Home</a><ul>{links}<li><a href=me {current}>Me</a></ul></div><p>x"
        ))
    };
    assert_eq!(menu("class='nav-me active'").text.trim(), "x");
    assert_eq!(menu("aria-current=page").text.trim(), "x");
    assert!(menu("").text.contains("P3"));
}

#[test]
fn word_pages_keep_their_lists_and_title() {
    let item = |style: &str, marker: &str, text: &str| {
        format!(
            "<p class=MsoListParagraph style='text-indent:-.25in;{style}'><span style='font-family:Symbol'>{marker}\
             <span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp; </span></span>{text}</p>"
        )
    };
    let items = [
        item("", "·", "One"),
        item("margin-left:1.0in", "o", "In <b>it</b>"),
        item("mso-list:l1 level1 lfo1", "2)", "Two"),
    ];
    check(
        &format!(
            "<p class=MsoTitle>Policy</p>{}<p>End</p><p class=MsoListParagraph>No marker",
            items.concat()
        ),
        "# Policy\n\n- One\n  - In it\n2) Two\n\nEnd\n\nNo marker",
    );
}
