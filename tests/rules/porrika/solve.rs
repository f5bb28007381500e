//! Exact values of positions without a free Ser'ra, and of those won at once.

use std::collections::{HashMap, HashSet};

use parlor::game::{Game, Random, Rules};
use parlor::games::porrika::board::{BOARD, DEAD, GOAL_AXES, Set, Space, across, spaces};
use parlor::games::porrika::solved::Verdict;
use parlor::games::porrika::{Evaluation, Phase, Position, RuleOptions, Side};
use parlor::search::{Bound, Score, SearchHints};

use super::position;
use super::tablebases::{THREE_PAIRS, table};

/// A position without a free Ser'ra: locked pairs, perhaps a stranded Ser'ra, two eggs, free
/// Guardians.
fn without_free_serra(random: &mut Random) -> Option<Position> {
    let any = |random: &mut Random, set: Set| -> Option<Space> {
        spaces(set).nth(random.below(u64::from(set.count_ones())) as usize)
    };
    let [mut eggs, mut guardians, mut serra] = [0; 3];
    // Half of the time three of the four ways into the Por'rika are closed; otherwise a path almost
    // always exists.
    let closed = if random.below(2) == 0 { 3 } else { 0 };
    let mut ways: Vec<Space> = spaces(GOAL_AXES).collect();
    random.shuffle(&mut ways);
    for (number, way) in ways.into_iter().enumerate() {
        let near_the_tip = BOARD >> 64 << 64 & !DEAD;
        let space = if number < closed { way } else { any(random, near_the_tip)? };
        guardians |= space.bit();
        serra |= across(space.bit());
    }
    if random.below(2) == 0 {
        let lone = any(random, serra)?;
        serra &= !lone.bit();
        serra |= any(random, DEAD)?.bit();
    }
    for _ in 0..2 {
        eggs |= any(random, BOARD)?.bit();
    }
    let side = if random.below(2) == 0 { Side::Copper } else { Side::Silver };
    Position::new([eggs, guardians, serra], side, RuleOptions::default()).ok()
}

/// The plies to copper's win while silver passes: a breadth-first search of whole positions with
/// the game's generator. `None` if there is no win.
fn plies_to_win(start: &Position) -> Option<u32> {
    let mut seen = HashSet::new();
    let mut front = vec![*start];
    for plies in 0.. {
        if front.is_empty() {
            return None;
        }
        let mut next = Vec::new();
        for position in front {
            if position.reason() == Some("eggs-home") {
                return Some(plies);
            }
            for m in position.moves() {
                let mut after = position;
                after.play(&m);
                if seen.insert(after.key()) {
                    next.push(after);
                }
            }
        }
        front = next;
    }
    None
}

#[test]
fn the_value_without_a_free_serra_is_exact() {
    let mut random = Random::new(5);
    let mut found = HashMap::new();
    while found.values().sum::<u32>() < 400 {
        let Some(position) = without_free_serra(&mut random) else { continue };
        let free = position.guardians() & !position.locked() & !DEAD;
        let moving = matches!(position.phase(), Phase::Moving | Phase::Passing);
        // With free Guardians the full search takes too long; the tablebase covers those below.
        if position.eggs().count_ones() != 2 || free != 0 || !moving {
            continue;
        }
        let text = position.to_string();
        let known = Evaluation::default().known_value(&position).expect("an answer");
        let sign = if position.side() == Side::Copper { 1 } else { -1 };
        match plies_to_win(&position) {
            Some(plies) => {
                assert_eq!(known.score, Score::Mate(sign * plies as i32), "{text}");
                assert_eq!(known.bound, Bound::Exact, "{text}");
            }
            None => assert_eq!(known.score, Score::Cp(0), "{text}"),
        }
        *found.entry((known.score == Score::Cp(0), known.bound == Bound::Exact)).or_default() += 1;
    }
    assert!(found[&(false, true)] > 300, "wins: {found:?}");
}

