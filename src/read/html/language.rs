//! The language of a code block, as the classes around it name it.

use scraper::node::Element;

use super::dom::{self, NodeRef};

/// Classes that stand where a language could but name none.
const NO_LANGUAGES: &[&str] =
    &["default", "none", "notranslate", "plain", "plaintext", "text", "nohighlight", "hljs"];

/// Classes of pandoc that stand between `sourceCode` and the language.
const OPTIONS: &[&str] =
    &["numberSource", "numberLines", "number-lines", "lineAnchors", "line-anchors", "literate"];

/// Language of the code block at `node`, from its own classes and those of up to three elements around it (Sphinx and
/// MkDocs put it on a `div`).
pub(super) fn of_block<'a>(node: NodeRef<'a>) -> Option<&'a str> {
    let around = std::iter::successors(Some(node), NodeRef::parent).take(4);
    around.filter_map(|it| dom::element(&it)).find_map(of_element)
}

/// Language that the element's attributes name: `language-x`, `lang-x`, `highlight-x`, `highlight-source-x`,
/// `sourceCode x`, `src-x`, `brush: x`, `data-lang`, and rustdoc's `rust`.
pub(super) fn of_element(element: &Element) -> Option<&str> {
    let class = dom::attr(element, "class").unwrap_or_default();
    let mut previous = "";
    for word in class.split([' ', '\t', '\n', ';']).filter(|it| !OPTIONS.contains(it)) {
        let named = ["language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "src-"]
            .iter()
            .find_map(|prefix| word.strip_prefix(prefix))
            .or_else(|| Some(word).filter(|_| matches!(previous, "sourceCode" | "brush:" | "hljs" | "src")))
            .or_else(|| word.strip_prefix("brush:"))
            .or_else(|| Some(word).filter(|it| *it == "rust"));
        if let Some(language) = named.filter(|it| is_language(it)) {
            return Some(language);
        }
        if !word.is_empty() {
            previous = word;
        }
    }
    let data = dom::attr(element, "data-lang").or_else(|| dom::attr(element, "data-language"));
    data.filter(|it| is_language(it))
}

fn is_language(name: &str) -> bool {
    // No language's name is longer; this also keeps odd class names out of the text.
    (1..=20).contains(&name.len())
        && name.starts_with(|it: char| it.is_ascii_alphabetic())
        && name.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '+' | '#' | '-' | '_' | '.'))
        && !NO_LANGUAGES.contains(&name)
}
