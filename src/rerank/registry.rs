//! The list of rerankers that `--rerank NAME` knows.

use std::sync::Arc;

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
    fn an_unknown_name_is_said() {
        let error = reranker("judge").unwrap_err();
        assert!(error.to_string().starts_with("no reranker is called 'judge'; there is: "), "{error}");
    }
}