/// All ways are closed: a draw where the eggs can move forever, at most a draw where they cannot.
#[test]
fn eggs_without_a_way_into_the_porrika_do_not_win() {
    let sealed = "GnGeSsSw,GnSeSsGw,-/-,-,-,-";
    let known = |eggs: &str| {
        let text = format!("-,-,-,-/{eggs}/-,-,-,-/-,-,-,-/-,-,-,-/-,{sealed} c");
        let position = super::position_under("Hopeless=play", &text);
        Evaluation::default().known_value(&position).expect("an answer")
    };
    let draw = known("En,-,-,En");
    assert_eq!((draw.score, draw.bound), (Score::Cp(0), Bound::Exact));
    let text = format!("-,-,-,-/En,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/En,{sealed} c");
    let stranded = super::position_under("Hopeless=play", &text);
    let known = Evaluation::default().known_value(&stranded).expect("an answer");
    assert_eq!((known.score, known.bound), (Score::Cp(0), Bound::Exact));
    let lost = "-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,En,-,-/En,GnGeSsSw,GnSeSsGw,-/-,-,-,- c";
    let position = super::position_under("Hopeless=play Repetition=silver", lost);
    let known = Evaluation::default().known_value(&position).expect("an answer");
    assert_eq!((known.score, known.bound), (Score::Cp(0), Bound::Upper));
}

/// The tablebase has all positions with one free Guardian; the value or bound must agree with it.
#[test]
fn the_value_without_a_free_serra_agrees_with_the_tablebase() {
    let mut random = Random::new(6);
    let walls = table().ending().walls();
    let free: Vec<Space> = spaces(BOARD & !walls).collect();
    let any = |random: &mut Random| free[random.below(free.len() as u64) as usize];
    let evaluation = Evaluation::default();
    let (guards, hunters) = (position(THREE_PAIRS).guardians() & walls, walls);
    let mut compared = [0; 2];
    while compared.iter().sum::<u32>() < 1_500 {
        let eggs = any(&mut random).bit() | any(&mut random).bit();
        let (guard, hunter) = match random.below(2) {
            0 => (any(&mut random).bit(), spaces(DEAD).nth(random.below(6) as usize)),
            _ => {
                let guard = any(&mut random);
                (guard.bit(), guard.across())
            }
        };
        let Some(hunter) = hunter else { continue };
        let pieces = [eggs, guards | guard, hunters & !guards | hunter.bit()];
        let side = if random.below(2) == 0 { Side::Copper } else { Side::Silver };
        let Ok(position) = Position::new(pieces, side, RuleOptions::default()) else { continue };
        let Some(known) = evaluation.known_value(&position) else { continue };
        let Some(verdict) = table().probe(&position) else { continue };
        let sign = if side == Side::Copper { 1 } else { -1 };
        let stored = sign
            * match verdict {
                Verdict::CopperWins(plies) => 10_000 - plies as i32,
                Verdict::SilverWins(plies) => plies as i32 - 10_000,
                Verdict::Drawn => 0,
            };
        let claimed = match known.score {
            Score::Mate(plies) if plies > 0 => 10_000 - plies,
            Score::Mate(plies) => -10_000 - plies,
            Score::Cp(value) => value,
        };
        let holds = match known.bound {
            Bound::Exact => stored == claimed,
            Bound::Lower => stored >= claimed,
            Bound::Upper => stored <= claimed,
        };
        assert!(holds, "{}: {known:?}, {verdict:?}", position);
        compared[usize::from(known.bound == Bound::Exact)] += 1;
    }
    assert!(compared[1] > 700, "exact: {compared:?}");
}

#[test]
fn mate_in_one_is_known_without_search() {
    let evaluation = Evaluation::default();
    let (mut wins, rules) = (0, Position::default_rules());
    crate::properties::random_walk::<Position>(&rules, 300, 200, |position| {
        let winner = position.side().seat();
        let wins_now = position.moves().iter().any(|m| {
            let mut next = *position;
            next.play(m);
            next.outcome().is_some_and(|outcome| outcome.place(winner) == 1)
        });
        let known = evaluation.known_value(position).map(|known| known.score);
        assert_eq!(known == Some(Score::Mate(1)), wins_now, "{}", position);
        wins += u32::from(wins_now);
    });
    assert!(wins > 50, "{wins} wins in one");
}

/// On an empty board the eggs of the default set-up need twelve moves.
#[test]
fn copper_cannot_win_before_ply_23() {
    let eggs = position("En,Ee,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,- c");
    let known = Evaluation::default().known_value(&eggs).expect("an answer");
    assert_eq!((known.score, known.bound), (Score::Mate(23), Bound::Exact));
    assert_eq!(plies_to_win(&eggs), Some(23));
}
