//! The pictures of the pages are what the programs draw now.

use std::path::Path;
use std::process::Command;

use crate::programs::program;

const POSITIONS: &str = include_str!("../../docs/images/positions.txt");
/// A page should load at once.
const LARGEST: usize = 100 << 10;

#[test]
fn the_pictures_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut games = 0;
    for line in POSITIONS.lines().filter(|line| !line.starts_with('#')) {
        let (game, arguments) = line.split_once(' ').unwrap();
        let drawn = Command::new(program(game))
            .arg("svg")
            .args(arguments.split_whitespace())
            .output()
            .unwrap()
            .stdout;
        let kept = std::fs::read(root.join(format!("docs/images/{game}.svg"))).unwrap_or_default();
        assert!(drawn == kept, "docs/images/{game}.svg is stale: run docs/images/make");
        assert!(kept.len() < LARGEST, "{game}: {} bytes", kept.len());
        let page = std::fs::read_to_string(root.join(format!("docs/{game}.md"))).unwrap();
        assert!(page.contains(&format!("](images/{game}.svg)")), "{game}");
        assert!(readme.contains(&format!("docs/images/{game}.svg")), "{game}");
        games += 1;
    }
    assert_eq!(games, 5);
}
