//! Reading: one generation, as a snapshot. [`answers`] has what it answers.

mod answers;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use crate::store::embedded::artefacts::Artefacts;
use crate::store::embedded::rows::RowSet;
use crate::store::embedded::schema::{self, Access};
use crate::store::embedded::text::TextIndex;
use crate::store::embedded::{IndexPaths, models, vectors};
use crate::store::{IndexModel, ModelInfo, StoreError};

/// What the caller is going to ask for; artefacts that are not needed are not opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// The vectors.
    pub vectors: bool,
    /// The text index.
    pub text: bool,
}

impl Need {
    /// Only the database.
    pub const DATABASE: Self = Self { vectors: false, text: false };
    /// Everything.
    pub const ALL: Self = Self { vectors: true, text: true };
}

/// How often, and how long between, a reader looks again when an artefact does not stand at its generation: a writer is
/// then just between the commit of the text index and the database's, which takes milliseconds.
const RETRIES: u32 = 5;
const RETRY_PAUSE: Duration = Duration::from_millis(20);

/// The condition for a document of the snapshot's generation; `?1` is the generation.
pub(super) const VISIBLE: &str = "document.born <= ?1 AND (document.dead IS NULL OR document.dead > ?1)";

/// Which state of which index: equal only for one generation of one database file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edition {
    /// The database's file.
    file: Option<(u64, u64)>,
    generation: u64,
}

/// One generation of an index on disk.
pub struct EmbeddedStore {
    paths: IndexPaths,
    connection: Connection,
    /// The database's file.
    identity: Option<(u64, u64)>,
    generation: u64,
    models: Vec<IndexModel>,
    /// The name of the model that was asked for.
    wanted: Option<String>,
    /// The model whose vectors are searched; nothing in an empty index.
    model: ModelInfo,
    dead: RowSet,
    text: Option<TextIndex>,
    vectors: Option<Vec<vectors::Segment>>,
    /// Whether the generation has these artefacts at all; an empty index has none.
    names_text: bool,
    names_vectors: bool,
    need: Need,
    degraded: Vec<String>,
}

/// Device and number of a file: an index that is made anew at the same place has another.
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|it| (it.dev(), it.ino()))
}

impl std::fmt::Debug for EmbeddedStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EmbeddedStore")
            .field("folder", &self.paths.folder)
            .field("generation", &self.generation)
            .finish_non_exhaustive()
    }
}

impl EmbeddedStore {
    /// Opens the index at `folder` for reading, with the artefacts that `need` names and the vectors of the preferred
    /// model.
    ///
    /// # Errors
    ///
    /// When the folder holds no index of our format. Missing or stale artefacts are no error: see
    /// [`degraded`](Self::degraded).
    pub fn open(folder: &Path, need: Need) -> Result<Self, StoreError> {
        Self::open_with_model(folder, need, None)
    }

    /// The same, with the vectors of the model called `model`.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open), and [`StoreError::Model`] when the index has no such model with all its vectors.
    pub fn open_with_model(folder: &Path, need: Need, model: Option<&str>) -> Result<Self, StoreError> {
        let paths = IndexPaths::new(folder);
        if !paths.database().is_file() {
            return Err(StoreError::NotFound { from: folder.to_owned() });
        }
        let connection = schema::open(&paths.database(), Access::Read)?;
        let mut store = Self {
            identity: identity(&paths.database()),
            paths,
            connection,
            generation: 0,
            models: Vec::new(),
            wanted: model.map(str::to_owned),
            model: ModelInfo::default(),
            dead: RowSet::new(),
            text: None,
            vectors: None,
            names_text: false,
            names_vectors: false,
            need,
            degraded: Vec::new(),
        };
        for attempt in 0..=RETRIES {
            if attempt > 0 {
                store.sql(store.connection.execute_batch("ROLLBACK"))?;
                std::thread::sleep(RETRY_PAUSE);
            }
            store.take_snapshot()?;
            if store.degraded.is_empty() {
                break;
            }
        }
        Ok(store)
    }

    pub(super) fn sql<T>(&self, result: rusqlite::Result<T>) -> Result<T, StoreError> {
        self.paths.sql(result)
    }

