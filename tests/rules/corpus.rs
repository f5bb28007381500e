//! The corpus of the fuzz targets, replayed without a fuzzer: what was found once stays mended.

#[path = "../../fuzz/targets/mod.rs"]
mod targets;

use std::path::Path;

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
