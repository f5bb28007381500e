//! The solved game: its states, damaged tables, play and losses by a table.
//!
//! `tests/data/chowka-bhara/one.table` and `two.table` are those of
//! `parlor-lab chowka-bhara solve --pawns 1` and `--pawns 2`.

use std::path::Path;
use std::sync::Arc;

use parlor::game::{Game, Random, Situation};
use parlor::games::Playable;
use parlor::games::chowka_bhara::Position;
use parlor::games::chowka_bhara::solved::{
    Checksum, Loss, Ranking, SolvedTable, TablePlayer, analyse, equity, plays,
};
use parlor::search::{Limits, Player, Report, Request, Settings};

use super::position;
use crate::damaged;

const ONE: &str = "tests/data/chowka-bhara/one.table";
const TWO: &str = "tests/data/chowka-bhara/two.table";

fn two_pawns() -> SolvedTable {
    SolvedTable::read(Path::new(TWO)).expect("a table")
}

#[test]
fn states_are_ranked_without_gaps_or_collisions() {
    assert_eq!(Ranking::new(1).count().0, 1_544);
    assert_eq!(Ranking::new(2).count(), (186_816, 196_872));
    assert_eq!(Ranking::new(3).count(), (10_778_994, 12_252_582));
    for pawns in 1..=2 {
        let ranking = Ranking::new(pawns);
        let mut random = Random::new(3);
        let options = format!("Pawns={pawns}");
        let mut seen = std::collections::HashMap::new();
        for _ in 0..3000 {
            let state = to_throw(super::random_position(&options, &mut random));
            if state.outcome().is_some() {
                continue;
            }
            let index = ranking.index(&state).expect("a state");
            assert!(index < ranking.numbers());
            // South and North see the same state; compare the mover's view.
            let view = seen.entry(index).or_insert_with(|| view(&state));
            assert_eq!(*view, self::view(&state));
        }
    }
}

/// Pawns, gates and fresh doubles as the side to move sees them.
fn view(state: &Position) -> (Vec<u8>, Vec<u8>, bool, bool, u32) {
    let (own, other) = (state.side(), 2 - state.side());
    let fresh = (0..16).filter(|cell| state.fresh() >> cell & 1 != 0).fold(0, |set, cell| {
        let index = if other == 0 { cell } else { (cell + 8) % 16 };
        set | 1 << index
    });
    let pawns = |side| state.pawns(side).to_vec();
    (pawns(own), pawns(other), state.gate_open(own), state.gate_open(other), fresh)
}

/// The position with its throws taken back.
fn to_throw(position: Position) -> Position {
    use parlor::game::{Notation, Rules};
    let text = position.to_string();
    let (rest, _) = text.rsplit_once(' ').expect("throws");
    let mut rules = Position::default_rules();
    rules.set("Pawns", &position.options().pawns.to_string()).expect("an option");
    Position::parse(&format!("{rest} -"), &rules, None).expect("a position")
}

#[test]
fn damaged_tables_are_refused_with_reasons() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("damaged.table");
    let good = std::fs::read(ONE).expect("a table");
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("writable");
        let error = SolvedTable::read(&path).expect_err("refused");
        format!("{error:#}")
    };
    assert!(refused(&good[..20]).contains("less than a header"));
    assert!(refused(&good[..good.len() - 2]).contains("the checksum is wrong"));
    assert!(refused(&[b"chowkaC3", &good[8..]].concat()).contains("does not begin with chowkaT3"));
    for at in [9, 33, 100, good.len() - 1] {
        let mut bytes = good.clone();
        bytes[at] ^= 0x10;
        assert!(refused(&bytes).contains("damaged"), "byte {at}");
    }
    // Nothing but a header, whole: a table of four pawns would take 1.4 GB.
    for pawns in [2_u32, 3, 4] {
        let mut head = [&b"chowkaT3"[..], &pawns.to_le_bytes(), &[0; 20]].concat();
        let mut checksum = Checksum::default();
        checksum.add(&head);
        head.extend(checksum.sum().to_le_bytes());
        assert!(refused(&head).contains("its 40 bytes are too few for"), "{pawns}");
    }
    damaged::each(&good, damaged::copies(60), |what, bytes| {
        std::fs::write(&path, bytes).expect("writable");
        assert!(SolvedTable::read(&path).is_err(), "{what}");
    });
}

