//! Properties of single positions: random placements, legality, random moves, the portable path.

use parlor::game::{Game, Notation, Random};
use parlor::games::porrika::Move;
use parlor::games::porrika::board::{BOARD, spaces};
use parlor::machine::use_portable;

use super::{every_rules, random_position};
use crate::properties::check_position;

#[test]
fn random_placements_have_every_property() {
    let mut random = Random::new(3);
    for rules in every_rules() {
        for _ in 0..20 {
            check_position(&random_position(&mut random, &rules), &rules);
        }
    }
}

#[test]
fn every_move_is_chosen_at_random_sooner_or_later() {
    let mut random = Random::new(6);
    for rules in every_rules() {
        let position = random_position(&mut random, &rules);
        let moves = position.moves();
        let mut seen = vec![0; moves.len()];
        for seed in 0..40 * moves.len() as u64 {
            let m = position.random_move(&mut Random::new(seed)).expect("a move");
            seen[moves.iter().position(|listed| *listed == m).expect("a listed move")] += 1;
        }
        assert!(seen.iter().all(|count| *count > 0), "a move is never chosen");
    }
}

#[test]
fn the_portable_path_counts_and_chooses_the_same() {
    let mut random = Random::new(7);
    for rules in every_rules() {
        let position = random_position(&mut random, &rules);
        let answers = [true, false].map(|portable| {
            use_portable(portable);
            let m = position.random_move(&mut Random::new(random.clone().next()));
            (position.count_moves(), position.moves(), m)
        });
        assert_eq!(answers[0], answers[1], "{}", position);
    }
}

/// Every move between two spaces, every set-up with wrong numbers, and the pass are listed, or
/// refused for a reason.
#[test]
fn a_move_is_legal_exactly_if_it_is_listed_and_no_rule_forbids_it() {
    let mut random = Random::new(4);
    for rules in every_rules() {
        let position = random_position(&mut random, &rules);
        let listed = position.moves();
        let pairs = spaces(BOARD).flat_map(|from| spaces(BOARD).map(move |to| (from, to)));
        let walks = pairs.map(|(from, to)| Move::Walk { from, to });
        let setups = (0..=255).map(|eggs| Move::Setup { eggs, guardians: 0b0011_1100 });
        for m in walks.chain(setups).chain([Move::Pass]) {
            let legal = listed.contains(&m);
            assert_eq!(position.is_legal(&m), legal, "{m:?} in {position}");
            assert_eq!(position.why_illegal(m).is_none(), legal, "{m:?} in {position}");
            let text = position.explain_illegal(&m);
            assert_eq!(text.ends_with(" is legal"), legal, "{text}");
            assert!(text.is_ascii() && text.len() < 200 && !text.contains('\n'), "{text}");
        }
    }
}
