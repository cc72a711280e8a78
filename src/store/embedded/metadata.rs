//! What queries ask of metadata, answered from the documents' rows.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::content::Metadata;
use crate::query::{FIELDS, Kind, Node, Query};
use crate::store::StoreError;
use crate::store::embedded::codec;
use crate::store::embedded::reader::{EmbeddedStore, VISIBLE};
use crate::store::embedded::rows::RowSet;
use crate::store::embedded::text::{MetadataRows, value_fits};

/// Fields that every document has beside its text: columns of the table of documents.
const COLUMNS: [&str; 2] = ["media_type", "ingested_at"];

impl EmbeddedStore {
    /// The rows of each node of `query` that asks for metadata.
    pub(super) fn metadata_rows(&self, query: &Query) -> Result<MetadataRows, StoreError> {
        let mut asking = Vec::new();
        if let Some(root) = &query.root {
            collect(root, None, &mut asking);
        }
        let mut rows: MetadataRows =
            asking.iter().map(|(_, node)| (node.span.clone(), RowSet::new())).collect();
        if asking.is_empty() {
            return Ok(rows);
        }
        self.sql(self.each_document(|number, n_chunks, value_of| {
            let mut range = None;
            for (name, node) in &asking {
                if !value_of(name).is_some_and(|value| value_fits(&value, &node.kind)) {
                    continue;
                }
                let range = match &range {
                    Some(range) => range,
                    None => range.insert(self.read_document_rows(number, n_chunks)?),
                };
                if let Some(rows) = rows.get_mut(&node.span) {
                    rows.insert_range(range.clone());
                }
            }
            Ok(true)
        }))?;
        Ok(rows)
    }

    /// Which of the fields `names` a document among `rows` (`None`: all) has.
    pub(super) fn known_fields(
        &self,
        names: &BTreeSet<&str>,
        rows: Option<&RowSet>,
    ) -> Result<BTreeSet<String>, StoreError> {
        let is_everywhere = |name: &str| FIELDS.contains(&name) || COLUMNS.contains(&name);
        let mut known: BTreeSet<String> =
            names.iter().filter(|name| is_everywhere(name)).map(|&name| name.to_owned()).collect();
        if known.len() == names.len() {
            return Ok(known);
        }
        self.sql(self.each_document(|number, n_chunks, value_of| {
            let new: Vec<&str> =
                names.iter().copied().filter(|&it| !known.contains(it) && value_of(it).is_some()).collect();
            if !new.is_empty() {
                let range = self.read_document_rows(number, n_chunks)?;
                let is_among =
                    |rows: &RowSet| !range.is_empty() && rows.count_in(range.start..=range.end - 1) > 0;
                if rows.is_none_or(is_among) {
                    known.extend(new.into_iter().map(str::to_owned));
                }
            }
            Ok(known.len() < names.len())
        }))?;
        Ok(known)
    }

    /// Calls `visit` with the number, the number of chunks and the values of each document, until it says stop.
    fn each_document(
        &self,
        mut visit: impl FnMut(i64, u32, &dyn Fn(&str) -> Option<Value>) -> rusqlite::Result<bool>,
    ) -> rusqlite::Result<()> {
        let sql = format!(
            "SELECT number, n_chunks, metadata, media_type, ingested_at FROM document
             WHERE {VISIBLE} AND n_chunks > 0"
        );
        let mut statement = self.connection().prepare(&sql)?;
        let mut documents = statement.query([self.generation()])?;
        while let Some(row) = documents.next()? {
            let metadata: Metadata = codec::from_json("metadata", row.get_ref("metadata")?.as_str()?)?;
            let value_of = |name: &str| match COLUMNS.contains(&name) {
                true => row.get::<_, String>(name).ok().map(Value::String),
                false => metadata.get(name).filter(|value| !value.is_null()).cloned(),
            };
            if !visit(row.get("number")?, row.get("n_chunks")?, &value_of)? {
                break;
            }
        }
        Ok(())
    }
}

/// The leaves that ask for metadata, with their fields.
fn collect<'a>(node: &'a Node, field: Option<&'a str>, asking: &mut Vec<(&'a str, &'a Node)>) {
    match (&node.kind, field) {
        (Kind::Field { name, inner }, _) => {
            let field = Some(name.as_str()).filter(|name| !FIELDS.contains(name));
            collect(inner, field, asking);
        }
        (Kind::Boost { inner, .. }, _) => collect(inner, field, asking),
        (Kind::Group(clauses), _) => {
            clauses.iter().for_each(|clause| collect(&clause.node, field, asking));
        }
        (_, Some(name)) => asking.push((name, node)),
        (_, None) => {}
    }
}
