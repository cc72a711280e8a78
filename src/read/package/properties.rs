//! Core properties (`docProps/core.xml`): title, author, dates.

use super::{Package, Tree};
use crate::content::{Metadata, Warning};

/// The properties worth keeping, under our names; Dublin Core first, as ISO 29500-2 has them.
const TEXTS: [(&str, &str); 8] = [
    ("title", "title"),
    ("creator", "author"),
    ("subject", "subject"),
    ("keywords", "keywords"),
    ("description", "description"),
    ("category", "category"),
    ("language", "language"),
    ("lastModifiedBy", "modified_by"),
];

/// Reads the core properties of an OOXML package: texts as strings, dates as ISO 8601.
pub(in crate::read) fn core_properties(package: &mut Package<'_>, warnings: &mut Vec<Warning>) -> Metadata {
    let mut metadata = Metadata::new();
    let relations = package.relations("", warnings);
    let part = relations.first("core-properties").unwrap_or("docProps/core.xml").to_owned();
    let tree = package.tree(&part, warnings);
    let Some(root) = tree.as_ref().and_then(Tree::root) else { return metadata };
    for element in root.elements() {
        let text = one_line(&element.text());
        if text.is_empty() {
            continue;
        }
        if let Some((_, name)) = TEXTS.iter().find(|(key, _)| *key == element.name()) {
            metadata.insert((*name).to_owned(), text.into());
        } else if let "created" | "modified" = element.name()
            && let Some(date) = iso_date(&text)
        {
            metadata.insert(element.name().to_owned(), date.into());
        }
    }
    metadata
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `date` when it is a W3C date (`2024`, `2024-01-03`, `2024-01-03T12:00:00Z`), without fractions of seconds.
pub(in crate::read) fn iso_date(date: &str) -> Option<String> {
    let is_digits = |range: std::ops::Range<usize>| {
        date.get(range).is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if !is_digits(0..4) {
        return None;
    }
    match date.split_once('.') {
        Some((whole, rest)) => {
            Some(format!("{whole}{}", rest.trim_start_matches(|c: char| c.is_ascii_digit())))
        }
        None => Some(date.to_owned()),
    }
}

/// The title among `metadata`, unless it is one that programs put there by themselves.
pub(in crate::read) fn sensible_title(metadata: &Metadata) -> Option<String> {
    let title = metadata.get("title")?.as_str()?.trim();
    let lower = title.to_lowercase();
    let is_made_up = [
        "word document",
        "powerpoint presentation",
        "untitled",
        "slide 1",
        "title",
        "presentation",
        "document",
    ]
    .contains(&lower.as_str())
        || ["microsoft word - ", "untitled"].iter().any(|start| lower.starts_with(start));
    (title.chars().any(char::is_alphanumeric) && !is_made_up).then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tests::zip_of;
    use super::*;
    use serde_json::json;

    #[test]
    fn properties_have_our_names() {
        let bytes = zip_of(&[(
            "docProps/core.xml",
            "<cp:coreProperties><dc:title>A &amp; B</dc:title><dc:creator> Ann\n Lee </dc:creator>\
             <dcterms:created>2024-01-03T12:00:00.123Z</dcterms:created><dcterms:modified>soon</dcterms:modified>\
             <cp:revision>3</cp:revision><dc:subject/></cp:coreProperties>",
        )]);
        let mut package = Package::open(&bytes, "docx").unwrap();
        let metadata = core_properties(&mut package, &mut Vec::new());
        assert_eq!(
            json!(metadata),
            json!({"author": "Ann Lee", "created": "2024-01-03T12:00:00Z", "title": "A & B"})
        );
        assert_eq!(sensible_title(&metadata).as_deref(), Some("A & B"));
    }
}
