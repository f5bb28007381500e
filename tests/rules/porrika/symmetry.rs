//! The reflection in the long axis changes nothing.

use parlor::game::{Game, Notation, Random, RuleChecks, Symmetry};
use parlor::games::porrika::{Move, Phase, Position};

use super::{every_rules, moves_of, random_position};

fn mirrored_token(token: &str) -> String {
    if token == "pass" {
        return token.into();
    }
    let swap = |letter: char| match letter {
        'a' => 'd',
        'b' => 'c',
        'c' => 'b',
        'd' => 'a',
        'e' => 'w',
        'w' => 'e',
        other => other,
    };
    token.chars().map(swap).collect()
}

/// The reflected set-up: the start spaces a1n a1w b1n b1e change places with d1n d1e c1n c1w.
fn mirrored_setup(mask: u8) -> u8 {
    const IMAGES: [usize; 8] = [6, 7, 4, 5, 2, 3, 0, 1];
    IMAGES.iter().enumerate().fold(0, |image, (bit, to)| image | (mask >> bit & 1) << to)
}

fn mirrored_move(position: &Position, m: &Move) -> Move {
    match *m {
        Move::Setup { eggs, guardians } => {
            Move::Setup { eggs: mirrored_setup(eggs), guardians: mirrored_setup(guardians) }
        }
        _ => position.parse_move(&mirrored_token(&position.token(m))).expect("a move"),
    }
}

#[test]
fn random_games_and_their_reflections_pass_the_checks() {
    let symmetry = Symmetry::<Position> {
        name: "the reflection in the long axis",
        position: Position::mirrored,
        token: mirrored_move,
        seat: |seat| seat,
    };
    let mut positions = 0;
    for rules in every_rules() {
        let mut checks = RuleChecks::new(2, 60).symmetry(symmetry);
        positions += checks.check_rules(&rules).unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(positions > 5_000, "only {positions} positions");
}

#[test]
fn a_mirrored_position_has_mirrored_moves_and_the_same_result() {
    let mut random = Random::new(5);
    for rules in every_rules() {
        for _ in 0..20 {
            let position = random_position(&mut random, &rules);
            let mirror = position.mirrored();
            assert_eq!(mirror.mirrored(), position);
            assert_eq!(mirror.outcome(), position.outcome());
            assert_eq!(mirror.reason(), position.reason());
            if position.phase() == Phase::Setup {
                continue;
            }
            let mut expected: Vec<String> =
                moves_of(&position, "").iter().map(|token| mirrored_token(token)).collect();
            expected.sort_unstable();
            assert_eq!(moves_of(&mirror, ""), expected, "{}", position);
        }
    }
}
