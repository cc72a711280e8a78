//! Bodies that are read piece by piece, as those of large files.

use std::io::Read;
use std::time::Duration;

use super::HttpError;

/// A body that is read as it comes.
pub(crate) struct Body {
    url: String,
    /// Bytes of the whole that have come.
    n_bytes: u64,
    /// The longest silence.
    timeout: Duration,
    reader: Box<dyn Read>,
}

impl Body {
    /// What `reader` gives of `url` from byte `first` on, which may be silent for `timeout`.
    pub(super) fn new(url: String, first: u64, timeout: Duration, reader: Box<dyn Read>) -> Self {
        Self { url, n_bytes: first, timeout, reader }
    }

    /// Reads what comes next; 0 at the end.
    ///
    /// # Errors
    ///
    /// [`HttpError::BrokeOff`], also after a silence that is too long.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, HttpError> {
        loop {
            let error = match self.reader.read(buffer) {
                Ok(n) => {
                    self.n_bytes += n as u64;
                    return Ok(n);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => error,
            };
            let cause = error.get_ref().and_then(|it| it.downcast_ref::<ureq::Error>());
            let detail = match cause {
                Some(ureq::Error::Timeout(_)) => {
                    format!("nothing came for {} s", self.timeout.as_secs_f64())
                }
                _ => error.to_string(),
            };
            return Err(HttpError::BrokeOff { url: self.url.clone(), n_bytes: self.n_bytes, detail });
        }
    }
}
