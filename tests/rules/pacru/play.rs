//! How well Pacru is played: forced ends that are proved, and what the search leaves out.

use std::collections::HashMap;
use std::ops::ControlFlow;

use parlor::game::{Game, Notation, OptionValues, Random, Rules, Seat, Situation};
use parlor::games::Playable;
use parlor::games::pacru::{Evaluation, Focus, Move, Position, Simple};
use parlor::search::{Evaluate, Limits, Report, Request, Score, Settings};

use super::{position, rules};

/// The moves of a position by which its mover wins within so many plies, by trying every move and
/// every reply there is.
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

/// What the engine plays and says of a position at a depth.
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
    let text = include_str!("../../data/pacru/forced.txt");
    let (mut checked, mut captures) = (0, 0);
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (plies, fen) = line.split_once(" | ").expect("plies | position");
        let plies: u32 = plies.parse().expect("a number");
        let here = position(fen);
        let proved = winning_moves(&here, plies);
        assert!(!proved.is_empty(), "no win in {plies}: {fen}");
        if plies > 1 {
            assert!(winning_moves(&here, plies - 2).is_empty(), "a quicker win: {fen}");
        }
        let (best, score) = played(&here, plies + 1);
        assert_eq!(score, Score::Mate(plies as i32), "{} in {fen}", here.token(&best));
        assert!(proved.contains(&best), "{} does not win: {fen}", here.token(&best));
        checked += 1;
        captures += u32::from(here.token(&best).contains('x'));
    }
    assert!(checked >= 20 && captures >= 4, "{checked} positions, {captures} captures");
}

/// The evaluation after a move, for who made it.
fn value(position: &Position, m: &Move, seat: Seat) -> i32 {
    let mut next = position.clone();
    next.play(m);
    match next.outcome() {
        Some(outcome) if outcome.place(seat) == 1 => 10_000,
        Some(_) => -10_000,
        None => Evaluation::default().score(&(), &Focus::new(next), seat),
    }
}

/// The values for all seats at once are those for each.
#[test]
fn the_values_for_all_seats_are_those_for_each() {
    fn check(evaluator: &impl Evaluate<Focus, Acc = ()>, position: &Focus) {
        let scores = evaluator.scores(&(), position);
        for seat in Seat::all(position.seats()) {
            assert_eq!(scores[seat.index()], evaluator.score(&(), position, seat), "{seat}");
        }
        assert!(scores[position.seats()..].iter().all(|score| *score == 0));
    }
    for players in ["2", "3", "4"] {
        for_positions(&rules(&[("Players", players)]), 4, |position| {
            let focus = Focus::new(position.clone());
            check(&Evaluation::default(), &focus);
            check(&Simple, &focus);
        });
    }
}

/// What tells two moves of one kind apart: payment or meeting field.
fn class(position: &Position, m: &Move) -> String {
    let token = position.token(m);
    match m {
        Move::Rotate { .. } => token[..token.find('(').unwrap_or(token.len())].to_string(),
        Move::Advance { meeting: Some(_), gain, .. } => {
            format!("{}{gain:?}", &token[..5])
        }
        Move::Advance { .. } => token,
    }
}

/// The best value of every class of moves.
fn best_by_class(position: &Position, moves: impl Iterator<Item = Move>) -> HashMap<String, i32> {
    let seat = position.turn().seat().expect("a mover");
    let mut best = HashMap::new();
    for m in moves {
        let value = value(position, &m, seat);
        let known = best.entry(class(position, &m)).or_insert(value);
        *known = value.max(*known);
    }
    best
}

/// Every class of moves is searched; within a class, the forms that are searched come close to the
/// best of all payments and meeting fields.
#[test]
fn the_forms_searched_lie_close_to_the_best_of_all() {
    let (mut classes, mut sum, mut worst) = (0, 0, 0);
    for (players, games) in [("2", 16), ("3", 8), ("4", 8)] {
        let rules = rules(&[("Players", players), ("MeetingThreshold", "0")]);
        for_positions(&rules, games, |position| {
            let all = best_by_class(position, position.moves().into_iter());
            let searched =
                best_by_class(position, Focus::new(position.clone()).moves().into_iter());
            assert_eq!(searched.len(), all.len(), "{}", position.to_string());
            for (class, best) in all {
                let loss = best - searched[&class];
                assert!(loss >= 0, "{class} in {}", position.to_string());
                if class.contains(['<', '>']) || class.len() > 5 {
                    classes += 1;
                    sum += loss;
                    worst = worst.max(loss);
                }
            }
        });
    }
    assert!(classes > 1_000, "{classes} classes");
    let mean = f64::from(sum) / f64::from(classes);
    println!("{classes} classes, mean loss {mean:.2}, worst {worst}");
    assert!(mean < MEAN_LOSS, "mean loss {mean} over {classes} classes");
    assert!(worst < WORST_LOSS, "worst loss {worst}");
}

/// Hundredths of the logit of the chance to win.
const MEAN_LOSS: f64 = 2.0;
const WORST_LOSS: i32 = 80;

/// Positions of random games with something to choose and not too much to try.
fn for_positions(rules: &OptionValues, games: u64, mut check: impl FnMut(&Position)) {
    for game in 0..games {
        let mut random = Random::new(game + 77);
        let mut position = Position::start(rules, None).expect("the start");
        for ply in 0..80 {
            if ply % 5 == 0 && (40..4_000).contains(&position.count_moves()) {
                check(&position);
            }
            let Some(m) = position.random_move(&mut random) else { break };
            position.play(&m);
        }
    }
}

#[test]
fn every_move_searched_is_legal_and_told_once() {
    for players in ["2", "3", "4"] {
        for_positions(&rules(&[("Players", players)]), 6, |position| {
            let mut seen = std::collections::HashSet::new();
            for m in Focus::new(position.clone()).moves() {
                assert!(position.is_legal(&m), "{m:?} in {}", position.to_string());
                assert!(seen.insert(m), "{m:?} twice in {}", position.to_string());
            }
            assert!(!seen.is_empty());
        });
    }
}

#[test]
fn every_player_makes_legal_moves_to_the_end_of_its_time() {
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
fn a_payment_nobody_would_choose_is_played_if_nothing_else_is_allowed() {
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
fn the_positions_of_bench_are_good() {
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
