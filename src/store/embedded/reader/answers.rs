//! What an opened store answers: the traits of [`crate::store`] over one generation.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use rusqlite::{OptionalExtension as _, params};

use super::{EmbeddedStore, VISIBLE};
use crate::content::{ChunkId, DocumentId, Language, SectionId, Span, Vector, VectorRef};
use crate::query::Query;
use crate::store::embedded::artefacts::Artefacts;
use crate::store::embedded::rows::RowSet;
use crate::store::embedded::vectors::Live;
use crate::store::embedded::{DATABASE, codec, models, schema, vectors};
use crate::store::{
    RegexSearch, Row, Scope, Store, StoreError, StoreInfo, StoredChunk, StoredDocument, StoredSection,
    Target, TextFound, TextSearch, VectorSearch,
};

impl Store for EmbeddedStore {
    fn info(&self) -> Result<StoreInfo, StoreError> {
        let sum = |column: &str| {
            self.count(&format!("SELECT coalesce(sum({column}), 0) FROM document WHERE {VISIBLE}"))
        };
        let (mut database_bytes, mut text_bytes, mut vector_bytes) = (0, 0, 0);
        let named = self.sql(Artefacts::load(&self.connection))?;
        for entry in std::fs::read_dir(&self.paths.folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let size = entry.metadata().map_or(0, |it| it.len());
            if name.starts_with(DATABASE) {
                database_bytes += size;
            } else if named.text.as_deref() == Some(&*name) {
                text_bytes = folder_size(&entry.path());
            } else if named.vectors.iter().any(|it| name.split('.').next() == Some(&it.name)) {
                vector_bytes += size;
            }
        }
        let mut models = self.models.clone();
        for model in models.iter_mut().filter(|it| !it.is_whole) {
            model.n_texts = Some(self.sql(models::count_texts(&self.connection, &model.info.fingerprint))?);
        }
        Ok(StoreInfo {
            path: self.paths.folder.clone(),
            format: schema::FORMAT,
            generation: self.generation,
            n_documents: self.count(&format!("SELECT count(*) FROM document WHERE {VISIBLE}"))?,
            n_sections: sum("n_sections")?,
            n_chunks: sum("n_chunks")?,
            n_source_bytes: sum("n_bytes")? as u64,
            n_documents_with_warnings: self
                .count(&format!("SELECT count(*) FROM document WHERE {VISIBLE} AND warnings <> '[]'"))?,
            languages: self.sql(self.read_languages())?,
            model: self.model.clone(),
            models,
            pipeline: self.sql(schema::setting(&self.connection, "pipeline"))?.unwrap_or_default(),
            database_bytes,
            text_bytes,
            vector_bytes,
            degraded: self.degraded.clone(),
        })
    }

    fn documents(&self) -> Result<Vec<StoredDocument>, StoreError> {
        let sql = format!("SELECT * FROM document WHERE {VISIBLE} ORDER BY uri");
        self.sql(
            self.connection
                .prepare(&sql)
                .and_then(|mut it| it.query_map([self.generation], codec::decode_document)?.collect()),
        )
    }

    fn document(&self, id: DocumentId) -> Result<Option<StoredDocument>, StoreError> {
        self.one_document("document.id = ?2", &id.to_string())
    }

    fn document_numbered(&self, number: i64) -> Result<Option<StoredDocument>, StoreError> {
        self.one_document("document.number = ?2", &number)
    }

    fn document_rows(&self, number: i64) -> Result<Range<Row>, StoreError> {
        let n_chunks: Option<Row> = self.sql(
            self.connection
                .prepare_cached("SELECT n_chunks FROM document WHERE number = ?1")
                .and_then(|mut it| it.query_row([number], |row| row.get(0)).optional()),
        )?;
        self.sql(self.read_document_rows(number, n_chunks.unwrap_or(0)))
    }

