//! The database: tables, versions, pragmas.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::store::StoreError;

/// Version of everything inside the index folder. Raised with every change that an older binary would misread.
pub(super) const FORMAT: u32 = 3;

/// The oldest format that is read as it is, and brought to [`FORMAT`] by the first writer: it knows no sparse vectors.
const OLDEST: u32 = 2;

/// `PRAGMA application_id` of our databases: "ragc" in ASCII.
const APPLICATION_ID: i32 = 0x7261_6763;

/// Every table. A document's row, its sections and its chunks are visible to readers of generation `g` when
/// `born <= g AND (dead IS NULL OR dead > g)`; a writer prepares generation `g + 1` beside them. What `model` holds, its
/// module ([`super::models`]) says.
const TABLES: &str = "
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE document (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL, uri TEXT NOT NULL, title TEXT NOT NULL, media_type TEXT NOT NULL,
    hash TEXT NOT NULL, reader TEXT NOT NULL, reader_version INTEGER NOT NULL, pipeline TEXT NOT NULL,
    ingested_at TEXT NOT NULL, n_bytes INTEGER NOT NULL, text_len INTEGER NOT NULL,
    metadata TEXT NOT NULL, language TEXT, labels TEXT NOT NULL, warnings TEXT NOT NULL,
    n_sections INTEGER NOT NULL, n_chunks INTEGER NOT NULL, is_file INTEGER NOT NULL,
    born INTEGER NOT NULL, dead INTEGER
);
CREATE INDEX document_id ON document (id);
CREATE INDEX document_dead ON document (dead) WHERE dead IS NOT NULL;
CREATE TABLE section (
    document INTEGER NOT NULL REFERENCES document (number), position INTEGER NOT NULL,
    id TEXT NOT NULL, title TEXT NOT NULL, level INTEGER NOT NULL, depth INTEGER NOT NULL, parent INTEGER,
    start INTEGER NOT NULL, stop INTEGER NOT NULL, own_start INTEGER NOT NULL, own_stop INTEGER NOT NULL,
    kind TEXT NOT NULL, has_body INTEGER NOT NULL, location TEXT NOT NULL, n_chunks INTEGER NOT NULL,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX section_id ON section (id);
CREATE TABLE chunk (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES document (number), sequence INTEGER NOT NULL,
    id TEXT NOT NULL, section INTEGER, start INTEGER NOT NULL, stop INTEGER NOT NULL, overlap INTEGER NOT NULL,
    position INTEGER NOT NULL, total INTEGER NOT NULL, text_hash BLOB NOT NULL, location TEXT NOT NULL,
    urtext TEXT NOT NULL, before TEXT NOT NULL, after TEXT
);
CREATE INDEX chunk_id ON chunk (id);
CREATE UNIQUE INDEX chunk_place ON chunk (document, sequence);
CREATE TABLE embedding (
    model TEXT NOT NULL, text_hash BLOB NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (model, text_hash)
);
CREATE TABLE model (
    fingerprint TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, dimension INTEGER NOT NULL, settings TEXT NOT NULL,
    place INTEGER NOT NULL, is_whole INTEGER NOT NULL, is_interim INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE artefact (
    kind TEXT NOT NULL, name TEXT NOT NULL, model TEXT NOT NULL, n_rows INTEGER NOT NULL, PRIMARY KEY (kind, name)
) WITHOUT ROWID;
CREATE TABLE dead_rows (only INTEGER PRIMARY KEY CHECK (only = 1), rows BLOB NOT NULL);
";

/// How the database is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// For reading; works on a read-only disk too.
    Read,
    /// For writing; the database is made if it is missing.
    Write,
}

/// Opens the database at `path` and checks that it is ours and of our format.
pub(super) fn open(path: &Path, access: Access) -> Result<Connection, StoreError> {
    let failed = |source| StoreError::Database { path: path.to_owned(), source };
    let connection = match access {
        Access::Read => open_for_reading(path).map_err(failed)?,
        Access::Write => Connection::open(path).map_err(failed)?,
    };
    connection.busy_timeout(Duration::from_secs(10)).map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(64);
    let application: i32 = pragma(&connection, "application_id").map_err(|source| not_ours(path, source))?;
    let format: u32 = pragma(&connection, "user_version").map_err(failed)?;
    let is_blank = || pragma::<u32>(&connection, "schema_version").map(|version| version == 0);
    if application == 0 && format == 0 && access == Access::Write {
        create_tables(&connection).map_err(failed)?;
    } else if application == 0 && format == 0 && is_blank().map_err(failed)? {
        // Another process is just making it.
        return Err(StoreError::NotFound { from: path.parent().unwrap_or(path).to_owned() });
    } else if application != APPLICATION_ID {
        return Err(StoreError::NotAnIndex { path: path.parent().unwrap_or(path).to_owned() });
    } else if !(OLDEST..=FORMAT).contains(&format) {
        let path = path.parent().unwrap_or(path).to_owned();
        return Err(StoreError::Format { path, found: format, supported: FORMAT });
    }
    if access == Access::Write {
        if application == APPLICATION_ID && format == OLDEST {
            migrate(&connection).map_err(failed)?;
        }
        // WAL lets readers go on while a writer writes. NORMAL keeps the database whole after a crash; the commit of a
        // generation is made durable by `commit_durably`.
        connection.pragma_update(None, "journal_mode", "wal").map_err(failed)?;
        connection.pragma_update(None, "synchronous", "normal").map_err(failed)?;
        // 64 MiB of page cache: writing 100,000 chunks touches four indexes.
        connection.pragma_update(None, "cache_size", -65_536).map_err(failed)?;
    }
    Ok(connection)
}

/// On a read-only disk SQLite cannot make the WAL's shared memory; then nobody writes either, and the file can be read
/// as immutable.
fn open_for_reading(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let connection = Connection::open_with_flags(path, flags)?;
    match pragma::<i32>(&connection, "schema_version") {
        Err(rusqlite::Error::SqliteFailure(error, _))
            if matches!(error.code, rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly) =>
        {
            let uri = format!("file:{}?immutable=1", escape_uri_path(path));
            Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)
        }
        _ => Ok(connection),
    }
}

