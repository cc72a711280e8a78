//! Which chunks a scope lets pass.
//!
//! Filters are evaluated once a document, or once a section where they ask for its title, never once a chunk; columns
//! are decoded only where a filter asks for them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use rusqlite::{OptionalExtension as _, Row as SqlRow, params};

use crate::content::{ENTITY_MEDIA_TYPE, Metadata};
use crate::filter::{self, Builtin, Key};
use crate::store::embedded::codec;
use crate::store::embedded::reader::{EmbeddedStore, VISIBLE};
use crate::store::embedded::rows::RowSet;
use crate::store::{Row, Scope, StoreError};

impl EmbeddedStore {
    /// The rows that a scope which is not open lets pass.
    pub(super) fn rows_in(&self, scope: &Scope) -> Result<RowSet, StoreError> {
        self.sql(self.read_rows_in(scope))
    }

    fn read_rows_in(&self, scope: &Scope) -> rusqlite::Result<RowSet> {
        let asks_for_sections = scope.filters.iter().any(|it| it.mentions(&Key::Builtin(Builtin::Section)));
        let sql = format!(
            "SELECT number, n_chunks, uri, title, media_type, ingested_at, metadata, labels FROM document
             WHERE {VISIBLE} AND n_chunks > 0"
        );
        let mut statement = self.connection().prepare(&sql)?;
        let mut documents = statement.query([self.generation()])?;
        let mut rows = RowSet::new();
        while let Some(row) = documents.next()? {
            let (number, n_chunks): (i64, Row) = (row.get(0)?, row.get(1)?);
            if !scope.path_prefixes.is_empty() && !scope.holds_uri(row.get_ref(2)?.as_str()?) {
                continue;
            }
            if scope.entities_only && row.get_ref("media_type")?.as_str()? != ENTITY_MEDIA_TYPE {
                continue;
            }
            let document = DocumentColumns::new(row);
            let passes = |section: Option<&str>| {
                let record = FilterRecord { document: &document, section };
                scope.filters.iter().all(|it| it.matches(&record))
            };
            let has_labels = scope.labels.iter().all(|label| document.labels().contains(label));
            if has_labels && asks_for_sections {
                self.add_sections(number, n_chunks, passes, &mut rows)?;
            } else if has_labels && passes(None) {
                rows.insert_range(self.read_document_rows(number, n_chunks)?);
            }
            document.check()?;
        }
        Ok(rows)
    }

    /// The rows of a document, which are contiguous.
    pub(super) fn read_document_rows(&self, number: i64, n_chunks: Row) -> rusqlite::Result<Range<Row>> {
        let first: Option<Row> = self
            .connection()
            .prepare_cached("SELECT row FROM chunk WHERE document = ?1 ORDER BY sequence LIMIT 1")?
            .query_row([number], |row| row.get(0))
            .optional()?;
        Ok(first.map_or(0..0, |first| first..first.saturating_add(n_chunks)))
    }

    /// Adds the chunks of a document whose section's title passes. The chunks themselves are read only where some pass
    /// and others do not.
    fn add_sections(
        &self,
        number: i64,
        n_chunks: Row,
        passes: impl Fn(Option<&str>) -> bool,
        rows: &mut RowSet,
    ) -> rusqlite::Result<()> {
        let without_section = passes(None);
        let mut by_section: Vec<bool> = Vec::new();
        let mut statement = self
            .connection()
            .prepare_cached("SELECT title FROM section WHERE document = ?1 ORDER BY position")?;
        let mut sections = statement.query([number])?;
        while let Some(row) = sections.next()? {
            by_section.push(passes(Some(row.get_ref(0)?.as_str()?)));
        }
        if by_section.iter().all(|&it| it == without_section) {
            if without_section {
                rows.insert_range(self.read_document_rows(number, n_chunks)?);
            }
            return Ok(());
        }
        let mut statement =
            self.connection().prepare_cached("SELECT row, section FROM chunk WHERE document = ?1")?;
        let mut chunks = statement.query(params![number])?;
        while let Some(row) = chunks.next()? {
            let section: Option<usize> = row.get(1)?;
            let is_in = section.map_or(without_section, |at| by_section.get(at).copied().unwrap_or(false));
            if is_in {
                rows.insert(row.get(0)?);
            }
        }
        Ok(())
    }
}

/// The columns of a document that filters ask for, decoded when they do.
struct DocumentColumns<'a> {
    row: &'a SqlRow<'a>,
    metadata: OnceCell<Metadata>,
    labels: OnceCell<BTreeSet<String>>,
    /// The first column that did not decode; filters cannot fail by themselves.
    damage: OnceCell<rusqlite::Error>,
}

impl<'a> DocumentColumns<'a> {
    fn new(row: &'a SqlRow<'a>) -> Self {
        Self { row, metadata: OnceCell::new(), labels: OnceCell::new(), damage: OnceCell::new() }
    }

    /// # Errors
    ///
    /// When a column that was asked for did not decode.
    fn check(self) -> rusqlite::Result<()> {
        self.damage.into_inner().map_or(Ok(()), Err)
    }

    fn text(&self, column: &str) -> &str {
        let text = self.row.get_ref(column).and_then(|value| Ok(value.as_str()?));
        text.unwrap_or_else(|error| {
            let _ = self.damage.set(error);
            ""
        })
    }

    fn json<T: Default + for<'de> serde::Deserialize<'de>>(&self, column: &str) -> T {
        codec::from_json(column, self.text(column)).unwrap_or_else(|error| {
            let _ = self.damage.set(error);
            T::default()
        })
    }

    fn metadata(&self) -> &Metadata {
        self.metadata.get_or_init(|| self.json("metadata"))
    }

    fn labels(&self) -> &BTreeSet<String> {
        self.labels.get_or_init(|| self.json("labels"))
    }
}

/// A chunk as filters see it.
struct FilterRecord<'a> {
    document: &'a DocumentColumns<'a>,
    /// Title of the chunk's section.
    section: Option<&'a str>,
}

impl filter::Record for FilterRecord<'_> {
    fn metadata(&self, key: &str) -> Option<&serde_json::Value> {
        self.document.metadata().get(key)
    }

    fn builtin(&self, key: Builtin) -> Option<Cow<'_, str>> {
        let column = match key {
            Builtin::Uri => "uri",
            Builtin::Title => "title",
            Builtin::MediaType => "media_type",
            Builtin::IngestedAt => "ingested_at",
            Builtin::Section => return self.section.map(Cow::Borrowed),
            Builtin::Labels => return None,
        };
        Some(Cow::Borrowed(self.document.text(column)))
    }

    fn has_label(&self, label: &str) -> bool {
        self.document.labels().contains(label)
    }
}
