//! Files of valid and invalid positions, tokens, messages.

use parlor::game::{Game, Notation, Rules};
use parlor::games::porrika::{EndReason, Phase, Position};
use parlor::protocol::GameResult;

use super::{position, position_under, rows};

#[test]
fn valid_positions_are_read_and_stand_as_said() {
    for row in rows(include_str!("../../data/porrika/valid.txt")) {
        let [options, text, expected] = row[..] else { panic!("{row:?}") };
        let position = position_under(options, text);
        let name = match position.phase() {
            Phase::Setup => "set-up",
            Phase::Moving => "moving",
            Phase::Passing => "passing",
            Phase::Over(_)
                if position.outcome().map(|o| GameResult::of(o.places()).name())
                    == Some("draw") =>
            {
                "draw"
            }
            Phase::Over(EndReason::CopperStuck) => "copper-stuck",
            Phase::Over(EndReason::SilverStuck) => "silver-stuck",
            Phase::Over(reason) => reason.name(),
        };
        assert_eq!(name, expected, "{text} {options}");
        assert_eq!(position.to_string(), text);
    }
}

#[test]
fn invalid_positions_are_refused_with_their_reason() {
    for row in rows(include_str!("../../data/porrika/invalid.txt")) {
        let [text, expected] = row[..] else { panic!("{row:?}") };
        match Position::parse(text, &Position::default_rules(), None) {
            Ok(position) => panic!("{text} was read as {}", position),
            Err(error) => {
                let message = error.to_string();
                assert!(message.contains(expected), "{text}: {message}, not {expected}");
                assert!(message.is_ascii() && !message.contains('\n'), "{message}");
            }
        }
    }
}

#[test]
fn malformed_moves_are_refused_with_their_reason() {
    let start = position(START);
    let cases = [
        ("", "'' is no move: two spaces such as b1nb2w"),
        ("b1n", "'b1n' is no move"),
        ("b1nb2x", "at character 4: 'b2x' is no space: column a-d, row 1-7"),
        ("e1nb2w", "at character 1: 'e1n' is no space"),
        ("b1nb7w", "at character 4: 'b7w' is no space: that triangle is blocked off"),
        ("Pass", "'Pass' is no move"),
        ("EGGEGGG.", "the set-up has 2 E and 5 G, not two E and four G"),
        ("EEGEG.G.", "the set-up has 3 E and 3 G, not two E and four G"),
        ("EGGEG.G", "is no move"),
        ("EGGEG.G..", "is no move"),
        ("EGGES.G.", "at character 5: 'S' in the set-up"),
        ("eggeg.g.", "at character 1: 'e' in the set-up"),
    ];
    for (token, expected) in cases {
        let message = start.parse_move(token).expect_err(token).to_string();
        assert!(message.contains(expected), "{token}: {message}");
    }
    let long = "x".repeat(5000);
    assert!(start.parse_move(&long).expect_err("too long").to_string().len() < 200);
}

const START: &str = "-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,SsSw,SeSs,-/-,-,-,- c";

#[test]
fn illegal_moves_are_explained_by_the_rule_they_break() {
    let board = "GsEw,GnSs,-,-/-,GnSe,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,Gn,-/-,-,-,-";
    let copper = &format!("{board} c");
    let cases = [
        (START, "a1na2e", "copper sets up first"),
        (START, "pass", "copper sets up first"),
        (copper, "EGGEG.G.", "the set-up is over"),
        (copper, "pass", "copper can move, so it may not pass"),
        (copper, "a3na4n", "no piece stands on a3n"),
        (copper, "b2ea1e", "the Ser'ra on b2e is not copper's, and copper is to move"),
        (copper, "b1nb2e", "the Guardian on b1n is locked by the Ser'ra on b1s"),
        (copper, "b2nd7n", "'d7n' is no space"),
        (copper, "b2nd5n", "d5n is no second step from b2s"),
        (copper, "a1wb1n", "a piece (Guardian) stands on b1n"),
        (copper, "c6nc7w", "a Guardian may not end on a Por'rika (PorrikaEntry)"),
    ];
    for (text, token, expected) in cases {
        let position = position(text);
        let message = match position.parse_move(token) {
            Ok(m) => {
                assert!(!position.is_legal(&m), "{token}");
                position.explain_illegal(&m)
            }
            Err(error) => error.to_string(),
        };
        assert!(message.contains(expected), "{token}: {message}");
        assert!(message.is_ascii() && !message.contains('\n'), "{message}");
    }
    let friends = position("-,-,-,-/-,-,Gw,Gn/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,- c");
    let m = friends.parse_move("c2wd2s").expect("a move");
    assert_eq!(friends.explain_illegal(&m), "on d2s it would face a friend, the Guardian on d2n");
}

#[test]
fn facing_the_wrong_enemy_names_the_option() {
    let text = "Ew,Gn,-,-/-,GnSe,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,- s";
    let silver = position(text);
    let m = silver.parse_move("b2eb1s").expect("a move");
    let message = "on b1s the Ser'ra would face the Guardian on b1n (SerraLock)";
    assert_eq!(silver.explain_illegal(&m), message);
    let text = "Ew,-,-,-/Ss,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,- c";
    let copper = position(text);
    let m = copper.parse_move("a1wa2n").expect("a move");
    let message = "on a2n the Egg-Carrier would face the Ser'ra on a2s (EggSuicide)";
    assert_eq!(copper.explain_illegal(&m), message);
}

#[test]
fn a_finished_game_says_so() {
    let over = position("EnSs,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,- c");
    let m = over.parse_move("a1na2e").expect("a move");
    assert_eq!(over.explain_illegal(&m), "the game is over (egg-captured)");
}
