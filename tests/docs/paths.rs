//! Files that the documents name exist.

use std::fs;
use std::path::Path;

/// The folders that a path in a document may begin with.
const FOLDERS: [&str; 8] =
    ["src/", "bin/", "tests/", "docs/", "examples/", "data/", "benches/", ".ci/"];

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || "/._-*".contains(c)
}

/// The paths in a text that begin with one of the folders.
fn paths(text: &str) -> Vec<&str> {
    let words = text.split(|c| !is_part(c)).map(|word| word.trim_end_matches(['.', '-']));
    words.filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder))).collect()
}

/// The targets of the links in a text that lead to files.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://")).collect()
}

#[test]
fn every_file_that_a_document_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = crate::commands::pages();
    pages.push(root.join("CHANGELOG.md"));
    let (mut checked, mut missing) = (0, Vec::new());
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        // GAME stands for a game to be written, `*` for any game.
        let named = paths(&text).into_iter().filter(|path| !path.contains("GAME"));
        let named = named.map(|path| (path, root.join(path.replace("/*", "/barca"))));
        let linked = links(&text).into_iter().map(|link| (link, page.with_file_name(link)));
        for (name, path) in named.chain(linked) {
            checked += 1;
            if !path.exists() {
                missing.push(format!("{}: {name}", page.display()));
            }
        }
    }
    assert!(checked > 50, "only {checked} paths were found");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
