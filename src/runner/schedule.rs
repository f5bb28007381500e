//! Which games are played: pairings, seatings, rounds.
//!
//! A game's number says everything about it, so that a match can be cut into shards, resumed or
//! lengthened, and any game replayed: rounds are outermost, then pairings, then seatings. All games
//! of a round have the same opening and the same dice; the games of one pairing in a round differ
//! in the seating alone and form a *bundle*.

use anyhow::{Context, Result, bail, ensure};

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tournament {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first engine meets each of the others.
    Gauntlet,
}

/// How the engines of a pairing are seated, each seating once a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seating {
    /// Pairs: one engine in each seat against copies of the other, then the reverse.
    OneVersusRest,
    /// As many engines as there are seats, or all: every way to seat them with each seated.
    All,
    /// These, by engine index for each seat.
    Explicit(Vec<Vec<usize>>),
}

impl Seating {
    /// Reads the values of `--seating`: nothing, one word, or lists such as `A,B,B,B`.
    ///
    /// # Errors
    /// Names the list or engine that does not fit.
    pub fn parse(values: &[String], names: &[String], seats: usize) -> Result<Self> {
        match values {
            [] => return Ok(Seating::OneVersusRest),
            [word] if word == "one-v-rest" => return Ok(Seating::OneVersusRest),
            [word] if word == "all" => return Ok(Seating::All),
            _ => {}
        }
        let mut seatings = Vec::new();
        for list in values {
            let seating: Vec<usize> = list
                .split(',')
                .map(|name| names.iter().position(|other| other == name.trim()))
                .collect::<Option<_>>()
                .with_context(|| {
                    let names = names.join(", ");
                    format!("--seating {list}: say one-v-rest, all, or a list of {names}")
                })?;
            ensure!(
                seating.len() == seats,
                "--seating {list}: {} names for {seats} seats",
                seating.len()
            );
            seatings.push(seating);
        }
        Ok(Seating::Explicit(seatings))
    }
}

/// One game to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Its number, from 1.
    pub game: u64,
    /// Its round, from 0.
    pub round: u64,
    /// Its pairing, from 0.
    pub pairing: usize,
    /// The engine, by index, in each seat.
    pub seating: Vec<usize>,
}

/// The seatings of one pairing.
type Pairing = Vec<Vec<usize>>;

/// Every game of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<Pairing>,
    games_per_round: u64,
    /// Games that each pairing plays.
    games: u64,
    /// Which share of the bundles: number from 0, and how many shares.
    shard: (u64, u64),
}

impl Schedule {
    /// The schedule of `engines` at a table of `seats`. `rounds` bounds the rounds, `games` the
    /// games of each pairing.
    ///
    /// # Errors
    /// When these engines cannot be seated so.
    pub fn new(
        engines: usize,
        seats: usize,
        tournament: Tournament,
        seating: &Seating,
        rounds: Option<u64>,
        games: Option<u64>,
    ) -> Result<Self> {
        ensure!(seats >= 2, "a game of {seats} seats cannot be played between engines");
        let pairings = match seating {
            Seating::OneVersusRest => pairs(engines, tournament)
                .into_iter()
                .map(|[one, other]| one_versus_rest(one, other, seats))
                .collect(),
            Seating::All => groups(engines, seats, tournament)
                .iter()
                .map(|group| every_seating(group, seats))
                .collect::<Result<_>>()?,
            Seating::Explicit(list) => vec![list.clone()],
        };
        let pairings: Vec<Pairing> = pairings;
        ensure!(!pairings.is_empty(), "a match needs two engines; name one twice for self-play");
        let longest = pairings.iter().map(Vec::len).max().unwrap_or(1) as u64;
        let rounds = rounds.unwrap_or(if games.is_some() { u64::MAX / longest } else { 1 });
        let games = games.unwrap_or(u64::MAX).min(rounds.saturating_mul(longest));
        let games_per_round = pairings.iter().map(|pairing| pairing.len() as u64).sum();
        Ok(Schedule { pairings, games_per_round, games, shard: (0, 1) })
    }

