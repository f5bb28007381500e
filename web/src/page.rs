//! What a module calls of the worker that loads it.

use parlor::platform::{self, Page, Signal};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since some time.
    safe fn now() -> f64;
    /// Milliseconds since 1970.
    safe fn date() -> f64;
    /// What is wanted of the work that runs: 0 nothing, 1 its end, 2 the expected move was played.
    safe fn signal() -> u32;
    /// 32 random bits.
    safe fn random() -> u32;
    /// Takes lines: the address and the number of their bytes, which are UTF-8.
    #[cfg(not(feature = "household"))]
    pub(super) safe fn write(bytes: *const u8, length: usize);
    /// Takes a message: what, of whom, a line end, a text. Whether there is an answer; that is the next
    /// text.
    #[cfg(feature = "household")]
    safe fn tell(bytes: *const u8, length: usize) -> bool;
    /// Takes the text of a panic; what follows it is a trap.
    safe fn panicked(bytes: *const u8, length: usize);
}

/// Tells the worker something; its answer, if it has one.
#[cfg(feature = "household")]
pub(super) fn ask(what: &str, whom: &str, text: &str) -> Option<String> {
    let message = format!("{what} {whom}\n{text}");
    tell(message.as_ptr(), message.len()).then(crate::text)
}

/// Makes the library use the worker.
pub(super) fn connect() {
    platform::install(Page {
        now: || now(),
        date: || date(),
        signal: || match signal() {
            0 => Signal::None,
            1 => Signal::Stop,
            _ => Signal::PonderHit,
        },
        random: || u64::from(random()) << 32 | u64::from(random()),
        #[cfg(feature = "household")]
        file: |name| ask("file", name, "").unwrap_or_default(),
        #[cfg(not(feature = "household"))]
        file: |_| String::new(),
    });
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        panicked(text.as_ptr(), text.len());
    }));
}
