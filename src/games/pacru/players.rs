//! The players of Pacru, and what the house asks of a game that can be played.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use super::evaluate::{Evaluation, Simple, explain};
use super::focus::Focus;
use super::moves::Move;
use super::position::Position;
use super::{playouts, record, tune};
use crate::game::{Game, Situation};
use crate::games::{BenchPosition, NamedPlayer, Playable, Subcommand};
use crate::search::{
    AlphaBetaPlayer, BestReplyPlayer, Choice, Evaluate, Greedy, LikelyMove, MaxNPlayer, MctsConfig,
    MctsPlayer, Player, PvsConfig, PvsPlayer, RandomPlayer, Report, Request, Settings,
};

static ENGINE: LazyLock<Evaluation> = LazyLock::new(Evaluation::default);

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

/// The tree takes the place of the table; without any it could not search at all.
fn tree(settings: &Settings) -> MctsConfig {
    MctsConfig { bytes: settings.hash.max(1) << 20, ..MctsConfig::default() }
}

/// The move after which the evaluation is best for who makes it.
struct Greediest;

impl LikelyMove<Focus> for Greediest {
    fn likely_move(position: &Focus) -> Option<Move> {
        let seat = position.turn().seat()?;
        let mut best: Option<(i32, Move)> = None;
        let _ = position.for_each_move::<()>(|m| {
            let mut next = position.clone();
            next.play(&m);
            let value = match next.winner() {
                Some(winner) if winner == seat.index() => i32::MAX,
                Some(_) => i32::MIN,
                None => ENGINE.score(&(), &next, seat),
            };
            if best.is_none_or(|(known, _)| value > known) {
                best = Some((value, m));
            }
            ControlFlow::Continue(())
        });
        best.map(|(_, m)| m)
    }
}

/// The engine: principal variation search for two, tree search for three and four.
pub(super) struct Engine {
    settings: Settings,
    two: Option<Focused<PvsPlayer<Focus, Evaluation>>>,
    many: Option<Focused<MctsPlayer<Focus, Evaluation>>>,
}

impl Engine {
    /// An engine for any number of players.
    pub(super) fn new(settings: &Settings) -> Self {
        Engine { settings: settings.clone(), two: None, many: None }
    }

    fn for_seats(&mut self, seats: usize) -> &mut dyn Player<Position> {
        let evaluation = Evaluation::default;
        if seats == 2 {
            let new = || Focused(PvsPlayer::new(evaluation(), config(), &self.settings));
            self.two.get_or_insert_with(new)
        } else {
            let new = || Focused(MctsPlayer::new(evaluation(), tree(&self.settings)));
            self.many.get_or_insert_with(new)
        }
    }
}

impl Player<Position> for Engine {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        self.for_seats(situation.position().seats()).choose(situation, request, report)
    }

    fn new_game(&mut self) {
        (self.two, self.many) = (None, None);
    }
}

impl Playable for Position {
    const NAME: &'static str = "pacru";
    const TITLE: &'static str = "Pacru";
    const PLAYERS: &'static [NamedPlayer<Self>] = &[
        NamedPlayer::new("engine", |settings| Box::new(Engine::new(settings))),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("greedy", |settings| {
            Box::new(Focused(Greedy::new(Simple, settings.seed)))
        }),
        NamedPlayer::new("alphabeta", |_| Box::new(Focused(AlphaBetaPlayer::new(Simple)))),
        NamedPlayer::new("maxn", |_| Box::new(Focused(MaxNPlayer::new(Simple)))),
        NamedPlayer::new("brs", |settings| {
            let (evaluation, config) = (Evaluation::default(), config());
            Box::new(Focused(BestReplyPlayer::<_, Greediest, _>::new(evaluation, config, settings)))
        }),
        NamedPlayer::new("mcts", |settings| {
            Box::new(Focused(MctsPlayer::new(Evaluation::default(), tree(settings))))
        }),
    ];

    fn explain_evaluation(&self) -> String {
        explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        let at = |rules, position, depth| BenchPosition { rules, position, depth };
        vec![
            at("Players=2", "startpos", 11),
            at(
                "Players=2",
                "fen 1[2NW]5[1W]1/9/[2E]1b6/1a7/6[2SW]1b/1[1NE]1a3a1/4[1SW]4/[2N]2a5/4[1N]4 1 2",
                11,
            ),
            at("Players=3", "startpos", 7),
            at(
                "Players=3",
                "fen 3a[3S]4/5[1SW]1a[1NE]/9/b3acc2/[2S][2E]1c1[3SW]3/2c[3SE]1[1N]3/9/4[2E]b3/4a4 3 3",
                7,
            ),
            at("Players=4", "startpos", 7),
        ]
    }

    fn subcommands() -> Vec<Subcommand> {
        vec![playouts::subcommand(), record::subcommand(), tune::subcommand()]
    }
}
