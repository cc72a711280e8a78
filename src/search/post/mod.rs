//! Post-processors: what becomes of ranked candidates before the best of them are returned. Pure; each works on places in
//! a list, best first, and on whatever it compares, so that it can be tested without a store or a model.
//!
//! [`search()`](crate::search::search) runs those that are asked for in one fixed order: [`dedupe()`], [`mmr()`], [`limit()`],
//! [`merge()`].

mod dedupe;
mod limit;
mod merge;
mod mmr;

pub use dedupe::{SIMILARITY, dedupe};
pub use limit::limit;
pub use merge::{Group, Spot, Tree, merge};
pub use mmr::{MAX_DIVERSIFIED, mmr};
