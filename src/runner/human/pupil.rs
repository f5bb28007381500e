//! A person at the positions of a course or of puzzles: each is loaded as a game in progress.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::display::{Shown, say};
use super::game::HumanGame;
use super::lists::Typed;
use super::loaded::Loaded;
use super::{Colors, HumanOptions, examine};
use crate::picture::Place;
use crate::protocol::{PositionLine, seat_index};
use crate::runner::process::Specification;
use crate::runner::tournament::record::Move;

// What `learn` and `puzzle` are both told. No doc comment: it would describe the commands.
#[derive(Clone, Debug, Args)]
pub(super) struct PupilOptions {
    /// The engine of the game: NAME of a built-in one, or as for `parlor match`
    #[arg(value_name = "ENGINE")]
    pub(super) engine: String,
    /// Colours; auto: at a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, default_value_t = Colors::Auto, value_name = "WHEN")]
    pub(super) color: Colors,
    /// Draw with ASCII alone [default: where the locale is not UTF-8]
    #[arg(long)]
    ascii: bool,
}

/// What was typed at a position.
pub(super) enum Read<T> {
    /// One of the words of the command.
    Word(T),
    /// An empty line.
    Enter,
    /// A legal move.
    Token(String),
    /// The input has ended.
    End,
}

/// A person, and the position as the game in progress.
pub(super) struct Pupil<'a> {
    pub(super) game: HumanGame,
    /// The rule options of the game in progress.
    rules: BTreeMap<String, String>,
    options: &'a PupilOptions,
    built_in: &'a [&'a str],
}

impl<'a> Pupil<'a> {
    /// Starts the engine as the one that knows the game; nobody plays against the person.
    pub(super) fn start(options: &'a PupilOptions, built_in: &'a [&'a str]) -> Result<Self> {
        let rules = BTreeMap::new();
        let game = start_game(options, &rules, built_in)?;
        Ok(Pupil { game, rules, options, built_in })
    }

    /// The game as people call it.
    pub(super) fn title(&self) -> String {
        let title = self.game.display.title();
        title.unwrap_or_else(|| self.game.program.engine.name.clone())
    }

    /// Stands at a place, draws it, and tells what is to be read there.
    pub(super) fn stand(&mut self, place: &Place, told: &[String]) -> Result<()> {
        if place.rules != self.rules {
            let game = start_game(self.options, &place.rules, self.built_in)?;
            std::mem::replace(&mut self.game, game).quit();
            self.rules.clone_from(&place.rules);
        }
        let line = PositionLine::read(&place.position).context("a place without a position")?;
        let Loaded { start, moves, .. } =
            Loaded::position(line.as_str(), self.game.program.engine.clone());
        let game = &mut self.game;
        let seat = seat_index(&place.seat, game.display.names.len());
        let seat = seat.context("a place of a seat that there is not")?;
        game.course.start = start;
        game.course.moves = moves;
        game.course.look_back(game.course.moves.len())?;
        ensure!(game.course.decider() == Some(seat), "a place where {} decides not", place.seat);
        game.people = vec![seat];
        game.viewer = seat;
        game.typed = Typed::default();
        game.display.forget();
        game.display.turn_board(&[seat]);
        let told = self.tell(told);
        self.game.draw()?;
        if self.game.display.beside.is_none() {
            told.iter().for_each(|line| say(line));
        }
        Ok(())
    }

    /// At a terminal, has what is to be read stand beside the board; returns it.
    pub(super) fn tell(&mut self, told: &[String]) -> Vec<String> {
        let game = &mut self.game;
        let told: Vec<String> = told.iter().map(|line| game.display.named(line)).collect();
        game.display.beside = game.editor.is_terminal().then(|| told.join("\n"));
        told
    }

    /// Says, once, what else may be typed: below the board, where it stays on the screen.
    pub(super) fn offer(&mut self, words: &str) {
        if self.game.display.explains(words) {
            say(words);
        }
    }

    /// Plays the right move and what the other answers, and draws.
    pub(super) fn answer(&mut self, token: String, reply: &str) -> Result<()> {
        for token in [token, reply.to_owned()] {
            let decider = self.game.course.decider();
            if let Some(seat) = decider.filter(|seat| *seat != self.game.viewer) {
                let shown = Shown { token: Some(&token), ..Shown::default() };
                self.game.display.played(seat, &shown);
            }
            self.game.course.append(Move { token, ..Move::default() })?;
        }
        self.game.typed = Typed::default();
        self.game.draw()
    }

    /// Reads lines until one is a legal move, or a word of the command.
    pub(super) fn read<T>(&mut self, word: fn(&[&str]) -> Option<T>) -> Result<Read<T>> {
        let game = &mut self.game;
        loop {
            if game.editor.is_terminal() {
                let candidates = game.candidates()?;
                game.editor.offer(candidates);
            }
            let prompt = format!("{}> ", game.name(game.viewer));
            let Some(line) = game.editor.read_on(&prompt, &mut game.typed.begun) else {
                return Ok(Read::End);
            };
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [] if game.typed.begun.is_empty() => return Ok(Read::Enter),
                [] => {
                    let begun = game.typed.begun.clone();
                    game.follows(&begun)?;
                }
                ["quit" | "exit"] => return Ok(Read::End),
                ["?" | "list", ref rest @ ..] => {
                    let rest: Vec<String> = rest.iter().map(|word| (*word).to_owned()).collect();
                    game.choices(&rest)?;
                }
                ["rules" | "legend" | "board" | "d" | "flip"] | ["card" | "about", _] => {
                    game.common_command(&words)?;
                }
                _ => {
                    if let Some(found) = word(&words) {
                        return Ok(Read::Word(found));
                    }
                    if let Some(token) = game.understand(&words)? {
                        game.typed.played();
                        return Ok(Read::Token(token));
                    }
                }
            }
        }
    }
}

/// A game without engines in its seats.
fn start_game(
    options: &PupilOptions,
    rules: &BTreeMap<String, String>,
    built_in: &[&str],
) -> Result<HumanGame> {
    let own = HumanOptions { seat: "all".into(), ascii: options.ascii, ..HumanOptions::default() };
    let rules = rules.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let engine = Specification::parse(&options.engine, None, built_in)?;
    let loaded = Loaded::position("startpos", engine.clone());
    let (program, abilities) = examine(engine, options.engine.clone(), rules, built_in)?;
    HumanGame::start(program, abilities, &own, loaded)
}
