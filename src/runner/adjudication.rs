//! Games that need not be played to their end.

use super::setup::Setup;

/// Watches the scores of one game.
#[derive(Debug)]
pub struct Adjudicator {
    ply_limit: Option<usize>,
    resignation: Option<super::setup::Resignation>,
    draw_rule: Option<super::setup::DrawRule>,
    plies: usize,
    /// For each seat: its moves, and how many of the last in a row were hopeless, or even.
    seats: Vec<Counts>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    moves: u32,
    hopeless: u32,
    even: u32,
}

impl Adjudicator {
    /// For one game at a table of `seats`. Giving up is for two: among more, the others play on.
    pub fn new(setup: &Setup, seats: usize) -> Self {
        Adjudicator {
            ply_limit: setup.ply_limit,
            resignation: setup.resignation.filter(|_| seats == 2),
            draw_rule: setup.draw_rule,
            plies: 0,
            seats: vec![Counts::default(); seats],
        }
    }

    /// Notes a move of a seat and the score it came with.
    pub fn note(&mut self, seat: usize, score: Option<i32>) {
        self.plies += 1;
        let Some(counts) = self.seats.get_mut(seat) else { return };
        counts.moves += 1;
        let hopeless = self.resignation.zip(score).is_some_and(|(rule, cp)| cp <= -rule.score);
        counts.hopeless = if hopeless { counts.hopeless + 1 } else { 0 };
        let even = self.draw_rule.zip(score).is_some_and(|(rule, cp)| {
            counts.moves >= rule.from && cp.saturating_abs() <= rule.score
        });
        counts.even = if even { counts.even + 1 } else { 0 };
    }

    /// The reason and the places, if the game is to end before the next move.
    pub fn verdict(&self) -> Option<(&'static str, Vec<u32>)> {
        let seats = self.seats.len();
        if let Some(rule) = self.resignation
            && let Some(loser) = self.seats.iter().position(|seat| seat.hopeless >= rule.moves)
        {
            let last = seats as u32;
            return Some((
                "resign",
                (0..seats).map(|i| if i == loser { last } else { 1 }).collect(),
            ));
        }
        if let Some(rule) = self.draw_rule
            && self.seats.iter().all(|seat| seat.even >= rule.moves)
        {
            return Some(("draw", vec![1; seats]));
        }
        if self.ply_limit.is_some_and(|limit| self.plies >= limit) {
            return Some(("ply-limit", vec![1; seats]));
        }
        None
    }
}
