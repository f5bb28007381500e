//! An engine, or the board of a household, as a WebAssembly module, without bindings made by tools: a
//! worker hands text in, and what the module calls of it stands in [`page`]. Elsewhere this package is
//! empty.

#![cfg(all(target_arch = "wasm32", target_os = "unknown"))]

#[cfg(not(feature = "household"))]
mod engine;
#[cfg(feature = "household")]
mod household;
mod page;

use std::cell::RefCell;

thread_local! {
    /// The text that the worker writes.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for the bytes of the next text; they are used by the next call.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(length, 0);
        text.as_mut_ptr()
    })
}

/// The text that was written.
fn text() -> String {
    String::from_utf8_lossy(&TEXT.take()).into_owned()
}