    /// Only the bundles whose turn it is when `count` shards take them in order.
    pub fn share(mut self, number: u64, count: u64) -> Self {
        self.shard = (number, count.max(1));
        self
    }

    /// How many games make a bundle of each pairing whole.
    pub fn bundle_sizes(&self) -> Vec<usize> {
        self.pairings.iter().map(Vec::len).collect()
    }

    /// The first game at or after a number, from 1.
    pub fn next(&self, mut number: u64) -> Option<Plan> {
        loop {
            let index = number.checked_sub(1)?;
            let round = index / self.games_per_round;
            let mut rest = (index % self.games_per_round) as usize;
            let mut found = None;
            for (pairing, seatings) in self.pairings.iter().enumerate() {
                match seatings.get(rest) {
                    Some(seating) => {
                        found = Some((pairing, seatings.len(), seating.clone()));
                        break;
                    }
                    None => rest -= seatings.len(),
                }
            }
            let (pairing, size, seating) = found?;
            let within = round.saturating_mul(size as u64).saturating_add(rest as u64);
            let bundle = round * self.pairings.len() as u64 + pairing as u64;
            let ours = bundle % self.shard.1 == self.shard.0;
            if ours && within < self.games {
                return Some(Plan { game: number, round, pairing, seating });
            }
            let over = self
                .pairings
                .iter()
                .all(|seatings| round.saturating_mul(seatings.len() as u64) >= self.games);
            if over {
                return None;
            }
            number += 1;
        }
    }

    /// How many games there are.
    pub fn total(&self) -> u64 {
        if self.shard.1 == 1 {
            let whole = self.pairings.len() as u64;
            return whole.saturating_mul(self.games.min(self.bound()));
        }
        let mut count = 0;
        let mut number = 1;
        while let Some(plan) = self.next(number) {
            count += 1;
            number = plan.game + 1;
        }
        count
    }

    fn bound(&self) -> u64 {
        u64::MAX / self.pairings.len().max(1) as u64
    }
}

fn pairs(engines: usize, tournament: Tournament) -> Vec<[usize; 2]> {
    let firsts = match tournament {
        Tournament::RoundRobin => engines,
        Tournament::Gauntlet => engines.min(1),
    };
    let pairs = |first| (first + 1..engines).map(move |second| [first, second]);
    (0..firsts).flat_map(pairs).collect()
}

fn one_versus_rest(one: usize, other: usize, seats: usize) -> Pairing {
    let mut seatings: Pairing = Vec::new();
    for (lone, rest) in [(one, other), (other, one)] {
        for seat in 0..seats {
            let mut seating = vec![rest; seats];
            if let Some(place) = seating.get_mut(seat) {
                *place = lone;
            }
            if !seatings.contains(&seating) {
                seatings.push(seating);
            }
        }
    }
    seatings
}

/// All engines if they fit, else every choice of as many as there are seats.
fn groups(engines: usize, seats: usize, tournament: Tournament) -> Vec<Vec<usize>> {
    if engines < 2 {
        return Vec::new();
    }
    let size = engines.min(seats);
    let mut groups = vec![Vec::new()];
    for engine in 0..engines {
        let mut larger = Vec::new();
        for group in &groups {
            if group.len() < size {
                let mut group: Vec<usize> = group.clone();
                group.push(engine);
                larger.push(group);
            }
        }
        groups.extend(larger);
    }
    groups.retain(|group| {
        group.len() == size && (tournament == Tournament::RoundRobin || group.contains(&0))
    });
    groups.sort();
    groups
}

