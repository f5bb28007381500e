//! Tournaments in stages, knockout and Swiss: who plays whom follows from the results so far.
//!
//! An *encounter* is a number of bundles between two engines. All encounters of a stage have the same
//! openings and dice. Games are numbered stage by stage, and within one by round, encounter and
//! seating; the next stage begins when all of them are over. Equal results thus lead to equal games,
//! whichever is over first, and a match is resumed from its records alone.

mod knockout;
mod swiss;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::{ScheduledGame, one_versus_rest};
use crate::runner::tournament::record::Record;
use knockout::Knockout;
use swiss::Swiss;

/// The first place of a game, as a whole number: shares of it are added without rounding, whatever
/// their order. It is divisible by all numbers up to 12.
const POINT: i64 = 27_720;

/// How the encounters of a stage are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::runner::tournament) enum System {
    /// Who loses is out.
    Knockout,
    /// Engines of equal points meet, nobody twice, in this number of stages.
    Swiss(u64),
}

/// What is fixed before the first game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::runner::tournament) struct StageRules {
    /// How the encounters are found.
    pub(in crate::runner::tournament) system: System,
    /// The number of engines.
    pub(in crate::runner::tournament) engines: usize,
    /// The number of seats.
    pub(in crate::runner::tournament) seats: usize,
    /// Games of a bundle.
    pub(in crate::runner::tournament) size: usize,
    /// Bundles of each encounter.
    pub(in crate::runner::tournament) bundles: u64,
}

impl StageRules {
    /// The number of games; of a knockout, if no encounter is tied.
    pub(in crate::runner::tournament) fn total(&self) -> u64 {
        let encounters = match self.system {
            System::Knockout => self.engines as u64 - 1,
            System::Swiss(rounds) => rounds.saturating_mul(self.engines as u64 / 2),
        };
        encounters.saturating_mul(self.games())
    }

    /// Games of an encounter.
    fn games(&self) -> u64 {
        self.bundles.saturating_mul(self.size as u64)
    }
}

/// Two engines that meet, by index, and the points of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Encounter {
    /// The round of the tournament, from 1.
    round: u64,
    engines: [usize; 2],
    points: [i64; 2],
}

/// Encounters at the same time.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stage {
    /// The number of its first game.
    first: u64,
    /// The first round of its openings and dice.
    round: u64,
    bundles: u64,
    encounters: Vec<[usize; 2]>,
}

impl Stage {
    fn games(&self, size: usize) -> u64 {
        self.bundles.saturating_mul((self.encounters.len() * size) as u64)
    }
}

/// What decides the next stage.
#[derive(Clone, Debug)]
enum Course {
    Knockout(Knockout),
    Swiss(Swiss),
}

/// The next game, or why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::runner::tournament) enum Next {
    /// It can be played.
    Game(ScheduledGame),
    /// Only once others are over.
    Wait,
    /// No game follows.
    Over,
}

/// How far a tournament in stages has come.
#[derive(Clone, Debug)]
pub(in crate::runner::tournament) struct Stages {
    rules: StageRules,
    names: Vec<String>,
    course: Course,
    stages: Vec<Stage>,
    /// The points in games of stages that are not over: of each engine that has some.
    games: BTreeMap<u64, Vec<(usize, i64)>>,
    over: bool,
}

impl Stages {
    /// At the start. The engines are seeded in their order.
    pub(in crate::runner::tournament) fn new(rules: StageRules, names: &[String]) -> Self {
        let course = match rules.system {
            System::Knockout => Course::Knockout(Knockout::new(rules.engines)),
            System::Swiss(rounds) => {
                Course::Swiss(Swiss::new(rules.engines, rounds, rules.games().min(1 << 40)))
            }
        };
        let (names, stages, games) = (names.to_vec(), Vec::new(), BTreeMap::new());
        let mut new = Stages { rules, names, course, stages, games, over: false };
        new.begin_stage();
        new
    }

    /// Adds a game that is over.
    pub(in crate::runner::tournament) fn add(&mut self, record: &Record) {
        let mut points: Vec<(usize, i64)> = Vec::new();
        for (name, share) in record.seating.iter().zip(&record.shares) {
            let Some(engine) = self.names.iter().position(|other| other == name) else { continue };
            points.push((engine, (share.clamp(0.0, 1.0) * POINT as f64).round() as i64));
        }
        if self.stages.last().is_some_and(|stage| stage.first <= record.game) {
            self.games.insert(record.game, points);
        }
        while !self.over && self.close_stage() {
            self.begin_stage();
        }
    }

