use super::*;
use crate::content::SectionKind;
use serde_json::json;

fn read(notebook: &Value) -> Result<Parsed, ReadError> {
    read_bytes(notebook.to_string().into_bytes())
}

fn read_bytes(bytes: Vec<u8>) -> Result<Parsed, ReadError> {
    Notebook.read(&Blob { uri: "a/nb.ipynb".into(), bytes }, &ReadOptions::default())
}

fn markdown(source: &str) -> Value {
    json!({"cell_type": "markdown", "source": source})
}

#[test]
fn cells_come_in_order_with_their_numbers() {
    let document = read(&json!({
        "nbformat": 4,
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "cells": [
            markdown("intro\n"),
            {"cell_type": "markdown", "source": ["# A\n", "\n", "text"]},
            {"cell_type": "code", "source": "print('```')", "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["a\n", "b\n"]},
                {"output_type": "execute_result", "data": {"text/plain": "42", "image/png": "iVBOR"}},
                {"output_type": "display_data", "data": {"image/png": "iVBOR"}},
                {"output_type": "error", "ename": "E", "evalue": "v",
                 "traceback": ["\u{1b}[0;31mE\u{1b}[0m: v", "\u{1b}]8;;x\u{7}line\u{1b}]8;;\u{1b}\\ 2"]},
            ]},
            markdown(" \n"),
            {"cell_type": "raw", "source": "# no heading"},
            markdown("## B"),
        ],
    }))
    .unwrap()
    .document;
    assert_eq!(
        document.text,
        "intro\n\n# A\n\ntext\n\n````python\nprint('```')\n````\n\n```\na\nb\n```\n\n```\n42\n```\n\n\
         ```\nE: v\nline 2\n```\n\n# no heading\n\n## B"
    );
    let titles: Vec<_> = document.sections.iter().map(|it| (it.level, it.title.as_str())).collect();
    assert_eq!(titles, [(0, ""), (1, "A"), (2, "B")]);
    assert_eq!(document.title, "A");
    assert_eq!(json!(document.metadata), json!({"kernel": "Python 3", "language": "python", "nbformat": 4}));
    let cell = |text: &str| {
        let start = document.text.find(text).unwrap();
        document.location(Span::new(start, start + text.len())).cells
    };
    assert_eq!(cell("intro"), Some((1, 1)));
    assert_eq!(cell("# A"), Some((2, 2)));
    assert_eq!(cell("line 2"), Some((3, 3)));
    assert_eq!(cell("## B"), Some((6, 6)));
    assert_eq!(cell("text\n\n````python"), Some((2, 3)));
    for block in &document.blocks {
        if let BlockKind::Code { fence: Some(fence) } = block.kind {
            assert!(fence.slice(&document.text).starts_with("```"));
        }
    }
}

#[test]
fn an_unclosed_fence_ends_with_its_cell() {
    let document = read(&json!({"cells": [markdown("```\n# no"), markdown("# Yes")]})).unwrap().document;
    assert_eq!(document.sections.iter().map(|it| it.title.as_str()).collect::<Vec<_>>(), ["", "Yes"]);
}

#[test]
fn outputs_are_shown_as_on_a_terminal() {
    let stream = |name: &str, text: &str| json!({"output_type": "stream", "name": name, "text": text});
    let outputs = json!([
        stream("stderr", "\r  0%"),
        stream("stderr", "\r 50%"),
        stream("stderr", "\r100% 100/100\n"),
        stream("stdout", "Epoch 1 loss 0.50\rEpoch 1 loss 0.42\r\n"),
        {"output_type": "execute_result", "data": {"text/plain": "ab\u{8}c"}},
    ]);
    let document =
        read(&json!({"cells": [{"cell_type": "code", "source": "", "outputs": outputs}]})).unwrap().document;
    assert_eq!(document.text, "```\n100% 100/100\n```\n\n```\nEpoch 1 loss 0.42\n```\n\n```\nac\n```\n");
}

#[test]
fn ids_of_headings_stand_beside_cells() {
    let document =
        read(&json!({"cells": [markdown("# A"), markdown("text\n\n## B {#b}")]})).unwrap().document;
    let place = document.location(document.sections[1].span);
    assert_eq!(
        (document.sections[1].title.as_str(), place.anchor.as_deref(), place.cells),
        ("B {#b}", Some("b"), Some((2, 2)))
    );
}

