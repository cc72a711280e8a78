//! Measuring: how good the answers are, against questions whose answers are known.
//!
//! Pure parts: what the files of TREC and BEIR say ([`formats`]), rankings and measures ([`metrics`]), comparing two
//! systems query by query ([`paired()`]), and telling questions
//! that nothing answers ([`answerable`], [`calibration`]). [`run`] asks a store,
//! [`collection`] reads a test collection from disk and makes a temporary index of it.

pub mod answerable;
pub mod calibration;
pub mod collection;
pub mod formats;
pub mod metrics;
mod paired;
mod ranking;
mod report;
pub mod run;

pub use formats::{FormatError, Qrels, TestQuery};
pub use metrics::{DEFAULT_METRICS, Grades, Measure, Metric};
pub use paired::{Paired, mean, paired};
pub use ranking::{Ranking, Run, to_trec, with_judged_ids};
pub use report::{Answerability, Evaluated, QueryValues, evaluate};
pub use run::{IdFrom, Outcome, RunError};
