//! The race for the neutral fields: who could arrive on which first, every chevron moving at once.

use crate::game::Game;
use crate::games::chevrons::SEATS;
use crate::games::chevrons::filling::reach::{Arrivals, Fields};
use crate::games::chevrons::filling::{Kind, Position};

/// The neutral fields by who reaches them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Race {
    /// Fields that a seat reaches before every other.
    pub first: [Fields; SEATS],
    /// Fields that a seat reaches no later than any other, but not alone.
    pub tied: [Fields; SEATS],
    /// Fields that a seat reaches at all.
    pub reached: [Fields; SEATS],
}

impl Race {
    pub(crate) fn new<K: Kind>(position: &Position<K>) -> Self {
        let seats = position.seats();
        let neutral = position.neutral_fields();
        let mut race = Race::default();
        let mut runs = [const { None::<Arrivals> }; SEATS];
        for (seat, run) in runs.iter_mut().enumerate().take(seats) {
            *run = Some(position.start_run(seat, neutral));
        }
        let mut taken = 0;
        loop {
            let mut fresh = [0; SEATS];
            let mut grown = false;
            for (seat, ongoing) in runs.iter_mut().enumerate().take(seats) {
                let Some(run) = ongoing else { continue };
                let goes_on = run.step();
                let arrived = run.arrived & neutral;
                fresh[seat] = arrived & !taken;
                race.reached[seat] = arrived;
                // Nothing new comes of it after its end, or once it has been everywhere.
                if !goes_on || arrived == neutral {
                    *ongoing = None;
                }
                grown |= ongoing.is_some();
            }
            for seat in 0..seats {
                let others = (0..seats).filter(|other| *other != seat);
                let others = others.fold(0, |fields, other| fields | fresh[other]);
                race.first[seat] |= fresh[seat] & !others;
                race.tied[seat] |= fresh[seat] & others;
            }
            taken |= fresh.iter().fold(0, |fields, more| fields | more);
            if !grown {
                return race;
            }
        }
    }

    /// Fields that a seat reaches and no other.
    pub(crate) fn alone(&self, seat: usize) -> Fields {
        let others = (0..SEATS).filter(|other| *other != seat);
        self.reached[seat] & !others.fold(0, |fields, other| fields | self.reached[other])
    }
}