    /// Begins a read transaction and opens what its generation names.
    fn take_snapshot(&mut self) -> Result<(), StoreError> {
        self.sql(self.connection.execute_batch("BEGIN"))?;
        self.generation = self.sql(schema::generation(&self.connection))?;
        let artefacts = self.sql(Artefacts::load(&self.connection))?;
        self.models = self.sql(models::load(&self.connection))?;
        self.model = self.choose_model()?;
        self.degraded.clear();
        (self.text, self.vectors) = (None, None);
        if self.need.text {
            match artefacts.text.as_ref().map(|name| TextIndex::open(&self.paths.folder.join(name))) {
                Some(Ok(index)) if index.generation() == Some(self.generation) => self.text = Some(index),
                Some(Ok(_)) => self.degraded.push("the text index stands at another generation".to_owned()),
                Some(Err(error)) => self.degraded.push(format!("the text index cannot be opened ({error})")),
                None => {}
            }
        }
        if self.need.vectors {
            let segments: Result<Vec<_>, _> = artefacts
                .of_model(&self.model.fingerprint)
                .map(|it| {
                    let opened = vectors::Segment::open(&self.paths.folder, &it.name, self.model.kind);
                    opened.map(|open| (open, it.n_rows))
                })
                .collect();
            match segments {
                Ok(segments) if segments.iter().all(|(segment, n_rows)| segment.len() as u64 == *n_rows) => {
                    self.vectors = Some(segments.into_iter().map(|(segment, _)| segment).collect());
                }
                Ok(_) => self.degraded.push("the vectors are incomplete".to_owned()),
                Err(error) => self.degraded.push(format!("the vectors cannot be opened ({error})")),
            }
        }
        self.names_text = artefacts.text.is_some();
        self.names_vectors = artefacts.of_model(&self.model.fingerprint).next().is_some();
        self.dead = artefacts.dead;
        Ok(())
    }

    fn choose_model(&self) -> Result<ModelInfo, StoreError> {
        match (models::choose(&self.models, self.wanted.as_deref()), &self.wanted) {
            (Some(model), _) => Ok(model.info.clone()),
            (None, Some(wanted)) if !self.models.is_empty() => Err(StoreError::Model {
                indexed: self.models.iter().filter(|it| it.is_whole).map(|it| it.info.name.clone()).collect(),
                asked: wanted.clone(),
            }),
            (None, _) => Ok(ModelInfo::default()),
        }
    }

    /// The index folder.
    pub fn folder(&self) -> &Path {
        &self.paths.folder
    }

    /// The folder that holds the index: relative URIs start here.
    pub fn root(&self) -> PathBuf {
        root_of(&self.paths.folder)
    }

    /// The embedding model of the vectors that are searched.
    pub fn model(&self) -> &ModelInfo {
        &self.model
    }

    /// All models of the index, in the order of preference, without counts.
    pub fn models(&self) -> &[IndexModel] {
        &self.models
    }

    /// Lets go of the snapshot while nothing is read: a writer cannot cut its log behind one that is held. Only
    /// [`resume`](Self::resume) may follow. Says whether it succeeded.
    pub fn pause(&self) -> bool {
        self.connection.execute_batch("COMMIT").is_ok()
    }

    /// Takes the snapshot again after [`pause`](Self::pause); says whether the index on disk is still the one that was opened,
    /// at the same generation. If not, it has to be opened anew.
    pub fn resume(&self) -> bool {
        self.connection.execute_batch("BEGIN").is_ok()
            && schema::generation(&self.connection).is_ok_and(|generation| generation == self.generation)
            && self.identity == identity(&self.paths.database())
    }

    /// The generation that is read.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// What is read, told from what another process leaves at the same place.
    pub fn edition(&self) -> Edition {
        Edition { file: self.identity, generation: self.generation }
    }

    /// What is wrong with the artefacts, in words. Searches are right nevertheless, and slow.
    pub fn degraded(&self) -> &[String] {
        &self.degraded
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    pub(super) fn text_index(&self) -> Option<&TextIndex> {
        self.text.as_ref()
    }
}

/// The folder that relative URIs of the index at `folder` start from.
pub fn root_of(folder: &Path) -> PathBuf {
    match folder.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => folder.to_owned(),
    }
}