fn escape_uri_path(path: &Path) -> String {
    path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

fn create_tables(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    connection.execute_batch(TABLES)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", FORMAT)?;
    connection.execute("INSERT INTO setting (key, value) VALUES ('generation', '0')", [])?;
    connection.execute_batch("COMMIT")
}

/// From format 2 to 3: models have a kind.
fn migrate(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let migrated = (|| {
        // Another writer may have been first.
        if pragma::<u32>(connection, "user_version")? == OLDEST {
            connection.execute_batch("ALTER TABLE model ADD COLUMN kind TEXT NOT NULL DEFAULT 'dense'")?;
            connection.pragma_update(None, "user_version", FORMAT)?;
        }
        Ok(())
    })();
    connection.execute_batch(if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    migrated
}

/// A file that is no database at all is a wrong folder, not a failure of the database.
fn not_ours(path: &Path, source: rusqlite::Error) -> StoreError {
    match source {
        rusqlite::Error::SqliteFailure(error, _) if error.code == rusqlite::ErrorCode::NotADatabase => {
            StoreError::NotAnIndex { path: path.parent().unwrap_or(path).to_owned() }
        }
        source => StoreError::Database { path: path.to_owned(), source },
    }
}

fn pragma<T: rusqlite::types::FromSql>(connection: &Connection, name: &str) -> rusqlite::Result<T> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// One setting.
pub(super) fn setting(connection: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    use rusqlite::OptionalExtension as _;
    connection
        .prepare_cached("SELECT value FROM setting WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()
}

/// Sets one setting.
pub(super) fn set_setting(connection: &Connection, key: &str, value: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
        )?
        .execute([key, value])
        .map(drop)
}

/// The generation that readers see.
pub(super) fn generation(connection: &Connection) -> rusqlite::Result<u64> {
    Ok(setting(connection, "generation")?.and_then(|value| value.parse().ok()).unwrap_or(0))
}