    fn targets(&self, prefix: &str, limit: usize) -> Result<Vec<Target>, StoreError> {
        // Ids are a letter and hexadecimal digits, so '~' sorts behind every id with this prefix.
        let last = format!("{prefix}~");
        let parse = |text: &str, kind: char| match kind {
            'd' => text.parse().map(Target::Document).ok(),
            's' => text.parse().map(Target::Section).ok(),
            _ => text.parse().map(Target::Chunk).ok(),
        };
        let mut targets = Vec::new();
        for (kind, table, join) in [
            ('d', "document", ""),
            ('s', "section", "JOIN document ON document.number = section.document"),
            ('c', "chunk", "JOIN document ON document.number = chunk.document"),
        ] {
            if !prefix.starts_with(kind) && !prefix.is_empty() {
                continue;
            }
            let sql = format!(
                "SELECT {table}.id FROM {table} {join} WHERE {VISIBLE} AND {table}.id >= ?2 AND {table}.id < ?3
                 ORDER BY {table}.id LIMIT ?4"
            );
            let mut query = || {
                let mut statement = self.connection.prepare_cached(&sql)?;
                let mut rows = statement.query(params![self.generation, prefix, last, limit])?;
                while let Some(row) = rows.next()? {
                    let text = row.get_ref(0)?.as_str()?;
                    targets.push(parse(text, kind).ok_or_else(|| codec::bad("id", text))?);
                }
                Ok(())
            };
            self.sql(query())?;
        }
        targets.truncate(limit);
        Ok(targets)
    }

    fn sections(&self, document: i64) -> Result<Vec<StoredSection>, StoreError> {
        let sql = "SELECT * FROM section WHERE document = ?1 ORDER BY position";
        self.sql(
            self.connection
                .prepare_cached(sql)
                .and_then(|mut it| it.query_map([document], codec::decode_section)?.collect()),
        )
    }