    /// Whether all games of the last stage are over: then their points are counted.
    fn close_stage(&mut self) -> bool {
        let Some(stage) = self.stages.last() else { return false };
        let after = stage.first.saturating_add(stage.games(self.rules.size));
        let missing = |games: usize| (games as u64) < after - stage.first;
        if missing(self.games.len()) || missing(self.games.range(..after).count()) {
            return false;
        }
        let later = self.games.split_off(&after);
        let mut points = vec![[0; 2]; stage.encounters.len()];
        for (number, of_game) in std::mem::replace(&mut self.games, later) {
            let (encounter, _) = place(number - stage.first, stage, self.rules.size).1;
            let engines = stage.encounters.get(encounter);
            let (Some(engines), Some(sums)) = (engines, points.get_mut(encounter)) else {
                continue;
            };
            for (engine, share) in of_game {
                let side = engines.iter().position(|other| *other == engine);
                if let Some(sum) = side.and_then(|side| sums.get_mut(side)) {
                    *sum += share;
                }
            }
        }
        match &mut self.course {
            Course::Knockout(knockout) => knockout.add(&stage.encounters, &points),
            Course::Swiss(swiss) => swiss.add(&stage.encounters, &points),
        }
        true
    }

    fn begin_stage(&mut self) {
        let found = match &mut self.course {
            Course::Knockout(knockout) => knockout.next(self.rules.bundles),
            Course::Swiss(swiss) => swiss.next().map(|list| (list, self.rules.bundles)),
        };
        let Some((encounters, bundles)) = found else {
            self.over = true;
            return;
        };
        let (first, round) = self.stages.last().map_or((1, 0), |last| {
            let games = last.games(self.rules.size);
            (last.first.saturating_add(games), last.round.saturating_add(last.bundles))
        });
        self.stages.push(Stage { first, round, bundles, encounters });
    }

    /// The game of a number, from 1.
    pub(in crate::runner::tournament) fn game(&self, number: u64) -> Next {
        let Some(stage) = self.stages.iter().rev().find(|stage| stage.first <= number) else {
            return Next::Over;
        };
        let index = number - stage.first;
        if index >= stage.games(self.rules.size) {
            return if self.over { Next::Over } else { Next::Wait };
        }
        let (bundle, (pairing, seating)) = place(index, stage, self.rules.size);
        let engines = stage.encounters.get(pairing).copied().unwrap_or_default();
        let seatings = one_versus_rest(engines[0], engines[1], self.rules.seats);
        let seating = seatings.get(seating).cloned().unwrap_or_default();
        Next::Game(ScheduledGame { number, round: stage.round + bundle, pairing, seating })
    }

    /// Whether the last game is over.
    pub(in crate::runner::tournament) fn is_over(&self) -> bool {
        self.over
    }

    fn name(&self, engine: usize) -> &str {
        self.names.get(engine).map_or("?", String::as_str)
    }

    fn encounters(&self) -> &[Encounter] {
        match &self.course {
            Course::Knockout(knockout) => knockout.encounters(),
            Course::Swiss(swiss) => swiss.encounters(),
        }
    }

    /// The encounters so far, and who has won or stands where.
    pub(in crate::runner::tournament) fn report(&self) -> String {
        let mut text = String::new();
        let mut round = 0;
        for encounter in self.encounters() {
            if encounter.round != round {
                round = encounter.round;
                let _ = writeln!(text, "round {round}");
            }
            let [one, other] = encounter.engines.map(|engine| self.name(engine));
            let [left, right] = encounter.points.map(shown);
            let _ = writeln!(text, "  {one} - {other}  {left} : {right}");
        }
        match &self.course {
            Course::Knockout(knockout) => {
                let winner =
                    knockout.winner().map(|engine| format!("winner: {}", self.name(engine)));
                text += &winner.unwrap_or_else(|| "the final is still to come".to_owned());
            }
            Course::Swiss(swiss) => {
                for (place, standing) in (1..).zip(swiss.standings()) {
                    let bye = if standing.bye { ", a bye" } else { "" };
                    let [points, buchholz] = [standing.points, standing.buchholz].map(shown);
                    let name = self.name(standing.engine);
                    let _ = writeln!(
                        text,
                        "{place}. {name}: {points} points, Buchholz {buchholz}, Sonneborn-Berger {:.2}{bye}",
                        standing.sonneborn_berger
                    );
                }
            }
        }
        text.trim_end().to_owned()
    }

