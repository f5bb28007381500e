//! Whose eyes a page sees with, and what several views of a position have in common: what all may
//! see, and nothing else.

use crate::picture::{Board, Card};

/// Whose eyes a page sees with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum View {
    /// Everything: in a game without secrets, or where nobody has one to keep.
    All,
    /// What one seat may see.
    Seat(usize),
    /// What all seats may see, in a game with secrets: for who has no seat.
    Table,
}

impl View {
    /// The seat, if it is that of one.
    pub(super) fn seat(self) -> Option<usize> {
        match self {
            View::All | View::Table => None,
            View::Seat(seat) => Some(seat),
        }
    }
}

/// What stands for a part that not all may see.
const HIDDEN: &str = "?";

/// A token as all name it: where they differ in a part between colons, that part is hidden. `None`
/// where they have no form in common.
pub(super) fn token<'a>(mut masks: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut common: Vec<&str> = masks.next()?.split(':').collect();
    for mask in masks {
        let parts: Vec<&str> = mask.split(':').collect();
        if parts.len() != common.len() {
            return None;
        }
        for (common, part) in common.iter_mut().zip(parts) {
            if *common != part {
                *common = HIDDEN;
            }
        }
    }
    Some(common.join(":"))
}

/// The board as all see it.
pub(super) fn board(mut boards: Vec<Board>) -> Board {
    let Some(mut common) = boards.pop() else { return Board::default() };
    for other in &boards {
        keep(&mut common.pieces, &other.pieces);
        keep(&mut common.marks, &other.marks);
        keep(&mut common.panel, &other.panel);
        common.cards.retain_mut(|card| {
            let same = other.cards.iter().find(|other| other.id == card.id);
            same.is_some_and(|other| keep_card(card, other))
        });
        clear_unless_equal(&mut common.dice, &other.dice);
        clear_unless_equal(&mut common.last, &other.last);
        clear_unless_equal(&mut common.note, &other.note);
        clear_unless_equal(&mut common.text, &other.text);
        if common.turn != other.turn {
            "none".clone_into(&mut common.turn);
        }
    }
    common
}

/// Whether anything of a card is left.
fn keep_card(card: &mut Card, other: &Card) -> bool {
    if card.title != other.title {
        (card.title, card.secret) = (HIDDEN.to_owned(), true);
    }
    keep(&mut card.lines, &other.lines);
    keep(&mut card.badges, &other.badges);
    keep(&mut card.picture, &other.picture);
    card.seat == other.seat
}

fn keep<T: PartialEq>(common: &mut Vec<T>, other: &[T]) {
    common.retain(|one| other.contains(one));
}

fn clear_unless_equal<T: PartialEq>(common: &mut Option<T>, other: &Option<T>) {
    if common != other {
        *common = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Dice, Item, Last, Mark, Panel, Piece};

    #[test]
    fn tokens_keep_what_all_see() {
        let common = |masks: &[&str]| token(masks.iter().copied());
        assert_eq!(common(&["word:a1:?", "word:a1:sneaker", "word:a1:?"]).unwrap(), "word:a1:?");
        assert_eq!(common(&["roll", "roll"]).unwrap(), "roll");
        assert_eq!(common(&["a:b", "?"]), None);
        assert_eq!(common(&[]), None);
    }

    #[test]
    fn boards_keep_what_all_see() {
        let card = |title: &str, lines: &[&str]| Card {
            id: "a1".into(),
            seat: "p1".into(),
            title: title.into(),
            lines: lines.iter().map(|&line| line.into()).collect(),
            ..Card::default()
        };
        let seen = |card: Card, note: &str| Board {
            cards: vec![card],
            note: Some(note.into()),
            ..Board::new("p1")
        };
        let common = board(vec![
            seen(card("sneaker", &["has a sole", "dealt: fox"]), "yours"),
            seen(card("?", &["has a sole"]), "p1 models"),
        ]);
        assert_eq!((common.turn.as_str(), &common.note), ("p1", &None));
        let [card] = common.cards.as_slice() else { panic!("{common:?}") };
        assert_eq!((card.title.as_str(), card.secret), ("?", true));
        assert_eq!(card.lines, ["has a sole"]);
    }

    #[test]
    fn of_boards_that_differ_in_everything_nothing_is_left() {
        let seen = |seat: u8| Board {
            pieces: vec![Piece::new("a", "y", seat)],
            marks: vec![Mark { seat, ..Mark::new("a", "k") }],
            panel: vec![Panel { seat: "p1".into(), items: vec![Item::new("n", seat)] }],
            dice: Some(Dice { of: "p1".into(), values: vec![i64::from(seat)], left: Vec::new() }),
            cards: vec![Card { id: "c".into(), seat: format!("p{seat}"), ..Card::default() }],
            last: Some(Last::new(vec![seat.to_string()])),
            note: Some(seat.to_string()),
            text: Some(seat.to_string()),
            ..Board::new(format!("p{seat}"))
        };
        assert_eq!(board(vec![seen(1), seen(2)]), Board::new("none"));
        assert_eq!(board(vec![seen(1), seen(1)]), seen(1));
    }
}
