//! `parlor board`: the games in a browser.
//!
//! A page and this server talk over one WebSocket; `docs/board-messages.md` says what. Nothing here
//! knows a game: engine processes say what the rules are, what the board looks like and what a click
//! means.
//!
//! - `http`: the page's files, and who may ask for them; `listener`: limits of connections;
//!   `socket`: the way to one page; `caller`: what it may ask for;
//! - `household`: the same without sockets, threads and processes, for a page that has the server in
//!   itself;
//! - `message`: what a page may send; `outgoing`: what it is sent; `outbox`: the way there;
//! - `server`: the menu and the open games; `links`: tokens of seats; `catalogue`: what can be
//!   started;
//! - `game`: one game and its people; `tree`: its positions; `saved_games`, `saved_folder`,
//!   `recording`: what is kept of games;
//! - `worker`: a process that answers for a view, plays a seat or analyses; `answers`: its answers,
//!   checked; `view`: whose eyes a page sees with;
//! - `import`, `replay`: games from text and from record files; `start`: the command line's part.

mod answers;
mod caller;
mod catalogue;
mod game;
pub mod household;
#[cfg(feature = "board")]
mod http;
mod import;
mod links;
#[cfg(feature = "board")]
mod listener;
mod message;
mod outbox;
mod outgoing;
#[cfg(feature = "board")]
mod recording;
mod replay;
#[cfg(feature = "board")]
mod saved_folder;
mod saved_games;
mod server;
#[cfg(feature = "board")]
mod socket;
#[cfg(feature = "board")]
mod start;
mod tree;
mod view;
mod worker;

use anyhow::Result;

use crate::runner::key::fill_randomly;

#[cfg(feature = "board")]
pub(in crate::runner) use start::{BoardOptions, EXAMPLES, run};

/// Reads one message of a page as the server does, whatever the text is: what is wrong with it, if
/// anything.
///
/// # Errors
/// Text that is no message; says which part is wrong.
pub fn check_message(text: &str) -> Result<(), String> {
    message::id_of(text);
    message::read(text).map(drop)
}

/// Reads a game that a page imports, as the server does: the words that go to an engine.
///
/// # Errors
/// Text of no known form.
pub fn check_import(text: &str) -> Result<Vec<String>> {
    let game = import::read(text)?;
    Ok(game.start.split_whitespace().map(str::to_owned).chain(game.moves).collect())
}

/// Reads the file of an unfinished game as the server does: what is wrong with it, if anything.
///
/// # Errors
/// A file that is not whole or was changed.
pub fn check_saved(text: &str) -> Result<()> {
    saved_games::read_saved(text).map(drop)
}

/// A token of 128 random bits.
fn token() -> Result<String> {
    let mut bytes = [0; 16];
    fill_randomly(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether a text has the form of a token.
fn is_token(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
