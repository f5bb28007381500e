//! UCI engines of chess under the referee of the examples, where python-chess is installed; with
//! Stockfish, where that is.

use std::path::Path;
use std::process::Command;

use parlor::runner::record::Ending;

use crate::support::{expect, games, refusal, scratch, within};

/// Whether a command runs at all.
fn runs(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

#[test]
fn uci_engines_play_chess_from_positions_under_the_referee() {
    if !runs("python3", &["-c", "import chess"]) {
        println!("python-chess is not installed: nothing is tested");
        return;
    }
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/chess_referee.py");
    let referee = format!("cmd='python3 -B {}'", script.display());
    let player = |name: &str| format!("{referee} args=--player proto=uci name={name}");
    let strong = if runs("stockfish", &["quit"]) {
        "stockfish proto=uci name=one".to_owned()
    } else {
        player("one")
    };
    let (openings, records) = (path("start.epd"), path("records.jsonl"));
    // EPD, a position with its counters, and one where only Black's king can move.
    let lines = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3; id \"open\";\n\
                 fen rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2\n\
                 8/8/8/4k3/8/8/4P3/4K3 b - -\n";
    std::fs::write(&openings, lines).unwrap();
    let two = player("two");
    let words = [
        "match",
        &strong,
        &two,
        "--referee",
        &referee,
        "--openings",
        &openings,
        "--games",
        "6",
        "--nodes",
        "200",
        "--ply-limit",
        "200",
        "--records",
        &records,
    ];
    expect(0, &words);
    let (_, games) = games(Path::new(&records));
    assert_eq!(games.len(), 6);
    for game in games.values() {
        assert!(game.faults.is_empty() && game.start.starts_with("fen "), "{game:?}");
        let first = if game.start.contains(" b ") { 2 } else { 1 };
        let seats: Vec<usize> = game.moves.iter().map(|m| m.seat).collect();
        let expected = (0..seats.len()).map(|index| (index + first - 1) % 2 + 1);
        assert!(expected.eq(seats.iter().copied()), "game {}", game.game);
        if game.ending == Ending::Rules {
            let known = ["checkmate", "stalemate", "insufficient-material", "threefold-repetition"];
            assert!(known.contains(&game.reason.as_str()) || game.reason.starts_with("fifty"));
        }
    }
    // A position that is none is refused before the first game.
    std::fs::write(&openings, "8/8/8/8/8/8/8/8 w - -\n").unwrap();
    let text = refusal(&words[..7]);
    assert!(text.contains("the referee refuses it: bad-position"), "{text}");
}
