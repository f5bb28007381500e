//! An engine as a WebAssembly module, without bindings made by tools: a worker hands lines in, and
//! what the module calls of it stands in [`page`]. Elsewhere this package is empty.

#![cfg(all(target_arch = "wasm32", target_os = "unknown"))]

mod page;

use std::cell::RefCell;

#[cfg(not(feature = "table"))]
use parlor::engine::named;
#[cfg(feature = "table")]
use parlor::engine::referee_named as named;
use parlor::engine::session::{State, Stepped};

thread_local! {
    /// The line that the worker writes.
    static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: RefCell<Option<Stepped>> = const { RefCell::new(None) };
}

/// Room for the bytes of the next line or name; they are used by the next call.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    LINE.with_borrow_mut(|line| {
        line.clear();
        line.resize(length, 0);
        line.as_mut_ptr()
    })
}

/// Starts the engine whose name was written; whether there is one.
#[unsafe(no_mangle)]
pub extern "C" fn start() -> bool {
    page::connect();
    let name = LINE.with_borrow(|line| String::from_utf8_lossy(line).into_owned());
    let session = named(&name).map(|engine| Stepped::new(engine, page::Output));
    SESSION.with_borrow_mut(|held| *held = session);
    SESSION.with_borrow(Option::is_some)
}

/// Acts on the line that was written: 0 when any line may follow, 1 while an answer is held back
/// until `stop` or `ponderhit`, 2 when the session has ended.
#[unsafe(no_mangle)]
pub extern "C" fn act() -> u32 {
    let line = LINE.take();
    let state = SESSION.with_borrow_mut(|held| held.as_mut().map(|session| session.line(&line)));
    match state {
        Some(State::Ready) => 0,
        Some(State::Held) => 1,
        Some(State::Over) | None => 2,
    }
}
