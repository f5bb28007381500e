//! Which games are played: pairings, seatings, rounds.
//!
//! A game's number decides everything about it, so that a match can be divided into shards, resumed
//! or extended, and any game replayed: rounds are outermost, then pairings, then seatings. All
//! games of a round have the same opening and the same dice; the games of one pairing in a round
//! differ only in the seating and form a *bundle*.

pub(in crate::runner::tournament) mod stages;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use stages::{StageRules, Stages, System};

/// The most groups of engines that play each other in every seating.
const MOST_GROUPS: usize = 20_000;

/// Which engines play each other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::runner) enum Tournament {
    /// Every two engines.
    #[default]
    RoundRobin,
    /// The first engine, or several first ones, and each of the others.
    Gauntlet,
    /// Who loses an encounter is out.
    Knockout,
    /// Engines of equal points meet, no two of them twice.
    Swiss,
}

/// What the command line says about the schedule.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct ScheduleOptions {
    /// Which engines play each other.
    pub(super) tournament: Tournament,
    /// The number of engines that play a gauntlet against the rest; `None`: one.
    pub(super) firsts: Option<usize>,
    /// The values of `--seating`, for [`Seating::parse`].
    pub(super) seating: Vec<String>,
    /// The number of rounds.
    pub(super) rounds: Option<u64>,
    /// The number of games of each pairing.
    pub(super) games: Option<u64>,
    /// Which share of the bundles: number from 0, and how many shares.
    pub(super) shard: (u64, u64),
}

/// How the engines of a pairing are seated, each seating once a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Seating {
    /// Pairs: one engine in each seat against copies of the other, then the reverse.
    OneVersusRest,
    /// Groups of as many engines as there are seats, or all engines: every seating of each group in
    /// which each of its engines has a seat.
    All,
    /// These seatings: the engine, by index, in each seat.
    Explicit(Vec<Vec<usize>>),
}

