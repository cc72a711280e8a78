//! The embedded store: one folder on disk, no service.

pub mod analysis;
mod mmap;
pub mod query;
pub mod regex;
pub mod rows;
pub mod text;
pub mod vectors;
