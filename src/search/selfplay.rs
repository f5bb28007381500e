//! Two players against each other in one process.
//!
//! Every opening is played once in each seating with the same throws. These games make one bundle, in
//! which both players have the same luck of the opening and of the dice. With two seats a bundle is
//! two games. With more, one player plays alone against copies of the other, in each seat in turn,
//! then the other way round.
//!
//! The games depend on the seed alone, whatever the number of threads, as long as the choices of the
//! players depend only on their seeds and limits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread::Builder;

use super::player::{Player, Request};
use super::{Limits, SEARCH_STACK};
use crate::game::{
    Chance, Chances, Game, Hidden, MAX_SEATS, Outcome, Random, Seat, Situation, Turn, splitmix64,
};
use crate::statistics::Scores;

/// One of the two players.
pub struct Contestant<G: Game> {
    /// Its name in reports.
    pub name: String,
    /// The limits of each of its searches.
    pub limits: Limits,
    /// Makes a new player for each game and seat, from a seed.
    pub make: Box<dyn Fn(u64) -> Box<dyn Player<G>> + Send + Sync>,
}

/// The parameters of a match.
#[derive(Clone, Debug)]
pub struct SelfplayPlan {
    /// The number of openings; each makes a bundle of games.
    pub openings: u64,
    /// Random moves of seats in an opening.
    pub opening_plies: u32,
    /// A game with more plies after its opening is a draw.
    pub max_plies: u32,
    /// So is one with as many plies in all; 0: there is no such rule.
    pub drawn_after: usize,
    /// The seed of everything random.
    pub seed: u64,
    /// Games played at the same time.
    pub threads: usize,
}

impl Default for SelfplayPlan {
    fn default() -> Self {
        SelfplayPlan {
            openings: 100,
            opening_plies: 4,
            max_plies: 600,
            drawn_after: 0,
            seed: 1,
            threads: 1,
        }
    }
}

/// The result of a match so far.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The first player's shares of first place, by bundle; with more than two seats, of the games
    /// in which it plays alone.
    pub first: Scores,
    /// The same of the second player. With two seats the complement.
    pub second: Scores,
    /// Games won, drawn and lost by the first player; with more seats, of the games in which it plays
    /// alone: sole first, shared first, not first.
    pub games: [u64; 3],
    /// Games that reached the ply limit.
    pub unfinished: u64,
    /// Games that ended because a player gave no legal move, by player; it is last in them.
    pub faults: [u64; 2],
    /// Plies of all games.
    pub plies: u64,
}

/// One opening in all seatings.
struct Bundle {
    number: u64,
    games: Vec<PlayedGame>,
}

struct PlayedGame {
    /// The contestant that plays alone; with two seats always the first.
    alone: usize,
    share: f64,
    unfinished: bool,
    fault: Option<usize>,
    plies: u64,
}

