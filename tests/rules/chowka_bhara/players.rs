//! The players of option `Player`.

use parlor::game::{Game, Notation, Random, Situation};
use parlor::games::Playable;
use parlor::games::chowka_bhara::{Move, Position};
use parlor::search::{Limits, Request, Settings};

use super::{VARIANTS, position, random_position};

fn choice(name: &str, position: &Position, request: &Request<Move>) -> Option<Move> {
    let settings = Settings { hash: 1, seed: 1, ..Settings::default() };
    let mut player = Position::player(name, &settings).expect("a player");
    player.choose(&Situation::new(position.clone()), request, &mut |_| {}).map(|choice| choice.best)
}

/// The play that a player chooses, by its token.
fn play(name: &str, text: &str) -> String {
    let position = position(text, "");
    let request = Request::new(Limits::depth(1));
    position.token(&choice(name, &position, &request).expect("a play"))
}

#[test]
fn every_player_plays_legally_and_only_what_is_asked() {
    for (seed, options) in VARIANTS.iter().enumerate() {
        let mut random = Random::new(seed as u64);
        for name in Position::player_names() {
            let position = random_position(options, &mut random);
            if position.turn().seat().is_none() {
                continue;
            }
            let mut request = Request::new(Limits::depth(1));
            let found = choice(name, &position, &request).expect("a play");
            assert!(position.is_legal(&found), "{} in {}", name, position);
            let last = *position.moves().last().expect("a play");
            request.search_moves = Some(vec![last]);
            assert_eq!(choice(name, &position, &request), Some(last), "{}", name);
        }
    }
}

#[test]
fn greedy_counts_steps() {
    assert_eq!(play("greedy", "0.1.5.9/-/0.0.0.0/- S - - 2"), "b5a4");
    // The hit on e2 takes 11 steps from North.
    assert_eq!(play("greedy", "0.2.5.9/-/11.0.0.0/- S - - 1"), "e1e2");
}

#[test]
fn hits_hits_where_it_can() {
    assert_eq!(play("hits", "0.2.5.9/-/11.0.0.0/- S - - 1"), "e1e2");
    assert_eq!(play("hits", "0.1.5.9/-/0.0.0.0/- S - - 2"), "b5a4");
}

#[test]
fn careful_leaves_no_pawn_where_it_can_be_hit() {
    // From b5, one step before North, the 3 leads to the safe home a3.
    let text = "0.0.3.9/-/0.0.0.0/- S - - 3";
    assert_eq!(play("careful", text), "b5a3");
}

/// Both gates are open, and every play is one step: what the hit costs North, 11 steps, decides. The
/// step of the other pawn would leave South as safe, and North's pawn on e2 no more than likely to be
/// hit.
#[test]
fn careful_hits_a_pawn_that_has_come_far() {
    assert_eq!(play("careful", "0.2.24.24/-/11.24.24.24/- S SN - 1"), "e1e2");
}

#[test]
fn players_win_from_a_won_position() {
    for name in Position::player_names().into_iter().filter(|name| *name != "random") {
        let found = play(name, "24.24.24.21/-/0.0.0.1/- S SN - 3");
        assert_eq!(found, "d3c3", "{}", name);
    }
}

#[test]
fn expectimax_chooses_what_the_engine_chooses_at_equal_depth() {
    let mut random = Random::new(3);
    let mut compared = 0;
    while compared < 20 {
        let position = random_position("Pawns=2", &mut random);
        if position.turn().seat().is_none() {
            continue;
        }
        compared += 1;
        let request = Request::new(Limits::depth(2));
        let [expected, found] =
            ["engine", "expectimax"].map(|name| choice(name, &position, &request));
        assert_eq!(found, expected, "{}", position);
    }
}
