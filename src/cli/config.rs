//! The index's own configuration: `config.toml` in the index folder, written by its owner.

use std::path::Path;

use serde::Deserialize;

use crate::cli::error::CliError;

/// Name of the file in the index folder.
pub(super) const FILE: &str = "config.toml";

/// What the file may say.
///
/// # Stability: read from disk; keys are only added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Config {
    /// Filters that always hold; one expression or a list.
    #[serde(default, deserialize_with = "one_or_many")]
    pub(super) base_filter: Vec<String>,
}

/// The configuration of the index at `folder`; the default where there is no file.
///
/// # Errors
///
/// When there is a file that cannot be read or understood: a filter must not vanish with a typing error.
pub(super) fn load(folder: &Path) -> Result<Config, CliError> {
    let path = folder.join(FILE);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(source) => return Err(CliError::io("read", path.display().to_string(), source)),
    };
    toml::from_str(&text).map_err(|error| {
        CliError::usage(
            format!("cannot read '{}': {}", path.display(), error.to_string().trim_end()),
            "it may hold: base_filter = 'EXPR', or a list of expressions",
        )
    })
}

fn one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(text) => vec![text],
        OneOrMany::Many(texts) => texts,
    })
}
