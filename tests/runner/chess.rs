//! UCI engines of chess under the referee of the examples, where python-chess is installed; with
//! Stockfish, where that is.

use std::path::Path;
use std::process::Command;

use parlor::runner::record::Ending;

use crate::support::{expect, games, python, refusal, scratch, within};

/// Plays the exported games again, by the rules of python-chess.
const READER: &str = "
import sys, chess.pgn
NAMES = {True: '1-0', False: '0-1', None: '1/2-1/2'}
with open(sys.argv[1]) as file:
    while game := chess.pgn.read_game(file):
        assert not game.errors, game.errors
        board = game.end().board()
        assert board.ply() - game.board().ply() == int(game.headers['PlyCount']), game
        outcome = board.outcome(claim_draw=True)
        if game.headers['Ending'] == 'rules':
            assert NAMES[outcome.winner] == game.headers['Result'], game
            assert outcome.termination.name.lower().replace('_', '-') == game.headers['Termination']
        print(game.headers['White'], game.headers['Black'], game.headers.get('Variant'))
";

fn read_with_python_chess(records: &str, pgn: &str) {
    expect(0, &["export", records, "-o", pgn]);
    let output = Command::new(python()).args(["-c", READER, pgn]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines, ["one two None", "two one None"].repeat(3));
}

#[test]
fn tools_for_pgn_read_the_tags_of_other_games() {
    if !runs(python(), &["-c", "import chess"]) {
        println!("python-chess is not installed: nothing is tested");
        return;
    }
    let directory = scratch();
    let (records, pgn) = (within(&directory, "records.jsonl"), within(&directory, "games.pgn"));
    let words = ["match", "porrika", "porrika name=two", "--nodes", "1", "--ply-limit", "9"];
    expect(0, &[&words[..], &["--games", "4", "--records", &records]].concat());
    expect(0, &["export", &records, "-o", &pgn]);
    let reader = "import sys, chess.pgn\nwith open(sys.argv[1]) as file:\n    \
                  while tags := chess.pgn.read_headers(file): print(tags['Variant'], tags['Result'])";
    let output = Command::new(python()).args(["-c", reader, &pgn]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text, "porrika 1/2-1/2\n".repeat(4));
}

/// Whether a command runs at all.
fn runs(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

#[test]
fn uci_engines_play_chess_from_positions_under_the_referee() {
    if !runs(python(), &["-c", "import chess"]) {
        println!("python-chess is not installed: nothing is tested");
        return;
    }
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/chess_referee.py");
    let referee = format!("cmd='{} -B {}'", python(), script.display());
    let player = |name: &str| format!("{referee} args=--player proto=uci name={name}");
    // Two Stockfish of unequal limits, where it is installed; Debian puts games beside the path.
    let stockfish =
        ["stockfish", "/usr/games/stockfish"].into_iter().find(|it| runs(it, &["quit"]));
    if stockfish.is_none() {
        println!("Stockfish is not installed: the player of the examples takes its place");
    }
    let strong = stockfish.map_or(player("one"), |it| format!("{it} proto=uci name=one"));
    let two = stockfish.map_or(player("two"), |it| {
        format!("{it} proto=uci name=two nodes=100 option.Hash=1 option.UCI_ShowWDL=true")
    });
    let (openings, records) = (path("start.epd"), path("records.jsonl"));
    // EPD, a position with its counters, and one where only Black's king can move.
    let lines = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3; id \"open\";\n\
                 fen rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2\n\
                 8/8/8/4k3/8/8/4P3/4K3 b - -\n";
    std::fs::write(&openings, lines).unwrap();
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
    read_with_python_chess(&records, &path("games.pgn"));
    // A position that is none is refused before the first game.
    std::fs::write(&openings, "8/8/8/8/8/8/8/8 w - -\n").unwrap();
    let text = refusal(&words[..7]);
    assert!(text.contains("the referee refuses it: bad-position"), "{text}");
}
