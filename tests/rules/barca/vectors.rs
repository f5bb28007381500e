//! Known numbers, known lists, known ends.

use parlor::game::{Game, Notation, Outcome, Seat, Situation, divide, perft};
use parlor::games::barca::{Position, START};

use super::{data_lines, move_line, played, position};

#[test]
fn perft_counts_are_those_of_the_table() {
    let mut checked = 0;
    for line in data_lines(include_str!("../../data/barca/perft.txt")) {
        let (text, counts) = line.split_once(" | ").expect("a position and its counts");
        let position = if text == "startpos" { position(START) } else { position(text) };
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let count = count.parse().expect("a count");
            assert_eq!(perft(&position, depth, true), Ok(count), "perft {depth} of {text}");
            checked += 1;
        }
    }
    assert_eq!(checked, 29);
}

#[test]
fn the_start_is_the_published_one() {
    assert_eq!(Position::default(), position(START));
}

#[test]
fn perft_without_bulk_counting_is_the_same() {
    assert_eq!(perft(&position(START), 4, false), Ok(3_046_014));
}

#[test]
fn divide_adds_up() {
    let parts = divide(&position(START), 4).expect("moves can be listed");
    assert_eq!(parts.len(), 38);
    assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), 3_046_014);
}

#[test]
fn the_lists_of_eight_hundred_positions() {
    let mut positions = 0;
    for line in include_str!("../../data/barca/moves.txt").lines() {
        let (text, moves) = line.split_once(" | ").expect("a position and its moves");
        assert_eq!(move_line(&position(text)), moves, "{text}");
        positions += 1;
    }
    assert_eq!(positions, 800);
}

#[test]
fn a_single_afraid_animal_escapes() {
    let position = position("5EM1e1/3m6/1L8/10/10/5e3l/8E1/1L8/M2l6/1m8 b");
    assert_eq!(move_line(&position), "j5g8 j5h7 j5i6");
}

#[test]
fn of_two_afraid_animals_the_trapped_one_stays() {
    let position = position("10/2E4e2/10/10/10/1e3m1M1L/lE8/l9/2m7/5M2L1 b");
    assert_eq!(move_line(&position), "a3b2 a3c1");
}

#[test]
fn a_trapped_animal_wins_by_hopping_onto_a_feared_hole() {
    let position = played("10/3l6/1L8/1EM1L5/2l4e2/1m8/3E2M3/1m8/3e6/10 w", "c7d7");
    assert_eq!(position.outcome(), Some(Outcome::win(2, Seat::new(0))));
    assert_eq!(position.reason(), Some("watering-holes"));
    assert!(position.turn().is_over());
    assert_eq!(position.count_moves(), 0);
}

#[test]
fn three_holes_win_whoever_is_to_move() {
    for side in ["w", "b"] {
        let position = position(&format!("10/10/10/3m2M3/10/10/3E2L3/10/10/10 {side}"));
        assert_eq!(position.outcome(), Some(Outcome::win(2, Seat::new(0))));
        assert_eq!(position.moves(), []);
    }
}

#[test]
fn no_legal_move_is_a_draw() {
    let position = position("6lLEM/6eLEM/6melm/10/10/10/10/10/10/10 w");
    assert_eq!(position.outcome(), Some(Outcome::draw(2)));
    assert_eq!(position.reason(), Some("no-moves"));
}

#[test]
fn a_vacant_square_that_all_beside_it_fear_is_no_move() {
    // Of b3 the elephant of a2 fears the mouse of c2, the mouse of a3 the lion of c3. The lion of
    // a5 forbids a4 to the mouse, and no white animal is afraid where it stands.
    let position = position("10/10/10/10/4e5/l9/3m6/M1l7/ELm7/ELMe6 w");
    assert_eq!(position.afraid(0).count(), 0);
    assert_eq!(position.moves(), []);
    assert_eq!(position.outcome(), Some(Outcome::draw(2)));
    assert_eq!(position.reason(), Some("no-moves"));
}

#[test]
fn the_third_occurrence_is_a_draw_whichever_of_two_like_animals_came_back() {
    let mut situation = Situation::new(position(START));
    let moves = "e1a1 e10a10 a1e1 a10e10 e1a1 e10a10 a1e1 a10e10";
    for (ply, token) in (1..).zip(moves.split(' ')) {
        assert_eq!(situation.outcome(), None, "before ply {ply}");
        let m = situation.position().parse_move(token).expect("a move");
        situation.play(&m);
    }
    assert_eq!(situation.outcome(), Some(Outcome::draw(2)));
    assert_eq!(situation.reason(), Some("repetition"));

    // The elephants of d5 and d6 change places in three moves: the same position.
    let first = position("5l4/10/10/10/3E6/3E6/10/10/10/10 w");
    let text = "5l4/10/10/10/3E6/3E6/10/10/10/10 w";
    let last = played(text, "d6e6 f10e9 d5d6 e9f8 e6d5 f8g9");
    assert_eq!(last, position("10/6l3/10/10/3E6/3E6/10/10/10/10 w"));
    assert_ne!(last, first);
}

#[test]
fn the_shortest_win() {
    let moves = "e2e4 e9e6 e4g4 e6g6 e1e3 f10e9 e3d4 f9f10 g2c6 g6g5 c6d7";
    assert_eq!(played(START, moves).outcome(), Some(Outcome::win(2, Seat::new(0))));
}
