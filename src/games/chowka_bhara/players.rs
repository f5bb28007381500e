//! The players, and Chowka bhara behind the protocol.

use std::path::Path;
use std::sync::Arc;

use super::careful::worth;
use super::evaluate::{Evaluation, explain};
use super::position::Position;
use super::solver::file::Table;
use super::solver::player::TablePlayer;
use super::words;
use crate::game::{Game, OptionSpec, Random, Situation};
use crate::games::{BenchPosition, NamedPlayer, Playable, Subcommand};
use crate::protocol::{Code, ProtocolError};
use crate::search::{
    Choice, Info, MaxNPlayer, Player, RandomPlayer, Report, Request, Score, Settings, Star2Player,
    VectorExpectimaxPlayer,
};

type Move = <Position as Game>::Move;

impl Playable for Position {
    const NAME: &'static str = "chowka-bhara";
    const TITLE: &'static str = "Chowka bhara";
    const PLAYERS: &'static [NamedPlayer<Self>] = &[
        NamedPlayer::new("engine", |settings| {
            with_table(Box::new(Engine::new(settings)), settings.options.text("TableFile"))
        }),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("greedy", |settings| Box::new(OnePly::new(Wish::Furthest, settings.seed))),
        NamedPlayer::new("hits", |settings| Box::new(OnePly::new(Wish::Hits, settings.seed))),
        NamedPlayer::new("careful", |settings| Box::new(OnePly::new(Wish::Careful, settings.seed))),
        NamedPlayer::new("expectimax", |_| Box::new(MaxNPlayer::new(Evaluation::new()))),
    ];

    fn engine_options() -> Vec<OptionSpec> {
        vec![OptionSpec::text(
            "TableFile",
            "",
            "a table written by solve: perfect play where it can",
        )]
    }

    fn explain_evaluation(&self) -> String {
        explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        let bench = |(rules, position, depth)| BenchPosition { rules, position, depth };
        BENCH.iter().copied().map(bench).collect()
    }

    fn subcommands() -> Vec<Subcommand> {
        words::subcommands()
    }
}

/// The engine, playing by a table where the table knows the position. Where the file cannot be used
/// it says so at the first move of every game and plays without.
fn with_table(engine: Box<dyn Player<Position>>, path: &str) -> Box<dyn Player<Position>> {
    if path.is_empty() {
        return engine;
    }
    match Table::read(Path::new(path)) {
        Ok(table) => Box::new(TablePlayer { table: Arc::new(table), other: engine }),
        Err(fault) => {
            let text = format!("TableFile: {fault:#}; playing without it");
            let fault = ProtocolError::new(Code::BadValue, text);
            Box::new(Complaining { fault, told: false, player: engine })
        }
    }
}

/// A player that first tells what is wrong with its options.
struct Complaining {
    fault: ProtocolError,
    told: bool,
    player: Box<dyn Player<Position>>,
}

impl Player<Position> for Complaining {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        if !std::mem::replace(&mut self.told, true) {
            report(Report::Text(format!("error {}", self.fault)));
        }
        self.player.choose(situation, request, report)
    }

    fn new_game(&mut self) {
        self.told = false;
        self.player.new_game();
    }
}

/// Openings, contact, races, three and four seats, a larger board.
const BENCH: [(&str, &str, u32); 10] = [
    ("", "startpos moves t2", 3),
    ("", "startpos moves t4 t3", 3),
    ("", "fen 2.5.18.18/-/3.3.7.16/- N SN - 2", 3),
    ("", "fen 0.9.10.13/-/3.8.8.14/- S - - 8+2", 2),
    ("", "fen 1.6.11.15/-/2.5.9.13/- S N - 4+3", 2),
    ("", "fen 19.21.22.24/-/17.20.24.24/- S SN - 3", 3),
    ("Pawns=2", "fen 5.14/-/3.9/- S - - 2", 4),
    ("Players=3", "fen 0.0.7.8/6.20.22.23/0.3.5.7/- N SEN - 3", 2),
    ("Players=4", "fen 5.13.13.13/0.0.8.8/0.2.7.21/0.2.8.10 S SENW - 2", 2),
    ("Board=7", "fen 0.0.3.9.14.22/-/0.0.5.8.13.20/- S - - 4", 2),
];

