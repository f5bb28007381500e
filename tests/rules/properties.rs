//! Properties every game must have, checked on any position.

use std::collections::HashSet;
use std::ops::ControlFlow;

use parlor::game::{MoveList, MoveListing, Notation, OptionValues, Random, Rules};

/// Everything that must hold for one position, without playing on.
pub fn check_position<G: Notation>(position: &G, rules: &OptionValues) {
    let text = position.to_string();
    let parsed = G::parse(&text, rules, None)
        .unwrap_or_else(|error| panic!("{text} does not parse back: {error}"));
    assert_eq!(&parsed, position, "{text} parses back to another position");
    assert_eq!(position.key(), position.fresh_key(), "incremental key of {text}");
    assert_eq!(parsed.key(), position.key(), "key of {text} read back");
    assert_eq!(position.turn().is_over(), position.outcome().is_some(), "end of {text}");
    assert_eq!(position.reason().is_some(), position.outcome().is_some(), "reason of {text}");
    if position.move_listing() == MoveListing::Listed {
        check_moves(position);
    }
}

fn check_moves<G: Notation>(position: &G) {
    let text = position.to_string();
    let moves = position.moves();
    assert_eq!(moves.len() as u64, position.count_moves(), "count of {text}");
    assert_eq!(moves.is_empty(), position.turn().is_over(), "moves of {text}");
    let mut seen = HashSet::new();
    for m in &moves {
        assert!(position.is_legal(m), "{m:?} is listed in {text} but not legal");
        let token = position.token(m);
        let back = position.parse_move(&token).unwrap_or_else(|e| panic!("{token}: {e}"));
        assert_eq!(&back, m, "{token} in {text} reads back as another move");
        assert!(!token.contains(char::is_whitespace) && token.is_ascii(), "token {token:?}");
        assert!(seen.insert(token.clone()), "{token} is listed twice in {text}");
    }
    let MoveList::Listed(listed) = position.list_moves("") else {
        return;
    };
    let mut sorted: Vec<_> = seen.into_iter().collect();
    sorted.sort_unstable();
    assert_eq!(listed, sorted, "list of {text}");
    let stopped = position.for_each_move(|_| ControlFlow::Break(()));
    assert_eq!(stopped.is_break(), !moves.is_empty(), "early stop in {text}");
}

/// Plays random games and calls `check` on every position, at most `plies` a game.
pub fn random_walk<G: Notation + Rules>(
    rules: &OptionValues,
    games: u64,
    plies: usize,
    mut check: impl FnMut(&G),
) {
    for game in 0..games {
        let mut random = Random::new(game);
        let mut position = G::start(rules, None).expect("the starting position");
        for _ in 0..plies {
            check(&position);
            let Some(m) = position.random_move(&mut random) else {
                break;
            };
            assert!(position.is_legal(&m), "random move {m:?} in {}", position);
            position.play(&m);
        }
        check(&position);
    }
}