    fn section_titles(&self, document: i64) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT title FROM section WHERE document = ?1 ORDER BY position";
        self.sql(
            self.connection
                .prepare_cached(sql)
                .and_then(|mut it| it.query_map([document], |row| row.get(0))?.collect()),
        )
    }

    fn section(&self, document: i64, index: usize) -> Result<Option<StoredSection>, StoreError> {
        let sql = "SELECT * FROM section WHERE document = ?1 AND position = ?2";
        self.sql(
            self.connection
                .prepare_cached(sql)
                .and_then(|mut it| it.query_row(params![document, index], codec::decode_section).optional()),
        )
    }

    fn section_place(&self, id: SectionId) -> Result<Option<(i64, usize)>, StoreError> {
        let sql = format!(
            "SELECT section.document, section.position FROM section
             JOIN document ON document.number = section.document WHERE {VISIBLE} AND section.id = ?2"
        );
        self.sql(self.connection.prepare_cached(&sql).and_then(|mut it| {
            it.query_row(params![self.generation, id.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()
        }))
    }

    fn chunk(&self, id: ChunkId) -> Result<Option<StoredChunk>, StoreError> {
        self.one_chunk("chunk.id = ?2", &id.to_string())
    }

    fn chunk_at(&self, row: Row) -> Result<Option<StoredChunk>, StoreError> {
        self.one_chunk("chunk.row = ?2", &row)
    }

    fn chunks(&self, document: i64, first: usize, last: usize) -> Result<Vec<StoredChunk>, StoreError> {
        let sql = "SELECT * FROM chunk WHERE document = ?1 AND sequence BETWEEN ?2 AND ?3 ORDER BY sequence";
        let last = i64::try_from(last).unwrap_or(i64::MAX);
        self.sql(
            self.connection.prepare_cached(sql).and_then(|mut it| {
                it.query_map(params![document, first, last], codec::decode_chunk)?.collect()
            }),
        )
    }

    fn chunks_at(&self, document: i64, span: Span) -> Result<Vec<StoredChunk>, StoreError> {
        let sql = "SELECT * FROM chunk WHERE document = ?1 AND start < ?3 AND stop > ?2 ORDER BY sequence";
        self.sql(self.connection.prepare_cached(sql).and_then(|mut it| {
            it.query_map(params![document, span.start, span.end], codec::decode_chunk)?.collect()
        }))
    }

    fn rows(&self, scope: &Scope) -> Result<Option<RowSet>, StoreError> {
        if scope.is_open() {
            return Ok(None);
        }
        self.rows_in(scope).map(Some)
    }

    fn vector(&self) -> Option<&dyn VectorSearch> {
        (self.model.dimension > 0).then_some(self)
    }

    fn text(&self) -> Option<&dyn TextSearch> {
        Some(self)
    }

    fn regex(&self) -> Option<&dyn RegexSearch> {
        Some(self)
    }
}

impl VectorSearch for EmbeddedStore {
    fn search_vector(
        &self,
        query: VectorRef<'_>,
        k: usize,
        rows: Option<&RowSet>,
    ) -> Result<Vec<(Row, f32)>, StoreError> {
        match &self.vectors {
            Some(segments) => {
                let live: Vec<Live<'_>> =
                    segments.iter().map(|segment| Live { segment, dead: Some(&self.dead) }).collect();
                Ok(vectors::search(&live, query, k, rows)?)
            }
            None if !self.names_vectors => Ok(Vec::new()),
            None => {
                let (_folder, segment) = self.rebuild_vectors()?;
                Ok(vectors::search(&[Live { segment: &segment, dead: None }], query, k, rows)?)
            }
        }
    }

    fn vectors_of(&self, rows: &[Row]) -> Result<Vec<Option<Vector>>, StoreError> {
        let find = |segments: &[vectors::Segment]| {
            let mut found = vec![None; rows.len()];
            // A row number can come back in a later segment.
            for segment in segments.iter().rev() {
                for (found, vector) in found.iter_mut().zip(segment.vectors(rows)) {
                    *found = found.take().or(vector);
                }
            }
            found
        };
        match &self.vectors {
            Some(segments) => Ok(find(segments)),
            None if !self.names_vectors => Ok(vec![None; rows.len()]),
            None => {
                let (_folder, segment) = self.rebuild_vectors()?;
                Ok(find(std::slice::from_ref(&segment)))
            }
        }
    }
}

impl TextSearch for EmbeddedStore {
    fn search_text(&self, query: &Query, k: usize, rows: Option<&RowSet>) -> Result<TextFound, StoreError> {
        let metadata = self.metadata_rows(query)?;
        match &self.text {
            Some(index) => Ok(index.search(query, &metadata, k, rows)?),
            None if !self.names_text => Ok(TextFound::default()),
            None => {
                let (_folder, index) = self.rebuild_text()?;
                Ok(index.search(query, &metadata, k, rows)?)
            }
        }
    }

    fn fields_among(
        &self,
        names: &BTreeSet<&str>,
        rows: Option<&RowSet>,
    ) -> Result<BTreeSet<String>, StoreError> {
        self.known_fields(names, rows)
    }
}

impl EmbeddedStore {
    /// Documents by language.
    fn read_languages(&self) -> rusqlite::Result<BTreeMap<Language, usize>> {
        let sql = format!(
            "SELECT language, count(*) AS n FROM document WHERE {VISIBLE} AND language IS NOT NULL GROUP BY language"
        );
        let mut languages = BTreeMap::new();
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([self.generation])?;
        while let Some(row) = rows.next()? {
            languages.extend(codec::decode_language(row, "language")?.map(|it| (it, row.get("n"))));
        }
        languages.into_iter().map(|(language, n)| Ok((language, n?))).collect()
    }

    fn count(&self, sql: &str) -> Result<usize, StoreError> {
        let count: i64 = self.sql(self.connection.query_row(sql, [self.generation], |row| row.get(0)))?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    fn one_document(
        &self,
        condition: &str,
        value: &dyn rusqlite::ToSql,
    ) -> Result<Option<StoredDocument>, StoreError> {
        let sql = format!("SELECT * FROM document WHERE {VISIBLE} AND {condition}");
        self.sql(self.connection.prepare_cached(&sql).and_then(|mut it| {
            it.query_row(params![self.generation, value], codec::decode_document).optional()
        }))
    }

    fn one_chunk(
        &self,
        condition: &str,
        value: &dyn rusqlite::ToSql,
    ) -> Result<Option<StoredChunk>, StoreError> {
        let sql = format!(
            "SELECT chunk.* FROM chunk JOIN document ON document.number = chunk.document
             WHERE {VISIBLE} AND {condition}"
        );
        self.sql(
            self.connection.prepare_cached(&sql).and_then(|mut it| {
                it.query_row(params![self.generation, value], codec::decode_chunk).optional()
            }),
        )
    }
}

fn folder_size(folder: &Path) -> u64 {
    std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|it| it.metadata().ok())
        .map(|it| it.len())
        .sum()
}
