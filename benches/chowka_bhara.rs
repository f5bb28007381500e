//! How fast the rules and the search of Chowka bhara are:
//! `cargo bench --profile dist --bench chowka_bhara`. Times are processor time, so that
//! other work on the machine does not count.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use parlor::game::{Game, Random, Rules, Situation, Turn};
use parlor::games::Playable;
use parlor::games::chowka_bhara::Position;
use parlor::search::{Limits, Request, Settings};
use parlor::statistics::cpu_time;

fn start(seats: usize) -> Position {
    let mut rules = Position::default_rules();
    rules.set("Players", &seats.to_string()).expect("a rule");
    Position::start(&rules, None).expect("a start")
}

/// Plays whole games, every throw by its weight and every step uniformly; the number of moves.
fn playouts(start: &Position, games: u64) -> u64 {
    let mut random = Random::new(1);
    let mut moves = 0;
    for _ in 0..games {
        let mut position = start.clone();
        while let Some(m) = position.random_move(&mut random) {
            position.play(&m);
            moves += 1;
        }
    }
    moves
}

/// Turns from games of the player `careful`: all throws are made, a play is to be chosen.
fn turns(seats: usize, count: usize) -> Vec<Situation<Position>> {
    let mut random = Random::new(2);
    let mut careful = Position::player("careful", &Settings::default()).unwrap();
    let mut list = Vec::new();
    while list.len() < count {
        let mut situation = Situation::new(start(seats));
        loop {
            let m = match situation.turn() {
                Turn::Over => break,
                Turn::Chance { .. } => situation.position().random_move(&mut random),
                Turn::Seat(_) => {
                    if random.below(20) == 0 {
                        list.push(situation.clone());
                    }
                    let request = Request::new(Limits::depth(1));
                    careful.choose(&situation, &request, &mut |_| {}).map(|choice| choice.best)
                }
            };
            situation.play(&m.expect("a move"));
        }
    }
    list.truncate(count);
    list
}

/// Processor time.
struct ProcessorTime;

impl Measurement for ProcessorTime {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        cpu_time()
    }

    fn end(&self, start: Duration) -> Duration {
        cpu_time().saturating_sub(start)
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        static CLOCK: WallTime = WallTime;
        CLOCK.formatter()
    }
}

fn chowka_bhara(criterion: &mut Criterion<ProcessorTime>) {
    let mut group = criterion.benchmark_group("chowka-bhara");
    group.sample_size(20);
    for seats in 2..=4 {
        let start = start(seats);
        group.throughput(Throughput::Elements(playouts(&start, 200)));
        group.bench_function(format!("random playouts, {seats} seats"), |bench| {
            bench.iter(|| playouts(black_box(&start), 200));
        });
    }
    // One element is one turn: the figure is turns a second, 1,000 of them a millisecond each.
    for seats in 2..=4 {
        let turns = turns(seats, 200);
        group.throughput(Throughput::Elements(turns.len() as u64));
        group.bench_function(format!("two plies, 200 turns, {seats} seats"), |bench| {
            let player = || Position::player("engine", &Settings::default()).unwrap();
            bench.iter_batched_ref(
                player,
                |player| {
                    for turn in &turns {
                        player.choose(turn, &Request::new(Limits::depth(2)), &mut |_| {});
                    }
                },
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(ProcessorTime);
    targets = chowka_bhara
}
criterion_main!(benches);
