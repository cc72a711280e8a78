//! Filling in the vectors of a model from the texts that are stored: what is missing, what is kept, when it is whole.

use rusqlite::params;

use crate::content::VectorRef;
use crate::store::embedded::writer::{Committed, Writer};
use crate::store::embedded::{codec, models};
use crate::store::{IndexModel, ModelInfo, Row, StoreError};

/// What becomes of the model that a filled-in one replaces as the preferred one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// It goes when the new one is whole.
    Removed,
    /// It stays beside the new one.
    Kept,
}

/// A text without a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingText {
    /// Key of the text.
    pub hash: [u8; 16],
    /// A chunk that has it.
    pub row: Row,
    /// Length in characters, up to the first NUL.
    pub n_chars: usize,
}

impl Writer {
    /// Lists `model` as the preferred one, to be filled in unless it is whole already. Nothing changes for readers. A run that goes on
    /// with a model keeps what was said of the one that it replaces, unless [`Replaced::Kept`] is said now.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unfinished`] when another one is being filled in: what is embedded of it would be lost. [`StoreError::SameName`]
    /// when there would be two models of one name in the end. Others when the database refuses.
    pub fn want(&mut self, model: &ModelInfo, replaced: Replaced) -> Result<(), StoreError> {
        let is_other = |it: &&IndexModel| it.info.fingerprint != model.fingerprint;
        if let Some(other) = self.models.iter().filter(is_other).find(|it| !it.is_whole) {
            return Err(StoreError::Unfinished { name: other.info.name.clone() });
        }
        let n_replaced = usize::from(replaced == Replaced::Removed);
        let staying = self.models.iter().filter(is_other).skip(n_replaced);
        if let Some(twin) = staying.into_iter().find(|it| it.info.name == model.name) {
            return Err(StoreError::SameName { name: twin.info.name.clone() });
        }
        let mut models = std::mem::take(&mut self.models);
        let known = models.iter().position(|it| it.info.fingerprint == model.fingerprint);
        let mut wanted = match known {
            Some(at) => models.remove(at),
            None => IndexModel { info: model.clone(), is_whole: false, is_interim: false, n_texts: None },
        };
        let goes_on = known.is_some() && !wanted.is_whole;
        // How to reach it may have changed.
        wanted.info.settings.clone_from(&model.settings);
        wanted.is_interim = false;
        if let Some(preferred) = models.first_mut()
            && !(goes_on && replaced == Replaced::Removed)
        {
            // What an interrupted run was about to replace is still to go.
            preferred.is_interim = replaced == Replaced::Removed;
        }
        models.insert(0, wanted);
        self.set_models(models)
    }

