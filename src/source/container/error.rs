//! Why containers cannot be read.

/// Why a container or one of its members cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContainerError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(String),
    /// It breaks its own format.
    #[error("damaged {format} {}: {detail}", if *format == "gzip" { "file" } else { "archive" })]
    Damaged {
        /// Name of the format.
        format: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// An entry is not what the file should hold.
    #[error("no entity: {detail}")]
    Entry {
        /// What is wrong.
        detail: String,
    },
    /// It is larger than is read.
    #[error("over the limit: {detail}")]
    Limit {
        /// Which limit, and the figure.
        detail: String,
    },
    /// A password is needed.
    #[error("encrypted: a password is needed")]
    Encrypted,
    /// The password does not open it.
    #[error("encrypted: the password is wrong")]
    WrongPassword,
    /// Packed or encrypted in a way that is not read.
    #[error("not supported: {detail}")]
    Unsupported {
        /// What it is.
        detail: String,
    },
}
