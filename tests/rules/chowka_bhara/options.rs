//! What every rule option changes, one worked position each.

use parlor::game::{Game, Notation, Rules, Seat, Turn};
use parlor::games::chowka_bhara::Position;

use super::{plays, position, rules};

fn listed(options: &str, text: &str) -> String {
    let mut list = plays(&position(text, options));
    list.sort();
    list.join(" ")
}

#[test]
fn options_change_plays_as_they_say() {
    let cases = [
        // A closed gate: wait, go round, or go in.
        ("", "15.15.14.14/-/0.0.0.0/- S - - 2", "pass"),
        ("Gate=circle", "15.15.14.14/-/0.0.0.0/- S - - 2", "a1c1 a1c1d b1d1 b1d1d"),
        ("Gate=off", "15.15.24.24/-/0.0.0.0/- S - - 2", "b1b3 b1b3d"),
        // An old double on e2.
        ("DoubleBlock=always", "0.0.2.2/-/0.0.11.11/- S - - 2", "c1e1"),
        ("DoubleBlock=off", "0.0.2.2/-/0.0.11.11/- S - e2 2", "c1e1 e1e3 e1e3d"),
        ("OuterDoubles=false", "1.0.0.0/-/0.0.0.0/- S - - 1", "d1e1"),
        ("", "1.0.0.0/-/0.0.0.0/- S - - 1", "c1d1 d1e1"),
        ("DoubleMove=half", "2.2.0.0/-/0.0.0.0/- S - - 2", "c1e1 e1e2d e1e3"),
        ("DoubleMove=half", "2.2.0.0/-/0.0.0.0/- S - - 1", "c1d1 e1e2"),
        ("DoubleMove=none", "2.2.0.0/-/0.0.0.0/- S - - 2", "c1e1 e1e3"),
        ("DoubleHitsDouble=false", "2.2.24.24/-/11.11.0.0/- S SN - 1", "pass"),
        ("TripleVoid=true", "0.0.0.0/-/0.0.0.0/- S - - 4+4+8", "pass"),
        ("Pass=true", "0.0.0.0/-/0.0.0.0/- S - - 4+3", "c1e2 c1e2,c1e3 c1e2,e2d5 c1e3 pass"),
        // The inner ring of South the other way round: b1, b2, c2.
        ("Inner=anticlockwise", "15.24.24.24/-/0.0.0.0/- S S - 2", "b1c2"),
        ("", "15.24.24.24/-/0.0.0.0/- S S - 2", "b1b3"),
        // Corners: e1 is safe, two colours stand there, and no double moves off it.
        ("Safe=corners", "2.2.0.0/-/10.0.0.0/- S - - 1", "c1d1 e1e2"),
        // One pawn, two orders, one result: the listed spelling plays the 1 first.
        ("Board=7 Pawns=1", "23/-/0/- S S - 12+1", "c1c2,c2f3"),
    ];
    for (options, text, expected) in cases {
        let mut expected: Vec<_> = expected.split(' ').collect();
        expected.sort_unstable();
        assert_eq!(listed(options, text), expected.join(" "), "{options} {text}");
    }
}

fn after(options: &str, text: &str, token: &str) -> Position {
    let mut game = position(text, options);
    let m = game.parse_move(token).unwrap_or_else(|e| panic!("{token}: {e}"));
    assert!(game.is_legal(&m), "{token}: {}", game.explain_illegal(&m));
    game.play(&m);
    game
}

#[test]
fn a_hit_may_give_another_throw() {
    // The double on e1 stood before the turn, the one formed by the first play did not.
    let options = "HitBonus=true";
    let next = after(options, "2.2.0.1/-/11.0.0.0/- S - - 1 e1", "e1e2");
    assert_eq!(next.to_string(), "0.1.2.3/-/0.0.0.0/- S S - - e1");
    assert!(next.turn().is_chance());
    let back = after(options, "0.1.2.3/-/0.0.0.0/- S S - 1 e1", "d1e1");
    assert_eq!(back.to_string(), "0.2.2.3/-/0.0.0.0/- N S - - -", "an old double again");
    let new = after(options, "0.1.2.3/-/0.0.0.0/- S S - 1 e1", "e1e2");
    assert_eq!(new.to_string(), "0.1.3.3/-/0.0.0.0/- N S e2 - -");
    let plain = after(options, "0.0.0.0/-/0.0.0.0/- S - - 1 -", "c1d1");
    assert_eq!(plain.to_string(), "0.0.0.1/-/0.0.0.0/- N - - - -");
}

