//! How far readers may run ahead of the writer, which bounds the memory of an ingest.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// How many sources, and how many bytes of them, may be read and not yet written. Bounds memory: a text with its chunks
/// and vectors is about four times its source.
pub(super) const MAX_AHEAD: usize = 256;
pub(super) const MAX_AHEAD_BYTES: u64 = 48 << 20;

/// Lets only so many items be ahead of the writer.
#[derive(Default)]
pub(super) struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    n_ahead: usize,
    n_ahead_bytes: u64,
    is_closed: bool,
}

impl Gate {
    /// Waits until there is room for an item; `false` when the run is to end.
    pub(super) fn admit(&self, n_bytes: u64, cancel: &AtomicBool) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.is_closed || cancel.load(Ordering::Relaxed) {
                return false;
            }
            let has_room = state.n_ahead < MAX_AHEAD && state.n_ahead_bytes + n_bytes <= MAX_AHEAD_BYTES;
            if has_room || state.n_ahead == 0 {
                state.n_ahead += 1;
                state.n_ahead_bytes += n_bytes;
                return true;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives back the room of an item that was written.
    pub(super) fn release(&self, n_bytes: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.n_ahead -= 1;
        state.n_ahead_bytes -= n_bytes;
        self.changed.notify_all();
    }

    /// Lets nothing more in.
    pub(super) fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_closed = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_wait_for_room_and_one_always_has_it() {
        let (gate, never) = (Gate::default(), AtomicBool::new(false));
        assert!(gate.admit(10 * MAX_AHEAD_BYTES, &never), "however large it is");
        std::thread::scope(|threads| {
            let second = threads.spawn(|| gate.admit(1, &never));
            gate.release(10 * MAX_AHEAD_BYTES);
            assert!(second.join().unwrap());
            let third = threads.spawn(|| gate.admit(MAX_AHEAD_BYTES, &never));
            gate.close();
            assert!(!third.join().unwrap(), "nothing is let in once it is closed");
        });
        assert!(!Gate::default().admit(1, &AtomicBool::new(true)), "nor after a cancellation");
    }
}
