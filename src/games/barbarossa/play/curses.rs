//! When a curse token is spent.
//!
//! A token buys a guess when the guess is worth more than the token kept for a later one. Letters
//! are not bought: a letter is worth less than a guess, and a seat has three tokens a game.
//!
//! A seat that is about to guess on a ? can wait for that guess, which costs no token. It then risks
//! that a rival who holds a token guesses the object in this window. So does one that keeps its token.

use super::beliefs::{Beliefs, ObjectBelief};
use super::evaluation::token_price;
use crate::game::{Game, Seat};
use crate::games::barbarossa::rules::moves::Move;
use crate::games::barbarossa::rules::position::{Object, Phase, Position};
use crate::games::barbarossa::rules::scoring::guesser_points;
use crate::games::barbarossa::rules::words::ObjectName;

/// The public probability from which rivals spend tokens, early and late in the game, and how
/// sharply.
const RIVALS_EARLY: f64 = 0.7;
const RIVALS_LATE: f64 = 0.5;
const SHARPNESS: f64 = 20.0;

/// Arrows on the board from which rivals need less certainty.
const LATE: usize = 9;

/// The values of curse guesses against passing, from the guesses and their values.
pub(super) fn curse_values(
    position: &Position,
    seat: Seat,
    beliefs: &Beliefs,
    guesses: &[(Move, f64)],
) -> Vec<(Move, f64)> {
    let price = token_price(position, imminent(position, seat, beliefs));
    let free_guess = free_guess(position, seat, guesses);
    let mut valued = Vec::new();
    for (m, value) in guesses {
        let Move::Guess(name, word) = m else {
            continue;
        };
        let Some(belief) = beliefs.get(position.index(*name)) else {
            continue;
        };
        let p = word.known().and_then(|word| word.id()).map_or(0.0, |word| belief.own.of(word));
        let object = position.object(*name);
        let risk = risk(position, seat, *name, object, belief);
        // After a rival's arrow the guess earns the points of the next one, or nothing.
        let lost = p * points_lost(position, object);
        let mut gain = value - price;
        if let Some((_, second)) = free_guess.filter(|(best, _)| best == name) {
            gain += second - ((1.0 - risk) * value + risk * second.max(value - lost));
        } else {
            gain += risk * lost;
        }
        valued.push((Move::CurseGuess(*name, *word), gain));
    }
    valued
}

/// The arrows that rivals with tokens can be expected to place soon, by what the public believes.
fn imminent(position: &Position, seat: Seat, beliefs: &Beliefs) -> f64 {
    let rivals = || Seat::all(position.seats()).filter(|rival| *rival != seat);
    let tokens: f64 = rivals().map(|rival| f64::from(position.seat(rival).curses)).sum();
    let seen = position.objects().filter(|(_, object)| !object.shown.is_empty());
    let arrows = seen.filter_map(|(name, object)| {
        let p = beliefs.get(position.index(name))?.public.highest();
        let able = rivals().filter(|rival| may_curse(position, *rival, name, object)).count();
        let open = position.options().arrows_each().saturating_sub(object.arrows.len());
        Some(p * spends(p, RIVALS_EARLY) * open.min(able) as f64)
    });
    tokens.min(arrows.sum())
}

/// Whether a rival could guess an object with a curse token.
fn may_curse(position: &Position, rival: Seat, name: ObjectName, object: &Object) -> bool {
    rival != name.owner && !object.has_arrow_of(rival) && position.seat(rival).curses > 0
}

/// The probability that a rival spends a token on a word of this public probability.
fn spends(p: f64, from: f64) -> f64 {
    1.0 / (1.0 + libm::exp(SHARPNESS * (from - p)))
}

/// For a seat that is about to guess on a ?: the object with the best guess, and the value of the
/// best guess at another object.
fn free_guess(
    position: &Position,
    seat: Seat,
    guesses: &[(Move, f64)],
) -> Option<(ObjectName, f64)> {
    let due = matches!(position.phase(), Phase::Ask | Phase::Answer | Phase::Round2);
    if position.active() != Some(seat) || !due {
        return None;
    }
    let object = |m: &Move| match m {
        Move::Guess(name, _) => Some(*name),
        _ => None,
    };
    let best = object(&guesses.iter().max_by(|a, b| a.1.total_cmp(&b.1))?.0)?;
    let others = guesses.iter().filter(|(m, _)| object(m) != Some(best));
    Some((best, others.map(|(_, value)| *value).fold(0.0, f64::max)))
}

/// The points that a guesser loses when a rival puts an arrow into the object first.
fn points_lost(position: &Position, object: &Object) -> f64 {
    let arrows = object.arrows.len();
    let now = f64::from(guesser_points(arrows));
    let stays_open = arrows + 1 < position.options().arrows_each();
    if stays_open { now - f64::from(guesser_points(arrows + 1)) } else { now }
}

/// The probability that a rival guesses an object in this window.
fn risk(
    position: &Position,
    seat: Seat,
    name: ObjectName,
    object: &Object,
    belief: &ObjectBelief,
) -> f64 {
    if position.phase() == Phase::Round2 {
        // Only the seat on turn is polled.
        return 0.0;
    }
    let from = if position.arrows() >= LATE { RIVALS_LATE } else { RIVALS_EARLY };
    let guesses = spends(belief.public.highest(), from);
    let rivals = Seat::all(position.seats())
        .filter(|rival| *rival != seat && may_curse(position, *rival, name, object));
    1.0 - rivals.fold(1.0, |none, _| none * (1.0 - guesses))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::barbarossa::rules::moves::Secret;
    use crate::games::barbarossa::rules::options::RuleOptions;
    use crate::games::barbarossa::rules::position::Arrow;

    #[test]
    fn a_rivals_arrow_costs_a_guesser_the_difference_to_the_next_arrow_or_all() {
        // Five points for the first arrow, three for the second; in the duel there is no second.
        for (seats, arrows, lost) in [(2, 0, 5.0), (3, 0, 2.0), (3, 1, 3.0)] {
            let options = RuleOptions { seats, ..Position::default().options().clone() };
            let mut object = Object::default();
            let arrow = |guesser| Arrow { guesser, guess: Secret::Masked };
            object.arrows.extend(Seat::all(seats).take(arrows).map(arrow));
            let found = points_lost(&Position::new(options, None), &object);
            assert_eq!(found, lost, "{seats} seats, {arrows} arrows");
        }
    }
}
