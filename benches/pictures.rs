//! The time and size of the answers of extension 2: `cargo bench --bench pictures`.
//!
//! Random games under every rule set of every game; of `table`, `board` and `step` the mean and the
//! slowest in milliseconds, and the largest answer in bytes.

use std::time::Instant;

use parlor::game::picture::step;
use parlor::game::{Picture, Random, Seat, Turn, rule_sets};
use parlor::games::{barbarossa, barca, chowka_bhara, pacru, porrika};
use parlor::picture::to_line;

const POSITIONS: u64 = 2_000;
const PLIES: u64 = 160;
/// How often an answer is timed: the fastest counts, so that another process disturbs nothing.
const REPEATS: usize = 3;

/// What was measured of one query.
#[derive(Default)]
struct Measured {
    answers: u64,
    total: f64,
    slowest: f64,
    largest: usize,
}

impl Measured {
    fn add(&mut self, answer: impl Fn() -> usize) {
        let mut best = f64::INFINITY;
        let mut bytes = 0;
        for _ in 0..REPEATS {
            let started = Instant::now();
            bytes = answer();
            best = best.min(started.elapsed().as_secs_f64() * 1e3);
        }
        self.answers += 1;
        self.total += best;
        self.slowest = self.slowest.max(best);
        self.largest = self.largest.max(bytes);
    }

    fn print(&self, game: &str, query: &str) {
        let mean = self.total / self.answers.max(1) as f64;
        println!(
            "{game:<13} {query:<6} {:>8} {mean:>9.4} {:>9.4} {:>8}",
            self.answers, self.slowest, self.largest
        );
    }
}

/// The answers about one position: a random path is followed to its end.
fn measure<G: Picture>(
    position: &G,
    random: &mut Random,
    [table, board, steps]: &mut [Measured; 3],
) {
    table.add(|| to_line(&position.table()).len());
    board.add(|| to_line(&position.board()).len());
    let turn = position.turn();
    let mut path = Vec::new();
    while let Ok(here) = step(position, turn, &path) {
        steps.add(|| size(position, turn, &path));
        if let Some(form) = here.form.as_ref().filter(|form| form.complete) {
            let mut filter = path.clone();
            filter.push(format!("{}*", form.prefix));
            steps.add(|| size(position, turn, &filter));
        }
        if here.next.is_empty() {
            return;
        }
        let chosen = random.below(here.next.len() as u64) as usize;
        path.push(here.next[chosen].choice.clone());
    }
}

/// The bytes of a step.
fn size<G: Picture>(position: &G, turn: Turn, path: &[String]) -> usize {
    step(position, turn, path).map_or(0, |step| to_line(&step).len())
}

fn game<G: Picture>(name: &str) {
    let mut measured: [Measured; 3] = Default::default();
    let mut positions = 0;
    'all: for seed in 0.. {
        for rules in rule_sets::<G>() {
            let mut random = Random::new(seed);
            let Ok(mut position) = G::start(&rules, None) else { continue };
            for _ in 0..PLIES {
                if random.below(6) == 0 {
                    let seat = Seat::new(random.below(position.seats() as u64) as usize);
                    let shown = if G::SECRETS { position.view(seat) } else { position.clone() };
                    measure(&shown, &mut random, &mut measured);
                    positions += 1;
                    if positions == POSITIONS {
                        break 'all;
                    }
                }
                let m = match position.turn().is_chance() {
                    true => position.throw(random.next()),
                    false => position.random_move(&mut random),
                };
                let Some(m) = m else { break };
                position.play(&m);
            }
        }
    }
    for (query, measured) in ["table", "board", "step"].iter().zip(&measured) {
        measured.print(name, query);
    }
}

fn main() {
    println!(
        "{:<13} {:<6} {:>8} {:>9} {:>9} {:>8}",
        "game", "query", "answers", "mean ms", "most ms", "bytes"
    );
    game::<barca::Position>("barca");
    game::<porrika::Position>("porrika");
    game::<pacru::Position>("pacru");
    game::<chowka_bhara::Position>("chowka-bhara");
    game::<barbarossa::Position>("barbarossa");
}
