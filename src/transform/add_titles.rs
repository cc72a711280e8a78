//! `add-titles`: where a chunk comes from, above its text.

use crate::content::{Chunk, Document};
use crate::transform::{ChunkTransformer, TransformerMeta};

/// Puts the document's title, its URI and the section path above the text, in the form of Embabel's
/// `AddTitlesChunkTransformer`; the line of the section is left out for a chunk of the document itself.
///
/// ```text
/// # Title: Performance Optimization Guide
/// # URI: https://docs.example.com/performance
/// # Section: Caching Strategies > Write-through
///
/// This approach improves performance by 40% compared to the baseline.
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AddTitles;

impl ChunkTransformer for AddTitles {
    fn meta(&self) -> &'static TransformerMeta {
        &TransformerMeta {
            name: "add-titles",
            version: 1,
            summary: "Puts the document title, the URI and the section path above the text",
        }
    }

    fn transform(&self, document: &Document, chunk: &Chunk) -> String {
        let path = document.section_path(chunk.section);
        let path: Vec<String> = path.into_iter().map(one_line).filter(|title| !title.is_empty()).collect();
        let mut text = format!("# Title: {}\n# URI: {}\n", one_line(&document.title), document.uri);
        if !path.is_empty() {
            text += &format!("# Section: {}\n", path.join(" > "));
        }
        text.push('\n');
        text += &chunk.text;
        text
    }
}

/// The title with every run of blanks, line endings included, as one space.
fn one_line(title: &str) -> String {
    title.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::content::{ChunkId, DocumentId, Heading, Metadata, Origin, SectionKind, Span, build_sections};
    use crate::transform::Pipeline;

    /// Checks the text of a chunk in the section at `section` of a document with the sections `A > B`.
    #[track_caller]
    fn check(title: &str, section: Option<usize>, expected: &str) {
        let text = "intro\n# A\n## B\nbody\n";
        let id = DocumentId::of_uri("https://docs.example.com/performance");
        let heading = |start, level, title: &str| Heading {
            start,
            end: start + 4,
            level,
            title: title.into(),
            kind: SectionKind::Heading,
        };
        let headings = [heading(6, 1, "Caching\n Strategies"), heading(10, 2, "Write-through")];
        let document = Document {
            id,
            uri: "https://docs.example.com/performance".into(),
            title: title.into(),
            media_type: "text/markdown".into(),
            text: text.into(),
            sections: build_sections(id, text, &headings, |text| text.trim().is_empty()),
            blocks: Vec::new(),
            metadata: Metadata::new(),
            language: None,
            labels: BTreeSet::new(),
            origin: Origin::Unknown,
        };
        let mut chunks = [Chunk {
            id: ChunkId::of_place(id, &[], "body", 0),
            section,
            span: Span::new(15, 19),
            overlap: 0,
            index: 0,
            total: 1,
            sequence: 0,
            text: "body".into(),
        }];
        let before = chunks[0].clone();
        Pipeline::default().apply(&document, &mut chunks);
        assert_eq!(chunks[0].text, expected);
        assert_eq!(Chunk { text: before.text.clone(), ..chunks[0].clone() }, before, "only the text changes");
    }

    #[test]
    fn titles_uri_and_path_stand_above_the_text() {
        check(
            "Performance Optimization Guide",
            Some(2),
            "# Title: Performance Optimization Guide\n# URI: https://docs.example.com/performance\n\
             # Section: Caching Strategies > Write-through\n\nbody",
        );
    }

    #[test]
    fn a_chunk_without_section_has_no_section_line() {
        let expected = "# Title: A b\n# URI: https://docs.example.com/performance\n\nbody";
        check("A\nb", None, expected);
        check("A b", Some(0), expected);
    }
}
