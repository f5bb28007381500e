//! Properties on many positions: random games and random placements, under every rule option.

use std::collections::BTreeMap;

use parlor::game::{Game, Notation, OptionKind, OptionValues, Random, Rules, Situation};
use parlor::games::porrika::board::{BOARD, Space, spaces};
use parlor::games::porrika::{Move, Phase, Position, RuleOptions, Side};
use parlor::machine::use_portable;

use super::reference::{Board, Reference};
use super::{moves_of, position_under};
use crate::properties::{check_position, random_walk};

/// Every combination of rule options, 144 of them.
fn every_rules() -> Vec<OptionValues> {
    let mut list = vec![Position::default_rules()];
    for spec in Position::rule_options() {
        let OptionKind::Combo { values } = &spec.kind else { panic!("{} is a combo", spec.name) };
        let with = |rules: &OptionValues, value: &String| {
            let mut rules = rules.clone();
            rules.set(&spec.name, value).expect(value);
            rules
        };
        list = list.iter().flat_map(|rules| values.iter().map(move |v| with(rules, v))).collect();
    }
    assert_eq!(list.len(), 144);
    list
}

fn as_map(rules: &OptionValues) -> BTreeMap<String, String> {
    let value = |name: &str| (name.to_string(), rules.text(name).to_string());
    rules.specs().iter().map(|spec| value(&spec.name)).collect()
}

/// A position with any number of pieces anywhere, as long as it is one.
fn random_position(random: &mut Random, rules: &OptionValues) -> Position {
    loop {
        let mut pieces = [0; 3];
        // Crowded tips and pairs that face each other are rare by chance, and matter most.
        let region = if random.below(2) == 0 { BOARD } else { BOARD >> 64 << 64 };
        let places: Vec<Space> = spaces(region).collect();
        for (set, limit) in pieces.iter_mut().zip([3, 5, 5]) {
            for _ in 0..random.below(limit) {
                *set |= places[random.below(places.len() as u64) as usize].bit();
            }
        }
        let side = if random.below(2) == 0 { Side::Copper } else { Side::Silver };
        if let Ok(position) = Position::new(pieces, side, RuleOptions::from_options(rules)) {
            return position;
        }
    }
}

fn agree(position: &Position, reference: &Reference) {
    let text = position.to_string();
    assert_eq!(position.outcome().map(|o| o.result_name()), reference.result(), "result of {text}");
    assert_eq!(moves_of(position, ""), reference.moves(), "moves of {text}");
    assert_eq!(position.phase() == Phase::Setup, in_setup(reference), "set-up phase of {text}");
}

fn in_setup(reference: &Reference) -> bool {
    reference.result().is_none() && reference.in_setup()
}

#[test]
fn the_reference_agrees_on_random_placements() {
    let board = Board::read();
    let mut random = Random::new(1);
    for rules in every_rules() {
        let map = as_map(&rules);
        for _ in 0..60 {
            let position = random_position(&mut random, &rules);
            agree(&position, &Reference::read(&board, &map, &position.to_string()));
        }
    }
}

#[test]
fn the_reference_agrees_along_random_games() {
    let board = Board::read();
    let mut random = Random::new(2);
    for rules in every_rules() {
        let map = as_map(&rules);
        let mut position = Position::start(&rules, None).expect("the start");
        let mut reference = Reference::read(&board, &map, &position.to_string());
        for _ in 0..80 {
            agree(&position, &reference);
            let Some(m) = position.random_move(&mut random) else { break };
            reference.play(&position.token(&m));
            position.play(&m);
        }
    }
}

#[test]
fn positions_along_random_games_have_every_property() {
    random_walk::<Position>(&Position::default_rules(), 60, 120, |position| {
        check_position(position, &Position::default_rules());
    });
    for rules in every_rules() {
        random_walk::<Position>(&rules, 2, 60, |position| check_position(position, &rules));
    }
}

#[test]
fn random_placements_have_every_property() {
    let mut random = Random::new(3);
    for rules in every_rules() {
        for _ in 0..20 {
            check_position(&random_position(&mut random, &rules), &rules);
        }
    }
}

/// Every move there could be between two spaces is listed or refused, and a refusal says why.
#[test]
fn moves_that_are_not_listed_are_not_legal_and_are_explained() {
    let mut random = Random::new(4);
    for rules in every_rules() {
        let position = random_position(&mut random, &rules);
        let listed = position.moves();
        for from in spaces(BOARD) {
            for to in spaces(BOARD) {
                let m = Move::Walk { from, to };
                assert_eq!(position.is_legal(&m), listed.contains(&m), "{m:?}");
                if !listed.contains(&m) {
                    let why = position.explain_illegal(&m);
                    assert!(!why.is_empty() && !why.contains("is not legal here"), "{m:?}: {why}");
                }
            }
        }
        assert_eq!(position.is_legal(&Move::Pass), listed.contains(&Move::Pass));
    }
}

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
            assert_eq!(moves_of(&mirror, ""), expected, "{}", position.to_string());
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
        assert_eq!(answers[0], answers[1], "{}", position.to_string());
    }
}

/// A walk of a piece back to where it stands, on an empty board.
fn circle(from: Space, length: usize) -> Option<Vec<Space>> {
    let mut walks = vec![vec![from]];
    for _ in 0..length {
        let longer = |walk: &Vec<Space>| -> Vec<Vec<Space>> {
            let last = *walk.last().expect("a start");
            spaces(last.reach()).map(|to| [walk.as_slice(), &[to]].concat()).collect()
        };
        walks = walks.iter().flat_map(longer).collect();
    }
    walks.into_iter().find(|walk| walk.last() == Some(&from))
}

/// Two pieces go round in circles out of each other's way: the third time is a draw, or silver's.
#[test]
fn the_third_occurrence_ends_the_game() {
    let text = "-,Gw,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,Ss,-/-,-,-,- c";
    let space = |name: &str| Space::parse(name.as_bytes()).expect(name);
    let (one, other) = (2..6)
        .find_map(|n| Some((circle(space("b1w"), n)?, circle(space("c6s"), n)?)))
        .expect("circles of one length");
    for (options, word) in [("", "draw"), ("Repetition=silver", "p2win")] {
        let mut situation = Situation::new(position_under(options, text));
        for round in 1..=2 {
            assert_eq!(situation.outcome(), None, "after {round} rounds");
            for step in 1..one.len() {
                for walk in [&one, &other] {
                    let m = Move::Walk { from: walk[step - 1], to: walk[step] };
                    assert!(situation.position().is_legal(&m), "{m:?}");
                    situation.play(&m);
                }
            }
        }
        assert_eq!(situation.position().to_string(), text);
        assert_eq!(situation.reason(), Some("repetition"));
        assert_eq!(situation.outcome().map(|outcome| outcome.result_name()), Some(word));
    }
}