/// Plays a match. `progress` gets the standing after each bundle, in the order of the openings, and
/// ends the match by returning `false`.
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
            let game_thread = Builder::new().stack_size(SEARCH_STACK);
            let spawned = game_thread.spawn_scoped(scope, move || {
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
            if let Err(error) = spawned {
                log::warn!("fewer games at the same time: {error}");
                break;
            }
        }
        drop(sender);
        // Bundles are counted in order, so that an early end is not biased towards short games.
        let mut waiting: Vec<Bundle> = Vec::new();
        let mut next_number = 0;
        for bundle in bundles {
            waiting.push(bundle);
            while let Some(at) = waiting.iter().position(|bundle| bundle.number == next_number) {
                let bundle = waiting.swap_remove(at);
                next_number += 1;
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
        let two_seats = bundle.games.iter().all(|game| game.alone == 0);
        for (alone, scores) in [(0, &mut self.first), (1, &mut self.second)] {
            let of_alone = bundle.games.iter().filter(|game| two_seats || game.alone == alone);
            let turned = two_seats && alone == 1;
            let shares: Vec<f64> =
                of_alone.map(|game| if turned { 1.0 - game.share } else { game.share }).collect();
            if !shares.is_empty() {
                let mean = shares.iter().sum::<f64>() / shares.len() as f64;
                scores.add(mean, shares.len() as u64);
            }
        }
        for game in &bundle.games {
            if game.alone == 0 {
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
) -> Vec<PlayedGame> {
    let seed = game_seed(plan, number);
    let game = opening(start, plan, seed);
    let seats = start.seats();
    let alone_contestants = if seats == 2 { 0..1 } else { 0..2 };
    alone_contestants
        .flat_map(|alone| Seat::all(seats).map(move |seat| (alone, seat)))
        .map(|(alone, seat)| {
            let seating = |other: Seat| if other == seat { alone } else { 1 - alone };
            let (outcome, played) = play_game(game.clone(), contestants, seating, plan, seed);
            PlayedGame { alone, share: outcome.share(seat), ..played }
        })
        .collect()
}

/// A game after random opening moves. Openings that end the game are discarded.
fn opening<G: Chance + Hidden>(start: &G, plan: &SelfplayPlan, seed: u64) -> OngoingGame<G> {
    for attempt in 0..100 {
        let mut random = Random::new(splitmix64(seed ^ splitmix64(attempt)));
        let mut game = OngoingGame::new(start, plan.drawn_after, seed);
        let mut plies = 0;
        while plies < plan.opening_plies && !game.full.turn().is_over() {
            let is_seat = game.full.seat().is_some();
            let m =
                if is_seat { game.full.position().random_move(&mut random) } else { game.throw() };
            let Some(m) = m else { break };
            game.play(&m);
            plies += u32::from(is_seat);
        }
        if !game.full.turn().is_over() {
            return game;
        }
    }
    OngoingGame::new(start, plan.drawn_after, seed)
}

/// Plays a game to its end; the caller fills in `alone` and `share`.
fn play_game<G: Chance + Hidden>(
    mut game: OngoingGame<G>,
    contestants: &[Contestant<G>; 2],
    seating: impl Fn(Seat) -> usize,
    plan: &SelfplayPlan,
    seed: u64,
) -> (Outcome, PlayedGame) {
    let seats = game.full.position().seats();
    let mut players: Vec<Box<dyn Player<G>>> = Seat::all(seats)
        .map(|seat| (contestants[seating(seat)].make)(splitmix64(seed ^ seat.index() as u64)))
        .collect();
    let mut played = PlayedGame { alone: 0, share: 0.0, unfinished: false, fault: None, plies: 0 };
    loop {
        let decided = match game.full.turn() {
            Turn::Over => break,
            Turn::Chance { .. } => game.throw(),
            Turn::Seat(seat) => {
                let limits = contestants[seating(seat)].limits.clone();
                let limits = limits.within(game.full.plies_left());
                let choice = players[seat.index()].choose(
                    game.view(seat),
                    &Request::new(limits),
                    &mut |_| {},
                );
                choice.map(|choice| choice.best).filter(|m| game.full.position().is_legal(m))
            }
        };
        let Some(m) = decided else {
            let Some(culprit) = game.full.seat() else {
                played.unfinished = true;
                break;
            };
            played.fault = Some(seating(culprit));
            let scores: Vec<i64> = Seat::all(seats).map(|s| i64::from(s != culprit)).collect();
            return (Outcome::from_scores(&scores), played);
        };
        game.play(&m);
        played.plies += 1;
        if played.plies >= u64::from(plan.max_plies) && !game.full.turn().is_over() {
            played.unfinished = true;
            break;
        }
    }
    (game.full.outcome().unwrap_or_else(|| Outcome::draw(seats)), played)
}

/// A game in progress: what each seat sees of it, and the throws so far.
#[derive(Clone)]
struct OngoingGame<G: Game> {
    full: Situation<G>,
    /// Empty where there are no secrets.
    views: Vec<Situation<G>>,
    seed: u64,
    /// The number of throws by seat; last, of those by nobody.
    throws: [u64; MAX_SEATS + 1],
}

impl<G: Chance + Hidden> OngoingGame<G> {
    fn new(start: &G, drawn_after: usize, seed: u64) -> Self {
        let seats = if G::SECRETS { start.seats() } else { 0 };
        OngoingGame {
            full: Situation::new(start.clone()).drawn_after(drawn_after),
            views: Seat::all(seats)
                .map(|seat| Situation::new(start.view(seat)).drawn_after(drawn_after))
                .collect(),
            seed,
            throws: [0; MAX_SEATS + 1],
        }
    }

    fn view(&self, seat: Seat) -> &Situation<G> {
        self.views.get(seat.index()).unwrap_or(&self.full)
    }

    fn play(&mut self, m: &G::Move) {
        for (seat, view) in Seat::all(self.views.len()).zip(&mut self.views) {
            view.play(&self.full.position().mask(m, seat));
        }
        self.full.play(m);
    }

    /// The outcome of chance: the same for the k-th throw of a seat in every seating.
    fn throw(&mut self) -> Option<G::Move> {
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