#[test]
fn places_may_be_played_out() {
    let options = "PlayOn=true Players=3 Pawns=1";
    let one = after(options, "23/5/7/- S SEN - 1 -", "c2c3");
    assert_eq!(one.to_string(), "24/5/7/- E SEN - - S");
    assert!(one.outcome().is_none());
    let two = after(options, "24/20/23/- N SEN - 1 S", "c4c3");
    assert_eq!(two.to_string(), "24/20/24/- E SEN - - SN");
    assert_eq!(two.outcome().expect("over").places(), [1, 3, 2]);
    let plain = after("Players=3 Pawns=1", "23/5/7/- S SEN - 1", "c2c3");
    assert_eq!(plain.outcome().expect("over").places(), [1, 2, 2]);
}

/// A seat that is home waits for nobody: the game is over once all others wait at closed gates.
#[test]
fn all_others_waiting_at_closed_gates_end_the_game_of_a_seat_that_is_home() {
    let options = "Gate=stop PlayOn=true Players=3 Pawns=2";
    let dead = position("24.24/15.15/15.15/- E S - - S", options);
    assert_eq!(dead.outcome().expect("over").places(), [1, 2, 2]);
    assert_eq!(dead.reason(), Some("no-moves"));
    assert!(dead.turn().is_over());
    for alive in ["24.24/15.15/14.15/- E S - - S", "24.24/15.15/15.15/- E SN - - S"] {
        assert!(position(alive, options).outcome().is_none(), "{alive}");
    }
}

#[test]
fn a_finished_seat_is_passed_over() {
    let options = "PlayOn=true Players=4 Pawns=1";
    let next = after(options, "24/0/5/0 E S - 2 S", "e3e5");
    assert_eq!(next.to_string(), "24/2/5/0 N S - - S");
    let over = after(options, "24/0/5/0 W S - 2 S", "a3a1");
    assert_eq!(over.to_string(), "24/0/5/2 E S - - S");
}

/// A pawn that hits with the 1 and comes home with the 4. One that is home throws no more: with
/// places played out the next seat throws, and without them the game is over. A seat that is not
/// home throws again.
#[test]
fn a_seat_that_comes_home_with_a_hit_has_no_bonus() {
    let options = "HitBonus=true PlayOn=true Players=3 Pawns=1";
    // South on c4; East on d4, its index 22, goes home.
    let home = after(options, "19/22/7/- S SEN - 4+1 - -", "c4d4,d4c3");
    assert_eq!(home.to_string(), "24/0/7/- E SEN - - - S");
    assert!(home.outcome().is_none() && home.turn() == chance_of(1));
    // East on b3 sends North home from b4 and comes home as the second: only North is left.
    let second = after(options, "24/19/22/- E SEN - 4+1 - S", "b3b4,b4c3");
    assert_eq!(second.outcome().expect("over").places(), [1, 2, 3]);
    assert_eq!(second.to_string().split(' ').next(), Some("24/24/0/-"));
    // The other pawn of South is still on its way: South throws again.
    let options = "HitBonus=true PlayOn=true Players=3 Pawns=2";
    let again = after(options, "10.19/7.22/7.7/- S SEN - 4+1 - -", "c4d4,d4c3");
    assert_eq!(again.to_string(), "10.24/0.7/7.7/- S SEN - - - -");
    assert_eq!(again.turn(), chance_of(0));
    // Without places to play out the hit changes nothing: South has won.
    let options = "HitBonus=true Players=3 Pawns=1";
    let won = after(options, "19/22/7/- S SEN - 4+1 -", "c4d4,d4c3");
    assert_eq!(won.outcome().expect("over").places(), [1, 2, 2]);
}

fn chance_of(seat: usize) -> Turn {
    Turn::Chance { thrower: Some(Seat::new(seat)) }
}

#[test]
fn rules_are_reported_and_make_the_same_game() {
    for options in super::VARIANTS {
        let start = Position::start(&rules(options), None).expect("a start");
        let reported: Vec<_> = start.rules().iter().map(|(n, v)| format!("{n}={v}")).collect();
        let again = Position::start(&rules(&reported.join(" ")), None).expect("a start");
        assert_eq!(again, start, "{options}");
        for pair in options.split_whitespace() {
            assert!(reported.contains(&pair.to_string()), "{pair} in {reported:?}");
        }
    }
    let error = Position::start(&rules("Board=7 Pawns=7"), None).expect_err("too many pawns");
    assert!(error.to_string().contains("Pawns is 7, but a 7 x 7 board has 1 to 6 a seat"));
}
