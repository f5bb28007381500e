//! The corpus of the fuzz targets, replayed without a fuzzer: what was found once stays mended.

#[path = "../../fuzz/targets/mod.rs"]
mod targets;

use std::panic::catch_unwind;
use std::path::Path;

use parlor::game::Random;

#[test]
fn every_file_of_the_corpus_is_answered_rightly() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, target) in targets::ALL {
        let mut files = 0;
        for entry in std::fs::read_dir(corpus.join(name)).expect(name) {
            let path = entry.expect("an entry").path();
            let data = std::fs::read(&path).expect("readable");
            // A panic does not say which file it was.
            println!("{}", path.display());
            target(&data);
            files += 1;
        }
        assert!(files > 0, "{name}");
    }
}

/// Damaged copies of the corpus: some of what the fuzzer tries first.
#[test]
fn damaged_copies_of_the_corpus_are_answered_rightly() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, target) in targets::ALL {
        let mut paths: Vec<_> = std::fs::read_dir(corpus.join(name))
            .expect(name)
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.sort();
        for path in paths {
            let data = std::fs::read(&path).expect("readable");
            crate::damaged::each(&data, crate::damaged::copies(6), |what, copy| {
                println!("{}: {what}", path.display());
                target(copy);
            });
        }
    }
}

/// A number in the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Seeded cases of the differential target: as many as `PARLOR_CASES` says, from `PARLOR_FIRST` on.
#[test]
fn a_game_told_in_different_ways_is_the_same_game() {
    let first = number("PARLOR_FIRST", 0);
    for case in first..first + number("PARLOR_CASES", 200) {
        let mut random = Random::new(case);
        let mut data: Vec<u8> = (0..8).flat_map(|_| random.next().to_le_bytes()).collect();
        data[0] = (case % targets::GAMES as u64) as u8;
        let told = catch_unwind(|| targets::differential::run(&data));
        assert!(told.is_ok(), "PARLOR_FIRST={case} PARLOR_CASES=1 shows it alone");
    }
}
