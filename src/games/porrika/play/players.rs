//! The players of option `Player`, and what [`Playable`] asks of the game.

#[cfg(feature = "engine")]
use std::sync::Arc;

use super::evaluation::{Distance, Evaluation, explain};
#[cfg(feature = "engine")]
use crate::game::{Check, Text};
use crate::game::{OptionSpec, OptionValues, Situation};
use crate::games::porrika::rules::{Move, Position};
#[cfg(feature = "engine")]
use crate::games::porrika::solved::TablebaseCache;
use crate::games::{BenchPosition, NamedPlayer, PORTABLE, Playable};
use crate::machine::use_portable;
use crate::search::{
    AlphaBetaPlayer, Choice, Ladder, Player, PvsConfig, PvsPlayer, RandomPlayer, Report, Request,
    SearchHints, Settings,
};

fn config() -> PvsConfig {
    PvsConfig { improving: true, ..PvsConfig::default() }
}

/// The engine: principal variation search, and tablebases generated in the background.
pub struct EnginePlayer {
    search: PvsPlayer<Position, Evaluation>,
    #[cfg(feature = "engine")]
    tablebases: Option<Tablebases>,
    /// What was wrong with the files of option `EndgamePath`, until it is reported.
    #[cfg(feature = "engine")]
    file_errors: Vec<String>,
}

impl EnginePlayer {
    /// An engine with the given settings; option `EndgameTables` turns tablebases on.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        EnginePlayer::with(Evaluation::default(), settings)
    }

    /// An engine with another evaluation.
    #[must_use]
    pub fn with(evaluation: Evaluation, settings: &Settings) -> Self {
        EnginePlayer {
            #[cfg(feature = "engine")]
            file_errors: open_tablebases(&evaluation, settings),
            #[cfg(feature = "engine")]
            tablebases: ENDGAME_TABLES.get(&settings.options).then(|| Tablebases {
                cache: evaluation.tablebases().clone(),
                threads: settings.threads,
            }),
            search: PvsPlayer::new(evaluation, config(), settings),
        }
    }
}

#[cfg(feature = "engine")]
impl EnginePlayer {
    /// Whether a tablebase was generated, or its generation was begun.
    #[must_use]
    pub fn has_begun_a_table(&self) -> bool {
        self.tablebases.as_ref().is_some_and(|tablebases| tablebases.cache.has_begun())
    }
}

/// Opens the files of option `EndgamePath`, and returns what was wrong.
#[cfg(feature = "engine")]
fn open_tablebases(evaluation: &Evaluation, settings: &Settings) -> Vec<String> {
    match ENDGAME_PATH.get(&settings.options) {
        "" => Vec::new(),
        folder => evaluation.tablebases().open_folder(std::path::Path::new(folder)),
    }
}

/// The tablebases of one player.
#[cfg(feature = "engine")]
struct Tablebases {
    cache: Arc<TablebaseCache>,
    threads: usize,
}

/// A search of less than this many nodes, or no deeper than this, costs less than a tablebase: to
/// generate one takes 0.6 s, in which a thread visits about 200,000 nodes.
#[cfg(feature = "engine")]
const SMALL: (u64, u32) = (200_000, 8);

/// Whether a search is over before a tablebase could be worth its time.
#[cfg(feature = "engine")]
fn is_small(limits: &crate::search::Limits) -> bool {
    let (nodes, depth) = SMALL;
    limits.nodes.is_some_and(|most| most < nodes) || limits.depth.is_some_and(|most| most <= depth)
}

#[cfg(feature = "engine")]
impl Tablebases {
    /// Starts generating the tablebase of a position, and waits for it where the search must not
    /// depend on time. A small search neither generates one nor uses what is there: that may be the
    /// work of another thread, and be done or not.
    fn prepare(&self, position: &Position, request: &Request<Move>) {
        let limits = &request.limits;
        let is_timed = limits.soft.is_some() || limits.hard.is_some();
        let is_small = !is_timed && is_small(limits);
        self.cache.use_generated(!is_small);
        if is_small {
            return;
        }
        self.cache.prepare(position, self.threads);
        if !is_timed && (limits.depth.is_some() || limits.nodes.is_some()) {
            self.cache.wait(|| request.control.stopped());
        }
    }
}