    /// The same for scripts.
    pub(in crate::runner::tournament) fn json(&self) -> Value {
        let encounter = |encounter: &Encounter| {
            json!({
                "round": encounter.round,
                "engines": encounter.engines.map(|engine| self.name(engine)),
                "points": encounter.points.map(number),
            })
        };
        let encounters: Vec<Value> = self.encounters().iter().map(encounter).collect();
        match &self.course {
            Course::Knockout(knockout) => {
                let winner = knockout.winner().map(|engine| self.name(engine));
                json!({ "encounters": encounters, "winner": winner })
            }
            Course::Swiss(swiss) => {
                let standing = |standing: swiss::Standing| {
                    json!({
                        "engine": self.name(standing.engine), "points": number(standing.points),
                        "buchholz": number(standing.buchholz),
                        "sonneborn_berger": standing.sonneborn_berger, "bye": standing.bye,
                    })
                };
                let standings: Vec<Value> = swiss.standings().into_iter().map(standing).collect();
                json!({ "encounters": encounters, "standings": standings })
            }
        }
    }
}

/// The bundle, the encounter and the seating of a game, counted from the first of its stage.
fn place(index: u64, stage: &Stage, size: usize) -> (u64, (usize, usize)) {
    let of_round = (stage.encounters.len() * size).max(1) as u64;
    let rest = (index % of_round) as usize;
    (index / of_round, (rest / size.max(1), rest % size.max(1)))
}

fn number(points: i64) -> f64 {
    points as f64 / POINT as f64
}

/// Points with one digit, or two where one would round.
fn shown(points: i64) -> String {
    let digits = if points % (POINT / 2) == 0 { 1 } else { 2 };
    format!("{:.digits$}", number(points))
}

/// Stages that the threads of a match share.
#[derive(Debug)]
pub(in crate::runner::tournament) struct SharedStages {
    stages: Mutex<Stages>,
    changed: Condvar,
}

/// How often a thread that waits for its next game looks whether the match is being stopped.
pub(in crate::runner::tournament) const LOOK: Duration = Duration::from_millis(50);

impl SharedStages {
    pub(in crate::runner::tournament) fn new(stages: Stages) -> Self {
        SharedStages { stages: Mutex::new(stages), changed: Condvar::new() }
    }

    /// The stages as they are.
    pub(in crate::runner::tournament) fn lock(&self) -> MutexGuard<'_, Stages> {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a game that is over.
    pub(in crate::runner::tournament) fn add(&self, record: &Record) {
        self.lock().add(record);
        self.changed.notify_all();
    }

    /// The game of a number, once it is known; `None` where none follows, or the match is stopped.
    pub(in crate::runner::tournament) fn game(
        &self,
        number: u64,
        stop: &AtomicBool,
    ) -> Option<ScheduledGame> {
        let mut stages = self.lock();
        while !stop.load(Ordering::SeqCst) {
            match stages.game(number) {
                Next::Game(game) => return Some(game),
                Next::Over => return None,
                Next::Wait => {}
            }
            let waited = self.changed.wait_timeout(stages, LOOK);
            stages = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

    fn rules(system: System, engines: usize, bundles: u64) -> StageRules {
        StageRules { system, engines, seats: 2, size: 2, bundles }
    }

    fn begin(rules: StageRules) -> Stages {
        Stages::new(rules, &NAMES.map(str::to_owned)[..rules.engines])
    }

    /// A game in which the engine that comes first by `stronger` wins; none: a draw.
    fn record(game: &ScheduledGame, stronger: &dyn Fn(usize, usize) -> Option<usize>) -> Record {
        let [one, other] = [game.seating[0], game.seating[1]];
        let share = |engine| match stronger(one, other) {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == engine)),
        };
        Record {
            game: game.number,
            seating: game.seating.iter().map(|&engine| NAMES[engine].to_owned()).collect(),
            shares: vec![share(one), share(other)],
            ..Record::default()
        }
    }

    /// Plays to the end, the games of each stage in the order that `order` gives them.
    fn play(
        stages: &mut Stages,
        stronger: &dyn Fn(usize, usize) -> Option<usize>,
        order: &mut dyn FnMut(&mut Vec<ScheduledGame>),
    ) -> Vec<ScheduledGame> {
        let mut played = Vec::new();
        let mut number = 1;
        loop {
            let mut stage = Vec::new();
            while let Next::Game(game) = stages.game(number) {
                stage.push(game);
                number += 1;
            }
            if stage.is_empty() {
                assert_eq!(stages.game(number), Next::Over);
                assert!(stages.is_over());
                return played;
            }
            order(&mut stage);
            for game in &stage {
                stages.add(&record(game, stronger));
            }
            played.extend(stage);
        }
    }