#[test]
fn notebooks_of_version_3_are_read() {
    let document = read(&json!({"nbformat": 3, "worksheets": [{"cells": [
        {"cell_type": "heading", "level": 2, "source": ["Old"]},
        {"cell_type": "code", "language": "julia", "input": ["x\n", "y"], "outputs": [
            {"output_type": "pyout", "text": ["1"]},
            {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": []},
        ]},
    ]}]}))
    .unwrap()
    .document;
    assert_eq!(document.text, "## Old\n\n```julia\nx\ny\n```\n\n```\n1\n```\n\n```\nE: v\n```\n");
    assert_eq!((document.sections.len(), document.sections[0].kind), (1, SectionKind::Heading));
}

#[test]
fn front_matter_of_the_first_cell_is_metadata() {
    let raw = json!({"cell_type": "raw", "source": "---\ntitle: Deep\ntags: [a]\n---"});
    let document = read(&json!({"cells": [raw, markdown("# A")]})).unwrap().document;
    assert_eq!((document.title.as_str(), document.text.as_str()), ("Deep", "# A"));
    assert_eq!(json!(document.metadata), json!({"title": "Deep", "tags": ["a"]}));
}

#[test]
fn outputs_of_markup_give_text_and_images_are_counted() {
    let outputs = json!([
        {"output_type": "display_data", "data": {"text/html": ["<table><tr><th>a</th></tr>", "<tr><td>1</td></tr></table>"]}},
        {"output_type": "display_data", "data": {"image/png": "iVBORw0"}},
        {"output_type": "stream", "text": ""},
    ]);
    let parsed = read(&json!({"cells": [{"cell_type": "code", "source": "x", "outputs": outputs}]})).unwrap();
    assert_eq!(parsed.document.text, "```\nx\n```\n\n```\n| a |\n| --- |\n| 1 |\n```\n");
    let expected = "left out: 1 outputs without text, such as images";
    assert_eq!(parsed.warnings, [Warning::new(WarningKind::Dropped, expected)]);
}

#[test]
fn outputs_whose_plain_form_is_a_name_give_another_form() {
    let check = |output: Value, expected: &str, n_mute: usize| {
        let cell = json!({"cell_type": "code", "source": "x", "outputs": [output]});
        let parsed = read(&json!({ "cells": [cell] })).unwrap();
        let shown = parsed.document.text.trim_start_matches("```\nx\n```\n").trim();
        assert_eq!(shown.trim_matches('`').trim(), expected);
        assert_eq!(parsed.warnings.len(), n_mute, "{expected}");
    };
    let data = |data: Value| json!({"output_type": "display_data", "data": data});
    let name = |class: &str| format!("<IPython.core.display.{class} object>");
    check(
        data(json!({"text/plain": [name("Markdown")], "text/markdown": ["**so** it\n", "is"]})),
        "**so** it\nis",
        0,
    );
    check(data(json!({"text/plain": name("Latex"), "text/latex": "$E=mc^2$"})), "$E=mc^2$", 0);
    let page = "<h3>Report</h3><p>Neck 2 m</p>";
    check(data(json!({"text/plain": name("HTML"), "text/html": page})), "### Report\n\nNeck 2 m", 0);
    check(
        data(json!({"text/plain": name("JSON"), "application/json": {"k": "v"}})),
        "{\n  \"k\": \"v\"\n}",
        0,
    );
    check(data(json!({"text/plain": "<Styler at 0x7f12>", "text/html": "<p>styled</p>"})), "styled", 0);
    check(data(json!({"text/plain": "   a\n0  1", "text/html": "<table>"})), "a\n0  1", 0);
    check(data(json!({"text/plain": "x**2", "text/latex": "$x^2$"})), "x**2", 0);
    check(data(json!({"text/plain": "<Figure size 640x480 with 1 Axes>", "image/png": "iVBOR"})), "", 1);
    check(data(json!({"text/plain": name("HTML"), "text/html": "<script>x()</script>"})), "", 1);
    check(data(json!({"text/plain": "<Model object at 0x7f12>"})), "<Model object at 0x7f12>", 0);
    // As nbformat 3 has them.
    check(json!({"output_type": "display_data", "text": name("HTML"), "html": "<p>old</p>"}), "old", 0);
    check(json!({"output_type": "display_data", "text": "<Figure>", "png": "iVBOR"}), "", 1);
    check(json!({"output_type": "stream", "text": "<a> tag <b>"}), "<a> tag <b>", 0);
}

#[test]
fn empty_notebooks_have_no_text() {
    for cells in [json!([]), json!([markdown("")]), json!([{"cell_type": "code"}])] {
        let document = read(&json!({ "cells": cells })).unwrap().document;
        assert_eq!((document.text.as_str(), document.sections.len()), ("", 0));
        assert_eq!(document.title, "nb.ipynb");
    }
}

#[test]
fn damage_is_an_error_or_a_warning() {
    for bytes in ["", "{", "[]", "{}", "{\"cells\": 1}", "{\"cells\": [", &"[".repeat(100_000)] {
        let error = read_bytes(bytes.into()).unwrap_err();
        assert!(matches!(error, ReadError::Damaged { format: "notebook", .. }), "{bytes:.20}");
    }
    let parsed = read(&json!({"cells": [3, markdown("x")]})).unwrap();
    assert_eq!(parsed.document.text, "x");
    assert_eq!(parsed.document.origin, Origin::Cells(vec![(0, 2)]));
    assert_eq!(parsed.warnings[0].kind, WarningKind::Damaged);
}
