//! The session of an engine.

use std::cell::RefCell;
use std::io::{self, Write};

#[cfg(not(feature = "table"))]
use parlor::engine::named;
use parlor::engine::session::{State, Stepped};
use parlor::engine::{Engine, referee_named};

use crate::{TEXT, page};

thread_local! {
    static SESSION: RefCell<Option<Stepped>> = const { RefCell::new(None) };
}

/// Starts the engine whose name was written; whether there is one. The module of all games has
/// referees alone, which play no moves.
#[unsafe(no_mangle)]
pub extern "C" fn start() -> bool {
    #[cfg(feature = "table")]
    return referee();
    #[cfg(not(feature = "table"))]
    begin(named)
}

/// Starts the referee of the game whose name was written.
#[unsafe(no_mangle)]
pub extern "C" fn referee() -> bool {
    begin(referee_named)
}

fn begin(make: fn(&str) -> Option<Box<dyn Engine>>) -> bool {
    page::connect();
    let session = make(&crate::text()).map(|engine| Stepped::new(engine, Output));
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
