//! Properties: the generic ones, conservation of pawns, spellings.

use parlor::game::{Game, Notation, Random, Rules};
use parlor::games::chowka_bhara::Position;

use super::{VARIANTS, position, random_position, rules};
use crate::properties::{check_position, random_walk};

#[test]
fn generic_properties_hold_in_random_games_under_every_option() {
    for options in VARIANTS {
        let rules = rules(options);
        random_walk(&rules, 6, 120, |position: &Position| check_position(position, &rules));
    }
}

#[test]
fn generic_properties_hold_in_random_positions() {
    for (seed, options) in VARIANTS.iter().enumerate() {
        let mut random = Random::new(1000 + seed as u64);
        for _ in 0..60 {
            check_position(&random_position(options, &mut random), &rules(options));
        }
    }
}

#[test]
fn pawns_are_never_lost_nor_made_and_only_hits_send_back() {
    for options in VARIANTS {
        let rules = rules(options);
        let mut random = Random::new(5);
        let mut game = Position::start(&rules, None).expect("a start");
        for _ in 0..600 {
            let before = game.clone();
            let Some(m) = game.random_move(&mut random) else {
                break;
            };
            game.play(&m);
            let mover = before.side();
            for side in game.sides() {
                assert_eq!(game.pawns(*side).len(), before.pawns(*side).len());
                let sent = |p: &Position| p.pawns(*side).iter().filter(|i| **i == 0).count();
                let kept: Vec<_> = game.pawns(*side).iter().filter(|i| **i != 0).collect();
                if *side != mover {
                    // What stays of an enemy stays where it was; the rest is at home.
                    assert!(kept.iter().all(|i| before.pawns(*side).contains(i)));
                    if sent(&game) > sent(&before) {
                        assert!(game.gate_open(mover), "a hit opens the gate");
                    }
                } else if !options.contains("circle") {
                    let sum =
                        |p: &Position| p.pawns(mover).iter().map(|i| u32::from(*i)).sum::<u32>();
                    let thrown: u32 = before.throws().iter().map(|v| u32::from(*v)).sum();
                    assert!(sum(&game) >= sum(&before) && sum(&game) <= sum(&before) + 2 * thrown);
                }
            }
        }
    }
}

#[test]
fn another_spelling_of_a_play_is_accepted_and_leads_to_the_same_position() {
    let start = position("0.0.0.0/-/0.0.0.0/- S - - 4+3", "");
    let listed = start.parse_move("c1e2,e2d5").expect("a play");
    let other = start.parse_move("c1e3,e3d5").expect("a play");
    assert!(start.is_legal(&listed) && start.is_legal(&other) && listed != other);
    let after = |m| {
        let mut next = start.clone();
        next.play(&m);
        next
    };
    assert_eq!(after(listed), after(other));
}
