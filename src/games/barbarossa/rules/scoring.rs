//! Points: arrows, cones, the blob, and how a game ends.

use super::keys::Evidence;
use super::position::{Arrow, Ending, Phase, Position};
use super::words::ObjectName;
use crate::game::{Outcome, Seat};

/// The points of a guesser for an arrow in an object that has `before` arrows.
pub(crate) fn guesser_points(before: usize) -> i32 {
    if before == 0 { 5 } else { 3 }
}

impl Position {
    /// Puts the arrow of a right guess into the object and scores it; the game may end.
    pub(super) fn score_arrow(&mut self, name: ObjectName, arrow: Arrow) {
        let index = self.index(name);
        let before = self.objects[index].arrows.len();
        self.toggle(&Evidence::Arrow(index as u8, before, arrow));
        self.objects[index].arrows.push(arrow);
        let arrows = self.arrows();
        self.move_cones(|seat| if seat == arrow.guesser { guesser_points(before) } else { 0 });
        let guesser_first = self.on_finish();
        let points = self.rules.maker_points(arrows);
        if guesser_first == 0 {
            self.move_cones(|seat| if seat == name.owner { points } else { 0 });
        } else {
            self.shift_cones(|seat| if seat == name.owner { points } else { 0 });
        }
        let winners = if guesser_first != 0 { guesser_first } else { self.on_finish() };
        if winners != 0 {
            self.end_by_finish(winners);
        } else if arrows >= self.rules.last_arrow() {
            self.take_final_penalties();
            self.end(false, self.nearest_to_finish());
        }
    }

    /// Moves the cones of all but one seat forward together.
    pub(super) fn advance_others(&mut self, seat: Seat, steps: u8) {
        self.move_cones(|other| if other == seat { 0 } else { i32::from(steps) });
        let winners = self.on_finish();
        if winners != 0 {
            self.end_by_finish(winners);
        }
    }

    /// The blob steps back at the start of the first player's turn.
    pub(super) fn step_blob(&mut self) {
        let Some(blob) = self.blob else {
            return;
        };
        let was_before = blob > self.leading();
        self.blob = Some(blob.saturating_sub(1));
        self.meet_blob(was_before);
    }

    /// Moves cones together, cut to the track; then the blob may catch them.
    fn move_cones(&mut self, points: impl Fn(Seat) -> i32) {
        let was_before = self.blob.is_some_and(|blob| blob > self.leading());
        self.shift_cones(points);
        // A cone on the finish ends the game before the blob could send it back.
        if self.on_finish() == 0 {
            self.meet_blob(was_before);
        }
    }

    fn shift_cones(&mut self, points: impl Fn(Seat) -> i32) {
        let finish = i32::from(self.rules.finish);
        for seat in Seat::all(self.rules.seats) {
            let score = &mut self.seats[seat.index()].score;
            *score = (i32::from(*score) + points(seat)).clamp(0, finish) as u8;
        }
    }

    /// Where the blob was ahead of the leading cone and no longer is, every cone goes back two for
    /// each of its player's objects without an arrow.
    fn meet_blob(&mut self, was_before: bool) {
        let Some(blob) = self.blob else {
            return;
        };
        if !was_before || blob > self.leading() {
            return;
        }
        let mut back = [0; crate::game::MAX_SEATS];
        for (name, object) in self.objects() {
            if object.arrows.is_empty() {
                back[name.owner.index()] -= 2;
            }
        }
        self.shift_cones(|seat| back[seat.index()]);
    }

    fn leading(&self) -> u8 {
        self.seats[..self.rules.seats].iter().map(|seat| seat.score).max().unwrap_or(0)
    }

    /// The seats whose cones stand on the finish, a bit each.
    pub(super) fn on_finish(&self) -> u8 {
        self.at(self.rules.finish)
    }

    fn at(&self, place: u8) -> u8 {
        let seats = Seat::all(self.rules.seats).filter(|seat| self.seat(*seat).score == place);
        seats.fold(0, |bits, seat| bits | 1 << seat.index())
    }

    pub(super) fn nearest_to_finish(&self) -> u8 {
        self.at(self.leading())
    }

    fn end_by_finish(&mut self, winners: u8) {
        if !self.rules.penalised {
            return self.end(true, winners);
        }
        self.take_final_penalties();
        self.end(true, self.nearest_to_finish());
    }

    /// Each maker loses 5 for an object without an arrow and 2 for one that lacks its second.
    fn take_final_penalties(&mut self) {
        let mut points = [0; crate::game::MAX_SEATS];
        for (name, object) in self.objects() {
            points[name.owner.index()] += self.final_penalty(object);
        }
        self.shift_cones(|seat| points[seat.index()]);
    }

    /// The points of an object for its maker at the end of the game.
    #[must_use]
    pub fn final_penalty(&self, object: &super::position::Object) -> i32 {
        match object.arrows.len() {
            0 => -5,
            _ if self.is_open(object) => -2,
            _ => 0,
        }
    }

    fn end(&mut self, by_finish: bool, winners: u8) {
        self.ending = Some(Ending { by_finish, winners });
        self.phase = Phase::Over;
        self.clear_turn();
    }

    /// The places: winners first, then by score.
    pub(super) fn places(&self) -> Option<Outcome> {
        let ending = self.ending?;
        let scores: Vec<i64> = Seat::all(self.rules.seats)
            .map(|seat| i64::from(self.seat(seat).score) + if ending.won(seat) { 1000 } else { 0 })
            .collect();
        Some(Outcome::from_scores(&scores))
    }
}
