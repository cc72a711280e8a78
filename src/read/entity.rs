//! The reader of named entities: one JSON object each.
//!
//! The document's text is the name, the other names and the description, so that every kind of search finds the entity by
//! any of them; its labels and properties are what filters ask for.

use std::collections::BTreeSet;

use crate::content::{
    Block, BlockKind, Document, DocumentId, ENTITY_MEDIA_TYPE, Heading, NamedEntity, Origin, SectionKind,
    Span, Warning, WarningKind, build_sections,
};
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

/// Reads named entities.
#[derive(Debug)]
pub(crate) struct Entity;

const META: ReaderMeta = ReaderMeta {
    name: "entity",
    version: 1,
    summary: "named entities, one JSON object each",
    media_type: ENTITY_MEDIA_TYPE,
    extensions: &["entities.jsonl", "entities.json"],
    is_risky: false,
};

impl Reader for Entity {
    fn meta(&self) -> &'static ReaderMeta {
        &META
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let damaged = |detail: String| ReadError::Damaged { format: META.name, detail };
        let value =
            serde_json::from_slice(&blob.bytes).map_err(|error| damaged(format!("not JSON: {error}")))?;
        let entity = NamedEntity::parse(value).map_err(damaged)?;
        let warnings =
            entity.left_out.iter().map(|it| Warning::new(WarningKind::LeftOut, it.clone())).collect();
        Ok(Parsed { document: document(&entity, blob), warnings })
    }
}

fn document(entity: &NamedEntity, blob: &Blob) -> Document {
    let name = one_line(&entity.name);
    let mut text = format!("{name}\n");
    let heading = Span::new(0, text.len());
    let mut blocks = vec![Block { span: heading, kind: BlockKind::Heading }];
    let mut paragraph = |text: &mut String, words: &str| {
        text.push('\n');
        let start = text.len();
        text.push_str(words);
        text.push('\n');
        blocks.push(Block { span: Span::new(start, text.len()), kind: BlockKind::Paragraph });
    };
    if !entity.aliases.is_empty() {
        let aliases: Vec<String> = entity.aliases.iter().map(|it| one_line(it)).collect();
        paragraph(&mut text, &format!("Also: {}", aliases.join("; ")));
    }
    for words in paragraphs(&entity.description) {
        paragraph(&mut text, &words);
    }
    let id = DocumentId::of_uri(&blob.uri);
    let headings =
        [Heading { start: 0, end: heading.end, level: 1, title: name.clone(), kind: SectionKind::Heading }];
    Document {
        id,
        uri: blob.uri.clone(),
        title: name,
        media_type: ENTITY_MEDIA_TYPE.to_owned(),
        sections: build_sections(id, &text, &headings, |text| text.trim().is_empty()),
        blocks,
        metadata: entity.metadata(),
        language: None,
        labels: entity.labels.iter().cloned().collect::<BTreeSet<_>>(),
        origin: Origin::Unknown,
        text,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs of lines without a blank line between them.
fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in text.lines().map(str::trim_end) {
        match paragraphs.last_mut() {
            _ if line.is_empty() => paragraphs.push(String::new()),
            Some(last) if last.is_empty() => last.push_str(line),
            Some(last) => {
                last.push('\n');
                last.push_str(line);
            }
            None => {}
        }
    }
    paragraphs.retain(|it| !it.is_empty());
    paragraphs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entity_is_one_section_with_its_names_and_description() {
        let bytes = br#"{"id": "ada", "name": "Ada  Lovelace", "aliases": ["Countess of Lovelace", "A. L."],
            "description": "Wrote\na program.\r\n\r\nDied in 1852.", "labels": ["Person"], "born": 1815}"#;
        let blob = Blob { uri: "p.entities.jsonl#ada".to_owned(), bytes: bytes.to_vec() };
        let Parsed { document, warnings } = Entity.read(&blob, &ReadOptions::default()).unwrap();
        assert_eq!(
            document.text,
            "Ada Lovelace\n\nAlso: Countess of Lovelace; A. L.\n\nWrote\na program.\n\nDied in 1852.\n"
        );
        assert_eq!((document.title.as_str(), document.sections.len()), ("Ada Lovelace", 1));
        assert_eq!(document.sections[0].span, Span::new(0, document.text.len()));
        let blocks: Vec<&str> = document.blocks.iter().map(|it| it.span.slice(&document.text)).collect();
        assert_eq!(blocks.concat(), document.text.replace("\n\n", "\n"));
        assert_eq!(warnings.len(), 1);
    }
}
