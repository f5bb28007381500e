//! Two players against each other in one process.
//!
//! Every opening is played once in each seating with the same throws, and these games make one
//! bundle: what the opening and the dice gave is given to both. With two seats a bundle is two
//! games. With more, one player sits alone among copies of the other, in each seat in turn, then
//! the other way round.
//!
//! Games follow from the seed alone, whatever the number of threads, as long as the players'
//! choices follow from their seeds and limits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;

use super::Limits;
use super::player::{Player, Request};
use crate::game::{
    Chance, Chances, Game, Hidden, MAX_SEATS, Outcome, Random, Seat, Situation, Turn, splitmix64,
};
use crate::statistics::Scores;

/// One of the two players.
pub struct Contestant<G: Game> {
    /// What it is called in reports.
    pub name: String,
    /// What bounds each of its searches.
    pub limits: Limits,
    /// Makes it anew for each game and seat, from a seed.
    pub make: Box<dyn Fn(u64) -> Box<dyn Player<G>> + Send + Sync>,
}

/// What is played.
#[derive(Clone, Debug)]
pub struct SelfplayPlan {
    /// How many openings, each a bundle of games.
    pub openings: u64,
    /// Random moves of seats at the beginning.
    pub opening_plies: u32,
    /// A game is a draw after so many plies.
    pub max_plies: u32,
    /// Everything random follows from it.
    pub seed: u64,
    /// Games in flight.
    pub threads: usize,
}

impl Default for SelfplayPlan {
    fn default() -> Self {
        SelfplayPlan { openings: 100, opening_plies: 4, max_plies: 600, seed: 1, threads: 1 }
    }
}

/// How a match stands.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The first player's share of the first places, by bundle; where it sits alone among copies
    /// of the second, if there are more than two seats.
    pub first: Scores,
    /// The same of the second player, which sits alone. With two seats the complement.
    pub second: Scores,
    /// Games won, drawn and lost by the first player; with more seats, where it sits alone: sole
    /// first, shared first, not first.
    pub games: [u64; 3],
    /// Games that ended because the ply limit was reached.
    pub unfinished: u64,
    /// Games that ended because the player gave no legal move: it is last in them.
    pub faults: [u64; 2],
    /// Plies of all games.
    pub plies: u64,
}

/// One opening in all seatings.
struct Bundle {
    number: u64,
    games: Vec<Played>,
}

struct Played {
    /// Which contestant sits alone: with two seats always the first.
    lone: usize,
    share: f64,
    unfinished: bool,
    fault: Option<usize>,
    plies: u64,
}