    fn by_order(one: usize, other: usize) -> Option<usize> {
        Some(one.min(other))
    }

    #[test]
    fn a_knockout_is_won_by_the_best_and_its_final_is_of_the_two_best() {
        for engines in 2..=9 {
            let rules = rules(System::Knockout, engines, 2);
            let mut stages = begin(rules);
            let games = play(&mut stages, &by_order, &mut |_| {});
            // Everybody but the winner loses one encounter of two bundles of two games.
            assert_eq!(games.len() as u64, rules.total(), "{engines}");
            assert_eq!(stages.json()["winner"], "a");
            let last = &games[games.len() - 4..];
            assert!(last.iter().all(|game| game.seating.iter().all(|&engine| engine < 2)));
            // The same engine has either seat equally often.
            assert_eq!(last[0].seating, [last[1].seating[1], last[1].seating[0]]);
            let numbers: Vec<u64> = games.iter().map(|game| game.number).collect();
            assert_eq!(numbers, (1..=rules.total()).collect::<Vec<u64>>());
        }
        let report = {
            let mut stages = begin(rules(System::Knockout, 5, 1));
            play(&mut stages, &by_order, &mut |_| {});
            stages.report()
        };
        // Eight places: the first three have a bye.
        let expected = "round 1\n  d - e  2.0 : 0.0\nround 2\n  a - d  2.0 : 0.0\n  b - c  2.0 : 0.0\n\
                        round 3\n  a - b  2.0 : 0.0\nwinner: a";
        assert_eq!(report, expected);
    }

