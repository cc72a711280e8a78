//! Publishing: what a writer put into the database becomes the next generation, with its artefacts.

use rusqlite::params;

use super::{Committed, Writer, dying};
use crate::store::embedded::artefacts::{Artefacts, SegmentName, remove_unnamed};
use crate::store::embedded::document_rows::delete_document;
use crate::store::embedded::rows::RowSet;
use crate::store::embedded::{codec, models, schema, vectors};
use crate::store::{IndexModel, ModelInfo, Row, StoreError};

/// Vector segments are merged into one when there are more than this many (each costs three opened files a search) or
/// when dead rows are more than [`MAX_DEAD_SHARE`] of all.
const MAX_SEGMENTS: usize = 8;
const MAX_DEAD_SHARE: f64 = 0.2;

impl Writer {
    /// Writes the artefacts that changed and makes them visible in one moment; then deletes what nothing names any more.
    ///
    /// # Errors
    ///
    /// When an artefact cannot be written; then the visible generation stays as it was.
    pub(in crate::store::embedded) fn publish(mut self, is_rebuild: bool) -> Result<Committed, StoreError> {
        let mut artefacts = self.sql(Artefacts::load(&self.connection))?;
        let models = self.published_models.take().unwrap_or_else(|| self.models.clone());
        self.write_vectors(&mut artefacts, &models, is_rebuild)?;
        if let Some(mut text) = self.text.take() {
            text.commit(self.next)?;
            artefacts.text = Some(self.text_name.clone());
        }
        self.sql(self.raise_generation(&artefacts, &models))?;
        self.sql(self.bury())?;
        remove_unnamed(&self.paths, &artefacts);
        Ok(Committed { generation: self.next, changed: true })
    }

    /// For each whole model, appends a segment with the new rows, or writes one segment with all where that is due.
    fn write_vectors(
        &self,
        artefacts: &mut Artefacts,
        models: &[IndexModel],
        is_rebuild: bool,
    ) -> Result<(), StoreError> {
        let whole: Vec<&ModelInfo> = models.iter().filter(|it| it.is_whole).map(|it| &it.info).collect();
        artefacts.vectors.retain(|it| whole.iter().any(|model| model.fingerprint == it.model));
        let mut dying_rows = RowSet::new();
        let collect = |dying_rows: &mut RowSet| {
            let mut statement = self.connection.prepare(
                "SELECT min(row), max(row) FROM chunk JOIN document ON document.number = chunk.document
                 WHERE document.dead = ?1 GROUP BY document.number",
            )?;
            let mut ranges = statement.query([self.next])?;
            while let Some(range) = ranges.next()? {
                dying_rows.insert_range(range.get::<_, Row>(0)?..range.get::<_, Row>(1)?.saturating_add(1));
            }
            Ok(())
        };
        self.sql(collect(&mut dying_rows))?;
        artefacts.dead.unite(&dying_rows);
        let is_due = is_rebuild || whole.iter().any(|model| self.is_compaction_due(artefacts, model));
        if is_due {
            artefacts.vectors.clear();
            artefacts.dead = RowSet::new();
        }
        for model in whole {
            // A model that has no segments yet gets one with everything.
            let has_segments = artefacts.of_model(&model.fingerprint).next().is_some();
            let first_born = if has_segments { self.next } else { 0 };
            artefacts.vectors.extend(self.write_segment(model, first_born)?);
        }
        Ok(())
    }

    fn is_compaction_due(&self, artefacts: &Artefacts, model: &ModelInfo) -> bool {
        let segments: Vec<&SegmentName> = artefacts.of_model(&model.fingerprint).collect();
        let n_stored: u64 = segments.iter().map(|it| it.n_rows).sum();
        segments.len() >= MAX_SEGMENTS
            || (n_stored > 0 && artefacts.dead.len() as f64 > n_stored as f64 * MAX_DEAD_SHARE)
            || !segments
                .iter()
                .all(|it| vectors::Segment::open(&self.paths.folder, &it.name, model.kind).is_ok())
    }

    /// Writes the vectors of the documents that are born from `first_born` on; nothing where there are none.
    fn write_segment(&self, model: &ModelInfo, first_born: u64) -> Result<Option<SegmentName>, StoreError> {
        let prefix: String = model.fingerprint.chars().take(8).collect();
        let name = format!("vec-{}-{prefix}", self.next);
        let mut statement = self.sql(self.connection.prepare(
            "SELECT chunk.row, embedding.vector FROM document
             JOIN chunk ON chunk.document = document.number
             JOIN embedding ON embedding.model = ?1 AND embedding.text_hash = chunk.text_hash
             WHERE document.born >= ?2 AND document.dead IS NULL ORDER BY chunk.row",
        ))?;
        let mut rows = self.sql(statement.query(params![model.fingerprint, first_born]))?;
        let mut failure = None;
        let mut vector_rows = std::iter::from_fn(|| {
            let decode =
                |row: &rusqlite::Row<'_>| Ok((row.get::<_, Row>(0)?, codec::vector_in(row, 1, model)?));
            match rows.next().and_then(|row| row.map(decode).transpose()) {
                Ok(item) => item,
                Err(error) => {
                    failure = Some(error);
                    None
                }
            }
        })
        .peekable();
        let mut segment = None;
        if vector_rows.peek().is_some() {
            let ModelInfo { kind, dimension, .. } = *model;
            let n_rows =
                vectors::write_segment(&self.paths.folder, &name, kind, dimension, &mut vector_rows)?;
            segment = Some(SegmentName { name, model: model.fingerprint.clone(), n_rows });
        }
        failure.map_or(Ok(segment), |error| self.sql(Err(error)))
    }

    /// The one moment at which the new generation becomes visible; on disk for good when it returns.
    fn raise_generation(&self, artefacts: &Artefacts, models: &[IndexModel]) -> rusqlite::Result<()> {
        self.connection.pragma_update(None, "synchronous", "full")?;
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        artefacts.save(&self.connection)?;
        models::save(&self.connection, models)?;
        schema::set_setting(&self.connection, "generation", &self.next.to_string())?;
        self.connection.execute_batch("COMMIT")?;
        self.connection.pragma_update(None, "synchronous", "normal")
    }

    /// Deletes what no generation can see any more. Readers of the old generation keep their snapshot.
    fn bury(&self) -> rusqlite::Result<()> {
        let numbers = dying(&self.connection, self.next)?;
        if numbers.is_empty() && !self.models_changed {
            return Ok(());
        }
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        if self.models_changed {
            self.connection
                .execute("DELETE FROM embedding WHERE model NOT IN (SELECT fingerprint FROM model)", [])?;
        }
        if numbers.is_empty() {
            return self.connection.execute_batch("COMMIT");
        }
        for number in numbers {
            delete_document(&self.connection, number)?;
        }
        self.connection
            .execute("DELETE FROM embedding WHERE text_hash NOT IN (SELECT text_hash FROM chunk)", [])?;
        self.connection.execute_batch("COMMIT")
    }
}
