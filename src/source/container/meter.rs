//! Counting what is read, so that no header makes a parser take memory without bound.

use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes that may still be read: of all, and until the next [`allow`](Self::allow).
#[derive(Debug)]
pub(super) struct Meter {
    left: Cell<u64>,
    left_now: Cell<u64>,
    is_over: Cell<bool>,
}

impl Meter {
    /// At most `most` bytes in all.
    pub(super) fn new(most: u64) -> Self {
        Self { left: Cell::new(most), left_now: Cell::new(u64::MAX), is_over: Cell::new(false) }
    }

    /// From now on at most `n_bytes`.
    pub(super) fn allow(&self, n_bytes: u64) {
        self.left_now.set(n_bytes);
    }

    /// Whether reading failed because too much was asked for.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// Whether all that may be read in all was read.
    pub(super) fn is_used_up(&self) -> bool {
        self.left.get() == 0
    }

    fn n_left(&self) -> u64 {
        self.left.get().min(self.left_now.get())
    }

    fn take(&self, n_bytes: usize) {
        let n_bytes = n_bytes as u64;
        self.left.set(self.left.get().saturating_sub(n_bytes));
        self.left_now.set(self.left_now.get().saturating_sub(n_bytes));
    }
}

/// A reader that a [`Meter`] looks after.
pub(super) struct Metered<'a, R> {
    inner: R,
    meter: &'a Meter,
}

impl<'a, R> Metered<'a, R> {
    pub(super) fn new(inner: R, meter: &'a Meter) -> Self {
        Self { inner, meter }
    }
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_left = self.meter.n_left();
        if n_left == 0 && !buffer.is_empty() {
            // At the end of the input nothing is lacking.
            let mut one = [0];
            if self.inner.read(&mut one)? == 0 {
                return Ok(0);
            }
            self.meter.is_over.set(true);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "more bytes than are read"));
        }
        let n_wanted = buffer.len().min(usize::try_from(n_left).unwrap_or(usize::MAX));
        let n_read = self.inner.read(&mut buffer[..n_wanted])?;
        self.meter.take(n_read);
        Ok(n_read)
    }
}

impl<R: Seek> Seek for Metered<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_the_allowance_is_an_error_and_the_end_is_not() {
        let meter = Meter::new(8);
        let mut reader = Metered::new(&b"0123456789"[..], &meter);
        let mut read = |n_bytes: usize| reader.by_ref().take(n_bytes as u64).read_to_end(&mut Vec::new());
        meter.allow(4);
        assert_eq!(read(4).unwrap(), 4);
        assert!(read(1).is_err() && meter.is_over());
        meter.allow(100);
        assert_eq!(read(3).unwrap(), 3);
        assert!(read(5).is_err());
        let meter = Meter::new(4);
        let mut whole = Vec::new();
        Metered::new(&b"0123"[..], &meter).read_to_end(&mut whole).unwrap();
        assert!(whole == b"0123" && !meter.is_over());
    }
}