/// A position with four pawns that the table of two knows, as two are home.
fn covered() -> Position {
    position("3.9.24.24/-/5.14.24.24/- S SN - 2", "")
}

#[test]
fn a_table_is_played_perfectly_and_covers_games_with_more_pawns() {
    let table = two_pawns();
    let list = plays(&table, &covered()).expect("covered");
    assert_eq!(list.len(), covered().moves().len());
    let same = position("3.9/-/5.14/- S SN - 2", "Pawns=2");
    for (m, value) in plays(&table, &same).expect("covered") {
        assert!(list.contains(&(m, value)), "{m:?} {value}");
    }
    let mut player = engine_with_table();
    let request = Request::new(Limits::depth(1));
    let choice = player.choose(&Situation::new(covered()), &request, &mut |_| {}).expect("a play");
    assert_eq!(choice.best, list[0].0);
    let (last, _) = *list.last().expect("a play");
    let request = Request { search_moves: Some(vec![last]), ..Request::new(Limits::depth(1)) };
    let situation = Situation::new(covered());
    let choice = player.choose(&situation, &request, &mut |_| {}).expect("a play");
    assert_eq!(choice.best, last, "the one play that is allowed");
    // Too many pawns out, or a closed gate with pawns that cannot be inside: not in the table.
    for text in ["3.9.10.24/-/5.14.24.24/- S SN - 2", "0.1.2.3/-/0.0.5.6/- S - - 2"] {
        assert!(plays(&table, &position(text, "")).is_none(), "{text}");
    }
}

/// The engine with the 2-pawn table.
fn engine_with_table() -> Box<dyn Player<Position>> {
    engine_with(TWO)
}

fn engine_with(path: &str) -> Box<dyn Player<Position>> {
    let mut settings = Settings { hash: 1, ..Settings::default() };
    settings.options = parlor::game::OptionValues::new(Position::engine_options());
    settings.options.set("TableFile", path).expect("an option");
    Position::player("engine", &settings).expect("a player")
}

/// The table of one pawn does not know the position, that of two does.
#[test]
fn a_table_whose_file_was_replaced_is_read_anew() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("a.table");
    let known = plays(&two_pawns(), &covered()).expect("covered");
    let chances = known.iter().map(|(m, value)| (*m, (value * 1000.0).round() as u16));
    let chances: Vec<_> = chances.collect();
    for (file, knows) in [(ONE, false), (TWO, true)] {
        std::fs::copy(file, &path).expect("copied");
        let mut player = engine_with(path.to_str().expect("a path of text"));
        let request = Request { multi_pv: 99, ..Request::new(Limits::depth(1)) };
        let mut told = Vec::new();
        player.choose(&Situation::new(covered()), &request, &mut |report| {
            if let Report::Info(info) = report {
                told.push((info.pv[0], info.wdl.map_or(0, |[won, ..]| won)));
            }
        });
        assert_eq!(told == chances, knows, "{file}: {told:?}");
    }
}

#[test]
fn a_search_takes_the_tables_values_where_the_root_is_not_known() {
    let table = two_pawns();
    // A pawn that goes home leaves two; the other plays leave three.
    let root = position("3.5.22.24/-/5.14.24.24/- S SN - 2", "");
    assert!(plays(&table, &root).is_none());
    let mut request = Request::new(Limits::depth(1));
    request.multi_pv = 9;
    let mut known = 0;
    engine_with_table().choose(&Situation::new(root.clone()), &request, &mut |report| {
        let Report::Info(info) = report else { return };
        let mut next = root.clone();
        next.play(&info.pv[0]);
        let Some(value) = table.value_of(&next) else { return };
        known += 1;
        let [won, _, _] = info.wdl.expect("chances");
        assert!((f32::from(won) / 1000.0 - (1.0 - value)).abs() < 0.001, "{info:?} {value}");
    });
    assert_eq!(known, 1, "the pawn that goes home");
}

#[test]
fn a_game_of_other_rules_is_played_without_the_table_and_reported_once() {
    let mut player = engine_with_table();
    for (options, expected) in [("Safe=corners", 1), ("Pawns=2", 0)] {
        let pawns = if expected == 1 { "0.0.0.0/-/0.0.0.0/-" } else { "0.0/-/0.0/-" };
        let situation = Situation::new(position(&format!("{pawns} S - - 2"), options));
        let mut reports = Vec::new();
        player.new_game();
        for _ in 0..2 {
            let choice =
                player.choose(&situation, &Request::new(Limits::depth(1)), &mut |report| {
                    if let Report::BadOption(text) = report {
                        reports.push(text);
                    }
                });
            assert!(choice.is_some());
        }
        assert_eq!(reports.len(), expected, "{options}: {reports:?}");
        assert!(reports.iter().all(|text| text.contains("tables are of the default rules")));
    }
}

