//! The search on a real game: equal to plain alpha-beta with everything switched off, and right
//! about forced ends with everything switched on.

use parlor::game::{Game, Notation, Random, Situation};
use parlor::games::barca::{Network, Position};
use parlor::search::alpha_beta::alpha_beta;
use parlor::search::value::score;
use parlor::search::{Limits, PvsConfig, PvsPlayer, Score, Settings};

use crate::references::answer;
use crate::wander::wander;

fn engine(config: PvsConfig, hash: usize, threads: usize) -> PvsPlayer<Position, Network> {
    let settings = Settings { hash, threads, ..Settings::default() };
    PvsPlayer::new(Network::default(), config, &settings)
}

fn read(text: &str) -> Situation<Position> {
    Situation::new(text.parse().expect("a position"))
}

#[test]
fn full_width_is_alpha_beta_with_any_table_and_number_of_threads() {
    for seed in 0..16 {
        let situation = wander(&Position::default(), seed, 60);
        if situation.position().count_moves() == 1 {
            continue;
        }
        for depth in 1..=3 {
            let expected = score(alpha_beta(&situation, Network::default(), depth));
            for (hash, threads) in [(0, 1), (1, 1), (64, 1), (1, 2), (1, 0)] {
                let mut engine = engine(PvsConfig::full_width(), hash, threads);
                let (_, info) = answer(&mut engine, &situation, Limits::depth(depth));
                assert_eq!(info.score, expected, "{situation:?}, {depth}, {hash} MiB, {threads}");
            }
        }
    }
}

/// Histories and the table of earlier searches count too, so a whole game is played.
#[test]
fn the_calling_thread_searches_like_a_thread_of_the_player() {
    let mut engines = [0, 1].map(|threads| engine(Position::search_config(), 1, threads));
    let mut situation = Situation::new(Position::default());
    for _ in 0..40 {
        let [here, there] =
            engines.each_mut().map(|engine| answer(engine, &situation, Limits::nodes(2_000)));
        assert_eq!((here.0, here.1.nodes), (there.0, there.1.nodes), "{situation:?}");
        situation.play(&here.0);
        if situation.turn().is_over() {
            break;
        }
    }
}

/// The end of the shortest game, and a trapped animal that wins by a hop onto a feared hole.
#[test]
fn proofs_are_the_same_in_one_thread_and_in_two() {
    let mut situation = Situation::new(Position::default());
    for token in "e2e4 e9e6 e4g4 e6g6 e1e3 f10e9 e3d4 f9f10 g2c6 g6g5".split(' ') {
        let m = situation.position().parse_move(token).expect("a move");
        situation.play(&m);
    }
    let trapped = "10/3l6/1L8/1EM1L5/2l4e2/1m8/3E2M3/1m8/3e6/10 w";
    for situation in [situation, read(trapped)] {
        assert_eq!(alpha_beta(&situation, Network::default(), 1), 31_999);
        for threads in [1, 2] {
            let mut engine = engine(Position::search_config(), 1, threads);
            let (_, info) = answer(&mut engine, &situation, Limits::depth(6));
            assert_eq!(info.score, Score::Mate(1));
        }
    }
}

#[test]
fn every_forced_end_that_is_claimed_soon_is_one() {
    let mut claims = 0;
    for seed in 0..20 {
        // Against random moves wins come soon.
        let mut random = Random::new(seed);
        let mut engine = engine(Position::search_config(), 1, 1);
        let mut situation = wander(&Position::default(), seed, 6);
        for _ in 0..30 {
            if situation.seat().is_none() {
                break;
            }
            let (m, info) = answer(&mut engine, &situation, Limits::nodes(1_500));
            if let Score::Mate(plies @ (-3..=-1 | 1..=3)) = info.score {
                claims += 1;
                let proved = alpha_beta(&situation, Network::default(), plies.unsigned_abs());
                assert_eq!(score(proved), info.score, "{situation:?}");
            }
            situation.play(&m);
            if let Some(m) = situation.position().random_move(&mut random) {
                situation.play(&m);
            }
        }
    }
    assert!(claims >= 10, "{claims} claims");
}
