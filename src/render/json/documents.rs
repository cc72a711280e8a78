//! Documents and section trees: `read`, `tree`, `sections`, `list`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{DocumentRef, Location, WarningOut, range, schema_name, warnings_out, wire};
use crate::content::{self, Document, Section, Warning};
use crate::store::{StoredDocument, StoredSection};

/// A section in a tree.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SectionOut {
    /// Id.
    pub id: String,
    /// Title; empty for text before the first heading.
    pub title: String,
    /// Heading level; 0 for text before the first heading.
    pub level: u8,
    /// 1 for top-level sections.
    pub depth: usize,
    /// Id of the parent section; null for top-level sections.
    pub parent: Option<String>,
    /// Half-open byte range of the whole subtree in the document's text.
    pub span: [usize; 2],
    /// What opened it: `heading`, `preamble`, `tag`, `outline`, `font`, `pages` or `item`.
    pub kind: String,
    /// Number of chunks of this very section; absent in `read`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunks: Option<usize>,
    /// The document, in lists over several documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<DocumentRef>,
    /// Place in the source.
    pub location: Location,
}

impl SectionOut {
    fn new(section: &Section, parent: Option<&Section>, uri: &str, location: &content::Location) -> Self {
        Self {
            id: section.id.to_string(),
            title: section.title.clone(),
            level: section.level,
            depth: section.depth,
            parent: parent.map(|it| it.id.to_string()),
            span: range(section.span),
            kind: section.kind.name().to_owned(),
            chunks: None,
            document: None,
            location: Location::new(uri, location),
        }
    }
}

/// A document as the reader gives it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DocumentOut {
    /// `ragctl.document/1`.
    pub schema: String,
    /// Id.
    pub id: String,
    /// URI.
    pub uri: String,
    /// Title.
    pub title: String,
    /// Media type.
    pub media_type: String,
    /// Code of the language of most of the text (ISO 639); null where it is not known.
    pub language: Option<String>,
    /// Name of the reader.
    pub reader: String,
    /// Labels.
    pub labels: Vec<String>,
    /// Metadata.
    pub metadata: BTreeMap<String, Value>,
    /// The whole text.
    pub text: String,
    /// The section tree, in order.
    pub sections: Vec<SectionOut>,
    /// Damage that the reader noticed.
    pub warnings: Vec<WarningOut>,
}
wire!(DocumentOut, "document");

impl DocumentOut {
    /// What `reader` made of a file.
    pub fn new(document: &Document, warnings: &[Warning], reader: &str) -> Self {
        let locator = document.locator();
        let sections = document.sections.iter().map(|section| {
            let parent = section.parent.and_then(|at| document.sections.get(at));
            SectionOut::new(section, parent, &document.uri, &locator.locate(section.span))
        });
        Self {
            schema: schema_name::<Self>(),
            id: document.id.to_string(),
            uri: document.uri.clone(),
            title: document.title.clone(),
            media_type: document.media_type.clone(),
            language: document.language.map(|it| it.to_string()),
            reader: reader.to_owned(),
            labels: document.labels.iter().cloned().collect(),
            metadata: document.metadata.clone(),
            text: document.text.clone(),
            sections: sections.collect(),
            warnings: warnings_out(warnings),
        }
    }

    /// A stored document with its whole text.
    pub fn of_stored(document: &StoredDocument, sections: &[StoredSection], text: String) -> Self {
        Self {
            schema: schema_name::<Self>(),
            id: document.id.to_string(),
            uri: document.uri.clone(),
            title: document.title.clone(),
            media_type: document.media_type.clone(),
            language: document.language.map(|it| it.to_string()),
            reader: document.reader.clone(),
            labels: document.labels.iter().cloned().collect(),
            metadata: document.metadata.clone(),
            text,
            sections: (0..sections.len()).filter_map(|at| stored_section(document, sections, at)).collect(),
            warnings: warnings_out(&document.warnings),
        }
    }
}

/// The sections of one document or of all.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TreeOut {
    /// `ragctl.tree/1`.
    pub schema: String,
    /// The document; null in a list over several.
    pub document: Option<DocumentRef>,
    /// Sections, in order.
    pub sections: Vec<SectionOut>,
}
wire!(TreeOut, "tree");

impl TreeOut {
    /// The sections of one document, or a part of them; `positions` are their arena indexes.
    pub fn of_document(
        document: &StoredDocument,
        sections: &[StoredSection],
        positions: std::ops::Range<usize>,
    ) -> Self {
        let sections = positions.filter_map(|at| stored_section(document, sections, at)).collect();
        Self { schema: schema_name::<Self>(), document: Some(DocumentRef::new(document)), sections }
    }

    /// The sections of several documents.
    pub fn of_documents(documents: &[(StoredDocument, Vec<StoredSection>)]) -> Self {
        let mut all = Vec::new();
        for (document, sections) in documents {
            let reference = DocumentRef::new(document);
            all.extend(
                (0..sections.len())
                    .filter_map(|at| stored_section(document, sections, at))
                    .map(|it| SectionOut { document: Some(reference.clone()), ..it }),
            );
        }
        Self { schema: schema_name::<Self>(), document: None, sections: all }
    }
}

fn stored_section(document: &StoredDocument, sections: &[StoredSection], at: usize) -> Option<SectionOut> {
    let it = sections.get(at)?;
    let parent = it.section.parent.and_then(|at| sections.get(at)).map(|it| &it.section);
    let out = SectionOut::new(&it.section, parent, &document.uri, &it.location);
    Some(SectionOut { chunks: Some(it.n_chunks), ..out })
}

/// A document in the list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ListedDocument {
    /// Id.
    pub id: String,
    /// URI.
    pub uri: String,
    /// Title.
    pub title: String,
    /// Media type.
    pub media_type: String,
    /// Code of the language of most of the text (ISO 639); null where it is not known.
    pub language: Option<String>,
    /// Number of chunks.
    pub chunks: usize,
    /// Number of sections.
    pub sections: usize,
    /// Size of the source, bytes.
    pub bytes: u64,
    /// BLAKE3 hash of the source's bytes.
    pub hash: String,
    /// Name and version of the reader.
    pub reader: String,
    /// When it was ingested (RFC 3339).
    pub ingested_at: String,
    /// Labels.
    pub labels: Vec<String>,
    /// Metadata.
    pub metadata: BTreeMap<String, Value>,
    /// Damage that the reader noticed.
    pub warnings: Vec<WarningOut>,
}

impl ListedDocument {
    /// A stored document.
    pub fn new(document: &StoredDocument) -> Self {
        Self {
            id: document.id.to_string(),
            uri: document.uri.clone(),
            title: document.title.clone(),
            media_type: document.media_type.clone(),
            language: document.language.map(|it| it.to_string()),
            chunks: document.n_chunks,
            sections: document.n_sections,
            bytes: document.n_bytes,
            hash: document.hash.to_string(),
            reader: format!("{}/{}", document.reader, document.reader_version),
            ingested_at: document.ingested_at.to_string(),
            labels: document.labels.iter().cloned().collect(),
            metadata: document.metadata.clone(),
            warnings: warnings_out(&document.warnings),
        }
    }
}

/// All documents.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DocumentsOut {
    /// `ragctl.documents/1`.
    pub schema: String,
    /// Documents, by URI.
    pub documents: Vec<ListedDocument>,
}
wire!(DocumentsOut, "documents");

impl DocumentsOut {
    /// The answer to `list`.
    pub fn new(documents: &[StoredDocument]) -> Self {
        Self { schema: schema_name::<Self>(), documents: documents.iter().map(ListedDocument::new).collect() }
    }
}
