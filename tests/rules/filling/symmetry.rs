//! Properties of the rules: the board has no direction, markers of Shacru stay.

use parlor::game::{Game, Notation, RuleChecks, Rules, Symmetry};
use parlor::games::Playable;
use parlor::games::azacru::Azacru;
use parlor::games::chevrons::Field;
use parlor::games::chevrons::filling::{Kind, Move, Position};
use parlor::games::shacru::{self, Shacru};

use super::rules;
use crate::pacru::symmetry::turned;
use crate::properties::random_walk;

fn quarter_turn<K: Kind>() -> Symmetry<Position<K>> {
    fn field(field: Field) -> Field {
        Field::at(field.rank(), 8 - field.file()).expect("a field of the board")
    }
    Symmetry {
        name: "a quarter turn",
        position: |position| {
            let text = turned(&position.to_string(), false);
            Position::parse(&text, &Position::<K>::default_rules(), None).expect("a turned board")
        },
        token: |_, m| Move { from: field(m.from), to: field(m.to), ..*m },
        seat: |seat| seat,
    }
}

fn know_no_direction<K: Kind>() {
    let positions = RuleChecks::new(4, 120).symmetry(quarter_turn::<K>()).check().unwrap();
    assert!(positions > 400, "{positions} positions");
}

#[test]
fn the_rules_know_no_direction() {
    know_no_direction::<Shacru>();
    know_no_direction::<Azacru>();
}

#[test]
fn markers_of_shacru_stay() {
    for players in ["2", "3", "4"] {
        random_walk::<shacru::Position>(&rules::<Shacru>(players), 6, 200, |position| {
            for m in position.moves() {
                let mut next = position.clone();
                next.play(&m);
                let stays = |field| next.marker(field) == position.marker(field) || field == m.to;
                assert!(Field::all().all(stays), "{m} in {position}");
                assert!(next.marker(m.to).is_some());
                let gains = position.marker(m.to).is_none();
                assert_eq!(position.is_noisy(&m), gains, "{m} in {position}: seen before others");
            }
        });
    }
}
