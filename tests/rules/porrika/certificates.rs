//! Certificates: what they prove, what is refused, and what the search makes of them.

use std::collections::HashMap;
use std::path::Path;

use parlor::game::{Game, Notation, Random};
use parlor::games::porrika::solved::Certificate;
use parlor::games::porrika::{EnginePlayer, Position, Side};
use parlor::search::{Score, Settings};

use super::tablebases::{all_options, scores};
use super::{position, position_under};

/// Made by `parlor-lab porrika prove --endings 0 --fen`, with the position of [`ROOT`].
const FILE: &str = "tests/data/porrika.certificate";

/// Copper wins within 27 plies.
const ROOT: &str = "-,-,-,-/-,-,Ew,-/GnSs,-,-,GnSs/GnSs,-,Gw,-/-,En,Sn,-/-,-,-,-/-,-,-,- c";

/// Copper wins with its next move.
const LAST: &str = "-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/Sn,-,-,-/-,Ew,-,-/-,-,Ew,- c";

fn checked(text: &str) -> Result<u32, String> {
    let mut certificate = Certificate::parse(text).map_err(|error| error.to_string())?;
    certificate.check().map_err(|error| error.to_string())
}

/// Whoever follows the lines wins, whatever silver plays, within the plies that they say.
#[test]
fn the_lines_win_against_anything() {
    let (certificate, plies) = Certificate::open(Path::new(FILE)).expect(FILE);
    assert_eq!((certificate.root(), plies), (&position(ROOT), 27));
    let mut random = Random::new(8);
    let mut lengths = HashMap::new();
    for _ in 0..300 {
        let (mut game, mut played) = (position(ROOT), 0);
        while game.outcome().is_none() {
            let m = match game.side() {
                Side::Silver => game.random_move(&mut random).expect("a move"),
                Side::Copper => {
                    let winning = certificate.winning(&game).expect("a line");
                    assert!(played + winning.plies <= 27, "{game}");
                    winning.m
                }
            };
            assert!(game.is_legal(&m));
            game.play(&m);
            played += 1;
        }
        assert_eq!(game.reason(), Some("eggs-home"));
        *lengths.entry(played).or_insert(0) += 1;
    }
    assert!(lengths.len() >= 3, "{lengths:?}");
}

/// The smallest certificate, and what is wrong with others, line by line.
#[test]
fn what_is_wrong_is_said_with_its_line() {
    let board = LAST.split(' ').next().expect("a board");
    let head = format!("porrika certificate 1\nroot {LAST}\n");
    assert_eq!(checked(&format!("{head}{board} b6wb7e 1\n")), Ok(1));
    for (text, error) in [
        (String::new(), "line 1: a certificate begins with 'porrika certificate 1'"),
        ("porrika certificate 2\n".into(), "line 1: a certificate begins"),
        ("porrika certificate 1\n".into(), "line 2: expected 'root' and a position"),
        ("porrika certificate 1\nroot x\n".into(), "line 2: "),
        (head.clone(), "line 2: no line has this position"),
        (format!("{head}{board} b6wb7e\n"), "line 3: expected a board, a move and a number"),
        (format!("{head}{board} b6wb7e one\n"), "line 3: 'one' is no number of plies"),
        (format!("{head}{board} b6wx7e 1\n"), "line 3: move 'b6wx7e': "),
        (format!("{head}{board} b6wa1n 1\n"), "line 3: a1n is no second step"),
        (format!("{head}{board} b6wb7e 3\n"), "line 3: copper wins in 1 plies, not 3"),
        (format!("{head}{board} b6wb5e 1\n"), "line 3: no line answers "),
        (
            format!("{head}{board} b6wb7e 1\n{board} b6wb7e 1\n"),
            "line 4: the position has a line already",
        ),
        (
            format!("{head}{board} b6wb7e 1\n{} b6wb7e 1\n", board.replace("Sn", "Se")),
            "line 4: no line of play leads to this position",
        ),
    ] {
        let found = checked(&text).expect_err(&text);
        assert!(found.starts_with(error), "{text}: {found}");
    }
}

/// The shortest way of copper back to a position in which silver can only pass: positions and moves.
fn circle(start: Position) -> Vec<(Position, String)> {
    let mut ways = vec![vec![(start, String::new())]];
    for seen in 0.. {
        let way = ways.get(seen).expect("a way back").clone();
        let (position, _) = way.last().cloned().expect("a position");
        for m in position.moves() {
            let mut next = position;
            next.play(&m);
            let Some(pass) = next.moves().first().copied() else { continue };
            next.play(&pass);
            let mut longer = way.clone();
            longer.last_mut().expect("a position").1 = position.token(&m);
            if next == start {
                return longer;
            }
            if ways.iter().all(|way| way.last().is_some_and(|(last, _)| *last != next)) {
                longer.push((next, String::new()));
                ways.push(longer);
            }
        }
    }
    unreachable!("the ways end before")
}

/// Lines that lead to each other: every position has a line, and copper never wins.
#[test]
fn lines_that_go_round_in_a_circle_are_refused() {
    let start = "-,-,-,-/-,En,-,-/GnSs,GnSs,GnSs,GnSs/-,-,-,-/-,-,-,-/-,-,-,-/-,-,Ew,- c";
    let circle = circle(position(start));
    let count = circle.len() as u32;
    let text = |plies: &dyn Fn(u32) -> u32| {
        let lines = (0..).zip(&circle).map(|(number, (position, token))| {
            let text = position.to_string();
            format!("{} {token} {}\n", text.trim_end_matches(" c"), plies(number))
        });
        format!("porrika certificate 1\nroot {start}\n{}", lines.collect::<String>())
    };
    let falling = |number: u32| 1 + 2 * (count - number);
    for plies in [&falling as &dyn Fn(u32) -> u32, &|_| 9, &|_| u32::MAX] {
        let found = checked(&text(plies)).expect_err("a circle");
        let reasons = ["copper wins in", "a win has at most 1048576 plies"];
        assert!(reasons.iter().any(|reason| found.contains(reason)), "{found}");
    }
}

/// With the certificate in its folder the engine announces the win; a false one is refused.
#[test]
fn the_search_probes_the_certificates_of_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let player = || {
        let mut settings = Settings { options: all_options(), ..Settings::default() };
        settings.options.set("EndgameTables", "false").expect("an option");
        settings.options.set("EndgamePath", &folder.path().to_string_lossy()).expect("an option");
        EnginePlayer::new(&settings)
    };
    let announced = |player: &mut EnginePlayer| scores(player, position(ROOT), 3).last().copied();
    assert!(matches!(announced(&mut player()), Some(Score::Cp(_))));
    let file = folder.path().join("a.certificate");
    std::fs::copy(FILE, &file).expect("copied");
    assert_eq!(announced(&mut player()), Some(Score::Mate(27)));
    // It was replayed under the default rules, and proves nothing under others.
    let other = scores(&mut player(), position_under("Stuck=loss", ROOT), 3).last().copied();
    assert_ne!(other, Some(Score::Mate(27)));
    let text = parlor::reading::text(&file).expect("text");
    let shorter: Vec<&str> = text.lines().take(1_000).collect();
    std::fs::write(&file, shorter.join("\n")).expect("written");
    assert!(matches!(announced(&mut player()), Some(Score::Cp(_))));
}
