//! The values of arrows, curse tokens and points in a position.

use crate::game::{Game, MAX_SEATS, Seat};
use crate::games::barbarossa::rules::position::{Object, Position};
use crate::games::barbarossa::rules::scoring::guesser_points;
use crate::games::barbarossa::rules::words::ObjectName;

/// The value of a game won or lost, in points.
pub(super) const GAME: f64 = 14.0;

/// The value of a curse token at the start of the game. At the end it is worth nothing.
const TOKEN: f64 = 4.4;

/// The power of the progress of the game with which a token loses value: most of it near the end. So
/// tokens wait for words that are nearly certain, and the last ones are spent on whatever is left.
const TOKEN_DECLINE: f64 = 3.0;

/// The weight of an arrow that rivals are expected to place soon against one that is placed.
const IMMINENT: f64 = 0.5;

/// The weight of a point of one other player against one's own.
pub(super) fn weight_of_others(position: &Position) -> f64 {
    1.0 / (position.seats() - 1).max(1) as f64
}

pub(super) fn first_points(object: &Object) -> f64 {
    f64::from(guesser_points(object.arrows.len()))
}

/// The number of other seats that could still guess an object.
pub(super) fn rivals(position: &Position, seat: Seat, name: ObjectName, object: &Object) -> f64 {
    Seat::all(position.seats())
        .filter(|other| *other != seat && *other != name.owner && !object.has_arrow_of(*other))
        .count() as f64
}

/// The progress of the game, 0 to 1, with arrows that are about to be placed.
fn progress(position: &Position, more_arrows: f64) -> f64 {
    let rules = position.options();
    let lead = Seat::all(rules.seats).map(|seat| position.seat(seat).score).max().unwrap_or(0);
    let by_score = f64::from(lead) / f64::from(rules.finish);
    let by_arrows = (position.arrows() as f64 + more_arrows) / rules.last_arrow() as f64;
    by_score.max(by_arrows).min(1.0)
}

/// The value of a curse token that is kept while rivals are expected to place so many arrows soon:
/// what they find is no longer there for the token, and the game is nearer to its end.
pub(super) fn token_price(position: &Position, imminent: f64) -> f64 {
    TOKEN * (1.0 - libm::pow(progress(position, IMMINENT * imminent), TOKEN_DECLINE))
}

/// The value of a right guess: its points, less the maker's, and a game won or lost.
pub(super) fn arrow_value(
    position: &Position,
    seat: Seat,
    name: ObjectName,
    object: &Object,
) -> f64 {
    let rules = position.options();
    let arrows = position.arrows() + 1;
    let points = first_points(object);
    let maker = f64::from(rules.maker_points(arrows));
    let value = points - weight_of_others(position) * maker;
    let finish = f64::from(rules.finish);
    let score = |seat: Seat| f64::from(position.seat(seat).score);
    if score(seat) + points >= finish && !rules.penalised {
        return value + GAME;
    }
    if score(name.owner) + maker >= finish && !rules.penalised {
        return value - GAME;
    }
    if arrows < rules.last_arrow() {
        return value;
    }
    // The last arrow ends the game, and the final penalties decide.
    let mut finals: Vec<f64> = Seat::all(rules.seats).map(score).collect();
    finals[seat.index()] += points;
    finals[name.owner.index()] += maker;
    for (other, state) in position.objects() {
        let count = state.arrows.len() + usize::from(other == name);
        let penalty = if count == 0 {
            5.0
        } else if count < rules.arrows_each() {
            2.0
        } else {
            0.0
        };
        finals[other.owner.index()] -= penalty;
    }
    let mine = finals[seat.index()].max(0.0);
    let best = finals.iter().copied().fold(0.0, f64::max);
    if mine >= best { value + GAME } else { value - GAME }
}

/// Every seat's estimated share of first place, if this seat had `more` points.
pub(super) fn shares(position: &Position, seat: Seat, more: f64) -> [f64; MAX_SEATS] {
    let mut shares = [0.0; MAX_SEATS];
    if let Some(outcome) = position.outcome() {
        Seat::all(position.seats()).for_each(|s| shares[s.index()] = outcome.share(s));
        return shares;
    }
    let steep = 0.08 + 0.2 * progress(position, 0.0);
    for other in Seat::all(position.seats()) {
        let more = if other == seat { more } else { 0.0 };
        shares[other.index()] = libm::exp(steep * (f64::from(position.seat(other).score) + more));
    }
    let total: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= total);
    shares
}

pub(super) fn centipawns(share: f64) -> i32 {
    let p = share.clamp(1e-9, 1.0 - 1e-9);
    ((400.0 * libm::log10(p / (1.0 - p))).round() as i32).clamp(-9999, 9999)
}

/// Shares in permille that add up to 1000.
pub(super) fn permille(shares: &[f64]) -> Vec<u16> {
    let mut list: Vec<u16> = shares.iter().map(|share| (share * 1000.0) as u16).collect();
    let rest = 1000_u16.saturating_sub(list.iter().sum());
    if let Some(most) = list.iter_mut().max() {
        *most += rest;
    }
    list
}
