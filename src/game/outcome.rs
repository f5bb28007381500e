//! The result of a game: a place for every seat.

use super::seat::{MAX_SEATS, Seat};

/// A place for every seat, 1 being the best. Tied seats share the better place, and the next places
/// are skipped (1 1 3). With two seats this is win, loss or draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    places: [u8; MAX_SEATS],
    seats: u8,
}

impl Outcome {
    /// `winner` is first, all others share second.
    #[must_use]
    pub fn win(seats: usize, winner: Seat) -> Self {
        let mut places = [2; MAX_SEATS];
        places[winner.index()] = 1;
        Self::from_array(places, seats)
    }

    /// All share first.
    #[must_use]
    pub fn draw(seats: usize) -> Self {
        Self::from_array([1; MAX_SEATS], seats)
    }

    /// Places by score, the highest first; equal scores share a place.
    ///
    /// # Panics
    /// With more than [`MAX_SEATS`] scores.
    #[must_use]
    pub fn from_scores(scores: &[i64]) -> Self {
        let mut places = [0; MAX_SEATS];
        for (place, score) in places.iter_mut().zip(scores) {
            *place = 1 + scores.iter().filter(|other| *other > score).count() as u8;
        }
        Self::from_array(places, scores.len())
    }

    fn from_array(mut places: [u8; MAX_SEATS], seats: usize) -> Self {
        assert!((1..=MAX_SEATS).contains(&seats), "no table of {seats} seats");
        places[seats..].fill(0);
        Outcome { places, seats: seats as u8 }
    }

    /// The places in seat order.
    #[must_use]
    pub fn places(&self) -> &[u8] {
        &self.places[..self.seats as usize]
    }

    /// The place of one seat.
    #[must_use]
    pub fn place(&self, seat: Seat) -> u8 {
        self.places[seat.index()]
    }

    /// The share of first place: 1 for a sole winner, 1/k where k seats share, else 0.
    #[must_use]
    pub fn share(&self, seat: Seat) -> f64 {
        if self.place(seat) != 1 {
            return 0.0;
        }
        1.0 / self.winners() as f64
    }

    /// How many seats are first.
    #[must_use]
    pub fn winners(&self) -> usize {
        self.places().iter().filter(|place| **place == 1).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_better_place_and_skip_the_next() {
        assert_eq!(Outcome::from_scores(&[3, 9, 9, 1]).places(), [3, 1, 1, 4]);
        assert_eq!(Outcome::draw(3).places(), [1, 1, 1]);
        assert_eq!(Outcome::win(4, Seat::new(2)).places(), [2, 2, 1, 2]);
    }

    #[test]
    fn shares_add_up_to_one() {
        let outcome = Outcome::from_scores(&[5, 5, 1, 5]);
        let total: f64 = Seat::all(4).map(|seat| outcome.share(seat)).sum();
        assert!((total - 1.0).abs() < 1e-12);
        assert_eq!(outcome.share(Seat::new(2)), 0.0);
    }
}
