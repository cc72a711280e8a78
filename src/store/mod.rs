//! Stores: where documents, chunks and what is derived from them are kept and searched.

pub mod embedded;
