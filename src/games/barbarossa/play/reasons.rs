//! Why the engine plays a move, in words.

use super::beliefs::{Beliefs, ObjectBelief};
use super::questions::gains;
use crate::game::{Game, Seat};
use crate::games::barbarossa::rules::awaited::Awaited;
use crate::games::barbarossa::rules::moves::{Gift, Move, Secret};
use crate::games::barbarossa::rules::position::Position;
use crate::games::barbarossa::rules::words::{ObjectName, Question};

/// What speaks for a move of a seat with these beliefs, to stand after `because`.
pub(super) fn reason(
    position: &Position,
    seat: Seat,
    beliefs: &Beliefs,
    m: &Move,
) -> Option<String> {
    let belief = |name: &ObjectName| beliefs.get(position.index(*name));
    match m {
        Move::Ask(name, Question::Predicate(predicate)) => {
            let belief = belief(name)?;
            let gains = gains(belief.table(), &belief.own, belief.reliability());
            let gain = gains.get(usize::from(predicate.0))?;
            let (no, left) = (percent(gain.no), words(belief.own.bits - gain.bits));
            let fit = words(belief.own.bits);
            Some(format!("{no} of what {name} may be answers no, and of {fit} it leaves {left}"))
        }
        Move::Guess(name, Secret::Known(word)) | Move::CurseGuess(name, Secret::Known(word)) => {
            Some(format!("it is right with {}", percent(belief(name)?.own.of(word.id()?))))
        }
        Move::Letter(name, place) | Move::CurseLetter(name, place) => {
            let belief = belief(name)?;
            let (bits, _) = belief.letter_gain(*place);
            let (fit, left) = (words(belief.own.bits), words(belief.own.bits - bits));
            Some(format!("of {fit} that fit {name} it leaves {left}"))
        }
        Move::Give(Secret::Known(Gift::Letter(letter))) => {
            let Awaited::Gift { object, .. } = position.awaited() else { return None };
            let share = percent(belief(&object)?.share_with(*letter));
            Some(format!("{share} of what others may take {object} for has this letter"))
        }
        Move::Show(name, _) | Move::Done(name) => sculpted(position, seat, *name, m),
        Move::Jewels(steps) => {
            Some(format!("that leads to {}", position.space_ahead(seat, *steps).name()))
        }
        Move::Roll => Some("no space within reach is worth the jewels".into()),
        Move::Pass => match position.awaited() {
            Awaited::Window(_) => Some("a curse token is worth more later".into()),
            Awaited::SecondRound(_) => Some("no guess is likely enough".into()),
            _ => None,
        },
        _ => None,
    }
}

/// What others may take a sculpture for after a move that shapes it.
fn sculpted(position: &Position, seat: Seat, name: ObjectName, m: &Move) -> Option<String> {
    let word = position.object(name).known_word()?;
    let mut next = position.clone();
    next.play(m);
    let mut belief = ObjectBelief::new(position.options());
    belief.update(next.object(name), seat, position.options(), &[]);
    let (fit, share) = (words(belief.public.bits), percent(belief.public.of(word.id()?)));
    Some(format!("others may then take it for {fit}, with {share} for yours"))
}

/// A probability for people.
fn percent(p: f64) -> String {
    match 100.0 * p {
        small if small > 0.0 && small < 1.0 => "less than 1 %".into(),
        percent => format!("{percent:.0} %"),
    }
}

/// How many equally likely words have so many bits of entropy.
fn words(bits: f64) -> String {
    match libm::exp2(bits.max(0.0)).round() {
        1.0 => "1 word".into(),
        count => format!("{count} words"),
    }
}
