//! What the rule options change.

use parlor::game::{Game, Notation, Rules};
use parlor::games::pacru::Position;

use super::vectors::counts;
use super::{refusal, rules, start};

#[test]
fn options_forbid_what_they_say() {
    let strict = rules(&[("LandingMarker", "false")]);
    let strict = Position::start(&strict, None).unwrap();
    assert!(refusal(&strict, "a3-b4(b4)").contains("LandingMarker"));
    let quiet = rules(&[("Rotations", "false")]);
    let fen = "8[2SW]/9/9/9/4[1N]4/9/9/a7a/a7a 1 2";
    let quiet = Position::parse(fen, &quiet, None).unwrap();
    assert!(refusal(&quiet, "e5>(a1,a2)").contains("Rotations"));
}

#[test]
fn the_number_of_players_in_a_position_outranks_the_option() {
    let four = rules(&[("Players", "4")]);
    let text = start("3").to_string();
    let read = Position::parse(&text, &four, None).unwrap();
    assert_eq!(read.seats(), 3);
    assert!(read.rules().contains(&("Players", "3".into())));
}

#[test]
fn the_traditional_order_lets_the_middle_player_begin() {
    let traditional = rules(&[("Players", "3"), ("Order", "traditional")]);
    let start = Position::start(&traditional, None).unwrap();
    assert_eq!(start.turn().to_string(), "p3");
    assert!(start.rules().contains(&("Order", "traditional".into())));
    let two = rules(&[("Order", "traditional")]);
    assert_eq!(Position::start(&two, None).unwrap().turn().to_string(), "p1");
}

#[test]
fn perft_without_markers_on_the_landing_field() {
    let expected = [("2", [26, 630, 13_097]), ("3", [22, 443, 8_611]), ("4", [21, 403, 7_805])];
    for (players, counted) in expected {
        let rules = rules(&[("Players", players), ("LandingMarker", "false")]);
        assert_eq!(counts(&Position::start(&rules, None).unwrap(), 3), counted);
    }
}
