//! What a run did, as events while it goes on and as one report at the end.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::content::Warning;
use crate::read::ReadError;
use crate::source::{ContainerError, SkipReason};

/// One source that could not be ingested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The file's path or the document's URI, as the user knows it.
    pub path: String,
    /// Why.
    pub cause: FailureCause,
}

/// Why a source could not be ingested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FailureCause {
    /// The file or folder cannot be read.
    #[error("cannot be read: {0}")]
    Fetch(String),
    /// The page cannot be fetched. The text names its address.
    #[error("{0}")]
    Page(String),
    /// The reader gives up.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The archive, or its member, cannot be opened.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The program fails at it.
    #[error("ragctl failed at it: {0}")]
    Crash(String),
    /// The chunks cannot be embedded.
    #[error("cannot be embedded: {0}")]
    Embed(String),
}

/// What became of one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was not stored before.
    Added(Sizes),
    /// It replaced an older version.
    Refreshed(Sizes),
    /// It is stored already, and was left alone.
    Unchanged,
    /// Its source is gone, and so is the document.
    Removed,
    /// It was left out.
    Skipped(SkipReason),
    /// It could not be ingested.
    Failed(FailureCause),
}

/// How large a document is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Number of sections.
    pub n_sections: usize,
    /// Number of chunks.
    pub n_chunks: usize,
    /// Size of the source, bytes.
    pub n_bytes: u64,
}

/// What happens during a run.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The walk is over; so many sources will be looked at.
    Planned {
        /// Number of sources.
        n_sources: usize,
        /// Sum of their sizes, bytes.
        n_bytes: u64,
    },
    /// An archive was opened; so many members will be looked at.
    Listed {
        /// The archive's URI.
        uri: &'a str,
        /// Number of members.
        n_members: usize,
    },
    /// One source is done. Sources are reported in order of their URIs,
    /// members of an archive in the archive's order.
    Done {
        /// The document's URI.
        uri: &'a str,
        /// What became of it.
        outcome: &'a Outcome,
        /// Damage that the reader noticed.
        warnings: &'a [Warning],
        /// Size of the source, bytes.
        n_bytes: u64,
    },
    /// All sources are done; vectors and text index are being written.
    Committing,
    /// Vectors of a model are about to be filled in.
    Estimated {
        /// The model.
        model: &'a str,
        /// Number of texts.
        n_texts: usize,
        /// How long it will take, from a sample of the texts.
        duration: Duration,
    },
    /// Texts have been embedded.
    Embedded {
        /// So many, in this run.
        n_done: usize,
        /// Of so many.
        n_texts: usize,
        /// How long the rest will take.
        remaining: Duration,
    },
}

/// Hears of events while a run goes on; called from one thread.
pub trait Reporter {
    /// Something happened.
    fn event(&self, event: &Event<'_>);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Reporter for Silent {
    fn event(&self, _event: &Event<'_>) {}
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IngestReport {
    /// Documents that were not stored before.
    pub n_added: usize,
    /// Documents that replaced an older version.
    pub n_refreshed: usize,
    /// Documents that were left alone.
    pub n_unchanged: usize,
    /// Those among them whose chunks were made with other settings, or by another version of the program.
    pub n_outdated: usize,
    /// Documents whose sources are gone.
    pub n_removed: usize,
    /// What was left out, by reason.
    pub skipped: BTreeMap<SkipReason, usize>,
    /// Of these, what a user may want to know by name: paths that were named, large files, links.
    pub notable: Vec<(String, SkipReason)>,
    /// What could not be ingested.
    pub failed: Vec<Failure>,
    /// Damage, by URI.
    pub warnings: Vec<(String, Warning)>,
    /// Sections, chunks and bytes of the documents added and refreshed.
    pub sizes: Sizes,
    /// How long the run took.
    pub elapsed: Duration,
    /// Whether nothing was written because only the plan was asked for.
    pub is_dry_run: bool,
    /// Whether the run was told to stop before its end.
    pub is_interrupted: bool,
    /// Generation that readers see afterwards; `None` in a dry run.
    pub generation: Option<u64>,
}

impl IngestReport {
    /// Number of things left out.
    pub fn n_skipped(&self) -> usize {
        self.skipped.values().sum()
    }

    /// Counts one outcome.
    pub(super) fn count(&mut self, uri: &str, outcome: &Outcome, warnings: &[Warning]) {
        match outcome {
            Outcome::Added(sizes) | Outcome::Refreshed(sizes) => {
                if matches!(outcome, Outcome::Added(_)) {
                    self.n_added += 1;
                } else {
                    self.n_refreshed += 1;
                }
                self.sizes.n_sections += sizes.n_sections;
                self.sizes.n_chunks += sizes.n_chunks;
                self.sizes.n_bytes += sizes.n_bytes;
            }
            Outcome::Unchanged => self.n_unchanged += 1,
            Outcome::Removed => self.n_removed += 1,
            Outcome::Skipped(reason) => *self.skipped.entry(*reason).or_insert(0) += 1,
            Outcome::Failed(cause) => {
                self.failed.push(Failure { path: uri.to_owned(), cause: cause.clone() });
            }
        }
        self.warnings.extend(warnings.iter().map(|warning| (uri.to_owned(), warning.clone())));
    }
}
