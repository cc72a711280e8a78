//! From a flat list of headings to the section tree.

use std::collections::HashMap;

use crate::content::{DocumentId, Section, SectionId, SectionKind, Span};

/// A heading that a reader found in the document's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Byte where the section starts (the heading's first byte, or the first byte of its text).
    pub start: usize,
    /// Byte where the heading itself ends and the section's body starts.
    pub end: usize,
    /// Level, 1 or more.
    pub level: u8,
    /// Heading as plain text.
    pub title: String,
    /// What opened it.
    pub kind: SectionKind,
}

/// Builds the pre-order arena from `headings` (in text order, starts strictly rising).
///
/// The parent of a heading is the nearest open heading of a lower level; levels may skip. Text before the first
/// heading becomes a preamble section of level 0. A section ends where the next heading of the same or a lower level
/// starts. `is_blank` says whether a stretch of text holds nothing worth reading (blanks, comments); it decides
/// [`Section::has_body`].
///
/// ```
/// use ragctl::content::{build_sections, DocumentId, Heading, SectionKind};
///
/// let text = "intro\n# A\nbody\n### B\n";
/// let heading = |start, end, level, title: &str| Heading {
///     start, end, level, title: title.into(), kind: SectionKind::Heading,
/// };
/// let sections = build_sections(
///     DocumentId::of_uri("a.md"), text, &[heading(6, 10, 1, "A"), heading(15, 21, 3, "B")],
///     |text| text.trim().is_empty(),
/// );
/// assert_eq!(sections.iter().map(|it| it.depth).collect::<Vec<_>>(), [1, 1, 2]);
/// assert_eq!(sections[1].span.slice(text), "# A\nbody\n### B\n");
/// assert_eq!(sections[1].own.slice(text), "# A\nbody\n");
/// ```
pub fn build_sections(
    document: DocumentId,
    text: &str,
    headings: &[Heading],
    is_blank: impl Fn(&str) -> bool,
) -> Vec<Section> {
    let placeholder = SectionId::of_place(document, &[], "", 0);
    let mut sections: Vec<Section> = Vec::with_capacity(headings.len() + 1);
    let first = headings.first().map_or(text.len(), |heading| heading.start);
    if first > 0 {
        let own = Span::new(0, first);
        sections.push(Section {
            id: placeholder,
            title: String::new(),
            level: 0,
            depth: 1,
            parent: None,
            span: own,
            own,
            kind: SectionKind::Preamble,
            has_body: !is_blank(own.slice(text)),
        });
    }
    let mut open: Vec<usize> = Vec::new();
    for (at, heading) in headings.iter().enumerate() {
        let own_end = headings.get(at + 1).map_or(text.len(), |next| next.start);
        while open.last().is_some_and(|&index| sections[index].level >= heading.level) {
            open.pop();
        }
        let index = sections.len();
        sections.push(Section {
            id: placeholder,
            title: heading.title.clone(),
            level: heading.level,
            depth: open.len() + 1,
            parent: open.last().copied(),
            span: Span::new(heading.start, own_end),
            own: Span::new(heading.start, own_end),
            kind: heading.kind,
            has_body: !is_blank(&text[heading.end.clamp(heading.start, own_end)..own_end]),
        });
        // Every open ancestor reaches at least as far as its newest descendant.
        for &ancestor in &open {
            sections[ancestor].span.end = own_end;
        }
        open.push(index);
    }
    name_sections(document, text, &mut sections);
    sections
}

/// Gives every section its id.
fn name_sections(document: DocumentId, text: &str, sections: &mut [Section]) {
    let mut twins: HashMap<SectionId, usize> = HashMap::new();
    for index in 0..sections.len() {
        let mut path = vec![sections[index].title.as_str()];
        let mut parent = sections[index].parent;
        while let Some(at) = parent {
            path.push(sections[at].title.as_str());
            parent = sections[at].parent;
        }
        path.reverse();
        let own = sections[index].own.slice(text);
        let first = SectionId::of_place(document, &path, own, 0);
        let twin = twins.entry(first).or_insert(0);
        let id = if *twin == 0 { first } else { SectionId::of_place(document, &path, own, *twin) };
        *twin += 1;
        sections[index].id = id;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str, headings: &[(usize, u8)]) -> Vec<Section> {
        let headings: Vec<Heading> = headings
            .iter()
            .map(|&(start, level)| Heading {
                start,
                end: start + 1,
                level,
                title: format!("h{start}"),
                kind: SectionKind::Heading,
            })
            .collect();
        build_sections(DocumentId::of_uri("t"), text, &headings, |text| text.trim().is_empty())
    }

    #[test]
    fn an_empty_text_has_no_sections() {
        assert_eq!(tree("", &[]), []);
    }

    #[test]
    fn text_without_headings_is_one_preamble() {
        let sections = tree("abc", &[]);
        assert_eq!(sections.len(), 1);
        assert_eq!((sections[0].kind, sections[0].span), (SectionKind::Preamble, Span::new(0, 3)));
    }

    #[test]
    fn skipped_levels_hang_under_the_nearest_shallower_heading() {
        // H1, then three H3 siblings (llama_index#17599), then an H2.
        let sections = tree("abcdefghij", &[(0, 1), (2, 3), (4, 3), (6, 3), (8, 2)]);
        let parents: Vec<_> = sections.iter().map(|it| it.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(0), Some(0), Some(0)]);
        assert_eq!(sections[0].span, Span::new(0, 10));
        assert_eq!(sections[0].own, Span::new(0, 2));
        assert_eq!(sections[3].span, Span::new(6, 8));
    }

    #[test]
    fn twins_have_different_ids() {
        let text = "# A\n# A\n";
        let heading = |start| Heading {
            start,
            end: start + 4,
            level: 1,
            title: "A".into(),
            kind: SectionKind::Heading,
        };
        let sections = build_sections(DocumentId::of_uri("t"), text, &[heading(0), heading(4)], |_| true);
        assert_ne!(sections[0].id, sections[1].id);
    }
}
