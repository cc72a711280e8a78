//! The derived files that a generation is made of: which they are, and which are left over.

use std::fs;

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::store::embedded::rows::RowSet;
use crate::store::embedded::{IndexPaths, codec};

/// A vector segment that a generation names.
#[derive(Clone, Debug)]
pub(super) struct SegmentName {
    /// Name of its files, without extension.
    pub(super) name: String,
    /// Fingerprint of its model.
    pub(super) model: String,
    /// Number of rows.
    pub(super) n_rows: u64,
}

/// The derived files that one generation is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Artefacts {
    /// Folder of the text index.
    pub(super) text: Option<String>,
    /// Vector segments, oldest first.
    pub(super) vectors: Vec<SegmentName>,
    /// Rows in those segments that no longer exist.
    pub(super) dead: RowSet,
}

impl Artefacts {
    /// The segments of a model, oldest first.
    pub(super) fn of_model(&self, fingerprint: &str) -> impl Iterator<Item = &SegmentName> {
        self.vectors.iter().filter(move |it| it.model == fingerprint)
    }

    /// What the database names.
    pub(super) fn load(connection: &Connection) -> rusqlite::Result<Self> {
        let mut artefacts = Self::default();
        let mut statement = connection
            .prepare("SELECT kind, name, n_rows, model FROM artefact ORDER BY kind, length(name), name")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let name: String = row.get(1)?;
            match row.get_ref(0)?.as_str()? {
                "text" => artefacts.text = Some(name),
                "vectors" => {
                    artefacts.vectors.push(SegmentName { name, model: row.get(3)?, n_rows: row.get(2)? });
                }
                kind => return Err(codec::bad("kind", kind)),
            }
        }
        let dead: Option<Vec<u8>> =
            connection.query_row("SELECT rows FROM dead_rows", [], |row| row.get(0)).optional()?;
        if let Some(bytes) = dead {
            artefacts.dead = RowSet::from_bytes(&bytes).map_err(|error| codec::bad("rows", error))?;
        }
        Ok(artefacts)
    }

    /// Names these in the database.
    pub(super) fn save(&self, connection: &Connection) -> rusqlite::Result<()> {
        connection.execute("DELETE FROM artefact", [])?;
        let mut insert =
            connection.prepare("INSERT INTO artefact (kind, name, model, n_rows) VALUES (?1, ?2, ?3, ?4)")?;
        if let Some(name) = &self.text {
            insert.execute(params!["text", name, "", 0])?;
        }
        for SegmentName { name, model, n_rows } in &self.vectors {
            insert.execute(params!["vectors", name, model, n_rows])?;
        }
        connection
            .execute("INSERT OR REPLACE INTO dead_rows (only, rows) VALUES (1, ?1)", [self.dead.to_bytes()])
            .map(drop)
    }
}

/// Removes artefacts that the visible generation does not name. Best effort: what stays is removed next time.
pub(super) fn remove_unnamed(paths: &IndexPaths, artefacts: &Artefacts) {
    let Ok(entries) = fs::read_dir(&paths.folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let stem = name.split('.').next().unwrap_or_default();
        let is_ours = name.starts_with("text-") || name.starts_with("vec-");
        let is_named =
            artefacts.text.as_deref() == Some(&*name) || artefacts.vectors.iter().any(|it| it.name == stem);
        if is_ours && !is_named {
            let path = entry.path();
            let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
}