impl Seating {
    /// Reads the values of `--seating`: none, a name, or lists such as `A,B,B,B`.
    ///
    /// # Errors
    /// Names the list or engine that does not fit.
    pub(super) fn parse(values: &[String], names: &[String], seats: usize) -> Result<Self> {
        match values {
            [] => return Ok(Seating::OneVersusRest),
            [name] if name == "one-v-rest" => return Ok(Seating::OneVersusRest),
            [name] if name == "all" => return Ok(Seating::All),
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
                    format!("--seating {list}: write one-v-rest, all, or a list of {names}")
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

/// Engines of a knockout or a Swiss tournament: a header of records may name any number.
const LARGEST: usize = 1024;

/// One game to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ScheduledGame {
    /// Its number, from 1.
    pub(super) number: u64,
    /// Its round, from 0.
    pub(super) round: u64,
    /// Its pairing, from 0.
    pub(super) pairing: usize,
    /// The engine, by index, in each seat.
    pub(super) seating: Vec<usize>,
}

/// The seatings of one pairing.
type Pairing = Vec<Vec<usize>>;

/// Every game of a match.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pairings: Vec<Pairing>,
    games_per_round: u64,
    /// Games that each pairing plays.
    games: u64,
    /// Which share of the bundles: number from 0, and how many shares.
    shard: (u64, u64),
    /// Where who meets whom follows from results.
    stages: Option<StageRules>,
}

impl Schedule {
    /// The schedule of a number of engines in games of `seats`.
    ///
    /// # Errors
    /// When the seating does not fit the number of engines or seats.
    pub(super) fn new(
        engines: usize,
        seats: usize,
        seating: &Seating,
        options: &ScheduleOptions,
    ) -> Result<Self> {
        let &ScheduleOptions { tournament, rounds, games, .. } = options;
        let shard = (options.shard.0, options.shard.1.max(1));
        ensure!(seats >= 2, "a game of {seats} seats cannot be played between engines");
        if matches!(tournament, Tournament::Knockout | Tournament::Swiss) {
            return Self::in_stages(engines, seats, seating, options);
        }
        let firsts = match tournament {
            Tournament::RoundRobin | Tournament::Knockout | Tournament::Swiss => None,
            Tournament::Gauntlet => Some(options.firsts.unwrap_or(1)),
        };
        ensure!(
            options.firsts.is_none() || firsts.is_some_and(|count| 0 < count && count < engines),
            "--firsts goes with --tournament gauntlet, and leaves at least one engine to play against"
        );
        if *seating == Seating::All {
            ensure!(
                choices(engines, seats) <= MOST_GROUPS,
                "--seating all: {engines} engines at {seats} seats are too many groups; give lists \
                 instead"
            );
        }
        let pairings = match seating {
            Seating::OneVersusRest => pairs(engines, firsts)
                .into_iter()
                .map(|[one, other]| one_versus_rest(one, other, seats))
                .collect(),
            Seating::All => groups(engines, seats, firsts)
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
        Ok(Schedule { pairings, games_per_round, games, shard, stages: None })
    }

    /// A knockout or a Swiss tournament.
    fn in_stages(
        engines: usize,
        seats: usize,
        seating: &Seating,
        options: &ScheduleOptions,
    ) -> Result<Self> {
        let name = if options.tournament == Tournament::Swiss { "swiss" } else { "knockout" };
        ensure!(
            (2..=LARGEST).contains(&engines),
            "--tournament {name}: {engines} engines; it takes 2 to {LARGEST}"
        );
        ensure!(
            *seating == Seating::OneVersusRest && options.firsts.is_none(),
            "--tournament {name}: two engines at a time meet in every seating; leave out --seating \
             and --firsts"
        );
        ensure!(
            options.shard.1 <= 1,
            "--tournament {name}: who meets whom follows from the results, so that it cannot be \
             divided; leave out --shard"
        );
        let pairing = one_versus_rest(0, 1, seats);
        let size = pairing.len();
        let games = options.games.unwrap_or(size as u64);
        ensure!(
            games > 0 && games.is_multiple_of(size as u64),
            "--games {games}: an encounter has every seating equally often; write a multiple of {size}"
        );
        let system = match (options.tournament, options.rounds) {
            (Tournament::Swiss, rounds) => System::Swiss(swiss_rounds(engines, rounds)?),
            (_, None) => System::Knockout,
            (_, Some(_)) => bail!(
                "--rounds: a knockout has as many as its engines need; --games N is the number of \
                 games of an encounter"
            ),
        };
        let stages = StageRules { system, engines, seats, size, bundles: games / size as u64 };
        // The encounters of a stage are numbered, and at most so many.
        let pairings = vec![pairing; engines / 2];
        let games_per_round = (size * pairings.len()) as u64;
        Ok(Schedule { pairings, games_per_round, games, shard: (0, 1), stages: Some(stages) })
    }

    /// The state of a tournament in stages at its start, if this is one.
    pub(super) fn stages(&self, names: &[String]) -> Option<Stages> {
        self.stages.map(|rules| Stages::new(rules, names))
    }

    /// The number of games in a bundle of each pairing.
    pub(super) fn bundle_sizes(&self) -> Vec<usize> {
        self.pairings.iter().map(Vec::len).collect()
    }

    /// The first game at or after a number, from 1, where no game depends on results.
    pub(super) fn next(&self, mut number: u64) -> Option<ScheduledGame> {
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
                return Some(ScheduledGame { number, round, pairing, seating });
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

    /// Whether this is not only a shard of the match.
    pub(super) fn is_whole(&self) -> bool {
        self.shard.1 == 1
    }

    /// The number of games; of a knockout, without those after tied encounters.
    pub(super) fn total(&self) -> u64 {
        if let Some(rules) = &self.stages {
            return rules.total();
        }
        if self.is_whole() {
            let whole = self.pairings.len() as u64;
            return whole.saturating_mul(self.games.min(self.bound()));
        }
        let mut count = 0;
        let mut number = 1;
        while let Some(game) = self.next(number) {
            count += 1;
            number = game.number + 1;
        }
        count
    }

    fn bound(&self) -> u64 {
        u64::MAX / self.pairings.len().max(1) as u64
    }
}

/// The rounds of a Swiss tournament: asked for, or as many as a knockout has.
fn swiss_rounds(engines: usize, rounds: Option<u64>) -> Result<u64> {
    let most = if engines.is_multiple_of(2) { engines as u64 - 1 } else { engines as u64 };
    let rounds = rounds.unwrap_or_else(|| u64::from(engines.next_power_of_two().ilog2()));
    ensure!(
        (1..=most).contains(&rounds),
        "--rounds {rounds}: in a Swiss tournament no two engines meet twice, so that {engines} play \
         at most {most}; --games N is the number of games of an encounter"
    );
    Ok(rounds)
}

/// Every two engines, or every pair of one of the first and one of the rest.
fn pairs(engines: usize, firsts: Option<usize>) -> Vec<[usize; 2]> {
    let seconds = |first| firsts.unwrap_or(first + 1)..engines;
    let pairs = |first| seconds(first).map(move |second| [first, second]);
    (0..firsts.unwrap_or(engines)).flat_map(pairs).collect()
}

/// Each of two engines in every seat against copies of the other.
pub(super) fn one_versus_rest(one: usize, other: usize, seats: usize) -> Pairing {
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

/// How many groups [`groups`] makes, or a number beyond [`MOST_GROUPS`].
fn choices(engines: usize, seats: usize) -> usize {
    let size = engines.min(seats);
    let mut count: usize = 1;
    for chosen in 0..size {
        count = count.saturating_mul(engines - chosen) / (chosen + 1);
        if count > MOST_GROUPS && chosen < size / 2 {
            break;
        }
    }
    count
}

/// All engines if they fit, else every choice of as many engines as there are seats.
fn groups(engines: usize, seats: usize, firsts: Option<usize>) -> Vec<Vec<usize>> {
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
        let has_first = firsts.is_none_or(|count| group.iter().any(|&engine| engine < count));
        group.len() == size && has_first
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

    fn games(schedule: &Schedule) -> Vec<ScheduledGame> {
        let mut games: Vec<ScheduledGame> = Vec::new();
        while let Some(game) = schedule.next(games.last().map_or(1, |game| game.number + 1)) {
            games.push(game);
        }
        games
    }

    fn rounds(rounds: u64) -> ScheduleOptions {
        ScheduleOptions { rounds: Some(rounds), shard: (0, 1), ..ScheduleOptions::default() }
    }

    fn seatings(engines: usize, seats: usize, seating: &Seating) -> Vec<Vec<usize>> {
        let schedule = Schedule::new(engines, seats, seating, &rounds(1)).unwrap();
        games(&schedule).into_iter().map(|game| game.seating).collect()
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
        let options = ScheduleOptions { tournament: Tournament::Gauntlet, ..rounds(2) };
        let schedule = Schedule::new(4, 2, &Seating::OneVersusRest, &options).unwrap();
        let games = games(&schedule);
        assert_eq!(games.len(), 12);
        assert!(games.iter().all(|game| game.seating.contains(&0)));
        assert_eq!(schedule.total(), 12);
    }

    #[test]
    fn several_first_engines_play_the_rest_and_not_each_other() {
        let options = |firsts| ScheduleOptions {
            tournament: Tournament::Gauntlet,
            firsts: Some(firsts),
            ..rounds(1)
        };
        let schedule = Schedule::new(5, 2, &Seating::OneVersusRest, &options(2)).unwrap();
        let games = games(&schedule);
        assert_eq!(games.len(), 2 * 2 * 3);
        let firsts = |game: &ScheduledGame| game.seating.iter().filter(|&&one| one < 2).count();
        assert!(games.iter().all(|game| firsts(game) == 1));
        for firsts in [0, 5] {
            assert!(Schedule::new(5, 2, &Seating::OneVersusRest, &options(firsts)).is_err());
        }
    }

    #[test]
    fn games_bound_each_pairing_and_numbers_stay_what_they_were() {
        let schedule = |games| {
            let options = ScheduleOptions { rounds: None, games: Some(games), ..rounds(1) };
            Schedule::new(3, 2, &Seating::OneVersusRest, &options).unwrap()
        };
        let short = games(&schedule(3));
        assert_eq!(short.len(), 9);
        assert_eq!(schedule(3).total(), 9);
        let long = games(&schedule(8));
        assert_eq!(long.len(), 24);
        assert!(short.iter().all(|game| long.contains(game)));
    }

    #[test]
    fn shards_together_are_the_whole_match() {
        let schedule = |shard| {
            let options = ScheduleOptions { shard, ..rounds(7) };
            Schedule::new(3, 4, &Seating::OneVersusRest, &options).unwrap()
        };
        let mut parts: Vec<ScheduledGame> =
            (0..8).flat_map(|number| games(&schedule((number, 8)))).collect();
        parts.sort_by_key(|game| game.number);
        assert_eq!(parts, games(&schedule((0, 1))));
        let first = schedule((0, 8));
        assert_eq!(first.total(), games(&first).len() as u64);
    }

    #[test]
    fn tournaments_in_stages_have_encounters_of_whole_bundles() {
        let schedule = |tournament, engines, rounds, games| {
            let options =
                ScheduleOptions { tournament, rounds, games, ..ScheduleOptions::default() };
            Schedule::new(engines, 2, &Seating::OneVersusRest, &options)
        };
        let total = |tournament, engines, rounds, games| {
            schedule(tournament, engines, rounds, games).unwrap().total()
        };
        assert_eq!(total(Tournament::Knockout, 8, None, None), 7 * 2);
        assert_eq!(total(Tournament::Knockout, 5, None, Some(6)), 4 * 6);
        // As many rounds as a knockout has, unless others are asked for.
        assert_eq!(total(Tournament::Swiss, 8, None, None), 3 * 4 * 2);
        assert_eq!(total(Tournament::Swiss, 9, None, Some(4)), 4 * 4 * 4);
        assert_eq!(total(Tournament::Swiss, 6, Some(5), None), 5 * 3 * 2);
        for (tournament, engines, rounds, games, says) in [
            (Tournament::Knockout, 1, None, None, "1 engines; it takes 2"),
            (Tournament::Knockout, 4, Some(2), None, "--rounds"),
            (Tournament::Knockout, 4, None, Some(3), "a multiple of 2"),
            (Tournament::Swiss, 6, Some(6), None, "at most 5"),
            (Tournament::Swiss, 7, Some(8), None, "at most 7"),
        ] {
            let error = schedule(tournament, engines, rounds, games).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        let options = ScheduleOptions {
            tournament: Tournament::Swiss,
            shard: (0, 2),
            ..ScheduleOptions::default()
        };
        assert!(Schedule::new(4, 2, &Seating::OneVersusRest, &options).is_err());
        assert!(
            Schedule::new(4, 2, &Seating::All, &ScheduleOptions { shard: (0, 1), ..options })
                .is_err()
        );
    }

    #[test]
    fn lists_that_do_not_fit_are_rejected() {
        let names = ["A".to_owned(), "B".to_owned()];
        let parse = |list: &str| Seating::parse(&[list.to_owned()], &names, 3);
        assert_eq!(parse("A,B,B").unwrap(), Seating::Explicit(vec![vec![0, 1, 1]]));
        assert!(parse("A,B").is_err());
        assert!(parse("A,B,C").is_err());
        assert!(Schedule::new(1, 2, &Seating::All, &rounds(1)).is_err());
    }

    /// The schedule by its description: rounds outermost, then pairings, then seatings, numbers in a
    /// row from 1; a share has every n-th bundle.
    #[test]
    fn games_are_numbered_by_round_pairing_and_seating() {
        for (engines, seats, seating, shards) in [
            (3, 2, Seating::OneVersusRest, 1),
            (3, 3, Seating::OneVersusRest, 2),
            (4, 3, Seating::All, 3),
            (2, 2, Seating::Explicit(vec![vec![0, 1], vec![0, 0], vec![1, 0]]), 2),
        ] {
            let pairings: Vec<Vec<Vec<usize>>> = match &seating {
                Seating::OneVersusRest => [[0, 1], [0, 2], [1, 2]]
                    .map(|[one, other]| {
                        let lone = |one, other| {
                            (0..seats).map(move |lone: usize| {
                                (0..seats).map(|at| if at == lone { one } else { other }).collect()
                            })
                        };
                        let all: Vec<Vec<usize>> =
                            lone(one, other).chain(lone(other, one)).collect();
                        let mut seen = Vec::new();
                        all.into_iter().for_each(|seating| {
                            if !seen.contains(&seating) {
                                seen.push(seating);
                            }
                        });
                        seen
                    })
                    .into(),
                // Every order of every three of four.
                Seating::All => [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
                    .map(|[a, b, c]| {
                        let mut all =
                            vec![vec![a, b, c], vec![a, c, b], vec![b, a, c], vec![b, c, a]];
                        all.extend([vec![c, a, b], vec![c, b, a]]);
                        all
                    })
                    .into(),
                Seating::Explicit(list) => vec![list.clone()],
            };
            for shard in 0..shards {
                let options = ScheduleOptions { shard: (shard, shards), ..rounds(3) };
                let schedule = Schedule::new(engines, seats, &seating, &options).unwrap();
                let sizes: Vec<usize> = pairings.iter().map(Vec::len).collect();
                assert_eq!(schedule.bundle_sizes(), sizes);
                let (mut number, mut bundle) = (0, 0);
                let mut expected = Vec::new();
                for round in 0..3 {
                    for (pairing, seatings) in pairings.iter().enumerate() {
                        for seating in seatings {
                            number += 1;
                            if bundle % shards == shard {
                                let seating = seating.clone();
                                expected.push(ScheduledGame { number, round, pairing, seating });
                            }
                        }
                        bundle += 1;
                    }
                }
                assert_eq!(games(&schedule), expected, "{seating:?} {shard}/{shards}");
                assert_eq!(schedule.total(), expected.len() as u64);
                assert_eq!(schedule.is_whole(), shards == 1);
            }
        }
    }

    #[test]
    fn a_gauntlet_of_groups_has_a_first_engine_in_each() {
        for (firsts, groups) in [
            (1, vec![[0, 1], [0, 2], [0, 3]]),
            (3, { vec![[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] }),
        ] {
            let options = ScheduleOptions {
                tournament: Tournament::Gauntlet,
                firsts: Some(firsts),
                ..rounds(1)
            };
            let schedule = Schedule::new(4, 2, &Seating::All, &options).unwrap();
            let found: Vec<Vec<usize>> =
                games(&schedule).into_iter().map(|game| game.seating).collect();
            let expected: Vec<Vec<usize>> =
                groups.into_iter().flat_map(|[a, b]| [vec![a, b], vec![b, a]]).collect();
            assert_eq!(found, expected, "{firsts}");
        }
        // What names the first engines without a gauntlet is refused.
        let options = ScheduleOptions { firsts: Some(1), ..rounds(1) };
        assert!(Schedule::new(3, 2, &Seating::OneVersusRest, &options).is_err());
        assert!(Schedule::new(2, 1, &Seating::OneVersusRest, &rounds(1)).is_err());
    }

    /// Both bounds hold: the smaller number of games a pairing.
    #[test]
    fn rounds_and_games_bound_each_other() {
        for (round_limit, game_limit, expected) in
            [(Some(2), Some(3), 3), (Some(2), Some(9), 4), (None, Some(5), 5), (None, None, 2)]
        {
            let options = ScheduleOptions { rounds: round_limit, games: game_limit, ..rounds(1) };
            let schedule = Schedule::new(2, 2, &Seating::OneVersusRest, &options).unwrap();
            assert_eq!(games(&schedule).len(), expected, "{round_limit:?} {game_limit:?}");
            assert_eq!(schedule.total(), expected as u64);
        }
    }
}