fn every_seating(group: &[usize], seats: usize) -> Result<Pairing> {
    let mut seatings: Pairing = vec![Vec::new()];
    for _ in 0..seats {
        seatings = seatings
            .iter()
            .flat_map(|seating| {
                group.iter().map(move |&engine| {
                    let mut seating = seating.clone();
                    seating.push(engine);
                    seating
                })
            })
            .collect();
        if seatings.len() > 100_000 {
            bail!("--seating all: too many seatings; give lists instead");
        }
    }
    seatings.retain(|seating| group.iter().all(|engine| seating.contains(engine)));
    Ok(seatings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plans(schedule: &Schedule) -> Vec<Plan> {
        let mut plans = Vec::new();
        while let Some(plan) = schedule.next(plans.last().map_or(1, |plan: &Plan| plan.game + 1)) {
            plans.push(plan);
        }
        plans
    }

    fn seatings(engines: usize, seats: usize, seating: &Seating) -> Vec<Vec<usize>> {
        let robin = Tournament::RoundRobin;
        let schedule = Schedule::new(engines, seats, robin, seating, Some(1), None).unwrap();
        plans(&schedule).into_iter().map(|plan| plan.seating).collect()
    }

    #[test]
    fn two_engines_at_two_seats_change_sides() {
        assert_eq!(seatings(2, 2, &Seating::OneVersusRest), [[0, 1], [1, 0]]);
        assert_eq!(seatings(2, 2, &Seating::All), [[0, 1], [1, 0]]);
    }

    #[test]
    fn one_engine_sits_everywhere_against_copies_then_the_reverse() {
        let expected = [[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
        assert_eq!(seatings(2, 3, &Seating::OneVersusRest), expected);
    }

    #[test]
    fn all_seats_every_engine_in_every_way() {
        assert_eq!(seatings(4, 4, &Seating::All).len(), 24);
        assert_eq!(seatings(2, 4, &Seating::All).len(), 14);
        // 5 choose 4 groups of 24.
        assert_eq!(seatings(5, 4, &Seating::All).len(), 120);
    }

    #[test]
    fn a_round_robin_pairs_all_and_a_gauntlet_the_first() {
        let robin = seatings(4, 2, &Seating::OneVersusRest);
        assert_eq!(robin.len(), 12);
        let schedule =
            Schedule::new(4, 2, Tournament::Gauntlet, &Seating::OneVersusRest, Some(2), None)
                .unwrap();
        let plans = plans(&schedule);
        assert_eq!(plans.len(), 12);
        assert!(plans.iter().all(|plan| plan.seating.contains(&0)));
        assert_eq!(schedule.total(), 12);
    }

    #[test]
    fn games_bound_each_pairing_and_numbers_stay_what_they_were() {
        let schedule = |games| {
            let robin = Tournament::RoundRobin;
            Schedule::new(3, 2, robin, &Seating::OneVersusRest, None, Some(games)).unwrap()
        };
        let short = plans(&schedule(3));
        assert_eq!(short.len(), 9);
        assert_eq!(schedule(3).total(), 9);
        let long = plans(&schedule(8));
        assert_eq!(long.len(), 24);
        assert!(short.iter().all(|plan| long.contains(plan)));
    }

    #[test]
    fn shards_part_the_bundles_and_leave_nothing_out() {
        let robin = Tournament::RoundRobin;
        let whole = Schedule::new(3, 4, robin, &Seating::OneVersusRest, Some(7), None).unwrap();
        let mut parts: Vec<Plan> =
            (0..8).flat_map(|number| plans(&whole.clone().share(number, 8))).collect();
        parts.sort_by_key(|plan| plan.game);
        assert_eq!(parts, plans(&whole));
        let first = whole.clone().share(0, 8);
        assert_eq!(first.total(), plans(&first).len() as u64);
    }

    #[test]
    fn lists_that_do_not_fit_are_refused() {
        let names = ["A".to_owned(), "B".to_owned()];
        let parse = |list: &str| Seating::parse(&[list.to_owned()], &names, 3);
        assert_eq!(parse("A,B,B").unwrap(), Seating::Explicit(vec![vec![0, 1, 1]]));
        assert!(parse("A,B").is_err());
        assert!(parse("A,B,C").is_err());
        assert!(Schedule::new(1, 2, Tournament::RoundRobin, &Seating::All, None, None).is_err());
    }
}
