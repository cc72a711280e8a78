//! The embedded store: one folder on disk, no service.

mod mmap;
pub mod regex;
pub mod rows;
pub mod vectors;
