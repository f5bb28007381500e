//! Searches in XBoard's dialect: moves, hints, analysis.

use super::turn;
use crate::engine::interface::{Answer, Engine, Said};
use crate::engine::session::{Outcome, Running, Session};
use crate::protocol::xboard::Board;
use crate::protocol::{Dialect, GoArguments, InfoLine, ScoreText};
use crate::search::Control;

/// Nodes for a `hint`.
const HINT_NODES: u64 = 50_000;

/// What XBoard takes for a forced win, plus the moves it takes.
const XBOARD_MATE: i32 = 100_000;

impl Session {
    /// Starts the search the dialect's state asks for: of a hint in force mode or while the
    /// opponent thinks, else of the engine's own move.
    pub(super) fn xboard_think(&mut self) {
        let (Some(xboard), Some(engine)) = (&self.xboard, self.engine.take()) else {
            return;
        };
        let Some(seat) = turn(&*engine) else {
            self.engine = Some(engine);
            return;
        };
        if xboard.plays == Some(seat) || xboard.analyzing {
            let go = xboard.go(seat);
            self.xboard_search(engine, go);
        } else {
            self.xboard_hint(engine);
        }
    }

    fn xboard_hint(&mut self, mut engine: Box<dyn Engine>) {
        let Some(board) = self.xboard.as_ref().map(|xboard| xboard.board) else {
            return;
        };
        let control = self.bounded_job();
        self.start(Box::new(move || {
            let go = GoArguments { nodes: Some(HINT_NODES), ..GoArguments::default() };
            let answer = engine.search(&go, Dialect::Uci, &control, &mut |_| {});
            let hint = answer.best.and_then(|token| board.move_out(&token));
            let lines = hint.map(|hint| format!("Hint: {hint}")).into_iter().collect();
            (engine, Outcome::Told(lines))
        }));
    }

    fn xboard_search(&mut self, mut engine: Box<dyn Engine>, go: GoArguments) {
        let Some(xboard) = &mut self.xboard else {
            return;
        };
        xboard.discard = false;
        let control = Control::new(false);
        let infinite = go.infinite;
        let held = infinite && !self.ended && !self.quitting;
        if infinite && !held || self.quitting {
            control.stop();
        }
        let running = Running { control: control.clone(), bounded: !infinite, held, answer: None };
        let (output, board) = (self.output.clone(), xboard.board);
        let post = xboard.post || xboard.analyzing;
        self.running = Some(running);
        self.start(Box::new(move || {
            let mut report = |said: Said| match said {
                Said::Info(info) if post => output.line(&thinking(&info, &board)),
                Said::Error(error) => output.line(&format!("# {error}")),
                _ => {}
            };
            let answer = engine.search(&go, Dialect::Uci, &control, &mut report);
            (engine, Outcome::Searched(answer))
        }));
    }

    /// Whether an analysis is wanted and nothing else is to be done first.
    pub(in crate::engine::session) fn xboard_analyzes(&self) -> bool {
        !self.ended && !self.quitting && self.xboard.as_ref().is_some_and(|xboard| xboard.analyzing)
    }

    /// Starts or resumes the analysis; false where there is nothing to analyse.
    pub(in crate::engine::session) fn xboard_resume(&mut self) -> bool {
        self.xboard_think();
        self.running.is_some()
    }

    /// The engine has chosen its move.
    pub(in crate::engine::session) fn xboard_answer(&mut self, answer: &Answer) {
        let (Some(mut xboard), Some(mut engine)) = (self.xboard.take(), self.engine.take()) else {
            return;
        };
        let wanted = !std::mem::take(&mut xboard.discard) && !xboard.analyzing;
        if wanted && let Some(token) = &answer.best {
            xboard.moves.push(token.clone());
            self.reload(&xboard, &mut *engine);
            xboard.hint = answer.ponder.as_ref().and_then(|token| xboard.board.move_out(token));
            let written = xboard.board.move_out(token).unwrap_or_else(|| token.clone());
            self.output.line(&format!("move {written}"));
            self.announce(&*engine);
        }
        self.engine = Some(engine);
        self.xboard = Some(xboard);
    }
}

/// A line of thinking output: depth, score, centiseconds, nodes, expected moves.
fn thinking(info: &InfoLine, board: &Board) -> String {
    let score = match info.score {
        ScoreText::Cp(value) => value,
        ScoreText::Mate(moves) if moves > 0 => XBOARD_MATE + moves,
        ScoreText::Mate(moves) => -XBOARD_MATE + moves,
    };
    let moves: Vec<_> = info.pv.iter().filter_map(|token| board.move_out(token)).collect();
    format!("{} {score} {} {} {}", info.depth, info.time / 10, info.nodes, moves.join(" "))
}
