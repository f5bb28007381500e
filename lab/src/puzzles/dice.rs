//! Plays of Chowka bhara with what every other play loses, by the solved game.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use indexmap::IndexMap;
use parlor::game::{Game, Notation, OptionValues, Seat};
use parlor::games::chowka_bhara::solved::{SolvedTable, plays};
use parlor::games::chowka_bhara::{Move, Position};
use parlor::picture::{Puzzle, Solution};

use super::place_of;
use super::rating::{nodes_to_find, rating, weakest_level};
use super::sources::{Strength, options, play};

/// How many plays a position may have.
const PLAYS: std::ops::RangeInclusive<usize> = 3..=16;

/// The least that the second best play loses, and that the worst one does, in wins.
const SECOND: f32 = 0.01;
const WORST: f32 = 0.03;

/// Puzzles of a game.
const OF_A_GAME: usize = 3;

/// The tables of files.
pub fn read_tables(paths: &[PathBuf]) -> Result<Vec<SolvedTable>> {
    ensure!(!paths.is_empty(), "--table FILE: which solved games?");
    paths.iter().map(|path| SolvedTable::read(path)).collect()
}

/// Every play with its value, the best first.
fn valued(tables: &[SolvedTable], position: &Position) -> Option<Vec<(Move, f32)>> {
    tables.iter().find_map(|table| plays(table, position))
}

/// Puzzles of one game after the other, from as many games of each table.
pub fn source(seed: u64, paths: &[PathBuf]) -> Result<impl FnMut(u64) -> Vec<Puzzle>> {
    let tables = read_tables(paths)?;
    Ok(move |game| {
        let table = &tables[game as usize % tables.len()];
        let pawns = table.header().pawns.to_string();
        let Ok(options) = options::<Position>(&[("Players", "2"), ("Pawns", &pawns)]) else {
            return Vec::new();
        };
        let mut puzzles: Vec<Puzzle> = Vec::new();
        // The rules of the options were accepted before.
        let _ = play::<Position>(&options, (seed, game), Strength::Weak, &mut |now| {
            puzzles.extend(puzzle(&tables, now.position(), &options));
            puzzles.len() < OF_A_GAME
        });
        puzzles
    })
}

/// The losses of all plays but the best, in thousandths of a game; `None` where it is no puzzle.
fn losses(position: &Position, list: &[(Move, f32)]) -> Option<BTreeMap<String, u32>> {
    let ((_, best), (_, second), (_, worst)) = (list.first()?, list.get(1)?, list.last()?);
    let clear = best - second >= SECOND && best - worst >= WORST;
    if !PLAYS.contains(&list.len()) || !clear {
        return None;
    }
    let lost =
        |(m, value): &(Move, f32)| (position.token(m), (1000.0 * (best - value)).round() as u32);
    Some(list[1..].iter().map(lost).collect())
}

fn puzzle(tables: &[SolvedTable], position: &Position, options: &OptionValues) -> Option<Puzzle> {
    let list = valued(tables, position)?;
    let loss = losses(position, &list)?;
    let first = list[0].0;
    let seat: Seat = position.turn().seat()?;
    let is_right = |m: &Move| *m == first;
    let nodes = nodes_to_find(position, options, &is_right);
    let accept = vec![position.token(&first)];
    Some(Puzzle {
        id: String::new(),
        place: place_of(position, seat),
        text: "Which play is best?".into(),
        solution: Solution { accept, replies: IndexMap::new() },
        goal: "best".into(),
        rating: rating(nodes),
        level: weakest_level(position, options, &is_right).ok()?,
        nodes,
        themes: vec!["best play".into()],
        loss,
    })
}

/// Values every play again.
pub fn check(tables: &[SolvedTable], puzzle: &Puzzle) -> Result<()> {
    let position: Position = super::position_of(&puzzle.place)?;
    let list = valued(tables, &position).context("no table knows the position")?;
    let loss = losses(&position, &list).context("no play is clearly the best")?;
    ensure!(puzzle.solution.accept == [position.token(&list[0].0)], "another play is the best");
    ensure!(loss == puzzle.loss, "the losses are {loss:?}");
    Ok(())
}
