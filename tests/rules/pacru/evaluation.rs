//! The evaluation: all seats agree with each, and the moves that the search leaves out are not missed.

use std::collections::HashMap;

use parlor::game::{Game, Notation, Seat};
use parlor::games::pacru::{Evaluation, Move, Position, SelectivePosition, SimpleEvaluation};
use parlor::search::Evaluate;

use super::{for_positions, rules};

/// The evaluation after a move, for who made it.
fn value(position: &Position, m: &Move, seat: Seat) -> i32 {
    let mut next = position.clone();
    next.play(m);
    match next.outcome() {
        Some(outcome) if outcome.place(seat) == 1 => 10_000,
        Some(_) => -10_000,
        None => Evaluation.score(&(), &SelectivePosition::new(next), seat),
    }
}

/// The values for all seats at once are those for each.
#[test]
fn the_values_for_all_seats_are_those_for_each() {
    fn check(evaluator: &impl Evaluate<SelectivePosition, Acc = ()>, position: &SelectivePosition) {
        let scores = evaluator.scores(&(), position);
        for seat in Seat::all(position.seats()) {
            assert_eq!(scores[seat.index()], evaluator.score(&(), position, seat), "{seat}");
        }
        assert!(scores[position.seats()..].iter().all(|score| *score == 0));
    }
    for players in ["2", "3", "4"] {
        for_positions(&rules(&[("Players", players)]), 4, |position| {
            let selective = SelectivePosition::new(position.clone());
            check(&Evaluation, &selective);
            check(&SimpleEvaluation, &selective);
        });
    }
}

/// The class of a move: its text without payment or meeting field.
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

/// Every class of moves is searched; within a class, the best move searched is close to the best
/// of all payments and meeting fields.
#[test]
fn the_moves_searched_are_close_to_the_best_of_all() {
    let (mut classes, mut sum, mut worst) = (0, 0, 0);
    for (players, games) in [("2", 16), ("3", 8), ("4", 8)] {
        let rules = rules(&[("Players", players), ("MeetingThreshold", "0")]);
        for_positions(&rules, games, |position| {
            let all = best_by_class(position, position.moves().into_iter());
            let searched = best_by_class(
                position,
                SelectivePosition::new(position.clone()).moves().into_iter(),
            );
            assert_eq!(searched.len(), all.len(), "{}", position);
            for (class, best) in all {
                let loss = best - searched[&class];
                assert!(loss >= 0, "{class} in {}", position);
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

/// In hundredths of the logit of the win probability; measured are 0.26 and 16.
const MEAN_LOSS: f64 = 0.5;
const WORST_LOSS: i32 = 24;