/// The strongest player: the driver that fits the number of seats, made when it is known.
struct Engine {
    hash: usize,
    two: Option<Star2Player<Evaluation>>,
    more: Option<VectorExpectimaxPlayer<Evaluation>>,
}

impl Engine {
    fn new(settings: &Settings) -> Self {
        Engine { hash: settings.hash, two: None, more: None }
    }
}

impl Player<Position> for Engine {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let hash = self.hash;
        if situation.position().seats() == 2 {
            self.more = None;
            let two = self.two.get_or_insert_with(|| Star2Player::new(Evaluation::new(), hash));
            two.choose(situation, request, report)
        } else {
            self.two = None;
            let more = self
                .more
                .get_or_insert_with(|| VectorExpectimaxPlayer::new(Evaluation::new(), hash));
            more.choose(situation, request, report)
        }
    }

    fn new_game(&mut self) {
        if let Some(two) = &mut self.two {
            Player::<Position>::new_game(two);
        }
        if let Some(more) = &mut self.more {
            Player::<Position>::new_game(more);
        }
    }
}

/// What a reference player wants of a play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    /// Move the pawn that is furthest.
    Furthest,
    /// Hit as many as possible, else move the furthest.
    Hits,
    /// Progress and little exposure, for oneself and not for the others.
    Careful,
}

/// Takes the play that looks best at once; among equals a random one.
pub(super) struct OnePly {
    wish: Wish,
    random: Random,
}

impl OnePly {
    /// A player whose choices among equals follow from the seed.
    pub fn new(wish: Wish, seed: u64) -> Self {
        OnePly { wish, random: Random::new(seed) }
    }
}

/// How much a play from `before` to `after` is liked; compared part by part.
fn liking(wish: Wish, before: &Position, after: &Position) -> [f64; 2] {
    let side = before.side();
    if after.is_home(side) {
        return [f64::INFINITY, 0.0];
    }
    let furthest = || {
        // Squares, so that one pawn ahead counts for more than the same steps shared.
        let square = |index: &u8| f64::from(*index) * f64::from(*index);
        after.pawns(side).iter().map(square).sum()
    };
    let others = || before.sides().iter().filter(|other| **other != side);
    let at_home = |position: &Position| {
        let pawns = others().flat_map(|other| position.pawns(*other));
        pawns.filter(|index| **index == 0).count() as f64
    };
    match wish {
        Wish::Furthest => [furthest(), 0.0],
        Wish::Hits => [at_home(after) - at_home(before), furthest()],
        Wish::Careful => {
            let rivals: f64 = others().map(|other| worth(after, *other)).sum();
            let count = others().count().max(1) as f64;
            [worth(after, side) - rivals / count, furthest()]
        }
    }
}

impl Player<Position> for OnePly {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        situation.seat()?;
        let position = situation.position();
        let all = position.moves();
        let nodes = all.len() as u64;
        let allowed = all.iter().any(|m| request.allows(m));
        let mut best = None;
        let mut equals = 0;
        for m in all.into_iter().filter(|m| !allowed || request.allows(m)) {
            let mut next = position.clone();
            next.play(&m);
            let liking = liking(self.wish, position, &next);
            let (better, equal) = match &best {
                None => (true, false),
                Some((known, _)) => (liking > *known, liking == *known),
            };
            equals = if better { 1 } else { equals + u64::from(equal) };
            if better || equal && self.random.below(equals) == 0 {
                best = Some((liking, m));
            }
        }
        let (_, best) = best?;
        let mut info = Info::new(1, Score::Cp(0), vec![best]);
        info.nodes = nodes;
        info.time = request.control.elapsed();
        report(Report::Info(info));
        Some(Choice { best, ponder: None })
    }
}
