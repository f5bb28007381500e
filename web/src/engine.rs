//! The session of an engine.

use std::cell::RefCell;
use std::io::{self, Write};

#[cfg(not(feature = "table"))]
use parlor::engine::named;
use parlor::engine::referee_named;
use parlor::engine::session::{State, Stepped};

use crate::{TEXT, page};

thread_local! {
    static SESSION: RefCell<Option<Stepped>> = const { RefCell::new(None) };
}

/// Starts the engine whose name was written, or its referee, which plays no moves; whether there is
/// one.
#[unsafe(no_mangle)]
pub extern "C" fn start(referee: bool) -> bool {
    page::connect();
    let name = crate::text();
    #[cfg(not(feature = "table"))]
    let engine = if referee { referee_named(&name) } else { named(&name) };
    // There is nothing else in the module of all games.
    #[cfg(feature = "table")]
    let (engine, _) = (referee_named(&name), referee);
    let session = engine.map(|engine| Stepped::new(engine, Output));
    SESSION.with_borrow_mut(|held| *held = session);
    SESSION.with_borrow(Option::is_some)
}

/// Acts on the line that was written: 0 when any line may follow, 1 while an answer is held back
/// until `stop` or `ponderhit`, 2 when the session has ended.
#[unsafe(no_mangle)]
pub extern "C" fn act() -> u32 {
    let line = TEXT.take();
    let state = SESSION.with_borrow_mut(|held| held.as_mut().map(|session| session.line(&line)));
    match state {
        Some(State::Ready) => 0,
        Some(State::Held) => 1,
        Some(State::Over) | None => 2,
    }
}

/// Lines to the worker.
struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        page::write(bytes.as_ptr(), bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
