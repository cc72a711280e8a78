//! Which chunks a scope lets pass.

use std::borrow::Cow;

use crate::filter::{self, Builtin, Key};
use crate::store::embedded::reader::EmbeddedStore;
use crate::store::embedded::rows::RowSet;
use crate::store::{Row, Scope, Store, StoreError, StoredDocument};

impl EmbeddedStore {
    /// The rows that a scope which is not open lets pass.
    pub(super) fn rows_in(&self, scope: &Scope) -> Result<RowSet, StoreError> {
        let mut rows = RowSet::new();
        for document in self.documents()? {
            if !scope.holds_uri(&document.uri)
                || !scope.labels.iter().all(|label| document.labels.contains(label))
            {
                continue;
            }
            if scope.filters.iter().any(|it| it.mentions(&Key::Builtin(Builtin::Section))) {
                let sections = self.sections(document.number)?;
                for chunk in self.chunks(document.number, 0, usize::MAX)? {
                    let section = chunk.chunk.section.and_then(|at| sections.get(at));
                    let section = section.map(|it| it.section.title.as_str());
                    if scope
                        .filters
                        .iter()
                        .all(|it| it.matches(&FilterRecord { document: &document, section }))
                    {
                        rows.insert(chunk.row);
                    }
                }
            } else if scope
                .filters
                .iter()
                .all(|it| it.matches(&FilterRecord { document: &document, section: None }))
            {
                let range: (Option<Row>, Option<Row>) = self.sql(
                    self.connection()
                        .prepare_cached("SELECT min(row), max(row) FROM chunk WHERE document = ?1")
                        .and_then(|mut it| {
                            it.query_row([document.number], |row| Ok((row.get(0)?, row.get(1)?)))
                        }),
                )?;
                if let (Some(first), Some(last)) = range {
                    rows.insert_range(first..last.saturating_add(1));
                }
            }
        }
        Ok(rows)
    }
}

/// A chunk as filters see it.
struct FilterRecord<'a> {
    document: &'a StoredDocument,
    /// Title of the chunk's section.
    section: Option<&'a str>,
}

impl filter::Record for FilterRecord<'_> {
    fn metadata(&self, key: &str) -> Option<&serde_json::Value> {
        self.document.metadata.get(key)
    }

    fn builtin(&self, key: Builtin) -> Option<Cow<'_, str>> {
        match key {
            Builtin::Uri => Some(Cow::Borrowed(&self.document.uri)),
            Builtin::Title => Some(Cow::Borrowed(&self.document.title)),
            Builtin::Section => self.section.map(Cow::Borrowed),
            Builtin::MediaType => Some(Cow::Borrowed(&self.document.media_type)),
            Builtin::IngestedAt => Some(Cow::Owned(self.document.ingested_at.to_string())),
            Builtin::Labels => None,
        }
    }

    fn has_label(&self, label: &str) -> bool {
        self.document.labels.contains(label)
    }
}
