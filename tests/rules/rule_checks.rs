//! The rule checks, on every game of the list and on the example outside the crate.

use parlor::game::{RuleChecks, Symmetry};
use parlor::games::{GameVisitor, NAMES, Playable, with_game};

use crate::tic_tac_toe;

/// Games and plies under each set of rules.
fn extent(name: &str) -> (u64, usize) {
    match name {
        "barbarossa" => (1, 120),
        "pacru" => (1, 30),
        _ => (3, 60),
    }
}

struct Check(&'static str);

impl GameVisitor for Check {
    type Output = Result<u64, String>;

    fn visit<G: Playable>(self) -> Self::Output {
        let (games, plies) = extent(self.0);
        RuleChecks::<G>::new(games, plies).check().map_err(|error| error.to_string())
    }
}

#[test]
fn every_game_of_the_list_passes() {
    assert!(NAMES.len() >= 5, "{NAMES:?}");
    for name in NAMES {
        let positions = with_game(name, Check(name)).unwrap();
        let positions = positions.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(positions > 50, "{name}: only {positions} positions");
    }
}

/// The board turned by a quarter: a1 becomes a3, a3 becomes c3.
fn quarter(square: usize) -> usize {
    let (file, rank) = (square % 3, square / 3);
    (2 - file) * 3 + rank
}

fn turned(position: &tic_tac_toe::Position) -> tic_tac_toe::Position {
    let letters: Vec<char> = position.to_string().chars().filter(|c| *c != '/').collect();
    let mut image = ['.'; 9];
    for (at, letter) in letters.iter().enumerate() {
        image[quarter(at)] = *letter;
    }
    let ranks: Vec<String> = image.chunks(3).map(|rank| rank.iter().collect()).collect();
    ranks.join("/").parse().unwrap()
}

#[test]
fn tic_tac_toe_passes_and_looks_the_same_from_every_side() {
    let symmetry = Symmetry::<tic_tac_toe::Position> {
        name: "a quarter turn",
        position: turned,
        token: |position, m| {
            use parlor::game::Notation;
            let token = position.token(m).into_bytes();
            // The text begins with rank 3, so that a square counts from the other side there.
            let (file, rank) = (usize::from(token[0] - b'a'), usize::from(b'3' - token[1]));
            let image = quarter(rank * 3 + file);
            let text = format!("{}{}", char::from(b'a' + (image % 3) as u8), 3 - image / 3);
            position.parse_move(&text).unwrap()
        },
        seat: |seat| seat,
    };
    let positions = RuleChecks::new(20, 12).symmetry(symmetry).check().unwrap();
    assert!(positions > 100, "only {positions} positions");
}
