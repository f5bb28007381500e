//! Whoever has a program of Parlor has the notices of all that is in it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::programs::program;

fn read(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The crates that the programs, the Python module and the modules for web pages are built of on this
/// machine, as `NAME VERSION`. Those of the last two may not be at hand yet: cargo fetches them.
fn crates() -> BTreeSet<String> {
    let mut tree = Command::new(env!("CARGO"));
    tree.args(["tree", "--locked", "--edges", "normal", "--prefix", "none"]);
    tree.args(["--package", "parlor", "--package", "parlor-python", "--package", "parlor-web"]);
    let output = tree.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let name = |line: &str| {
        let mut words = line.split(' ');
        Some(format!("{} {}", words.next()?, words.next()?.strip_prefix('v')?))
    };
    let mut names: BTreeSet<String> = text.lines().filter_map(name).collect();
    names.retain(|name| !name.starts_with("parlor") && name != "(*)");
    assert!(
        names.len() > 100 && names.iter().any(|name| name.starts_with("pyo3 ")),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    names
}

#[test]
fn every_crate_in_the_products_is_listed_with_its_notice() {
    let text = read("data/licences.txt");
    let lines: BTreeSet<&str> = text.lines().collect();
    let listed = |name: &str| text.contains(&format!("\n{name} ("));
    // The heading of its notice is a line of its own.
    let missing: Vec<String> = crates()
        .into_iter()
        .filter(|name| !listed(name) || !lines.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "run data/make-licences: {missing:?}");
}

#[test]
fn the_program_prints_the_notices_of_data_and_crates() {
    let output = Command::new(env!("CARGO_BIN_EXE_parlor")).arg("licences").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, read("data/licences.txt"));
    for file in [
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "data/barbarossa/WORDNET-LICENSE",
        "data/barbarossa/lexicon/SCOWL-COPYRIGHT",
    ] {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&printed).contains(&words(&read(file))), "{file}");
    }
    for part in ["game-icons.net", "Facebook", "Redistribution and use in source and binary"] {
        assert!(printed.contains(part), "{part}");
    }
}

/// CC BY asks for authors, source, licence, and what was changed.
#[test]
fn pictures_and_the_page_credit_their_icons() {
    let drawn = Command::new(program("barca")).arg("svg").output().unwrap().stdout;
    for text in [String::from_utf8(drawn).unwrap(), read("src/runner/board/page/dialogs.js")] {
        for part in
            ["Lorc, Delapouite", "game-icons.net", "CC BY 3.0", "licenses/by/3.0", "outlines only"]
        {
            assert!(text.contains(part), "{part}");
        }
    }
    let manifest = read("Cargo.toml");
    let license = manifest.lines().find(|line| line.starts_with("license = ")).unwrap();
    for part in ["MIT OR Apache-2.0", "CC-BY-3.0", "WordNet", "SCOWL"] {
        assert!(license.contains(part), "{license}");
    }
}
