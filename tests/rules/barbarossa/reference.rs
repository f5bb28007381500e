//! A slow reference for the scoring: cones pushed one step at a time over a list of events, with
//! the tables written out as the rules print them.

use parlor::game::{Game, Random, Rules, Seat};
use parlor::games::barbarossa::{CurseKind, Move, Pending, Position};

use super::driver::{choose, random_options};

/// A board on which nothing is known but cones, arrows, pawns and the blob.
struct Ledger {
    seats: usize,
    ring: Vec<char>,
    track: i64,
    penalised: bool,
    pawns: Vec<usize>,
    cones: Vec<i64>,
    blob: Option<i64>,
    /// How often the blob was met.
    met: usize,
    first: usize,
    /// Who has stuck arrows in which object: (maker, number, guessers).
    objects: Vec<(usize, usize, Vec<usize>)>,
    winners: Option<Vec<usize>>,
}

impl Ledger {
    fn new(position: &Position) -> Self {
        let rules = position.options();
        let each = if rules.seats == 2 {
            4
        } else if rules.seats == 3 {
            3
        } else {
            2
        };
        Ledger {
            seats: rules.seats,
            ring: rules.ring_text().chars().collect(),
            track: i64::from(rules.finish),
            penalised: rules.penalised,
            pawns: vec![usize::from(rules.ring_start); rules.seats],
            cones: vec![0; rules.seats],
            blob: rules.blob.then_some(i64::from(rules.finish)),
            met: 0,
            first: 0,
            objects: (0..rules.seats)
                .flat_map(|maker| (0..each).map(move |number| (maker, number, Vec::new())))
                .collect(),
            winners: None,
        }
    }

    fn head(&self) -> i64 {
        *self.cones.iter().max().unwrap()
    }

    /// Pushes cones to and fro one step at a time, all together, never off the track.
    fn push(&mut self, steps: &[i64]) {
        for (cone, steps) in self.cones.iter_mut().zip(steps) {
            for _ in 0..steps.abs() {
                let next = *cone + steps.signum();
                if next >= 0 && next <= self.track {
                    *cone = next;
                }
            }
        }
    }

    fn blob_ahead(&self) -> bool {
        self.blob.is_some_and(|blob| blob > self.head())
    }

    fn meet(&mut self, was_ahead: bool) {
        if self.blob.is_none() || !was_ahead || self.blob_ahead() {
            return;
        }
        self.met += 1;
        let mut steps = vec![0; self.seats];
        for (maker, _, guessers) in &self.objects {
            if guessers.is_empty() {
                steps[*maker] -= 2;
            }
        }
        self.push(&steps);
    }

    fn home(&self) -> Vec<usize> {
        (0..self.seats).filter(|seat| self.cones[*seat] == self.track).collect()
    }

    fn nearest(&self) -> Vec<usize> {
        (0..self.seats).filter(|seat| self.cones[*seat] == self.head()).collect()
    }

    fn penalties(&mut self) {
        let mut steps = vec![0; self.seats];
        let full = if self.seats == 2 { 1 } else { 2 };
        for (maker, _, guessers) in &self.objects {
            if guessers.is_empty() {
                steps[*maker] -= 5;
            } else if guessers.len() < full {
                steps[*maker] -= 2;
            }
        }
        self.push(&steps);
    }

    fn finish(&mut self, home: Vec<usize>) {
        if self.penalised {
            self.penalties();
            self.winners = Some(self.nearest());
        } else {
            self.winners = Some(home);
        }
    }

    fn turn_begins(&mut self, seat: usize) {
        if seat == self.first && self.blob.is_some() {
            let ahead = self.blob_ahead();
            self.blob = self.blob.map(|blob| if blob > 0 { blob - 1 } else { 0 });
            self.meet(ahead);
        }
    }

    fn walk(&mut self, seat: usize, steps: usize) {
        for _ in 0..steps {
            self.pawns[seat] =
                if self.pawns[seat] + 1 == self.ring.len() { 0 } else { self.pawns[seat] + 1 };
        }
        let others = match self.ring[self.pawns[seat]] {
            'D' => 1,
            'G' => 2,
            _ => return,
        };
        let ahead = self.blob_ahead();
        let steps: Vec<i64> = (0..self.seats).map(|s| if s == seat { 0 } else { others }).collect();
        self.push(&steps);
        let home = self.home();
        if !home.is_empty() {
            return self.finish(home);
        }
        self.meet(ahead);
    }

