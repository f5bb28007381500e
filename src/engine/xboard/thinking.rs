//! Searches in XBoard's dialect: moves, hints, analysis.

use super::position::announce;
use super::{XBoard, turn};
use crate::engine::host::Host;
use crate::engine::interface::{Answer, Engine, Message};
use crate::protocol::xboard::Board;
use crate::protocol::{Dialect, GoArguments, InfoLine, Score};

/// Nodes for a `hint`.
const HINT_NODES: u64 = 50_000;

/// What XBoard takes for a forced win, plus the moves it takes.
const XBOARD_MATE: i32 = 100_000;

impl XBoard {
    /// Starts the search that the state asks for: of the engine's own move, of the analysis, or
    /// else (in force mode, or while the opponent thinks) of a hint. Nothing once the game is over.
    pub(super) fn think(&mut self, host: &mut Host, engine: Box<dyn Engine>) {
        match turn(&*engine) {
            None => host.engine = Some(engine),
            Some(seat) if self.plays == Some(seat) || self.analyzing => {
                let go = self.go_arguments(seat);
                self.search(host, engine, go);
            }
            Some(_) => self.search_hint(host, engine),
        }
    }

    fn search_hint(&self, host: &mut Host, engine: Box<dyn Engine>) {
        let board = self.board;
        host.work(engine, move |engine, control| {
            let go = GoArguments { nodes: Some(HINT_NODES), ..GoArguments::default() };
            let answer = engine.search(&go, Dialect::Uci, control, &mut |_| {});
            let hint = answer.best.and_then(|token| board.move_out(&token));
            hint.map(|hint| format!("Hint: {hint}")).into_iter().collect()
        });
    }

    fn search(&mut self, host: &mut Host, engine: Box<dyn Engine>, go: GoArguments) {
        self.discard = false;
        let (output, board) = (host.output.clone(), self.board);
        let post = self.post || self.analyzing;
        host.search(engine, go, Dialect::Uci, move |message| match message {
            Message::Info(info) if post => output.line(&thinking_line(&info, &board)),
            Message::Error(error) => output.line(&format!("# {error}")),
            _ => {}
        });
    }

    /// Plays the move that the engine chose, unless it is no longer wanted.
    pub(super) fn play_answer(&mut self, host: &mut Host, answer: &Answer) {
        let wanted = !std::mem::take(&mut self.discard) && !self.analyzing;
        let Some(token) = answer.best.as_ref().filter(|_| wanted) else {
            return;
        };
        let Some(mut engine) = host.engine.take() else {
            return;
        };
        self.moves.push(token.clone());
        self.reload(host, &mut *engine);
        self.hint = answer.ponder.as_ref().and_then(|token| self.board.move_out(token));
        let written = self.board.move_out(token).unwrap_or_else(|| token.clone());
        host.output.line(&format!("move {written}"));
        announce(host, &*engine);
        host.engine = Some(engine);
    }
}

/// A line of thinking output: depth, score, centiseconds, nodes, expected moves.
fn thinking_line(info: &InfoLine, board: &Board) -> String {
    let score = match info.score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) if moves > 0 => XBOARD_MATE + moves,
        Score::Mate(moves) => -XBOARD_MATE + moves,
    };
    let moves: Vec<_> = info.pv.iter().filter_map(|token| board.move_out(token)).collect();
    format!("{} {score} {} {} {}", info.depth, info.time / 10, info.nodes, moves.join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::boards;
    use super::*;

    #[test]
    fn a_line_has_centiseconds_and_mates_beyond_a_hundred_thousand() {
        let board = boards::board("barca").expect("a game of XBoard");
        for (score, told) in [
            (Score::Centipawns(-35), "-35"),
            (Score::Mate(3), "100003"),
            (Score::Mate(-2), "-100002"),
        ] {
            let pv = vec!["e2e4".into(), "e9e6".into()];
            let info =
                InfoLine { depth: 7, score, time: 1_234, nodes: 56, pv, ..InfoLine::default() };
            // Ranks are counted from 0 there.
            assert_eq!(thinking_line(&info, &board), format!("7 {told} 123 56 e1e3 e8e5"));
        }
    }
}
