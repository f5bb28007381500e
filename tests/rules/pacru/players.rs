//! The players: forced wins that are proved by trying every move, and legal moves to the end.

use std::collections::HashMap;
use std::ops::ControlFlow;

use parlor::game::{Game, Notation, Rules, Seat, Situation};
use parlor::games::Playable;
use parlor::games::pacru::{Move, Position, SelectivePosition};
use parlor::search::{Limits, Report, Request, Score, Settings};

use super::{data_lines, for_positions, position, rules};

/// The moves that win for the mover within a number of plies, found by trying every move and every
/// reply.
fn winning_moves(position: &Position, plies: u32) -> Vec<Move> {
    let Some(seat) = position.turn().seat() else {
        return Vec::new();
    };
    let mut known = HashMap::new();
    let mut found = Vec::new();
    let _ = position.for_each_move::<()>(|m| {
        let mut next = position.clone();
        next.play(&m);
        if wins(&next, seat, plies - 1, &mut known) {
            found.push(m);
        }
        ControlFlow::Continue(())
    });
    found
}

fn wins(
    position: &Position,
    seat: Seat,
    plies: u32,
    known: &mut HashMap<(Position, u32), bool>,
) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.place(seat) == 1;
    }
    if plies == 0 {
        return false;
    }
    if let Some(result) = known.get(&(position.clone(), plies)) {
        return *result;
    }
    let mine = position.turn().seat() == Some(seat);
    // One winning move is enough for the winner, one escape for the others.
    let decisive = position.for_each_move(|m| {
        let mut next = position.clone();
        next.play(&m);
        if wins(&next, seat, plies - 1, known) == mine {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    let result = decisive.is_break() == mine;
    known.insert((position.clone(), plies), result);
    result
}

/// The engine's move and score in a position at a depth.
fn played(position: &Position, depth: u32) -> (Move, Score) {
    let mut engine = Position::player("engine", &Settings::default()).unwrap();
    let mut score = None;
    let choice = engine.choose(
        &Situation::new(position.clone()),
        &Request::new(Limits::depth(depth)),
        &mut |report| {
            if let Report::Info(info) = report {
                score = Some(info.score);
            }
        },
    );
    (choice.expect("a move").best, score.expect("an info"))
}

#[test]
fn the_engine_finds_every_proved_capture_and_blockade() {
    let (mut checked, mut captures) = (0, 0);
    for line in data_lines(include_str!("../../data/pacru/forced.txt")) {
        let (plies, fen) = line.split_once(" | ").expect("plies | position");
        let plies: u32 = plies.parse().expect("a number");
        let here = position(fen);
        let proved = winning_moves(&here, plies);
        assert!(!proved.is_empty(), "no win in {plies}: {fen}");
        if plies > 1 {
            assert!(winning_moves(&here, plies - 2).is_empty(), "a quicker win: {fen}");
        }
        // Unlikely moves are searched less deep.
        let (best, score) = played(&here, plies + 4);
        assert_eq!(score, Score::Mate(plies as i32), "{} in {fen}", here.token(&best));
        assert!(proved.contains(&best), "{} does not win: {fen}", here.token(&best));
        checked += 1;
        captures += u32::from(here.token(&best).contains('x'));
    }
    assert!(checked >= 20 && captures >= 4, "{checked} positions, {captures} captures");
}

#[test]
fn every_move_searched_is_legal_and_listed_once() {
    for players in ["2", "3", "4"] {
        for_positions(&rules(&[("Players", players)]), 6, |position| {
            let mut seen = std::collections::HashSet::new();
            for m in SelectivePosition::new(position.clone()).moves() {
                assert!(position.is_legal(&m), "{m:?} in {}", position);
                assert!(seen.insert(m), "{m:?} twice in {}", position);
            }
            assert!(!seen.is_empty());
        });
    }
}

#[test]
fn every_player_makes_legal_moves_and_reports() {
    for players in ["2", "3", "4"] {
        let rules = rules(&[("Players", players)]);
        for name in Position::player_names() {
            let mut player = Position::player(name, &Settings::default()).unwrap();
            let mut situation = Situation::new(Position::start(&rules, None).expect("the start"));
            for _ in 0..12 {
                let request = Request::new(Limits::nodes(300));
                let mut infos = 0;
                let choice = player.choose(&situation, &request, &mut |_| infos += 1);
                let m = choice.expect("a move").best;
                assert!(situation.position().is_legal(&m), "{name}: {m:?}");
                assert!(infos > 0, "{name} says nothing");
                situation.play(&m);
            }
            player.new_game();
        }
    }
}

#[test]
fn with_three_and_four_players_the_shares_of_all_add_up() {
    for players in ["3", "4"] {
        let rules = rules(&[("Players", players)]);
        let start = Position::start(&rules, None).expect("the start");
        let mut engine = Position::player("engine", &Settings::default()).unwrap();
        let mut last = None;
        let request = Request::new(Limits::nodes(20_000));
        engine.choose(&Situation::new(start.clone()), &request, &mut |report| {
            if let Report::Info(info) = report {
                last = info.shares;
            }
        });
        let shares = last.expect("shares");
        assert_eq!(shares.len(), start.seats());
        let total: u16 = shares.iter().sum();
        assert!((990..=1000).contains(&total), "{shares:?}");
    }
}

/// `searchmoves` may name any legal form, also one the search would not have looked at.
#[test]
fn searchmoves_may_name_a_payment_that_the_search_leaves_out() {
    let here = position("8[2SW]/9/9/9/4[1N]4/9/9/a7a/aa6a 1 2");
    for token in ["e5>>(a1,b1,a2,i2)", "e5<(b1,i1)", "e5-e6"] {
        let m = here.parse_move(token).expect("a move");
        let mut engine = Position::player("engine", &Settings::default()).unwrap();
        let mut request = Request::new(Limits::depth(3));
        request.search_moves = Some(vec![m]);
        let choice = engine.choose(&Situation::new(here.clone()), &request, &mut |_| {});
        assert_eq!(choice.expect("a move").best, m, "{token}");
    }
}

/// Every bench position can be read and searched.
#[test]
fn the_positions_of_bench_are_read_and_not_over() {
    for bench in Position::bench() {
        let mut options = Position::default_rules();
        for setting in bench.rules.split_whitespace() {
            let (name, value) = setting.split_once('=').expect("name=value");
            options.set(name, value).expect("an option");
        }
        let start = match bench.position.strip_prefix("fen ") {
            Some(fen) => Position::parse(fen, &options, None),
            None => Position::start(&options, None),
        };
        assert!(!start.expect(bench.position).turn().is_over());
    }
}