    fn right_guess(&mut self, guesser: usize, maker: usize, number: usize) {
        let object = self.objects.iter_mut().find(|o| o.0 == maker && o.1 == number).unwrap();
        object.2.push(guesser);
        let own = if object.2.len() == 1 { 5 } else { 3 };
        let arrows: usize = self.objects.iter().map(|object| object.2.len()).sum();
        let (makers, last) = match self.seats {
            2 => (&[-2, -1, 1, 2, 2, 1, -2][..], 7),
            3 | 4 => (&[-2, -2, -1, -1, 1, 1, 2, 2, 2, 1, -1, -1, -2][..], 13),
            _ => (&[-2, -2, -1, -1, -1, 1, 1, 1, 2, 2, 2, 2, 1, 1, -1, -1, -2][..], 17),
        };
        let mut winner = Vec::new();
        for (seat, points) in [(guesser, own), (maker, makers[arrows - 1])] {
            let ahead = self.blob_ahead();
            let mut steps = vec![0; self.seats];
            steps[seat] = points;
            self.push(&steps);
            if winner.is_empty() {
                winner = self.home();
            }
            if winner.is_empty() {
                self.meet(ahead);
            }
        }
        if !winner.is_empty() {
            self.finish(winner);
        } else if arrows == last {
            self.penalties();
            self.winners = Some(self.nearest());
        }
    }
}

/// Who guesses what while the verdict is owed.
fn guess(position: &Position) -> (usize, usize, usize) {
    if let Some(curse) = position.curse() {
        assert!(matches!(curse.kind, CurseKind::Guess(_)));
        let object = curse.object;
        return (curse.seat.index(), object.owner.index(), usize::from(object.number));
    }
    let Pending::Guess(object, _) = position.pending() else {
        panic!("no guess waits");
    };
    (position.active().unwrap().index(), object.owner.index(), usize::from(object.number))
}

#[test]
fn scores_agree_with_a_ledger_that_pushes_cones_step_by_step() {
    let (mut rights, mut meetings) = (0, 0);
    for seed in 0..250 {
        let mut random = Random::new(9_000 + seed);
        let players = ["3", "4", "5", "6", "duel"][seed as usize % 5];
        let options = random_options(players, &mut random);
        let mut position = Position::start(&options, None).unwrap();
        let mut ledger = Ledger::new(&position);
        while let Some(m) = choose(&position, &mut random) {
            let active = position.active();
            let waiting = matches!(m, Move::Verdict(true)).then(|| guess(&position));
            position.play(&m);
            match &m {
                Move::First(seat) => ledger.first = seat.index(),
                Move::Die(steps) | Move::Jewels(steps) => {
                    ledger.walk(active.unwrap().index(), usize::from(*steps));
                }
                Move::Verdict(true) => {
                    let (guesser, maker, number) = waiting.unwrap();
                    ledger.right_guess(guesser, maker, number);
                    rights += 1;
                }
                _ => {}
            }
            let begins = matches!(m, Move::First(_)) || position.active() != active;
            if let (true, Some(seat), None) = (begins, position.active(), &ledger.winners) {
                ledger.turn_begins(seat.index());
            }
            assert_eq!(position.points().unwrap(), ledger.cones, "after {m:?}");
            assert_eq!(position.blob().map(i64::from), ledger.blob);
            let winners = position.ending().map(|ending| {
                (0..ledger.seats).filter(|seat| ending.won(Seat::new(*seat))).collect::<Vec<_>>()
            });
            assert_eq!(winners, ledger.winners);
        }
        meetings += ledger.met;
        let outcome = position.outcome().unwrap();
        for seat in 0..ledger.seats {
            let wins = ledger.winners.as_ref().unwrap().contains(&seat);
            assert_eq!(outcome.place(Seat::new(seat)) == 1, wins);
        }
    }
    assert!(rights > 300 && meetings > 10, "{rights} right guesses, {meetings} meetings");
}
