//! Luck and skill in games that were played, by a table.
//!
//! A turn is a roll and a play. What the roll changes in the value of the position, if it is played
//! best, is the luck of the player; what the play gives away against the best is its loss. So a
//! player's share of a game is the value of the start, plus its luck and the other's losses, less
//! its losses and the other's luck.

use std::collections::BTreeMap;

use std::io::BufRead;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;

use super::equity::{Mistake, keep_worst};
use super::player::plays;
use super::table::SolvedTable;
use crate::game::{Game, Notation, OptionValues, Rules, Turn};
use crate::games::chowka_bhara::rules::{Move, PAWNS, Position};
use crate::reading::{self, LONGEST_LINE, Most};

/// What a line may hold.
const MOST: Most =
    Most { bytes: LONGEST_LINE, values: 1_000_000, objects: 100_000, members: 1_000_000 };

/// The longest name in bytes, and the most players.
const LONGEST_NAME: usize = 1024;
const MOST_PLAYERS: usize = 10_000;

/// A line of a record file.
#[derive(Deserialize)]
struct Line {
    rules: Option<String>,
    seating: Option<Vec<String>>,
    start: Option<String>,
    moves: Option<Vec<Token>>,
}

/// A token of a game.
#[derive(Deserialize)]
struct Token {
    token: Option<String>,
}

/// What a table says of one player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Skill {
    /// Games of which the table knows at least one turn.
    pub games: u64,
    /// Turns with a choice that the table knows.
    pub turns: u64,
    /// What the plays of those turns lost, in wins.
    pub lost: f64,
    /// What the rolls of all turns that the table knows gained, in wins.
    pub luck: f64,
    /// Turns that the table does not know.
    pub unknown: u64,
}

/// What a table says of some games.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// By name.
    pub players: BTreeMap<String, Skill>,
    /// The greatest losses, the greatest first.
    pub worst: Vec<Mistake>,
    /// Games.
    pub games: u64,
}

/// Reads records of `parlor match`, or lines `position startpos moves t2 ...`, and analyses every
/// game; in the latter the players are called South and North.
///
/// # Errors
/// When a line is no game of this table's rules, or a move is not legal.
pub fn analyse(table: &SolvedTable, text: &mut dyn BufRead) -> anyhow::Result<Analysis> {
    let mut analysis = Analysis::default();
    let mut rules = Position::default_rules();
    let mut pawns = table.header().pawns.to_string();
    let (mut bytes, mut number) = (Vec::new(), 0);
    while reading::line(text, &mut bytes)? > 0 {
        number += 1;
        let mut read = || -> anyhow::Result<()> {
            let line = std::str::from_utf8(&bytes).context("it is no text")?.trim_end();
            if line.is_empty() {
                return Ok(());
            }
            if !line.starts_with('{') {
                rules.set("Pawns", &pawns)?;
                let text = line.trim().strip_prefix("position ").unwrap_or(line.trim());
                let (start, moves) = text.split_once(" moves").unwrap_or((text, ""));
                let names = ["South", "North"].map(str::to_owned);
                return analysis.add(table, &rules, start, moves.split_whitespace(), &names);
            }
            let line: Line = reading::json(line.as_bytes(), &MOST).context("it is no record")?;
            if let Some(listed) = &line.rules {
                for (name, value) in listed.split(' ').filter_map(|rule| rule.split_once('=')) {
                    rules.set(name, value)?;
                }
                pawns = PAWNS.get(&rules).to_string();
                return Ok(());
            }
            let Some(moves) = &line.moves else { return Ok(()) };
            let names = line.seating.context("no seating")?;
            let names: [String; 2] = names.try_into().ok().context("tables are of two players")?;
            ensure!(
                names.iter().all(|name| name.len() <= LONGEST_NAME),
                "a name of more than {LONGEST_NAME} bytes"
            );
            let start = line.start.as_deref().unwrap_or("startpos");
            let (start, before) = start.split_once(" moves").unwrap_or((start, ""));
            let tokens = moves.iter().filter_map(|m| m.token.as_deref());
            let tokens = before.split_whitespace().chain(tokens);
            analysis.add(table, &rules, start, tokens, &names)
        };
        read().with_context(|| format!("line {number}"))?;
        ensure!(analysis.players.len() <= MOST_PLAYERS, "more than {MOST_PLAYERS} players");
        bytes.clear();
    }
    ensure!(analysis.games > 0, "there is no game in it");
    Ok(analysis)
}

impl Analysis {
    fn add<'a>(
        &mut self,
        table: &SolvedTable,
        rules: &OptionValues,
        start: &str,
        tokens: impl Iterator<Item = &'a str>,
        names: &[String; 2],
    ) -> anyhow::Result<()> {
        let mut position = match start.strip_prefix("fen ") {
            Some(text) => Position::parse(text, rules, None)?,
            None if start == "startpos" => Position::start(rules, None)?,
            None => bail!("it begins with '{start}', not with startpos or fen"),
        };
        let mut skills = [Skill::default(); 2];
        // The value of the position before the roll.
        let mut before = table.value_of(&position);
        for token in tokens {
            let m = position.parse_move(token)?;
            if !position.is_legal(&m) {
                let why = position.explain_illegal(&m);
                bail!("{token} is not legal in {position}: {why}");
            }
            if let Turn::Seat(seat) = position.turn() {
                let skill = &mut skills[seat.index().min(1)];
                self.turn(table, &position, &m, before, skill, &names[seat.index().min(1)]);
                position.play(&m);
                before = table.value_of(&position);
            } else {
                position.play(&m);
            }
        }
        self.games += 1;
        for (name, skill) in names.iter().zip(skills) {
            let known = self.players.entry(name.clone()).or_default();
            known.games += u64::from(skill.turns > 0);
            known.turns += skill.turns;
            known.lost += skill.lost;
            known.luck += skill.luck;
            known.unknown += skill.unknown;
        }
        Ok(())
    }

    fn turn(
        &mut self,
        table: &SolvedTable,
        position: &Position,
        m: &Move,
        before: Option<f32>,
        skill: &mut Skill,
        name: &str,
    ) {
        let (Some(list), Some(before)) = (plays(table, position), before) else {
            skill.unknown += 1;
            return;
        };
        let Some((best, value)) = list.first().copied() else { return };
        skill.luck += f64::from(value - before);
        if list.len() == 1 {
            return;
        }
        // A play may be written with its steps in another order than it is listed.
        let after = |m: &Move| {
            let mut next = position.clone();
            next.play(m);
            next
        };
        let chosen = after(m);
        let chosen = list.iter().find(|(listed, _)| after(listed) == chosen);
        let lost = chosen.map_or(0.0, |(_, chosen)| f64::from(value - chosen));
        skill.turns += 1;
        skill.lost += lost;
        keep_worst(&mut self.worst, || Mistake::new(name, position, m, &best, lost), lost);
    }
}
