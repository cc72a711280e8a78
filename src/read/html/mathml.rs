//! Formulas in MathML on one line: `a/b`, `x^2`, `x_i`, as the Word reader writes its own.

use scraper::node::Element;

use super::dom::{self, NodeRef};

/// Elements in elements that are followed; deeper ones are text.
const MAX_DEPTH: usize = 64;

/// The formula in a `math` element: its TeX source where the page has it, else its symbols on one line; `None` where it holds
/// parts of a page.
pub(super) fn source(math: NodeRef<'_>) -> Option<String> {
    let is_tex = |element: &Element| {
        element.name() == "annotation"
            && dom::attr(element, "encoding").is_some_and(|it| it.contains("tex") || it.contains("TeX"))
    };
    let annotation = dom::descend(math, |_| true)
        .take(2000)
        .find(|it| dom::element(it).is_some_and(is_tex))
        .and_then(|it| it.first_child())
        .and_then(|it| it.value().as_text().map(|it| &**it));
    let alternative = || dom::element(&math).and_then(|it| dom::attr(it, "alttext"));
    let tex = annotation.or_else(alternative).filter(|it| !it.trim().is_empty());
    tex.map(str::to_owned).or_else(|| formula(math))
}

/// The formula in `node`; `None` where it holds anything but MathML, such as parts of a page.
fn formula(node: NodeRef<'_>) -> Option<String> {
    let is_math = |element: &Element| &*element.name.ns == "http://www.w3.org/1998/Math/MathML";
    let is_plain = |element: &Element| is_math(element) && element.name() != "annotation-xml";
    let is_whole = dom::descend(node, |_| true).filter_map(|it| dom::element(&it)).all(is_plain);
    is_whole.then(|| dom::fold(&written(node, 0)))
}

fn written(node: NodeRef<'_>, depth: usize) -> String {
    if let Some(text) = node.value().as_text() {
        return text.to_string();
    }
    let Some(element) = dom::element(&node) else { return String::new() };
    if depth == MAX_DEPTH {
        return dom::descend(node, |_| true)
            .filter_map(|it| it.value().as_text().map(|it| it.to_string()))
            .collect();
    }
    let parts = || node.children().filter(|it| dom::element(it).is_some());
    let all = || node.children().map(|it| written(it, depth + 1)).collect::<String>();
    let part =
        |at: usize| parts().nth(at).map(|it| written(it, depth + 1).trim().to_owned()).unwrap_or_default();
    match element.name() {
        "mi" | "mn" | "mo" | "ms" => all().trim().to_owned(),
        "mfrac" => format!("{}/{}", grouped(part(0)), grouped(part(1))),
        "msup" | "mover" => format!("{}^{}", part(0), grouped(part(1))),
        "msub" | "munder" => format!("{}_{}", part(0), grouped(part(1))),
        "msubsup" | "munderover" => format!("{}_{}^{}", part(0), grouped(part(1)), grouped(part(2))),
        "msqrt" => format!("√{}", grouped(all().trim().to_owned())),
        "mroot" => format!("{}√{}", part(1), grouped(part(0))),
        "mfenced" => {
            let inside: Vec<String> = parts().map(|it| written(it, depth + 1)).collect();
            format!("({})", inside.join(", "))
        }
        "mtable" => parts().map(|it| written(it, depth + 1)).collect::<Vec<_>>().join("; "),
        "mtr" | "mlabeledtr" => parts().map(|it| written(it, depth + 1)).collect::<Vec<_>>().join(", "),
        "mspace" => " ".to_owned(),
        "annotation" | "mphantom" => String::new(),
        _ => all(),
    }
}

/// Brackets around what would fall apart without them.
fn grouped(text: String) -> String {
    let is_one = text.chars().count() <= 1 || text.chars().all(char::is_alphanumeric);
    if is_one { text } else { format!("({text})") }
}
