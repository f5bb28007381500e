//! Watches standard output, so that work whose reader has left does not go on for nobody.
//!
//! A write to a closed pipe fails, but long work rarely writes: a search to depth 60 or a deep perft
//! would keep a processor busy for hours after the client was killed.

use std::io;
use std::os::fd::AsFd;
use std::thread;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// Calls `on_close` as soon as the other side of standard output has closed. Files and terminals
/// stay open; a terminal that hangs up counts as closed.
///
/// # Errors
/// When the system starts no thread.
#[expect(clippy::disallowed_methods, reason = "nothing is written")]
pub fn watch(on_close: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let watcher = move || {
        if wait_for_close(io::stdout().as_fd()) {
            on_close();
        }
    };
    thread::Builder::new().name("output guard".into()).spawn(watcher).map(drop)
}

/// Ends the process as soon as the other side of standard output has closed: for work whose only
/// result is what it prints.
///
/// # Errors
/// When the system starts no thread.
pub fn exit_when_closed() -> io::Result<()> {
    watch(|| std::process::exit(0))
}

/// Waits until the other side has closed; `false` if the system cannot tell.
fn wait_for_close(output: impl AsFd) -> bool {
    loop {
        // No event is asked for: errors and hang-ups are reported always.
        let mut watched = [PollFd::new(output.as_fd(), PollFlags::empty())];
        match poll(&mut watched, PollTimeout::NONE) {
            Ok(_) => return watched[0].any().unwrap_or(true),
            Err(Errno::EINTR) => {}
            Err(_) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_pipe_is_closed_once_its_reader_has_left() {
        let (reader, writer) = io::pipe().expect("a pipe");
        let waiting = thread::spawn(move || wait_for_close(writer));
        thread::sleep(Duration::from_millis(20));
        assert!(!waiting.is_finished());
        drop(reader);
        assert!(waiting.join().expect("no panic"));
    }
}