    /// Forgets a model with all its vectors, at the next [`publish_models`](Self::publish_models). Returns whether it was
    /// listed; the only whole one stays.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn drop_model(&mut self, name: &str) -> Result<Dropped, StoreError> {
        let mut models = self.models.clone();
        let n_before = models.len();
        // Of two of one name, the unfinished one goes.
        let is_doomed = |it: &IndexModel| it.info.name == name;
        let has_unfinished = models.iter().any(|it| is_doomed(it) && !it.is_whole);
        models.retain(|it| !(is_doomed(it) && (!has_unfinished || !it.is_whole)));
        if models.len() == n_before {
            return Ok(Dropped::Unknown);
        }
        if !models.iter().any(|it| it.is_whole) {
            return Ok(Dropped::OnlyOne);
        }
        // Nothing is about to be replaced any more.
        if !models.iter().any(|it| !it.is_whole) {
            models.iter_mut().for_each(|it| it.is_interim = false);
        }
        self.set_models(models)?;
        Ok(Dropped::Done)
    }

    /// The texts without a vector of the model with this fingerprint, longest first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn missing_texts(&self, fingerprint: &str) -> Result<Vec<MissingText>, StoreError> {
        self.sql(
            self.connection
                .prepare_cached(
                    "SELECT chunk.text_hash, min(chunk.row),
                         max(length(urtext) + length(before) + length(coalesce(after, '')))
                     FROM chunk JOIN document ON document.number = chunk.document
                     WHERE document.dead IS NULL AND NOT EXISTS
                         (SELECT 1 FROM embedding WHERE model = ?1 AND embedding.text_hash = chunk.text_hash)
                     GROUP BY chunk.text_hash ORDER BY 3 DESC, 2",
                )
                .and_then(|mut it| {
                    it.query_map([fingerprint], |row| {
                        Ok(MissingText { hash: row.get(0)?, row: row.get(1)?, n_chars: row.get(2)? })
                    })?
                    .collect()
                }),
        )
    }

    /// The text of a chunk.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn text_at(&self, row: Row) -> Result<String, StoreError> {
        self.sql(
            self.connection
                .prepare_cached("SELECT urtext, before, after FROM chunk WHERE row = ?1")
                .and_then(|mut it| {
                    it.query_row([row], |row| {
                        Ok(codec::join_text(row.get_ref(0)?.as_str()?, row.get(1)?, row.get(2)?))
                    })
                }),
        )
    }

    /// The URIs of the documents that hold a text.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn holders_of(&self, text: &MissingText) -> Result<Vec<String>, StoreError> {
        self.sql(
            self.connection
                .prepare_cached(
                    "SELECT DISTINCT uri FROM document JOIN chunk ON chunk.document = document.number
                     WHERE dead IS NULL AND text_hash = ?1 ORDER BY uri",
                )
                .and_then(|mut it| it.query_map([text.hash], |row| row.get(0))?.collect()),
        )
    }

    /// How many different texts are stored with a vector of the model with this fingerprint, and how many at all.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn count_texts(&self, fingerprint: &str) -> Result<(usize, usize), StoreError> {
        self.sql(models::count_texts(&self.connection, fingerprint))
    }

    /// The visible generation.
    pub fn generation(&self) -> u64 {
        self.next - 1
    }

    /// Keeps vectors of a model, all or none of them; whatever ends the process later, they need not be made again.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn keep_vectors(
        &self,
        model: &ModelInfo,
        vectors: &[([u8; 16], VectorRef<'_>)],
    ) -> Result<(), StoreError> {
        let write = || {
            let mut insert = self.connection.prepare_cached(
                "INSERT OR IGNORE INTO embedding (model, text_hash, vector) VALUES (?1, ?2, ?3)",
            )?;
            for (hash, vector) in vectors {
                insert.execute(params![model.fingerprint, hash, codec::encode_vector(*vector)])?;
            }
            Ok(())
        };
        self.transaction(write)
    }

    /// Makes every listed model with all its vectors whole, removes the interim ones that are replaced by that, and makes the
    /// result visible, all at once.
    ///
    /// # Errors
    ///
    /// When an artefact cannot be written; then the visible generation stays as it was.
    pub fn publish_models(mut self) -> Result<Committed, StoreError> {
        let mut models = self.models.clone();
        for model in models.iter_mut().filter(|it| !it.is_whole) {
            let (n_done, n) = self.sql(models::count_texts(&self.connection, &model.info.fingerprint))?;
            model.is_whole = n_done == n;
        }
        if models.iter().all(|it| it.is_whole) {
            models.retain(|it| !it.is_interim);
        }
        self.begin_text()?;
        self.published_models = Some(models);
        self.publish(false)
    }

    fn set_models(&mut self, models: Vec<IndexModel>) -> Result<(), StoreError> {
        self.transaction(|| models::save(&self.connection, &models))?;
        self.models = models;
        self.models_changed = true;
        Ok(())
    }

    fn transaction<T>(&self, work: impl FnOnce() -> rusqlite::Result<T>) -> Result<T, StoreError> {
        self.sql(self.connection.execute_batch("BEGIN IMMEDIATE"))?;
        let result = self.sql(work());
        let ended = self.connection.execute_batch(if result.is_ok() { "COMMIT" } else { "ROLLBACK" });
        let value = result?;
        self.sql(ended)?;
        Ok(value)
    }
}

/// What became of a model that was to be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// It is gone.
    Done,
    /// The index does not list it.
    Unknown,
    /// It is the only one that is whole: the index would have no vectors.
    OnlyOne,
}
