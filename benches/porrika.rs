//! The speed of the rules of Por'rika: `cargo bench --bench porrika`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use parlor::game::{Game, Random, perft};
use parlor::games::porrika::Position;

const DEFAULT: &str = "EnGw,GnEe,Gn,Gn/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,SsSw,SeSs,-/-,-,-,- c";

fn default_set_up() -> Position {
    DEFAULT.parse().expect("a position")
}

/// Plays random moves until the game is over, at most 200, and returns their number.
fn playout(start: Position, random: &mut Random) -> u64 {
    let mut position = start;
    for plies in 0..200 {
        let Some(m) = position.random_move(random) else {
            return plies;
        };
        position.play(&m);
    }
    200
}

fn playouts(games: u64) -> u64 {
    let start = default_set_up();
    let mut random = Random::new(1);
    (0..games).map(|_| playout(start, &mut random)).sum()
}

fn rules(criterion: &mut Criterion) {
    let start = default_set_up();
    let mut group = criterion.benchmark_group("porrika");
    group.sample_size(20);
    group.throughput(Throughput::Elements(23_879_708));
    group.bench_function("perft 5, bulk", |bench| bench.iter(|| perft(black_box(&start), 5, true)));
    group.throughput(Throughput::Elements(playouts(1_000)));
    group.bench_function("random playouts", |bench| bench.iter(|| playouts(black_box(1_000))));
    group.finish();
}

criterion_group!(benches, rules);
criterion_main!(benches);
