//! What goes wrong with a server, in words.

use std::time::Duration;

/// Why a server gives no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HttpError {
    /// It cannot be reached.
    #[error("{url} cannot be reached: {detail}")]
    Unreachable {
        /// The address.
        url: String,
        /// Why.
        detail: String,
    },
    /// It takes too long.
    #[error("{url} did not answer within {} s", timeout.as_secs_f64())]
    Timeout {
        /// The address.
        url: String,
        /// The time that it had.
        timeout: Duration,
    },
    /// It refuses.
    #[error("{url} answered {status}{}", if message.is_empty() { String::new() } else { format!(": {message}") })]
    Status {
        /// The address.
        url: String,
        /// Status code.
        status: u16,
        /// What it says.
        message: String,
    },
    /// Its answer ends before it is whole.
    #[error("{url} broke off after {n_bytes} bytes: {detail}")]
    BrokeOff {
        /// The address.
        url: String,
        /// Bytes that came.
        n_bytes: u64,
        /// Why.
        detail: String,
    },
    /// Its answer makes no sense.
    #[error("{url} gave an answer that cannot be used: {detail}")]
    Answer {
        /// The address.
        url: String,
        /// What is wrong.
        detail: String,
    },
}

impl HttpError {
    /// Whether the same request may succeed a little later.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::Timeout { .. } | Self::BrokeOff { .. } => true,
            Self::Status { status, .. } => matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504),
            Self::Answer { .. } => false,
        }
    }

    /// Whether other requests to the same address will fail in the same way.
    pub(crate) fn is_lasting(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Status { status, .. } => matches!(status, 401 | 403 | 404 | 405),
            Self::Timeout { .. } | Self::BrokeOff { .. } | Self::Answer { .. } => false,
        }
    }
}
