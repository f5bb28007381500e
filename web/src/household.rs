//! The board of a household, with the referees of its games. Its page, its engines and its store are the
//! worker's, and so is a referee whose game is not in this module.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use parlor::engine::session::{State, Stepped};
use parlor::engine::{Engine, referee_named};
use parlor::runner::board::household::{Household, Page, Session};

use crate::page::{self, ask};

thread_local! {
    static HOUSEHOLD: RefCell<Option<Household>> = const { RefCell::new(None) };
    /// How many sessions the worker has begun.
    static SESSIONS: Cell<u32> = const { Cell::new(0) };
}

/// What the worker does for the household.
struct Worker;

impl Page for Worker {
    fn session(&self, game: &str) -> Option<Session> {
        if let Some(referee) = referee_named(game) {
            return Some(own_session(referee));
        }
        let number = SESSIONS.replace(SESSIONS.get() + 1).to_string();
        ask("session", &number, game)?;
        let far = Far(number);
        Some(Box::new(move |line| ask("say", &far.0, line)))
    }

    fn tell(&self, what: &str, whom: &str, text: &str) {
        ask(what, whom, text);
    }
}

/// A session of the worker.
struct Far(String);

impl Drop for Far {
    fn drop(&mut self) {
        ask("leave", &self.0, "");
    }
}

/// A session in this module.
fn own_session(referee: Box<dyn Engine>) -> Session {
    let said = Said::default();
    let mut session = Stepped::new(referee, said.clone());
    Box::new(move |line| {
        let state = session.line(line.as_bytes());
        let bytes = std::mem::take(&mut *said.0.lock().unwrap_or_else(PoisonError::into_inner));
        (state != State::Over).then(|| String::from_utf8_lossy(&bytes).into_owned())
    })
}

/// Keeps what a session says.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Begins with the games whose names were written, a line each; whether it could.
#[unsafe(no_mangle)]
pub extern "C" fn start() -> bool {
    page::connect();
    let names = crate::text();
    let household = Household::new(&names.lines().collect::<Vec<_>>(), Arc::new(Worker));
    HOUSEHOLD.with_borrow_mut(|held| *held = household.ok());
    HOUSEHOLD.with_borrow(Option::is_some)
}

/// Acts on the message that was written: what, whom, a line end, a text. For how many milliseconds the
/// household may be left alone then.
#[unsafe(no_mangle)]
pub extern "C" fn act() -> f64 {
    let message = crate::text();
    let (head, text) = message.split_once('\n').unwrap_or((&message, ""));
    let (what, whom) = head.split_once(' ').unwrap_or((head, ""));
    HOUSEHOLD.with_borrow_mut(|household| {
        let left = household.as_mut().map(|household| household.act(what, whom, text));
        left.map_or(f64::INFINITY, |left| left.as_secs_f64() * 1000.0)
    })
}
