//! The players, and Chowka bhara as the engine sees it.

use super::evaluation::{Evaluation, explain};
use super::rule_player::{Goal, RulePlayer};
use super::search_player::SearchPlayer;
#[cfg(feature = "engine")]
use super::table;
#[cfg(feature = "engine")]
use crate::game::{OptionSpec, Text};
use crate::games::chowka_bhara::rules::Position;
use crate::games::{BenchPosition, NamedPlayer, Playable};
use crate::search::{Ladder, MaxNPlayer, Player, RandomPlayer, Settings};

#[cfg(feature = "engine")]
const TABLE_FILE: Text =
    Text::new("TableFile", "", "a table of the solved game: perfect play where it can");

impl Playable for Position {
    const NAME: &'static str = "chowka-bhara";
    const TITLE: &'static str = "Chowka bhara";
    const SHORT_RULES: &'static str = include_str!("../rules.md");
    const LESSONS: Option<&'static str> = Some(include_str!("../lessons.json"));
    const PUZZLES: Option<&'static str> = Some(include_str!("../puzzles.jsonl"));
    const PLAYERS: &'static [NamedPlayer<Self>] = &[
        NamedPlayer::new("engine", engine),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
        NamedPlayer::new("greedy", |settings| by_rules(Goal::Steps, settings)),
        NamedPlayer::new("hits", |settings| by_rules(Goal::Hits, settings)),
        NamedPlayer::new("careful", |settings| by_rules(Goal::Careful, settings)),
        NamedPlayer::new("expectimax", |_| Box::new(MaxNPlayer::new(Evaluation::new()))),
    ];

    const LADDER: Option<&'static Ladder> = Some(&LADDER);

    #[cfg(feature = "engine")]
    fn engine_options() -> Vec<OptionSpec> {
        vec![TABLE_FILE.spec()]
    }

    fn explain_evaluation(&self) -> String {
        explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        let bench = |(rules, position, depth)| BenchPosition { rules, position, depth };
        BENCH.iter().copied().map(bench).collect()
    }
}

fn engine(settings: &Settings) -> Box<dyn Player<Position>> {
    #[cfg(feature = "engine")]
    match TABLE_FILE.get(&settings.options) {
        "" => table::forget(),
        path => return table::with_table(path, settings.hash),
    }
    Box::new(SearchPlayer::new(Evaluation::new(), settings.hash))
}

fn by_rules(goal: Goal, settings: &Settings) -> Box<dyn Player<Position>> {
    Box::new(RulePlayer::new(goal, settings.seed))
}

/// Openings, contact, races, three and four seats, a larger board.
const BENCH: [(&str, &str, u32); 10] = [
    ("", "startpos moves t2", 3),
    ("", "startpos moves t4 t3", 3),
    ("", "fen 2.5.18.18/-/3.3.7.16/- N SN - 2", 3),
    ("", "fen 0.9.10.13/-/3.8.8.14/- S - - 8+2", 2),
    ("", "fen 1.6.17.17/-/2.8.11.11/- N SN - 2", 2),
    ("", "fen 18.18.20.21/-/12.15.23.23/- N SN - 2", 3),
    ("Pawns=2", "fen 5.14/-/3.9/- S - - 2", 4),
    ("Players=3", "fen 0.0.7.8/6.20.22.23/0.3.5.7/- N SEN - 3", 2),
    ("Players=4", "fen 5.13.13.13/0.0.8.8/0.2.7.21/0.2.8.10 S SENW - 2", 2),
    ("Board=7", "fen 0.0.3.9.14.22/-/0.0.5.8.13.20/- S - - 4", 2),
];

/// Even steps on the curve of `parlor-lab levels curve`, where luck hides the single step.
const LADDER: Ladder = Ladder {
    noise: 150.0,
    nodes: 5_000.0,
    strengths: [200, 285, 370, 455, 540, 620, 700, 790, 850],
    elo: None,
};
