//! Rendering: from domain values to wire JSON and to text for people.
//!
//! The only module whose types are serialised in public. Commands and agents hand over domain values; nothing here reads
//! a store, a terminal or an argument.

pub mod explain;
pub mod figures;
pub mod filters;
pub mod hints;
pub mod html;
pub mod human;
pub mod json;
pub mod schema;
pub mod snippet;
