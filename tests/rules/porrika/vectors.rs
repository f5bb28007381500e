//! Vectors: perft, positions with their moves, and the cases that the rules name.

use parlor::game::{Game, perft};
use parlor::games::porrika::Position;
use parlor::protocol::GameResult;

use super::{moves_of, play, position, position_under, rows};

/// The eight squares of a row without pieces.
pub const R: &str = "-,-,-,-";

#[test]
fn perft_counts_are_those_of_the_vectors() {
    for row in rows(include_str!("../../data/porrika/perft.txt")) {
        let [options, text, counts] = row[..] else { panic!("{row:?}") };
        let start = position_under(options, text);
        for (depth, expected) in (1..).zip(counts.split_whitespace()) {
            let count = perft(&start, depth, true).expect("a list").to_string();
            assert_eq!(count, expected, "perft {depth} of {text} {options}");
        }
    }
}

#[test]
fn perft_without_bulk_counting_agrees() {
    for row in rows(include_str!("../../data/porrika/perft.txt")) {
        let start = position_under(row[0], row[1]);
        assert_eq!(perft(&start, 3, false), perft(&start, 3, true), "{}", row[1]);
    }
}

#[test]
fn three_hundred_positions_have_their_moves() {
    let mut count = 0;
    for row in rows(include_str!("../../data/porrika/moves.txt")) {
        let expected: Vec<&str> = row[1].split_whitespace().collect();
        assert_eq!(moves_of(&position(row[0]), ""), expected, "{}", row[0]);
        count += 1;
    }
    assert_eq!(count, 300);
}

/// The moves of the piece on `from` with no other piece near, by where they end.
fn targets_alone(from: &str) -> Vec<String> {
    let column = usize::from(from.as_bytes()[0] - b'a');
    let row = usize::from(from.as_bytes()[1] - b'1');
    let mut board = vec![vec![String::from("-"); 4]; 7];
    board[row][column] = format!("G{}", &from[2..]);
    let rows: Vec<String> = board.iter().map(|row| row.join(",")).collect();
    targets(&position(&format!("{} c", rows.join("/"))), from)
}

fn targets(position: &Position, from: &str) -> Vec<String> {
    moves_of(position, from).iter().map(|m| m[3..].to_string()).collect()
}

#[test]
fn pieces_alone_move_as_the_figures_and_edges_say() {
    let cases = [
        ("c2w", "c1e c1s d1s d1w d2n d2s c3n c3e d3n d3w"),
        ("b1n", "a1e a1s c1s c1w a2n a2e b2e b2w c2n c2w"),
        ("a1e", "a2n a2w"),
        ("a1s", "b1n b1w"),
        ("a1w", "b1n b1s a2n a2e b2n b2w"),
        ("a5n", "b5s b5w a6e b6n b6w"),
        ("d5w", "d4e d4s d6n"),
    ];
    for (from, expected) in cases {
        let mut expected: Vec<&str> = expected.split(' ').collect();
        expected.sort_unstable();
        assert_eq!(targets_alone(from), expected, "{from}");
    }
}

fn figure_3(side: char) -> String {
    format!("Ew,Gn,-,-/-,GnSe,-,-/{R}/{R}/{R}/{R}/{R} {side}")
}

#[test]
fn figure_3_has_its_moves() {
    let copper = position(&figure_3('c'));
    assert_eq!(copper.count_moves(), 20);
    assert_eq!(targets(&copper, "b1n"), ["a1s", "a2e", "a2n", "b2w", "c1s", "c1w", "c2n", "c2w"]);
    assert_eq!(targets(&copper, "a1w"), ["a2e", "a2n"]);
    let b2n = ["a2e", "a2s", "a3e", "a3n", "b3e", "b3w", "c2s", "c2w", "c3n", "c3w"];
    assert_eq!(targets(&copper, "b2n"), b2n);
    let silver = ["a1e", "a1s", "a2n", "a2s", "a3e", "a3n", "b1w", "b3n", "b3w"];
    assert_eq!(targets(&position(&figure_3('s')), "b2e"), silver);
    let lock = position_under("SerraLock=allow", &figure_3('s'));
    let mut silver = silver.to_vec();
    silver.insert(6, "b1s");
    assert_eq!(targets(&lock, "b2e"), silver);
}

#[test]
fn the_second_egg_on_its_goal_wins() {
    let text = format!("Sn,-,-,-/{R}/{R}/{R}/{R}/-,Ew,-,-/-,-,Ew,- c");
    let mut goal = position(&text);
    let b6w = ["b5e", "b5s", "b7e", "b7n", "c5s", "c5w", "c6n", "c6s", "c7n"];
    assert_eq!(targets(&goal, "b6w"), b6w);
    play(&mut goal, "b6wb7e");
    assert_eq!(goal.reason(), Some("eggs-home"));
    assert_eq!(goal.outcome().map(|o| GameResult::of(o.places()).name()), Some("p1win"));
    assert_eq!(goal.count_moves(), 0);
}

#[test]
fn a_piece_may_not_face_a_friend() {
    let text = format!("{R}/-,-,Gw,Gn/{R}/{R}/{R}/{R}/{R} c");
    let expected = ["c1e", "c1s", "c3e", "c3n", "d1s", "d1w", "d3n", "d3w"];
    assert_eq!(targets(&position(&text), "c2w"), expected);
}

#[test]
fn sealed_axes_give_silver_the_game() {
    let text = format!("{R}/En,-,-,En/{R}/{R}/{R}/-,GnGeSsSw,GnSeSsGw,-/{R} s");
    let sealed = position(&text);
    assert_eq!(sealed.reason(), Some("axes-sealed"));
    assert_eq!(sealed.outcome().map(|o| GameResult::of(o.places()).name()), Some("p2win"));
}

#[test]
fn silver_has_28_first_moves_after_any_set_up() {
    let start = position(&format!("{R}/{R}/{R}/{R}/{R}/-,SsSw,SeSs,-/{R} c"));
    assert_eq!(start.count_moves(), 420);
    for setup in start.moves() {
        let mut position = start;
        position.play(&setup);
        for m in position.moves() {
            let mut silver = position;
            silver.play(&m);
            assert_eq!(silver.count_moves(), 28);
        }
    }
}

pub const DEFAULT: &str = "EnGw,GnEe,Gn,Gn/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,SsSw,SeSs,-/-,-,-,- c";

#[test]
fn the_default_set_up_is_its_token() {
    let mut start = position(&format!("{R}/{R}/{R}/{R}/{R}/-,SsSw,SeSs,-/{R} c"));
    play(&mut start, "EGGEG.G.");
    assert_eq!(start, position(DEFAULT));
}

#[test]
fn silver_wins_at_ply_six_at_the_earliest() {
    let mut game = position(DEFAULT);
    for token in ["a1na2e", "b6wb5e", "a2ea3n", "b5eb4s", "a3nb3w", "b4sb3e"] {
        assert_eq!(game.outcome(), None);
        play(&mut game, token);
    }
    assert_eq!(game.reason(), Some("egg-captured"));
    assert!(never_over(&position(DEFAULT), 5));
}

/// Whether no game is over after so many plies or fewer.
fn never_over(position: &Position, plies: u32) -> bool {
    if position.outcome().is_some() {
        return false;
    }
    // A ply of copper's alone can end nothing here: both eggs are far from home.
    plies <= 1
        || position.moves().iter().all(|m| {
            let mut next = *position;
            next.play(m);
            never_over(&next, plies - 1)
        })
}
