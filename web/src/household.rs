//! The board of a household. Its page, its engines and its store are the worker's.

use std::cell::RefCell;
use std::sync::Arc;

use parlor::runner::board::household::{Household, Page, Session};

use crate::page;

#[link(wasm_import_module = "board")]
unsafe extern "C" {
    /// Starts a session with the referee of a game: its number, 0 for none.
    safe fn session(game: *const u8, length: usize) -> u32;
    /// Says a line in a session; its answer is the next text. Whether the session goes on.
    safe fn say(session: u32, line: *const u8, length: usize) -> bool;
    /// A session is over.
    safe fn leave_session(session: u32);
    /// Starts the engine of a game.
    safe fn start(engine: u32, game: *const u8, length: usize);
    /// Tells an engine lines.
    safe fn tell(engine: u32, lines: *const u8, length: usize);
    /// Ends an engine.
    safe fn end(engine: u32);
    /// Sends a message to a page.
    safe fn send(page: u32, message: *const u8, length: usize);
    /// Keeps the text of a game, an empty one to forget it.
    safe fn keep(name: *const u8, length: usize, text: *const u8, text_length: usize);
    /// A game is open no more.
    safe fn release(name: *const u8, length: usize);
}

thread_local! {
    static HOUSEHOLD: RefCell<Option<Household>> = const { RefCell::new(None) };
    /// What was said of saved games before [`take_saved`].
    static SAVED: RefCell<Vec<(String, String, bool)>> = const { RefCell::new(Vec::new()) };
}

/// What the worker does for the household.
struct Worker;

/// Numbers are small: no page starts four thousand million engines.
#[expect(clippy::cast_possible_truncation, reason = "as it says")]
fn small(number: u64) -> u32 {
    number as u32
}

/// A session of the worker.
struct Open(u32);

impl Open {
    fn say(&self, line: &str) -> Option<String> {
        say(self.0, line.as_ptr(), line.len()).then(crate::text)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        leave_session(self.0);
    }
}

impl Page for Worker {
    fn session(&self, game: &str) -> Option<Session> {
        let open = match session(game.as_ptr(), game.len()) {
            0 => return None,
            number => Open(number),
        };
        Some(Box::new(move |line| open.say(line)))
    }

    fn start(&self, engine: u64, game: &str) {
        start(small(engine), game.as_ptr(), game.len());
    }

    fn tell(&self, engine: u64, lines: &str) {
        tell(small(engine), lines.as_ptr(), lines.len());
    }

    fn end(&self, engine: u64) {
        end(small(engine));
    }

    fn send(&self, page: u64, message: &str) {
        send(small(page), message.as_ptr(), message.len());
    }

    fn keep(&self, name: &str, text: Option<&str>) {
        let text = text.unwrap_or_default();
        keep(name.as_ptr(), name.len(), text.as_ptr(), text.len());
    }

    fn release(&self, name: &str) {
        release(name.as_ptr(), name.len());
    }
}

fn with(act: impl FnOnce(&mut Household)) {
    HOUSEHOLD.with_borrow_mut(|household| household.as_mut().map(act));
}

/// The text that was written, in two parts; the first has so many bytes.
fn two_texts(first: usize) -> (String, String) {
    let text = crate::text();
    let (first, second) = text.split_at_checked(first).unwrap_or((&text, ""));
    (first.to_owned(), second.to_owned())
}

/// Begins with the games whose names were written, a line each; whether it could.
#[unsafe(no_mangle)]
pub extern "C" fn begin() -> bool {
    page::connect();
    let names = crate::text();
    let household = Household::new(&names.lines().collect::<Vec<_>>(), Arc::new(Worker));
    HOUSEHOLD.with_borrow_mut(|held| *held = household.ok());
    HOUSEHOLD.with_borrow(Option::is_some)
}

/// A page sends the message that was written.
#[unsafe(no_mangle)]
pub extern "C" fn receive(page: u32) {
    let text = crate::text();
    with(|household| household.receive(u64::from(page), &text));
}

/// A page is gone.
#[unsafe(no_mangle)]
pub extern "C" fn leave(page: u32) {
    with(|household| household.leave(u64::from(page)));
}

/// An engine says the line that was written.
#[unsafe(no_mangle)]
pub extern "C" fn hear(engine: u32) {
    let line = crate::text();
    with(|household| household.hear(u64::from(engine), &line));
}

/// Time has passed: for how many milliseconds the household may be left alone.
#[unsafe(no_mangle)]
pub extern "C" fn tick() -> f64 {
    let mut left = 0.0;
    with(|household| left = household.tick().as_secs_f64() * 1000.0);
    left
}

/// Name and text of a saved game were written; whether somebody else has it open.
#[unsafe(no_mangle)]
pub extern "C" fn add_saved(name: usize, elsewhere: bool) {
    let (name, text) = two_texts(name);
    SAVED.with_borrow_mut(|saved| saved.push((name, text, elsewhere)));
}

/// That were all.
#[unsafe(no_mangle)]
pub extern "C" fn take_saved() {
    with(|household| household.set_saved(SAVED.take()));
}

/// The name of a game was written whose text is kept now; after it why not, if it is not.
#[unsafe(no_mangle)]
pub extern "C" fn kept(name: usize) {
    let (name, error) = two_texts(name);
    let result = if error.is_empty() { Ok(()) } else { Err(error) };
    with(|household| household.kept(&name, result));
}

/// The name of a game and its short rules were written.
#[unsafe(no_mangle)]
pub extern "C" fn set_rules(name: usize) {
    let (name, markdown) = two_texts(name);
    with(|household| household.set_rules(&name, &markdown));
}
