//! The pictures of the pages are what the programs draw now.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use parlor::games::NAMES;

use crate::programs::program;

const POSITIONS: &str = include_str!("../../docs/images/positions.txt");
/// A page should load at once.
const LARGEST: usize = 100 << 10;

#[test]
fn the_pictures_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut games = BTreeSet::new();
    for line in POSITIONS.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let (name, game) = (words.next().unwrap(), words.next().unwrap());
        let arguments: Vec<String> = words.map(|word| word.to_owned()).collect();
        // In the text of a position _ stands for a blank.
        let arguments = arguments.iter().enumerate().map(|(index, word)| {
            let is_position = index > 0 && arguments[index - 1] == "--fen";
            if is_position { word.replace('_', " ") } else { word.clone() }
        });
        let drawn = Command::new(program(game)).arg("svg").args(arguments).output().unwrap().stdout;
        let kept = std::fs::read(root.join(format!("docs/images/{name}.svg"))).unwrap_or_default();
        assert!(drawn == kept, "docs/images/{name}.svg is stale: run docs/images/make");
        assert!(kept.len() < LARGEST, "{name}: {} bytes", kept.len());
        let page = std::fs::read_to_string(root.join(format!("docs/{game}.md"))).unwrap();
        let shown = page.contains(&format!("](images/{name}.svg)"));
        let in_readme = readme.contains(&format!("docs/images/{name}.svg"));
        assert!(shown || in_readme, "{name} is on no page");
        if in_readme {
            games.insert(game);
        }
    }
    assert_eq!(games.len(), NAMES.len(), "the README shows every game");
}
