//! The rule options, each with a position in which it matters.

use parlor::game::{Game, Rules, Situation};
use parlor::games::porrika::board::{Space, spaces};
use parlor::games::porrika::{Move, Phase, Position};
use parlor::protocol::GameResult;

use super::vectors::{DEFAULT, R};
use super::{moves_of, play, position, position_under, rules};

#[test]
fn a_position_names_its_options_in_order() {
    let list = "SerraLock=allow EggSuicide=loss PorrikaEntry=copper Hopeless=play Stuck=draw \
                Repetition=silver";
    let start = Position::start(&rules(list), None).expect("the start");
    let named: Vec<String> = start.rules().iter().map(|(n, v)| format!("{n}={v}")).collect();
    assert_eq!(named.join(" "), list);
    let named: Vec<String> =
        Position::default().rules().into_iter().map(|(_, value)| value).collect();
    assert_eq!(named, ["forbid", "forbid", "eggs", "silver", "pass", "draw"]);
}

#[test]
fn a_side_without_a_move_passes_loses_or_draws() {
    let text = format!("{R}/{R}/GnSs,GnSs,GnSs,GnSs/{R}/-,En,En,-/{R}/{R} s");
    let mut locked = position(&text);
    assert_eq!(moves_of(&locked, ""), ["pass"]);
    assert_eq!((locked.phase(), locked.outcome()), (Phase::Passing, None));
    play(&mut locked, "pass");
    assert!(locked.count_moves() > 1);
    let result = |options| {
        position_under(options, &text).outcome().map(|o| GameResult::of(o.places()).name())
    };
    assert_eq!(result("Stuck=loss"), Some("p1win"));
    assert_eq!(result("Stuck=draw"), Some("draw"));
}

#[test]
fn with_entry_for_all_silver_wins_at_ply_two() {
    let mut game = position_under("PorrikaEntry=any", DEFAULT);
    play(&mut game, "a1na2e");
    play(&mut game, "b6wb7e");
    assert_eq!(game.reason(), Some("porrika-taken"));
    assert_eq!(game.outcome().map(|o| GameResult::of(o.places()).name()), Some("p2win"));
}

#[test]
fn an_egg_may_face_a_serra_only_with_egg_suicide() {
    let text = format!("Ew,-,-,-/{R}/{R}/{R}/{R}/{R}/{R} c").replacen("-,-/-,-", "-,-/Ss,-", 1);
    assert!(!moves_of(&position(&text), "").contains(&"a1wa2n".to_string()));
    let mut game = position_under("EggSuicide=loss", &text);
    play(&mut game, "a1wa2n");
    assert_eq!(game.reason(), Some("egg-captured"));
    assert_eq!(game.outcome().map(|o| GameResult::of(o.places()).name()), Some("p2win"));
}

/// Moves of a piece alone that lead back to where it started.
fn cycle(from: Space, length: usize) -> Option<Vec<Space>> {
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

/// Two pieces repeat moves without meeting: the third occurrence is a draw, or a win for silver.
#[test]
fn the_third_occurrence_draws_or_loses_for_copper() {
    let text = "-,Gw,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,Ss,-/-,-,-,- c";
    let space = |name: &str| Space::parse(name.as_bytes()).expect(name);
    let (one, other) = (2..6)
        .find_map(|n| Some((cycle(space("b1w"), n)?, cycle(space("c6s"), n)?)))
        .expect("cycles of one length");
    for (options, result) in [("", "draw"), ("Repetition=silver", "p2win")] {
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
        assert_eq!(situation.outcome().map(|o| GameResult::of(o.places()).name()), Some(result));
    }
}
