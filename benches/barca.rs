//! How fast Barca's generator, moves, evaluation and search are: `cargo bench --bench barca`.

use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parlor::game::{Game, Random, Seat, Situation, perft};
use parlor::games::barca::{Network, Position};
use parlor::machine::use_portable;
use parlor::search::{
    Evaluate, Limits, MoveHint, Player, PvsConfig, PvsPlayer, Request, SearchHints, Settings,
};

/// Positions as they occur in random games, calm ones and forced ones.
fn sample() -> Vec<Position> {
    let mut random = Random::new(1);
    let mut position = Position::default();
    let mut positions = Vec::new();
    while positions.len() < 256 {
        match position.random_move(&mut random) {
            Some(m) => position.play(&m),
            None => position = Position::default(),
        }
        if !position.turn().is_over() {
            positions.push(position);
        }
    }
    positions
}

fn generation(criterion: &mut Criterion) {
    let positions = sample();
    let mut group = criterion.benchmark_group("barca generation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    for (name, portable) in [("fast", false), ("portable", true)] {
        use_portable(portable);
        group.bench_function(BenchmarkId::new("count", name), |bencher| {
            bencher.iter(|| positions.iter().map(Position::count_moves).sum::<u64>());
        });
        group.bench_function(BenchmarkId::new("visit", name), |bencher| {
            bencher.iter(|| {
                for position in &positions {
                    let _ = position.for_each_move::<()>(|m| {
                        black_box(m);
                        ControlFlow::Continue(())
                    });
                }
            });
        });
    }
    group.throughput(Throughput::Elements(3_046_014));
    for (name, portable) in [("fast", false), ("portable", true)] {
        use_portable(portable);
        group.bench_function(BenchmarkId::new("perft 4", name), |bencher| {
            bencher.iter(|| perft(&Position::default(), 4, true));
        });
    }
    use_portable(false);
    group.finish();
}

fn make(criterion: &mut Criterion) {
    let positions = sample();
    let moves: Vec<_> = positions.iter().map(|position| (*position, position.moves()[0])).collect();
    let mut group = criterion.benchmark_group("barca make");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("play", |bencher| {
        bencher.iter(|| {
            for (position, m) in &moves {
                let mut next = *position;
                next.play(m);
                black_box(&next);
            }
        });
    });
    group.bench_function("play and outcome", |bencher| {
        bencher.iter(|| {
            for (position, m) in &moves {
                let mut next = *position;
                next.play(m);
                black_box(next.outcome());
            }
        });
    });
    group.finish();
}

fn evaluation(criterion: &mut Criterion) {
    let positions = sample();
    let lists: Vec<_> = positions.iter().map(Position::moves).collect();
    let network = Network::default();
    let sums: Vec<_> = positions.iter().map(|position| network.fresh(position)).collect();
    let mut group = criterion.benchmark_group("barca evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    for (name, portable) in [("fast", false), ("portable", true)] {
        use_portable(portable);
        group.bench_function(BenchmarkId::new("score of the network", name), |bencher| {
            bencher.iter(|| {
                let score = |(position, sums)| network.score(sums, position, Seat::new(0));
                positions.iter().zip(&sums).map(score).sum::<i32>()
            });
        });
        group.bench_function(
            BenchmarkId::new("sums of the network after a move", name),
            |bencher| {
                let mut next = sums[0];
                bencher.iter(|| {
                    for ((position, sums), moves) in positions.iter().zip(&sums).zip(&lists) {
                        if let Some(m) = moves.first() {
                            network.update(sums, position, m, position, &mut next);
                            black_box(&next);
                        }
                    }
                });
            },
        );
    }
    use_portable(false);
    group.bench_function("hints", |bencher| {
        let mut hints = vec![MoveHint::QUIET; 256];
        bencher.iter(|| {
            for (position, moves) in positions.iter().zip(&lists) {
                network.hint_moves(position, moves, &mut hints[..moves.len()]);
                black_box(&hints);
            }
        });
    });
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("barca search");
    group.sample_size(10);
    for (name, config) in
        [("default", PvsConfig::default()), ("full width", PvsConfig::full_width())]
    {
        group.bench_function(BenchmarkId::new("depth 4", name), |bencher| {
            bencher.iter(|| {
                let settings = Settings::default();
                let mut player = PvsPlayer::new(Network::default(), config.clone(), &settings);
                let request = Request::new(Limits::depth(4));
                player.choose(&Situation::new(Position::default()), &request, &mut |_| {})
            });
        });
    }
    group.finish();
}

criterion_group!(benches, generation, make, evaluation, search);
criterion_main!(benches);