    #[test]
    fn tied_encounters_go_on_alone_and_then_the_first_named_goes_on() {
        let draws = |_, _| None;
        let mut stages = begin(rules(System::Knockout, 4, 1));
        let games = play(&mut stages, &draws, &mut |_| {});
        // Three encounters, each with three more bundles.
        assert_eq!(games.len(), 3 * 2 * (1 + knockout::EXTRA as usize));
        assert_eq!(stages.json()["winner"], "a");
        // Only a and d are tied.
        let tied = |one: usize, other: usize| match (one.min(other), one.max(other)) {
            (0, 3) => None,
            (best, _) => Some(best),
        };
        let mut stages = begin(rules(System::Knockout, 4, 1));
        let games = play(&mut stages, &tied, &mut |_| {});
        assert_eq!(games.len(), 3 * 2 + 2 * knockout::EXTRA as usize);
        // Every bundle has an opening of its own.
        let rounds: Vec<u64> = games.iter().map(|game| game.round).collect();
        assert_eq!(rounds, [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
    }

    #[test]
    fn in_a_swiss_tournament_nobody_meets_twice_and_byes_go_round() {
        for (engines, rounds) in [(2, 1), (3, 3), (4, 3), (5, 5), (6, 3), (7, 4), (8, 5), (9, 6)] {
            for variety in 0..20_usize {
                let strength = |engine: usize| (engine * 7 + variety * engine * engine) % 11;
                let stronger = |one: usize, other: usize| match strength(one).cmp(&strength(other))
                {
                    std::cmp::Ordering::Less => Some(other),
                    std::cmp::Ordering::Equal => None,
                    std::cmp::Ordering::Greater => Some(one),
                };
                let rules = rules(System::Swiss(rounds), engines, 1);
                let mut stages = begin(rules);
                let games = play(&mut stages, &stronger, &mut |_| {});
                assert_eq!(games.len() as u64, rules.total());
                let mut seen = std::collections::BTreeSet::new();
                let mut count = vec![0; engines];
                for game in &games {
                    let seats = (game.seating[0], game.seating[1]);
                    assert!(seen.insert(seats), "{engines} engines: {seats:?} twice");
                    count[seats.0] += 1;
                }
                // With an odd number, each is out at most once.
                let least = rounds as usize - engines % 2;
                assert!(count.iter().all(|&games| games >= least), "{engines}: {count:?}");
            }
        }
    }

    #[test]
    fn a_swiss_tournament_pairs_equals_and_orders_them_by_their_opponents() {
        let mut stages = begin(rules(System::Swiss(3), 8, 1));
        let games = play(&mut stages, &by_order, &mut |_| {});
        let pair = |game: &ScheduledGame| (game.round, game.seating[0], game.seating[1]);
        let pairs: Vec<_> = games.iter().step_by(2).map(pair).collect();
        let expected = [
            // The upper half against the lower, then within those of equal points.
            [(0, 0, 4), (0, 1, 5), (0, 2, 6), (0, 3, 7)],
            [(1, 0, 2), (1, 1, 3), (1, 4, 6), (1, 5, 7)],
            [(2, 0, 1), (2, 2, 4), (2, 3, 5), (2, 6, 7)],
        ];
        assert_eq!(pairs, expected.concat());
        let standings = &stages.json()["standings"];
        let order: Vec<&str> =
            (0..8).map(|place| standings[place]["engine"].as_str().unwrap()).collect();
        assert_eq!(order, ["a", "b", "c", "d", "e", "f", "g", "h"]);
        // a has met e (2), c (4) and b (4 points): 10; b has met f, d and a: 2 + 4 + 6.
        let of = |place: usize, what: &str| standings[place][what].as_f64().unwrap();
        assert_eq!((of(0, "points"), of(0, "buchholz")), (6.0, 10.0));
        assert_eq!((of(1, "points"), of(1, "buchholz")), (4.0, 12.0));
        // b won all games against f and d: twice the points of both.
        assert_eq!(of(1, "sonneborn_berger"), 2.0 * (2.0 + 4.0));
    }

    /// A bye counts as if all its games were won, against an opponent of the engine's own points.
    #[test]
    fn a_bye_is_won_against_an_equal() {
        let table = |rounds| {
            let mut stages = begin(rules(System::Swiss(rounds), 3, 1));
            play(&mut stages, &by_order, &mut |_| {});
            let standings = stages.json()["standings"].clone();
            let of = |place: usize| {
                let number = |what: &str| standings[place][what].as_f64().unwrap();
                let engine = standings[place]["engine"].as_str().unwrap().to_owned();
                (engine, number("points"), number("buchholz"), number("sonneborn_berger"))
            };
            (0..3).map(of).collect::<Vec<_>>()
        };
        let row = |engine: &str, points, buchholz, sonneborn_berger| {
            (engine.to_owned(), points, buchholz, sonneborn_berger)
        };
        // c has the bye, and a beats b, whose points are none.
        let first = [row("c", 2.0, 2.0, 0.0), row("a", 2.0, 0.0, 0.0), row("b", 0.0, 2.0, 0.0)];
        assert_eq!(table(1), first);
        // Then b and a have theirs, a beats c, and b beats c: every engine has met all points.
        let last = [row("a", 6.0, 12.0, 12.0), row("b", 4.0, 12.0, 4.0), row("c", 2.0, 12.0, 0.0)];
        assert_eq!(table(3), last);
    }

    /// Slots finish games in any order, and a match may be resumed after any of them.
    #[test]
    fn the_order_in_which_games_end_changes_nothing() {
        let mut random = crate::random::Random::new(4);
        for system in [System::Knockout, System::Swiss(4)] {
            let rules = rules(system, 7, 2);
            let stronger = |one: usize, other: usize| match (one * 5 + other * 3) % 4 {
                0 => None,
                1 => Some(one),
                _ => Some(one.max(other)),
            };
            let mut first = begin(rules);
            let mut games = play(&mut first, &stronger, &mut |_| {});
            for _ in 0..10 {
                let mut again = begin(rules);
                let mut shuffled = play(&mut again, &stronger, &mut |stage| random.shuffle(stage));
                assert_eq!(again.report(), first.report());
                shuffled.sort_by_key(|game| game.number);
                assert_eq!(shuffled, games);
                // From records alone, however they are sorted.
                let mut resumed = begin(rules);
                games.sort_by_key(|game| game.number);
                for game in &games {
                    assert_eq!(resumed.game(game.number), Next::Game(game.clone()));
                    resumed.add(&record(game, &stronger));
                }
                assert_eq!(resumed.report(), first.report());
            }
        }
    }

    #[test]
    fn records_of_strangers_do_no_harm() {
        let mut stages = begin(rules(System::Swiss(2), 4, u64::MAX));
        for game in [0, 1, 2, u64::MAX, u64::MAX - 1] {
            let shares = vec![f64::NAN, f64::INFINITY, -1e300];
            let seating = ["a", "a", "nobody"].map(str::to_owned).to_vec();
            stages.add(&Record { game, seating, shares, ..Record::default() });
            stages.game(game);
        }
        assert!(!stages.is_over());
        stages.report();
    }
}
