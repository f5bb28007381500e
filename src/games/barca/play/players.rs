//! The players of Barca, and `Playable`.

use super::book::BookPlayer;
use super::hints::is_noisy;
use super::network::Network;
use crate::game::{OptionSpec, OptionValues};
use crate::games::barca::rules::{Move, Position};
use crate::games::{BenchPosition, NamedPlayer, OWN_BOOK, PORTABLE, Playable};
use crate::machine::use_portable;
use crate::search::{
    AlphaBetaPlayer, Greedy, Ladder, Player, PvsConfig, PvsPlayer, RandomPlayer, Settings,
};

impl Playable for Position {
    const NAME: &'static str = "barca";
    const TITLE: &'static str = "Barca";
    const SHORT_RULES: &'static str = include_str!("../rules.md");
    const LESSONS: Option<&'static str> = Some(include_str!("../lessons.json"));
    const PUZZLES: Option<&'static str> = Some(include_str!("../puzzles.jsonl"));
    const PLAYERS: &'static [NamedPlayer<Self>] = &[
        NamedPlayer::new("engine", |settings| {
            let player = searching(Network::default(), settings);
            if OWN_BOOK.get(&settings.options) {
                Box::new(BookPlayer { player, seed: settings.seed })
            } else {
                player
            }
        }),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("greedy", |settings| {
            Box::new(Greedy::new(Network::default(), settings.seed))
        }),
        NamedPlayer::new("alphabeta", |_| Box::new(AlphaBetaPlayer::new(Network::default()))),
    ];

    const LADDER: Option<&'static Ladder> = Some(&LADDER);

    fn is_noisy(&self, m: &Move) -> bool {
        is_noisy(self, m)
    }

    fn engine_options() -> Vec<OptionSpec> {
        vec![PORTABLE.spec()]
    }

    fn configure(options: &OptionValues) {
        use_portable(PORTABLE.get(options));
    }

    fn explain_evaluation(&self) -> String {
        Network::default().explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        BENCH.iter().map(|position| BenchPosition { rules: "", position, depth: 7 }).collect()
    }
}

impl Position {
    /// The search parameters that play Barca best, as measured in `docs/search.md`: the test for a
    /// third hole in one move replaces quiescence search, and scares are reduced like any move.
    #[must_use]
    pub fn search_config() -> PvsConfig {
        PvsConfig {
            quiescence: false,
            extensions: 0,
            null_move: 4,
            reduction_base: 100,
            reduction_divisor: 150,
            reduction_noisy: 0,
            reduction_history: 9_000,
            late_move_pruning_slope: 2,
            futility: 80,
            reverse_futility: 15,
            internal_iterative_reduction: 3,
            noisy_history: true,
            singular: 6,
            aspiration: 11,
            ..PvsConfig::default()
        }
    }
}

/// The engine with a network, without the opening book.
#[must_use]
pub fn searching(network: Network, settings: &Settings) -> Box<dyn Player<Position>> {
    Box::new(PvsPlayer::new(network, Position::search_config(), settings))
}

/// The start, openings, middle games with and without forced escapes, wins in one move.
const BENCH: [&str; 10] = [
    "startpos",
    "startpos moves e2e4 e9e6",
    "startpos moves e2e4 e9e6 e4g4 e6g6 e1e3 f10e9",
    "startpos moves d2a5 g9j6 f1h1 d9c8",
    "fen 10/1m4l3/3E5m/1M8/5L4/10/M2E6/10/3e2L1e1/3l6 b",
    "fen 10/4l4m/e7m1/5M4/10/9E/8le/5E4/ML8/3L6 b",
    "fen 10/2E4e2/10/10/10/1e3m1M1L/lE8/l9/2m7/5M2L1 b",
    "fen 3m1e1l2/10/10/1E3mMl2/7L2/e5M3/7E2/10/4L5/10 w",
    "fen 10/7e2/M2e3l2/6m3/9L/2m7/1M8/10/E7E1/5L3l b",
    "fen 5e4/4m5/10/m4l4/8e1/10/1l8/2L3M3/6L1EE/5M4 w",
];

/// Fitted by `parlor-lab levels`.
const LADDER: Ladder = Ladder {
    noise: 150.0,
    nodes: 20_000.0,
    strengths: [8, 279, 420, 515, 572, 609, 655, 712, 786],
    elo: Some([490, 650, 855, 1060, 1240, 1345, 1515, 1705, 1890]),
};
