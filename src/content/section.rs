//! Sections: the tree of a document, as one arena.

use crate::content::{SectionId, Span};

/// One section of a document: a node of its tree.
///
/// Sections of a document stand in pre-order in [`Document::sections`](crate::content::Document::sections).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Stable id.
    pub id: SectionId,
    /// Heading as plain text; empty for a preamble or an empty heading.
    pub title: String,
    /// Heading level, 1 to 6 (deeper for formats that have more); 0 for a preamble.
    pub level: u8,
    /// Number of sections above this one, plus 1: top-level sections have depth 1.
    pub depth: usize,
    /// Arena index of the parent; `None` for top-level sections, whose parent is the document.
    pub parent: Option<usize>,
    /// The whole subtree's text, heading line included.
    pub span: Span,
    /// The section's own text: from its start to its first child's start (or its end).
    pub own: Span,
    /// What opened the section.
    pub kind: SectionKind,
    /// Whether the own text holds more than headings, blanks and comments.
    pub has_body: bool,
}

/// What opened a section.
///
/// # Stability: stored in format 1 by [`name`](Self::name) and printed in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SectionKind {
    /// Text before the first heading.
    Preamble,
    /// A heading in the markup.
    Heading,
    /// A heading in a PDF's structure tree.
    Tag,
    /// An entry of a PDF's outline, anchored in its page's text.
    Outline,
    /// A line set in a heading's size or weight (PDF, Word, RTF).
    Font,
    /// A run of pages, where nothing better is known (PDF).
    Pages,
    /// A top-level item of source code, or a cell of a notebook.
    Item,
}

impl SectionKind {
    const ALL: [Self; 7] =
        [Self::Preamble, Self::Heading, Self::Tag, Self::Outline, Self::Font, Self::Pages, Self::Item];

    /// The name used in JSON and on disk.
    pub fn name(self) -> &'static str {
        match self {
            Self::Preamble => "preamble",
            Self::Heading => "heading",
            Self::Tag => "tag",
            Self::Outline => "outline",
            Self::Font => "font",
            Self::Pages => "pages",
            Self::Item => "item",
        }
    }

    /// The kind with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}
