//! The rerankers that `--rerank NAME` knows: an address, a folder, or a hub's repository that was downloaded.

use std::sync::Arc;

use crate::hub;
use crate::rerank::cross_encoder::CrossEncoder;
#[cfg(feature = "http")]
use crate::rerank::endpoint;
use crate::rerank::{RerankError, Reranker};

/// One entry of [`RERANKERS`].
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name, as in `--rerank NAME`.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Makes it ready for use.
    pub open: fn() -> Result<Arc<dyn Reranker>, RerankError>,
}

/// Every reranker that needs nothing but this program.
pub const RERANKERS: &[Entry] = &[];

/// Opens the reranker called `name`.
///
/// # Errors
///
/// [`RerankError::Unknown`], which lists the names that exist, or what opening it says.
pub fn reranker(name: &str) -> Result<Arc<dyn Reranker>, RerankError> {
    #[cfg(feature = "http")]
    if endpoint::is_address(name) {
        return Ok(Arc::new(endpoint::Endpoint::open(name)));
    }
    if let Some(folder) = hub::folder_of(name) {
        return Ok(Arc::new(CrossEncoder::open(name, &folder)?));
    }
    if hub::is_repository(name) {
        return Err(RerankError::NotDownloaded { name: name.to_owned() });
    }
    let Some(entry) = RERANKERS.iter().find(|it| it.name == name) else {
        let known = RERANKERS.iter().map(|it| it.name).collect();
        return Err(RerankError::Unknown { name: name.to_owned(), known });
    };
    (entry.open)()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hub_s_repository_that_is_not_here_is_told_apart() {
        let error = reranker("nobody-has-this/model-at-all").unwrap_err();
        assert!(matches!(error, RerankError::NotDownloaded { .. }), "{error}");
    }

    #[test]
    fn an_unknown_name_is_said() {
        let error = reranker("judge").unwrap_err();
        assert!(error.to_string().starts_with("no reranker is called 'judge'; there is: "), "{error}");
    }
}
