//! What to do next when a source cannot be ingested.

use crate::ingest::FailureCause;
use crate::read::ReadError;
use crate::source::ContainerError;

/// The next step for a failed source.
pub fn for_failure(cause: &FailureCause) -> &'static str {
    match cause {
        FailureCause::Fetch(_) => {
            "check that the file exists and that you may read it, then run the same command again"
        }
        FailureCause::Page(_) => "check the address and the connection, then run the same command again",
        FailureCause::Read(error) => for_read_error(error),
        FailureCause::Container(error) => for_container_error(error),
        FailureCause::Crash(_) => "leave it out with --exclude, and report the fault with the file",
        FailureCause::Embed(_) => "run the same command again; if it fails again, choose another model",
    }
}

/// The next step for an archive, or a member of one.
pub fn for_container_error(error: &ContainerError) -> &'static str {
    match error {
        ContainerError::Io(_) => {
            "check that the file exists and that you may read it, then run the same command again"
        }
        ContainerError::Damaged { .. } => "fetch or pack the archive again, then run the same command again",
        ContainerError::Entry { .. } => {
            "write entities as {\"id\": \"ada\", \"name\": \"Ada Lovelace\", \"description\": \"...\", \"labels\": [\"Person\"], \"properties\": {}}"
        }
        ContainerError::Limit { .. } => {
            "unpack the archive and ingest the folder, or leave it out with --exclude"
        }
        ContainerError::Encrypted => "pass the password with --password or RAGCTL_PASSWORD",
        ContainerError::WrongPassword => "pass the right password with --password or RAGCTL_PASSWORD",
        ContainerError::Unsupported { .. } => "unpack the archive and ingest the folder",
    }
}

/// The next step for a file that a reader refuses.
pub fn for_read_error(error: &ReadError) -> &'static str {
    match error {
        ReadError::Binary => {
            "it does not hold text; where it is one of ragctl's other formats (ragctl help read), name it with --format, else leave the file out with --exclude"
        }
        ReadError::Encrypted => "pass the password with --password or RAGCTL_PASSWORD",
        ReadError::WrongPassword => "pass the right password with --password or RAGCTL_PASSWORD",
        ReadError::Damaged { .. } => {
            "repair the file or save it again from its program, then run the same command again"
        }
        ReadError::Limit { .. } => "split the file, or leave it out with --exclude",
        ReadError::Unsupported { .. } => {
            "convert it with the program that made it; LibreOffice converts office files: 'soffice --convert-to FORMAT FILE'"
        }
        ReadError::Locked { .. } => {
            "open it in its program and save a copy without password or protection; --password is for PDF files and zip archives only"
        }
        ReadError::Worker { .. } => "leave the file out with --exclude, and report it if you can share it",
    }
}