/// Plays a match. `progress` is told how it stands after each bundle, in the order of the openings,
/// and ends the match by returning `false`.
pub fn selfplay<G: Chance + Hidden>(
    start: &G,
    contestants: &[Contestant<G>; 2],
    plan: &SelfplayPlan,
    progress: &mut dyn FnMut(&Standing) -> bool,
) -> Standing {
    let next = AtomicU64::new(0);
    let ended = AtomicBool::new(false);
    let (sender, bundles) = channel();
    let mut standing = Standing::default();
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            let (sender, next, ended) = (sender.clone(), &next, &ended);
            scope.spawn(move || {
                while !ended.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.openings {
                        break;
                    }
                    let games = play_bundle(start, contestants, plan, number);
                    if sender.send(Bundle { number, games }).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // Bundles are counted in order, so that an early end does not prefer short games.
        let mut waiting: Vec<Bundle> = Vec::new();
        let mut due = 0;
        for bundle in bundles {
            waiting.push(bundle);
            while let Some(at) = waiting.iter().position(|bundle| bundle.number == due) {
                let bundle = waiting.swap_remove(at);
                due += 1;
                if !ended.load(Ordering::Relaxed) {
                    standing.add(&bundle);
                    if !progress(&standing) {
                        ended.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    });
    standing
}

impl Standing {
    fn add(&mut self, bundle: &Bundle) {
        let two_seats = bundle.games.iter().all(|game| game.lone == 0);
        for (lone, scores) in [(0, &mut self.first), (1, &mut self.second)] {
            let of_lone = bundle.games.iter().filter(|game| two_seats || game.lone == lone);
            let turned = two_seats && lone == 1;
            let shares: Vec<f64> =
                of_lone.map(|game| if turned { 1.0 - game.share } else { game.share }).collect();
            if !shares.is_empty() {
                let mean = shares.iter().sum::<f64>() / shares.len() as f64;
                scores.add(mean, shares.len() as u64);
            }
        }
        for game in &bundle.games {
            if game.lone == 0 {
                let result = match game.share {
                    share if share >= 1.0 => 0,
                    share if share > 0.0 => 1,
                    _ => 2,
                };
                self.games[result] += 1;
            }
            self.unfinished += u64::from(game.unfinished);
            self.plies += game.plies;
            if let Some(contestant) = game.fault {
                self.faults[contestant] += 1;
            }
        }
    }
}

/// The seed of everything random in the games of an opening.
fn game_seed(plan: &SelfplayPlan, number: u64) -> u64 {
    splitmix64(splitmix64(plan.seed).wrapping_add(number))
}

fn play_bundle<G: Chance + Hidden>(
    start: &G,
    contestants: &[Contestant<G>; 2],
    plan: &SelfplayPlan,
    number: u64,
) -> Vec<Played> {
    let seed = game_seed(plan, number);
    let table = opening(start, plan, seed);
    let seats = start.seats();
    let lone_contestants = if seats == 2 { 0..1 } else { 0..2 };
    lone_contestants
        .flat_map(|lone| Seat::all(seats).map(move |seat| (lone, seat)))
        .map(|(lone, seat)| {
            let seating = |other: Seat| if other == seat { lone } else { 1 - lone };
            let (outcome, played) = play_game(table.clone(), contestants, seating, plan, seed);
            Played { lone, share: outcome.share(seat), ..played }
        })
        .collect()
}

/// A position some random moves into the game. A way that ends the game is not taken.
fn opening<G: Chance + Hidden>(start: &G, plan: &SelfplayPlan, seed: u64) -> Table<G> {
    for attempt in 0..100 {
        let mut random = Random::new(splitmix64(seed ^ splitmix64(attempt)));
        let mut table = Table::new(start, seed);
        let mut plies = 0;
        while plies < plan.opening_plies && !table.full.turn().is_over() {
            let is_seat = table.full.seat().is_some();
            let m = if is_seat {
                table.full.position().random_move(&mut random)
            } else {
                table.thrown()
            };
            let Some(m) = m else { break };
            table.play(&m);
            plies += u32::from(is_seat);
        }
        if !table.full.turn().is_over() {
            return table;
        }
    }
    Table::new(start, seed)
}

/// Plays a game to its end; of `Played`, `lone` and `share` are left to the caller.
fn play_game<G: Chance + Hidden>(
    mut table: Table<G>,
    contestants: &[Contestant<G>; 2],
    seating: impl Fn(Seat) -> usize,
    plan: &SelfplayPlan,
    seed: u64,
) -> (Outcome, Played) {
    let seats = table.full.position().seats();
    let mut players: Vec<Box<dyn Player<G>>> = Seat::all(seats)
        .map(|seat| (contestants[seating(seat)].make)(splitmix64(seed ^ seat.index() as u64)))
        .collect();
    let mut played = Played { lone: 0, share: 0.0, unfinished: false, fault: None, plies: 0 };
    loop {
        let decided = match table.full.turn() {
            Turn::Over => break,
            Turn::Chance { .. } => table.thrown(),
            Turn::Seat(seat) => {
                let limits = contestants[seating(seat)].limits.clone();
                let choice = players[seat.index()].choose(
                    table.seen_by(seat),
                    &Request::new(limits),
                    &mut |_| {},
                );
                choice.map(|choice| choice.best).filter(|m| table.full.position().is_legal(m))
            }
        };
        let Some(m) = decided else {
            let Some(culprit) = table.full.seat() else {
                played.unfinished = true;
                break;
            };
            played.fault = Some(seating(culprit));
            let scores: Vec<i64> = Seat::all(seats).map(|s| i64::from(s != culprit)).collect();
            return (Outcome::from_scores(&scores), played);
        };
        table.play(&m);
        played.plies += 1;
        if played.plies >= u64::from(plan.max_plies) && !table.full.turn().is_over() {
            played.unfinished = true;
            break;
        }
    }
    (table.full.outcome().unwrap_or_else(|| Outcome::draw(seats)), played)
}

/// A game, what each seat sees of it, and the throws so far.
#[derive(Clone)]
struct Table<G: Game> {
    full: Situation<G>,
    /// Empty where there are no secrets.
    views: Vec<Situation<G>>,
    seed: u64,
    /// Real throws by seat; the last of nobody.
    throws: [u64; MAX_SEATS + 1],
}

impl<G: Chance + Hidden> Table<G> {
    fn new(start: &G, seed: u64) -> Self {
        let seats = if G::SECRETS { start.seats() } else { 0 };
        Table {
            full: Situation::new(start.clone()),
            views: Seat::all(seats).map(|seat| Situation::new(start.view(seat))).collect(),
            seed,
            throws: [0; MAX_SEATS + 1],
        }
    }

    fn seen_by(&self, seat: Seat) -> &Situation<G> {
        self.views.get(seat.index()).unwrap_or(&self.full)
    }

    fn play(&mut self, m: &G::Move) {
        for (seat, view) in Seat::all(self.views.len()).zip(&mut self.views) {
            view.play(&self.full.position().mask(m, seat));
        }
        self.full.play(m);
    }

    /// What chance brings: the same for a seat's k-th throw in every seating.
    fn thrown(&mut self) -> Option<G::Move> {
        let position = self.full.position();
        let Turn::Chance { thrower } = position.turn() else {
            return None;
        };
        if let Chances::Listed(mut outcomes) = position.chances()
            && outcomes.len() == 1
        {
            return outcomes.pop().map(|(m, _)| m);
        }
        let (slot, number) = match thrower {
            Some(seat) => (seat.index(), seat.index() as u64 + 1),
            None => (MAX_SEATS, 0),
        };
        let throws = self.throws[slot];
        self.throws[slot] += 1;
        position.throw(splitmix64(splitmix64(self.seed.wrapping_add(number)).wrapping_add(throws)))
    }
}
