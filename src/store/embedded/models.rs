//! The embedding models of an index.
//!
//! An index has any number of models. One is *whole* when every chunk has its vector; searches use whole ones only, the first
//! in the order of preference unless another is named. One at a time may be *filled in*: it is listed and not whole. What is
//! embedded for it is kept in table `embedding`, whatever ends the process; when nothing is missing, one transaction makes it
//! whole and takes away the *interim* ones that it replaces.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use crate::content::VectorKind;
use crate::store::embedded::codec;
use crate::store::{IndexModel, ModelInfo};

/// The models that the database lists, in the order of preference.
pub(super) fn load(connection: &Connection) -> rusqlite::Result<Vec<IndexModel>> {
    connection
        .prepare_cached(
            "SELECT name, fingerprint, dimension, settings, is_whole, is_interim, * FROM model ORDER BY place, name",
        )?
        .query_map([], |row| {
            let settings: BTreeMap<String, String> = codec::from_json("settings", row.get_ref(3)?.as_str()?)?;
            // An index of format 2 has dense models only.
            let kind = match row.get_ref("kind") {
                Ok(name) => name.as_str()?.to_owned(),
                Err(_) => VectorKind::Dense.name().to_owned(),
            };
            let kind = VectorKind::from_name(&kind).ok_or_else(|| codec::bad("kind", kind))?;
            let info = ModelInfo {
                name: row.get(0)?,
                fingerprint: row.get(1)?,
                kind,
                dimension: row.get(2)?,
                settings,
            };
            Ok(IndexModel { info, is_whole: row.get(4)?, is_interim: row.get(5)?, n_texts: None })
        })?
        .collect()
}

/// Lists these and no others.
pub(super) fn save(connection: &Connection, models: &[IndexModel]) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM model", [])?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO model (fingerprint, name, kind, dimension, settings, place, is_whole, is_interim)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for (place, IndexModel { info, is_whole, is_interim, .. }) in models.iter().enumerate() {
        insert.execute(params![
            info.fingerprint,
            info.name,
            info.kind.name(),
            info.dimension,
            codec::to_json(&info.settings),
            place,
            is_whole,
            is_interim
        ])?;
    }
    Ok(())
}

/// The model that a search uses: the whole one called `name` (or whose folder is called so), or the first whole one.
pub(super) fn choose<'a>(models: &'a [IndexModel], name: Option<&str>) -> Option<&'a IndexModel> {
    let whole = || models.iter().filter(|it| it.is_whole);
    let Some(name) = name else { return whole().next() };
    let last = |it: &&IndexModel| it.info.name.rsplit(['/', '\\']).next() == Some(name);
    whole().find(|it| it.info.name == name).or_else(|| whole().find(last))
}

/// How many different texts the living chunks have, and how many of them have a vector of a model.
pub(super) fn count_texts(connection: &Connection, fingerprint: &str) -> rusqlite::Result<(usize, usize)> {
    connection
        .prepare_cached(
            "SELECT count(embedding.text_hash), count(*) FROM
                 (SELECT DISTINCT chunk.text_hash FROM chunk JOIN document ON document.number = chunk.document
                  WHERE document.dead IS NULL) AS text
             LEFT JOIN embedding ON embedding.model = ?1 AND embedding.text_hash = text.text_hash",
        )?
        .query_row([fingerprint], |row| Ok((row.get(0)?, row.get(1)?)))
}
