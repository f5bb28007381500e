//! The players of Pacru, and what the house asks of a game that can be played.

use super::evaluate::{Evaluation, Simple, explain};
use super::focus::Focus;
use super::moves::Move;
use super::position::Position;
use super::tune;
use crate::game::{OptionSpec, Situation};
use crate::games::{BenchPosition, Playable, Word};
use crate::search::{
    AlphaBetaPlayer, Choice, Greedy, MaxNPlayer, Player, PvsConfig, PvsPlayer, RandomPlayer,
    Report, Request, Settings,
};

/// A player of the game with few moves, as a player of the whole game.
struct Focused<P>(P);

impl<P: Player<Focus>> Player<Position> for Focused<P> {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let position = situation.position().clone();
        let focus = match &request.search_moves {
            Some(only) if !only.is_empty() => Focus::restricted(position, only),
            _ => Focus::new(position),
        };
        let situation = Situation::with_history(focus, situation.history().clone());
        let request = Request { search_moves: None, ..request.clone() };
        self.0.choose(&situation, &request, report)
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }
}

/// Having to move is what loses games of Pacru, so nobody is ever thought to pass.
fn config() -> PvsConfig {
    PvsConfig { null_move: 0, ..PvsConfig::default() }
}

impl Playable for Position {
    const NAME: &'static str = "pacru";
    const TITLE: &'static str = "Pacru";
    const PLAYERS: &'static [&'static str] = &["engine", "random", "greedy", "alphabeta", "maxn"];

    fn player(name: &str, settings: &Settings) -> Box<dyn Player<Self>> {
        match name {
            "random" => Box::new(RandomPlayer::new(settings.seed)),
            "greedy" => Box::new(Focused(Greedy::new(Simple, settings.seed))),
            "alphabeta" => Box::new(Focused(AlphaBetaPlayer::new(Simple))),
            "maxn" => Box::new(Focused(MaxNPlayer::new(Simple))),
            _ => Box::new(Focused(PvsPlayer::new(Evaluation::default(), config(), settings))),
        }
    }

    fn engine_options() -> Vec<OptionSpec> {
        vec![OptionSpec::combo("Diagram", &["ascii", "unicode"], "Characters of the diagram")]
    }

    fn explain_evaluation(&self) -> String {
        explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        let at = |rules, position, depth| BenchPosition { rules, position, depth };
        vec![
            at("Players=2", "startpos", 7),
            at(
                "Players=2",
                "fen 1[2NW]5[1W]1/9/[2E]1b6/1a7/6[2SW]1b/1[1NE]1a3a1/4[1SW]4/[2N]2a5/4[1N]4 1 2",
                7,
            ),
            at("Players=3", "startpos", 5),
            at(
                "Players=3",
                "fen 3a[3S]4/5[1SW]1a[1NE]/9/b3acc2/[2S][2E]1c1[3SW]3/2c[3SE]1[1N]3/9/4[2E]b3/4a4 3 3",
                5,
            ),
            at("Players=4", "startpos", 5),
        ]
    }

    fn words() -> Vec<Word> {
        vec![tune::word()]
    }
}
