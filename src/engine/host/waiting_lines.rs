//! The lines that a client has sent and that were not acted on yet: bounded in bytes.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::engine::input::InputLine;

/// Reading pauses while the lines that wait take more bytes than this.
const MOST_BYTES: usize = 32 << 20;

/// What a line takes besides its text, allocation included.
const OVERHEAD: usize = 128;

/// The bytes of all lines that were read and not acted on.
#[derive(Clone, Default)]
pub(super) struct Budget(Arc<Shared>);

#[derive(Default)]
struct Shared {
    held: Mutex<Held>,
    released: Condvar,
}

#[derive(Default)]
struct Held {
    bytes: usize,
    /// The reader waits for room: otherwise nobody is notified, which would cost a system call a
    /// line.
    reader_waits: bool,
}

impl Budget {
    /// Waits for room, then counts a line. A line always has room if no other waits.
    pub(super) fn hold(&self, line: InputLine) -> HeldLine {
        let bytes = line.length() + OVERHEAD;
        let mut held = self.0.held.lock().unwrap_or_else(PoisonError::into_inner);
        while held.bytes > 0 && held.bytes + bytes > MOST_BYTES {
            held.reader_waits = true;
            held = self.0.released.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
        held.reader_waits = false;
        held.bytes += bytes;
        HeldLine { line: Some(line), bytes, budget: self.clone() }
    }

    /// Whether the next line need not wait.
    pub(super) fn has_room(&self) -> bool {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner).bytes < MOST_BYTES / 2
    }

    fn release(&self, bytes: usize) {
        let mut held = self.0.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.bytes -= bytes;
        if held.reader_waits {
            self.0.released.notify_one();
        }
    }
}

/// A line that counts until it is dropped or taken.
pub(super) struct HeldLine {
    line: Option<InputLine>,
    bytes: usize,
    budget: Budget,
}

impl HeldLine {
    pub(super) fn line(&self) -> Option<&InputLine> {
        self.line.as_ref()
    }

    /// The line; its bytes no longer count towards the limit.
    pub(super) fn take(mut self) -> Option<InputLine> {
        self.line.take()
    }
}

impl Drop for HeldLine {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}

/// Lines that wait behind a job, in order.
pub(super) type WaitingLines = VecDeque<HeldLine>;

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn reading_pauses_at_the_bound_and_goes_on_behind_it() {
        let budget = Budget::default();
        let held = Arc::new(AtomicUsize::new(0));
        let (sender, lines) = crossbeam_channel::unbounded();
        let counter = held.clone();
        let reader = thread::spawn(move || {
            for _ in 0..100 {
                let line = budget.hold(InputLine::Text("x".repeat(1 << 20)));
                counter.fetch_add(1, Ordering::SeqCst);
                sender.send(line).expect("a receiver");
            }
        });
        let settled = || {
            let mut before = usize::MAX;
            while before != held.load(Ordering::SeqCst) {
                before = held.load(Ordering::SeqCst);
                thread::sleep(Duration::from_millis(100));
            }
            before
        };
        let first = settled();
        assert!((30..=32).contains(&first), "{first} MiB");
        let taken = lines.iter().take(10).filter_map(HeldLine::take).count();
        assert_eq!((taken, settled()), (10, first + 10));
        assert_eq!(lines.iter().filter_map(HeldLine::take).count(), 90);
        reader.join().expect("no panic");
    }
}
