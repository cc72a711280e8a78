//! Named entities: `show` of one, and what hits say of theirs.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{DocumentRef, Location, SectionRef, schema_name, section_ref, wire};
use crate::search::{FoundEntity, Passage, entity_of};
use crate::store::StoredDocument;

/// The named entity that a passage is stored for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EntityRef {
    /// Id, for `show`; that of the document.
    pub id: String,
    /// Id in the file that it comes from.
    pub key: String,
    /// Name.
    pub name: String,
    /// Labels.
    pub labels: Vec<String>,
}

impl EntityRef {
    /// The entity that `document` is; `None` for other documents.
    pub(super) fn of(document: &StoredDocument) -> Option<Self> {
        let entity = entity_of(document)?;
        Some(Self {
            id: document.id.to_string(),
            key: entity.key,
            name: entity.name,
            labels: entity.labels.into_iter().collect(),
        })
    }
}

/// A passage that mentions an entity.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MentionOut {
    /// Chunk id.
    pub id: String,
    /// The document.
    pub document: DocumentRef,
    /// The section.
    pub section: SectionRef,
    /// Place in the source.
    pub location: Location,
    /// The exact slice of the document's text.
    pub urtext: String,
}

impl MentionOut {
    fn new(passage: &Passage) -> Self {
        Self {
            id: passage.chunk.chunk.id.to_string(),
            document: DocumentRef::new(&passage.document),
            section: section_ref(passage),
            location: Location::new(&passage.document.uri, &passage.chunk.location),
            urtext: passage.chunk.urtext.clone(),
        }
    }
}

/// A named entity.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EntityOut {
    /// `ragctl.entity/1`.
    pub schema: String,
    /// Id; that of the document.
    pub id: String,
    /// URI.
    pub uri: String,
    /// Id in the file that it comes from.
    pub key: String,
    /// Name.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// What it is, in words; may be empty.
    pub description: String,
    /// Labels.
    pub labels: Vec<String>,
    /// What is known of it.
    pub properties: BTreeMap<String, Value>,
    /// The passages that mention its name or an alias best, in document order; at most 20.
    pub mentions: Vec<MentionOut>,
    /// How many passages mention it.
    pub mentions_total: usize,
}
wire!(EntityOut, "entity");

impl EntityOut {
    /// The answer to `show`.
    pub fn new(found: &FoundEntity) -> Self {
        let (document, entity) = (&found.document, &found.entity);
        Self {
            schema: schema_name::<Self>(),
            id: document.id.to_string(),
            uri: document.uri.clone(),
            key: entity.key.clone(),
            name: entity.name.clone(),
            aliases: entity.aliases.clone(),
            description: entity.description.clone(),
            labels: entity.labels.iter().cloned().collect(),
            properties: entity.properties.clone(),
            mentions: found.mentions.iter().map(MentionOut::new).collect(),
            mentions_total: found.n_mentions,
        }
    }
}