impl Player<Position> for EnginePlayer {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        #[cfg(feature = "engine")]
        for error in self.file_errors.drain(..) {
            report(Report::BadOption(format!("EndgamePath: {error}; playing without it")));
        }
        #[cfg(feature = "engine")]
        if let Some(tablebases) = &self.tablebases {
            tablebases.prepare(situation.position(), request);
        }
        self.search.choose(situation, request, report)
    }

    fn new_game(&mut self) {
        self.search.new_game();
    }

    fn get_ready(&mut self, position: &Position) {
        self.search.get_ready(position);
    }
}

/// The player `greedy`: a search one move deep, which sees what is taken next.
struct OneMove(PvsPlayer<Position, Evaluation>);

impl Player<Position> for OneMove {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let mut request = request.clone();
        request.limits.depth = request.limits.depth.min(Some(1)).or(Some(1));
        self.0.choose(situation, &request, report)
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }
}

#[cfg(feature = "engine")]
const ENDGAME_TABLES: Check = Check::new(
    "EndgameTables",
    true,
    "solve the ending in the background once three pairs are locked",
);
#[cfg(feature = "engine")]
const ENDGAME_PATH: Text = Text::new(
    "EndgamePath",
    "",
    "a folder of solved endings and certificates of wins; the search probes them",
);

impl Playable for Position {
    const NAME: &'static str = "porrika";
    const TITLE: &'static str = "Por'rika";
    const SHORT_RULES: &'static str = include_str!("../rules.md");
    const LESSONS: Option<&'static str> = Some(include_str!("../lessons.json"));
    const PUZZLES: Option<&'static str> = Some(include_str!("../puzzles.jsonl"));
    const PLAYERS: &'static [NamedPlayer<Self>] = &[
        NamedPlayer::new("engine", |settings| Box::new(EnginePlayer::new(settings))),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("greedy", |settings| {
            Box::new(OneMove(PvsPlayer::new(Evaluation::default(), config(), settings)))
        }),
        NamedPlayer::new("alphabeta", |_| Box::new(AlphaBetaPlayer::new(Evaluation::default()))),
        NamedPlayer::new("terms", |settings| {
            Box::new(EnginePlayer::with(Evaluation::terms(), settings))
        }),
        NamedPlayer::new("distance", |_| Box::new(AlphaBetaPlayer::new(Distance))),
    ];

    const LADDER: Option<&'static Ladder> = Some(&LADDER);
    const LIMITED_OPTIONS: &'static [(&'static str, &'static str)] = &[("EndgameTables", "false")];

    fn is_noisy(&self, m: &Move) -> bool {
        Evaluation::default().hint_move(self, m).priority > 0
    }

    fn engine_options() -> Vec<OptionSpec> {
        vec![
            #[cfg(feature = "engine")]
            ENDGAME_TABLES.spec(),
            #[cfg(feature = "engine")]
            ENDGAME_PATH.spec(),
            PORTABLE.spec(),
        ]
    }

    fn configure(options: &OptionValues) {
        use_portable(PORTABLE.get(options));
    }

    fn explain_evaluation(&self) -> String {
        explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        // Without the solver there is no such option.
        let rules = if cfg!(feature = "engine") { "EndgameTables=false" } else { "" };
        BENCH
            .iter()
            .map(|(position, depth)| BenchPosition { rules, position, depth: *depth })
            .collect()
    }
}

/// The set-up, openings, middlegames with locked pairs, endgames with and without a free Ser'ra.
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

/// Chosen by `parlor-lab levels measure porrika --nodes 200000 --strengths ...`. Between good players
/// copper wins whatever silver does: there is no room for wider steps.
const LADDER: Ladder = Ladder {
    noise: 20.0,
    nodes: 200_000.0,
    strengths: [5, 195, 275, 450, 488, 577, 640, 745, 930],
    elo: None,
};
