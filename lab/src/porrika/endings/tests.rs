//! Tablebases of both kinds of ending against the rules of the game, and their files.

use parlor::game::{Notation, Rules};
use parlor::games::porrika::board::{BOARD, DEAD, GOALS, Space, across, spaces};
use parlor::games::porrika::solved::{Ending, FreePieces, Tablebase};
use parlor::games::porrika::{Position, Side};

use super::save;
use super::solve;
use super::verify::verify;

/// Three locked pairs, one of them on a way into the Por'rika.
const THREE_PAIRS: &str = "-,Ee,-,-/-,En,-,-/-,-,Gw,-/GnSs,GnSs,-,-/Se,-,-,-/-,GnSs,-,-/-,-,-,- c";

/// One egg is home; the Guardians are given by their number.
const LAST_EGG: &str = "-,-,-,-/-,-,-,-/GnSs,-,-,GnSs/-,Ee,Sn,-/-,-,-,-/Sn,-,-,-/-,Ee,-,- c";

fn position(text: &str) -> Position {
    Position::parse(text, &Position::default_rules(), None).expect(text)
}

fn last_egg(guardians: usize) -> (Ending, Tablebase) {
    let text = LAST_EGG.replacen("-,-,-,-", ["-,-,-,-", "Gn,-,-,-"][guardians], 1);
    let ending = Ending::of(&position(&text)).expect("an ending");
    let solved = solve(ending, 2, &mut |_, _| ()).expect("solved");
    (ending, solved)
}

/// All pairs of egg places take a minute, so this test takes every 83rd; `parlor-lab porrika endings
/// --verify` compares them all.
#[test]
fn values_are_the_best_of_their_successors() {
    let ending = Ending::of(&position(THREE_PAIRS)).expect("an ending");
    let table = solve(ending, 2, &mut |_, _| ()).expect("solved");
    match verify(&table, 83, &|_| ()) {
        Ok(states) => assert!(states > 500_000, "{states} states"),
        Err(mismatch) => panic!("{}: {mismatch:?}", mismatch.position),
    }
}

#[test]
fn the_last_egg_against_two_serra_is_solved() {
    let (_, table) = last_egg(0);
    assert_eq!(verify(&table, 1, &|_| ()).expect("no mismatch"), 636_216);
    let (_, table) = last_egg(1);
    match verify(&table, 61, &|_| ()) {
        Ok(states) => assert!(states > 500_000, "{states} states"),
        Err(mismatch) => panic!("{}: {mismatch:?}", mismatch.position),
    }
    let census = table.census(Side::Copper).expect("in memory");
    assert!(census.copper > census.states() * 9 / 10, "{census:?}");
    assert!(census.silver > 0 && census.drawn > 0, "{census:?}");
}

/// Rows 5 to 7, with walls everywhere else: small enough for two Guardians. The second time
/// with walls on b6 too, so that the last ways into the Por'rika can be sealed.
#[test]
fn two_guardians_and_two_serra_are_solved() {
    let rows_1_to_4 = BOARD & !DEAD & ((1 << 64) - 1);
    let b6 = ["b6n", "b6e", "b6s", "b6w"].map(|name| Space::parse(name.as_bytes()));
    let b6 = b6.into_iter().flatten().fold(0, |set, space| set | space.bit());
    for walls in [rows_1_to_4, rows_1_to_4 | b6] {
        assert_eq!(across(walls), walls, "pairs");
        let home = spaces(GOALS).next().expect("a goal");
        let ending = Ending::new(walls, FreePieces::LastEgg { home, guardians: 2 });
        let table = solve(ending, 2, &mut |_, _| ()).expect("solved");
        match verify(&table, 5, &|_| ()) {
            Ok(states) => assert!(states > 200_000, "{states} states"),
            Err(mismatch) => panic!("{}: {mismatch:?}", mismatch.position),
        }
        let census = table.census(Side::Silver).expect("in memory");
        assert!(census.copper > 0 && census.silver > 0 && census.drawn > 0, "{census:?}");
    }
}

#[test]
fn a_file_is_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ending, table) = last_egg(0);
    let path = folder.path().join(ending.file_name());
    let written = save(&table, &path).expect("written");
    assert_eq!(std::fs::metadata(&path).expect("a file").len(), written);
    let back = Tablebase::open(&path).expect("opened");
    back.check().expect("whole");
    assert_eq!(back.ending(), ending);
    for side in [Side::Copper, Side::Silver] {
        assert_eq!(back.census(side).expect("whole"), table.census(side).expect("in memory"));
    }
    assert_eq!(verify(&back, 1, &|_| ()).expect("no mismatch"), 636_216);
    assert!(save(&back, &path).is_err(), "it is in a file already");
}

/// The table of the product's tests is the one that is solved.
#[test]
fn the_table_of_the_tests_is_the_one_that_is_solved() {
    let (ending, table) = last_egg(0);
    let path = format!("../tests/data/porrika/{}", ending.file_name());
    let shipped = Tablebase::open(path.as_ref()).expect("opened");
    shipped.check().expect("whole");
    assert_eq!(shipped.ending(), ending);
    let sides = table.sides().expect("in memory");
    for (side, bytes) in [Side::Copper, Side::Silver].into_iter().zip(sides) {
        for number in 0..bytes.len() {
            assert_eq!(shipped.verdict(number, side), table.verdict(number, side), "{number}");
        }
    }
}
