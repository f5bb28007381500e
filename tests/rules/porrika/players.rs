//! The players: the engine on a suite of proved wins, and the names of option `Player`.

use parlor::game::{Game, Notation, OptionValues, Random, Rules, Seat, Situation};
use parlor::games::Playable;
use parlor::games::porrika::board::{GOALS, across};
use parlor::games::porrika::{EnginePlayer, Move, Position, RuleOptions};
use parlor::search::{Limits, Player, Report, Request, Score, Settings};

use super::{position, rows};
use crate::properties::random_walk;

/// Whether a seat wins within a number of plies against any defence, by full search without pruning.
fn wins(position: &Position, seat: Seat, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.place(seat) == 1 && outcome.winners() == 1;
    }
    if plies == 0 {
        return false;
    }
    let after = |m| {
        let mut next = *position;
        next.play(m);
        wins(&next, seat, plies - 1)
    };
    let moves = position.moves();
    if position.side().seat() == seat { moves.iter().any(after) } else { moves.iter().all(after) }
}

fn suite() -> impl Iterator<Item = (Position, u32, &'static str)> {
    rows(include_str!("../../data/porrika/tactics.txt"))
        .into_iter()
        .map(|row| (position(row[0]), row[1].parse().expect("plies"), row[2]))
}

#[test]
fn every_win_of_the_suite_is_proved_and_the_only_one() {
    for (position, plies, best) in suite() {
        let seat = position.side().seat();
        assert!(!wins(&position, seat, plies - 2), "{}", position.to_string());
        let winning: Vec<String> = position
            .moves()
            .iter()
            .filter(|m| {
                let mut next = position;
                next.play(m);
                wins(&next, seat, plies - 1)
            })
            .map(|m| position.token(m))
            .collect();
        assert_eq!(winning, [best], "{}", position);
    }
}

#[test]
fn the_engine_finds_every_win_of_the_suite() {
    let mut count = 0;
    for (position, plies, best) in suite() {
        let mut player = EnginePlayer::new(&Settings::default());
        let request = Request::new(Limits::depth(plies + 1));
        let mut score = None;
        let choice = player.choose(&Situation::new(position), &request, &mut |report| {
            if let Report::Info(info) = report {
                score = Some(info.score);
            }
        });
        let chosen = choice.map(|choice| position.token(&choice.best));
        let text = position.to_string();
        assert_eq!(chosen.as_deref(), Some(best), "{text}");
        assert_eq!(score, Some(Score::Mate(plies as i32)), "{text}");
        count += 1;
    }
    assert!(count >= 20, "{count} positions");
}

/// An engine that judges an egg at home too low, or passes in its search where passing is not
/// allowed, shuffles: without either mending a seventh of such games had no winner.
#[test]
fn nearly_every_game_of_the_engine_against_itself_has_a_winner() {
    let mut options = OptionValues::new(Position::engine_options());
    options.set("EndgameTables", "false").expect("an option");
    let settings = Settings { options, hash: 4, ..Settings::default() };
    let unfinished = (0..24).filter(|seed| {
        let mut random = Random::new(*seed);
        let mut situation = Situation::new(Position::setup(RuleOptions::default()));
        for _ in 0..5 {
            let m = situation.position().random_move(&mut random).expect("a move");
            situation.play(&m);
        }
        let mut players = [0; 2].map(|_| EnginePlayer::new(&settings));
        for _ in 0..240 {
            let Some(seat) = situation.seat() else { break };
            let request = Request::new(Limits::nodes(1_000));
            let choice = players[seat.index()].choose(&situation, &request, &mut |_| {});
            situation.play(&choice.expect("a move").best);
        }
        situation.outcome().is_none_or(|outcome| outcome.winners() != 1)
    });
    assert!(unfinished.count() <= 1);
}

/// Copper has won this position, and once shuffled in it for 160 plies.
#[test]
fn a_won_position_is_brought_to_its_end() {
    let mut options = OptionValues::new(Position::engine_options());
    options.set("EndgameTables", "false").expect("an option");
    let settings = Settings { options, ..Settings::default() };
    let mut situation = Situation::new(position(
        "-,-,Gn,Gw/-,-,-,-/-,Se,-,-/Ew,-,-,-/-,SeGw,-,-/-,Ge,Sn,Sn/-,Ee,-,- c",
    ));
    let copper = situation.seat();
    let mut players = [0; 2].map(|_| EnginePlayer::new(&settings));
    for _ in 0..160 {
        let Some(seat) = situation.seat() else { break };
        let request = Request::new(Limits::nodes(20_000));
        let choice = players[seat.index()].choose(&situation, &request, &mut |_| {});
        situation.play(&choice.expect("a move").best);
    }
    let outcome = situation.outcome().expect("the game ends");
    assert_eq!(outcome.winners(), 1);
    assert!(copper.is_some_and(|seat| outcome.place(seat) == 1));
}

#[test]
fn every_player_moves_legally_and_an_unknown_name_is_refused() {
    let settings =
        Settings { options: OptionValues::new(Position::engine_options()), ..Settings::default() };
    let start = Position::default();
    for name in ["engine", "random", "greedy", "alphabeta", "terms", "distance"] {
        let mut player = Position::player(name, &settings).expect(name);
        let request = Request::new(Limits::depth(2));
        let choice = player.choose(&Situation::new(start), &request, &mut |_| {}).expect(name);
        assert!(start.is_legal(&choice.best), "{name}");
    }
    assert!(Position::player("Distance", &settings).is_err());
}

/// People see at once an egg that enters the Por'rika and a Guardian that locks a Ser'ra.
#[test]
fn noisy_are_eggs_that_come_home_and_guardians_that_lock() {
    let mut noisy = 0;
    random_walk::<Position>(&Position::default_rules(), 4, 120, |position| {
        let free = position.serra() & !position.locked();
        for m in position.moves() {
            let shows = match m {
                Move::Walk { from, to } if position.eggs() & from.bit() != 0 => {
                    GOALS & to.bit() != 0
                }
                Move::Walk { from, to } => {
                    position.guardians() & from.bit() != 0 && across(free) & to.bit() != 0
                }
                _ => false,
            };
            assert_eq!(position.is_noisy(&m), shows, "{} in {position}", position.token(&m));
            noisy += u32::from(shows);
        }
    });
    assert!(noisy > 0);
}
