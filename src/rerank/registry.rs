//! The rerankers that `--rerank NAME` knows: an address, a folder, or a hub's repository that was downloaded.

use std::sync::Arc;

#[cfg(feature = "http")]
use crate::http::is_local;
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

/// Opens the reranker called `name`; one on another machine unless `is_offline`.
///
/// # Errors
///
/// [`RerankError::Unknown`], which lists the names that exist, [`RerankError::Offline`], or what opening it says.
pub fn reranker(name: &str, is_offline: bool) -> Result<Arc<dyn Reranker>, RerankError> {
    #[cfg(not(feature = "http"))]
    let _ = is_offline;
    #[cfg(feature = "http")]
    if endpoint::is_address(name) {
        if is_offline && !is_local(name) {
            return Err(RerankError::Offline { name: name.to_owned() });
        }
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
        let error = reranker("nobody-has-this/model-at-all", false).unwrap_err();
        assert!(matches!(error, RerankError::NotDownloaded { .. }), "{error}");
    }

    #[cfg(feature = "http")]
    #[test]
    fn offline_only_this_machine_is_asked() {
        for name in ["http://rerank.example.org/rerank", "https://192.0.2.2/v1/rerank#m"] {
            let error = reranker(name, true).unwrap_err();
            assert!(matches!(error, RerankError::Offline { .. }), "{error}");
            assert!(reranker(name, false).is_ok());
        }
        assert!(reranker("http://localhost:8080/rerank#m", true).is_ok());
    }

    #[test]
    fn an_unknown_name_is_said() {
        let error = reranker("judge", false).unwrap_err();
        assert!(error.to_string().starts_with("no reranker is called 'judge'; there is: "), "{error}");
    }
}
