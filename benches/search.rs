//! The search: from the start of Barca, and the table by itself.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use parlor::game::{OptionValues, Random, Rules, Situation};
use parlor::games::barca::{Network, Position};
use parlor::search::alpha_beta::alpha_beta;
use parlor::search::table::{Entry, TranspositionTable};
use parlor::search::{Bound, Limits, Player, PvsConfig, PvsPlayer, Request, Settings};

fn start() -> Situation<Position> {
    let position = Position::start(&OptionValues::default(), None);
    Situation::new(position.expect("the starting position"))
}

/// Each search begins with an empty table.
fn search(criterion: &mut Criterion) {
    let situation = start();
    let mut group = criterion.benchmark_group("search");
    group.sample_size(20);
    let configs = [
        ("depth 8", Position::search_config(), 8),
        ("full width, depth 4", PvsConfig::full_width(), 4),
    ];
    for (name, config, depth) in configs {
        let mut player = PvsPlayer::new(Network::default(), config, &Settings::default());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                Player::<Position>::new_game(&mut player);
                player.choose(&situation, &Request::new(Limits::depth(depth)), &mut |_| {})
            });
        });
    }
    group.bench_function("plain alpha-beta, depth 3", |bencher| {
        bencher.iter(|| alpha_beta(black_box(&situation), Network::default(), 3));
    });
    group.finish();
}

fn table(criterion: &mut Criterion) {
    const KEYS: u64 = 10_000;
    let table = TranspositionTable::new(16);
    let mut group = criterion.benchmark_group("table");
    group.throughput(Throughput::Elements(KEYS));
    group.bench_function("store", |bencher| {
        bencher.iter(|| {
            let mut random = Random::new(1);
            for _ in 0..KEYS {
                let value = Some((17, Bound::Lower));
                table.store(random.next(), Entry { tag: 1, value, evaluation: None, depth: 3 });
            }
        });
    });
    group.bench_function("probe", |bencher| {
        bencher.iter(|| {
            let mut random = Random::new(1);
            (0..KEYS).filter(|_| table.probe(random.next()).is_some()).count()
        });
    });
    group.finish();
}

criterion_group!(benches, search, table);
criterion_main!(benches);
