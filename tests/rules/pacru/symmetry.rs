//! Properties of the rules: symmetry, colours that stay.

use parlor::game::Game;
use parlor::games::pacru::{Field, Position};

use super::vectors::counts;
use super::{position, rules, start};
use crate::properties::{check_position, random_walk};

#[test]
fn positions_of_random_games_have_every_generic_property() {
    for (players, seed_games) in [("2", 12), ("3", 8), ("4", 8)] {
        let rules = rules(&[("Players", players)]);
        random_walk::<Position>(&rules, seed_games, 120, |position| {
            if position.count_moves() < 6_000 {
                check_position(position, &rules);
            }
        });
    }
}

/// The board turned a quarter clockwise, seats exchanged where `swap` says so.
fn turned(text: &str, swap: bool) -> String {
    let (board, rest) = text.split_once(' ').unwrap();
    let mut grid: Vec<Vec<String>> = Vec::new();
    for line in board.split('/') {
        let mut row = Vec::new();
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match c {
                '1'..='9' => (0..c as usize - '0' as usize).for_each(|_| row.push(".".into())),
                '[' => {
                    let body: String = chars.by_ref().take_while(|c| *c != ']').collect();
                    row.push(turned_chevron(&body, swap));
                }
                _ if swap => row.push(if c == 'a' { "b" } else { "a" }.into()),
                _ => row.push(c.into()),
            }
        }
        grid.push(row);
    }
    // Row by row from the top: the new row is the old column, read from the bottom.
    let lines: Vec<String> = (0..9)
        .map(|row| {
            let cells: Vec<&str> = grid.iter().rev().map(|line| line[row].as_str()).collect();
            written(&cells)
        })
        .collect();
    let mut rest = rest.to_string();
    if swap {
        rest = if rest.starts_with('1') {
            rest.replacen('1', "2", 1)
        } else {
            rest.replacen('2', "1", 1)
        };
    }
    format!("{} {rest}", lines.join("/"))
}

fn written(cells: &[&str]) -> String {
    let mut line = String::new();
    for run in cells.chunk_by(|a, b| *a == "." && *b == ".") {
        match run {
            [".", ..] => line += &run.len().to_string(),
            _ => line += &run.concat(),
        }
    }
    line
}

fn turned_chevron(body: &str, swap: bool) -> String {
    let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
    let star = if body.ends_with('*') { "*" } else { "" };
    let facing = names.iter().position(|n| *n == body[1..].trim_end_matches('*')).unwrap();
    let player = match (&body[..1], swap) {
        ("1", true) => "2",
        (_, true) => "1",
        (same, false) => same,
    };
    format!("[{player}{}{star}]", names[(facing + 2) % 8])
}

/// The two-player start is point-symmetric: half a turn exchanges the players. (A quarter turn would
/// carry a3 to c9, where nobody stands; that the rules themselves know no direction is the next test.)
#[test]
fn the_two_player_start_is_its_own_half_turn_with_the_players_exchanged() {
    let first = start("2").to_string();
    let exchanged = turned(&turned(&first, true), false);
    let second = first.replacen(" 1 2", " 2 2", 1);
    assert_eq!(exchanged, second);
    assert_eq!(counts(&position(&second), 3), counts(&position(&first), 3));
}

#[test]
fn turning_the_board_changes_no_count() {
    random_walk::<Position>(&rules(&[]), 8, 80, |here| {
        let text = here.to_string();
        if here.turn().is_over() {
            return;
        }
        for swap in [false, true] {
            let there = position(&turned(&text, swap));
            assert_eq!(there.count_moves(), here.count_moves(), "{text}");
            let sorted = |p: &Position| {
                let mut all: Vec<u64> = Vec::new();
                let _ = p.for_each_move::<()>(|m| {
                    let mut next = p.clone();
                    next.play(&m);
                    all.push(next.count_moves());
                    std::ops::ControlFlow::Continue(())
                });
                all.sort_unstable();
                all
            };
            if here.count_moves() < 1_500 {
                assert_eq!(sorted(&there), sorted(here), "{text}");
            }
        }
    });
}

#[test]
fn fields_under_chevrons_never_change_colour() {
    for players in ["2", "3", "4"] {
        random_walk::<Position>(&rules(&[("Players", players)]), 10, 100, |position| {
            let mut left = 400;
            let _ = position.for_each_move(|m| {
                let mut next = position.clone();
                next.play(&m);
                for field in Field::all() {
                    let here = position.chevron(field);
                    if here.is_some() && here == next.chevron(field) {
                        assert_eq!(position.marker(field), next.marker(field), "{m:?}");
                    }
                }
                left -= 1;
                if left == 0 {
                    return std::ops::ControlFlow::Break(());
                }
                std::ops::ControlFlow::Continue(())
            });
        });
    }
}
