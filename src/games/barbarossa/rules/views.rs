//! What each seat may see: views and masked moves.

use super::moves::{Move, Secret};
use super::position::{Arrow, CurseKind, Pending, Position};
use crate::game::Seat;

impl Position {
    /// The position as one seat may see it.
    pub(super) fn seen_by(&self, seat: Seat) -> Self {
        let mut view = self.clone();
        view.viewer = Some(seat);
        view.judge = None;
        for index in 0..view.objects.len() {
            let owner = self.name(index).owner;
            let object = &mut view.objects[index];
            object.dealt = object.dealt.map(|dealt| dealt.seen(owner == seat));
            object.word = object.word.map(|word| word.seen(owner == seat));
            for letter in &mut object.letters {
                letter.gift = letter.gift.seen(owner == seat || letter.asker == seat);
            }
            for (guesser, word) in &mut object.wrong {
                *word = word.seen(owner == seat || *guesser == seat);
            }
            for Arrow { guesser, guess } in &mut object.arrows {
                *guess = guess.seen(owner == seat || *guesser == seat);
            }
        }
        if let Pending::Guess(object, word) = &mut view.pending {
            *word = word.seen(object.owner == seat || self.turn == Some(seat));
        }
        if let Some(curse) = &mut view.curse
            && let CurseKind::Guess(word) = &mut curse.kind
        {
            *word = word.seen(curse.object.owner == seat || curse.seat == seat);
        }
        view.evidence = view.fresh_evidence();
        view
    }

    /// A move as a seat may see it.
    pub(super) fn masked_for(&self, m: &Move, seat: Seat) -> Move {
        match m {
            Move::Judge(_) => Move::Judge(Secret::Masked),
            Move::Deal(name, words) => Move::Deal(*name, words.seen(name.owner == seat)),
            Move::Word(name, word) => Move::Word(*name, word.seen(name.owner == seat)),
            Move::Give(gift) => {
                let visible = self
                    .letter_owed()
                    .is_some_and(|(asker, object, _)| asker == seat || object.owner == seat);
                Move::Give(gift.seen(visible))
            }
            Move::Guess(name, word) => {
                let visible = name.owner == seat || self.turn == Some(seat);
                Move::Guess(*name, word.seen(visible))
            }
            Move::CurseGuess(name, word) => {
                let guesser = self.window.map(|window| window.seat);
                let visible = name.owner == seat || guesser == Some(seat);
                Move::CurseGuess(*name, word.seen(visible))
            }
            _ => m.clone(),
        }
    }
}