#[test]
fn luck_and_losses_add_up_to_the_result_of_a_game() {
    let table = two_pawns();
    let mut random = Random::new(9);
    for _ in 0..10 {
        let mut state = position("0.0/-/0.0/- S - - -", "Pawns=2");
        let start = table.value_of(&state).expect("the start");
        let mut line = "position startpos moves".to_string();
        let mut turns = [0; 2];
        while let Some(m) = state.random_move(&mut random) {
            use parlor::game::Notation;
            if let Some(seat) = state.turn().seat() {
                turns[seat.index()] += u64::from(state.moves().len() > 1);
            }
            line += &format!(" {}", state.token(&m));
            state.play(&m);
        }
        let share = state.outcome().expect("it ended").share(parlor::game::Seat::new(0));
        let found = analyse(&table, &mut line.as_bytes()).expect("a game");
        let [south, north] = ["South", "North"].map(|name| found.players[name]);
        assert!(south.unknown + north.unknown == 0 && south.lost >= 0.0 && north.lost >= 0.0);
        let sum = f64::from(start) + south.luck - south.lost - north.luck + north.lost;
        assert!((sum - share).abs() < 1e-3, "{sum} {share} {found:?}");
        assert_eq!([south.turns, north.turns], turns, "only a choice is a turn of skill");
        assert!(found.worst[0].lost >= found.worst[found.worst.len() - 1].lost);
        assert_ne!(found.worst[0].played, found.worst[0].best);
    }
    for (text, why) in [
        ("", "no game in it"),
        ("position startpos moves t2 c1e9", "line 1: at character"),
        ("\nposition startpos moves t2 c1d1", "line 2: c1d1 is not legal in"),
        ("position startpos moves c1d1", "is not legal"),
        ("position here moves t2", "it begins with 'here', not with startpos or fen"),
        ("{\"moves\":[]}", "no seating"),
        ("{\"moves\"", "it is no record"),
        (
            &("{\"moves\":[".to_owned() + &"{},".repeat(200_000) + "{}]}"),
            "more than 100000 objects",
        ),
        (&("position startpos moves t2".to_owned() + &" ".repeat(17 << 20)), "more than 16 MiB"),
    ] {
        let error = format!("{:#}", analyse(&table, &mut text.as_bytes()).expect_err(text));
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn the_engine_without_a_table_loses_little_to_perfect_play() {
    let table = two_pawns();
    let start = position("0.0/-/0.0/- S - - -", "Pawns=2");
    let settings = Settings { hash: 1, ..Settings::default() };
    let mut players = ["engine", "careful"].map(|name| Position::player(name, &settings).unwrap());
    let loss = equity(&table, &start, &mut players, &Limits::depth(1), 100, 1);
    assert!(loss.mean(0) < 0.005, "the engine loses {}", loss.mean(0));
    assert!(loss.mean(1) > loss.mean(0), "careful loses {}", loss.mean(1));
    assert!(loss.adjusted() > 0.5);
    let table = Arc::new(table);
    let perfect = || -> Box<dyn Player<Position>> {
        let other = Position::player("random", &settings).unwrap();
        Box::new(TablePlayer::new(table.clone(), other))
    };
    let mut players = [perfect(), perfect()];
    for seed in 1..=10 {
        // The same throws and plays twice: each player wins once.
        let loss = equity(&table, &start, &mut players, &Limits::depth(1), 2, seed);
        assert_eq!((loss.lost, loss.points), ([0.0, 0.0], 1.0), "seed {seed}");
    }
}

#[test]
fn the_margin_of_a_loss_is_that_of_the_mean_of_its_turns() {
    // Two turns that lost 0.1 and 0.3: the variance is 0.01.
    let (turns, lost, squares) = ([2, 1], [0.4, 0.0], [0.1, 0.0]);
    let loss = Loss { turns, lost, squares, ..Loss::default() };
    assert!((loss.mean(0) - 0.2).abs() < 1e-9);
    assert!((loss.margin(0) - 1.96 * 0.005_f64.sqrt()).abs() < 1e-9, "{}", loss.margin(0));
}
