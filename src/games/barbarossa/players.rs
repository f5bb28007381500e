//! Players of Barbarossa: the engine, and the simple ones it is measured against.

pub mod belief;
mod bench;
mod engine;
mod movement;
mod plain;
mod questions;
mod sculpt;
mod table;
mod tally;
mod value;

use super::position::Position;
use crate::game::{OptionSpec, Situation};
use crate::games::{BenchPosition, Playable, Subcommand};
use crate::search::{Limits, Player, RandomPlayer, Report, Request, Settings};

pub use engine::{Engine, Style};
pub use plain::Plain;

impl Playable for Position {
    const NAME: &'static str = "barbarossa";
    const TITLE: &'static str = "Barbarossa";
    const PLAYERS: &'static [&'static str] = &["engine", "random", "plain"];

    fn player(name: &str, settings: &Settings) -> Box<dyn Player<Self>> {
        match name {
            "random" => Box::new(RandomPlayer::new(settings.seed)),
            "plain" => Box::new(Plain::new(settings.seed)),
            _ => Box::new(Engine::new(settings.seed, Style::from_options(&settings.options))),
        }
    }

    fn engine_options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::check("Jewel Plan", true, "spend jewels by plan; else always roll"),
            OptionSpec::check("Curses", true, "spend curse tokens; else pass in every window"),
            OptionSpec::spin("Features", 0, 0, 8, "features a sculpture shows; 0: as play advises"),
            OptionSpec::spin(
                "Wanted Noes",
                Style::NOES as i64,
                1,
                70,
                "tenths of NOs that guessers shall need for a sculpture, where Features is 0",
            ),
        ]
    }

    fn explain_evaluation(&self) -> String {
        explain(self)
    }

    fn bench() -> Vec<BenchPosition> {
        bench::POSITIONS.to_vec()
    }

    fn subcommands() -> Vec<Subcommand> {
        vec![bench::subcommand(), super::knowledge::recognise::subcommand()]
    }
}

/// What the engine would say of a position, in lines; the last is `score cp N`.
fn explain(position: &Position) -> String {
    let mut engine = Engine::new(1, Style::default());
    let mut lines = Vec::new();
    let mut score = 0;
    let request = Request::new(Limits::depth(1));
    engine.choose(&Situation::new(position.clone()), &request, &mut |report| match report {
        Report::Text(text) => lines.push(text),
        Report::Info(info) if info.multipv == 1 => {
            if let crate::search::Score::Cp(cp) = info.score {
                score = cp;
            }
        }
        Report::Info(_) => {}
    });
    if lines.is_empty() {
        lines.push("nobody decides here".into());
    }
    lines.push(format!("score cp {score}"));
    lines.join("\n")
}
