//! JSON Schemas of the wire types (`ragctl schema KIND`).

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use crate::render::json;

/// A kind of JSON that the program prints.
#[derive(Clone, Copy)]
pub struct Kind {
    /// The name behind `ragctl.` and before `/1`.
    pub name: &'static str,
    /// Which command prints it.
    pub summary: &'static str,
    make: fn() -> Schema,
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kind").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Kind {
    /// The JSON Schema (draft 2020-12).
    pub fn schema(&self) -> serde_json::Value {
        let mut schema = (self.make)();
        schema.insert("$id".to_owned(), format!("ragctl.{}/1", self.name).into());
        schema.to_value()
    }
}

const fn kind<T: json::Wire + JsonSchema>(summary: &'static str) -> Kind {
    Kind { name: T::KIND, summary, make: schema_of::<T> }
}

/// The schema of what is written, not of what could be read: fields that are left out at times are not required.
fn schema_of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// Every kind.
pub const KINDS: &[Kind] = &[
    kind::<json::SearchOut>("search --json"),
    kind::<json::HitOut>("search --jsonl, a line"),
    kind::<json::MatchesOut>("search --regex --count --json, or with --files-with-matches"),
    kind::<json::MatchCount>("search --regex --count --jsonl, or with --files-with-matches, a line"),
    kind::<json::ExpandOut>("expand --json"),
    kind::<json::ZoomOut>("zoom --json, show --json of a section"),
    kind::<json::ChunkOut>("show --json of a chunk"),
    kind::<json::EntityOut>("show --json of a named entity"),
    kind::<json::TreeOut>("tree --json, sections --json"),
    kind::<json::DocumentsOut>("list --json"),
    kind::<json::QueryOut>("query check --json"),
    kind::<json::InfoOut>("info --json"),
    kind::<json::IngestOut>("ingest --json, and the last line of ingest --jsonl"),
    kind::<json::IngestFileOut>("ingest --jsonl, a line"),
    kind::<json::FilterOut>("filter check --json"),
    kind::<json::DocumentOut>("read --json, show --json of a document"),
    kind::<json::ChunksOut>("chunk --json"),
    kind::<json::EvalOut>("eval run --json"),
    kind::<json::EvalCompareOut>("eval compare --json"),
    kind::<json::EvalAblateOut>("eval ablate --json"),
    kind::<json::CalibrationOut>("calibrate --json"),
    kind::<json::ReadingsOut>("call readSection --json, where a document has several sections of the title"),
    kind::<json::TraceEntry>("--trace, a line"),
    kind::<json::TraceSummaryOut>("trace --json"),
    kind::<json::RemoveOut>("remove --json"),
    kind::<json::ReindexOut>("reindex --json"),
    kind::<json::ReembedOut>("reembed --json"),
    kind::<json::ModelsOut>("models --json"),
    kind::<json::PullOut>("models pull --json"),
    kind::<json::VerifyOut>("verify --json"),
    kind::<json::DoctorOut>("doctor --json"),
    kind::<json::ErrorOut>("errors on stderr with --json or --jsonl"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_unique_names_and_schemas_with_descriptions() {
        let mut names: Vec<&str> = KINDS.iter().map(|it| it.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KINDS.len());
        for kind in KINDS {
            let schema = kind.schema();
            assert_eq!(schema["type"], "object", "{kind:?}");
            for (name, property) in schema["properties"].as_object().unwrap() {
                let is_described = property.get("description").is_some() || property.get("$ref").is_some();
                assert!(is_described, "{kind:?}: {name} has no description");
            }
        }
    }
}
