//! The rows of one document version: how they are written, retired and deleted.

use rusqlite::{Connection, params};

use crate::content::{DocumentId, Locator};
use crate::store::Row;
use crate::store::embedded::codec;
use crate::store::embedded::writer::{NewDocument, Writer};

impl Writer {
    /// Marks the living versions of a document to die with this session's generation, and drops versions that were
    /// never visible. Returns their numbers.
    pub(super) fn retire(&self, id: &DocumentId) -> rusqlite::Result<Vec<i64>> {
        let versions: Vec<(i64, u64)> = self
            .connection
            .prepare_cached("SELECT number, born FROM document WHERE id = ?1 AND dead IS NULL")?
            .query_map([id.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        for &(number, born) in &versions {
            if born >= self.next {
                delete_document(&self.connection, number)?;
            } else {
                self.connection
                    .prepare_cached("UPDATE document SET dead = ?1 WHERE number = ?2")?
                    .execute(params![self.next, number])?;
            }
        }
        Ok(versions.into_iter().map(|(number, _)| number).collect())
    }

    pub(super) fn insert_document(&self, new: &NewDocument) -> rusqlite::Result<i64> {
        let NewDocument { document, provenance, .. } = new;
        self.connection
            .prepare_cached(
                "INSERT INTO document (id, uri, title, media_type, hash, reader, reader_version, pipeline, ingested_at,
                     n_bytes, text_len, metadata, language, labels, warnings, n_sections, n_chunks, is_file, born)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)",
            )?
            .execute(params![
                document.id.to_string(),
                document.uri,
                document.title,
                document.media_type,
                provenance.hash.to_string(),
                provenance.reader,
                provenance.reader_version,
                provenance.pipeline,
                provenance.ingested_at.to_string(),
                provenance.n_bytes,
                document.text.len(),
                codec::to_json(&document.metadata),
                document.language.map(|it| it.to_string()),
                codec::to_json(&document.labels),
                codec::encode_warnings(&new.warnings),
                document.sections.len(),
                new.chunks.len(),
                provenance.is_file,
                self.next,
            ])?;
        let number = self.connection.last_insert_rowid();
        let locator = document.locator();
        self.insert_sections(number, new, &locator)?;
        Ok(number)
    }

    fn insert_sections(&self, number: i64, new: &NewDocument, locator: &Locator<'_>) -> rusqlite::Result<()> {
        let mut n_chunks = vec![0_usize; new.document.sections.len()];
        for section in new.chunks.iter().filter_map(|chunk| chunk.section) {
            n_chunks[section] += 1;
        }
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO section (document, position, id, title, level, depth, parent, start, stop, own_start,
                 own_stop, kind, has_body, location, n_chunks)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        )?;
        for (position, (section, n_chunks)) in new.document.sections.iter().zip(n_chunks).enumerate() {
            insert.execute(params![
                number,
                position,
                section.id.to_string(),
                section.title,
                section.level,
                section.depth,
                section.parent,
                section.span.start,
                section.span.end,
                section.own.start,
                section.own.end,
                section.kind.name(),
                section.has_body,
                codec::encode_location(&locator.locate(section.span)),
                n_chunks,
            ])?;
        }
        Ok(())
    }

    pub(super) fn insert_chunks(&self, number: i64, new: &NewDocument) -> rusqlite::Result<Vec<Row>> {
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO chunk (document, sequence, id, section, start, stop, overlap, position, total, text_hash,
                 location, urtext, before, after)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )?;
        let mut insert_vector = self.connection.prepare_cached(
            "INSERT OR IGNORE INTO embedding (model, text_hash, vector) VALUES (?1, ?2, ?3)",
        )?;
        let locator = new.document.locator();
        let mut rows = Vec::with_capacity(new.chunks.len());
        for (at, chunk) in new.chunks.iter().enumerate() {
            let urtext = chunk.span.slice(&new.document.text);
            let (before, after) = codec::split_text(&chunk.text, urtext);
            let text_hash = codec::text_hash(&chunk.text);
            insert.execute(params![
                number,
                chunk.sequence,
                chunk.id.to_string(),
                chunk.section,
                chunk.span.start,
                chunk.span.end,
                chunk.overlap,
                chunk.index,
                chunk.total,
                text_hash,
                codec::encode_location(&locator.locate(chunk.span)),
                urtext,
                before,
                after,
            ])?;
            let row = self.connection.last_insert_rowid();
            rows.push(Row::try_from(row).map_err(|error| codec::bad("row", error))?);
            for (model, vectors) in self.embedded_with.iter().zip(&new.vectors) {
                let vector = codec::encode_vector(vectors[at].as_ref());
                insert_vector.execute(params![model.fingerprint, text_hash, vector])?;
            }
        }
        Ok(rows)
    }
}

pub(super) fn delete_document(connection: &Connection, number: i64) -> rusqlite::Result<()> {
    for statement in [
        "DELETE FROM chunk WHERE document = ?1",
        "DELETE FROM section WHERE document = ?1",
        "DELETE FROM document WHERE number = ?1",
    ] {
        connection.prepare_cached(statement)?.execute([number])?;
    }
    Ok(())
}

/// The path of each section of a document, joined as the text index has it.
pub(super) fn section_paths(connection: &Connection, document: i64) -> rusqlite::Result<Vec<String>> {
    let mut paths: Vec<String> = Vec::new();
    let mut statement = connection
        .prepare_cached("SELECT title, level, parent FROM section WHERE document = ?1 ORDER BY position")?;
    let mut rows = statement.query([document])?;
    while let Some(row) = rows.next()? {
        let (title, level, parent): (String, u8, Option<usize>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let mut path = parent.and_then(|at| paths.get(at)).cloned().unwrap_or_default();
        if level > 0 {
            if !path.is_empty() {
                path.push_str(" > ");
            }
            path.push_str(&title);
        }
        paths.push(path);
    }
    Ok(paths)
}
