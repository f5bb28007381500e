//! The position in XBoard's dialect: set up, played on, taken back, shown to the user.

use super::{XBoard, error};
use crate::engine::host::Host;
use crate::engine::interface::Engine;
use crate::protocol::{GameResult, Root};

impl XBoard {
    /// Loads into the engine what the dialect remembers.
    pub(super) fn reload(&self, host: &mut Host, engine: &mut dyn Engine) {
        if let Err(error) = engine.set_position(&self.argument()) {
            host.warn(&error.to_string());
        }
    }

    pub(super) fn set_board(&mut self, host: &mut Host, engine: &mut dyn Engine, fen: &str) {
        let old = self.argument();
        self.restart(Root::Fen(self.board.position_in(fen)));
        if let Err(error) = engine.set_position(&self.argument()) {
            host.warn(&error.to_string());
            host.output.line(&format!("tellusererror Illegal position: {}", error.text));
            self.refused = Some(error.text);
            self.root = old.root;
            self.moves = old.moves;
            self.reload(host, engine);
        }
    }

    /// Plays a move of the opponent; whether it was legal.
    pub(super) fn user_move(
        &mut self,
        host: &mut Host,
        engine: &mut dyn Engine,
        written: &str,
    ) -> bool {
        if let Err(why) = self.try_move(host, engine, written) {
            host.warn(&why);
            host.output.line(&format!("Illegal move ({why}): {written}"));
            return false;
        }
        self.hint = None;
        announce(host, engine);
        true
    }

    /// Plays a move if it is legal; otherwise nothing changes, and the error says why.
    fn try_move(
        &mut self,
        host: &mut Host,
        engine: &mut dyn Engine,
        written: &str,
    ) -> Result<(), String> {
        if self.refused.is_some() {
            return Err("the position on the board is not legal".into());
        }
        let Some(token) = self.board.move_in(written) else {
            return Err("a move is two squares of the board".into());
        };
        self.moves.push(token);
        let Err(error) = engine.set_position(&self.argument()) else {
            return Ok(());
        };
        self.moves.pop();
        self.reload(host, engine);
        // The text names the move and its number first, which XBoard knows.
        let (_, why) = error.text.split_once("': ").unwrap_or(("", &error.text));
        Err(self.board.text_out(why).replace(['(', ')'], ""))
    }

    pub(super) fn take_back(
        &mut self,
        host: &mut Host,
        engine: &mut dyn Engine,
        line: &str,
        count: usize,
    ) {
        let Some(left) = self.moves.len().checked_sub(count) else {
            return error(host, "command not legal now", line);
        };
        self.moves.truncate(left);
        self.hint = None;
        self.reload(host, engine);
    }

    /// Marks the targets of the piece that the user takes up.
    pub(super) fn lift(&mut self, host: &mut Host, engine: &dyn Engine, line: &str, written: &str) {
        let Some(square) = self.board.square_in(written) else {
            return error(host, "no such square", line);
        };
        self.lifted = Some(written.into());
        let moves = match &self.refused {
            None => engine.query("legalmoves", std::slice::from_ref(&square)).unwrap_or_default(),
            Some(_) => String::new(),
        };
        host.output.line(&self.board.highlight(&square, moves.split(' ')));
    }

    /// Says why a move is illegal: XBoard itself refuses a click on a square that is not marked,
    /// but cannot say why.
    pub(super) fn put(&mut self, host: &mut Host, engine: &mut dyn Engine, square: &str) {
        let Some(lifted) = self.lifted.take().filter(|lifted| lifted != square) else {
            return;
        };
        match self.try_move(host, engine, &(lifted + square)) {
            // The move itself follows as `usermove`.
            Ok(()) => {
                self.moves.pop();
                self.reload(host, engine);
            }
            Err(why) => host.output.line(&format!("telluser Illegal move: {why}")),
        }
    }
}

/// Tells the result once the game is over.
pub(super) fn announce(host: &Host, engine: &dyn Engine) {
    let ask = |name: &str| engine.query(name, &[]).unwrap_or_default();
    let Some(result) = GameResult::read(&ask("result")) else { return };
    let reason = ask("reason").replace('-', " ");
    host.output.line(&format!("{} {{{reason}}}", result.score()));
}
