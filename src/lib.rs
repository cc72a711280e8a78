//! Turns folders of documents into a searchable, navigable knowledge base in one folder on disk.

pub mod chunk;
pub mod content;
pub mod embed;
pub mod read;
pub mod store;
pub mod transform;
