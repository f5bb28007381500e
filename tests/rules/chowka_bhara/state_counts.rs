//! The number of states of the game, counted in two ways.

use parlor::game::{Notation, OptionValues};
use parlor::games::chowka_bhara::Position;

use super::rules;

/// All multisets of path indices, sorted, of this number of pawns.
fn placements(pawns: usize) -> Vec<Vec<u8>> {
    let mut all = vec![vec![]];
    for _ in 0..pawns {
        all = all
            .iter()
            .flat_map(|list: &Vec<u8>| {
                let lowest = list.last().copied().unwrap_or(0);
                (lowest..=24).map(move |index| [list.as_slice(), &[index]].concat())
            })
            .collect();
    }
    all
}

fn is_safe(index: u8) -> bool {
    index == 24 || index < 16 && index.is_multiple_of(4)
}

/// North's path index as South's.
fn across(index: u8) -> u8 {
    match index {
        0..16 => (index + 8) % 16,
        16..24 => 16 + (index - 16 + 4) % 8,
        _ => index,
    }
}

/// States with South to move, nobody home, without and with flags for fresh doubles.
fn count(pawns: usize) -> (u64, u64) {
    let list = placements(pawns);
    let gates = |p: &[u8]| if p.iter().any(|index| *index >= 16) { 1 } else { 2 };
    let unsafe_cells = |p: &[u8], map: fn(u8) -> u8| {
        p.iter().filter(|i| !is_safe(**i)).fold(0u32, |set, i| set | 1 << map(*i))
    };
    let doubles = |p: &[u8]| {
        let pairs = p.windows(2).filter(|pair| pair[0] == pair[1]);
        pairs
            .filter(|q| q[0] < 16 && !is_safe(q[0]))
            .fold(0u32, |set, q| set | 1 << q[0])
            .count_ones()
    };
    let going: Vec<_> = list.iter().filter(|p| p[0] < 24).collect();
    let own: Vec<_> = going.iter().map(|p| (unsafe_cells(p, |i| i), gates(p))).collect();
    let enemy: Vec<_> =
        going.iter().map(|p| (unsafe_cells(p, across), gates(p), 1u64 << doubles(p))).collect();
    let (mut plain, mut flagged) = (0, 0);
    for (here, own_gates) in &own {
        for (there, enemy_gates, flags) in &enemy {
            if here & there == 0 {
                plain += own_gates * enemy_gates;
                flagged += own_gates * enemy_gates * flags;
            }
        }
    }
    (plain, flagged)
}

#[test]
fn states_of_one_to_four_pawns() {
    assert_eq!(count(1).0, 1_544);
    assert_eq!(count(2), (186_816, 196_872));
    assert_eq!(count(3), (10_778_994, 12_252_582));
    assert_eq!(count(4), (382_721_924, 475_998_980));
}

/// The same by asking the rules which texts are positions.
fn count_valid(pawns: usize, options: &OptionValues) -> u64 {
    let list = placements(pawns);
    let text = |p: &[u8]| p.iter().map(u8::to_string).collect::<Vec<_>>().join(".");
    let texts: Vec<_> = list.iter().filter(|p| p[0] < 24).map(|p| text(p)).collect();
    let mut valid = 0;
    for south in &texts {
        for north in &texts {
            for gates in ["-", "S", "N", "SN"] {
                let text = format!("{south}/-/{north}/- S {gates} - -");
                valid += u64::from(Position::parse(&text, options, None).is_ok());
            }
        }
    }
    valid
}

#[test]
fn the_rules_admit_exactly_the_states_of_one_and_two_pawns() {
    assert_eq!(count_valid(1, &rules("Pawns=1")), 1_544);
    assert_eq!(count_valid(2, &rules("Pawns=2")), 186_816);
}
