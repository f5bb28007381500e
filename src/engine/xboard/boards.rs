//! The games that XBoard can show.
//!
//! The descriptions stand here and not with the games, so that a game knows nothing of XBoard.

use crate::protocol::xboard::Board;

/// What XBoard must know of each game, by the game's name.
const BOARDS: &[(&str, Board)] = &[(
    "barca",
    Board {
        variant: "barca",
        files: 10,
        ranks: 10,
        piece_table: "......E..............L....................M.",
        start: "4ee4/3lmml3/10/10/10/10/10/10/3LMML3/4EE4 w - - 0 1",
        pieces: &[("E", "mQ"), ("L", "mB"), ("M", "mR")],
    },
)];

/// The board of the game of that name.
pub(super) fn board(game: &str) -> Option<Board> {
    BOARDS.iter().find(|(name, _)| *name == game).map(|(_, board)| *board)
}

#[cfg(all(test, feature = "all-games"))]
mod tests {
    use super::*;
    use crate::games::{GameVisitor, Playable, with_game};

    /// The position that a game starts from, as it writes it.
    struct Start;

    impl GameVisitor for Start {
        type Output = String;
        fn visit<G: Playable>(self) -> String {
            G::start(&G::default_rules(), None).expect("the default start").to_string()
        }
    }

    #[test]
    fn every_board_begins_where_its_game_begins() {
        for (name, board) in BOARDS {
            let start = with_game(name, Start).expect("a game of the list");
            assert_eq!(board.position_in(board.start), start);
            assert_eq!(board.piece_table.len() % 2, 0);
            let letters = start.chars().filter(char::is_ascii_uppercase);
            for letter in letters {
                assert!(board.pieces.iter().any(|(id, _)| *id == letter.to_string()), "{letter}");
                assert!(board.piece_table.contains(letter), "{letter}");
            }
        }
    }
}
