//! Documents: text, tree, blocks and metadata of one source.

use std::collections::{BTreeMap, BTreeSet};

use crate::content::{DocumentId, Language, LineIndex, Location, Locator, Origin, Section, Span};

/// Metadata: top-level keys to JSON values, types kept.
pub type Metadata = BTreeMap<String, serde_json::Value>;

/// A content root: one source's text with its section tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Stable id, from the URI.
    pub id: DocumentId,
    /// Where the document came from, as users name it.
    pub uri: String,
    /// Title: from metadata, else the first heading, else the file name.
    pub title: String,
    /// Media type, such as `text/markdown`.
    pub media_type: String,
    /// The whole text. For Markdown and plain text it is a contiguous piece of the decoded source (after a byte-order
    /// mark, front matter and leading blank lines); for HTML and PDF it is rendered.
    pub text: String,
    /// The section tree in pre-order; empty exactly when the text is.
    pub sections: Vec<Section>,
    /// The blocks of the text in order, without overlap; gaps (blank lines) belong to the block before.
    pub blocks: Vec<Block>,
    /// Front matter, HTML meta tags, PDF information and what the caller added.
    pub metadata: Metadata,
    /// The language of most of the text, where it is known.
    pub language: Option<Language>,
    /// Labels given by the caller.
    pub labels: BTreeSet<String>,
    /// How spans map back to the source.
    pub origin: Origin,
}

impl Document {
    /// Titles from the top-level section down to the section at `index`, both included; preambles have no title of
    /// their own and add none.
    pub fn section_path(&self, index: Option<usize>) -> Vec<&str> {
        let mut path = Vec::new();
        let mut next = index;
        while let Some(section) = next.and_then(|index| self.sections.get(index)) {
            if section.level > 0 {
                path.push(section.title.as_str());
            }
            next = section.parent;
        }
        path.reverse();
        path
    }

    /// Prepares to map many spans to their places in the source.
    pub fn locator(&self) -> Locator<'_> {
        Locator::new(self, LineIndex::new(&self.text))
    }

    /// The place of one span; use [`locator`](Self::locator) for many.
    pub fn location(&self, span: Span) -> Location {
        self.locator().locate(span)
    }
}

/// A block of text that the chunker keeps whole where it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The block's bytes, from the start of its first line to the end of its last line.
    pub span: Span,
    /// What it is.
    pub kind: BlockKind,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading line.
    Heading,
    /// A paragraph, or anything else made of sentences.
    Paragraph,
    /// One item of a list, nested items excluded (they are blocks of their own).
    ListItem,
    /// A pipe table, one row a line; `header` covers the head row and the delimiter row (empty without a head).
    Table {
        /// Bytes to repeat above each piece when the table is cut.
        header: Span,
    },
    /// Verbatim lines. `fence` is the opening fence line without its line ending (`None` for indented code and for
    /// source files), repeated above each piece when the block is cut; the closing fence is the same run of fence
    /// characters.
    Code {
        /// Bytes of the opening fence line.
        fence: Option<Span>,
    },
}
