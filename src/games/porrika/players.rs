//! Who plays Por'rika, and what the program says about it.

use super::evaluation::{Distance, Evaluation, explain};
use super::moves::Move;
use super::position::Position;
use super::{solve, tune};
use crate::game::{OptionSpec, OptionValues, Situation};
use crate::games::{BenchPosition, NamedPlayer, Playable, Subcommand};
use crate::machine::use_portable;
use crate::search::{
    AlphaBetaPlayer, Choice, Greedy, Player, PvsConfig, PvsPlayer, RandomPlayer, Report, Request,
    Settings,
};

/// The engine: principal variation search, and endings solved in the background.
pub struct Engine {
    search: PvsPlayer<Position, Evaluation>,
    evaluation: Evaluation,
    tables: bool,
    threads: usize,
}

impl Engine {
    /// An engine with the given settings; option `EndgameTables` says whether it solves endings.
    pub fn new(settings: &Settings) -> Self {
        Engine::with(Evaluation::default(), settings)
    }

    /// An engine with another evaluation.
    pub fn with(evaluation: Evaluation, settings: &Settings) -> Self {
        Engine {
            search: PvsPlayer::new(evaluation.clone(), config(), settings),
            evaluation,
            tables: settings.options.flag("EndgameTables"),
            threads: settings.threads,
        }
    }
}

/// The numbers of the search that suit this game.
fn config() -> PvsConfig {
    PvsConfig::default()
}

impl Player<Position> for Engine {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        if self.tables {
            let shelf = self.evaluation.shelf();
            shelf.prepare(situation.position(), self.threads);
            // A search without a clock must not hang on how fast the table is ready.
            let limits = &request.limits;
            let clock = limits.soft.is_some() || limits.hard.is_some();
            if !clock && (limits.depth.is_some() || limits.nodes.is_some()) {
                shelf.wait(|| request.control.stopped());
            }
        }
        self.search.choose(situation, request, report)
    }

    fn new_game(&mut self) {
        self.search.new_game();
    }
}

impl Playable for Position {
    const NAME: &'static str = "porrika";
    const TITLE: &'static str = "Por'rika";
    const PLAYERS: &'static [NamedPlayer<Self>] = &[
        NamedPlayer::new("engine", |settings| Box::new(Engine::new(settings))),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("greedy", |settings| {
            Box::new(Greedy::new(Evaluation::default(), settings.seed))
        }),
        NamedPlayer::new("alphabeta", |_| Box::new(AlphaBetaPlayer::new(Evaluation::default()))),
        NamedPlayer::new("distance", |_| Box::new(AlphaBetaPlayer::new(Distance))),
    ];

    fn engine_options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::check(
                "EndgameTables",
                true,
                "solve the ending in the background once three pairs are locked",
            ),
            OptionSpec::check(
                "Portable",
                false,
                "use no instructions that only some processors have; results are the same",
            ),
        ]
    }

    fn configure(options: &OptionValues) {
        use_portable(options.flag("Portable"));
    }

    fn explain_evaluation(&self) -> String {
        explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        let rules = "EndgameTables=false";
        BENCH
            .iter()
            .map(|(position, depth)| BenchPosition { rules, position, depth: *depth })
            .collect()
    }

    fn subcommands() -> Vec<Subcommand> {
        vec![solve::subcommand(), tune::subcommand()]
    }
}

/// Set-ups, openings, middle games with pairs locked, and endings of both kinds.
const BENCH: [(&str, u32); 8] = [
    ("startpos", 3),
    ("startpos moves EGGEG.G.", 7),
    ("startpos moves GEGEG.G. d1nc2n b6wb5e", 7),
    ("fen -,Gs,-,-/-,En,-,-/GnSs,-,Gw,-/-,Ee,-,-/-,-,-,-/-,SsSw,Se,-/-,-,-,- c", 7),
    ("fen -,Gs,-,-/-,En,-,-/GnSs,-,Gw,-/-,Ee,-,-/-,-,-,-/-,SsSw,Se,-/-,-,-,- s", 7),
    ("fen -,-,-,-/-,Gn,Gw,-/GnSs,-,-,GnSs/-,Ee,Sn,-/-,-,-,-/Sn,-,En,-/-,-,-,- c", 8),
    ("fen -,EnEe,-,-/-,-,-,-/-,-,Gw,-/GnSs,GnSs,-,-/-,GeSw,-,-/-,Ss,-,-/-,-,-,- c", 9),
    ("fen EnEe,-,-,-/-,-,-,-/GnSs,-,-,GnSs/GnSs,-,-,-/-,GnSs,-,-/-,-,-,-/-,-,-,- c", 10),
];
