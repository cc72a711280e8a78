//! Settings that stay with an index and belong to no generation, such as calibrated thresholds.

use std::path::Path;
use std::time::Duration;

use crate::store::StoreError;
use crate::store::embedded::IndexPaths;
use crate::store::embedded::lock::WriterLock;
use crate::store::embedded::reader::EmbeddedStore;
use crate::store::embedded::schema::{self, Access};

/// What such settings' keys begin with, so that they never meet those of the store itself.
const PREFIX: &str = "kept.";

/// Keeps `value` under `key` with the index at `folder`, in place of what was there; waits at most `patience` for a writer.
///
/// # Errors
///
/// When there is no index, it cannot be written, or a writer does not finish.
pub fn keep_setting(folder: &Path, key: &str, value: &str, patience: Duration) -> Result<(), StoreError> {
    let paths = IndexPaths::new(folder);
    if !paths.database().is_file() {
        return Err(StoreError::NotFound { from: folder.to_owned() });
    }
    let _lock = WriterLock::acquire(folder, patience)?;
    let connection = schema::open(&paths.database(), Access::Write)?;
    paths.sql(schema::set_setting(&connection, &format!("{PREFIX}{key}"), value))
}

impl EmbeddedStore {
    /// What [`keep_setting`] keeps under `key`.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn kept_setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.sql(schema::setting(self.connection(), &format!("{PREFIX}{key}")))
    }
}
