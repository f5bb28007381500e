//! The evaluation: symmetry, portable path, explanation; the tags of moves.

use parlor::game::{Game, Rules};
use parlor::games::Playable;
use parlor::games::porrika::{Evaluation, Position};
use parlor::machine::use_portable;
use parlor::search::{Evaluate, SearchHints};

use crate::properties::random_walk;

fn on_random_positions(check: impl FnMut(&Position)) {
    random_walk::<Position>(&Position::default_rules(), 40, 150, check);
}

#[test]
fn what_is_good_for_one_seat_is_bad_for_the_other() {
    let evaluation = Evaluation::default();
    let [one, other] = [0, 1].map(parlor::game::Seat::new);
    on_random_positions(|position| {
        let sums = evaluation.fresh(position);
        let values = [one, other].map(|seat| evaluation.score(&sums, position, seat));
        assert_eq!(values[0], -values[1]);
    });
}

#[test]
fn the_mirror_changes_no_value() {
    let evaluation = Evaluation::default();
    on_random_positions(|position| {
        let mirror = position.mirrored();
        assert_eq!(evaluation.for_copper(position), evaluation.for_copper(&mirror));
    });
}

#[test]
fn the_portable_path_gives_the_same_values() {
    let evaluation = Evaluation::default();
    on_random_positions(|position| {
        let values = [true, false].map(|portable| {
            use_portable(portable);
            evaluation.for_copper(position)
        });
        assert_eq!(values[0], values[1]);
    });
}

#[test]
fn the_explanation_adds_up_to_the_score() {
    on_random_positions(|position| {
        let text = position.explain_evaluation();
        let mut lines = text.lines().skip(1).collect::<Vec<_>>();
        let score = lines.pop().and_then(|line| line.strip_prefix("score cp "));
        let score: i32 = score.expect("a score").parse().expect("a number");
        let numbers = lines.iter().filter_map(|line| line.split_whitespace().last());
        let sum: i32 = numbers.map(|number| number.parse::<i32>().expect("a number")).sum();
        let seat = position.side().seat();
        let evaluation = Evaluation::default();
        let value = evaluation.score(&evaluation.fresh(position), position, seat);
        assert_eq!(score, value.clamp(-29_999, 29_999));
        if position.count_moves() != 420 {
            let copper = if seat.index() == 0 { value } else { -value };
            assert_eq!(sum, copper, "{text}");
        }
    });
}

#[test]
fn moves_of_one_position_have_different_tags() {
    let evaluation = Evaluation::default();
    on_random_positions(|position| {
        let moves = position.moves();
        let mut tags: Vec<u16> = moves.iter().map(|m| evaluation.tag(m)).collect();
        assert!(!tags.contains(&0));
        tags.sort_unstable();
        tags.dedup();
        assert_eq!(tags.len(), moves.len());
    });
}
